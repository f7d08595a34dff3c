"""Runs the published packages of package.json against the local world: run.py <runeport-local>. Each test is a package, with
what it calls and what it must get."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from local_world import local_world  # noqa: E402


def main(program):
    tests = sorted(HERE.glob("*.test.mjs"))
    with local_world(program) as (url, token):
        # One after another: they share the world's clock and an admin.
        command = ["node", "--test", "--test-concurrency=1", "--test-reporter=spec", *tests]
        subprocess.run(command, check=True, env={**os.environ, "BASE": url, "TOKEN": token})


main(*sys.argv[1:])
