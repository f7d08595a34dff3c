//! The row of a socket, and the session that it depends on.

use outbox::sockets::Socket;
use shared::{accounts, keys};
use store::{CommitError, Key, Writes};

use crate::{App, error::Stop};

/// How often a change of a socket's row is tried while it conflicts with others.
pub(crate) const ATTEMPTS: usize = 10;

/// Stops with [`Stop::Close`] if the socket's session has ended.
pub(crate) async fn check_session(app: &App, socket: &Socket) -> Result<(), Stop> {
    let Some(owner) = socket.owner else { return Err(Stop::Close("it has no session")) };
    let sessions = [owner.session_id].into();
    let alive = accounts::alive_sessions(&app.store, owner.account_id, &sessions).await?;
    match alive.contains(&owner.session_id) {
        true => Ok(()),
        false => Err(Stop::Close("its session has ended")),
    }
}

pub(crate) fn socket_key(socket: &Socket) -> Key {
    keys::socket(&socket.id)
}

/// Commits writes that depend on the socket's row. If the row has changed concurrently, returns it as it is
/// now.
pub(crate) async fn commit(
    app: &App,
    socket: &Socket,
    writes: Writes<()>,
) -> Result<Option<Socket>, Stop> {
    match app.store.commit(writes).await {
        Ok(()) => Ok(None),
        Err(CommitError::Store(error)) => Err(error.into()),
        Err(CommitError::Condition(()) | CommitError::Contended) => {
            let row = app.store.get::<Socket>(&socket_key(socket)).await?;
            row.map(Some).ok_or(Stop::Close("it was closed"))
        }
    }
}
