"""What Schemathesis cannot know of the service: who calls, texts that carry a checksum, and which refusals say that the
document is too loose."""

import atexit
import functools
import http.client
import itertools
import json
import os
import sys
import time
import urllib.request
from collections import Counter
from pathlib import Path

import schemathesis
from eth_account import Account
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

sys.path.append(str(Path(__file__).parents[2] / "local/tests/venue"))
import service  # noqa: E402



class FromElsewhere(urllib.request.HTTPHandler):
    """Each connection from another address of the loopback network, since sign-ins are limited by source."""

    hosts = itertools.cycle(range(2, 250))

    def http_open(self, request):
        source = (f"127.0.1.{next(self.hosts)}", 0)
        return self.do_open(functools.partial(http.client.HTTPConnection, source_address=source), request)


urllib.request.install_opener(urllib.request.build_opener(FromElsewhere))

# Operations that end the session of their caller.
ENDS_SESSION = {"logOut", "logOutUnderApi", "revokeSession", "revokeSessionUnderApi", "rotateWallet"}

PSBT = "cHNidP8BAAoCAAAAAAAAAAAAAA=="
ADDRESSES = {
    "bitcoin": "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    "evm": "0x00000000000000000000000000000000000000aa",
    "solana": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
}

# Most addresses of requests are of Bitcoin.
schemathesis.openapi.format("address", st.sampled_from([ADDRESSES["bitcoin"]] * 3 + [ADDRESSES["evm"]]))
schemathesis.openapi.format("evm-address", st.just(ADDRESSES["evm"]))
schemathesis.openapi.format("bitcoin-address", st.just(ADDRESSES["bitcoin"]))
schemathesis.openapi.format("bitcoin-key", st.just("02" + "11" * 32))
schemathesis.openapi.format("rune-ids", st.sampled_from(["1:1", "840000:3,1:1"]))
schemathesis.openapi.format("psbt", st.just(PSBT))
schemathesis.openapi.format("signature", st.sampled_from(["AAAA", "0x" + "11" * 65]))
schemathesis.openapi.format("public-key", st.just("02" + "11" * 32))
schemathesis.openapi.format("token-address", st.sampled_from(["0:0", "0x" + "aa" * 20]))
schemathesis.openapi.format("token-pair", st.just("0:0,0x" + "aa" * 20))
schemathesis.openapi.format("field-names", st.sampled_from(["", "id"]))
schemathesis.openapi.format("sign-in-message", st.just("Sign in to Runeport: 1700000000000"))
schemathesis.openapi.format("transport", st.sampled_from(["usb", "internal"]))
schemathesis.openapi.format("instant", st.sampled_from(["1767225600000", "2026-01-01T00:00:00Z"]))
schemathesis.openapi.format("media-filename", st.sampled_from(["a.png", "b.of.JPEG"]))


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    """The document has the bodies of links as texts; Schemathesis fills expressions only in objects."""
    for item in raw_schema["paths"].values():
        for operation in item.values():
            for answer in operation.get("responses", {}).values():
                for link in answer.get("links", {}).values():
                    if "requestBody" in link:
                        link["requestBody"] = json.loads(link["requestBody"])


@schemathesis.hook
def filter_path_parameters(ctx, parameters):
    """An empty segment makes another path."""
    return all(value != "" for value in (parameters or {}).values())


def of_its_chain(ctx, fields):
    """An address of the chain that is named beside it."""
    if isinstance(fields, dict) and "address" in fields and fields.get("chain") in ADDRESSES:
        fields["address"] = ADDRESSES[fields["chain"]]
    # Each list knows this relation.
    if isinstance(fields, dict) and fields.get("populate"):
        fields["populate"] = "wallet"
    return fields


schemathesis.hook("map_query")(of_its_chain)
schemathesis.hook("map_body")(of_its_chain)


@schemathesis.auth(refresh_interval=None)
class Caller:
    """The demo admin, who has a trading wallet; a wallet of its own for operations that end the session."""

    def __init__(self):
        self.spare = None
        self.made = 0.0

    def get(self, case, context):
        if context.operation.definition.raw.get("operationId") not in ENDS_SESSION:
            return os.environ["TOKEN"]
        if self.spare is None or time.monotonic() - self.made > 20:
            self.spare, self.made = service.sign_in(Account.create()), time.monotonic()
        return self.spare

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


class Known:
    """The ids of what the lists of the local world contain, by the path of the list."""

    # Seconds: the requests add rows.
    LASTS = 10

    def __init__(self):
        self.rows, self.read = {}, {}

    def of(self, path):
        if time.monotonic() - self.read.get(path, -self.LASTS) >= self.LASTS:
            self.read[path] = time.monotonic()
            self.rows[path] = self.listed(path)
            if path == "/api/webhooks" and not self.rows[path]:
                body = {"url": f"{service.base}/_local/hooks/fuzz", "types": ["refund.stateChanged"]}
                service.request("POST", f"{service.base}{path}", os.environ["TOKEN"], body)
                self.rows[path] = self.listed(path)
        return self.rows[path]

    @staticmethod
    def listed(path):
        status, answer = service.request("GET", f"{service.base}{path}?pageSize=20", os.environ["TOKEN"])
        rows = answer["data"] if status == 200 else []
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    def segment(self, path, turn):
        """The name of the first variable segment of a path, and what a list has for it; None if it has nothing."""
        if "{" not in path:
            return None
        before, _, rest = path.partition("/{")
        name = rest.partition("}")[0]
        found = [row[field] for row in self.of(before) for field in (name, "id") if field in row]
        return (name, found[turn % len(found)]) if found else None


known = Known()
turns = itertools.count()


def is_allowed(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Names things that exist, in three of four requests that the document allows: no schema can say which do."""
    turn = next(turns)
    operation = case.operation
    if is_allowed(case) and turn % 4 and operation.method.upper() != "DELETE":
        segment = known.segment(operation.path, turn)
        if segment:
            case.path_parameters[segment[0]] = segment[1]
        # From the first event on: others may not have happened yet.
        if operation.path.endswith("/replay") and isinstance(case.body, dict):
            case.body["after"] = 0
    # Which proof fits a new verifier, no schema can say.
    if is_allowed(case) and isinstance(case.body, dict):
        without = ["newClientPublic", "newClientProof"] + (["clientPublic", "clientProof"] if "srpVerifier" in case.body else [])
        for name in without:
            case.body.pop(name, None)


# No node of the local world checks signatures of contract wallets, and a challenge of one may be answered with any text.
NO_NODE = "4014"


@schemathesis.check
def is_available(ctx, response, case):
    if response.status_code == 503:
        assert response.json().get("code") == NO_NODE, response.text


# The codes of fields that are wrong, and of a body that is.
SHAPE = {"1001", "1002"}
# The statuses of things that do not exist, or not in this state.
STATE = (404, 409, 410)
answers = {}


@schemathesis.hook
def after_call(ctx, case, response):
    """Counts the answers to requests that the document allows, by operation: all, and those that refuse, by reason."""
    if not is_allowed(case) or response.status_code in (401, 403, 429):
        return
    counted = answers.setdefault(case.operation.label, {"all": 0, "refused": Counter(), "absent": Counter()})
    counted["all"] += 1
    if response.status_code == 400 and response.json().get("code") in SHAPE:
        counted["refused"][reason(response.json())] += 1
    elif response.status_code in STATE:
        answer = response.json()
        counted["absent"][f"{answer['code']} {answer['message']}"] += 1


def reason(answer):
    """What is wrong with a request, in the words of its refusal."""
    wrong = sorted(f"{error['field']} {error['message']}" for error in answer.get("errors", []))
    return "; ".join(wrong) or answer.get("details", "")


@atexit.register
def report():
    Path(os.environ["FUZZ_COUNTS"]).write_text(json.dumps(answers))
