//! The refundable VM transactions of an address and the amount that would arrive.

use std::{cmp::Reverse, collections::BTreeSet, str::FromStr};

use bitcoin::{Address, AddressType, Amount, FeeRate, Txid};
use chain::{
    keys,
    mints::{self, Refundable, VmTransaction},
    models::{
        platform_wallet,
        vm_transaction::{RefundState, VmTransactionKey},
    },
    transactions::{self, ChainError},
};
use ordinals::RuneId;
use shared::models::{account::AccountId, trading_wallet};
use store::lists::{self, Order, PageWindow};

use crate::app::App;

/// The most VM transactions of one refund: each takes two writes of the batch that signs it
/// (`docs/decisions/0007-refund-size.md`).
pub(crate) const MOST: usize = 40;
/// The most addresses behind the VM transactions of one refund: the batch that ends a refund updates a count
/// per address, in addition to two rows per transaction.
const MOST_USERS: usize = 16;

/// The claims that a quote looks at, those of the most sats: many times what one refund can hold.
const MOST_CLAIMS: usize = 1_000;

/// How many VM transactions of a trading address are searched for its users.
const NEWEST: u64 = 100;

/// The least value of an output to a trading wallet that nodes relay.
pub(crate) const DUST: Amount = Amount::from_sat(330);

/// Weight units of a transaction without inputs and with two outputs to a trading wallet: version and lock
/// time, the counts of inputs and outputs, marker and flag (BIP 141), and two P2WSH outputs of 43 bytes.
const FIXED_WEIGHT: u64 = (4 + 4 + 1 + 1) * 4 + 2 + 2 * 43 * 4;
/// Weight units of an unsigned input (41 bytes) and of the count of its witness items.
const INPUT_WEIGHT: u64 = 41 * 4 + 1;

/// A refund that could be created.
#[derive(Clone, Debug)]
pub(crate) struct Quote {
    /// In the order of the requested runes, then of txids.
    pub(crate) transactions: Vec<VmTransaction>,
    /// Whether more transactions are refundable than fit into one refund.
    pub(crate) more: bool,
    /// Amount paid for them, in sats.
    pub(crate) total: u64,
    /// Network fee in sats, the same with and without an input of the user.
    pub(crate) fee: u64,
    /// Refunds of other transactions that the platform may have signed; complete if nothing else among the
    /// claims that it looks at is refundable.
    pub(crate) under_way: BTreeSet<Txid>,
}

impl Quote {
    /// Amount that arrives, in sats; `None` if nodes would not relay such an output.
    pub(crate) fn refunded(&self) -> Option<u64> {
        self.total.checked_sub(self.fee).filter(|sats| *sats >= DUST.to_sat())
    }
}

/// The most that a refund of this many treasury outputs weighs, including an input of the user.
pub(crate) fn weight(outputs: u64) -> u64 {
    let treasury = INPUT_WEIGHT.saturating_add(platform_wallet::SATISFACTION_WEIGHT);
    let user = INPUT_WEIGHT.saturating_add(trading_wallet::SATISFACTION_WEIGHT);
    outputs.saturating_mul(treasury).saturating_add(user).saturating_add(FIXED_WEIGHT)
}

/// The fee for a weight in sats, rounded up.
pub(crate) fn fee(weight: u64, rate: FeeRate) -> u64 {
    rate.to_sat_per_kwu().saturating_mul(weight).div_ceil(1_000)
}

/// Quotes the refund of an address, whether or not an account has it. The address either created the VM
/// transactions or is the trading address that paid for them. The most valuable transactions come first; one
/// that is not worth its own input waits for a lower rate.
///
/// # Errors
/// [`ChainError::Source`] if no fee rate is cached and Esplora gives none; [`ChainError::Store`] if the store
/// fails.
pub(crate) async fn quote(
    app: &App,
    address: &str,
    runes: &[RuneId],
    account: Option<AccountId>,
) -> Result<Quote, ChainError> {
    let (owed, rate) = tokio::join!(owed(app, address, runes), transactions::kept_fee_rate(app));
    let (owed, rate) = (owed?, rate?);
    let (mut transactions, under_way) = read_claims(app, &owed, account, input_fee(rate)).await?;
    let most = fitting(rate, app.fees.cap);
    let found = transactions.len();
    let mut users = BTreeSet::new();
    transactions.retain(|row| {
        users.contains(&row.user_address)
            || users.len() < MOST_USERS && users.insert(row.user_address.clone())
    });
    transactions.truncate(most);
    let more = found > transactions.len();
    transactions.sort_by_key(|row| (row.rune_id, row.txid.to_string()));
    let total = transactions.iter().map(VmTransaction::refundable_sats);
    let total = total.fold(0, u64::saturating_add);
    let fee = fee_of(transactions.len(), rate);
    Ok(Quote { transactions, more, total, fee, under_way })
}

fn fee_of(outputs: usize, rate: FeeRate) -> u64 {
    fee(weight(u64::try_from(outputs).unwrap_or(u64::MAX)), rate)
}

/// The fee of one more treasury output, in sats.
fn input_fee(rate: FeeRate) -> u64 {
    fee(weight(1).saturating_sub(weight(0)), rate)
}

/// How many VM transactions fit into a refund under the fee cap; at least one.
fn fitting(rate: FeeRate, cap: Amount) -> usize {
    let fits = |outputs: &usize| fee_of(*outputs, rate) <= cap.to_sat();
    (1..=MOST).rev().find(fits).unwrap_or(1)
}

/// The addresses that created the VM transactions of an address and, if it is a trading address, that address
/// as the required payer.
///
/// For a trading address they are found through its newest VM transactions, since an account has few
/// addresses.
async fn users_of<'a>(
    app: &App,
    address: &'a str,
    rune: RuneId,
) -> Result<(BTreeSet<String>, Option<&'a str>), ChainError> {
    let mut users = BTreeSet::from([address.to_owned()]);
    let parsed = Address::from_str(address).map(Address::assume_checked);
    if !parsed.is_ok_and(|parsed| parsed.address_type() == Some(AddressType::P2wsh)) {
        return Ok((users, None));
    }
    let list = keys::lists::vm_by_trading_address(address, Some(rune));
    let newest = PageWindow { page: 1, size: NEWEST };
    let slice =
        lists::page::<VmTransactionKey>(&app.store, &list, newest, Order::NewestFirst, None);
    let keys = slice.await?.members.into_iter().map(|member| member.value);
    let rows = mints::vm_transactions(&app.store, keys).await?;
    users.extend(rows.into_iter().flatten().map(|row| row.user_address));
    Ok((users, Some(address)))
}

/// The claims of an address.
struct Owed {
    /// The most valuable first, at most [`MOST_CLAIMS`].
    notes: Vec<Refundable>,
    /// If the address is a trading address, the payer of all claims.
    paid_from: Option<String>,
}

/// Sorts claims, the most valuable first, and drops those that no quote looks at.
fn keep_most_valuable(notes: &mut Vec<Refundable>) {
    notes.sort_unstable_by_key(|note| (Reverse(note.sats), note.txid));
    notes.truncate(MOST_CLAIMS);
}

async fn owed(app: &App, address: &str, runes: &[RuneId]) -> Result<Owed, ChainError> {
    let (mut notes, mut paid_from) = (Vec::new(), None);
    for &rune in runes {
        let (users, trading) = users_of(app, address, rune).await?;
        paid_from = trading.map(str::to_owned);
        for user in &users {
            let (low, high) = keys::vm_refundables(user, rune);
            let add = |note| {
                notes.push(note);
                if notes.len() > MOST_CLAIMS.saturating_mul(2) {
                    keep_most_valuable(&mut notes);
                }
            };
            app.store.each_of_range::<Refundable>((&low, &high), add).await?;
        }
    }
    keep_most_valuable(&mut notes);
    Ok(Owed { notes, paid_from })
}

/// Reads the claims worth more than `least`, until there are more than one refund can take, and the refunds
/// that hold other claims. If none is worth that much, it returns the most valuable one, so that the caller
/// learns that a claim exists.
async fn read_claims(
    app: &App,
    owed: &Owed,
    account: Option<AccountId>,
    least: u64,
) -> Result<(Vec<VmTransaction>, BTreeSet<Txid>), ChainError> {
    let (mut found, mut under_way) = (Vec::new(), BTreeSet::new());
    for some in owed.notes.chunks(MOST.saturating_add(1)) {
        let key = |note: &Refundable| VmTransactionKey { mint_id: note.mint_id, txid: note.txid };
        let rows = mints::vm_transactions(&app.store, some.iter().map(key)).await?;
        let own = |row: &VmTransaction| {
            account.is_none_or(|own| own == row.account_id)
                && owed.paid_from.as_ref().is_none_or(|trading| *trading == row.trading_address)
        };
        for row in rows.into_iter().flatten().filter(own) {
            if row.is_refundable() {
                if found.is_empty() || row.refundable_sats() > least {
                    found.push(row);
                }
            } else if row.refund_state == RefundState::Broadcast {
                under_way.extend(row.refund_txid);
            }
        }
        if found.len() > MOST {
            break;
        }
    }
    Ok((found, under_way))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use bitcoin::hashes::Hash;

    use super::*;

    #[test]
    fn of_many_claims_the_most_valuable_are_kept() {
        let mint_id = "018bcfe5-6800-7000-8000-000000000002".parse().unwrap();
        let claim = |sats: u64| Refundable { mint_id, txid: Txid::all_zeros(), sats };
        // 7 and 2,500 have no common divisor, so each sum from 0 on occurs exactly once.
        let mut notes: Vec<_> = (0..2_500).map(|number| claim(number * 7 % 2_500)).collect();
        keep_most_valuable(&mut notes);
        let sats: Vec<_> = notes.iter().map(|note| note.sats).collect();
        assert_eq!(sats, (1_500..2_500).rev().collect::<Vec<_>>());
        let few = notes.split_off(997);
        let mut kept = few.clone();
        keep_most_valuable(&mut kept);
        assert_eq!(kept.len(), 3);
    }
}
