//! What clients are told of a transaction that is to be signed.

use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

use super::{CosigningError, IssuedTransaction};
use crate::{clock::Timestamp, models::transaction::TransactionState};

/// What a transaction costs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fee {
    /// sat/vB.
    #[schema(value_type = f64, example = 5.25)]
    fee_rate: Number,
    /// Sats.
    total_fee: u64,
}

/// A transaction to be signed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsignedTransaction {
    /// The PSBT (BIP 174), base64. Sign the inputs of `userInputIndexes` with SIGHASH_ALL.
    base64_psbt: String,
    /// The transaction's id, which signatures do not change.
    #[schema(value_type = String)]
    tx_id: bitcoin::Txid,
    /// What it costs.
    fee: Fee,
    /// The inputs that the user signs, from 0.
    user_input_indexes: Vec<usize>,
    /// Until when it can be signed, ms since the epoch; its coins are reserved until then.
    expires_at: Timestamp,
}

impl UnsignedTransaction {
    /// What is told of `issued`.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`].
    pub fn of(issued: IssuedTransaction) -> Result<Self, CosigningError> {
        let fee_rate = sats_per_vbyte(issued.fee, issued.weight);
        let user = issued.trading_inputs()?;
        Ok(Self {
            tx_id: issued.txid,
            fee: Fee {
                fee_rate: fee_rate.ok_or(CosigningError::Damaged("a fee rate is no number"))?,
                total_fee: issued.fee,
            },
            user_input_indexes: user.into_iter().map(|(input, _)| input).collect(),
            expires_at: issued.reserved_until,
            base64_psbt: issued.psbt,
        })
    }
}

/// Where a transaction stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionStatus {
    /// The transaction's id.
    #[schema(value_type = String)]
    tx_id: bitcoin::Txid,
    /// Where it stands.
    state: TransactionState,
}

impl From<IssuedTransaction> for TransactionStatus {
    fn from(issued: IssuedTransaction) -> Self {
        Self { tx_id: issued.txid, state: issued.state }
    }
}

/// A fee by weight, in sat/vB to three places.
fn sats_per_vbyte(fee: u64, weight: u64) -> Option<Number> {
    let per_kvb = fee.checked_mul(1_000)?.checked_div(weight.div_ceil(4))?;
    format!("{}.{:03}", per_kvb.div_euclid(1_000), per_kvb.rem_euclid(1_000)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_the_fee_by_virtual_bytes() {
        for (fee, weight, text) in [(705, 561, "5.0"), (1_000, 1_332, "3.003"), (7, 8_000, "0.003")]
        {
            assert_eq!(sats_per_vbyte(fee, weight), text.parse().ok(), "{fee} {weight}");
        }
        assert_eq!(sats_per_vbyte(1, 0), None);
    }
}
