"""ops.py STACK COMMAND…: runs an operator's command on a stack, with what the command needs in its environment: the names in the
stack's outputs, the network and the servers in its parameters, and the credentials of the AWS CLI's profile. What the environment
names already stays."""

import os
import sys

import boto3
from botocore.exceptions import BotoCoreError, ClientError

OF_PARAMETERS = {"BitcoinNetwork": "BITCOIN_NETWORK", "EsploraUrl": "ESPLORA_URL", "OrdUrl": "ORD_URL"}


def variables(stack):
    """The variables that a stack describes. An output that commands need has its variable's name as description."""
    found = {each["Description"]: each["OutputValue"] for each in stack["Outputs"] if each.get("Description", "").isupper()}
    for each in stack["Parameters"]:
        if name := OF_PARAMETERS.get(each["ParameterKey"]):
            found[name] = each["ParameterValue"]
    return found


def credentials(session):
    """The credentials and the region as variables, since the program reads no profile."""
    given = session.get_credentials()
    if given is None:
        sys.exit("make: no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    if session.region_name is None:
        sys.exit("make: no region: set AWS_REGION")
    frozen = given.get_frozen_credentials()
    found = {"AWS_ACCESS_KEY_ID": frozen.access_key, "AWS_SECRET_ACCESS_KEY": frozen.secret_key, "AWS_REGION": session.region_name}
    return found | ({"AWS_SESSION_TOKEN": frozen.token} if frozen.token else {})


def ops(name, command, session, environment, run):
    (stack,) = session.client("cloudformation").describe_stacks(StackName=name)["Stacks"]
    known = variables(stack) | environment
    # All of one identity: a token of another one in the environment would not fit.
    known = {key: value for key, value in known.items() if key != "AWS_SESSION_TOKEN"} | credentials(session)
    run(command[0], command, known)


if __name__ == "__main__":
    try:
        ops(sys.argv[1], sys.argv[2:], boto3.session.Session(), dict(os.environ), os.execvpe)
    except (BotoCoreError, ClientError) as error:
        sys.exit(f"make: {error}")
