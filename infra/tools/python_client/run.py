"""Generates a Python client from the OpenAPI document, checks its types, reads with it, and verifies a webhook:
run.py <runeport-local>."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPTS = ["reads.py", "webhook.py"]
sys.path.append(str(HERE.parent))
from local_world import local_world  # noqa: E402


def main(program):
    local = Path(os.environ["RUNEPORT_LOCAL_DIR"])
    tools, folder = local / "python-client-venv/bin", local / "python-client"
    folder.mkdir(exist_ok=True)
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(folder)}

    def run(*command, **more):
        subprocess.run(command, check=True, cwd=folder, env={**env, **more})

    run(tools / "openapi-python-client", "generate", "--path", HERE.parents[1] / "openapi.json", "--meta", "none",
        "--output-path", folder / "runeport_client", "--overwrite", "--fail-on-warning")
    run(tools / "mypy", "--config-file", HERE / "mypy.ini", "-p", "runeport_client")
    for script in SCRIPTS:
        run(tools / "mypy", "--strict", "--follow-imports", "silent", HERE / script)
    with local_world(program) as (url, token):
        for script in SCRIPTS:
            run(tools / "python", HERE / script, BASE=url, TOKEN=token)


main(*sys.argv[1:])
