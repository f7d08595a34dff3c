"""Checks what `make prove-aws` reads of a stack. infra/local/tests/browser.rs runs the script itself."""

import unittest
from pathlib import Path

from prove_aws import NETWORKS, prove
from template import read

STACK = {
    "StackName": "runeport-dev",
    "StackStatus": "UPDATE_COMPLETE",
    "Outputs": [
        {"OutputKey": "AlarmTopic", "OutputValue": "arn"},
        {"OutputKey": "ApiUrl", "OutputValue": "https://api.example/"},
    ],
    "Parameters": [
        {"ParameterKey": "BitcoinNetwork", "ParameterValue": "testnet4"},
        {"ParameterKey": "SignInMessage", "ParameterValue": "Sign in (dev): {timestamp}"},
    ],
}


class Prove(unittest.TestCase):
    def test_the_script_gets_the_address_and_the_network_of_the_stack(self):
        asked, ran = [], []

        def aws(*arguments):
            asked.append(arguments)
            return {"Stacks": [STACK]}

        def run(command, env):
            ran.append((command, env))
            return 1

        self.assertEqual(prove("runeport-dev", "/key", "", aws, run), 1)
        self.assertEqual(asked, [("cloudformation", "describe-stacks", "--stack-name", "runeport-dev")])
        [([node, script], environment)] = ran
        self.assertEqual((node, Path(script).exists()), ("node", True))
        expected = {
            "BASE": "https://api.example", "NETWORK": "testnet", "SIGN_IN_MESSAGE": "Sign in (dev): {timestamp}",
            "KEY": "/key",
        }
        self.assertEqual({name: environment[name] for name in expected}, expected)

    def test_an_api_behind_cloudfront_has_another_address(self):
        bases = []

        def run(_command, env):
            bases.append(env["BASE"])

        prove("runeport-dev", "/key", "https://api.example.com/", lambda *_: {"Stacks": [STACK]}, run)
        self.assertEqual(bases, ["https://api.example.com"])

    def test_a_stack_that_is_being_changed_is_not_asked(self):
        changing = {**STACK, "StackStatus": "UPDATE_IN_PROGRESS"}
        with self.assertRaisesRegex(SystemExit, "runeport-dev is UPDATE_IN_PROGRESS"):
            prove("runeport-dev", "/key", "", lambda *_: {"Stacks": [changing]}, None)

    def test_every_network_of_the_template_has_a_name(self):
        self.assertEqual(sorted(NETWORKS), sorted(read()["Parameters"]["BitcoinNetwork"]["AllowedValues"]))


if __name__ == "__main__":
    unittest.main()
