//! A function as Lambda runs it: its binary in its own process, on a runtime API that hands it one event
//! after another. Measures the start and each invocation.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{self, Arc, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shared::auth::PeerAddress;
use tokio::{
    process::{Child, Command},
    sync::{Mutex, mpsc},
};

use super::paths::raw_path;
use crate::base::{
    failure::{Context, Failure, Result},
    server::Server,
};

/// Timeout of an invocation.
const TIMEOUT: Duration = Duration::from_secs(900);
/// Maximum body that the gateway accepts, in bytes (API Gateway quotas: 10 MB).
const LONGEST_BODY: usize = 10 * 1024 * 1024;

/// The cost of a start, from the start of the process to its first request for an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Duration.
    pub took: Duration,
    /// CPU time of all threads.
    pub cpu: Duration,
    /// Peak memory of the process, in KiB.
    pub peak_kib: u64,
}

/// Result of an invocation.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The function's answer.
    pub answer: Value,
    /// Duration.
    pub took: Duration,
    /// CPU time of the invocation and of the request for the next event, of all threads.
    pub cpu: Duration,
    /// Peak memory of the process so far, in KiB.
    pub peak_kib: u64,
}

/// The process of a function. It ends when this is dropped.
#[derive(Debug)]
pub struct Function {
    start: Start,
    process: Mutex<Idle>,
    _server: Server,
}

/// A process that has requested its next event.
#[derive(Debug)]
struct Idle {
    name: String,
    process: Child,
    events: mpsc::Sender<Value>,
    asked: mpsc::UnboundedReceiver<()>,
    answered: mpsc::UnboundedReceiver<Value>,
}

#[derive(Clone)]
struct RuntimeApi {
    events: Arc<Mutex<mpsc::Receiver<Value>>>,
    asked: mpsc::UnboundedSender<()>,
    answered: mpsc::UnboundedSender<Value>,
}

impl Function {
    /// Starts a binary with exactly these settings as its environment.
    ///
    /// # Errors
    /// It does not start, or ends before it requests an event.
    pub async fn start(binary: &Path, settings: &BTreeMap<String, String>) -> Result<Self> {
        Self::start_program(Command::new(binary), settings).await
    }

    /// Starts a program with exactly these settings as its environment.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub async fn start_program(
        mut program: Command,
        settings: &BTreeMap<String, String>,
    ) -> Result<Self> {
        let name = program.as_std().get_program().to_string_lossy().into_owned();
        let (asks, asked) = mpsc::unbounded_channel();
        let (answers, answered) = mpsc::unbounded_channel();
        let (events, taken) = mpsc::channel(1);
        let api =
            RuntimeApi { events: Arc::new(Mutex::new(taken)), asked: asks, answered: answers };
        // Paths and headers: AWS Lambda Developer Guide, "Using the Lambda runtime API".
        let router = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/response", post(answer))
            .route("/2018-06-01/runtime/invocation/{id}/error", post(answer))
            .layer(axum::extract::DefaultBodyLimit::disable())
            .with_state(api);
        let server = Server::start(router).await?;
        program
            .env_clear()
            .envs(settings)
            .env("AWS_LAMBDA_RUNTIME_API", server.url().strip_prefix("http://").unwrap_or_default())
            .env("AWS_LAMBDA_FUNCTION_NAME", "function")
            .env("AWS_LAMBDA_FUNCTION_VERSION", "1")
            .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512")
            .kill_on_drop(true);
        let begun = Instant::now();
        let process = program.spawn().context(&name)?;
        let mut idle = Idle { name, process, events, asked, answered };
        idle.asks().await?;
        let start = Start { took: begun.elapsed(), cpu: idle.cpu()?, peak_kib: idle.peak()? };
        Ok(Self { start, process: Mutex::new(idle), _server: server })
    }

    /// Measurements of the start.
    pub fn started(&self) -> Start {
        self.start
    }

    /// Hands over an event once the previous one is done.
    ///
    /// # Errors
    /// The process ends without an answer.
    pub async fn invoke(&self, event: Value) -> Result<Invocation> {
        let mut idle = self.process.lock().await;
        let (cpu, begun) = (idle.cpu()?, Instant::now());
        idle.events.send(event).await.context(&idle.name)?;
        let answer = idle.answers().await?;
        let took = begun.elapsed();
        idle.asks().await?;
        let cpu = idle.cpu()?.saturating_sub(cpu);
        Ok(Invocation { answer, took, cpu, peak_kib: idle.peak()? })
    }
}

impl Idle {
    async fn asks(&mut self) -> Result<()> {
        unless_ended(&mut self.asked, &mut self.process, &self.name).await
    }

    async fn answers(&mut self) -> Result<Value> {
        unless_ended(&mut self.answered, &mut self.process, &self.name).await
    }

    fn proc(&self) -> Result<String> {
        Ok(format!("/proc/{}", self.process.id().context(&self.name)?))
    }

    /// Peak memory in KiB (Linux manual, `proc_pid_status`, `VmHWM`).
    fn peak(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("{}/status", self.proc()?)).context("memory")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("memory")?;
        line.trim().trim_end_matches(" kB").parse().context("memory")
    }

    /// CPU time of the threads in nanoseconds (Linux documentation, `sched-stats`, `/proc/<pid>/schedstat`).
    /// The ticks of `/proc/<pid>/stat` are as long as a dozen requests.
    fn cpu(&self) -> Result<Duration> {
        let mut nanoseconds: u64 = 0;
        for thread in fs::read_dir(format!("{}/task", self.proc()?)).context("CPU time")? {
            let path = thread.context("CPU time")?.path().join("schedstat");
            // The thread may have ended.
            let Ok(text) = fs::read_to_string(path) else { continue };
            let spent = text.split_whitespace().next().and_then(|first| first.parse().ok());
            nanoseconds = nanoseconds.saturating_add(spent.unwrap_or(0));
        }
        Ok(Duration::from_nanos(nanoseconds))
    }
}

/// Waits for the next message of a process, unless it ends first.
async fn unless_ended<T>(
    said: &mut mpsc::UnboundedReceiver<T>,
    process: &mut Child,
    name: &str,
) -> Result<T> {
    tokio::select! {
        said = said.recv() => said.context(name),
        ended = process.wait() => Err(Failure::new(format!("{name} ended: {ended:?}"))),
    }
}

async fn next(State(api): State<RuntimeApi>) -> Response {
    // The receiver is gone if nobody waits for the function any more.
    let _ = api.asked.send(());
    let Some(event) = api.events.lock().await.recv().await else { std::future::pending().await };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let deadline = now.saturating_add(TIMEOUT).as_millis().to_string();
    let headers = [
        ("content-type", "application/json"),
        ("lambda-runtime-aws-request-id", "1"),
        ("lambda-runtime-deadline-ms", deadline.as_str()),
        ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:000000000000:function:f"),
    ];
    (headers.map(|(name, value)| (name, value.to_owned())), event.to_string()).into_response()
}

/// The answer as JSON, regardless of its content type.
async fn answer(State(api): State<RuntimeApi>, body: Bytes) -> StatusCode {
    let answer = serde_json::from_slice(&body).unwrap_or_default();
    // The receiver may be gone, as above.
    let _ = api.answered.send(answer);
    StatusCode::ACCEPTED
}

/// A gateway in front of functions, as API Gateway is: it turns each HTTP request into an event (payload
/// format 2.0), and the function's answer into the response.
#[derive(Clone, Debug, Default)]
pub struct Gateway {
    invocations: Arc<sync::Mutex<Vec<Invocation>>>,
}

impl Gateway {
    /// Serves a function until the server is dropped.
    ///
    /// # Errors
    /// No port is free.
    pub async fn serve(&self, function: Arc<Function>) -> Result<Server> {
        let gateway = self.clone();
        let router = Router::new().fallback(move |request: Request| async move {
            match gateway.answer(&function, request).await {
                Ok(response) => response,
                Err(failure) => (StatusCode::BAD_GATEWAY, failure.to_string()).into_response(),
            }
        });
        Server::start(router).await
    }

    /// Measurements of the invocations since the last call, in the order of their answers.
    pub fn take(&self) -> Vec<Invocation> {
        std::mem::take(&mut *self.invocations.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn answer(&self, function: &Function, request: Request) -> Result<Response> {
        let invocation = function.invoke(event(request).await?).await?;
        let response = response(&invocation.answer);
        self.invocations.lock().unwrap_or_else(PoisonError::into_inner).push(invocation);
        response
    }
}

async fn event(request: Request) -> Result<Value> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, LONGEST_BODY).await.context("body")?;
    let mut headers: BTreeMap<&str, String> = BTreeMap::new();
    for (name, value) in &parts.headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        headers
            .entry(name.as_str())
            .and_modify(|text| {
                text.push(',');
                text.push_str(&value);
            })
            .or_insert_with(|| value.into_owned());
    }
    let source = parts.extensions.get::<PeerAddress>().map(|peer| peer.0.to_string());
    let (body, encoded) = match std::str::from_utf8(&body) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (BASE64_STANDARD.encode(&body), true),
    };
    let path = raw_path(parts.uri.path());
    Ok(json!({
        "version": "2.0", "routeKey": "$default",
        "rawPath": path, "rawQueryString": parts.uri.query().unwrap_or_default(),
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000", "apiId": "local", "domainName": "localhost",
            "http": {
                "method": parts.method.as_str(), "path": path, "protocol": "HTTP/1.1",
                "sourceIp": source.unwrap_or_default(), "userAgent": "",
            },
            "requestId": "local", "routeKey": "$default", "stage": "$default",
            "time": "01/Jan/2026:00:00:00 +0000", "timeEpoch": 1_767_225_600_000_u64,
        },
        "body": body, "isBase64Encoded": encoded,
    }))
}

fn response(answer: &Value) -> Result<Response> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Answer {
        status_code: u16,
        #[serde(default)]
        headers: Map<String, Value>,
        body: Option<String>,
        #[serde(default)]
        is_base64_encoded: bool,
    }
    let answer = Answer::deserialize(answer).context(answer)?;
    let body = answer.body.unwrap_or_default();
    let body = match answer.is_base64_encoded {
        true => BASE64_STANDARD.decode(body).context("body")?,
        false => body.into_bytes(),
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(answer.status_code).context("status")?;
    for (name, value) in answer.headers {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let name: HeaderName = name.parse().context("header")?;
        // The server sets its own content length.
        if name != http::header::CONTENT_LENGTH {
            response.headers_mut().insert(name, HeaderValue::from_str(&value).context("header")?);
        }
    }
    Ok(response)
}
