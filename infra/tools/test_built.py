"""What is built for one architecture is not deployed as another."""

import tempfile
import unittest
from pathlib import Path

from built import faults


def program(machine):
    """The head of an ELF file."""
    return b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00" + machine.to_bytes(2, "little") + bytes(44)


class Built(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def put(self, name, content):
        (self.folder / name).mkdir(exist_ok=True)
        (self.folder / name / "bootstrap").write_bytes(content)

    def test_all_functions_must_be_for_the_architecture(self):
        self.put("AuthFunction", program(183))
        self.put("MailWorkerFunction", program(183))
        self.assertEqual(faults(self.folder, "arm64"), [])
        self.assertEqual(len(faults(self.folder, "x86_64")), 2)
        self.put("MailWorkerFunction", program(62))
        self.assertEqual(faults(self.folder, "arm64"), ["MailWorkerFunction is built for x86_64, not for arm64: make build"])

    def test_other_files_are_no_programs(self):
        for content in (b"", b"#!/bin/sh\nexit 1\n", program(243)):
            self.put("AuthFunction", content)
            self.assertEqual(len(faults(self.folder, "arm64")), 1, content)

    def test_an_empty_build(self):
        self.assertEqual(faults(self.folder, "arm64"), ["nothing is built: make build"])


if __name__ == "__main__":
    unittest.main()
