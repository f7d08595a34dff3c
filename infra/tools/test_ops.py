"""What an operator's command is given of a stack."""

import re
import unittest
from types import SimpleNamespace

from ops import OF_PARAMETERS, credentials, ops, variables
from template import ROOT, read

TEMPLATE = read()
STACK = {
    "Outputs": [
        {"OutputKey": "AccountsTable", "Description": "ACCOUNTS_TABLE", "OutputValue": "runeport-dev-accounts"},
        {"OutputKey": "ApiUrl", "Description": "Base URL of the API", "OutputValue": "https://api.example"},
        {"OutputKey": "Bare", "OutputValue": "x"},
    ],
    "Parameters": [
        {"ParameterKey": "BitcoinNetwork", "ParameterValue": "testnet4"},
        {"ParameterKey": "OrdUrl", "ParameterValue": "ssm:/runeport/runeport-dev/ord-url"},
        {"ParameterKey": "LogLevel", "ParameterValue": "info"},
    ],
}
OF_STACK = {
    "ACCOUNTS_TABLE": "runeport-dev-accounts", "BITCOIN_NETWORK": "testnet4", "ORD_URL": "ssm:/runeport/runeport-dev/ord-url"
}


def session(token=None, region="eu-central-1", keys=True):
    frozen = SimpleNamespace(access_key="id", secret_key="secret", token=token)
    given = SimpleNamespace(get_frozen_credentials=lambda: frozen) if keys else None
    client = SimpleNamespace(describe_stacks=lambda StackName: {"Stacks": [STACK | {"StackName": StackName}]})
    return SimpleNamespace(get_credentials=lambda: given, region_name=region, client=lambda _service: client)


class Ops(unittest.TestCase):
    def test_outputs_and_parameters_become_variables(self):
        self.assertEqual(variables(STACK), OF_STACK)

    def test_what_is_named_already_stays_but_the_identity_is_one(self):
        started = []
        environment = {"PATH": "/bin", "ACCOUNTS_TABLE": "restored", "AWS_SESSION_TOKEN": "of another", "AWS_ACCESS_KEY_ID": "other"}
        ops("runeport-dev", ["cargo", "run"], session(), environment, lambda *given: started.append(given))
        ((program, command, known),) = started
        self.assertEqual((program, command), ("cargo", ["cargo", "run"]))
        self.assertEqual(known, OF_STACK | {
            "PATH": "/bin", "ACCOUNTS_TABLE": "restored", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_REGION": "eu-central-1",
        })
        self.assertEqual(credentials(session("token"))["AWS_SESSION_TOKEN"], "token")

    def test_what_is_missing_is_named(self):
        for given, why in ((session(keys=False), "AWS_PROFILE"), (session(region=None), "AWS_REGION")):
            with self.assertRaises(SystemExit) as raised:
                credentials(given)
            self.assertIn(why, str(raised.exception))

    def test_every_variable_of_the_commands_is_described_by_the_stack(self):
        page = (ROOT / "docs/operations/commands.md").read_text()
        needed = {name for name in re.findall(r"`([A-Z_]+)`", page) if "_" in name and not name.startswith("AWS_")}
        described = {each["Description"] for each in TEMPLATE["Outputs"].values()} | set(OF_PARAMETERS.values())
        self.assertIn("MEDIA_BUCKET", needed)
        self.assertLessEqual(needed, described)
        self.assertLessEqual(set(OF_PARAMETERS), set(TEMPLATE["Parameters"]))


if __name__ == "__main__":
    unittest.main()
