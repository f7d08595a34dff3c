"""The checks of `make deploy-local CHECK=yes`."""

import json
import subprocess
import threading
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager

from botocore.exceptions import ClientError

from deploy_local_touched import RECORD, compare, text, touched
from deploy_local_world import LOCAL, MAIL_FROM, ROOT, STACK, TOOLS, fail, tail
from restore_drill import drill

SCRIPTS = ROOT / "infra/local/tests"
# The scripts of a row run one after another; the rows run concurrently. Only one row may mine blocks.
JOURNEYS = [
    [
        ("a first visit, and a prize", "wallets/sign-in.mjs"),
        ("a withdrawal", "browser/withdrawal.mjs"),
        ("a trading wallet's own transactions", "browser/trading.mjs"),
        ("a virtual mint and its refund", "browser/mint.mjs"),
        ("a swap", "browser/swap.mjs"),
    ],
    [
        ("accounts, second factors and wallets", "browser/accounts.mjs"),
        ("sockets", "browser/socket.mjs"),
        ("webhooks", "browser/webhooks.mjs"),
        ("passkeys in Chromium", "browser/passkeys.mjs"),
        ("deposits at the venue, by viem", "venue/deposit.mjs"),
        ("deposits at the venue, by eth-account", "venue/deposit.py"),
        ("the venue's actions, by viem", "venue/actions.mjs"),
        ("the venue's actions, by eth-account", "venue/actions.py"),
    ],
]
# These run again while the functions may not sign, so that the worker has to finish their work.
LATER = [JOURNEYS[0][1:4]]
SIGNERS = ["XchainFunction", "TransactionsFunction", "VmTransactionsFunction", "RefundFunction"]
# The key of a wallet that has no account.
KEY = f"0x{7:064x}"
NONCE = "1760000000043"


def check(world, levers, how):
    sockets = f"{world.url.replace('http', 'ws', 1)}/_aws/execute-api"
    environment = {"BASE": world.base, "LEVERS": levers.url, "SOCKETS": sockets, "KEY": KEY, "NONCE": NONCE}
    calls = {**environment, "AWS": world.url, "MAIL_FROM": MAIL_FROM}
    if world.start(["node", TOOLS / "deploy_local_check.mjs"], calls).wait():
        fail("the check failed", *denials(world), *errors(world), *tail(world.log, 5))
    journeys(world, environment, JOURNEYS)
    if world.denied():
        fail("the policies deny calls that functions make", *denials(world))
    print("No call was denied", flush=True)
    if how == "together":
        return
    drill(STACK, client=world.client)
    with ExitStack() as rights_taken:
        for function in SIGNERS:
            rights_taken.enter_context(without(world, function, "Cosign"))
        journeys(world, {**environment, "LATER": "yes"}, LATER)
    if wrong := [line for line in world.denied() if '"kms:' not in line]:
        fail("the policies deny calls that functions make", *wrong)
    print("Without the functions' signing permission, the worker signed instead", flush=True)
    done = touched(world)
    rights(world)
    missing_right(world)
    compared(done, how == "record")


def journeys(world, environment, rows):
    """Runs scripts of the local stack's tests against the deployment."""
    failed = []

    def go(row):
        for what, name in row:
            program = LOCAL / "wallet-venv/bin/python" if name.endswith(".py") else "node"
            options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            said = world.start([program, SCRIPTS / name], environment, **options)
            output, _ = said.communicate()
            if said.returncode:
                failed.append([f"{what} ({name}) failed:", *output.splitlines()[-30:]])
                return
            print(f"ok  {what}", flush=True)

    threads = [threading.Thread(target=go, args=[row]) for row in rows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        lines = [line for each in failed for line in each]
        fail(*lines, *denials(world), *errors(world), *tail(world.log, 5))


def compared(done, record):
    """Compares the calls with the committed record, or writes the record."""
    if record:
        RECORD.parent.mkdir(exist_ok=True)
        RECORD.write_text(text(done))
        print(f"Recorded in {RECORD.relative_to(ROOT)}: commit it", flush=True)
        return
    different = compare(done)
    if different:
        fail(
            f"{RECORD.relative_to(ROOT)} differs from what the functions touched. If this is intended, run with"
            " RECORD=yes and commit the file",
            *different,
        )
    print("The functions touched exactly the recorded resources", flush=True)


def denials(world):
    return [f"Denied: {line}" for line in world.denied()]


def errors(world):
    """The error lines in the functions' logs."""
    logs = world.client("logs")
    for group in logs.describe_log_groups(logGroupNamePrefix=f"/runeport/{STACK}/")["logGroups"]:
        for event in logs.filter_log_events(logGroupName=group["logGroupName"])["events"]:
            if "ERROR" in event["message"]:
                yield f"{group['logGroupName']}: {event['message'].strip()}"


def rights(world):
    """Checks with sessions of the roles that calls outside their policies are denied, including other keys."""

    def session(function, service):
        # For this check, allow the account's own user to assume the role.
        name = world.resources[f"{function}Role"]
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

    def all_of_kms(function):
        """Allows a role everything in KMS, so that only the policies of the keys deny it something."""
        everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "kms:*", "Resource": "*"}]}
        role, document = world.resources[f"{function}Role"], json.dumps(everything)
        world.client("iam").put_role_policy(RoleName=role, PolicyName="check", PolicyDocument=document)
        return session(function, "kms")

    def sign(keys, name):
        digest = {"Message": bytes(32), "MessageType": "DIGEST", "SigningAlgorithm": "ECDSA_SHA_256"}
        return keys.sign(KeyId=world.resources[name], **digest)

    def decrypt(keys):
        wrapped = keys.generate_data_key(KeyId=data_key, KeySpec="AES_256")["CiphertextBlob"]
        return keys.decrypt(KeyId=data_key, CiphertextBlob=wrapped)

    def unwrap(keys, kid):
        context = {"kid": kid}
        wrapped = guardian.generate_data_key(KeyId=data_key, KeySpec="AES_256", EncryptionContext=context)["CiphertextBlob"]
        return keys.decrypt(KeyId=data_key, CiphertextBlob=wrapped, EncryptionContext=context)

    accounts, activity, ephemeral = (world.resources[f"{name}Table"] for name in ("Accounts", "Activity", "Ephemeral"))
    auth, prizes = session("AuthFunction", "dynamodb"), session("PrizesFunction", "dynamodb")
    watcher, mails = session("ChainWatcherFunction", "dynamodb"), session("MailWorkerFunction", "sesv2")
    secrets, keys = session("PrizesFunction", "secretsmanager"), session("PrizesFunction", "kms")
    cosigning, data_key = world.resources["CosigningKeyAlias"], world.resources["DataKey"]
    sender = session("WebhookWorkerFunction", "kms")
    signer, guardian, other = (all_of_kms(f"{name}Function") for name in ("Refund", "Auth", "Medias"))
    cases = [
        (True, "auth reads the signing key",
         lambda: session("AuthFunction", "secretsmanager").get_secret_value(SecretId=world.resources["TokenSecret"])),
        (False, "prizes reads the signing key", lambda: secrets.get_secret_value(SecretId=world.resources["TokenSecret"])),
        (True, "auth reads a co-signing key",
         lambda: session("AuthFunction", "kms").get_public_key(KeyId=cosigning)),
        (False, "prizes reads a co-signing key", lambda: keys.get_public_key(KeyId=cosigning)),
        (True, "auth deletes from the accounts", lambda: auth.delete_item(TableName=accounts, Key=key("check"))),
        (False, "auth deletes from an audit trail", lambda: auth.delete_item(TableName=accounts, Key=key("list#check"))),
        (False, "auth reads activity", lambda: auth.get_item(TableName=activity, Key=key("prize#check"))),
        (True, "prizes reads its list", lambda: prizes.get_item(TableName=activity, Key=key("list#prizes"))),
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
        (True, "the watcher queries due rows", lambda: watched("transaction")),
        (False, "the watcher queries other rows", lambda: watched("check")),
        (False, "the watcher scans", lambda: watcher.scan(TableName=activity)),
        (True, "the mail worker sends", lambda: mail(MAIL_FROM)),
        (False, "the mail worker sends from another address", lambda: mail("somebody@example.com")),
        (True, "refund co-signs", lambda: sign(signer, "CosigningKey")),
        (False, "refund signs for the pool, as IAM allows", lambda: sign(signer, "DistributionKey")),
        (False, "medias co-signs, as IAM allows", lambda: sign(other, "CosigningKey")),
        (True, "auth unwraps a data key", lambda: decrypt(guardian)),
        (False, "medias unwraps a data key, as IAM allows", lambda: decrypt(other)),
        (True, "the sender of webhooks unwraps a data key of webhooks", lambda: unwrap(sender, "webhooks#check")),
        (False, "the sender of webhooks unwraps a data key of accounts", lambda: unwrap(sender, "check")),
        (False, "medias disables a key, as IAM allows", lambda: other.disable_key(KeyId=data_key)),
        (False, "medias deletes a key, as IAM allows", lambda: other.schedule_key_deletion(KeyId=data_key)),
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
        fail("the permissions of the roles are wrong:", *wrong)
    print(f"{len(cases)} calls with the functions' roles were allowed or denied as expected", flush=True)


@contextmanager
def without(world, function, sid):
    """Removes one statement from a function's policy for the duration of the context."""
    iam, role = world.client("iam"), world.resources[f"{function}Role"]
    for name in iam.list_role_policies(RoleName=role)["PolicyNames"]:
        policy = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
        rest = [each for each in policy["Statement"] if each.get("Sid") != sid]
        if len(rest) < len(policy["Statement"]):
            break
    else:
        fail(f"the policies of {function} have no statement {sid}")
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps({**policy, "Statement": rest}))
    yield
    iam.put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=json.dumps(policy))


def missing_right(world):
    """Removes a permission and checks that its function then fails; otherwise the other checks prove nothing."""

    def status():
        try:
            return urllib.request.urlopen(f"{world.base}/api/tokens", timeout=60).status
        except urllib.error.HTTPError as error:
            return error.code

    before = len(world.denied())
    with without(world, "AccountFunction", "ActivityGet"):
        less, denied = status(), len(world.denied()) - before
    if status() != 200 or less != 500 or not denied:
        fail(f"account without its permission for tokens answered {less}, with {denied} denials reported")
    print("A removed permission caused a failure", flush=True)
