"""Sends generated requests to the local world: run.py <runeport-local> <seconds>.

No request may lead to a 5xx, except for the 503 of contract wallets, for whose signatures the local world has
no node; nor to an answer that the OpenAPI document does not describe. No operation may refuse the fields of
more than half of the requests that the document allows. Two kinds of operations are listed without being
errors: those where most requests name an item that does not exist or is in another state, which no schema can
express, and those with few answers. A failure is tried again in a new world with the same seed, because a
busy machine is no error of the service.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from local_world import local_world  # noqa: E402

# The share of an operation's requests whose fields may be refused. One of four is as it is generated: checksums, prices that no
# number of requests divides, and moments in the past are among them.
MOST_REFUSED = 1 / 2
# What the hooks count besides all answers.
KINDS = ("refused", "absent")
# Fewer answers say nothing about an operation that takes something.
FEWEST = 20


# What is tried, and its share of the time. Sequences along the document's links come last, so they have time of their own.
PHASES = {"examples,coverage,fuzzing": 2 / 3, "stateful": 1 / 3}


def main(program, seconds, *seed):
    """Ends with 0 if nothing fails in the first world, or in the second."""
    if is_wrong(program, seconds, seed):
        print("fuzz: once more, in a new world")
        sys.exit(int(is_wrong(program, seconds, seed)))


def is_wrong(program, seconds, seed):
    local = Path(os.environ["RUNEPORT_LOCAL_DIR"])
    counts = local / "fuzz-counts.json"
    code, answered = 0, {}
    with local_world(program) as (url, _):
        for phases, share in PHASES.items():
            counts.unlink(missing_ok=True)
            code |= subprocess.run(
                [local / "fuzz-venv/bin/schemathesis", "--config-file", HERE / "schemathesis.toml", "run", *seed,
                 HERE.parents[1] / "openapi.json", "--url", url, "--max-time", str(int(int(seconds) * share)),
                 "--phases", phases, "--workers", "1", "--exclude-path-regex", "^/api/auth/"],
                env={**os.environ, "BASE": url, "SCHEMATHESIS_HOOKS": "fuzz_hooks",
                     "FUZZ_COUNTS": str(counts), "PYTHONPATH": str(HERE)},
                cwd=local).returncode
            for name, counted in json.loads(counts.read_text()).items():
                sums = answered.setdefault(name, {"all": 0, **{kind: Counter() for kind in KINDS}})
                sums["all"] += counted["all"]
                for kind in KINDS:
                    sums[kind].update(counted[kind])
    takes_something = operations()
    tried = {name: answered[name]["all"] if name in answered else 0 for name in takes_something}
    # One answer says all of an operation that takes nothing.
    few = {name: count for name, count in tried.items() if count < (FEWEST if takes_something[name] else 1)}
    judged = {name: sums for name, sums in answered.items() if name not in few and takes_something[name]}
    # The most refused first.
    refused = sorted(((sums["refused"].total() / sums["all"], name) for name, sums in judged.items()), reverse=True)
    absent = {name: sums for name, sums in judged.items() if sums["absent"].total() * 2 > sums["all"]}
    print(f"fuzz: {len(answered)} operations answered {sum(tried.values())} requests that the document allows, and refused fields:")
    for share, name in refused:
        if share:
            print(f"fuzz:   {name}: {share:.0%} of {tried[name]}")
    print(f"fuzz: {len(absent)} operations where most requests name what does not exist, or is in another state:")
    for name, sums in sorted(absent.items()):
        print(f"fuzz:   {name}: {sums['absent'].total()} of {sums['all']}")
    print(f"fuzz: {len(few)} operations have fewer than {FEWEST} answers, which say nothing:")
    for name, count in sorted(few.items()):
        print(f"fuzz:   {name}: {count}")
    complaints = [f"{name} refuses too much: say more in its schema. Its refusals: {answered[name]['refused'].most_common(5)}"
                  for share, name in refused if share > MOST_REFUSED]
    for complaint in complaints:
        print(f"fuzz: {complaint}")
    return bool(code or complaints)


def operations():
    """The operations that are tried, those of first paths, each with whether it takes anything."""
    paths = json.loads((HERE.parents[1] / "openapi.json").read_text())["paths"]
    return {f"{method.upper()} {path}": bool(operation.get("parameters") or operation.get("requestBody"))
            for path, item in paths.items() if not path.startswith("/api/auth/")
            for method, operation in item.items() if method in ("get", "post", "put", "patch", "delete")}


main(*sys.argv[1:])
