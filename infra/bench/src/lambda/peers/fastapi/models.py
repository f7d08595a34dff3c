"""The bodies of responses."""

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

T = TypeVar("T")


class Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True)


class Success(Model, Generic[T]):
    """The body of every successful response."""

    code: str = "1"
    message: str = "common.success"
    data: T


class Me(Model):
    """An account as its owner sees it."""

    id: str
    email: str | None
    email_verified: bool
    auth_method: str
    has_keystore: bool
    role: str
    wallet: dict[str, Any] | None
    addresses: list[dict[str, Any]]
    trading_address: str | None
    totp_enabled: bool
    passkeys: int
    avatar: str | None
    default_tokens: dict[str, str | None]
    referral_code: str
    referred_by: str | None
    password_hint: str | None
    created_at: int

    @classmethod
    def of(cls, account):
        """Creates the object from an account's row."""
        wallet = account.get("tradingWallet")
        return cls.model_validate(account | {"tradingAddress": wallet and wallet["address"]})


class SignedIn(Model):
    """The result of a sign-in: the session's tokens and the account."""

    access_token: str
    refresh_token: str
    expires_in: int
    trading_address: None = None
    wallet: None = None
    account: Me
