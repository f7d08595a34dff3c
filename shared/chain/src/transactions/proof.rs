//! What a commitment proves about its VM transaction, whatever the row of that says (custody rule 33).

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use bitcoin::{
    Amount, Network, Script, Transaction,
    hashes::{Hash, sha256},
};
use futures_util::{StreamExt, TryStreamExt, stream};

use super::ChainError;
use crate::{
    Chain,
    bitcoin::address,
    mints::{Mint, VmTransaction},
};

/// What has been proven before: a commitment does not change.
#[derive(Debug, Default)]
pub struct Proven(Mutex<BTreeSet<sha256::Hash>>);

impl Proven {
    /// Everything that a proof compares with the commitment.
    fn claim(mint: &Mint, row: &VmTransaction) -> sha256::Hash {
        let (treasury, wallet, sats) = (&mint.treasury.address, &row.trading_address, row.sats());
        let claim =
            format!("{} {} {} {treasury} {wallet} {sats}", row.txid, row.anchor, row.output);
        sha256::Hash::hash(claim.as_bytes())
    }

    fn has(&self, mint: &Mint, row: &VmTransaction) -> bool {
        let proven = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        proven.contains(&Self::claim(mint, row))
    }

    fn add(&self, mint: &Mint, row: &VmTransaction) {
        let mut proven = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if proven.len() >= MOST_PROVEN {
            proven.clear();
        }
        proven.insert(Self::claim(mint, row));
    }
}

/// The most proofs that an instance remembers, 32 bytes each.
const MOST_PROVEN: usize = 200_000;
/// Commitments that are read concurrently.
const AT_ONCE: usize = 32;

/// Requires that each VM transaction belongs to the trading wallet that its row names, and has paid what its row says. The
/// node has the commitment: its input from the anchor shows the wallet's script, and its output shows the payment. Whoever
/// writes a row alone therefore cannot redirect runes or refunds.
///
/// # Errors
/// [`ChainError::Damaged`] if a row contradicts its commitment; [`ChainError::ChainMoved`] if the node does not know a
/// commitment; [`ChainError::Source`].
pub async fn prove_commitments(
    app: &Chain,
    mint: &Mint,
    rows: &[VmTransaction],
    proven: &Proven,
) -> Result<(), ChainError> {
    let unproven = rows.iter().filter(|row| !proven.has(mint, row));
    let proofs: Vec<_> = unproven.map(|row| prove(app, mint, row, proven)).collect();
    stream::iter(proofs).buffer_unordered(AT_ONCE).try_collect().await
}

async fn prove(
    app: &Chain,
    mint: &Mint,
    row: &VmTransaction,
    proven: &Proven,
) -> Result<(), ChainError> {
    let commitment = app.esplora.transaction(row.txid).await?.ok_or(ChainError::ChainMoved)?;
    match contradiction(row, &commitment, &mint.treasury.script_pubkey(), app.network) {
        None => {
            proven.add(mint, row);
            Ok(())
        }
        Some(what) => {
            tracing::error!(mint = %mint.id, txid = %row.txid, what, "a row contradicts its commitment");
            Err(ChainError::Damaged(what))
        }
    }
}

/// What a row says against its commitment; `None` if nothing.
fn contradiction(
    row: &VmTransaction,
    commitment: &Transaction,
    treasury: &Script,
    network: Network,
) -> Option<&'static str> {
    let wallet = address::parse_recipient(&row.trading_address, network).ok();
    let wallet = wallet.map(|wallet| wallet.script_pubkey());
    let input = commitment.input.iter().find(|input| input.previous_output == row.anchor.0);
    let script = input.and_then(|input| input.witness.last()).map(Script::from_bytes);
    if script.map(Script::to_p2wsh).is_none_or(|shown| Some(shown) != wallet) {
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
