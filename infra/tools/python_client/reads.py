"""Five reads with the client that is generated from infra/openapi.json; BASE and TOKEN name the service and its caller."""

import os

from httpx import Timeout
from runeport_client import AuthenticatedClient, Client
from runeport_client.api.account import get_me, list_accounts
from runeport_client.api.prizes import list_prizes
from runeport_client.api.tokens import list_tokens
from runeport_client.api.vm_transactions import list_mints
from runeport_client.models import (
    EnvelopeMe, EnvelopeVecAccountRow, EnvelopeVecMintRow, EnvelopeVecPrize, EnvelopeVecTokenRow,
)

base = os.environ["BASE"]
# Ends a wait that would never end.
limit = Timeout(600)
public = Client(base_url=base, timeout=limit)
caller = AuthenticatedClient(base_url=base, token=os.environ["TOKEN"], timeout=limit)

account = get_me.sync(client=caller)
assert isinstance(account, EnvelopeMe), account
accounts = list_accounts.sync(client=caller, page_size=100)
assert isinstance(accounts, EnvelopeVecAccountRow), accounts
assert account.data.id in [row.id for row in accounts.data]

prizes = list_prizes.sync(client=caller, page=2, page_size=5, sort="-prizeNumber")
assert isinstance(prizes, EnvelopeVecPrize), prizes
assert [row.prize_number for row in prizes.data] == [7, 6, 5, 4, 3], prizes.data

tokens = list_tokens.sync(client=public)
assert isinstance(tokens, EnvelopeVecTokenRow), tokens
assert len(tokens.data) == tokens.meta_data.total_items, tokens.meta_data

mints = list_mints.sync(client=public)
assert isinstance(mints, EnvelopeVecMintRow), mints
assert [row.rune_name for row in mints.data], mints

print(f"five reads of {base}: account, accounts, prizes, tokens, mints")
