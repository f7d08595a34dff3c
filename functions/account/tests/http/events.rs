//! `GET /api/events`.

use std::time::Duration;

use local::{
    client::{Answer, Client, twenty_at_once},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{
    events::EventWrites,
    keys::EventList,
    models::event::{EventType, StateChange},
    problem::Problem,
};
use store::Writes;

use crate::{refresh, refreshed, world};

async fn events(client: &Client, user: &SignedIn, query: &str) -> Answer {
    client.get(format!("/api/events?{query}")).bearer(&user.access_token).send().await
}

fn numbers(answer: &Answer) -> Vec<u64> {
    let rows = answer.data().as_array().unwrap();
    rows.iter().map(|row| row["sequence"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn ended_sessions_are_told_to_their_account_alone() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let other = sign_in(&client, &Wallet::p2wpkh(2)).await;
    let none = events(&client, &user, "").await.expect(200);
    let meta = json!({ "next": 0, "newest": 0, "oldest": 1, "pollAfterMs": 5_000 });
    assert_eq!((none.data(), none.notes()), (&json!([]), meta));
    events(&client, &user, "after=0").await.expect(200);
    events(&client, &user, "after=1").await.expect_error(Problem::Validation);

    let sid = async |session: &SignedIn| {
        let sessions = client.get("/auth/sessions").bearer(&session.access_token).send().await;
        let sessions = sessions.expect(200).data().as_array().unwrap().clone();
        let current = sessions.into_iter().find(|session| session["current"] == true);
        current.unwrap()["id"].as_str().unwrap().to_owned()
    };
    let [logged_out, revoked, stolen] = [
        sign_in(&client, &wallet).await,
        sign_in(&client, &wallet).await,
        sign_in(&client, &wallet).await,
    ];
    let ids = [sid(&logged_out).await, sid(&revoked).await, sid(&stolen).await];
    for _ in 0..2 {
        client.post("/auth/logout").bearer(&logged_out.access_token).send().await.expect(200);
    }
    let path = format!("/auth/sessions/{}", ids[1]);
    client.delete(&path).bearer(&user.access_token).send().await.expect(200);
    client
        .delete(&path)
        .bearer(&user.access_token)
        .send()
        .await
        .expect_error(Problem::SessionNotFound);
    let next = refreshed(&client, &stolen).await;
    refreshed(&client, &next).await;
    for _ in 0..2 {
        refresh(&client, &stolen).await.expect_error(Problem::InvalidRefreshToken);
    }

    let told = events(&client, &user, "after=0").await.expect(200);
    let ends = ["loggedOut", "revoked", "refreshTokenReused"];
    for (n, (row, (id, end))) in
        told.data().as_array().unwrap().iter().zip(ids.iter().zip(ends)).enumerate()
    {
        let event = json!({
            "id": format!("account-{}-{}", user.account, n + 1),
            "sequence": n + 1,
            "type": "session.ended",
            "timestamp": row["timestamp"],
            "data": { "sessionId": id, "before": "open", "after": end },
        });
        assert_eq!(row, &event);
        assert!(row["timestamp"].as_i64().unwrap() > 1_700_000_000_000);
    }
    let meta = json!({ "next": 3, "newest": 3, "oldest": 1, "pollAfterMs": 5_000 });
    assert_eq!((numbers(&told), told.notes()), (vec![1, 2, 3], meta));
    let theirs = events(&client, &other, "").await.expect(200);
    assert_eq!(theirs.data(), &json!([]), "another account's events");
    client.get("/api/events").send().await.expect_error(Problem::NoAuthorization);
}

/// Twenty sessions end concurrently: their events have twenty numbers without a gap, and each session one
/// event.
#[tokio::test(flavor = "multi_thread")]
async fn twenty_events_at_once_have_twenty_numbers() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let mut sessions = Vec::new();
    for _ in 0..20 {
        sessions.push(sign_in(&client, &wallet).await);
    }
    twenty_at_once(|n| {
        let (client, sessions) = (client.clone(), sessions.clone());
        async move {
            let token = &sessions[usize::try_from(n).unwrap() % 20].access_token;
            client.post("/auth/logout").bearer(token).send().await.expect(200)
        }
    })
    .await;
    let told = events(&client, &user, "").await.expect(200);
    assert_eq!(numbers(&told), (1..=20).collect::<Vec<_>>());
    let rows = told.data().as_array().unwrap().iter();
    let mut ids: Vec<_> = rows.map(|row| row["data"]["sessionId"].to_string()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
}

#[tokio::test]
async fn events_are_paged_filtered_and_kept_for_ninety_days() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let list = EventList::of_account(user.account.parse().unwrap());
    let tell = async |n: u64, kind| {
        let change = StateChange::of_state(kind, n, Some("before"), "after");
        stack.app().store.commit(Writes::<()>::new().tell(list.clone(), change)).await.unwrap();
    };
    for n in 1..=150 {
        tell(n, if n % 50 == 0 { EventType::ExportFailed } else { EventType::Refund }).await;
    }
    let meta = |answer: &Answer, field: &str| answer.body["metaData"][field].clone();
    let first = events(&client, &user, "").await.expect(200);
    assert_eq!(numbers(&first), (1..=100).collect::<Vec<_>>());
    assert_eq!((meta(&first, "next"), meta(&first, "pollAfterMs")), (json!(100), json!(0)));
    let rest = events(&client, &user, "after=100").await.expect(200);
    assert_eq!(numbers(&rest), (101..=150).collect::<Vec<_>>());
    assert_eq!((meta(&rest, "next"), meta(&rest, "pollAfterMs")), (json!(150), json!(5_000)));
    let few = events(&client, &user, "after=7&limit=3&types=").await.expect(200);
    assert_eq!((numbers(&few), meta(&few, "next")), (vec![8, 9, 10], json!(10)));
    let failed =
        events(&client, &user, "after=0&types=export.failed,session.ended").await.expect(200);
    assert_eq!((numbers(&failed), meta(&failed, "next")), (vec![50, 100, 150], json!(150)));
    assert_eq!(
        failed.data()[0]["data"],
        json!({ "exportId": "50", "before": "before", "after": "after" })
    );
    let one = events(&client, &user, "after=50&limit=1&types=export.failed").await.expect(200);
    assert_eq!((numbers(&one), meta(&one, "next")), (vec![100], json!(100)));
    let none = events(&client, &user, "types=session.ended").await.expect(200);
    assert_eq!((none.data(), meta(&none, "next")), (&json!([]), json!(150)));

    for (query, field) in [
        ("after=-1", "after"),
        ("after=1.5", "after"),
        ("after=151", "after"),
        ("after=99999999999999999999", "after"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("types=export.lost", "types"),
        ("types=refund.stateChanged,x", "types"),
    ] {
        let refused = events(&client, &user, query).await.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], field, "{query}");
    }

    stack.clock().advance(Duration::from_secs(91 * 24 * 60 * 60));
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let gone = events(&client, &user, "after=0").await.expect_error(Problem::EventsTooOld);
    assert!(gone.text.contains("The oldest one is 151"), "{gone}");
    let empty = events(&client, &user, "").await.expect(200);
    let kept = json!({ "next": 150, "newest": 150, "oldest": 151, "pollAfterMs": 5_000 });
    assert_eq!((empty.data(), empty.notes()), (&json!([]), kept));
    tell(151, EventType::Refund).await;
    let last = events(&client, &user, "after=150").await.expect(200);
    assert_eq!((numbers(&last), meta(&last, "oldest")), (vec![151], json!(151)));
    let data: &Value = &last.data()[0]["data"];
    assert_eq!(data, &json!({ "txId": "151", "before": "before", "after": "after" }));
}
