"""samconfig.py [ENV ARCH]: checks that samconfig.toml has a line for every required parameter of template.yaml, and the tags
of each environment. With ENV, also checks that this environment has all values, and prints the name of its stack."""

import sys

import tomlkit
from template import ROOT, read

config = tomlkit.parse((ROOT / "samconfig.toml").read_text()).unwrap()
parameters = read()["Parameters"]
required = [name for name, parameter in parameters.items() if "Default" not in parameter]


def check(fault, names):
    if names:
        sys.exit(f"make: samconfig.toml, {environment}: {fault} {', '.join(names)}")


for environment in sys.argv[1:2] or ["dev", "staging", "prod"]:
    stack = config[environment]["global"]["parameters"]["stack_name"]
    deploy = config[environment]["deploy"]["parameters"]
    values = deploy["parameter_overrides"]
    check("template.yaml has no parameter", [name for name in values if name not in parameters])
    check("missing lines for", [name for name in required if name not in values])
    # The budget of template.yaml counts what has the stack's tag.
    tags = f"application=runeport environment={environment} stack={stack}"
    check("tags must be", [tags] if deploy.get("tags") != tags else [])

if len(sys.argv) > 1:
    check("fill in", [name for name in required if values[name] == ""])
    built = values.get("Architecture", parameters["Architecture"]["Default"])
    check(f"Architecture is {built}, but ARCH is", [arch for arch in sys.argv[2:3] if arch != built])
    print(stack)
