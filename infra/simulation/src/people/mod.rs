//! The people who use the service: they sign in, change what is theirs, repeat requests, and try what is not
//! theirs.

mod admin;
mod bidder;
mod exporter;
mod password;
mod swapper;
mod trader;
mod wallet;

use std::{net::IpAddr, time::Duration};

use axum::body::Body;
use http::{Method, Request, header};
use local::app::{App, Served as _};
use serde_json::Value;
use shared::auth::PeerAddress;
use tokio::time::{Instant, sleep};

use crate::{
    aws::{dynamodb::DynamoDb, expression::Row},
    instances::{Answer, Function, Lambda},
    wire::Invocation,
};

pub use admin::Admin;
pub use bidder::{Bidder, Refunded};
pub use password::PasswordUser;
pub use swapper::Swapper;
pub use trader::{PAUSED, Trader};
pub use wallet::{WalletUser, sign_in};

/// The client that every person uses.
#[derive(Clone)]
pub struct Client {
    /// The person's name.
    pub name: String,
    lambda: Lambda,
    source: IpAddr,
    device: Option<String>,
    /// When the storm ends.
    pub until: Instant,
}

/// A request of a person.
#[derive(Clone, Debug)]
pub struct Call {
    method: Method,
    path: String,
    body: Option<Value>,
    bearer: Option<String>,
    idempotency: Option<String>,
    once: Option<String>,
}

impl Call {
    /// A request with a body, or without one.
    pub fn new(method: Method, path: impl Into<String>, body: Option<Value>) -> Self {
        Self { method, path: path.into(), body, bearer: None, idempotency: None, once: None }
    }

    /// A GET request.
    pub fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path, None)
    }

    /// A POST request.
    pub fn post(path: impl Into<String>, body: Value) -> Self {
        Self::new(Method::POST, path, Some(body))
    }

    /// With an access token.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        Self { bearer: Some(token.to_owned()), ..self }
    }

    /// With an idempotency key.
    #[must_use]
    pub fn idempotent(self, key: &str) -> Self {
        let once = Some(format!("idempotency:{key}"));
        Self { idempotency: Some(key.to_owned()), once, ..self }
    }

    /// Marks the request as carrying a value that may have its effect only once.
    #[must_use]
    pub fn once(self, value: impl Into<String>) -> Self {
        Self { once: Some(value.into()), ..self }
    }
}

/// The function that serves a path.
fn function_of(path: &str) -> Function {
    let limit = Duration::from_secs(25);
    let path = path.strip_prefix("/api").unwrap_or(path);
    if path.starts_with("/auth") {
        Function { name: "auth", routes: |app| auth::routes().over(app), limit }
    } else if path.starts_with("/xchain") {
        Function { name: "xchain", routes: |app| xchain::routes().over(app), limit }
    } else if path.starts_with("/vm-transactions") {
        let routes = |app: &App| vm_transactions::routes().over(app);
        Function { name: "vm-transactions", routes, limit }
    } else if path.starts_with("/refund") {
        Function { name: "refund", routes: |app| refund::routes().over(app), limit }
    } else if path.starts_with("/perp-venue") {
        let routes = |app: &App| perp_venue::routes().over(app);
        Function { name: "perp-venue", routes, limit }
    } else if path.starts_with("/download-histories") {
        Function {
            name: "download-histories",
            routes: |app| download_histories::routes().over(app),
            limit,
        }
    } else {
        Function { name: "account", routes: |app| account::routes().over(app), limit }
    }
}

impl Client {
    /// The client of a person, with an address of their own.
    pub fn new(lambda: &Lambda, name: &str, number: u8, until: Instant) -> Self {
        Self { until, ..Self::from_source(lambda, name, IpAddr::from([10, 0, 0, number])) }
    }

    /// A person's client with this address, outside any storm.
    pub fn from_source(lambda: &Lambda, name: &str, source: IpAddr) -> Self {
        let (name, lambda) = (name.to_owned(), lambda.clone());
        Self { name, lambda, source, device: None, until: Instant::now() }
    }

    /// Whether the storm goes on.
    pub fn goes_on(&self) -> bool {
        Instant::now() < self.until
    }

    /// A number in `0..limit`.
    pub fn below(&self, limit: u64) -> u64 {
        let actor = format!("person/{}", self.name);
        self.lambda.net().world().choices.below(&actor, limit)
    }

    /// A number as text, different in each call.
    pub fn fresh(&self) -> String {
        format!("{}-{:012x}", self.name, self.below(1 << 48))
    }

    /// Does nothing for up to `most_ms`.
    pub async fn rest(&self, most_ms: u64) {
        sleep(Duration::from_millis(self.below(most_ms) + 1)).await;
    }

    /// Waits until no limit of an hour or less counts earlier requests. Reaching a limit is not a failure.
    pub async fn outlast_limits(&self) {
        sleep(Duration::from_secs(3_700)).await;
    }

    /// The world's time, in ms since the epoch.
    pub fn now(&self) -> i64 {
        self.lambda.net().now()
    }

    /// The lambda.
    pub fn lambda(&self) -> &Lambda {
        &self.lambda
    }

    /// Reports that something is wrong.
    pub fn alarm(&self, text: String) {
        self.lambda.net().world().alarms.push(text);
    }

    /// The row of a key, as it is in the database now.
    pub fn row(&self, pk: &str, sk: &str) -> Option<Row> {
        self.lambda.net().world().host::<DynamoDb>("dynamodb").row(pk, sk).cloned()
    }

    fn request(&self, call: &Call) -> Request<Body> {
        let mut request = Request::builder().method(call.method.clone()).uri(&call.path);
        if let Some(token) = &call.bearer {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(key) = &call.idempotency {
            request = request.header("idempotency-key", key);
        }
        if let Some(device) = &self.device {
            request = request.header("device-token", device);
        }
        let body = match &call.body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        let mut request = request.body(body).expect("a request");
        request.extensions_mut().insert(PeerAddress(self.source));
        request
    }

    async fn once(&self, call: &Call) -> Answer {
        let path = call.path.split('?').next().unwrap_or_default();
        let invocation = Invocation {
            what: format!("{} {path}", call.method),
            person: self.name.clone(),
            once: call.once.clone(),
            ..Invocation::default()
        };
        self.lambda.request(function_of(path), invocation, self.request(call)).await
    }

    /// Sends a request; some are sent twice concurrently. Keeps the device token of an answer.
    pub async fn send(&mut self, call: &Call) -> Answer {
        let doubled = {
            let net = self.lambda.net().clone();
            let mut world = net.world();
            let most = world.menu.doubled_requests;
            let actor = format!("double/{}", self.name);
            call.body.is_some() && world.choices.fault(&actor, &[((), most * 100)]).is_some()
        };
        let answer = if doubled {
            let (one, other) = tokio::join!(self.once(call), self.once(call));
            // One successful answer is enough; a failure of the service may also have been a success.
            let worth = |answer: &Answer| match answer.status {
                200..300 => 2,
                0 | 500.. => 1,
                _ => 0,
            };
            if worth(&one) > worth(&other) { one } else { other }
        } else {
            self.once(call).await
        };
        if let Some(device) = answer.body["data"]["deviceToken"].as_str() {
            self.device = Some(device.to_owned());
        }
        answer
    }

    /// Sends a request, and again if the service fails, at most three times in all.
    pub async fn insist(&mut self, call: &Call) -> Answer {
        let mut answer = self.send(call).await;
        for _ in 0..2 {
            if answer.status != 0 && answer.status < 500 {
                break;
            }
            self.rest(4_000).await;
            answer = self.send(call).await;
        }
        answer
    }

    /// After healing: a request must succeed by its third try (L6). Returns its answer.
    pub async fn must_succeed(
        &mut self,
        mut make: impl AsyncFnMut(&mut Self) -> Answer,
    ) -> Option<Answer> {
        let mut last = None;
        for _ in 0..3 {
            let answer = make(self).await;
            if (200..300).contains(&answer.status) {
                return Some(answer);
            }
            if answer.status == 429 {
                self.outlast_limits().await;
            }
            sleep(Duration::from_secs(2)).await;
            last = Some(answer);
        }
        if let Some(answer) = last {
            let (name, status) = (&self.name, answer.status);
            self.alarm(format!(
                "L6: no success by the third try of {name}: {status} {}",
                answer.body
            ));
        }
        None
    }
}

/// The session of a person.
#[derive(Clone, Debug)]
pub struct Session {
    /// Access token.
    pub access: String,
    /// Refresh token.
    pub refresh: String,
    /// Account id.
    pub account: String,
}

/// How long people use an access token, in ms.
const SIGNED_IN: i64 = 8 * 60 * 1_000;

/// The access token of a session that began at the given time, while people still use it.
fn usable(session: Option<&(Session, i64)>, now: i64) -> Option<String> {
    let (session, since) = session?;
    (now - since < SIGNED_IN).then(|| session.access.clone())
}

impl Session {
    /// The session of a successful sign-in or registration.
    pub fn of(answer: &Answer) -> Option<Self> {
        let data = &answer.body["data"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        (200..300).contains(&answer.status).then_some(())?;
        Some(Self {
            access: text(&data["accessToken"])?,
            refresh: text(&data["refreshToken"])?,
            account: text(&data["account"]["id"])?,
        })
    }
}

impl Client {
    /// Checks that a success is in the database (S13).
    pub fn expect_row(&self, what: &str, pk: &str, sk: &str, holds: impl Fn(&Row) -> bool) {
        match self.row(pk, sk) {
            Some(row) if holds(&row) => {}
            row => self.alarm(format!(
                "S13: {what} succeeded for {}, but {pk}/{sk} is {row:?}",
                self.name
            )),
        }
    }

    /// Exchanges the refresh token, and sometimes presents an old one again.
    pub async fn refresh(&mut self, session: &mut Session) -> bool {
        let token = session.refresh.clone();
        let call = Call::post("/auth/refresh-token", serde_json::json!({ "refreshToken": token }));
        let answer = self.send(&call.once(format!("refresh:{token}"))).await;
        let text = |name: &str| answer.body["data"][name].as_str().map(str::to_owned);
        match (text("accessToken"), text("refreshToken")) {
            (Some(access), Some(refresh)) if answer.status == 200 => {
                (session.access, session.refresh) = (access, refresh);
                true
            }
            // The session may have ended: its token was spent by a request that got no answer.
            _ => answer.status != 401 && answer.status != 403,
        }
    }
}
