"""template.py: reads template.yaml for the other tools."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"
# What `sam build` makes of it: the same, but that each function names its folder of code.
BUILT = ROOT / ".aws-sam/build/template.yaml"
FUNCTION = "AWS::Serverless::Function"


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Reads `!Sub x` as `{"Fn::Sub": "x"}`."""


def function(loader, name, node):
    if isinstance(node, yaml.ScalarNode):
        argument = loader.construct_scalar(node)
        argument = argument.split(".", 1) if name == "GetAtt" else argument
    elif isinstance(node, yaml.SequenceNode):
        argument = loader.construct_sequence(node, deep=True)
    else:
        argument = loader.construct_mapping(node, deep=True)
    return {name if name in ("Ref", "Condition") else f"Fn::{name}": argument}


def mapping(loader, node):
    """A mapping, in which no key may occur twice."""
    names = [key.value for key, _value in node.value]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"line {node.start_mark.line + 1}: {', '.join(twice)} occurs twice")
    return dict(loader.construct_pairs(node, deep=True))


Loader.add_multi_constructor("!", function)
Loader.add_constructor("tag:yaml.org,2002:map", mapping)


def parse(text):
    """A template in CloudFormation's YAML, with the long form of its functions."""
    return yaml.load(text, Loader)


def read(path=TEMPLATE):
    """template.yaml, or another template."""
    return parse(path.read_text())


def functions(template):
    """The functions of a template: name and properties."""
    return {name: one["Properties"] for name, one in template["Resources"].items() if one["Type"] == FUNCTION}


def number(value, of_parameter):
    """The number in a template, given the text of each parameter: written out, a parameter, or a part of a parameter's list."""
    if not isinstance(value, dict):
        return int(value)
    ((function, argument),) = value.items()
    if function == "Ref":
        return int(of_parameter(argument))
    if function != "Fn::Select":
        raise ValueError(f"{function} is not expected here")
    index, split = argument
    separator, source = split["Fn::Split"]
    return int(of_parameter(source["Ref"]).split(separator)[index])


def workers_at_once(template, of_parameter):
    """How many runs the event sources of all queues may start, one number for each."""
    return [
        number(event["Properties"]["ScalingConfig"]["MaximumConcurrency"], of_parameter)
        for properties in functions(template).values()
        for event in properties.get("Events", {}).values()
        if event["Type"] == "SQS"
    ]
