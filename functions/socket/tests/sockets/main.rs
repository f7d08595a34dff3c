//! Tests of sockets through clients of the local gateway: who may open one, what its client receives, and how
//! it ends.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod binaries;
mod crowds;
mod ends;
mod messages;
mod numbers;
mod tickets;

use base::random::{Random, SystemSource};
use chain::{keys::mint_events, models::mint::MintId};
use local::{
    LocalStack, SocketClient,
    client::Client,
    patience::wait_until,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};
use shared::{
    events::EventWrites,
    keys::EventList,
    models::event::{EventType, StateChange},
};
use store::Writes;

/// A world with a signed-in user.
struct World {
    stack: LocalStack,
    client: Client,
    user: SignedIn,
}

impl World {
    async fn start() -> Self {
        Self::of(LocalStack::start().await).await
    }

    async fn of(stack: LocalStack) -> Self {
        let client = stack.serve((auth::routes(), account::routes())).await;
        let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
        Self { stack, client, user }
    }

    fn url(&self) -> &str {
        &self.stack.settings()["SOCKET_URL"]
    }

    async fn ticket_of(&self, user: &SignedIn) -> String {
        let drawn = self.client.post("/api/events/ticket").bearer(&user.access_token);
        drawn.send().await.expect(200).data()["ticket"].as_str().unwrap().to_owned()
    }

    /// Opens a socket with a ticket of the user.
    async fn own_socket(&self) -> SocketClient {
        let ticket = self.ticket_of(&self.user).await;
        SocketClient::open(self.url(), Some(&ticket)).await.unwrap()
    }

    /// Opens a socket without a ticket.
    async fn socket(&self) -> SocketClient {
        SocketClient::open(self.url(), None).await.unwrap()
    }

    fn account(&self) -> EventList {
        EventList::of_account(self.user.account.parse().unwrap())
    }

    /// Appends an event to the user's list.
    async fn tell(&self) {
        self.tell_of(&self.account(), 1).await;
    }

    /// Appends `events` events to a list, in one commit.
    async fn tell_of(&self, list: &EventList, events: usize) {
        let kind = if list.account().is_some() { EventType::Refund } else { EventType::VmBlock };
        let change = || StateChange::of_state(kind, "ab".repeat(32), Some("unsigned"), "signed");
        let tell = |writes: Writes<()>, _| writes.tell(list.clone(), change());
        let writes = (0..events).fold(Writes::new(), tell);
        self.stack.app().store.commit(writes).await.unwrap();
    }

    /// A mint with events: the channel that clients name, and its list.
    async fn mint(&self) -> (String, EventList) {
        let random: &dyn Random = &SystemSource;
        let id = MintId(random.id(self.client.now()));
        let list = mint_events(id);
        self.tell_of(&list, 1).await;
        (format!("mint:{id}"), list)
    }

    /// All rows.
    fn all_rows(&self) -> Vec<Value> {
        let tables = self.stack.contents();
        tables.iter().flat_map(|table| table["Items"].as_array().unwrap().clone()).collect()
    }

    /// The rows of sockets and readers.
    fn rows(&self) -> Vec<Value> {
        let of_sockets = |row: &Value| {
            let pk = row["pk"]["S"].as_str().unwrap();
            pk.starts_with("socket#") || pk.starts_with("readers#")
        };
        self.all_rows().into_iter().filter(of_sockets).collect()
    }

    /// Waits until there are `count` rows: the gateway reports the end of a connection a moment later.
    async fn wait_for_rows(&self, count: usize) {
        let what = format!("{count} rows");
        wait_until(what, async || self.rows().len() == count).await;
    }
}

/// Subscribes to lists; returns the answer.
async fn subscribe(socket: &mut SocketClient, lists: &[&str]) -> Value {
    socket.ask(&json!({ "subscribe": lists })).await.unwrap().unwrap()
}

/// The next message.
async fn next(socket: &mut SocketClient) -> Value {
    socket.next().await.unwrap().expect("an open socket")
}

/// The numbers of the events of a message.
fn numbers(message: &Value) -> Vec<u64> {
    let lists = message["lists"].as_array().unwrap_or_else(|| panic!("{message}"));
    let events = lists.iter().flat_map(|list| list["events"].as_array().into_iter().flatten());
    events.map(|event| event["sequence"].as_u64().unwrap()).collect()
}
