//! `GET /api/download-histories`.

use axum::extract::State;
use serde_json::Value;
use shared::{
    exports::Export,
    http::{
        Caller, Envelope, ListQuery, Result,
        list::ListParameters,
        relations::{WALLET, wallet_of},
    },
    models::export::ExportId,
    store::{Key, keys::List, lists::Member},
};

use crate::{app::App, record::DownloadHistory};

/// The caller's exports, newest first.
#[utoipa::path(
    get,
    path = "/api/download-histories",
    tag = "download-histories",
    security(("bearer" = [])),
    params(ListParameters),
    responses((
        status = 200,
        description = "A page of exports",
        body = Envelope<Vec<DownloadHistory>>
    ))
)]
pub async fn list_download_histories(
    State(app): State<App>,
    caller: Caller,
    query: ListQuery<DownloadHistory>,
) -> Result<Envelope<Vec<Value>>> {
    let now = app.clock.now();
    let load = async |members: Vec<Member<ExportId>>| {
        let keys: Vec<_> = members.into_iter().map(|member| Key::export(member.value)).collect();
        let exports = app.store.get_many::<Export>(&keys).await?.into_iter().flatten();
        // Custody rule 13: the list belongs to the account, and so must every row.
        let own = exports.filter(|export| export.account_id == caller.account);
        Ok(own.map(|export| DownloadHistory::of(&export, now)).collect())
    };
    let mut found = query.read(&app.store, &List::exports(caller.account), load).await?;
    for row in &mut found.rows {
        row.link(&app.export_files, now).await?;
    }
    let wallet = if query.populates(WALLET) {
        wallet_of(&app.store, caller.account).await?
    } else {
        Value::Null
    };
    query.answer(&found, |relation, _| match relation {
        WALLET => wallet.clone(),
        _ => Value::Null,
    })
}
