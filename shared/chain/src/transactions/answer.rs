//! What clients receive about a transaction to sign.

use base::clock::Timestamp;
use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

use super::{ChainError, FullTransaction, IssuedTransaction};
use crate::models::transaction::TransactionState;

/// The fee of a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fee {
    /// In sat/vB.
    #[schema(value_type = f64, example = 5.25)]
    fee_rate: Number,
    /// In sats.
    total_fee: u64,
}

/// A transaction to sign.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsignedTransaction {
    /// The PSBT (BIP 174), base64. Sign the inputs of `userInputIndexes` with SIGHASH_ALL.
    base64_psbt: String,
    /// The transaction's id, which signatures do not change.
    #[schema(value_type = String)]
    tx_id: bitcoin::Txid,
    /// The fee.
    fee: Fee,
    /// Indexes of the inputs that the user signs, from 0.
    user_input_indexes: Vec<usize>,
    /// The end of the reservation of its coins, ms since the epoch. It must be signed before.
    expires_at: Timestamp,
}

impl Fee {
    /// A fee in sats of a transaction of this weight.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the weight gives no fee rate.
    pub fn of(total_fee: u64, weight: u64) -> Result<Self, ChainError> {
        let fee_rate = sats_per_vbyte(total_fee, weight);
        let fee_rate = fee_rate.ok_or(ChainError::Damaged("the fee rate is not a number"))?;
        Ok(Self { fee_rate, total_fee })
    }

    /// In sat/vB.
    pub fn rate(&self) -> &Number {
        &self.fee_rate
    }
}

impl UnsignedTransaction {
    /// The answer for `issued`.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the stored PSBT cannot be read or the fee rate cannot be computed.
    pub fn from_issued(
        FullTransaction { row: issued, body }: FullTransaction,
    ) -> Result<Self, ChainError> {
        let user = body.trading_inputs()?;
        Ok(Self {
            tx_id: issued.txid,
            fee: Fee::of(issued.fee, issued.weight)?,
            user_input_indexes: user.into_iter().map(|(input, _)| input).collect(),
            expires_at: issued.reserved_until,
            base64_psbt: body.psbt,
        })
    }
}

/// Status of a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionStatus {
    /// Its txid.
    #[schema(value_type = String)]
    tx_id: bitcoin::Txid,
    /// Its state.
    state: TransactionState,
}

impl From<IssuedTransaction> for TransactionStatus {
    fn from(issued: IssuedTransaction) -> Self {
        Self { tx_id: issued.txid, state: issued.state }
    }
}

/// The fee rate in sat/vB, rounded to three decimals.
fn sats_per_vbyte(fee: u64, weight: u64) -> Option<Number> {
    let per_kvb = fee.checked_mul(1_000)?.checked_div(weight.div_ceil(4))?;
    format!("{}.{:03}", per_kvb.div_euclid(1_000), per_kvb.rem_euclid(1_000)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_the_fee_divided_by_virtual_bytes() {
        for (fee, weight, text) in [(705, 561, "5.0"), (1_000, 1_332, "3.003"), (7, 8_000, "0.003")]
        {
            assert_eq!(sats_per_vbyte(fee, weight), text.parse().ok(), "{fee} {weight}");
        }
        assert_eq!(sats_per_vbyte(1, 0), None);
    }
}
