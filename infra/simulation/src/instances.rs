//! Lambda: each instance has its own application, clock and connections, and serves one invocation at a time.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body};
use base::{
    clock::{Clock, Timestamp},
    outbound::Outbound,
};
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt;
use local::app::App;
use shared::{core::Machine, http::Routes};
use tokio::{
    sync::Notify,
    time::{Instant, sleep, timeout},
};
use tower::ServiceExt;

use crate::{
    choice::Stream,
    instance::Instance,
    model::MOST_RUNNING,
    wire::{InstanceWire, Invocation, Net},
};

/// Distinguishes instances of all runs of this process: the SDK keeps its retry quota by region.
static REGIONS: AtomicU64 = AtomicU64::new(0);

/// The world's clock, as an instance reads it.
#[derive(Clone)]
pub struct SimulatedClock {
    net: Net,
    skew_ms: i64,
}

impl SimulatedClock {
    /// A clock that is ahead by `skew_ms`.
    pub fn new(net: Net, skew_ms: i64) -> Self {
        Self { net, skew_ms }
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.net.now().saturating_add(self.skew_ms))
    }
}

struct Warm {
    instance: Arc<Instance>,
    app: App,
    service: Router,
    served: u64,
}

/// A function of the service.
#[derive(Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its routes; empty for a worker.
    pub routes: fn(&App) -> Routes,
    /// When Lambda ends an invocation.
    pub limit: Duration,
}

/// An invocation that runs.
struct Running(Arc<Load>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The instances of one function, and how many it has had.
type Fleet = (u64, Vec<Warm>);

/// All instances of all functions.
#[derive(Clone)]
pub struct Lambda {
    net: Net,
    seed: u64,
    settings: Arc<BTreeMap<String, String>>,
    fleets: Arc<Mutex<BTreeMap<&'static str, Fleet>>>,
    load: Arc<Load>,
}

/// How many invocations run.
#[derive(Debug, Default)]
struct Load {
    running: AtomicUsize,
    most: AtomicUsize,
    refused: AtomicUsize,
    starts: AtomicUsize,
}

/// What Lambda did so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concurrency {
    /// The most invocations that ran at the same time.
    pub most: usize,
    /// Requests that were refused because too many ran.
    pub refused: usize,
    /// Instances that were started.
    pub starts: usize,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Status; 0 if there is no answer.
    pub status: u16,
    /// Body.
    pub body: serde_json::Value,
}

impl Answer {
    /// No answer.
    pub const NONE: Self = Self { status: 0, body: serde_json::Value::Null };
}

impl Lambda {
    /// No instance is running yet.
    pub fn new(net: Net, seed: u64, settings: BTreeMap<String, String>) -> Self {
        let (fleets, load) = (Arc::default(), Arc::default());
        Self { net, seed, settings: Arc::new(settings), fleets, load }
    }

    /// How many invocations ran at the same time, and how many were refused or had to start an instance.
    pub fn concurrency(&self) -> Concurrency {
        let number = |of: &AtomicUsize| of.load(Ordering::Relaxed);
        let Load { most, refused, starts, .. } = &*self.load;
        Concurrency { most: number(most), refused: number(refused), starts: number(starts) }
    }

    /// The network.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Ends every idle instance, so that the next invocations start cold.
    pub fn retire(&self) {
        let mut fleets = self.fleets.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, idle) in fleets.values_mut() {
            idle.clear();
        }
    }

    fn take(&self, function: Function) -> Warm {
        let mut fleets = self.fleets.lock().unwrap_or_else(PoisonError::into_inner);
        let (made, idle) = fleets.entry(function.name).or_default();
        let mut world = self.net.world();
        let warm = idle.pop().filter(|warm| {
            // Lambda may end an instance at any time.
            let actor = format!("retire/{}", warm.instance.name);
            warm.served < 60 && !world.choices.happens(&actor, 30)
        });
        if let Some(warm) = warm {
            return warm;
        }
        *made += 1;
        let name = format!("{}-{made}", function.name);
        let most = world.menu.skew_ms;
        let skew = world.choices.between(&format!("skew/{name}"), 0, 2 * most);
        drop(world);
        let skew = i64::try_from(skew).unwrap_or(0) - i64::try_from(most).unwrap_or(0);
        self.start(function, name, skew)
    }

    fn start(&self, function: Function, name: String, skew_ms: i64) -> Warm {
        let region = format!("simulated-{}", REGIONS.fetch_add(1, Ordering::Relaxed));
        let mut environment = (*self.settings).clone();
        environment.insert("AWS_REGION".to_owned(), region);
        let clock = SimulatedClock::new(self.net.clone(), skew_ms);
        let random = Stream::new(self.seed, &format!("random/{name}"));
        let instance = Arc::new(Instance {
            name,
            skew_ms,
            invocation: AtomicU64::new(0),
            is_killed: AtomicBool::new(false),
            killed: Notify::new(),
            frozen_until: Mutex::default(),
            busy_until: Mutex::default(),
            connected: Mutex::default(),
        });
        let wire = InstanceWire { net: self.net.clone(), instance: instance.clone() };
        let outbound = Outbound::over(Arc::new(wire));
        let machine = Machine::over(Arc::new(clock), Arc::new(random), outbound);
        let app = App::over(&environment, machine).unwrap_or_else(|error| panic!("{error}"));
        let service = (function.routes)(&app).into_service(app.gate.clone());
        Warm { instance, app, service, served: 0 }
    }

    /// Runs `work` on an instance until it ends, the instance is killed, or Lambda's limit is reached.
    pub async fn invoke<T, W>(
        &self,
        function: Function,
        invocation: u64,
        work: impl FnOnce(App, Router) -> W,
    ) -> Option<T>
    where
        W: Future<Output = T>,
    {
        let mut warm = self.take(function);
        let instance = warm.instance.clone();
        instance.invocation.store(invocation, Ordering::Relaxed);
        let running = self.load.running.fetch_add(1, Ordering::Relaxed) + 1;
        self.load.most.fetch_max(running, Ordering::Relaxed);
        let _running = Running(self.load.clone());
        let model = self.net.world().menu.model;
        if let Some(model) = model {
            if warm.served == 0 {
                self.load.starts.fetch_add(1, Ordering::Relaxed);
                let actor = format!("start/{}", instance.name);
                let start = model.start(&mut self.net.world().choices, &actor);
                sleep(start).await;
            }
            instance.compute(model.request(function.name)).await;
        }
        if instance.frozen_until().is_some_and(|until| until > Instant::now()) {
            let mut world = self.net.world();
            world.invocations.get_mut(&invocation).expect("it was begun").faults += 1;
        }
        let done = {
            let work = timeout(function.limit, work(warm.app.clone(), warm.service.clone()));
            tokio::select! {
                biased;
                () = instance.ended() => None,
                done = work => done.ok(),
            }
        };
        // An instance that reached its limit is gone as well.
        done.as_ref()?;
        warm.served += 1;
        let mut fleets = self.fleets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, idle)) = fleets.get_mut(function.name) {
            idle.push(warm);
        }
        done
    }

    /// Sends a request to a function, as the gateway does.
    pub async fn request(
        &self,
        function: Function,
        invocation: Invocation,
        request: Request<Body>,
    ) -> Answer {
        let number = self.net.begin(invocation);
        let is_full = self.load.running.load(Ordering::Relaxed) >= MOST_RUNNING;
        if is_full && self.net.world().menu.model.is_some() {
            self.load.refused.fetch_add(1, Ordering::Relaxed);
            self.net.end(number, Some(429), "");
            return Answer { status: 429, ..Answer::NONE };
        }
        let work = |_app, service: Router| async move {
            let response: Response<Body> =
                service.oneshot(request).await.unwrap_or_else(|never| match never {});
            let status = response.status().as_u16();
            let body = response.into_body().collect().await;
            let bytes: Bytes = body.map(http_body_util::Collected::to_bytes).unwrap_or_default();
            Answer { status, body: serde_json::from_slice(&bytes).unwrap_or_default() }
        };
        let answer = self.invoke(function, number, work).await;
        let status = answer.as_ref().map(|answer| answer.status);
        let code = answer.as_ref().and_then(|answer| answer.body["code"].as_str()).unwrap_or("");
        self.net.end(number, status, code);
        answer.unwrap_or(Answer::NONE)
    }
}
