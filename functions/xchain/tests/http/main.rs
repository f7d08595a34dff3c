//! The endpoints of `xchain`, through HTTP, on a real node and a real ord.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod create;
mod dry_run;
mod follow;
mod listed;
mod recovery;
mod relay;
mod replace;
mod sign;
mod sources;
mod stuck;
mod swaps;
mod taproot;
mod versions;
mod ways_out;

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{
    Address, EcdsaSighashType, OutPoint, PrivateKey, Psbt, PublicKey, Txid, ecdsa,
    hashes::Hash,
    secp256k1::{Message, Secp256k1, SecretKey},
    sighash::SighashCache,
};
use chain::{
    keys,
    models::transaction::TransactionState,
    transactions::{FullTransaction, IssuedTransaction, TransactionBody},
};
use local::{
    LocalStack,
    client::{Answer, Client},
    functions,
    wallets::{NETWORK, SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};

/// A stack with a chain, and a client of all functions.
struct World {
    stack: LocalStack,
    client: Client,
}

/// A user with a trading wallet.
struct User {
    wallet: Wallet,
    session: SignedIn,
    trading: Address,
}

async fn world() -> World {
    world_on(LocalStack::builder().bitcoin().build().await).await
}

async fn world_on(stack: LocalStack) -> World {
    let client = stack.serve(functions::routes()).await;
    World { stack, client }
}

impl World {
    async fn user(&self, seed: u64) -> User {
        let wallet = Wallet::p2wpkh(seed);
        let session = sign_in(&self.client, &wallet).await;
        Self::signed_in(wallet, session)
    }

    fn signed_in(wallet: Wallet, session: SignedIn) -> User {
        let trading = session.data["tradingAddress"].as_str().unwrap();
        let trading = trading.parse::<Address<_>>().unwrap().require_network(NETWORK).unwrap();
        User { wallet, session, trading }
    }

    /// A user whose trading wallet has these coins, confirmed.
    async fn user_with(&self, seed: u64, coins: &[u64]) -> User {
        let user = self.user(seed).await;
        for sats in coins {
            self.stack.bitcoin().fund(&user.trading, *sats).await.unwrap();
        }
        self.mine(1).await;
        user
    }

    async fn mine(&self, blocks: u32) {
        self.stack.bitcoin().mine(blocks).await.unwrap();
    }

    async fn create(&self, user: &User, params: &Value) -> Answer {
        let body = json!({ "type": "xchain-withdraw", "params": params });
        let call = self.client.post("/api/xchain/transaction").bearer(&user.session.access_token);
        call.json(&body).send().await
    }

    /// The same by the other path.
    async fn create_by_transactions(&self, user: &User, params: &Value) -> Answer {
        let body = json!({ "type": "xchain-withdraw", "params": params });
        let call = self.client.post("/api/transactions").bearer(&user.session.access_token);
        call.json(&body).send().await
    }

    async fn sign_by_transactions(&self, user: &User, text: &str) -> Answer {
        let body = json!({ "params": { "signedBase64Tx": text } });
        let call = self.client.post("/api/transactions/sign").bearer(&user.session.access_token);
        call.json(&body).send().await
    }

    /// Creates a withdrawal of BTC.
    async fn created(&self, user: &User, sats: u64) -> Answer {
        self.create(user, &btc(sats)).await.expect(201)
    }

    async fn sign(&self, user: &User, text: &str) -> Answer {
        sign_at(&self.client, user, text).await
    }

    async fn row(&self, txid: Txid) -> IssuedTransaction {
        self.stack.app().store.get(&keys::transaction(txid)).await.unwrap().unwrap()
    }

    async fn body(&self, txid: Txid) -> TransactionBody {
        self.stack.app().store.get(&keys::transaction_body(txid)).await.unwrap().unwrap()
    }

    async fn issued(&self, txid: Txid) -> FullTransaction {
        FullTransaction { row: self.row(txid).await, body: self.body(txid).await }
    }

    async fn state(&self, txid: Txid) -> TransactionState {
        self.row(txid).await.state
    }

    async fn in_mempool(&self, txid: Txid) -> bool {
        self.stack.bitcoin().transaction(txid).await.unwrap().is_some()
    }

    /// Advances the clock and lets the watcher process the rows that are due.
    async fn watch_after(&self, seconds: u64) {
        self.stack.clock().advance(std::time::Duration::from_secs(seconds));
        self.stack.tick("chain-watcher").await.unwrap();
    }
}

/// Withdraws and returns the id of the transaction.
async fn withdrawn(world: &World, user: &User) -> Txid {
    let created = world.created(user, 20_000).await;
    let signed = text(&signed(&psbt_of(&created), &user.wallet));
    world.sign(user, &signed).await.expect(201);
    txid_of(&created)
}

async fn sign_at(client: &Client, user: &User, text: &str) -> Answer {
    let body = json!({ "type": "xchain-withdraw", "params": { "signedBase64Tx": text } });
    let call = client.post("/api/xchain/transaction/sign").bearer(&user.session.access_token);
    call.json(&body).send().await
}

/// An address outside the test.
fn somewhere() -> String {
    Wallet::p2tr(999).address().to_owned()
}

/// A withdrawal of BTC to an address outside the test.
fn btc(sats: u64) -> Value {
    withdrawal("0:0", sats.into())
}

fn withdrawal(token: &str, amount: u128) -> Value {
    json!({
        "amount": amount.to_string(),
        "tokenId": token,
        "withdrawTo": somewhere(),
        "xchainData": "0xdeadbeef",
    })
}

/// The PSBT of an answer.
fn psbt_of(answer: &Answer) -> Psbt {
    parse_psbt(answer.text_of("base64Psbt"))
}

fn parse_psbt(text: &str) -> Psbt {
    Psbt::deserialize(&BASE64_STANDARD.decode(text).unwrap()).unwrap()
}

fn text(psbt: &Psbt) -> String {
    BASE64_STANDARD.encode(psbt.serialize())
}

fn txid_of(answer: &Answer) -> Txid {
    answer.text_of("txId").parse().unwrap()
}

fn spent(psbt: &Psbt) -> Vec<OutPoint> {
    psbt.unsigned_tx.input.iter().map(|input| input.previous_output).collect()
}

fn secret(wallet: &Wallet) -> SecretKey {
    wallet.private_key().parse().unwrap()
}

/// The signature of an input with this sighash type, and the key that made it.
fn signature(
    psbt: &Psbt,
    input: usize,
    wallet: &Wallet,
    sighash: EcdsaSighashType,
) -> (PublicKey, ecdsa::Signature) {
    let secp = Secp256k1::new();
    let fields = &psbt.inputs[input];
    let (script, value) =
        (fields.witness_script.as_ref().unwrap(), fields.witness_utxo.as_ref().unwrap().value);
    let digest = SighashCache::new(&psbt.unsigned_tx)
        .p2wsh_signature_hash(input, script, value, sighash)
        .unwrap();
    let key = PrivateKey::new(secret(wallet), NETWORK);
    let signature = secp.sign_ecdsa(&Message::from_digest(digest.to_byte_array()), &key.inner);
    (key.public_key(&secp), ecdsa::Signature { signature, sighash_type: sighash })
}

/// The PSBT as a wallet signs it: every input with SIGHASH_ALL.
fn signed(psbt: &Psbt, wallet: &Wallet) -> Psbt {
    let mut signed = psbt.clone();
    for input in 0..psbt.inputs.len() {
        let (key, made) = signature(psbt, input, wallet, EcdsaSighashType::All);
        signed.inputs[input].partial_sigs.insert(key, made);
    }
    signed
}
