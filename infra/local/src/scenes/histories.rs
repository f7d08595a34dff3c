//! Long histories of accounts: rows and lists as the service would have written them.

use base::clock::Timestamp;
use chain::{
    keys,
    models::{
        amount::Units,
        xchain::{Swap, Withdrawal, XchainRecord},
    },
};
use serde_json::{Value, json};
use shared::models::{account::AccountId, bitcoin::BitcoinToken};
use store::{Entity, Key};
use uuid::Uuid;

use crate::{
    base::failure::{Context, Result},
    stack::LocalStack,
};

/// Rows per write to the database.
const BATCH: usize = 4_000;

/// A row: its key, its kind and its fields.
pub type Row = (Key, &'static str, Value);

/// Plants a history of `count` cross-chain transactions, oldest first; `record` makes each from its index,
/// which starts at 0. The account must not have any yet.
///
/// # Errors
/// The database refuses a row.
pub fn plant(
    stack: &LocalStack,
    account: AccountId,
    count: u64,
    record: impl Fn(u64) -> XchainRecord,
) -> Result<()> {
    let mut batch = Vec::new();
    for row in rows(account, count, record) {
        batch.push(row?);
        if batch.len() == BATCH {
            stack.import(&batch)?;
            batch.clear();
        }
    }
    stack.import(&batch)
}

/// The rows of such a history: the transactions, and the account's list of them.
pub fn rows(
    account: AccountId,
    count: u64,
    record: impl Fn(u64) -> XchainRecord,
) -> impl Iterator<Item = Result<Row>> {
    let list = keys::lists::xchain_by_account(account);
    let head = list.head();
    let of_place = move |place: u64| {
        let record = record(place);
        let key = record.key().context("a record")?;
        let (n, at) = (place.saturating_add(1), record.created_at);
        let fields = json!({ "n": n, "value": value(&key)?, "createdAt": at, "appendedBy": "" });
        let member = (list.member(n), "listMember", fields);
        let mut made = vec![(keys::xchain(key), XchainRecord::ENTITY, value(&record)?), member];
        if n == count {
            made.push((head.clone(), "listHead", json!({ "count": count, "lastAt": at })));
        }
        Ok(made)
    };
    (0..count).flat_map(move |place| match of_place(place) {
        Ok(made) => made.into_iter().map(Ok).collect::<Vec<_>>(),
        Err(failure) => vec![Err(failure)],
    })
}

/// A swap of an account; `place` makes it distinct.
///
/// # Panics
/// Never: its parts are valid.
#[allow(clippy::expect_used)]
pub fn swap(account: AccountId, place: u64, at: Timestamp) -> XchainRecord {
    let address = |text: &str| text.parse().expect("an address");
    let token = |text: &str| text.parse().expect("a token");
    let swap = Swap {
        intent_tx_hash: format!("{place:064x}").parse().expect("a hash"),
        spoke_tx_hash: format!("0x{:064x}", u128::from(place) << 64).parse().expect("a hash"),
        wallet_address: address("0x00000000000000000000000000000000000000aa"),
        input_token: token("0xaf88d065e77c8cc2239327c5edb3a432268e5831"),
        output_token: token("0x2::sui::SUI"),
        input_amount: Units(u128::from(place).saturating_add(1)),
        min_output_amount: Units(u128::MAX),
        src_chain: 30,
        dst_chain: 21,
        src_address: address("0x00000000000000000000000000000000000000bb"),
        dst_address: address(&format!("0x{:064x}", 204)),
    };
    XchainRecord::of_swap(account, Uuid::from_u128(place.into()), &swap).begun(at)
}

/// A withdrawal of an account; `place` makes it distinct.
///
/// # Panics
/// Never: its parts are valid.
#[allow(clippy::expect_used)]
pub fn withdrawal(account: AccountId, place: u64, at: Timestamp) -> XchainRecord {
    let txid = format!("{place:064x}").parse().expect("a txid");
    let withdrawal = Withdrawal {
        token_id: BitcoinToken::Btc,
        amount: Units(u128::from(place).saturating_add(1)),
        withdraw_to: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080".to_owned(),
        xchain_data: "00".parse().expect("data"),
        user_address: "0x00000000000000000000000000000000000000cc".to_owned(),
    };
    let from = "bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry".to_owned();
    let record = XchainRecord::of_withdrawal(account, txid, from, &withdrawal);
    record.expect("a withdrawal").begun(at)
}

fn value(of: &impl serde::Serialize) -> Result<Value> {
    serde_json::to_value(of).context("a record")
}
