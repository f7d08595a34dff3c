"""The body of a registration with a password: the rules for its fields, and their error messages."""

import base64
import binascii
import json
import re
import unicodedata
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

# The primes of the groups of RFC 5054, appendix A, by their bits.
PRIMES = {
    2048: int(
        "AC6BDB41324A9A9BF166DE5E1389582FAF72B6651987EE07FC3192943DB56050A37329CBB4A099ED8193E075"
        "7767A13DD52312AB4B03310DCD7F48A9DA04FD50E8083969EDB767B0CF6095179A163AB3661A05FBD5FAAAE8"
        "2918A9962F0B93B855F97993EC975EEAA80D740ADBF4FF747359D041D5C33EA71D281E446B14773BCA97B43A"
        "23FB801676BD207A436C6481F1D2B9078717461A5B9D32E688F87748544523B524B0D57D5EA77A2775D2ECFA"
        "032CFBDBF52FB3786160279004E57AE6AF874E7303CE53299CCC041C7BC308D82A5698F3A8D0C38271AE35F8"
        "E9DBFBB694B5C803D89F7AE435DE236D525F54759B65E372FCD68EF20FA7111F9E4AFF73",
        16,
    ),
    3072: int(
        "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A0879"
        "8E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B"
        "0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA4836"
        "1C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804"
        "F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6"
        "955817183995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64"
        "ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619DCEE3D226"
        "1AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2"
        "08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF",
        16,
    ),
    4096: int(
        "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A0879"
        "8E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B"
        "0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA4836"
        "1C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804"
        "F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6"
        "955817183995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64"
        "ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7ABF5AE8CDB0933D71E8C94E04A25619DCEE3D226"
        "1AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2"
        "08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A92108011A723C12A787E6D788719A10BDBA5B2699C32718"
        "6AF4E23C1A946834B6150BDA2583E9CA2AD44CE8DBBBC2DB04DE8EF92E8EFC141FBECAA6287C59474E6BC05D"
        "99B2964FA090C3A2233BA186515BE7ED1F612970CEE2D7AFB81BDD762170481CD0069127D5B05AA993B4EA98"
        "8D8FDDC186FFB7DC90A6C08F4DF435C934063199FFFFFFFFFFFFFFFF",
        16,
    ),
}
# The group of new accounts.
DEFAULT_GROUP = 3072

REQUIRED = "is required"
EMAIL = "must be an e-mail address such as name@example.com, of at most 254 ASCII characters"
ATOM = re.compile(r"[a-z0-9!#$%&'*+\-/=?^_`{|}~]+")
LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


def wrong(message):
    return PydanticCustomError("wrong", "{message}", {"message": message})


def wrong_type(value, expected):
    """The message of the service's parser for a value of another type."""
    if isinstance(value, str):
        kind = f"string {json.dumps(value, ensure_ascii=False)}"
    elif isinstance(value, bool):
        kind = f"boolean `{json.dumps(value)}`"
    elif isinstance(value, (int, float)):
        kind = f"{'integer' if isinstance(value, int) else 'floating point'} `{value}`"
    else:
        kind = "sequence" if isinstance(value, list) else "map"
    return f"invalid type: {kind}, expected {expected}"


def canonical_email(text: str) -> str:
    """The canonical form of an e-mail address: NFKC, trimmed, in lowercase."""
    canonical = unicodedata.normalize("NFKC", text).strip().lower()
    local, at, domain = canonical.rpartition("@")
    sound = (
        at
        and len(canonical) <= 254
        and len(local) <= 64
        and all(map(ATOM.fullmatch, local.split(".")))
        and "." in domain
        and all(map(LABEL.fullmatch, domain.split(".")))
    )
    if not sound:
        raise wrong(EMAIL)
    return canonical


def decode(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = None
    if data is None or base64.b64encode(data).decode() != text:
        raise wrong("must be base64, padded")
    return data


def salt(text: str) -> str:
    if len(decode(text)) != 32:
        raise wrong("must be base64 of 32 bytes")
    return text


def blob(text: str) -> str:
    decode(text)
    return text


def group(value: Any) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong(wrong_type(value, "u16"))
    if not 0 <= value <= 65_535:
        raise wrong(f"invalid value: integer `{value}`, expected u16")
    if value not in PRIMES:
        raise wrong("must be a group of RFC 5054: 2048, 3072 or 4096")
    return value


def not_taken(value: Any) -> None:
    if value is not None:
        raise wrong("is not taken here")


def text(longest):
    return Field(min_length=1, max_length=longest)


NotTaken = Annotated[None, BeforeValidator(not_taken)]


class RegisterSrp(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, strict=True)

    email: Annotated[str, text(254), AfterValidator(canonical_email)]
    srp_salt: Annotated[str, text(44), AfterValidator(salt)]
    srp_group: Annotated[int | None, BeforeValidator(group)] = None
    srp_verifier: Annotated[str, text(684)]
    encrypted_blob: Annotated[str, text(13_708), AfterValidator(blob)]
    password_hint: Annotated[str, Field(max_length=200)] | None = None
    referral_code: Annotated[str, Field(max_length=64)] | None = None
    # Fields of the service that the peers reject; see the README of the peers.
    trading_public_key: NotTaken = None
    challenge_id: NotTaken = None
    signature: NotTaken = None

    @field_validator("srp_verifier")
    @classmethod
    def verifier_of_the_group(cls, text: str, info: ValidationInfo) -> str:
        # If the group is invalid, the verifier cannot be checked.
        if "srp_group" in info.data:
            padded(text, info.data["srp_group"] or DEFAULT_GROUP)
        return text

    def group_and_verifier(self) -> tuple[int, bytes]:
        """The group, and the verifier as bytes of the group's size."""
        group = self.srp_group or DEFAULT_GROUP
        return group, padded(self.srp_verifier, group)


def padded(text: str, group: int) -> bytes:
    data = decode(text)
    size = group // 8
    if len(data) > size or not 0 < int.from_bytes(data, "big") < PRIMES[group]:
        raise wrong("the verifier is not a number of the group")
    return data.rjust(size, b"\0")


FIELDS = [to_camel(name) for name in RegisterSrp.model_fields]
NEEDED = [to_camel(name) for name, field in RegisterSrp.model_fields.items() if field.is_required()]


def field_errors(errors):
    """Converts pydantic's errors to one error per field, in the order of the fields."""
    told = {}
    for error in errors:
        told.setdefault(error["loc"][1], message(error))
    if "srpGroup" in told:
        told.pop("srpVerifier", None)
    return [{"field": name, "message": told[name]} for name in FIELDS if name in told]


def message(error):
    kind, value, context = error["type"], error.get("input"), error.get("ctx", {})
    if kind == "missing" or value is None:
        return REQUIRED
    if kind == "string_type":
        return wrong_type(value, "a string")
    if kind == "string_too_short":
        return "must not be empty"
    if kind == "string_too_long":
        return f"must have at most {context['max_length']} characters"
    return context["message"]
