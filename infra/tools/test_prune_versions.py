import contextlib
import io
import unittest

from prune_versions import KEPT, prune, unneeded

STACK = "runeport-test"
AUTH, MAIL = f"{STACK}-AuthFunction-1X", f"{STACK}-MailWorkerFunction-2Y"
# Another function, whose name ends like one of the stack's.
OTHER = f"other-{AUTH}"


def listed(*numbers):
    """As Lambda lists versions: by text, with $LATEST."""
    return [{"Version": text, "CodeSize": 1_000_000} for text in ["$LATEST", *sorted(map(str, numbers))]]


def numbers(versions):
    return [int(version["Version"]) for version in versions]


class Unneeded(unittest.TestCase):
    def test_the_newest_versions_are_kept_by_number_and_not_by_text(self):
        self.assertEqual(KEPT, 5)
        self.assertEqual(numbers(unneeded(listed(*range(1, 13)), [], [])), [1, 2, 3, 4, 5, 6, 7])
        self.assertEqual(unneeded(listed(8, 9, 10, 11, 12), [], []), [])
        self.assertEqual(unneeded(listed(), [], []), [])

    def test_a_version_of_an_alias_is_kept(self):
        aliases = [{"FunctionVersion": "2"}, {"FunctionVersion": "$LATEST", "RoutingConfig": None}]
        self.assertEqual(numbers(unneeded(listed(*range(1, 9)), aliases, [])), [1, 3])

    def test_both_versions_of_a_deployment_are_kept(self):
        alias = {"FunctionVersion": "1", "RoutingConfig": {"AdditionalVersionWeights": {"3": 0.1}}}
        self.assertEqual(numbers(unneeded(listed(*range(1, 9)), [alias], [])), [2])

    def test_a_version_of_the_stack_is_kept(self):
        self.assertEqual(numbers(unneeded(listed(*range(1, 9)), [], ["2"])), [1, 3])


class Prune(unittest.TestCase):
    def setUp(self):
        self.status, self.deleted = "UPDATE_COMPLETE", []

    def aws(self, service, action, _option, name, *qualifier):
        if action == "delete-function":
            # Without a qualifier, Lambda would delete the function.
            option, number = qualifier
            self.assertEqual(option, "--qualifier")
            self.deleted.append((name, number))
            return None
        self.assertEqual(qualifier, ())
        arn = "arn:aws:lambda:us-east-1:123456789012:function"
        return {
            "describe-stacks": lambda: {"Stacks": [{"StackStatus": self.status}]},
            "list-stack-resources": lambda: {
                "StackResourceSummaries": [
                    {"ResourceType": "AWS::Lambda::Function", "PhysicalResourceId": MAIL},
                    {"ResourceType": "AWS::Lambda::Function", "PhysicalResourceId": AUTH},
                    {"ResourceType": "AWS::Lambda::Version", "PhysicalResourceId": f"{arn}:{AUTH}:3"},
                    {"ResourceType": "AWS::Lambda::Version", "PhysicalResourceId": f"{arn}:{OTHER}:1"},
                    {"ResourceType": "AWS::SQS::Queue", "PhysicalResourceId": "queue"},
                    {"ResourceType": "AWS::Lambda::Version"},
                ]
            },
            "list-versions-by-function": lambda: {"Versions": listed(*range(1, 10 if name == AUTH else 8))},
            "list-aliases": lambda: {"Aliases": [{"FunctionVersion": "2" if name == AUTH else "7"}]},
        }[action]()

    def prune(self, delete):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            prune(STACK, delete, self.aws)
        return output.getvalue()

    def test_without_delete_it_only_lists(self):
        output = self.prune(False)
        self.assertEqual(self.deleted, [])
        self.assertIn(f"{AUTH}: version 4 can be deleted", output)
        self.assertIn("to delete: 4, with 4.0 MB of code", output)
        self.assertIn("DELETE=yes", output)

    def test_with_delete_it_deletes_what_it_listed_and_nothing_else(self):
        output = self.prune(True)
        self.assertEqual(self.deleted, [(AUTH, "1"), (AUTH, "4"), (MAIL, "1"), (MAIL, "2")])
        self.assertIn("deleted: 4, with 4.0 MB of code", output)
        self.assertNotIn("DELETE=yes", output)

    def test_during_a_deployment_it_refuses(self):
        for self.status in ("UPDATE_IN_PROGRESS", "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS"):
            with self.assertRaisesRegex(SystemExit, self.status):
                self.prune(True)
        self.assertEqual(self.deleted, [])


if __name__ == "__main__":
    unittest.main()
