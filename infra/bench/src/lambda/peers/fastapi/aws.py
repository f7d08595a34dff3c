"""How AWS is reached."""

import os

import boto3
from botocore.config import Config

CONFIG = Config(retries={"mode": "standard"}, tcp_keepalive=True)


def client(service):
    """The client of a service of the deployment's region. Endpoints come from the environment."""
    return boto3.client(service, region_name=os.environ["AWS_REGION"], config=CONFIG)
