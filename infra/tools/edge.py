"""edge.py STACK CERTIFICATE [ZONE] [rotate]: deploys infra/edge.yaml, CloudFront and a firewall in front of the API of
STACK, as the stack STACK-<region of STACK>-edge in us-east-1. The secret by which CloudFront proves itself is in SSM, in the region of
STACK; it is created if it does not exist. With `rotate`, CloudFront gets a new one, and functions accept the old one too,
until this runs again without `rotate`, which makes them forget it."""

import re
import secrets
import sys
import time
from pathlib import Path

import boto3
from botocore.exceptions import BotoCoreError, ClientError, WaiterError

TEMPLATE = Path(__file__).resolve().parents[1] / "edge.yaml"
REGION = "us-east-1"
# Instances read the parameter again after five minutes at the latest.
READ_AGAIN = 330


def fail(why):
    sys.exit(f"make: {why}")


# CloudFront allows a star only in front of the host, where it stands for one label or more.
PATTERN = re.compile(r"https?://(\*\.)?[^*]+")


def origin_of(stack, cloudformation):
    """The API's own domain, the name that CloudFront calls it by, and the origins that may read errors."""
    (found,) = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    parameters = {each["ParameterKey"]: each.get("ParameterValue", "") for each in found["Parameters"]}
    outputs = {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", [])}
    if "DomainTarget" not in outputs:
        fail(f"{stack} has no DomainName: CloudFront needs it as its origin")
    if parameters.get("HostedZoneId"):
        fail(f'{stack} has the record of its domain: set HostedZoneId = "" in samconfig.toml, and deploy it first')
    origins = [each.strip() for each in parameters.get("CorsOrigins", "").split(",")]
    readers = ",".join(each for each in origins if PATTERN.fullmatch(each))
    return parameters["DomainName"], outputs["DomainTarget"], readers


def known(name, ssm):
    """The secrets that the functions accept, the newest first."""
    try:
        return ssm.get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"].split()
    except ClientError as error:
        if error.response["Error"]["Code"] != "ParameterNotFound":
            raise
        return []


def store(name, values, ssm):
    ssm.put_parameter(Name=name, Value=" ".join(values), Type="SecureString", Overwrite=True)


def deploy(stack, template, parameters, cloudformation, capabilities=()):
    """Creates or updates a stack, and waits for its end."""
    request = {
        "StackName": stack,
        "TemplateBody": template.read_text(),
        "Capabilities": list(capabilities),
        "Parameters": [{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
    }
    try:
        cloudformation.create_stack(**request)
        end = "stack_create_complete"
    except cloudformation.exceptions.AlreadyExistsException:
        try:
            cloudformation.update_stack(**request)
        except ClientError as error:
            if "No updates are to be performed" in str(error):
                return "unchanged"
            raise
        end = "stack_update_complete"
    cloudformation.get_waiter(end).wait(StackName=stack)
    return "deployed"


def edge(stack, certificate, zone, rotate, client=boto3.client, pause=time.sleep):
    here = client("cloudformation")
    domain, origin, readers = origin_of(stack, here)
    name_of_edge = f"{stack}-{here.meta.region_name}-edge"
    ssm, name = client("ssm"), f"/runeport/{stack}/edge-secret"
    accepted = known(name, ssm)
    if not accepted or rotate:
        accepted = [secrets.token_urlsafe(32), *accepted[:1]]
        store(name, accepted, ssm)
        if len(accepted) > 1:
            print(f"Waiting {READ_AGAIN} s, until every instance accepts the new secret", flush=True)
            pause(READ_AGAIN)
    parameters = {"DomainName": domain, "Origin": origin, "CertificateArn": certificate, "HostedZoneId": zone,
                  "CorsOrigins": readers, "Secret": accepted[0]}
    done = deploy(name_of_edge, TEMPLATE, parameters, client("cloudformation", region_name=REGION))
    print(f"{name_of_edge} is {done}", flush=True)
    if len(accepted) > 1 and not rotate:
        store(name, accepted[:1], ssm)
        print("The old secret is no longer accepted", flush=True)
    elif len(accepted) > 1:
        print("Functions accept the old secret too, until the same command runs without ROTATE=yes", flush=True)
    print(f'EdgeSecret = "ssm:{name}" in samconfig.toml closes every other way to the API', flush=True)


if __name__ == "__main__":
    stack, certificate, *rest = sys.argv[1:]
    try:
        edge(stack, certificate, next((each for each in rest if each != "rotate"), ""), "rotate" in rest)
    except (BotoCoreError, ClientError, WaiterError) as error:
        fail(error)
