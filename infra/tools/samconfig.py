"""samconfig.py [ENV ARCH | plan ARCH]: checks that samconfig.toml has a line for every required parameter of template.yaml, the tags
of each environment, and rates that fit each other. With ENV, also checks that this environment has all values, and prints the name of its stack. With `plan`,
prints the stacks, tags and parameters of all environments as JSON, for the jobs of the pipeline, which read no TOML (pipeline.py)."""

import json
import sys

import tomlkit
from template import ROOT, read

ENVIRONMENTS = ["dev", "staging", "prod"]
# What prod may not leave to its default, which would be silent, without a budget, and without room for the workers.
OF_PROD = ["AlarmEmail", "MonthlyBudget", "ReserveConcurrency"]

# What infra/pipeline.yaml lets no role of a stack be made without.
OF_PIPELINE = ["PermissionsBoundary"]


def settings():
    """All of samconfig.toml."""
    return tomlkit.parse((ROOT / "samconfig.toml").read_text()).unwrap()


def stack_of(config, environment):
    return config[environment]["global"]["parameters"]["stack_name"]


def values_of(config, environment):
    """The parameters that an environment gives a value."""
    return config[environment]["deploy"]["parameters"]["parameter_overrides"]


def needed(parameters, environment):
    """The parameters that this environment must give a value."""
    required = [name for name, parameter in parameters.items() if "Default" not in parameter]
    return required + (OF_PROD if environment == "prod" else [])


def faults(config, parameters, environment):
    """What is wrong with an environment's lines."""
    deploy = config[environment]["deploy"]["parameters"]
    values = values_of(config, environment)
    # The budget of template.yaml counts what has the stack's tag.
    tags = f"application=runeport environment={environment} stack={stack_of(config, environment)}"
    found = {
        "template.yaml has no parameter": [name for name in values if name not in parameters],
        "missing lines for": [name for name in needed(parameters, environment) if name not in values],
        "tags must be": [tags] if deploy.get("tags") != tags else [],
    }
    return [f"{fault} {', '.join(names)}" for fault, names in found.items() if names]


def unfilled(config, parameters, environment, architecture):
    """What keeps an environment from being deployed, given what is built."""
    values = values_of(config, environment)
    empty = [name for name in needed(parameters, environment) if values[name] == ""]
    found = [f"fill in {', '.join(empty)}"] if empty else []
    wanted = values.get("Architecture", parameters["Architecture"]["Default"])
    return found + ([f"Architecture is {wanted}, but ARCH is {architecture}"] if architecture != wanted else [])


def outpaced(config, template, environment):
    """Routes with a rate of their own above that of all others, so that they would be limited last in this environment."""
    given, parameters = values_of(config, environment), template["Parameters"]

    def value(name):
        return given.get(name, parameters[name].get("Default"))

    rate, holds = int(value("RequestsPerSecond")), {"Low": value("RouteRates") == "low"}
    found = []
    for stage in template["Resources"].values():
        for key, one in stage.get("Properties", {}).get("RouteSettings", {}).items():
            condition, then, otherwise = one["ThrottlingRateLimit"]["Fn::If"]
            if (then if holds[condition] else otherwise) > rate:
                found.append(key)
    return [f"RequestsPerSecond is {rate}, less than the rates of {', '.join(found)}: set RouteRates to low, or raise it"] if found else []


def unbounded(config, environment):
    """What keeps the pipeline from deploying an environment that could be deployed by hand."""
    values = values_of(config, environment)
    empty = [name for name in OF_PIPELINE if not values.get(name)]
    return [f"fill in {', '.join(empty)}, an output of infra/pipeline.yaml"] if empty else []


def plan(config, parameters, architecture):
    """What the pipeline deploys. An environment that is not filled in yet keeps none of the others back."""
    environments = {}
    for environment in ENVIRONMENTS:
        deploy = config[environment]["deploy"]["parameters"]
        environments[environment] = {
            "stack": stack_of(config, environment),
            "tags": dict(tag.split("=", 1) for tag in deploy["tags"].split()),
            "parameters": values_of(config, environment),
            "unfilled": "; ".join(unfilled(config, parameters, environment, architecture) + unbounded(config, environment)),
        }
    return {"parameters": sorted(parameters), "environments": environments}


def main(environment=None, architecture=None):
    config, template = settings(), read()
    parameters = template["Parameters"]
    if environment == "plan":
        return print(json.dumps(plan(config, parameters, architecture), indent=1))
    for each in [environment] if environment else ENVIRONMENTS:
        found = faults(config, parameters, each) + outpaced(config, template, each)
        if not found and environment:
            found = unfilled(config, parameters, each, architecture)
        if found:
            sys.exit("\n".join(f"make: samconfig.toml, {each}: {one}" for one in found))
    if environment:
        print(stack_of(config, environment))


if __name__ == "__main__":
    main(*sys.argv[1:])
