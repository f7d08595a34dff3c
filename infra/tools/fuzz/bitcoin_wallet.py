"""A Bitcoin wallet of the local world, of the type P2PKH."""

import base64
import hashlib

from Crypto.Hash import RIPEMD160
from eth_keys import keys

# Of regtest and the test networks.
VERSION = b"\x6f"
DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
# Of a signature by the key of a P2PKH address that is compressed.
HEADER = 31


class BitcoinWallet:
    def __init__(self, secret):
        self.key = keys.PrivateKey(secret)
        compressed = self.key.public_key.to_compressed_bytes()
        self.public_key = compressed.hex()
        payload = VERSION + RIPEMD160.new(hashlib.sha256(compressed).digest()).digest()
        self.address = base58(payload + twice(payload)[:4])

    def sign(self, message):
        """A signature of a message, as wallets make it: base64 of 65 bytes."""
        text = message.encode()
        signed = self.key.sign_msg_hash(twice(b"\x18Bitcoin Signed Message:\n" + size(len(text)) + text))
        parts = signed.r.to_bytes(32, "big") + signed.s.to_bytes(32, "big")
        return base64.b64encode(bytes([HEADER + signed.v]) + parts).decode()


def twice(data):
    return hashlib.sha256(hashlib.sha256(data).digest()).digest()


def size(number):
    """A compact size: a message has fewer than 65,536 bytes."""
    return bytes([number]) if number < 253 else b"\xfd" + number.to_bytes(2, "little")


def base58(data):
    """Base58 of bytes that do not begin with zero."""
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = DIGITS[digit] + text
    return text
