"""deploy_local.py ARCH PORT RUNEPORT_LOCAL [check]: deploys template.yaml into an emulator of AWS on this
machine, with the rights of each function enforced, and serves it until Ctrl-C; with check, looks whether it
works and then whether a missing right is noticed. RUNEPORT_LOCAL is the program that makes the keys.

Everything runs in one process group, in one folder. A guard ends the one and removes the other once this
process is gone, however it went."""

import json
import os
import platform
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import boto3
import samtranslator
import tomlkit
from botocore.exceptions import ClientError

TOOLS = Path(__file__).resolve().parent
LOCAL = TOOLS.parents[1] / ".local"
STACK = "runeport-local"
REGION = "us-east-1"
# Nobody listens there: neither chains nor hub nor venue are part of this world.
NOBODY = "https://127.0.0.1:1"
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
    "EsploraUrl": NOBODY,
    "OrdUrl": NOBODY,
    "TreasuryAddress": "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    "HubUrl": NOBODY,
    "AffiliateAddress": "0x00000000000000000000000000000000000000aa",
    "AffiliateFeeBps": "25",
    "PerpVenueChain": "Testnet",
    "PerpVenueBuilder": "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "PerpVenueReferralCode": "RUNEPORT",
    "PerpVenueOwnRpcUrl": NOBODY,
    "PerpVenueInfoUrl": NOBODY,
    "MailFrom": MAIL_FROM,
    "AppUrl": "http://localhost:5173",
    # Nothing is shifted, since there is no CodeDeploy.
    "DeploymentPreference": "AllAtOnce",
    "ReserveConcurrency": "no",
}
GUARD = """
folder=$(mktemp -d "${TMPDIR:-/tmp}/runeport-deploy-XXXXXX") && echo "$folder"
group=$(cat)
test -z "$group" || kill -s KILL -- "-$group" 2>/dev/null
for try in 1 2 3 4 5; do rm -rf "$folder" && break; sleep 0.2; done
"""


def fail(*lines):
    sys.exit("\n".join(["make: " + lines[0], *lines[1:]]))


def tail(path, lines=30):
    return path.read_text(errors="replace").splitlines()[-lines:]


class World:
    """The emulator, and what runs beside it."""

    def __init__(self, folder, told, port):
        self.folder, self.told, self.group = folder, told, None
        self.url = f"http://127.0.0.1:{port}"
        self.denials = folder / "denials"
        self.log = folder / "ministack.log"
        services = "DYNAMODB S3 SECRETS_MANAGER SSM KMS SQS SESV2"
        # Without the caller's own AWS settings: nothing here is to reach a real account.
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "SAM_"))},
            **{f"AWS_ENDPOINT_URL_{service}": self.url for service in services.split()},
            "AWS_ENDPOINT_URL": self.url,
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
        with open(self.denials, "w") as denials, open(self.log, "w") as log:
            self.ministack = self.start(
                [LOCAL / "venv/bin/python", TOOLS / "ministack_patches.py", Path(samtranslator.__file__).parents[1]],
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
                stdout=denials,
                stderr=log,
            )
        self.group = self.ministack.pid
        for _attempt in range(600):
            if self.ministack.poll() is not None:
                fail(f"ministack did not start at port {port}", *tail(self.log))
            try:
                urllib.request.urlopen(f"{self.url}/_ministack/health", timeout=2).close()
                return
            except OSError:
                time.sleep(0.05)
        fail("ministack did not start in time", *tail(self.log))

    def start(self, command, environment=None, **options):
        def join():
            os.setpgid(0, self.group or 0)
            if self.group is None:
                os.write(self.told, str(os.getpid()).encode())

        environment = {**self.environment, **(environment or {})}
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, preexec_fn=join, **options
        )

    def run(self, what, command, environment=None):
        path = self.folder / f"{what}.log"
        with open(path, "w") as log:
            if self.start(command, environment, stdout=log, stderr=subprocess.STDOUT).wait():
                fail(f"{what} failed", *tail(path), "What ministack says:", *tail(self.log, 5))

    def client(self, service, **credentials):
        credentials = credentials or {"aws_access_key_id": "test", "aws_secret_access_key": "test"}
        return boto3.client(service, region_name=REGION, endpoint_url=self.url, **credentials)

    def denied(self):
        return self.denials.read_text().splitlines()

    def deploy(self, architecture, runeport_local):
        settings = {
            "stack_name": STACK,
            "region": REGION,
            "resolve_s3": True,
            "capabilities": "CAPABILITY_IAM",
            "disable_rollback": True,
            "parameter_overrides": {**PARAMETERS, "Architecture": architecture},
        }
        config = self.folder / "samconfig.toml"
        with open(config, "w") as file:
            tomlkit.dump({"version": 0.1, "local": {"deploy": {"parameters": settings}}}, file)
        sam = [LOCAL / "lint-venv/bin/sam", "deploy", "--config-file", config, "--config-env", "local"]
        self.run("sam deploy", [*sam, "--template-file", "template.yaml", "--no-progressbar"])

        self.client("sesv2").create_email_identity(EmailIdentity=MAIL_FROM)
        stack = self.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"][0]
        outputs = {each["OutputKey"]: each["OutputValue"] for each in stack["Outputs"]}
        # Those that operating the service takes are described by the variables that they are for.
        self.variables = {
            each["Description"]: each["OutputValue"] for each in stack["Outputs"] if each["Description"].isupper()
        }
        self.run(
            "rotate-keys",
            [runeport_local, "rotate-keys"],
            {**self.variables, "BITCOIN_NETWORK": PARAMETERS["BitcoinNetwork"]},
        )
        api = outputs["ApiUrl"].removeprefix("https://").removeprefix("http://").split(".")[0]
        self.base = f"{self.url}/_aws/execute-api/{api}"

    def resources(self):
        pages = self.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=STACK)
        return {
            each["LogicalResourceId"]: each["PhysicalResourceId"]
            for page in pages
            for each in page["StackResourceSummaries"]
        }


def serve(world):
    variables = {"BITCOIN_NETWORK": PARAMETERS["BitcoinNetwork"], **world.variables}
    variables.update((name, value) for name, value in world.environment.items() if name.startswith("AWS_"))
    exports = "\n".join(f"export {name}='{value}'" for name, value in sorted(variables.items()))
    print(f"""
For an AWS client, and for make admin and its kind:

unset AWS_PROFILE AWS_SESSION_TOKEN
{exports}

BASE={world.base}

The API is at BASE, with the sign-in message "{PARAMETERS["SignInMessage"]}"; every AWS service at {world.url}.
The stack is {STACK}, the logs of functions are in the log groups /runeport/{STACK}/….
Mails: {world.url}/_ministack/ses/messages
What is denied to a function is told here. Ctrl-C ends it all, and nothing is kept.
""", flush=True)
    told = 0
    while world.ministack.poll() is None:
        denied = world.denied()
        for line in denied[told:]:
            print(f"Denied: {line}", flush=True)
        told = len(denied)
        time.sleep(0.5)
    fail("ministack has ended", *tail(world.log))


def check(world):
    resources = world.resources()
    environment = {"BASE": world.base, "AWS": world.url, "MAIL_FROM": MAIL_FROM}
    if world.start(["node", TOOLS / "deploy_local_check.mjs"], environment).wait():
        fail("the check failed", *denials(world), *errors(world), *tail(world.log, 5))
    watched = world.client("lambda").invoke(FunctionName=resources["ChainWatcherFunction"], Qualifier="live")
    if "FunctionError" in watched:
        fail("the chain watcher failed", watched["Payload"].read().decode())
    if world.denied():
        fail("what functions do is denied to them", *denials(world))
    print("Nothing was denied", flush=True)
    rights(world, resources)
    missing_right(world, resources)


def denials(world):
    return [f"Denied: {line}" for line in world.denied()]


def errors(world):
    """What functions logged as errors."""
    logs = world.client("logs")
    for group in logs.describe_log_groups(logGroupNamePrefix=f"/runeport/{STACK}/")["logGroups"]:
        for event in logs.filter_log_events(logGroupName=group["logGroupName"])["events"]:
            if "ERROR" in event["message"]:
                yield f"{group['logGroupName']}: {event['message'].strip()}"


def rights(world, resources):
    """What the policies of a role leave out, or bind to keys, is denied to a session of it."""

    def session(function, service):
        # The account's own user may take the role, for this check.
        name = resources[f"{function}Role"]
        root = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
        trust = json.dumps({"Version": "2012-10-17", "Statement": [root]})
        world.client("iam").update_assume_role_policy(RoleName=name, PolicyDocument=trust)
        role = world.client("iam").get_role(RoleName=name)["Role"]["Arn"]
        made = world.client("sts").assume_role(RoleArn=role, RoleSessionName="check")["Credentials"]
        return world.client(
            service,
            aws_access_key_id=made["AccessKeyId"],
            aws_secret_access_key=made["SecretAccessKey"],
            aws_session_token=made["SessionToken"],
        )

    def key(pk):
        return {"pk": {"S": pk}, "sk": {"S": "check"}}

    def put(table, pk):
        return {"Put": {"TableName": table, "Item": key(pk)}}

    def query(pk):
        values = {":pk": {"S": pk}}
        return prizes.query(TableName=activity, KeyConditionExpression="pk = :pk", ExpressionAttributeValues=values)

    def watched(state):
        return watcher.query(
            TableName=activity,
            IndexName="watch",
            KeyConditionExpression="watch = :watch",
            ExpressionAttributeValues={":watch": {"S": state}},
        )

    def mail(sender):
        text = {"Simple": {"Subject": {"Data": "check"}, "Body": {"Text": {"Data": "check"}}}}
        to = {"ToAddresses": ["somebody@example.com"]}
        return mails.send_email(FromEmailAddress=sender, Destination=to, Content=text)

    accounts, activity, ephemeral = (resources[f"{name}Table"] for name in ("Accounts", "Activity", "Ephemeral"))
    auth, prizes = session("AuthFunction", "dynamodb"), session("PrizesFunction", "dynamodb")
    watcher, mails = session("ChainWatcherFunction", "dynamodb"), session("MailWorkerFunction", "sesv2")
    secrets, keys = session("PrizesFunction", "secretsmanager"), session("PrizesFunction", "kms")
    cosigning = resources["CosigningKeyAlias"]
    cases = [
        (True, "auth reads the signing key",
         lambda: session("AuthFunction", "secretsmanager").get_secret_value(SecretId=resources["TokenSecret"])),
        (False, "prizes reads the signing key", lambda: secrets.get_secret_value(SecretId=resources["TokenSecret"])),
        (True, "auth reads a co-signing key",
         lambda: session("AuthFunction", "kms").get_public_key(KeyId=cosigning)),
        (False, "prizes reads a co-signing key", lambda: keys.get_public_key(KeyId=cosigning)),
        (True, "auth deletes from the accounts", lambda: auth.delete_item(TableName=accounts, Key=key("check"))),
        (False, "auth deletes from a trail", lambda: auth.delete_item(TableName=accounts, Key=key("list#check"))),
        (False, "auth reads activity", lambda: auth.get_item(TableName=activity, Key=key("prize#check"))),
        (True, "prizes reads a prize", lambda: prizes.get_item(TableName=activity, Key=key("prize#check"))),
        (False, "prizes reads a mint", lambda: prizes.get_item(TableName=activity, Key=key("mint#check"))),
        (True, "prizes queries its list", lambda: query("list#prizes")),
        (False, "prizes queries another list", lambda: query("list#vm")),
        (True, "prizes reads accounts in a batch",
         lambda: prizes.batch_get_item(RequestItems={accounts: {"Keys": [key("account#check")]}})),
        (False, "prizes reads a session in a batch",
         lambda: prizes.batch_get_item(
             RequestItems={accounts: {"Keys": [key("account#check"), key("session#check")]}}
         )),
        (True, "prizes writes a prize in a transaction",
         lambda: prizes.transact_write_items(
             TransactItems=[put(ephemeral, "idempotency#check"), put(activity, "prize#check")]
         )),
        (False, "prizes writes a mint in a transaction",
         lambda: prizes.transact_write_items(
             TransactItems=[put(ephemeral, "idempotency#check"), put(activity, "mint#check")]
         )),
        (True, "the watcher queries what is due", lambda: watched("transaction")),
        (False, "the watcher queries anything else", lambda: watched("check")),
        (False, "the watcher scans", lambda: watcher.scan(TableName=activity)),
        (True, "the mail worker sends", lambda: mail(MAIL_FROM)),
        (False, "the mail worker sends as somebody else", lambda: mail("somebody@example.com")),
    ]
    wrong = []
    for allowed, what, attempt in cases:
        try:
            attempt()
            was = True
        except ClientError as error:
            if "not authorized" not in str(error):
                fail(f"{what}: {error}")
            was = False
        if was != allowed:
            wrong.append(f"{what}: {'allowed' if was else 'denied'}")
    if wrong:
        fail("the rights of the roles are not what they should be:", *wrong)
    print(f"{len(cases)} calls as the roles of functions: allowed and denied as they should be", flush=True)


def missing_right(world, resources):
    """The check is worth nothing if a right that is taken away is not missed."""

    def status():
        try:
            return urllib.request.urlopen(f"{world.base}/api/tokens", timeout=60).status
        except urllib.error.HTTPError as error:
            return error.code

    iam, role, name = world.client("iam"), resources["AccountFunctionRole"], None
    for name in iam.list_role_policies(RoleName=role)["PolicyNames"]:
        policy = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
        rest = [each for each in policy["Statement"] if each.get("Sid") != "Tokens"]
        if len(rest) < len(policy["Statement"]):
            break
    else:
        fail("the policies of account have no statement Tokens")
    before = len(world.denied())
    less = json.dumps({**policy, "Statement": rest})
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=less)
    without, denied = status(), len(world.denied()) - before
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(policy))
    if status() != 200 or without != 500 or not denied:
        fail(f"account without its right to tokens answered {without}, and {denied} denials were told")
    print("A right that was taken away was missed", flush=True)


@contextmanager
def guarded():
    """A folder that is gone afterwards, and where to tell the process group that ends with it."""
    read, write = os.pipe()
    guard = subprocess.Popen(
        ["sh", "-c", GUARD], stdin=read, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    os.close(read)
    try:
        yield Path(guard.stdout.readline().strip()), write
    finally:
        os.close(write)
        guard.wait()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def main():
    architecture, port, runeport_local, *rest = sys.argv[1:]
    machine = platform.machine().replace("aarch64", "arm64")
    if sys.platform != "linux" or machine != architecture:
        fail(f"zips for ARCH={architecture} run on Linux of that kind alone, not on {sys.platform}, {machine}")
    started = time.monotonic()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: sys.exit(128 + number))
    with guarded() as (folder, told):
        print("Starting ministack", flush=True)
        world = World(folder, told, free_port() if rest else int(port))
        print("Deploying template.yaml", flush=True)
        world.deploy(architecture, runeport_local)
        print(f"Deployed in {time.monotonic() - started:.0f} s", flush=True)
        check(world) if rest else serve(world)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        print()
