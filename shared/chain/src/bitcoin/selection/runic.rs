//! Selects as few coins as hold the required runes.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use shared::models::bitcoin::RuneName;

use crate::bitcoin::coins::{Coin, RuneAmounts};

/// A rune that the coins do not hold enough of. Amounts are in its smallest unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissingRune {
    /// The rune.
    pub(crate) rune: RuneName,
    /// Amount in all coins.
    pub(crate) available: u128,
    /// Amount in coins that one transaction can spend together.
    pub(crate) at_once: u128,
}

/// Selects the coins with runes that a transaction needs in addition to those it spends anyway.
///
/// For each rune it takes the fewest coins, and of these the smallest that suffice; then it drops those that
/// the others make superfluous. Among equals, coins with fewer other runes, or about to expire, come first.
/// All spent coins together hold at most `most_runes` different runes, because the leftovers go to one
/// output.
///
/// # Errors
/// The rune that the coins do not hold enough of.
pub(crate) fn select_runic<'a>(
    needed: &RuneAmounts,
    spent: &[&'a Coin],
    coins: &[&'a Coin],
    most_runes: usize,
) -> Result<Vec<&'a Coin>, MissingRune> {
    let mut chosen: Vec<&Coin> = Vec::new();
    for (rune, amount) in needed {
        let missing = amount.saturating_sub(held(rune, spent.iter().chain(&chosen)));
        if missing == 0 {
            continue;
        }
        let free = |coin: &&&Coin| {
            coin.amount_of(rune) > 0 && !chosen.iter().any(|taken| taken.outpoint == coin.outpoint)
        };
        let free: Vec<&Coin> = coins.iter().filter(free).copied().collect();
        let taken: Vec<&Coin> = spent.iter().chain(&chosen).copied().collect();
        match smallest_few(rune, missing, free, &taken, most_runes) {
            Ok(picked) => chosen.extend(picked),
            Err(picked) => {
                return Err(MissingRune {
                    rune: *rune,
                    available: held(rune, spent.iter().chain(coins)),
                    at_once: held(rune, taken.iter().chain(&picked)),
                });
            }
        }
    }
    drop_superfluous(needed, spent, &mut chosen);
    Ok(chosen)
}

fn held<'a>(rune: &RuneName, coins: impl Iterator<Item = &'a &'a Coin>) -> u128 {
    coins.fold(0, |sum, coin| sum.saturating_add(coin.amount_of(rune)))
}

/// Number of different runes in coins.
fn kinds<'a>(coins: impl Iterator<Item = &'a Coin>) -> usize {
    let names: BTreeSet<_> = coins.filter_map(Coin::runes).flat_map(BTreeMap::keys).collect();
    names.len()
}

/// The fewest coins that hold `missing`, and of those the smallest that suffice. Together with the coins
/// `taken`, they hold at most `most_runes` different runes.
///
/// # Errors
/// If no such coins suffice, the ones that together hold the most.
fn smallest_few<'a>(
    rune: &RuneName,
    missing: u128,
    mut coins: Vec<&'a Coin>,
    taken: &[&'a Coin],
    most_runes: usize,
) -> Result<Vec<&'a Coin>, Vec<&'a Coin>> {
    let order = |coin: &Coin| {
        let runes = coin.runes().map_or(0, BTreeMap::len);
        (coin.amount_of(rune), runes, !coin.is_expiring(), coin.outpoint)
    };
    coins.sort_by_key(|coin| order(coin));
    let pick = |coins: &mut dyn Iterator<Item = &'a Coin>| {
        let (mut picked, mut sum) = (Vec::new(), 0_u128);
        for coin in coins {
            let together = taken.iter().chain(&picked).copied().chain([coin]);
            if sum < missing && kinds(together) <= most_runes {
                sum = sum.saturating_add(coin.amount_of(rune));
                picked.push(coin);
            }
        }
        if sum < missing { Err((sum, picked)) } else { Ok((sum, picked)) }
    };
    let (mut sum, mut picked) = match pick(&mut coins.iter().rev().copied()) {
        Ok(picked) => picked,
        Err((most, picked)) => {
            // A coin with very many other runes may have displaced several.
            let mut purest = coins.clone();
            purest.sort_by_key(|coin| (kinds([*coin].into_iter()), Reverse(order(coin))));
            match pick(&mut purest.into_iter()) {
                Ok(picked) => picked,
                Err((sum, other)) if sum > most => return Err(other),
                Err(_) => return Err(picked),
            }
        }
    };
    coins.retain(|coin| !picked.iter().any(|picked| picked.outpoint == coin.outpoint));
    for position in (0..picked.len()).rev() {
        let Some(current) = picked.get(position).copied() else { continue };
        let rest = sum.saturating_sub(current.amount_of(rune));
        let enough = missing.saturating_sub(rest);
        let others: Vec<&Coin> = picked
            .iter()
            .chain(taken)
            .filter(|coin| coin.outpoint != current.outpoint)
            .copied()
            .collect();
        let smallest = coins.iter_mut().find(|coin| {
            let together = others.iter().copied().chain([**coin]);
            coin.amount_of(rune) >= enough && kinds(together) <= most_runes
        });
        if let (Some(other), Some(place)) = (smallest, picked.get_mut(position))
            && order(other) < order(current)
        {
            sum = rest.saturating_add(other.amount_of(rune));
            *place = std::mem::replace(other, current);
            coins.sort_by_key(|coin| order(coin));
        }
    }
    Ok(picked)
}

/// Coins chosen for a later rune may hold enough of an earlier one.
fn drop_superfluous(needed: &RuneAmounts, spent: &[&Coin], chosen: &mut Vec<&Coin>) {
    let mut position = 0;
    while position < chosen.len() {
        let coin = chosen.remove(position);
        let suffices = |(rune, amount): (&RuneName, &u128)| {
            held(rune, spent.iter().chain(chosen.iter())) >= *amount
        };
        if !needed.iter().all(suffices) {
            chosen.insert(position, coin);
            position = position.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests;
