//! Holds of coins: an unsigned transaction holds its coins for ten minutes. One that the platform may have
//! signed holds them until the chain has decided (custody rule 7).

use std::collections::{BTreeMap, BTreeSet};

use base::clock::Timestamp;
use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use shared::models::bitcoin::OutPoint;
use store::{Entity, Update, Writes, fields};

use super::{ChainError, FullTransaction, IssuedTransaction, Refusal, TransactionBody, body};
use crate::{BitcoinContext, keys, models::transaction::TransactionState};

/// The row of a held coin. An unsigned transaction holds it until `expiresAt`; one that the platform may have
/// signed holds it permanently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CoinHold {
    pub(super) txid: Txid,
    /// Seconds since the epoch (DynamoDB's TTL attribute); missing for a permanent hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expires_at: Option<i64>,
}

impl Entity for CoinHold {
    const ENTITY: &'static str = "coinHold";
}

fields!(CoinHold { TXID: Txid = txid });

/// The hold of each coin; if it has two, the permanent one.
pub(super) async fn holds_of(
    app: &BitcoinContext,
    coins: &[OutPoint],
) -> Result<Vec<Option<CoinHold>>, ChainError> {
    let keys = coins.iter().flat_map(|&coin| [keys::spend(coin), keys::reservation(coin)]);
    let keys: Vec<_> = keys.collect();
    let now = app.clock.now().past_seconds();
    let rows = app.store.get_many::<CoinHold>(&keys).await?;
    let holder = |rows: &[Option<CoinHold>]| {
        let mut holds = rows.iter().flatten();
        holds.find(|hold| hold.expires_at.is_none_or(|end| end > now)).cloned()
    };
    Ok(rows.chunks(2).map(holder).collect())
}

/// The transactions for which any of these coins is reserved.
pub(super) async fn reserved_by(
    app: &BitcoinContext,
    coins: &[OutPoint],
) -> Result<BTreeSet<Txid>, ChainError> {
    let keys: Vec<_> = coins.iter().map(|&coin| keys::reservation(coin)).collect();
    let holds = app.store.get_many::<CoinHold>(&keys).await?;
    Ok(holds.into_iter().flatten().map(|hold| hold.txid).collect())
}

/// The transaction that holds each coin permanently.
pub(super) async fn permanent_holders_of(
    app: &BitcoinContext,
    coins: &[OutPoint],
) -> Result<Vec<Option<Txid>>, ChainError> {
    let keys: Vec<_> = coins.iter().map(|&coin| keys::spend(coin)).collect();
    let holds = app.store.get_many::<CoinHold>(&keys).await?;
    Ok(holds.into_iter().map(|hold| hold.map(|hold| hold.txid)).collect())
}

/// The coins of a new transaction that the versions it replaces hold, each with its holder.
pub(super) async fn held_by_replaced(
    app: &BitcoinContext,
    FullTransaction { row, body }: &FullTransaction,
) -> Result<BTreeMap<OutPoint, Txid>, ChainError> {
    if row.earlier.is_empty() {
        return Ok(BTreeMap::new());
    }
    let holders = permanent_holders_of(app, &body.inputs).await?;
    let held = body.inputs.iter().zip(holders).filter_map(|(coin, by)| Some((*coin, by?)));
    Ok(held.filter(|(_, by)| row.earlier.contains(by)).collect())
}

/// Writes a new transaction and reserves its coins of the trading wallet, provided that only versions it
/// replaces hold any of them. Identical coins and parameters make the same transaction, so the row of an
/// expired one is overwritten.
pub(super) fn reserve(
    FullTransaction { row: issued, body }: &FullTransaction,
    held_by_replaced: &BTreeMap<OutPoint, Txid>,
) -> Result<Writes<Refusal>, ChainError> {
    let until = Some(issued.reserved_until.seconds());
    let reservation = CoinHold { txid: issued.txid, expires_at: until };
    let expired = Update::new().if_equal(IssuedTransaction::STATE, TransactionState::Expired);
    let key = keys::transaction(issued.txid);
    let rows = Writes::new().insert_or(&key, issued, Some(expired), Refusal::Coin).put(
        &keys::transaction_body(issued.txid),
        body,
        Refusal::Coin,
    );
    Ok(body.trading_inputs()?.into_iter().fold(rows, |rows, (_, coin)| {
        let unspent = match held_by_replaced.get(&coin) {
            Some(version) => Update::new().if_equal(CoinHold::TXID, *version),
            None => Update::new().if_no_row(),
        };
        rows.insert(&keys::reservation(coin), &reservation, Refusal::Coin).check(
            &keys::spend(coin),
            unspent,
            Refusal::Coin,
        )
    }))
}

/// Ends the reservations of a transaction. Its `unreadable` coins stay reserved until `later`, so that the
/// next transactions avoid them.
pub(super) fn free(
    issued: &TransactionBody,
    unreadable: &[OutPoint],
    later: Timestamp,
) -> Result<Writes<Refusal>, ChainError> {
    let aside = CoinHold { txid: issued.txid, expires_at: Some(later.seconds()) };
    Ok(issued.trading_inputs()?.into_iter().fold(Writes::new(), |rows, (_, coin)| {
        let (key, own) =
            (keys::reservation(coin), Update::new().if_equal(CoinHold::TXID, issued.txid));
        match unreadable.contains(&coin) {
            true => rows.replace(&key, &aside, own, Refusal::Moved),
            false => rows.delete(&key, own, Refusal::Moved),
        }
    }))
}

/// Turns the reservations of a transaction into permanent holds of all its coins.
pub(super) fn claim(issued: &FullTransaction) -> Result<Writes<Refusal>, ChainError> {
    let reserved =
        issued.body.trading_inputs()?.into_iter().fold(Writes::new(), |rows, (_, coin)| {
            let own = Update::new().if_equal(CoinHold::TXID, issued.row.txid);
            rows.delete(&keys::reservation(coin), own, Refusal::Coin)
        });
    Ok(reserved.and(hold(issued)))
}

/// Holds the coins of a transaction permanently. Each must be free, its own, or held by a version it
/// replaces.
pub(super) fn hold(FullTransaction { row, body }: &FullTransaction) -> Writes<Refusal> {
    let spend = CoinHold { txid: row.txid, expires_at: None };
    body.inputs.iter().fold(Writes::new(), |rows, &coin| {
        let free = [row.txid].into_iter().chain(row.earlier.iter().copied());
        let free = Update::new().if_one_of(CoinHold::TXID, free);
        rows.insert_or(&keys::spend(coin), &spend, Some(free), Refusal::Coin)
    })
}

/// Holds the coins of a transaction again, except those that another transaction holds. The transaction had
/// failed, but a block contains it after all.
pub(super) async fn retake(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let body = body::body(app, issued.txid).await?;
    let holders = permanent_holders_of(app, &body.inputs).await?;
    let spend = CoinHold { txid: issued.txid, expires_at: None };
    let free = body.inputs.iter().zip(holders).filter(|(_, by)| by.is_none());
    Ok(free.fold(Writes::new(), |rows, (&coin, _)| {
        rows.insert(&keys::spend(coin), &spend, Refusal::Moved)
    }))
}

/// Releases the coins that a transaction holds: each passes to the first of `others` that spends it, or
/// becomes free. Every version that receives a coin gets a new row version, so that it keeps no coin if it
/// fails at the same time. The `heir` is excluded: the same write batch changes it anyway.
pub(super) async fn hand_over(
    app: &BitcoinContext,
    issued: &TransactionBody,
    others: &[FullTransaction],
    heir: Option<Txid>,
) -> Result<Writes<Refusal>, ChainError> {
    let holders = permanent_holders_of(app, &issued.inputs).await?;
    // A replacement already holds the coins it spends.
    let own = issued.inputs.iter().zip(holders).filter(|(_, by)| *by == Some(issued.txid));
    let own = own.map(|(&coin, _)| {
        (coin, others.iter().find(|version| version.body.inputs.contains(&coin)))
    });
    let own: Vec<_> = own.collect();
    let own = own.into_iter().map(|(coin, version)| (coin, version.map(|version| &version.row)));
    let own: Vec<_> = own.collect();
    let mut receivers: Vec<&IssuedTransaction> = Vec::new();
    for version in own.iter().filter_map(|(_, version)| *version) {
        let is_new = receivers.iter().all(|other| other.txid != version.txid);
        if is_new && heir != Some(version.txid) {
            receivers.push(version);
        }
    }
    let rows = own.into_iter().fold(Writes::new(), |rows, (coin, version)| {
        let (key, as_read) =
            (keys::spend(coin), Update::new().if_equal(CoinHold::TXID, issued.txid));
        match version {
            Some(version) => {
                let hold = CoinHold { txid: version.txid, expires_at: None };
                rows.replace(&key, &hold, as_read, Refusal::Moved)
            }
            None => rows.delete(&key, as_read, Refusal::Moved),
        }
    });
    Ok(receivers.into_iter().fold(rows, |rows, version| {
        let touched = Update::<IssuedTransaction>::new().if_version(version.version);
        rows.update(&keys::transaction(version.txid), touched, Refusal::Moved)
    }))
}
