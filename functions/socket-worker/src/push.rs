//! One push: some events of a list, sent to some of its readers.

use std::collections::BTreeSet;

use base::{outbound::OutboundError, queue::QueueError};
use bytes::Bytes;
use futures_util::future::join_all;
use outbox::{
    events::EventItem,
    sockets::{self, ListNews, Push, Reader, SocketMessage, channel, connections::Posted},
};
use serde::Serialize;
use shared::{
    accounts,
    events::{self, EventsError},
    keys::{self, EventList},
    models::session::SessionId,
};
use store::StoreError;

use crate::App;

/// The most events in one message to a client.
const MOST_EVENTS: usize = 100;
/// The gateway's answer to a call above the account's rate.
const TOO_MANY_REQUESTS: u16 = 429;
/// Readers that one message of the queue covers. The worker posts to each at its turn, whether or not an earlier
/// one has answered.
const READERS: usize = 100;
/// Readers that one run divides among further messages. Their rows take about a megabyte.
const SHARED: usize = 5_000;

/// Why a push fails.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PushError {
    /// DynamoDB failed to read or write a row.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The queue refused a message, or failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// A message to clients cannot be written as JSON.
    #[error("failed to write events: {0}")]
    Json(#[from] serde_json::Error),
}

/// How many readers a push reached, and how many it did not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PushCounts {
    /// The gateway accepted the message.
    pub(crate) sent: usize,
    /// The connection is gone.
    pub(crate) gone: usize,
    /// The reader's session has ended.
    pub(crate) ended: usize,
    /// The gateway did not accept the message in time, or refused it twice for the account's rate.
    pub(crate) left_out: usize,
}

/// The message that clients receive.
#[derive(Serialize)]
struct Pushed {
    lists: [ListNews; 1],
}

/// Sends events of a list to its readers.
///
/// # Errors
/// [`PushError`]: some readers may have received the message.
pub(crate) async fn push(app: &App, asked: &Push) -> Result<PushCounts, PushError> {
    let list = EventList::named(&asked.list);
    let Some(news) = news(app, &list, asked).await? else { return Ok(PushCounts::default()) };
    let text = Bytes::from(serde_json::to_vec(&Pushed { lists: [news] })?);
    let readers = readers(app, &list, asked).await?;
    let alive = alive_sessions(app, &list, &readers).await?;
    let posts = readers.iter().map(|reader| async {
        match (&alive, reader.session_id) {
            (Some(alive), session) if !session.is_some_and(|one| alive.contains(&one)) => None,
            _ => Some(post(app, &reader.socket, &text).await),
        }
    });
    let posted = join_all(posts).await;
    let (mut counts, mut forgotten) = (PushCounts::default(), Vec::new());
    for (reader, posted) in readers.iter().zip(posted) {
        match posted {
            Some(Ok(Posted::Sent)) => counts.sent = counts.sent.saturating_add(1),
            Some(Ok(Posted::Gone)) => {
                counts.gone = counts.gone.saturating_add(1);
                forgotten.push((reader, false));
            }
            Some(Err(error)) => {
                counts.left_out = counts.left_out.saturating_add(1);
                note(&error);
            }
            None => {
                counts.ended = counts.ended.saturating_add(1);
                forgotten.push((reader, true));
            }
        }
    }
    let ends = forgotten.into_iter().map(|(reader, closes)| end(app, &list, reader, closes));
    for ended in join_all(ends).await {
        if let Err(error) = ended {
            // Returning the error would repeat the push for all readers; the next push finds these rows
            // again.
            tracing::error!(%error, "failed to delete the rows of a reader that is gone");
        }
    }
    Ok(counts)
}

/// Sends a text to a client at its turn; once more if the account's rate was exceeded.
async fn post(app: &App, socket: &str, text: &Bytes) -> Result<Posted, OutboundError> {
    app.pace.turn().await;
    match app.connections.post(socket, text.clone()).await {
        Err(OutboundError::Status(TOO_MANY_REQUESTS)) => {
            app.pace.turn_after_rest().await;
            app.connections.post(socket, text.clone()).await
        }
        answer => answer,
    }
}

/// The message for the readers; `None` if there are no events to send.
async fn news(app: &App, list: &EventList, asked: &Push) -> Result<Option<ListNews>, PushError> {
    let page = match events::read(&app.store, list, Some(asked.after), MOST_EVENTS, &[]).await {
        Ok(page) => page,
        Err(EventsError::Store(error)) => return Err(error.into()),
        // The message is months old, or the table was restored.
        Err(EventsError::TooOld { .. } | EventsError::NotYet { .. }) => None,
    };
    let Some(page) = page else { return Ok(None) };
    let up_to = asked.up_to.unwrap_or(page.newest);
    let events = page.events.into_iter().filter(|event| event.sequence <= up_to);
    let events: Vec<_> = events.map(|event| EventItem::of(list, event)).collect();
    let resync = (page.next < up_to).then_some(page.next);
    let news = ListNews { list: channel(list), newest: up_to, events, resync };
    Ok((!news.events.is_empty()).then_some(news))
}

/// The readers that this run serves. If the message names no last reader, the run queues messages for the
/// others.
async fn readers(app: &App, list: &EventList, asked: &Push) -> Result<Vec<Reader>, PushError> {
    let (first, last) = keys::readers(list);
    let first = asked.from.as_deref().map_or(first, |place| keys::reader(list, place));
    let Some(to) = &asked.to else {
        let (all, _): (Vec<Reader>, _) =
            app.store.readable_range((&first, &last), Some(SHARED)).await?;
        let parts = all.chunks(READERS).skip(1).filter_map(|part| part.first().zip(part.last()));
        let part = |from: &str, to: Option<&str>| {
            let (from, to) = (Some(from.to_owned()), to.map(str::to_owned));
            SocketMessage::Push(Push { from, to, ..asked.clone() })
        };
        let parts = parts.map(|(first, last)| part(&first.place, Some(&last.place)));
        let rest = all.last().filter(|_| all.len() >= SHARED);
        // No place continues another place with this character, so the next range begins right after `last`.
        let rest = rest.map(|last| part(&format!("{}!", last.place), None));
        let others: Vec<_> = parts.chain(rest).collect();
        if !others.is_empty() {
            app.queue.send_all(&others).await?;
        }
        return Ok(lasting(app, all.into_iter().take(READERS)));
    };
    let (part, _) = app.store.readable_range((&first, &keys::reader(list, to)), None).await?;
    Ok(lasting(app, part.into_iter()))
}

/// The readers that have not expired. DynamoDB deletes expired rows days later.
fn lasting(app: &App, readers: impl Iterator<Item = Reader>) -> Vec<Reader> {
    let now = app.clock.now().past_seconds();
    readers.filter(|reader| reader.expires_at > now).collect()
}

/// For an account's list, the sessions of its readers that are still valid; `None` for other lists.
async fn alive_sessions(
    app: &App,
    list: &EventList,
    readers: &[Reader],
) -> Result<Option<BTreeSet<SessionId>>, StoreError> {
    let Some(account) = list.account() else { return Ok(None) };
    let sessions: BTreeSet<_> = readers.iter().filter_map(|reader| reader.session_id).collect();
    if sessions.is_empty() {
        return Ok(Some(sessions));
    }
    accounts::alive_sessions(&app.store, account, &sessions).await.map(Some)
}

/// Deletes the rows of a connection, and closes the connection if `closes`.
async fn end(app: &App, list: &EventList, reader: &Reader, closes: bool) -> Result<(), StoreError> {
    sockets::forget(&app.store, &reader.socket, Some((list, reader))).await?;
    if closes {
        app.pace.turn().await;
        if let Err(error) = app.connections.close(&reader.socket).await {
            note(&error);
        }
    }
    Ok(())
}

fn note(error: &OutboundError) {
    tracing::debug!(%error, "unexpected answer from the gateway");
}
