//! The progress of a transaction, for its owner to see.

use base::clock::Timestamp;
use serde::Serialize;
use shared::{core::Core, http::WaitsFor};
use utoipa::ToSchema;

use crate::{
    blocks::Tip,
    keys,
    models::transaction::{FINAL, TransactionState},
    transactions::{self, ChainError, IssuedTransaction, StateSince},
};

/// The progress of a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TransactionProgress)]
pub struct Progress {
    /// While it is unsigned, the end of its reservation, ms since the epoch; null otherwise.
    #[schema(required = true)]
    expires_at: Option<Timestamp>,
    /// While it is unsigned, the PSBT as issued, base64; null otherwise.
    #[schema(required = true)]
    base64_psbt: Option<String>,
    /// The number of blocks from its own to the newest that the worker has applied, both included; null if it
    /// is not in a block.
    #[schema(required = true)]
    confirmations: Option<u32>,
    /// Whether its state can no longer change.
    is_final: bool,
    /// Its states since it was created, oldest first. If there were more than 16 changes, only the newest.
    history: Vec<StateSince>,
}

impl Progress {
    /// The progress without the PSBT, for readers who do not sign.
    #[must_use]
    pub fn without_psbt(self) -> Self {
        Self { base64_psbt: None, ..self }
    }

    /// Reads how far a transaction is, and what it waits for. One that was not signed in time becomes `expired`
    /// here, as the worker will make it.
    ///
    /// # Errors
    /// [`ChainError::Store`] if the store fails; [`ChainError::Damaged`] if the transaction is unsigned and
    /// its body is missing.
    pub async fn of(
        app: &Core,
        issued: &mut IssuedTransaction,
    ) -> Result<(Self, Option<WaitsFor>), ChainError> {
        if issued.is_overdue(app.clock.now()) {
            issued.expire();
        }
        let is_unsigned = issued.state == TransactionState::Unsigned;
        let base64_psbt = match is_unsigned {
            true => Some(transactions::body(app, issued.txid).await?.psbt),
            false => None,
        };
        let confirmations = match issued.block_height {
            Some(height) => {
                let tip = app.store.get::<Tip>(&keys::chain_tip()).await?;
                tip.and_then(|tip| tip.height.checked_sub(height)?.checked_add(1))
            }
            None => None,
        };
        let is_final = match issued.state {
            TransactionState::Confirmed => confirmations.is_some_and(|blocks| blocks >= FINAL),
            TransactionState::Expired | TransactionState::Failed => true,
            _ => false,
        };
        let waits_for = match issued.state {
            _ if is_final => None,
            TransactionState::Unsigned | TransactionState::Signing => Some(WaitsFor::Moment),
            _ => Some(WaitsFor::Block),
        };
        let expires_at = is_unsigned.then_some(issued.reserved_until);
        let history = issued.history.states(issued.created_at);
        Ok((Self { expires_at, base64_psbt, confirmations, is_final, history }, waits_for))
    }
}
