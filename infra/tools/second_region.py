"""second_region.py STACK: rewrites template.yaml so that a stack in this region uses the copies of another region's keys, instead of making
keys of its own. The copies are found by their aliases, as docs/operations/keys.md names them. It refuses copies that are missing,
not enabled, of another kind, or open to administrators, and then changes nothing. The region comes from the environment."""

import json
import re
import sys

import boto3
from botocore.exceptions import BotoCoreError, ClientError
from template import TEMPLATE, parse

KEY, ALIAS = "AWS::KMS::Key", "AWS::KMS::Alias"
# Without these statements, every administrator could sign and decrypt, or delete a copy.
DENIALS = {"FunctionsAlone", "DeploymentsAlone"}


def copied(template):
    """The keys that are copied to other regions, each with the end of its alias."""
    resources = template["Resources"]
    keys = {name for name, each in resources.items() if each["Type"] == KEY and each["Properties"].get("MultiRegion")}
    names = {}
    for each in resources.values():
        if each["Type"] == ALIAS and each["Properties"]["TargetKeyId"]["Ref"] in keys:
            names[each["Properties"]["TargetKeyId"]["Ref"]] = each["Properties"]["AliasName"]["Fn::Sub"].removeprefix("alias/${AWS::StackName}")
    return {name: names[name] for name in sorted(keys)}


def copy_of(kms, alias, properties):
    """The id of the copy behind an alias."""
    try:
        found = kms.describe_key(KeyId=alias)["KeyMetadata"]
        policy = json.loads(kms.get_key_policy(KeyId=found["KeyId"], PolicyName="default")["Policy"])
    except ClientError as error:
        raise ValueError(f"{alias}: {error.response['Error']['Code']}") from error
    spec = properties.get("KeySpec", "SYMMETRIC_DEFAULT")
    denied = {each.get("Sid") for each in policy["Statement"] if each["Effect"] == "Deny"}
    for holds, what in [
        (found.get("MultiRegion"), "is no copy of a key of another region"),
        (found["KeyState"] == "Enabled", f"is {found['KeyState']}"),
        (found["KeySpec"] == spec, f"is of the kind {found['KeySpec']}, not {spec}"),
        (DENIALS <= denied, f"has a policy without {', '.join(sorted(DENIALS - denied))}"),
    ]:
        if not holds:
            raise ValueError(f"{alias}: {what}")
    return found["KeyId"]


def rewritten(text, ids):
    """The text of the template with these keys, by name, in place of its own."""
    for name, id in ids.items():
        text, blocks = re.subn(rf"^  {name}:\n(?:    .*\n|\n(?=    ))+", "", text, flags=re.MULTILINE)
        if blocks != 1:
            raise ValueError(f"template.yaml has {blocks} resources {name}")
        arn = f'!Sub "arn:${{AWS::Partition}}:kms:${{AWS::Region}}:${{AWS::AccountId}}:key/{id}"'
        text = re.sub(rf"!GetAtt {name}\.Arn\b", arn, text)
        text = re.sub(rf"!Ref {name}\b", id, text)
    return text


def main(stack, client=boto3.client, path=TEMPLATE):
    text = path.read_text()
    template, kms = parse(text), client("kms")
    ids = {
        name: copy_of(kms, f"alias/{stack}{end}-copy", template["Resources"][name]["Properties"]) for name, end in copied(template).items()
    }
    if len(set(ids.values())) != len(ids):
        raise ValueError("two of the aliases are of the same copy")
    path.write_text(rewritten(text, ids))
    for name, id in ids.items():
        print(f"{name} is {id}")
    print("template.yaml makes a stack of these keys in this region alone: keep it on a branch of its own")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (BotoCoreError, ClientError, ValueError) as error:
        sys.exit(f"make: {error}")
