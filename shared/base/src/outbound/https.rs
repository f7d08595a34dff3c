//! The wire of every deployment: hyper over rustls, with connections that are kept.

use std::time::Duration;

use aws_smithy_types::body::SdkBody;
use futures_util::FutureExt;
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect},
    rt::{TokioExecutor, TokioTimer},
};

use super::wire::{Sending, Wire, WireError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// HTTP/1.1 over TLS or TCP. Cloning it is cheap; clones share the connections.
#[derive(Clone, Debug)]
pub struct Https {
    client: Client<HttpsConnector<connect::HttpConnector>, SdkBody>,
}

impl Default for Https {
    fn default() -> Self {
        Self::new()
    }
}

impl Https {
    /// Makes the client; connects nowhere yet.
    pub fn new() -> Self {
        let mut tcp = connect::HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        tcp.set_nodelay(true);
        let https = hyper_rustls::HttpsConnectorBuilder::new()
            .with_webpki_roots()
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(20))
            .pool_timer(TokioTimer::new())
            .build(https);
        Self { client }
    }
}

impl Wire for Https {
    fn send(&self, request: http::Request<SdkBody>) -> Sending {
        let response = self.client.request(request);
        response
            .map(|answer| match answer {
                Ok(response) => Ok(response.map(SdkBody::from_body_1_x)),
                Err(error) => Err(WireError::from(error)),
            })
            .boxed()
    }
}
