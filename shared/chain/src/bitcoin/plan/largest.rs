//! Plans the largest payment that the coins allow.

use std::{cmp::Reverse, collections::BTreeMap};

use bitcoin::{Amount, OutPoint, ScriptBuf};

use super::{
    Limits, Payment, Plan, PlanError, Request, amount, check_payments, draft::Draft, plan,
};
use crate::bitcoin::{
    coins::{Coin, RuneAmounts},
    runes::Rune,
    selection::Inputs,
};

/// One payment, as large as the coins allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Largest {
    /// Bitcoin.
    Btc {
        /// The recipient's script.
        to: ScriptBuf,
    },
    /// A rune.
    Rune {
        /// The rune.
        rune: Rune,
        /// The recipient's script.
        to: ScriptBuf,
    },
}

impl Largest {
    /// The payment of this amount, in sats for bitcoin.
    fn of(&self, units: u128) -> Payment {
        match self {
            Self::Btc { to } => {
                let sats = u64::try_from(units).map_or(Amount::MAX_MONEY, Amount::from_sat);
                Payment::Btc { sats: sats.min(Amount::MAX_MONEY), to: to.clone() }
            }
            Self::Rune { rune, to } => Payment::Rune { rune: *rune, amount: units, to: to.clone() },
        }
    }

    /// The amount of the token in a coin.
    pub fn held_by(&self, coin: &Coin) -> u128 {
        match self {
            Self::Btc { .. } if coin.is_plain() => coin.value.to_sat().into(),
            Self::Btc { .. } => 0,
            Self::Rune { rune, .. } if coin.is_spendable() => coin.amount_of(&rune.name),
            Self::Rune { .. } => 0,
        }
    }
}

/// Plans the largest single payment within the limits, and returns its amount. The payments and `must_spend`
/// of `request` are ignored.
///
/// Bitcoin: it spends every plain coin that is worth its fee, the most valuable first, as far as the number
/// of inputs and the fee cap allow; there is no change. Runes: it spends the coins that hold most of the
/// rune, as many as one transaction can spend.
pub fn plan_largest(
    coins: &[Coin],
    what: &Largest,
    request: &Request,
) -> Result<(Plan, u128), PlanError> {
    let least_blocks_left = request.limits.least_blocks_left;
    let lasts = |coin: &&Coin| coin.expires_in.unwrap_or(u32::MAX) >= least_blocks_left;
    let mut holding: Vec<&Coin> =
        coins.iter().filter(|coin| what.held_by(coin) > 0).filter(lasts).collect();
    holding.sort_by_key(|coin| (Reverse(what.held_by(coin)), coin.outpoint));
    match what {
        Largest::Btc { to } => largest_btc(coins, &holding, (what, to), request),
        Largest::Rune { rune, .. } => {
            if holding.is_empty() {
                return Err(PlanError::InsufficientRune {
                    rune: rune.name,
                    needed: 1,
                    available: 0,
                });
            }
            largest_rune(coins, &holding, what, request)
        }
    }
}

fn largest_btc(
    coins: &[Coin],
    holding: &[&Coin],
    (what, to): (&Largest, &ScriptBuf),
    request: &Request,
) -> Result<(Plan, u128), PlanError> {
    let least = to.minimal_non_dust().to_sat();
    let sized = |units: u128, must_spend: Vec<OutPoint>| Request {
        payments: vec![what.of(units)],
        must_spend,
        limits: Limits { consolidate: 0, ..request.limits.clone() },
        ..request.clone()
    };
    let smallest = sized(least.into(), Vec::new());
    check_payments(&smallest)?;
    let none = RuneAmounts::new();
    let all: BTreeMap<OutPoint, &Coin> = coins.iter().map(|coin| (coin.outpoint, coin)).collect();
    let bill = Draft::new(&smallest, &none, &none, None)?.bill(&smallest, &all);

    let mut taken: Vec<&Coin> = Vec::new();
    let mut left = 0_i128;
    let mut least_fee = bill.least_fee(bill.weight_with(Inputs::of([]), false));
    for coin in bill.worth_their_fee(holding).into_iter().take(request.limits.most_inputs) {
        let inputs = Inputs::of(taken.iter().copied().chain([coin]));
        let fee = bill.least_fee(bill.weight_with(inputs, false));
        if fee > bill.fee_cap {
            if taken.is_empty() {
                let cap = request.limits.fee_cap;
                return Err(PlanError::FeeTooHigh { fee: amount(fee), cap });
            }
            break;
        }
        taken.push(coin);
        let spent =
            taken.iter().fold(0_i128, |sum, coin| sum.saturating_add(coin.value.to_sat().into()));
        (left, least_fee) = (spent.saturating_sub(fee), fee);
    }
    let units = u128::try_from(left).unwrap_or_default();
    if units < least.into() {
        let needed = amount(least_fee.saturating_add(least.into()));
        let available = holding.iter().map(|coin| coin.value);
        let available = available
            .fold(Amount::ZERO, |sum, sats| sum.checked_add(sats).unwrap_or(Amount::MAX_MONEY));
        return Err(PlanError::InsufficientBtc { needed, available });
    }
    let mut spent: Vec<OutPoint> = taken.iter().map(|coin| coin.outpoint).collect();
    spent.sort();
    Ok((plan(coins, &sized(units, spent))?, units))
}

fn largest_rune(
    coins: &[Coin],
    holding: &[&Coin],
    what: &Largest,
    request: &Request,
) -> Result<(Plan, u128), PlanError> {
    let held_by_first = |count: usize| {
        let first = holding.iter().take(count);
        first.fold(0_u128, |sum, coin| sum.saturating_add(what.held_by(coin)))
    };
    let attempt = |units: u128| {
        let payments = vec![what.of(units)];
        let request = Request { payments, must_spend: Vec::new(), ..request.clone() };
        plan(coins, &request).map(|plan| (plan, units))
    };
    let most = holding.len().min(request.limits.most_inputs);
    let mut error = match attempt(held_by_first(most)) {
        Err(PlanError::RuneScattered { at_once, .. }) => match attempt(at_once) {
            Err(error) => error,
            planned => return planned,
        },
        Err(error) => error,
        planned => return planned,
    };
    // Fewer coins take fewer inputs and cost less, so this is a binary search between a feasible and an
    // infeasible count.
    let (mut feasible, mut infeasible, mut best) = (0, most, None);
    while takes_too_much(&error) && infeasible.saturating_sub(feasible) > 1 {
        let count = feasible.midpoint(infeasible);
        match attempt(held_by_first(count)) {
            Ok(planned) => (feasible, best) = (count, Some(planned)),
            Err(other) => (infeasible, error) = (count, other),
        }
    }
    best.ok_or(error)
}

/// Whether a smaller payment may succeed.
fn takes_too_much(error: &PlanError) -> bool {
    matches!(
        error,
        PlanError::TooManyInputs { .. }
            | PlanError::FeeTooHigh { .. }
            | PlanError::InsufficientBtc { .. }
            | PlanError::RuneScattered { .. }
            | PlanError::TooHeavy { .. }
    )
}
