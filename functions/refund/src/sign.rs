//! `POST /api/refund/sign`.

use axum::{extract::State, response::Response};
use chain::{
    models::transaction::{Refund, Work},
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

use crate::app::App;

/// Request body of a refund's signature.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignRefund {
    /// The PSBT as issued, with the user's signature on each of the user's inputs: base64 or hex. If no input
    /// is the user's, send the PSBT as issued.
    #[schema(max_length = 262144)]
    base64_psbt: String,
    /// The address that the refund was created with, or the trading address.
    #[schema(max_length = 128)]
    user_address: String,
}

impl Input for SignRefund {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let base64_psbt = fields.text("base64Psbt", LONGEST_BODY);
        let user_address = fields.text("userAddress", 128);
        Some(Self { base64_psbt: base64_psbt?, user_address: user_address? })
    }
}

/// Accepts the user's signatures, adds the platform's and broadcasts the transaction.
///
/// A refused transaction was not broadcast, and its payments can be refunded again. Signing the same
/// transaction again returns its current status. `signing` and `broadcasting` mean that it is in progress;
/// the service finishes it without another request.
#[utoipa::path(
    post,
    path = "/api/refund/sign",
    tag = "refund",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = SignRefund,
    responses((status = 201, description = "Status of the transaction", body = Envelope<TransactionStatus>))
)]
pub async fn sign_refund(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<SignRefund>,
) -> Result<Response> {
    let work = async |body: SignRefund| {
        let account = caller.account.id;
        let returned = transactions::read_psbt(&body.base64_psbt)
            .map_err(|error| Error::from(error).naming("base64Psbt"))?;
        let user_address = caller.own_or_earlier_address(app.network, &body.user_address)?;
        limits::hit(&app, TRANSACTION_BY_ACCOUNT, &account.to_string()).await?;
        // The refund may have been created with either the wallet or the trading address.
        let is_trading = |address: &str| caller.account.trading_address() == Some(address);
        let is_wanted = |issued: &IssuedTransaction| match &issued.work {
            Work::Refund(Refund { user_address: created_with, .. }) => {
                *created_with == user_address
                    || is_trading(created_with)
                    || is_trading(&user_address)
            }
            _ => false,
        };
        let issued = transactions::sign(&app, account, &returned, is_wanted).await?;
        Ok(Created(TransactionStatus::from(issued)))
    };
    request.once(&app, caller.account.id, work).await
}
