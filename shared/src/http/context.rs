//! What is known of a request before its handler runs.

use std::{
    fmt,
    net::IpAddr,
    sync::{Arc, OnceLock},
};

use http::Extensions;
use lambda_http::request::RequestContext as LambdaContext;

use crate::models::account::AccountId;

/// The request's id, its source, and who made it once that is known.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// In the log line, in the header `x-request-id`, and in the body of an error.
    pub request_id: Arc<str>,
    /// As the gateway saw it; no header can change it.
    pub source_ip: Option<IpAddr>,
    account: Arc<OnceLock<AccountId>>,
}

/// The address of a client that calls without a gateway in between.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);

impl RequestContext {
    /// Reads what the gateway says; `fresh_id` makes an id where there is no gateway.
    pub fn of(extensions: &Extensions, fresh_id: impl FnOnce() -> String) -> Self {
        let (request_id, source_ip) = match extensions.get::<LambdaContext>() {
            Some(LambdaContext::ApiGatewayV2(gateway)) => {
                let ip = gateway.http.source_ip.as_deref().and_then(|ip| ip.parse().ok());
                (gateway.request_id.clone(), ip)
            }
            _ => (None, extensions.get::<PeerAddress>().map(|peer| peer.0)),
        };
        let request_id = request_id.unwrap_or_else(fresh_id).into();
        Self { request_id, source_ip, account: Arc::default() }
    }

    /// Notes who makes the request, for the log line.
    pub(super) fn identify(&self, account: AccountId) {
        // Two extractors of one request read the same token.
        let _ = self.account.set(account);
    }

    /// Who makes the request, for the log line.
    pub(super) fn account(&self) -> impl fmt::Display + use<> {
        self.account.get().map_or_else(String::new, ToString::to_string)
    }
}
