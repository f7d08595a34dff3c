//! `POST /api/vm-transactions/sign`.

use axum::{extract::State, response::Response};
use chain::{
    mints,
    models::{
        transaction::{TransactionState, Work},
        vm_transaction::{VmState, VmTransactionKey},
    },
    transactions::{self, IssuedTransaction},
};
use serde::Serialize;
use shared::{
    auth::limits::{self, TRANSACTION_BY_ACCOUNT},
    http::{
        CreatedWith, Error, Fields, IdempotencyHeader, Idempotent, Input, LiveCaller, NoMetaData,
        Problem, Result, extract::LONGEST_BODY,
    },
};
use utoipa::ToSchema;

use crate::{app::App, place};

/// Request body of a batch's signature.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignVmTransaction {
    /// The address that created the batch.
    #[schema(max_length = 128)]
    user_address: String,
    /// The PSBT as issued, with the user's signature on every input: base64 or hex.
    #[schema(max_length = 262144)]
    signed_base64_tx: String,
}

impl Input for SignVmTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let user_address = fields.text("userAddress", 128);
        let signed_base64_tx = fields.text("signedBase64Tx", LONGEST_BODY);
        Some(Self { user_address: user_address?, signed_base64_tx: signed_base64_tx? })
    }
}

/// Status of a VM transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VmTransactionStatus {
    /// Txid of the commitment.
    #[schema(value_type = String)]
    tx_id: bitcoin::Txid,
    state: VmState,
}

/// Accepts the user's signatures, adds the platform's and broadcasts the transaction.
///
/// A refused transaction was not broadcast, and its coins are free again. If the mint has become crowded since the
/// batch was created, its price may no longer be enough. Signing the same transaction again returns its current
/// status. `broadcasting` means that it is in progress; the service finishes it without
/// another request.
#[utoipa::path(
    post,
    path = "/api/vm-transactions/sign",
    tag = "vm-transactions",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = SignVmTransaction,
    responses((
        status = 201,
        description = "Status of the transaction",
        body = CreatedWith<VmTransactionStatus, NoMetaData>
    ))
)]
pub async fn sign_vm_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<SignVmTransaction>,
) -> Result<Response> {
    let work = async |body| sign(&app, &caller, body).await;
    request.once(&app, caller.account.id, work).await
}

async fn sign(
    app: &App,
    caller: &LiveCaller,
    body: SignVmTransaction,
) -> Result<CreatedWith<VmTransactionStatus, NoMetaData>> {
    let account = caller.account.id;
    let returned = transactions::read_psbt(&body.signed_base64_tx)
        .map_err(|error| Error::from(error).naming("signedBase64Tx"))?;
    let user_address = caller.own_or_earlier_address(app.network, &body.user_address)?;
    limits::hit(app, TRANSACTION_BY_ACCOUNT, &account.to_string()).await?;
    let is_wanted = |issued: &IssuedTransaction| matches!(&issued.work, Work::VmCommitment(work) if work.user_address == user_address);
    if let Some(draft) = transactions::load(app, returned.unsigned_tx.compute_txid()).await?
        && draft.account_id == Some(account)
        && is_wanted(&draft)
    {
        check_place(app, &draft).await?;
    }
    let issued = transactions::sign(app, account, &returned, is_wanted).await?;
    let Work::VmCommitment(work) = &issued.work else {
        return Err(Error::new(Problem::NotTheIssuedTransaction));
    };
    let key = VmTransactionKey { mint_id: work.mint_id, txid: issued.txid };
    let vm = mints::vm_transaction(&app.store, key).await?;
    let state = match vm.map(|vm| vm.state) {
        // The user's signatures are stored; the platform's are still missing.
        Some(VmState::Unsigned) | None => VmState::Broadcasting,
        Some(state) => state,
    };
    Ok(CreatedWith::new(VmTransactionStatus { tx_id: issued.txid, state }, NoMetaData {}))
}

/// Refuses to sign a draft if its mint no longer has a place for its bid, and releases its coins. Drafts hold
/// no place; without this check, many cheap drafts could be signed together after the price of a place has
/// risen.
async fn check_place(app: &App, draft: &IssuedTransaction) -> Result<()> {
    let Work::VmCommitment(work) = &draft.work else { return Ok(()) };
    if draft.state != TransactionState::Unsigned {
        return Ok(());
    }
    let key = VmTransactionKey { mint_id: work.mint_id, txid: draft.txid };
    let (mint, vm) = tokio::try_join!(
        mints::mint(&app.store, work.mint_id),
        mints::vm_transaction(&app.store, key)
    )?;
    let Some((mint, vm)) = mint.zip(vm) else { return Ok(()) };
    let Some(bid) = vm.new_tier() else { return Ok(()) };
    let checked = place::check(app, &mint, bid).await;
    let is_refusal =
        |error: &Error| matches!(error.problem(), Problem::VmMintFull | Problem::VmMintCrowded);
    if checked.as_ref().is_err_and(is_refusal) {
        transactions::release(app, draft).await?;
    }
    checked
}
