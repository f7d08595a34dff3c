//! Messages of clients.

use local::SocketClient;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use uuid::Uuid;

use crate::{World, next, numbers, subscribe};

#[tokio::test]
async fn a_reader_is_told_what_the_list_has() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    let mut socket = world.own_socket().await;
    let answer = subscribe(&mut socket, &[&mint, "account"]).await;
    let (newest, expected) = (
        answer["lists"][0]["newest"].clone(),
        json!({ "lists": [
        { "list": "account", "newest": answer["lists"][0]["newest"] },
        { "list": mint, "newest": 1 },
    ] }),
    );
    assert_eq!(answer, expected);
    world.tell().await;
    world.tell_of(&list, 2).await;
    world.stack.tell_sockets().await;
    let mut told = [next(&mut socket).await, next(&mut socket).await];
    told.sort_by_key(|message| message["lists"][0]["list"].as_str().unwrap().to_owned());
    let after = newest.as_u64().unwrap();
    let events = world.client.get(format!("/api/events?after={after}"));
    let events = events.bearer(&world.user.access_token).send().await.expect(200);
    let expected = json!({ "lists": [
        { "list": "account", "newest": after + 1, "events": events.data() },
    ] });
    assert_eq!(told[0], expected, "the same objects as GET /api/events has");
    assert_eq!(numbers(&told[1]), [2, 3]);
    assert_eq!(told[1]["lists"][0]["events"][0]["id"], format!("{}-2", mint.replace(':', "-")));

    let pong = socket.ask(&json!({ "ping": 7 })).await.unwrap().unwrap();
    let expected = json!({ "pong": 7, "lists": [
        { "list": "account", "newest": after + 1 }, { "list": mint, "newest": 3 },
    ] });
    assert_eq!(pong, expected);

    let end = json!({ "unsubscribe": [mint] });
    let ended = socket.ask(&end).await.unwrap().unwrap();
    assert_eq!(ended, json!({ "lists": [], "unsubscribed": [mint] }));
    assert_eq!(socket.ask(&end).await.unwrap().unwrap(), ended, "twice does no harm");
    world.tell_of(&list, 1).await;
    world.tell().await;
    world.stack.tell_sockets().await;
    assert_eq!(next(&mut socket).await["lists"][0]["list"], "account");
    assert!(socket.is_quiet().await);
}

async fn code(socket: &mut SocketClient, message: Message) -> Value {
    socket.send(message).await.unwrap();
    let answer = next(socket).await;
    assert_eq!(answer["lists"], json!([]), "{answer}");
    answer["error"]["code"].clone()
}

#[tokio::test]
async fn messages_that_are_none_change_nothing() {
    let world = World::start().await;
    let (mint, _) = world.mint().await;
    let mut socket = world.socket().await;
    let unknown = format!("mint:{}", Uuid::nil());
    for (text, expected) in [
        ("", "1001"),
        ("hello", "1001"),
        ("{}", "1001"),
        (r#"{"route":"$connect"}"#, "1001"),
        (r#"{"subscribe":["mint:x"]}"#, "1001"),
        (&json!({ "subscribe": [mint], "after": -1 }).to_string(), "1001"),
        (&json!({ "subscribe": [mint, unknown] }).to_string(), "6008"),
        (&format!("[{}]", "1,".repeat(3_000)), "1001"),
    ] {
        assert_eq!(code(&mut socket, Message::text(text)).await, expected, "{text}");
    }
    let binary = Message::binary(json!({ "ping": 1 }).to_string().into_bytes());
    assert_eq!(code(&mut socket, binary).await, "1001");
    assert_eq!(world.rows().len(), 1, "the socket reads nothing");

    // The gateway rejects longer frames, and closes the socket.
    let long = Message::text("x".repeat(33 * 1024));
    // The socket may close before the whole frame is written.
    let _ = socket.send(long).await;
    assert_eq!(socket.next().await.unwrap(), None);
    world.wait_for_rows(0).await;
}

#[tokio::test]
async fn a_socket_reads_twenty_mints_and_sends_sixty_messages() {
    let world = World::start().await;
    let mut mints = Vec::new();
    for _ in 0..21 {
        mints.push(world.mint().await.0);
    }
    let mut socket = world.own_socket().await;
    let all: Vec<_> = mints.iter().map(String::as_str).collect();
    assert_eq!(subscribe(&mut socket, &all).await["error"]["code"], "3022");
    let answer = subscribe(&mut socket, &all[..20]).await;
    assert_eq!(answer["lists"].as_array().unwrap().len(), 20, "{answer}");
    assert_eq!(subscribe(&mut socket, &all[20..]).await["error"]["code"], "3022");
    // The account's list does not count as a mint, and a list that is already read counts once.
    let answer = subscribe(&mut socket, &["account", all[0], all[0]]).await;
    assert_eq!(answer["lists"].as_array().unwrap().len(), 2, "{answer}");
    assert_eq!(world.rows().len(), 22);
    socket.ask(&json!({ "unsubscribe": [all[0]] })).await.unwrap().unwrap();
    assert_eq!(subscribe(&mut socket, &all[20..]).await["lists"][0]["list"], all[20]);

    for number in 7..=60 {
        let pong = socket.ask(&json!({ "ping": number })).await.unwrap().unwrap();
        assert_eq!(pong["pong"], number);
    }
    assert_eq!(socket.ask(&json!({ "ping": 61 })).await.unwrap(), None, "it is closed");
    world.wait_for_rows(0).await;
}
