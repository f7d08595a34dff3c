"""prove_aws.py STACK KEY [URL]: runs prove_aws.mjs against the deployed stack's API (or URL), which says in ten lines what held. The
file KEY keeps the private key of the wallet that signs in; it is created if it does not exist. Calls the AWS CLI, which
takes region and credentials from the environment."""

import os
import subprocess
import sys
from pathlib import Path

from prune_versions import aws

# The names that bitcoinjs-lib has for the networks.
NETWORKS = {"bitcoin": "bitcoin", "testnet": "testnet", "testnet4": "testnet", "signet": "testnet", "regtest": "regtest"}


def environment(stack, key, url):
    """What the script reads of the environment, from what CloudFormation says of the stack."""
    if not stack["StackStatus"].endswith("_COMPLETE"):
        sys.exit(f"make: {stack['StackName']} is {stack['StackStatus']}")
    parameters = {each["ParameterKey"]: each["ParameterValue"] for each in stack["Parameters"]}
    (api,) = [each["OutputValue"] for each in stack["Outputs"] if each["OutputKey"] == "ApiUrl"]
    return {
        "BASE": (url or api).rstrip("/"),
        "NETWORK": NETWORKS[parameters["BitcoinNetwork"]],
        "SIGN_IN_MESSAGE": parameters["SignInMessage"],
        "KEY": key,
    }


def prove(name, key, url="", aws=aws, run=subprocess.call):
    (stack,) = aws("cloudformation", "describe-stacks", "--stack-name", name)["Stacks"]
    own = environment(stack, key, url)
    print(f"{name} at {own['BASE']}:", flush=True)
    return run(["node", Path(__file__).with_name("prove_aws.mjs")], env={**os.environ, **own})


if __name__ == "__main__":
    sys.exit(prove(*sys.argv[1:]))
