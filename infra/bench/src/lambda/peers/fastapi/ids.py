"""Random ids, codes and tokens, and their clock."""

import base64
import hashlib
import secrets
import time
import uuid

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def now_ms() -> int:
    """The current time, in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


def fresh_id(now: int) -> uuid.UUID:
    """A time-ordered id with the current time: UUID version 7 (RFC 9562, section 5.7)."""
    number = now << 80 | secrets.randbits(80)
    number = number & ~(0xF << 76) | 7 << 76
    return uuid.UUID(int=number & ~(0x3 << 62) | 0x2 << 62)


def referral_code() -> str:
    """8 characters of Crockford's base32."""
    return "".join(ALPHABET[byte & 31] for byte in secrets.token_bytes(8))


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sha256(text: str) -> str:
    """SHA-256 as hex."""
    return hashlib.sha256(text.encode()).hexdigest()
