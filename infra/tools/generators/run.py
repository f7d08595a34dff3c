"""Generates clients with openapi-generator from the OpenAPI document in version 3.0, which the local world serves, compiles them,
signs in and reads with them: run.py <runeport-local> <tsc>. The targets without a program here are generated only."""

import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent))
from local_world import local_world  # noqa: E402

# Rows of coins have `_id` next to `id`, which languages without leading underscores would call the same.
PUBLISHED_ID = {"python": "published_id", "typescript-fetch": "publishedId"}
GENERATED = ["csharp", "go", "java", "kotlin", "rust", "typescript-axios"]


def main(program, tsc):
    local = Path(os.environ["RUNEPORT_LOCAL_DIR"])
    tools, folder = local / "generators-venv/bin", local / "generators"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    document = folder / "openapi-3.0.json"

    def run(*command, **more):
        subprocess.run(command, check=True, env={**os.environ, **more})

    with local_world(program) as (url, _):
        urllib.request.urlretrieve(f"{url}/api/openapi-3.0.json", document)
        for target in [*PUBLISHED_ID, *GENERATED]:
            name = PUBLISHED_ID.get(target, "publishedId")
            options = ["--package-name", "runeport_client"] if target == "python" else []
            # What it prints is a line for each file, unless it fails.
            made = subprocess.run(
                [tools / "openapi-generator-cli", "generate", "-i", document, "-g", target, "-o", folder / target,
                 "--name-mappings", f"_id={name}", *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if made.returncode != 0:
                raise SystemExit(f"{target}\n{made.stdout}")
            print(f"{target}: generated")
        shutil.copy(HERE / "tsconfig.json", folder / "typescript-fetch")
        run(tsc, "--project", folder / "typescript-fetch")
        client = folder / "typescript-fetch/out"
        (client / "package.json").write_text('{ "type": "commonjs" }')
        run(tools / "python", HERE / "sign_in.py", BASE=url, PYTHONPATH=str(folder / "python"), PYTHONDONTWRITEBYTECODE="1")
        run("node", HERE / "sign_in.cjs", BASE=url, CLIENT=str(client))


main(*sys.argv[1:])
