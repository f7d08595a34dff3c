"""deploy_local.py ARCH PORT PROGRAMS [check | record | together]: deploys template.yaml into an AWS emulator on this
machine, which enforces the permissions of each function. A local stack provides the chains, the hub and the
venue. The deployment runs until Ctrl-C. With `check`, the script instead checks that the deployment works, that
a missing permission causes a failure, and that the functions touch the recorded resources; with `record`, it
writes that record. With `together`, it only runs the journeys, while transactions are judged by all of their keys
(docs/operations/rights.md). PROGRAMS is the folder of runeport-local, which runs the local stack, and of runeport-ops,
which creates the keys.

All programs run in one process group and one folder. A guard process kills the group and removes the folder
when this process ends, no matter how."""

import os
import platform
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from deploy_local_checks import check
from deploy_local_outside import Levers, Outside
from deploy_local_world import PARAMETERS, STACK, World, fail, tail
from ports import reserved_port

GUARD = """
folder=$(mktemp -d "${TMPDIR:-/tmp}/runeport-deploy-XXXXXX") && echo "$folder"
group=$(cat)
test -z "$group" || kill -s KILL -- "-$group" 2>/dev/null
for try in 1 2 3 4 5 6 7 8 9; do rm -rf "$folder" 2>/dev/null && exit; sleep 0.3; done
rm -rf "$folder"
"""


def serve(world, levers):
    variables = dict(world.variables)
    variables.update((name, value) for name, value in world.environment.items() if name.startswith("AWS_"))
    exports = "\n".join(f"export {name}='{value}'" for name, value in sorted(variables.items()))
    print(f"""
For AWS clients, and for operator commands such as make admin:

unset AWS_PROFILE AWS_SESSION_TOKEN
{exports}

export BASE={world.base}
export LEVERS={levers.url}

The API is at BASE, with the sign-in message "{PARAMETERS["SignInMessage"]}"; every AWS service at {world.url}.
A local stack provides the chains, the hub and the venue; its levers are at LEVERS/_local.
The stack is {STACK}. The functions log to the log groups /runeport/{STACK}/….
Mails: {world.url}/_ministack/ses/messages
Denied calls of functions appear below. Ctrl-C stops everything and deletes all data.
""", flush=True)
    printed = 0
    while world.ministack.poll() is None:
        denied = world.denied()
        for line in denied[printed:]:
            print(f"Denied: {line}", flush=True)
        printed = len(denied)
        time.sleep(0.5)
    fail("ministack has ended", *tail(world.log))


@contextmanager
def guarded():
    """Yields a temporary folder and a pipe. The guard kills the process group whose id is written to the pipe."""
    read, write = os.pipe()
    guard = subprocess.Popen(
        ["sh", "-c", GUARD], stdin=read, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    os.close(read)
    try:
        yield Path(guard.stdout.readline().strip()), write
    finally:
        os.close(write)
        guard.wait()


def main():
    architecture, port, programs, *rest = sys.argv[1:]
    runeport_local, runeport_ops = Path(programs) / "runeport-local", Path(programs) / "runeport-ops"
    machine = platform.machine().replace("aarch64", "arm64")
    if sys.platform != "linux" or machine != architecture:
        fail(f"what is built for ARCH={architecture} runs only on Linux of that architecture, not on {sys.platform}, {machine}")
    started = time.monotonic()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: sys.exit(128 + number))
    with guarded() as (folder, guard_pipe):
        print("Starting ministack, and a local stack for everything outside AWS", flush=True)
        options = {"check": ["record"], "record": ["record"], "together": ["together"]}
        world = World(folder, guard_pipe, reserved_port() if rest else int(port), *(options[each] for each in rest))
        outside = Outside(world, runeport_local)
        print("Deploying template.yaml", flush=True)
        world.deploy(architecture, runeport_ops, outside.parameters())
        outside.ready()
        levers = Levers(world, outside, runeport_ops)
        print(f"Deployed in {time.monotonic() - started:.0f} s", flush=True)
        check(world, levers, rest[0]) if rest else serve(world, levers)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print()
