"""smoke.py URL [SOCKETS]: checks that the API at URL answers: what it depends on, and every function behind it, each by a request that costs
little; and that the WebSocket API at SOCKETS opens a connection. A function that cannot start answers nothing of its own, whatever the
health check of another one says."""

import base64
import http.client
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager

HEALTH = "/api/health?deep=1"
# A path of each function behind the API. Without a token, most of them answer 401.
PATHS = {
    "Account": HEALTH,
    "Auth": "/auth/sessions",
    "DownloadHistories": "/api/download-histories",
    "Medias": "/api/medias/presigned-url",
    "PerpVenue": "/api/perp-venue/status",
    "Prizes": "/api/prizes",
    "Refund": "/api/refund/calculate",
    "Support": "/api/support/stuck",
    "Transactions": "/api/transactions",
    "VmTransactions": "/api/vm-transactions/mints",
    "Xchain": "/api/xchain/transactions",
}
ATTEMPTS, PAUSE = 6, 10
# Between two rounds of requests while a deployment shifts. Its first step gets a tenth of them, and two failures a minute are an alarm.
BETWEEN_ROUNDS = 1


def answer(url):
    """The status and the body of an answer."""
    try:
        with urllib.request.urlopen(url, timeout=30) as found:
            return found.status, found.read().decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(errors="replace")
    except OSError as error:
        return 0, str(error)


def handshake(url):
    """The status and the body of the answer to the opening of a socket, which is closed again. 101 is of the gateway, once the function
    has agreed."""
    parts = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "wss" else http.client.HTTPConnection
    connection, key = kind(parts.netloc, timeout=30), base64.b64encode(os.urandom(16)).decode()
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key}
    try:
        connection.request("GET", parts.path or "/", headers=headers)
        found = connection.getresponse()
        return found.status, "" if found.status == http.client.SWITCHING_PROTOCOLS else found.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return 0, str(error)
    finally:
        connection.close()


def is_ours(body):
    """Whether an answer has our shape: the gateway's own have another."""
    try:
        found = json.loads(body)
    except ValueError:
        return False
    return isinstance(found, dict) and isinstance(found.get("code"), str)


def fault(path, status, body):
    """What is wrong with an answer, or None."""
    if path == HEALTH:
        return None if status == 200 else f"{status} {body}"
    if not 200 <= status < 500 or status == 429 or not is_ours(body):
        return f"{status} {body}"
    return None


def smoke(base, sockets=None, answer=answer, handshake=handshake, sleep=time.sleep):
    """Fails unless every function answers. A first answer may be late, and a domain not known yet."""
    urls = {name: base.rstrip("/") + path for name, path in PATHS.items()} | ({"Socket": sockets} if sockets else {})

    def wrong(name):
        if name != "Socket":
            return fault(PATHS[name], *answer(urls[name]))
        status, body = handshake(sockets)
        return None if status == http.client.SWITCHING_PROTOCOLS else f"{status} {body}"

    faults = dict.fromkeys(urls)
    for attempt in range(ATTEMPTS):
        if attempt:
            sleep(PAUSE)
        faults = {name: said for name in faults if (said := wrong(name))}
        if not faults:
            return print(f"{base.rstrip('/')}: all {len(urls)} functions answer", flush=True)
    sys.exit("\n".join(f"make: {urls[name]}, {name}: {said}" for name, said in faults.items()))


@contextmanager
def traffic(base, answer=answer, pause=BETWEEN_ROUNDS):
    """Asks every function again and again, so that a version which cannot answer raises its alarm however few users there are. What
    is answered, the alarms judge."""
    base, over = base.rstrip("/"), threading.Event()
    paths = [path.split("?")[0] for path in PATHS.values()]

    def ask():
        while not over.is_set():
            for path in paths:
                answer(base + path)
            over.wait(pause)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(timeout=60)


if __name__ == "__main__":
    smoke(*sys.argv[1:])
