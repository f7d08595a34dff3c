//! The audit trail of an account.

use base::clock::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use shared::{
    core::Core,
    http::{
        ListQuery, OkWith, Result,
        list::{Field, Resource},
        relations::WALLET,
    },
    keys,
    models::{account::Account, change::AccountChange, session::SessionId},
};
use store::{StoreError, lists::Member};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    activity::Entry,
    failed_proofs::{self, FailedProofs},
};

/// A change to the account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityRow {
    /// Entry id.
    id: Uuid,
    /// What changed.
    change: AccountChange,
    /// When, ms since the epoch.
    created_at: Timestamp,
    /// Id of the request that made the change; `operator` for an operator's command.
    request_id: String,
    /// The session in which the change was made.
    session_id: Option<SessionId>,
    /// Keyed hash of the source address. Equal hashes mean equal addresses.
    source_hash: Option<String>,
}

impl Resource for ActivityRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("change"),
        Field::visible("createdAt"),
        Field::visible("requestId"),
        Field::visible("sessionId"),
        Field::visible("sourceHash"),
    ];
}

impl From<Entry> for ActivityRow {
    fn from(entry: Entry) -> Self {
        let Entry { id, change, created_at, request_id, session_id, source_hash } = entry;
        Self { id, change, created_at, request_id, session_id, source_hash }
    }
}

/// The failed proofs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActivityMeta {
    /// Failed proofs of identity by hour, newest first; at most 100 hours of the last 90 days.
    failed_proofs: Vec<FailedProofs>,
}

/// A page of an account's audit trail, and its failed proofs of identity.
///
/// # Errors
/// As [`ListQuery::read`].
pub async fn list_activity(
    app: &Core,
    account: &Account,
    query: &ListQuery<ActivityRow>,
) -> Result<OkWith<Vec<Value>, ActivityMeta>> {
    let load = async |members: Vec<Member<Entry>>| {
        let rows = members.into_iter().map(|member| ActivityRow::from(member.value));
        Ok::<_, StoreError>(rows.collect())
    };
    let (list, id) = (keys::lists::activity(account.id), account.id);
    let (found, failed) =
        tokio::join!(query.read(&app.store, &list, load), failed_proofs::newest(app, id));
    let (rows, page) = query
        .answer(&found?, |relation, _| match relation {
            WALLET => json!(account.wallet),
            _ => Value::Null,
        })?
        .into_parts();
    Ok(OkWith::at(rows, page, ActivityMeta { failed_proofs: failed? }))
}
