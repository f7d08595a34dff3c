//! A receiver of webhooks: shows the requests that arrived, and whether their signatures are valid. It
//! confirms each URL that an account's own webhook asks it to confirm.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use askama::Template;
use axum::{
    Extension, Json, Router,
    body::Bytes,
    extract::{Path, Query, State, rejection::QueryRejection},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use base::clock::{Clock, Timestamp};
use http::{HeaderMap, StatusCode, header};
use outbox::webhooks::{self, signing};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::models::account::AccountId;

use super::lever::{Refusal, World};
use crate::{
    base::failure::{Context, Failure},
    stack::LocalStack,
};

/// Requests that are kept.
const MOST: usize = 200;
/// How old a request may be, in seconds (Standard Webhooks leaves it to the receiver).
const TOLERANCE: i64 = 5 * 60;

/// A request that arrived.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReceivedHook {
    /// When, by the service's clock.
    at: Timestamp,
    account: AccountId,
    /// The `webhook-id`.
    id: String,
    /// The `webhook-timestamp`.
    timestamp: String,
    /// The `webhook-signature`.
    signature: String,
    /// How many of its signatures are valid.
    valid_signatures: usize,
    /// The status of the answer.
    status: u16,
    body: String,
}

impl ReceivedHook {
    fn verdict(&self) -> String {
        match self.valid_signatures {
            0 => "No signature holds".to_owned(),
            1 => "The signature holds".to_owned(),
            more => format!("{more} signatures hold"),
        }
    }
}

type Log = Arc<Mutex<VecDeque<ReceivedHook>>>;

pub(super) fn router() -> Router<Arc<LocalStack>> {
    Router::new()
        .route("/_local/hooks", get(show))
        .route("/_local/hooks/{account}", post(receive))
        .layer(Extension(Log::default()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    status: Option<u16>,
}

async fn receive(
    State(world): World,
    Extension(log): Extension<Log>,
    Path(account): Path<String>,
    wanted: Result<Query<Wanted>, QueryRejection>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let bad = |error: String| Refusal(StatusCode::BAD_REQUEST, error);
    let Query(wanted) = wanted.map_err(|error| bad(error.body_text()))?;
    let account: AccountId = account.parse().map_err(|error| bad(format!("account {error}")))?;
    let status = StatusCode::from_u16(wanted.status.unwrap_or(204));
    let status = status.map_err(|error| bad(error.to_string()))?;
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let [id, timestamp, signature] =
        [signing::ID, signing::TIMESTAMP, signing::SIGNATURE].map(|name| text(name).to_owned());
    let valid_signatures = valid(&world, account, (&id, &timestamp, &signature), &body).await?;
    let challenge = challenge(&body).filter(|_| valid_signatures > 0);
    let status = if challenge.is_some() { StatusCode::OK } else { status };
    let hook = ReceivedHook {
        at: world.clock().now(),
        account,
        id,
        timestamp,
        signature,
        valid_signatures,
        status: status.as_u16(),
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.push_back(hook);
    if log.len() > MOST {
        log.pop_front();
    }
    Ok(match challenge {
        Some(challenge) => Json(json!({ "challenge": challenge })).into_response(),
        None => status.into_response(),
    })
}

/// The challenge of a verification.
fn challenge(body: &[u8]) -> Option<String> {
    let event = serde_json::from_slice::<Value>(body).ok()?;
    let is_verification = event.get("type")?.as_str()? == "webhook.verification";
    let challenge = event.get("data")?.get("challenge")?.as_str()?;
    is_verification.then(|| challenge.to_owned())
}

/// How many signatures are by a secret of one of the account's webhooks.
async fn valid(
    world: &LocalStack,
    account: AccountId,
    (id, seconds, signatures): (&str, &str, &str),
    body: &[u8],
) -> Result<usize, Failure> {
    let now = world.clock().now();
    let Ok(seconds) = seconds.parse::<i64>() else { return Ok(0) };
    if seconds.saturating_sub(now.past_seconds()).saturating_abs() > TOLERANCE {
        return Ok(0);
    }
    let app = world.app();
    let mut known = Vec::new();
    let webhooks = webhooks::of_account(&app.store, account).await.context("webhooks")?;
    for webhook in webhooks {
        let secrets =
            webhook.secrets(&app.identity.webhook_vault, now).await.context("a secret")?;
        let signed = signing::sign(&secrets, id, seconds, body);
        known.extend(signed.split(' ').map(str::to_owned));
    }
    Ok(signatures.split(' ').filter(|one| known.iter().any(|known| known == one)).count())
}

#[derive(Template)]
#[template(path = "hooks.html")]
struct Page<'a> {
    received: &'a [ReceivedHook],
}

async fn show(Extension(log): Extension<Log>, headers: HeaderMap) -> Result<Response, Refusal> {
    let received: Vec<_> = {
        let log = log.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().cloned().collect()
    };
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    Ok(if accept.is_some_and(|accept| accept.contains("application/json")) {
        Json(received).into_response()
    } else {
        let page = Page { received: &received }.render().context("the page of webhooks")?;
        Html(page).into_response()
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use shared::{
        events::EventWrites,
        keys::EventList,
        models::event::{EventType, StateChange},
    };
    use store::Writes;

    use super::*;
    use crate::{
        base::{client::Client, server::Server},
        levers,
        users::wallets::{Wallet, sign_in},
    };

    #[tokio::test]
    async fn the_receiver_shows_what_arrived_and_checks_signatures() {
        let stack = Arc::new(LocalStack::start().await);
        let server = Server::start(levers::router(stack.clone())).await.unwrap();
        let levers = Client::new(server.url());
        let client = stack.serve((auth::routes(), account::routes())).await;
        let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
        let url = format!("{}/_local/hooks/{}", server.url(), user.account);
        let body = json!({ "url": url });
        let added =
            client.post("/api/webhooks").bearer(&user.access_token).json(&body).send().await;
        added.expect(201);
        let list = EventList::of_account(user.account.parse().unwrap());
        let change = StateChange::of_state(EventType::Refund, "ab", None, "signed");
        stack.app().store.commit(Writes::<()>::new().tell(list, change)).await.unwrap();
        stack.tell_webhooks().await;

        let shown = levers.get("/_local/hooks").header("accept", "application/json");
        let shown = shown.send().await.expect(200).body;
        assert_eq!(shown.as_array().map(Vec::len), Some(2), "{shown}");
        let verification: Value = serde_json::from_str(shown[0]["body"].as_str().unwrap()).unwrap();
        assert_eq!(verification["type"], "webhook.verification");
        let shown = json!([shown[1]]);
        assert_eq!(shown[0]["validSignatures"], 1);
        assert!(shown[0]["timestamp"].as_str().unwrap().parse::<i64>().is_ok(), "{shown}");
        assert!(shown[0]["signature"].as_str().unwrap().starts_with("v1,"), "{shown}");
        let event: Value = serde_json::from_str(shown[0]["body"].as_str().unwrap()).unwrap();
        assert_eq!((&event["id"], &event["sequence"]), (&shown[0]["id"], &json!(1)));
        let page = levers.get("/_local/hooks").header("accept", "text/html");
        let page = page.send().await.expect(200);
        assert!(page.text.contains("The signature holds"), "{}", page.text);

        // Forged requests: one that asks for another answer, and one that asks to confirm a URL.
        let path = format!("/_local/hooks/{}", user.account);
        let forged = levers.post(format!("{path}?status=503")).json(&event);
        let forged = forged.header("webhook-id", "x").header("webhook-timestamp", "1");
        forged.header("webhook-signature", "v1,AAAA").send().await.expect(503);
        let forged = levers.post(&path).json(&verification).header("webhook-id", "x");
        let forged = forged.header("webhook-timestamp", "1").header("webhook-signature", "v1,AAAA");
        assert_eq!(forged.send().await.expect(204).text, "");
        let page = levers.get("/_local/hooks").header("accept", "text/html");
        let page = page.send().await.expect(200);
        assert!(page.text.contains("No signature holds"), "{}", page.text);
        levers.post("/_local/hooks/nobody").json(&event).send().await.expect(400);
    }
}
