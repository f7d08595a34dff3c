//! What a commitment proves about its VM transaction, independently of the VM transaction's row (custody rule
//! 33).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use bitcoin::{
    Amount, Network, Script, Transaction, Txid,
    hashes::{Hash, sha256},
};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::ChainError;
use crate::{BitcoinContext, bitcoin::address, mints::VmTransaction};

/// Statements that have been proven earlier. They stay proven, because a commitment does not change.
#[derive(Debug, Default)]
pub struct Proven(Mutex<BTreeSet<sha256::Hash>>);

impl Proven {
    /// Everything that a proof compares with the commitment.
    fn claim(treasury: &Script, row: &VmTransaction) -> sha256::Hash {
        let (wallet, sats) = (&row.trading_address, row.sats());
        let claim =
            format!("{} {} {} {treasury:x} {wallet} {sats}", row.txid, row.anchor, row.output);
        sha256::Hash::hash(claim.as_bytes())
    }

    fn has(&self, treasury: &Script, row: &VmTransaction) -> bool {
        let proven = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        proven.contains(&Self::claim(treasury, row))
    }

    /// How many of these rows are proven.
    pub fn count(&self, treasury: &Script, rows: &[VmTransaction]) -> usize {
        rows.iter().filter(|row| self.has(treasury, row)).count()
    }

    fn add(&self, treasury: &Script, row: &VmTransaction) {
        let mut proven = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if proven.len() >= MOST_PROVEN {
            proven.clear();
        }
        proven.insert(Self::claim(treasury, row));
    }
}

/// The most proofs that an instance remembers, 32 bytes each.
const MOST_PROVEN: usize = 200_000;
/// Transactions that made anchors and are in memory at the same time. Each may be long.
const PARENTS_AT_ONCE: usize = 8;
/// Commitments that are read concurrently of those with one such transaction.
const ROWS_AT_ONCE: usize = 8;

/// Requires that each VM transaction belongs to the trading wallet that its row names, and has paid what its
/// row says. The node has the commitment and the transaction that made its anchor, and txids prove both: the
/// anchor's output names the wallet, and the commitment spends it and pays the treasury. A witness proves
/// nothing here, since no txid covers it. A function that can only write rows therefore cannot redirect runes
/// or refunds.
///
/// # Errors
/// [`ChainError::Damaged`] if a row contradicts its commitment; [`ChainError::ChainMoved`] if the node does not know a
/// commitment or the transaction that made its anchor; [`ChainError::Source`].
pub async fn prove_commitments(
    app: &BitcoinContext,
    treasury: &Script,
    rows: &[VmTransaction],
    proven: &Proven,
) -> Result<(), ChainError> {
    let mut by_parent: BTreeMap<Txid, Vec<&VmTransaction>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !proven.has(treasury, row)) {
        by_parent.entry(row.anchor.0.txid).or_default().push(row);
    }
    let groups =
        by_parent.iter().map(|(parent, rows)| prove(app, treasury, (*parent, rows), proven));
    let groups: Vec<_> = groups.collect();
    stream::iter(groups).buffer_unordered(PARENTS_AT_ONCE).try_collect().await
}

/// Proves VM transactions whose anchors the same transaction has made.
async fn prove(
    app: &BitcoinContext,
    treasury: &Script,
    (parent, rows): (Txid, &[&VmTransaction]),
    proven: &Proven,
) -> Result<(), ChainError> {
    let parent = &app.esplora.transaction(parent).await?.ok_or(ChainError::ChainMoved)?;
    let proofs = rows.iter().map(|&row| async move {
        let commitment = app.esplora.transaction(row.txid).await?.ok_or(ChainError::ChainMoved)?;
        match contradiction(row, (parent, &commitment), treasury, app.network) {
            None => proven.add(treasury, row),
            Some(what) => {
                let mint = row.mint_id;
                tracing::error!(%mint, txid = %row.txid, what, "a row contradicts its commitment");
                return Err(ChainError::Damaged(what));
            }
        }
        Ok(())
    });
    let proofs: Vec<_> = proofs.collect();
    stream::iter(proofs).buffer_unordered(ROWS_AT_ONCE).try_collect().await
}

/// How a row contradicts its commitment and the transaction that made its anchor; `None` if it does not.
fn contradiction(
    row: &VmTransaction,
    (parent, commitment): (&Transaction, &Transaction),
    treasury: &Script,
    network: Network,
) -> Option<&'static str> {
    let wallet = address::parse_recipient(&row.trading_address, network).ok();
    let wallet = wallet.map(|wallet| wallet.script_pubkey());
    let spends_its_anchor =
        commitment.input.iter().any(|input| input.previous_output == row.anchor.0);
    let anchor = usize::try_from(row.anchor.0.vout).ok();
    let anchor = anchor.filter(|_| parent.compute_txid() == row.anchor.0.txid);
    let anchor = anchor.and_then(|vout| parent.output.get(vout));
    if !spends_its_anchor
        || anchor.is_none_or(|anchor| Some(&anchor.script_pubkey) != wallet.as_ref())
    {
        return Some("another wallet has paid for a VM transaction");
    }
    let output = usize::try_from(row.output.0.vout).ok();
    let output = output.and_then(|vout| commitment.output.get(vout));
    let is_its = |output: &&bitcoin::TxOut| {
        row.output.0.txid == row.txid
            && output.script_pubkey.as_script() == treasury
            && output.value == Amount::from_sat(row.sats())
    };
    match output.filter(is_its) {
        Some(_) => None,
        None => Some("a VM transaction has paid another amount"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
