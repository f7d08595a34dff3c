"""built.py FOLDER ARCH: fails unless every function that `sam build` has put into FOLDER is a program for ARCH. Lambda accepts any
zip, and a program for another architecture ends at its first request."""

import sys
from pathlib import Path

# The field e_machine of an ELF file.
MACHINES = {62: "x86_64", 183: "arm64"}


def architecture(program):
    """What a file is a program for, or None."""
    head = program[:20]
    if len(head) < 20 or head[:4] != b"\x7fELF":
        return None
    return MACHINES.get(int.from_bytes(head[18:20], "little"))


def faults(folder, wanted):
    """The functions that are not for the wanted architecture."""
    found = {}
    for bootstrap in sorted(Path(folder).glob("*/bootstrap")):
        with open(bootstrap, "rb") as file:
            found[bootstrap.parent.name] = architecture(file.read(20))
    if not found:
        return ["nothing is built: make build"]
    return [f"{name} is built for {of or 'nothing that Lambda runs'}, not for {wanted}: make build" for name, of in found.items() if of != wanted]


if __name__ == "__main__":
    if complaints := faults(*sys.argv[1:]):
        sys.exit("\n".join(f"make: {complaint}" for complaint in complaints))
