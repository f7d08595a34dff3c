//! Sockets through which clients receive events.
//!
//! The gateway holds the connections. It calls this function when a connection is opened or closed, and for
//! each message of a client. A message names the lists of events that the client reads; the answer holds the
//! events that it has missed. Later events are pushed by `socket-worker` (`docs/decisions/0032-sockets.md`).

mod channel;
mod error;
mod message;
mod open;
mod rows;
mod subscribe;

use std::time::Duration;

use aws_lambda_events::event::apigw::ApiGatewayWebsocketProxyRequest;
use http::StatusCode;
use outbox::sockets::{self, Socket};
use serde::Serialize;
use shared::{keys, problem::Problem};
use store::Update;

pub use error::SocketError;
pub use outbox::sockets::SocketApp as App;

use crate::{
    error::{Refusal, Stop},
    message::Answer,
};

/// Messages that a connection may send in one burst.
const MESSAGES: u64 = 60;
/// The interval after which it may send one more message.
const ANOTHER: Duration = Duration::from_secs(10);

/// The answer to the gateway: for a new connection, whether it is accepted; for a message, the text to send
/// to the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GatewayAnswer {
    /// HTTP status.
    pub status_code: u16,
    /// Text for the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

impl GatewayAnswer {
    fn status(status: StatusCode) -> Self {
        Self { status_code: status.as_u16(), body: None }
    }
}

/// Handles an event of the gateway.
///
/// # Errors
/// [`SocketError`]: the service failed. The gateway refuses the connection, or reports the failure to the
/// client.
pub async fn handle(
    app: App,
    event: ApiGatewayWebsocketProxyRequest,
) -> Result<GatewayAnswer, SocketError> {
    let handled = app.outbound.within_budget(handle_event(&app, event)).await;
    if let Err(error) = &handled {
        tracing::error!(%error, "socket");
    }
    handled
}

async fn handle_event(
    app: &App,
    event: ApiGatewayWebsocketProxyRequest,
) -> Result<GatewayAnswer, SocketError> {
    let context = event.request_context;
    let socket = context.connection_id.ok_or(SocketError::NoConnection)?;
    match context.event_type.as_deref() {
        Some("CONNECT") => {
            let source = context.identity.source_ip.and_then(|ip| ip.parse().ok());
            let ticket = event.query_string_parameters.first("ticket");
            let status = open::open(app, socket, source, ticket).await?;
            tracing::info!(status = status.as_u16(), "opened");
            Ok(GatewayAnswer::status(status))
        }
        Some("DISCONNECT") => {
            sockets::forget(&app.store, &socket, None).await?;
            Ok(GatewayAnswer::status(StatusCode::OK))
        }
        _ => {
            let text = event.body.unwrap_or_default();
            let text = if event.is_base64_encoded { String::new() } else { text };
            let answer = match answer(app, &socket, &text).await {
                Ok(answer) => Some(answer),
                Err(Stop::Refused(refusal)) => Some(Answer::refused(refusal)),
                Err(Stop::Close(why)) => {
                    tracing::info!(why, "closed");
                    close(app, &socket).await?;
                    None
                }
                Err(Stop::Failed(error)) if error.is_busy() => {
                    tracing::warn!(%error, "busy");
                    Some(Answer::refused(Refusal::new(
                        Problem::Unavailable,
                        Problem::Unavailable.meaning(),
                    )))
                }
                Err(Stop::Failed(error)) => return Err(error),
            };
            let body = answer.map(|answer| serde_json::to_string(&answer)).transpose()?;
            Ok(GatewayAnswer { body, ..GatewayAnswer::status(StatusCode::OK) })
        }
    }
}

async fn answer(app: &App, socket: &str, text: &str) -> Result<Answer, Stop> {
    let counted = Update::new().add(Socket::MESSAGES, 1);
    let counted = app.store.change::<Socket>(&keys::socket(socket), counted).await?;
    let socket = counted.ok_or(Stop::Close("its row has expired"))?;
    let open = app.clock.now().0.saturating_sub(socket.opened_at.0);
    let open = Duration::from_millis(u64::try_from(open).unwrap_or_default()).as_secs();
    let more = open.checked_div(ANOTHER.as_secs()).unwrap_or_default();
    if u64::from(socket.messages) > MESSAGES.saturating_add(more) {
        return Err(Stop::Close("it sends too many messages"));
    }
    message::answer(app, socket, text).await
}

/// Closes a connection and deletes its rows.
async fn close(app: &App, socket: &str) -> Result<(), SocketError> {
    // The gateway reports the end of a connection only on a best-effort basis, so the rows are deleted here.
    sockets::forget(&app.store, socket, None).await?;
    if let Err(error) = app.connections.close(socket).await {
        tracing::warn!(%error, "failed to close a connection");
    }
    Ok(())
}
