import contextlib
import io
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import commits

BODY = "\n\nBecause a test needs one.\n"
GOOD = "Refuse a prize whose output is unconfirmed"
# Without the machine's settings of git, and without the variables that a hook of this repository would pass on.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
ENVIRONMENT |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
ENVIRONMENT |= {f"GIT_{role}_NAME": "test" for role in ("AUTHOR", "COMMITTER")}
ENVIRONMENT |= {f"GIT_{role}_EMAIL": "test@localhost" for role in ("AUTHOR", "COMMITTER")}


class Messages(unittest.TestCase):
    def test_a_subject_in_the_imperative_with_a_body_is_right(self):
        for subject in (GOOD, "Pass what a limit leaves", "Feed the pool", "Ping over a socket", "Co-sign a payout", "Focus it"):
            self.assertEqual(commits.faults(subject + BODY), [], subject)

    def test_other_first_words_are_refused(self):
        for subject in (
            "The worker retries a row",
            "A test holds the order",
            "Tests ask for a code",
            "Adds a limit",
            "Added a limit",
            "Adding a limit",
            "refuse a prize",
            "bench: every function's start",
            "README: every function",
            "GET /api/config says the range",
            "What an applied block has",
            "WIP pool 9",
            "",
        ):
            found = commits.faults(subject + BODY)
            self.assertEqual(len(found), 1, subject)
            self.assertIn("imperative", found[0])

    def test_the_longest_subject_has_72_characters(self):
        subject = GOOD.ljust(72, "x")
        self.assertEqual(commits.faults(subject + BODY), [])
        self.assertEqual(
            commits.faults(subject + "x" + BODY), ["the first line has 73 characters, 72 are allowed"]
        )

    def test_a_full_stop_and_a_second_line_are_refused(self):
        self.assertEqual(commits.faults(GOOD + "." + BODY), ["the first line ends in a full stop"])
        self.assertEqual(commits.faults(GOOD + "\nat once" + BODY), ["the second line is not empty"])

    def test_a_body_is_more_than_trailers(self):
        trailer = "Signed-off-by: A Name <name@example.com>\n"
        for message in (GOOD, GOOD + "\n", GOOD + "\n\n" + trailer):
            self.assertEqual(commits.faults(message), ["no body says why"], message)
        self.assertEqual(commits.faults(GOOD + BODY + "\n" + trailer), [])


class Repository:
    """A scratch repository, whose commits are a minute apart."""

    def __init__(self, folder: Path):
        folder.mkdir()
        self.folder = folder
        self.minute = 0
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, folder: Path | None = None) -> str:
        date = {f"GIT_{role}_DATE": f"2026-11-27T12:{self.minute:02}:00Z" for role in ("AUTHOR", "COMMITTER")}
        done = subprocess.run(
            ["git", "-C", str(folder or self.folder), *arguments],
            env=ENVIRONMENT | date,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def commit(self, message: str):
        self.minute += 1
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--message", message)

    def begin_rule(self):
        rule = self.folder / commits.RULE
        rule.parent.mkdir(parents=True)
        rule.write_text("")
        self.git("add", "--all")
        self.commit("the rule")

    def subjects(self, folder: Path | None = None) -> list[str]:
        with mock.patch.dict(os.environ, ENVIRONMENT, clear=True):
            return [commit.message.splitlines()[0] for commit in commits.new_commits(folder or self.folder)]


class NewCommits(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.repository = Repository(self.scratch / "clone")

    def test_a_folder_without_a_repository_has_none(self):
        folder = self.scratch / "exported"
        folder.mkdir()
        self.assertEqual(self.repository.subjects(folder), [])

    def test_a_repository_without_commits_has_none(self):
        self.assertEqual(self.repository.subjects(), [])

    def test_without_git_there_are_none(self):
        self.repository.begin_rule()
        self.repository.commit("after")
        with mock.patch.dict(os.environ, {"PATH": str(self.scratch)}):
            self.assertEqual(commits.new_commits(self.repository.folder), [])

    def test_the_rule_begins_after_the_commit_that_adds_it(self):
        self.repository.commit("before")
        self.assertEqual(self.repository.subjects(), [])
        self.repository.begin_rule()
        self.assertEqual(self.repository.subjects(), [])
        self.repository.commit("after")
        self.repository.commit("later")
        self.assertEqual(self.repository.subjects(), ["later", "after"])

    def test_merges_and_older_commits_of_a_branch_are_left_out(self):
        self.repository.commit("before")
        self.repository.git("checkout", "--quiet", "-b", "other")
        self.repository.commit("older, on a branch")
        self.repository.git("checkout", "--quiet", "main")
        self.repository.begin_rule()
        self.repository.git("checkout", "--quiet", "other")
        self.repository.commit("newer, on a branch")
        self.repository.git("checkout", "--quiet", "main")
        self.repository.git("merge", "--quiet", "--no-ff", "other", "--message", "a merge")
        self.assertEqual(self.repository.subjects(), ["newer, on a branch"])

    def test_commits_that_origin_has_are_not_new(self):
        self.repository.begin_rule()
        self.repository.commit("published")
        self.repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.repository.subjects(), [])
        for n in range(commits.MOST + 2):
            self.repository.commit(f"new {n}")
        self.assertEqual(len(self.repository.subjects()), commits.MOST + 2)
        self.assertNotIn("published", self.repository.subjects())

    def test_without_origin_the_last_ones_are_new(self):
        self.repository.begin_rule()
        for n in range(commits.MOST + 2):
            self.repository.commit(f"new {n}")
        self.assertEqual(self.repository.subjects()[-1], "new 2")
        self.assertEqual(len(self.repository.subjects()), commits.MOST)

    def test_a_shallow_clone_has_those_after_its_oldest(self):
        self.repository.commit("before")
        self.repository.begin_rule()
        for n in range(4):
            self.repository.commit(f"new {n}")
        shallow = self.scratch / "shallow"
        for depth, expected in ((1, []), (3, ["new 3", "new 2"])):
            target = shallow / str(depth)
            url = self.repository.folder.as_uri()
            self.repository.git("clone", "--quiet", "--depth", str(depth), "--origin", "elsewhere", url, str(target))
            self.assertEqual(self.repository.subjects(target), expected, depth)

    def test_the_commit_of_a_ci_run_counts_against_the_pushed_base(self):
        """As .ci/run makes its checkout: a detached commit, and what the clone knows of origin."""
        self.repository.begin_rule()
        self.repository.commit("published")
        self.repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.repository.commit("new")
        checkout = self.scratch / "checkout"
        self.repository.git("init", "--quiet", str(checkout))
        refs = ["HEAD:refs/ci/run", "refs/remotes/origin/main:refs/remotes/origin/main"]
        self.repository.git("push", "--quiet", "--force", str(checkout), *refs)
        self.repository.git("checkout", "--quiet", "--detach", "refs/ci/run", folder=checkout)
        self.assertEqual(self.repository.subjects(checkout), ["new"])


class Program(unittest.TestCase):
    def outcome(self, *messages: str) -> tuple[int, str]:
        found = [commits.Commit("1c2eb7c7", message) for message in messages]
        with mock.patch.object(commits, "new_commits", return_value=found), contextlib.redirect_stderr(io.StringIO()) as printed:
            return commits.main(), printed.getvalue()

    def test_each_fault_is_printed_with_its_commit(self):
        status, printed = self.outcome(GOOD + BODY, "Adds a limit")
        self.assertEqual(status, 1)
        self.assertEqual(printed.count("1c2eb7c7 Adds a limit"), 2)
        self.assertNotIn(GOOD, printed)

    def test_right_messages_and_no_messages_pass(self):
        self.assertEqual(self.outcome(GOOD + BODY), (0, ""))
        self.assertEqual(self.outcome(), (0, ""))


if __name__ == "__main__":
    unittest.main()
