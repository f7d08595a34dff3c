"""samconfig.py [ENV ARCH]: whether samconfig.toml has a line for every parameter that template.yaml
wants a value for; of one environment, whether those are filled in, and then its stack's name."""

import sys

import tomlkit
from samcli.yamlhelper import yaml_parse

with open("samconfig.toml") as file:
    config = tomlkit.load(file).unwrap()
with open("template.yaml") as file:
    parameters = yaml_parse(file.read())["Parameters"]
required = [name for name, parameter in parameters.items() if "Default" not in parameter]


def check(fault, names):
    if names:
        sys.exit(f"make: samconfig.toml, {environment}: {fault} {', '.join(names)}")


for environment in sys.argv[1:2] or ["dev", "staging", "prod"]:
    deploy = config[environment]["deploy"]["parameters"]
    values = deploy["parameter_overrides"]
    check("template.yaml has no parameter", [name for name in values if name not in parameters])
    check("there is no line for", [name for name in required if name not in values])

if len(sys.argv) > 1:
    check("fill in", [name for name in required if values[name] == ""])
    built = values.get("Architecture", parameters["Architecture"]["Default"])
    check(f"Architecture is {built}, but ARCH is", [arch for arch in sys.argv[2:] if arch != built])
    print(deploy["stack_name"])
