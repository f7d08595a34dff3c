"""Everything outside AWS for a deployment on this machine: the chains, the hub and the venue of the local
stack, and levers that work on the deployment."""

import json
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from botocore.exceptions import ClientError

from deploy_local_world import fail, tail


class Outside:
    """Runs `runeport-local dev`. The deployment uses its chains, hub and venue, but not its service."""

    def __init__(self, world, runeport_local):
        self.log = world.folder / "outside.log"
        with open(self.log, "w") as log:
            self.process = world.start([runeport_local, "dev", "--port", "0"], stdout=log, stderr=log)
        self.url = self.wait("did not start", self.announced)

    def wait(self, failure, look):
        # Ends a wait that would never end.
        for _attempt in range(9_000):
            if found := look():
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        fail(f"the local stack {failure}", *tail(self.log))

    def announced(self):
        lines = self.log.read_text(errors="replace").splitlines()
        return next((line.split()[-1] for line in lines if line.startswith("Runeport is at ")), None)

    def answer(self, path):
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return json.load(answer)

    def parameters(self):
        """The template parameters with the addresses of everything outside AWS."""
        world, bitcoin = self.answer("/_local")["world"], self.answer("/_local/bitcoin")
        return {
            "EsploraUrl": bitcoin["esplora"],
            "OrdUrl": bitcoin["ord"],
            "TreasuryAddress": world["treasury"],
            "HubUrl": world["hub"],
            "EvmRpcUrl": world["venueRpc"],
            "PerpVenueRpcUrl": world["venueRpc"],
            "PerpVenueOwnRpcUrl": world["venueRpc"],
            "PerpVenueInfoUrl": world["venueInfo"],
        }

    def ready(self):
        """Waits until the Bitcoin programs run."""
        self.wait("has no chain", lambda: self.answer("/_local/bitcoin")["state"] in ("ready", "failed"))
        if self.answer("/_local/bitcoin")["state"] == "failed":
            fail("the local stack has no chain", *tail(self.log))


class Refused(Exception):
    """A lever failed."""


class Levers:
    """Serves the levers at `/_local`. Levers of the service act on the deployment, with the operator's tools. All
    other levers are forwarded to the local stack."""

    def __init__(self, world, outside, runeport_ops):
        self.world, self.outside, self.runeport_ops = world, outside, runeport_ops
        self.own = {
            ("POST", "/_local/role"): self.role,
            ("POST", "/_local/clock"): self.clock,
            ("POST", "/_local/tick"): self.tick,
            ("GET", "/_local/mail"): self.mail,
        }
        levers = self

        class Handler(BaseHTTPRequestHandler):
            def serve(self):
                length = int(self.headers.get("content-length", 0))
                status, body = levers.pull(self.command, self.path, self.rfile.read(length))
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = serve

            def log_message(self, *_args):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"

    def pull(self, method, path, body):
        """Returns the status and body of the response."""
        address = urllib.parse.urlsplit(path)
        own = self.own.get((method, address.path))
        if own is None:
            return self.pass_on(method, path, body)
        try:
            fields = json.loads(body) if method == "POST" else dict(urllib.parse.parse_qsl(address.query))
            return 200, json.dumps(own(**fields)).encode()
        except (TypeError, ValueError, Refused, ClientError) as error:
            return 400, json.dumps({"error": str(error)}).encode()

    def pass_on(self, method, path, body):
        headers = {"accept": "application/json", "content-type": "application/json"}
        request = urllib.request.Request(self.outside.url + path, body or None, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def role(self, address, role):
        command = [self.runeport_ops, "role", "--account", address, "--role", role]
        environment = {**self.world.environment, **self.world.variables}
        said = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if said.returncode:
            raise Refused(said.stderr.strip())
        return {"account": address, "role": role}

    def clock(self, advanceMs):
        """Simulates passing time, but only for rows that wait for a worker: makes them due now."""
        now, table = int(time.time() * 1000), self.world.resources["ActivityTable"]
        database = self.world.client("dynamodb")
        waiting = database.get_paginator("scan").paginate(
            TableName=table,
            FilterExpression="attribute_exists(watch) AND dueAt BETWEEN :now AND :then",
            ExpressionAttributeValues={":now": {"N": str(now)}, ":then": {"N": str(now + advanceMs)}},
        )
        for row in [row for page in waiting for row in page["Items"]]:
            try:
                database.update_item(
                    TableName=table,
                    Key={"pk": row["pk"], "sk": row["sk"]},
                    UpdateExpression="SET dueAt = :now",
                    ConditionExpression="dueAt = :before",
                    ExpressionAttributeValues={":now": {"N": str(now)}, ":before": row["dueAt"]},
                )
            except database.exceptions.ConditionalCheckFailedException:
                # A worker has changed the row since the scan.
                pass
        return {"now": now, "aheadMs": 0}

    def tick(self, worker):
        """Triggers a worker as its schedule does; the chain watcher for one look instead of a minute."""
        if worker in ("chain-watcher", "event-worker"):
            name = worker.title().replace("-", "")
            function, once = self.world.resources[f"{name}Function"], json.dumps({"once": True})
            watched = self.world.client("lambda").invoke(FunctionName=function, Qualifier="live", Payload=once)
            if "FunctionError" in watched:
                raise Refused(watched["Payload"].read().decode())
        elif worker == "export-worker":
            [target] = self.world.client("events").list_targets_by_rule(Rule=self.world.resources["ExportSweep"])["Targets"]
            queue = self.world.resources["ExportQueue"]
            self.world.client("sqs").send_message(QueueUrl=queue, MessageBody=target["Input"])
        else:
            raise Refused(f"{worker} is not a scheduled worker")
        return {"worker": worker}

    def mail(self, to=None):
        with urllib.request.urlopen(f"{self.world.url}/_ministack/ses/messages", timeout=60) as answer:
            accounts = json.load(answer)["messages"]
        return [
            {
                "id": mail["MessageId"],
                "to": mail["To"][0],
                "subject": mail["Subject"],
                "text": mail["BodyText"],
                "html": mail["BodyHtml"] or "",
                "at": int(float(mail["Timestamp"]) * 1000),
            }
            for mails in accounts.values()
            for mail in mails
            if to in (None, mail["To"][0])
        ]
