"""Tests of local_world.py with a program in place of the local world."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import local_world

ANNOUNCEMENT = """
print("Runeport is at http://127.0.0.1:1", flush=True)
print("-H 'Authorization: Bearer abc'", flush=True)
"""
BITCOIN = """
print("The Bitcoin world is ready", flush=True)
"""
READY = BITCOIN + ANNOUNCEMENT


class LocalWorld(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def world(self, script):
        program = self.folder / "world"
        program.write_text(f"#!{sys.executable}\nimport time\n{script}\ntime.sleep(3600)\n")
        program.chmod(0o700)
        return local_world.local_world(program)

    def test_a_world_that_started_may_run_as_long_as_it_is_used(self):
        with patch.object(local_world.threading, "Timer") as timer:
            with self.world(READY) as (url, token):
                self.assertEqual((url, token), ("http://127.0.0.1:1", "abc"))
                # The timer that would stop it is cancelled before the world is used.
                limit = timer.return_value
                self.assertEqual([call[0] for call in limit.method_calls], ["start", "cancel"])
                (seconds, _stop), _ = timer.call_args
                self.assertEqual(seconds, local_world.START_SECONDS)

    def test_a_world_may_be_announced_before_its_programs_are_built(self):
        with self.world(ANNOUNCEMENT + BITCOIN) as announced:
            self.assertEqual(announced, ("http://127.0.0.1:1", "abc"))

    def test_a_world_that_does_not_start_is_stopped(self):
        with patch.object(local_world, "START_SECONDS", 0):
            with self.assertRaises(SystemExit), self.world(""):
                self.fail("it has not started")


if __name__ == "__main__":
    unittest.main()
