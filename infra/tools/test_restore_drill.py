import contextlib
import copy
import io
import unittest
from datetime import datetime, timedelta, timezone

from restore_drill import COMPARED, drill
from template import read

STACK, START = "runeport-test", datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
TABLES = {"AccountsTable": "a-1", "ActivityTable": "b-2", "EphemeralTable": "c-3"}


def row(number, value="x"):
    return {"pk": {"S": f"pk{number}"}, "sk": {"S": "."}, "value": {"S": value}}


class Aws:
    """DynamoDB with three tables, two of which can be restored."""

    def __init__(self):
        keys = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
        index = {"IndexName": "watch", "KeySchema": keys, "Projection": {"ProjectionType": "KEYS_ONLY"}}
        self.tables = {
            table: {
                "rows": [row(number) for number in range(3)],
                "description": {
                    "TableStatus": "ACTIVE",
                    "KeySchema": keys,
                    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
                    "GlobalSecondaryIndexes": [{**index, "IndexStatus": "ACTIVE", "ItemCount": 3}],
                    "DeletionProtectionEnabled": True,
                },
            }
            for table in TABLES.values()
        }
        self.restorable, self.time, self.deleted = {"a-1", "b-2"}, START, []
        # What a restore does to the table, and how long it takes.
        self.change, self.seconds, self.ready = lambda table: None, 95, {}

    def now(self):
        return self.time

    def wait(self, seconds):
        self.time += timedelta(seconds=seconds)

    def __call__(self, service):
        return {"dynamodb": self, "cloudformation": self}[service]

    def get_paginator(self, name):
        assert name == "list_stack_resources"
        return self

    def paginate(self, StackName):
        assert StackName == STACK
        kind = "AWS::DynamoDB::Table"
        tables = [
            {"LogicalResourceId": name, "PhysicalResourceId": table, "ResourceType": kind}
            for name, table in TABLES.items()
        ]
        queue = {"LogicalResourceId": "MailQueue", "ResourceType": "AWS::SQS::Queue"}
        return [{"StackResourceSummaries": [each]} for each in [queue, *tables]]

    def describe_continuous_backups(self, TableName):
        recovery = {"PointInTimeRecoveryStatus": "DISABLED"}
        if TableName in self.restorable:
            latest = self.time - timedelta(seconds=300)
            recovery = {"PointInTimeRecoveryStatus": "ENABLED", "LatestRestorableDateTime": latest}
        return {"ContinuousBackupsDescription": {"PointInTimeRecoveryDescription": recovery}}

    def restore_table_to_point_in_time(self, SourceTableName, TargetTableName, UseLatestRestorableTime):
        assert UseLatestRestorableTime and TargetTableName not in self.tables
        self.tables[TargetTableName] = restored = copy.deepcopy(self.tables[SourceTableName])
        restored["description"] |= {"TableStatus": "CREATING", "DeletionProtectionEnabled": False}
        self.ready[TargetTableName] = self.time + timedelta(seconds=self.seconds)
        self.change(restored)

    def describe_table(self, TableName):
        description = self.tables[TableName]["description"]
        if description["TableStatus"] == "CREATING" and self.time >= self.ready[TableName]:
            description["TableStatus"] = "ACTIVE"
        return {"Table": description}

    def scan(self, TableName, Limit, IndexName=None, ConsistentRead=False):
        assert TableName not in self.ready or self.tables[TableName]["description"]["TableStatus"] == "ACTIVE"
        return {"Items": self.tables[TableName]["rows"][:Limit]}

    def get_item(self, TableName, Key, ConsistentRead):
        found = [each for each in self.tables[TableName]["rows"] if all(each[name] == Key[name] for name in Key)]
        return {"Item": found[0]} if found else {}

    def update_table(self, TableName, DeletionProtectionEnabled):
        self.tables[TableName]["description"]["DeletionProtectionEnabled"] = DeletionProtectionEnabled

    def delete_table(self, TableName):
        description = self.tables[TableName]["description"]
        assert description["TableStatus"] != "CREATING" and not description["DeletionProtectionEnabled"]
        self.deleted.append(TableName)
        del self.tables[TableName]


class Drill(unittest.TestCase):
    def setUp(self):
        self.aws = Aws()

    def drill(self, keep=False):
        self.output = io.StringIO()
        with contextlib.redirect_stdout(self.output):
            drill(STACK, keep, self.aws, self.aws.wait, self.aws.now)
        return self.output.getvalue()

    def refused(self, why):
        with self.assertRaisesRegex(SystemExit, why):
            self.drill()
        # Whatever happens, nothing that costs money is left, and the stack's tables are.
        self.assertEqual(set(self.aws.tables), set(TABLES.values()))

    def test_it_restores_compares_and_deletes(self):
        output = self.drill()
        targets = [f"{table}-drill-20260102030405" for table in ("a-1", "b-2")]
        self.assertEqual(self.aws.deleted, targets)
        self.assertEqual(set(self.aws.tables), set(TABLES.values()))
        self.assertIn(f"AccountsTable: restoring a-1 to {targets[0]}; its data are 300 s old", output)
        self.assertIn("ActivityTable: restored after 100 s", output)
        self.assertIn("of 3 rows, 3 are still the same in b-2", output)
        self.assertIn("2 tables can be restored", output)

    def test_it_may_keep_them(self):
        output = self.drill(keep=True)
        self.assertEqual((len(self.aws.tables), self.aws.deleted), (5, []))
        self.assertIn("Kept, and paid for: b-2-drill-20260102030405", output)

    def test_rows_may_change_in_the_meantime(self):
        def later(_restored):
            self.aws.tables["a-1"]["rows"][:2] = [row(0, "changed")]

        self.aws.change = later
        self.aws.restorable = {"a-1"}
        self.assertIn("of 3 rows, 1 are still the same in a-1", self.drill())

    def test_faults_are_named(self):
        for why, change in [
            ("GlobalSecondaryIndexes differs", lambda table: table["description"].pop("GlobalSecondaryIndexes")),
            ("KeySchema differs", lambda table: table["description"]["KeySchema"].pop()),
            ("AttributeDefinitions differs", lambda table: table["description"]["AttributeDefinitions"].pop()),
            ("it has no rows", lambda table: table["rows"].clear()),
            ("none of 1 rows is as in the original", lambda table: table.update(rows=[row(9)])),
        ]:
            self.aws = Aws()
            self.aws.change = change
            self.refused(f"AccountsTable: {why}")

    def test_a_restore_that_fails(self):
        self.aws.change = lambda table: table["description"].update(TableStatus="ARCHIVED")
        self.refused("AccountsTable: a-1-drill-20260102030405 is ARCHIVED")

    def test_an_interruption_leaves_nothing(self):
        class Stop(Exception):
            pass

        def stop(**_arguments):
            raise Stop

        for call in ("scan", "get_item"):
            self.aws = Aws()
            setattr(self.aws, call, stop)
            with self.assertRaises(Stop):
                self.drill()
            self.assertEqual(len(self.aws.deleted), 2, call)
            self.assertEqual(set(self.aws.tables), set(TABLES.values()))

    def test_protection_is_removed_before_the_end(self):
        self.aws.change = lambda table: table["description"].update(DeletionProtectionEnabled=True)
        self.drill()
        self.assertEqual(set(self.aws.tables), set(TABLES.values()))

    def test_without_recovery_it_refuses(self):
        self.aws.restorable = set()
        self.refused("no table of runeport-test has point-in-time recovery")

    def test_only_a_sample_is_compared(self):
        for table in self.aws.tables.values():
            table["rows"] = [row(number) for number in range(COMPARED + 5)]
        self.assertIn(f"of {COMPARED} rows", self.drill())

    def test_the_tables_of_the_template_that_can_be_restored(self):
        recovery = {
            name: "PointInTimeRecoverySpecification" in each["Properties"]
            for name, each in read()["Resources"].items()
            if each["Type"] == "AWS::DynamoDB::Table"
        }
        self.assertEqual(recovery, {"AccountsTable": True, "ActivityTable": True, "EphemeralTable": False})


if __name__ == "__main__":
    unittest.main()
