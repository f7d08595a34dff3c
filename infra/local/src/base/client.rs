//! A small HTTP client for tests and seeds. Assertions print the whole answer.

use std::{
    fmt,
    net::Ipv4Addr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use base::clock::{Clock, SystemClock, Timestamp};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client as HyperClient, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;
use shared::{auth::device_token, problem::Problem};
use tokio::time::timeout;

use crate::base::{
    answers,
    examples::{self, Example},
    failure::{Context, Failure, Result},
    patience::HANG_LIMIT,
    refusals,
};

/// A client of one base address. Cloning is cheap.
#[derive(Clone)]
pub struct Client {
    base: String,
    http: HyperClient<HttpConnector, Full<Bytes>>,
    clock: Arc<dyn Clock>,
    last_signed: Arc<AtomicI64>,
    /// Token of the device as which the client appears.
    device: Arc<Mutex<Option<String>>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Client({})", self.base)
    }
}

impl Client {
    /// A client of `base`, such as `http://127.0.0.1:9000`, on the machine's clock.
    pub fn new(base: impl Into<String>) -> Self {
        Self::with_clock(base, Arc::new(SystemClock))
    }

    /// A client of `base` on its service's clock.
    pub fn with_clock(base: impl Into<String>, clock: Arc<dyn Clock>) -> Self {
        let http = HyperClient::builder(TokioExecutor::new()).build_http();
        let base = base.into().trim_end_matches('/').to_owned();
        Self { base, http, clock, last_signed: Arc::default(), device: Arc::default() }
    }

    /// The same client on a device that no account knows.
    #[must_use]
    pub fn on_another_device(&self) -> Self {
        Self { device: Arc::default(), ..self.clone() }
    }

    /// The same client on another device at another address; all of 127.0.0.0/8 is this machine.
    #[must_use]
    pub fn calling_from(&self, source: Ipv4Addr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_local_address(Some(source.into()));
        let http = HyperClient::builder(TokioExecutor::new()).build(connector);
        Self { http, ..self.on_another_device() }
    }

    /// The device token, once the client has signed in.
    pub fn device_token(&self) -> Option<String> {
        self.device.lock().map_or(None, |device| device.clone())
    }

    /// Stores the device token of a sign-in.
    fn keep_device_token(&self, body: &Value) {
        let token = body.pointer("/data/deviceToken").and_then(Value::as_str);
        if let (Some(token), Ok(mut device)) = (token, self.device.lock()) {
            *device = Some(token.to_owned());
        }
    }

    /// The base address.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The service's time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A distinct time for a message to sign, because each message is accepted once.
    pub(crate) fn next_moment(&self) -> Timestamp {
        let now = self.now().0;
        let next = |last: i64| Some(now.max(last.saturating_add(1)));
        let last = self.last_signed.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next);
        Timestamp(last.map_or(now, |last| now.max(last.saturating_add(1))))
    }

    /// A GET request.
    pub fn get(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::GET, path)
    }

    /// A POST request.
    pub fn post(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::POST, path)
    }

    /// A PATCH request.
    pub fn patch(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::PATCH, path)
    }

    /// A DELETE request.
    pub fn delete(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::DELETE, path)
    }

    /// A request with any method; `path` includes the query.
    pub fn request(&self, method: Method, path: impl Into<String>) -> Call<'_> {
        let path = path.into();
        Call { client: self, method, path, headers: Vec::new(), body: Bytes::new() }
    }
}

/// All events of a list, read in pages: the type, the id of the changed item, and its state before and after,
/// separated by `>`. The numbers must have no gaps.
///
/// # Panics
/// The service refuses, or skips a number.
pub async fn events_of(client: &Client, path: &str, token: Option<&str>) -> Vec<[String; 3]> {
    let field = |of: &Value, name: &str| of.get(name).cloned().unwrap_or_default();
    let (mut events, mut after) = (Vec::new(), 0);
    loop {
        let call = client.get(format!("{path}?after={after}&limit=7"));
        let call = match token {
            Some(token) => call.bearer(token),
            None => call,
        };
        let answer = call.send().await.expect(200);
        let rows = answer.data().as_array().cloned().unwrap_or_default();
        for row in rows {
            let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
            let data = &field(&row, "data");
            let ids = ["txId", "exportId", "sessionId", "mintId", "depositId", "blockHeight"];
            let id = ids.into_iter().find_map(|name| data.get(name)).map(text);
            let states =
                format!("{}>{}", text(&field(data, "before")), text(&field(data, "after")));
            events.push([text(&field(&row, "type")), id.unwrap_or_default(), states]);
            assert!(field(&row, "sequence") == events.len(), "event {}: {row}", events.len());
        }
        let meta = &field(&answer.body, "metaData");
        after = field(meta, "next").as_u64().unwrap_or_default();
        if field(meta, "next") == field(meta, "newest") {
            return events;
        }
    }
}

/// Runs the same call twenty times concurrently and returns the outcomes.
///
/// # Panics
/// One of the calls panics.
// For tests of races.
#[allow(clippy::expect_used)]
pub async fn twenty_at_once<T, F>(make: impl Fn(u64) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..20).map(|n| tokio::spawn(make(n))).collect();
    let mut outcomes = Vec::with_capacity(tasks.len());
    for task in tasks {
        outcomes.push(task.await.expect("none of them panics"));
    }
    outcomes
}

/// A request under construction.
#[must_use = "a call does nothing until it is sent"]
#[derive(Debug)]
pub struct Call<'a> {
    client: &'a Client,
    method: Method,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Bytes,
}

impl Call<'_> {
    /// Adds a header; the value may be any bytes that HTTP allows.
    pub fn header(mut self, name: impl Into<String>, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.into(), value.as_ref().to_owned()));
        self
    }

    /// Adds an access token.
    pub fn bearer(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    /// Adds a JSON body and its content type.
    pub fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json").body(body.to_string())
    }

    /// Adds a raw body without a content type.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends the request.
    ///
    /// # Panics
    /// No answer arrives.
    pub async fn send(self) -> Answer {
        self.try_send().await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Sends the request.
    ///
    /// # Errors
    /// No answer arrives.
    pub async fn try_send(self) -> Result<Answer> {
        let doing = format!("{} {}{}", self.method, self.client.base, self.path);
        let (method, path, sent) = (self.method.clone(), self.path.clone(), self.body.clone());
        let mut request = http::Request::new(Full::new(self.body));
        *request.method_mut() = self.method;
        *request.uri_mut() =
            format!("{}{}", self.client.base, self.path).parse().context(&doing)?;
        for (name, value) in self.headers {
            let name: HeaderName = name.parse().context(&doing)?;
            request.headers_mut().append(name, HeaderValue::from_bytes(&value).context(&doing)?);
        }
        if let Some(device) = self.client.device_token() {
            let value = HeaderValue::from_str(&device).context(&doing)?;
            request.headers_mut().entry(device_token::HEADER).or_insert(value);
        }
        request
            .headers_mut()
            .entry(header::ACCEPT)
            .or_insert(HeaderValue::from_static("application/json"));
        let exchange = async {
            let response = self.client.http.request(request).await.context(&doing)?;
            let (parts, body) = response.into_parts();
            let bytes = body.collect().await.context(&doing)?.to_bytes();
            Ok::<_, Failure>((parts, bytes))
        };
        let (parts, bytes) = timeout(HANG_LIMIT, exchange).await.context(&doing)??;
        let (status, headers) = (parts.status.as_u16(), parts.headers);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        self.client.keep_device_token(&body);
        let answer = Answer { request: doing, status, headers, body, text, bytes };
        if answer.is_error() {
            answers::check(&method, &path, answer.code())?;
            refusals::record(&method, &path, &answer.body)?;
        } else if (200..300).contains(&answer.status) && answer.body.is_object() {
            let body: Value = serde_json::from_slice(&sent).unwrap_or_default();
            examples::record(&method, Example::new(&path, &body, &answer.body))?;
        }
        Ok(answer)
    }
}

/// A complete answer.
#[derive(Clone, Debug)]
pub struct Answer {
    request: String,
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The parsed body if it is JSON, otherwise null.
    pub body: Value,
    /// The body as text.
    pub text: String,
    /// The body as received.
    pub bytes: Bytes,
}

/// The whole answer in readable form.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} -> {}", self.request, self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {}", String::from_utf8_lossy(value.as_bytes()))?;
        }
        write!(f, "{}", self.text)
    }
}

/// Whether a text reads as whole sentences, without type names from a parser.
fn is_sentence(text: &str) -> bool {
    const OF_PARSERS: [&str; 5] = ["expected", "invalid type", "invalid value", "u64", "variant"];
    let begins = text.starts_with(|first: char| !first.is_lowercase());
    begins && text.ends_with('.') && !OF_PARSERS.iter().any(|word| text.contains(word))
}

impl Answer {
    /// Value of a header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The field `data` of a success; null if it is missing.
    pub fn data(&self) -> &Value {
        self.body.get("data").unwrap_or(&Value::Null)
    }

    /// The field `code`: `1`, or the code of the error.
    pub fn code(&self) -> &str {
        self.body.get("code").and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether the service refused the request or failed.
    fn is_error(&self) -> bool {
        self.status >= 400 && self.body.get("requestId").is_some()
    }

    /// A string field of `data`; empty if it is missing.
    pub fn text_of(&self, field: &str) -> &str {
        self.data().get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// What `metaData` contains in addition to the position, for an answer that is not a page of a list.
    ///
    /// # Panics
    /// The position is not that of one object, or of a whole array.
    #[track_caller]
    pub fn notes(&self) -> Value {
        let items = self.data().as_array().map_or(1, Vec::len);
        let mut notes = self.body.get("metaData").cloned().unwrap_or_default();
        for (name, number) in [
            ("totalItems", items),
            ("currentPage", 1),
            ("pageSize", items.max(1)),
            ("totalPages", items.min(1)),
        ] {
            let found = notes.as_object_mut().and_then(|notes| notes.remove(name));
            assert!(found == Some(Value::from(number)), "{name} is not {number}: {self}");
        }
        notes
    }

    /// The answer, if it has this status.
    ///
    /// # Errors
    /// The answer has another status.
    pub fn check(self, status: u16) -> Result<Self> {
        if self.status == status {
            Ok(self)
        } else {
            Err(Failure::new(format!("expected {status}: {self}")))
        }
    }

    /// The answer, which must have this status.
    ///
    /// # Panics
    /// It has another status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert!(self.status == status, "expected {status}: {self}");
        self
    }

    /// The answer, which must be this problem in the common error shape.
    ///
    /// # Panics
    /// It is not.
    #[track_caller]
    pub fn expect_error(self, problem: Problem) -> Self {
        let answer = self.expect(problem.status().as_u16()).expect_error_shape();
        assert!(answer.code() == problem.code(), "expected {problem:?}: {answer}");
        answer
    }

    /// The same. `claim` is what the error proves, for example a row of the identity checklist.
    ///
    /// # Panics
    /// It is not.
    #[track_caller]
    pub fn expect_error_for(self, problem: Problem, claim: &str) -> Self {
        let is_meant = self.status == problem.status() && self.code() == problem.code();
        assert!(is_meant, "{claim}: expected {problem:?}: {self}");
        self.expect_error_shape()
    }

    /// The answer, which must be an error in the common error shape.
    ///
    /// # Panics
    /// It is not.
    #[track_caller]
    pub fn expect_error_shape(self) -> Self {
        let text = |field: &str| self.body.get(field).and_then(Value::as_str).unwrap_or_default();
        let digits =
            !text("code").is_empty() && text("code").bytes().all(|byte| byte.is_ascii_digit());
        let shaped = self.status >= 400
            && digits
            && text("message").contains('.')
            && is_sentence(text("details"));
        assert!(shaped, "not in the error shape: {self}");
        assert!(
            text("requestId") == self.header("x-request-id"),
            "the body has another request id than the header: {self}"
        );
        self
    }
}
