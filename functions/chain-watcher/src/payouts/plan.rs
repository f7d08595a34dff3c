//! The transactions of payouts.

use bitcoin::{Amount, ScriptBuf};
use chain::{
    bitcoin::{
        address,
        plan::{self, Limits, Payment, Plan, Request},
        runes::Rune,
    },
    mints::{self, Mint, Payout, VmTransaction},
    models::{platform_wallet::PlatformWallet, transaction::Work},
    transactions::{self, BuiltTransaction, ChainError, NextVersion},
};

use super::pool::{self, Pool};
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

/// The runes of a transaction's distributed requests.
fn tokens_of(mint: &Mint, row: &VmTransaction) -> Result<u128, ChainError> {
    tokens(mint, row.settlement.map_or(0, |settlement| settlement.distributable_requests))
}

fn script(app: &App, text: &str) -> Result<ScriptBuf, ChainError> {
    let address = address::parse_recipient(text, app.network);
    Ok(address.map_err(|_| ChainError::Damaged("invalid address"))?.script_pubkey())
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
    (app, mint, pool): (&App, &Mint, &Pool),
    payments: Vec<Payment>,
    served: usize,
    before: Option<&NextVersion>,
) -> Request {
    Request {
        payments,
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate: pool.fee_rate,
        must_spend: must_spend(before).collect(),
        replaces: before.and_then(|before| before.outbids),
        limits: limits(app, served),
    }
}

/// The coins by which a version conflicts with those before it.
fn must_spend(before: Option<&NextVersion>) -> impl Iterator<Item = bitcoin::OutPoint> + '_ {
    before.into_iter().flat_map(|before| before.must_spend.iter().copied())
}

/// Drafts the transfer of a payout: it moves the payments for distributed requests to the proceeds address,
/// spending the outputs that received them. The refundable part of each returns to the treasury in a separate
/// output. The pool pays the fee.
pub(super) async fn transfer<'a>(
    app: &App,
    mint: &Mint,
    (payout, rows): (&Payout, &[VmTransaction]),
    pool: &mut Pool,
    before: Option<&'a NextVersion>,
) -> Result<BuiltTransaction<'a>, ChainError> {
    let outputs: Vec<_> =
        rows.iter().map(|row| (row.output, Amount::from_sat(row.sats()))).collect();
    let own = outputs.iter().map(|(outpoint, _)| outpoint.0);
    let mut coins = pool.coins(app, mint, before).await?;
    if before.is_none() {
        let paid = transactions::platform_output_coins(app, &mint.treasury, &outputs).await?;
        coins.extend(paid.ok_or(ChainError::CoinsChanged)?);
    }
    let kept = rows.iter().map(|row| row.sats_in_blocks());
    let kept = Amount::from_sat(kept.fold(0, u64::saturating_add));
    let mut payments = vec![Payment::Btc { sats: kept, to: script(app, &mint.proceeds_address)? }];
    let rests = rows.iter().map(|row| row.refundable_sats()).filter(|sats| *sats > 0);
    payments.extend(rests.map(|sats| Payment::Btc {
        sats: Amount::from_sat(sats),
        to: mint.treasury.script_pubkey(),
    }));
    let request = request((app, mint, pool), payments, rows.len(), before);
    let must_spend = own.chain(request.must_spend).collect();
    let plan = plan::plan(&coins, &Request { must_spend, ..request })?;
    let wallets = [&mint.treasury, &mint.pool];
    Ok(draft(&wallets, Work::VmTransfer(payout.key()), plan, Vec::new(), before))
}

/// Drafts the distribution of a payout: it sends each transaction's runes to the paying trading address,
/// provided the rune still has the id that edicts use (custody rule 10). The pool alone pays.
pub(super) async fn distribution<'a>(
    app: &App,
    mint: &Mint,
    (payout, rows): (&Payout, &[VmTransaction]),
    pool: &mut Pool,
    before: Option<&'a NextVersion>,
) -> Result<BuiltTransaction<'a>, ChainError> {
    if !has_its_id(app, &mint.rune).await? {
        tracing::error!(rune = %mint.rune.id, name = %mint.rune.name, "the rune's id has changed");
        return Err(ChainError::RuneUnknown);
    }
    let coins = pool.coins(app, mint, before).await?;
    let mut payments = Vec::with_capacity(rows.len());
    for row in rows {
        let to = script(app, &row.trading_address)?;
        payments.push(Payment::Rune { rune: mint.rune, amount: tokens_of(mint, row)?, to });
    }
    let mut request = request((app, mint, pool), payments, rows.len(), before);
    request.limits.one_edict_for_all = true;
    let modest = match payout.spare_requests > 0 && before.is_none() {
        true => pool::modest(mint, payout, pool.fee_rate, &coins)?,
        false => None,
    };
    let plan = match modest.map(|coins| plan::plan(&coins, &request)) {
        Some(Ok(plan)) => plan,
        _ => plan::plan(&coins, &request)?,
    };
    Ok(draft(&[&mint.pool], Work::VmDistribution(payout.key()), plan, vec![mint.rune], before))
}

/// Whether ord reports this rune under this id and a reorganisation of six blocks cannot change it.
async fn has_its_id(app: &App, rune: &Rune) -> Result<bool, ChainError> {
    let (found, tip) = tokio::try_join!(app.ord.rune(rune.id), app.esplora.tip_height())?;
    let is_same =
        found.is_some_and(|found| found.id == rune.id && found.entry.spaced_rune == rune.name);
    Ok(is_same && mints::blocks_until_final(rune.id, tip) == 0)
}
