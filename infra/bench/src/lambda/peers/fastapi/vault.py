"""Encryption at rest, as in `shared/src/crypto/vault.rs`: AES-256-GCM with data keys that KMS wraps. Each data
key is requested once and cached."""

import base64
import functools
import hashlib
import hmac
import secrets
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from . import aws, keys
from .ids import fresh_id, now_ms

CURRENT = "current"
HASHING = "hashing"


class DataKey(NamedTuple):
    kid: str
    key: bytes


class Vault:
    def __init__(self, settings, store):
        self._key_id, self._store, self._kept = settings.data_key_id, store, {}

    def seal(self, purpose, plain):
        """Encrypts a value for a purpose, such as `keystore#<account>`."""
        kid, key = self._current()
        nonce = secrets.token_bytes(12)
        sealed = nonce + AESGCM(key).encrypt(nonce, plain, purpose.encode())
        return f"{kid}.{base64.b64encode(sealed).decode()}"

    def keyed_hash(self, purpose, text):
        """HMAC-SHA-256 of a text for a purpose, with a key that never changes."""
        key = self._named(HASHING) or self._generate(HASHING)
        return hmac.new(key.key, f"{purpose}\0{text}".encode(), hashlib.sha256)

    @functools.cached_property
    def _kms(self):
        return aws.client("kms")

    def _current(self):
        if CURRENT in self._kept:
            return self._kept[CURRENT]
        pointer = keys.data_key(CURRENT)
        named = self._store.get(pointer)
        if named is None:
            key = self._generate(str(fresh_id(now_ms())))
            # If several instances start concurrently, one of them chooses the key for all.
            named = self._store.claim(pointer, "dataKey", {"kid": key.kid})
        if named is not None:
            key = self._named(named["kid"])
        if key is None:
            raise RuntimeError("a data key is missing")
        self._kept[CURRENT] = key
        return key

    def _named(self, kid):
        if kid in self._kept:
            return self._kept[kid]
        stored = self._store.get(keys.data_key(kid))
        return stored and self._unwrap(stored)

    def _unwrap(self, stored):
        answer = self._kms.decrypt(
            KeyId=self._key_id,
            CiphertextBlob=base64.b64decode(stored["wrapped"]),
            EncryptionContext={"kid": stored["kid"]},
        )
        return self._keep(stored["kid"], answer["Plaintext"])

    def _generate(self, kid):
        answer = self._kms.generate_data_key(
            KeyId=self._key_id, KeySpec="AES_256", EncryptionContext={"kid": kid}
        )
        wrapped = base64.b64encode(answer["CiphertextBlob"]).decode()
        earlier = self._store.claim(keys.data_key(kid), "dataKey", {"kid": kid, "wrapped": wrapped})
        return self._unwrap(earlier) if earlier else self._keep(kid, answer["Plaintext"])

    def _keep(self, kid, key):
        return self._kept.setdefault(kid, DataKey(kid, key))
