//! The network of every instance: calls travel with latency and faults to the hosts of the simulated world.
//!
//! A new external party is one [`Host`], registered in `setup.rs` under the name in its address. A call
//! that was sent goes on, even if its caller no longer waits for it or no longer exists.

use std::{
    any::Any,
    collections::BTreeMap,
    fmt::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use aws_smithy_types::body::SdkBody;
use base::outbound::{Sending, Wire, WireError};
use bitcoin::ScriptBuf;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header::CONTENT_TYPE};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::{
    sync::{Notify, oneshot},
    time::{Instant, sleep},
};

use crate::{
    books::Books,
    choice::Choices,
    faults::{Fault, Latency, Menu},
    instance::Instance,
    mistakes::{Mistake, Sent},
};

/// The time at which every run begins, in ms since the epoch.
pub const START_MS: i64 = 1_800_000_000_000;

/// Whether every line of the trace is printed as it is written.
pub static PRINTS_TRACE: AtomicBool = AtomicBool::new(false);

/// The header that names the operation of an AWS protocol.
const TARGET: &str = "x-amz-target";

/// A call that has arrived at its host.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// When it arrived, in ms since the epoch on the world's clock.
    pub at: i64,
    /// Method.
    pub method: Method,
    /// Path, from `/`.
    pub path: String,
    /// Query, without `?`.
    pub query: String,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
    /// The invocation that sent it.
    pub invocation: u64,
    /// Whether that invocation had ended.
    pub is_late: bool,
    /// How long it takes to execute, in ms; 0 if the host decides.
    pub takes_ms: i64,
}

impl Arrived {
    /// The operation of an AWS protocol with `x-amz-target`, otherwise empty.
    pub fn operation(&self) -> &str {
        let target = self.headers.get(TARGET).and_then(|target| target.to_str().ok());
        target.unwrap_or_default().rsplit('.').next().unwrap_or_default()
    }
}

/// A host's answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Status.
    pub status: StatusCode,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

impl Reply {
    /// A JSON answer.
    pub fn json(status: StatusCode, body: &Value) -> Self {
        Self::text(status, "application/json", body.to_string())
    }

    /// An answer of any kind.
    pub fn text(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        Self { status, headers, body: body.into() }
    }

    fn into_response(self) -> Response<SdkBody> {
        let mut response = Response::new(SdkBody::from(self.body));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

/// A party outside the service. It executes a call at the instant of its arrival.
pub trait Host: Send {
    /// Executes a call.
    fn handle(&mut self, arrived: &Arrived, choices: &mut Choices) -> Reply;

    /// Whether its answers may be wrong at present, which counts as a fault of each call.
    fn is_unreliable(&self) -> bool {
        false
    }

    /// The host itself, for callers that need its type.
    fn as_any(&mut self) -> &mut dyn Any;
}

/// What was observed of one invocation: a request, a message, or a scheduled run.
#[derive(Clone, Debug, Default)]
pub struct Invocation {
    /// What was invoked, for example `POST /auth/logout` or `run chain-watcher`.
    pub what: String,
    /// The name of the person who asked, or empty.
    pub person: String,
    /// The accounts that the caller may act on.
    pub may_touch: Vec<String>,
    /// A value that may have its effect only once: all requests that carry it have this tag.
    pub once: Option<String>,
    /// Number of faults in its calls.
    pub faults: u32,
    /// Whether it has ended.
    pub has_ended: bool,
    /// Status of the answer; `None` if there was none.
    pub status: Option<u16>,
    /// The answer's code.
    pub code: String,
}

/// Everything that all tasks of a run share.
pub struct World {
    /// The source of all random choices.
    pub choices: Choices,
    /// The menu of faults.
    pub menu: Menu,
    /// Hosts by name.
    hosts: BTreeMap<String, Box<dyn Host>>,
    /// Everything that happened, line by line.
    trace: Vec<String>,
    trace_hash: u64,
    /// Invocations by number, from 1.
    pub invocations: BTreeMap<u64, Invocation>,
    /// Number of calls.
    pub calls: u64,
    /// What the service reported to its users.
    pub books: Books,
    /// The script of the pool.
    pub pool: ScriptBuf,
    /// A deliberate mistake.
    pub mistake: Option<Mistake>,
    /// The call before which the run stops.
    pub until: Option<u64>,
    /// Violations found outside the invariants' checks: a model's panic, damage in a log.
    pub alarms: Vec<String>,
}

impl World {
    /// A host by its type.
    ///
    /// # Panics
    /// There is no host with this name and type.
    pub fn host<T: 'static>(&mut self, name: &str) -> &mut T {
        let host = self.hosts.get_mut(name).expect("the host is registered");
        host.as_any().downcast_mut().expect("the host has this type")
    }

    /// A host together with the choices, for callers that drive it from inside.
    ///
    /// # Panics
    /// There is no host with this name and type.
    pub fn host_and_choices<T: 'static>(&mut self, name: &str) -> (&mut T, &mut Choices) {
        let host = self.hosts.get_mut(name).expect("the host is registered");
        let host = host.as_any().downcast_mut().expect("the host has this type");
        (host, &mut self.choices)
    }

    /// Everything that happened, line by line.
    pub fn trace(&self) -> &[String] {
        &self.trace
    }

    /// A hash of everything that happened.
    pub fn trace_hash(&self) -> u64 {
        self.trace_hash
    }

    #[allow(clippy::print_stdout, reason = "for a person who watches a run")]
    fn note(&mut self, line: String) {
        if PRINTS_TRACE.load(Ordering::Relaxed) {
            println!("{line}");
        }
        self.trace_hash = crate::choice::hash(self.trace_hash, &line);
        self.trace.push(line);
    }
}

/// The network of a run, and its clock. Clones share it.
#[derive(Clone)]
pub struct Net {
    world: Arc<Mutex<World>>,
    start: Instant,
    stop: Arc<Notify>,
}

impl Net {
    /// A network that begins now.
    pub fn new(choices: Choices, menu: Menu) -> Self {
        let world = World {
            choices,
            menu,
            hosts: BTreeMap::new(),
            trace: Vec::new(),
            trace_hash: 0,
            invocations: BTreeMap::new(),
            calls: 0,
            books: Books::default(),
            pool: ScriptBuf::new(),
            mistake: None,
            until: None,
            alarms: Vec::new(),
        };
        Self { world: Arc::new(Mutex::new(world)), start: Instant::now(), stop: Arc::default() }
    }

    /// Waits until the run stops before the last call of its plan.
    pub async fn stopped(&self) {
        self.stop.notified().await;
    }

    /// Adds a host: `http://<name>` leads to it.
    pub fn register(&self, name: &str, host: impl Host + 'static) {
        self.world().hosts.insert(name.to_owned(), Box::new(host));
    }

    /// The shared state. The guard must not live across an `await`.
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds since the epoch, on the world's clock.
    pub fn now(&self) -> i64 {
        let elapsed = i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX);
        START_MS.saturating_add(elapsed)
    }

    /// Writes a line of the trace.
    pub fn note(&self, what: &str) {
        let line = format!("{} {what}", self.now() - START_MS);
        self.world().note(line);
    }

    /// Begins an invocation.
    pub fn begin(&self, invocation: Invocation) -> u64 {
        let mut world = self.world();
        let number = world.invocations.last_key_value().map_or(1, |(last, _)| last + 1);
        world.invocations.insert(number, invocation);
        number
    }

    /// Ends an invocation.
    pub fn end(&self, number: u64, status: Option<u16>, code: &str) {
        let line = {
            let mut world = self.world();
            let invocation = world.invocations.get_mut(&number).expect("it was begun");
            invocation.has_ended = true;
            invocation.status = status;
            code.clone_into(&mut invocation.code);
            let status = status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
            format!("#{number} {} {}: {status} {code}", invocation.person, invocation.what)
        };
        self.note(&line);
    }

    fn arrive(&self, parcel: &Parcel) -> Option<Reply> {
        let mut world = self.world();
        let is_late =
            world.invocations.get(&parcel.invocation).is_none_or(|invocation| invocation.has_ended);
        let arrived = Arrived {
            at: self.now(),
            method: parcel.method.clone(),
            path: parcel.path.clone(),
            query: parcel.query.clone(),
            headers: parcel.headers.clone(),
            body: parcel.body.clone(),
            invocation: parcel.invocation,
            is_late,
            takes_ms: parcel.takes_ms,
        };
        let World { hosts, choices, .. } = &mut *world;
        let Some(host) = hosts.get_mut(&parcel.host) else {
            world.alarms.push(format!("nothing is at {}", parcel.host));
            return None;
        };
        let done = catch_unwind(AssertUnwindSafe(|| host.handle(&arrived, choices)));
        if host.is_unreliable()
            && let Some(invocation) = world.invocations.get_mut(&parcel.invocation)
        {
            invocation.faults += 1;
        }
        match done {
            Ok(reply) => {
                let line = format!(
                    "{} #{} {} -> {}{}",
                    self.now() - START_MS,
                    parcel.invocation,
                    parcel.name(),
                    reply.status.as_u16(),
                    if is_late { " (late)" } else { "" }
                );
                world.note(line);
                Some(reply)
            }
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text =
                    text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
                world.alarms.push(format!("{}: {}", parcel.name(), text.unwrap_or_default()));
                None
            }
        }
    }
}

/// A call on its way.
#[derive(Clone, Debug)]
struct Parcel {
    host: String,
    method: Method,
    path: String,
    query: String,
    headers: HeaderMap,
    body: Bytes,
    invocation: u64,
    takes_ms: i64,
}

impl Parcel {
    /// The operation of an AWS protocol with `x-amz-target`, otherwise empty.
    fn operation(&self) -> &str {
        let target = self.headers.get(TARGET).and_then(|target| target.to_str().ok());
        target.unwrap_or_default().rsplit('.').next().unwrap_or_default()
    }

    /// The number of actions of a transaction or of keys of a batch, otherwise 0.
    fn actions(&self) -> usize {
        let body = || serde_json::from_slice::<Value>(&self.body).unwrap_or_default();
        match self.operation() {
            "TransactWriteItems" => body()["TransactItems"].as_array().map_or(0, Vec::len),
            "BatchGetItem" => {
                let body = body();
                let tables = body["RequestItems"].as_object().into_iter().flatten();
                tables.map(|(_, of)| of["Keys"].as_array().map_or(0, Vec::len)).sum()
            }
            _ => 0,
        }
    }

    fn name(&self) -> String {
        let mut name = self.host.clone();
        match self.headers.get(TARGET).and_then(|target| target.to_str().ok()) {
            Some(target) => {
                let _ = write!(name, " {}", target.rsplit('.').next().unwrap_or_default());
                for key in self.row_keys() {
                    let _ = write!(name, " {key}");
                }
            }
            None => {
                let _ = write!(name, " {} {}", self.method, self.path);
            }
        }
        name
    }

    /// The keys of the rows that a call of DynamoDB names, shortened, in a fixed order.
    fn row_keys(&self) -> Vec<String> {
        if self.host != "dynamodb" {
            return Vec::new();
        }
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let key = |item: &Value| {
            let part = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
            format!("{}/{}", part("pk"), part("sk"))
        };
        let mut keys: Vec<String> = match &body["TransactItems"] {
            Value::Array(items) => items
                .iter()
                .filter_map(|item| item.as_object()?.values().next())
                .map(|action| {
                    let named = action.get("Item").or(action.get("Key"));
                    named.map(key).unwrap_or_default()
                })
                .collect(),
            _ => body.get("Item").or(body.get("Key")).map(key).into_iter().collect(),
        };
        keys.sort();
        keys
    }
}

/// The wire of one instance.
pub struct InstanceWire {
    /// The network.
    pub net: Net,
    /// The instance.
    pub instance: Arc<Instance>,
}

/// What happens to a call.
struct Fate {
    fault: Option<Fault>,
    there: Duration,
    back: Duration,
    /// The delay of a fault that needs one.
    later: Duration,
}

impl InstanceWire {
    fn fate(&self, parcel: &Parcel) -> Fate {
        let mut world = self.net.world();
        let World { choices, menu, .. } = &mut *world;
        let latency = menu.slow_hosts.get(parcel.host.as_str()).copied();
        let Latency { there, back } = latency.unwrap_or(menu.latency);
        let actor = format!("wire/{}", self.instance.name);
        let fault = choices.fault(&actor, &menu.faults);
        let actor = format!("latency/{}", self.instance.name);
        let fate = Fate {
            fault,
            there: Duration::from_millis(choices.between(&actor, there.0, there.1)),
            back: Duration::from_millis(choices.between(&actor, back.0, back.1)),
            later: Duration::from_millis(choices.between(&actor, 500, 90_000)),
        };
        world.calls += 1;
        if let Some(fault) = fate.fault {
            if let Some(invocation) = world.invocations.get_mut(&parcel.invocation) {
                invocation.faults += 1;
            }
            drop(world);
            self.net.note(&format!("#{} {} fault {fault:?}", parcel.invocation, parcel.name()));
        }
        fate
    }
}

impl Wire for InstanceWire {
    fn send(&self, request: http::Request<SdkBody>) -> Sending {
        let door = Self { net: self.net.clone(), instance: self.instance.clone() };
        Box::pin(async move {
            door.instance.thaw().await;
            let (head, body) = request.into_parts();
            let body = body.collect().await?.to_bytes();
            let parcel = Parcel {
                host: head.uri.host().unwrap_or_default().to_owned(),
                method: head.method,
                path: head.uri.path().to_owned(),
                query: head.uri.query().unwrap_or_default().to_owned(),
                headers: head.headers,
                body,
                invocation: door.instance.invocation(),
                takes_ms: 0,
            };
            let answer = match door.mistake() {
                None => door.go(parcel).await,
                Some(mistake) => {
                    let asked = parcel.path.clone();
                    match door.mistaken(mistake, parcel) {
                        Err(pretended) => Ok(Reply::json(StatusCode::OK, &pretended)),
                        Ok(parcel) => {
                            let answer = door.go(parcel).await;
                            answer.map(|reply| match mistake.in_answer(&asked, &reply.body) {
                                Some(believed) => Reply { body: believed.into(), ..reply },
                                None => reply,
                            })
                        }
                    }
                }
            };
            door.instance.thaw().await;
            answer.map(Reply::into_response)
        })
    }
}

impl InstanceWire {
    /// The deliberate mistake, if it applies to this instance.
    fn mistake(&self) -> Option<Mistake> {
        // The export worker reads lists in its own way, so it would fail immediately.
        let applies = !self.instance.name.starts_with("export-worker");
        self.net.world().mistake.filter(|_| applies)
    }

    /// The call that is sent by mistake; or the answer, if none is sent.
    fn mistaken(&self, mistake: Mistake, mut parcel: Parcel) -> Result<Parcel, Value> {
        let target = parcel.headers.get(TARGET).and_then(|target| target.to_str().ok());
        let (service, operation) =
            target.and_then(|target| target.split_once('.')).unwrap_or_default();
        let body: Value = serde_json::from_slice(&parcel.body).unwrap_or_default();
        let clock = self.net.now().saturating_add(self.instance.skew_ms);
        let sent = match parcel.host.as_str() {
            "esplora" => mistake.in_question(&parcel.path),
            "ses" => mistake.in_mail(),
            _ => mistake.in_request(operation, &body, clock),
        };
        match sent {
            Some(Sent::Changed(operation, body)) => {
                let target = HeaderValue::from_str(&format!("{service}.{operation}"));
                parcel.headers.insert(TARGET, target.expect("a target is text"));
                parcel.body = body.to_string().into();
            }
            Some(Sent::To(path)) => parcel.path = path,
            Some(Sent::Nothing(answer)) => return Err(answer),
            None => {}
        }
        Ok(parcel)
    }

    async fn go(&self, mut parcel: Parcel) -> Result<Reply, WireError> {
        let model = self.net.world().menu.model;
        if let Some(model) = model {
            let is_first = self.instance.connects(&parcel.host);
            let function = self.instance.function();
            self.instance.compute(model.computing(function, parcel.body.len(), is_first)).await;
            sleep(model.connecting(is_first)).await;
        }
        let is_last = {
            let world = self.net.world();
            world.until.is_some_and(|until| world.calls + 1 >= until)
        };
        if is_last {
            self.net.note(&format!(
                "#{} {} is not sent any more",
                parcel.invocation,
                parcel.name()
            ));
            self.net.stop.notify_one();
            return std::future::pending().await;
        }
        let mut fate = self.fate(&parcel);
        let Some(model) = model else { return self.travel(parcel, fate).await };
        let actor = format!("model/{}", self.instance.name);
        let kind = (parcel.host.as_str(), parcel.operation());
        let times = model.call(&mut self.net.world().choices, &actor, kind, parcel.actions());
        if !self.net.world().menu.slow_hosts.contains_key(parcel.host.as_str()) {
            (fate.there, fate.back) = (times.there, times.back);
        }
        parcel.takes_ms = i64::try_from(fate.back.as_millis()).unwrap_or(i64::MAX);
        let answer = self.travel(parcel, fate).await;
        if let Ok(reply) = &answer {
            sleep(model.reading(self.instance.function(), reply.body.len())).await;
        }
        answer
    }

    async fn travel(&self, parcel: Parcel, fate: Fate) -> Result<Reply, WireError> {
        let Fate { fault, there, back, later } = fate;
        let slow = Duration::from_millis(1_000 + u64::from(later.subsec_millis()) * 3);
        let error = || {
            Reply::json(
                StatusCode::INTERNAL_SERVER_ERROR,
                &serde_json::json!({
                    "__type": "InternalServerError",
                    "message": "an internal error",
                }),
            )
        };
        match fault {
            Some(Fault::NotSent) => {
                sleep(there).await;
                return Err("the connection was refused".into());
            }
            Some(Fault::Silent) => return std::future::pending().await,
            Some(Fault::Late) => {
                self.start(parcel, Duration::from_millis(5_500) + later, Duration::ZERO);
                return std::future::pending().await;
            }
            Some(Fault::SilentDone) => {
                self.start(parcel, there, Duration::ZERO);
                return std::future::pending().await;
            }
            Some(Fault::KillBefore) => {
                self.instance.kill();
                return std::future::pending().await;
            }
            Some(Fault::Error) => {
                sleep(there).await;
                return Ok(error());
            }
            Some(Fault::Throttled) => {
                sleep(there).await;
                let is_aws = !["esplora", "ord", "hub"].contains(&parcel.host.as_str());
                let status =
                    if is_aws { StatusCode::BAD_REQUEST } else { StatusCode::TOO_MANY_REQUESTS };
                let body = serde_json::json!({ "__type": "ThrottlingException" });
                return Ok(Reply::json(status, &body));
            }
            Some(Fault::Freeze) => self.instance.freeze(later / 4),
            Some(Fault::Twice) => {
                self.start(parcel.clone(), there + later / 2, Duration::ZERO).forget()
            }
            _ => {}
        }
        let there = if fault == Some(Fault::Slow) { there + slow } else { there };
        let reply = self.start(parcel, there, back).await;
        let Some(mut reply) = reply else { return Err("the connection broke".into()) };
        match fault {
            Some(Fault::AnswerLost) => return Err("the connection broke".into()),
            Some(Fault::KillAfter) => {
                self.instance.kill();
                return std::future::pending().await;
            }
            Some(Fault::ErrorDone) => return Ok(error()),
            Some(Fault::Garbled) => reply.body = Bytes::from_static(b"<html>Bad gateway</html>"),
            Some(Fault::Cut) => reply.body = reply.body.slice(..reply.body.len() / 2),
            _ => {}
        }
        Ok(reply)
    }

    /// Sends a call, whether or not anybody waits for it.
    fn start(&self, parcel: Parcel, there: Duration, back: Duration) -> Journey {
        let (net, (sender, receiver)) = (self.net.clone(), oneshot::channel());
        tokio::spawn(async move {
            sleep(there).await;
            let reply = net.arrive(&parcel);
            sleep(back).await;
            // The caller may have given up.
            let _ = sender.send(reply);
        });
        Journey(receiver)
    }
}

/// A call under way.
struct Journey(oneshot::Receiver<Option<Reply>>);

impl Journey {
    fn forget(self) {}
}

impl std::future::IntoFuture for Journey {
    type Output = Option<Reply>;
    type IntoFuture = std::pin::Pin<Box<dyn Future<Output = Option<Reply>> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async { self.0.await.ok().flatten() })
    }
}
