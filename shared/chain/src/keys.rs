//! The keys of the chain's rows, and those of the rows that all functions share. No other module builds a key.
//!
//! | Row | Table | pk | sk |
//! |---|---|---|---|
//! | issued transaction: its state; what never changes; its owner's signatures; with all signatures | activity | `transaction#<txid>` | `transaction`; `body`; `signed`; `raw` |
//! | coin that a signed transaction spends | activity | `spend#<outpoint>` | `spend` |
//! | cross-chain withdrawal | activity | `xchain#withdrawal#<txid>` | `xchain` |
//! | swap, one row per registering account | activity | `xchain#intent#<hash>` | `account#<account>` |
//! | account whose swap the hub has confirmed | activity | `xchain#intent#<hash>` | `verified` |
//! | swaps by their transaction on the source chain | activity | `xchain#spoke#<hash>` | `account#<account>#<chain>`, `verified#<chain>` |
//! | mint | activity | `mint#<id>` | `mint` |
//! | gate of a mint | activity | `mint#<id>#gate#<0..31>` | `gate` |
//! | terms and end of a mint (only the chain watcher may write it) | activity | `payout#<mint>` | `kept` |
//! | payout of a mint (only the chain watcher may write it) | activity | `payout#<mint>` | `payout#<n, 6 digits>` |
//! | its VM transactions (likewise) | activity | `payout#<mint>#<n, 6 digits>` | `members` |
//! | payment that may be refunded whole (likewise) | activity | `payout#<mint>#refund#<0..15>` | `<txid>` |
//! | bids that a block has for a mint (likewise) | activity | `bids#<mint>` | `<height, 10 digits>#<part, 2 digits>` |
//! | bids that a block has for further mints (likewise) | activity | `bids#further` | the same |
//! | VM transaction | activity | `vm#transaction#<mint>#<0..15>` | `vm#<txid>` |
//! | unsigned VM transaction | activity | `vm#draft#<mint>#<txid>` | `vmDraft` |
//! | newest mint of a rune | activity | `mint#rune#<runeId>` | `mint` |
//! | chain of VM transactions that replace each other | activity | `vm#chain#<mint>#<anchor>` | `vmChain` |
//! | newest VM transaction of an account in a mint | activity | `vm#account#<mint>#<account>` | `vmAccount` |
//! | sums over the VM transactions of a mint | activity | `vm#sums` | `<runeId>#<mint>` |
//! | count of an address's waiting requests | activity | `vm#waiting#address#<address>` | `<runeId>` |
//! | refundable VM transaction | activity | `vm#refundable#<address>` | `<runeId>#<txid>` |
//! | newest refund of an account | activity | `refund#<account>` | `refund` |
//! | fee rate of refunds | activity | `feeRate` | `feeRate` |
//! | where a round through a queue has got to | activity | `round#<queue>` | `round` |
//! | newest block that the worker has applied; the service's transactions in an applied block | activity | `chain`; `chain#<hash>` | `tip`; `block` |
//! | deposit to an account's trading wallet | activity | `deposits#<account>` | `<txid>#<n, 5 digits>` |
//! | when the coins of an account are due | activity | `renewals#<account>` | `renewals` |
//! | deposits of an account in an applied block | activity | `chain#<hash>#<0..15>` | `deposits#<account>` |
//! | applied block whose deposits are not all written | activity | `chain#<hash>` | `deposits` |
//! | coin that an unsigned transaction spends | ephemeral | `reservation#<outpoint>` | `reservation` |
//! | unsigned transactions of an account | ephemeral | `drafts#<account>` | `drafts` |

pub mod lists;

pub use shared::keys::*;

use std::fmt;

use bitcoin::{BlockHash, Txid, hashes::Hash as _};
use ordinals::RuneId;
use shared::{
    models::{account::AccountId, bitcoin::OutPoint, watch::Watch},
    tables,
};
use store::{Index, Key};

use crate::models::{
    mint::MintId,
    vm_transaction::{PayoutKey, VmTransactionKey},
    xchain::{IntentHash, TxHash, XchainKey},
};

/// VM transactions in a state, by creation.
pub const VM_BY_CREATION: Index =
    Index { table: tables::ACTIVITY, name: "state", partition: "stateKey", sort: "stateAt" };
/// VM transactions in a state by the price of their new requests, lowest first. Only those in the state `allInMempool`
/// have it.
pub const VM_BY_PRICE: Index =
    Index { table: tables::ACTIVITY, name: "price", partition: "stateKey", sort: "statePrice" };

/// Partitions of the VM transactions of a mint.
const VM_SHARDS: u8 = 16;
/// Partitions of the deposits of a block.
const DEPOSIT_SHARDS: u8 = 16;

fn transaction_row(txid: Txid, sk: &str) -> Key {
    Key::new(tables::ACTIVITY, format_args!("transaction#{txid}"), sk)
}

/// The state of a transaction issued by the service.
pub fn transaction(txid: Txid) -> Key {
    transaction_row(txid, "transaction")
}

/// The parts of an issued transaction that never change.
pub fn transaction_body(txid: Txid) -> Key {
    transaction_row(txid, "body")
}

/// An issued transaction with its owner's signatures.
pub fn signed_transaction(txid: Txid) -> Key {
    transaction_row(txid, "signed")
}

/// An issued transaction with all signatures.
pub fn raw_transaction(txid: Txid) -> Key {
    transaction_row(txid, "raw")
}

/// The transaction that may spend a coin, once the platform may have signed one (custody rule 7).
pub fn spend(coin: OutPoint) -> Key {
    Key::new(tables::ACTIVITY, format_args!("spend#{coin}"), "spend")
}

/// The unsigned transaction for which a coin is reserved.
pub fn reservation(coin: OutPoint) -> Key {
    Key::new(tables::EPHEMERAL, format_args!("reservation#{coin}"), "reservation")
}

/// The unsigned transactions of an account.
pub fn drafts(account: AccountId) -> Key {
    Key::new(tables::EPHEMERAL, format_args!("drafts#{account}"), "drafts")
}

/// A withdrawal among the cross-chain transactions.
pub fn xchain_withdrawal(txid: Txid) -> Key {
    Key::new(tables::ACTIVITY, format_args!("xchain#withdrawal#{txid}"), "xchain")
}

fn intent_row(intent: IntentHash, sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("xchain#intent#{intent}"), sk)
}

/// A swap as registered by an account.
pub fn xchain_swap(intent: IntentHash, account: AccountId) -> Key {
    intent_row(intent, format_args!("account#{account}"))
}

/// The first and last possible key of an intent's swaps.
pub fn xchain_swaps(intent: IntentHash) -> (Key, Key) {
    (intent_row(intent, "account#"), intent_row(intent, "account#~"))
}

/// The account whose swap of an intent the hub has confirmed.
pub fn xchain_verified(intent: IntentHash) -> Key {
    intent_row(intent, "verified")
}

/// A cross-chain transaction.
pub fn xchain(key: XchainKey) -> Key {
    match key {
        XchainKey::Withdrawal(txid) => xchain_withdrawal(txid),
        XchainKey::Swap { intent, account } => xchain_swap(intent, account),
    }
}

fn spoke_row(hash: &TxHash, sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("xchain#spoke#{}", hash.digits()), sk)
}

/// The swap that an account registered for a transaction on its source chain. Without an account, the
/// swap that the hub has confirmed.
pub fn xchain_spoke(hash: &TxHash, account: Option<AccountId>, chain: u64) -> Key {
    match account {
        Some(account) => spoke_row(hash, format_args!("account#{account}#{chain}")),
        None => spoke_row(hash, format_args!("verified#{chain}")),
    }
}

/// The first and last key of those swaps on any chain.
pub fn xchain_spokes(hash: &TxHash, account: Option<AccountId>) -> (Key, Key) {
    let key = |end: &str| match account {
        Some(account) => spoke_row(hash, format_args!("account#{account}#{end}")),
        None => spoke_row(hash, format_args!("verified#{end}")),
    };
    (key(""), key("~"))
}

/// The first and last key of the swaps that any account registered for a transaction on its source chain.
pub fn xchain_spokes_of_all(hash: &TxHash) -> (Key, Key) {
    (spoke_row(hash, "account#"), spoke_row(hash, "account#~"))
}

fn mint_row(mint: MintId, sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("mint#{mint}"), sk)
}

/// A mint.
pub fn mint(id: MintId) -> Key {
    mint_row(id, "mint")
}

/// A row for a mint's page, which anybody may read often: apart from the mint, whose writes do not wait for readers.
fn page_row(mint: MintId, sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("mint#{mint}#page"), sk)
}

/// The requests that wait for the next virtual block of a mint.
pub fn mint_outlook(mint: MintId) -> Key {
    page_row(mint, "outlook")
}

/// Some virtual blocks of a mint.
pub fn virtual_blocks(mint: MintId, number: u64) -> Key {
    page_row(mint, format_args!("blocks#{number:06}"))
}

/// A gate of a mint.
pub fn gate(mint: MintId, number: u8) -> Key {
    Key::new(tables::ACTIVITY, format_args!("mint#{mint}#gate#{number}"), "gate")
}

/// The newest mint of a rune.
pub fn mint_of_rune(rune: RuneId) -> Key {
    Key::new(tables::ACTIVITY, format_args!("mint#rune#{rune}"), "mint")
}

fn vm_row(mint: MintId, shard: u8, sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("vm#transaction#{mint}#{shard}"), sk)
}

/// A VM transaction, in one of the 16 partitions of its mint: a block changes thousands of them.
pub fn vm_transaction(key: VmTransactionKey) -> Key {
    let [first, ..] = key.txid.to_byte_array();
    vm_row(key.mint_id, first % VM_SHARDS, format_args!("vm#{}", key.txid))
}

/// An unsigned VM transaction, stored apart from those that determine the mint's state.
pub fn vm_draft(key: VmTransactionKey) -> Key {
    let VmTransactionKey { mint_id, txid } = key;
    Key::new(tables::ACTIVITY, format_args!("vm#draft#{mint_id}#{txid}"), "vmDraft")
}

/// The first and last possible key of a mint's VM transactions, in each of their partitions.
pub fn vm_transactions(mint: MintId) -> [(Key, Key); VM_SHARDS as usize] {
    std::array::from_fn(|shard| {
        let shard = u8::try_from(shard).unwrap_or_default();
        (vm_row(mint, shard, "vm#"), vm_row(mint, shard, "vm#~"))
    })
}

fn payout_row(mint: MintId, sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("payout#{mint}"), sk)
}

/// The worker's own record of a mint's terms and end, which decide about its money. No function that answers
/// requests may write it (custody rule 33).
pub fn mint_kept(mint: MintId) -> Key {
    payout_row(mint, "kept")
}

/// A payout of a mint. The platform signs what it names, so no function that answers requests may write it (custody
/// rule 33).
pub fn payout(key: PayoutKey) -> Key {
    payout_row(key.mint_id, format_args!("payout#{:06}", key.number))
}

/// The VM transactions of a payout, in a partition of their own: they have up to 94 kB.
pub fn payout_members(key: PayoutKey) -> Key {
    let PayoutKey { mint_id, number } = key;
    Key::new(tables::ACTIVITY, format_args!("payout#{mint_id}#{number:06}"), "members")
}

/// The permission to refund the payment of a VM transaction, in one of 16 partitions of its mint. The platform signs what it
/// permits, so no function that answers requests may write it (custody rule 33).
pub fn released(key: VmTransactionKey) -> Key {
    let VmTransactionKey { mint_id, txid } = key;
    let [first, ..] = txid.to_byte_array();
    let shard = first % VM_SHARDS;
    Key::new(tables::ACTIVITY, format_args!("payout#{mint_id}#refund#{shard}"), txid)
}

/// The first and last possible key of a mint's payouts.
pub fn payouts(mint: MintId) -> (Key, Key) {
    (payout_row(mint, "payout#"), payout_row(mint, "payout#~"))
}

/// The bids that a block has for a mint, or a part of them; without a mint, those for the mints that have no row of their
/// own.
pub fn bids(mint: Option<MintId>, height: u32, part: usize) -> Key {
    let place = format!("{height:010}#{part:02}");
    match mint {
        Some(mint) => Key::new(tables::ACTIVITY, format_args!("bids#{mint}"), place),
        None => Key::new(tables::ACTIVITY, "bids#further", place),
    }
}

/// The first and last possible key of the bids that blocks of these heights have.
pub fn bids_between(mint: Option<MintId>, lowest: u32, highest: u32) -> (Key, Key) {
    (bids(mint, lowest, 0), bids(mint, highest, 99))
}

/// The VM transactions that replace each other, identified by the coin they all spend.
pub fn vm_chain(mint: MintId, anchor: OutPoint) -> Key {
    Key::new(tables::ACTIVITY, format_args!("vm#chain#{mint}#{anchor}"), "vmChain")
}

/// The newest VM transactions of an account in a mint.
pub fn vm_account(mint: MintId, account: AccountId) -> Key {
    Key::new(tables::ACTIVITY, format_args!("vm#account#{mint}#{account}"), "vmAccount")
}

fn sums_row(sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, "vm#sums", sk)
}

/// Sums over the VM transactions of a mint.
pub fn vm_sums(rune: RuneId, mint: MintId) -> Key {
    sums_row(format_args!("{rune}#{mint}"))
}

/// The first and last possible key of a rune's sums, or of all.
pub fn vm_sums_of(rune: Option<RuneId>) -> (Key, Key) {
    match rune {
        Some(rune) => (sums_row(format_args!("{rune}#")), sums_row(format_args!("{rune}#~"))),
        // Rune ids begin with a digit.
        None => (sums_row("0"), sums_row("~")),
    }
}

/// Counts the requests for a rune of an address that wait for a virtual block.
pub fn vm_waiting(address: &str, rune: RuneId) -> Key {
    waiting_row(address, rune)
}

/// The first and last possible key of such counts.
pub fn vm_waiting_runes(address: &str) -> (Key, Key) {
    // Rune ids begin with a digit.
    (waiting_row(address, "0"), waiting_row(address, "~"))
}

fn waiting_row(address: &str, rune: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("vm#waiting#address#{address}"), rune)
}

fn refundable_row(address: &str, sk: impl fmt::Display) -> Key {
    Key::new(tables::ACTIVITY, format_args!("vm#refundable#{address}"), sk)
}

/// Marks a VM transaction as refundable.
pub fn vm_refundable(address: &str, rune: RuneId, txid: Txid) -> Key {
    refundable_row(address, format_args!("{rune}#{txid}"))
}

/// The first and last possible key of a rune's refundable VM transactions.
pub fn vm_refundables(address: &str, rune: RuneId) -> (Key, Key) {
    let key = |end: &str| refundable_row(address, format_args!("{rune}#{end}"));
    (key(""), key("~"))
}

/// The events of a mint, which anyone may read.
pub fn mint_events(mint: MintId) -> EventList {
    EventList::new(format_args!("mint#{mint}"))
}

/// The newest refund of an account.
pub fn refund(account: AccountId) -> Key {
    Key::new(tables::ACTIVITY, format_args!("refund#{account}"), "refund")
}

/// The fee rate of refunds.
pub fn fee_rate() -> Key {
    Key::new(tables::ACTIVITY, "feeRate", "feeRate")
}

/// The newest block that the worker has applied.
pub fn chain_tip() -> Key {
    Key::new(tables::ACTIVITY, "chain", "tip")
}

/// The order of an operator to sweep runes to this address. No function may write it.
pub fn sweep_order(address: &str) -> Key {
    Key::new(tables::ACTIVITY, format_args!("sweep#{address}"), "order")
}

/// The row of the service's transactions in an applied block.
pub fn chain_block(hash: BlockHash) -> Key {
    Key::new(tables::ACTIVITY, format_args!("chain#{hash}"), "block")
}

/// A deposit: the output of this number among those of a transaction that pay the account, from 0.
pub fn deposit(account: AccountId, txid: Txid, number: u32) -> Key {
    Key::new(
        tables::ACTIVITY,
        format_args!("deposits#{account}"),
        format_args!("{txid}#{number:05}"),
    )
}

/// When the coins of an account should be renewed.
pub fn renewals(account: AccountId) -> Key {
    Key::new(tables::ACTIVITY, format_args!("renewals#{account}"), "renewals")
}

/// The deposits of an account in an applied block, in one of 16 partitions of the block: a stranger can pay thousands of
/// accounts in one block.
pub fn chain_block_deposits(hash: BlockHash, account: AccountId) -> Key {
    let [.., last] = *account.0.as_bytes();
    deposits_row(hash, last % DEPOSIT_SHARDS, account)
}

/// The first and last possible key of such rows, in each of their partitions.
pub fn chain_block_deposits_of_all(hash: BlockHash) -> [(Key, Key); DEPOSIT_SHARDS as usize] {
    std::array::from_fn(|shard| {
        let shard = u8::try_from(shard).unwrap_or_default();
        (deposits_row(hash, shard, ""), deposits_row(hash, shard, "~"))
    })
}

fn deposits_row(hash: BlockHash, shard: u8, account: impl fmt::Display) -> Key {
    Key::new(
        tables::ACTIVITY,
        format_args!("chain#{hash}#{shard}"),
        format_args!("deposits#{account}"),
    )
}

/// An applied block whose deposits are not all written.
pub fn chain_deposit_block(hash: BlockHash) -> Key {
    Key::new(tables::ACTIVITY, format_args!("chain#{hash}"), "deposits")
}

/// The position of the worker's round through a queue.
pub fn round(queue: Watch) -> Key {
    let name = queue.name().replace(' ', "-");
    Key::new(tables::ACTIVITY, format_args!("round#{name}"), "round")
}
