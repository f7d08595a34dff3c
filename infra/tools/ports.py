"""Ports for programs that take no open socket, reserved as infra/local/src/base/ports.rs does."""

import fcntl
import os
import random
import socket
from pathlib import Path

FIRST, COUNT, TRIES = 20_000, 10_000, 1_000
# The locks of this process, which end with it.
RESERVED = []


def reserved_port():
    folder = Path(f"/tmp/runeport-ports-{os.getuid()}")
    folder.mkdir(exist_ok=True)
    for number in random.sample(range(FIRST, FIRST + COUNT), TRIES):
        lock = open(folder / str(number), "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as listener:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind(("127.0.0.1", number))
        except OSError:
            lock.close()
            continue
        RESERVED.append(lock)
        return number
    raise SystemExit("no port is free")
