"""Access tokens, as in `shared/src/crypto/token.rs`. The keys come from the same places as in the service, and
are cached for the same time."""

import base64
import json

import jwt
from cryptography.hazmat.primitives.serialization import load_der_private_key

from . import aws
from .problems import Problem
from .ids import fresh_id, now_ms

# Lifetime of an access token, in seconds.
LIFETIME = 600
LEEWAY = 5
TYPE = "at+jwt"
LONGEST = 4096
KEPT_MS = 300_000
STALE_MS = 3_600_000
PAUSE_MS = 10_000


class Cache:
    """A cached value. It is read again when it is 5 minutes old or is not the wanted one. After a failed or
    unsuccessful read, the cache waits 10 seconds before the next one."""

    def __init__(self, read):
        self._read, self._value = read, None
        self._read_at = self._paused_until = float("-inf")

    def get(self, wanted=lambda value: True):
        usable = self._usable(wanted)
        if usable is not None:
            return usable
        try:
            self._value = self._read()
        except Exception as error:
            self._paused_until = now_ms() + PAUSE_MS
            stale = self._usable(wanted)
            if stale is None:
                raise Problem("unavailable") from error
            return stale
        self._read_at = now_ms()
        if not wanted(self._value):
            self._paused_until = now_ms() + PAUSE_MS
        return self._value

    def _usable(self, wanted):
        if self._value is None:
            return None
        now = now_ms()
        fresh = now < self._read_at + KEPT_MS and wanted(self._value)
        paused = now < self._paused_until and now < self._read_at + STALE_MS
        return self._value if fresh or paused else None


class Tokens:
    def __init__(self, settings):
        self._settings = settings
        self._public, self._private = Cache(self._read_public), Cache(self._read_private)

    def caller(self, header):
        """The caller: the account in the token of an `Authorization` header."""
        scheme, space, token = (header or "").partition(" ")
        if scheme.lower() != "bearer" or not space:
            raise Problem("noAuthorization")
        return self.verify(token.strip())["sub"]

    def verify(self, token):
        """Checks a token's algorithm, type, key, signature, issuer, audience and times."""
        if len(token) > LONGEST:
            raise Problem("invalidToken")
        try:
            header = jwt.get_unverified_header(token)
            kid = header.get("kid")
            if header.get("typ") != TYPE or kid is None:
                raise Problem("invalidToken")
            key = self._public.get(lambda keys: kid in keys).get(kid)
            if key is None:
                raise Problem("invalidToken")
            claims = jwt.decode(
                token,
                key,
                algorithms=["EdDSA"],
                issuer=self._settings.token_issuer,
                audience=self._settings.token_audience,
                options={
                    "require": ["iss", "aud", "sub", "exp", "iat"],
                    "strict_aud": True,
                    "verify_exp": False,
                    "verify_iat": False,
                },
            )
        except jwt.PyJWTError as error:
            raise Problem("invalidToken") from error
        if claims["iat"] * 1000 > now_ms() + LEEWAY * 1000:
            raise Problem("invalidToken")
        # Check the times last, so that only tokens of this service are reported as expired.
        if claims["exp"] * 1000 <= now_ms():
            raise Problem("tokenExpired")
        return claims

    def issue(self, account, session, role, auth_time):
        """Issues a token for a session that began at `auth_time`."""
        kid, key = self._private.get()
        now = now_ms()
        iat = now // 1000
        claims = {
            "iss": self._settings.token_issuer,
            "aud": self._settings.token_audience,
            "sub": str(account),
            "sid": str(session),
            "role": role,
            "auth_time": auth_time // 1000,
            "iat": iat,
            "exp": iat + LIFETIME,
            "jti": str(fresh_id(now)),
        }
        return jwt.encode(claims, key, algorithm="EdDSA", headers={"typ": TYPE, "kid": kid})

    def _read_public(self):
        ssm = aws.client("ssm")
        parameter = ssm.get_parameter(Name=self._settings.token_jwks_parameter)["Parameter"]
        keys = json.loads(parameter["Value"])["keys"]
        usable = (key for key in keys if (key["kty"], key["crv"]) == ("OKP", "Ed25519"))
        return {key["kid"]: jwt.PyJWK(key, algorithm="EdDSA") for key in usable}

    def _read_private(self):
        secrets = aws.client("secretsmanager")
        secret = secrets.get_secret_value(SecretId=self._settings.token_secret_id)
        stored = json.loads(secret["SecretString"])
        return stored["kid"], load_der_private_key(base64.b64decode(stored["privateKey"]), None)
