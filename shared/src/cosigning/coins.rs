//! What wallets can spend now, and what it holds.

use std::collections::HashMap;

use bitcoin::{Address, Amount, ScriptBuf, TxOut, Txid, Weight};
use futures_util::future::try_join_all;
use miniscript::descriptor::Wpkh;

use super::{CosigningError, IssuedTransaction, row::Hold};
use crate::{
    app::App,
    bitcoin::{
        coins::{Coin, Contents},
        esplora::{Outspend, Status, Utxo},
        ord::Output,
    },
    models::{
        bitcoin::OutPoint,
        platform_wallet::PlatformWallet,
        trading_wallet::{self, TradingWallet},
    },
    store::Key,
};

/// Runes in one coin; a coin with more is left alone.
const MOST_RUNES: usize = 100;

/// How the coins of a wallet are locked.
#[derive(Clone, Debug)]
pub(super) struct Lock {
    script_pubkey: ScriptBuf,
    satisfaction_weight: Weight,
    /// Blocks that a coin rests until the user alone can spend it, where one can.
    delay: Option<u16>,
}

impl Lock {
    pub(super) fn trading(wallet: &TradingWallet) -> Result<Self, CosigningError> {
        let weight = wallet.descriptor.satisfaction_weight();
        Ok(Self {
            script_pubkey: wallet.descriptor.script_pubkey(),
            satisfaction_weight: weight.map_err(|_| CosigningError::Damaged("descriptor"))?,
            delay: Some(trading_wallet::DELAY),
        })
    }

    pub(super) fn platform(wallet: &PlatformWallet) -> Result<Self, CosigningError> {
        let key = Wpkh::new(wallet.public_key).map_err(|_| CosigningError::Damaged("key"))?;
        Ok(Self {
            script_pubkey: wallet.script_pubkey(),
            satisfaction_weight: key.max_weight_to_satisfy(),
            delay: None,
        })
    }
}

/// The coins of a trading wallet that a block has and no other transaction holds, with what they
/// hold.
///
/// # Errors
/// [`CosigningError::Source`] where a source fails: without knowing what a coin holds, nothing is
/// spent. [`CosigningError::Store`].
pub async fn of_trading_wallet(
    app: &App,
    wallet: &TradingWallet,
) -> Result<Vec<Coin>, CosigningError> {
    let address = wallet.descriptor.address(app.config.network);
    free(app, &address, &Lock::trading(wallet)?).await
}

/// The same of a wallet of the platform.
///
/// # Errors
/// As [`of_trading_wallet`].
pub async fn of_platform_wallet(
    app: &App,
    wallet: &PlatformWallet,
) -> Result<Vec<Coin>, CosigningError> {
    free(app, &wallet.address(app.config.network), &Lock::platform(wallet)?).await
}

/// Reads these outputs of a wallet of the platform; `None` where one is spent or gone.
///
/// # Errors
/// As [`of_trading_wallet`].
pub async fn outputs_of_platform(
    app: &App,
    wallet: &PlatformWallet,
    outputs: &[(OutPoint, Amount)],
) -> Result<Option<Vec<Coin>>, CosigningError> {
    let script_pubkey = wallet.script_pubkey();
    let txout = |value| TxOut { value, script_pubkey: script_pubkey.clone() };
    let spent: Vec<_> = outputs.iter().map(|&(outpoint, value)| (outpoint, txout(value))).collect();
    again(app, &[Lock::platform(wallet)?], &spent, &[]).await
}

/// Reads the coins of a transaction that was issued; `None` where another one than itself spends
/// one.
///
/// # Errors
/// As [`of_trading_wallet`].
pub async fn inputs_of(
    app: &App,
    issued: &IssuedTransaction,
) -> Result<Option<Vec<Coin>>, CosigningError> {
    again(app, &issued.locks()?, &issued.spent()?, &[issued.txid]).await
}

/// Reads the outputs of the address, then what they hold beside who holds them.
async fn free(app: &App, address: &Address, lock: &Lock) -> Result<Vec<Coin>, CosigningError> {
    let (utxos, tip) = tokio::try_join!(app.esplora.utxos(address), app.esplora.tip_height())?;
    let utxos: Vec<_> = utxos.into_iter().filter(|utxo| utxo.status.confirmed).collect();
    let outpoints: Vec<_> = utxos.iter().map(outpoint).collect();
    let (outputs, held) = tokio::join!(app.ord.outputs(&outpoints), held(app, &outpoints));
    let (mut outputs, held) = (by_outpoint(outputs?), held?);
    let free = utxos.iter().zip(held).filter(|(_, held)| held.is_none());
    Ok(free.map(|(utxo, _)| coin(utxo, outputs.remove(&outpoint(utxo)), lock, tip)).collect())
}

/// Reads these outputs one by one, whoever holds them, in their order; `None` where one is spent or
/// gone. A transaction of the mempool that is one of `replaced` does not count as spending.
///
/// # Errors
/// As [`of_trading_wallet`].
pub(super) async fn again(
    app: &App,
    locks: &[Lock],
    spent: &[(OutPoint, TxOut)],
    replaced: &[Txid],
) -> Result<Option<Vec<Coin>>, CosigningError> {
    let outpoints: Vec<_> = spent.iter().map(|(outpoint, _)| *outpoint).collect();
    let places = async {
        try_join_all(outpoints.iter().map(|&outpoint| async move {
            tokio::try_join!(app.esplora.status(outpoint.0.txid), app.esplora.outspend(outpoint))
        }))
        .await
    };
    let (tip, outputs, places) =
        tokio::try_join!(app.esplora.tip_height(), app.ord.outputs(&outpoints), places)?;
    let mut outputs = by_outpoint(outputs);
    let mut coins = Vec::with_capacity(spent.len());
    for ((outpoint, output), (status, outspend)) in spent.iter().zip(places) {
        let lock = locks.iter().find(|lock| lock.script_pubkey == output.script_pubkey);
        let lock = lock.ok_or(CosigningError::Damaged("a prevout of nobody"))?;
        let (Some(status), Some(outspend), Some(contents)) =
            (status, outspend, outputs.remove(outpoint))
        else {
            return Ok(None);
        };
        if is_spent(&outspend, replaced) {
            return Ok(None);
        }
        let bitcoin::OutPoint { txid, vout } = outpoint.0;
        let utxo = Utxo { txid, vout, value: output.value.to_sat(), status };
        // ord asks the mempool too whether an output is spent: by the replaced one it may be.
        let contents = Output { spent: contents.spent && !outspend.spent, ..contents };
        coins.push(coin(&utxo, Some(contents), lock, tip));
    }
    Ok(Some(coins))
}

fn is_spent(outspend: &Outspend, replaced: &[Txid]) -> bool {
    let confirmed = outspend.status.is_some_and(|status| status.confirmed);
    outspend.spent && (confirmed || outspend.txid.is_none_or(|by| !replaced.contains(&by)))
}

fn outpoint(utxo: &Utxo) -> OutPoint {
    OutPoint(bitcoin::OutPoint { txid: utxo.txid, vout: utxo.vout })
}

fn by_outpoint(outputs: Vec<Output>) -> HashMap<OutPoint, Output> {
    outputs.into_iter().map(|output| (output.outpoint, output)).collect()
}

/// Which transaction holds each coin, by a reservation or for good.
async fn held(app: &App, coins: &[OutPoint]) -> Result<Vec<Option<Txid>>, CosigningError> {
    let keys: Vec<_> =
        coins.iter().flat_map(|&coin| [Key::reservation(coin), Key::spend(coin)]).collect();
    let now = app.clock.now().past_seconds();
    let rows = app.store.get_many::<Hold>(&keys).await?;
    let holder = |rows: &[Option<Hold>]| {
        let mut holds = rows.iter().flatten();
        holds.find(|hold| hold.expires_at.is_none_or(|end| end > now)).map(|hold| hold.txid)
    };
    Ok(rows.chunks(2).map(holder).collect())
}

fn confirmations(status: &Status, tip: u32) -> u32 {
    status
        .block_height
        .filter(|_| status.confirmed)
        .and_then(|height| tip.checked_sub(height)?.checked_add(1))
        .unwrap_or_default()
}

/// A coin, of what the two sources say of it. Where they do not agree, nobody knows what it holds.
fn coin(utxo: &Utxo, output: Option<Output>, lock: &Lock, tip: u32) -> Coin {
    let confirmations = confirmations(&utxo.status, tip);
    let contents = output
        .filter(|output| {
            output.indexed
                && !output.spent
                && output.value == utxo.value
                && output.script_pubkey == lock.script_pubkey
        })
        .and_then(|output| {
            // Nobody has so many by himself, and what they leave behind has to be written down.
            let runes = output.runes.filter(|runes| runes.len() <= MOST_RUNES)?;
            Some(Contents::Known {
                inscribed: !output.inscriptions?.is_empty(),
                runes: runes.into_iter().map(|(name, pile)| (name, pile.amount)).collect(),
            })
        });
    Coin {
        outpoint: outpoint(utxo).0,
        value: Amount::from_sat(utxo.value),
        script_pubkey: lock.script_pubkey.clone(),
        contents: contents.unwrap_or(Contents::Unknown),
        confirmations,
        expires_in: lock.delay.map(|delay| u32::from(delay).saturating_sub(confirmations)),
        satisfaction_weight: lock.satisfaction_weight,
    }
}
