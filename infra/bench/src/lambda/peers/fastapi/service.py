"""The three endpoints, independent of the framework."""

import functools
import ipaddress
import json
import logging
import secrets

from . import aws, keys
from .lists import list_query, read_page
from .models import Me, SignedIn
from .problems import Problem
from .ids import base64url, fresh_id, now_ms, referral_code, sha256
from .store import ConditionFailed, Store, expiry
from .tokens import LIFETIME, Tokens
from .vault import Vault

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
SIGN_IN_BY_SOURCE = ("signInBySource", 100, 5 * MINUTE)
REGISTRATION_BY_SOURCE = ("registrationBySource", 50, 60 * MINUTE)
EMAIL_BY_ADDRESS = ("emailByAddress", 5, 60 * MINUTE)
PRIZE_FIELDS = ["prizeNumber", "name", "inscriptionId", "controllingUtxo", "createdAt"]

log = logging.getLogger("service")


def subject_of(source):
    """The subject of an address for rate limits: for IPv6, its network of 64 bits."""
    if source.version == 4 or source.ipv4_mapped:
        return str(getattr(source, "ipv4_mapped", None) or source)
    return str(ipaddress.ip_network((source, 64), strict=False))


def address_of(text):
    try:
        return text and ipaddress.ip_address(text)
    except ValueError:
        return None


class Service:
    def __init__(self, settings):
        self._settings = settings
        self._store = Store(settings)
        self._tokens = Tokens(settings)
        self._vault = Vault(settings, self._store)

    @functools.cached_property
    def _sqs(self):
        return aws.client("sqs")

    def caller(self, header):
        """The caller, from the header `Authorization`."""
        return self._tokens.caller(header)

    def me(self, caller):
        """`GET /api/account/me`."""
        account = self._store.get(keys.account(caller))
        if account is None:
            raise Problem("accountNotFound")
        if account["status"] != "active":
            raise Problem("accountDisabled")
        return Me.of(account)

    def prizes(self, parameters):
        """`GET /api/prizes`: a page, `data` and `metaData`."""
        return read_page(self._store, keys.PRIZES, list_query(parameters, PRIZE_FIELDS))

    def register(self, body, request_id, source, user_agent):
        """`POST /auth/register/srp`."""
        source = address_of(source)
        if source:
            self._hit(SIGN_IN_BY_SOURCE, subject_of(source))
        uuid = fresh_id(now_ms())
        id = str(uuid)
        group, verifier = body.group_and_verifier()
        credential = {
            "group": group,
            "salt": body.srp_salt,
            "verifier": self._vault.seal(f"verifier#{id}", verifier),
        }
        referred_by = self._referrer(body.referral_code) if body.referral_code else None
        if source:
            self._hit(REGISTRATION_BY_SOURCE, subject_of(source))
        blob = self._vault.seal(f"keystore#{id}", body.encrypted_blob.encode())
        code = referral_code()
        session, tokens = self._open(uuid, source, user_agent)
        entry = self._entry(id, session["id"], request_id, source)
        account = {
            "id": id,
            "version": 1,
            "email": body.email,
            "emailVerified": False,
            "authMethod": "srp",
            "hasKeystore": True,
            "role": "user",
            "status": "active",
            "epoch": 0,
            "wallet": None,
            "walletSince": 0,
            "addresses": [],
            "earlierAddresses": [],
            "totpEnabled": False,
            "passkeys": 0,
            "avatar": None,
            "defaultTokens": {"usdc": None},
            "referralCode": code,
            "referredBy": referred_by,
            "passwordHint": body.password_hint or None,
        }
        insert = self._store.insert

        def draft(at):
            row = account | {"createdAt": at, "lastSignInAt": at}
            owner = {"accountId": id, "verified": False, "heldUntil": at + DAY}
            lapsed = ("verified = :no AND heldUntil < :at", {":no": False, ":at": at})
            return [
                insert(keys.account(id), "account", row, "code"),
                insert(keys.referral(code), "uniqueness", {"accountId": id}, "code"),
                insert(keys.session(id, session["id"]), "session", session, "code"),
                *self._store.start(keys.activity(id), entry | {"createdAt": at}, at, "code"),
                insert(keys.srp(id), "srpCredential", credential, "code"),
                insert(keys.email(body.email), "emailOwner", owner, "email", lapsed),
                insert(keys.keystore(id), "keystore", {"blob": blob}, "code"),
            ], id

        try:
            at = self._store.append(keys.ACCOUNTS, draft)
        except ConditionFailed as failed:
            raise Problem("emailTaken" if failed.meaning == "email" else "unavailable") from failed
        if source:
            self._remember(id, subject_of(source))
        self._verify(id, body.email)
        return SignedIn(**tokens, account=Me.of(account | {"createdAt": at}))

    def _hit(self, limit, subject):
        name, most, window = limit
        until = self._store.hit(keys.limit(name, subject), most, window)
        if until is not None:
            seconds = max(expiry(until - now_ms()), 1)
            raise Problem("rateLimited", f"Too many requests. Try again in {seconds} s.", retry_after=seconds)

    def _referrer(self, code):
        claimed = self._store.get(keys.referral(code.upper()))
        if claimed is None:
            raise Problem("referralCodeUnknown")
        return claimed["accountId"]

    def _open(self, account, source, user_agent):
        """A new session and its tokens."""
        now = now_ms()
        id = fresh_id(now)
        refresh_token = base64url(account.bytes + id.bytes + secrets.token_bytes(32))
        session = {
            "id": str(id),
            "accountId": str(account),
            "epoch": 0,
            "refreshHash": sha256(refresh_token),
            "authTime": now,
            "createdAt": now,
            "lastUsedAt": now,
            "expiresAt": expiry(now + 7 * DAY),
            "userAgent": user_agent and user_agent[:200],
            "sourceIp": str(source) if source else None,
        }
        access_token = self._tokens.issue(account, id, "user", now)
        return session, {
            "access_token": access_token,
            "refresh_token": refresh_token,
            "expires_in": LIFETIME,
        }

    def _entry(self, account, session_id, request_id, source):
        """The first entry of the account's audit trail."""
        text = f"{account}\0{source}"
        source_hash = self._vault.keyed_hash("source", text).hexdigest()[:32] if source else None
        return {
            "id": str(fresh_id(now_ms())),
            "change": "accountCreated",
            "requestId": request_id,
            "sessionId": session_id,
            "sourceHash": source_hash,
        }

    def _remember(self, account, source):
        """Records the source of the sign-in. The sign-in succeeds even if this fails."""
        row = {"expiresAt": expiry(now_ms() + 90 * DAY)}
        try:
            self._store.put(keys.known_source(account, source), "knownSource", row)
        except Exception:
            log.exception("known source not noted")

    def _verify(self, account, email):
        """Sends the account a mail with a token that verifies its address. The account exists even if the mail
        fails; its owner can request another mail."""
        try:
            self._hit(EMAIL_BY_ADDRESS, f"{sha256(email)}#{account}")
            self._mail(account, email)
        except Problem as problem:
            if problem.name != "rateLimited":
                log.exception("verification mail not queued")
        except Exception:
            log.exception("verification mail not queued")

    def _mail(self, account, email):
        token = base64url(secrets.token_bytes(32))
        expires_at = now_ms() + 10 * MINUTE
        row = {"accountId": account, "email": email, "expiresAt": expiry(expires_at)}
        self._store.put(keys.email_token(sha256(token)), "emailVerification", row)
        at = now_ms()
        letter = {"verifyEmail": {"token": token, "expiresAt": expires_at}}
        mail = {"id": str(fresh_id(at)), "to": email, "letter": letter, "at": at}
        answer = self._sqs.send_message_batch(
            QueueUrl=self._settings.mail_queue_url,
            Entries=[{"Id": "0", "MessageBody": json.dumps(mail)}],
        )
        if answer.get("Failed"):
            raise RuntimeError(f"the queue refused a message: {answer['Failed'][0]['Code']}")
