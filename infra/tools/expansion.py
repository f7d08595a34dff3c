"""expansion.py: template.yaml as CloudFormation's transform expands it."""

import logging

import boto3
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator
from template import FUNCTION


def expanded(template, region):
    """The resources that the transform makes of a template."""
    resources = {name: dict(resource) for name, resource in template["Resources"].items()}
    for resource in resources.values():
        if resource["Type"] == FUNCTION:
            resource["Properties"] = {**resource["Properties"], "CodeUri": "s3://bucket/key"}
    logging.disable(logging.WARNING)
    session = boto3.session.Session(region_name=region)
    # It changes what it is given.
    written = {**template, "Globals": dict(template["Globals"]), "Resources": resources}
    return Translator({}, Parser(), boto_session=session).translate(written, parameter_values={})["Resources"]
