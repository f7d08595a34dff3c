//! Numbers without gaps: each event that a reader missed is in the answer, pushed, or announced for reading
//! over HTTP.

use std::{collections::BTreeSet, time::Duration};

use serde_json::json;
use shared::{events, keys::EventList};

use crate::{World, next, numbers, subscribe};

#[tokio::test]
async fn a_reader_goes_on_where_it_was() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    world.tell_of(&list, 29).await;
    let mut socket = world.socket().await;
    let from = |after: u64| json!({ "subscribe": [mint], "after": after });
    for (after, events, resync) in [
        (0, (1..=30).collect::<Vec<_>>(), None),
        (12, (13..=30).collect(), None),
        (30, vec![], None),
        // The list was restored from an earlier state, so the client is ahead of it.
        (31, vec![], Some(30)),
    ] {
        let answer = socket.ask(&from(after)).await.unwrap().unwrap();
        assert_eq!(numbers(&answer), events, "{after}");
        let of_list = &answer["lists"][0];
        assert_eq!((&of_list["newest"], of_list["resync"].as_u64()), (&json!(30), resync));
    }
    let each = json!({ "subscribe": [mint], "after": { &mint: 28 } });
    assert_eq!(numbers(&socket.ask(&each).await.unwrap().unwrap()), [29, 30]);
}

#[tokio::test]
async fn who_has_missed_too_much_reads_the_list() {
    let world = World::start().await;
    let ((one, list), (other, other_list)) = (world.mint().await, world.mint().await);
    for _ in 0..2 {
        world.tell_of(&list, 90).await;
        world.tell_of(&other_list, 90).await;
    }
    let mut socket = world.socket().await;
    let ask = json!({ "subscribe": [one, other], "after": { &one: 100, &other: 0 } });
    let answer = socket.ask(&ask).await.unwrap().unwrap();
    let of = |name: &str| {
        let lists = answer["lists"].as_array().unwrap();
        lists.iter().find(|list| list["list"] == *name).unwrap().clone()
    };
    let (of_one, of_other) = (of(&one), of(&other));
    let counts = [&of_one, &of_other].map(|list| list["events"].as_array().map_or(0, Vec::len));
    assert_eq!(counts.iter().sum::<usize>(), 100, "{counts:?}");
    // The first list of the message gets as many events as fit; the other gets the rest.
    for (list, after) in [(&of_one, 100), (&of_other, 0)] {
        let shown = list["events"].as_array().map_or(0, Vec::len) as u64;
        assert_eq!(list["newest"], 181);
        let rest = (after + shown < 181).then_some(after + shown);
        assert_eq!(list["resync"].as_u64(), rest, "{list}");
    }
    // A push of too many events says where to continue as well.
    world.tell_of(&list, 130).await;
    world.stack.tell_sockets().await;
    let told = next(&mut socket).await;
    assert_eq!(numbers(&told), (182..=281).collect::<Vec<_>>());
    assert_eq!(told["lists"][0]["newest"], 311);
    assert_eq!(told["lists"][0]["resync"], 281);

    // Events that have expired.
    world.stack.clock().advance(Duration::from_secs(91 * 24 * 60 * 60));
    world.tell_of(&list, 1).await;
    let mut late = world.socket().await;
    let answer = late.ask(&json!({ "subscribe": [one], "after": 3 })).await.unwrap().unwrap();
    assert_eq!(answer["lists"], json!([{ "list": one, "newest": 312, "resync": 311 }]));
}

/// Whatever happens between the two, the answer and the pushes together have every number.
#[tokio::test]
async fn nothing_is_lost_between_the_answer_and_the_pushes() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    for round in 0..6_u64 {
        let newest = events::head(&world.stack.app().store, &list).await.unwrap().newest;
        let mut socket = world.socket().await;
        let ask = json!({ "subscribe": [mint], "after": newest });
        let writing = async {
            for _ in 0..4 {
                world.tell_of(&list, 1).await;
            }
            world.stack.tell_sockets().await;
        };
        let (answer, ()) = tokio::join!(socket.ask(&ask), writing);
        world.stack.tell_sockets().await;
        let mut seen: BTreeSet<_> = numbers(&answer.unwrap().unwrap()).into_iter().collect();
        let all: BTreeSet<_> = (newest + 1..=newest + 4).collect();
        while seen != all {
            let told = numbers(&next(&mut socket).await);
            // The push that follows the first subscription after 30 s repeats events that the reader knows.
            let new: Vec<_> = told.into_iter().filter(|number| *number > newest).collect();
            assert!(new.iter().all(|number| all.contains(number)), "{round}: {new:?}");
            seen.extend(new);
        }
    }
}

/// Whether a list is in the queue of the worker.
fn is_watched(world: &World, list: &EventList) -> bool {
    let open = list.open();
    let row = world
        .all_rows()
        .into_iter()
        .find(|row| row["pk"]["S"] == open.pk() && row["sk"]["S"] == "open");
    !row.unwrap()["watch"].is_null()
}

#[tokio::test]
async fn a_list_without_readers_costs_nothing_and_a_new_one_is_looked_at_once_more() {
    let world = World::start().await;
    let (mint, list) = world.mint().await;
    world.tell_of(&list, 1).await;
    assert!(!is_watched(&world, &list));
    let waiting = async || {
        let queue = &world.stack.app().config.sockets.url;
        let asked = world.stack.sqs().get_queue_attributes().queue_url(queue);
        let asked = asked.attribute_names("ApproximateNumberOfMessagesDelayed".into());
        let attributes = asked.send().await.unwrap().attributes.unwrap();
        attributes.into_values().next().unwrap()
    };
    let mut socket = world.socket().await;
    subscribe(&mut socket, &[&mint]).await;
    // A commit may have read the list before it was marked as read, and end later.
    assert_eq!(waiting().await, "1");
    let mut other = world.socket().await;
    subscribe(&mut other, &[&mint]).await;
    assert_eq!(waiting().await, "1", "others find it so");
    world.tell_of(&list, 1).await;
    assert!(is_watched(&world, &list));
    world.stack.tell_sockets().await;
    assert!(!is_watched(&world, &list));
    assert_eq!(numbers(&next(&mut socket).await), [3]);
    // Long after the last subscription, commits no longer queue the list.
    world.stack.clock().advance(Duration::from_secs(200 * 60));
    world.tell_of(&list, 1).await;
    assert!(!is_watched(&world, &list));
}
