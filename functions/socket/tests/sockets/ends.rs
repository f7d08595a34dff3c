//! How sockets end, and what happens to their rows.

use std::time::Duration;

use local::{
    LocalStack, SocketClient, Wallet, patience::skip, sockets::SocketLimits, wallets::sign_in,
};
use ops::accounts::{Order, obey};
use outbox::{sockets::Reader, webhooks::LaneCursor};
use serde_json::json;
use shared::{keys, models::account::Account};
use store::Update;

use crate::{World, next, numbers, subscribe};

#[tokio::test]
async fn rows_of_a_client_that_goes_are_deleted() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    let mut socket = world.own_socket().await;
    subscribe(&mut socket, &["account", &mint]).await;
    assert_eq!(world.rows().len(), 3);
    drop(socket);
    world.wait_for_rows(0).await;

    // A reader whose connection ended without a report of the gateway.
    let (place, expires_at) = ("gone+/=".to_owned(), world.client.now().0 / 1_000 + 600);
    let reader = Reader { socket: place.clone(), place, session_id: None, expires_at };
    let key = keys::reader(&list, &reader.place);
    world.stack.app().store.put(&key, &reader).await.unwrap();
    let mut socket = world.socket().await;
    subscribe(&mut socket, &[&mint]).await;
    assert_eq!(world.rows().len(), 3);
    world.tell_of(&list, 1).await;
    world.stack.tell_sockets().await;
    assert_eq!(numbers(&next(&mut socket).await), [2]);
    assert_eq!(world.rows().len(), 2);
}

/// Custody rule 32: a malformed row of one reader hides no other reader.
#[tokio::test]
async fn custody_32_a_malformed_row_of_a_reader_hides_no_other_reader() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    let mut socket = world.socket().await;
    subscribe(&mut socket, &[&mint]).await;
    let malformed = LaneCursor::after(0, world.client.now());
    world.stack.app().store.put(&keys::reader(&list, "!"), &malformed).await.unwrap();
    world.tell_of(&list, 1).await;
    world.stack.tell_sockets().await;
    assert_eq!(numbers(&next(&mut socket).await), [2]);
}

#[tokio::test]
async fn a_socket_ends_with_its_session() {
    let world = World::start().await;
    let mut ended = world.own_socket().await;
    subscribe(&mut ended, &["account"]).await;
    let user = sign_in(&world.client, &Wallet::p2wpkh(1)).await;
    let ticket = world.ticket_of(&user).await;
    let mut other = SocketClient::open(world.url(), Some(&ticket)).await.unwrap();
    subscribe(&mut other, &["account"]).await;
    let logout = world.client.post("/auth/logout").bearer(&world.user.access_token);
    logout.send().await.expect(200);
    world.stack.tell_sockets().await;
    assert_eq!(ended.next().await.unwrap(), None, "it is told of nothing, and closed");
    let told = next(&mut other).await;
    assert_eq!(told["lists"][0]["events"][0]["type"], "session.ended", "{told}");
    world.wait_for_rows(2).await;

    // A change of credentials ends the other sessions without an event.
    let raised = Update::new().add(Account::EPOCH, 1);
    world.stack.change_account(&world.user.account, raised).await;
    world.tell().await;
    world.stack.tell_sockets().await;
    assert_eq!(other.next().await.unwrap(), None);
    world.wait_for_rows(0).await;
}

#[tokio::test]
async fn a_disabled_account_is_told_nothing_and_its_sockets_end_at_a_ping() {
    let world = World::start().await;
    let (mut pushed, mut pinged) = (world.own_socket().await, world.own_socket().await);
    subscribe(&mut pushed, &["account"]).await;
    subscribe(&mut pinged, &["account"]).await;
    let app = world.stack.app();
    obey(&app.store, app.config.network, &world.user.account, Order::Disable).await.unwrap();
    assert_eq!(pinged.ask(&json!({ "ping": 1 })).await.unwrap(), None);
    world.tell().await;
    world.stack.tell_sockets().await;
    assert_eq!(pushed.next().await.unwrap(), None);
    world.wait_for_rows(0).await;
}

#[tokio::test]
async fn a_socket_whose_session_has_ended_reads_no_account() {
    let world = World::start().await;
    let mut socket = world.own_socket().await;
    let logout = world.client.post("/auth/logout").bearer(&world.user.access_token);
    logout.send().await.expect(200);
    assert_eq!(socket.ask(&json!({ "subscribe": ["account"] })).await.unwrap(), None);
}

#[tokio::test]
async fn the_gateway_ends_sockets_that_are_idle_or_old() {
    let minutes = Duration::from_mins;
    let limits = SocketLimits { idle: minutes(10), lifetime: minutes(120) };
    let world = World::of(LocalStack::builder().socket_limits(limits).build().await).await;
    let (mut idle, mut busy) = (world.socket().await, world.socket().await);
    // Both are ready before the clock moves on.
    for socket in [&mut idle, &mut busy] {
        assert!(socket.is_quiet().await);
    }
    for _nine_minutes in 0..13 {
        skip(minutes(9)).await;
        let pong = busy.ask(&json!({ "ping": 1 })).await.unwrap().unwrap();
        assert_eq!(pong["pong"], 1);
    }
    assert_eq!(idle.next().await.unwrap(), None);
    skip(minutes(9)).await;
    assert_eq!(busy.ask(&json!({ "ping": 1 })).await.unwrap(), None);
    world.wait_for_rows(0).await;
}
