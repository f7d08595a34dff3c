//! CloudFront in front of the gateway. Behind it, the gateway only sees CloudFront's address, so CloudFront
//! forwards the client's address and authenticates itself with a secret header. Requests without the secret
//! are refused, because they bypassed the firewall.

use std::{net::IpAddr, sync::Arc};

use aws_lc_rs::constant_time;
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base::{
    provider::{ParameterName, Stored},
    section,
    settings::optional,
};
use http::HeaderMap;
use secrecy::ExposeSecret;

use super::{Error, Problem, RequestContext};
use crate::core::Core;

/// The header with the secret.
const SECRET: &str = "x-edge-secret";
/// The header with the client's address and port. CloudFront overwrites the value that a client sends.
const VIEWER: &str = "cloudfront-viewer-address";
/// The shortest secret, in characters.
const SHORTEST: usize = 32;

section! {
    /// The secret with which CloudFront authenticates itself.
    pub struct EdgeConfig {
        /// `ssm:` and the name of the SSM parameter with the secret that CloudFront adds to requests, or with a new and an old one and a space between them; empty: clients call the gateway themselves
        pub secret: Option<ParameterName> = "EDGE_SECRET" or "" via optional,
    }
}

/// Recognises requests from CloudFront.
pub struct Edge(Stored);

impl Edge {
    /// The CloudFront of the settings, if the deployment has one.
    pub(super) fn new(core: &Core, config: EdgeConfig) -> Option<Arc<Self>> {
        let secret = config.secret?;
        let stored = core.stored(secret, "the secret of CloudFront", Arc::new(long_enough));
        Some(Arc::new(Self(stored)))
    }

    /// The address of the client whose request CloudFront forwards.
    async fn viewer(&self, headers: &HeaderMap) -> Result<IpAddr, Error> {
        let secrets = self.0.text().await;
        let secrets = secrets
            .map_err(|error| Error::new(Problem::Unavailable).caused_by(error.to_string()))?;
        let sent = headers.get(SECRET).map_or(&[][..], |sent| sent.as_bytes());
        let mut known = secrets.expose_secret().split_whitespace();
        let is_known =
            |secret: &str| constant_time::verify_slices_are_equal(secret.as_bytes(), sent).is_ok();
        if !known.any(is_known) {
            // Hides the endpoint from anyone who bypasses CloudFront.
            return Err(Error::new(Problem::NotFound).caused_by("not passed on by CloudFront"));
        }
        let viewer = headers.get(VIEWER).and_then(|viewer| address(viewer.to_str().ok()?));
        let cause = "CloudFront does not say who the client is";
        viewer.ok_or_else(|| Error::new(Problem::Unavailable).caused_by(cause))
    }
}

fn long_enough(secrets: &str) -> Result<(), &'static str> {
    let mut secrets = secrets.split_whitespace();
    let is_long = |secret: &str| secret.len() >= SHORTEST;
    match (secrets.next(), secrets.next(), secrets.next()) {
        (Some(one), other, None) if is_long(one) && other.is_none_or(is_long) => Ok(()),
        _ => Err("it is not one secret of at least 32 characters, or two"),
    }
}

/// The address in an address and a port.
fn address(viewer: &str) -> Option<IpAddr> {
    let (address, _port) = viewer.rsplit_once(':')?;
    address.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Replaces the source of a request by the client's address if the deployment is behind CloudFront, and then
/// refuses requests that CloudFront has not forwarded.
pub(super) async fn through(
    State(edge): State<Option<Arc<Edge>>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(edge) = edge {
        match edge.viewer(request.headers()).await {
            Ok(viewer) => {
                if let Some(context) = request.extensions_mut().get_mut::<RequestContext>() {
                    context.source_ip = Some(viewer);
                }
            }
            Err(error) => return error.into_response(),
        }
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_client_is_before_its_port() {
        for (viewer, expected) in [
            ("198.51.100.10:46532", Some("198.51.100.10")),
            ("2001:db8::1:46532", Some("2001:db8::1")),
            ("[2001:db8::1]:46532", Some("2001:db8::1")),
            ("198.51.100.10", None),
            ("nobody:1", None),
            ("", None),
        ] {
            let expected = expected.and_then(|address| address.parse().ok());
            assert_eq!(address(viewer), expected, "{viewer}");
        }
    }

    #[test]
    fn a_secret_is_long_and_at_most_one_more_is_valid() {
        let (long, other) = ("a".repeat(32), "b".repeat(40));
        for (secrets, valid) in [
            (long.clone(), true),
            (format!("{other} {long}"), true),
            (format!("{other}\n{long}"), true),
            (format!("{long} {long} {long}"), false),
            (format!("{long} short"), false),
            ("a".repeat(31), false),
            (String::new(), false),
        ] {
            assert_eq!(long_enough(&secrets).is_ok(), valid, "{secrets}");
        }
    }
}
