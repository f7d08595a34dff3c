//! A small HTTP client for tests and seeds. Helpers that assert print the whole answer.

use std::{
    fmt,
    net::Ipv4Addr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client as HyperClient, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;
use shared::{
    auth::device,
    clock::{Clock, SystemClock, Timestamp},
};

use crate::failure::{Context, Failure, Result};

/// A client of one base address. Cloning is cheap.
#[derive(Clone)]
pub struct Client {
    base: String,
    http: HyperClient<HttpConnector, Full<Bytes>>,
    clock: Arc<dyn Clock>,
    last_signed: Arc<AtomicI64>,
    /// The token of the device that it is.
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

    /// A client of `base` on the clock that its service goes by.
    pub fn with_clock(base: impl Into<String>, clock: Arc<dyn Clock>) -> Self {
        let http = HyperClient::builder(TokioExecutor::new()).build_http();
        let base = base.into().trim_end_matches('/').to_owned();
        Self { base, http, clock, last_signed: Arc::default(), device: Arc::default() }
    }

    /// The same client as a device that no account knows.
    #[must_use]
    pub fn on_another_device(&self) -> Self {
        Self { device: Arc::default(), ..self.clone() }
    }

    /// Another device, calling from another address: any of 127.0.0.0/8 is this machine's own.
    #[must_use]
    pub fn calling_from(&self, source: Ipv4Addr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_local_address(Some(source.into()));
        let http = HyperClient::builder(TokioExecutor::new()).build(connector);
        Self { http, ..self.on_another_device() }
    }

    /// The token of the device that it is, once it has signed in.
    pub fn device_token(&self) -> Option<String> {
        self.device.lock().map_or(None, |device| device.clone())
    }

    /// Keeps the device token of a sign-in.
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

    /// The service's time, for a message to sign: no two are alike, since each serves once.
    pub(crate) fn next_moment(&self) -> Timestamp {
        let now = self.now().0;
        let next = |last: i64| Some(now.max(last.saturating_add(1)));
        let last = self.last_signed.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next);
        Timestamp(last.map_or(now, |last| now.max(last.saturating_add(1))))
    }

    /// A GET.
    pub fn get(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::GET, path)
    }

    /// A POST.
    pub fn post(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::POST, path)
    }

    /// A PATCH.
    pub fn patch(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::PATCH, path)
    }

    /// A DELETE.
    pub fn delete(&self, path: impl Into<String>) -> Call<'_> {
        self.request(Method::DELETE, path)
    }

    /// A request of any method; `path` with its query.
    pub fn request(&self, method: Method, path: impl Into<String>) -> Call<'_> {
        let path = path.into();
        Call { client: self, method, path, headers: Vec::new(), body: Bytes::new() }
    }
}

/// Twenty of the same at once, and what came of them.
///
/// # Panics
/// One of them does.
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

/// A request that is being put together.
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
    /// Adds a header; its value may be any bytes that HTTP allows.
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

    /// Adds a body as it is, without a content type.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends it.
    ///
    /// # Panics
    /// There is no answer.
    pub async fn send(self) -> Answer {
        self.try_send().await.unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Sends it.
    ///
    /// # Errors
    /// There is no answer.
    pub async fn try_send(self) -> Result<Answer> {
        let doing = format!("{} {}{}", self.method, self.client.base, self.path);
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
            request.headers_mut().entry(device::HEADER).or_insert(value);
        }
        request
            .headers_mut()
            .entry(header::ACCEPT)
            .or_insert(HeaderValue::from_static("application/json"));
        let response = self.client.http.request(request).await.context(&doing)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.into_body().collect().await.context(&doing)?.to_bytes();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        self.client.keep_device_token(&body);
        Ok(Answer { request: doing, status, headers, body, text })
    }
}

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Answer {
    request: String,
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The body where it is JSON, else null.
    pub body: Value,
    /// The body.
    pub text: String,
}

/// The whole answer, for a person.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} -> {}", self.request, self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {}", String::from_utf8_lossy(value.as_bytes()))?;
        }
        write!(f, "{}", self.text)
    }
}

impl Answer {
    /// A header's value; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The field `data` of a success; null where there is none.
    pub fn data(&self) -> &Value {
        self.body.get("data").unwrap_or(&Value::Null)
    }

    /// The field `code`: `1`, or what went wrong.
    pub fn code(&self) -> &str {
        self.body.get("code").and_then(Value::as_str).unwrap_or_default()
    }

    /// A field of `data` that is a text; empty where there is none.
    pub fn text_of(&self, field: &str) -> &str {
        self.data().get(field).and_then(Value::as_str).unwrap_or_default()
    }

    /// This answer, if it has that status.
    ///
    /// # Errors
    /// It has another one.
    pub fn check(self, status: u16) -> Result<Self> {
        if self.status == status {
            Ok(self)
        } else {
            Err(Failure::new(format!("expected {status}: {self}")))
        }
    }

    /// This answer, which has that status.
    ///
    /// # Panics
    /// It has another one.
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert!(self.status == status, "expected {status}: {self}");
        self
    }

    /// This answer, which is an error of that status and code, in the shape of every error.
    ///
    /// # Panics
    /// It is not.
    #[track_caller]
    pub fn expect_error(self, status: u16, code: &str) -> Self {
        let answer = self.expect(status).expect_error_shape();
        assert!(answer.code() == code, "expected code {code}: {answer}");
        answer
    }

    /// This answer, which is an error in the shape of every error.
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
            && !text("details").is_empty();
        assert!(shaped, "not in the error shape: {self}");
        assert!(text("requestId") == self.header("x-request-id"), "another request id: {self}");
        self
    }
}
