"""Clients of AWS services."""

import os

import boto3
from botocore.config import Config

CONFIG = Config(retries={"mode": "standard"}, tcp_keepalive=True)


def client(service):
    """The client of an AWS service in the deployment's region. Endpoints come from the environment."""
    return boto3.client(service, region_name=os.environ["AWS_REGION"], config=CONFIG)
