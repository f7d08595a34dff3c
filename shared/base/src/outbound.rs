//! The one HTTPS client: the AWS SDKs and every party outside AWS are called through it.
//!
//! Roots are compiled in (`webpki-roots`): reading the system's store costs a cold start half of
//! its CPU.

mod array;
mod call;
mod error;
mod https;
mod wire;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
    },
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
    runtime_components::RuntimeComponents,
};
use aws_smithy_types::body::SdkBody;
use axum::body::Body;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout};

use self::call::OpenCall;
pub use self::{
    call::{Call, Party},
    error::OutboundError,
    https::Https,
    wire::{Sending, Wire, WireError},
};

/// What one request may spend on calls to others, all of them together.
pub const REQUEST_BUDGET: Duration = Duration::from_secs(20);
/// The longest answer that is read from a party outside AWS, in bytes: a block of 16,700 transactions,
/// the most that fit, lists 1.1 MB of their ids.
const LONGEST_ANSWER: usize = 3 * 512 * 1024;

tokio::task_local! {
    static DEADLINE: Instant;
}

/// Runs `work` with a budget that all its outbound calls share.
pub async fn within<F: Future>(budget: Duration, work: F) -> F::Output {
    let deadline = Instant::now().checked_add(budget).unwrap_or_else(Instant::now);
    DEADLINE.scope(deadline, work).await
}

/// What is left of the request's budget; all of it outside of a request.
pub fn remaining() -> Duration {
    DEADLINE
        .try_with(|deadline| deadline.saturating_duration_since(Instant::now()))
        .unwrap_or(REQUEST_BUDGET)
}

/// What is read of an answer that is a JSON array, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct ArrayLimits {
    /// The longest answer.
    pub answer: usize,
    /// The longest element; a longer one is skipped alone.
    pub element: usize,
}

/// The shared client. Cloning it is cheap; clones share the wire.
#[derive(Clone)]
pub struct Outbound {
    wire: Arc<dyn Wire>,
    is_traced: bool,
    patience: u32,
}

impl fmt::Debug for Outbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outbound")
    }
}

impl Default for Outbound {
    fn default() -> Self {
        Self::new()
    }
}

impl Outbound {
    /// Makes the client; connects nowhere yet.
    pub fn new() -> Self {
        Self::over(Arc::new(Https::new()))
    }

    /// The client over another wire.
    pub fn over(wire: Arc<dyn Wire>) -> Self {
        Self { wire, is_traced: false, patience: 1 }
    }

    /// The client that waits `times` as long for each answer: partners that share a machine with many tests are slower than
    /// real ones.
    #[must_use]
    pub fn patient(self, times: u32) -> Self {
        Self { patience: times, ..self }
    }

    /// How long the client waits where a partner has `limit`.
    pub fn waits(&self, limit: Duration) -> Duration {
        self.stretched(limit).min(remaining())
    }

    /// A limit as long as the client's patience makes it, whatever is left of the request's budget.
    pub fn stretched(&self, limit: Duration) -> Duration {
        limit.saturating_mul(self.patience)
    }

    /// Runs `work` with a fresh [`REQUEST_BUDGET`], as long as the client's patience makes it, that all its outbound calls share.
    pub async fn within_budget<F: Future>(&self, work: F) -> F::Output {
        within(self.stretched(REQUEST_BUDGET), work).await
    }

    /// The client with a span for each call of a request that is recorded.
    #[must_use]
    pub fn traced(self) -> Self {
        Self { is_traced: true, ..self }
    }

    /// Whether calls have spans.
    pub fn is_traced(&self) -> bool {
        self.is_traced
    }

    /// `GET url` as JSON; `None` where the party answers 404.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub async fn get_json<T: DeserializeOwned>(
        &self,
        call: Call,
        url: &str,
        limit: Duration,
    ) -> Result<Option<T>, OutboundError> {
        let request = http::Request::get(url).header(http::header::ACCEPT, "application/json");
        self.call(call, request.body(Bytes::new()).map_err(unsendable)?, limit).await
    }

    /// `POST url` with a JSON body, answered by JSON; `None` where the party answers 404.
    ///
    /// # Errors
    /// As [`Self::call`].
    pub async fn post_json<T: DeserializeOwned>(
        &self,
        call: Call,
        url: &str,
        body: &serde_json::Value,
        limit: Duration,
    ) -> Result<Option<T>, OutboundError> {
        let request = http::Request::post(url)
            .header(http::header::ACCEPT, "application/json")
            .header(http::header::CONTENT_TYPE, "application/json");
        let request = request.body(Bytes::from(body.to_string())).map_err(unsendable)?;
        self.call(call, request, limit).await
    }

    /// Sends a request that may safely arrive twice, and reads its JSON answer; `None` where the
    /// party answers 404. Limits and attempts as [`Self::send`].
    ///
    /// # Errors
    /// As [`Self::send`]; [`OutboundError::Status`] if the status is neither success nor 404;
    /// [`OutboundError::Malformed`] if the body is not the expected JSON.
    pub async fn call<T: DeserializeOwned>(
        &self,
        call: Call,
        request: http::Request<Bytes>,
        limit: Duration,
    ) -> Result<Option<T>, OutboundError> {
        let answer = self.send(call, request, limit).await?;
        match answer.status() {
            http::StatusCode::NOT_FOUND => Ok(None),
            status if status.is_success() => {
                let body = answer.body();
                serde_json::from_slice(if body.is_empty() { b"null" } else { body })
                    .map(Some)
                    .map_err(|error| OutboundError::Malformed(error.to_string()))
            }
            status => Err(OutboundError::Status(status.as_u16())),
        }
    }

    /// Sends a request that may safely arrive twice, and reads the whole answer of any
    /// status. Each attempt has `limit`, or what is left of the request's budget.
    ///
    /// # Errors
    /// [`OutboundError`] if no whole answer arrives. A connection that is refused, or breaks before the
    /// answer begins, is tried a second time first.
    pub async fn send(
        &self,
        call: Call,
        mut request: http::Request<Bytes>,
        limit: Duration,
    ) -> Result<http::Response<Bytes>, OutboundError> {
        let mut open = self.start(call, &mut request);
        let mut answer = self.attempt(request.clone(), limit).await;
        if matches!(answer, Err(OutboundError::Unreachable(_))) {
            open.repeated();
            answer = self.attempt(request, limit).await;
        }
        let answer = answer.and_then(|answer| match retry_after(&answer) {
            Some(retry_after) => Err(OutboundError::Busy { retry_after }),
            None => Ok(answer),
        });
        open.end(answer.as_ref().map(|answer| Some(answer.status())));
        answer
    }

    /// Starts the call's span, if the request is recorded.
    fn start(&self, call: Call, request: &mut http::Request<Bytes>) -> OpenCall {
        match self.is_traced {
            true => OpenCall::start(call, request.headers_mut()),
            false => OpenCall::default(),
        }
    }

    /// The status that `GET url` is answered by. The body is dropped unread.
    ///
    /// # Errors
    /// As [`Self::send`].
    pub async fn get_status(
        &self,
        call: Call,
        url: &str,
        limit: Duration,
    ) -> Result<http::StatusCode, OutboundError> {
        let request = http::Request::get(url).header(http::header::ACCEPT, "application/json");
        let mut request = request.body(Bytes::new()).map_err(unsendable)?;
        let mut open = self.start(call, &mut request);
        let head = async { Ok(self.open_twice(&request, &mut open).await?.status()) };
        let head = timeout(self.waits(limit), head).await;
        let status = head.unwrap_or(Err(OutboundError::Timeout));
        open.end(status.as_ref().map(|status| Some(*status)));
        status
    }

    /// Sends a request that may safely arrive twice, and reads its answer, a JSON array, element by
    /// element: `take` receives each one, `None` for one that is too long. `None` where the party
    /// answers 404.
    ///
    /// # Errors
    /// As [`Self::send`]; the error of `take`.
    pub async fn read_array(
        &self,
        call: Call,
        mut request: http::Request<Bytes>,
        limit: Duration,
        limits: ArrayLimits,
        mut take: impl FnMut(Option<&[u8]>) -> Result<(), OutboundError>,
    ) -> Result<Option<()>, OutboundError> {
        let mut elements = array::Elements::new(limits.element);
        let feed = |part: Option<&[u8]>| match part {
            Some(bytes) => elements.feed(bytes, &mut take),
            None => elements.finish(),
        };
        self.read_parts(call, &mut request, limit, limits.answer, feed).await
    }

    /// The body of the answer to `GET url`, at most `most` bytes; `None` if the party answers 404.
    ///
    /// # Errors
    /// As [`Self::send`]; [`OutboundError::TooLong`] if the body exceeds its limit.
    pub async fn get_bytes(
        &self,
        call: Call,
        url: &str,
        limit: Duration,
        most: usize,
    ) -> Result<Option<Vec<u8>>, OutboundError> {
        let mut request = http::Request::get(url).body(Bytes::new()).map_err(unsendable)?;
        let mut read = Vec::new();
        let keep = |part: Option<&[u8]>| {
            read.extend_from_slice(part.unwrap_or_default());
            Ok(())
        };
        let answered = self.read_parts(call, &mut request, limit, most, keep).await?;
        Ok(answered.map(|()| read))
    }

    /// Sends a request that may safely arrive twice, and reads its answer of at most `most` bytes as it arrives: `take`
    /// receives each part, and `None` at the end. Returns `None` if the party answers 404.
    async fn read_parts(
        &self,
        call: Call,
        request: &mut http::Request<Bytes>,
        limit: Duration,
        most: usize,
        mut take: impl FnMut(Option<&[u8]>) -> Result<(), OutboundError>,
    ) -> Result<Option<()>, OutboundError> {
        let mut open = self.start(call, request);
        let exchange = async {
            let response = self.open_twice(request, &mut open).await?;
            match response.status() {
                http::StatusCode::NOT_FOUND => return Ok(None),
                status if status.is_success() => {}
                status => return Err(OutboundError::Status(status.as_u16())),
            }
            let mut body = response.into_body();
            let mut left = most;
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(|error| OutboundError::Malformed(error.to_string()))?;
                if let Ok(bytes) = frame.into_data() {
                    left = left.checked_sub(bytes.len()).ok_or(OutboundError::TooLong)?;
                    take(Some(&bytes))?;
                }
            }
            take(None)?;
            Ok(Some(()))
        };
        let read = timeout(self.waits(limit), exchange).await;
        let read = read.unwrap_or(Err(OutboundError::Timeout));
        open.end(read.as_ref().map(|_| None));
        read
    }

    async fn attempt(
        &self,
        request: http::Request<Bytes>,
        limit: Duration,
    ) -> Result<http::Response<Bytes>, OutboundError> {
        let exchange = async {
            let (head, body) = self.open(request).await?.into_parts();
            let body = Limited::new(body, LONGEST_ANSWER).collect().await;
            let body = body.map_err(|error| OutboundError::Malformed(error.to_string()))?;
            Ok(http::Response::from_parts(head, body.to_bytes()))
        };
        timeout(self.waits(limit), exchange).await.unwrap_or(Err(OutboundError::Timeout))
    }

    /// Sends a request, and reads the head of the answer.
    async fn open(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Body>, OutboundError> {
        match self.wire.send(request.map(SdkBody::from)).await {
            Ok(answer) => Ok(answer.map(Body::new)),
            Err(error) => Err(OutboundError::Unreachable(with_causes(&*error))),
        }
    }

    /// The same, tried once more where the connection breaks before the answer begins.
    async fn open_twice(
        &self,
        request: &http::Request<Bytes>,
        call: &mut OpenCall,
    ) -> Result<http::Response<Body>, OutboundError> {
        let response = match self.open(request.clone()).await {
            Err(OutboundError::Unreachable(_)) => {
                call.repeated();
                self.open(request.clone()).await?
            }
            opened => opened?,
        };
        match retry_after(&response) {
            Some(retry_after) => Err(OutboundError::Busy { retry_after }),
            None => Ok(response),
        }
    }
}

/// The seconds after which a party that is not available says it will be.
fn retry_after<B>(answer: &http::Response<B>) -> Option<u64> {
    let seconds = answer
        .headers()
        .get(http::header::RETRY_AFTER)
        .filter(|_| answer.status() == http::StatusCode::SERVICE_UNAVAILABLE);
    seconds?.to_str().ok()?.parse().ok()
}

fn unsendable(error: http::Error) -> OutboundError {
    OutboundError::Malformed(error.to_string())
}

/// An error and its causes, in one line; what an error already says of its cause is not said again.
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let reason = error.to_string();
        if !text.contains(&reason) {
            text = format!("{text}: {reason}");
        }
        cause = error.source();
    }
    text
}

impl HttpClient for Outbound {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        _components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        SharedHttpConnector::new(SdkConnector {
            outbound: self.clone(),
            read_timeout: settings.read_timeout(),
        })
    }
}

#[derive(Debug)]
struct SdkConnector {
    outbound: Outbound,
    read_timeout: Option<Duration>,
}

impl HttpConnector for SdkConnector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let wire = self.outbound.wire.clone();
        let limit = self.read_timeout.unwrap_or(REQUEST_BUDGET).min(remaining());
        HttpConnectorFuture::new(async move {
            let request =
                request.try_into_http1x().map_err(|error| ConnectorError::user(error.into()))?;
            let response = timeout(limit, wire.send(request))
                .await
                .map_err(|elapsed| ConnectorError::timeout(elapsed.into()))?
                .map_err(ConnectorError::io)?;
            HttpResponse::try_from(response)
                .map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

/// Whether an endpoint is on this machine.
pub fn is_loopback(endpoint: &str) -> bool {
    let uri = endpoint.parse::<http::Uri>().ok();
    let host = uri.as_ref().and_then(http::Uri::host);
    host.is_some_and(|host| matches!(host, "127.0.0.1" | "localhost" | "[::1]"))
}
