//! The coins that wallets can spend now, and their contents.
//!
//! A stranger can send a wallet any number of coins with any contents. A coin that cannot be read is left
//! aside, and never makes the others fail (custody rule 24).

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use bitcoin::{Address, Amount, BlockHash, TxOut, Txid};
use futures_util::{StreamExt, future::try_join_all, stream};
use shared::{
    clock::Timestamp,
    models::{bitcoin::OutPoint, trading_wallet::TradingWallet},
    ord::{Output, Reading},
    outbound::OutboundError,
    source::SourceError,
};
use tokio::time::{Instant, timeout_at};

use super::{ChainError, TransactionBody, holds::holds_of, lock::CoinLock};
use crate::{
    Chain,
    bitcoin::{
        coins::{Coin, CoinSum, Contents, LeftAside, MATURITY, MOST_RUNES},
        esplora::{BlockId, Outspend, Status, Unspent, Utxo},
    },
    models::platform_wallet::PlatformWallet,
};

/// Up to this many coins of an address, ord is asked for each by value. Beyond it, ord is asked for the coins
/// with runes by the address.
const MOST_BY_VALUE: usize = 500;
/// Most coins of an address that are read.
const MOST_COINS: usize = 5_000;
/// Time for reading the coinbases of young blocks, and how many are read at a time.
const COINBASES_TIME: Duration = Duration::from_secs(3);
const COINBASES_AT_ONCE: usize = 12;

/// The coins of a wallet.
#[derive(Clone, Debug, Default)]
pub struct WalletCoins {
    /// Confirmed coins that no other transaction holds, with their contents.
    pub coins: Vec<Coin>,
    /// Counts of the coins that cannot be spent now, including those in `coins`.
    pub left_aside: LeftAside,
    /// Confirmed coins that reservations hold.
    pub reserved: Vec<Coin>,
    /// The end of the last of those reservations.
    pub reserved_until: Timestamp,
}

/// The coins of a trading wallet.
///
/// # Errors
/// [`ChainError::Source`] if a source fails: a coin with unknown contents is never spent.
/// [`ChainError::Store`].
pub async fn trading_wallet_coins(
    app: &Chain,
    wallet: &TradingWallet,
) -> Result<WalletCoins, ChainError> {
    let address = wallet.descriptor.address(app.network);
    free_coins(app, &address, &CoinLock::trading(wallet)?).await
}

/// The coins of a platform wallet.
///
/// # Errors
/// As [`trading_wallet_coins`].
pub async fn platform_wallet_coins(
    app: &Chain,
    wallet: &PlatformWallet,
) -> Result<WalletCoins, ChainError> {
    free_coins(app, &wallet.address(app.network), &CoinLock::platform(wallet)?).await
}

/// Reads these outputs of a platform wallet; `None` if one is spent or gone.
///
/// # Errors
/// As [`trading_wallet_coins`].
pub async fn platform_output_coins(
    app: &Chain,
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
    app: &Chain,
    issued: &TransactionBody,
) -> Result<Option<Vec<Coin>>, ChainError> {
    reread_outputs(app, &issued.locks()?, &issued.spent()?, &[issued.txid]).await
}

/// Reads the outputs of the address, then their contents, then their holders.
async fn free_coins(
    app: &Chain,
    address: &Address,
    lock: &CoinLock,
) -> Result<WalletCoins, ChainError> {
    let (unspent, tip) = tokio::try_join!(app.esplora.unspent(address), app.esplora.tip_height())?;
    let Unspent { confirmed, left_out, unconfirmed, unconfirmed_left_out } = unspent;
    let all: CoinSum = confirmed.iter().map(|utxo| utxo.value).collect();
    let (chosen, mut readings) = choose_coins(app, address, confirmed).await;
    let read: CoinSum = chosen.iter().map(|utxo| utxo.value).collect();
    let pending: CoinSum = unconfirmed.iter().map(|utxo| utxo.value).collect();
    let mut left_aside = LeftAside {
        unconfirmed: pending.and(unconfirmed_left_out),
        not_read: left_out.and(all.without(read)),
        ..LeftAside::default()
    };
    let outpoints: Vec<_> = chosen.iter().map(outpoint).collect();
    let unread: Vec<_> =
        outpoints.iter().filter(|coin| !readings.contains_key(*coin)).copied().collect();
    let (read, held, coinbases) = tokio::join!(
        app.ord.outputs(&unread),
        holds_of(app, &outpoints),
        Coinbases::of(app, chosen.iter().map(|utxo| &utxo.status), tip)
    );
    readings.extend(read?);
    let mut coins = Vec::with_capacity(chosen.len());
    let (mut reserved, mut reserved_until) = (Vec::new(), Timestamp(0));
    for (utxo, held) in chosen.iter().zip(held?) {
        let reading = readings.remove(&outpoint(utxo)).unwrap_or(Reading::NotRead);
        if let Some(until) = held.as_ref().and_then(|hold| hold.expires_at) {
            reserved_until = reserved_until.max(Timestamp(until.saturating_mul(1_000)));
            reserved.push(coin(utxo, reading.clone(), lock, (tip, &coinbases)));
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
    Ok(WalletCoins { coins, left_aside, reserved, reserved_until })
}

/// Selects the coins of an address to read: all of them or, if there are very many, the most valuable ones
/// and those with runes, whose sats may be as low as dust. Also returns the contents read on the way.
pub(super) async fn choose_coins(
    app: &Chain,
    address: &Address,
    mut coins: Vec<Utxo>,
) -> (Vec<Utxo>, BTreeMap<OutPoint, Reading>) {
    if coins.len() <= MOST_BY_VALUE {
        return (coins, BTreeMap::new());
    }
    let readings: BTreeMap<_, _> = match app.ord.runic_outputs(address).await {
        Ok(Some(runic)) => {
            let read = |(outpoint, output)| (outpoint, Reading::Known(Box::new(output)));
            runic.into_iter().map(read).collect()
        }
        // ord has no address index, or lists more coins than are read: read them one by one, the most
        // valuable first, as many as time allows.
        Ok(None) | Err(_) => {
            coins.truncate(MOST_COINS);
            return (coins, BTreeMap::new());
        }
    };
    let mut by_value = 0_usize;
    coins.retain(|utxo| {
        readings.contains_key(&outpoint(utxo)) || {
            by_value = by_value.saturating_add(1);
            by_value <= MOST_BY_VALUE
        }
    });
    coins.truncate(MOST_COINS);
    (coins, readings)
}

/// Reads these outputs in their order, whether or not they are held; `None` if one is spent or gone. A mempool
/// transaction listed in `replaced` does not count as a spend.
///
/// # Errors
/// As [`trading_wallet_coins`].
pub(super) async fn reread_outputs(
    app: &Chain,
    locks: &[CoinLock],
    spent: &[(OutPoint, TxOut)],
    replaced: &[Txid],
) -> Result<Option<Vec<Coin>>, ChainError> {
    Ok(reread_each(app, locks, spent, replaced).await?.into_iter().collect())
}

/// As [`reread_outputs`], with `None` in the place of each output that is spent or gone.
pub(super) async fn reread_each(
    app: &Chain,
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
            // ord also checks the mempool for spends; the replaced transaction may be the one it reports.
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

pub(super) fn outpoint(utxo: &Utxo) -> OutPoint {
    OutPoint(bitcoin::OutPoint { txid: utxo.txid, vout: utxo.vout })
}

fn confirmations(status: &Status, tip: u32) -> u32 {
    status
        .block_height
        .filter(|_| status.confirmed)
        .and_then(|height| tip.checked_sub(height)?.checked_add(1))
        .unwrap_or_default()
}

/// Whether a coin may be spent as far as its age is concerned (custody rule 28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Maturity {
    /// It is no coinbase output, or an old one.
    Mature,
    /// It is a young coinbase output.
    Immature,
    /// It is young, and the coinbase of its block could not be read.
    Unknown,
}

/// The coinbases of the blocks that are younger than [`MATURITY`]: of at most 99 blocks, however many coins there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Coinbases(BTreeMap<BlockHash, Txid>);

impl Coinbases {
    /// Reads those of the blocks that contain coins with these confirmations. One that cannot be read in time is left
    /// out.
    pub(super) async fn of(app: &Chain, statuses: impl Iterator<Item = &Status>, tip: u32) -> Self {
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

/// Whether a coinbase output in that block could not be spent yet.
fn is_young(status: &Status, tip: u32) -> bool {
    (1..MATURITY).contains(&confirmations(status, tip))
}

/// Combines what the two sources report about a coin. If they disagree, its contents are unknown. A coin whose maturity is
/// not known may hold anything too.
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
        outpoint: outpoint(utxo).0,
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
