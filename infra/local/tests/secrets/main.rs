//! What is secret stays so: in the log, in answers to others, and at rest.
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

use std::collections::BTreeSet;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::watch::{Kind, Seen};

/// What was seen on one journey through every endpoint, for all tests.
async fn seen() -> &'static Seen {
    static SEEN: OnceCell<Seen> = OnceCell::const_new();
    SEEN.get_or_init(journey::all_endpoints).await
}

/// The routes of both functions. Those below `/api/auth` are those below `/auth` once more.
fn routes() -> BTreeSet<(String, String)> {
    let routes = auth::routes().merge(account::routes());
    let name = |route: &shared::http::routes::Route| {
        (route.method.to_string(), route.path.clone().into_owned())
    };
    routes.table().iter().map(name).filter(|(_, path)| !path.starts_with("/api/auth/")).collect()
}

/// A new endpoint is to be added to the journey.
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

/// Its owner is told a secret by the endpoints that are for it; anybody else is told it by none.
#[tokio::test]
async fn secrets_are_told_to_their_owners_alone() {
    let seen = seen().await;
    for exchange in &seen.exchanges {
        for secret in seen.secrets_in(&exchange.answer) {
            let route = exchange.route.as_str();
            let may = if secret.of == exchange.to {
                secret.kind.told_by().is_none_or(|routes| routes.contains(&route))
            } else {
                let listed = exchange.to == "admin" && route == "/api/account";
                match secret.kind {
                    // Whoever knows the address may begin to prove the password.
                    Kind::Salt => route == "/auth/srp/init",
                    // An address that was given up may be registered anew, with what goes with it.
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
async fn secrets_are_not_stored_as_they_are() {
    let seen = seen().await;
    for row in &seen.rows {
        let found = seen.secrets_in(row).find(|secret| !secret.kind.is_stored_as_it_is());
        assert!(found.is_none(), "{found:?} is stored: {row}");
    }
    // The search would find them.
    let salts = seen.rows.iter().flat_map(|row| seen.secrets_in(row));
    assert!(salts.filter(|secret| secret.kind == Kind::Salt).count() > 0);
}

/// The service's half of a handshake is encrypted; the rest of the row is what the client knows.
#[tokio::test]
async fn handshakes_are_stored_sealed() {
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
