"""deploy_local.py ARCH PORT PROGRAMS [check | record]: deploys template.yaml into an emulator of AWS on
this machine, with the rights of each function enforced, beside a local stack that has the chains, the hub and
the venue, and serves it until Ctrl-C; with check, looks whether it works, whether a missing right is noticed,
and whether functions touch what is on record; with record, writes that down. PROGRAMS is the folder of
runeport-local, which runs the local stack, and of runeport-ops, which makes the keys.

Everything runs in one process group, in one folder. A guard ends the one and removes the other once this
process is gone, however it went."""

import os
import platform
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from deploy_local_checks import check
from deploy_local_outside import Levers, Outside
from deploy_local_world import PARAMETERS, STACK, World, fail, tail

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
For an AWS client, and for make admin and its kind:

unset AWS_PROFILE AWS_SESSION_TOKEN
{exports}

export BASE={world.base}
export LEVERS={levers.url}

The API is at BASE, with the sign-in message "{PARAMETERS["SignInMessage"]}"; every AWS service at {world.url}.
Chains, hub and venue are those of a local stack, with its levers at LEVERS/_local.
The stack is {STACK}, the logs of functions are in the log groups /runeport/{STACK}/….
Mails: {world.url}/_ministack/ses/messages
What is denied to a function is told here. Ctrl-C ends it all, and nothing is kept.
""", flush=True)
    told = 0
    while world.ministack.poll() is None:
        denied = world.denied()
        for line in denied[told:]:
            print(f"Denied: {line}", flush=True)
        told = len(denied)
        time.sleep(0.5)
    fail("ministack has ended", *tail(world.log))


@contextmanager
def guarded():
    """A folder that is gone afterwards, and where to tell the process group that ends with it."""
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


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def main():
    architecture, port, programs, *rest = sys.argv[1:]
    runeport_local, runeport_ops = Path(programs) / "runeport-local", Path(programs) / "runeport-ops"
    machine = platform.machine().replace("aarch64", "arm64")
    if sys.platform != "linux" or machine != architecture:
        fail(f"zips for ARCH={architecture} run on Linux of that kind alone, not on {sys.platform}, {machine}")
    started = time.monotonic()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: sys.exit(128 + number))
    with guarded() as (folder, told):
        print("Starting ministack, and a local stack for all that is not AWS", flush=True)
        world = World(folder, told, free_port() if rest else int(port), bool(rest))
        outside = Outside(world, runeport_local)
        print("Deploying template.yaml", flush=True)
        world.deploy(architecture, runeport_ops, outside.parameters())
        outside.ready()
        levers = Levers(world, outside, runeport_ops)
        print(f"Deployed in {time.monotonic() - started:.0f} s", flush=True)
        check(world, levers, rest == ["record"]) if rest else serve(world, levers)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print()
