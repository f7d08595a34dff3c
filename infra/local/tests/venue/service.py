"""What the scripts in this folder share: the service, and a wallet that signs in."""

import json
import os
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from eth_account.messages import encode_defunct

base = os.environ.get("BASE", "http://127.0.0.1:9000")
levers = os.environ.get("LEVERS", base)


def same(found, expected, what):
    assert found == expected, f"{what}: {found!r}, not {expected!r}"


def request(method, url, token=None, body=None):
    headers = {"accept": "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    if body is not None:
        headers["content-type"] = "application/json"
        body = json.dumps(body).encode()
    try:
        with urlopen(Request(url, body, headers, method=method), timeout=600) as response:
            return response.status, json.load(response)
    except HTTPError as error:
        return error.code, error.read().decode(errors="replace")


def call(method, path, token=None, body=None):
    """The whole answer, which must be a success."""
    host = levers if path.startswith("/_local") else base
    status, answer = request(method, host + path, token, body)
    assert status == 200, f"{method} {path}: {status} {answer}"
    return answer


def sign_in(account):
    """The access token of an EVM wallet, an account of eth-account."""
    query = urlencode({"address": account.address, "chain": "evm"})
    challenge = call("GET", f"/auth/wallet/challenge?{query}")["data"]
    signed = account.sign_message(encode_defunct(text=challenge["message"]))
    signed_in = call("POST", "/auth/authenticate", body={
        "challengeId": challenge["challengeId"], "signature": "0x" + bytes(signed.signature).hex(),
        "address": account.address, "publicKey": "", "chain": "evm", "provider": "eth-account"})
    return signed_in["data"]["accessToken"]
