//! Secrets stay secret: in the log, in answers to others, and at rest.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod journey;
mod signer;
mod vault;
mod watch;

use local::app::Served as _;
use std::collections::BTreeSet;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::watch::{Kind, Seen};

/// The observations of one journey through every endpoint, shared by all tests.
async fn seen() -> &'static Seen {
    static SEEN: OnceCell<Seen> = OnceCell::const_new();
    SEEN.get_or_init(journey::all_endpoints).await
}

/// The routes of both functions; those below `/api/auth` repeat those below `/auth`.
fn routes() -> BTreeSet<(String, String)> {
    let routes = (auth::routes(), account::routes());
    let name = |route: &shared::http::routes::Route| {
        (route.method.to_string(), route.path.clone().into_owned())
    };
    routes.list().iter().map(name).filter(|(_, path)| !path.starts_with("/api/auth/")).collect()
}

/// A new endpoint must be added to the journey.
#[tokio::test]
async fn every_endpoint_was_called_and_served() {
    let seen = seen().await;
    let served = seen.exchanges.iter().filter(|exchange| exchange.status < 300);
    let served: BTreeSet<_> =
        served.map(|exchange| (exchange.method.to_string(), exchange.route.clone())).collect();
    let missed: Vec<_> = routes().difference(&served).cloned().collect();
    assert!(missed.is_empty(), "not on the journey: {missed:?}");
    for kind in Kind::ALL {
        assert!(seen.secrets.iter().any(|secret| secret.kind == kind), "none came up: {kind:?}");
    }
    let failed: Vec<_> = seen.exchanges.iter().filter(|exchange| exchange.status >= 500).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test]
async fn nothing_secret_is_logged() {
    let seen = seen().await;
    for (_, route) in routes() {
        assert!(seen.log.contains(&format!(r#""route":"{route}""#)), "{route} logged nothing");
    }
    assert!(seen.log.contains(r#""target":"mail_worker""#), "the worker logged nothing");
    if let Some(secret) = seen.secrets_in(&seen.log).next() {
        let lines: Vec<_> = seen.log.lines().filter(|line| secret.is_in(line)).collect();
        panic!("{secret:?} is logged: {lines:?}");
    }
}

/// Endpoints that exist for a secret return it to its owner; no endpoint returns it to anyone else.
#[tokio::test]
async fn secrets_are_returned_to_their_owners_only() {
    let seen = seen().await;
    for exchange in &seen.exchanges {
        for secret in seen.secrets_in(&exchange.answer) {
            let route = exchange.route.as_str();
            let may = if secret.of == exchange.to {
                secret.kind.returned_by().is_none_or(|routes| routes.contains(&route))
            } else {
                let listed = exchange.to == "admin" && route == "/api/account";
                match secret.kind {
                    // Anyone who knows the address may start a password proof.
                    Kind::Salt => route == "/auth/srp/init",
                    // A released address may be registered again, with the data of that registration.
                    Kind::Email | Kind::PasswordHint => {
                        exchange.repeats(secret) || (listed && secret.kind == Kind::Email)
                    }
                    _ => false,
                }
            };
            assert!(may, "{secret:?} is told in {exchange:#?}");
        }
    }
}

#[tokio::test]
async fn secrets_are_not_stored_in_plain_text() {
    let seen = seen().await;
    for row in &seen.rows {
        let found = seen.secrets_in(row).find(|secret| !secret.kind.is_stored_in_plain_text());
        assert!(found.is_none(), "{found:?} is stored in plain text: {row}");
    }
    // A check that the search would find plain text.
    let salts = seen.rows.iter().flat_map(|row| seen.secrets_in(row));
    assert!(salts.filter(|secret| secret.kind == Kind::Salt).count() > 0);
}

/// The service's half of a handshake is encrypted; the client knows the rest of the row.
#[tokio::test]
async fn handshakes_are_stored_encrypted() {
    let rows: Vec<Value> =
        seen().await.rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    let states: Vec<_> = rows.iter().filter_map(|row| row.pointer("/state/M/srp/M")).collect();
    assert!(states.len() > 3, "{states:?}");
    for state in states {
        let names: Vec<_> = state.as_object().unwrap().keys().collect();
        let known = [
            "accountId",
            "ephemeral",
            "group",
            "identity",
            "name",
            "purpose",
            "salt",
            "serverPublic",
        ];
        assert_eq!(names, known);
        let sealed = state["ephemeral"]["S"].as_str().unwrap();
        let (kid, text) = sealed.split_once('.').unwrap();
        let key = json!({ "S": format!("dataKey#{kid}") });
        assert!(rows.iter().any(|row| row["pk"] == key), "no data key {kid}");
        // Nonce, 32 bytes, tag.
        assert_eq!(BASE64_STANDARD.decode(text).unwrap().len(), 12 + 32 + 16);
    }
}
