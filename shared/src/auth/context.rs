//! What is known about a request before its handler runs.

use std::{
    fmt,
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use axum::extract::MatchedPath;
use http::{Extensions, HeaderMap};
use lambda_http::request::RequestContext as LambdaContext;

use crate::{auth::device_token::DeviceToken, models::account::AccountId};

/// The request's id and source, and later its route and account.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// Appears in the log line, in the header `x-request-id` and in error bodies.
    pub request_id: Arc<str>,
    /// As seen by the gateway; no header can change it.
    pub source_ip: Option<IpAddr>,
    /// The device token that the client sent; not yet matched to an account.
    pub device: Option<DeviceToken>,
    known: Arc<Known>,
}

/// What becomes known before the handler runs.
#[derive(Debug, Default)]
struct Known {
    route: OnceLock<MatchedPath>,
    account: OnceLock<AccountId>,
}

/// The address of a client that connects without a gateway.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);

impl RequestContext {
    /// Reads what the gateway reports. Without a gateway, `fresh_id` makes the id.
    pub fn from_gateway(
        extensions: &Extensions,
        headers: &HeaderMap,
        fresh_id: impl FnOnce() -> String,
    ) -> Self {
        let (request_id, source_ip) = match extensions.get::<LambdaContext>() {
            Some(LambdaContext::ApiGatewayV2(gateway)) => {
                let ip = gateway.http.source_ip.as_deref().and_then(|ip| ip.parse().ok());
                (gateway.request_id.clone(), ip)
            }
            _ => (None, extensions.get::<PeerAddress>().map(|peer| peer.0)),
        };
        let request_id = request_id.unwrap_or_else(fresh_id).into();
        let device = DeviceToken::read(headers);
        Self { request_id, source_ip, device, known: Arc::default() }
    }

    /// Sets the request's route, for the log line.
    pub(crate) fn set_route(&self, route: MatchedPath) {
        // A request has one route, so this is set once.
        let _ = self.known.route.set(route);
    }

    /// The route of the request, for the log line: its path with variable segments in braces.
    pub(crate) fn route(&self) -> &str {
        self.known.route.get().map_or("", MatchedPath::as_str)
    }

    /// Sets the account that makes the request, for the log line.
    pub(crate) fn identify(&self, account: AccountId) {
        // Several extractors of one request may read the same token.
        let _ = self.known.account.set(account);
    }

    /// The account that makes the request, for the log line.
    pub(crate) fn account(&self) -> impl fmt::Display + use<> {
        self.known.account.get().map_or_else(String::new, ToString::to_string)
    }
}
