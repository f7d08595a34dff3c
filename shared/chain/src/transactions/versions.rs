//! Versions of one piece of work: a transaction, and those that replace it in turn.
//!
//! Each spends a coin of every earlier version that can still confirm, so any two of them conflict and at
//! most one ever confirms (custody rule 8). Any such coin will do: if the coin that all versions share goes
//! bad, others take its role.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Amount, OutPoint as BitcoinOutPoint, TxOut, Txid, Weight};
use futures_util::future::try_join_all;
use shared::{
    models::bitcoin::OutPoint,
    store::{Update, Writes},
};

use super::{
    ChainError, IssuedTransaction, Refusal, coins, holds::permanent_holders_of, issued::load,
    lock::CoinLock,
};
use crate::{
    Chain,
    bitcoin::{coins::Coin, plan::Replaced},
    keys,
    models::transaction::TransactionState,
};

/// Most versions of one piece of work. Each must pay clearly more than the one before or leave out a bad
/// coin, so there are few; at this number an operator has to look.
const MOST_VERSIONS: usize = 24;
/// Coins read concurrently when they are read one by one.
const AT_ONCE: usize = 8;

/// What the next version of a piece of work builds on.
#[derive(Clone, Debug)]
pub struct NextVersion {
    /// The newest version, which the next one replaces: the `replaces` of its [`super::BuiltTransaction`].
    pub replaces: IssuedTransaction,
    /// Coins of earlier versions that are spendable according to the chain.
    pub coins: Vec<Coin>,
    /// Those of the coins that the next version must spend, so that it conflicts with every earlier version
    /// that can still confirm.
    pub must_spend: Vec<BitcoinOutPoint>,
    /// What it has to outbid; `None` if no version was ever sent.
    pub outbids: Option<Replaced>,
}

/// How to build the next version of this transaction's work. `None` if that is impossible now because an
/// earlier version has no spendable coin left; the chain decides about that version first.
///
/// # Errors
/// [`ChainError`].
pub async fn next_version(
    app: &Chain,
    issued: &IssuedTransaction,
) -> Result<Option<NextVersion>, ChainError> {
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

/// All versions of this transaction's work, oldest first.
async fn versions(
    app: &Chain,
    issued: &IssuedTransaction,
) -> Result<Vec<IssuedTransaction>, ChainError> {
    let newest = newest_version(app, issued.clone()).await?;
    let earlier = try_join_all(newest.earlier.iter().map(|txid| load(app, *txid))).await?;
    let mut versions: Vec<_> = earlier.into_iter().flatten().collect();
    versions.push(newest);
    Ok(versions)
}

/// The other versions of the same work that can still confirm, newest first.
pub(super) async fn other_versions(
    app: &Chain,
    issued: &IssuedTransaction,
) -> Result<Vec<IssuedTransaction>, ChainError> {
    let mut versions = versions(app, issued).await?;
    versions
        .retain(|version| version.txid != issued.txid && version.state != TransactionState::Failed);
    versions.reverse();
    Ok(versions)
}

/// The newest version of this transaction's work.
///
/// # Errors
/// [`ChainError::Store`], [`ChainError::Damaged`].
pub async fn newest_version(
    app: &Chain,
    issued: IssuedTransaction,
) -> Result<IssuedTransaction, ChainError> {
    let mut newest = issued;
    for _version in 0..MOST_VERSIONS {
        let Some(next) = newest.replaced_by else { break };
        newest =
            load(app, next).await?.ok_or(ChainError::Damaged("the next version is missing"))?;
    }
    Ok(newest)
}

/// The coins of these versions that the next one may spend: existing, unspent except by a version in the
/// mempool, with known contents, and held by none but these versions.
async fn spendable(app: &Chain, versions: &[IssuedTransaction]) -> Result<Vec<Coin>, ChainError> {
    let txids: Vec<Txid> = versions.iter().map(|version| version.txid).collect();
    let mut spent: BTreeMap<BitcoinOutPoint, TxOut> = BTreeMap::new();
    let mut locks: Vec<CoinLock> = Vec::new();
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
        let some = some.iter().map(|(coin, _)| read_spendable(app, &locks, coin, &txids));
        found.extend(try_join_all(some).await?.into_iter().flatten());
    }
    Ok(found)
}

/// Reads one coin, if it can be spent.
async fn read_spendable(
    app: &Chain,
    locks: &[CoinLock],
    coin: &(OutPoint, TxOut),
    versions: &[Txid],
) -> Result<Option<Coin>, ChainError> {
    // Not every source reports that an output no longer exists.
    if app.esplora.status(coin.0.0.txid).await?.is_none() {
        return Ok(None);
    }
    let coins = coins::reread_outputs(app, locks, std::slice::from_ref(coin), versions).await?;
    Ok(coins.into_iter().flatten().find(Coin::is_spendable))
}

/// As few coins as possible such that each version that can still confirm spends at least one; `None` if one
/// of them has none.
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

/// Whether a version may still confirm. If it failed because another transaction spends its coins, it cannot.
/// If it failed because an output is gone, it could once that output returns, so it counts as long as it has
/// a spendable coin.
fn can_confirm(version: &IssuedTransaction, coins: &[Coin]) -> bool {
    let there: BTreeSet<_> = coins.iter().map(|coin| OutPoint(coin.outpoint)).collect();
    let has_coins = version.inputs.iter().any(|coin| there.contains(coin));
    version.state != TransactionState::Failed || version.orphaned.is_some() && has_coins
}

/// What a next version has to outpay, whichever version a node has.
fn outbids(versions: &[IssuedTransaction]) -> Result<Option<Replaced>, ChainError> {
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

/// What a replacement of this transaction has to outbid: nothing if it was never sent.
///
/// # Errors
/// [`ChainError::Damaged`].
pub(super) fn replacing(replaced: &IssuedTransaction) -> Result<Replaced, ChainError> {
    let (fee, weight) = match &replaced.raw {
        Some(_) => (Amount::from_sat(replaced.fee), replaced.transaction()?.weight()),
        None => (Amount::ZERO, Weight::from_wu(replaced.weight)),
    };
    Ok(Replaced { fee, weight, descendants_fee: Amount::ZERO })
}

/// The write that makes one transaction the successor of another. Each has at most one, so all versions of a
/// piece of work form a single chain.
pub(super) fn succeed(
    replaced: Txid,
    by: &IssuedTransaction,
    conditions: Update<IssuedTransaction>,
) -> Writes<Refusal> {
    let update = conditions
        .set(IssuedTransaction::REPLACED_BY, by.txid)
        .if_absent(IssuedTransaction::REPLACED_BY);
    Writes::new().update(&keys::transaction(replaced), update, Refusal::Changed)
}
