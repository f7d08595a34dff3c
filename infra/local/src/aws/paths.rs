//! Paths of requests as an HTTP API forwards them.

use axum::{Router, extract::Request, middleware};
use percent_encoding::percent_decode_str;
use shared::lambda::escaped_path;

/// The escape that the gateway keeps, so that no path is decoded twice.
const PERCENT: &str = "%25";

/// The `rawPath` of an event: every escape is decoded except that of `%`. An escaped slash separates
/// segments, and dot segments are kept.
pub(crate) fn raw_path(path: &str) -> String {
    let parts = path.split(PERCENT).map(|part| percent_decode_str(part).decode_utf8_lossy());
    parts.collect::<Vec<_>>().join(PERCENT)
}

/// The routes as they see requests behind the gateway.
pub(crate) fn behind_gateway(routes: Router) -> Router {
    // This is outside the routes, because their own layers run only after a route has been chosen.
    Router::new().fallback_service(routes).layer(middleware::map_request(passed_on))
}

async fn passed_on(mut request: Request) -> Request {
    let uri = request.uri();
    if uri.path().contains('%') {
        let path = escaped_path(&raw_path(uri.path()));
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        // A path with its escapes is a valid URI.
        if let Ok(uri) = format!("{path}{query}").parse() {
            *request.uri_mut() = uri;
        }
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_is_decoded_but_that_of_a_percent_sign() {
        for (sent, passed_on) in [
            ("/api/%68ealth", "/api/health"),
            ("/a%2Fb%2fc", "/a/b/c"),
            ("/a%3Fb%23", "/a?b#"),
            ("/%2e%2e/./..", "/.././.."),
            ("/%25", "/%25"),
            ("/a%252Fb", "/a%252Fb"),
            ("/%2525", "/%2525"),
            ("/%zz%", "/%zz%"),
            ("/%C3%A9", "/é"),
            ("/%FF", "/\u{fffd}"),
        ] {
            assert_eq!(raw_path(sent), passed_on, "{sent}");
        }
    }
}
