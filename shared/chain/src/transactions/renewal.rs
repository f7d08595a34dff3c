//! Chooses the coins of a trading wallet that are renewed.

use std::{cmp::Reverse, collections::BTreeSet};

use bitcoin::{Amount, OutPoint as BitcoinOutPoint};
use shared::models::{
    bitcoin::{OutPoint, RuneName},
    trading_wallet::{RENEWAL_ADVISED_BELOW, RENEWAL_NEEDED_BELOW},
};

use super::ChainError;
use crate::bitcoin::{
    coins::{Coin, MOST_RUNES},
    plan::Request,
};

/// The coins that a renewal must spend.
pub(super) struct Chosen {
    /// In the order of their outpoints; those that the request must spend come first.
    pub(super) coins: Vec<BitcoinOutPoint>,
    /// Coins that are due but that this renewal does not include.
    pub(super) left: usize,
}

/// Chooses the coins to renew: the wanted ones, or those whose delay ends soon, the most urgent first, as
/// many as one transaction can spend. The coins that the request must spend are always among them; a request
/// that must spend coins and names no others renews only these.
///
/// # Errors
/// [`ChainError::CoinUnknown`] if the wallet cannot spend a wanted coin now; [`ChainError::NothingToRenew`]
/// if no coin is due that is worth its fee.
pub(super) fn choose(
    coins: &[Coin],
    wanted: Option<&[OutPoint]>,
    request: &Request,
) -> Result<Chosen, ChainError> {
    let mut chosen = request.must_spend.clone();
    let wanted = match wanted {
        Some(wanted) => wanted,
        None if !chosen.is_empty() => &[],
        None => return choose_due(coins, request),
    };
    let mut further = Vec::new();
    for outpoint in wanted {
        let coin = coins.iter().find(|coin| coin.outpoint == outpoint.0 && coin.is_spendable());
        coin.ok_or(ChainError::CoinUnknown(*outpoint))?;
        if !chosen.contains(&outpoint.0) && !further.contains(&outpoint.0) {
            further.push(outpoint.0);
        }
    }
    further.sort();
    chosen.extend(further);
    let runes = coins.iter().filter(|coin| chosen.contains(&coin.outpoint));
    let runes: BTreeSet<&RuneName> =
        runes.filter_map(Coin::runes).flat_map(|of| of.keys()).collect();
    if runes.len() > MOST_RUNES {
        return Err(ChainError::TooManyRunes);
    }
    if chosen.is_empty() {
        Err(ChainError::NothingToRenew)
    } else {
        Ok(Chosen { coins: chosen, left: 0 })
    }
}

fn choose_due(coins: &[Coin], request: &Request) -> Result<Chosen, ChainError> {
    let is_due = |coin: &&Coin| {
        let ends_soon = coin.expires_in.is_some_and(|blocks| blocks < RENEWAL_ADVISED_BELOW);
        ends_soon && coin.is_spendable()
    };
    // A plain coin is not renewed if it costs more than it is worth; a coin with runes is always worth its
    // cost.
    let cost = |coin: &Coin| request.fee_rate.fee_wu(coin.input_weight()).unwrap_or(Amount::MAX);
    let is_worth_it = |coin: &&Coin| !coin.is_plain() || coin.value > cost(coin);
    let due: Vec<&Coin> = coins.iter().filter(is_due).collect();
    let mut urgent: Vec<&Coin> = due.iter().copied().filter(is_worth_it).collect();
    // Coins with many runes come last; most of them are sent by strangers.
    let kinds = |coin: &Coin| coin.runes().map_or(0, |runes| runes.len());
    urgent.sort_by_key(|coin| {
        (Urgency::of(coin), kinds(coin), Reverse(coin.value), coin.expires_in, coin.outpoint)
    });
    // A plain coin must be able to pay for coins with runes.
    let most = request.limits.most_inputs.saturating_sub(1);
    // Anybody can send dust with runes, so plain coins get at least half of the places, if there are that
    // many.
    let (plain, runic): (Vec<&Coin>, Vec<&Coin>) =
        urgent.into_iter().partition(|coin| coin.is_plain());
    let most_runic = most.saturating_sub(plain.len()).max(most.div_euclid(2));
    let runic = runic.into_iter().take(most_runic);
    let (mut chosen, mut runes) = (Vec::new(), BTreeSet::<&RuneName>::new());
    for coin in runic.chain(plain) {
        let mut together = runes.clone();
        together.extend(coin.runes().into_iter().flat_map(|of| of.keys()));
        if chosen.len() < most && together.len() <= MOST_RUNES {
            chosen.push(coin.outpoint);
            runes = together;
        }
    }
    if chosen.is_empty() {
        return Err(ChainError::NothingToRenew);
    }
    chosen.sort();
    let left = due.len().saturating_sub(chosen.len());
    Ok(Chosen { coins: chosen, left })
}

/// How soon a coin has to be renewed. Among coins of the same urgency, the most valuable come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    UserOnly,
    Needed,
    Advised,
}

impl Urgency {
    fn of(coin: &Coin) -> Self {
        match coin.expires_in {
            Some(0) => Self::UserOnly,
            Some(blocks) if blocks < RENEWAL_NEEDED_BELOW => Self::Needed,
            _ => Self::Advised,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use bitcoin::{FeeRate, ScriptBuf, Txid, Weight, hashes::Hash as _};

    use super::*;
    use crate::bitcoin::{
        coins::{Contents, RuneAmounts},
        plan::Limits,
    };

    fn coin(seed: u8, sats: u64, expires_in: u32) -> Coin {
        Coin {
            outpoint: BitcoinOutPoint::new(Txid::from_byte_array([seed; 32]), 0),
            value: Amount::from_sat(sats),
            script_pubkey: ScriptBuf::new(),
            contents: Contents::plain(),
            confirmations: 6,
            is_immature: false,
            expires_in: Some(expires_in),
            satisfaction_weight: Weight::from_wu(227),
        }
    }

    fn request(must_spend: Vec<BitcoinOutPoint>) -> Request {
        Request {
            payments: Vec::new(),
            data: None,
            change: ScriptBuf::new(),
            fee_rate: FeeRate::from_sat_per_vb_u32(10),
            must_spend,
            replaces: None,
            limits: Limits { most_inputs: 40, ..Limits::default() },
        }
    }

    fn due(coins: &[Coin]) -> Result<(Vec<BitcoinOutPoint>, usize), ChainError> {
        choose(coins, None, &request(Vec::new())).map(|chosen| (chosen.coins, chosen.left))
    }

    #[test]
    fn coins_whose_delay_ends_soon_or_has_ended_are_due() {
        let inscribed = Contents::Known { inscribed: true, runes: RuneAmounts::new() };
        let runes = RuneAmounts::from([("UNCOMMON•GOODS".parse().unwrap(), 5)]);
        let runic = Contents::Known { inscribed: false, runes };
        let coins = [
            coin(1, 50_000, 4_032),
            coin(2, 50_000, 4_031),
            coin(3, 50_000, 0),
            // Not worth its fee, unlike one with runes.
            coin(4, 500, 10),
            Coin { contents: runic, ..coin(5, 546, 10) },
            Coin { contents: inscribed, ..coin(6, 50_000, 10) },
            Coin { contents: Contents::Unknown, ..coin(7, 50_000, 10) },
            Coin { confirmations: 0, ..coin(8, 50_000, 10) },
        ];
        let (chosen, left) = due(&coins).unwrap();
        let outpoints: Vec<_> = [1, 2, 4].map(|place| coins[place].outpoint).to_vec();
        assert_eq!((chosen, left), (outpoints, 1));
        assert!(matches!(due(&coins[..1]), Err(ChainError::NothingToRenew)));
        assert!(matches!(due(&coins[3..4]), Err(ChainError::NothingToRenew)));
        assert!(matches!(due(&[]), Err(ChainError::NothingToRenew)));
    }

    #[test]
    fn the_most_urgent_coins_come_first_if_not_all_fit() {
        let coins: Vec<_> =
            (0..60).map(|seed| coin(seed, 50_000, 4_000 - u32::from(seed))).collect();
        let (chosen, left) = due(&coins).unwrap();
        assert_eq!((chosen.len(), left), (39, 21));
        assert!(coins[21..].iter().all(|coin| chosen.contains(&coin.outpoint)));
        let named = |seed: u8| {
            RuneAmounts::from([(
                format!("RUNE{}", char::from(b'A' + seed / 26))
                    .chars()
                    .chain([char::from(b'A' + seed % 26)])
                    .collect::<String>()
                    .parse()
                    .unwrap(),
                1,
            )])
        };
        let runic = |seed: u8| {
            let runes = (0..40).flat_map(|rune| named(seed * 40 + rune)).collect();
            Coin { contents: Contents::Known { inscribed: false, runes }, ..coin(seed, 546, 10) }
        };
        let coins: Vec<_> = (0..4).map(runic).collect();
        assert_eq!(due(&coins).unwrap().0.len(), 2);
        let wanted: Vec<_> = coins.iter().map(|coin| OutPoint(coin.outpoint)).collect();
        let all = choose(&coins, Some(&wanted), &request(Vec::new()));
        assert!(matches!(all, Err(ChainError::TooManyRunes)));
    }

    #[test]
    fn junk_with_runes_does_not_keep_coins_with_value_from_being_renewed() {
        let runes = RuneAmounts::from([("JUNKJUNKJUNK".parse().unwrap(), 1)]);
        let runic = Contents::Known { inscribed: false, runes };
        let junk = |seed: u8| Coin { contents: runic.clone(), ..coin(seed, 546, 5) };
        let mut coins: Vec<_> = (0..60).map(junk).collect();
        // Less urgent than the junk.
        coins.extend((60..70).map(|seed| coin(seed, 50_000, 4_000)));
        // More valuable than the junk, and as urgent.
        coins.push(Coin { value: Amount::from_sat(10_000), ..junk(70) });
        let (chosen, left) = due(&coins).unwrap();
        assert!(coins[60..].iter().all(|coin| chosen.contains(&coin.outpoint)));
        assert_eq!((chosen.len(), left), (39, 32));
        // Many coins of both kinds.
        coins.extend((71..130).map(|seed| coin(seed, 50_000, 10)));
        let (chosen, _) = due(&coins).unwrap();
        let runic = coins.iter().filter(|coin| !coin.is_plain());
        assert_eq!(runic.filter(|coin| chosen.contains(&coin.outpoint)).count(), 19);
        assert_eq!(chosen.len(), 39);
    }

    #[test]
    fn the_most_valuable_of_equally_urgent_coins_come_first() {
        let coins: Vec<_> = (0..60).map(|seed| coin(seed, 40_000 + u64::from(seed), 10)).collect();
        let (chosen, _) = due(&coins).unwrap();
        assert!(coins[21..].iter().all(|coin| chosen.contains(&coin.outpoint)));
    }

    #[test]
    fn a_replacement_keeps_what_it_must_spend() {
        let coins = [coin(1, 50_000, 9_000), coin(2, 50_000, 10), coin(3, 50_000, 9_000)];
        let must = vec![coins[2].outpoint];
        let chosen = choose(&coins, None, &request(must.clone())).unwrap();
        assert_eq!(chosen.coins, must);
        let wanted = [OutPoint(coins[0].outpoint), OutPoint(coins[2].outpoint)];
        let chosen = choose(&coins, Some(&wanted), &request(must)).unwrap();
        assert_eq!(chosen.coins, [coins[2].outpoint, coins[0].outpoint]);
        let gone = [OutPoint(coin(9, 1, 1).outpoint)];
        let unknown = choose(&coins, Some(&gone), &request(Vec::new()));
        assert!(matches!(unknown, Err(ChainError::CoinUnknown(_))));
    }
}
