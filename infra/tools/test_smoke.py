"""Checks that the smoke test asks every function behind the API and that of sockets, and what it takes for an answer."""

import base64
import io
import json
import re
import threading
import unittest
from contextlib import redirect_stdout
from http.server import BaseHTTPRequestHandler, HTTPServer

from smoke import ATTEMPTS, HEALTH, PATHS, fault, handshake, smoke, traffic
from template import ROOT, read

RESOURCES = read()["Resources"]
OURS = '{"code": "4001", "message": "auth.tokenMissing"}'
GATEWAY = '{"message": "Internal Server Error"}'


def function_of(path):
    """The function that the gateway passes a path to."""
    path, found = path.split("?")[0], {}
    for resource in RESOURCES.values():
        if resource["Type"] == "AWS::ApiGatewayV2::Route" and resource["Properties"]["ApiId"] == {"Ref": "HttpApi"}:
            key, target = resource["Properties"]["RouteKey"].removeprefix("ANY "), resource["Properties"]["Target"]["Fn::Sub"]
            found[key] = target.removeprefix("integrations/${").removesuffix("Integration}")
    if path in found:
        return found[path]
    starts = [key for key in found if key.endswith("{proxy+}") and path.startswith(key.removesuffix("{proxy+}"))]
    return found[max(starts, key=len)] if starts else found["$default"]


class Smoke(unittest.TestCase):
    def run_with(self, answers, sockets=None, opened=None):
        """What is asked and slept, if a path is answered as `answers` says, and otherwise as it should be."""
        asked, slept = [], []

        def answer(url):
            path = url.removeprefix("https://api.example")
            asked.append(path)
            given = answers.get(path)
            given = given(asked.count(path)) if callable(given) else given
            return given or ((200, "{}") if path == HEALTH else (401, OURS))

        with redirect_stdout(io.StringIO()):
            smoke("https://api.example/", sockets, answer, opened, slept.append)
        return asked, slept

    def test_every_function_behind_the_api_is_asked(self):
        behind = {
            name.removesuffix("Integration")
            for name, resource in RESOURCES.items()
            if resource["Type"] == "AWS::ApiGatewayV2::Integration" and resource["Properties"]["ApiId"] == {"Ref": "HttpApi"}
        }
        self.assertEqual(set(PATHS), behind)
        self.assertEqual({name: function_of(path) for name, path in PATHS.items()}, {name: name for name in PATHS})
        asked, slept = self.run_with({})
        self.assertEqual((sorted(asked), slept), (sorted(PATHS.values()), []))

    def test_what_the_documents_expect_is_what_it_says(self):
        said = io.StringIO()
        with redirect_stdout(said):
            smoke(
                "https://api.example",
                "wss://sockets.example/live",
                lambda url: (200, "{}") if url.endswith(HEALTH) else (401, OURS),
                lambda _url: (101, ""),
            )
        (says,) = re.findall(r"all \d+ functions answer", said.getvalue())
        found = [each for file in (ROOT / "docs").rglob("*.md") for each in re.findall(r"all \d+ functions answer", file.read_text())]
        self.assertEqual(set(found), {says})

    def test_a_function_that_does_not_answer_is_named(self):
        for name, path in PATHS.items():
            for status, body in [(500, GATEWAY), (503, OURS), (0, "timed out"), (404, '{"message": "Not Found"}')]:
                with self.assertRaises(SystemExit) as raised:
                    self.run_with({path: (status, body)})
                said = str(raised.exception)
                self.assertEqual(len(said.splitlines()), 1, said)
                self.assertIn(f", {name}: {status} {body}", said)

    def test_a_socket_must_open(self):
        asked = []

        def opened(url):
            asked.append(url)
            return (500, GATEWAY) if len(asked) < ATTEMPTS else (101, "")

        _asked, slept = self.run_with({}, "wss://sockets.example/live", opened)
        self.assertEqual((asked, len(slept)), (["wss://sockets.example/live"] * ATTEMPTS, ATTEMPTS - 1))
        for answered in [(500, GATEWAY), (403, "Forbidden"), (200, "{}"), (0, "timed out")]:
            with self.assertRaises(SystemExit) as raised:
                self.run_with({}, "wss://sockets.example/live", lambda _url: answered)
            said = f"make: wss://sockets.example/live, Socket: {answered[0]} {answered[1]}"
            self.assertEqual(str(raised.exception), said)

    def test_a_handshake_is_what_the_gateway_asks_for(self):
        class Gateway(BaseHTTPRequestHandler):
            def do_GET(self):
                asked = {name: self.headers[name] for name in ("Connection", "Upgrade", "Sec-WebSocket-Version")}
                complete = asked == {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
                complete = complete and len(base64.b64decode(self.headers["Sec-WebSocket-Key"])) == 16
                self.send_response(101 if complete and self.path == "/live" else 403)
                self.end_headers()
                self.close_connection = True

            def log_message(self, *_arguments):
                pass

        with HTTPServer(("127.0.0.1", 0), Gateway) as server:
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            place = f"ws://127.0.0.1:{server.server_port}"
            self.assertEqual(handshake(f"{place}/live"), (101, ""))
            self.assertEqual(handshake(f"{place}/other")[0], 403)
            server.shutdown()
            thread.join(60)
        self.assertEqual(handshake(f"{place}/live")[0], 0)

    def test_what_answers_late_is_asked_again(self):
        path = PATHS["Refund"]
        asked, slept = self.run_with({path: lambda number: (503, OURS) if number < ATTEMPTS else None})
        self.assertEqual((asked.count(path), len(slept)), (ATTEMPTS, ATTEMPTS - 1))
        self.assertEqual(asked.count(PATHS["Auth"]), 1)

    def test_the_health_check_must_pass(self):
        self.assertIsNone(fault(HEALTH, 200, "{}"))
        self.assertIsNotNone(fault(HEALTH, 401, OURS))
        self.assertIsNotNone(fault(PATHS["Auth"], 429, OURS))
        self.assertIsNotNone(fault(PATHS["Auth"], 200, json.dumps(["code"])))

    def test_traffic_goes_on_whatever_is_answered_and_ends(self):
        asked, twice = [], threading.Event()

        def answer(url):
            asked.append(url.removeprefix("https://api.example"))
            if len(asked) > 2 * len(PATHS):
                twice.set()
            return 502, GATEWAY

        with self.assertRaises(KeyError), traffic("https://api.example/", answer, 0):
            self.assertTrue(twice.wait(60))
            raise KeyError("the deployment failed")
        self.assertEqual(threading.active_count(), 1)
        self.assertEqual({function_of(path) for path in asked}, set(PATHS))
        self.assertFalse(any("deep" in path for path in asked))


if __name__ == "__main__":
    unittest.main()
