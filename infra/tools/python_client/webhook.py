"""One webhook: the service signs a request, and this verifies it as Standard Webhooks says; BASE and TOKEN as in reads.py."""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue

from httpx import Timeout
from runeport_client import AuthenticatedClient
from runeport_client.api.webhooks import create_webhook, delete_webhook, test_webhook
from runeport_client.models import AddWebhook, EnvelopeWebhookRow

TOLERANCE_SECONDS = 5 * 60
WAIT_SECONDS = 600
received: Queue[tuple[Mapping[str, str], bytes]] = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        event = json.loads(body)
        if event["type"] == "webhook.verification":
            answer = json.dumps({"challenge": event["data"]["challenge"]}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)
            return
        received.put(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def holds(headers: Mapping[str, str], body: bytes, secret: str) -> bool:
    """Whether the request is recent, and one of its signatures is by the secret."""
    sent = headers["webhook-timestamp"]
    if not sent.isdigit() or abs(time.time() - int(sent)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    signed = f"{headers['webhook-id']}.{sent}.".encode() + body
    right = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    return any(hmac.compare_digest(given.encode(), right.encode()) for given in headers["webhook-signature"].split(" "))


caller = AuthenticatedClient(
    base_url=os.environ["BASE"], token=os.environ["TOKEN"], timeout=Timeout(WAIT_SECONDS))
server = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()

added = create_webhook.sync(client=caller, body=AddWebhook(url=f"http://127.0.0.1:{server.server_port}/hooks"))
assert isinstance(added, EnvelopeWebhookRow), added
webhook, secret = added.data, added.data.secret
assert isinstance(secret, str), added
test_webhook.sync(id=webhook.id, client=caller)
headers, body = received.get(timeout=WAIT_SECONDS)
delete_webhook.sync(id=webhook.id, client=caller)
server.shutdown()

assert json.loads(body)["type"] == "webhook.test", body
assert holds(headers, body, secret), headers
other = "whsec_" + base64.b64encode(bytes(32)).decode()
for name, change in {
    "another body": (headers, body + b" ", secret),
    "another secret": (headers, body, other),
    "another id": ({**headers, "webhook-id": "other"}, body, secret),
    "another time": ({**headers, "webhook-timestamp": str(int(headers["webhook-timestamp"]) - 1)}, body, secret),
    "an old time": ({**headers, "webhook-timestamp": "1600000000"}, body, secret),
}.items():
    assert not holds(*change), name

print(f"one webhook of {os.environ['BASE']}: {headers['webhook-id']} is verified")
