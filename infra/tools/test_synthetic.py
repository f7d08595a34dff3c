"""Checks infra/synthetic.yaml, and what `make synthetic` asks for. infra/local/tests/browser.rs runs the check itself."""

import base64
import unittest

from synthetic import TEMPLATE, parameters_of, synthetic
from template import parse
from test_edge import Account

TOPIC = "arn:aws:sns:eu-central-1:123456789012:topic"
KEY = "/runeport/runeport-dev/synthetic-key"


def stack(domain=""):
    return {
        "StackName": "runeport-dev",
        "Parameters": [{"ParameterKey": "DomainName", "ParameterValue": domain}],
        "Outputs": [{"OutputKey": "ApiUrl", "OutputValue": "https://1.execute-api.example"},
                    {"OutputKey": "AlarmTopic", "OutputValue": TOPIC}],
    }


class Synthetic(unittest.TestCase):
    def test_the_address_is_the_one_that_users_call(self):
        for url, domain, expected in [
            ("", "", "https://1.execute-api.example"),
            ("", "api.example.com", "https://api.example.com"),
            ("https://other.example/", "api.example.com", "https://other.example"),
        ]:
            self.assertEqual(parameters_of(stack(domain), url), {"Url": expected, "AlarmTopic": TOPIC, "Key": KEY})

    def test_the_key_is_made_once(self):
        account = Account(parameter=KEY)
        account.stack, account.checked = stack(), False
        synthetic("runeport-dev", "", account.client)
        first = account.kept
        self.assertEqual(len(base64.b64decode(first, validate=True)), 32)
        synthetic("runeport-dev", "", account.client)
        self.assertEqual((account.kept, len(account.deployed)), (first, 1))
        self.assertEqual(account.stacks, {"runeport-dev-synthetic"})


class Template(unittest.TestCase):
    READ = parse(TEMPLATE.read_text())["Resources"]

    def test_the_check_may_read_its_key_alone(self):
        [policy] = self.READ["Role"]["Properties"]["Policies"]
        statements = {each["Sid"]: each for each in policy["PolicyDocument"]["Statement"]}
        self.assertEqual(sorted(statements), ["Key", "Log"])
        self.assertEqual(statements["Key"]["Action"], "ssm:GetParameter")
        self.assertTrue(statements["Key"]["Resource"]["Fn::Sub"].endswith(":parameter${Key}"))

    def test_a_check_that_does_not_run_raises_the_alarm(self):
        alarm = self.READ["SyntheticCheckFailing"]["Properties"]
        self.assertEqual(alarm["TreatMissingData"], "breaching")
        self.assertEqual(alarm["AlarmActions"], [{"Ref": "AlarmTopic"}])
        metrics = {each["Id"]: each for each in alarm["Metrics"]}
        self.assertEqual(metrics["runs"]["MetricStat"]["Metric"]["MetricName"], "Invocations")
        self.assertEqual(metrics["errors"]["MetricStat"]["Metric"]["MetricName"], "Errors")
        [target] = self.READ["EveryFiveMinutes"]["Properties"]["Targets"]
        self.assertEqual(target["Arn"], {"Fn::GetAtt": ["Check", "Arn"]})

    def test_its_code_fits_into_the_template(self):
        self.assertLess(len(self.READ["Check"]["Properties"]["Code"]["ZipFile"]), 4096)


if __name__ == "__main__":
    unittest.main()
