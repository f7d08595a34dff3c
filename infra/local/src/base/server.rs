//! Servers of this process, each on a loopback port until it is dropped.

use std::net::{Ipv4Addr, SocketAddr};

use axum::{
    Router,
    extract::{ConnectInfo, Request},
    middleware::{self, Next},
    response::Response,
};
use shared::auth::PeerAddress;
use tokio::{net::TcpListener, task::JoinHandle};

use crate::base::{
    failure::{Context, Result},
    mood::{Moody, SharedMood},
};

/// Any free loopback port.
pub const LOOPBACK: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 0);

/// A server that ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    url: String,
    task: JoinHandle<()>,
}

impl Server {
    /// A server that `task` runs.
    pub(crate) fn new(address: SocketAddr, task: JoinHandle<()>) -> Self {
        Self { url: format!("http://{address}"), task }
    }

    /// Serves `router` on a free port. Handlers see the client's address, as behind the gateway.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start(router: Router) -> Result<Self> {
        let listener = TcpListener::bind(LOOPBACK).await.context("a free port")?;
        Self::on(listener, router)
    }

    /// Serves `router` on `listener`.
    ///
    /// # Errors
    /// The listener has no address.
    pub fn on(listener: TcpListener, router: Router) -> Result<Self> {
        let address = listener.local_addr().context("a free port")?;
        let service = router
            .layer(middleware::from_fn(peer))
            .into_make_service_with_connect_info::<SocketAddr>();
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, service).await {
                tracing::error!(%error, "server");
            }
        });
        Ok(Self::new(address, task))
    }

    /// Serves `router` on a free port, in a mood that can change.
    ///
    /// # Errors
    /// No port is free.
    pub async fn moody(router: Router, mood: &SharedMood) -> Result<Self> {
        Self::closing(mood.over(router), mood).await
    }

    /// Serves `router` on a free port, and closes every connection while the mood is `down`, which the router
    /// itself cannot do.
    pub(crate) async fn closing(router: Router, mood: &SharedMood) -> Result<Self> {
        let listener = TcpListener::bind(LOOPBACK).await.context("a free port")?;
        let address = listener.local_addr().context("a free port")?;
        let listener = Moody::new(listener, mood.clone());
        let task = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!(%error, "server");
            }
        });
        Ok(Self::new(address, task))
    }

    /// Base address without a trailing slash.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Sets the source address of a request, as the gateway does on Lambda.
async fn peer(
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    request.extensions_mut().insert(PeerAddress(address.ip()));
    next.run(request).await
}
