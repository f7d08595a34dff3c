"""template.py: writes template.yaml as it is deployed, with its loops (Fn::ForEach), look-ups (Fn::FindInMap) and
included files (AWS::Include) expanded, to standard output as JSON. This is the one expansion: deployments, checks and
tests read it.

CloudFormation could expand them itself, with the transform AWS::LanguageExtensions. But that resolves more than loops,
so that values of parameters may end in the processed template, and nobody could test beforehand what it makes of this
one. The same rules hold here: the name of a loop is replaced in the keys of its fragment, in Fn::Sub and in Ref, and
nowhere else."""

import json
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"
EXTENSIONS = "AWS::LanguageExtensions"
LOOP = "Fn::ForEach::"


class Loader(yaml.SafeLoader):
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


class Expansion:
    def __init__(self, mappings):
        self.mappings = mappings

    def value(self, value, loops):
        """A value in which the names of `loops` are replaced."""
        if isinstance(value, list):
            return [self.value(each, loops) for each in value]
        if isinstance(value, str):
            if named := [name for name in loops if f"${{{name}}}" in value]:
                raise ValueError(f"{value}: CloudFormation replaces ${{{named[0]}}} only in Fn::Sub")
            return value
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, argument),) = value.items()
            if name == "Ref":
                return self.reference(self.value(argument, loops), loops)
            if name == "Fn::Sub":
                return self.substituted(argument, loops)
            if name == "Fn::FindInMap":
                return self.looked_up(self.value(argument, loops))
            if name == "Fn::Transform":
                return self.value(included(argument), loops)
        expanded = {}
        for key, each in value.items():
            made = self.entries(key, each, loops)
            if twice := set(made) & set(expanded):
                raise ValueError(f"{', '.join(sorted(twice))} exists twice")
            expanded.update(made)
        return expanded

    def entries(self, key, each, loops):
        """What an entry of a map makes: several, if it is a loop or an included file."""
        if key.startswith(LOOP):
            return self.loop(key, each)
        if key == "Fn::Transform":
            return self.value(included(each), loops)
        return {self.value(key, loops): self.value(each, loops)}

    def loop(self, name, definition):
        """What a loop makes: its fragment, once for each item."""
        variable, items, fragment = definition
        made = {}
        for item in items:
            for key, each in fragment.items():
                if key.startswith(LOOP):
                    raise ValueError(f"{name}: loops in loops are not expanded here")
                if f"${{{variable}}}" not in key:
                    raise ValueError(f"{name}: {key} would exist more than once")
                made[filled(key, {variable: item})] = self.value(each, {variable: item})
        if len(made) != len(items) * len(fragment):
            raise ValueError(f"{name}: an item occurs twice")
        return made

    def reference(self, name, loops):
        return loops[name] if name in loops else {"Ref": name}

    def substituted(self, argument, loops):
        text, values = (argument, {}) if isinstance(argument, str) else argument
        values = {name: self.value(each, loops) for name, each in values.items()}
        known = {name: str(each) for name, each in values.items() if isinstance(each, (str, int, float))}
        text = filled(text, {**loops, **known})
        if rest := {name: each for name, each in values.items() if name not in known}:
            return {"Fn::Sub": [text, rest]}
        return {"Fn::Sub": text} if "${" in text else text

    def looked_up(self, argument):
        name, *keys = argument
        found = self.mappings[name]
        for key in keys:
            if not isinstance(key, str) or key not in found:
                raise ValueError(f"the mapping {name} has no {key}")
            found = found[key]
        return found


def included(argument):
    if argument["Name"] != "AWS::Include":
        raise ValueError(f"{argument['Name']} is not expanded here")
    return parse((ROOT / argument["Parameters"]["Location"]).read_text())


def filled(text, values):
    return re.sub(r"\$\{(\w+)\}", lambda found: values.get(found[1], found[0]), text)


def expand(template):
    """A template without loops and look-ups, and without the transform that CloudFormation would need for them."""
    rest = {name: section for name, section in template.items() if name != "Mappings"}
    expanded = Expansion(template.get("Mappings", {})).value(rest, {})
    (expanded["Transform"],) = [each for each in template["Transform"] if each != EXTENSIONS]
    return expanded


# What IAM checks for the items of a transaction.
ITEMS = ["dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]
LEADING_KEYS = "dynamodb:LeadingKeys"


def several(value):
    return value if isinstance(value, list) else [value]


def of_transactions(statements):
    """The statement that allows a function's transactions if an account judges the keys of all items together: each item may
    then have any key that the function writes. None for a function without conditions, or whose one statement allows all."""
    writes = [each for each in statements if each["Effect"] == "Allow" and set(several(each["Action"])) & set(ITEMS)]
    kept = [set(each["Condition"]["ForAllValues:StringLike"][LEADING_KEYS]) if "Condition" in each else {"*"} for each in writes]
    keys = set().union(*kept)
    if all(each in ({"*"}, keys) for each in kept):
        return None
    tables = {json.dumps(each["Resource"]): each["Resource"] for each in writes}
    return {
        "Sid": "Transactions",
        "Effect": "Allow",
        "Action": sorted({action for each in writes for action in several(each["Action"])} & set(ITEMS)),
        "Resource": [tables[name] for name in sorted(tables)],
        "Condition": {
            "ForAllValues:StringLike": {LEADING_KEYS: ["*"] if "*" in keys else sorted(keys)},
            "StringEquals": {"dynamodb:EnclosingOperation": "TransactWriteItems"},
        },
    }


def with_transactions(template):
    """A template whose functions may do their transactions under both readings of AWS's documentation, if it is deployed
    with TransactionKeys=together (docs/operations/rights.md)."""
    for resource in template["Resources"].values():
        for policy in resource["Properties"].get("Policies", []) if resource["Type"] == "AWS::Serverless::Function" else []:
            if added := of_transactions(policy["Statement"]):
                policy["Statement"].append({"Fn::If": ["KeysTogether", added, {"Ref": "AWS::NoValue"}]})
    return template


def read():
    """template.yaml as it is deployed."""
    return with_transactions(expand(parse(TEMPLATE.read_text())))


def for_sam(template):
    """A template that SAM can read at another place than template.yaml: the paths of its zips are absolute."""
    resources = {}
    for name, resource in template["Resources"].items():
        properties = resource.get("Properties", {})
        if resource["Type"] == "AWS::Serverless::Function":
            properties = {**properties, "CodeUri": str(ROOT / properties["CodeUri"])}
            resource = {**resource, "Properties": properties}
        resources[name] = resource
    return json.dumps({**template, "Resources": resources}, indent=1)


if __name__ == "__main__":
    try:
        json.dump(read(), sys.stdout, indent=1)
    except (ValueError, yaml.YAMLError) as error:
        sys.exit(f"make: template.yaml: {error}")
