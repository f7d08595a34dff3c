//! Virtual mints for tests: users bid through HTTP, blocks are mined, the watcher runs, and all counters are
//! recomputed and compared.
// For tests, which only need the panic's text.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::{collections::BTreeMap, time::Duration};

use base::clock::Timestamp;
use bitcoin::{
    Address, Amount, OutPoint, Sequence, Transaction, TxIn, TxOut, Txid, absolute, ecdsa,
    transaction,
};
use chain::{
    bitcoin::psbt::{self, InputOwner, Spent},
    keys,
    mints::{
        self, Changes, Confirmation, KeptEnd, KeptMint, Mint, Payout, PayoutMembers, Released,
        Settlement, TakenBlocks, Tier, VmSum, VmSums, VmTransaction,
    },
    models::{
        mint::{MintId, MintState},
        platform_wallet::PlatformWallet,
        vm_transaction::{Leg, RefundState, VmState, VmTransactionKey},
    },
    transactions::{self, IssuedTransaction, TransactionBody},
};
use ordinals::RuneId;
use serde_json::{Value, json};
use shared::models::account::Account;
use store::{Count, Key, lists};

use crate::{
    base::client::{Answer, Client},
    bitcoin::Etching,
    functions,
    stack::{LocalStack, admins::admin},
    users::wallets::{self, NETWORK, SignedIn, Wallet, sign_in},
};

/// A world with a chain, a rune in the pool, and an admin who can create mints.
pub struct MintWorld {
    /// The world.
    pub stack: LocalStack,
    /// A client of all functions.
    pub client: Client,
    /// The rune; its whole supply is in the pool.
    pub rune: RuneId,
    /// Wallet that distributes the runes.
    pub pool: PlatformWallet,
    /// Wallet that commitments pay to.
    pub treasury: PlatformWallet,
    /// Recipient of the proceeds.
    pub proceeds: Address,
}

/// A user with a trading wallet.
#[derive(Clone, Debug)]
pub struct Trader {
    /// The wallet that signs in; the trading wallet is derived from it.
    pub wallet: Wallet,
    /// The session.
    pub session: SignedIn,
    /// The trading address.
    pub trading: Address,
    /// When the user signed in.
    pub since: Timestamp,
}

/// How long a session's first access token is used.
const SIGNED_IN: Duration = Duration::from_secs(8 * 60);

impl Trader {
    /// Signs in with a wallet that supports a trading wallet.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn sign_in(client: &Client, wallet: Wallet) -> Self {
        let session = sign_in(client, &wallet).await;
        let trading = session.data["tradingAddress"].as_str().unwrap();
        let trading = trading.parse::<Address<_>>().unwrap().require_network(NETWORK).unwrap();
        Self { wallet, session, trading, since: client.now() }
    }

    /// The user's trading address.
    pub fn address(&self) -> &str {
        self.wallet.address()
    }

    /// Signs a PSBT as the user's wallet does: every input of the trading address, with SIGHASH_ALL.
    ///
    /// # Panics
    /// The text is not a PSBT.
    pub fn signed(&self, base64_psbt: &str) -> String {
        self.wallet.sign_psbt(&self.trading, base64_psbt)
    }
}

/// A payment of a trading wallet to the treasury, as commitments make it.
#[derive(Clone, Copy, Debug)]
pub struct Paid {
    /// The coin of the wallet that it spends.
    pub anchor: OutPoint,
    /// The output of the treasury.
    pub output: OutPoint,
}

/// The transaction id in an answer.
///
/// # Panics
/// It has none.
pub fn txid_of(answer: &Answer) -> Txid {
    answer.text_of("txId").parse().unwrap()
}

impl Trader {
    /// A VM transaction of the trader whose whole payment to an output of the treasury is refundable.
    pub fn owed(
        &self,
        mint: &Mint,
        Paid { anchor, output }: Paid,
        sats: u64,
        place: Confirmation,
    ) -> VmTransaction {
        let [anchor, output] = [anchor, output].map(shared::models::bitcoin::OutPoint);
        VmTransaction {
            txid: output.0.txid,
            version: 1,
            created_at: self.since,
            account_id: self.session.account.parse().unwrap(),
            mint_id: mint.id,
            rune_id: mint.rune.id,
            user_address: self.address().to_owned(),
            trading_address: self.trading.to_string(),
            anchor,
            replaces: None,
            replaced_by: None,
            state: VmState::NotTaken,
            tiers: vec![Tier { count: 1, sats_per_request: sats, in_blocks: 0 }],
            output,
            blocks: TakenBlocks::default(),
            confirmation: Some(place),
            is_final: true,
            settlement: Some(Settlement {
                distributable_requests: 0,
                refundable_requests: 1,
                refundable_sats: sats,
            }),
            refund_state: RefundState::None,
            refund_txid: None,
            refund_source: Some(output),
            transfer: None,
            distribution: None,
            state_key: String::new(),
            state_at: String::new(),
            state_price: None,
            expires_at: None,
        }
    }
}

impl MintWorld {
    /// A fresh scene with a pool of `supply` of the rune and some plain coins.
    ///
    /// # Panics
    /// The world does not start.
    pub async fn start(supply: u128) -> Self {
        Self::of(LocalStack::builder().bitcoin().build().await, supply).await
    }

    /// The same scene in an existing world.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub async fn of(stack: LocalStack, supply: u128) -> Self {
        Self::with_coins(stack, supply, &[100_000; 6]).await
    }

    /// A fresh scene whose pool has a single plain coin, too few for two transactions at a time.
    ///
    /// # Panics
    /// As [`Self::start`].
    pub async fn with_one_coin(supply: u128) -> Self {
        Self::with_coins(LocalStack::builder().bitcoin().build().await, supply, &[600_000]).await
    }

    async fn with_coins(stack: LocalStack, supply: u128, coins: &[u64]) -> Self {
        let client = stack.serve(functions::routes()).await;
        admin(&stack, &client).await;
        let app = stack.app();
        let wallet = async |id: &str| {
            let key = app.signer.key(id).await.unwrap();
            PlatformWallet::new(key.public_key, key.id, NETWORK)
        };
        let treasury = wallet(&app.config.mint_keys.treasury).await;
        let pool = wallet(&app.config.mint_keys.distribution).await;
        let chain = stack.bitcoin();
        let to = pool.address(NETWORK);
        let etching = Etching {
            name: "VIRTUAL•MINT•RUNE".to_owned(),
            supply,
            divisibility: 0,
            to: Some(to.clone()),
        };
        let rune = chain.etch(&etching).await.unwrap();
        for sats in coins {
            chain.fund(&to, *sats).await.unwrap();
        }
        // A rune can be minted once its etching is seven blocks deep.
        chain.mine(6).await.unwrap();
        let proceeds: Address<_> = Wallet::p2tr(77).address().parse().unwrap();
        let proceeds = proceeds.require_network(NETWORK).unwrap();
        Self { stack, client, rune, pool, treasury, proceeds }
    }

    /// Creates a mint of 30 requests of 1,000 tokens each, in blocks of 10, from 1,000 sats, open for a day;
    /// the fields in `differs` override these.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn mint(&self, differs: &Value) -> MintId {
        let made = self.try_mint(differs).await.expect(201);
        made.text_of("id").parse().unwrap()
    }

    /// The answer to the same request.
    pub async fn try_mint(&self, differs: &Value) -> Answer {
        let body = json!({
            "runeId": self.rune.to_string(),
            "proceedsAddress": self.proceeds.to_string(),
            "tokensPerRequest": "1000",
            "totalRequests": 30,
            "requestsPerBlock": 10,
            "minSatsPerRequest": 1_000,
            "closesAt": self.stack.app().clock.now().0 + 24 * 60 * 60 * 1_000,
        });
        let call = self.client.post("/api/vm-transactions/mints").bearer(&self.admin_token().await);
        call.json(&wallets::with(body, differs)).send().await
    }

    /// Closes a mint.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn close(&self, mint: MintId) {
        let path = format!("/api/vm-transactions/mints/{mint}/close");
        self.client.post(path).bearer(&self.admin_token().await).send().await.expect(200);
    }

    /// A user whose trading wallet has these coins, confirmed.
    ///
    /// # Panics
    /// The sign-in or the funding fails.
    pub async fn trader(&self, seed: u64, coins: &[u64]) -> Trader {
        self.trader_with(Wallet::p2wpkh(seed), coins).await
    }

    /// The same with any kind of wallet that supports a trading wallet.
    ///
    /// # Panics
    /// As [`Self::trader`].
    pub async fn trader_with(&self, wallet: Wallet, coins: &[u64]) -> Trader {
        let trader = Trader::sign_in(&self.client, wallet).await;
        for sats in coins {
            self.stack.bitcoin().fund(&trader.trading, *sats).await.unwrap();
        }
        if !coins.is_empty() {
            self.stack.bitcoin().mine(1).await.unwrap();
        }
        trader
    }

    /// `count` traders, each of whom bids for two requests at 2,000 sats in each of three blocks.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn crowd(&self, count: u64) -> Vec<Trader> {
        let mut traders = Vec::new();
        for seed in 1..=count {
            traders.push(self.trader(seed, &[40_000, 40_000, 40_000]).await);
        }
        for _round in 0..3 {
            for trader in &traders {
                self.bid(trader, 2, 2_000).await;
            }
            self.mine(1).await;
        }
        traders
    }

    /// A currently valid access token of a trader; tokens are valid for ten minutes.
    ///
    /// # Panics
    /// The sign-in fails.
    pub async fn token(&self, trader: &Trader) -> String {
        let age = self.client.now().0 - trader.since.0;
        if age < SIGNED_IN.as_millis() as i64 {
            return trader.session.access_token.clone();
        }
        sign_in(&self.client, &trader.wallet).await.access_token
    }

    /// The same for the admin.
    ///
    /// # Panics
    /// As [`Self::token`].
    pub async fn admin_token(&self) -> String {
        sign_in(&self.client, &wallets::admin_wallet()).await.access_token
    }

    /// The request that creates a batch.
    pub fn batch_of(&self, trader: &Trader, requests: u64, price: u64) -> Value {
        json!({
            "userAddress": trader.address(),
            "runeId": self.rune.to_string(),
            "requestCount": requests,
            "satsNewRequests": requests.saturating_mul(price),
        })
    }

    /// Creates a batch.
    pub async fn create(&self, trader: &Trader, requests: u64, price: u64) -> Answer {
        let call = self.client.post("/api/vm-transactions").bearer(&self.token(trader).await);
        call.json(&self.batch_of(trader, requests, price)).send().await
    }

    /// Signs a batch.
    pub async fn sign(&self, trader: &Trader, signed: &str) -> Answer {
        let body = json!({ "userAddress": trader.address(), "signedBase64Tx": signed });
        let path = "/api/vm-transactions/sign";
        let call = self.client.post(path).bearer(&self.token(trader).await);
        call.json(&body).send().await
    }

    /// Creates and signs a batch, which the network must accept.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn bid(&self, trader: &Trader, requests: u64, price: u64) -> Txid {
        let created = self.create(trader, requests, price).await.expect(201);
        let signed = trader.signed(created.text_of("base64Psbt"));
        let answer = self.sign(trader, &signed).await.expect(201);
        assert_eq!(answer.data()["state"], "allInMempool");
        txid_of(&created)
    }

    /// Path that calculates a trader's refund.
    pub fn calculation_of(&self, trader: &Trader) -> String {
        let (rune, address) = (self.rune, trader.address());
        format!("/api/refund/calculate?type=virtual_mint&runeIds={rune}&userAddress={address}")
    }

    /// Calculates a trader's refund.
    pub async fn calculate(&self, trader: &Trader) -> Answer {
        self.client.get(self.calculation_of(trader)).send().await
    }

    /// The request that creates a refund.
    pub fn refund_of(&self, trader: &Trader) -> Value {
        json!({
            "type": "virtual_mint",
            "runeIds": [self.rune.to_string()],
            "userAddress": trader.address(),
        })
    }

    /// Creates a refund.
    pub async fn create_refund(&self, trader: &Trader) -> Answer {
        let call = self.client.post("/api/refund").bearer(&self.token(trader).await);
        call.json(&self.refund_of(trader)).send().await
    }

    /// Signs a refund.
    pub async fn sign_refund(&self, trader: &Trader, signed: &str) -> Answer {
        let body = json!({ "userAddress": trader.address(), "base64Psbt": signed });
        let call = self.client.post("/api/refund/sign").bearer(&self.token(trader).await);
        call.json(&body).send().await
    }

    /// Mines blocks and runs the watcher.
    ///
    /// # Panics
    /// Something does not answer.
    pub async fn mine(&self, blocks: u32) {
        self.stack.bitcoin().mine(blocks).await.unwrap();
        self.watch().await;
    }

    /// Runs the watcher a minute later, until it has nothing left to do.
    ///
    /// # Panics
    /// The watcher fails.
    pub async fn watch(&self) {
        self.stack.clock().advance(Duration::from_secs(61));
        self.stack.watch_until_quiet().await.unwrap();
    }

    /// Lets time pass while the watcher runs.
    ///
    /// # Panics
    /// As [`Self::watch`].
    pub async fn pass(&self, span: Duration) {
        self.stack.clock().advance(span);
        self.watch().await;
    }

    /// The row of a mint.
    ///
    /// # Panics
    /// It does not exist.
    pub async fn mint_row(&self, mint: MintId) -> Mint {
        mints::mint(&self.stack.app().store, mint).await.unwrap().unwrap()
    }

    /// The row of a VM transaction.
    ///
    /// # Panics
    /// It does not exist.
    pub async fn vm(&self, mint: MintId, txid: Txid) -> VmTransaction {
        let key = VmTransactionKey { mint_id: mint, txid };
        mints::vm_transaction(&self.stack.app().store, key).await.unwrap().unwrap()
    }

    /// Pays the treasury from a coin of the trader's wallet, with the signatures of both. No block is mined.
    ///
    /// # Panics
    /// The node refuses it.
    pub async fn pay_treasury(&self, trader: &Trader, sats: u64) -> Paid {
        let (app, chain) = (self.stack.app(), self.stack.bitcoin());
        let account = keys::account(trader.session.account.parse().unwrap());
        let account: Account = app.store.get(&account).await.unwrap().unwrap();
        let wallet = account.trading_wallet.unwrap();
        let anchor = chain.fund(&trader.trading, sats + 1_000).await.unwrap();
        let output = |sats, script_pubkey| TxOut { value: Amount::from_sat(sats), script_pubkey };
        let unsigned = Transaction {
            version: transaction::Version::TWO,
            lock_time: absolute::LockTime::ZERO,
            input: vec![TxIn {
                previous_output: anchor,
                sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
                ..TxIn::default()
            }],
            output: vec![output(sats, self.treasury.script_pubkey())],
        };
        let spent = Spent {
            txout: output(sats + 1_000, trader.trading.script_pubkey()),
            owner: InputOwner::Trading(wallet.descriptor.clone()),
        };
        let issued = psbt::issue(&unsigned, &[spent]).unwrap();
        let signed = psbt::parse(&trader.signed(&issued.to_base64())).unwrap();
        let user = psbt::check(&issued, &signed, &wallet.descriptor).unwrap();
        let [to_sign] = psbt::digests(&issued).try_into().unwrap();
        let platform = app.signer.sign(&wallet.key_id, to_sign.digest).await.unwrap();
        let platform = [(0, ecdsa::Signature::sighash_all(platform))].into();
        let paid = psbt::finalise(&issued, user.signatures(), &platform).unwrap();
        let txid = chain.send_raw(&paid).await.unwrap();
        Paid { anchor, output: OutPoint { txid, vout: 0 } }
    }

    /// Writes the row of a VM transaction as if it had been created normally.
    ///
    /// # Panics
    /// The store does not answer.
    pub async fn plant(&self, row: &VmTransaction) {
        let store = &self.stack.app().store;
        let rows = Changes::new().insert(row.clone()).writes(store.now(), ());
        store.commit(rows).await.unwrap();
        // What the worker would have recorded about its mint and its settlement.
        let mint = self.mint_row(row.mint_id).await;
        if mints::kept_mint(store, mint.id).await.unwrap().is_none() {
            let end = KeptEnd { state: mint.state, block: mint.last_block.unwrap_or_default() };
            let end = (mint.state == MintState::Failed).then_some(end);
            let kept = KeptMint { end, ..KeptMint::of(&mint) };
            store.put(&keys::mint_kept(mint.id), &kept).await.unwrap();
        }
        if row.refund_source == Some(row.output) {
            let released = Released { sats: row.refundable_sats() };
            store.put(&keys::released(row.key()), &released).await.unwrap();
        }
    }

    /// The row of a transaction that the service issued.
    ///
    /// # Panics
    /// It does not exist.
    pub async fn issued(&self, txid: Txid) -> IssuedTransaction {
        self.stack.app().store.get(&keys::transaction(txid)).await.unwrap().unwrap()
    }

    /// The immutable part of an issued transaction.
    ///
    /// # Panics
    /// It does not exist.
    pub async fn body(&self, txid: Txid) -> TransactionBody {
        self.stack.app().store.get(&keys::transaction_body(txid)).await.unwrap().unwrap()
    }

    /// An issued transaction with all signatures.
    ///
    /// # Panics
    /// It is not signed.
    pub async fn raw(&self, txid: Txid) -> Transaction {
        transactions::raw(self.stack.app(), txid).await.unwrap()
    }

    /// Whether two issued transactions spend a common coin.
    ///
    /// # Panics
    /// One of them does not exist.
    pub async fn conflict(&self, one: Txid, other: Txid) -> bool {
        let other = self.body(other).await.inputs;
        self.body(one).await.inputs.iter().any(|coin| other.contains(coin))
    }

    /// All rows of VM transactions of a mint.
    ///
    /// # Panics
    /// The store does not answer.
    pub async fn vms(&self, mint: MintId) -> Vec<VmTransaction> {
        let store = &self.stack.app().store;
        let mut rows: Vec<VmTransaction> = Vec::new();
        for (low, high) in keys::vm_transactions(mint) {
            rows.extend(store.range((&low, &high), true, None).await.unwrap());
        }
        // Unsigned rows are not in the mint's lists; each is read by its key.
        for table in self.stack.contents() {
            for item in table["Items"].as_array().unwrap() {
                if item["sk"]["S"] == "vmDraft" && item["mintId"]["S"] == mint.to_string() {
                    let txid = item["txid"]["S"].as_str().unwrap().parse().unwrap();
                    let key = VmTransactionKey { mint_id: mint, txid };
                    rows.extend(mints::vm_transaction(store, key).await.unwrap());
                }
            }
        }
        rows
    }

    /// The payouts of a mint.
    ///
    /// # Panics
    /// The store does not answer.
    pub async fn payouts(&self, mint: MintId) -> Vec<Payout> {
        let (low, high) = keys::payouts(mint);
        self.stack.app().store.range((&low, &high), true, None).await.unwrap()
    }

    /// The payouts of a mint that send runes.
    ///
    /// # Panics
    /// As [`Self::payouts`].
    pub async fn distributions(&self, mint: MintId) -> Vec<Payout> {
        let mut payouts = self.payouts(mint).await;
        payouts.retain(|payout| payout.leg == Leg::Distribution);
        payouts
    }

    /// The payouts of a mint that move payments.
    ///
    /// # Panics
    /// As [`Self::payouts`].
    pub async fn transfers(&self, mint: MintId) -> Vec<Payout> {
        let mut payouts = self.payouts(mint).await;
        payouts.retain(|payout| payout.leg == Leg::Transfer);
        payouts
    }

    /// The VM transactions of a payout.
    ///
    /// # Panics
    /// It has none.
    pub async fn members(&self, payout: &Payout) -> Vec<Txid> {
        let key = keys::payout_members(payout.key());
        let members: Option<PayoutMembers> = self.stack.app().store.get(&key).await.unwrap();
        members.unwrap().txids
    }

    /// One VM transaction as the list shows it.
    ///
    /// # Panics
    /// The list does not contain it.
    pub async fn listed(&self, txid: Txid) -> Value {
        let answer = self.client.get("/api/vm-transactions?pageSize=100").send().await.expect(200);
        let rows = answer.data().as_array().unwrap();
        rows.iter().find(|row| row["txId"] == txid.to_string()).unwrap().clone()
    }

    /// Whether a transaction is in a block or in the mempool.
    ///
    /// # Panics
    /// The node does not answer.
    pub async fn is_known(&self, txid: Txid) -> bool {
        self.stack.bitcoin().transaction(txid).await.unwrap().is_some()
    }

    /// A sum over the VM transactions of a mint.
    ///
    /// # Panics
    /// It cannot be read.
    pub async fn sum(&self, mint: MintId, sum: VmSum) -> u64 {
        let key = keys::vm_sums(self.mint_row(mint).await.rune.id, mint);
        let sums = self.stack.app().store.get::<VmSums>(&key).await.unwrap();
        sums.unwrap_or_default().get(sum)
    }

    /// The requests of a mint in virtual blocks.
    ///
    /// # Panics
    /// They cannot be read.
    pub async fn requests_in_blocks(&self, mint: MintId) -> u64 {
        self.sum(mint, VmSum::InBlocks).await
    }

    /// Recomputes all counters from the rows: those of the mint, of states, of waiting and of open requests,
    /// and the totals of lists. The figures that clients see must agree with them too.
    ///
    /// # Panics
    /// A counter differs.
    pub async fn recount(&self, mint: MintId) {
        let store = &self.stack.app().store;
        let (row, rows) = (self.mint_row(mint).await, self.vms(mint).await);
        let sum = |figure: fn(&VmTransaction) -> u64| rows.iter().map(figure).sum::<u64>();
        let in_mempool = self.sum(mint, VmSum::InMempool).await;
        assert_eq!(in_mempool, sum(VmTransaction::requests_in_mempool), "mempool");
        assert_eq!(self.sum(mint, VmSum::Bids).await, sum(VmTransaction::bids), "bids");
        let in_blocks = |row: &VmTransaction| match row.state.takes_part() {
            true => row.requests_in_blocks(),
            false => 0,
        };
        let counted = self.requests_in_blocks(mint).await;
        assert_eq!(counted, sum(in_blocks), "blocks");
        assert!(counted <= row.total_requests);
        for vm in &rows {
            if let Some(settlement) = vm.settlement {
                let kept = vm.sats_in_blocks();
                assert_eq!(kept + settlement.refundable_sats, vm.paid_sats(), "{}", vm.txid);
                let requests = settlement.distributable_requests + settlement.refundable_requests;
                assert_eq!(requests, vm.requests(), "{}", vm.txid);
            }
            let waits = vm.settlement.is_none() && vm.state != VmState::NotTaken;
            if vm.state.takes_part() {
                let rest = if waits { vm.requests() - vm.requests_in_blocks() } else { 0 };
                assert_eq!(vm.requests_in_mempool(), rest, "{}", vm.txid);
            }
        }
        let mut states: BTreeMap<_, u64> = BTreeMap::new();
        let (mut waiting, mut open): (BTreeMap<_, u64>, BTreeMap<_, u64>) =
            (BTreeMap::new(), BTreeMap::new());
        for vm in &rows {
            *states.entry(vm.state).or_default() += 1;
            *waiting.entry(vm.user_address.clone()).or_default() += vm.requests_in_mempool();
            *open.entry(vm.user_address.clone()).or_default() += u64::from(vm.is_open());
        }
        let count = async |key: Key| store.get::<Count>(&key).await.unwrap().unwrap_or_default();
        for state in chain::models::vm_transaction::VmState::ALL {
            let counted = self.sum(mint, VmSum::InState(state)).await;
            let expected = if state.is_private() { 0 } else { *states.get(&state).unwrap_or(&0) };
            assert_eq!(counted, expected, "{state}");
        }
        for (address, expected) in &waiting {
            let counted = count(keys::vm_waiting(address, self.rune)).await.count;
            assert_eq!(counted, *expected, "waiting requests of {address}");
        }
        for (address, expected) in &open {
            assert_eq!(
                count(keys::vm_open(address)).await.count,
                *expected,
                "open requests of {address}"
            );
        }
        let all = waiting.values().sum::<u64>();
        assert_eq!(in_mempool, all, "waiting");
        let path = "/api/vm-transactions/count-unconfirmed-requests";
        let answer = self.client.get(path).send().await.expect(200);
        assert_eq!(answer.data()["count"], all);
        self.recount_lists(&row, &rows).await;
    }

    async fn recount_lists(&self, mint: &Mint, rows: &[VmTransaction]) {
        let store = &self.stack.app().store;
        let public: Vec<_> = rows.iter().filter(|row| !row.state.is_private()).collect();
        let total = lists::total(store, &keys::lists::vm_by_rune(self.rune)).await.unwrap();
        assert_eq!(total, public.len() as u64);
        let path = format!("/api/vm-transactions?runeId_eq={}&pageSize=100", self.rune);
        let answer = self.client.get(path).send().await.expect(200);
        let figure = |field: &str| {
            let rows = answer.data().as_array().unwrap().iter();
            rows.map(|row| row[field].as_u64().unwrap()).sum::<u64>()
        };
        let in_mempool = self.sum(mint.id, VmSum::InMempool).await;
        let in_blocks = self.requests_in_blocks(mint.id).await;
        assert_eq!(figure("requestsInMempoolCount"), in_mempool);
        assert_eq!(figure("requestsInBlocksCount"), in_blocks);
        let mints = self.client.get("/api/vm-transactions/mints").send().await.expect(200);
        let mints = mints.data().as_array().unwrap();
        let listed = mints.iter().find(|row| row["id"] == mint.id.to_string()).unwrap();
        assert_eq!(listed["requestsInMempoolCount"], in_mempool);
        assert_eq!(listed["requestsInBlocksCount"], in_blocks);
        for state in chain::models::vm_transaction::VmState::ALL {
            let path = format!("/api/vm-transactions?state_eq={state}&runeId_eq={}", self.rune);
            let answer = self.client.get(path).send().await.expect(200);
            let expected = public.iter().filter(|row| row.state == state).count();
            assert_eq!(answer.body["metaData"]["totalItems"], expected, "{state}");
            let page = answer.data().as_array().unwrap();
            assert_eq!(page.len(), expected.min(10), "{state}");
            assert!(page.iter().all(|row| row["state"] == state.name()));
        }
    }
}
