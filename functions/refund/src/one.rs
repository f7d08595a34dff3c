//! `GET /api/refund/{txId}`.

use axum::extract::State;
use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    mints::{self, VmTransaction},
    models::{
        mint::MintId,
        transaction::{TransactionState, Work},
        vm_transaction::RefundState,
    },
    progress::Progress,
    transactions::{self, ChainError},
};
use serde::Serialize;
use shared::{
    http::{Caller, Result, Segment, Single},
    models::bitcoin::EtchedRune,
};
use utoipa::ToSchema;

use crate::app::App;

/// A VM transaction that a refund pays back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundedBatch {
    /// The VM transaction.
    #[schema(value_type = String)]
    tx_id: Txid,
    mint_id: MintId,
    /// The rune that was to be minted.
    rune_id: EtchedRune,
    /// Amount that was paid for requests that no virtual block took, in sats.
    sats: u64,
    /// The state of its refund: by this transaction, or by a later one.
    refund_state: RefundState,
}

/// One refund of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneRefund {
    #[schema(value_type = String)]
    tx_id: Txid,
    state: TransactionState,
    /// The address for which the caller requested the refund.
    user_address: String,
    /// The payments that the refund returns.
    items: Vec<RefundedBatch>,
    /// The sum of the items, in sats.
    total_sats: u64,
    /// The fee in sats, which is taken from the refund.
    fee_sats: u64,
    /// Amount that arrives, in sats. A coin that the caller adds returns in full and is not included.
    refunded_sats: u64,
    /// The refund that it replaces.
    #[schema(required = true, value_type = Option<String>)]
    replace_tx_id: Option<Txid>,
    /// The signed refund that replaces it.
    #[schema(required = true, value_type = Option<String>)]
    replaced_by_tx_id: Option<Txid>,
    /// The height of its block.
    #[schema(required = true)]
    block_height: Option<u32>,
    /// When it was created, ms since the epoch.
    created_at: Timestamp,
    #[serde(flatten)]
    progress: Progress,
}

/// Returns one refund of the caller, signed or not, with the payments that it returns.
#[utoipa::path(
    get,
    path = "/api/refund/{txId}",
    tag = "refund",
    security(("bearer" = [])),
    params(("txId" = String, Path, description = "The refund", pattern = "^[0-9a-fA-F]{64}$")),
    responses((status = 200, description = "The refund", body = Single<OneRefund>))
)]
pub async fn get_refund(
    State(app): State<App>,
    caller: Caller,
    Segment(txid): Segment<Txid>,
) -> Result<Single<OneRefund>> {
    let mut issued = transactions::load_own(&app, caller.account, txid).await?;
    let Work::Refund(work) = issued.work.clone() else {
        return Err(ChainError::NotFound.into());
    };
    let (progress, waits_for) = Progress::of(&app, &mut issued).await?;
    let rows = mints::vm_transactions(&app.store, work.transactions).await?;
    let items: Vec<_> = rows.into_iter().flatten().map(|row| item(&row)).collect();
    let total_sats = items.iter().map(|item| item.sats).fold(0, u64::saturating_add);
    let refund = OneRefund {
        tx_id: issued.txid,
        state: issued.state,
        user_address: work.user_address,
        items,
        total_sats,
        fee_sats: issued.fee,
        refunded_sats: total_sats.saturating_sub(issued.fee),
        replace_tx_id: issued.replaces,
        replaced_by_tx_id: issued.replaced_by,
        block_height: issued.block_height,
        created_at: issued.created_at,
        progress,
    };
    Ok(Single::waiting(refund, waits_for))
}

fn item(row: &VmTransaction) -> RefundedBatch {
    RefundedBatch {
        tx_id: row.txid,
        mint_id: row.mint_id,
        rune_id: EtchedRune(row.rune_id),
        sats: row.refundable_sats(),
        refund_state: row.refund_state,
    }
}
