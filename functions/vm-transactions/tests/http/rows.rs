//! VM transactions written as rows without a chain, for lists and counts.

use base::clock::Timestamp;
use bitcoin::{OutPoint, hashes::Hash};
use chain::{
    bitcoin::runes::Rune,
    keys,
    mints::{Changes, Confirmation, Gates, Mint, Settlement, VmTransaction},
    models::{
        amount::Units, mint::MintState, platform_wallet::PlatformWallet,
        vm_transaction::RefundState,
    },
};
use local::{
    LocalStack,
    wallets::{NETWORK, SignedIn, sign_in},
};
use ordinals::RuneId;
use shared::models::account::AccountId;
use store::{Writes, lists};

use super::*;

/// A stack whose tables hold fifty-two VM transactions of three users and two runes, in every state.
pub(crate) struct Rows {
    pub(crate) stack: LocalStack,
    pub(crate) client: Client,
    pub(crate) users: Vec<Owner>,
    pub(crate) runes: [RuneId; 2],
    /// In the order of creation.
    pub(crate) all: Vec<VmTransaction>,
}

/// An owner of rows.
pub(crate) struct Owner {
    pub(crate) session: SignedIn,
    /// The address in its canonical spelling, as rows have it.
    pub(crate) address: String,
    /// The address as a wallet shows it.
    pub(crate) spelling: String,
    pub(crate) trading: String,
}

impl Rows {
    /// The public rows, newest first.
    pub(crate) fn public(&self) -> Vec<&VmTransaction> {
        self.all.iter().rev().filter(|row| !row.state.is_private()).collect()
    }

    pub(crate) async fn get(&self, query: &str) -> Answer {
        self.client.get(format!("/api/vm-transactions?{query}")).send().await
    }

    pub(crate) async fn start() -> Self {
        let stack = LocalStack::start().await;
        let client = stack.serve(functions::routes()).await;
        let mut users = Vec::new();
        for seed in 1..=3 {
            let wallet = Wallet::p2wpkh(seed);
            let session = sign_in(&client, &wallet).await;
            let trading = session.data["tradingAddress"].as_str().unwrap().to_owned();
            // The second user uses an address of another chain.
            let spelling = match seed {
                2 => Wallet::evm(seed).address().to_owned(),
                _ => wallet.address().to_owned(),
            };
            users.push(Owner { session, address: spelling.to_lowercase(), spelling, trading });
        }
        let runes = [RuneId { block: 200, tx: 1 }, RuneId { block: 201, tx: 7 }];
        let mut rows = Self { stack, client, users, runes, all: Vec::new() };
        let mut mints = Vec::new();
        for (rune, name) in runes.into_iter().zip(["VIRTUAL•MINT•ONE", "VIRTUAL•MINT•TWO"])
        {
            mints.push(rows.mint(Rune { id: rune, name: name.parse().unwrap() }).await);
        }
        for number in 0..44 {
            let state = VmState::ALL[number % VmState::ALL.len()];
            rows.insert(number, mints[(number / VmState::ALL.len()) % 2], number % 3, state).await;
        }
        // Uneven counts, so that pages differ in each direction.
        for number in 44..56 {
            rows.insert(number, mints[0], number % 2, VmState::AllInMempool).await;
        }
        rows
    }

    async fn mint(&self, rune: Rune) -> (MintId, RuneId) {
        let app = self.stack.app();
        let now = app.clock.now();
        let wallet = async |id: &str| {
            let key = app.signer.key(id).await.unwrap();
            PlatformWallet::new(key.public_key, key.id, NETWORK)
        };
        let mint = Mint {
            id: MintId(app.random.id(now)),
            created_at: now,
            state: MintState::Open,
            rune,
            treasury: wallet(&app.config.mint_keys.treasury).await,
            pool: wallet(&app.config.mint_keys.distribution).await,
            proceeds_address: Wallet::p2tr(77).address().to_owned(),
            tokens_per_request: Units(1_000),
            total_requests: 1_000,
            requests_per_block: 10,
            min_sats_per_request: 1_000,
            opens_at: now,
            closes_at: Timestamp(i64::MAX),
            gates: Gates::default(),
            revision: 0,
            last_block: None,
            minted_out_at: None,
            payouts_planned: false,
            pool_split: None,
            pool_split_up_to: None,
            watch: None,
            failing: None,
            due_at: now,
        };
        app.store.put(&keys::mint(mint.id), &mint).await.unwrap();
        (mint.id, mint.rune.id)
    }

    async fn insert(&mut self, number: usize, mint: (MintId, RuneId), user: usize, state: VmState) {
        let row = self.row(number, mint, &self.users[user], state);
        let store = &self.stack.app().store;
        let at = |at| VmTransaction { created_at: at, ..row.clone() };
        let write = |at| Changes::new().insert(row_at(&row, at)).writes(store.now(), ());
        let created_at = if state.is_private() {
            let now = store.now();
            store.commit(write(now)).await.unwrap();
            now
        } else {
            let (rune, trading, address) = (mint.1, &row.trading_address, &row.user_address);
            let lists = [
                keys::lists::vm(),
                keys::lists::vm_by_rune(rune),
                keys::lists::vm_by_mint(mint.0),
                keys::lists::vm_by_trading_address(trading, None),
                keys::lists::vm_by_trading_address(trading, Some(rune)),
                keys::lists::vm_by_user_address(address, None),
                keys::lists::vm_by_user_address(address, Some(rune)),
            ];
            let draft = |at| -> (Writes<()>, _) { (write(at), row.key()) };
            lists::append(store, &lists, draft).await.unwrap()
        };
        let row = at(created_at);
        self.all.push(row);
    }

    fn row(
        &self,
        number: usize,
        (mint_id, rune_id): (MintId, RuneId),
        owner: &Owner,
        state: VmState,
    ) -> VmTransaction {
        let n = number as u64;
        // Some counts are equal, and they are not in the order of creation.
        let count = 2 + (n * 7) % 5;
        let mut tiers = vec![tier(count, 1_000 + (n * 13) % 6, 0)];
        if number.is_multiple_of(4) {
            tiers.insert(0, tier(3, 900, 0));
        }
        match state {
            VmState::PartiallyInBlock => tiers[0].in_blocks = 1,
            VmState::AllInBlock | VmState::Distributing | VmState::Distributed => {
                tiers.iter_mut().for_each(|tier| tier.in_blocks = tier.count);
            }
            _ => {}
        }
        // For some, the first price was too low.
        let settled = matches!(state, VmState::Distributing | VmState::Distributed);
        if settled && tiers.len() == 2 {
            tiers[0].in_blocks = 1;
        }
        let left = tiers.iter().map(|tier| (tier.count - tier.in_blocks, tier.sats_per_request));
        let settlement = settled.then(|| Settlement {
            distributable_requests: tiers.iter().map(|tier| tier.in_blocks).sum(),
            refundable_requests: left.clone().map(|(count, _)| count).sum(),
            refundable_sats: left.map(|(count, sats)| count * sats).sum(),
        });
        let mut id = [0xa5; 32];
        id[31] = (number * 101 % 251) as u8;
        let txid = Txid::from_byte_array(id);
        let has_block = state.takes_part() && number < 44 && state != VmState::AllInMempool;
        VmTransaction {
            txid,
            version: 1,
            created_at: Timestamp(0),
            account_id: owner.session.account.parse::<AccountId>().unwrap(),
            mint_id,
            rune_id,
            user_address: owner.address.clone(),
            trading_address: owner.trading.clone(),
            anchor: outpoint(txid, 9),
            replaces: None,
            replaced_by: None,
            state,
            tiers,
            output: outpoint(txid, 0),
            blocks: Default::default(),
            confirmation: has_block.then_some(Confirmation { height: 300, position: 1 }),
            is_final: settled,
            settlement,
            refund_state: RefundState::None,
            refund_txid: None,
            refund_source: None,
            transfer: (state == VmState::Distributed).then_some(2),
            distribution: (state == VmState::Distributed).then_some(1),
            state_key: String::new(),
            state_at: String::new(),
            state_price: None,
            expires_at: None,
        }
    }
}

fn row_at(row: &VmTransaction, at: Timestamp) -> VmTransaction {
    VmTransaction { created_at: at, ..row.clone() }
}

fn outpoint(txid: Txid, vout: u32) -> shared::models::bitcoin::OutPoint {
    shared::models::bitcoin::OutPoint(OutPoint { txid, vout })
}
