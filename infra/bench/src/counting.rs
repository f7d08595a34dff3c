//! Counts DynamoDB calls and the capacity that they consume, as a proxy between a process and the emulator.

use std::sync::{Arc, Mutex};

use axum::{Router, body::Bytes, extract::State, routing::any};
use base::outbound::{Call, Outbound, Party, REQUEST_BUDGET};
use http::{HeaderMap, Method, StatusCode};
use local::server::Server;
use serde_json::{Value, json};

/// Totals since the last reset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Count {
    /// Operations, in the order of their responses.
    pub(crate) operations: Vec<String>,
    /// The sum of read and write capacity units.
    pub(crate) capacity: f64,
    /// Bytes of the requests' bodies.
    pub(crate) sent: usize,
}

impl Count {
    fn add(&mut self, target: &str, sent: usize, answer: &[u8]) {
        self.sent += sent;
        self.operations.push(target.rsplit('.').next().unwrap_or_default().to_owned());
        let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
        self.capacity += price(&answer["ConsumedCapacity"]);
    }
}

/// Adds a request for the consumed capacity to the body. The emulator checks no signatures, so this is safe.
fn priced(body: &[u8]) -> Option<String> {
    let mut body: Value = serde_json::from_slice(body).ok()?;
    body.as_object_mut()?.insert("ReturnConsumedCapacity".to_owned(), json!("TOTAL"));
    Some(body.to_string())
}

/// A proxy that counts the requests it forwards to DynamoDB.
pub(crate) struct CountingServer {
    server: Server,
    count: Arc<Mutex<Count>>,
}

#[derive(Clone)]
struct Passing {
    dynamodb: String,
    outbound: Outbound,
    count: Arc<Mutex<Count>>,
}

impl CountingServer {
    /// Starts a proxy in front of the DynamoDB at `url`.
    pub(crate) async fn start(dynamodb: &str) -> Self {
        let count = Arc::default();
        let passing = Passing {
            dynamodb: dynamodb.to_owned(),
            outbound: Outbound::new(),
            count: Arc::clone(&count),
        };
        let router = Router::new().fallback(any(pass)).with_state(passing);
        Self { server: Server::start(router).await.unwrap(), count }
    }

    pub(crate) fn url(&self) -> &str {
        self.server.url()
    }

    /// Returns the totals and resets them.
    pub(crate) fn take(&self) -> Count {
        std::mem::take(&mut *self.count.lock().unwrap())
    }
}

async fn pass(
    State(passing): State<Passing>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, Bytes) {
    let sent = body.len();
    let body = priced(&body).map_or(body, Bytes::from);
    let mut request = http::Request::builder().method(method).uri(&passing.dynamodb);
    for name in ["authorization", "content-type", "x-amz-date", "x-amz-target"] {
        if let Some(value) = headers.get(name) {
            request = request.header(name, value);
        }
    }
    let target = headers.get("x-amz-target").map_or("", |value| value.to_str().unwrap());
    let request = request.body(body).unwrap();
    let call = Call::new(Party::ANOTHER, "forwarded");
    let answer = passing.outbound.send(call, request, REQUEST_BUDGET).await.unwrap();
    let (head, answer) = answer.into_parts();
    passing.count.lock().unwrap().add(target, sent, &answer);
    (head.status, answer)
}

fn price(consumed: &Value) -> f64 {
    match consumed {
        Value::Array(tables) => tables.iter().map(price).sum(),
        table => table["CapacityUnits"].as_f64().unwrap_or_default(),
    }
}
