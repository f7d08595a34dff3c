"""The Python client of openapi-generator signs a wallet in and reads: BASE is the service's address."""

import os

import runeport_client as runeport
from eth_account import Account
from eth_account.messages import encode_defunct

configuration = runeport.Configuration(host=os.environ["BASE"])
client = runeport.ApiClient(configuration)
wallet = Account.create()

auth = runeport.AuthApi(client)
challenge = auth.get_wallet_challenge(address=wallet.address, chain=runeport.Chain.EVM).data
signature = wallet.sign_message(encode_defunct(text=challenge.message)).signature
signed = runeport.SignedChallenge(
    challenge_id=challenge.challenge_id, signature="0x" + bytes(signature).hex(), address=wallet.address, public_key="",
    chain=runeport.Chain.EVM, provider="eth-account")
session = auth.authenticate(runeport.Authenticate(signed)).data
configuration.access_token = session.access_token

me = runeport.AccountApi(client).get_me().data
assert me.id == session.account.id, me
page = runeport.TransactionsApi(client).list_bitcoin_transactions(page=1, page_size=5)
assert page.data == [], page
assert (page.meta_data.total_items, page.meta_data.page_size) == (0, 5), page
# The answer is null.
assert auth.log_out().data is None
print(f"python: {me.id} signed in and out")
