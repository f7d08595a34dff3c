"""Which functions get a new version when a text of template.yaml or a value of samconfig.toml changes."""

import copy
import unittest

from release import environments, parameters_of, release
from template import functions, read

TEMPLATE = read()
VALUES = environments()


def releases(template=TEMPLATE, values=VALUES, text=""):
    return {name: release(template, values, name, text) for name in functions(template)}


BEFORE = releases()


class Releases(unittest.TestCase):
    def changed(self, template=TEMPLATE, values=VALUES, text=""):
        return {name for name, one in releases(template, values, text).items() if one != BEFORE[name]}

    def value(self, environment, parameter, value):
        values = copy.deepcopy(VALUES)
        values[environment][parameter] = value
        return self.changed(values=values)

    def template(self, change):
        template = copy.deepcopy(TEMPLATE)
        change(template)
        self.assertNotEqual(template, TEMPLATE)
        return self.changed(template)

    def test_a_value_concerns_the_functions_that_have_it(self):
        for environment in range(3):
            self.assertEqual(self.value(environment, "MailFrom", "a@b.example"), {"MailWorkerFunction"})
        self.assertEqual(self.value(0, "HubUrl", "https://hub.example"), {"XchainFunction", "ChainWatcherFunction"})
        venue = self.value(0, "PerpVenueBuilder", "0x00")
        self.assertEqual(venue, {"PerpVenueFunction"})

    def test_a_value_that_a_condition_asks_for_does_too(self):
        self.assertEqual(self.value(0, "ServeMedia", "yes"), {"AuthFunction", "MediasFunction"})
        self.assertIn("AdotLayerArn", parameters_of(TEMPLATE, TEMPLATE["Globals"]["Function"]))

    def test_a_value_of_all_functions_concerns_all(self):
        for parameter in ("LogLevel", "MemorySize", "Architecture"):
            self.assertEqual(self.value(2, parameter, "other"), set(BEFORE), parameter)

    def test_a_value_of_no_function_concerns_none(self):
        for parameter in ("AlarmEmail", "RequestsPerSecond", "MonthlyBudget", "DeploymentPreference", "LogRetentionDays", "AccessLogRetentionDays"):
            self.assertEqual(self.value(1, parameter, "other"), set(), parameter)

    def test_a_default_is_a_value(self):
        def other(template):
            template["Parameters"]["MailsAtOnce"]["Default"] = 7
            template["Parameters"]["ReauthWindow"]["Default"] = 1000

        self.assertEqual(self.template(other), {"AccountFunction"})

    def test_a_setting_concerns_its_function(self):
        def slower(template):
            functions(template)["RefundFunction"]["Timeout"] = 24

        self.assertEqual(self.template(slower), {"RefundFunction"})

    def test_rights_alarms_and_sources_of_events_need_no_version(self):
        def other(template):
            of = functions(template)["MailWorkerFunction"]
            of["Policies"][0]["Statement"].pop(0)
            of["DeploymentPreference"]["Type"] = "AllAtOnce"
            of["Events"]["Mails"]["Properties"]["BatchSize"] = 1
            template["Resources"]["MailWorkerFailing"]["Properties"]["Threshold"] = 2

        self.assertEqual(self.template(other), set())

    def test_a_text_makes_another_version_of_each(self):
        self.assertEqual(self.changed(text="again"), set(BEFORE))
        self.assertEqual(releases(text="again"), releases(text="again"))

    def test_no_two_functions_share_a_hash(self):
        self.assertEqual(len(set(BEFORE.values())), 18)


if __name__ == "__main__":
    unittest.main()
