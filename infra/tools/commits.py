"""commits.py: checks the messages of new commits, as CONTRIBUTING.md asks for them.

New are the commits that origin/main does not have. Without origin/main, they are the last 20. Merges are left out, and so are
the commit that added this file and all that are older: the rule begins with it. Without a history there is nothing to check."""

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
# In a shallow clone, this seems to be added by the oldest commit that the clone has.
RULE = "infra/tools/commits.py"
# How many of the last commits are new if nothing says which are published.
MOST = 20
LONGEST_SUBJECT = 72

# First words that are no verbs.
NO_VERBS = set(
    "a an the this that these those no none some any all every each both either neither more most many much few other another "
    "one two three four five six seven eight nine ten it its they their we our you your he she his her i my "
    "what which who whose when where why how whether if while before after until since because although as at by for from in "
    "nobody everybody somebody whoever nothing everything something whatever "
    "into of off on out over to under up with without and or but not now only also new old".split()
)
# Verbs that look like another form of one.
VERBS = set(
    "bias canvas focus "
    "embed exceed feed heed need proceed seed shed speed succeed wed weed "
    "bring cling fling ping ring sing sling spring sting string swing wing wring".split()
)


class Commit(NamedTuple):
    id: str
    message: str


def git(folder: Path, *arguments: str) -> str | None:
    """What git prints; None if it fails or is missing."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def new_commits(folder: Path) -> list[Commit]:
    added = git(folder, "log", "--diff-filter=A", "--format=%H %ct", "HEAD", "--", RULE)
    if not added:
        return []
    first, since = added.splitlines()[-1].split()
    published = git(folder, "rev-parse", "--verify", "--quiet", "refs/remotes/origin/main")
    newest = [f"^{published.strip()}"] if published else [f"--max-count={MOST}"]
    log = git(folder, "log", "--no-merges", "--format=%H %ct%n%B%x00", *newest, "HEAD", f"^{first}", "--")
    commits = []
    for entry in (log or "").split("\0"):
        head, _, message = entry.strip("\n").partition("\n")
        # A branch that began before the rule may have older commits.
        if head and int(head.split()[1]) >= int(since):
            commits.append(Commit(head[:8], message))
    return commits


def is_imperative(word: str) -> bool:
    """Whether a word can be a verb in the imperative. A noun in the singular is not recognised."""
    if not re.fullmatch(r"[A-Z][a-z]+(-[a-z]+)*", word):
        return False
    verb = word.lower()
    if verb in VERBS:
        return True
    return verb not in NO_VERBS and not verb.endswith(("ed", "ing")) and (not verb.endswith("s") or verb.endswith("ss"))


def has_body(lines: list[str]) -> bool:
    """Whether a text follows the subject. Trailers such as `Signed-off-by:` say nothing about the change."""
    return any(line.strip() and not re.match(r"[A-Z][A-Za-z-]*-(by|Id): ", line) for line in lines)


def faults(message: str) -> list[str]:
    subject, *rest = message.splitlines() or [""]
    found = []
    if len(subject) > LONGEST_SUBJECT:
        found.append(f"the first line has {len(subject)} characters, {LONGEST_SUBJECT} are allowed")
    if subject.endswith("."):
        found.append("the first line ends in a full stop")
    if not is_imperative(subject.split(" ")[0]):
        found.append("the first line does not begin with a verb in the imperative, such as `Refuse`")
    if rest and rest[0].strip():
        found.append("the second line is not empty")
    if not has_body(rest):
        found.append("no body says why")
    return found


def main() -> int:
    wrong = [(commit, fault) for commit in new_commits(ROOT) for fault in faults(commit.message)]
    for commit, fault in wrong:
        print(f"{commit.id} {commit.message.splitlines()[0] if commit.message else ''}\n    {fault}", file=sys.stderr)
    if wrong:
        print("How to write them: CONTRIBUTING.md, Documents and commits", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
