"""The world of `make deploy-local`: ministack with the deployed template."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import boto3
import samtranslator
import tomlkit
from template import BUILT, FUNCTION, ROOT, read

TOOLS = Path(__file__).resolve().parent
LOCAL = ROOT / ".local"
STACK = "runeport-local"
REGION = "us-east-1"
MAIL_FROM = "runeport@localhost.test"
PARAMETERS = {
    "TokenIssuer": "runeport-local",
    "SignInDomain": "localhost",
    "SignInUri": "http://localhost:5173",
    "SignInMessage": "Sign in to Runeport: {timestamp}",
    "CorsOrigins": "http://localhost:5173,http://127.0.0.1:5173",
    "PasskeyRpId": "localhost",
    "PasskeyOrigins": "http://localhost:5173",
    "BitcoinNetwork": "regtest",
    "AffiliateAddress": "0x00000000000000000000000000000000000000aa",
    "AffiliateFeeBps": "25",
    "PerpVenueChain": "Testnet",
    "PerpVenueBuilder": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "PerpVenueReferralCode": "RUNEPORT",
    "MailFrom": MAIL_FROM,
    "AppUrl": "http://localhost:5173",
    # The emulator has no CodeDeploy, so traffic cannot shift gradually.
    "DeploymentPreference": "AllAtOnce",
}
TOKENS = [
    {
        "tokenId": "42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831",
        "chain": "42161",
        "symbol": "USDC",
        "divisibility": 6,
        "slots": ["usdc"],
    }
]


def fail(*lines):
    sys.exit("\n".join(["make: " + lines[0], *lines[1:]]))


def tail(path, lines=30):
    return path.read_text(errors="replace").splitlines()[-lines:]


def at_other_place(template, folder):
    """A template of `folder` that SAM can read at another place: the paths of its code are absolute."""
    for resource in template["Resources"].values():
        if resource["Type"] == FUNCTION:
            resource["Properties"]["CodeUri"] = str(folder / resource["Properties"]["CodeUri"])
    return json.dumps(template, indent=1)


class World:
    """The emulator and the programs that run alongside it."""

    def __init__(self, folder, guard_pipe, port, options=()):
        self.folder, self.guard_pipe, self.group = folder, guard_pipe, None
        self.url = f"http://127.0.0.1:{port}"
        self.transaction_keys = "together" if "together" in options else "each"
        self.calls = folder / "calls"
        self.log = folder / "ministack.log"
        services = "DYNAMODB S3 SECRETS_MANAGER SSM KMS SQS SESV2"
        # Drop the caller's own AWS settings, so that no call can reach a real account.
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "SAM_"))},
            **{f"AWS_ENDPOINT_URL_{service}": self.url for service in services.split()},
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI": f"{self.url}/_aws/execute-api",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            **dict.fromkeys(["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"], os.devnull),
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            "SAM_CLI_TELEMETRY": "0",
            "SAM_CLI_POLL_DELAY": "1",
            "__SAM_CLI_APP_DIR": str(folder / "sam"),
            "TMPDIR": str(folder),
        }
        with open(self.calls, "w") as calls, open(self.log, "w") as log:
            self.ministack = self.start(
                [
                    LOCAL / "venv/bin/python",
                    TOOLS / "ministack_patches.py",
                    Path(samtranslator.__file__).parents[1],
                    *options,
                ],
                {
                    "AUTH": "true",
                    "BIND_HOST": "127.0.0.1",
                    "GATEWAY_PORT": str(port),
                    "IOT_MTLS_ENABLED": "0",
                    "SFTP_ENABLED": "0",
                    "LOG_LEVEL": "ERROR",
                    "MINISTACK_REGION": REGION,
                    "PERSIST_STATE": "0",
                    "PYTHONDONTWRITEBYTECODE": "1",
                },
                stdout=calls,
                stderr=log,
            )
        self.group = self.ministack.pid
        # Ends a wait that would never end.
        for _attempt in range(12_000):
            if self.ministack.poll() is not None:
                fail(f"ministack did not start at port {port}", *tail(self.log))
            try:
                urllib.request.urlopen(f"{self.url}/_ministack/health", timeout=2).close()
                return
            except OSError:
                time.sleep(0.05)
        fail("ministack did not start in time", *tail(self.log))

    def start(self, command, environment=None, **options):
        """Starts a program in the process group that the guard kills when this process ends."""

        def join():
            os.setpgid(0, self.group or 0)
            if self.group is None:
                os.write(self.guard_pipe, str(os.getpid()).encode())

        environment = {**self.environment, **(environment or {})}
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, preexec_fn=join, **options
        )

    def run(self, what, command, environment=None):
        path = self.folder / f"{what}.log"
        with open(path, "w") as log:
            if self.start(command, environment, stdout=log, stderr=subprocess.STDOUT).wait():
                fail(f"{what} failed", *tail(path), "Log of ministack:", *tail(self.log, 5))

    def client(self, service, region=REGION, **credentials):
        credentials = credentials or {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        return boto3.client(service, region_name=region, endpoint_url=self.url, **credentials)

    def denied(self):
        """The denied calls of roles, one line each."""
        return [line for line in self.calls.read_text().splitlines() if '"denied"' in line]

    def allowed(self):
        """The allowed calls of roles; empty unless they are recorded."""
        lines = self.calls.read_text().splitlines()
        return [call for call in map(json.loads, lines) if "denied" not in call]

    def sam_deploy(self, template, parameters, region=REGION, rollback=False, stack=STACK):
        """The command that deploys a template, a JSON text."""
        settings = {
            "stack_name": stack,
            "region": region,
            "resolve_s3": True,
            "capabilities": "CAPABILITY_IAM",
            "disable_rollback": not rollback,
            "fail_on_empty_changeset": False,
            "parameter_overrides": {**PARAMETERS, "TransactionKeys": self.transaction_keys, **parameters},
        }
        config, file = self.folder / "samconfig.toml", self.folder / "template.json"
        with open(config, "w") as written:
            tomlkit.dump({"version": 0.1, "local": {"deploy": {"parameters": settings}}}, written)
        file.write_text(template)
        sam = [LOCAL / "lint-venv/bin/sam", "deploy", "--config-file", config, "--config-env", "local"]
        return [*sam, "--template-file", file, "--no-progressbar"]

    def deploy(self, architecture, runeport_ops, outside):
        """Deploys the template with the addresses of everything outside AWS."""
        parameters = {**outside, "Architecture": architecture}
        # Receivers of webhooks run on this machine.
        template = at_other_place(read(BUILT), BUILT.parent).replace('"WEBHOOKS_TO_LOOPBACK": "no"', '"WEBHOOKS_TO_LOOPBACK": "yes"')
        self.run("sam deploy", self.sam_deploy(template, parameters))

        self.client("sesv2").create_email_identity(EmailIdentity=MAIL_FROM)
        stack = self.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]
        outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
        # An output that the operator's commands need has the name of its environment variable as description.
        self.variables = {
            each["Description"]: each["OutputValue"] for each in stack["Outputs"] if each["Description"].isupper()
        }
        self.variables["BITCOIN_NETWORK"] = PARAMETERS["BitcoinNetwork"]
        self.run("rotate-keys", [runeport_ops, "rotate-keys"], self.variables)
        tokens = self.folder / "tokens.json"
        tokens.write_text(json.dumps(TOKENS))
        self.run("tokens", [runeport_ops, "tokens", "--file", tokens], self.variables)
        api = outputs["ApiUrl"].removeprefix("https://").removeprefix("http://").split(".")[0]
        self.base = f"{self.url}/_aws/execute-api/{api}"

        pages = self.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=STACK)
        self.resources = {
            each["LogicalResourceId"]: each["PhysicalResourceId"]
            for page in pages
            for each in page["StackResourceSummaries"]
        }
