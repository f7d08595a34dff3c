//! The promise of a transaction, as stored.

use bitcoin::{Amount, Transaction, TxOut};
use serde::{Deserialize, Serialize};

use super::{Flow, Received, as_digits};
use crate::bitcoin::coins::RuneAmounts;

/// The fee and the runes of a [`Flow`]; scripts and sats are those of the transaction's outputs. Consecutive
/// outputs that receive the same runes are stored once, since a distribution has thousands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Promise {
    /// The fee.
    #[serde(with = "bitcoin::amount::serde::as_sat")]
    pub fee: Amount,
    runes: Vec<Alike>,
}

/// Consecutive outputs that receive the same runes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Alike {
    /// The number of outputs.
    outputs: usize,
    /// What each of them receives.
    #[serde(with = "as_digits")]
    runes: RuneAmounts,
}

impl Promise {
    /// What this flow promises.
    pub fn of(flow: &Flow) -> Self {
        let mut runes: Vec<Alike> = Vec::new();
        for output in &flow.outputs {
            match runes.last_mut().filter(|alike| alike.runes == output.runes) {
                Some(alike) => alike.outputs = alike.outputs.saturating_add(1),
                None => runes.push(Alike { outputs: 1, runes: output.runes.clone() }),
            }
        }
        Self { fee: flow.fee, runes }
    }

    /// The promised flow of this transaction. If the number of outputs differs, the result matches no flow.
    pub fn flow(&self, transaction: &Transaction) -> Flow {
        let promised = self.runes.iter().map(|alike| alike.outputs);
        let fits = promised.fold(0, usize::saturating_add) == transaction.output.len();
        let runes = self.runes.iter();
        let runes = runes.flat_map(|alike| std::iter::repeat_n(&alike.runes, alike.outputs));
        let outputs = transaction.output.iter().zip(runes).filter(|_| fits);
        let received = |(output, runes): (&TxOut, &RuneAmounts)| Received {
            script_pubkey: output.script_pubkey.clone(),
            value: output.value,
            runes: runes.clone(),
        };
        Flow { outputs: outputs.map(received).collect(), fee: self.fee }
    }
}
