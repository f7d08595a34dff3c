//! A WebSocket API like API Gateway's: it holds connections, sends events to the function behind it, and
//! serves the calls by which functions send to connections and close them.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, Request, State},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base::random::{Random, SystemSource};
use base64::{Engine, prelude::BASE64_STANDARD};
use futures_util::{SinkExt, StreamExt};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use shared::auth::PeerAddress;
use socket::{App, GatewayAnswer};
use tokio::{
    sync::mpsc,
    task::AbortHandle,
    time::{Instant, sleep_until},
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Message,
        handshake::derive_accept_key,
        protocol::{CloseFrame, Role, WebSocketConfig, frame::coding::CloseCode},
    },
};

use crate::base::{failure::Result, server::Server};

/// The longest frame that a client may send, and the longest message, in bytes (API Gateway quotas).
const LONGEST_FRAME: usize = 32 * 1024;
const LONGEST_MESSAGE: usize = 128 * 1024;
/// How many messages may wait for a client that does not read them. One more closes the connection.
const WAITING: usize = 32;
/// How much memory a connection may use in addition, in bytes: with 10,000 connections, buffers matter.
const READ_BUFFER: usize = 2 * 1024;

/// The limits after which connections are closed.
#[derive(Clone, Copy, Debug)]
pub struct SocketLimits {
    /// After this long without a message in either direction.
    pub idle: Duration,
    /// After this long in total.
    pub lifetime: Duration,
}

impl Default for SocketLimits {
    /// The limits of API Gateway.
    fn default() -> Self {
        let minutes = |minutes: u64| Duration::from_secs(minutes.saturating_mul(60));
        Self { idle: minutes(10), lifetime: minutes(120) }
    }
}

/// A WebSocket API. Cloning is cheap.
#[derive(Clone)]
pub struct Sockets(Arc<Parts>);

struct Parts {
    limits: SocketLimits,
    app: OnceLock<App>,
    connections: Mutex<BTreeMap<String, Connection>>,
    refused: AtomicUsize,
}

struct Connection {
    messages: mpsc::Sender<Message>,
    task: Option<AbortHandle>,
}

impl Sockets {
    /// Serves connections at `/socket` on a free port, and the functions' calls, until the server is dropped.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start(limits: SocketLimits) -> Result<(Self, Server)> {
        let (app, connections, refused) = (OnceLock::new(), Mutex::default(), AtomicUsize::new(0));
        let sockets = Self(Arc::new(Parts { limits, app, connections, refused }));
        let router = sockets.clone().router().merge(sockets.clone().calls());
        Ok((sockets, Server::start(router).await?))
    }

    /// Sets the function behind it. Until then, connections are refused.
    pub fn serve(&self, app: App) {
        let _ = self.0.app.set(app);
    }

    /// The number of open connections.
    pub fn open(&self) -> usize {
        self.connections().len()
    }

    /// Refuses the next `messages` messages to clients, as if the account's rate was exceeded.
    pub fn refuse(&self, messages: usize) {
        self.0.refused.store(messages, Ordering::SeqCst);
    }

    /// Whether the next message is refused.
    fn is_refused(&self) -> bool {
        let one_less = |left: usize| left.checked_sub(1);
        self.0.refused.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less).is_ok()
    }

    /// The route on which clients open connections.
    pub fn router(self) -> Router {
        Router::new().route("/socket", get(open)).with_state(self)
    }

    /// The calls of functions, under the API's id and stage.
    fn calls(self) -> Router {
        let calls = post(send).delete(close);
        Router::new().route("/{api}/{stage}/@connections/{id}", calls).with_state(self)
    }

    fn connections(&self) -> MutexGuard<'_, BTreeMap<String, Connection>> {
        self.0.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a connection immediately.
    fn end(&self, id: &str) -> bool {
        let connection = self.connections().remove(id);
        if let Some(task) = connection.as_ref().and_then(|connection| connection.task.as_ref()) {
            task.abort();
        }
        connection.is_some()
    }

    async fn call(&self, event: Value) -> Option<GatewayAnswer> {
        let app = self.0.app.get()?.clone();
        let event = serde_json::from_value(event);
        let event = event.map_err(|error| tracing::error!(%error, "an event of a socket")).ok()?;
        // The function logs its own failures. The future is boxed, since thousands of connections wait for
        // their next event.
        Box::pin(socket::handle(app, event)).await.ok()
    }
}

/// The fields that all events have.
fn event(id: &str, kind: &str, source: &str, more: Value) -> Value {
    let route = match kind {
        "CONNECT" => "$connect",
        "DISCONNECT" => "$disconnect",
        _ => "$default",
    };
    let mut event = json!({
        "requestContext": {
            "routeKey": route, "eventType": kind, "messageDirection": "IN", "stage": "live",
            "extendedRequestId": "local", "requestId": "local", "apiId": "local",
            "requestTime": "01/Jan/2026:00:00:00 +0000", "requestTimeEpoch": 1_767_225_600_000_u64,
            "connectedAt": 1_767_225_600_000_u64, "connectionId": id,
            "identity": { "sourceIp": source }, "domainName": "localhost",
        },
        "isBase64Encoded": false,
    });
    if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
        event.extend(more);
    }
    event
}

/// Opens a connection, if the function accepts it.
async fn open(State(sockets): State<Sockets>, mut request: Request) -> Response {
    let key = request.headers().get(header::SEC_WEBSOCKET_KEY).map(HeaderValue::as_bytes);
    let (Some(accept), Some(upgrade)) =
        (key.map(derive_accept_key), request.extensions_mut().remove::<OnUpgrade>())
    else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let source = request.extensions().get::<PeerAddress>();
    let source = source.map(|peer| peer.0.to_string()).unwrap_or_default();
    let random: &dyn Random = &SystemSource;
    let id = BASE64_STANDARD.encode(random.bytes::<11>());
    let query = request.uri().query().unwrap_or_default();
    let query: BTreeMap<String, String> =
        query.split('&').filter_map(|part| part.split_once('=')).map(owned).collect();
    let headers = text_of(request.headers());
    let more = json!({ "headers": headers, "queryStringParameters": query });
    let answer = sockets.call(event(&id, "CONNECT", &source, more)).await;
    let status = answer.map_or(StatusCode::BAD_GATEWAY, |answer| {
        StatusCode::from_u16(answer.status_code).unwrap_or(StatusCode::BAD_GATEWAY)
    });
    if !status.is_success() {
        return status.into_response();
    }
    tokio::spawn(run(sockets, upgrade, id, source));
    let headers = [
        (header::CONNECTION, HeaderValue::from_static("upgrade")),
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (
            header::SEC_WEBSOCKET_ACCEPT,
            HeaderValue::try_from(accept).unwrap_or(HeaderValue::from_static("")),
        ),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

fn owned((name, value): (&str, &str)) -> (String, String) {
    let value = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
    (name.to_owned(), value.into_owned())
}

fn text_of(headers: &HeaderMap) -> BTreeMap<&str, String> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str(), text(value))).collect()
}

/// Holds a connection until one side ends it, and then notifies the function.
async fn run(sockets: Sockets, upgrade: OnUpgrade, id: String, source: String) {
    let (messages, waiting) = mpsc::channel(WAITING);
    sockets.connections().insert(id.clone(), Connection { messages, task: None });
    let held = tokio::spawn(hold(sockets.clone(), upgrade, (id.clone(), source.clone()), waiting));
    match sockets.connections().get_mut(&id) {
        Some(connection) => connection.task = Some(held.abort_handle()),
        None => held.abort(),
    }
    // It ends by itself, or is aborted.
    let _ = held.await;
    sockets.connections().remove(&id);
    let ended = json!({ "headers": {} });
    sockets.call(event(&id, "DISCONNECT", &source, ended)).await;
}

async fn hold(
    sockets: Sockets,
    upgrade: OnUpgrade,
    (id, source): (String, String),
    mut waiting: mpsc::Receiver<Message>,
) {
    let Ok(upgraded) = upgrade.await else { return };
    let config = WebSocketConfig::default()
        .max_message_size(Some(LONGEST_MESSAGE))
        .max_frame_size(Some(LONGEST_FRAME))
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(0);
    let stream = TokioIo::new(upgraded);
    let mut stream = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await;
    let now = Instant::now();
    let SocketLimits { idle, lifetime } = sockets.0.limits;
    let end = now.checked_add(lifetime).unwrap_or(now);
    loop {
        let now = Instant::now();
        let until = now.checked_add(idle).unwrap_or(now).min(end);
        let answer = tokio::select! {
            // Messages that were sent to the client earlier are delivered before the answer to its next
            // message.
            biased;
            () = sleep_until(until) => {
                let frame = CloseFrame { code: CloseCode::Away, reason: "Going away".into() };
                let _ = stream.close(Some(frame)).await;
                return;
            }
            message = waiting.recv() => match message {
                Some(message) => Some(message),
                None => return,
            },
            received = stream.next() => match received {
                Some(Ok(message)) => sockets.answer(&id, &source, message).await,
                // The library has already answered the client's close frame.
                None => return,
                Some(Err(error)) => {
                    let frame = CloseFrame { code: code_of(&error), reason: "".into() };
                    let _ = stream.close(Some(frame)).await;
                    return;
                }
            },
        };
        if let Some(answer) = answer
            && stream.send(answer).await.is_err()
        {
            return;
        }
    }
}

fn code_of(error: &tokio_tungstenite::tungstenite::Error) -> CloseCode {
    match error {
        tokio_tungstenite::tungstenite::Error::Capacity(_) => CloseCode::Size,
        _ => CloseCode::Protocol,
    }
}

impl Sockets {
    /// The message that the client receives in answer to its own.
    async fn answer(&self, id: &str, source: &str, message: Message) -> Option<Message> {
        let more = match message {
            Message::Text(text) => json!({ "body": text.as_str() }),
            Message::Binary(bytes) => {
                json!({ "body": BASE64_STANDARD.encode(bytes), "isBase64Encoded": true })
            }
            _ => return None,
        };
        match self.call(event(id, "MESSAGE", source, more)).await {
            Some(GatewayAnswer { body, .. }) => body.map(Message::text),
            None => {
                let text = json!({ "message": "Internal server error", "connectionId": id });
                Some(Message::text(text.to_string()))
            }
        }
    }
}

/// `PostToConnection`.
async fn send(
    State(sockets): State<Sockets>,
    Path((_, _, id)): Path<(String, String, String)>,
    body: Bytes,
) -> Response {
    if body.len() > LONGEST_MESSAGE {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    }
    if sockets.is_refused() {
        return StatusCode::TOO_MANY_REQUESTS.into_response();
    }
    let messages = sockets.connections().get(&id).map(|connection| connection.messages.clone());
    let Some(messages) = messages else { return gone() };
    let text = String::from_utf8_lossy(&body).into_owned();
    match messages.try_send(Message::text(text)) {
        Ok(()) => StatusCode::OK.into_response(),
        // The client does not read its messages.
        Err(_) => {
            sockets.end(&id);
            gone()
        }
    }
}

/// `DeleteConnection`.
async fn close(
    State(sockets): State<Sockets>,
    Path((_, _, id)): Path<(String, String, String)>,
) -> Response {
    match sockets.end(&id) {
        true => StatusCode::NO_CONTENT.into_response(),
        false => gone(),
    }
}

fn gone() -> Response {
    (StatusCode::GONE, [("x-amzn-errortype", "GoneException")]).into_response()
}
