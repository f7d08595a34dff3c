//! What a trading wallet can spend now.

use std::collections::HashMap;

use bitcoin::{Address, Amount, Txid};

use super::{CosigningError, row::Hold};
use crate::{
    app::App,
    bitcoin::{
        coins::{Coin, Contents},
        esplora::Utxo,
        ord::Output,
    },
    models::{
        bitcoin::OutPoint,
        trading_wallet::{self, TradingWallet},
    },
    store::Key,
};

/// Runes in one coin; a coin with more is left alone.
const MOST_RUNES: usize = 100;

/// The coins of a trading wallet that a block has, with what they hold.
#[derive(Clone, Debug)]
pub struct SpendableCoins {
    /// Those that no other transaction holds.
    pub free: Vec<Coin>,
    /// The height of the newest block.
    pub tip: u32,
}

impl SpendableCoins {
    /// Reads them: the outputs of the address, then what they hold beside who holds them.
    ///
    /// # Errors
    /// [`CosigningError::Source`] where a source fails: without knowing what a coin holds, nothing
    /// is spent. [`CosigningError::Store`].
    pub async fn of(app: &App, wallet: &TradingWallet) -> Result<Self, CosigningError> {
        let address = address(app, wallet);
        let (utxos, tip) = tokio::try_join!(app.esplora.utxos(&address), app.esplora.tip_height())?;
        let utxos: Vec<_> = utxos.into_iter().filter(|utxo| utxo.status.confirmed).collect();
        let outpoints: Vec<_> = utxos.iter().map(outpoint).collect();
        let (outputs, held) = tokio::join!(app.ord.outputs(&outpoints), held(app, &outpoints));
        let (mut outputs, held) = (by_outpoint(outputs?), held?);
        let mut free = Vec::with_capacity(utxos.len());
        for (utxo, held) in utxos.iter().zip(held) {
            if held.is_none() {
                let output = outputs.remove(&outpoint(utxo));
                free.push(coin(utxo, output, wallet, tip)?);
            }
        }
        Ok(Self { free, tip })
    }

    /// Reads these coins of the wallet, whoever holds them, in the order of `outpoints`; `None`
    /// where one is spent or gone.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(super) async fn again(
        app: &App,
        wallet: &TradingWallet,
        outpoints: &[OutPoint],
    ) -> Result<Option<Vec<Coin>>, CosigningError> {
        let address = address(app, wallet);
        let (utxos, tip, outputs) = tokio::try_join!(
            app.esplora.utxos(&address),
            app.esplora.tip_height(),
            app.ord.outputs(outpoints)
        )?;
        let utxos: HashMap<_, _> = utxos.into_iter().map(|utxo| (outpoint(&utxo), utxo)).collect();
        let mut outputs = by_outpoint(outputs);
        let mut coins = Vec::with_capacity(outpoints.len());
        for wanted in outpoints {
            let (Some(utxo), Some(output)) = (utxos.get(wanted), outputs.remove(wanted)) else {
                return Ok(None);
            };
            coins.push(coin(utxo, Some(output), wallet, tip)?);
        }
        Ok(Some(coins))
    }
}

fn address(app: &App, wallet: &TradingWallet) -> Address {
    wallet.descriptor.address(app.config.network)
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

/// A coin, of what the two sources say of it. Where they do not agree, nobody knows what it holds.
fn coin(
    utxo: &Utxo,
    output: Option<Output>,
    wallet: &TradingWallet,
    tip: u32,
) -> Result<Coin, CosigningError> {
    let script_pubkey = wallet.descriptor.script_pubkey();
    let confirmations = utxo
        .status
        .block_height
        .filter(|_| utxo.status.confirmed)
        .and_then(|height| tip.checked_sub(height)?.checked_add(1))
        .unwrap_or_default();
    let contents = output
        .filter(|output| {
            output.indexed
                && !output.spent
                && output.value == utxo.value
                && output.script_pubkey == script_pubkey
        })
        .and_then(|output| {
            // Nobody has so many by himself, and what they leave behind has to be written down.
            let runes = output.runes.filter(|runes| runes.len() <= MOST_RUNES)?;
            Some(Contents::Known {
                inscribed: !output.inscriptions?.is_empty(),
                runes: runes.into_iter().map(|(name, pile)| (name, pile.amount)).collect(),
            })
        });
    Ok(Coin {
        outpoint: outpoint(utxo).0,
        value: Amount::from_sat(utxo.value),
        script_pubkey,
        contents: contents.unwrap_or(Contents::Unknown),
        confirmations,
        expires_in: Some(u32::from(trading_wallet::DELAY).saturating_sub(confirmations)),
        satisfaction_weight: wallet
            .descriptor
            .satisfaction_weight()
            .map_err(|_| CosigningError::Damaged("descriptor"))?,
    })
}
