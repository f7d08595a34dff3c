"""Checks what `make deploy-local` records of the calls of functions."""

import json
import unittest

from deploy_local_touched import RECORD, UNTOUCHED, certain, compare

UNTOUCHED_HERE = {
    "One": {
        "dynamodb:PutItem": {
            "Table": {
                "limit#*": "A window begins by a put; in a journey that is chance.",
                "sweep#*": "The journeys order no clean-up of a pool.",
            },
        },
        "sqs:SendMessage": {"Queue": {"": "In a journey it is chance whether somebody waits."}},
    },
}


class Record(unittest.TestCase):
    def kept(self, action, name, *keys, function="One"):
        return certain({function: {action: {name: list(keys)}}}, UNTOUCHED_HERE)

    def test_calls_by_chance_are_left_out(self):
        self.assertEqual(self.kept("dynamodb:PutItem", "Table", "limit#*"), {})
        self.assertEqual(self.kept("dynamodb:PutItem", "Table", "limit#account#*"), {})
        self.assertEqual(self.kept("sqs:SendMessage", "Queue"), {})

    def test_all_others_are_kept(self):
        for action, name, keys, function in [
            # An exception that is used after all is one no longer, which the test of the template says.
            ("dynamodb:PutItem", "Table", ["sweep#*"], "One"),
            ("dynamodb:PutItem", "Table", ["other#*"], "One"),
            # One statement has to allow both.
            ("dynamodb:PutItem", "Table", ["limit#* other#*"], "One"),
            ("dynamodb:PutItem", "Table", [], "One"),
            ("dynamodb:PutItem", "Other", ["limit#*"], "One"),
            ("dynamodb:UpdateItem", "Table", ["limit#*"], "One"),
            ("dynamodb:PutItem", "Table", ["limit#*"], "Two"),
            ("sqs:SendMessage", "Other", [], "One"),
        ]:
            with self.subTest(f"{function}: {action} on {name} {keys}"):
                self.assertEqual(self.kept(action, name, *keys, function=function), {function: {action: {name: keys}}})
        self.assertEqual(
            self.kept("dynamodb:PutItem", "Table", "limit#*", "other#*"), {"One": {"dynamodb:PutItem": {"Table": ["other#*"]}}}
        )

    def test_the_record_has_nothing_that_is_chance(self):
        record = json.loads(RECORD.read_text())
        self.assertEqual(certain(record, json.loads(UNTOUCHED.read_text())), record)

    def test_each_difference_is_named(self):
        record = json.loads(RECORD.read_text())
        self.assertEqual(compare(record), [])
        del record["RefundFunction"]["kms:Sign"]["CosigningKey"]
        record["RefundFunction"]["dynamodb:Query"]["ActivityTable"].append("mint#*")
        self.assertEqual(
            compare(record),
            [
                "no longer touched: RefundFunction kms:Sign CosigningKey ",
                "touched but not in the record: RefundFunction dynamodb:Query ActivityTable mint#*",
            ],
        )


if __name__ == "__main__":
    unittest.main()
