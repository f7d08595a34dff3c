import contextlib
import copy
import io
import unittest
from datetime import datetime, timedelta, timezone

from restore_drill import COMPARED, drill
from template import read

SECOND = "runeport-second"
STACK, START = "runeport-test", datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)
TABLES = {"AccountsTable": "a-1", "ActivityTable": "b-2", "EphemeralTable": "c-3"}
THEIRS = {"AccountsTable": "x-1", "ActivityTable": "y-2", "EphemeralTable": "z-3"}
FUNCTIONS = {"AuthFunction": "auth", "ChainWatcherFunction": "watcher"}


def row(number, value="x"):
    return {"pk": {"S": f"pk{number}"}, "sk": {"S": "."}, "value": {"S": value}}


class Missing(Exception):
    pass


class NotYet(Exception):
    pass


class Aws:
    """DynamoDB with three tables, two of which can be restored, of one stack and of a second one."""

    class exceptions:
        ResourceNotFoundException = Missing
        ContinuousBackupsUnavailableException = NotYet

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
            for table in [*TABLES.values(), *THEIRS.values()]
        }
        for table in THEIRS.values():
            self.tables[table]["rows"] = []
        self.restorable, self.time, self.deleted = {"a-1", "b-2", "x-1", "y-2"}, START, []
        self.stopped, self.expiring = [], {"a-1"}
        self.stacks = {STACK: TABLES, SECOND: THEIRS}
        # The scan before which somebody writes a row, and how often backups are not possible yet.
        self.scans, self.written_at, self.not_yet = 0, None, 2
        # What a restore does to the table, and how long it takes.
        self.change, self.seconds, self.ready = lambda table: None, 95, {}

    def now(self):
        return self.time

    def wait(self, seconds):
        self.time += timedelta(seconds=seconds)

    def __call__(self, service):
        return {"dynamodb": self, "cloudformation": self, "lambda": self}[service]

    def get_paginator(self, name):
        assert name in ("list_stack_resources", "scan")
        return self

    def paginate(self, StackName=None, TableName=None, ConsistentRead=False):
        if TableName:
            assert ConsistentRead
            self.scans += 1
            if self.scans == self.written_at:
                self.tables[TableName]["rows"].append(row(7))
            return [{"Items": [each]} for each in self.tables[TableName]["rows"]]
        tables = self.stacks[StackName]
        found = [
            {"LogicalResourceId": name, "PhysicalResourceId": each, "ResourceType": kind}
            for kind, all_of_it in (("AWS::DynamoDB::Table", tables), ("AWS::Lambda::Function", FUNCTIONS))
            for name, each in all_of_it.items()
        ]
        queue = {"LogicalResourceId": "MailQueue", "ResourceType": "AWS::SQS::Queue"}
        return [{"StackResourceSummaries": [each]} for each in [queue, *found]]

    def put_function_concurrency(self, FunctionName, ReservedConcurrentExecutions):
        assert ReservedConcurrentExecutions == 0
        self.stopped.append(FunctionName)

    def describe_time_to_live(self, TableName):
        is_on = TableName in self.expiring
        shown = {"TimeToLiveStatus": "ENABLED", "AttributeName": "expiresAt"} if is_on else {"TimeToLiveStatus": "DISABLED"}
        return {"TimeToLiveDescription": shown}

    def update_time_to_live(self, TableName, TimeToLiveSpecification):
        assert TimeToLiveSpecification == {"AttributeName": "expiresAt", "Enabled": True}
        self.expiring.add(TableName)

    def update_continuous_backups(self, TableName, PointInTimeRecoverySpecification):
        assert PointInTimeRecoverySpecification == {"PointInTimeRecoveryEnabled": True}
        assert self.tables[TableName]["description"]["DeletionProtectionEnabled"]
        if self.not_yet:
            self.not_yet -= 1
            raise NotYet
        self.restorable.add(TableName)

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
        if TableName not in self.tables:
            raise Missing
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
        self.restorable.discard(TableName)
        del self.tables[TableName]


ALL_TABLES = {*TABLES.values(), *THEIRS.values()}


class Drill(unittest.TestCase):
    def setUp(self):
        self.aws = Aws()

    def drill(self, keep=False, second=None):
        self.output = io.StringIO()
        with contextlib.redirect_stdout(self.output):
            drill(STACK, keep, second, self.aws, self.aws.wait, self.aws.now)
        return self.output.getvalue()

    def refused(self, why):
        with self.assertRaisesRegex(SystemExit, why):
            self.drill()
        # Whatever happens, nothing that costs money is left, and the stack's tables are.
        self.assertEqual(set(self.aws.tables), ALL_TABLES)

    def test_it_restores_compares_and_deletes(self):
        output = self.drill()
        targets = [f"{table}-drill-20260102030405" for table in ("a-1", "b-2")]
        self.assertEqual(self.aws.deleted, targets)
        self.assertEqual(set(self.aws.tables), ALL_TABLES)
        self.assertIn(f"AccountsTable: restoring a-1 to {targets[0]}; its data are 300 s old", output)
        self.assertIn("ActivityTable: restored after 100 s", output)
        self.assertIn("of 3 rows, 3 are still the same in b-2", output)
        self.assertIn("2 tables can be restored", output)

    def test_it_may_keep_them(self):
        output = self.drill(keep=True)
        self.assertEqual((len(self.aws.tables), self.aws.deleted), (8, []))
        self.assertIn("Kept, and paid for: b-2-drill-20260102030405", output)

    def test_it_restores_into_a_second_stack(self):
        watched = [{"pk": {"S": pk}, "sk": {"S": "."}} for pk in ("chain", "feeRate")]
        self.aws.tables["y-2"]["rows"] = watched
        output = self.drill(second=SECOND)
        self.assertEqual(self.aws.stopped, ["auth", "watcher"])
        self.assertEqual((set(self.aws.tables), self.aws.deleted), (ALL_TABLES, ["x-1", "y-2"]))
        for table in ("x-1", "y-2"):
            self.assertEqual(self.aws.tables[table]["rows"], [row(number) for number in range(3)])
            self.assertTrue(self.aws.tables[table]["description"]["DeletionProtectionEnabled"])
            self.assertIn(table, self.aws.restorable)
        self.assertEqual(self.aws.expiring, {"a-1", "x-1"})
        self.assertEqual(self.aws.tables["z-3"]["rows"], [])
        self.assertIn("AccountsTable: restoring a-1 to x-1; its data are 300 s old", output)
        self.assertIn("runeport-second: has the rows of runeport-test, and its functions are stopped", output)

    def test_only_a_new_second_stack_takes_the_rows(self):
        self.aws.tables["y-2"]["rows"] = [row(1)]
        for second, why in [(SECOND, "y-2 has rows"), (STACK, "runeport-test is not a second stack")]:
            with self.assertRaisesRegex(SystemExit, why):
                self.drill(second=second)
        self.assertEqual(self.aws.stopped, [])
        # Their names differ only as texts.
        the_same = f"arn:aws:cloudformation:eu-central-1:1:stack/{STACK}/1"
        self.aws.stacks[the_same] = TABLES
        with self.assertRaisesRegex(SystemExit, "is not a second stack"):
            self.drill(second=the_same)
        # Somebody uses it while its functions end.
        self.aws.tables["y-2"]["rows"], self.aws.scans, self.aws.written_at = [], 0, 3
        with self.assertRaisesRegex(SystemExit, "x-1 has rows"):
            self.drill(second=SECOND)
        self.aws.stopped, self.aws.written_at, self.aws.tables["x-1"]["rows"] = [], None, []
        self.aws.restorable = {"a-1", "b-2", "x-1"}
        with self.assertRaisesRegex(SystemExit, "runeport-second is not a second stack with the tables"):
            self.drill(second=SECOND)
        self.assertEqual((set(self.aws.tables), self.aws.deleted, self.aws.stopped), (ALL_TABLES, [], []))

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
            self.assertEqual(set(self.aws.tables), ALL_TABLES)

    def test_protection_is_removed_before_the_end(self):
        self.aws.change = lambda table: table["description"].update(DeletionProtectionEnabled=True)
        self.drill()
        self.assertEqual(set(self.aws.tables), ALL_TABLES)

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
