//! `GET /api/support/reads`.

use std::collections::BTreeSet;

use axum::extract::State;
use serde::Serialize;
use shared::{
    http::{Error, Fields, Input, OkWith, Query, Result},
    keys,
    models::account::AccountId,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    reader::{ReadId, Reader, SupportRead, SupportReadKind},
};

/// The most entries in an answer.
const MOST: u32 = 100;

/// Query of the record of reads.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct ReadsQuery {
    /// Who has read the data of this account. Give this or `adminId`.
    #[param(value_type = Option<AccountId>)]
    account_id: Option<AccountId>,
    /// What this admin has read.
    #[param(value_type = Option<AccountId>)]
    admin_id: Option<AccountId>,
    /// Only entries before the one with this id: `metaData.next` of the previous response.
    #[param(value_type = Option<ReadId>)]
    before: Option<ReadId>,
    /// The maximum number of entries in the response; 20 by default.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    limit: u32,
}

impl Input for ReadsQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let account_id = fields.optional_parsed("accountId", 36);
        let admin_id = fields.optional_parsed("adminId", 36);
        let before = fields.optional_parsed("before", 32);
        let limit = fields.optional_parsed("limit", 10);
        let limit = fields.in_range("limit", limit, 1..=MOST);
        Some(Self {
            account_id: account_id?,
            admin_id: admin_id?,
            before: before?,
            limit: limit?.unwrap_or(20),
        })
    }
}

/// The position in the record at which a response ends.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadsMeta {
    /// Send it as `before` in the next request; null at the end of the record.
    #[schema(required = true)]
    next: Option<ReadId>,
}

/// Lists the reads of an account or by an admin, newest first. Admins only.
#[utoipa::path(
    get,
    path = "/api/support/reads",
    tag = "support",
    security(("bearer" = [])),
    params(ReadsQuery),
    responses((status = 200, description = "Reads", body = OkWith<Vec<SupportRead>, ReadsMeta>))
)]
pub async fn list_support_reads(
    State(app): State<App>,
    reader: Reader,
    Query(query): Query<ReadsQuery>,
) -> Result<OkWith<Vec<SupportRead>, ReadsMeta>> {
    let (subject, is_admin) = match (query.account_id, query.admin_id) {
        (Some(account), None) => (account, false),
        (None, Some(admin)) => (admin, true),
        _ => return Err(Error::field("accountId", "give either accountId or adminId")),
    };
    let key = |place: &str| match is_admin {
        true => keys::read_by(subject, place),
        false => keys::read_of(subject, place),
    };
    let before = query.before.as_ref().map(ToString::to_string);
    let (low, high) = (key("0"), key(before.as_deref().unwrap_or("~")));
    let limit = usize::try_from(query.limit).unwrap_or(usize::MAX);
    // The range includes its end.
    let found = app.store.range::<SupportRead>((&low, &high), false, Some(limit.saturating_add(1)));
    let mut reads = found.await?;
    reads.retain(|read| Some(&read.id) != query.before.as_ref());
    reads.truncate(limit);
    let next = reads.last().filter(|_| reads.len() >= limit).map(|read| read.id.clone());
    let accounts = BTreeSet::from([subject]);
    reader.record_with(&app, SupportReadKind::Reads, accounts, None).await?;
    Ok(OkWith::all(reads, ReadsMeta { next }))
}
