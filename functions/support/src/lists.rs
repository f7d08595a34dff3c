//! The lists of an account: `GET /api/support/accounts/{accountId}/…`.

use std::borrow::Borrow;

use axum::extract::State;
use chain::{
    models::xchain::{XchainStatus, XchainType},
    views::{
        batches::{self, VmTransactionRow},
        deposits::{self, DepositFilters, DepositRow},
        transactions::{self, TransactionFilters, TransactionRow},
        xchain::{self, XchainRow},
    },
};
use identity::views::activity::{self, ActivityMeta, ActivityRow};
use outbox::views::exports::{self, DownloadFilters, DownloadHistory};
use serde::Serialize;
use serde_json::{Value, json};
use shared::{
    http::{
        Envelope, ListQuery, OkWith, Result, Segment,
        list::{AsOf, Field, Filter, ListParameters, Resource},
        relations::WALLET,
    },
    keys,
    models::account::AccountId,
};
use utoipa::IntoParams;

use crate::{
    app::App,
    reader::{Reader, SupportReadKind},
};

/// A cross-chain transaction of an account. Its list has no filter that chooses another list.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct SupportXchainRow(XchainRow);

impl Resource for SupportXchainRow {
    const FIELDS: &'static [Field] = XchainRow::FIELDS;
    const RELATIONS: &'static [&'static str] = XchainRow::RELATIONS;
    const FILTERS: &'static [Filter] = &[
        Filter::of_rows::<XchainStatus>("status", "status"),
        Filter::of_rows::<XchainType>("type", "type"),
    ];
}

impl From<XchainRow> for SupportXchainRow {
    fn from(row: XchainRow) -> Self {
        Self(row)
    }
}

impl Borrow<XchainRow> for SupportXchainRow {
    fn borrow(&self) -> &XchainRow {
        &self.0
    }
}

/// A batch of an account. Its list has no filter that chooses another list.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub struct SupportBatchRow(VmTransactionRow);

impl Resource for SupportBatchRow {
    const FIELDS: &'static [Field] = VmTransactionRow::FIELDS;
    const SEQUENCE: &'static [&'static str] = VmTransactionRow::SEQUENCE;
}

impl From<VmTransactionRow> for SupportBatchRow {
    fn from(row: VmTransactionRow) -> Self {
        Self(row)
    }
}

impl Borrow<VmTransactionRow> for SupportBatchRow {
    fn borrow(&self) -> &VmTransactionRow {
        &self.0
    }
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct SupportXchainFilters {
    /// Only transactions with one of these statuses.
    #[param(rename = "status_eq", style = Form, explode = false)]
    status: Option<Vec<XchainStatus>>,
    /// Only transactions of one of these kinds.
    #[param(rename = "type_eq", style = Form, explode = false)]
    kind: Option<Vec<XchainType>>,
}

/// Lists the Bitcoin transactions of an account, newest first. Admins only.
///
/// They are listed once they are signed; with `state_eq=unsigned`, those that wait for a signature.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/transactions",
    tag = "support",
    security(("bearer" = [])),
    params(
        ("accountId" = AccountId, Path, description = "The account"),
        ListParameters, AsOf, TransactionFilters
    ),
    responses((status = 200, description = "A page of transactions", body = Envelope<Vec<TransactionRow>>))
)]
pub async fn list_support_transactions(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
    query: ListQuery<TransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    let account = reader.account(&app, id).await?;
    let page = transactions::list_transactions(&app, account.id, &query).await?;
    reader.record(&app, SupportReadKind::Transactions, id).await?;
    Ok(page)
}

/// Lists the cross-chain transactions of an account, newest first. Admins only.
///
/// Relations: `inputToken` and `outputToken` are the token catalogue's entries or null; `token` is the same as
/// `inputToken`.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/cross-chain",
    tag = "support",
    security(("bearer" = [])),
    params(
        ("accountId" = AccountId, Path, description = "The account"),
        ListParameters, AsOf, SupportXchainFilters
    ),
    responses((status = 200, description = "A page of cross-chain transactions", body = Envelope<Vec<XchainRow>>))
)]
pub async fn list_support_xchain(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
    query: ListQuery<SupportXchainRow>,
) -> Result<Envelope<Vec<Value>>> {
    let account = reader.account(&app, id).await?;
    let list = keys::lists::xchain_by_account(account.id);
    let found = xchain::read_xchain(&app.store, &list, &query).await?;
    let page = xchain::answer_xchain(&app.store, Some(account.id), &query, &found).await?;
    reader.record(&app, SupportReadKind::CrossChain, id).await?;
    Ok(page)
}

/// Lists the deposits of an account, newest first. Admins only.
///
/// `runes` is always null: ord is not asked.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/deposits",
    tag = "support",
    security(("bearer" = [])),
    params(
        ("accountId" = AccountId, Path, description = "The account"),
        ListParameters, AsOf, DepositFilters
    ),
    responses((status = 200, description = "A page of deposits", body = Envelope<Vec<DepositRow>>))
)]
pub async fn list_support_deposits(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
    query: ListQuery<DepositRow>,
) -> Result<Envelope<Vec<Value>>> {
    let account = reader.account(&app, id).await?;
    let found = deposits::read_deposits(&app.store, account.id, &query).await?;
    let page = deposits::answer_deposits(&app.store, account.id, &query, &found).await?;
    reader.record(&app, SupportReadKind::Deposits, id).await?;
    Ok(page)
}

/// Lists the signed batches of an account, newest first. Admins only.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/batches",
    tag = "support",
    security(("bearer" = [])),
    params(("accountId" = AccountId, Path, description = "The account"), ListParameters, AsOf),
    responses((status = 200, description = "A page of batches", body = Envelope<Vec<VmTransactionRow>>))
)]
pub async fn list_support_batches(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
    query: ListQuery<SupportBatchRow>,
) -> Result<Envelope<Vec<Value>>> {
    let account = reader.account(&app, id).await?;
    let list = keys::lists::vm_by_account(account.id);
    let found = batches::read_batches(&app.store, &list, &query).await?;
    let page = batches::answer_batches(&app.store, Some(account.id), &query, &found).await?;
    reader.record(&app, SupportReadKind::Batches, id).await?;
    Ok(page)
}

/// Lists the signed refunds of an account, newest first. Admins only.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/refunds",
    tag = "support",
    security(("bearer" = [])),
    params(
        ("accountId" = AccountId, Path, description = "The account"),
        ListParameters, AsOf, TransactionFilters
    ),
    responses((status = 200, description = "A page of refunds", body = Envelope<Vec<TransactionRow>>))
)]
pub async fn list_support_refunds(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
    query: ListQuery<TransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    let account = reader.account(&app, id).await?;
    let page = transactions::list_refunds(&app.store, account.id, &query).await?;
    reader.record(&app, SupportReadKind::Refunds, id).await?;
    Ok(page)
}

/// Lists the exports of an account without links to their files, newest first. Admins only.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/exports",
    tag = "support",
    security(("bearer" = [])),
    params(
        ("accountId" = AccountId, Path, description = "The account"),
        ListParameters, AsOf, DownloadFilters
    ),
    responses((status = 200, description = "A page of exports", body = Envelope<Vec<DownloadHistory>>))
)]
pub async fn list_support_exports(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
    query: ListQuery<DownloadHistory>,
) -> Result<Envelope<Vec<Value>>> {
    let account = reader.account(&app, id).await?;
    let found = exports::read_exports(&app.store, account.id, &query).await?;
    let page = query.answer(&found, |relation, _| match relation {
        WALLET => json!(account.wallet),
        _ => Value::Null,
    })?;
    reader.record(&app, SupportReadKind::Exports, id).await?;
    Ok(page)
}

/// Lists the changes to an account and its sign-ins, newest first. Admins only.
///
/// Failed proofs of identity are counted by hour in `metaData.failedProofs`.
#[utoipa::path(
    get,
    path = "/api/support/accounts/{accountId}/activity",
    tag = "support",
    security(("bearer" = [])),
    params(("accountId" = AccountId, Path, description = "The account"), ListParameters, AsOf),
    responses((status = 200, description = "A page of changes", body = OkWith<Vec<ActivityRow>, ActivityMeta>))
)]
pub async fn list_support_activity(
    State(app): State<App>,
    reader: Reader,
    Segment(id): Segment<AccountId>,
    query: ListQuery<ActivityRow>,
) -> Result<OkWith<Vec<Value>, ActivityMeta>> {
    let account = reader.account(&app, id).await?;
    let page = activity::list_activity(&app, &account, &query).await?;
    reader.record(&app, SupportReadKind::Activity, id).await?;
    Ok(page)
}
