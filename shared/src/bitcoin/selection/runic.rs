//! Which coins give the runes: as few as hold them.

use crate::bitcoin::coins::{Coin, RuneAmounts, RuneName};

/// Selects the coins with runes that a transaction needs besides those it spends anyway.
///
/// For each rune the fewest coins, and of these the smallest that suffice; then none that the
/// others make superfluous. Coins that carry fewer other runes, or expire, go first among
/// equals.
///
/// # Errors
/// The rune that the coins do not hold enough of, and how much they hold.
pub(crate) fn select_runic<'a>(
    needed: &RuneAmounts,
    spent: &[&'a Coin],
    coins: &[&'a Coin],
) -> Result<Vec<&'a Coin>, (RuneName, u128)> {
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
        let Some(picked) = smallest_few(rune, missing, free) else {
            return Err((*rune, held(rune, spent.iter().chain(coins))));
        };
        chosen.extend(picked);
    }
    drop_superfluous(needed, spent, &mut chosen);
    Ok(chosen)
}

fn held<'a>(rune: &RuneName, coins: impl Iterator<Item = &'a &'a Coin>) -> u128 {
    coins.fold(0, |sum, coin| sum.saturating_add(coin.amount_of(rune)))
}

/// As few coins as hold `missing`, each then exchanged for the smallest that still does.
fn smallest_few<'a>(
    rune: &RuneName,
    missing: u128,
    mut coins: Vec<&'a Coin>,
) -> Option<Vec<&'a Coin>> {
    let order = |coin: &Coin| {
        let runes = coin.runes().map_or(0, |runes| runes.len());
        (coin.amount_of(rune), runes, !coin.is_expiring(), coin.outpoint)
    };
    coins.sort_by_key(|coin| order(coin));
    let mut picked: Vec<&Coin> = Vec::new();
    let mut sum: u128 = 0;
    while sum < missing {
        let coin = coins.pop()?;
        sum = sum.saturating_add(coin.amount_of(rune));
        picked.push(coin);
    }
    for position in (0..picked.len()).rev() {
        let Some(current) = picked.get(position).copied() else { continue };
        let rest = sum.saturating_sub(current.amount_of(rune));
        let enough = missing.saturating_sub(rest);
        let smallest = coins.iter_mut().find(|coin| coin.amount_of(rune) >= enough);
        if let (Some(other), Some(place)) = (smallest, picked.get_mut(position))
            && order(other) < order(current)
        {
            sum = rest.saturating_add(other.amount_of(rune));
            *place = std::mem::replace(other, current);
            coins.sort_by_key(|coin| order(coin));
        }
    }
    Some(picked)
}

/// A later rune's coins may hold enough of an earlier one.
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
