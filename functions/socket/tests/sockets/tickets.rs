//! Who may open a socket.

use std::{net::Ipv4Addr, time::Duration};

use futures_util::future::join_all;
use local::{SocketClient, Wallet, socket_client::OpenError, wallets::sign_in};
use serde_json::json;
use shared::problem::Problem;

use crate::{World, next, subscribe};

fn refused(opened: Result<SocketClient, OpenError>) -> u16 {
    match opened {
        Err(OpenError::Refused(status)) => status,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_ticket_opens_one_socket_within_a_minute() {
    let world = World::start().await;
    world.stack.clock().stop();
    let drawn = world.client.post("/api/events/ticket").bearer(&world.user.access_token);
    let drawn = drawn.send().await.expect(200);
    let ticket = drawn.data()["ticket"].as_str().unwrap();
    assert_eq!(drawn.data()["url"], world.url());
    let left = drawn.data()["expiresAt"].as_i64().unwrap() - world.client.now().0;
    assert!((58_000..=61_000).contains(&left), "{left}");
    // The stored hash opens nothing.
    assert!(!world.stack.contents().iter().any(|row| row.to_string().contains(ticket)));

    let opened = join_all((0..20).map(|_| SocketClient::open(world.url(), Some(ticket)))).await;
    let (opened, others): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
    assert_eq!(opened.len(), 1);
    for other in others {
        assert_eq!(refused(other), 401);
    }

    let late = world.ticket_of(&world.user).await;
    world.stack.clock().advance(Duration::from_secs(62));
    assert_eq!(refused(SocketClient::open(world.url(), Some(&late)).await), 401);
    let other = "0".repeat(64);
    for unknown in ["", "x", &other] {
        assert_eq!(refused(SocketClient::open(world.url(), Some(unknown)).await), 401);
    }
    world.client.post("/api/events/ticket").send().await.expect_error(Problem::NoAuthorization);
}

#[tokio::test]
async fn a_ticket_of_a_session_that_has_ended_opens_nothing() {
    let world = World::start().await;
    let ticket = world.ticket_of(&world.user).await;
    let logout = world.client.post("/auth/logout").bearer(&world.user.access_token);
    logout.send().await.expect(200);
    assert_eq!(refused(SocketClient::open(world.url(), Some(&ticket)).await), 401);
    assert!(world.rows().is_empty());
}

#[tokio::test]
async fn strangers_and_accounts_open_so_many_and_no_more() {
    let world = World::start().await;
    let source = Ipv4Addr::new(127, 0, 0, 7);
    let open = || SocketClient::open_from(source, world.url(), None);
    let opened = join_all((0..130).map(|_| open())).await;
    let (opened, others): (Vec<_>, Vec<_>) = opened.into_iter().partition(Result::is_ok);
    assert_eq!(opened.len(), 120);
    for other in others {
        assert_eq!(refused(other), 429);
    }
    // The limit does not affect another source.
    let mut socket = world.socket().await;
    assert_eq!(socket.ask(&json!({ "ping": 1 })).await.unwrap().unwrap()["pong"], 1);

    for _ in 0..60 {
        world.ticket_of(&world.user).await;
    }
    let drawn = world.client.post("/api/events/ticket").bearer(&world.user.access_token);
    drawn.send().await.expect_error(Problem::RateLimited);
}

#[tokio::test]
async fn nobody_but_its_owner_is_told_of_an_account() {
    let world = World::start().await;
    let mut stranger = world.socket().await;
    let refused = subscribe(&mut stranger, &["account"]).await;
    assert_eq!(refused["error"]["code"], "4004", "{refused}");
    for other in
        [format!("account:{}", world.user.account), format!("account#{}", world.user.account)]
    {
        assert_eq!(subscribe(&mut stranger, &[&other]).await["error"]["code"], "1001");
    }
    let mut own = world.own_socket().await;
    subscribe(&mut own, &["account"]).await;
    let other =
        sign_in(&world.client.calling_from(Ipv4Addr::new(127, 0, 0, 9)), &Wallet::p2wpkh(2)).await;
    let ticket = world.ticket_of(&other).await;
    let mut other = SocketClient::open(world.url(), Some(&ticket)).await.unwrap();
    subscribe(&mut other, &["account"]).await;
    let (mint, list) = world.mint().await;
    for socket in [&mut stranger, &mut own, &mut other] {
        subscribe(socket, &[&mint]).await;
    }
    world.tell().await;
    world.stack.tell_sockets().await;
    let told = next(&mut own).await;
    assert_eq!(told["lists"][0]["list"], "account", "{told}");
    assert!(stranger.is_quiet().await && other.is_quiet().await);
    world.tell_of(&list, 1).await;
    world.stack.tell_sockets().await;
    for socket in [&mut stranger, &mut own, &mut other] {
        let told = next(socket).await;
        assert_eq!(told["lists"][0]["list"], mint);
        let account = &world.user.account;
        assert!(!told.to_string().contains(account), "no account is named: {told}");
        assert!(socket.is_quiet().await);
    }
}
