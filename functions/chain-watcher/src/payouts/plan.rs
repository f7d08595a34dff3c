//! The transactions of a payout.

use std::collections::BTreeMap;

use bitcoin::{Amount, FeeRate, ScriptBuf, Txid};
use chain::{
    bitcoin::{
        address,
        coins::Coin,
        plan::{self, LEAST_RUNE_OUTPUT, Limits, Payment, Plan, Request},
        runes::{Rune, runestone_script},
    },
    mints::{self, Mint, Payout, VmTransaction},
    models::transaction::{PoolSplit, Work},
    transactions::{self, BuiltTransaction, ChainError, MOST_INPUTS, NextVersion},
};
use ordinals::Edict;

use crate::app::App;

/// The VM transactions of a mint by the txids of their commitments.
pub(super) type Members<'a> = BTreeMap<Txid, &'a VmTransaction>;

/// The longest OP_RETURN script that every node relays (custody rule 10).
const MOST_RUNESTONE_BYTES: usize = 83;
/// Most VM transactions of one payout, however short their amounts are.
const MOST_TOGETHER: usize = 12;

/// The runes of a transaction's distributed requests, in the smallest unit.
fn tokens(mint: &Mint, row: &VmTransaction) -> Result<u128, ChainError> {
    let requests = row.settlement.map_or(0, |settlement| settlement.distributable_requests);
    let tokens = mint.tokens_per_request.0.checked_mul(requests.into());
    tokens
        .filter(|tokens| *tokens > 0)
        .ok_or(ChainError::Damaged("a distribution without requests"))
}

/// How many of these transactions, from the first on, fit one runestone.
pub(super) fn fitting(mint: &Mint, rows: &[&VmTransaction]) -> Result<usize, ChainError> {
    let mut edicts = Vec::new();
    for (row, place) in rows.iter().zip(2_u32..).take(MOST_TOGETHER) {
        edicts.push(Edict { id: mint.rune.id, amount: tokens(mint, row)?, output: place });
        // If no runes are left over, the pointer points behind all recipients.
        let pointer = u32::try_from(edicts.len()).unwrap_or(u32::MAX).saturating_add(2);
        if runestone_script(edicts.clone(), pointer).len() > MOST_RUNESTONE_BYTES {
            edicts.pop();
            break;
        }
    }
    if edicts.is_empty() && !rows.is_empty() {
        return Err(ChainError::Damaged("an edict does not fit a runestone"));
    }
    Ok(edicts.len())
}

fn script(app: &App, text: &str) -> Result<ScriptBuf, ChainError> {
    let address = address::parse_recipient(text, app.network);
    Ok(address.map_err(|_| ChainError::Damaged("invalid address"))?.script_pubkey())
}

fn limits(app: &App) -> Limits {
    Limits {
        fee_cap: app.fees.cap,
        most_inputs: MOST_INPUTS,
        most_runestone_bytes: Some(MOST_RUNESTONE_BYTES),
        // Merging coins of the pool would make the next payouts wait for each other.
        consolidate: 0,
        ..Limits::default()
    }
}

/// The coins of the pool and the current fee rate, read once per look.
pub(super) struct Pool {
    pub(super) fee_rate: FeeRate,
    /// Coins that no transaction holds; read on first use.
    free: Option<Vec<Coin>>,
}

impl Pool {
    pub(super) async fn read(app: &App) -> Result<Self, ChainError> {
        Ok(Self { fee_rate: transactions::fee_rate(app).await?.rate, free: None })
    }

    /// Removes the coins that a transaction holds.
    pub(super) fn spend(&mut self, sent: &BuiltTransaction<'_>) {
        if let Some(free) = &mut self.free {
            free.retain(|coin| sent.inputs.iter().all(|input| input.outpoint != coin.outpoint));
        }
    }

    /// The free coins and those of the versions to be replaced.
    async fn coins(
        &mut self,
        app: &App,
        mint: &Mint,
        before: Option<&NextVersion>,
    ) -> Result<Vec<Coin>, ChainError> {
        let own = before.map(|before| before.coins.as_slice()).unwrap_or_default();
        let free = match &mut self.free {
            Some(free) => free,
            none => none.insert(transactions::platform_wallet_coins(app, &mint.pool).await?.coins),
        };
        Ok([own, free].concat())
    }
}

fn draft<'a>(
    mint: &Mint,
    work: Work,
    plan: Plan,
    runes: Vec<Rune>,
    before: Option<&'a NextVersion>,
) -> BuiltTransaction<'a> {
    BuiltTransaction {
        account: None,
        wallet: None,
        platform: vec![mint.treasury.clone(), mint.pool.clone()],
        work,
        transaction: plan.transaction,
        inputs: plan.inputs,
        runes,
        promised: plan.promised,
        weight: plan.weight,
        replaces: before.map(|before| &before.replaces),
    }
}

/// Most payouts that one division serves.
const MOST_AT_ONCE: usize = 7;
/// Upper bound of the virtual bytes of a payout's transaction: one with twelve treasury outputs, or with
/// twelve recipients.
const MOST_VBYTES: u64 = 1_500;
/// Most plain coins that a division merges.
const MOST_MERGED: usize = 24;

/// Least value of a plain coin that can pay for a payout's transaction alone: the fee, and an output for each
/// recipient, for leftover runes and for change.
fn least_plain_coin(rate: FeeRate) -> Amount {
    let outputs = u64::try_from(MOST_TOGETHER).unwrap_or(u64::MAX).saturating_add(2);
    let outputs = outputs.saturating_mul(LEAST_RUNE_OUTPUT.to_sat());
    let fee = rate.fee_vb(MOST_VBYTES).unwrap_or(Amount::MAX_MONEY);
    Amount::from_sat(fee.to_sat().saturating_add(outputs))
}

/// The coins that a payout needs so that it does not wait for another payout.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// The runes that one coin must hold.
    tokens: u128,
    /// Number of plain coins: one for each transaction still to be sent.
    plain: usize,
}

/// Whether payouts would have to wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Division {
    /// No: each has its coins.
    Unneeded,
    /// Not if coins are divided into these payments.
    Into(Vec<Payment>),
    /// Yes: the plain coins do not hold enough.
    TooLittle,
}

/// Computes how to divide coins of the pool for these payouts. What a coin can pay counts, never the number
/// of coins: a stranger can send the pool thousands that pay nothing. `divide_anyway` divides even if each
/// payout has its coins.
fn division(
    coins: &[Coin],
    mint: &Mint,
    needs: &[Need],
    rate: FeeRate,
    divide_anyway: bool,
) -> Division {
    let to = mint.pool.script_pubkey();
    let coins = || coins.iter().filter(|coin| coin.is_spendable());
    let mut payments = Vec::new();
    let mut amounts: Vec<_> = needs.iter().map(|need| need.tokens).collect();
    amounts.sort_unstable();
    let mut held: Vec<_> = coins().map(|coin| coin.amount_of(&mint.rune.name)).collect();
    held.sort_unstable();
    let mut amounts = amounts.into_iter().peekable();
    for held in held {
        amounts.next_if(|amount| *amount <= held);
    }
    if divide_anyway || amounts.peek().is_some() {
        let rune =
            |need: &Need| Payment::Rune { rune: mint.rune, amount: need.tokens, to: to.clone() };
        payments.extend(needs.iter().map(rune));
    }
    let least = least_plain_coin(rate);
    let mut plain: Vec<_> = coins().filter(|coin| coin.is_plain()).map(|coin| coin.value).collect();
    plain.sort_unstable();
    let wanted = needs.iter().map(|need| need.plain).fold(0, usize::saturating_add);
    if plain.iter().filter(|value| **value >= least).count() < wanted {
        let largest = plain.iter().rev().take(MOST_MERGED).map(|value| value.to_sat());
        let held = largest.fold(0, u64::saturating_add);
        // One more share pays the fee of the division.
        let shares = u64::try_from(wanted).unwrap_or(u64::MAX).saturating_add(1);
        let sats = Amount::from_sat(held.checked_div(shares).unwrap_or_default());
        if sats < least {
            return Division::TooLittle;
        }
        payments.extend((0..wanted).map(|_| Payment::Btc { sats, to: to.clone() }));
    }
    if payments.is_empty() { Division::Unneeded } else { Division::Into(payments) }
}

/// Drafts a division of the pool: one coin with the exact runes of each payout and plain ones for its fees,
/// for as many of the `waiting` payouts as the value covers. Also returns the number of the last payout
/// served, 0 if none. `None` if a division would change nothing.
pub(super) async fn split<'a>(
    app: &App,
    mint: &Mint,
    members: &Members<'_>,
    waiting: &[&Payout],
    pool: &mut Pool,
    before: Option<&'a NextVersion>,
) -> Result<Option<(BuiltTransaction<'a>, u64)>, ChainError> {
    let fewest = if before.is_some() { 1 } else { 2 };
    if before.is_none() && waiting.len() < fewest {
        return Ok(None);
    }
    let work = Work::PoolSplit(PoolSplit { mint_id: mint.id });
    let mut needs = Vec::new();
    for payout in waiting.iter().take(MOST_AT_ONCE) {
        let amounts = self::members(members, payout)?.into_iter().map(|row| tokens(mint, row));
        let amounts = amounts.collect::<Result<Vec<_>, _>>()?;
        let plain = if payout.transfer.is_none() { 2 } else { 1 };
        needs.push(Need { tokens: amounts.into_iter().fold(0, u128::saturating_add), plain });
    }
    let coins = pool.coins(app, mint, before).await?;
    for count in (fewest..=needs.len()).rev() {
        let (Some(needs), Some(last)) =
            (needs.get(..count), count.checked_sub(1).and_then(|last| waiting.get(last)))
        else {
            continue;
        };
        let payments = match division(&coins, mint, needs, pool.fee_rate, before.is_some()) {
            Division::Unneeded => return Ok(None),
            Division::TooLittle => continue,
            Division::Into(payments) => payments,
        };
        match plan::plan(&coins, &request(app, mint, pool, payments, before)) {
            Ok(plan) => {
                return Ok(Some((draft(mint, work, plan, vec![mint.rune], before), last.number)));
            }
            Err(error) => {
                tracing::info!(mint = %mint.id, count, %error, "no division serves this many payouts");
            }
        }
    }
    // Payouts then wait for each other. A division already sent still needs a next version.
    let Some(before) = before else { return Ok(None) };
    match plan::plan(&coins, &request(app, mint, pool, kept_payments(mint, before), Some(before))) {
        Ok(plan) if !plan.outputs.is_empty() => {
            Ok(Some((draft(mint, work, plan, vec![mint.rune], Some(before)), 0)))
        }
        Ok(_) => Ok(None),
        Err(error) => {
            tracing::info!(mint = %mint.id, %error, "a division waits for a lower rate");
            Ok(None)
        }
    }
}

/// Payments of a next version that divides nothing: the runes of the coins by which it conflicts with the
/// versions before it. The rest is change.
fn kept_payments(mint: &Mint, before: &NextVersion) -> Vec<Payment> {
    let conflicting = before.coins.iter().filter(|coin| before.must_spend.contains(&coin.outpoint));
    let amounts = conflicting.map(|coin| coin.amount_of(&mint.rune.name));
    let amount = amounts.fold(0, u128::saturating_add);
    let to = mint.pool.script_pubkey();
    (amount > 0).then_some(Payment::Rune { rune: mint.rune, amount, to }).into_iter().collect()
}

/// The plan request of a transaction that the pool pays for, replacing the versions before it.
fn request(
    app: &App,
    mint: &Mint,
    pool: &Pool,
    payments: Vec<Payment>,
    before: Option<&NextVersion>,
) -> Request {
    Request {
        payments,
        data: None,
        change: mint.pool.script_pubkey(),
        fee_rate: pool.fee_rate,
        must_spend: must_spend(before).collect(),
        replaces: before.and_then(|before| before.outbids),
        limits: limits(app),
    }
}

/// The coins by which a version conflicts with those before it.
fn must_spend(before: Option<&NextVersion>) -> impl Iterator<Item = bitcoin::OutPoint> + '_ {
    before.into_iter().flat_map(|before| before.must_spend.iter().copied())
}

/// The VM transactions of a payout, in its order.
pub(super) fn members<'a>(
    members: &Members<'a>,
    payout: &Payout,
) -> Result<Vec<&'a VmTransaction>, ChainError> {
    let found = payout.transactions.iter().map(|txid| members.get(txid).copied());
    found.collect::<Option<_>>().ok_or(ChainError::Damaged("a payout's VM transaction is missing"))
}

/// Splits a payout in two: the transactions that stay, and a payout of the others, numbered after the mint's
/// `last`. `None` if it has only one transaction, or one was sent and is not final.
pub(super) fn halves(payout: &Payout, last: u64) -> Option<(Vec<Txid>, Payout)> {
    let is_under_way =
        payout.transfer.is_some() && !payout.transferred || payout.distribution.is_some();
    let (kept, moved) = payout.transactions.split_at(payout.transactions.len().div_ceil(2));
    if is_under_way || moved.is_empty() {
        return None;
    }
    let rest = Payout {
        number: last.saturating_add(1),
        version: 1,
        transactions: moved.to_vec(),
        ..payout.clone()
    };
    Some((kept.to_vec(), rest))
}

/// Drafts the transfer of a payout: it moves the payments for distributed requests to the proceeds address,
/// spending the outputs that received them. The refundable part of each returns to the treasury in a separate
/// output. The pool pays the fee.
pub(super) async fn transfer<'a>(
    app: &App,
    mint: &Mint,
    members: &Members<'_>,
    payout: &Payout,
    pool: &mut Pool,
    before: Option<&'a NextVersion>,
) -> Result<BuiltTransaction<'a>, ChainError> {
    let rows = self::members(members, payout)?;
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
    let request = request(app, mint, pool, payments, before);
    let must_spend = own.chain(request.must_spend).collect();
    let plan = plan::plan(&coins, &Request { must_spend, ..request })?;
    Ok(draft(mint, Work::VmTransfer(payout.key()), plan, Vec::new(), before))
}

/// Drafts the distribution of a payout: it sends each transaction's runes to the paying trading address,
/// provided the rune still has the id that edicts use (custody rule 10).
pub(super) async fn distribution<'a>(
    app: &App,
    mint: &Mint,
    members: &Members<'_>,
    payout: &Payout,
    pool: &mut Pool,
    before: Option<&'a NextVersion>,
) -> Result<BuiltTransaction<'a>, ChainError> {
    let rows = self::members(members, payout)?;
    if !has_its_id(app, &mint.rune).await? {
        tracing::error!(rune = %mint.rune.id, name = %mint.rune.name, "the rune's id has changed");
        return Err(ChainError::RuneUnknown);
    }
    let coins = pool.coins(app, mint, before).await?;
    let mut payments = Vec::with_capacity(rows.len());
    for row in rows {
        let to = script(app, &row.trading_address)?;
        payments.push(Payment::Rune { rune: mint.rune, amount: tokens(mint, row)?, to });
    }
    let plan = plan::plan(&coins, &request(app, mint, pool, payments, before))?;
    Ok(draft(mint, Work::VmDistribution(payout.key()), plan, vec![mint.rune], before))
}

/// Whether ord reports this rune under this id and a reorganisation of six blocks cannot change it.
async fn has_its_id(app: &App, rune: &Rune) -> Result<bool, ChainError> {
    let (found, tip) = tokio::try_join!(app.ord.rune(rune.id), app.esplora.tip_height())?;
    let is_same =
        found.is_some_and(|found| found.id == rune.id && found.entry.spaced_rune == rune.name);
    Ok(is_same && mints::blocks_until_final(rune.id, tip) == 0)
}

#[cfg(test)]
mod tests;
