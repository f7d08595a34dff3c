"""Starts the local world for a script that uses it."""

import os
import re
import subprocess
import threading
from contextlib import contextmanager

# Ends a start that would never end.
START_SECONDS = 900


@contextmanager
def local_world(program):
    """The address of the service and the token of its admin, once Bitcoin is there."""
    world = subprocess.Popen(
        [program, "dev", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "RUST_LOG": "error"})
    try:
        yield announced(world)
    finally:
        world.terminate()
        world.wait()


def announced(world):
    late = threading.Timer(START_SECONDS, world.kill)
    late.start()
    try:
        url = token = None
        is_ready = False
        for line in world.stdout:
            if found := re.search(r"Runeport is at (\S+)", line):
                url = found[1]
            if found := re.search(r"Authorization: Bearer ([^']+)'", line):
                token = found[1]
            is_ready = is_ready or "The Bitcoin world is ready" in line
            # The programs of Bitcoin may have to be built, after a first announcement.
            if is_ready and url and token:
                return url, token
        raise SystemExit("the local world did not start: run make dev")
    finally:
        late.cancel()
