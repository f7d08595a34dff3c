//! Which pages may call the service from a browser, and which headers they may send and read.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use base::settings;
use http::{HeaderName, HeaderValue, Method, header};
use tower::{Layer, ServiceExt};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

use super::rate_limit::{RATE_LIMIT, RATE_LIMIT_POLICY};

/// The header with the id of a request, in every response.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The header of a response that repeats an earlier one with the same `Idempotency-Key`.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// How long a browser may cache the answer to a preflight. Chromium allows no longer time.
const REMEMBERED: Duration = Duration::from_secs(7_200);
/// Headers that pages may read in addition to those that browsers always expose.
const EXPOSED: [HeaderName; 9] = [
    REQUEST_ID,
    header::WWW_AUTHENTICATE,
    header::RETRY_AFTER,
    header::DATE,
    header::ALLOW,
    header::ETAG,
    RATE_LIMIT,
    RATE_LIMIT_POLICY,
    REPLAYED,
];

/// The origins whose pages may call the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowedOrigin {
    /// One origin.
    Exact(HeaderValue),
    /// A host of the user's own machine, with its scheme, on any port.
    Local(String),
    /// The origins of preview deployments: the host has letters, digits or hyphens between two fixed texts.
    Preview {
        /// The scheme, and the host up to the star.
        before: String,
        /// The host after the star.
        after: String,
    },
}

impl AllowedOrigin {
    fn allows(&self, origin: &HeaderValue) -> bool {
        match self {
            Self::Exact(allowed) => allowed == origin,
            Self::Local(host) => {
                origin.to_str().ok().and_then(|text| text.strip_prefix(host.as_str())).is_some_and(
                    |rest| rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port),
                )
            }
            Self::Preview { before, after } => origin
                .to_str()
                .ok()
                .and_then(|text| text.strip_prefix(before.as_str())?.strip_suffix(after.as_str()))
                .is_some_and(|own| !own.is_empty() && is_label_part(own)),
        }
    }
}

fn is_label_part(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.len() <= 5 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The hosts of the user's own machine, with their scheme.
const LOCAL: [&str; 2] = ["http://localhost", "http://127.0.0.1"];

/// Reads origins, comma separated. `https://app-*-team.example.app`, `https://*.preview.example.com` and
/// `http://localhost:*` each match many origins.
///
/// # Errors
/// An entry that is neither an origin nor a valid pattern. A star must not match hosts that others can
/// register: either it is part of the first label, with fixed text after it, or it is the whole first label,
/// before at least three others, or it is the port of `http://localhost` or `http://127.0.0.1`.
pub fn allowed_origins(text: &str) -> Result<Vec<AllowedOrigin>, String> {
    text.split(',')
        .map(str::trim)
        .filter(|origin| !origin.is_empty())
        .map(|origin| {
            let read = if origin.contains('*') {
                local(origin).or_else(|| preview(origin))
            } else {
                exact(origin)
            };
            read.ok_or_else(|| {
                format!(
                    "{origin} is not an origin such as https://app.example, nor a pattern such as \
                     https://app-*-team.example.app, https://*.preview.example.com or \
                     http://localhost:*"
                )
            })
        })
        .collect()
}

fn exact(origin: &str) -> Option<AllowedOrigin> {
    settings::origins(origin).ok()?.pop().map(AllowedOrigin::Exact)
}

fn local(pattern: &str) -> Option<AllowedOrigin> {
    let host = pattern.strip_suffix(":*")?;
    LOCAL.contains(&host).then(|| AllowedOrigin::Local(host.to_owned()))
}

fn preview(pattern: &str) -> Option<AllowedOrigin> {
    let (first, rest) = pattern.strip_prefix("https://")?.split_once('.')?;
    let (start, end) = first.split_once('*')?;
    let labels = rest.split('.').count();
    let is_own = match (start, end) {
        ("", "") => labels >= 3,
        (_, "") => false,
        _ => labels >= 2,
    };
    let are_labels = rest.split('.').all(|label| !label.is_empty() && is_label_part(label));
    let is_pattern = is_own && are_labels && is_label_part(start) && is_label_part(end);
    is_pattern.then(|| AllowedOrigin::Preview {
        before: format!("https://{start}"),
        after: format!("{end}.{rest}"),
    })
}

/// Answers preflights, and tells browsers which pages may read an answer.
///
/// Pages may send any header, because tracing adds its own to their calls. Headers give a page no rights: the
/// service reads no cookies, and a page can only send tokens that it has.
pub(super) fn layer(origins: Vec<AllowedOrigin>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::predicate(move |origin, _| {
            origins.iter().any(|allowed| allowed.allows(origin))
        }))
        .allow_methods([Method::GET, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED)
        .max_age(REMEMBERED)
}

/// Applies the layer to all requests except an OPTIONS that is not a preflight (Fetch, section 3.3.3), which
/// the layer would answer with 200 on every path.
pub(super) async fn around(
    State(cors): State<CorsLayer>,
    request: Request,
    next: Next,
) -> Response {
    let is_preflight = request.headers().contains_key(header::ORIGIN)
        && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if request.method() == Method::OPTIONS && !is_preflight {
        return next.run(request).await;
    }
    match cors.layer(next).oneshot(request).await {
        Ok(response) => response.into_response(),
        Err(never) => match never {},
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use axum::{Router, body::Body, routing::get};
    use http::{Request, Response};

    use super::*;

    fn allowed(patterns: &str, origin: &str) -> bool {
        let origin = HeaderValue::from_str(origin).unwrap();
        allowed_origins(patterns).unwrap().iter().any(|allowed| allowed.allows(&origin))
    }

    #[test]
    fn an_origin_allows_itself() {
        assert!(allowed_origins("").unwrap().is_empty());
        for text in ["*", "https://app.example/", "app.example"] {
            assert!(allowed_origins(text).is_err(), "{text}");
        }
        let some = "https://app.example,http://localhost:5173";
        assert!(allowed(some, "https://app.example") && allowed(some, "http://localhost:5173"));
        for origin in ["http://app.example", "https://app.example.evil", "http://localhost:51730"] {
            assert!(!allowed(some, origin), "{origin}");
        }
    }

    #[test]
    fn a_pattern_allows_the_previews_of_one_team() {
        let team = "https://app-*-team.vercel.app";
        assert!(allowed(team, "https://app-git-main-team.vercel.app"));
        for origin in [
            "https://app-team.vercel.app",
            "https://app--team.vercel.app.evil.example",
            "https://app-x-team.vercel.app:444",
            "https://app-x-other.vercel.app",
            "https://evil.example/app-x-team.vercel.app",
            "https://app-x.evil-team.vercel.app",
            "https://app-X-team.vercel.app",
            "http://app-x-team.vercel.app",
            "null",
        ] {
            assert!(!allowed(team, origin), "{origin}");
        }
        let own = "https://app.example, https://*.preview.example.com";
        assert!(
            allowed(own, "https://pr-7.preview.example.com") && allowed(own, "https://app.example")
        );
        for origin in [
            "https://.preview.example.com",
            "https://preview.example.com",
            "https://a.b.preview.example.com",
            "https://evilpreview.example.com",
        ] {
            assert!(!allowed(own, origin), "{origin}");
        }
    }

    #[test]
    fn a_pattern_allows_every_port_of_the_own_machine() {
        let own = "http://localhost:*,http://127.0.0.1:*";
        for origin in [
            "http://localhost",
            "http://localhost:4200",
            "http://localhost:51730",
            "http://127.0.0.1:8080",
        ] {
            assert!(allowed(own, origin), "{origin}");
        }
        for origin in [
            "https://localhost:4200",
            "http://localhost:",
            "http://localhost:+80",
            "http://localhost:123456",
            "http://localhost:80.evil.example",
            "http://localhost:80@evil.example",
            "http://localhost.evil.example:80",
            "http://localhostevil.example",
            "http://app.localhost:4200",
            "http://127.0.0.10:8080",
            "http://evil.example",
            "null",
        ] {
            assert!(!allowed(own, origin), "{origin}");
        }
        assert!(!allowed("http://localhost:*", "http://127.0.0.1:8080"));
    }

    #[test]
    fn a_pattern_whose_hosts_others_can_register_is_refused() {
        for pattern in [
            "https://*.vercel.app",
            "https://app-*.vercel.app",
            "https://*-team.app",
            "https://app-*-team",
            "https://*",
            "https://*.*.preview.example.com",
            "https://app-*-*-team.vercel.app",
            "https://app.*.example.com",
            "https://*.preview..example.com",
            "https://*-team.vercel.app/",
            "https://*-team.vercel.app:443",
            "https://App-*-team.vercel.app",
            "http://app-*-team.vercel.app",
            "app-*-team.vercel.app",
            "https://localhost:*",
            "http://app.example:*",
            "http://10.0.0.7:*",
            "http://localhost:5*",
            "http://localhost:*/",
            "http://*:5173",
            "localhost:*",
        ] {
            assert!(allowed_origins(pattern).is_err(), "{pattern}");
        }
    }

    async fn answer(request: http::request::Builder) -> Response<Body> {
        let router: Router = Router::new()
            .route("/", get(|| async {}))
            .layer(layer(allowed_origins("https://app-*-team.vercel.app").unwrap()));
        router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    fn header<'a>(response: &'a Response<Body>, name: &str) -> &'a str {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[tokio::test]
    async fn pages_may_send_every_header() {
        let preflight = |origin: &str| {
            Request::options("/")
                .header("origin", origin)
                .header("access-control-request-method", "POST")
                .header(
                    "access-control-request-headers",
                    "authorization,baggage,sentry-trace,traceparent",
                )
        };
        let good = answer(preflight("https://app-pr-1-team.vercel.app")).await;
        assert_eq!(
            header(&good, "access-control-allow-origin"),
            "https://app-pr-1-team.vercel.app"
        );
        assert_eq!(
            header(&good, "access-control-allow-headers"),
            "authorization,baggage,sentry-trace,traceparent"
        );
        assert_eq!(header(&good, "access-control-max-age"), "7200");
        assert_eq!(header(&good, "access-control-allow-credentials"), "");
        let foreign = answer(preflight("https://evil.example")).await;
        assert_eq!(header(&foreign, "access-control-allow-origin"), "");
    }

    #[tokio::test]
    async fn pages_read_what_a_client_needs() {
        let call = Request::get("/").header("origin", "https://app-pr-1-team.vercel.app");
        let answered = answer(call).await;
        assert_eq!(
            header(&answered, "access-control-expose-headers"),
            "x-request-id,www-authenticate,retry-after,date,allow,etag,ratelimit,ratelimit-policy,idempotent-replayed"
        );
        assert!(header(&answered, "vary").contains("origin"));
    }
}
