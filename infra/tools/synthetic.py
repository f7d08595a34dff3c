"""synthetic.py STACK [URL]: deploys infra/synthetic.yaml, a check from outside of the API of STACK, as the stack
STACK-synthetic. The key of its wallet is in SSM; it is created if it does not exist."""

import base64
import secrets
import sys
from pathlib import Path

import boto3
from botocore.exceptions import BotoCoreError, ClientError, WaiterError

from edge import deploy, fail, known, store

TEMPLATE = Path(__file__).resolve().parents[1] / "synthetic.yaml"


def parameters_of(stack, url):
    """The parameters of the check, from what CloudFormation says of the API's stack."""
    parameters = {each["ParameterKey"]: each.get("ParameterValue", "") for each in stack["Parameters"]}
    outputs = {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", [])}
    domain = parameters.get("DomainName")
    own = f"https://{domain}" if domain else outputs["ApiUrl"]
    return {
        "Url": (url or own).rstrip("/"),
        "AlarmTopic": outputs["AlarmTopic"],
        "Key": f"/runeport/{stack['StackName']}/synthetic-key",
    }


def synthetic(name, url, client=boto3.client):
    cloudformation, ssm = client("cloudformation"), client("ssm")
    (stack,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
    parameters = parameters_of(stack, url)
    if not known(parameters["Key"], ssm):
        store(parameters["Key"], [base64.b64encode(secrets.token_bytes(32)).decode()], ssm)
    done = deploy(f"{name}-synthetic", TEMPLATE, parameters, cloudformation, ["CAPABILITY_IAM"])
    print(f"{name}-synthetic is {done}, and checks {parameters['Url']}", flush=True)


if __name__ == "__main__":
    try:
        synthetic(sys.argv[1], next(iter(sys.argv[2:]), ""))
    except (BotoCoreError, ClientError, WaiterError) as error:
        fail(error)
