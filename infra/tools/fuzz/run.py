"""Sends generated requests to the local world: run.py <runeport-local> <seconds>.

No request may lead to a 5xx, or to an answer that the OpenAPI document does not describe. refused.json lists the
operations that refuse more than four fifths of what is generated for them, each with the reason. What fails is tried
again in a new world with the same seed: a machine that is busy is no error of the service.
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

MOST_REFUSED = 12
# Fewer answers say nothing about an operation.
FEWEST = 20


# What is tried, and its share of the time. Sequences along the document's links come last, so they have time of their own.
PHASES = {"examples,coverage,fuzzing": 2 / 3, "stateful": 1 / 3}


def main(program, seconds, *seed):
    """Ends with 0 if nothing fails in the first world, or in the second."""
    if is_wrong(program, seconds, seed):
        print("fuzz: once more, in a new world")
        sys.exit(int(is_wrong(program, seconds, seed)))


def is_wrong(program, seconds, seed):
    known = json.loads((HERE / "refused.json").read_text())
    local = Path(os.environ["RUNEPORT_LOCAL_DIR"])
    counts = local / "fuzz-counts.json"
    code, answered = 0, {}
    with local_world(program) as (url, token):
        for phases, share in PHASES.items():
            counts.unlink(missing_ok=True)
            code |= subprocess.run(
                [local / "fuzz-venv/bin/schemathesis", "--config-file", HERE / "schemathesis.toml", "run", *seed,
                 HERE.parents[1] / "openapi.json", "--url", url, "--max-time", str(int(int(seconds) * share)),
                 "--phases", phases, "--workers", "1", "--exclude-path-regex", "^/api/auth/"],
                env={**os.environ, "TOKEN": token, "BASE": url, "SCHEMATHESIS_HOOKS": "fuzz_hooks",
                     "FUZZ_COUNTS": str(counts), "PYTHONPATH": str(HERE)},
                cwd=local).returncode
            for name, counted in json.loads(counts.read_text()).items():
                total, reasons = answered.setdefault(name, ([0], Counter()))
                total[0] += counted["all"]
                reasons.update(counted["refused"])
    refused = {name: reasons.most_common(5) for name, ([total], reasons) in answered.items()
               if total >= FEWEST and reasons.total() * 5 > total * 4}
    print(f"fuzz: {len(answered)} operations; {len(refused)} refuse nearly all that the document allows: {sorted(refused)}")
    complaints = [f"{name} is not in refused.json: say more in its schema. Its refusals: {refused[name]}"
                  for name in sorted(refused.keys() - known.keys())]
    if len(known) > MOST_REFUSED:
        complaints.append(f"refused.json lists {len(known)} operations; it may list {MOST_REFUSED}")
    for complaint in complaints:
        print(f"fuzz: {complaint}")
    return bool(code or complaints)


main(*sys.argv[1:])
