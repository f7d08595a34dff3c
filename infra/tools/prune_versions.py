"""prune_versions.py STACK [delete]: lists the versions of the stack's functions that are no longer needed; with
`delete`, deletes them. Every deployment publishes versions, Lambda keeps them, and their zips count against the
account's code storage. A version is needed if it is one of the newest of its function, if an alias sends requests
to it, or if it is a resource of the stack. Calls the AWS CLI, which takes region and credentials from the
environment."""

import json
import os
import subprocess
import sys

# A rollback by hand goes to one of these.
KEPT = 5


def aws(*arguments):
    """The answer of the AWS CLI, with all its pages."""
    environment = {**os.environ, "AWS_PAGER": ""}
    command = ["aws", *arguments, "--output", "json"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"make: aws {' '.join(arguments)} failed")
    return json.loads(done.stdout or "null")


def unneeded(versions, aliases, in_stack):
    """The versions to delete of one function, oldest first, from what Lambda lists and the numbers in the stack."""
    numbered = {int(each["Version"]): each for each in versions if each["Version"] != "$LATEST"}
    needed = {str(number) for number in sorted(numbered)[-KEPT:]} | set(in_stack)
    for alias in aliases:
        needed.add(alias["FunctionVersion"])
        # During a deployment, an alias sends requests to two versions.
        needed.update((alias.get("RoutingConfig") or {}).get("AdditionalVersionWeights") or {})
    return [numbered[number] for number in sorted(numbered) if str(number) not in needed]


def prune(stack, delete, aws=aws):
    status = aws("cloudformation", "describe-stacks", "--stack-name", stack)["Stacks"][0]["StackStatus"]
    if status.endswith("_IN_PROGRESS"):
        sys.exit(f"make: {stack} is {status}: wait for the end of the deployment")
    resources = aws("cloudformation", "list-stack-resources", "--stack-name", stack)["StackResourceSummaries"]
    names = {kind: [] for kind in ("AWS::Lambda::Function", "AWS::Lambda::Version")}
    for resource in resources:
        if resource["ResourceType"] in names and resource.get("PhysicalResourceId"):
            names[resource["ResourceType"]].append(resource["PhysicalResourceId"])
    found, size = 0, 0
    for function in sorted(names["AWS::Lambda::Function"]):
        # The name of a version is its ARN, which ends in the function's name and the number.
        in_stack = [
            arn.rsplit(":", 1)[1] for arn in names["AWS::Lambda::Version"] if arn.split(":")[-2] == function
        ]
        versions = aws("lambda", "list-versions-by-function", "--function-name", function)["Versions"]
        aliases = aws("lambda", "list-aliases", "--function-name", function)["Aliases"]
        for version in unneeded(versions, aliases, in_stack):
            number = version["Version"]
            if delete:
                aws("lambda", "delete-function", "--function-name", function, "--qualifier", number)
            print(f"{function}: version {number} {'is deleted' if delete else 'can be deleted'}", flush=True)
            found, size = found + 1, size + version.get("CodeSize", 0)
    print(f"{stack}: {'deleted' if delete else 'to delete'}: {found}, with {size / 1e6:.1f} MB of code")
    if found and not delete:
        print("To delete them: the same command with DELETE=yes")


if __name__ == "__main__":
    prune(sys.argv[1], sys.argv[2:] == ["delete"])
