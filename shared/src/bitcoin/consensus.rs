//! Transactions, run by Bitcoin Core's own script code (libbitcoinconsensus) before they are sent.

use std::ffi::c_uint;

use bitcoin::{Amount, Transaction, TxOut, consensus::serialize};
use bitcoinconsensus::Utxo;

/// Why a transaction is not valid for the outputs that it spends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsensusError {
    /// It has no inputs, or there is not one spent output for each.
    #[error("{inputs} inputs, {prevouts} spent outputs")]
    PrevoutCount {
        /// Inputs of the transaction.
        inputs: usize,
        /// Spent outputs given.
        prevouts: usize,
    },
    /// Its outputs are worth more than what it spends, or a sum is out of range.
    #[error("it pays out more than it spends")]
    Overspent,
    /// The script of a spent output does not accept its input.
    #[error("input {input}: the script does not accept it")]
    Script {
        /// Position of the input.
        input: usize,
    },
    /// The library could not read what it was given.
    #[error("input {input}: not verified")]
    Unreadable {
        /// Position of the input.
        input: usize,
        /// What the library says.
        source: bitcoinconsensus::Error,
    },
    /// A length or value is out of the library's range.
    #[error("a length or value is out of range")]
    OutOfRange,
}

/// Runs the script of every input, with P2SH, strict DER, null dummy, both lock time opcodes,
/// segregated witness and Taproot. `prevouts` are the outputs that it spends, in input order.
///
/// What depends on the chain is not seen here: whether the outputs are unspent and a relative
/// delay (BIP 68) has passed. Mempool policy, such as low s, is no part of it either.
///
/// # Errors
/// [`ConsensusError`].
pub fn verify(transaction: &Transaction, prevouts: &[TxOut]) -> Result<(), ConsensusError> {
    let inputs = transaction.input.len();
    if inputs == 0 || inputs != prevouts.len() {
        return Err(ConsensusError::PrevoutCount { inputs, prevouts: prevouts.len() });
    }
    fee(transaction, prevouts.iter()).ok_or(ConsensusError::Overspent)?;
    let utxos = prevouts.iter().map(utxo).collect::<Option<Vec<_>>>();
    let utxos = utxos.ok_or(ConsensusError::OutOfRange)?;
    let bytes = serialize(transaction);
    for (input, prevout) in prevouts.iter().enumerate() {
        bitcoinconsensus::verify(
            prevout.script_pubkey.as_bytes(),
            prevout.value.to_sat(),
            &bytes,
            Some(&utxos),
            input,
        )
        .map_err(|error| match error {
            bitcoinconsensus::Error::ERR_SCRIPT => ConsensusError::Script { input },
            source => ConsensusError::Unreadable { input, source },
        })?;
    }
    Ok(())
}

/// What a transaction leaves to the miner; `None` where it pays out more than it spends, or a sum
/// exceeds all money.
pub(crate) fn fee<'a>(
    transaction: &Transaction,
    prevouts: impl Iterator<Item = &'a TxOut>,
) -> Option<Amount> {
    sum(prevouts)?.checked_sub(sum(transaction.output.iter())?)
}

fn sum<'a>(mut outputs: impl Iterator<Item = &'a TxOut>) -> Option<Amount> {
    outputs
        .try_fold(Amount::ZERO, |sum, output| sum.checked_add(output.value))
        .filter(|sum| *sum <= Amount::MAX_MONEY)
}

fn utxo(output: &TxOut) -> Option<Utxo> {
    let script = output.script_pubkey.as_bytes();
    Some(Utxo {
        script_pubkey: script.as_ptr(),
        script_pubkey_len: c_uint::try_from(script.len()).ok()?,
        value: output.value.to_sat().try_into().ok()?,
    })
}

#[cfg(test)]
mod tests;
