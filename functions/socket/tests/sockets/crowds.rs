//! Many readers, and readers that do not read.

use std::{
    collections::BTreeSet,
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use local::{LocalStack, SocketClient};
use serde_json::{Value, json};

use crate::{World, binaries::event, next, numbers, subscribe};

/// Opens sockets without tickets, from as many source addresses as the limits require.
async fn sockets(world: &World, count: u16) -> Vec<SocketClient> {
    let open = |number: u16| {
        let [high, low] = (number / 100).to_be_bytes();
        SocketClient::open_from(Ipv4Addr::new(127, 1, high, low), world.url(), None)
    };
    let opened = join_all((0..count).map(open)).await;
    opened.into_iter().map(Result::unwrap).collect()
}

#[tokio::test]
async fn twenty_that_subscribe_at_once_are_all_told() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    let mut sockets = sockets(&world, 20).await;
    let ask = json!({ "subscribe": [mint], "after": 1 });
    let answers = join_all(sockets.iter_mut().map(|socket| socket.ask(&ask))).await;
    for answer in answers {
        assert_eq!(answer.unwrap().unwrap()["lists"][0]["newest"], 1);
    }
    world.tell_of(&list, 1).await;
    world.stack.tell_sockets().await;
    for socket in &mut sockets {
        assert_eq!(numbers(&next(socket).await), [2]);
    }
}

#[tokio::test]
async fn twenty_sockets_read_an_account_and_no_more() {
    let world = World::start().await;
    let mut sockets = Vec::new();
    for _ in 0..25 {
        sockets.push(world.own_socket().await);
    }
    let ask = json!({ "subscribe": ["account"] });
    let answers = join_all(sockets.iter_mut().map(|socket| socket.ask(&ask))).await;
    let is_refused = |answer: &Value| answer["error"]["code"] == "3022";
    let refused: Vec<_> =
        answers.into_iter().map(|one| is_refused(&one.unwrap().unwrap())).collect();
    assert_eq!(refused.iter().filter(|refused| **refused).count(), 5, "{refused:?}");
    world.tell().await;
    world.stack.tell_sockets().await;
    for (socket, refused) in sockets.iter_mut().zip(&refused) {
        match refused {
            true => assert!(socket.is_quiet().await),
            false => assert_eq!(next(socket).await["lists"][0]["list"], "account"),
        }
    }
    // A place becomes free when its socket ends.
    let place = refused.iter().position(|refused| !refused).unwrap();
    let rows = world.rows().len();
    drop(sockets.swap_remove(place));
    // Two rows are deleted: the socket's, and its row among the readers of the list.
    world.wait_for_rows(rows - 2).await;
    let mut late = world.own_socket().await;
    let answer = subscribe(&mut late, &["account"]).await;
    assert!(!is_refused(&answer), "its place is not free: {answer}");
}

/// The gateway sends the next message without waiting for the answer to the last one.
#[tokio::test]
async fn twenty_messages_of_one_socket_at_once_are_all_answered() {
    let world = World::start().await;
    let mut mints = Vec::new();
    for _ in 0..20 {
        mints.push(world.mint().await.0);
    }
    let app = &world.stack.app().socket;
    let call = async |kind, more| {
        let event = serde_json::from_value(event(kind, more)).unwrap();
        socket::handle(app.clone(), event).await.unwrap()
    };
    assert_eq!(call("CONNECT", json!({})).await.status_code, 200);
    let asks = mints.iter().map(|mint| json!({ "subscribe": [mint] }).to_string());
    let answers = join_all(asks.map(|ask| call("MESSAGE", json!({ "body": ask })))).await;
    let mut read = BTreeSet::new();
    for answer in answers {
        let answer: Value = serde_json::from_str(&answer.body.unwrap()).unwrap();
        match answer["lists"][0]["list"].as_str() {
            Some(list) => assert!(read.insert(list.to_owned())),
            None => assert_eq!(answer["error"]["code"], "1009", "{answer}"),
        }
    }
    assert!(!read.is_empty());
    let pong = call("MESSAGE", json!({ "body": json!({ "ping": 1 }).to_string() })).await;
    let pong: Value = serde_json::from_str(&pong.body.unwrap()).unwrap();
    let lists = pong["lists"].as_array().unwrap().iter();
    let lists: BTreeSet<_> = lists.map(|list| list["list"].as_str().unwrap().to_owned()).collect();
    assert!(lists.is_superset(&read), "what it was told to read it reads");
    assert_eq!(world.rows().len(), lists.len() + 1);
    call("DISCONNECT", json!({})).await;
    assert!(world.rows().is_empty());
}

#[tokio::test]
async fn readers_of_several_runs_are_told_once_each() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    let mut sockets = sockets(&world, 230).await;
    let ask = json!({ "subscribe": [mint] });
    // In groups, because on a slow machine the last of all sockets would otherwise wait longer than the test
    // allows.
    for some in sockets.chunks_mut(20) {
        let answers = join_all(some.iter_mut().map(|socket| socket.ask(&ask))).await;
        assert!(answers.iter().all(|answer| matches!(answer, Ok(Some(_)))), "{answers:?}");
    }
    world.tell_of(&list, 1).await;
    world.stack.tell_sockets().await;
    let told = join_all(sockets.iter_mut().map(SocketClient::next)).await;
    for message in told {
        assert_eq!(numbers(&message.unwrap().unwrap()), [2]);
    }
    assert!(join_all(sockets.iter_mut().map(SocketClient::is_quiet)).await.into_iter().all(|q| q));
}

/// Sockets that read one mint, which has an event that has not been pushed to them yet.
async fn readers_of_an_event(world: &World, count: u16) -> Vec<SocketClient> {
    let (mint, list) = world.mint().await;
    let mut sockets = sockets(world, count).await;
    for socket in &mut sockets {
        subscribe(socket, &[&mint]).await;
    }
    world.tell_of(&list, 1).await;
    sockets
}

/// Requests to the API share the account's rate with pushes.
#[tokio::test]
async fn a_run_tells_readers_at_its_pace() {
    let stack = LocalStack::builder().setting("SOCKET_PUSHES_PER_SECOND", "10");
    let world = World::of(stack.build().await).await;
    let mut sockets = readers_of_an_event(&world, 11).await;
    let begun = Instant::now();
    world.stack.tell_sockets().await;
    assert!(begun.elapsed() >= Duration::from_secs(1), "eleven turns have ten gaps");
    for socket in &mut sockets {
        assert_eq!(numbers(&next(socket).await), [2]);
    }
}

#[tokio::test]
async fn a_reader_that_the_gateway_refuses_for_its_rate_is_told_a_moment_later() {
    let world = World::start().await;
    let mut sockets = readers_of_an_event(&world, 8).await;
    world.stack.sockets().refuse(1);
    world.stack.tell_sockets().await;
    for socket in &mut sockets {
        assert_eq!(numbers(&next(socket).await), [2]);
    }
}

#[tokio::test]
async fn a_reader_that_never_reads_holds_no_other_up() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    let (mut stuck, mut reader) = (world.socket().await, world.socket().await);
    subscribe(&mut stuck, &[&mint]).await;
    subscribe(&mut reader, &[&mint]).await;
    let mut newest = 1;
    for _ in 0..1_000 {
        world.tell_of(&list, 100).await;
        world.stack.tell_sockets().await;
        assert_eq!(numbers(&next(&mut reader).await).len(), 100);
        newest += 100;
        if world.stack.sockets().open() == 1 {
            break;
        }
    }
    assert_eq!(world.stack.sockets().open(), 1, "{newest} events fit into the buffers");
    world.wait_for_rows(2).await;
    let pong = reader.ask(&json!({ "ping": 1 })).await.unwrap().unwrap();
    assert_eq!(pong["lists"][0]["newest"], newest);
}
