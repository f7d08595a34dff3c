//! Everything that a trading wallet holds, with the reasons why coins cannot be spent. This is for its owner
//! to see; transactions are planned with [`super::trading_wallet_coins`].

use std::collections::{BTreeMap, BTreeSet};

use base::clock::Timestamp;
use bitcoin::Txid;
use shared::{
    models::{
        account::AccountId,
        bitcoin::{InscriptionId, OutPoint, RuneName},
        trading_wallet::TradingWallet,
    },
    ord::{Pile, Reading},
    problem::AsProblem,
};

use super::{
    ChainError, IssuedTransaction, TransactionBody,
    coins::{Coinbases, ListedCoins, NeededCoins, coin, list_coins},
    holds::holds_of,
    lock::CoinLock,
};
use crate::{
    BitcoinContext,
    bitcoin::{
        coins::{Coin, Contents, RuneAmounts},
        esplora::Utxo,
    },
    keys,
};

/// Everything that a trading wallet holds.
#[derive(Clone, Debug)]
pub struct WalletContents {
    /// The height of the chain.
    pub height: u32,
    /// Its coins: confirmed ones, then those in the mempool.
    pub coins: Vec<WalletCoin>,
    /// Number of further coins, the least valuable ones.
    pub not_read: usize,
    /// Whether ord has answered. If not, the contents of every coin are unknown.
    pub is_checked: bool,
    /// Whether the listed coins include every rune of the wallet, so that unread coins hold none.
    pub has_all_runes: bool,
}

impl WalletContents {
    /// Whether the contents are complete: ord has answered, and has listed the runes of all coins.
    pub fn is_complete(&self) -> bool {
        self.is_checked && self.has_all_runes
    }
}

/// A coin of a trading wallet.
#[derive(Clone, Debug)]
pub struct WalletCoin {
    /// The coin. If it is an output of a mempool transaction that the service issued, its contents are the
    /// promised ones.
    pub coin: Coin,
    /// The inscriptions on its sats.
    pub inscriptions: Vec<InscriptionId>,
    /// How amounts of its runes are displayed.
    pub runes: BTreeMap<RuneName, Pile>,
    /// The transaction that holds it.
    pub held_by: Option<CoinHolder>,
    /// Whether a transaction of the account has created it.
    pub is_own: bool,
}

/// The transaction that holds a coin.
#[derive(Clone, Copy, Debug)]
pub struct CoinHolder {
    /// The transaction.
    pub txid: Txid,
    /// The end of the reservation; `None` if the transaction is signed.
    pub until: Option<Timestamp>,
}

/// Reads everything that an account's trading wallet holds. If ord fails, the contents of coins are unknown.
///
/// # Errors
/// [`ChainError::Source`] if Esplora fails; [`ChainError::Store`] if the store fails.
pub async fn wallet_contents(
    app: &BitcoinContext,
    account: AccountId,
    wallet: &TradingWallet,
) -> Result<WalletContents, ChainError> {
    let lock = CoinLock::trading(wallet)?;
    let address = wallet.descriptor.address(app.network);
    let nothing = NeededCoins::default();
    let (listed, tip) =
        tokio::try_join!(list_coins(app, &address, &nothing), app.esplora.tip_height())?;
    let ListedCoins {
        chosen,
        mut readings,
        not_read,
        has_all_runes,
        unconfirmed,
        unconfirmed_left_out,
    } = listed;
    let not_read = not_read.and(unconfirmed_left_out).coins;
    let outpoints: Vec<_> = chosen.iter().map(Utxo::outpoint).collect();
    let unread: Vec<_> =
        outpoints.iter().filter(|coin| !readings.contains_key(*coin)).copied().collect();
    let parents: BTreeSet<Txid> = unconfirmed.iter().map(|utxo| utxo.txid).collect();
    let (read, held, own, coinbases) = tokio::join!(
        app.ord.outputs(&unread),
        holds_of(app, &outpoints),
        promised_by(app, account, &parents),
        Coinbases::of(app, chosen.iter().map(|utxo| &utxo.status), tip)
    );
    let (held, own) = (held?, own?);
    let is_checked = match read {
        Ok(read) => {
            readings.extend(read);
            true
        }
        Err(error) => {
            tracing::warn!(%address, error = error.internal(), "coins are shown without contents");
            readings.clear();
            false
        }
    };
    let mut coins = Vec::with_capacity(chosen.len().saturating_add(unconfirmed.len()));
    for (utxo, held) in chosen.iter().zip(held) {
        let reading = readings.remove(&utxo.outpoint()).unwrap_or(Reading::NotRead);
        let (inscriptions, runes) = match &reading {
            Reading::Known(output) => {
                let inscriptions = output.inscriptions.clone().unwrap_or_default();
                (inscriptions, output.runes.clone().unwrap_or_default())
            }
            _ => Default::default(),
        };
        let coin = coin(utxo, reading, &lock, (tip, &coinbases));
        // Contents that the two sources report differently are not shown.
        let is_known = matches!(coin.contents, Contents::Known { .. });
        coins.push(WalletCoin {
            coin,
            inscriptions: if is_known { inscriptions } else { Vec::new() },
            runes: if is_known { runes } else { BTreeMap::new() },
            held_by: held.map(|hold| CoinHolder {
                txid: hold.txid,
                until: hold.expires_at.map(|at| Timestamp(at.saturating_mul(1_000))),
            }),
            is_own: false,
        });
    }
    for utxo in &unconfirmed {
        let promised = own.get(&utxo.outpoint());
        let mut coin = coin(utxo, Reading::NotRead, &lock, (tip, &coinbases));
        if let Some(runes) = promised {
            coin.contents = Contents::Known { inscribed: false, runes: runes.clone() };
        }
        coins.push(WalletCoin {
            coin,
            inscriptions: Vec::new(),
            runes: BTreeMap::new(),
            held_by: None,
            is_own: promised.is_some(),
        });
    }
    Ok(WalletContents { height: tip, coins, not_read, is_checked, has_all_runes })
}

/// The runes that were promised to outputs of these transactions, if the account signed them.
async fn promised_by(
    app: &BitcoinContext,
    account: AccountId,
    parents: &BTreeSet<Txid>,
) -> Result<BTreeMap<OutPoint, RuneAmounts>, ChainError> {
    let rows: Vec<_> = parents.iter().map(|txid| keys::transaction(*txid)).collect();
    let rows = app.store.get_many::<IssuedTransaction>(&rows).await?;
    let own = rows.into_iter().flatten().filter(|row| row.account_id == Some(account));
    let own: Vec<_> = own
        .filter(IssuedTransaction::is_claimed)
        .map(|row| keys::transaction_body(row.txid))
        .collect();
    let bodies = app.store.get_many::<TransactionBody>(&own).await?;
    let mut promised = BTreeMap::new();
    for body in bodies.into_iter().flatten() {
        let flow = body.promised.flow(&body.unsigned()?);
        for (output, vout) in flow.outputs.into_iter().zip(0..) {
            promised.insert(OutPoint(bitcoin::OutPoint { txid: body.txid, vout }), output.runes);
        }
    }
    Ok(promised)
}
