//! The transactions of payouts.

use bitcoin::{Amount, ScriptBuf};
use chain::{
    bitcoin::{
        address,
        plan::{self, Payment, Request},
        runes::Rune,
    },
    mints::{self, Mint, Payout, VmTransaction},
    models::transaction::Work,
    transactions::{self, BuiltTransaction, ChainError, NextVersion},
};

use super::{
    drafts::{draft, payout_fee_cap, request, tokens},
    pool::{self, Pool},
};
use crate::app::App;

/// The runes of the requests of a VM transaction that are distributed.
fn tokens_of(mint: &Mint, row: &VmTransaction) -> Result<u128, ChainError> {
    tokens(mint, row.settlement.map_or(0, |settlement| settlement.distributable_requests))
}

fn script(app: &App, text: &str) -> Result<ScriptBuf, ChainError> {
    let address = address::parse_recipient(text, app.network);
    Ok(address.map_err(|_| ChainError::Damaged("invalid address"))?.script_pubkey())
}

/// Drafts the transfer of a payout: it moves the payments for distributed requests to the proceeds address,
/// and spends the outputs that received them. The refundable part of each returns to the treasury in a
/// separate output. The pool pays the fee.
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
    let fee_cap = payout_fee_cap(app.fees.cap, payout.leg, rows.len());
    let request = request((mint, pool.fee_rate), payments, fee_cap, before);
    let must_spend = own.chain(request.must_spend).collect();
    let plan = plan::plan(&coins, &Request { must_spend, ..request })?;
    let wallets = [&mint.treasury, &mint.pool];
    Ok(draft(&wallets, Work::VmTransfer(payout.key()), plan, Vec::new(), before))
}

/// Drafts the distribution of a payout: it sends each transaction's runes to the paying trading address,
/// provided the rune still has the id that edicts use (custody rule 10). Only the pool pays.
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
    let fee_cap = payout_fee_cap(app.fees.cap, payout.leg, rows.len());
    let mut request = request((mint, pool.fee_rate), payments, fee_cap, before);
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
