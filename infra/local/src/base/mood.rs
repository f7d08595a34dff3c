//! Moods of a stand-in: healthy, slow, down, or wrong.

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
    sync::watch,
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
#[derive(Clone, Debug)]
pub struct SharedMood {
    mood: Arc<Mutex<Mood>>,
    asked: watch::Sender<usize>,
    delayed: watch::Sender<usize>,
}

impl Default for SharedMood {
    fn default() -> Self {
        let (asked, delayed) = (watch::Sender::new(0), watch::Sender::new(0));
        Self { mood: Arc::default(), asked, delayed }
    }
}

/// A request that is delayed.
struct Delayed<'a>(&'a watch::Sender<usize>);

impl Drop for Delayed<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|delayed| *delayed = delayed.saturating_sub(1));
    }
}

impl SharedMood {
    /// The current mood.
    pub fn get(&self) -> Mood {
        *self.mood.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the mood.
    pub fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap_or_else(PoisonError::into_inner) = mood;
    }

    /// Number of requests so far, except those whose connection was closed.
    pub fn asked(&self) -> usize {
        *self.asked.borrow()
    }

    /// Waits until it has received this many requests.
    pub async fn is_asked(&self, requests: usize) {
        // This struct owns the sender, so the wait cannot fail.
        let _ = self.asked.subscribe().wait_for(|asked| *asked >= requests).await;
    }

    /// Waits until it keeps this many requests waiting at the same time.
    pub async fn delays(&self, requests: usize) {
        // As above.
        let _ = self.delayed.subscribe().wait_for(|delayed| *delayed >= requests).await;
    }

    /// Keeps a request waiting.
    async fn delay(&self, span: Duration) {
        if span.is_zero() {
            return;
        }
        self.delayed.send_modify(|delayed| *delayed = delayed.saturating_add(1));
        let _delayed = Delayed(&self.delayed);
        tokio::time::sleep(span).await;
    }

    /// `router` in this mood, except for `down`, which needs [`Moody`].
    pub(crate) fn over(&self, router: Router) -> Router {
        router.layer(middleware::from_fn_with_state(self.clone(), in_mood))
    }
}

async fn in_mood(State(shared): State<SharedMood>, request: Request, next: Next) -> Response {
    let mood = shared.get();
    shared.asked.send_modify(|asked| *asked = asked.saturating_add(1));
    shared.delay(Duration::from_millis(mood.delay_ms)).await;
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
