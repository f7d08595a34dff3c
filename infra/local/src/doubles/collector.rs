//! A stand-in for a collector of traces: it receives them by OTLP/HTTP in JSON, and keeps the newest in
//! memory.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{Json, Router, extract::State, routing::post};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::base::{
    failure::Result,
    mood::{Mood, SharedMood},
    server::Server,
};

/// The most traces that are kept; the oldest are dropped first.
const MOST_TRACES: usize = 500;
/// The most spans of one trace that are kept. Workers may continue a trace for hours.
const MOST_SPANS: usize = 2_000;
/// The attribute with the id of a request.
const REQUEST_ID: &str = "runeport.request_id";

/// A span as it was sent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedSpan {
    /// Its id, in hexadecimal.
    pub id: String,
    /// The id of the span that it is a part of, which may belong to another service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Its name: the operation.
    pub name: String,
    /// Its kind, by the number in OTLP.
    pub kind: u64,
    /// When it began, in microseconds since the epoch.
    pub begun_us: u64,
    /// How long it took, in microseconds.
    pub took_us: u64,
    /// Whether it failed.
    pub failed: bool,
    /// Its further attributes.
    pub attributes: BTreeMap<String, Value>,
    /// The `<trace id>-<span id>` of the spans that it links to.
    pub links: Vec<String>,
}

/// A trace: its spans in the order in which they began.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedTrace {
    /// Its id, in hexadecimal.
    pub id: String,
    /// Its spans.
    pub spans: Vec<ReceivedSpan>,
}

impl ReceivedTrace {
    /// The spans of this name.
    pub fn named(&self, name: &str) -> Vec<&ReceivedSpan> {
        self.spans.iter().filter(|span| span.name == name).collect()
    }

    /// The span of its request.
    pub fn request(&self) -> Option<&ReceivedSpan> {
        self.spans.iter().find(|span| span.attributes.contains_key(REQUEST_ID))
    }
}

#[derive(Debug, Default)]
struct Kept {
    traces: BTreeMap<String, Vec<ReceivedSpan>>,
    /// Their ids, oldest first.
    order: VecDeque<String>,
    requests: usize,
}

impl Kept {
    fn keep(&mut self, trace: String, span: ReceivedSpan) {
        if !self.traces.contains_key(&trace) {
            self.order.push_back(trace.clone());
            while self.order.len() > MOST_TRACES
                && let Some(oldest) = self.order.pop_front()
            {
                self.traces.remove(&oldest);
            }
        }
        let spans = self.traces.entry(trace).or_default();
        if spans.len() < MOST_SPANS {
            spans.push(span);
        }
    }

    fn trace(&self, id: &str) -> Option<ReceivedTrace> {
        let mut spans = self.traces.get(id)?.clone();
        spans.sort_by_key(|span| span.begun_us);
        Some(ReceivedTrace { id: id.to_owned(), spans })
    }
}

type Shared = Arc<Mutex<Kept>>;

/// The stand-in. Clones share it.
#[derive(Clone, Debug)]
pub struct Collector {
    kept: Shared,
    mood: SharedMood,
    server: Arc<Server>,
}

impl Collector {
    /// Starts an empty one on a free port.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start() -> Result<Self> {
        let (kept, mood) = (Shared::default(), SharedMood::default());
        let router = Router::new().route("/v1/traces", post(receive)).with_state(kept.clone());
        let server = Arc::new(Server::moody(router, &mood).await?);
        Ok(Self { kept, mood, server })
    }

    /// Base address.
    pub fn url(&self) -> &str {
        self.server.url()
    }

    /// Sets the mood.
    pub fn be(&self, mood: Mood) {
        self.mood.set(mood);
    }

    /// Its mood, which counts requests.
    pub fn mood(&self) -> &SharedMood {
        &self.mood
    }

    /// The trace of a request.
    pub fn of_request(&self, request_id: &str) -> Option<ReceivedTrace> {
        let kept = lock(&self.kept);
        let is_of = |span: &ReceivedSpan| {
            span.attributes.get(REQUEST_ID).and_then(Value::as_str) == Some(request_id)
        };
        let id = kept
            .order
            .iter()
            .rev()
            .find(|id| kept.traces.get(*id).is_some_and(|spans| spans.iter().any(is_of)));
        kept.trace(id?)
    }

    /// All traces that are kept, oldest first.
    pub fn traces(&self) -> Vec<ReceivedTrace> {
        let kept = lock(&self.kept);
        kept.order.iter().filter_map(|id| kept.trace(id)).collect()
    }

    /// How many times it was called.
    pub fn requests(&self) -> usize {
        lock(&self.kept).requests
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The part of `ExportTraceServiceRequest` that is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Export {
    resource_spans: Vec<ResourceSpans>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceSpans {
    scope_spans: Vec<ScopeSpans>,
}

#[derive(Deserialize)]
struct ScopeSpans {
    spans: Vec<Span>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Span {
    trace_id: String,
    span_id: String,
    parent_span_id: Option<String>,
    name: String,
    kind: u64,
    start_time_unix_nano: String,
    end_time_unix_nano: String,
    #[serde(default)]
    attributes: Vec<Attribute>,
    #[serde(default)]
    links: Vec<Link>,
    status: Option<Status>,
}

#[derive(Deserialize)]
struct Attribute {
    key: String,
    value: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link {
    trace_id: String,
    span_id: String,
}

#[derive(Deserialize)]
struct Status {
    code: u64,
}

impl Span {
    fn read(self) -> Option<(String, ReceivedSpan)> {
        let micros = |nanos: &str| Some(nanos.parse::<u64>().ok()?.div_euclid(1_000));
        let begun_us = micros(&self.start_time_unix_nano)?;
        let took_us = micros(&self.end_time_unix_nano)?.checked_sub(begun_us)?;
        let attributes = self.attributes.into_iter();
        let attributes = attributes.map(|Attribute { key, value }| Some((key, plain(value)?)));
        let links = self.links.into_iter();
        let span = ReceivedSpan {
            id: self.span_id,
            parent: self.parent_span_id,
            name: self.name,
            kind: self.kind,
            begun_us,
            took_us,
            failed: self.status.is_some_and(|status| status.code == 2),
            attributes: attributes.collect::<Option<_>>()?,
            links: links.map(|link| format!("{}-{}", link.trace_id, link.span_id)).collect(),
        };
        Some((self.trace_id, span))
    }
}

/// A value of OTLP as plain JSON: OTLP writes whole numbers as texts.
fn plain(value: BTreeMap<String, Value>) -> Option<Value> {
    let (kind, value) = value.into_iter().next()?;
    match kind.as_str() {
        "stringValue" if value.is_string() => Some(value),
        "doubleValue" if value.is_number() => Some(value),
        "intValue" => Some(value.as_str()?.parse::<i64>().ok()?.into()),
        _ => None,
    }
}

async fn receive(
    State(kept): State<Shared>,
    Json(export): Json<Export>,
) -> std::result::Result<Json<Value>, StatusCode> {
    let mut kept = lock(&kept);
    kept.requests = kept.requests.saturating_add(1);
    let scopes = export.resource_spans.into_iter().flat_map(|resource| resource.scope_spans);
    let spans = scopes.flat_map(|scope| scope.spans).map(Span::read);
    let spans: Vec<_> = spans.collect::<Option<_>>().ok_or(StatusCode::BAD_REQUEST)?;
    for (trace, span) in spans {
        kept.keep(trace, span);
    }
    Ok(Json(json!({})))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::*;
    use crate::base::client::Client;

    fn export(trace: usize, span: usize) -> Value {
        let span = json!({
            "traceId": format!("{trace:032x}"), "spanId": format!("{span:016x}"), "name": "call",
            "kind": 3, "startTimeUnixNano": "1700000000000001000", "endTimeUnixNano": "1700000000000004000",
            "attributes": [
                { "key": REQUEST_ID, "value": { "stringValue": format!("request-{trace}") } },
                { "key": "n", "value": { "intValue": "7" } },
            ],
            "status": { "code": 2 },
        });
        json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": [span] }] }] })
    }

    #[tokio::test]
    async fn the_newest_traces_are_kept_and_no_more() {
        let collector = Collector::start().await.unwrap();
        let client = Client::new(collector.url());
        for trace in 1..=MOST_TRACES + 1 {
            client.post("/v1/traces").json(&export(trace, 1)).send().await.expect(200);
        }
        assert_eq!(collector.traces().len(), MOST_TRACES);
        assert_eq!(collector.of_request("request-1"), None);
        let trace = collector.of_request("request-2").unwrap();
        let [span] = trace.spans.as_slice() else { panic!("{trace:?}") };
        assert_eq!((span.took_us, span.failed, &span.attributes["n"]), (3, true, &json!(7)));
    }

    #[tokio::test]
    async fn what_is_no_trace_is_refused() {
        let collector = Collector::start().await.unwrap();
        let client = Client::new(collector.url());
        let mut ended_before = export(1, 1);
        ended_before["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["endTimeUnixNano"] =
            json!("1");
        client.post("/v1/traces").json(&ended_before).send().await.expect(400);
        client.post("/v1/traces").json(&json!({})).send().await.expect(422);
        assert!(collector.traces().is_empty());
    }
}
