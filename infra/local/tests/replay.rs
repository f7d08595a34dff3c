//! Replays the examples of the OpenAPI document. The service reads each of them, and every similar text that it reads matches
//! the pattern in the document.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    missing_docs
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    net::Ipv4Addr,
    sync::atomic::{AtomicU16, Ordering},
    time::Duration,
};

use http::Method;
use local::{
    LocalStack, Wallet, answers,
    client::{Answer, Client},
    examples::{self, Example},
    functions, openapi, sign_in,
};
use medias::older::CONDITIONS;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use shared::{
    events::EventWrites,
    http::{Access, routes::Route},
    keys::{self, EventList},
    models::{
        account::{Account, Role, Status},
        event::{EventType, StateChange},
    },
    problem::Problem,
};
use store::{Entity, Update, Writes, fields};

/// The number of webhooks added so far; each gets a host of its own.
static HOSTS: AtomicU16 = AtomicU16::new(0);
/// The error codes of an invalid field and of a body that is not JSON.
const UNREAD: [&str; 2] = ["1001", "1002"];

/// A recorded request.
#[derive(Clone)]
struct Request {
    /// Its operation, such as `POST /api/prizes`.
    name: String,
    method: Method,
    access: Access,
    /// Its operation object in the document.
    operation: Value,
    path: String,
    body: Value,
}

impl Request {
    /// The requests of all examples. Dry runs are left out, since they call the same operations. The
    /// examples' times are moved so that the earliest one of each is `now`.
    fn all(now: i64) -> Vec<Self> {
        let document = openapi::document().unwrap();
        let listed = examples::listed().unwrap();
        let listed = listed.iter().filter(|(name, _)| !name.ends_with(examples::DRY_RUN));
        let each = listed.map(|(name, Example { path, body, .. })| {
            let (method, pattern) = name.split_once(' ').unwrap();
            let is_it = |it: &Route| it.path == pattern && it.method.as_str() == method;
            let route = functions::table().into_iter().find(is_it).unwrap();
            let mut body = body.clone();
            if let Some(first) = earliest(&body) {
                shift(&mut body, now - first);
            }
            Self {
                name: name.clone(),
                access: route.access,
                operation: document["paths"][pattern][method.to_lowercase()].clone(),
                method: route.method,
                path: path.clone(),
                body,
            }
        });
        each.collect()
    }

    fn takes_key(&self) -> bool {
        let parameters = self.operation["parameters"].as_array();
        parameters.into_iter().flatten().any(|it| it["name"] == "Idempotency-Key")
    }

    /// Replaces the example's address with the caller's.
    fn set_address_of(&mut self, caller: &Caller) {
        for name in ["userAddress", "walletAddress", "srcAddress"] {
            if let Some(address) = self.body.get_mut(name) {
                *address = json!(caller.address);
            }
            if let Some((path, _)) = self.path.split_once(&format!("?{name}=")) {
                self.path = format!("{path}?{name}={}", caller.address);
            }
        }
    }

    async fn send(&self, caller: &Caller, key: Option<&str>) -> Answer {
        let mut call = caller.client.request(self.method.clone(), &self.path);
        if self.access != Access::Public {
            call = call.bearer(&caller.token);
        }
        if let Some(key) = key {
            call = call.header("Idempotency-Key", key);
        }
        if !self.body.is_null() {
            call = call.json(&self.body);
        }
        call.send().await
    }
}

/// Whether a number is a time from 2020 to 2039, in milliseconds since the epoch.
fn is_time(number: i64) -> bool {
    (1_600_000_000_000..2_200_000_000_000).contains(&number)
}

/// The earliest time in a value.
fn earliest(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().filter(|number| is_time(*number)),
        Value::Object(fields) => fields.values().filter_map(earliest).min(),
        Value::Array(items) => items.iter().filter_map(earliest).min(),
        _ => None,
    }
}

/// Moves all times in a value.
fn shift(value: &mut Value, by: i64) {
    match value {
        Value::Number(number) => {
            if let Some(time) = number.as_i64().filter(|number| is_time(*number)) {
                *value = (time + by).into();
            }
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| shift(field, by)),
        Value::Array(items) => items.iter_mut().for_each(|item| shift(item, by)),
        _ => {}
    }
}

/// A client that is signed in, or anonymous.
struct Caller {
    client: Client,
    account: String,
    address: String,
    token: String,
}

/// A world whose callers each have an IP address of their own, because limits count by address.
struct World {
    stack: LocalStack,
    client: Client,
    callers: u16,
}

impl World {
    async fn start() -> Self {
        Self::of(LocalStack::start().await).await
    }

    async fn of(stack: LocalStack) -> Self {
        let client = stack.serve(functions::routes()).await;
        Self { stack, client, callers: 0 }
    }

    /// One hour from now, in milliseconds.
    fn soon(&self) -> i64 {
        self.client.now().0 + 3_600_000
    }

    /// A new caller with this access.
    async fn caller(&mut self, access: Access) -> Caller {
        self.caller_with(access, Wallet::evm).await
    }

    /// As [`Self::caller`], with a wallet of this kind.
    async fn caller_with(&mut self, access: Access, wallet: fn(u64) -> Wallet) -> Caller {
        self.callers += 1;
        let [high, low] = self.callers.to_be_bytes();
        let client = self.client.calling_from(Ipv4Addr::new(127, 1, high, low));
        if access == Access::Public {
            let [account, address, token] = [const { String::new() }; 3];
            return Caller { client, account, address, token };
        }
        let wallet = wallet(50_000 + u64::from(self.callers));
        let mut signed_in = sign_in(&client, &wallet).await;
        if access == Access::Admin {
            self.stack.set_role(&signed_in.account, Role::Admin).await;
            signed_in = sign_in(&client, &wallet).await;
        }
        let address = wallet.address().to_owned();
        Caller { client, account: signed_in.account, address, token: signed_in.access_token }
    }

    /// Creates the webhook or the pending change that an example needs, and puts its id into the request.
    async fn prepare(&self, request: &mut Request, caller: &Caller) {
        let post = async |path: &str, body: Value| {
            caller.client.post(path).bearer(&caller.token).json(&body).send().await
        };
        if let Some(rest) = request.path.strip_prefix("/api/webhooks/") {
            let list = EventList::of_account(caller.account.parse().unwrap());
            let told = StateChange::of_state(EventType::Refund, "ab".repeat(32), None, "unsigned");
            let told = Writes::<()>::new().tell(list, told);
            self.stack.app().store.commit(told).await.unwrap();
            // Verifications are limited for each host.
            let n = HOSTS.fetch_add(1, Ordering::Relaxed);
            let url = format!("https://127.0.{}.{}/hook", n / 250, n % 250 + 1);
            let added = post("/api/webhooks", json!({ "url": url })).await;
            let (_, rest) = rest.split_once('/').unwrap_or_default();
            let rest = rest.replace(|letter: char| letter.is_ascii_digit(), "1");
            let id = added.expect(201).text_of("id").to_owned();
            self.stack.confirm_webhook(&caller.account, &id).await;
            let path = format!("/api/webhooks/{id}/{rest}");
            request.path = path.trim_end_matches('/').to_owned();
        }
        match request.name.as_str() {
            "PATCH /api/webhooks/{id}" => request.body["url"] = json!("https://127.0.0.1/other"),
            "POST /api/account/change-email/verify" => {
                let change = json!({ "newEmail": request.body["email"] });
                post("/api/account/change-email/init", change).await.expect(200);
            }
            _ => {}
        }
    }
}

#[tokio::test]
async fn examples_are_requests_that_the_service_reads() {
    let mut world = World::start().await;
    let (mut unread, mut succeeded) = (Vec::new(), BTreeSet::new());
    for request in Request::all(world.soon()) {
        let caller = world.caller(request.access).await;
        let answer = request.send(&caller, None).await;
        let status = answer.status.to_string();
        if UNREAD.contains(&answer.code()) && request.name != "GET /api/events" {
            unread.push(format!("{}: {}", request.name, answer.body));
        } else if !request.operation["responses"][&status].is_object() {
            unread.push(format!("{}: {status} is not documented: {}", request.name, answer.body));
        } else if answer.status < 300 {
            succeeded.insert(request.name);
        }
    }
    assert!(unread.is_empty(), "{unread:#?}");
    assert!(succeeded.len() >= 30, "{succeeded:#?}");
}

/// The stored answer for an idempotency key.
#[derive(Debug, Serialize, Deserialize)]
struct KeptRow {
    done: bool,
    kept: Option<Value>,
}

impl Entity for KeptRow {
    const ENTITY: &'static str = "idempotencyAnswer";
}

fields!(KeptRow { DONE: bool = done, KEPT: Option<Value> = kept });

/// Every operation that takes an `Idempotency-Key` refuses a repeated key with another body, and with the same body while the
/// first request still runs (custody rule 21).
#[tokio::test]
async fn custody_21_keys_belong_to_one_request() {
    // Answers about a failing partner are not stored, so the requests need a chain.
    let mut world = World::of(LocalStack::builder().bitcoin().build().await).await;
    let mut count = 0;
    for mut request in Request::all(world.soon()).into_iter().filter(Request::takes_key) {
        let caller = world.caller(request.access).await;
        let first = request.send(&caller, Some("key")).await;
        let again = request.send(&caller, Some("key")).await;
        assert_eq!(again.header("idempotent-replayed"), "true", "{}: {first}", request.name);
        assert_eq!((again.status, again.code()), (first.status, first.code()), "{}", request.name);
        let (method, pattern) = request.name.split_once(' ').unwrap();
        let scope = hex::encode(Sha256::digest(format!("{method} {pattern} key")));
        let row = keys::idempotency(caller.account.parse().unwrap(), &scope);
        // The state of the row while the first request runs.
        let unfinished = Update::new().set(KeptRow::DONE, true).remove(KeptRow::KEPT);
        world.stack.app().store.update(&row, unfinished).await.unwrap();
        request.send(&caller, Some("key")).await.expect_error(Problem::InProgress);
        if request.body.is_null() {
            request.body = json!({});
        }
        request.body["other"] = json!(true);
        request.send(&caller, Some("key")).await.expect_error(Problem::IdempotencyKeyReused);
        count += 1;
    }
    assert!(count >= 15, "{count}");
}

/// Operations whose limit this test cannot reach; their own tests do.
const OTHER_LIMITS: [&str; 5] = [
    "GET /api/account/trading-wallet/deposits",
    "POST /api/account/2fa/toggle",
    "POST /api/account/srp/change-password/verify",
    "POST /api/account/wallet/rotate",
    "POST /api/account/verify-email/resend",
];

#[tokio::test]
async fn the_listed_operations_and_no_other_one_refuse_requests_beyond_a_limit() {
    const REFUSED: &str = "1013";
    let mut world = World::of(LocalStack::builder().bitcoin().build().await).await;
    let listed = answers::listed().unwrap();
    let (mut seen, mut expected) = (BTreeSet::new(), BTreeSet::new());
    for mut request in Request::all(world.soon()) {
        let of_evm = ["/api/perp-venue", "/api/xchain/transactions/register"];
        let wallet = match of_evm.iter().any(|path| request.path.starts_with(path)) {
            true => Wallet::evm,
            // An account with a trading wallet.
            false => Wallet::p2wpkh,
        };
        let caller = world.caller_with(request.access, wallet).await;
        request.set_address_of(&caller);
        world.prepare(&mut request, &caller).await;
        let first = request.send(&caller, None).await;
        world.stack.use_up_limits().await;
        // Within a minute of a mail, further ones are neither sent nor counted.
        world.stack.clock().advance(Duration::from_secs(61));
        let second = request.send(&caller, None).await;
        if [first, second].iter().any(|answer| answer.code() == REFUSED) {
            seen.insert(request.name.clone());
        }
        if listed[&request.name].contains(REFUSED) && !OTHER_LIMITS.contains(&&*request.name) {
            expected.insert(request.name);
        }
    }
    let unlisted: Vec<_> = seen.difference(&expected).collect();
    let unseen: Vec<_> = expected.difference(&seen).collect();
    assert!(unlisted.is_empty() && unseen.is_empty(), "{unlisted:#?} {unseen:#?}");
    assert!(seen.len() > 40, "{}", seen.len());
}

/// Why a token no longer helps its caller, and the code that says so.
#[derive(Clone, Copy, Debug)]
enum Lost {
    Account,
    Session,
    Rights,
}

const LOST: [(Lost, &str); 3] =
    [(Lost::Account, "4006"), (Lost::Session, "4010"), (Lost::Rights, "4011")];

/// Exactly the operations that the document lists refuse a token whose account is deleted or disabled, or whose session has
/// ended.
#[tokio::test]
async fn tokens_without_an_account_or_a_session_are_refused_as_listed() {
    let mut world = World::start().await;
    let listed = answers::listed().unwrap();
    let (mut seen, mut expected) = (BTreeSet::new(), BTreeSet::new());
    let soon = world.soon();
    for request in Request::all(soon).into_iter().filter(|it| it.access != Access::Public) {
        for (lost, code) in LOST {
            let caller = world.caller(request.access).await;
            match lost {
                Lost::Account => {
                    let row = keys::account(caller.account.parse().unwrap());
                    world.stack.app().store.delete(&row).await.unwrap();
                }
                Lost::Session => {
                    let call = caller.client.post("/auth/logout").bearer(&caller.token);
                    call.send().await.expect(200);
                }
                Lost::Rights => {
                    let disabled = Update::new().set(Account::STATUS, Status::Disabled);
                    world.stack.change_account(&caller.account, disabled).await;
                }
            }
            let answer = request.send(&caller, None).await;
            if answer.code() == code {
                seen.insert(format!("{} {code}", request.name));
            }
            if listed[&request.name].contains(code) {
                expected.insert(format!("{} {code}", request.name));
            }
        }
    }
    let unlisted: Vec<_> = seen.difference(&expected).collect();
    let unseen: Vec<_> = expected.difference(&seen).collect();
    assert!(unlisted.is_empty() && unseen.is_empty(), "{unlisted:#?} {unseen:#?}");
    assert!(seen.len() > 100, "{}", seen.len());
}

#[test]
fn times_move_together() {
    let mut body = json!({ "a": [1_800_000_000_000_i64, { "b": 1_800_000_000_001_i64 }], "c": 5 });
    assert_eq!(earliest(&body), Some(1_800_000_000_000));
    shift(&mut body, 7);
    assert_eq!(
        body,
        json!({ "a": [1_800_000_000_007_i64, { "b": 1_800_000_000_008_i64 }], "c": 5 })
    );
    assert_eq!(earliest(&Value::Object(Map::new())), None);
}

/// Where a text is in a request.
#[derive(Clone, Debug)]
enum Place {
    /// In the body: a JSON pointer.
    Body(String),
    Segment(String),
    Query(String),
    Key,
}

/// A text of a request for which the document has a pattern.
#[derive(Clone, Debug)]
struct Text {
    place: Place,
    /// The patterns of the schema's alternatives; the text has to match one of them.
    patterns: BTreeSet<String>,
    /// Whether it is a comma-separated list; the patterns then describe its items.
    is_list: bool,
    /// A text that the service reads.
    sample: String,
}

/// A valid value for a field or parameter that the examples leave out.
fn sample(name: &str) -> Option<Value> {
    let text = match name {
        "Idempotency-Key" => "a-key",
        "before" => "1-1",
        "download" => "1",
        "from" | "to" => "2026-01-01T00:00:00.5Z",
        "types" => "mint.stateChanged",
        _ => return None,
    };
    Some(text.into())
}

/// A parameter of a query; null if it is absent.
fn sent(path: &str, name: &str) -> Value {
    let query = path.split_once('?').map_or("", |(_, query)| query);
    let mut parameters = query.split('&').filter_map(|it| it.split_once('='));
    let value = parameters.find(|(own, _)| *own == name).map(|(_, value)| value);
    let decoded = value.map(|value| percent_decode_str(value).decode_utf8_lossy().into_owned());
    decoded.map_or(Value::Null, Value::from)
}

/// The document.
struct Document(Value);

impl Document {
    fn resolved<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let reference = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#'));
        reference.map_or(schema, |reference| self.0.pointer(reference).unwrap())
    }

    /// Collects the patterns of a schema, of its alternatives and of its items.
    fn patterns(&self, schema: &Value, found: &mut BTreeSet<String>) {
        let schema = self.resolved(schema);
        found.extend(schema["pattern"].as_str().map(str::to_owned));
        let parts = ["allOf", "oneOf", "anyOf"].map(|name| schema[name].as_array());
        let parts = parts.into_iter().flatten().flatten().chain(schema.get("items"));
        parts.for_each(|part| self.patterns(part, found));
    }

    /// Collects the schemas of an object's fields, through references and compositions.
    fn properties<'a>(&'a self, schema: &'a Value, found: &mut BTreeMap<&'a str, Vec<&'a Value>>) {
        let schema = self.resolved(schema);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            found.entry(name).or_default().push(property);
        }
        for name in ["allOf", "oneOf", "anyOf"] {
            let parts = schema[name].as_array().into_iter().flatten();
            parts.for_each(|part| self.properties(part, found));
        }
    }

    /// Collects the texts of a body, and of the fields that it leaves out and that have a [`sample`].
    fn texts(&self, schemas: &[&Value], value: &Value, at: &str, found: &mut Vec<Text>) {
        match value {
            Value::Object(fields) => {
                let mut properties = BTreeMap::new();
                schemas.iter().for_each(|schema| self.properties(schema, &mut properties));
                for (name, schemas) in properties {
                    let at = format!("{at}/{name}");
                    let known = fields.get(name).filter(|it| !it.is_null()).cloned();
                    let known = known.or_else(|| sample(name));
                    known.iter().for_each(|it| self.texts(&schemas, it, &at, found));
                }
            }
            Value::Array(items) => {
                let schemas: Vec<_> =
                    schemas.iter().filter_map(|it| self.resolved(it).get("items")).collect();
                for (n, item) in items.iter().enumerate() {
                    self.texts(&schemas, item, &format!("{at}/{n}"), found);
                }
            }
            Value::String(text) => {
                let mut patterns = BTreeSet::new();
                schemas.iter().for_each(|schema| self.patterns(schema, &mut patterns));
                if !patterns.is_empty() {
                    let place = Place::Body(at.to_owned());
                    found.push(Text { place, patterns, is_list: false, sample: text.clone() });
                }
            }
            _ => {}
        }
    }

    /// The texts of a request.
    fn texts_of(&self, request: &Request) -> Vec<Text> {
        let mut found = Vec::new();
        let body = &request.operation["requestBody"]["content"]["application/json"]["schema"];
        self.texts(&[body], &request.body, "", &mut found);
        for parameter in request.operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let mut patterns = BTreeSet::new();
            self.patterns(&parameter["schema"], &mut patterns);
            if patterns.is_empty() {
                continue;
            }
            let (place, sent) = match parameter["in"].as_str() {
                Some("path") => (Place::Segment(name.to_owned()), parameter["example"].clone()),
                Some("query") => (Place::Query(name.to_owned()), sent(&request.path, name)),
                _ if name == "Idempotency-Key" => (Place::Key, Value::Null),
                _ => continue,
            };
            let known = match (request.name.as_str(), name) {
                ("GET /api/support/reads", "before") => {
                    Some(json!("001764547200000-00f1e2d3c4b5a697"))
                }
                _ => sample(name),
            };
            let sample = sent.as_str().or(known.as_ref().and_then(Value::as_str));
            let is_list = self.resolved(&parameter["schema"])["type"] == "array";
            let text = |sample: &str| Text { place, patterns, is_list, sample: sample.to_owned() };
            found.extend(sample.map(text));
        }
        found
    }

    /// Every pattern that the document has for a text of a request.
    fn all_patterns(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for item in self.0["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                self.collect(&operation["requestBody"], &mut seen, &mut found);
                for parameter in operation["parameters"].as_array().into_iter().flatten() {
                    if parameter["name"] != "Device-Token" {
                        self.collect(parameter, &mut seen, &mut found);
                    }
                }
            }
        }
        found
    }

    fn collect(&self, value: &Value, seen: &mut BTreeSet<String>, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(name) = fields.get("$ref").and_then(Value::as_str)
                    && seen.insert(name.to_owned())
                {
                    self.collect(self.resolved(value), seen, found);
                }
                found.extend(fields.get("pattern").and_then(Value::as_str).map(str::to_owned));
                // `patterns.rs` tries the conditions.
                let is_left_out =
                    |name: &str| name.starts_with("example") || CONDITIONS.contains(&name);
                let fields = fields.iter().filter(|(name, _)| !is_left_out(name));
                fields.for_each(|(_, field)| self.collect(field, seen, found));
            }
            Value::Array(items) => items.iter().for_each(|item| self.collect(item, seen, found)),
            _ => {}
        }
    }
}

impl Request {
    /// The same request with another text.
    fn with(&self, place: &Place, text: &str) -> (Self, Option<String>) {
        let mut request = self.clone();
        let encoded = utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let mut key = None;
        match place {
            Place::Body(pointer) => {
                if let Some(field) = request.body.pointer_mut(pointer) {
                    *field = text.into();
                } else if let Some((owner, name)) = pointer.rsplit_once('/') {
                    request.body.pointer_mut(owner).unwrap()[name] = text.into();
                }
            }
            Place::Segment(name) => {
                let (_, pattern) = self.name.split_once(' ').unwrap();
                let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
                let segments = pattern.split('/').zip(path.split('/'));
                let is_it = |own: &str| own == format!("{{{name}}}");
                let changed: Vec<_> = segments
                    .map(|(own, sent)| if is_it(own) { encoded.as_str() } else { sent })
                    .collect();
                request.path = format!("{}?{query}", changed.join("/"));
            }
            Place::Query(name) => {
                let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
                let others = query.split('&').filter(|it| it.split('=').next() != Some(name));
                let own = format!("{name}={encoded}");
                let all: Vec<_> = others.filter(|it| !it.is_empty()).chain([&*own]).collect();
                request.path = format!("{path}?{}", all.join("&"));
            }
            Place::Key => key = Some(text.to_owned()),
        }
        (request, key)
    }
}

impl Place {
    /// The name of the field or the parameter.
    fn name(&self) -> &str {
        match self {
            // A number is the place in a list.
            Self::Body(at) => at.rsplit('/').find(|it| it.parse::<u64>().is_err()).unwrap_or(at),
            Self::Segment(name) | Self::Query(name) => name,
            Self::Key => "Idempotency-Key",
        }
    }

    /// Whether a request can have the text here.
    fn takes(&self, text: &str) -> bool {
        match self {
            // Other bytes are invalid in a header, and HTTP strips spaces from its ends.
            Self::Key => {
                text.bytes().all(|byte| matches!(byte, b' '..=b'~' | 128..)) && text.trim() == text
            }
            _ => true,
        }
    }
}

/// Fields whose text the service only looks up, or parses after it has loaded the caller's account. `patterns.rs` tests their
/// parsers.
const LATER: [(&str, &str); 9] = [
    ("", "clientProof"),
    ("", "otpCode"),
    ("", "publicKey"),
    ("", "token"),
    ("", "refreshToken"),
    ("", "tradingPublicKey"),
    ("", "userAddress"),
    ("", "withdrawTo"),
    ("POST /api/account/wallet/rotate", "address"),
];

fn is_later(request: &Request, place: &Place) -> bool {
    LATER.iter().any(|(operation, name)| {
        *name == place.name() && (operation.is_empty() || *operation == request.name)
    })
}

/// Whether the service has read a text; `None` if the answer does not show it.
fn is_read(answer: &Answer, place: &Place) -> Option<bool> {
    if [401, 429].contains(&answer.status) {
        return None;
    }
    // The amount was read: it exceeds the balance.
    if answer.code() == "9004" {
        return Some(true);
    }
    let errors = answer.body["errors"].as_array().into_iter().flatten();
    let mut names = errors.filter_map(|error| error["field"].as_str());
    let is_it = |field: &str| {
        let mut parts = field.split(['.', '[', ']']).filter(|it| !it.is_empty());
        // A number is the place in a list.
        parts.rfind(|it| it.parse::<u64>().is_err()) == Some(place.name())
    };
    Some(answer.code() != "1003" && answer.code() != "1002" && !names.any(is_it))
}

/// Texts near a sample: some characters are replaced, added or removed, or the whole text is different.
fn near(sample: &str) -> BoxedStrategy<String> {
    const OTHERS: &[char] = &[
        ' ', '\t', '\n', '\u{7f}', '\u{a0}', '=', '+', '/', '-', '_', '0', 'a', 'Z', ':', ',', '.',
        't', 'é', '@', '!', '#', '9', 'g',
    ];
    let sample: Vec<char> = sample.chars().collect();
    let edit = (any::<prop::sample::Index>(), prop::sample::select(OTHERS), 0..4_u8);
    let edits = prop::collection::vec(edit, 1..4).prop_map(move |edits| {
        let mut letters = sample.clone();
        for (place, letter, how) in edits {
            let place = place.index(letters.len() + 1);
            match how {
                0 if place < letters.len() => letters[place] = letter,
                1 if place < letters.len() => drop(letters.remove(place)),
                2 if place < letters.len() => letters[place].make_ascii_uppercase(),
                _ => letters.insert(place, letter),
            }
        }
        letters.into_iter().collect()
    });
    prop_oneof![8 => edits, 1 => any::<String>(), 1 => "[0-9]{1,40}", 1 => "[ -~]{0,8}"].boxed()
}

/// Texts tried in each place.
const TEXTS: usize = 25;

/// Covers the parsers of all texts of all requests.
#[tokio::test]
async fn whatever_the_service_reads_matches_its_pattern() {
    let document = Document(openapi::document().unwrap());
    let mut world = World::start().await;
    let mut runner = TestRunner::deterministic();
    let (mut outside, mut unread) = (BTreeSet::new(), BTreeSet::new());
    let mut tried = BTreeSet::new();
    let mut sent = 0;
    for request in Request::all(world.soon()) {
        let mut caller = world.caller(request.access).await;
        for text in document.texts_of(&request) {
            let patterns = text.patterns.iter().map(|pattern| Regex::new(pattern).unwrap());
            let patterns: Vec<_> = patterns.collect();
            let near = near(&text.sample);
            for n in 0..=TEXTS {
                let other = near.new_tree(&mut runner).unwrap().current();
                let value = if n == 0 { text.sample.clone() } else { other };
                // An empty text counts as absent where it is optional.
                let is_none = value.is_empty() || text.is_list && value.trim().is_empty();
                if is_none || !text.place.takes(&value) {
                    continue;
                }
                let (changed, key) = request.with(&text.place, &value);
                let mut answer = changed.send(&caller, key.as_deref()).await;
                if is_read(&answer, &text.place).is_none() {
                    // The session has ended, or a limit was reached.
                    caller = world.caller(request.access).await;
                    answer = changed.send(&caller, key.as_deref()).await;
                }
                let read = is_read(&answer, &text.place);
                let taken = !is_later(&request, &text.place) || answer.status < 400;
                sent += 1;
                let at = format!("{} {:?}", request.name, text.place);
                if n == 0 && read == Some(false) {
                    unread.insert(format!("{at}: {value:?}: {answer}"));
                } else if read == Some(true) {
                    // Spaces around an item do not belong to it.
                    let items: Vec<_> = match text.is_list {
                        true => value.split(',').map(str::trim).collect(),
                        false => vec![value.as_str()],
                    };
                    let fits = |pattern: &&Regex| items.iter().all(|it| pattern.is_match(it));
                    let fitting: Vec<_> = patterns.iter().filter(fits).map(Regex::as_str).collect();
                    tried.extend(fitting.iter().map(|it| (*it).to_owned()));
                    if taken && fitting.is_empty() {
                        let code = answer.code();
                        outside.insert(format!("{at}: {value:?} is outside {patterns:?}: {code}"));
                    }
                }
            }
        }
    }
    assert!(outside.is_empty(), "{outside:#?}");
    assert!(unread.is_empty(), "{unread:#?}");
    let untried: Vec<_> = document.all_patterns().difference(&tried).cloned().collect();
    assert!(untried.is_empty() && sent > 2_000, "{sent}: {untried:#?}");
}
