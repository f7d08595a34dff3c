//! Versions of one piece of work: a transaction, and those that replace it one after the other.
//!
//! Each spends a coin of every version before it that can still confirm, so that any two of them
//! conflict and at most one ever confirms (custody rule 8). Which coin that is does not matter: where
//! the coin that all of them had in common goes bad, others take its place.

use std::collections::{BTreeMap, HashSet};

use bitcoin::{Amount, OutPoint as BitcoinOutPoint, TxOut, Txid, Weight};
use futures_util::future::try_join_all;

use super::{
    CosigningError, IssuedTransaction, Refusal,
    coins::{self, Lock},
    holds::permanent_holders_of,
    issued::load,
};
use crate::{
    app::App,
    bitcoin::{coins::Coin, plan::Replaced},
    models::{bitcoin::OutPoint, transaction::TransactionState},
    store::{Key, Update, Writes},
};

/// Versions of one piece of work. Each has to pay clearly more than the one before or to leave out a
/// coin that has gone bad, so there are few; where there are as many, a person has to look.
const MOST_VERSIONS: usize = 24;
/// Coins that are read concurrently where they are read one by one.
const AT_ONCE: usize = 8;

/// What the next version of a piece of work builds on.
#[derive(Clone, Debug)]
pub struct NextVersion {
    /// The newest version, which the next one replaces: that of its [`super::Draft`].
    pub replaces: IssuedTransaction,
    /// The coins of earlier versions that can be spent, by what the chain says now.
    pub coins: Vec<Coin>,
    /// Coins of those that the next version has to spend, all of them: then it conflicts with every
    /// earlier version that can still confirm.
    pub must_spend: Vec<BitcoinOutPoint>,
    /// What it has to outbid; `None` where none of them was ever sent.
    pub outbids: Option<Replaced>,
}

/// How the next version of the work that this transaction is for has to be made; `None` where it
/// cannot be made now, because an earlier version has no coin left that could be spent. Then the chain
/// decides about that one first.
///
/// # Errors
/// [`CosigningError`].
pub async fn next_version(
    app: &App,
    issued: &IssuedTransaction,
) -> Result<Option<NextVersion>, CosigningError> {
    let versions = versions(app, issued).await?;
    let Some(newest) = versions.last().filter(|_| versions.len() < MOST_VERSIONS) else {
        tracing::error!(txid = %issued.txid, "too many versions of one piece of work");
        return Ok(None);
    };
    let coins = spendable(app, &versions).await?;
    let Some(must_spend) = conflicting(&versions, &coins) else { return Ok(None) };
    Ok(Some(NextVersion {
        outbids: outbids(&versions)?,
        must_spend: must_spend.into_iter().map(|coin| coin.0).collect(),
        replaces: newest.clone(),
        coins,
    }))
}

/// All versions of the work that this transaction is for, oldest first.
async fn versions(
    app: &App,
    issued: &IssuedTransaction,
) -> Result<Vec<IssuedTransaction>, CosigningError> {
    let newest = newest_version(app, issued.clone()).await?;
    let earlier = try_join_all(newest.earlier.iter().map(|txid| load(app, *txid))).await?;
    let mut versions: Vec<_> = earlier.into_iter().flatten().collect();
    versions.push(newest);
    Ok(versions)
}

/// The other versions of the same work that can still confirm, as far as is known, newest first.
pub(super) async fn other_versions(
    app: &App,
    issued: &IssuedTransaction,
) -> Result<Vec<IssuedTransaction>, CosigningError> {
    let mut versions = versions(app, issued).await?;
    versions
        .retain(|version| version.txid != issued.txid && version.state != TransactionState::Failed);
    versions.reverse();
    Ok(versions)
}

/// The newest version of the work that this transaction is for.
///
/// # Errors
/// [`CosigningError::Store`], [`CosigningError::Damaged`].
pub async fn newest_version(
    app: &App,
    issued: IssuedTransaction,
) -> Result<IssuedTransaction, CosigningError> {
    let mut newest = issued;
    for _version in 0..MOST_VERSIONS {
        let Some(next) = newest.replaced_by else { break };
        newest = load(app, next).await?.ok_or(CosigningError::Damaged("no next version"))?;
    }
    Ok(newest)
}

/// Those coins of these versions that the next one may spend: there, unspent but for a version in the
/// mempool, their contents known, and held by none but these.
async fn spendable(app: &App, versions: &[IssuedTransaction]) -> Result<Vec<Coin>, CosigningError> {
    let txids: Vec<Txid> = versions.iter().map(|version| version.txid).collect();
    let mut spent: BTreeMap<BitcoinOutPoint, TxOut> = BTreeMap::new();
    let mut locks: Vec<Lock> = Vec::new();
    for version in versions {
        locks.extend(version.locks()?);
        spent.extend(version.spent()?.into_iter().map(|(coin, output)| (coin.0, output)));
    }
    let all: Vec<_> =
        spent.into_iter().map(|(outpoint, output)| (OutPoint(outpoint), output)).collect();
    let coins: Vec<_> = all.iter().map(|(coin, _)| *coin).collect();
    let holders = permanent_holders_of(app, &coins).await?;
    let is_ours = |by: &Option<Txid>| by.is_none_or(|by| txids.contains(&by));
    let all: Vec<_> = all.into_iter().zip(&holders).filter(|(_, by)| is_ours(by)).collect();
    let mut found = Vec::with_capacity(all.len());
    for some in all.chunks(AT_ONCE) {
        let some = some.iter().map(|(coin, _)| read(app, &locks, coin, &txids));
        found.extend(try_join_all(some).await?.into_iter().flatten());
    }
    Ok(found)
}

/// One coin, if it can be spent.
async fn read(
    app: &App,
    locks: &[Lock],
    coin: &(OutPoint, TxOut),
    versions: &[Txid],
) -> Result<Option<Coin>, CosigningError> {
    // Of an output that is no more, not every source says so.
    if app.esplora.status(coin.0.0.txid).await?.is_none() {
        return Ok(None);
    }
    let coins = coins::reread_outputs(app, locks, std::slice::from_ref(coin), versions).await?;
    Ok(coins.into_iter().flatten().find(Coin::is_spendable))
}

/// Coins of which each version that can still confirm spends at least one, as few as can be; `None`
/// where one of them has none.
fn conflicting(versions: &[IssuedTransaction], coins: &[Coin]) -> Option<Vec<OutPoint>> {
    let spends = |version: &IssuedTransaction, coin: &Coin| {
        version.inputs.contains(&OutPoint(coin.outpoint))
    };
    let mut open: Vec<_> = versions.iter().filter(|version| can_confirm(version, coins)).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        // Plain coins fit every plan.
        let best = coins.iter().max_by_key(|coin| {
            let of = open.iter().filter(|version| spends(version, coin)).count();
            (of, coin.is_plain(), std::cmp::Reverse(coin.outpoint))
        })?;
        let before = open.len();
        open.retain(|version| !spends(version, best));
        if open.len() == before {
            return None;
        }
        chosen.push(OutPoint(best.outpoint));
    }
    Some(chosen)
}

/// Whether a version can still confirm, as far as is known. One that has failed because another
/// transaction of the chain spends its coins cannot. One that has failed because an output is gone
/// could, should that output come back: it is reckoned with as long as there is a coin to do it by.
fn can_confirm(version: &IssuedTransaction, coins: &[Coin]) -> bool {
    let there: HashSet<_> = coins.iter().map(|coin| OutPoint(coin.outpoint)).collect();
    let has_coins = version.inputs.iter().any(|coin| there.contains(coin));
    version.state != TransactionState::Failed || version.orphaned.is_some() && has_coins
}

/// What a next version has to pay more than, whichever version a node has.
fn outbids(versions: &[IssuedTransaction]) -> Result<Option<Replaced>, CosigningError> {
    let mut outbids: Option<Replaced> = None;
    for version in versions.iter().filter(|version| version.raw.is_some()) {
        let one = replacing(version)?;
        outbids = Some(outbids.map_or(one, |other| Replaced {
            fee: other.fee.max(one.fee),
            weight: other.weight.min(one.weight),
            ..one
        }));
    }
    Ok(outbids)
}

/// What a replacement has to outbid: nothing, where it was never sent.
///
/// # Errors
/// [`CosigningError::Damaged`].
pub fn replacing(replaced: &IssuedTransaction) -> Result<Replaced, CosigningError> {
    let (fee, weight) = match &replaced.raw {
        Some(_) => (Amount::from_sat(replaced.fee), replaced.transaction()?.weight()),
        None => (Amount::ZERO, Weight::from_wu(replaced.weight)),
    };
    Ok(Replaced { fee, weight, descendants_fee: Amount::ZERO })
}

/// The write by which a transaction replaces another one from now on: each has one successor at most,
/// so that all versions of a piece of work are one chain.
pub(super) fn succeed(
    replaced: Txid,
    by: &IssuedTransaction,
    conditions: Update,
) -> Writes<Refusal> {
    let update = conditions.set("replacedBy", by.txid).if_absent("replacedBy");
    Writes::new().update(&Key::transaction(replaced), update, Refusal::Changed)
}
