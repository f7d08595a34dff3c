//! Moods of a stand-in: well, slow, down, or wrong.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    serve::Listener,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// A mood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Mood {
    /// Every connection is closed without an answer.
    pub down: bool,
    /// Answers are delayed by this long.
    pub delay_ms: u64,
    /// Answers are not JSON.
    pub malformed: bool,
    /// Every answer has this HTTP status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

/// The mood of one party, which can change at any time. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct SharedMood(Arc<Mutex<Mood>>);

impl SharedMood {
    /// The current mood.
    pub fn get(&self) -> Mood {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the mood.
    pub fn set(&self, mood: Mood) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = mood;
    }

    /// `router` in this mood, except for `down`, which needs [`Moody`].
    pub(crate) fn over(&self, router: Router) -> Router {
        router.layer(middleware::from_fn_with_state(self.clone(), in_mood))
    }
}

async fn in_mood(State(mood): State<SharedMood>, request: Request, next: Next) -> Response {
    let mood = mood.get();
    tokio::time::sleep(Duration::from_millis(mood.delay_ms)).await;
    let status = mood.status.and_then(|status| StatusCode::from_u16(status).ok());
    match status {
        Some(status) => (status, "as told").into_response(),
        None if mood.malformed => "{\"indexed\": \"per".into_response(),
        None => next.run(request).await,
    }
}

/// A listener, or one of its connections, that closes while its party is down.
#[derive(Debug)]
pub(crate) struct Moody<T> {
    inner: T,
    mood: SharedMood,
}

impl<T> Moody<T> {
    pub(crate) fn new(inner: T, mood: SharedMood) -> Self {
        Self { inner, mood }
    }
}

impl Listener for Moody<TcpListener> {
    type Io = Moody<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        loop {
            let (stream, address) = Listener::accept(&mut self.inner).await;
            if !self.mood.get().down {
                return (Moody::new(stream, self.mood.clone()), address);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.inner.local_addr()
    }
}

impl AsyncRead for Moody<TcpStream> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if read.is_ready() && self.mood.get().down {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        read
    }
}

impl AsyncWrite for Moody<TcpStream> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}
