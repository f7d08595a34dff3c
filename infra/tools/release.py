"""release.py FUNCTION [TEXT]: prints a hash of everything that a function is deployed with in addition to its
code: its settings as template.yaml writes them, and the values of the parameters in them, in every
environment of samconfig.toml. `sam build` puts it next to the code.

Lambda publishes a version of a function only if its code or its configuration has changed. SAM asks for one
only if the code or the text of the template has changed. So a new value of a parameter would reach no
version, and a new text with the same value would fail. With this hash in the code, either change makes a
version of the functions that it concerns, and only of those. TEXT changes the hash without another reason."""

import hashlib
import json
import sys

from samconfig import ENVIRONMENTS, settings, values_of
from template import functions, read

# Properties that are not part of a function's configuration.
AROUND = {"AutoPublishAliasAllProperties", "CodeUri", "DeploymentPreference", "Events", "Policies", "RolePath", "EventInvokeConfig"}
AROUND |= {"PermissionsBoundary", "ReservedConcurrentExecutions"}


def references(value):
    """The names that a value refers to, those of conditions included."""
    if isinstance(value, list):
        return set().union(*map(references, value))
    if not isinstance(value, dict):
        return set()
    found = set().union(*map(references, value.values()))
    if len(value) == 1:
        ((name, argument),) = value.items()
        if name in ("Ref", "Condition"):
            found.add(argument)
        elif name == "Fn::If":
            found.add(argument[0])
        elif name == "Fn::Sub":
            text = argument if isinstance(argument, str) else argument[0]
            found |= {part.split("}")[0].split(".")[0] for part in text.split("${")[1:]}
        elif name == "Fn::GetAtt":
            found.add(argument[0])
    return found


def parameters_of(template, value):
    """The parameters that a value depends on, by conditions, too."""
    found, seen, rest = set(), set(), references(value)
    while rest:
        name = rest.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in template["Parameters"]:
            found.add(name)
        elif name in template["Conditions"]:
            rest |= references(template["Conditions"][name])
    return found


def release(template, environments, name, text=""):
    """The hash of a function, given the values that each environment gives to parameters."""
    own = {key: value for key, value in functions(template)[name].items() if key not in AROUND}
    shared = {key: value for key, value in template["Globals"]["Function"].items() if key not in AROUND}
    written = [shared, own]
    values = [
        [parameter, template["Parameters"][parameter].get("Default"), *(values.get(parameter) for values in environments)]
        for parameter in sorted(parameters_of(template, written))
    ]
    return hashlib.sha256(json.dumps([written, values, text], sort_keys=True).encode()).hexdigest()


def environments():
    """The parameters of each environment in samconfig.toml."""
    config = settings()
    return [values_of(config, name) for name in ENVIRONMENTS]


if __name__ == "__main__":
    print(release(read(), environments(), *sys.argv[1:]))
