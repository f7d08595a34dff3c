"""What Schemathesis cannot know of the service: who calls, texts that carry a checksum, how parameters depend on each other,
and which refusals say that the document is too loose."""

import atexit
import functools
import http.client
import itertools
import json
import os
import sys
import time
import urllib.parse
import urllib.request
from collections import Counter
from pathlib import Path

import schemathesis
from eth_account import Account
from hypothesis import strategies as st
from schemathesis.generation import GenerationMode

sys.path.append(str(Path(__file__).parents[2] / "local/tests/venue"))
import service  # noqa: E402
from bitcoin_wallet import BitcoinWallet  # noqa: E402


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
# The caller's wallet: an account has addresses of its own, and refuses requests that name others.
WALLET = BitcoinWallet(bytes(31) + b"\x07")
ADDRESSES = {
    "bitcoin": WALLET.address,
    "evm": "0x00000000000000000000000000000000000000aa",
    "solana": "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
}

# Most addresses of requests are of Bitcoin.
schemathesis.openapi.format("address", st.sampled_from([ADDRESSES["bitcoin"]] * 3 + [ADDRESSES["evm"]]))
schemathesis.openapi.format("evm-address", st.just(ADDRESSES["evm"]))
schemathesis.openapi.format("bitcoin-address", st.just(ADDRESSES["bitcoin"]))
schemathesis.openapi.format("bitcoin-key", st.just(WALLET.public_key))
schemathesis.openapi.format("rune-ids", st.sampled_from(["1:1", "840000:3,1:1"]))
schemathesis.openapi.format("psbt", st.just(PSBT))
schemathesis.openapi.format("signature", st.sampled_from(["AAAA", "0x" + "11" * 65]))
schemathesis.openapi.format("public-key", st.just(WALLET.public_key))
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


class Session:
    """The session of an admin with a trading wallet that holds coins."""

    # Seconds of the service's clock. Some operations require a sign-in within the last 15 minutes.
    LASTS = 240

    def __init__(self):
        self.token, self.until = None, 0.0
        self.account = None
        # By how many seconds the service's clock was moved.
        self.moved = 0

    def get(self):
        if time.monotonic() + self.moved >= self.until:
            self.until = time.monotonic() + self.moved + self.LASTS
            self.token = self.sign_in()
        return self.token

    def sign_in(self):
        query = urllib.parse.urlencode({"address": WALLET.address, "chain": "bitcoin"})
        challenge = service.call("GET", f"/auth/wallet/challenge?{query}")["data"]
        answer = service.call("POST", "/auth/authenticate", body={
            "challengeId": challenge["challengeId"], "signature": WALLET.sign(challenge["message"]),
            "address": WALLET.address, "publicKey": WALLET.public_key, "chain": "bitcoin", "provider": "fuzz"})["data"]
        if answer["account"]["role"] == "admin":
            self.account = answer["account"]
            return answer["accessToken"]
        service.call("POST", "/_local/role", body={"address": WALLET.address, "role": "admin"})
        coins = {"address": answer["account"]["tradingAddress"], "sats": 1_000_000}
        for _ in range(5):
            service.call("POST", "/_local/bitcoin/fund", body=coins)
        service.call("POST", "/_local/bitcoin/mine", body={"blocks": 1})
        service.call("POST", "/_local/tokens", body=TOKEN)
        return self.sign_in()

    def wait(self, seconds):
        """Lets the service's clock pass a limit."""
        self.moved += seconds
        service.call("POST", "/_local/clock", body={"advanceMs": seconds * 1000})


# The catalogue of the local world is empty.
TOKEN = {"tokenId": "0xaf88d065e77c8cc2239327c5edb3a432268e5831", "chain": "42161", "symbol": "USDC", "divisibility": 6,
         "slots": ["usdc"]}
session = Session()


@schemathesis.auth(refresh_interval=None)
class Caller:
    """The session's admin; a wallet of its own for operations that end the session."""

    def __init__(self):
        self.spare = None
        self.made = 0.0

    def get(self, case, context):
        if context.operation.definition.raw.get("operationId") not in ENDS_SESSION:
            return session.get()
        now = time.monotonic() + session.moved
        if self.spare is None or now - self.made > 20:
            self.spare, self.made = service.sign_in(Account.create()), now
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
                service.request("POST", f"{service.base}{path}", session.get(), body)
                self.rows[path] = self.listed(path)
        return self.rows[path]

    @staticmethod
    def listed(path):
        status, answer = service.request("GET", f"{service.base}{path}?pageSize=20", session.get())
        rows = answer["data"] if status == 200 else []
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []

    def segment(self, path, turn):
        """The name of the first variable segment of a path, and what a list has for it; None if it has nothing."""
        if "{" not in path:
            return None
        before, _, rest = path.partition("/{")
        name = rest.partition("}")[0]
        if before in LISTED:
            found = LISTED[before]()
        else:
            found = [row[field] for row in self.of(before) for field in (name, "id") if field in row]
        return (name, found[turn % len(found)]) if found else None


known = Known()
turns = itertools.count()
# What names things that a list of another path has, or none.
LISTED = {
    "/api/support/accounts": lambda: [session.account["id"]],
    "/api/runes": lambda: [row["runeId"] for row in known.of("/api/vm-transactions/mints")],
    "/api/wallets/details": lambda: [WALLET.address],
}


def is_allowed(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


# Fields and parameters whose texts carry a checksum, or are the address of an account's trading wallet.
OF_A_CHAIN = {"address", "address_eq", "proceedsAddress", "relatedAddress_eq", "userAddress", "userAddress_eq", "walletAddress"}
OF_TRADING = {"tradingAddress_eq"}
# Lists of a trading wallet's coins.
OF_COINS = {"getAddressBalance", "listUtxos"}
MS_OF_A_DAY = 86_400_000


def with_addresses(case, fields):
    """Replaces addresses by those of the caller, of the chain that is named."""
    operation = case.operation.definition.raw["operationId"]
    is_of_venue = case.operation.path.startswith("/api/perp-venue/")
    for name in OF_A_CHAIN & fields.keys():
        chain = fields.get("chain")
        if is_of_venue:
            chain = "evm"
        elif not (isinstance(chain, str) and chain in ADDRESSES):
            chain = "bitcoin"
        fields[name] = session.account["tradingAddress"] if operation in OF_COINS else ADDRESSES[chain]
    for name in OF_TRADING & fields.keys():
        fields[name] = session.account["tradingAddress"]
    # Each list knows this relation.
    if fields.get("populate"):
        fields["populate"] = "wallet"


def with_price(body, turn):
    """A price is a multiple of the number of requests."""
    count = body["requestCount"]
    if count <= MOST_SATS // 546:
        body["satsNewRequests"] = count * (546 + turn % 10_000)
    else:
        body["satsNewRequests"] = count


def with_window(body, turn):
    """A mint opens and closes in the future, and a block takes at most all of its requests."""
    now = int((time.time() + session.moved) * 1000)
    if body.get("opensAt") is not None:
        body["opensAt"] = now + MS_OF_A_DAY
    body["closesAt"] = now + 2 * MS_OF_A_DAY
    body["requestsPerBlock"] = min(body["requestsPerBlock"], body["totalRequests"])
    # All requests together have at most as many tokens as an amount can hold.
    body["tokensPerRequest"] = body["tokensPerRequest"][:30]


def with_one_address(query, turn):
    """Rows of one address, or in some states."""
    if "state_eq" in query:
        for name in ("asOf", "tradingAddress_eq", "userAddress_eq"):
            query.pop(name, None)
    elif "tradingAddress_eq" in query:
        query.pop("userAddress_eq", None)


def with_related_address(query, turn):
    """Filters of the swaps of an address."""
    if {"dstChain_eq", "srcChain_eq", "status_eq", "type_eq"} & query.keys():
        query["relatedAddress_eq"] = WALLET.address


def with_one_reader(query, turn):
    """The reads of one account, or of one admin."""
    if "accountId" in query:
        query.pop("adminId", None)
    else:
        query.setdefault("adminId", session.account["id"])


def with_seen_event(fields, turn):
    """From an event on that has happened, of the caller's account."""
    if "after" in fields:
        fields["after"] = 0
    if "accountId" in fields:
        fields["accountId"] = session.account["id"]


def with_own_key(body, turn):
    """The key of the caller's trading wallet."""
    body["publicKey"] = WALLET.public_key


def with_token_of_mint(body, turn):
    """Requests of a mint are paid in BTC."""
    if str(body["type"]).startswith("virtual"):
        body["params"]["tokenId"] = "0:0"


MOST_SATS = 2_100_000_000_000_000
# What fields and parameters require of each other or of the time, by operation: no schema can say it.
RELATED_FIELDS = {
    "calculateMaxSpent": with_token_of_mint,
    "createMint": with_window,
    "createVmTransaction": with_price,
    "getOwnWallet": with_own_key,
    "replayWebhook": with_seen_event,
}
RELATED_PARAMETERS = {
    "listEvents": with_seen_event,
    "listMintEvents": with_seen_event,
    "listSupportReads": with_one_reader,
    "listVmTransactions": with_one_address,
    "listXchainTransactions": with_related_address,
}


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Makes three of four requests that the document allows ones that the service allows."""
    turn = next(turns)
    if not is_allowed(case):
        return
    operation = case.operation
    name = operation.definition.raw["operationId"]
    if turn % 4:
        segment = known.segment(operation.path, turn) if operation.method.upper() != "DELETE" else None
        if segment:
            case.path_parameters[segment[0]] = segment[1]
        for fields, related in ((case.query, RELATED_PARAMETERS), (case.body, RELATED_FIELDS)):
            if isinstance(fields, dict):
                with_addresses(case, fields)
                related.get(name, lambda fields, turn: None)(fields, turn)
        # A key is used once.
        if case.headers and "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = f"{turn}-{time.monotonic_ns()}"
    # Which proof fits a new verifier, no schema can say.
    if isinstance(case.body, dict):
        without = ["newClientPublic", "newClientProof"] + (["clientPublic", "clientProof"] if "srpVerifier" in case.body else [])
        for field in without:
            case.body.pop(field, None)


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
# Seconds. Few limits last longer than an hour.
LONGEST_WAIT = 3600
answers = {}


@schemathesis.hook
def after_call(ctx, case, response):
    """Counts the answers to requests that the document allows, by operation: all, and those that refuse, by reason."""
    if response.status_code == 429 and is_allowed(case):
        session.wait(min(int(response.headers["retry-after"][0]), LONGEST_WAIT))
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
