"""A deposit at the venue, as a script with eth-account does it: the service builds an approval and a
deposit, the wallet checks and signs both, the EVM mines them.

BASE is the service's address; KEY the wallet's private key, random where it is missing. Exits with
0 if every answer is as it should be."""

import os
import re
import sys
import time

from eth_abi import decode, encode
from eth_account import Account
from eth_utils import keccak, to_checksum_address

# No __pycache__ next to the sources.
sys.dont_write_bytecode = True
from service import call, request, same, sign_in

SYSTEM = to_checksum_address("0x2000000000000000000000000000000000000000")
# By name: the types of what is indexed, and of the rest.
EVENTS = {
    "Transfer": (["address", "address"], ["uint256"]),
    "NewCoreAccountFeeApplied": (["address"], ["uint64", "uint256", "uint64"]),
    "SendAsset": (["address"], ["uint64"]),
}


def selector(signature):
    return keccak(text=signature)[:4]


def arguments(signature, data):
    """The arguments of a function call; nothing may follow them."""
    data = bytes.fromhex(data[2:])
    same(data[:4], selector(signature), "selector")
    types = signature[signature.index("(") + 1:-1].split(",")
    same(len(data), 4 + 32 * len(types), "length of the data")
    return decode(types, data[4:])


def plain(kind, value):
    return to_checksum_address(value) if kind == "address" else value


def ask_deposit(account, token, amount, canonical, units):
    """The service's transactions for a deposit, after checking all of them."""
    answer = call("POST", "/api/perp-venue/deposit", token,
                  {"userAddress": account.address, "amount": amount})
    same(list(answer), ["code", "message", "data", "metaData"], "keys of the answer")
    same((answer["code"], answer["message"]), ("1", "common.success"), "answer")
    data = answer["data"]
    same(list(data), ["usdcToken", "depositContract", "rpcUrl", "from", "amount", "txs"], "keys of the data")
    same(to_checksum_address(data["from"]), account.address, "from")
    same(data["amount"], canonical, "amount")
    usdc, contract = to_checksum_address(data["usdcToken"]), to_checksum_address(data["depositContract"])

    same(len(data["txs"]), 2, "number of transactions")
    approval, deposit = data["txs"]
    for tx, to in ((approval, usdc), (deposit, contract)):
        same(list(tx), ["chainId", "to", "data", "value"], "keys of a transaction")
        same(type(tx["chainId"]), int, "type of chainId")
        same(tx["chainId"], approval["chainId"], "chainId")
        same(tx["to"], to, "to")
        assert re.fullmatch("0x([0-9a-f]{2})+", tx["data"]), f"data: {tx['data']!r}"
        same(tx["value"], "0x0", "value")
        # USDC that is transferred to the contract, rather than deposited, is lost.
        assert not tx["data"].startswith("0xa9059cbb"), "a transfer"
    spender, value = arguments("approve(address,uint256)", approval["data"])
    same((to_checksum_address(spender), value), (contract, units), "approval")
    same(arguments("deposit(uint256,uint32)", deposit["data"]), (units, 0), "deposit")
    return {"usdc": usdc, "contract": contract, "rpc": data["rpcUrl"], "approval": approval, "deposit": deposit}


class Wallet:
    """A wallet on the chain of a deposit."""

    def __init__(self, account, asked):
        self.account, self.url = account, asked["rpc"]
        self.usdc, self.contract = asked["usdc"], asked["contract"]

    def rpc(self, method, *params):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        status, answer = request("POST", self.url, body=body)
        assert status == 200 and "result" in answer, f"{method}: {status} {answer}"
        return answer["result"]

    def sign(self, txs):
        """Signs transactions, with nonces one after another."""
        nonce = int(self.rpc("eth_getTransactionCount", self.account.address, "pending"), 16)
        tip = int(self.rpc("eth_maxPriorityFeePerGas"), 16)
        base_fee = int(self.rpc("eth_getBlockByNumber", "latest", False)["baseFeePerGas"], 16)
        fees = {"maxPriorityFeePerGas": tip, "maxFeePerGas": 2 * base_fee + tip}
        return [
            self.account.sign_transaction(
                {**tx, **fees, "type": 2, "value": int(tx["value"], 16), "nonce": nonce + index, "gas": gas}
            ).raw_transaction
            for index, (tx, gas) in enumerate(txs)
        ]

    def broadcast(self, raw):
        tx_hash = self.rpc("eth_sendRawTransaction", "0x" + bytes(raw).hex())
        # Ends a wait that would never end.
        for _ in range(6000):
            receipt = self.rpc("eth_getTransactionReceipt", tx_hash)
            if receipt:
                return receipt
            time.sleep(0.1)
        raise AssertionError(f"{tx_hash} is not mined")

    def deposit(self, asked):
        """Approves and deposits; returns the logs of the deposit's receipt."""
        approval, deposit = asked["approval"], asked["deposit"]
        same(int(self.rpc("eth_chainId"), 16), approval["chainId"], "the chain")
        estimate = {"from": self.account.address, "to": approval["to"], "data": approval["data"]}
        gas = int(self.rpc("eth_estimateGas", estimate), 16)
        # The gas of a deposit cannot be estimated before its approval.
        signed = self.sign([(approval, gas), (deposit, 300_000)])
        receipts = [self.broadcast(raw) for raw in signed]
        same([receipt["status"] for receipt in receipts], ["0x1", "0x1"], "status of the receipts")
        return [self.event(log) for log in receipts[1]["logs"]]

    @staticmethod
    def event(log):
        topics = [bytes.fromhex(topic[2:]) for topic in log["topics"]]
        for name, (indexed, rest) in EVENTS.items():
            if keccak(text=f"{name}({','.join(indexed + rest)})") == topics[0]:
                kinds, data = indexed + rest, b"".join(topics[1:]) + bytes.fromhex(log["data"][2:])
                values = [plain(kind, value) for kind, value in zip(kinds, decode(kinds, data))]
                return (to_checksum_address(log["address"]), name, *values)
        raise AssertionError(f"an unknown event: {log}")

    def read(self, to, signature, *addresses):
        data = selector(signature) + encode(["address"] * len(addresses), addresses)
        return int(self.rpc("eth_call", {"to": to, "data": "0x" + data.hex()}, "latest"), 16)

    def state(self):
        """What a deposit changes: the balance, the allowance, and the credit."""
        mine = self.account.address
        return (self.read(self.usdc, "balanceOf(address)", mine),
                self.read(self.usdc, "allowance(address,address)", mine, self.contract),
                self.read(self.contract, "credited(address)", mine))


account = Account.from_key(os.environ["KEY"]) if os.environ.get("KEY") else Account.create()
token = sign_in(account)
call("POST", "/_local/venue", body={"address": account.address, "usdc": "25.5", "gas": "1", "exists": True})
asked = ask_deposit(account, token, "10.50", "10.5", 10_500_000)
usdc, contract = asked["usdc"], asked["contract"]
wallet = Wallet(account, asked)
credited_before = wallet.state()[2]
same(wallet.deposit(asked), [
    (usdc, "Transfer", account.address, contract, 10_500_000),
    (contract, "Transfer", contract, SYSTEM, 10_500_000),
    (contract, "SendAsset", account.address, 1_050_000_000),
], "logs of the deposit")
after = wallet.state()
same(after, (15_000_000, 0, credited_before + 1_050_000_000), "state after the deposit")
print(f"{account.address} deposited 10.5 USDC")

# The approval is used up.
[again] = wallet.sign([(asked["deposit"], 300_000)])
same(wallet.broadcast(again)["status"], "0x0", "status of the deposit alone")
same(wallet.state(), after, "state after the deposit alone")
print("the same deposit once more is reverted")

# A new wallet at the venue pays for its account.
stranger = Account.create()
stranger_token = sign_in(stranger)
call("POST", "/_local/venue", body={"address": stranger.address, "usdc": "5", "gas": "1", "exists": False})
first = ask_deposit(stranger, stranger_token, "5", "5", 5_000_000)
newcomer = Wallet(stranger, first)
same([log for log in newcomer.deposit(first) if log[1] != "Transfer"], [
    (contract, "NewCoreAccountFeeApplied", stranger.address, 100_000_000, 5_000_000, 400_000_000),
    (contract, "SendAsset", stranger.address, 400_000_000),
], "logs of the first deposit")
same(newcomer.state(), (0, 0, 400_000_000), "state after the first deposit")
print(f"{stranger.address} deposited 5 USDC, of which 1 paid for the account")
