"""samconfig.py [ENV ARCH [FILE]]: checks that samconfig.toml has a line for every required parameter of
template.yaml, and the tags of each environment. With ENV, also checks that this environment has all values, and
prints the name of its stack. Writes the environment's section to FILE, with a Release that changes with the zips,
the template or the parameters, and the template as it is deployed next to FILE."""

import hashlib
import json
import sys
import zipfile
from pathlib import Path

import tomlkit
from template import for_sam, read

with open("samconfig.toml") as file:
    config = tomlkit.load(file).unwrap()
template = read()
parameters = template["Parameters"]
required = [name for name, parameter in parameters.items() if "Default" not in parameter]


def check(fault, names):
    if names:
        sys.exit(f"make: samconfig.toml, {environment}: {fault} {', '.join(names)}")


for environment in sys.argv[1:2] or ["dev", "staging", "prod"]:
    deploy = config[environment]["deploy"]["parameters"]
    values = deploy["parameter_overrides"]
    check("template.yaml has no parameter", [name for name in values if name not in parameters])
    check("missing lines for", [name for name in required if name not in values])
    # The budget of template.yaml counts what has the stack's tag.
    tags = f"application=runeport environment={environment} stack={deploy['stack_name']}"
    check("tags must be", [tags] if deploy.get("tags") != tags else [])

if len(sys.argv) > 1:
    check("fill in", [name for name in required if values[name] == ""])
    built = values.get("Architecture", parameters["Architecture"]["Default"])
    check(f"Architecture is {built}, but ARCH is", [arch for arch in sys.argv[2:3] if arch != built])
    print(deploy["stack_name"])

if len(sys.argv) > 3:
    release = hashlib.sha256(json.dumps([template, values]).encode())
    for path in sorted(Path("target/lambda").glob("*/bootstrap.zip")):
        # Hash the content, because the times in a zip change with each build.
        with zipfile.ZipFile(path) as bundle:
            release.update(path.parent.name.encode() + bundle.read("bootstrap"))
    values["Release"] = release.hexdigest()[:10]
    deployed = Path(sys.argv[3]).with_suffix(".json").resolve()
    deployed.write_text(for_sam(template))
    deploy["template_file"] = str(deployed)
    with open(sys.argv[3], "w") as file:
        tomlkit.dump({"version": config["version"], environment: config[environment]}, file)
