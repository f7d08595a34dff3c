import json
import unittest

import ci_times


class Page(unittest.TestCase):
    def test_rows_are_sorted_and_short_ones_are_added_up(self):
        text = ci_times.page("Formatting\t2\nClippy\t60\nShell\t1\nTests\t300\n", None, None)
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        self.assertEqual(
            rows,
            [
                "| Step | Seconds |",
                "| Tests | 300 |",
                "| Clippy | 60 |",
                "| 2 more, each below 5 s | 3 |",
                "| in all | 363 |",
            ],
        )

    def test_programs_with_all_cases_are_marked(self):
        programs = [
            {"name": "refund http", "all_cases": True, "passed": True, "seconds": 90},
            {"name": "shared lib", "all_cases": False, "passed": True, "seconds": 7},
        ]
        text = ci_times.page("", json.dumps(programs), None)
        self.assertIn("| refund http, all cases | 90 |\n| shared lib | 7 |", text)

    def test_units_of_other_projects_are_one_row(self):
        units = [
            {"name": "serde", "version": "1.0.0", "mode": "todo", "target": "", "duration": 20.25},
            {"name": "tokio", "version": "1.50.0", "mode": "todo", "target": "", "duration": 10.0},
            {"name": "shared", "version": "1.0.0", "mode": "todo", "target": ' shared "lib" (test)', "duration": 12.5},
        ]
        html = f"<script>\nconst UNIT_DATA = {json.dumps(units, indent=2)};\nconst CONCURRENCY_DATA = [];\n"
        rows = dict(ci_times.units(html))
        self.assertEqual(rows, {"crates of other projects": 30.25, 'shared shared "lib" (test)': 12.5})


if __name__ == "__main__":
    unittest.main()
