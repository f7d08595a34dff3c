//! What the transactions of the pool have in common.

use bitcoin::{Amount, FeeRate};
use chain::{
    bitcoin::{
        plan::{Limits, Payment, Plan, Request},
        runes::Rune,
    },
    mints::Mint,
    models::{platform_wallet::PlatformWallet, transaction::Work},
    transactions::{BuiltTransaction, ChainError, NextVersion},
};

use crate::app::App;

/// The longest OP_RETURN script that every node relays (custody rule 10).
pub(super) const MOST_RUNESTONE_BYTES: usize = 83;
/// Most inputs of a payout's transaction: each is a write of the batch that stores it, or that frees its coins.
const MOST_INPUTS: usize = 90;
/// So many recipients or payments of a transaction may cost as much as one transaction of a user.
const FEE_CAP_FOR: usize = 12;

/// The runes of so many requests, in the smallest unit.
pub(super) fn tokens(mint: &Mint, requests: u64) -> Result<u128, ChainError> {
    let tokens = mint.tokens_per_request.0.checked_mul(requests.into());
    tokens
        .filter(|tokens| *tokens > 0)
        .ok_or(ChainError::Damaged("a distribution without requests"))
}

/// The limits of a transaction of the pool that serves so many VM transactions.
fn limits(app: &App, served: usize) -> Limits {
    let shares = u64::try_from(served.div_ceil(FEE_CAP_FOR).max(1)).unwrap_or(u64::MAX);
    Limits {
        fee_cap: app.fees.cap.checked_mul(shares).unwrap_or(Amount::MAX_MONEY),
        most_inputs: MOST_INPUTS,
        most_runestone_bytes: Some(MOST_RUNESTONE_BYTES),
        // Merging coins of the pool would make the next payouts wait for each other.
        consolidate: 0,
        ..Limits::default()
    }
}

/// The transaction of a plan for which these wallets of the platform pay.
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

/// The plan request of a transaction that the pool pays for, replacing the versions before it.
pub(super) fn request(
    (app, mint, fee_rate): (&App, &Mint, FeeRate),
    payments: Vec<Payment>,
    served: usize,
    before: Option<&NextVersion>,
) -> Request {
    Request {
        payments,
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate,
        must_spend: must_spend(before).collect(),
        replaces: before.and_then(|before| before.outbids),
        limits: limits(app, served),
    }
}

/// The coins by which a version conflicts with those before it.
fn must_spend(before: Option<&NextVersion>) -> impl Iterator<Item = bitcoin::OutPoint> + '_ {
    before.into_iter().flat_map(|before| before.must_spend.iter().copied())
}
