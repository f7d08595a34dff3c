"""The actions that the service builds for the venue, signed as a script with the venue's own Python
package does it.

BASE is the service's address, KEY the wallet's private key, NONCE a time in milliseconds. Prints one
line of JSON, the same as actions.mjs prints for the same wallet and nonce, and the bytes of
setReferrer, which the venue hashes."""

import json
import os
import re
import sys

import msgpack
from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils import keccak
from hyperliquid.utils.signing import (
    SEND_ASSET_SIGN_TYPES, action_hash, construct_phantom_agent, l1_payload, recover_agent_or_user_from_l1_action,
    recover_user_from_user_signed_action, sign_inner, sign_l1_action, user_signed_payload)

# No __pycache__ next to the sources.
sys.dont_write_bytecode = True
from service import call, same, sign_in

account = Account.from_key(os.environ["KEY"])
nonce = int(os.environ["NONCE"])

# The package has these inside a function only.
APPROVE_BUILDER_FEE_SIGN_TYPES = [
    {"name": "hyperliquidChain", "type": "string"},
    {"name": "maxFeeRate", "type": "string"},
    {"name": "builder", "type": "address"},
    {"name": "nonce", "type": "uint64"},
]


def ask(path, body, kind, formats):
    """The action that the service builds, of this kind, with these keys in this order; and what it says of its signing."""
    data = call("POST", f"/api/perp-venue/{path}", token, body)["data"]
    same(list(data), ["kind", "action", "signing"], f"keys of {kind}")
    same(data["kind"], kind, "kind")
    action = data["action"]
    same(list(action), list(formats), f"keys of the action {kind}")
    for key, pattern in formats.items():
        value = action[key]
        assert isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII), f"{kind}, {key}: {value!r}"
    return action, data["signing"]


def padded(signature):
    """r and s as 32 bytes each: sign_inner omits leading zeros."""
    r, s = (f"0x{int(signature[part], 16):064x}" for part in ("r", "s"))
    return {"r": r, "s": s, "v": signature["v"]}


def digest_of(payload):
    """The digest that eth-account signs for typed data."""
    message = encode_typed_data(full_message=payload)
    return "0x" + keccak(b"\x19" + message.version + message.header + message.body).hex()


def user_signed(asked, types, primary_type):
    action, signing = asked
    renamed = {"hyperliquidChain" if key == "venueChain" else key: value for key, value in action.items()}
    same(signing["types"], {primary_type: types}, f"types of {primary_type}")
    payload = user_signed_payload(primary_type, types, {**renamed, "nonce": signing["nonce"]})
    same(signing["domain"], payload["domain"], f"domain of {primary_type}")
    same(signing["digest"], digest_of(payload), f"digest of {primary_type}")
    form = {**renamed, "nonce": nonce}
    # sign_user_signed_action would sign for a chain of its own choice.
    signature = padded(sign_inner(account, user_signed_payload(primary_type, types, form)))
    signer = recover_user_from_user_signed_action(dict(form), signature, types, primary_type, is_mainnet)
    same(signer, account.address, primary_type)
    return {"signature": signature}


token = sign_in(account)
call("POST", "/_local/venue", body={"address": account.address, "exists": True, "venueBalance": "12"})

ADDRESS = "0x[0-9a-f]{40}"
CHAIN = {"venueChain": "Mainnet|Testnet", "signatureChainId": "0x[1-9a-f][0-9a-f]*"}
set_referrer, of_referrer = ask("referral", {"userAddress": account.address}, "set_referrer", {
    "type": "setReferrer", "code": "[!-~]{1,20}"})
approve_builder_fee = ask("builder-fee-approval", {}, "approve_builder_fee", {
    "type": "approveBuilderFee", **CHAIN, "maxFeeRate": r"(0|[1-9]\d*)(\.\d*[1-9])?%", "builder": ADDRESS})
send_asset = ask("withdraw", {"userAddress": account.address, "amount": "2.50"}, "withdraw", {
    "type": "sendAsset", **CHAIN, "destination": ADDRESS, "sourceDex": "[a-z]*", "destinationDex": "[a-z]*",
    "token": "USDC:0x[0-9a-f]{32}", "amount": r"2\.5", "fromSubAccount": ""})
same(send_asset[0]["venueChain"], approve_builder_fee[0]["venueChain"], "venueChain")

is_mainnet = approve_builder_fee[0]["venueChain"] == "Mainnet"
connection = action_hash(set_referrer, None, of_referrer["nonce"], None)
payload = l1_payload(construct_phantom_agent(connection, is_mainnet))
same(of_referrer["domain"], payload["domain"], "domain of setReferrer")
same(of_referrer["digest"], digest_of(payload), "digest of setReferrer")
signature = padded(sign_l1_action(account, set_referrer, None, nonce, None, is_mainnet))
signer = recover_agent_or_user_from_l1_action(set_referrer, signature, None, nonce, None, is_mainnet)
same(signer, account.address, "signer of setReferrer")

print(json.dumps({
    "setReferrer": {
        "bytes": msgpack.packb(set_referrer).hex(),
        "hash": "0x" + action_hash(set_referrer, None, nonce, None).hex(),
        "signature": signature,
    },
    "approveBuilderFee": user_signed(
        approve_builder_fee, APPROVE_BUILDER_FEE_SIGN_TYPES, "HyperliquidTransaction:ApproveBuilderFee"),
    "sendAsset": user_signed(send_asset, SEND_ASSET_SIGN_TYPES, "HyperliquidTransaction:SendAsset"),
}, separators=(",", ":")))
