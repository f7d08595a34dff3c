//! What can be refunded, and what of it arrives.

use std::{cmp::Reverse, collections::BTreeSet, str::FromStr};

use bitcoin::{Address, AddressType, Amount, FeeRate, Txid};
use ordinals::RuneId;
use shared::{
    app::App,
    minting::{self, Refundable, VmTransaction},
    models::{
        account::AccountId,
        platform_wallet, trading_wallet,
        vm_transaction::{RefundState, VmTransactionKey},
    },
    store::{
        Key,
        keys::List,
        lists::{self, Order, Window},
    },
    transactions::{self, CosigningError},
};

/// VM transactions of one refund: each takes two actions of the write that signs it
/// (`docs/decisions/0007-refund-size.md`).
pub(crate) const MOST: usize = 40;
/// Addresses that the VM transactions of one refund were created with: the write that ends it changes a
/// count of each, beside two rows of each transaction.
const MOST_USERS: usize = 16;

/// VM transactions of a trading address whose users are looked at.
const NEWEST: u64 = 100;

/// The least that an output to a trading wallet holds for nodes to relay it.
pub(crate) const DUST: Amount = Amount::from_sat(330);

/// Weight units of a transaction without inputs, with two outputs to a trading wallet: version and
/// lock time, the counts of inputs and outputs, marker and flag (BIP 141), and P2WSH outputs of 43
/// bytes.
const FIXED_WEIGHT: u64 = (4 + 4 + 1 + 1) * 4 + 2 + 2 * 43 * 4;
/// Weight units of an unsigned input (41 bytes), and of the count of its witness items.
const INPUT_WEIGHT: u64 = 41 * 4 + 1;

/// What can be refunded.
#[derive(Clone, Debug)]
pub(crate) struct Quote {
    /// In the order of the runes that were asked for, then of txids.
    pub(crate) transactions: Vec<VmTransaction>,
    /// Whether there are more than one refund takes.
    pub(crate) more: bool,
    /// What was paid for them, sats.
    pub(crate) total: u64,
    /// What the network takes, sats: the same with and without an input of the user's.
    pub(crate) fee: u64,
    /// The refunds of others that the platform may have signed; all of them where there is nothing
    /// else to refund.
    pub(crate) under_way: BTreeSet<Txid>,
}

impl Quote {
    /// What arrives, sats; `None` where that is no output that nodes relay.
    pub(crate) fn refunded(&self) -> Option<u64> {
        self.total.checked_sub(self.fee).filter(|sats| *sats >= DUST.to_sat())
    }
}

/// The most that a refund of so many outputs of the treasury weighs, an input of the user's
/// included.
pub(crate) fn weight(outputs: u64) -> u64 {
    let treasury = INPUT_WEIGHT.saturating_add(platform_wallet::SATISFACTION_WEIGHT);
    let user = INPUT_WEIGHT.saturating_add(trading_wallet::SATISFACTION_WEIGHT);
    outputs.saturating_mul(treasury).saturating_add(user).saturating_add(FIXED_WEIGHT)
}

/// The fee of so much weight, rounded up, sats.
pub(crate) fn fee(weight: u64, rate: FeeRate) -> u64 {
    rate.to_sat_per_kwu().saturating_mul(weight).div_ceil(1_000)
}

/// What an address can have refunded: of an account, or of whichever has it. The address is one that
/// VM transactions were created with, or the trading address that they were paid from. The transactions
/// that are worth most come first; one that is not worth its own input waits for a lower rate.
///
/// # Errors
/// [`CosigningError::Store`]; [`CosigningError::Source`] where no fee rate is kept.
pub(crate) async fn quote(
    app: &App,
    address: &str,
    runes: &[RuneId],
    account: Option<AccountId>,
) -> Result<Quote, CosigningError> {
    let (owed, rate) = tokio::join!(owed(app, address, runes), transactions::kept_fee_rate(app));
    let (owed, rate) = (owed?, rate?);
    let (mut transactions, under_way) = read(app, &owed, account, input_fee(rate)).await?;
    let most = fitting(rate, app.config.fees.cap);
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

/// The fee of one output of the treasury more, sats.
fn input_fee(rate: FeeRate) -> u64 {
    fee(weight(1).saturating_sub(weight(0)), rate)
}

/// How many VM transactions a refund takes: one at least, and no more than one may cost.
fn fitting(rate: FeeRate, cap: Amount) -> usize {
    let fits = |outputs: &usize| fee_of(*outputs, rate) <= cap.to_sat();
    (1..=MOST).rev().find(fits).unwrap_or(1)
}

/// The addresses that VM transactions of an address were created with, and the trading address that
/// they must have been paid from, where it is that.
///
/// Of a trading address they are read from its newest VM transactions: an account has few.
async fn users_of<'a>(
    app: &App,
    address: &'a str,
    rune: RuneId,
) -> Result<(BTreeSet<String>, Option<&'a str>), CosigningError> {
    let mut users = BTreeSet::from([address.to_owned()]);
    let parsed = Address::from_str(address).map(Address::assume_checked);
    if !parsed.is_ok_and(|parsed| parsed.address_type() == Some(AddressType::P2wsh)) {
        return Ok((users, None));
    }
    let list = List::vm_by_trading_address(address, Some(rune));
    let newest = Window { page: 1, size: NEWEST };
    let slice = lists::page::<VmTransactionKey>(&app.store, &list, newest, Order::NewestFirst);
    let keys = slice.await?.members.into_iter().map(|member| member.value);
    let rows = minting::vm_transactions(&app.store, keys).await?;
    users.extend(rows.into_iter().flatten().map(|row| row.user_address));
    Ok((users, Some(address)))
}

/// What is owed to an address.
struct Owed {
    /// The most first.
    notes: Vec<Refundable>,
    /// The trading address that all of it must have been paid from, where the address is one.
    paid_from: Option<String>,
}

async fn owed(app: &App, address: &str, runes: &[RuneId]) -> Result<Owed, CosigningError> {
    let (mut notes, mut paid_from) = (Vec::new(), None);
    for &rune in runes {
        let (users, trading) = users_of(app, address, rune).await?;
        paid_from = trading.map(str::to_owned);
        for user in &users {
            let (low, high) = Key::vm_refundables(user, rune);
            notes.extend(app.store.range::<Refundable>((&low, &high), true, None).await?);
        }
    }
    notes.sort_by_key(|note| (Reverse(note.sats), note.txid));
    Ok(Owed { notes, paid_from })
}

/// What can be refunded and is worth `least`, as soon as that is more than one refund takes; and the
/// refunds that others are in. Where nothing is worth that, what is worth most: the caller is to learn
/// that there is something.
async fn read(
    app: &App,
    owed: &Owed,
    account: Option<AccountId>,
    least: u64,
) -> Result<(Vec<VmTransaction>, BTreeSet<Txid>), CosigningError> {
    let (mut found, mut under_way) = (Vec::new(), BTreeSet::new());
    for some in owed.notes.chunks(MOST.saturating_add(1)) {
        let key = |note: &Refundable| VmTransactionKey { mint_id: note.mint_id, txid: note.txid };
        let rows = minting::vm_transactions(&app.store, some.iter().map(key)).await?;
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
