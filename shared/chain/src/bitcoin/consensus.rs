//! Verifies transactions with Bitcoin Core's own script code (libbitcoinconsensus) before they are broadcast.

use std::ffi::c_uint;

use bitcoin::{Amount, Transaction, TxOut, consensus::serialize};
use bitcoinconsensus::Utxo;

/// Why a transaction is invalid for the outputs that it spends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsensusError {
    /// It has no inputs, or the number of spent outputs differs.
    #[error("{inputs} inputs, {prevouts} spent outputs")]
    PrevoutCount {
        /// Number of inputs.
        inputs: usize,
        /// Number of spent outputs.
        prevouts: usize,
    },
    /// Its outputs exceed its inputs, or a sum is out of range.
    #[error("the outputs exceed the inputs")]
    Overspent,
    /// The script of a spent output rejects its input.
    #[error("input {input}: rejected by the script")]
    Script {
        /// Index of the input.
        input: usize,
    },
    /// The library could not parse its arguments.
    #[error("input {input}: could not be verified")]
    Unreadable {
        /// Index of the input.
        input: usize,
        /// The library's error.
        source: bitcoinconsensus::Error,
    },
    /// A length or value is out of the library's range.
    #[error("a length or value is out of range")]
    OutOfRange,
}

/// Runs the script of every input, with P2SH, strict DER, null dummy, both lock time opcodes, segregated
/// witness and Taproot. `prevouts` are the spent outputs in input order.
///
/// It does not check what depends on the chain: whether the outputs are unspent, and whether a relative delay
/// (BIP 68) has passed. Nor does it check mempool policy such as low S.
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

/// The fee of a transaction; `None` if its outputs exceed its inputs, or if a sum exceeds the money supply.
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
