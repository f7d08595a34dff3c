//! `GET /api/support/transactions/{txId}`.

use std::collections::BTreeSet;

use axum::extract::State;
use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    progress::Progress,
    transactions::{self, ChainError},
    views::transactions::TransactionRow,
};
use serde::Serialize;
use shared::{
    accounts,
    http::{Result, Segment, Single},
    models::{account::AccountId, email::EmailAddress, watch::Failing},
};
use utoipa::ToSchema;

use crate::{
    app::App,
    reader::{Reader, SupportReadKind},
    text::name_of,
};

/// What the worker notes about a row that it cannot take further.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportFailing {
    /// Failed attempts in a row.
    times: u32,
    /// When the failures began, ms since the epoch.
    since: Timestamp,
    /// When the row became stuck, ms since the epoch; null if it is not.
    #[schema(required = true)]
    stuck_at: Option<Timestamp>,
    /// The cause of the last failure.
    cause: String,
}

impl From<Failing> for SupportFailing {
    fn from(failing: Failing) -> Self {
        let Failing { times, since, stuck_at, cause } = failing;
        Self { times, since, stuck_at, cause }
    }
}

/// One transaction of an account, as admins see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportTransaction {
    /// The account whose transaction it is.
    account_id: AccountId,
    /// The e-mail address of that account.
    #[schema(required = true)]
    email: Option<EmailAddress>,
    #[serde(flatten)]
    row: TransactionRow,
    #[serde(flatten)]
    progress: Progress,
    /// What the worker notes while it cannot advance the transaction.
    #[schema(required = true)]
    failing: Option<SupportFailing>,
    /// Why the platform does not sign the transaction: `promise` if it would not do what was promised, or one of its
    /// coins is gone; `permission` if its work does not allow the signature.
    #[schema(required = true)]
    blocked: Option<String>,
}

/// Returns one transaction of any account, signed or not. Admins only.
///
/// `base64Psbt` is always null. Transactions that only the platform signs are not found.
#[utoipa::path(
    get,
    path = "/api/support/transactions/{txId}",
    tag = "support",
    security(("bearer" = [])),
    params(("txId" = String, Path, description = "The transaction", pattern = "^[0-9a-fA-F]{64}$")),
    responses((status = 200, description = "The transaction", body = Single<SupportTransaction>))
)]
pub async fn get_support_transaction(
    State(app): State<App>,
    reader: Reader,
    Segment(txid): Segment<Txid>,
) -> Result<Single<SupportTransaction>> {
    let mut issued = transactions::load(&app, txid).await?.ok_or(ChainError::NotFound)?;
    let account_id = issued.account_id.ok_or(ChainError::NotFound)?;
    let account = accounts::get(&app.store, account_id).await?;
    let (progress, waits_for) = Progress::of(&app, &mut issued).await?;
    let row = TransactionRow::of(&issued, issued.created_at).ok_or(ChainError::NotFound)?;
    let found = SupportTransaction {
        account_id,
        email: account.and_then(|account| account.email),
        row,
        progress: progress.without_psbt(),
        failing: issued.failing.map(SupportFailing::from),
        blocked: issued.blocked.map(|blocked| name_of(blocked.by)),
    };
    let (kind, accounts) = (SupportReadKind::Transaction, BTreeSet::from([account_id]));
    reader.record_with(&app, kind, accounts, Some(txid.to_string())).await?;
    Ok(Single::waiting(found, waits_for))
}
