//! Sockets: the rows of tickets, connections and readers, the messages to the worker, and the messages to
//! clients.
//!
//! A connection reads lists of events. Each list has a row for each of its readers, and the list's open row
//! says until when it may be read, so that a commit that appends an event wakes the worker
//! (`docs/decisions/0032-sockets.md`). Every row of a socket expires with the connection, which the gateway
//! closes after two hours, so nothing has to be counted or cleaned up.

mod app;
pub mod connections;

use std::time::Duration;

use base::{
    clock::Timestamp,
    queue::{Queue, QueueError},
};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shared::{
    core::Core,
    keys::{self, EventList},
    models::{account::AccountId, session::SessionId},
};
use store::{CommitError, Entity, Key, Store, StoreError, Update, Writes, fields};

use crate::events::EventItem;

pub use app::SocketApp;

/// How long a ticket can open a socket.
pub const TICKET_LIFETIME: Duration = Duration::from_secs(60);
/// The longest life of a connection: API Gateway's limit, and ten minutes for differing clocks.
pub const LIFETIME: Duration = Duration::from_secs(130 * 60);
/// For how long a reader marks a list as read. That is longer than its own connection, so that later readers
/// seldom have to extend the mark.
pub const READ_FOR: Duration = Duration::from_secs(190 * 60);
/// How long after a list is first marked as read the worker pushes its events once: by then, every commit
/// that read the row before the mark has ended.
pub const FIRST_LOOK: Duration = Duration::from_secs(30);
/// The most mints that one connection reads.
pub const MOST_MINTS: usize = 20;
/// The most connections that read the list of one account.
pub const MOST_OF_ACCOUNT: usize = 20;

/// A ticket, which opens one socket for its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SocketTicket {
    /// The account that drew it.
    pub account_id: AccountId,
    /// The session with which the socket ends.
    pub session_id: SessionId,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

impl Entity for SocketTicket {
    const ENTITY: &'static str = "socketTicket";
}

impl SocketTicket {
    /// The key of a ticket's row, from its hash: the ticket itself is not stored.
    pub fn key(ticket: &str) -> Key {
        keys::socket_ticket(&hex::encode(Sha256::digest(ticket)))
    }
}

/// A connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Socket {
    /// The gateway's id of the connection.
    pub id: String,
    /// The account and session that opened it, if it was opened with a ticket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<SocketOwner>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// How many messages its client has sent.
    pub messages: u32,
    /// The lists that it reads, each with the place of its row among the readers.
    pub reads: Vec<Reading>,
    /// Increases whenever `reads` changes.
    pub version: u64,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
}

/// The account and session that opened a socket.
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

    /// The key of the reader's row.
    pub fn key(&self) -> Key {
        keys::reader(&self.list(), &self.place)
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
    /// The end of its key: a number for an account's list, the connection id otherwise.
    pub place: String,
    /// The connection.
    pub socket: String,
    /// The session with which it ends, if the list is an account's.
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

/// The name that clients use for a list: `account` for their own, or `mint:<id>`.
pub fn channel(list: &EventList) -> String {
    match list.account() {
        Some(_) => "account".to_owned(),
        None => list.name().replace('#', ":"),
    }
}

/// What a client receives about one list.
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
    /// The client has to read the events after this number over HTTP: there are too many of them, or they
    /// have expired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resync: Option<u64>,
}

/// Deletes the rows of a connection that is gone, and `reader`, which may be left of a connection whose own
/// row is gone already.
///
/// # Errors
/// [`StoreError`] if a row could not be deleted. Rows that are left expire.
pub async fn forget(
    store: &Store,
    socket: &str,
    reader: Option<(&EventList, &Reader)>,
) -> Result<(), StoreError> {
    let key = keys::socket(socket);
    let row = store.get::<Socket>(&key).await?;
    let reads = row.iter().flat_map(|row| row.reads.iter().map(Reading::key));
    let reader = reader.map(|(list, reader)| keys::reader(list, &reader.place));
    let mut keys: Vec<_> = reads.chain(reader).collect();
    keys.sort();
    keys.dedup();
    try_join_all(keys.iter().map(|key| stop_reading(store, key, socket))).await?;
    store.delete(&key).await?;
    Ok(())
}

/// Deletes the row of a reader, unless another connection has taken its place.
async fn stop_reading(store: &Store, reader: &Key, socket: &str) -> Result<(), StoreError> {
    let own = Update::new().if_equal(Reader::SOCKET, socket);
    match store.commit(Writes::new().delete(reader, own, ())).await {
        Ok(()) | Err(CommitError::Condition(())) => Ok(()),
        Err(CommitError::Contended) => Err(StoreError::Unavailable("a reader's row".to_owned())),
        Err(CommitError::Store(error)) => Err(error),
    }
}

/// A message to the worker: the body in its queue, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SocketMessage {
    /// Push events to the readers of a list.
    Push(Push),
}

/// Events to push to the readers of a list: `{"push": {"list": "mint#<id>", "after": 3, "upTo": 5}}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Push {
    /// The name of the list.
    pub list: String,
    /// The number of the event before the first one.
    pub after: u64,
    /// The number of the last event; without it, the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<u64>,
    /// The place of the first reader; without it, the list's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The place of the last reader; without it, the worker divides the readers from `from` on among further
    /// runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

base::section! {
    /// Where sockets are opened.
    pub struct SocketConfig {
        /// URL at which clients open sockets
        pub url: String = "SOCKET_URL",
    }
}

base::section! {
    /// Where events are queued that sockets are to be told of.
    pub struct SocketQueueConfig {
        /// URL of the queue of events to push to sockets
        pub url: String = "SOCKET_QUEUE_URL",
    }
}

/// The queue of the events to push to sockets.
#[derive(Debug)]
pub struct SocketQueue(Queue);

impl SocketQueue {
    /// The queue of the settings; connects only to send.
    pub fn new(core: &Core, config: SocketQueueConfig) -> Self {
        Self(Queue::new(core.aws.clone(), config.url, core.outbound.clone()))
    }

    /// Queues pushes. If a push is queued twice, readers receive the same numbers again.
    pub async fn send_all(&self, messages: &[SocketMessage]) -> Result<(), QueueError> {
        self.0.send_all(messages).await
    }

    /// Queues a push for later.
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
