//! The transactions of a payout.

use bitcoin::{Amount, FeeRate, ScriptBuf};
use ordinals::Edict;
use shared::{
    app::App,
    bitcoin::{
        address,
        coins::Coin,
        plan::{self, Limits, Payment, Plan, Request},
        runes::{Rune, runestone_script},
    },
    cosigning::{self, CosigningError, Draft, IssuedTransaction, MOST_INPUTS},
    minting::{Mint, Payout, VmTransaction},
    models::transaction::{PoolSplit, Work},
};

use super::of_payout;

/// The longest OP_RETURN script that every node relays (custody rule 10).
const MOST_RUNESTONE_BYTES: usize = 83;
/// Transactions that one payout has at most, however short their amounts are.
const MOST_TOGETHER: usize = 12;

/// The runes of a transaction's distributed requests, in the smallest unit.
fn tokens(mint: &Mint, row: &VmTransaction) -> Result<u128, CosigningError> {
    let requests = row.settlement.map_or(0, |settlement| settlement.distributable_requests);
    let tokens = mint.tokens_per_request.0.checked_mul(requests.into());
    tokens.filter(|tokens| *tokens > 0).ok_or(CosigningError::Damaged("runes of no request"))
}

/// How many of these, from the first on, fit one runestone.
pub(super) fn fitting(mint: &Mint, rows: &[&VmTransaction]) -> Result<usize, CosigningError> {
    let mut edicts = Vec::new();
    for (row, place) in rows.iter().zip(2_u32..).take(MOST_TOGETHER) {
        edicts.push(Edict { id: mint.rune.id, amount: tokens(mint, row)?, output: place });
        // Where nothing is left of the runes, the pointer points behind all of them.
        let pointer = u32::try_from(edicts.len()).unwrap_or(u32::MAX).saturating_add(2);
        if runestone_script(edicts.clone(), pointer).len() > MOST_RUNESTONE_BYTES {
            edicts.pop();
            break;
        }
    }
    if edicts.is_empty() && !rows.is_empty() {
        return Err(CosigningError::Damaged("an edict that fits no runestone"));
    }
    Ok(edicts.len())
}

fn script(app: &App, text: &str) -> Result<ScriptBuf, CosigningError> {
    let address = address::read(text, app.config.network);
    Ok(address.map_err(|_| CosigningError::Damaged("address"))?.script_pubkey())
}

fn limits(app: &App) -> Limits {
    Limits {
        fee_cap: app.config.fees.cap,
        most_inputs: MOST_INPUTS,
        most_runestone_bytes: Some(MOST_RUNESTONE_BYTES),
        // Coins of the pool that are merged would make the next payouts wait for each other.
        consolidate: 0,
        ..Limits::default()
    }
}

/// The coins of the pool: those that nobody holds, and those of the transaction that is replaced.
async fn pool(
    app: &App,
    mint: &Mint,
    before: Option<&IssuedTransaction>,
) -> Result<(Vec<Coin>, FeeRate), CosigningError> {
    let (wallet_coins, own, rate) = tokio::try_join!(
        cosigning::of_platform_wallet(app, &mint.pool),
        async {
            match before {
                Some(before) => cosigning::inputs_of(app, before).await,
                None => Ok(Some(Vec::new())),
            }
        },
        cosigning::fee_rate(app)
    )?;
    let mut coins = wallet_coins.coins;
    coins.extend(own.ok_or(CosigningError::CoinsChanged)?);
    Ok((coins, rate.rate))
}

fn draft<'a>(
    mint: &Mint,
    work: Work,
    plan: Plan,
    runes: Vec<Rune>,
    replaces: Option<&'a IssuedTransaction>,
) -> Draft<'a> {
    Draft {
        account: None,
        wallet: None,
        platform: vec![mint.treasury.clone(), mint.pool.clone()],
        work,
        transaction: plan.transaction,
        inputs: plan.inputs,
        runes,
        promised: plan.promised,
        weight: plan.weight,
        replaces,
    }
}

/// Payouts that coins are divided for at once.
const MOST_AT_ONCE: usize = 7;
/// The least that a plain coin of the pool is divided into, sats: the fee of a transaction.
const LEAST_COIN: Amount = Amount::from_sat(10_000);

/// Divides coins of the pool: one with the very runes of each payout that is not distributed, and two
/// plain ones, for its fees; `None` where there are enough, or only one payout needs them.
pub(super) async fn split<'a>(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    payouts: &[Payout],
) -> Result<Option<Draft<'a>>, CosigningError> {
    let open: Vec<_> =
        payouts.iter().filter(|payout| payout.distribution.is_none()).take(MOST_AT_ONCE).collect();
    if open.len() < 2 {
        return Ok(None);
    }
    let (coins, fee_rate) = pool(app, mint, None).await?;
    let coins: Vec<_> = coins.into_iter().filter(Coin::is_spendable).collect();
    let runic = coins.iter().filter(|coin| coin.amount_of(&mint.rune.name) > 0).count();
    let plain: Vec<_> = coins.iter().filter(|coin| coin.is_plain()).collect();
    let to = mint.pool.script_pubkey();
    let mut payments = Vec::new();
    if runic < open.len() {
        for payout in &open {
            let rows = of_payout(payout, rows)?;
            let tokens = rows.iter().map(|row| tokens(mint, row));
            let amount = tokens.collect::<Result<Vec<_>, _>>()?.into_iter();
            let amount = amount.fold(0, u128::saturating_add);
            payments.push(Payment::Rune { rune: mint.rune, amount, to: to.clone() });
        }
    }
    let (wanted, there) = (open.len().saturating_mul(2), plain.len());
    let held = plain.iter().map(|coin| coin.value.to_sat()).fold(0, u64::saturating_add);
    // One share more pays the fee of this one.
    let shares = u64::try_from(wanted).unwrap_or(u64::MAX).saturating_add(1);
    let sats = Amount::from_sat(held.checked_div(shares).unwrap_or_default());
    if there < wanted && sats >= LEAST_COIN {
        payments.extend((0..wanted).map(|_| Payment::Btc { sats, to: to.clone() }));
    }
    if payments.is_empty() {
        return Ok(None);
    }
    let request = Request {
        payments,
        data: None,
        change: to,
        fee_rate,
        must_spend: Vec::new(),
        replaces: None,
        limits: limits(app),
    };
    match plan::plan(&coins, &request) {
        Ok(plan) => {
            let work = Work::PoolSplit(PoolSplit { mint_id: mint.id });
            Ok(Some(draft(mint, work, plan, vec![mint.rune], None)))
        }
        // Then payouts wait for each other.
        Err(error) => {
            tracing::info!(mint = %mint.id, %error, "coins of the pool are not divided");
            Ok(None)
        }
    }
}

/// Moves what was paid for distributed requests to whom the proceeds are for, out of the very
/// outputs that paid it; what is refundable of them goes back to the treasury, each in an output of
/// its own. The pool pays the fee.
pub(super) async fn transfer<'a>(
    app: &App,
    mint: &Mint,
    payout: &Payout,
    rows: &[VmTransaction],
    before: Option<&'a IssuedTransaction>,
) -> Result<Draft<'a>, CosigningError> {
    let outputs: Vec<_> =
        rows.iter().map(|row| (row.output, Amount::from_sat(row.sats()))).collect();
    let (mut coins, fee_rate) = pool(app, mint, before).await?;
    if before.is_none() {
        let paid = cosigning::outputs_of_platform(app, &mint.treasury, &outputs).await?;
        coins.extend(paid.ok_or(CosigningError::CoinsChanged)?);
    }
    let kept = rows.iter().map(VmTransaction::sats_in_blocks);
    let kept = Amount::from_sat(kept.fold(0, u64::saturating_add));
    let mut payments = vec![Payment::Btc { sats: kept, to: script(app, &mint.proceeds_address)? }];
    let rests = rows.iter().map(VmTransaction::refundable_sats).filter(|sats| *sats > 0);
    payments.extend(rests.map(|sats| Payment::Btc {
        sats: Amount::from_sat(sats),
        to: mint.treasury.script_pubkey(),
    }));
    let request = Request {
        payments,
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate,
        must_spend: outputs.iter().map(|(outpoint, _)| outpoint.0).collect(),
        replaces: before.map(cosigning::replacing).transpose()?,
        limits: limits(app),
    };
    let plan = plan::plan(&coins, &request)?;
    Ok(draft(mint, Work::VmTransfer(payout.key()), plan, Vec::new(), before))
}

/// Sends each transaction's runes to the trading address that it was paid from.
pub(super) async fn distribution<'a>(
    app: &App,
    mint: &Mint,
    payout: &Payout,
    rows: &[VmTransaction],
    before: Option<&'a IssuedTransaction>,
) -> Result<Draft<'a>, CosigningError> {
    let (coins, fee_rate) = pool(app, mint, before).await?;
    let mut payments = Vec::with_capacity(rows.len());
    for row in rows {
        let to = script(app, &row.trading_address)?;
        payments.push(Payment::Rune { rune: mint.rune, amount: tokens(mint, row)?, to });
    }
    let request = Request {
        payments,
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate,
        must_spend: payout.anchor.iter().map(|anchor| anchor.0).collect(),
        replaces: before.map(cosigning::replacing).transpose()?,
        limits: limits(app),
    };
    let plan = plan::plan(&coins, &request)?;
    Ok(draft(mint, Work::VmDistribution(payout.key()), plan, vec![mint.rune], before))
}

#[cfg(test)]
mod tests;
