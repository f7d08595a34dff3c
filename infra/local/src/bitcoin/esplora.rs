//! Esplora's API in front of the node. The model ([`bitcoin_model::esplora`]) answers from the chain of the
//! server whose turn it is; broadcasts go to the node.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
};

use axum::{
    Json, Router,
    extract::State,
    middleware::map_response,
    response::{IntoResponse, Response},
    routing::{get, post},
};
use bitcoin_model::{
    chain::Chain,
    esplora::{self, View},
    face::{self, Request},
};
use http::{
    HeaderValue, StatusCode, Uri,
    header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_TYPE},
};
use serde_json::{Value, json};

use super::{
    forwarder::not_there,
    rpc::RpcError,
    state::{Replica, Shared},
};
use crate::base::{failure::Failure, names::NETWORK};

type Face = State<Arc<Shared>>;

/// An answer other than JSON with status 200.
struct Refusal(StatusCode, String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self.0 {
            StatusCode::SERVICE_UNAVAILABLE => not_there(),
            status => (status, self.1).into_response(),
        }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self(StatusCode::INTERNAL_SERVER_ERROR, failure.to_string())
    }
}

type Answer<T> = Result<T, Refusal>;

/// The routes of the API.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/tx", post(broadcast))
        .route("/fee-estimates", get(fee_estimates))
        .route("/v1/fees/recommended", get(recommended_fees))
        .route("/{*path}", get(answer))
        .layer(map_response(readable_by_pages))
        .with_state(shared)
}

/// Pages of any origin may call it, as with the public servers.
async fn readable_by_pages(mut response: Response) -> Response {
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

fn absent() -> Refusal {
    Refusal(StatusCode::SERVICE_UNAVAILABLE, String::new())
}

/// Answers from the chain as the server whose turn it is sees it.
async fn answer(State(shared): Face, uri: Uri) -> Answer<Response> {
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let seen = |chain: &Chain| esplora::answer(&View::new(NETWORK, chain), &Request::get(path));
    let Some(running) = shared.running() else {
        // A malformed request has an answer without a chain.
        let answer = seen(&Chain::default());
        let is_malformed = answer.status == StatusCode::BAD_REQUEST.as_u16();
        return if is_malformed { Ok(response(answer)) } else { Err(absent()) };
    };
    let chain = running.index.read().await?;
    let answer = match shared.next_replica() {
        Replica::Tip => seen(&chain),
        Replica::Behind(blocks) => seen(&chain.clone().behind(blocks)),
        Replica::Fork(blocks) => seen(&chain.clone().forked(blocks)),
        Replica::Boasting(blocks) if path == "/blocks/tip/height" => {
            face::Answer::text(200, chain.height().saturating_add(blocks).to_string())
        }
        Replica::Boasting(_) => seen(&chain),
    };
    Ok(response(answer))
}

fn response(answer: face::Answer) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [(CONTENT_TYPE, answer.content_type)], answer.body).into_response()
}

async fn broadcast(State(shared): Face, hex: String) -> Answer<String> {
    let running = shared.running().ok_or_else(absent)?;
    match running.node.rpc().call("sendrawtransaction", json!([hex.trim()])).await {
        Ok(Value::String(txid)) => Ok(txid),
        Ok(_) => Err(Failure::new("sendrawtransaction returned no transaction id").into()),
        Err(RpcError::Failed(failure)) => Err(failure.into()),
        Err(error) => Err(Refusal(StatusCode::BAD_REQUEST, error.to_string())),
    }
}

async fn fee_estimates(State(shared): Face) -> Answer<Json<BTreeMap<u16, f64>>> {
    shared.running().ok_or_else(absent)?;
    match shared.recommends_fees.load(Ordering::SeqCst) {
        false => Ok(Json(shared.fees())),
        true => Err(Refusal(StatusCode::NOT_FOUND, String::new())),
    }
}

/// The API of mempool.space, which has no `/fee-estimates`.
async fn recommended_fees(State(shared): Face) -> Answer<Json<Value>> {
    shared.running().ok_or_else(absent)?;
    if !shared.recommends_fees.load(Ordering::SeqCst) {
        return Err(Refusal(StatusCode::NOT_FOUND, String::new()));
    }
    let fees = shared.fees();
    let within = |blocks: u16| fees.range(..=blocks).next_back().map(|(_, rate)| *rate);
    Ok(Json(json!({
        "fastestFee": within(1),
        "halfHourFee": within(3),
        "hourFee": within(6),
        "economyFee": within(144),
        "minimumFee": 1,
    })))
}
