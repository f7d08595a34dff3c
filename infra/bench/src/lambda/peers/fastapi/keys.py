"""The keys of all rows that these endpoints use, as in `shared/src/keys.rs`."""

from typing import NamedTuple


class Key(NamedTuple):
    table: str
    pk: str
    sk: str


class List(NamedTuple):
    """A list: the key of its head, which counts the members, and of its n-th member, counted from 1."""

    table: str
    name: str

    def head(self):
        return Key(self.table, f"list#{self.name}", "head")

    def member(self, n):
        return Key(self.table, f"list#{self.name}", f"{n:012}")


def account(id):
    return Key("accounts_table", f"account#{id}", "account")


def session(id, session):
    return Key("accounts_table", f"account#{id}", f"session#{session}")


def srp(id):
    return Key("accounts_table", f"credential#{id}", "srp")


def keystore(id):
    return Key("accounts_table", f"credential#{id}", "keystore")


def email(address):
    return Key("accounts_table", f"email#{address}", "email")


def data_key(kid):
    return Key("accounts_table", f"dataKey#{kid}", "dataKey")


def referral(code):
    return Key("accounts_table", f"referral#{code}", "referral")


def email_token(hash):
    return Key("ephemeral_table", f"emailToken#{hash}", "emailToken")


def limit(name, subject):
    return Key("ephemeral_table", f"limit#{name}#{subject}", "limit")


def known_source(id, source):
    return Key("ephemeral_table", f"source#{id}#{source}", "source")


def activity(id):
    return List("accounts_table", f"activity#{id}")


ACCOUNTS = List("accounts_table", "accounts")
PRIZES = List("activity_table", "prizes")
