"""deploy_drill.py: shows in the AWS emulator what a person does on a real account's first days: a creation that fails half
way and is tried again, the same commit deployed twice, an update that is rolled back and tried again, a second stack
of the same name in another region, and a restore of the tables into a second stack. The functions are empty zips: they are
deployed, not called."""

import json
import subprocess
import sys
import time
import zipfile

from deploy_local import guarded
from deploy_local_world import REGION, STACK, World, fail, tail
from ports import reserved_port
from restore_drill import drill as restore
from template import read

SECOND = "eu-west-1"
RESTORED = f"{STACK}-restored"
ROW = {"pk": {"S": "drill#1"}, "sk": {"S": "row"}, "expiresAt": {"N": "4102444800"}, "value": {"S": "kept"}}
# Addresses that nothing is asked at.
NOWHERE = {
    **dict.fromkeys(["EsploraUrl", "OrdUrl", "HubUrl"], "http://127.0.0.1:1"),
    "TreasuryAddress": "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
}
# Fails, because somebody else has a parameter of this name, when much of the stack exists.
TAKEN = "/taken"
BROKEN = {
    "Type": "AWS::SSM::Parameter",
    "DependsOn": ["MediaBucket", "ExportBucket", "CosigningKey", "ActivityTable", "MailQueue", "AuthFunction", "HttpStage"],
    "Properties": {"Name": TAKEN, "Type": "String", "Value": "ours"},
}


def template_of(code, broken):
    template = read()
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            resource["Properties"]["CodeUri"] = str(code)
    if broken:
        template["Resources"]["Broken"] = BROKEN
    return json.dumps(template)


class Drill:
    def __init__(self, world):
        self.world = world

    def code_of(self, release):
        code = self.world.folder / f"{release}.zip"
        # The same commit is the same file, times included.
        if not code.exists():
            with zipfile.ZipFile(code, "w") as bundle:
                bundle.writestr("bootstrap", f"#!/bin/sh\nexit 1 # {release}\n")
        return code

    def deploy(self, region=REGION, broken=False, release="first", stack=STACK):
        """The exit code of a deployment, and the state of the stack."""
        started = time.monotonic()
        command = self.world.sam_deploy(template_of(self.code_of(release), broken), NOWHERE, region, True, stack)
        path = self.world.folder / "drill.log"
        with open(path, "w") as log:
            environment = {"AWS_REGION": region, "AWS_DEFAULT_REGION": region}
            code = self.world.start(command, environment, stdout=log, stderr=subprocess.STDOUT).wait()
        stacks = self.world.client("cloudformation", region).describe_stacks(StackName=stack)["Stacks"]
        status = stacks[0]["StackStatus"]
        print(f"    {stack}, {region}: {status} after {time.monotonic() - started:.0f} s", flush=True)
        return code, status, path

    def hold(self, what, held, path):
        if not held:
            fail(f"not so: {what}", *tail(path))
        print(f"ok  {what}", flush=True)

    def resources(self, region=REGION, stack=STACK):
        pages = self.world.client("cloudformation", region).get_paginator("list_stack_resources").paginate(StackName=stack)
        found = [each for page in pages for each in page["StackResourceSummaries"]]
        return {each["LogicalResourceId"]: each["PhysicalResourceId"] for each in found}

    def versions(self):
        client, versions = self.world.client("lambda"), {}
        for name, function in self.resources().items():
            if name.endswith("Function"):
                versions[name] = [each["Version"] for each in client.list_versions_by_function(FunctionName=function)["Versions"]]
        return versions

    def left_over(self, region=REGION):
        """What is still there, although the stack is gone: its tables, and everything else."""
        world = self.world
        tables = [name for name in world.client("dynamodb", region).list_tables()["TableNames"] if name.startswith(STACK)]
        buckets = [each["Name"] for each in world.client("s3", region).list_buckets()["Buckets"] if each["Name"].startswith(STACK)]
        queues = world.client("sqs", region).list_queues(QueueNamePrefix=STACK).get("QueueUrls", [])
        groups = world.client("logs", region).describe_log_groups(logGroupNamePrefix=f"/runeport/{STACK}/")["logGroups"]
        secrets = world.client("secretsmanager", region).list_secrets()["SecretList"]
        kms = world.client("kms", region)
        keys = [kms.describe_key(KeyId=each["KeyId"])["KeyMetadata"] for each in kms.list_keys()["Keys"]]
        kept = [key["Arn"] for key in keys if key["KeyManager"] == "CUSTOMER" and key["KeyState"] != "PendingDeletion"]
        named = [each["logGroupName"] for each in groups] + [each["Name"] for each in secrets if STACK in each["Name"] and "DeletedDate" not in each]
        return sorted(tables), buckets + queues + named + kept


def drill(world):
    it = Drill(world)
    world.client("ssm").put_parameter(Name=TAKEN, Value="theirs", Type="String")
    code, status, path = it.deploy(broken=True)
    it.hold("a creation that fails half way is rolled back", code != 0 and status == "ROLLBACK_COMPLETE", path)
    tables, others = it.left_over()
    it.hold("it leaves two protected tables and nothing else", len(tables) == 2 and not others, path)
    cloudformation = world.client("cloudformation")
    cloudformation.delete_stack(StackName=STACK)
    cloudformation.get_waiter("stack_delete_complete").wait(StackName=STACK, WaiterConfig={"Delay": 1, "MaxAttempts": 120})

    code, status, path = it.deploy()
    it.hold("the second try works beside what was left", (code, status) == (0, "CREATE_COMPLETE"), path)
    first, versions = it.resources(), it.versions()

    code, status, path = it.deploy()
    same = (it.resources(), it.versions()) == (first, versions)
    it.hold("the same commit again changes nothing", code == 0 and status.endswith("_COMPLETE") and same, path)

    code, status, path = it.deploy(broken=True, release="next")
    it.hold("an update that fails half way is rolled back", code != 0 and status == "UPDATE_ROLLBACK_COMPLETE", path)
    it.hold("it leaves every resource as it was", it.resources() == first, path)
    code, status, path = it.deploy(release="next")
    it.hold("the same commit again works after it", (code, status) == (0, "UPDATE_COMPLETE"), path)
    first = it.resources()

    code, status, path = it.deploy(SECOND)
    it.hold("a stack of the same name works in another region", (code, status) == (0, "CREATE_COMPLETE"), path)
    second = it.resources(SECOND)
    # The name of a version contains a hash of the zip's place.
    names = [{name for name in found if "FunctionVersion" not in name} for found in (first, second)]
    it.hold("it has the same resources", names[0] == names[1], path)
    # The emulator makes up the same names in each region, so only a name of the template's own can differ.
    it.hold("its dashboard, which all regions share, has a name of its own", first["Dashboard"] != second["Dashboard"], path)
    it.hold("the first one is as before", it.resources() == first, path)

    restores_into_a_second_stack(it, first)


def restores_into_a_second_stack(it, first):
    code, status, path = it.deploy(release="next", stack=RESTORED)
    it.hold("a second stack works in the same region", (code, status) == (0, "CREATE_COMPLETE"), path)
    dynamodb, functions = it.world.client("dynamodb"), it.world.client("lambda")
    second = it.resources(stack=RESTORED)
    for name in ("AccountsTable", "ActivityTable"):
        dynamodb.put_item(TableName=first[name], Item=ROW)
    # The watcher writes it within a minute of a deployment.
    dynamodb.put_item(TableName=second["ActivityTable"], Item={"pk": {"S": "chain"}, "sk": {"S": "tip"}})
    # Nothing runs here, so nothing has to end.
    restore(STACK, second=RESTORED, client=it.world.client, wait=lambda _seconds: time.sleep(1))
    key = {name: ROW[name] for name in ("pk", "sk")}
    for name in ("AccountsTable", "ActivityTable"):
        table = second[name]
        found = dynamodb.get_item(TableName=table, Key=key).get("Item")
        it.hold(f"its {name} has the rows of the first stack", found == ROW, path)
        shown = dynamodb.describe_table(TableName=table)["Table"]
        backups = dynamodb.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
        recovery = backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"]
        expiry = [
            dynamodb.describe_time_to_live(TableName=each)["TimeToLiveDescription"] for each in (first[name], table)
        ]
        is_whole = shown["DeletionProtectionEnabled"] and recovery == "ENABLED" and expiry[0] == expiry[1]
        it.hold("it is protected, can be restored, and forgets what has expired, as before", is_whole, path)
    stopped = [
        functions.get_function_concurrency(FunctionName=function).get("ReservedConcurrentExecutions")
        for name, function in second.items()
        if name.endswith("Function")
    ]
    it.hold("none of its functions runs", stopped and set(stopped) == {0}, path)
    it.hold("the first one is as before", it.resources() == first, path)


if __name__ == "__main__":
    sys.tracebacklimit = 3
    with guarded() as (folder, guard_pipe):
        drill(World(folder, guard_pipe, reserved_port()))
