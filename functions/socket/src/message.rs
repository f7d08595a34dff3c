//! Messages of clients, and the answers to them.

use outbox::sockets::{ListNews, MOST_MINTS, Reader, Reading, Socket, channel};
use serde::{Deserialize, Serialize};
use shared::{events, problem::Problem};
use store::{Update, Writes};

use crate::{
    App,
    channel::{After, Channel},
    error::{Refusal, SocketError, Stop},
    rows::{ATTEMPTS, check_session, commit, socket_key},
    subscribe::subscribe,
};

/// The longest message, in bytes.
const LONGEST: usize = 4_096;
/// The most lists in one message.
const MOST: usize = MOST_MINTS.saturating_add(1);

/// The answer to a client's message.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Answer {
    /// The lists that the message is about.
    pub(crate) lists: Vec<ListNews>,
    /// The lists that the client no longer reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unsubscribed: Vec<String>,
    /// The number of the ping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pong: Option<u64>,
    /// Why the message was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Refusal>,
}

impl Answer {
    pub(crate) fn refused(error: Refusal) -> Self {
        Self { error: Some(error), ..Self::default() }
    }
}

/// A message of a client. It has exactly one of the first three fields.
#[derive(Debug, Deserialize)]
struct Message {
    subscribe: Option<Vec<Channel>>,
    unsubscribe: Option<Vec<Channel>>,
    ping: Option<u64>,
    #[serde(default)]
    after: After,
}

/// Answers a message.
pub(crate) async fn answer(app: &App, socket: Socket, text: &str) -> Result<Answer, Stop> {
    match read(text)? {
        Message { subscribe: Some(channels), after, .. } => {
            let lists = subscribe(app, socket, &channels, &after).await?;
            Ok(Answer { lists, ..Answer::default() })
        }
        Message { unsubscribe: Some(channels), .. } => unsubscribe(app, socket, &channels).await,
        Message { ping, .. } => Ok(Answer { pong: ping, ..heads(app, &socket).await? }),
    }
}

fn read(text: &str) -> Result<Message, Stop> {
    let wrong = |details: String| Stop::refused(Problem::Validation, details);
    if text.len() > LONGEST {
        return Err(wrong(format!("A message has at most {LONGEST} bytes.")));
    }
    let message: Message = serde_json::from_str(text).map_err(|error| {
        // The parser's error quotes the client's value, which may be long.
        let error: String = error.to_string().chars().take(200).collect();
        wrong(format!("This is not a valid message: {error}."))
    })?;
    let lists = [&message.subscribe, &message.unsubscribe];
    let asks = lists.iter().filter(|lists| lists.is_some()).count();
    if asks.saturating_add(usize::from(message.ping.is_some())) != 1 {
        return Err(wrong("A message has one of subscribe, unsubscribe and ping.".to_owned()));
    }
    if lists.into_iter().flatten().any(|lists| lists.is_empty() || lists.len() > MOST) {
        return Err(wrong(format!("A message names 1 to {MOST} lists.")));
    }
    Ok(message)
}

/// Answers with the newest number of each list that a socket reads.
async fn heads(app: &App, socket: &Socket) -> Result<Answer, Stop> {
    let lists: Vec<_> = socket.reads.iter().map(Reading::list).collect();
    if lists.iter().any(|list| list.account().is_some()) {
        check_session(app, socket).await?;
    }
    if lists.is_empty() {
        return Ok(Answer::default());
    }
    let heads = events::heads(&app.store, &lists).await?;
    let news = lists.iter().zip(heads).map(|(list, head)| ListNews {
        list: channel(list),
        newest: head.unwrap_or_default().newest,
        events: Vec::new(),
        resync: None,
    });
    Ok(Answer { lists: news.collect(), ..Answer::default() })
}

async fn unsubscribe(app: &App, mut socket: Socket, channels: &[Channel]) -> Result<Answer, Stop> {
    let owner = socket.owner.map(|owner| owner.account_id);
    let lists: Vec<_> = channels.iter().filter_map(|channel| channel.list(owner)).collect();
    let unsubscribed = || lists.iter().map(channel).collect();
    for _attempt in 0..ATTEMPTS {
        let (ended, kept): (Vec<_>, Vec<_>) =
            socket.reads.iter().cloned().partition(|reading| lists.contains(&reading.list()));
        if ended.is_empty() {
            return Ok(Answer { unsubscribed: unsubscribed(), ..Answer::default() });
        }
        let update = Update::new().set(Socket::READS, &kept).if_version(socket.version);
        let writes = Writes::new().update(&socket_key(&socket), update, ());
        let writes = ended.iter().fold(writes, |writes, reading| {
            let own = Update::new().if_equal(Reader::SOCKET, &socket.id);
            writes.delete(&reading.key(), own, ())
        });
        match commit(app, &socket, writes).await? {
            None => return Ok(Answer { unsubscribed: unsubscribed(), ..Answer::default() }),
            Some(changed) => socket = changed,
        }
    }
    Err(SocketError::Contended.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_are_none_are_refused() {
        let mint = "mint:018bcfe5-6800-7000-8000-000000000002";
        for text in [
            r#"{"ping":1}"#.to_owned(),
            r#"{"subscribe":["account"],"after":7}"#.to_owned(),
            format!(r#"{{"subscribe":["account","{mint}"],"after":{{"{mint}":3}}}}"#),
            format!(r#"{{"unsubscribe":["{mint}"],"colour":"red"}}"#),
        ] {
            assert!(read(&text).is_ok(), "{text}");
        }
        let many = vec!["\"account\""; 22].join(",");
        for text in [
            "",
            "ping",
            "{}",
            "[]",
            "null",
            r#"{"ping":-1}"#,
            r#"{"ping":1,"subscribe":["account"]}"#,
            r#"{"subscribe":[]}"#,
            r#"{"subscribe":"account"}"#,
            r#"{"subscribe":["mint:7"]}"#,
            r#"{"subscribe":["account#018bcfe5-6800-7000-8000-000000000002"]}"#,
            r#"{"subscribe":["account"],"after":-1}"#,
            r#"{"subscribe":["account"],"after":{"mint":1}}"#,
            &format!(r#"{{"subscribe":[{many}]}}"#),
            &format!(r#"{{"ping":1,"colour":"{}"}}"#, "x".repeat(LONGEST)),
        ] {
            assert!(matches!(read(text), Err(Stop::Refused(_))), "{text}");
        }
    }
}
