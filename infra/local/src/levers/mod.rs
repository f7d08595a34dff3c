//! `/_local/*`: the levers of the local world, which exist only here.

mod bitcoin;
mod hooks;
mod lever;
mod venue;

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Query, State, rejection::QueryRejection},
    response::{Html, IntoResponse, Response},
    routing::{any, get, post},
};
use base::clock::Clock;
use chain::models::xchain::{IntentHash, Swap, XchainStatus};
use http::{HeaderMap, StatusCode, header};
use ops::{
    accounts::{OperatorError, set_role},
    tokens,
};
use serde::Deserialize;
use serde_json::{Value, json};
use shared::models::{account::Role, token::Token};

use crate::{
    aws::mailbox,
    base::mood::Mood,
    doubles::{
        hub::{HubStatus, status_json},
        ord_double::{OrdDouble, Output},
    },
    stack::LocalStack,
};
use lever::{Pulled, Refusal, World, read};

/// The routes of the levers.
pub fn router(world: Arc<LocalStack>) -> Router {
    Router::new()
        .route("/_local", get(list))
        .route("/_local/role", post(role))
        .route("/_local/clock", post(clock))
        .route("/_local/tick", post(tick))
        .route("/_local/tokens", post(enter_token))
        .route("/_local/ord", post(ord))
        .route("/_local/hub", post(hub))
        .route("/_local/mail", get(mail))
        .route("/_local/traces/{request}", get(trace))
        .merge(bitcoin::router())
        .merge(hooks::router())
        .merge(venue::router())
        .route("/_local/{*rest}", any(unknown))
        .method_not_allowed_fallback(unknown)
        .with_state(world)
}

async fn list(State(world): World) -> Json<Value> {
    let config = &world.app().config;
    let mut list = json!({
        "world": {
            "network": config.network.to_string(), "treasury": config.treasury.address.to_string(),
            "hub": world.hub().url(),
            "venueInfo": world.venue().info_url(), "venueExchange": world.venue().exchange_url(),
            "venueRpc": world.venue().rpc_url(),
        },
        "POST /_local/role": {
            "body": { "address": "<address or account id>", "role": "admin | user" },
            "does": "sets the role of an account",
        },
        "POST /_local/clock": {
            "body": { "advanceMs": 600_000 },
            "does": "moves the service's clock forward; 0 only returns the time",
        },
        "POST /_local/tick": {
            "body": { "worker": "chain-watcher" },
            "does": "runs a scheduled worker now",
        },
        "POST /_local/tokens": {
            "body": {
                "tokenId": "<id>", "chain": "bitcoin | solana | <EVM chain id>", "symbol": "USDC",
                "divisibility": 6, "slots": ["usdc"],
            },
            "does": "adds a token to the catalogue, or replaces its entry",
        },
        "POST /_local/hub": [
            {
                "body": {
                    "intentTxHash": "0x<64 hex>",
                    "status": "pending | relaying | relayed | solving | filled | failed | refunded",
                    "fillTxHash": "<text>", "failedAtStep": "<text>", "failureReason": "<text>",
                },
                "does": "fixes the hub's state of an intent; the first two fields are required. An intent whose state is not fixed progresses from pending to filled, ten seconds per step",
            },
            {
                "body": { "record": { "intentTxHash": "0x<64 hex>", "…": "as a swap is registered" } },
                "does": "adds an intent to the hub; swaps registered with this service are known to it anyway",
            },
            {
                "body": { "down": false, "delayMs": 0, "malformed": false, "status": 500 },
                "does": "sets the mood of the hub",
            },
        ],
        "GET /_local/traces/<x-request-id>": {
            "does": "returns the spans of a request: what was asked, for how long, how many units; also those of workers that continued it",
        },
        "GET /_local/mail?to=": {
            "does": "returns the sent mails, to one address or to all, as a page or as JSON (by Accept)",
        },
        "POST /_local/hooks/<account id>?status=": {
            "does": "receives webhooks of an account; with status, answers that one",
        },
        "GET /_local/hooks": {
            "does": "returns the webhooks that were received, and whether their signatures hold, as a page or as JSON (by Accept)",
        },
    });
    let more = match world.try_bitcoin() {
        Some(_) => bitcoin::list(),
        None => ord_list(),
    };
    for more in [venue::list(), more] {
        if let (Value::Object(list), Value::Object(more)) = (&mut list, more) {
            list.extend(more);
        }
    }
    Json(list)
}

/// Levers of the stand-in for ord, in a world without a Bitcoin node.
fn ord_list() -> Value {
    json!({
        "POST /_local/ord": [
            {
                "body": {
                    "outpoint": "<txid>:<vout>", "address": "what it pays to",
                    "inscriptions": ["<txid>i<index>"], "runes": {}, "spent": false, "indexed": true,
                    "value": 10_000,
                },
                "does": "sets what ord says of an output; outpoint and address are needed",
            },
            {
                "body": { "down": false, "delayMs": 0, "malformed": false, "status": 500 },
                "does": "sets how ord answers",
            },
        ],
    })
}

async fn unknown() -> Refusal {
    Refusal(StatusCode::NOT_FOUND, "there is no such lever; GET /_local lists them".to_owned())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetRole {
    address: String,
    role: String,
}

async fn role(State(world): World, body: Bytes) -> Pulled {
    let wanted: SetRole = read(&body)?;
    let bad = |error: &str| Refusal(StatusCode::BAD_REQUEST, format!("role {error}"));
    let role: Role = wanted.role.parse().map_err(bad)?;
    let app = world.app();
    let account =
        set_role(&app.store, app.config.network, &wanted.address, role).await.map_err(|error| {
            let status = match error {
                OperatorError::NoSuchAccount => StatusCode::NOT_FOUND,
                OperatorError::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
                _ => StatusCode::CONFLICT,
            };
            Refusal(status, error.to_string())
        })?;
    Ok(Json(json!({ "account": account, "role": role })))
}

async fn enter_token(State(world): World, body: Bytes) -> Pulled {
    let token: Token = read(&body)?;
    let entered = tokens::enter(&world.app().store, &token).await;
    let is_new = entered.map_err(|error| {
        Refusal(StatusCode::INTERNAL_SERVER_ERROR, format!("the token was not written: {error:?}"))
    })?;
    Ok(Json(json!({ "tokenId": token.token_id, "isNew": is_new })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Advance {
    advance_ms: u64,
}

async fn clock(State(world): World, body: Bytes) -> Pulled {
    let wanted: Advance = read(&body)?;
    world.clock().advance(Duration::from_millis(wanted.advance_ms));
    world.save().await?;
    Ok(Json(json!({ "now": world.clock().now(), "aheadMs": world.clock().offset_ms() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tick {
    worker: String,
}

async fn tick(State(world): World, body: Bytes) -> Pulled {
    let Tick { worker } = read(&body)?;
    Ok(Json(json!({ "lookedAt": world.tick(&worker).await? })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mailbox {
    to: Option<String>,
}

async fn mail(
    State(world): World,
    wanted: Result<Query<Mailbox>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let Query(wanted) =
        wanted.map_err(|error| Refusal(StatusCode::BAD_REQUEST, error.body_text()))?;
    let to = wanted.to.as_deref().filter(|to| !to.is_empty());
    let mails = world.try_mailbox(to).await?;
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    Ok(if accept.is_some_and(|accept| accept.contains("application/json")) {
        Json(mails).into_response()
    } else {
        Html(mailbox::page(to, &mails)?).into_response()
    })
}

async fn trace(State(world): World, Path(request): Path<String>) -> Pulled {
    let trace = world.try_collector().and_then(|collector| collector.of_request(&request));
    let missing = "no such request, or so many later ones that it was forgotten".to_owned();
    trace.map(|trace| Json(json!(trace))).ok_or(Refusal(StatusCode::NOT_FOUND, missing))
}

async fn ord(State(world): World, body: Bytes) -> Pulled {
    let double: &OrdDouble = world.try_ord().ok_or_else(|| {
        let text = "ord is the real one here; GET /_local lists the levers of the Bitcoin world";
        Refusal(StatusCode::NOT_FOUND, text.to_owned())
    })?;
    let wanted: Value = read(&body)?;
    if wanted.get("outpoint").is_some() {
        let output: Output = read(&body)?;
        double.set(output.clone());
        Ok(Json(json!(output)))
    } else {
        let mood: Mood = read(&body)?;
        double.be(mood);
        Ok(Json(json!(mood)))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Know {
    record: Swap,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SetIntent {
    intent_tx_hash: IntentHash,
    status: XchainStatus,
    fill_tx_hash: Option<String>,
    failed_at_step: Option<String>,
    failure_reason: Option<String>,
}

async fn hub(State(world): World, body: Bytes) -> Pulled {
    let wanted: Value = read(&body)?;
    if wanted.get("record").is_some() {
        let Know { record } = read(&body)?;
        world.hub().know(record);
        return Ok(Json(wanted));
    }
    if wanted.get("intentTxHash").is_none() {
        let mood: Mood = read(&body)?;
        world.hub().be(mood);
        return Ok(Json(json!(mood)));
    }
    let SetIntent { intent_tx_hash, status, fill_tx_hash, failed_at_step, failure_reason } =
        read(&body)?;
    if status == XchainStatus::Registered {
        let text = "the hub knows no status registered".to_owned();
        return Err(Refusal(StatusCode::BAD_REQUEST, text));
    }
    let status = HubStatus { status, failed_at_step, failure_reason, fill_tx_hash };
    world.hub().set_status(intent_tx_hash, status.clone());
    Ok(Json(status_json(intent_tx_hash, &status)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use shared::keys;

    use super::*;
    use crate::base::{client::Client, server::Server};

    #[tokio::test]
    async fn the_token_lever_fills_the_catalogue() {
        let stack = Arc::new(LocalStack::start().await);
        let server = Server::start(router(stack.clone())).await.unwrap();
        let client = Client::new(server.url());
        let enter = |body: Value| client.post("/_local/tokens").json(&body).send();
        let mut token = json!({
            "tokenId": "0xaf88d065e77c8cc2239327c5edb3a432268e5831", "chain": "42161",
            "symbol": "USDC", "divisibility": 6, "slots": ["usdc"],
        });
        let entered = enter(token.clone()).await.expect(200).body;
        assert_eq!(entered, json!({ "tokenId": token["tokenId"], "isNew": true }));
        token["symbol"] = json!("USDC.e");
        assert_eq!(enter(token.clone()).await.expect(200).body["isNew"], false);
        let id = token["tokenId"].as_str().unwrap().parse().unwrap();
        let stored = stack.app().store.get::<Token>(&keys::token(&id)).await.unwrap().unwrap();
        assert_eq!(json!(stored), token);
        for (field, wrong) in
            [("chain", json!("Bitcoin")), ("tokenId", json!("a b")), ("slots", json!(["none"]))]
        {
            let mut bad = token.clone();
            bad[field] = wrong;
            enter(bad).await.expect(400);
        }
    }

    #[tokio::test]
    async fn the_hub_lever_sets_the_hubs_answers() {
        let stack = Arc::new(LocalStack::start().await);
        let server = Server::start(router(stack.clone())).await.unwrap();
        let (client, hub) = (Client::new(server.url()), Client::new(stack.hub().url()));
        let pull = |body: Value| client.post("/_local/hub").json(&body).send();
        let list = client.get("/_local").send().await.expect(200).body;
        assert!(list["POST /_local/hub"].is_array(), "{list}");

        for (name, url) in [
            ("hub", stack.hub().url().to_owned()),
            ("venueInfo", stack.venue().info_url()),
            ("venueExchange", stack.venue().exchange_url()),
            ("venueRpc", stack.venue().rpc_url().to_owned()),
        ] {
            assert_eq!(list["world"][name], url);
        }

        let record = json!({
            "intentTxHash": format!("0x{}", "cd".repeat(32)),
            "spokeTxHash": format!("0x{}", "ef".repeat(32)),
            "walletAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "inputToken": "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
            "outputToken": "So11111111111111111111111111111111111111112",
            "inputAmount": "100",
            "minOutputAmount": "7",
            "srcChain": 42_161,
            "dstChain": 1,
            "srcAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
            "dstAddress": "So11111111111111111111111111111111111111112",
        });
        let path = format!("/intents/{}", record["intentTxHash"].as_str().unwrap());
        hub.get(path.clone()).send().await.expect(404);
        pull(json!({ "record": record })).await.expect(200);
        let known = hub.get(path).send().await.expect(200).body;
        assert_eq!(known["intentTxHash"], record["intentTxHash"]);
        assert_eq!(known["inputAmount"], "100");

        let hash = format!("0x{}", "ab".repeat(32));
        let filled = json!({ "intentTxHash": hash, "status": "filled", "fillTxHash": "0x1" });
        assert_eq!(pull(filled.clone()).await.expect(200).body, filled);
        let path = format!("/intents/{hash}/status");
        assert_eq!(hub.get(path.clone()).send().await.expect(200).body, filled);
        for wrong in [
            json!({ "intentTxHash": hash }),
            json!({ "intentTxHash": hash, "status": "registered" }),
            json!({ "intentTxHash": hash, "status": "lost" }),
            json!({ "intentTxHash": hash, "status": 500 }),
            json!({ "intentTxHash": hash, "status": "failed", "down": true }),
            json!({ "intentTxHash": "0x1", "status": "failed" }),
            json!({ "status": "failed" }),
            json!({ "record": {} }),
            json!({ "record": record, "status": "failed" }),
            json!({ "down": true, "up": false }),
            json!("down"),
        ] {
            client.post("/_local/hub").json(&wrong).send().await.expect(400);
        }
        assert_eq!(hub.get(path.clone()).send().await.expect(200).body, filled);

        let mood = json!({ "down": false, "delayMs": 0, "malformed": false, "status": 500 });
        assert_eq!(pull(mood.clone()).await.expect(200).body, mood);
        hub.get(path.clone()).send().await.expect(500);
        pull(json!({})).await.expect(200);
        hub.get(path).send().await.expect(200);
    }
}
