//! Selects the plain coins that pay an amount and its fee with the least waste.
//!
//! Waste is Bitcoin Core's measure: the current cost of the inputs above their cost at the long-term rate,
//! plus the cost of creating and later spending change, or the excess that goes to the miner without change.
//! `bdk_coin_select` performs the search. Its own metrics are not used, because they compute fees in `f32`,
//! which is inexact from 16 million sats on.

use std::{cmp::Reverse, collections::BTreeSet};

use bdk_coin_select::{BnbMetric, Candidate, CoinSelector, float::Ordf32};
use bitcoin::{OutPoint, VarInt};

use crate::bitcoin::coins::Coin;

/// Rounds of branch and bound; afterwards the best result so far is used.
const ROUNDS: usize = 2_000;

/// Version, lock time, and the marker and flag of a segwit transaction.
const FIXED_WEIGHT: i128 = (4 + 4) * 4 + 2;

/// The amount that the selected coins have to pay. In sats and weight units; rates in sats per 1,000 weight
/// units.
#[derive(Clone, Debug)]
pub(crate) struct Bill {
    /// Total of the outputs without change.
    pub(crate) value: i128,
    /// Weight of the outputs without change.
    pub(crate) weight: i128,
    /// Number of outputs without change.
    pub(crate) outputs: usize,
    /// Weight of the change output.
    pub(crate) change_weight: i128,
    /// Weight of the input that later spends the change.
    pub(crate) change_spend_weight: i128,
    /// Change below this goes to the miner.
    pub(crate) least_change: i128,
    /// Whether change is mandatory.
    pub(crate) change_required: bool,
    /// The fee rate to pay.
    pub(crate) rate: i128,
    /// The fee rate of calm times.
    pub(crate) long_term_rate: i128,
    /// Fees and weight of the replaced transaction.
    pub(crate) replaced: Option<(i128, i128)>,
    /// The highest fee.
    pub(crate) fee_cap: i128,
    /// Most inputs.
    pub(crate) most_inputs: usize,
    /// Most inputs beyond the necessary ones, if they lower the waste.
    pub(crate) consolidate: usize,
}

/// Sums over the inputs of a selection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inputs {
    count: usize,
    value: i128,
    weight: i128,
}

impl Inputs {
    pub(crate) fn of<'a>(coins: impl IntoIterator<Item = &'a Coin>) -> Self {
        coins
            .into_iter()
            .fold(Self::default(), |sum, coin| sum.with(value_of(coin), weight_of(coin)))
    }

    fn with(self, value: i128, weight: i128) -> Self {
        Self {
            count: self.count.saturating_add(1),
            value: self.value.saturating_add(value),
            weight: self.weight.saturating_add(weight),
        }
    }
}

/// The outcome of a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settlement {
    /// Sats for the miner.
    pub(crate) fee: i128,
    /// Change in sats, if worth an output.
    pub(crate) change: Option<i128>,
}

/// Why no selection pays the bill. In sats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortage {
    /// All coins worth their fee do not suffice.
    Btc { needed: i128, available: i128 },
    /// They suffice, but only with too many inputs.
    Inputs,
    /// The least fee found exceeds the cap.
    Fee(i128),
}

fn value_of(coin: &Coin) -> i128 {
    coin.value.to_sat().into()
}

fn weight_of(coin: &Coin) -> i128 {
    coin.input_weight().to_wu().into()
}

impl Bill {
    /// The weight of the signed transaction.
    pub(crate) fn weight_with(&self, inputs: Inputs, change: bool) -> i128 {
        let count_weight = |count: usize| VarInt::from(count).size().saturating_mul(4) as i128;
        [
            FIXED_WEIGHT,
            count_weight(inputs.count),
            inputs.weight,
            count_weight(self.outputs.saturating_add(usize::from(change))),
            self.weight,
            if change { self.change_weight } else { 0 },
        ]
        .into_iter()
        .fold(0, i128::saturating_add)
    }

    /// The least fee for a signed weight. A replacement also pays 1 sat/vB on top of the replaced fees, and a
    /// higher rate by weight.
    pub(crate) fn least_fee(&self, weight: i128) -> i128 {
        let vsize = ceil_div(weight, 4);
        let by_rate = ceil_div(vsize.saturating_mul(4).saturating_mul(self.rate), 1_000);
        let Some((fees, replaced_weight)) = self.replaced else { return by_rate };
        let same_rate = fees.saturating_mul(weight).checked_div(replaced_weight);
        by_rate
            .max(fees.saturating_add(vsize))
            .max(same_rate.unwrap_or(i128::MAX).saturating_add(1))
    }

    /// Fee and change of a selection; `None` if it does not suffice.
    pub(crate) fn settle(&self, inputs: Inputs) -> Option<Settlement> {
        let left = inputs.value.saturating_sub(self.value);
        let fee = self.least_fee(self.weight_with(inputs, true));
        let change = left.saturating_sub(fee);
        if change >= self.least_change {
            return Some(Settlement { fee, change: Some(change) });
        }
        let least_fee = self.least_fee(self.weight_with(inputs, false));
        (!self.change_required && left >= least_fee)
            .then_some(Settlement { fee: left, change: None })
    }

    /// The value that a selection needs.
    fn needed(&self, inputs: Inputs) -> i128 {
        let fee = self.least_fee(self.weight_with(inputs, self.change_required));
        let change = if self.change_required { self.least_change } else { 0 };
        self.value.saturating_add(fee).saturating_add(change)
    }

    /// Extra cost of inputs compared with calm times; negative if rates are lower now.
    fn premium(&self) -> i128 {
        self.rate.saturating_sub(self.long_term_rate)
    }

    /// The waste in thousandths of a sat, given the premium for the weight of inputs.
    fn waste(&self, inputs: Inputs, settlement: Settlement, premium: i128) -> i128 {
        let of_inputs = inputs.weight.saturating_mul(premium);
        let of_rest = if settlement.change.is_some() {
            let making = self.change_weight.saturating_mul(self.rate);
            making.saturating_add(self.change_spend_weight.saturating_mul(self.long_term_rate))
        } else {
            let least_fee = self.least_fee(self.weight_with(inputs, false));
            settlement.fee.saturating_sub(least_fee).saturating_mul(1_000)
        };
        of_inputs.saturating_add(of_rest)
    }

    /// Value of a coin after paying for its own input, in thousandths of a sat.
    fn effective(&self, value: i128, weight: i128) -> i128 {
        value.saturating_mul(1_000).saturating_sub(weight.saturating_mul(self.rate))
    }

    /// The coins that are worth more than the fee of their own input.
    pub(crate) fn worth_their_fee<'a>(&self, coins: &[&'a Coin]) -> Vec<&'a Coin> {
        let worth = |coin: &Coin| self.effective(value_of(coin), weight_of(coin)) > 0;
        coins.iter().copied().filter(|coin| worth(coin)).collect()
    }
}

/// Selects the plain coins that pay a bill together with the `fixed` inputs.
pub(crate) fn select_plain<'a>(
    bill: &Bill,
    fixed: Inputs,
    coins: &[&'a Coin],
) -> Result<Vec<&'a Coin>, Shortage> {
    let effective = |coin: &Coin| bill.effective(value_of(coin), weight_of(coin));
    let mut coins = bill.worth_their_fee(coins);
    coins.sort_by_key(|coin| (Reverse(effective(coin)), coin.outpoint));

    let fewest = fewest(bill, fixed, &coins)?;
    let needed = fixed.count.saturating_add(fewest.len());
    if needed > bill.most_inputs {
        return Err(Shortage::Inputs);
    }
    let limit = needed.saturating_add(bill.consolidate).min(bill.most_inputs);
    let searched = search(bill, fixed, &coins, limit).unwrap_or_else(|| fewest.clone());
    let merged = merge(bill, fixed, &coins, limit, searched.clone());

    // The least waste; the first among equals.
    let mut least_fee = i128::MAX;
    let mut best: Option<(i128, Vec<&Coin>)> = None;
    for selection in [fewest, searched, merged] {
        let inputs = sum(fixed, &selection);
        let Some(settlement) = bill.settle(inputs) else { continue };
        least_fee = least_fee.min(settlement.fee);
        let waste = bill.waste(inputs, settlement, bill.premium());
        if settlement.fee <= bill.fee_cap && best.as_ref().is_none_or(|(least, _)| waste < *least) {
            best = Some((waste, selection));
        }
    }
    best.map(|(_, selection)| selection).ok_or(Shortage::Fee(least_fee))
}

fn sum(fixed: Inputs, coins: &[&Coin]) -> Inputs {
    coins.iter().fold(fixed, |sum, coin| sum.with(value_of(coin), weight_of(coin)))
}

/// The largest coins, as few as suffice.
fn fewest<'a>(
    bill: &Bill,
    fixed: Inputs,
    largest_first: &[&'a Coin],
) -> Result<Vec<&'a Coin>, Shortage> {
    let mut inputs = fixed;
    let mut taken = Vec::new();
    let mut rest = largest_first.iter();
    while bill.settle(inputs).is_none() {
        let Some(coin) = rest.next() else {
            return Err(Shortage::Btc { needed: bill.needed(inputs), available: inputs.value });
        };
        inputs = inputs.with(value_of(coin), weight_of(coin));
        taken.push(*coin);
    }
    Ok(taken)
}

/// Branch and bound for the least waste with at most `limit` inputs.
fn search<'a>(
    bill: &Bill,
    fixed: Inputs,
    coins: &[&'a Coin],
    limit: usize,
) -> Option<Vec<&'a Coin>> {
    let mut coins = coins.to_vec();
    // Most sats per weight first, which the bound relies on.
    coins.sort_by(|a, b| {
        let ahead = value_of(b).saturating_mul(weight_of(a));
        let behind = value_of(a).saturating_mul(weight_of(b));
        ahead.cmp(&behind).then(a.outpoint.cmp(&b.outpoint))
    });
    let candidate = |coin: &&Coin| Candidate {
        value: coin.value.to_sat(),
        weight: coin.input_weight().to_wu(),
        input_count: 1,
        is_segwit: true,
    };
    let candidates: Vec<Candidate> = coins.iter().map(candidate).collect();
    let mut selector = CoinSelector::new(&candidates);
    selector
        .run_bnb(LeastWaste { bill, fixed, limit, premium: bill.premium().max(0) }, ROUNDS)
        .ok()?;
    let selected = selector.selected_indices();
    Some(selected.iter().filter_map(|index| coins.get(*index).copied()).collect())
}

/// Below the long-term rate, adds small coins up to `limit`, since merging is cheap now. Coins that are not
/// worth their input at the long-term rate are skipped, because strangers can send them.
fn merge<'a>(
    bill: &Bill,
    fixed: Inputs,
    coins: &[&'a Coin],
    limit: usize,
    mut selection: Vec<&'a Coin>,
) -> Vec<&'a Coin> {
    if bill.rate < bill.long_term_rate {
        let taken: BTreeSet<OutPoint> = selection.iter().map(|coin| coin.outpoint).collect();
        let room = limit.saturating_sub(fixed.count).saturating_sub(selection.len());
        let lasting = Bill { rate: bill.long_term_rate, ..bill.clone() };
        let worth = |coin: &Coin| {
            value_of(coin) > bill.least_change
                && lasting.effective(value_of(coin), weight_of(coin)) > 0
        };
        let smallest_first =
            coins.iter().rev().filter(|coin| worth(coin) && !taken.contains(&coin.outpoint));
        selection.extend(smallest_first.take(room));
    }
    selection
}

/// Below the long-term rate, this metric counts inputs as free. Otherwise the search would add inputs for no
/// other reason, large coins as readily as small ones. `merge` adds the small ones.
struct LeastWaste<'a> {
    bill: &'a Bill,
    fixed: Inputs,
    limit: usize,
    premium: i128,
}

impl LeastWaste<'_> {
    fn inputs(&self, selector: &CoinSelector<'_>) -> Option<Inputs> {
        let add = |sum: Inputs, (_, candidate): (usize, Candidate)| {
            sum.with(candidate.value.into(), candidate.weight.into())
        };
        let inputs = selector.selected().fold(self.fixed, add);
        (inputs.count <= self.limit).then_some(inputs)
    }
}

impl BnbMetric for LeastWaste<'_> {
    fn score(&mut self, selector: &CoinSelector<'_>) -> Option<Ordf32> {
        let inputs = self.inputs(selector)?;
        let settlement = self.bill.settle(inputs)?;
        Some(Ordf32(self.bill.waste(inputs, settlement, self.premium) as f32))
    }

    /// Lower bound of the waste of a selection with these coins: its inputs' share, plus as much of the best
    /// remaining coins as it still needs. Change or excess may cost nothing.
    fn bound(&mut self, selector: &CoinSelector<'_>) -> Option<Ordf32> {
        let inputs = self.inputs(selector)?;
        let weight = self.bill.weight_with(inputs, self.bill.change_required);
        let change = if self.bill.change_required { self.bill.least_change } else { 0 };
        let target = self.bill.value.saturating_add(change);
        let held = self.bill.effective(inputs.value, weight);
        let mut missing = target.saturating_mul(1_000).saturating_sub(held);
        let mut least_weight = inputs.weight;
        for (_, coin) in selector.unselected() {
            if missing <= 0 {
                break;
            }
            let weight = i128::from(coin.weight);
            let effective = self.bill.effective(coin.value.into(), weight);
            let part = weight.saturating_mul(missing).checked_div(effective).unwrap_or_default();
            least_weight = least_weight.saturating_add(part.min(weight));
            missing = missing.saturating_sub(effective);
        }
        if missing > 0 {
            return None;
        }
        Some(Ordf32(least_weight.saturating_mul(self.premium) as f32))
    }
}

fn ceil_div(dividend: i128, divisor: i128) -> i128 {
    let up = dividend.saturating_add(divisor.saturating_sub(1));
    up.checked_div(divisor).unwrap_or_default()
}

#[cfg(test)]
mod tests;
