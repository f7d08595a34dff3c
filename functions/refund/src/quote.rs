//! What can be refunded, and what of it arrives.

use std::{cmp::Reverse, collections::BTreeSet};

use bitcoin::{Amount, FeeRate, Txid};
use ordinals::RuneId;
use shared::{
    app::App,
    cosigning::{self, CosigningError},
    minting::{self, Refundable, VmTransaction},
    models::{
        account::AccountId,
        platform_wallet, trading_wallet,
        vm_transaction::{RefundState, VmTransactionKey},
    },
    store::Key,
};

/// VM transactions of one refund (decisions, section 10): each takes two actions of the write that
/// signs it.
pub(crate) const MOST: usize = 40;

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

/// What an address can have refunded: of an account, or of whichever has it. The transactions that are
/// worth most come first; one that is not worth its own input waits for a lower rate.
///
/// # Errors
/// [`CosigningError::Store`]; [`CosigningError::Source`] where no fee rate is kept.
pub(crate) async fn quote(
    app: &App,
    user_address: &str,
    runes: &[RuneId],
    account: Option<AccountId>,
) -> Result<Quote, CosigningError> {
    let (notes, rate) =
        tokio::join!(notes(app, user_address, runes), cosigning::kept_fee_rate(app));
    let (notes, rate) = (notes?, rate?);
    let (mut transactions, under_way) = read(app, &notes, account, input_fee(rate)).await?;
    let most = fitting(rate, app.config.fees.cap);
    let more = transactions.len() > most;
    transactions.truncate(most);
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

/// What is owed to an address, the most first.
async fn notes(
    app: &App,
    user_address: &str,
    runes: &[RuneId],
) -> Result<Vec<Refundable>, CosigningError> {
    let mut notes = Vec::new();
    for &rune in runes {
        let (low, high) = Key::vm_refundables(user_address, rune);
        notes.extend(app.store.range::<Refundable>((&low, &high), true, None).await?);
    }
    notes.sort_by_key(|note| (Reverse(note.sats), note.txid));
    Ok(notes)
}

/// What can be refunded and is worth `least`, as soon as that is more than one refund takes; and the
/// refunds that others are in. Where nothing is worth that, what is worth most: the caller is to learn
/// that there is something.
async fn read(
    app: &App,
    notes: &[Refundable],
    account: Option<AccountId>,
    least: u64,
) -> Result<(Vec<VmTransaction>, BTreeSet<Txid>), CosigningError> {
    let (mut found, mut under_way) = (Vec::new(), BTreeSet::new());
    for some in notes.chunks(MOST.saturating_add(1)) {
        let key = |note: &Refundable| VmTransactionKey { mint_id: note.mint_id, txid: note.txid };
        let rows = minting::vm_transactions(&app.store, some.iter().map(key)).await?;
        let own = |row: &VmTransaction| account.is_none_or(|own| own == row.account_id);
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
