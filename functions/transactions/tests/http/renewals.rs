//! Reminders that coins should be renewed: `coins.renewalAdvised`, `coins.renewalNeeded`, and their mails.

use std::time::Duration;

use aws_smithy_types::body::SdkBody;
use base::outbound::{Https, Sending, Wire};
use local::{client::events_of, mood::Mood, patience::patient_over};
use shared::models::{account::Account, email::EmailAddress, watch::Watch};
use store::Update;

use super::*;

const ADVISED_AFTER: u32 = 12_960 - 4_032;
const NEEDED_AFTER: u32 = 12_960 - 1_152;

impl World {
    /// Mines blocks up to `height` that the worker skips: without its tip, it starts at the newest block.
    async fn skip_to(&self, height: u32) {
        let chain = self.stack.bitcoin();
        let mut left = height - chain.height().await.unwrap();
        while left > 0 {
            let some = left.min(1_000);
            chain.rpc("generatetoaddress", json!([some, somewhere()])).await.unwrap();
            left -= some;
        }
        // Indexes all blocks now, without the time limit of the service's requests.
        let anywhere = somewhere().parse::<Address<_>>().unwrap().assume_checked();
        chain.coins(&anywhere).await.unwrap();
        self.stack.app().store.delete(&keys::chain_tip()).await.unwrap();
    }

    async fn days(&self, days: u64) {
        self.stack.clock().advance(Duration::from_secs(days * 24 * 60 * 60));
        self.stack.tick("chain-watcher").await.unwrap();
        self.stack.deliver_mail().await;
    }

    /// The account's events about its coins, without other events.
    async fn reminded(&self, user: &User) -> Vec<String> {
        let session = sign_in(&self.client, &user.wallet).await;
        let token = Some(session.access_token.as_str());
        let told = events_of(&self.client, "/api/events", token).await;
        let of_coins = told.iter().filter(|[kind, ..]| kind.starts_with("coins."));
        of_coins.map(|[kind, id, states]| format!("{kind} {id} {states}")).collect()
    }

    async fn with_mailbox(&self, user: &User, address: &str, verified: bool) {
        let email: EmailAddress = address.parse().unwrap();
        let update =
            Update::new().set(Account::EMAIL, Some(email)).set(Account::EMAIL_VERIFIED, verified);
        self.stack.change_account(&user.session.account, update).await;
    }

    async fn reminders(&self, address: &str) -> Vec<String> {
        let mails = self.stack.mailbox(address).await;
        let reminders = mails.into_iter().filter(|mail| mail.subject.starts_with("Renew coins"));
        reminders.map(|mail| mail.text).collect()
    }
}

/// A network that loses every DynamoDB transaction, as if the worker died before its write.
#[derive(Clone, Debug)]
struct Dying;

impl Wire for Dying {
    fn send(&self, request: http::Request<SdkBody>) -> Sending {
        let target = request.headers().get("x-amz-target").and_then(|name| name.to_str().ok());
        if target.is_some_and(|target| target.ends_with("TransactWriteItems")) {
            return Box::pin(async { Err("no answer".into()) });
        }
        Https::new().send(request)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_are_reminded_once_at_both_heights_unless_the_coins_are_spent() {
    let world = world().await;
    world.watch_after(1).await;
    let users = [1, 2, 3, 4].map(|seed| world.user(seed));
    let [alice, bob, carol, dave] =
        futures_util::future::join_all(users).await.try_into().ok().unwrap();
    let chain = world.stack.bitcoin();
    for (user, sats) in [(&alice, 40_000), (&alice, 30_000), (&bob, 50_000), (&carol, 330)] {
        chain.fund(&user.trading, sats).await.unwrap();
    }
    world.mine(1).await;
    world.watch_after(1).await;
    let height = chain.height().await.unwrap();
    let max = json!({ "amount": "max", "tokenId": "0:0", "withdrawTo": somewhere() });
    let created = world.withdraw(&bob, &max).await.expect(201);
    world.sent(&bob, &created).await;
    world.mine(1).await;
    world.watch_after(1).await;
    let waiting = async || world.stack.app().store.waiting(Watch::Renewal, 10).await.unwrap().len();
    assert_eq!(waiting().await, 3, "an account without coins has no row");
    world.with_mailbox(&alice, "alice@example.com", true).await;
    world.with_mailbox(&carol, "carol@example.com", false).await;
    // ord is not needed here and would index every block.
    chain.let_ord_lag(true).await.unwrap();

    world.skip_to(height + ADVISED_AFTER - 1).await;
    for days in [56, 1] {
        world.days(days).await;
    }
    for user in [&alice, &bob, &carol, &dave] {
        assert!(world.reminded(user).await.is_empty(), "one block early");
    }
    world.skip_to(height + ADVISED_AFTER).await;
    // The worker repeats a request that Esplora did not answer.
    chain.set_esplora_mood(Mood { down: true, ..Mood::default() });
    world.stack.clock().advance(Duration::from_secs(15 * 60));
    let _ = world.stack.tick("chain-watcher").await;
    assert!(world.reminded(&alice).await.is_empty());
    chain.set_esplora_mood(Mood::default());
    for _run in 0..3 {
        world.days(1).await;
    }
    let advised = vec![format!("coins.renewalAdvised {height} null>advised")];
    assert_eq!(world.reminded(&alice).await, advised);
    assert_eq!(world.reminded(&carol).await, advised);
    assert!(world.reminded(&bob).await.is_empty(), "its coin is spent");
    let mails = world.reminders("alice@example.com").await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].contains("2 coins of your trading wallet (70000 sats)"), "{mails:?}");
    assert!(world.reminders("carol@example.com").await.is_empty(), "the address is not verified");
    assert_eq!(waiting().await, 2);

    world.skip_to(height + NEEDED_AFTER).await;
    // The worker dies between the mail and its write.
    world.stack.clock().advance(Duration::from_secs(20 * 24 * 60 * 60));
    let app = world.stack.app().through(patient_over(Dying));
    let _ = chain_watcher::run(app.chain_watcher.clone()).await;
    assert_eq!(world.reminded(&alice).await, advised);
    world.watch_after(16 * 60).await;
    world.days(2).await;
    let needed = format!("coins.renewalNeeded {height} advised>needed");
    let both = [advised, vec![needed]].concat();
    assert_eq!(world.reminded(&alice).await, both);
    assert_eq!(world.reminded(&carol).await, both);
    assert_eq!(world.reminders("alice@example.com").await.len(), 2, "one more");
    assert_eq!(waiting().await, 0, "no reminder is left");
}

#[tokio::test(flavor = "multi_thread")]
async fn change_and_renewals_are_reminded_of_and_dust_adds_no_row() {
    let world = world().await;
    world.watch_after(1).await;
    let user = world.user(1).await;
    let chain = world.stack.bitcoin();
    let waiting = async || world.stack.app().store.waiting(Watch::Renewal, 10).await.unwrap().len();
    for _block in 0..3 {
        chain.scatter(&user.trading, 330, 30).await.unwrap();
        world.watch_after(1).await;
    }
    assert_eq!(waiting().await, 1);
    // A block that holds only the account's own change still rewrites the row.
    chain.fund(&user.trading, 50_000).await.unwrap();
    world.mine(1).await;
    world.watch_after(1).await;
    let created = world.created(&user, 20_000).await;
    world.sent(&user, &created).await;
    let version = || row_of_renewals(&json!(world.stack.contents())).unwrap();
    let before = version();
    world.mine(1).await;
    world.watch_after(1).await;
    assert_eq!((version(), waiting().await), (before + 1, 1));
}

/// The version of the only row with reminders.
fn row_of_renewals(contents: &Value) -> Option<u32> {
    match contents {
        Value::Object(row) if row.get("entity") == Some(&json!({ "S": "renewals" })) => {
            row["version"]["N"].as_str()?.parse().ok()
        }
        Value::Object(fields) => fields.values().find_map(row_of_renewals),
        Value::Array(items) => items.iter().find_map(row_of_renewals),
        _ => None,
    }
}
