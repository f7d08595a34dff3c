"""ci_times.py STEPS PROGRAMS TIMINGS: prints where the time of a run of .ci/run went, as a page of docs/, slowest first.

STEPS has a line for each step, its name and its seconds. PROGRAMS is what `runeport-local test` wrote of each test
program. TIMINGS is cargo's report of the compiled units. A file that is missing is left out."""

import json
import re
import sys
from pathlib import Path

# Below this many seconds, lines are added up in one.
SHORT = 5


def steps(text: str) -> list[tuple[str, float]]:
    rows = (line.rsplit("\t", 1) for line in text.splitlines())
    return [(name, float(seconds)) for name, seconds in rows]


def programs(text: str) -> list[tuple[str, float]]:
    found = []
    for one in json.loads(text):
        found.append((one["name"] + (", all cases" if one["all_cases"] else ""), float(one["seconds"])))
    return found


def units(html: str) -> list[tuple[str, float]]:
    """The compiled units of cargo's report, those of other projects added up."""
    data = re.search(r"^const UNIT_DATA = (\[.*?\]);$", html, re.MULTILINE | re.DOTALL)
    if not data:
        return []
    found: dict[str, float] = {}
    for unit in json.loads(data[1]):
        is_own = unit["version"] == "1.0.0" and unit["name"] in OWN
        target = unit["target"].strip()
        name = f"{unit['name']} {target}".strip() if is_own else "crates of other projects"
        found[name] = found.get(name, 0) + float(unit["duration"])
    return list(found.items())


def table(title: str, head: str, rows: list[tuple[str, float]]) -> list[str]:
    rows = sorted(rows, key=lambda row: -row[1])
    shown = [row for row in rows if row[1] >= SHORT]
    short = [seconds for _, seconds in rows if seconds < SHORT]
    if short:
        shown.append((f"{len(short)} more, each below {SHORT} s", sum(short)))
    lines = [f"## {title}", "", f"| {head} | Seconds |", "|---|---:|"]
    lines += [f"| {name.replace('|', ' ')} | {seconds:.0f} |" for name, seconds in shown]
    return [*lines, f"| in all | {sum(seconds for _, seconds in rows):.0f} |", ""]


def own_crates() -> set[str]:
    root = Path(__file__).resolve().parents[2]
    manifests = [*root.glob("functions/*/Cargo.toml"), *root.glob("shared/**/Cargo.toml"), *root.glob("infra/**/Cargo.toml")]
    names = (re.search(r'^name = "(.+)"$', one.read_text(), re.MULTILINE) for one in manifests if "vendor" not in one.parts)
    return {name[1] for name in names if name}


OWN = own_crates()


def page(steps_text: str, programs_text: str | None, html: str | None) -> str:
    lines = [
        "# Where the time of `.ci/run` goes",
        "",
        "`.ci/run` prints this page at its end, and `make ci-times` keeps it here. Steps run one after another. Test",
        "programs run several at a time, and so do compilers, so these seconds are longer than alone. What has passed",
        "before with the same files does not run again, and what is compiled already is not compiled again.",
        "",
        *table("Steps", "Step", steps(steps_text)),
    ]
    if programs_text:
        lines += table("Test programs, run", "Program", programs(programs_text))
    if html and (compiled := units(html)):
        lines += table("Tests, compiled", "Crate", compiled)
    return "\n".join(lines)


def read(path: str) -> str | None:
    file = Path(path)
    return file.read_text() if file.exists() else None


if __name__ == "__main__":
    print(page(read(sys.argv[1]) or "", *(read(path) for path in sys.argv[2:4])), end="")
