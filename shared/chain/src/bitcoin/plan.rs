//! Plans transactions: which coins pay whom, at which fee.

mod draft;
mod error;
mod largest;
mod outcome;
mod request;

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Amount, OutPoint, policy::MAX_STANDARD_TX_WEIGHT};

use self::draft::{Draft, EvenShare};
pub(crate) use self::draft::{signed_weight, unsigned_transaction};
pub use self::{
    error::PlanError,
    largest::{Largest, plan_largest},
    outcome::{Plan, Role},
    request::{
        LEAST_RUNE_OUTPUT, Limits, MOST_RUNE_OUTPUT, OWN_RUNE_OUTPUT, Payment, Replaced, Request,
        fee_to_replace,
    },
};
use crate::bitcoin::{
    coins::{Coin, MOST_RUNES, RuneAmounts},
    runes::{FlowError, Rune, check_edicts, flow, names_by_id},
    selection::{Bill, Inputs, MissingRune, Shortage, select_plain, select_runic},
};

/// Plans a transaction.
///
/// Unconfirmed, unknown and inscribed coins are not used. Coins with runes are spent only if one of their
/// runes is paid; their other runes go to rune change. They are spent together only if rune change remains a
/// spendable coin. Plain coins pay the rest, those about to expire first. The outputs, each only if needed,
/// are: runestone, rune change, payments in order, data, change. If runes move and none is left over, the
/// pointer points to change, which is then mandatory.
///
/// If one edict gives the same amount to every output ([`Limits::one_edict_for_all`]), change is mandatory
/// and receives that amount and every leftover rune.
///
/// The same request and coins in any order give the same plan.
pub fn plan(coins: &[Coin], request: &Request) -> Result<Plan, PlanError> {
    let coins: BTreeMap<OutPoint, &Coin> = coins.iter().map(|coin| (coin.outpoint, coin)).collect();
    let runes = check_payments(request)?;
    let paid = rune_totals(&request.payments);
    let share = EvenShare::of(request);
    let mut needed = paid.clone();
    if let Some(EvenShare { rune, amount }) = share {
        let total = needed.entry(rune.name).or_default();
        *total = total.saturating_add(amount);
    }

    let usable = |coin: &Coin| {
        let left = coin.expires_in.unwrap_or(u32::MAX);
        coin.is_spendable() && left >= request.limits.least_blocks_left
    };
    let moves = |coin: &Coin| needed.keys().any(|rune| coin.amount_of(rune) > 0);
    let mut inputs: Vec<&Coin> = Vec::new();
    for outpoint in &request.must_spend {
        let coin = coins.get(outpoint).filter(|coin| usable(coin));
        let coin =
            coin.filter(|coin| coin.is_plain() || moves(coin) || request.limits.unpaid_runes);
        let coin = coin.ok_or(PlanError::CannotSpend(*outpoint))?;
        if !inputs.iter().any(|input| input.outpoint == *outpoint) {
            inputs.push(coin);
        }
    }
    let others: Vec<&Coin> = coins
        .values()
        .filter(|coin| usable(coin) && !request.must_spend.contains(&coin.outpoint))
        .copied()
        .collect();
    let (plain, runic): (Vec<&Coin>, Vec<&Coin>) =
        others.into_iter().partition(|coin| coin.is_plain());
    let mut chosen = select_runic(&needed, &inputs, &runic, MOST_RUNES).map_err(|missing| {
        let needed = needed.get(&missing.rune).copied().unwrap_or_default();
        let MissingRune { rune, available, at_once } = missing;
        if available < needed {
            PlanError::InsufficientRune { rune, needed, available }
        } else {
            PlanError::RuneScattered { rune, needed, at_once }
        }
    })?;
    chosen.sort_by_key(|coin| coin.outpoint);
    inputs.extend(chosen);

    let leftover = leftover(&inputs, &paid)?;
    let mut draft = Draft::new(request, &paid, &leftover, share)?;
    let bill = draft.bill(request, &coins);
    let mut chosen = select_btc(&bill, &inputs, &plain).map_err(|shortage| match shortage {
        Shortage::Btc { needed, available } => {
            PlanError::InsufficientBtc { needed: amount(needed), available: amount(available) }
        }
        Shortage::Inputs => PlanError::TooManyInputs { most: request.limits.most_inputs },
        Shortage::Fee(fee) => {
            PlanError::FeeTooHigh { fee: amount(fee), cap: request.limits.fee_cap }
        }
    })?;
    chosen.sort_by_key(|coin| coin.outpoint);
    inputs.extend(chosen);

    let spent = Inputs::of(inputs.iter().copied());
    let settlement = bill.settle(spent).ok_or(PlanError::Wrong("the coins do not suffice"))?;
    if let Some(change) = settlement.change {
        let runes = if share.is_some() { leftover } else { RuneAmounts::new() };
        draft.push(Role::Change, request.change.clone(), amount(change), runes);
    }
    let plan = draft.finish(inputs, amount(settlement.fee));
    verify(&plan, &bill, &runes, request)?;
    Ok(plan)
}

/// Checks the payments on their own; returns the runes that they move.
fn check_payments(request: &Request) -> Result<Vec<Rune>, PlanError> {
    if request.change.is_op_return() {
        return Err(PlanError::Unpayable { payment: None });
    }
    let mut runes = Vec::new();
    for (payment, what) in request.payments.iter().enumerate() {
        let (to, least, is_rune) = match what {
            Payment::Btc { sats, to } => {
                let least = to.minimal_non_dust();
                (to, (*sats < least).then_some(least.to_sat()), false)
            }
            Payment::Rune { rune, amount, to } => {
                runes.push(*rune);
                (to, (*amount == 0).then_some(1), true)
            }
        };
        if to.is_op_return() {
            return Err(PlanError::Unpayable { payment: Some(payment) });
        }
        if let Some(least) = least {
            return Err(PlanError::AmountBelowDust { payment, least, is_rune });
        }
    }
    names_by_id(&runes).map_err(|error| match error {
        FlowError::BadRune(name) => PlanError::BadRune(name),
        error => PlanError::Broken(error),
    })?;
    Ok(runes)
}

/// Total payments of each rune. If a sum exceeds `u128::MAX`, no coins suffice for it.
fn rune_totals(payments: &[Payment]) -> RuneAmounts {
    let mut totals = RuneAmounts::new();
    for payment in payments {
        if let Payment::Rune { rune, amount, .. } = payment {
            let total = totals.entry(rune.name).or_default();
            *total = total.saturating_add(*amount);
        }
    }
    totals
}

/// Amounts of each rune in the inputs beyond the payments.
fn leftover(inputs: &[&Coin], paid: &RuneAmounts) -> Result<RuneAmounts, PlanError> {
    const BUG: PlanError = PlanError::Wrong("the runes do not add up");
    let mut left = RuneAmounts::new();
    for (name, amount) in inputs.iter().filter_map(|coin| coin.runes()).flatten() {
        let sum = left.entry(*name).or_default();
        *sum = sum.checked_add(*amount).ok_or(BUG)?;
    }
    for (name, amount) in paid {
        let sum = left.get_mut(name).ok_or(BUG)?;
        *sum = sum.checked_sub(*amount).ok_or(BUG)?;
    }
    left.retain(|_, amount| *amount > 0);
    Ok(left)
}

/// Selects plain coins: only those about to expire; otherwise all of those and some others; if that takes too
/// many inputs or too high a fee, any.
fn select_btc<'a>(
    bill: &Bill,
    fixed: &[&'a Coin],
    plain: &[&'a Coin],
) -> Result<Vec<&'a Coin>, Shortage> {
    let fixed_inputs = Inputs::of(fixed.iter().copied());
    let (expiring, lasting): (Vec<&Coin>, Vec<&Coin>) =
        plain.iter().copied().partition(|coin| coin.is_expiring());
    if !expiring.is_empty() {
        if let Ok(selected) = select_plain(bill, fixed_inputs, &expiring) {
            return Ok(selected);
        }
        let mut selected = bill.worth_their_fee(&expiring);
        let inputs = Inputs::of(fixed.iter().chain(&selected).copied());
        if let Ok(others) = select_plain(bill, inputs, &lasting) {
            selected.extend(others);
            return Ok(selected);
        }
    }
    select_plain(bill, fixed_inputs, plain)
}

/// Converts a number that is known to be a valid amount in sats.
fn amount(sats: i128) -> Amount {
    u64::try_from(sats).map_or(Amount::MAX, Amount::from_sat)
}

/// Verifies a finished plan against the request, by a computation independent of its construction.
fn verify(plan: &Plan, bill: &Bill, runes: &[Rune], request: &Request) -> Result<(), PlanError> {
    let Plan { transaction, inputs, fee, weight, promised, .. } = plan;
    if weight.to_wu() > MAX_STANDARD_TX_WEIGHT.into() {
        return Err(PlanError::TooHeavy { weight: *weight });
    }
    if *fee > request.limits.fee_cap {
        return Err(PlanError::FeeTooHigh { fee: *fee, cap: request.limits.fee_cap });
    }
    if i128::from(fee.to_sat()) < bill.least_fee(weight.to_wu().into()) {
        return Err(PlanError::Wrong("the fee is too low"));
    }
    if promised.outputs.iter().any(|output| output.runes.len() > MOST_RUNES) {
        return Err(PlanError::Wrong("an output holds too many runes"));
    }
    let mut outputs = transaction.output.iter();
    if outputs.any(|output| output.value < output.script_pubkey.minimal_non_dust()) {
        return Err(PlanError::Wrong("an output is dust"));
    }
    let spent: BTreeSet<OutPoint> = inputs.iter().map(|coin| coin.outpoint).collect();
    if !request.must_spend.iter().all(|outpoint| spent.contains(outpoint)) {
        return Err(PlanError::Wrong("a coin that must be spent is not"));
    }
    let may_share = request.limits.one_edict_for_all;
    check_edicts(transaction, promised, runes, may_share).map_err(PlanError::Broken)?;
    let actual = flow(transaction, inputs, runes).map_err(PlanError::Broken)?;
    actual.keeps(promised).map_err(PlanError::Broken)
}

#[cfg(test)]
mod tests;
