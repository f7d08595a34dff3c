//! Exports of histories, requested with idempotency keys again and again.

use serde_json::json;

use super::{Call, Client, Session};
use crate::aws::{dynamodb::text, expression::Row};

/// Asks for an export, repeats the request, and lists the exports.
pub(super) async fn export(client: &mut Client, session: &Session) {
    let kind = ["swap", "withdraw"][usize::try_from(client.below(2)).unwrap_or(0)];
    let body = json!({ "format": "csv", "filter": { "type": kind } });
    let key = client.fresh();
    let call = Call::post("/api/download-histories", body).bearer(&session.access).idempotent(&key);
    let mut made: Option<String> = None;
    for _ in 0..=client.below(4) {
        let answer = client.send(&call).await;
        if answer.status == 201 {
            let id = answer.body["data"]["id"].as_str().unwrap_or_default().to_owned();
            if let Some(first) = made.as_ref().filter(|first| **first != id) {
                client.alarm(format!("S12: the key {key} made the exports {first} and {id}"));
            }
            let own = |row: &Row| text(row, "accountId") == Some(session.account.as_str());
            client.expect_row("an export", &format!("export#{id}"), "export", own);
            made = Some(id);
        }
        client.rest(40_000).await;
    }
    let call = Call::get("/api/download-histories").bearer(&session.access);
    client.send(&call).await;
}
