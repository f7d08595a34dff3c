//! Start of a function on Lambda, and the way from the gateway's events to its routes, or from a
//! queue's or a schedule's to their workers.

use std::time::SystemTime;

use aws_lambda_events::event::{
    apigw::ApiGatewayWebsocketProxyRequest,
    sqs::{SqsBatchResponse, SqsEvent},
};
use axum::extract::FromRef;
use base::{
    log::LogConfig,
    settings::{ConfigError, Section, Setting, from_env},
    traces::TracesConfig,
};
use lambda_http::{
    Adapter, LambdaEvent, lambda_runtime,
    request::LambdaRequest,
    tower::{ServiceBuilder, util::MapRequest},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::time::Instant;
use tracing_subscriber::{fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{
    core::{Application, Machine},
    http::{Ingress, Routes},
};

/// Serves `routes` on Lambda's runtime, with settings from the environment.
///
/// # Errors
/// A text that names missing or invalid settings; an error of the Lambda runtime.
pub async fn serve<A: Application>(routes: Routes<A>) -> Result<(), lambda_http::Error>
where
    Ingress: FromRef<A>,
{
    let app: A = start()?;
    let gate = Ingress::from_ref(&app);
    lambda_runtime::run(service(routes.with(app), gate)).await
}

/// Runs `work` for each batch of a queue on Lambda's runtime, with settings from the environment and the time
/// at which the runtime ends the invocation. `work` returns the messages to retry.
///
/// # Errors
/// A text that names missing or invalid settings; an error of the Lambda runtime.
pub async fn serve_queue<A, F, W>(work: F) -> Result<(), lambda_http::Error>
where
    A: Application,
    F: Fn(A, SqsEvent, Instant) -> W,
    W: Future<Output = SqsBatchResponse>,
{
    let app: A = start()?;
    let service = lambda_runtime::service_fn(|event: LambdaEvent<SqsEvent>| {
        let work = work(app.clone(), event.payload, deadline(event.context.deadline()));
        // Boxed, or the compiler's limit for the depth of types is reached.
        Box::pin(async { Ok::<_, lambda_http::Error>(work.await) })
    });
    lambda_runtime::run(service).await
}

/// A moment of the system's clock, on the one that no one sets.
#[allow(clippy::disallowed_methods, reason = "Lambda's deadline is on the machine's clock")]
fn deadline(at: SystemTime) -> Instant {
    let left = at.duration_since(SystemTime::now()).unwrap_or_default();
    let now = Instant::now();
    now.checked_add(left).unwrap_or(now)
}

/// What starts a run: the event of the schedule, or that of an operator.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Start {
    /// Ends the run when what is due has been looked at.
    #[serde(default)]
    pub once: bool,
}

/// Runs `work` for each event of the schedule or of an operator, on Lambda's runtime, with settings from the
/// environment.
///
/// # Errors
/// A text that names missing or invalid settings; an error of the Lambda runtime.
pub async fn serve_schedule<A, S, F, W, T, E>(work: F) -> Result<(), lambda_http::Error>
where
    A: Application,
    S: DeserializeOwned,
    F: Fn(A, S) -> W,
    W: Future<Output = Result<T, E>>,
    E: std::error::Error + Send + Sync + 'static,
{
    let app: A = start()?;
    let service = lambda_runtime::service_fn(|event: LambdaEvent<S>| {
        let work = work(app.clone(), event.payload);
        Box::pin(async { work.await.map(drop).map_err(lambda_http::Error::from) })
    });
    lambda_runtime::run(service).await
}

/// Answers each event of a WebSocket API on Lambda's runtime, with settings from the environment.
///
/// # Errors
/// A text that names missing or invalid settings; an error of the Lambda runtime.
pub async fn serve_socket<A, F, W, T, E>(work: F) -> Result<(), lambda_http::Error>
where
    A: Application,
    F: Fn(A, ApiGatewayWebsocketProxyRequest) -> W,
    W: Future<Output = Result<T, E>>,
    T: Serialize,
    E: std::error::Error + Send + Sync + 'static,
{
    let app: A = start()?;
    let service =
        lambda_runtime::service_fn(|event: LambdaEvent<ApiGatewayWebsocketProxyRequest>| {
            let work = work(app.clone(), event.payload);
            Box::pin(async { work.await.map_err(lambda_http::Error::from) })
        });
    lambda_runtime::run(service).await
}

/// The settings that a function reads on Lambda.
pub fn settings_of<A: Application>() -> Vec<Setting> {
    <(LogConfig, TracesConfig, A::Config)>::settings()
}

/// Makes the application of the environment, and starts its log.
fn start<A: Application>() -> Result<A, ConfigError> {
    let (log, traces, config): (LogConfig, TracesConfig, A::Config) = from_env()?;
    let lines = fmt::layer().json().flatten_event(true);
    let lines = lines.with_current_span(false).with_span_list(false);
    tracing_subscriber::registry().with(lines).with(log.filter).init();
    Ok(A::new(config, &Machine::new().recording(traces)))
}

type Event = LambdaEvent<LambdaRequest>;
type Routed<'a> = Adapter<'a, axum::response::Response, axum::Router>;

/// The routes as a service of the gateway's events.
pub fn service<'a>(routes: Routes, gate: Ingress) -> MapRequest<Routed<'a>, fn(Event) -> Event> {
    let made_safe: fn(Event) -> Event = make_safe;
    ServiceBuilder::new().map_request(made_safe).service(Adapter::from(routes.into_service(gate)))
}

/// Escapes what a client may have put into path and query that no URI can hold: the library would
/// stop at it, and the gateway would answer for us.
fn make_safe(mut event: Event) -> Event {
    if let LambdaRequest::ApiGatewayV2(request) = &mut event.payload {
        // They serve to make an absolute URI of the path. Both can be a client's own.
        request.headers.remove(http::header::HOST);
        request.headers.remove("x-forwarded-proto");
        request.request_context.domain_name = None;
        let path = request.raw_path.take().unwrap_or_default();
        request.raw_path = Some(escaped_path(&path));
        let query = request.raw_query_string.take();
        request.raw_query_string =
            query.map(|query| utf8_percent_encode(&query, NOT_IN_QUERY).to_string());
    }
    event
}

/// The path of a URI for the gateway's `rawPath`. The gateway has decoded every escape except `%25`. So a `?`
/// in the path begins no query, and a `%` is kept.
pub fn escaped_path(raw_path: &str) -> String {
    let path = utf8_percent_encode(raw_path, NOT_IN_PATH).to_string();
    // The library would resolve it, even escaped, and so reach a path whose route the gateway did not choose.
    let segments = path.split('/').map(|segment| {
        match segment.to_ascii_lowercase().replace("%2e", ".").as_str() {
            "." => "%25.",
            ".." => "%25..",
            _ => segment,
        }
    });
    let path = segments.collect::<Vec<_>>().join("/");
    if path.starts_with('/') { path } else { format!("/{path}") }
}

/// Characters that RFC 3986 does not allow in a query. A `%` is kept, because it begins an escape.
const NOT_IN_QUERY: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b':')
    .remove(b'@')
    .remove(b'/')
    .remove(b'?')
    .remove(b'%');

/// As [`NOT_IN_QUERY`], in a path.
const NOT_IN_PATH: &AsciiSet = &NOT_IN_QUERY.add(b'?');

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_no_uri_can_hold_is_escaped() {
        let plain = "/api/prizes/a-b_c.~!$&'()*+,;=:@%2B";
        let escaped = |text, set| utf8_percent_encode(text, set).to_string();
        assert_eq!(escaped(plain, NOT_IN_PATH), plain);
        assert_eq!(
            escaped("a b\"<>#[]{}|\\^`é\u{7f}\0", NOT_IN_QUERY),
            "a%20b%22%3C%3E%23%5B%5D%7B%7D%7C%5C%5E%60%C3%A9%7F%00"
        );
        assert_eq!(escaped("a?b", NOT_IN_QUERY), "a?b");
        assert_eq!(escaped("a?b", NOT_IN_PATH), "a%3Fb");
    }

    #[test]
    fn dot_segments_name_nothing() {
        for (raw, path) in [
            ("/api/../x/./y", "/api/%25../x/%25./y"),
            ("/..", "/%25.."),
            ("/%2e%2E/x/.%2e/%2E", "/%25../x/%25../%25."),
            ("/.a/b..", "/.a/b.."),
            ("a", "/a"),
        ] {
            assert_eq!(escaped_path(raw), path);
        }
    }
}
