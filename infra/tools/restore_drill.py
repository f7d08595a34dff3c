"""restore_drill.py STACK [keep | into SECOND]: restores the tables of a stack that have point-in-time recovery, each to its
latest restorable time and under another name, compares them with the originals, and deletes them; with `keep`, it leaves
them. With `into`, they take the place of the tables of a second stack, which was just deployed and holds no rows, and whose
functions it stops first. It prints how old the restored data are (what a loss would cost, the RPO) and how long the restore
took (the part of the RTO that no step can shorten). It changes nothing that the first stack uses.
docs/operations/restore.md has the steps of a restore that is no drill."""

import sys
import time
from datetime import datetime, timezone

import boto3
from botocore.exceptions import BotoCoreError, ClientError

# Rows that are compared with the original.
COMPARED = 200
# What a new stack's own watcher writes, by the beginning of the partition key.
OF_THE_WATCHER = ("chain", "feeRate", "round#")
# Longer than any run of a worker that writes.
LAST_RUNS = 120
# What has to be the same in the restored table.
SHAPE = ("KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes")
DRILL = "-drill-"


class Drill:
    def __init__(self, stack, client, wait, now):
        self.stack, self.client, self.wait, self.now = stack, client, wait, now
        self.dynamodb = client("dynamodb")

    def resources(self, stack, kind):
        """The resources of a stack that are of this kind: physical names by names in the template."""
        pages = self.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack)
        return {
            each["LogicalResourceId"]: each["PhysicalResourceId"]
            for page in pages
            for each in page["StackResourceSummaries"]
            if each["ResourceType"] == kind
        }

    def tables(self, stack):
        """The tables with point-in-time recovery."""
        tables = self.resources(stack, "AWS::DynamoDB::Table")
        return {name: table for name, table in sorted(tables.items()) if self.latest(table)}

    def latest(self, table):
        """The latest time that a table can be restored to, or None."""
        backups = self.dynamodb.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
        recovery = backups.get("PointInTimeRecoveryDescription", {})
        if recovery.get("PointInTimeRecoveryStatus") != "ENABLED":
            return None
        return recovery["LatestRestorableDateTime"]

    def describe(self, table):
        return self.dynamodb.describe_table(TableName=table)["Table"]

    def other_name(self, table):
        return f"{table[:220]}{DRILL}{self.now():%Y%m%d%H%M%S}"

    def restore(self, table, target):
        """Begins the restore of a table under the name `target`. Returns how old its data are."""
        age = (self.now() - self.latest(table)).total_seconds()
        self.dynamodb.restore_table_to_point_in_time(
            SourceTableName=table, TargetTableName=target, UseLatestRestorableTime=True
        )
        return age

    def created(self, target):
        """Waits for a restore, and returns the status that it ends with."""
        while (status := self.describe(target)["TableStatus"]) == "CREATING":
            self.wait(10)
        return status

    def faults(self, table, target):
        """How a restored table differs from what it should be."""
        original, restored = self.describe(table), self.describe(target)
        faults = [f"{what} differs" for what in SHAPE if shape(original.get(what)) != shape(restored.get(what))]
        rows = self.dynamodb.scan(TableName=target, Limit=COMPARED, ConsistentRead=True)["Items"]
        if not rows and self.dynamodb.scan(TableName=table, Limit=1)["Items"]:
            faults.append("it has no rows")
        for index in restored.get("GlobalSecondaryIndexes", []):
            self.dynamodb.scan(TableName=target, IndexName=index["IndexName"], Limit=1)
        names = [key["AttributeName"] for key in original["KeySchema"]]
        same = 0
        for row in rows:
            key = {name: row[name] for name in names}
            now = self.dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True).get("Item")
            same += now == row
        if rows and not same:
            faults.append(f"none of {len(rows)} rows is as in the original")
        print(f"{target}: of {len(rows)} rows, {same} are still the same in {table}", flush=True)
        return faults

    def delete(self, target):
        if DRILL not in target:
            raise ValueError(f"{target} is no table of a drill")
        self.release(target)

    def release(self, target):
        self.created(target)
        if self.describe(target).get("DeletionProtectionEnabled"):
            self.dynamodb.update_table(TableName=target, DeletionProtectionEnabled=False)
        self.dynamodb.delete_table(TableName=target)

    def vacate(self, second, tables):
        """Stops the functions of a second stack and deletes its tables. Returns their names, which are free then."""
        theirs = self.tables(second)
        if set(theirs) != set(tables) or set(theirs.values()) & set(tables.values()):
            sys.exit(f"make: {second} is not a second stack with the tables of {self.stack}")
        self.refuse_rows(theirs)
        for function in self.resources(second, "AWS::Lambda::Function").values():
            self.client("lambda").put_function_concurrency(FunctionName=function, ReservedConcurrentExecutions=0)
        print(f"{second}: its functions are stopped; the last runs end within {LAST_RUNS} s", flush=True)
        self.wait(LAST_RUNS)
        self.refuse_rows(theirs)
        for table in theirs.values():
            self.release(table)
            while self.exists(table):
                self.wait(2)
        return theirs

    def refuse_rows(self, tables):
        """Ends the drill if somebody has used the stack of these tables."""
        for table in tables.values():
            for page in self.dynamodb.get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
                if any(not row["pk"]["S"].startswith(OF_THE_WATCHER) for row in page["Items"]):
                    sys.exit(f"make: {table} has rows; only a stack that nobody has used takes the tables of another one")

    def exists(self, table):
        try:
            self.describe(table)
        except self.dynamodb.exceptions.ResourceNotFoundException:
            return False
        return True

    def complete(self, table, target):
        """Sets what a restore leaves out. A table that was just restored cannot have backups for some minutes."""
        self.dynamodb.update_table(TableName=target, DeletionProtectionEnabled=True)
        recovery = {"PointInTimeRecoveryEnabled": True}
        for attempt in range(60):
            try:
                self.dynamodb.update_continuous_backups(TableName=target, PointInTimeRecoverySpecification=recovery)
                break
            except self.dynamodb.exceptions.ContinuousBackupsUnavailableException:
                if attempt == 59:
                    raise
                self.wait(10)
        expiry = self.dynamodb.describe_time_to_live(TableName=table)["TimeToLiveDescription"]
        if expiry["TimeToLiveStatus"] == "ENABLED":
            specification = {"AttributeName": expiry["AttributeName"], "Enabled": True}
            self.dynamodb.update_time_to_live(TableName=target, TimeToLiveSpecification=specification)


def shape(value):
    """The parts of a description that do not depend on the table's name, state or size."""
    if isinstance(value, list):
        return sorted((shape(each) for each in value), key=repr)
    if isinstance(value, dict):
        kept = {"AttributeName", "AttributeType", "IndexName", "KeySchema", "KeyType", "Projection"}
        kept |= {"ProjectionType", "NonKeyAttributes"}
        return {name: shape(each) for name, each in value.items() if name in kept}
    return value


def drill(stack, keep=False, second=None, client=boto3.client, wait=time.sleep, now=lambda: datetime.now(timezone.utc)):
    drill = Drill(stack, client, wait, now)
    tables = drill.tables(stack)
    if not tables:
        sys.exit(f"make: no table of {stack} has point-in-time recovery")
    if second:
        targets = drill.vacate(second, tables)
    else:
        targets = {name: drill.other_name(table) for name, table in tables.items()}
    started, restored, faults = now(), {}, []
    try:
        for name, table in tables.items():
            age = drill.restore(table, targets[name])
            restored[name] = targets[name]
            print(f"{name}: restoring {table} to {restored[name]}; its data are {age:.0f} s old", flush=True)
        for name, target in restored.items():
            if (status := drill.created(target)) != "ACTIVE":
                faults.append(f"{name}: {target} is {status}")
                continue
            print(f"{name}: restored after {(now() - started).total_seconds():.0f} s", flush=True)
            if second:
                drill.complete(tables[name], target)
            faults += [f"{name}: {fault}" for fault in drill.faults(tables[name], target)]
    finally:
        for target in restored.values():
            if second or keep:
                print(f"Kept, and paid for: {target}")
            else:
                drill.delete(target)
    if faults:
        sys.exit("\n".join(f"make: {fault}" for fault in faults))
    print(f"{stack}: {len(restored)} tables can be restored")
    if second:
        print(f"{second}: has the rows of {stack}, and its functions are stopped")


if __name__ == "__main__":
    stack, *rest = sys.argv[1:]
    try:
        drill(stack, rest == ["keep"], rest[1] if rest[:1] == ["into"] else None)
    except (BotoCoreError, ClientError) as error:
        sys.exit(f"make: {error}")
