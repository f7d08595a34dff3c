//! A function as Lambda runs it: its binary, in a process of its own, on a runtime API that gives it
//! one event. Says what that took.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use axum::{
    Router,
    body::Body,
    extract::State,
    response::Response,
    routing::{get, post},
};
use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;
use tokio::{process::Command, sync::mpsc};

use crate::{
    failure::{Context, Failure, Result},
    server::Server,
};

/// How long an invocation may take.
const TIMEOUT: Duration = Duration::from_secs(900);
/// A tick of the CPU times of `/proc` (Linux manual, `sysconf`, `_SC_CLK_TCK`).
const TICK: Duration = Duration::from_millis(10);

/// What came of an event.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// What the function answered.
    pub answer: Value,
    /// How long that took.
    pub took: Duration,
    /// CPU time of it, of all threads together.
    pub cpu: Duration,
    /// The most memory that the process has had before the event, in KiB.
    pub before_kib: u64,
    /// The most memory that it has had when it answered, in KiB.
    pub peak_kib: u64,
}

#[derive(Clone)]
struct RuntimeApi {
    event: Arc<Mutex<Option<Value>>>,
    asked: mpsc::UnboundedSender<()>,
    answered: mpsc::UnboundedSender<Value>,
}

/// Starts a function's binary with these settings, and gives it an event.
///
/// # Errors
/// It does not start, or ends without an answer.
pub async fn invoke(
    binary: &Path,
    settings: &BTreeMap<String, String>,
    event: Value,
) -> Result<Invocation> {
    let doing = || format!("{}", binary.display());
    let (asked, mut was_asked) = mpsc::unbounded_channel();
    let (answered, mut was_answered) = mpsc::unbounded_channel();
    let api = RuntimeApi { event: Arc::new(Mutex::new(Some(event))), asked, answered };
    // AWS Lambda Developer Guide, "Using the Lambda runtime API".
    let router = Router::new()
        .route("/2018-06-01/runtime/invocation/next", get(next))
        .route("/2018-06-01/runtime/invocation/{id}/response", post(answer))
        .route("/2018-06-01/runtime/invocation/{id}/error", post(answer))
        .with_state(api);
    let server = Server::start(router).await?;
    let address = server.url().strip_prefix("http://").unwrap_or_default();
    let mut function = Command::new(binary)
        .env_clear()
        .envs(settings)
        .env("AWS_LAMBDA_RUNTIME_API", address)
        .env("AWS_LAMBDA_FUNCTION_NAME", "function")
        .env("AWS_LAMBDA_FUNCTION_VERSION", "1")
        .env("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512")
        .kill_on_drop(true)
        .spawn()
        .context(doing())?;
    let pid = function.id().context(doing())?;
    let invoked = async {
        was_asked.recv().await.context(doing())?;
        let (before_kib, cpu_before, begun) = (peak(pid)?, cpu(pid)?, Instant::now());
        let answer = was_answered.recv().await.context(doing())?;
        Ok(Invocation {
            answer,
            took: begun.elapsed(),
            cpu: cpu(pid)?.saturating_sub(cpu_before),
            before_kib,
            peak_kib: peak(pid)?,
        })
    };
    tokio::select! {
        invocation = invoked => invocation,
        ended = function.wait() => {
            Err(Failure::new(format!("{} ended: {ended:?}", doing())))
        }
    }
}

async fn next(State(api): State<RuntimeApi>) -> Response {
    let event = api.event.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(event) = event else { std::future::pending().await };
    // Nobody listens any more where the invocation was given up.
    let _ = api.asked.send(());
    // Time to look at the process before it has something to do.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut response = Response::new(Body::from(event.to_string()));
    let deadline = now.saturating_add(TIMEOUT).as_millis().to_string();
    for (name, value) in [
        ("lambda-runtime-aws-request-id", "1"),
        ("lambda-runtime-deadline-ms", &deadline),
        ("lambda-runtime-invoked-function-arn", "arn:aws:lambda:us-east-1:000000000000:function:f"),
    ] {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// What the function says, whatever it says of its type.
async fn answer(State(api): State<RuntimeApi>, body: Bytes) -> StatusCode {
    let answer = serde_json::from_slice(&body).unwrap_or_default();
    // As above.
    let _ = api.answered.send(answer);
    StatusCode::ACCEPTED
}

/// The most memory that a process has had, in KiB (Linux manual, `proc_pid_status`, `VmHWM`).
fn peak(pid: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).context("memory")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("memory")?;
    line.trim().trim_end_matches(" kB").parse().context("memory")
}

/// The CPU time of a process, user's and system's (Linux manual, `proc_pid_stat`, fields 14 and 15).
fn cpu(pid: u32) -> Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).context("CPU time")?;
    // Its name, in parentheses, may hold anything.
    let (_, after) = stat.rsplit_once(')').context("CPU time")?;
    let ticks = after.split_whitespace().skip(11).take(2).map(str::parse::<u32>);
    let ticks = ticks.sum::<std::result::Result<u32, _>>().context("CPU time")?;
    Ok(TICK.saturating_mul(ticks))
}
