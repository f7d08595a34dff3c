//! `POST /api/xchain/transaction/sign`.

use axum::{extract::State, response::Response};
use chain::{
    models::transaction::Work,
    transactions::{self, IssuedTransaction, TransactionStatus},
};
use shared::{
    auth::limits::{self, TRANSACTION_BY_ACCOUNT},
    http::{
        Created, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input, LiveCaller, Result,
        extract::LONGEST_BODY,
    },
};
use utoipa::ToSchema;

use crate::{app::App, transaction::TransactionType};

/// Request body of a signature.
#[derive(Debug, ToSchema)]
pub struct SignTransaction {
    r#type: TransactionType,
    params: SignedTransaction,
}

/// The PSBT, signed by the user.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignedTransaction {
    /// The PSBT as issued, with the user's signature on every input: base64 or hex.
    #[schema(max_length = 262144)]
    signed_base64_tx: String,
}

impl Input for SignTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (r#type, params) = (fields.required("type"), fields.object("params"));
        Some(Self { r#type: r#type?, params: params? })
    }
}

impl Input for SignedTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { signed_base64_tx: fields.text("signedBase64Tx", LONGEST_BODY)? })
    }
}

/// Accepts the user's signatures, adds the platform's and broadcasts the transaction.
///
/// A refused transaction was not broadcast, and its coins are free again. Signing the same transaction again
/// returns its current status. `signing` and `broadcasting` mean that it is in progress; the service finishes
/// it without another request.
#[utoipa::path(
    post,
    path = "/api/xchain/transaction/sign",
    tag = "xchain",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = SignTransaction,
    responses((status = 201, description = "Status of the transaction", body = Envelope<TransactionStatus>))
)]
pub async fn sign_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<SignTransaction>,
) -> Result<Response> {
    let account = caller.account.id;
    let work = async |body: SignTransaction| {
        let SignTransaction { r#type: TransactionType::XchainWithdraw, params } = body;
        limits::hit(&app, TRANSACTION_BY_ACCOUNT, &account.to_string()).await?;
        let returned = transactions::read_psbt(&params.signed_base64_tx)
            .map_err(|error| Error::from(error).naming("params.signedBase64Tx"))?;
        let is_wanted = |issued: &IssuedTransaction| matches!(issued.work, Work::XchainWithdraw(_));
        let issued = transactions::sign(&app, account, &returned, is_wanted).await?;
        Ok(Created(TransactionStatus::from(issued)))
    };
    request.once(&app, account, work).await
}
