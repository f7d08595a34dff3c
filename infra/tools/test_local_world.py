"""Tests of local_world.py with a program in place of the local world."""

import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest.mock import patch

import local_world

READY = """
print("Runeport is at http://127.0.0.1:1", flush=True)
print("-H 'Authorization: Bearer abc'", flush=True)
print("The Bitcoin world is ready", flush=True)
"""


class LocalWorld(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        limit = patch.object(local_world, "START_SECONDS", 1)
        limit.start()
        self.addCleanup(limit.stop)

    def world(self, script):
        program = self.folder / "world"
        program.write_text(f"#!{sys.executable}\nimport time\n{script}\ntime.sleep(60)\n")
        program.chmod(0o700)
        return local_world.local_world(program)

    def test_a_world_that_started_may_run_as_long_as_it_is_used(self):
        late = self.folder / "late"
        with self.world(f"{READY}\ntime.sleep(1.5)\nopen({str(late)!r}, 'w')") as (url, token):
            self.assertEqual((url, token), ("http://127.0.0.1:1", "abc"))
            until = time.monotonic() + 20
            while not late.exists():
                self.assertLess(time.monotonic(), until, "it was stopped")
                time.sleep(0.05)

    def test_a_world_that_does_not_start_is_stopped(self):
        with self.assertRaises(SystemExit), self.world(""):
            self.fail("it has not started")


if __name__ == "__main__":
    unittest.main()
