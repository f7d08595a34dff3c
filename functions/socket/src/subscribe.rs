//! Subscribes a socket to lists, and finds the events that its client has missed.
//!
//! The order matters. The socket's rows are written first, then the list is marked as read, and then the
//! events are read. So each event is either in the answer, or its commit finds the list marked as read and
//! wakes the worker, which finds the row. A commit may have read the list before the mark and still end
//! later. After marking a list that was not read before, the function therefore schedules one push for when
//! no such commit can be under way any more.

use std::collections::BTreeSet;

use base::clock::Timestamp;
use outbox::{
    events::EventItem,
    sockets::{
        FIRST_LOOK, ListNews, MOST_MINTS, MOST_OF_ACCOUNT, Push, READ_FOR, Reader, Reading, Socket,
        SocketOwner, channel,
    },
};
use shared::{
    events::{self, EventHead, EventWrites, EventsError},
    keys::{self, EventList},
    problem::Problem,
};
use store::{CommitError, Update, Writes};

use crate::{
    App,
    channel::{After, Channel},
    error::{SocketError, Stop},
    rows::{ATTEMPTS, check_session, commit, socket_key},
};

/// The most events in one answer, which keeps it below the gateway's limit of 128 kB.
const MOST_EVENTS: usize = 100;

/// Subscribes a socket to lists; returns what its client has missed.
pub(crate) async fn subscribe(
    app: &App,
    socket: Socket,
    channels: &[Channel],
    after: &After,
) -> Result<Vec<ListNews>, Stop> {
    let owner = socket.owner.map(|owner| owner.account_id);
    let mut wanted = Vec::new();
    for channel in channels.iter().copied().collect::<BTreeSet<_>>() {
        let list = channel.list(owner).ok_or_else(|| {
            let details = "The socket was opened without a ticket, so it can only read mints. Get a ticket with POST /api/events/ticket.";
            Stop::refused(Problem::NoAuthorization, details)
        })?;
        wanted.push((channel, list));
    }
    if wanted.iter().any(|(channel, _)| *channel == Channel::Account) {
        check_session(app, &socket).await?;
    }
    let lists: Vec<_> = wanted.iter().map(|(_, list)| list.clone()).collect();
    let heads = events::heads(&app.store, &lists).await?;
    for ((channel, _), head) in wanted.iter().zip(&heads) {
        // Every mint has at least the event of its creation.
        if matches!(channel, Channel::Mint(_)) && head.is_none() {
            let details = Problem::VmMintNotFound.meaning();
            return Err(Stop::refused(Problem::VmMintNotFound, details));
        }
    }
    let expires_at = socket.expires_at;
    join(app, socket, &lists).await?;
    for (list, head) in lists.iter().zip(heads) {
        be_told(app, list, head.unwrap_or_default(), expires_at).await?;
    }
    let mut left = MOST_EVENTS;
    let mut news = Vec::new();
    for (channel, list) in &wanted {
        let of_list = missed(app, list, after.of(channel), left).await?;
        left = left.saturating_sub(of_list.events.len());
        news.push(of_list);
    }
    Ok(news)
}

/// Adds a socket to the readers of lists.
async fn join(app: &App, mut socket: Socket, lists: &[EventList]) -> Result<(), Stop> {
    for _attempt in 0..ATTEMPTS {
        let known: BTreeSet<_> = socket.reads.iter().map(Reading::list).collect();
        let new: Vec<_> = lists.iter().filter(|list| !known.contains(list)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let mints = known.iter().chain(new.iter().copied());
        if mints.filter(|list| list.account().is_none()).count() > MOST_MINTS {
            let details = format!("A socket reads {MOST_MINTS} mints at most.");
            return Err(Stop::refused(Problem::TooMany, details));
        }
        let mut reads = socket.reads.clone();
        let mut writes = Writes::new();
        for list in new {
            let owner = socket.owner.filter(|_| list.account().is_some());
            let place = match owner {
                Some(_) => free_place(app, list).await?,
                None => socket.id.clone(),
            };
            let reading = Reading { list: list.name().to_owned(), place: place.clone() };
            let reader = Reader {
                place,
                socket: socket.id.clone(),
                session_id: owner.map(|SocketOwner { session_id, .. }| session_id),
                expires_at: socket.expires_at,
            };
            writes = match owner {
                Some(_) => writes.insert(&reading.key(), &reader, ()),
                None => writes.put(&reading.key(), &reader, ()),
            };
            reads.push(reading);
        }
        let update = Update::new().set(Socket::READS, &reads).if_version(socket.version);
        match commit(app, &socket, writes.update(&socket_key(&socket), update, ())).await? {
            None => return Ok(()),
            Some(changed) => socket = changed,
        }
    }
    Err(SocketError::Contended.into())
}

/// A free place among the readers of an account's list, chosen at random so that sockets opened concurrently
/// seldom choose the same one.
async fn free_place(app: &App, list: &EventList) -> Result<String, Stop> {
    let (low, high) = keys::readers(list);
    let readers: Vec<Reader> = app.store.range((&low, &high), true, None).await?;
    let now = app.clock.now().past_seconds();
    let taken = readers.into_iter().filter(|reader| reader.expires_at > now);
    let taken: BTreeSet<_> = taken.map(|reader| reader.place).collect();
    let free = (0..MOST_OF_ACCOUNT).map(|place| format!("{place:02}"));
    let mut free: Vec<_> = free.filter(|place| !taken.contains(place)).collect();
    let last = u64::try_from(free.len().saturating_sub(1)).unwrap_or_default();
    let any = usize::try_from(app.random.up_to(last)).unwrap_or_default();
    if any >= free.len() {
        let details =
            format!("The account already has {MOST_OF_ACCOUNT} sockets. Close one first.");
        return Err(Stop::refused(Problem::TooMany, details));
    }
    Ok(free.swap_remove(any))
}

/// Marks a list as read until the socket ends, so that commits wake the worker.
async fn be_told(
    app: &App,
    list: &EventList,
    mut head: EventHead,
    expires_at: i64,
) -> Result<(), Stop> {
    let needed = Timestamp::from_seconds(expires_at);
    for _attempt in 0..ATTEMPTS {
        let now = app.clock.now();
        if head.read_until >= Some(needed) {
            return Ok(());
        }
        if !head.is_read(now) {
            let list = list.name().to_owned();
            let push = Push { list, after: head.newest, up_to: None, from: None, to: None };
            app.queue.send_later(push, FIRST_LOOK).await?;
        }
        let until = (now, now.plus(READ_FOR));
        match app.store.commit(Writes::new().read_until(list, &head, until, ())).await {
            Ok(()) => return Ok(()),
            Err(CommitError::Condition(()) | CommitError::Contended) => {
                head = events::head(&app.store, list).await?;
            }
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
    }
    Err(SocketError::Contended.into())
}

/// The events of a list that a client has missed, at most `most`.
async fn missed(
    app: &App,
    list: &EventList,
    after: Option<u64>,
    most: usize,
) -> Result<ListNews, Stop> {
    let news = |newest, events, resync| ListNews { list: channel(list), newest, events, resync };
    let Some(after) = after else {
        let head = events::head(&app.store, list).await?;
        return Ok(news(head.newest, Vec::new(), None));
    };
    match events::read(&app.store, list, Some(after), most.max(1), &[]).await {
        Ok(None) => Ok(news(0, Vec::new(), (after > 0).then_some(0))),
        Ok(Some(page)) if most == 0 && page.newest > after => {
            Ok(news(page.newest, Vec::new(), Some(after)))
        }
        Ok(Some(page)) => {
            let events = page.events.into_iter().map(|event| EventItem::of(list, event));
            let resync = (page.next < page.newest).then_some(page.next);
            Ok(news(page.newest, events.collect(), resync))
        }
        Err(EventsError::TooOld { oldest, .. }) => {
            let head = events::head(&app.store, list).await?;
            Ok(news(head.newest, Vec::new(), Some(oldest.saturating_sub(1))))
        }
        // The client's number belongs to another list, or the table was restored.
        Err(EventsError::NotYet { newest }) => Ok(news(newest, Vec::new(), Some(newest))),
        Err(EventsError::Store(error)) => Err(error.into()),
    }
}
