//! The coins of the pool, and how they are divided.

use bitcoin::{Amount, FeeRate};
use chain::{
    bitcoin::{
        coins::{Coin, Contents},
        plan::{self, LEAST_RUNE_OUTPUT, OWN_RUNE_OUTPUT, Payment},
    },
    mints::{Mint, Payout},
    models::{
        fee::FeeTarget,
        transaction::{PoolSplit, Work},
        vm_transaction::Leg,
    },
    transactions::{self, BuiltTransaction, ChainError, NeededCoins, NextVersion},
};

use super::drafts::{division_fee_cap, draft, payout_fee_cap, request, tokens};
use crate::app::App;

/// The most payouts that one division serves.
const MOST_AT_ONCE: usize = 120;
/// The most coins with runes that a division makes. If there are more distributions, each coin serves several
/// in turn: the change of one pays the next.
const MOST_LANES: usize = 7;
/// The most plain coins that a division merges.
const MOST_MERGED: usize = 24;
/// A division gives a plain coin at most this many times what its payout needs.
const MOST_SPARE: u64 = 2;
/// If change cannot stay plain, a plain coin may hold at most this many times what its payout needs: change
/// of a distribution to many carries runes, so its sats can only pay for further distributions.
const MOST_SWALLOWED: u64 = 8;
/// The most outputs of a transfer that return refundable sats.
const MOST_REMAINDERS: u64 = 21;
/// Upper bounds in virtual bytes: of the parts that every transaction of a payout has, of an input, and of an
/// output.
const VBYTES_OF_ALL: u64 = 450;
const VBYTES_OF_INPUT: u64 = 70;
const VBYTES_OF_OUTPUT: u64 = 43;
/// Lower bound in virtual bytes of a payout without its recipients' outputs or its payments: an input of the
/// pool, an output, and the fixed parts.
const LEAST_VBYTES: u64 = 100;
/// An input that a P2WPKH key signs, in virtual bytes.
const LEAST_VBYTES_OF_INPUT: u64 = 67;

/// The coins of the pool and the current fee rate, read once per look.
pub(super) struct Pool {
    pub(super) fee_rate: FeeRate,
    /// Coins that no transaction holds; read on first use.
    free: Option<Vec<Coin>>,
}

impl Pool {
    pub(super) async fn read(app: &App) -> Result<Self, ChainError> {
        Ok(Self {
            fee_rate: transactions::fee_rate(app, FeeTarget::Normal).await?.rate,
            free: None,
        })
    }

    /// Removes the coins that a transaction holds.
    pub(super) fn spend(&mut self, sent: &BuiltTransaction<'_>) {
        if let Some(free) = &mut self.free {
            free.retain(|coin| sent.inputs.iter().all(|input| input.outpoint != coin.outpoint));
        }
    }

    /// The free coins, and those of the versions to be replaced.
    pub(super) async fn coins(
        &mut self,
        app: &App,
        mint: &Mint,
        before: Option<&NextVersion>,
    ) -> Result<Vec<Coin>, ChainError> {
        let own = before.map(|before| before.coins.as_slice()).unwrap_or_default();
        let free = match &mut self.free {
            Some(free) => free,
            none => {
                let needed = NeededCoins::of_rune(mint.rune.name);
                let held = transactions::platform_wallet_coins(app, &mint.pool, &needed).await?;
                none.insert(held.coins)
            }
        };
        Ok([own, free].concat())
    }

    /// Whether the contents of a confirmed coin are unknown, usually because ord lags by a block. That coin
    /// may hold what the others lack.
    pub(super) async fn is_behind(&mut self, app: &App, mint: &Mint) -> Result<bool, ChainError> {
        let coins = self.coins(app, mint, None).await?;
        Ok(coins.iter().any(|coin| coin.confirmations > 0 && coin.contents == Contents::Unknown))
    }
}

/// Whether the least that the payout's transaction could cost at this rate is within its cap. Otherwise the
/// payout waits, and needs no coins for now.
fn is_affordable(payout: &Payout, rate: FeeRate, cap: Amount) -> bool {
    let size = u64::try_from(payout.size).unwrap_or(u64::MAX);
    let each = match payout.leg {
        Leg::Distribution => VBYTES_OF_OUTPUT,
        Leg::Transfer => LEAST_VBYTES_OF_INPUT,
    };
    let least = rate.fee_vb(size.saturating_mul(each).saturating_add(LEAST_VBYTES));
    least.is_some_and(|least| least <= payout_fee_cap(cap, payout.leg, payout.size))
}

/// Upper bound of the sats in `outputs` outputs to others, `own` outputs of the pool with runes, and change.
fn dust(outputs: u64, own: u64) -> u64 {
    let others = LEAST_RUNE_OUTPUT.to_sat().saturating_mul(outputs.saturating_add(1));
    others.saturating_add(OWN_RUNE_OUTPUT.to_sat().saturating_mul(own))
}

/// The coins that a payout needs so that it does not wait for another payout.
#[derive(Clone, Copy, Debug)]
struct Need {
    /// The runes that it sends; 0 if it sends none.
    tokens: u128,
    /// The runes that must be left for change.
    spare: u128,
    /// The sats that a plain coin must hold: for the fee, one output for each recipient, leftover runes and
    /// change.
    sats: Amount,
}

impl Need {
    fn of(mint: &Mint, payout: &Payout, rate: FeeRate) -> Result<Self, ChainError> {
        let size = u64::try_from(payout.size).unwrap_or(u64::MAX);
        let (tokens, vbytes, outputs) = match payout.leg {
            Leg::Distribution => {
                (tokens(mint, payout.requests)?, size.saturating_mul(VBYTES_OF_OUTPUT), size)
            }
            Leg::Transfer => {
                let remainders = size.min(MOST_REMAINDERS).saturating_mul(VBYTES_OF_OUTPUT);
                (0, size.saturating_mul(VBYTES_OF_INPUT).saturating_add(remainders), 0)
            }
        };
        let fee = rate.fee_vb(vbytes.saturating_add(VBYTES_OF_ALL)).unwrap_or(Amount::MAX_MONEY);
        let dust = dust(outputs, 1);
        let sats = Amount::from_sat(fee.to_sat().saturating_add(dust));
        let spare = mint.tokens_per_request.0.saturating_mul(payout.spare_requests.into());
        Ok(Self { tokens, spare, sats })
    }

    /// Whether a plain coin suits the payout. If it needs spare runes, change cannot stay plain, so the coin
    /// must not be too large.
    fn fits(&self, coin: Amount) -> bool {
        let most = self.sats.checked_mul(MOST_SWALLOWED).unwrap_or(Amount::MAX_MONEY);
        coin >= self.sats && !(self.spare > 0 && coin > most)
    }
}

/// The coins for a distribution to many, with only the smallest sufficient plain coin among them. `None`: no
/// plain coin suits the payout.
pub(super) fn modest(
    mint: &Mint,
    payout: &Payout,
    rate: FeeRate,
    coins: &[Coin],
) -> Result<Option<Vec<Coin>>, ChainError> {
    let need = Need::of(mint, payout, rate)?;
    let fitting = coins.iter().filter(|coin| coin.is_spendable() && coin.is_plain());
    let fitting = fitting.filter(|coin| need.fits(coin.value));
    let best = fitting.min_by_key(|coin| (coin.value, coin.outpoint)).map(|coin| coin.outpoint);
    Ok(best.map(|best| {
        let chosen = coins.iter().filter(|coin| !coin.is_plain() || coin.outpoint == best);
        chosen.cloned().collect()
    }))
}

/// Whether payouts would have to wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Division {
    /// They need not wait: each has its coins.
    Unneeded,
    /// They need not wait once coins are divided into these payments.
    Into(Vec<Payment>),
    /// They have to wait: the plain coins do not hold enough.
    TooLittle,
}

/// Whether each wanted amount has a coin of its own that holds at least as much.
fn suffice<T: Ord>(mut held: Vec<T>, mut wanted: Vec<T>) -> bool {
    held.sort_unstable();
    wanted.sort_unstable();
    let pairs = held.iter().rev().zip(wanted.iter().rev());
    held.len() >= wanted.len() && pairs.take(wanted.len()).all(|(held, wanted)| held >= wanted)
}

/// Whether each of these needs has a plain coin of its own.
fn have_plain_coins(mut held: Vec<Amount>, needs: &[Need]) -> bool {
    held.sort_unstable();
    let mut needs: Vec<_> = needs.iter().collect();
    needs.sort_unstable_by_key(|need| need.sats);
    needs.into_iter().all(|need| {
        let found = held.iter().position(|coin| need.fits(*coin));
        found.map(|place| held.remove(place)).is_some()
    })
}

/// The runes of the coins that serve the distributions in turn, at most `most` coins.
fn lanes(needs: &[Need], most: usize) -> Vec<u128> {
    let needs: Vec<_> = needs.iter().filter(|need| need.tokens > 0).collect();
    let mut lanes = vec![(0_u128, 0_u128); needs.len().min(most)];
    for (place, need) in (0..lanes.len()).cycle().zip(needs) {
        if let Some((tokens, spare)) = lanes.get_mut(place) {
            *tokens = tokens.saturating_add(need.tokens);
            // One distribution leaves its spare runes to the next.
            *spare = need.spare.max(*spare);
        }
    }
    lanes.into_iter().map(|(tokens, spare)| tokens.saturating_add(spare)).collect()
}

/// Computes how to divide coins of the pool for these payouts. What a coin can pay for counts, not the number
/// of coins: a stranger can send the pool thousands that pay for nothing. `divide_anyway` divides even if
/// each payout has its coins.
fn division(
    coins: &[Coin],
    mint: &Mint,
    needs: &[Need],
    (rate, most_lanes): (FeeRate, usize),
    divide_anyway: bool,
) -> Division {
    let to = mint.pool.script_pubkey();
    let coins = || coins.iter().filter(|coin| coin.is_spendable());
    let mut payments = Vec::new();
    let lanes = lanes(needs, most_lanes);
    let held = coins().map(|coin| coin.amount_of(&mint.rune.name)).collect();
    if divide_anyway || !suffice(held, lanes.clone()) {
        let rune = |amount| Payment::Rune { rune: mint.rune, amount, to: to.clone() };
        payments.extend(lanes.into_iter().map(rune));
    }
    let plain = coins().filter(|coin| coin.is_plain()).map(|coin| coin.value);
    let plain: Vec<_> = plain.collect();
    if !have_plain_coins(plain.clone(), needs) {
        let wanted: Vec<_> = needs.iter().map(|need| need.sats.to_sat()).collect();
        let mut plain: Vec<_> = plain.into_iter().map(Amount::to_sat).collect();
        plain.sort_unstable();
        let largest = plain.iter().rev().take(MOST_MERGED).copied();
        let held = largest.fold(0, u64::saturating_add);
        // The outputs with runes, and their change.
        let runic = u64::try_from(payments.len().saturating_add(1)).unwrap_or(u64::MAX);
        let outputs = u64::try_from(wanted.len()).unwrap_or(u64::MAX);
        let dust = dust(outputs, runic);
        let outputs = outputs.saturating_add(runic).saturating_sub(1);
        let inputs = u64::try_from(plain.len().min(MOST_MERGED)).unwrap_or(u64::MAX);
        let vbytes = outputs
            .saturating_mul(VBYTES_OF_OUTPUT)
            .saturating_add(inputs.saturating_mul(VBYTES_OF_INPUT))
            .saturating_add(VBYTES_OF_ALL);
        let fee = rate.fee_vb(vbytes).unwrap_or(Amount::MAX_MONEY).to_sat();
        let left = held.saturating_sub(fee).saturating_sub(dust);
        let total = wanted.iter().copied().fold(0, u64::saturating_add);
        if left < total {
            return Division::TooLittle;
        }
        let times = left.checked_div(total).unwrap_or(1).min(MOST_SPARE);
        payments.extend(wanted.into_iter().map(|sats| Payment::Btc {
            sats: Amount::from_sat(sats.saturating_mul(times)),
            to: to.clone(),
        }));
    }
    if payments.is_empty() { Division::Unneeded } else { Division::Into(payments) }
}

/// Drafts a division of the pool into coins with the runes of distributions and a plain coin for the fee of
/// each payout, for as many of the `waiting` payouts as the pool's value covers. Also returns the number of
/// the last payout that it serves, 0 if none. `None` if a division would change nothing.
pub(super) async fn split<'a>(
    app: &App,
    mint: &Mint,
    waiting: &[&Payout],
    pool: &mut Pool,
    before: Option<&'a NextVersion>,
) -> Result<Option<(BuiltTransaction<'a>, u64)>, ChainError> {
    let cap = app.fees.cap;
    let affordable = waiting.iter().take_while(|payout| is_affordable(payout, pool.fee_rate, cap));
    let affordable = affordable.copied().collect::<Vec<_>>();
    // A division that was sent already serves the payouts that it was made for.
    let waiting = if before.is_some() { waiting } else { affordable.as_slice() };
    let fewest = if before.is_some() { 1 } else { 2 };
    if before.is_none() && waiting.len() < fewest {
        return Ok(None);
    }
    let work = Work::PoolSplit(PoolSplit { mint_id: mint.id });
    let needs = waiting.iter().take(MOST_AT_ONCE);
    let needs = needs.map(|payout| Need::of(mint, payout, pool.fee_rate));
    let needs = needs.collect::<Result<Vec<_>, _>>()?;
    let coins = pool.coins(app, mint, before).await?;
    let mut count = needs.len();
    while count >= fewest {
        let (Some(some), Some(last)) =
            (needs.get(..count), count.checked_sub(1).and_then(|last| waiting.get(last)))
        else {
            break;
        };
        // With fewer coins that carry runes, the runestone is shorter.
        for lanes in (1..=MOST_LANES).rev() {
            let rates = (pool.fee_rate, lanes);
            let payments = match division(&coins, mint, some, rates, before.is_some()) {
                Division::Unneeded if before.is_none() => return Ok(None),
                Division::Unneeded | Division::TooLittle => break,
                Division::Into(payments) => payments,
            };
            let served = waiting.get(..count).unwrap_or_default();
            let fee_cap = division_fee_cap(cap, served);
            let request = request((mint, pool.fee_rate), payments, fee_cap, before);
            match plan::plan(&coins, &request) {
                Ok(plan) => {
                    let draft = draft(&[&mint.pool], work, plan, vec![mint.rune], before);
                    return Ok(Some((draft, last.number)));
                }
                Err(error) => {
                    tracing::info!(mint = %mint.id, count, lanes, %error, "no division serves this many payouts");
                    if !matches!(error, plan::PlanError::RunestoneTooLong { .. }) {
                        break;
                    }
                }
            }
        }
        // Try with one payout less if there are few, and with an eighth less if there are many.
        count = count.saturating_sub(count.div_ceil(8));
    }
    // Without a division, payouts wait for each other. A division that was sent already still needs a next
    // version.
    let Some(before) = before else { return Ok(None) };
    let request = request((mint, pool.fee_rate), kept_payments(mint, before), cap, Some(before));
    match plan::plan(&coins, &request) {
        Ok(plan) if !plan.outputs.is_empty() => {
            let draft = draft(&[&mint.pool], work, plan, vec![mint.rune], Some(before));
            Ok(Some((draft, 0)))
        }
        Ok(_) => Ok(None),
        Err(error) => {
            tracing::info!(mint = %mint.id, %error, "a division waits for a lower rate");
            Ok(None)
        }
    }
}

/// The payments of a next version that divides nothing: the runes of the coins through which it conflicts
/// with the versions before it. The rest is change.
fn kept_payments(mint: &Mint, before: &NextVersion) -> Vec<Payment> {
    let conflicting = before.coins.iter().filter(|coin| before.must_spend.contains(&coin.outpoint));
    let amounts = conflicting.map(|coin| coin.amount_of(&mint.rune.name));
    let amount = amounts.fold(0, u128::saturating_add);
    let to = mint.pool.script_pubkey();
    (amount > 0).then_some(Payment::Rune { rune: mint.rune, amount, to }).into_iter().collect()
}

#[cfg(test)]
mod tests;
