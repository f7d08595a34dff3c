//! What all transactions of the pool have in common.

use bitcoin::{Amount, FeeRate};
use chain::{
    bitcoin::{
        plan::{Limits, OWN_RUNE_OUTPUT, Payment, Plan, Request},
        runes::Rune,
    },
    mints::{Mint, Payout},
    models::{platform_wallet::PlatformWallet, transaction::Work, vm_transaction::Leg},
    transactions::{BuiltTransaction, ChainError, NextVersion},
};

/// The longest OP_RETURN script that every node relays (custody rule 10).
pub(super) const MOST_RUNESTONE_BYTES: usize = 83;
/// The most inputs of a payout's transaction: each is one write in the batch that stores it, and in the one
/// that releases its coins.
const MOST_INPUTS: usize = 90;
/// This many recipients of runes together may cost as much as one transaction of a user.
const RECIPIENTS_FOR_CAP: u64 = 12;
/// This many payments in a transfer may together cost as much. No user waits for a transfer, so at high rates
/// transfers wait first.
const PAYMENTS_FOR_CAP: u64 = 24;

/// The runes of this many requests, in the smallest unit.
pub(super) fn tokens(mint: &Mint, requests: u64) -> Result<u128, ChainError> {
    let tokens = mint.tokens_per_request.0.checked_mul(requests.into());
    tokens
        .filter(|tokens| *tokens > 0)
        .ok_or(ChainError::Damaged("a distribution without requests"))
}

/// The most that a payout to `size` VM transactions may cost in fees (custody rule 30). It is proportional to
/// the size, so dividing a payout cannot raise it.
pub(super) fn payout_fee_cap(cap: Amount, leg: Leg, size: usize) -> Amount {
    let served = u64::try_from(size).unwrap_or(u64::MAX);
    let share = match leg {
        Leg::Distribution => RECIPIENTS_FOR_CAP,
        Leg::Transfer => PAYMENTS_FOR_CAP,
    };
    cap.checked_mul(served).unwrap_or(Amount::MAX_MONEY).checked_div(share).unwrap_or(Amount::ZERO)
}

/// The most that a division of the pool for these payouts may cost in fees: no more than the payouts
/// themselves, and no more than one transaction of a user for every twelve payouts.
pub(super) fn division_fee_cap(cap: Amount, payouts: &[&Payout]) -> Amount {
    let own = payouts.iter().map(|payout| payout_fee_cap(cap, payout.leg, payout.size));
    let own = own.fold(Amount::ZERO, |sum, own| sum.checked_add(own).unwrap_or(Amount::MAX_MONEY));
    let dozens = u64::try_from(payouts.len().div_ceil(12)).unwrap_or(u64::MAX);
    own.min(cap.checked_mul(dozens).unwrap_or(Amount::MAX_MONEY))
}

/// The limits of a transaction of the pool with this fee cap.
fn limits(fee_cap: Amount) -> Limits {
    Limits {
        fee_cap,
        own_rune_output: OWN_RUNE_OUTPUT,
        most_inputs: MOST_INPUTS,
        most_runestone_bytes: Some(MOST_RUNESTONE_BYTES),
        // Merging coins of the pool would make the next payouts wait for each other.
        consolidate: 0,
        ..Limits::default()
    }
}

/// The transaction of a plan, paid for by these wallets of the platform.
pub(super) fn draft<'a>(
    wallets: &[&PlatformWallet],
    work: Work,
    plan: Plan,
    runes: Vec<Rune>,
    before: Option<&'a NextVersion>,
) -> BuiltTransaction<'a> {
    BuiltTransaction {
        account: None,
        wallet: None,
        platform: wallets.iter().copied().cloned().collect(),
        work,
        transaction: plan.transaction,
        inputs: plan.inputs,
        runes,
        promised: plan.promised,
        weight: plan.weight,
        replaces: before.map(|before| &before.replaces),
    }
}

/// The plan request of a transaction that the pool pays for and that replaces the versions before it.
pub(super) fn request(
    (mint, fee_rate): (&Mint, FeeRate),
    payments: Vec<Payment>,
    fee_cap: Amount,
    before: Option<&NextVersion>,
) -> Request {
    Request {
        payments,
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate,
        must_spend: must_spend(before).collect(),
        replaces: before.and_then(|before| before.outbids),
        limits: limits(fee_cap),
    }
}

/// The coins through which a version conflicts with those before it.
fn must_spend(before: Option<&NextVersion>) -> impl Iterator<Item = bitcoin::OutPoint> + '_ {
    before.into_iter().flat_map(|before| before.must_spend.iter().copied())
}
