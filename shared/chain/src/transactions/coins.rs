//! The coins that wallets can spend now, and their contents.
//!
//! Anyone can send a wallet any number of coins with any contents. A coin that cannot be read is left aside
//! and never blocks the others (custody rule 24).

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use base::{clock::Timestamp, outbound::OutboundError};
use bitcoin::{Address, Amount, BlockHash, TxOut, Txid};
use futures_util::{StreamExt, future::try_join_all, stream};
use shared::{
    models::{
        bitcoin::{OutPoint, RuneName},
        trading_wallet::TradingWallet,
    },
    ord::{Output, Reading},
    problem::AsProblem,
    source::SourceError,
};
use tokio::time::{Instant, timeout_at};

use super::{ChainError, TransactionBody, holds::holds_of, lock::CoinLock};
use crate::{
    BitcoinContext,
    bitcoin::{
        coins::{Coin, CoinSum, Contents, LeftAside, MATURITY, MOST_RUNES},
        esplora::{BlockId, Outspend, Status, Unspent, Utxo},
    },
    models::platform_wallet::PlatformWallet,
};

/// If an address has at most this many coins, ord is asked about each of them. If it has more, ord lists the
/// coins with runes by address, and only this many of the others are considered, the most valuable ones.
const MOST_BY_VALUE: usize = 500;
/// The most coins with runes of an address that are considered, and the most coins whose contents are read
/// one by one.
const MOST_COINS: usize = 5_000;
/// The time for reading the coinbases of recent blocks, and how many are read concurrently.
const COINBASES_TIME: Duration = Duration::from_secs(3);
const COINBASES_AT_ONCE: usize = 12;

/// The coins that a transaction is about. They are found whatever other coins the address has (custody rule
/// 29).
#[derive(Clone, Debug, Default)]
pub struct NeededCoins {
    /// Coins with these runes, those with the largest amounts first.
    pub runes: BTreeSet<RuneName>,
    /// These specific coins.
    pub outpoints: BTreeSet<OutPoint>,
}

impl NeededCoins {
    /// Coins with a rune.
    pub fn of_rune(rune: RuneName) -> Self {
        Self { runes: [rune].into(), ..Self::default() }
    }
}

/// The coins of a wallet.
#[derive(Clone, Debug, Default)]
pub struct WalletCoins {
    /// Confirmed coins that no other transaction holds, with their contents.
    pub coins: Vec<Coin>,
    /// Counts of the coins that cannot be spent now, including those in `coins`.
    pub left_aside: LeftAside,
    /// Confirmed coins that other transactions hold.
    pub held: Vec<HeldCoin>,
}

impl WalletCoins {
    /// The free coins and these held ones.
    pub fn with(&self, held: &[&HeldCoin]) -> Vec<Coin> {
        let held = held.iter().map(|held| held.coin.clone());
        self.coins.iter().cloned().chain(held).collect()
    }

    /// The free coins and those held coins for which `is_free` is true.
    pub(super) fn free_if(&self, is_free: impl Fn(&HeldCoin) -> bool) -> Vec<Coin> {
        self.with(&self.held.iter().filter(|held| is_free(held)).collect::<Vec<_>>())
    }

    /// Frees the coins that these unsigned transactions hold.
    pub(super) fn released(mut self, ended: &[Txid]) -> Self {
        let (freed, held): (Vec<_>, Vec<_>) =
            self.held.into_iter().partition(|held| ended.contains(&held.by));
        for HeldCoin { coin, .. } in freed {
            self.left_aside.add(&coin);
            self.coins.push(coin);
        }
        Self { held, ..self }
    }

    /// The counts of the coins that cannot be spent now. A held coin for which `can_be_spent` is true is not
    /// counted.
    pub fn left_aside_but(&self, can_be_spent: impl Fn(&HeldCoin) -> bool) -> LeftAside {
        let held = self.held.iter().filter(|held| !can_be_spent(held));
        let reserved = held.map(|held| held.coin.value.to_sat()).collect();
        LeftAside { reserved, ..self.left_aside }
    }
}

/// A coin that another transaction holds.
#[derive(Clone, Debug)]
pub struct HeldCoin {
    /// The coin.
    pub coin: Coin,
    /// The transaction.
    pub by: Txid,
    /// When it becomes free again; `None` if the transaction is signed.
    pub until: Option<Timestamp>,
}

/// The coins of a trading wallet.
///
/// # Errors
/// [`ChainError::Source`] if a source fails: a coin with unknown contents is never spent.
/// [`ChainError::Store`] if the store fails.
pub async fn trading_wallet_coins(
    app: &BitcoinContext,
    wallet: &TradingWallet,
    needed: &NeededCoins,
) -> Result<WalletCoins, ChainError> {
    let address = wallet.descriptor.address(app.network);
    free_coins(app, &address, &CoinLock::trading(wallet)?, needed).await
}

/// The coins of a platform wallet.
///
/// # Errors
/// As [`trading_wallet_coins`].
pub async fn platform_wallet_coins(
    app: &BitcoinContext,
    wallet: &PlatformWallet,
    needed: &NeededCoins,
) -> Result<WalletCoins, ChainError> {
    free_coins(app, &wallet.address(app.network), &CoinLock::platform(wallet)?, needed).await
}

/// Reads these outputs of a platform wallet; `None` if one is spent or gone.
///
/// # Errors
/// As [`trading_wallet_coins`].
pub async fn platform_output_coins(
    app: &BitcoinContext,
    wallet: &PlatformWallet,
    outputs: &[(OutPoint, Amount)],
) -> Result<Option<Vec<Coin>>, ChainError> {
    let script_pubkey = wallet.script_pubkey();
    let txout = |value| TxOut { value, script_pubkey: script_pubkey.clone() };
    let spent: Vec<_> = outputs.iter().map(|&(outpoint, value)| (outpoint, txout(value))).collect();
    reread_outputs(app, &[CoinLock::platform(wallet)?], &spent, &[]).await
}

/// Reads the coins of an issued transaction; `None` if another transaction spends one.
///
/// # Errors
/// As [`trading_wallet_coins`].
pub async fn transaction_coins(
    app: &BitcoinContext,
    issued: &TransactionBody,
) -> Result<Option<Vec<Coin>>, ChainError> {
    reread_outputs(app, &issued.locks()?, &issued.spent()?, &[issued.txid]).await
}

/// Reads the outputs of the address, then their contents, then their holders.
async fn free_coins(
    app: &BitcoinContext,
    address: &Address,
    lock: &CoinLock,
    needed: &NeededCoins,
) -> Result<WalletCoins, ChainError> {
    let (listed, tip) =
        tokio::try_join!(list_coins(app, address, needed), app.esplora.tip_height())?;
    let ListedCoins { chosen, mut readings, not_read, unconfirmed, unconfirmed_left_out, .. } =
        listed;
    let pending: CoinSum = unconfirmed.iter().map(|utxo| utxo.value).collect();
    let mut left_aside = LeftAside {
        unconfirmed: pending.and(unconfirmed_left_out),
        not_read,
        ..LeftAside::default()
    };
    let outpoints: Vec<_> = chosen.iter().map(Utxo::outpoint).collect();
    let mut unread: Vec<_> =
        outpoints.iter().filter(|coin| !readings.contains_key(*coin)).copied().collect();
    unread.sort_by_key(|coin| !needed.outpoints.contains(coin));
    let (read, held, coinbases) = tokio::join!(
        app.ord.outputs(&unread),
        holds_of(app, &outpoints),
        Coinbases::of(app, chosen.iter().map(|utxo| &utxo.status), tip)
    );
    readings.extend(read?);
    let mut coins = Vec::with_capacity(chosen.len());
    let mut holdings = Vec::new();
    for (utxo, held) in chosen.iter().zip(held?) {
        let reading = readings.remove(&utxo.outpoint()).unwrap_or(Reading::NotRead);
        if let Some(hold) = &held {
            holdings.push(HeldCoin {
                coin: coin(utxo, reading.clone(), lock, (tip, &coinbases)),
                by: hold.txid,
                until: hold.expires_at.map(Timestamp::from_seconds),
            });
        }
        match (held, reading) {
            (Some(_), _) => left_aside.reserved.add(utxo.value),
            (None, Reading::NotRead) => left_aside.not_read.add(utxo.value),
            (None, _) if coinbases.maturity(utxo, tip) == Maturity::Unknown => {
                left_aside.not_read.add(utxo.value);
            }
            (None, reading) => {
                let coin = coin(utxo, reading, lock, (tip, &coinbases));
                left_aside.add(&coin);
                coins.push(coin);
            }
        }
    }
    if left_aside.unknown.coins > 0 || left_aside.not_read.coins > 0 {
        tracing::warn!(
            %address,
            unknown = left_aside.unknown.coins,
            not_read = left_aside.not_read.coins,
            "left coins aside"
        );
    }
    Ok(WalletCoins { coins, left_aside, held: holdings })
}

/// The coins of an address that are considered.
pub(super) struct ListedCoins {
    /// Confirmed coins.
    pub(super) chosen: Vec<Utxo>,
    /// The contents of some of them, if listing them already returned the contents.
    pub(super) readings: BTreeMap<OutPoint, Reading>,
    /// Further confirmed coins.
    pub(super) not_read: CoinSum,
    /// Whether none of the further coins can hold runes that matter.
    pub(super) has_all_runes: bool,
    /// Unconfirmed coins.
    pub(super) unconfirmed: Vec<Utxo>,
    /// Further unconfirmed coins.
    pub(super) unconfirmed_left_out: CoinSum,
}

/// Lists the coins of an address: all of them or, if there are very many, those that are needed, those with
/// runes (the largest amounts of each rune first) and the most valuable others. The value in sats does not
/// rank coins with runes: the service itself puts 546 sats on most of them, and an attacker can send
/// thousands with 547.
///
/// # Errors
/// [`SourceError`], also if runes are needed and ord cannot list them now: unread coins would look as if they
/// did not exist.
pub(super) async fn list_coins(
    app: &BitcoinContext,
    address: &Address,
    needed: &NeededCoins,
) -> Result<ListedCoins, SourceError> {
    let mut unspent = app.esplora.unspent(address, &needed.outpoints).await?;
    let (mut wanted, mut readings, mut most) = (BTreeSet::new(), BTreeMap::new(), usize::MAX);
    let (mut is_listed, mut failure) = (false, None);
    if unspent.confirmed.len() > MOST_BY_VALUE {
        wanted.clone_from(&needed.outpoints);
        // If ord has no address index, or its list is too long to read, the most valuable coins are read one
        // by one, as many as time allows.
        most = MOST_COINS;
        match app.ord.runic_outputs(address).await {
            Ok(Some(runic)) => {
                is_listed = true;
                most = MOST_BY_VALUE;
                wanted.extend(by_need(&runic, needed).into_iter().take(MOST_COINS));
                let there: BTreeSet<_> = unspent.confirmed.iter().map(Utxo::outpoint).collect();
                if unspent.left_out.coins > 0 && !wanted.is_subset(&there) {
                    unspent = app.esplora.unspent(address, &wanted).await?;
                }
                let read = |(outpoint, output)| (outpoint, Reading::Known(Box::new(output)));
                readings = runic.into_iter().map(read).collect();
            }
            Err(error) if !error.is_too_long() => failure = Some(error),
            Ok(None) | Err(_) => {}
        }
    }
    let Unspent { confirmed, left_out, unconfirmed, unconfirmed_left_out } = unspent;
    let (mut others, mut further) = (0_usize, CoinSum::default());
    let mut chosen = confirmed;
    chosen.retain(|utxo| {
        let outpoint = utxo.outpoint();
        if wanted.contains(&outpoint) {
            return true;
        }
        let is_other = !readings.contains_key(&outpoint) && others < most;
        match is_other {
            true => others = others.saturating_add(1),
            false => further.add(utxo.value),
        }
        is_other
    });
    let not_read = left_out.and(further);
    let has_all_runes = is_listed || not_read.coins == 0;
    match failure {
        Some(error) if !has_all_runes && !needed.runes.is_empty() => Err(error),
        _ => Ok(ListedCoins {
            chosen,
            readings,
            not_read,
            has_all_runes,
            unconfirmed,
            unconfirmed_left_out,
        }),
    }
}

/// The coins with runes in the order in which they are considered: first those with a needed rune, then by
/// their best rank among the coins with the same rune, the largest amount first.
fn by_need(runic: &BTreeMap<OutPoint, Output>, needed: &NeededCoins) -> Vec<OutPoint> {
    let mut by_rune: BTreeMap<RuneName, Vec<(Reverse<u128>, OutPoint)>> = BTreeMap::new();
    for (outpoint, output) in runic {
        for (name, pile) in output.runes.iter().flatten() {
            by_rune.entry(*name).or_default().push((Reverse(pile.amount), *outpoint));
        }
    }
    let mut ranks: BTreeMap<OutPoint, (bool, usize)> = BTreeMap::new();
    for (name, mut coins) in by_rune {
        coins.sort_unstable();
        for (rank, (_, outpoint)) in coins.into_iter().enumerate() {
            let own = (!needed.runes.contains(&name), rank);
            let best = ranks.entry(outpoint).or_insert(own);
            *best = own.min(*best);
        }
    }
    let mut ranked: Vec<_> = ranks.into_iter().map(|(outpoint, rank)| (rank, outpoint)).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, outpoint)| outpoint).collect()
}

/// Reads these outputs in their order, whether or not they are held; `None` if one is spent or gone. A mempool
/// transaction listed in `replaced` does not count as a spend.
///
/// # Errors
/// As [`trading_wallet_coins`].
pub(super) async fn reread_outputs(
    app: &BitcoinContext,
    locks: &[CoinLock],
    spent: &[(OutPoint, TxOut)],
    replaced: &[Txid],
) -> Result<Option<Vec<Coin>>, ChainError> {
    Ok(reread_each(app, locks, spent, replaced).await?.into_iter().collect())
}

/// Like [`reread_outputs`], with `None` in place of each output that is spent or gone.
pub(super) async fn reread_each(
    app: &BitcoinContext,
    locks: &[CoinLock],
    spent: &[(OutPoint, TxOut)],
    replaced: &[Txid],
) -> Result<Vec<Option<Coin>>, ChainError> {
    let outpoints: Vec<_> = spent.iter().map(|(outpoint, _)| *outpoint).collect();
    // Outputs of one transaction share its place in the chain.
    let parents: BTreeSet<_> = outpoints.iter().map(|outpoint| outpoint.0.txid).collect();
    let places = async {
        let places = parents
            .iter()
            .map(async |&txid| app.esplora.status(txid).await.map(|status| (txid, status)));
        Ok::<BTreeMap<_, _>, SourceError>(try_join_all(places).await?.into_iter().collect())
    };
    let outspends = try_join_all(outpoints.iter().map(|&outpoint| app.esplora.outspend(outpoint)));
    let (tip, mut readings, places, outspends) =
        tokio::try_join!(app.esplora.tip_height(), app.ord.outputs(&outpoints), places, outspends)?;
    let coinbases = Coinbases::of(app, places.values().flatten(), tip).await;
    let mut coins = Vec::with_capacity(spent.len());
    for ((outpoint, output), outspend) in spent.iter().zip(outspends) {
        let lock = locks.iter().find(|lock| lock.script_pubkey == output.script_pubkey);
        let lock = lock.ok_or(ChainError::Damaged("a prevout belongs to none of the wallets"))?;
        let bitcoin::OutPoint { txid, vout } = outpoint.0;
        let status = places.get(&txid).copied().flatten();
        let (Some(status), Some(outspend)) = (status, outspend) else {
            coins.push(None);
            continue;
        };
        if is_spent(&outspend, replaced) {
            coins.push(None);
            continue;
        }
        let reading = match readings.remove(outpoint).unwrap_or(Reading::NotRead) {
            // ord also checks the mempool for spends; the spend that it reports may be the replaced
            // transaction.
            Reading::Known(output) => {
                let spent = output.spent && !outspend.spent;
                Reading::Known(Box::new(Output { spent, ..*output }))
            }
            Reading::NotRead => return Err(SourceError::from(OutboundError::Timeout).into()),
            reading => reading,
        };
        let utxo = Utxo { txid, vout, value: output.value.to_sat(), status };
        if coinbases.maturity(&utxo, tip) == Maturity::Unknown {
            return Err(SourceError::from(OutboundError::Timeout).into());
        }
        coins.push(Some(coin(&utxo, reading, lock, (tip, &coinbases))));
    }
    Ok(coins)
}

fn is_spent(outspend: &Outspend, replaced: &[Txid]) -> bool {
    let confirmed = outspend.status.is_some_and(|status| status.confirmed);
    outspend.spent && (confirmed || outspend.txid.is_none_or(|by| !replaced.contains(&by)))
}

fn confirmations(status: &Status, tip: u32) -> u32 {
    status
        .block_height
        .filter(|_| status.confirmed)
        .and_then(|height| tip.checked_sub(height)?.checked_add(1))
        .unwrap_or_default()
}

/// Whether a coin is old enough to be spent (custody rule 28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maturity {
    /// It is not a coinbase output, or it is a mature one.
    Mature,
    /// It is an immature coinbase output.
    Immature,
    /// It is in a recent block whose coinbase could not be read.
    Unknown,
}

/// The coinbases of the blocks with fewer confirmations than [`MATURITY`]: at most 99 blocks, however many
/// coins there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Coinbases(BTreeMap<BlockHash, Txid>);

impl Coinbases {
    /// Reads the coinbases of the blocks that contain coins with these confirmations. A coinbase that cannot
    /// be read in time is left out.
    pub(super) async fn of(
        app: &BitcoinContext,
        statuses: impl Iterator<Item = &Status>,
        tip: u32,
    ) -> Self {
        let young = statuses.filter(|status| is_young(status, tip));
        let blocks: BTreeMap<BlockHash, BlockId> =
            young.filter_map(Status::block).map(|block| (block.hash, block)).collect();
        let time = app.outbound.waits(COINBASES_TIME);
        let end = Instant::now().checked_add(time).unwrap_or_else(Instant::now);
        let reads = blocks.into_values().map(|block| async move {
            match timeout_at(end, app.esplora.coinbase(block)).await {
                Ok(Ok(found)) => found.map(|txid| (block.hash, txid)),
                Ok(Err(error)) => {
                    let error = error.internal();
                    tracing::warn!(block = %block.hash, error, "failed to read a coinbase");
                    None
                }
                Err(_elapsed) => None,
            }
        });
        let read: Vec<_> = stream::iter(reads).buffer_unordered(COINBASES_AT_ONCE).collect().await;
        Self(read.into_iter().flatten().collect())
    }

    pub(super) fn maturity(&self, Utxo { txid, status, .. }: &Utxo, tip: u32) -> Maturity {
        if !is_young(status, tip) {
            return Maturity::Mature;
        }
        let coinbase = status.block_hash.and_then(|hash| self.0.get(&hash));
        match coinbase {
            None => Maturity::Unknown,
            Some(coinbase) if coinbase == txid => Maturity::Immature,
            Some(_) => Maturity::Mature,
        }
    }
}

/// Whether a coinbase output in that block would still be immature.
fn is_young(status: &Status, tip: u32) -> bool {
    (1..MATURITY).contains(&confirmations(status, tip))
}

/// Combines what the two sources report about a coin. If they disagree, or if its maturity is unknown, its
/// contents are unknown.
pub(super) fn coin(
    utxo: &Utxo,
    reading: Reading,
    lock: &CoinLock,
    (tip, coinbases): (u32, &Coinbases),
) -> Coin {
    let maturity = coinbases.maturity(utxo, tip);
    let confirmations = confirmations(&utxo.status, tip);
    let contents = match reading {
        _ if maturity == Maturity::Unknown => Contents::Unknown,
        Reading::Known(output) => contents(utxo, *output, lock),
        Reading::Unreadable => Contents::Unreadable,
        Reading::Absent | Reading::NotRead => Contents::Unknown,
    };
    Coin {
        outpoint: utxo.outpoint().0,
        value: Amount::from_sat(utxo.value),
        script_pubkey: lock.script_pubkey.clone(),
        contents,
        confirmations,
        is_immature: maturity == Maturity::Immature,
        expires_in: lock.delay.map(|delay| u32::from(delay).saturating_sub(confirmations)),
        satisfaction_weight: lock.satisfaction_weight,
    }
}

fn contents(utxo: &Utxo, output: Output, lock: &CoinLock) -> Contents {
    let agrees = output.indexed
        && !output.spent
        && output.value == utxo.value
        && output.script_pubkey == lock.script_pubkey;
    match (output.inscriptions, output.runes) {
        (_, Some(runes)) if agrees && runes.len() > MOST_RUNES => Contents::Unreadable,
        (Some(inscriptions), Some(runes)) if agrees => Contents::Known {
            inscribed: !inscriptions.is_empty(),
            runes: runes.into_iter().map(|(name, pile)| (name, pile.amount)).collect(),
        },
        _ => Contents::Unknown,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use bitcoin::{ScriptBuf, hashes::Hash};
    use shared::ord::Pile;

    use super::*;

    fn outpoint(number: u32) -> OutPoint {
        OutPoint(bitcoin::OutPoint { txid: Txid::all_zeros(), vout: number })
    }

    fn runic(number: u32, runes: &[(&str, u128)]) -> (OutPoint, Output) {
        let pile = |(name, amount): &(&str, u128)| {
            (name.parse().unwrap(), Pile { amount: *amount, divisibility: 0, symbol: None })
        };
        let output = Output {
            outpoint: outpoint(number),
            indexed: true,
            spent: false,
            inscriptions: Some(Vec::new()),
            runes: Some(runes.iter().map(pile).collect()),
            script_pubkey: ScriptBuf::new(),
            value: 546,
        };
        (outpoint(number), output)
    }

    #[test]
    fn custody_29_the_needed_rune_comes_first_and_the_largest_amounts_of_each_rune() {
        const OWN: &str = "OWN•RUNE•OF•THE•WALLET";
        let junk = |number: u32| runic(number, &[("JUNK•OF•A•STRANGER", 1_000_000)]);
        let mut coins: BTreeMap<_, _> = (10..6_000).map(junk).collect();
        coins.extend([
            runic(7_001, &[(OWN, 5)]),
            runic(7_002, &[(OWN, 900), ("ANOTHER•ONE•IN•IT", 1)]),
            runic(7_003, &[(OWN, 30)]),
        ]);
        let needed = NeededCoins::of_rune(OWN.parse().unwrap());
        let own = [7_002, 7_003, 7_001].map(outpoint);
        assert_eq!(by_need(&coins, &needed)[..3], own);
        let shown: BTreeSet<_> =
            by_need(&coins, &NeededCoins::default()).into_iter().take(8).collect();
        assert!(own.iter().all(|coin| shown.contains(coin)));
        assert_eq!(by_need(&coins, &needed).len(), coins.len());
    }
}
