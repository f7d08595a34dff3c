//! Versions of one piece of work: a transaction, and the transactions that replace it one after the other.
//!
//! Each version spends a coin of every earlier version that can still confirm, so any two of them conflict
//! and at most one ever confirms (custody rule 8). Any such coin will do: if the coin that all versions share
//! can no longer be spent, others take its role.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Amount, OutPoint as BitcoinOutPoint, TxOut, Txid, Weight};
use futures_util::future::try_join_all;
use shared::models::bitcoin::OutPoint;
use store::{Update, Writes};

use super::{
    ChainError, FullTransaction, IssuedTransaction, Refusal, body, coins,
    holds::permanent_holders_of, issued::load, lock::CoinLock,
};
use crate::{
    BitcoinContext,
    bitcoin::{coins::Coin, plan::Replaced},
    keys,
    models::transaction::{TransactionState, Work},
};

/// The most versions of one piece of work. Each must pay clearly more than the one before or leave out an
/// unusable coin, so there are few; an operator has to look into work that reaches this number.
const MOST_VERSIONS: usize = 24;
/// Coins read concurrently.
const AT_ONCE: usize = 40;

/// What the next version of a piece of work is based on.
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
/// earlier version has no spendable coin left; the chain has to decide about that version first.
///
/// # Errors
/// [`ChainError::Source`] if a coin of a version cannot be read; [`ChainError::Damaged`] if a version or its
/// body is missing; [`ChainError::Store`] if the store fails.
pub async fn next_version(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Option<NextVersion>, ChainError> {
    let versions = versions(app, issued).await?;
    let Some(newest) = versions.last().filter(|_| versions.len() < MOST_VERSIONS) else {
        tracing::error!(txid = %issued.txid, "too many versions of one piece of work");
        return Ok(None);
    };
    let coins = spendable(app, &versions).await?;
    let Some(must_spend) = conflicting(&versions, &coins) else { return Ok(None) };
    let outbids = outbids(&versions);
    let outbids = match outbids {
        Some(replaced) => {
            let descendants_fee = descendants_fee(app, &versions).await;
            Some(Replaced { descendants_fee, ..replaced })
        }
        None => None,
    };
    Ok(Some(NextVersion {
        outbids,
        must_spend: must_spend.into_iter().map(|coin| coin.0).collect(),
        replaces: newest.row.clone(),
        coins,
    }))
}

/// All versions of this transaction's work, oldest first.
async fn versions(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Vec<FullTransaction>, ChainError> {
    let row = newest_version(app, issued.clone()).await?;
    let earlier = row.earlier.iter().map(|txid| body::load_full(app, *txid));
    let (earlier, body) = tokio::try_join!(try_join_all(earlier), body::body(app, row.txid))?;
    let mut versions: Vec<_> = earlier.into_iter().flatten().collect();
    versions.push(FullTransaction { row, body });
    Ok(versions)
}

/// The other versions of the same work that can still confirm, newest first.
pub(super) async fn other_versions(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Vec<FullTransaction>, ChainError> {
    let mut versions = versions(app, issued).await?;
    versions.retain(|FullTransaction { row, .. }| {
        row.txid != issued.txid && row.state != TransactionState::Failed
    });
    versions.reverse();
    Ok(versions)
}

/// The newest version of this transaction's work.
///
/// # Errors
/// [`ChainError::Damaged`] if a version names a next one that does not exist; [`ChainError::Store`] if the
/// store fails.
pub async fn newest_version(
    app: &BitcoinContext,
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

/// The coins of these versions that the next one may spend: they exist, are unspent except by a version in
/// the mempool, have known contents, and are held by these versions at most.
async fn spendable(
    app: &BitcoinContext,
    versions: &[FullTransaction],
) -> Result<Vec<Coin>, ChainError> {
    let txids: Vec<Txid> = versions.iter().map(|version| version.row.txid).collect();
    let mut spent: BTreeMap<BitcoinOutPoint, TxOut> = BTreeMap::new();
    let mut locks: Vec<CoinLock> = Vec::new();
    for FullTransaction { body, .. } in versions {
        locks.extend(body.locks()?);
        spent.extend(body.spent()?.into_iter().map(|(coin, output)| (coin.0, output)));
    }
    let all: Vec<_> =
        spent.into_iter().map(|(outpoint, output)| (OutPoint(outpoint), output)).collect();
    let coins: Vec<_> = all.iter().map(|(coin, _)| *coin).collect();
    let holders = permanent_holders_of(app, &coins).await?;
    let is_ours = |by: &Option<Txid>| by.is_none_or(|by| txids.contains(&by));
    let all = all.into_iter().zip(&holders).filter(|(_, by)| is_ours(by));
    let all: Vec<_> = all.map(|(coin, _)| coin).collect();
    let mut found = Vec::with_capacity(all.len());
    for some in all.chunks(AT_ONCE) {
        let read = coins::reread_each(app, &locks, some, &txids).await?;
        found.extend(read.into_iter().flatten().filter(Coin::is_spendable));
    }
    Ok(found)
}

/// The fewest coins that include at least one coin of each version that can still confirm; `None` if one of
/// those versions has no such coin.
fn conflicting(versions: &[FullTransaction], coins: &[Coin]) -> Option<Vec<OutPoint>> {
    let spends = |version: &FullTransaction, coin: &Coin| {
        version.body.inputs.contains(&OutPoint(coin.outpoint))
    };
    let mut open: Vec<_> = versions.iter().filter(|version| can_confirm(version, coins)).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        // Plain coins are usable in every plan.
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

/// Whether a version may still confirm. A version that failed because another transaction spends its coins
/// cannot. One that failed because an output is gone could confirm once that output returns, so it counts as
/// long as it has a spendable coin.
fn can_confirm(FullTransaction { row, body }: &FullTransaction, coins: &[Coin]) -> bool {
    let there: BTreeSet<_> = coins.iter().map(|coin| OutPoint(coin.outpoint)).collect();
    let has_coins = body.inputs.iter().any(|coin| there.contains(coin));
    row.state != TransactionState::Failed || row.orphaned.is_some() && has_coins
}

/// What a next version has to outbid, whichever version a node has in its mempool.
fn outbids(versions: &[FullTransaction]) -> Option<Replaced> {
    let sent = versions.iter().filter_map(|FullTransaction { row, .. }| {
        let weight = Weight::from_wu(row.signed_weight?);
        Some(Replaced { fee: Amount::from_sat(row.fee), weight, descendants_fee: Amount::ZERO })
    });
    sent.reduce(|one, other| Replaced {
        fee: one.fee.max(other.fee),
        weight: one.weight.min(other.weight),
        ..one
    })
}

/// The fees of the mempool transactions that descend from one of these versions. A replacement evicts them
/// and has to pay for them. Only outputs paid to others can be spent before they are in a block.
async fn descendants_fee(app: &BitcoinContext, versions: &[FullTransaction]) -> Amount {
    let mut total = Amount::ZERO;
    for FullTransaction { row, .. } in versions {
        let pays_others = matches!(row.work, Work::XchainWithdraw(_) | Work::Withdraw(_));
        if pays_others && row.signed_weight.is_some() && row.state != TransactionState::Failed {
            let fee = app.esplora.descendants_fee(row.txid).await;
            total = total.checked_add(fee).unwrap_or(Amount::MAX_MONEY);
        }
    }
    total
}

/// The write that names the successor of a transaction. Each has at most one, so all versions of a piece of
/// work form a single chain.
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
