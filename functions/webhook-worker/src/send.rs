//! One request to a receiver.
//!
//! The owner of a webhook chooses the receiver, so the receiver is not trusted: each request resolves its
//! name and checks the addresses before it connects, redirects are not followed, no connection is kept, and
//! only the beginning of the answer is read, within a time limit.

use std::{
    error::Error as StdError,
    net::SocketAddr,
    task::{Context, Poll},
    time::Duration,
};

use aws_smithy_types::{DateTime, date_time::Format};
use base::clock::Timestamp;
use bytes::Bytes;
use futures_util::{FutureExt, future::BoxFuture};
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{
        Client,
        connect::{HttpConnector, dns::Name},
    },
    rt::TokioExecutor,
};
use outbox::webhooks::{
    WebhookTargetConfig,
    address::{UrlRefused, WebhookUrl, resolve},
    signing,
};
use tokio::time::{Instant, timeout};
use tower::Service;

use crate::settings::SendConfig;

/// How long connecting may take.
const CONNECTING: Duration = Duration::from_secs(5);
/// How long reading the beginning of the body may take after the head has arrived.
const READING: Duration = Duration::from_secs(2);
/// How much of the body is kept, in bytes.
const KEPT: usize = 1_024;
/// The longest head of an answer that is accepted, in bytes.
const LONGEST_HEAD: usize = 32 * 1_024;
/// The longest description of a failure, in characters.
const LONGEST_ERROR: usize = 200;

/// Resolves the name of a receiver to addresses that webhooks may send to.
#[derive(Clone, Copy, Debug)]
struct PublicNames {
    is_local: bool,
}

impl Service<Name> for PublicNames {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = UrlRefused;
    type Future = BoxFuture<'static, Result<Self::Response, Self::Error>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let is_local = self.is_local;
        async move { resolve(name.as_str(), is_local).await.map(Vec::into_iter) }.boxed()
    }
}

/// A request to a receiver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    /// The `webhook-id`.
    pub(crate) id: &'a str,
    /// When it is sent.
    pub(crate) at: Timestamp,
    /// The `webhook-signature`.
    pub(crate) signature: &'a str,
    /// JSON.
    pub(crate) body: &'a [u8],
}

/// The answer of a receiver, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The status, if there was an answer.
    pub(crate) status: Option<u16>,
    /// Why it counts as a failure, if it does.
    pub(crate) error: Option<String>,
    /// The beginning of the body.
    pub(crate) body: Option<String>,
    /// How long the receiver asks for no further requests (`Retry-After`).
    pub(crate) retry_after: Option<Duration>,
    /// How long it took.
    pub(crate) took: Duration,
}

/// Sends requests to receivers. Cloning is cheap.
#[derive(Clone)]
pub(crate) struct Sender {
    client: Client<HttpsConnector<HttpConnector<PublicNames>>, Full<Bytes>>,
    is_local: bool,
    limit: Duration,
}

impl Sender {
    /// Makes a sender; it connects only to send.
    pub(crate) fn new(targets: WebhookTargetConfig, send: SendConfig) -> Self {
        let is_local = targets.is_local;
        let mut tcp = HttpConnector::new_with_resolver(PublicNames { is_local });
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECTING));
        tcp.set_nodelay(true);
        let https = HttpsConnectorBuilder::new().with_webpki_roots();
        let https = if is_local { https.https_or_http() } else { https.https_only() };
        let https = https.enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            // A kept connection would skip the check of the resolved addresses.
            .pool_max_idle_per_host(0)
            .retry_canceled_requests(false)
            .http1_max_buf_size(LONGEST_HEAD)
            .build(https);
        Self { client, is_local, limit: send.limit }
    }

    /// Sends a message once. A status of 200 to 299 is a success, even if the body cannot be read.
    pub(crate) async fn send(&self, url: &str, message: Message<'_>) -> Answer {
        let begun = Instant::now();
        let answer = timeout(self.limit, self.exchange(url, message, begun)).await;
        let answer = answer.unwrap_or_else(|_elapsed| {
            let seconds = self.limit.as_secs();
            failed(format!("There was no answer within {seconds} seconds."))
        });
        Answer { took: begun.elapsed(), ..answer }
    }

    async fn exchange(&self, url: &str, message: Message<'_>, begun: Instant) -> Answer {
        // The URL was checked when it was set, but the rules may have changed.
        let url = match WebhookUrl::parse(url, self.is_local) {
            Ok(url) => url,
            Err(error) => return failed(error.to_string()),
        };
        let request = Request::post(url.as_str())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::USER_AGENT, "Runeport-Webhooks/1")
            .header(signing::ID, message.id)
            .header(signing::TIMESTAMP, message.at.past_seconds())
            .header(signing::SIGNATURE, message.signature)
            .body(Full::from(message.body.to_vec()));
        let request = match request {
            Ok(request) => request,
            Err(error) => return failed(error.to_string()),
        };
        let response = match self.client.request(request).await {
            Ok(response) => response,
            Err(error) => return failed(reason(&error)),
        };
        let (status, retry_after) =
            (response.status(), retry_after(response.headers(), message.at));
        let left = self.limit.saturating_sub(begun.elapsed()).min(READING);
        let mut kept = Vec::new();
        // The status has decided the outcome. A body that is late, endless or cut off does not matter.
        let _late = timeout(left, beginning(response.into_body(), &mut kept)).await;
        kept.truncate(KEPT);
        let body = String::from_utf8_lossy(&kept).into_owned();
        Answer {
            status: Some(status.as_u16()),
            error: refusal(status),
            body: Some(body).filter(|body| !body.is_empty()),
            retry_after,
            took: Duration::ZERO,
        }
    }
}

/// Reads the beginning of a body.
async fn beginning<B: BodyExt<Data = Bytes> + Unpin>(mut body: B, kept: &mut Vec<u8>) {
    while kept.len() < KEPT {
        let Some(Ok(frame)) = body.frame().await else { return };
        if let Ok(bytes) = frame.into_data() {
            let room = KEPT.saturating_sub(kept.len());
            kept.extend(bytes.iter().take(room));
        }
    }
}

fn failed(error: String) -> Answer {
    Answer { error: Some(error), ..Answer::default() }
}

/// Why a status is a failure, if it is one.
fn refusal(status: StatusCode) -> Option<String> {
    let code = status.as_u16();
    match code {
        200..=299 => None,
        300..=399 => {
            Some(format!("The receiver answered with a redirect ({code}), which is not followed."))
        }
        _ => Some(format!("The receiver answered with the status {code}.")),
    }
}

/// Why there was no answer, for the owner of the webhook.
fn reason(error: &hyper_util::client::legacy::Error) -> String {
    let mut causes = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref::<UrlRefused>() {
            return refused.to_string();
        }
        causes.push(error.to_string());
        cause = error.source();
    }
    let what = if error.is_connect() { "There was no connection" } else { "The connection broke" };
    let cause = causes.pop().unwrap_or_else(|| error.to_string());
    format!("{what}: {cause}").chars().take(LONGEST_ERROR).collect()
}

/// Parses the header `Retry-After`, in seconds or as a date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(header::RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = DateTime::from_str(text, Format::HttpDate).ok()?;
    let seconds = until.secs().saturating_sub(now.past_seconds());
    u64::try_from(seconds).ok().map(Duration::from_secs)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_says_when_to_come_again_in_two_ways() {
        let after = |text: &'static str| {
            let headers = HeaderMap::from_iter([(header::RETRY_AFTER, text.parse().unwrap())]);
            // 2015-10-21 07:28:00 UTC.
            retry_after(&headers, Timestamp(1_445_412_480_000)).map(|after| after.as_secs())
        };
        assert_eq!(after("120"), Some(120));
        assert_eq!(after(" 0 "), Some(0));
        assert_eq!(after("Wed, 21 Oct 2015 07:30:00 GMT"), Some(120));
        for nothing in ["Wed, 21 Oct 2015 07:20:00 GMT", "-1", "soon", "", "1.5"] {
            assert_eq!(after(nothing), None, "{nothing}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), Timestamp(0)), None);
    }

    #[test]
    fn only_success_is_success() {
        for code in 100..=999 {
            let refused = refusal(StatusCode::from_u16(code).unwrap());
            assert_eq!(refused.is_none(), (200..=299).contains(&code), "{code}");
        }
    }
}
