//! Calls to the connections that API Gateway holds. The requests are built here and signed by `aws-sigv4`,
//! because only two calls are needed and a push sends thousands of them.

use std::{fmt, sync::Arc, time::Duration};

use base::{
    aws::{AwsConfig, sign},
    clock::Clock,
    outbound::{Call, Outbound, OutboundError, Party},
};
use bytes::Bytes;
use http::{Method, StatusCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use shared::core::Core;

use super::SocketConfig;

/// The management API of the gateway of sockets, as spans name it.
const GATEWAY: Party = Party::new("API Gateway");

/// How long the gateway may take to accept a message. A client that reads slowly makes it wait, and misses
/// the message.
const LIMIT: Duration = Duration::from_secs(2);

/// The outcome of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posted {
    /// The gateway accepted the message.
    Sent,
    /// The connection no longer exists.
    Gone,
}

/// The connections of a WebSocket API.
#[derive(Clone)]
pub struct Connections {
    aws: Arc<AwsConfig>,
    outbound: Outbound,
    clock: Arc<dyn Clock>,
    base: String,
}

impl fmt::Debug for Connections {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connections").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Connections {
    /// The connections of the API that clients reach at the URL of the settings; connects only to send.
    pub fn new(core: &Core, config: &SocketConfig) -> Self {
        let base = base(&config.url, core.aws.sockets_endpoint.as_deref());
        let (aws, outbound, clock) = (core.aws.clone(), core.outbound.clone(), core.clock.clone());
        Self { aws, outbound, clock, base }
    }

    /// Sends a text to a client.
    ///
    /// # Errors
    /// [`OutboundError`]: the message may have arrived all the same.
    pub async fn post(&self, socket: &str, text: Bytes) -> Result<Posted, OutboundError> {
        let call = Call::new(GATEWAY, "PostToConnection");
        self.call(call, Method::POST, socket, text).await
    }

    /// Closes a connection.
    pub async fn close(&self, socket: &str) -> Result<Posted, OutboundError> {
        let call = Call::new(GATEWAY, "DeleteConnection");
        self.call(call, Method::DELETE, socket, Bytes::new()).await
    }

    async fn call(
        &self,
        call: Call,
        method: Method,
        socket: &str,
        body: Bytes,
    ) -> Result<Posted, OutboundError> {
        let malformed = |error: &dyn fmt::Display| OutboundError::Malformed(error.to_string());
        let socket = utf8_percent_encode(socket, NON_ALPHANUMERIC);
        let mut request = http::Request::builder()
            .method(method)
            .uri(format!("{}/@connections/{socket}", self.base))
            .body(body)
            .map_err(|error| malformed(&error))?;
        sign(&self.aws, "execute-api", self.clock.now(), &mut request)
            .map_err(|error| malformed(&error))?;
        let answer = self.outbound.send(call, request, LIMIT).await?;
        match answer.status() {
            StatusCode::GONE => Ok(Posted::Gone),
            status if status.is_success() => Ok(Posted::Sent),
            status => Err(OutboundError::Status(status.as_u16())),
        }
    }
}

/// The base URL of the calls: the clients' address over HTTPS, or another address followed by the API's id
/// and stage.
fn base(url: &str, endpoint: Option<&str>) -> String {
    let url = url.trim_end_matches('/');
    let (scheme, rest) = url.split_once("://").unwrap_or(("wss", url));
    match endpoint {
        Some(endpoint) => {
            let (host, stage) = rest.split_once('/').unwrap_or((rest, ""));
            let id = host.split('.').next().unwrap_or(host);
            format!("{}/{id}/{stage}", endpoint.trim_end_matches('/'))
        }
        None if scheme == "ws" => format!("http://{rest}"),
        None => format!("https://{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_where_clients_are_but_for_another_endpoint() {
        let url = "wss://abc123.execute-api.eu-central-1.amazonaws.com/live";
        for (url, endpoint, expected) in [
            (url, None, "https://abc123.execute-api.eu-central-1.amazonaws.com/live"),
            (url, Some("http://127.0.0.1:9/x/"), "http://127.0.0.1:9/x/abc123/live"),
            ("ws://127.0.0.1:9000/socket", None, "http://127.0.0.1:9000/socket"),
        ] {
            assert_eq!(base(url, endpoint), expected);
        }
    }
}
