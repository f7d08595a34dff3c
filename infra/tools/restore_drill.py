"""restore_drill.py STACK [keep]: restores the tables of a stack that have point-in-time recovery, each to its latest
restorable time and under another name, compares them with the originals, and deletes them; with `keep`, it leaves them.
It prints how old the restored data are (what a loss would cost, the RPO) and how long the restore took (the part of the
RTO that no step can shorten). It changes nothing that the stack uses. docs/operations/restore.md has the steps of a
restore that is no drill."""

import sys
import time
from datetime import datetime, timezone

import boto3
from botocore.exceptions import BotoCoreError, ClientError

# Rows that are compared with the original.
COMPARED = 200
# What has to be the same in the restored table.
SHAPE = ("KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes")
DRILL = "-drill-"


class Drill:
    def __init__(self, stack, client, wait, now):
        self.stack, self.client, self.wait, self.now = stack, client, wait, now
        self.dynamodb = client("dynamodb")

    def tables(self):
        """The tables with point-in-time recovery: physical names by names in the template."""
        pages = self.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=self.stack)
        tables = {
            each["LogicalResourceId"]: each["PhysicalResourceId"]
            for page in pages
            for each in page["StackResourceSummaries"]
            if each["ResourceType"] == "AWS::DynamoDB::Table"
        }
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

    def restore(self, table):
        """Begins the restore of a table. Returns the name of the restored one, and how old its data are."""
        target = f"{table[:220]}{DRILL}{self.now():%Y%m%d%H%M%S}"
        age = (self.now() - self.latest(table)).total_seconds()
        self.dynamodb.restore_table_to_point_in_time(
            SourceTableName=table, TargetTableName=target, UseLatestRestorableTime=True
        )
        return target, age

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
        self.created(target)
        if self.describe(target).get("DeletionProtectionEnabled"):
            self.dynamodb.update_table(TableName=target, DeletionProtectionEnabled=False)
        self.dynamodb.delete_table(TableName=target)


def shape(value):
    """The parts of a description that do not depend on the table's name, state or size."""
    if isinstance(value, list):
        return sorted((shape(each) for each in value), key=repr)
    if isinstance(value, dict):
        kept = {"AttributeName", "AttributeType", "IndexName", "KeySchema", "KeyType", "Projection"}
        kept |= {"ProjectionType", "NonKeyAttributes"}
        return {name: shape(each) for name, each in value.items() if name in kept}
    return value


def drill(stack, keep, client=boto3.client, wait=time.sleep, now=lambda: datetime.now(timezone.utc)):
    drill = Drill(stack, client, wait, now)
    tables = drill.tables()
    if not tables:
        sys.exit(f"make: no table of {stack} has point-in-time recovery")
    started, restored, faults = now(), {}, []
    try:
        for name, table in tables.items():
            restored[name], age = drill.restore(table)
            print(f"{name}: restoring {table} to {restored[name]}; its data are {age:.0f} s old", flush=True)
        for name, target in restored.items():
            if (status := drill.created(target)) != "ACTIVE":
                faults.append(f"{name}: {target} is {status}")
                continue
            print(f"{name}: restored after {(now() - started).total_seconds():.0f} s", flush=True)
            faults += [f"{name}: {fault}" for fault in drill.faults(tables[name], target)]
    finally:
        for target in restored.values():
            if keep:
                print(f"Kept, and paid for: {target}")
            else:
                drill.delete(target)
    if faults:
        sys.exit("\n".join(f"make: {fault}" for fault in faults))
    print(f"{stack}: {len(restored)} tables can be restored")


if __name__ == "__main__":
    try:
        drill(sys.argv[1], sys.argv[2:] == ["keep"])
    except (BotoCoreError, ClientError) as error:
        sys.exit(f"make: {error}")
