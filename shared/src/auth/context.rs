//! What is known of a request before its handler runs.

use std::{
    fmt,
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use axum::extract::MatchedPath;
use http::{Extensions, HeaderMap};
use lambda_http::request::RequestContext as LambdaContext;

use crate::{auth::device::DeviceToken, models::account::AccountId};

/// The request's id, its source, and, once they are known, its route and who made it.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// In the log line, in the header `x-request-id`, and in the body of an error.
    pub request_id: Arc<str>,
    /// As the gateway saw it; no header can change it.
    pub source_ip: Option<IpAddr>,
    /// The device that it says to come from.
    pub device: Option<DeviceToken>,
    known: Arc<Known>,
}

/// What becomes known on the way to the handler.
#[derive(Debug, Default)]
struct Known {
    route: OnceLock<MatchedPath>,
    account: OnceLock<AccountId>,
}

/// The address of a client that calls without a gateway in between.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);

impl RequestContext {
    /// Reads what the gateway says; `fresh_id` makes an id where there is no gateway.
    pub fn of(
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

    /// Notes which route the request takes, for the log line.
    pub(crate) fn takes(&self, route: MatchedPath) {
        // A request has one: it is set once.
        let _ = self.known.route.set(route);
    }

    /// The route that the request takes, for the log line: its path, variable segments in braces.
    pub(crate) fn route(&self) -> &str {
        self.known.route.get().map_or("", MatchedPath::as_str)
    }

    /// Notes who makes the request, for the log line.
    pub(crate) fn identify(&self, account: AccountId) {
        // Two extractors of one request read the same token.
        let _ = self.known.account.set(account);
    }

    /// Who makes the request, for the log line.
    pub(crate) fn account(&self) -> impl fmt::Display + use<> {
        self.known.account.get().map_or_else(String::new, ToString::to_string)
    }
}
