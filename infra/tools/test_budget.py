"""Runs the alarms on the error budget of the API in template.yaml against minutes of made-up traffic."""

import re
import unittest

from template import read

RESOURCES = {name: resource.get("Properties", {}) for name, resource in read()["Resources"].items()}
# Percent of the requests that the objective, 99.9% in 30 days, lets fail.
ALLOWED, MONTH = 0.1, 30 * 24 * 3600
EXPRESSION = re.compile(r"IF\(FILL\(errors, 0\) >= (\d+), 100 \* errors / requests, 0\)")
FAST, SLOW = "ApiBudgetBurnsFast", "ApiBudgetBurnsSlowly"
PARTS = {
    name: re.fullmatch(r'ALARM\("\$\{(\w+)\}"\) AND ALARM\("\$\{(\w+)\}"\)', RESOURCES[name]["AlarmRule"]["Fn::Sub"]).groups()
    for name in (FAST, SLOW)
}


class Window:
    """An alarm on one window, as CloudWatch evaluates it each minute."""

    def __init__(self, name):
        alarm = RESOURCES[name]
        rate, errors, requests = alarm["Metrics"]
        self.least = int(EXPRESSION.fullmatch(rate["Expression"])[1])
        self.seconds = errors["MetricStat"]["Period"]
        assert requests["MetricStat"]["Period"] == self.seconds
        assert (alarm["EvaluationPeriods"], alarm["ComparisonOperator"]) == (1, "GreaterThanOrEqualToThreshold")
        self.percent = alarm["Threshold"]

    def is_on(self, minutes):
        minutes = minutes[-self.seconds // 60 :]
        requests, errors = (sum(values) for values in zip(*minutes))
        return errors >= self.least and 100 * errors / requests >= self.percent


WINDOWS = {name: Window(name) for parts in PARTS.values() for name in parts}


def first_and_last(name, minutes):
    """The first and the last minute, from 1, at which an alarm is on, or None."""
    windows = [WINDOWS[part] for part in PARTS[name]]
    on = [
        minute
        for minute in range(1, len(minutes) + 1)
        if all(window.is_on(minutes[:minute][-360:]) for window in windows)
    ]
    return (on[0], on[-1]) if on else None


def traffic(*parts):
    """Minutes of requests and errors: how many minutes, requests a minute, and errors among them."""
    return [(requests, errors) for minutes, requests, errors in parts for _minute in range(minutes)]


DAY = (360, 1000, 0)


class Budget(unittest.TestCase):
    def test_what_an_alarm_has_used_up_when_it_goes_off(self):
        """At a steady rate of failures that just reaches the threshold, for as long as the long window."""
        for name, share in [(FAST, 0.02), (SLOW, 0.05)]:
            long, short = sorted((WINDOWS[part] for part in PARTS[name]), key=lambda window: -window.seconds)
            self.assertEqual(long.percent, short.percent)
            self.assertAlmostEqual(long.percent / ALLOWED * long.seconds / MONTH, share)
            # After the failures, the alarm goes on for a twelfth of it at most.
            self.assertEqual(short.seconds * 12, long.seconds)

    def test_an_outage_is_reported_at_once_and_its_end_within_five_minutes(self):
        minutes = traffic(DAY, (10, 1000, 1000), (60, 1000, 0))
        self.assertEqual(first_and_last(FAST, minutes), (361, 374))
        # So does the slow one, within three minutes, and it ends within half an hour.
        self.assertEqual(first_and_last(SLOW, minutes), (363, 399))

    def test_a_fault_of_some_requests_is_reported_in_time(self):
        """From how many of 10,000 requests fail, the minutes until each alarm goes off."""
        for failing, fast, slow in [(500, 18, 44), (200, 44, 108), (144, 60, 150), (100, None, 216), (60, None, 360)]:
            minutes = traffic((360, 10_000, 0), (400, 10_000, failing))
            found = [first_and_last(name, minutes) for name in (FAST, SLOW)]
            self.assertEqual([on and on[0] - 360 for on in found], [fast, slow], failing)

    def test_what_the_budget_allows_is_not_reported(self):
        for minutes in [
            traffic(DAY, (400, 1000, 1)),
            traffic(DAY, (400, 1000, 5)),
            # A deployment that drops requests of half a minute.
            traffic(DAY, (1, 1000, 500), (400, 1000, 0)),
        ]:
            self.assertEqual([first_and_last(name, minutes) for name in (FAST, SLOW)], [None, None])

    def test_a_few_failures_at_night_are_not_reported(self):
        self.assertIsNone(first_and_last(FAST, traffic((360, 1, 0), (9, 1, 1), (60, 1, 0))))
        self.assertIsNone(first_and_last(SLOW, traffic((360, 1, 0), (19, 1, 1), (60, 1, 0))))
        # But an outage is, even then.
        self.assertEqual(first_and_last(FAST, traffic((360, 1, 0), (60, 1, 1)))[0], 370)

    def test_without_requests_nothing_is_reported(self):
        self.assertIsNone(first_and_last(FAST, traffic((400, 0, 0))))


if __name__ == "__main__":
    unittest.main()
