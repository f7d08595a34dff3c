//! A proxy in front of ord. Its address is known before ord starts, and it lets ord catch up with the node before it
//! forwards a request, unless a test lets ord lag.

use std::sync::{Arc, atomic::Ordering};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};

use super::state::Shared;
use crate::base::patience::HANG_LIMIT;

/// Maximum request body in bytes: axum's limit for JSON, which ord uses.
const LONGEST_REQUEST: usize = 2 * 1024 * 1024;

#[derive(Clone)]
struct Forwarder {
    shared: Arc<Shared>,
    http: Client<HttpConnector, Body>,
}

/// Forwards every request to ord.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    let http = Client::builder(TokioExecutor::new()).build_http();
    Router::new().fallback(forward).with_state(Forwarder { shared, http })
}

/// The 503 of a program that has not started.
pub(super) fn not_there() -> Response {
    let text = "the Bitcoin world has not started yet";
    (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "15")], text).into_response()
}

async fn forward(State(forwarder): State<Forwarder>, request: Request) -> Response {
    let Some(running) = forwarder.shared.running() else {
        return not_there();
    };
    // Held until the answer, so that ord is not restarted in between.
    let ord = running.ord.read().await;
    let lags = forwarder.shared.lags.load(Ordering::SeqCst);
    if !lags && ord.catch_up(&running.node, HANG_LIMIT).await.is_err() {
        return not_there();
    }
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    let Ok(uri) = format!("{}{path}", ord.url()).parse() else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let (head, body) = request.into_parts();
    let Ok(body) = to_bytes(body, LONGEST_REQUEST).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    if forwarder.shared.fails_on(&format!("{path} {}", String::from_utf8_lossy(&body))) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let mut request = Request::from_parts(head, Body::from(body));
    *request.uri_mut() = uri;
    request.headers_mut().remove(header::HOST);
    match forwarder.http.request(request).await {
        Ok(answer) => answer.map(Body::new).into_response(),
        Err(error) => (StatusCode::BAD_GATEWAY, error.to_string()).into_response(),
    }
}
