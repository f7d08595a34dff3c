//! Opens a connection: with a ticket for the events of an account, or without one for those of mints.

use std::net::IpAddr;

use http::StatusCode;
use outbox::sockets::{LIFETIME, Socket, SocketOwner, SocketTicket};
use shared::{
    accounts,
    auth::{
        AuthError,
        limits::{self, SOCKET_BY_SOURCE},
    },
    keys,
};
use store::{StoreError, Update};

use crate::{App, error::SocketError};

/// Decides whether a connection may be opened, and stores its row if so.
pub(crate) async fn open(
    app: &App,
    id: String,
    source: Option<IpAddr>,
    ticket: Option<&str>,
) -> Result<StatusCode, SocketError> {
    match limits::hit_source(app, SOCKET_BY_SOURCE, source).await {
        Ok(()) => {}
        Err(AuthError::Store(error)) => return Err(error.into()),
        Err(_) => return Ok(StatusCode::TOO_MANY_REQUESTS),
    }
    let owner = match ticket {
        None => None,
        Some(ticket) => match owner_by(app, ticket).await? {
            None => return Ok(StatusCode::UNAUTHORIZED),
            owner => owner,
        },
    };
    let now = app.clock.now();
    let key = keys::socket(&id);
    let expires_at = now.plus(LIFETIME).seconds();
    let reads = Vec::new();
    let socket = Socket { id, owner, opened_at: now, messages: 0, reads, version: 1, expires_at };
    app.store.put(&key, &socket).await?;
    Ok(StatusCode::OK)
}

/// Uses up a ticket and returns its owner; `None` if the ticket is invalid or its session has ended.
async fn owner_by(app: &App, ticket: &str) -> Result<Option<SocketOwner>, StoreError> {
    let key = SocketTicket::key(ticket);
    let Some(ticket) = app.store.use_up::<SocketTicket>(&key, Update::new()).await? else {
        return Ok(None);
    };
    let SocketTicket { account_id, session_id, .. } = ticket;
    let alive = accounts::alive_sessions(&app.store, account_id, &[session_id].into()).await?;
    Ok(alive.contains(&session_id).then_some(SocketOwner { account_id, session_id }))
}
