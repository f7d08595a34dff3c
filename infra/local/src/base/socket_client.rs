//! A client of sockets, for tests.

use std::net::{Ipv4Addr, SocketAddr};

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::{
    net::{TcpSocket, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{Error, Message, protocol::WebSocketConfig},
};

use crate::base::{
    failure::{Context, Failure, Result},
    patience::HANG_LIMIT,
};

/// A socket. It is closed when it is dropped.
#[derive(Debug)]
pub struct SocketClient {
    stream: WebSocketStream<TcpStream>,
}

/// Why a socket was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The server refused it with this status.
    #[error("{0}")]
    Refused(u16),
    /// Anything else.
    #[error(transparent)]
    Other(#[from] Failure),
}

impl SocketClient {
    /// Opens a socket at `url`, such as `ws://127.0.0.1:9000/socket`.
    ///
    /// # Errors
    /// [`OpenError::Refused`] with the status if the server refuses; another [`OpenError`] if there is no
    /// connection.
    pub async fn open(url: &str, ticket: Option<&str>) -> Result<Self, OpenError> {
        Self::open_from(Ipv4Addr::LOCALHOST, url, ticket).await
    }

    /// Opens a socket from another address; all of 127.0.0.0/8 is this machine.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_from(
        source: Ipv4Addr,
        url: &str,
        ticket: Option<&str>,
    ) -> Result<Self, OpenError> {
        let socket = TcpSocket::new_v4().context("socket")?;
        // If a client does not read, the server notices once the buffers of the system are full.
        socket.set_recv_buffer_size(4_096).context("socket")?;
        socket.bind((source, 0).into()).context("socket")?;
        let host = url.trim_start_matches("ws://").split('/').next().unwrap_or_default();
        let address: SocketAddr = host.parse().context(url)?;
        let stream = socket.connect(address).await.context(url)?;
        let url = match ticket {
            Some(ticket) => format!("{url}?ticket={ticket}"),
            None => url.to_owned(),
        };
        // With thousands of clients, buffers matter.
        let config = WebSocketConfig::default().read_buffer_size(2_048).write_buffer_size(0);
        match client_async_with_config(&url, stream, Some(config)).await {
            Ok((stream, _)) => Ok(Self { stream }),
            Err(Error::Http(answer)) => Err(OpenError::Refused(answer.status().as_u16())),
            Err(error) => Err(Failure::new(error.to_string()).into()),
        }
    }

    /// Sends a message as it is.
    ///
    /// # Errors
    /// The socket is closed.
    pub async fn send(&mut self, message: Message) -> Result<()> {
        self.stream.send(message).await.context("socket")
    }

    /// The next message; `None` if the socket is closed.
    ///
    /// # Errors
    /// None arrives in time, or it is not JSON.
    pub async fn next(&mut self) -> Result<Option<Value>> {
        timeout(HANG_LIMIT, self.received()).await.context("no message came")?
    }

    async fn received(&mut self) -> Result<Option<Value>> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    return serde_json::from_str(&text).map(Some).context(&text);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Ok(None),
                Some(Ok(_)) => {}
            }
        }
    }

    /// Sends a JSON object, and waits for the next message.
    ///
    /// # Errors
    /// None arrives in time.
    pub async fn ask(&mut self, message: &Value) -> Result<Option<Value>> {
        // If the socket is closed, the next read reports it.
        let _ = self.send(Message::text(message.to_string())).await;
        self.next().await
    }

    /// Whether no message is in flight: the server has answered a ping without sending anything before the
    /// answer. Only messages that it received earlier are certain to arrive before the answer.
    pub async fn is_quiet(&mut self) -> bool {
        if self.send(Message::Ping(Bytes::new())).await.is_err() {
            return false;
        }
        let next = timeout(HANG_LIMIT, self.stream.next()).await;
        matches!(next, Ok(Some(Ok(Message::Pong(_)))))
    }
}
