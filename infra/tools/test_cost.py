"""What docs/operations/cost.md says: it is current, and it follows from what is counted and from the prices."""

import copy
import json
import unittest
from pathlib import Path

import cost
from cost import MILLION, RATES, SECONDS, WRITING, Cost, Measured, current, dollars, rows
from template import ROOT, read

DATA = json.loads((Path(__file__).parent / "cost.json").read_text())
MEASURED = Measured((ROOT / "docs/benchmarks.md").read_text())
TEMPLATE, FIREWALL = read(), read(ROOT / "infra/edge.yaml")


def costs(data=DATA, template=TEMPLATE):
    return Cost(template, FIREWALL, MEASURED, data)


class Page(unittest.TestCase):
    def test_it_is_current(self):
        self.assertEqual(cost.PAGE.read_text(), current(), "make cost")

    def test_tables_are_found_by_their_heads(self):
        page = "| A | B |\n|---|---:|\n| x | 1 |\n\ntext\n\n| C | D |\n|---|---|\n| y | 2 |\n| A | B |\n\n| A | B |\n|---|---|\n| z | 3 |\n"
        self.assertEqual(rows(page, ["A", "B"]), [["x", "1"], ["z", "3"]])
        self.assertEqual(rows(page, ["A", "C"]), [])

    def test_amounts(self):
        self.assertEqual([dollars(one) for one in (0.5, 9.994, 42.4, 999, 17999, 176543)], ["0.50", "9.99", "42", "999", "18,000", "177,000"])


class Counted(unittest.TestCase):
    def test_each_event_of_the_ledger_has_a_price(self):
        self.assertEqual(set(DATA["events"]), set(MEASURED.events))
        self.assertEqual({part["event"] for part in DATA["mix"] if "event" in part}, set(MEASURED.events))

    def test_the_mix_is_whole(self):
        self.assertAlmostEqual(sum(part["percent"] for part in DATA["mix"]), 100)

    def test_writes_are_among_the_units_that_were_counted(self):
        for part in DATA["mix"]:
            if "request" in part:
                one = MEASURED.requests[part["request"]]
                writing = [call for call in one["calls"] if call in WRITING]
                reading = [call for call in one["calls"] if call not in WRITING]
                self.assertGreaterEqual(part["writes"], len(writing), part)
                self.assertEqual(part["writes"] > 0, bool(writing), part)
                # Half a unit is the least that a reading call takes.
                self.assertGreaterEqual(one["units"] - part["writes"], len(reading) / 2, part)

    def test_what_is_named_was_measured(self):
        named = DATA["ask_partners"] + [request for event in DATA["events"].values() for request in event["requests"]]
        self.assertLessEqual(set(named), set(MEASURED.requests))

    def test_the_figures_of_the_ledger_are_those_of_the_events(self):
        of = costs()
        for name, (writes, reads) in MEASURED.events.items():
            self.assertEqual((of.events[name]["writes"], of.events[name]["reads"]), (writes, reads))
        self.assertGreater(of.mix["writes"], 1)


class Prices(unittest.TestCase):
    def test_tiers(self):
        of = costs()
        self.assertEqual(of.price("gateway", 300), 300)
        self.assertEqual(of.price("gateway", 400), 300 + 90)
        self.assertAlmostEqual(of.price("logs", 10240 + 20480 + 100), 5120 + 5120 + 10)
        for name, one in DATA["prices"].items():
            ends, each = zip(*one["tiers"])
            self.assertEqual(ends[-1], None, name)
            self.assertEqual(list(ends[:-1]), sorted(ends[:-1]), name)
            self.assertEqual(list(each), sorted(each, reverse=True), name)

    def test_each_price_was_compared_with_a_page(self):
        for name, one in DATA["prices"].items():
            self.assertRegex(one["page"], r"^https://[^/]+/\S*$", name)
            self.assertRegex(one["written"] or "2026", r"^20\d\d(-\d\d){0,2}$", name)
            self.assertLessEqual(one["written"] or "", DATA["date"], name)
            self.assertIn(f"]({one['page']})", current_with(DATA))

    def test_each_price_and_each_assumption_is_used(self):
        before = current_with(DATA)
        for name in DATA["prices"]:
            data = copy.deepcopy(DATA)
            data["prices"][name]["tiers"] = [[None, 2 * max(each for _end, each in data["prices"][name]["tiers"])]]
            self.assertNotEqual(figures(current_with(data)), figures(before), name)
        for name in DATA["assumed"]:
            data = copy.deepcopy(DATA)
            data["assumed"][name]["value"] *= 0.5
            self.assertNotEqual(figures(current_with(data)), figures(before), name)

    def test_a_month_is_the_sum_of_its_requests(self):
        of = costs()
        for rate in RATES:
            self.assertAlmostEqual(of.month(rate)["writes"], of.mix["writes"] * rate * SECONDS / MILLION * 0.625)

    def test_an_event_costs_at_least_its_units(self):
        of = costs()
        for name, (writes, reads) in MEASURED.events.items():
            units = writes * 0.625e-6 + reads * 0.125e-6
            for rate in RATES:
                self.assertGreater(of.of_event(name, rate), units)
                self.assertLess(of.of_event(name, rate), 10 * units + 0.001)

    def test_what_is_fixed_follows_the_template(self):
        template = copy.deepcopy(TEMPLATE)
        before = sum(costs().fixed().values())
        template["Resources"]["AnotherKey"] = {"Type": "AWS::KMS::Key", "Properties": {}}
        self.assertAlmostEqual(sum(costs(template=template).fixed().values()), before + 1)


class Levers(unittest.TestCase):
    def test_each_saves_something_and_less_than_all(self):
        for rate in RATES:
            of = costs()
            total = sum(of.month(rate).values())
            for levers in of.levers(rate):
                for name, saved in levers.items():
                    self.assertGreater(saved, 0, name)
                    self.assertLess(saved, total, name)

    def test_a_lever_that_is_not_pulled_costs_what_it_would_save(self):
        template = copy.deepcopy(TEMPLATE)
        template["Parameters"]["Architecture"]["Default"] = "x86_64"
        del template["Globals"]["Function"]["LoggingConfig"]["SystemLogLevel"]
        done, _left = costs().levers(1000)
        saved = sum(saved for name, saved in done.items() if "Architecture" in name or "SystemLogLevel" in name)
        self.assertAlmostEqual(sum(costs(template=template).month(1000).values()) - sum(costs().month(1000).values()), saved, 2)


def current_with(data):
    return cost.page(costs(data))


def figures(page):
    """A page without its lists of prices and assumptions."""
    return page.split("## What is assumed")[0]


if __name__ == "__main__":
    unittest.main()
