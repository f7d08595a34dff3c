//! Sockets: rows of tickets, connections and readers, what the worker is told, and what is sent to clients.
//!
//! A connection reads lists of events. Each list has a row for each of its readers, and the list's open row says until when it
//! is read at most, so that a commit that appends an event wakes the worker (`docs/decisions/0032-sockets.md`). Every row of a
//! socket expires with the connection, which the gateway closes after two hours, so nothing has to be counted or cleaned up.

mod app;
pub mod connections;

use std::time::Duration;

use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    clock::Timestamp,
    core::Core,
    events::EventItem,
    models::{account::AccountId, session::SessionId},
    queue::{Queue, QueueError},
    store::{CommitError, Entity, Key, Store, StoreError, Update, Writes, fields, keys::EventList},
};

pub use app::SocketApp;

/// How long a ticket opens a socket.
pub const TICKET_LIFETIME: Duration = Duration::from_secs(60);
/// How long a connection lasts at most: API Gateway's limit, and ten minutes for clocks that differ.
pub const LIFETIME: Duration = Duration::from_secs(130 * 60);
/// For how long a reader has a list say that it is read: so much longer than its own connection that readers who come later
/// seldom have to say it again.
pub const READ_FOR: Duration = Duration::from_secs(190 * 60);
/// When the worker looks at a list that was not read before: later than a commit can end that has read the list's row before
/// it said so.
pub const FIRST_LOOK: Duration = Duration::from_secs(30);
/// The most mints that one connection reads.
pub const MOST_MINTS: usize = 20;
/// The most connections that read the list of one account.
pub const MOST_OF_ACCOUNT: usize = 20;

/// A ticket, which opens one socket for its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SocketTicket {
    /// Whose it is.
    pub account_id: AccountId,
    /// The session that the socket ends with.
    pub session_id: SessionId,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for SocketTicket {
    const ENTITY: &'static str = "socketTicket";
}

impl SocketTicket {
    /// Where the row of a ticket is: the ticket itself is not stored.
    pub fn key(ticket: &str) -> Key {
        Key::socket_ticket(&hex::encode(Sha256::digest(ticket)))
    }
}

/// A connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Socket {
    /// The gateway's id of it.
    pub id: String,
    /// Who opened it, and in which session, if it was by a ticket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<SocketOwner>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// How many messages its client has sent.
    pub messages: u32,
    /// The lists that it reads, each with the place of its row among the readers.
    pub reads: Vec<Reading>,
    /// Goes up when `reads` changes.
    pub version: u64,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

/// Who opened a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SocketOwner {
    /// The account.
    pub account_id: AccountId,
    /// The session.
    pub session_id: SessionId,
}

/// A list that a socket reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The name of the list.
    pub list: String,
    /// The end of the key of the reader's row.
    pub place: String,
}

impl Reading {
    /// The list.
    pub fn list(&self) -> EventList {
        EventList::named(&self.list)
    }

    /// Where the reader's row is.
    pub fn key(&self) -> Key {
        Key::reader(&self.list(), &self.place)
    }
}

impl Entity for Socket {
    const ENTITY: &'static str = "socket";
}

fields!(Socket {
    pub MESSAGES: u32 = messages,
    pub READS: Vec<Reading> = reads,
    pub EXPIRES_AT: i64 = expires_at,
});

/// A reader of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reader {
    /// The end of its key: the connection, or of an account's list a number.
    pub place: String,
    /// The connection.
    pub socket: String,
    /// The session that it ends with, if the list is an account's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for Reader {
    const ENTITY: &'static str = "reader";
}

fields!(Reader {
    pub SOCKET: String = socket,
});

/// The name of a list as clients know it: `account`, their own, or `mint:<id>`.
pub fn channel(list: &EventList) -> String {
    match list.account() {
        Some(_) => "account".to_owned(),
        None => list.name().replace('#', ":"),
    }
}

/// What is sent of one list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListNews {
    /// `account`, or `mint:<id>`.
    pub list: String,
    /// The number of its newest event, as far as the sender knows; 0 if there has been none.
    pub newest: u64,
    /// Some of its events, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventItem>,
    /// Events after this number are to be read over HTTP: there are too many of them, or they are not kept any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resync: Option<u64>,
}

/// Deletes the rows of a connection that is gone, and `reader`, which may be left of one whose row is gone too.
///
/// # Errors
/// [`StoreError`]. What is left expires.
pub async fn forget(
    store: &Store,
    socket: &str,
    reader: Option<(&EventList, &Reader)>,
) -> Result<(), StoreError> {
    let key = Key::socket(socket);
    let row = store.get::<Socket>(&key).await?;
    let reads = row.iter().flat_map(|row| row.reads.iter().map(Reading::key));
    let reader = reader.map(|(list, reader)| Key::reader(list, &reader.place));
    let mut keys: Vec<_> = reads.chain(reader).collect();
    keys.sort();
    keys.dedup();
    try_join_all(keys.iter().map(|key| stop_reading(store, key, socket))).await?;
    store.delete(&key).await?;
    Ok(())
}

/// Deletes the row of a reader, unless another connection has its place by now.
async fn stop_reading(store: &Store, reader: &Key, socket: &str) -> Result<(), StoreError> {
    let own = Update::new().if_equal(Reader::SOCKET, socket);
    match store.commit(Writes::new().delete(reader, own, ())).await {
        Ok(()) | Err(CommitError::Condition(())) => Ok(()),
        Err(CommitError::Contended) => Err(StoreError::Unavailable("a reader's row".to_owned())),
        Err(CommitError::Store(error)) => Err(error),
    }
}

/// What the worker is told: the body of a message in its queue, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SocketMessage {
    /// Tell the readers of a list of its events.
    Push(Push),
}

/// Events that the readers of a list are to be told of: `{"push": {"list": "mint#<id>", "after": 3, "upTo": 5}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Push {
    /// The name of the list.
    pub list: String,
    /// The number of the event before the first one.
    pub after: u64,
    /// The number of the last one; without it, that of the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<u64>,
    /// The place of the first reader; without it, all are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The place of the last reader; without it, the worker shares the readers from `from` on with others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

crate::section! {
    /// Where sockets are opened.
    pub struct SocketConfig {
        /// URL at which clients open sockets
        pub url: String = "SOCKET_URL",
    }
}

crate::section! {
    /// Where events are queued that sockets are to be told of.
    pub struct SocketQueueConfig {
        /// URL of the queue of events that sockets are to be told of
        pub url: String = "SOCKET_QUEUE_URL",
    }
}

/// The queue of events that sockets are to be told of.
#[derive(Debug)]
pub struct SocketQueue(Queue);

impl SocketQueue {
    /// The queue of the settings; connects nowhere yet.
    pub fn new(core: &Core, config: SocketQueueConfig) -> Self {
        Self(Queue::new(core.aws.clone(), config.url, core.outbound.clone()))
    }

    /// Queues pushes. One that is queued twice tells readers of the same numbers again.
    ///
    /// # Errors
    /// [`QueueError`].
    pub async fn send_all(&self, messages: &[SocketMessage]) -> Result<(), QueueError> {
        self.0.send_all(messages).await
    }

    /// Queues a push for later.
    ///
    /// # Errors
    /// [`QueueError`].
    pub async fn send_later(&self, push: Push, delay: Duration) -> Result<(), QueueError> {
        self.0.send_later(&[SocketMessage::Push(push)], delay).await
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let push = Push { list: "mint#a".to_owned(), after: 3, up_to: None, from: None, to: None };
        let part = Push {
            up_to: Some(5),
            from: Some("a=".to_owned()),
            to: Some("b=".to_owned()),
            ..push.clone()
        };
        for (push, body) in [
            (push, json!({ "push": { "list": "mint#a", "after": 3 } })),
            (
                part,
                json!({ "push": { "list": "mint#a", "after": 3, "upTo": 5, "from": "a=", "to": "b=" } }),
            ),
        ] {
            let message = SocketMessage::Push(push);
            assert_eq!(serde_json::to_value(&message).unwrap(), body);
            assert_eq!(serde_json::from_value::<SocketMessage>(body).unwrap(), message);
        }
        for body in [json!({}), json!({ "push": {} }), json!({ "sweep": true })] {
            assert!(serde_json::from_value::<SocketMessage>(body).is_err());
        }
    }

    #[test]
    fn only_a_reader_of_its_own_list_sees_an_account_and_no_id_of_it() {
        let account =
            EventList::of_account("018bcfe5-6800-7000-8000-000000000002".parse().unwrap());
        assert_eq!(channel(&account), "account");
        assert_eq!(channel(&EventList::named("mint#7")), "mint:7");
    }
}
