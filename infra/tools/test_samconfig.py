"""What samconfig.toml must say before an environment is deployed, and that it deploys on a new account."""

import copy
import re
import unittest

from samconfig import ENVIRONMENTS, OF_PIPELINE, OF_PROD, faults, needed, outpaced, plan, settings, unfilled
from template import read, workers_at_once

TEMPLATE = read()
PARAMETERS = TEMPLATE["Parameters"]
CONFIG = settings()
# The concurrency of a new account.
NEW_ACCOUNT = 10


def values(config, environment):
    return config[environment]["deploy"]["parameters"]["parameter_overrides"]


class Samconfig(unittest.TestCase):
    def test_the_file_has_no_fault(self):
        for environment in ENVIRONMENTS:
            self.assertEqual(faults(CONFIG, PARAMETERS, environment), [], environment)

    def test_each_missing_line_and_value_is_named(self):
        for environment in ENVIRONMENTS:
            names = needed(PARAMETERS, environment)
            self.assertEqual(set(OF_PROD) <= set(names), environment == "prod")
            for name in names:
                config = copy.deepcopy(CONFIG)
                values(config, environment).update(dict.fromkeys(names, "x"))
                self.assertEqual(unfilled(config, PARAMETERS, environment, "arm64"), [])
                values(config, environment)[name] = ""
                self.assertEqual(unfilled(config, PARAMETERS, environment, "arm64"), [f"fill in {name}"])
                del values(config, environment)[name]
                self.assertEqual(faults(config, PARAMETERS, environment), [f"missing lines for {name}"])

    def test_other_faults(self):
        config = copy.deepcopy(CONFIG)
        values(config, "dev")["Colour"] = "red"
        config["staging"]["deploy"]["parameters"]["tags"] = "stack=other"
        self.assertEqual(faults(config, PARAMETERS, "dev"), ["template.yaml has no parameter Colour"])
        self.assertEqual(len(faults(config, PARAMETERS, "staging")), 1)
        values(config, "prod").update(dict.fromkeys(needed(PARAMETERS, "prod"), "x"))
        self.assertEqual(unfilled(config, PARAMETERS, "prod", "x86_64"), ["Architecture is arm64, but ARCH is x86_64"])

    def test_rates_of_routes_fit_that_of_all_others(self):
        for environment in ENVIRONMENTS:
            self.assertEqual(outpaced(CONFIG, TEMPLATE, environment), [], environment)
        for environment, name, value, key in [
            ("dev", "RouteRates", "full", "ANY /api/xchain/{proxy+}"),
            ("dev", "RequestsPerSecond", "19", "ANY /api/vm-transactions"),
            ("prod", "RequestsPerSecond", "119", "ANY /api/vm-transactions"),
        ]:
            config = copy.deepcopy(CONFIG)
            values(config, environment)[name] = value
            (said,) = outpaced(config, TEMPLATE, environment)
            self.assertIn(key, said)
            self.assertIn("set RouteRates to low", said)

    def test_the_pipeline_needs_the_boundary_that_its_roles_ask_for(self):
        config = copy.deepcopy(CONFIG)
        values(config, "dev").update(dict.fromkeys(needed(PARAMETERS, "dev"), "x"))
        said = plan(config, PARAMETERS, "arm64")["environments"]["dev"]["unfilled"]
        self.assertEqual(said, "fill in PermissionsBoundary, an output of infra/pipeline.yaml")
        self.assertEqual(unfilled(config, PARAMETERS, "dev", "arm64"), [])
        values(config, "dev").update(dict.fromkeys(OF_PIPELINE, "x"))
        self.assertEqual(plan(config, PARAMETERS, "arm64")["environments"]["dev"]["unfilled"], "")

    def test_cloudformation_refuses_what_is_empty_too(self):
        """The parameters' patterns stop an operator who deploys with SAM only. An empty address for alarms
        would reach no person."""
        for environment in ENVIRONMENTS:
            for name in needed(PARAMETERS, environment):
                parameter = PARAMETERS[name]
                refused = "" not in parameter.get("AllowedValues", [""]) or not re.search(parameter.get("AllowedPattern", ""), "")
                self.assertTrue(refused or name == "AlarmEmail", name)

    def test_each_value_is_one_that_its_parameter_takes(self):
        """CloudFormation would refuse it after the build."""
        for environment in ENVIRONMENTS:
            for name, value in values(CONFIG, environment).items():
                if value == "" and name in needed(PARAMETERS, environment):
                    continue
                parameter = PARAMETERS[name]
                self.assertIn(value, map(str, parameter.get("AllowedValues", [value])), f"{environment}: {name}")
                self.assertTrue(re.search(parameter.get("AllowedPattern", ""), value), f"{environment}: {name}")

    def test_its_values_deploy_on_a_new_account(self):
        """No distribution before AWS Support has verified the account, nothing reserved of the little concurrency that there is,
        and workers of queues that leave at least half of it to the others, whatever the receivers of webhooks do."""
        for environment in ENVIRONMENTS:
            given = values(CONFIG, environment)

            def value(name):
                return given.get(name, PARAMETERS[name]["Default"])

            self.assertEqual(value("ServeMedia"), "no", environment)
            if environment == "prod":
                continue
            self.assertEqual(value("ReserveConcurrency"), "no")
            at_once = workers_at_once(TEMPLATE, value)
            self.assertGreaterEqual(len(at_once), 6)
            # Two is the least that SQS accepts.
            self.assertLessEqual(sum(at_once), max(NEW_ACCOUNT // 2, 2 * len(at_once)), environment)


if __name__ == "__main__":
    unittest.main()
