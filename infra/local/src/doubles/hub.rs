//! A stand-in for the hub that settles cross-chain swaps. Intents progress on the local clock until they are
//! filled. The hub can be slow, down, or wrong.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use base::clock::{Clock, Timestamp};
use bitcoin::Txid;
use chain::{
    keys,
    models::{
        amount::Units,
        xchain::{IntentHash, Swap, XchainData, XchainRecord, XchainStatus},
    },
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use store::{Store, StoreError};

use crate::{
    base::{
        failure::Result,
        mood::{Mood, SharedMood},
        server::Server,
    },
    users::wallets::Wallet,
};

/// The `n`-th swap of a wallet, from one token to another, for another recipient.
///
/// # Panics
/// The wallet is not on an EVM chain.
// For tests, which only need the panic's text.
#[allow(clippy::expect_used)]
pub fn swap(wallet: &Wallet, n: u64) -> Swap {
    Swap {
        intent_tx_hash: format!("0x11{n:062x}").parse().expect("a hash"),
        spoke_tx_hash: format!("0x22{n:062x}").parse().expect("a hash"),
        wallet_address: wallet.address().parse().expect("an address"),
        input_token: "0x00000000000000000000000000000000000000aa".parse().expect("a token"),
        output_token: "0x00000000000000000000000000000000000000bb".parse().expect("a token"),
        input_amount: Units(1_000_000),
        min_output_amount: Units(990_000),
        src_chain: 42_161,
        dst_chain: 8_453,
        src_address: wallet.address().parse().expect("an address"),
        dst_address: "0x00000000000000000000000000000000000000dd".parse().expect("an address"),
    }
}

/// How long an intent stays at each step.
pub const STEP: Duration = Duration::from_secs(10);

const PENDING: usize = 0;
const RELAYING: usize = 1;
/// The steps of an intent.
const STEPS: [XchainStatus; 5] = [
    XchainStatus::Pending,
    XchainStatus::Relaying,
    XchainStatus::Relayed,
    XchainStatus::Solving,
    XchainStatus::Filled,
];

/// The state of an intent according to the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HubStatus {
    /// Name of the state; the hub does not know `registered`.
    pub status: XchainStatus,
    /// Step at which the intent failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_at_step: Option<String>,
    /// Reason of the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// Transaction that filled the intent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill_tx_hash: Option<String>,
}

impl From<XchainStatus> for HubStatus {
    fn from(status: XchainStatus) -> Self {
        Self { status, failed_at_step: None, failure_reason: None, fill_tx_hash: None }
    }
}

/// Kinds of answers of the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The record of an intent.
    Record(IntentHash),
    /// The state of an intent.
    Status(IntentHash),
    /// The answer to a submitted withdrawal.
    Withdrawal(Txid),
}

/// A submitted withdrawal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// The Bitcoin transaction.
    pub tx_id: Txid,
    /// The data that the client sent about it.
    pub xchain_data: XchainData,
    /// Its intent, once it exists.
    pub intent: Option<IntentHash>,
}

/// An intent.
#[derive(Debug)]
struct Known {
    /// `None` for a withdrawal, whose data this stand-in does not parse.
    record: Option<Swap>,
    since: Timestamp,
    /// Index into [`STEPS`] of its first step.
    first: usize,
    pinned: Option<HubStatus>,
}

impl Known {
    fn since(since: Timestamp, first: usize) -> Self {
        Self { record: None, since, first, pinned: None }
    }

    fn status(&self, intent: IntentHash, now: Timestamp) -> HubStatus {
        if let Some(pinned) = &self.pinned {
            return pinned.clone();
        }
        let gone = u128::try_from(now.0.saturating_sub(self.since.0)).unwrap_or(0);
        let taken = usize::try_from(gone.div_euclid(STEP.as_millis())).unwrap_or(usize::MAX);
        let status = STEPS.get(self.first.saturating_add(taken)).copied();
        let status = status.unwrap_or(XchainStatus::Filled);
        let filled = status == XchainStatus::Filled;
        HubStatus { fill_tx_hash: filled.then(|| fill_of(intent)), ..status.into() }
    }
}

#[derive(Default)]
struct World {
    intents: BTreeMap<IntentHash, Known>,
    forgotten: BTreeSet<IntentHash>,
    withdrawals: Vec<Submitted>,
    lies: BTreeMap<About, Map<String, Value>>,
    calls: Vec<String>,
    disagrees: bool,
    slow_intents: bool,
}

struct Hub {
    clock: Arc<dyn Clock>,
    store: OnceLock<Store>,
    world: Mutex<World>,
}

impl Hub {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the registered record of an intent, unless the hub knows the intent and `known` holds for it.
    async fn learn(
        &self,
        intent: IntentHash,
        known: impl Fn(&Known) -> bool,
    ) -> Result<(), StoreError> {
        let needed = {
            let world = self.world();
            !world.disagrees
                && !world.forgotten.contains(&intent)
                && !world.intents.get(&intent).is_some_and(known)
        };
        let Some(store) = self.store.get().filter(|_| needed) else { return Ok(()) };
        let (low, high) = keys::xchain_swaps(intent);
        let rows: Vec<XchainRecord> = store.range((&low, &high), true, None).await?;
        let first = rows.iter().min_by_key(|row| row.created_at);
        if let Some((swap, since)) = first.and_then(|row| Some((row.swap()?, row.created_at))) {
            let mut world = self.world();
            let known = world.intents.entry(intent).or_insert_with(|| Known::since(since, PENDING));
            known.record.get_or_insert(swap);
        }
        Ok(())
    }
}

/// The stand-in. Clones share it.
#[derive(Clone)]
pub struct HubDouble {
    hub: Arc<Hub>,
    mood: SharedMood,
    server: Arc<Server>,
}

impl HubDouble {
    /// Starts a hub without intents on a free port.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start(clock: Arc<dyn Clock>) -> Result<Self> {
        let hub = Arc::new(Hub { clock, store: OnceLock::new(), world: Mutex::default() });
        let router = Router::new()
            .route("/withdrawals", post(withdraw))
            .route("/intents/{intent}", get(record))
            .route("/intents/{intent}/status", get(status))
            .with_state(hub.clone());
        let mood = SharedMood::default();
        // Outside the mood layer, so calls answered by a mood are counted too.
        let router =
            mood.over(router).layer(middleware::from_fn_with_state(hub.clone(), note_call));
        let server = Arc::new(Server::closing(router, &mood).await?);
        Ok(Self { hub, mood, server })
    }

    /// Base address.
    pub fn url(&self) -> &str {
        self.server.url()
    }

    /// Sets the mood.
    pub fn be(&self, mood: Mood) {
        self.mood.set(mood);
    }

    /// Makes the hub agree with the records in `store`: an unknown intent takes its first registered record,
    /// and progresses from then on. Only the first store counts.
    pub fn agree_with(&self, store: Store) {
        // A store is already set.
        let _ = self.hub.store.set(store);
    }

    /// Whether the hub agrees with registered records, as it does by default. Known intents stay.
    pub fn agree(&self, agrees: bool) {
        self.world().disagrees = !agrees;
    }

    /// Sets the record of its intent. An unknown intent progresses from now on.
    pub fn know(&self, record: Swap) {
        let (intent, now) = (record.intent_tx_hash, self.hub.clock.now());
        let mut world = self.world();
        world.forgotten.remove(&intent);
        let known = world.intents.entry(intent).or_insert_with(|| Known::since(now, PENDING));
        known.record = Some(record);
    }

    /// Fixes the state of an intent. An unknown intent has no record.
    pub fn set_status(&self, intent: IntentHash, status: impl Into<HubStatus>) {
        let now = self.hub.clock.now();
        let mut world = self.world();
        world.forgotten.remove(&intent);
        let known = world.intents.entry(intent).or_insert_with(|| Known::since(now, PENDING));
        known.pinned = Some(status.into());
    }

    /// Forgets an intent, registered or not, until a client registers it again.
    pub fn forget(&self, intent: IntentHash) {
        let mut world = self.world();
        world.intents.remove(&intent);
        world.forgotten.insert(intent);
    }

    /// Puts these fields into an answer, replacing or adding to its own; an empty object ends that.
    ///
    /// # Panics
    /// `fields` is not a JSON object.
    #[allow(clippy::panic)]
    pub fn lie(&self, about: About, fields: Value) {
        let Value::Object(fields) = fields else { panic!("not a JSON object: {fields}") };
        self.world().lies.insert(about, fields);
    }

    /// Whether submitted withdrawals have to wait for their intents. After it is set to false, the next
    /// submission creates the intent.
    pub fn slow_intents(&self, slow: bool) {
        self.world().slow_intents = slow;
    }

    /// Calls to the hub, such as `GET /intents/0x…/status`, oldest first. Includes calls answered by a mood,
    /// but not those that met a closed connection.
    pub fn calls(&self) -> Vec<String> {
        self.world().calls.clone()
    }

    /// Number of calls that contain this text.
    pub fn calls_with(&self, part: &str) -> usize {
        self.world().calls.iter().filter(|call| call.contains(part)).count()
    }

    /// Submitted withdrawals, each once, oldest first.
    pub fn withdrawals(&self) -> Vec<Submitted> {
        self.world().withdrawals.clone()
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.hub.world()
    }
}

/// The intent that a withdrawal will have.
pub fn intent_of(withdrawal: Txid) -> IntentHash {
    IntentHash::from(hash("withdrawal", withdrawal))
}

/// The transaction that fills an intent.
fn fill_of(intent: IntentHash) -> String {
    format!("0x{}", hex::encode(hash("fill", intent)))
}

fn hash(what: &str, whose: impl ToString) -> [u8; 32] {
    Sha256::new().chain_update(what).chain_update(whose.to_string()).finalize().into()
}

type Shared = State<Arc<Hub>>;

async fn note_call(State(hub): Shared, request: Request, next: Next) -> Response {
    hub.world().calls.push(format!("{} {}", request.method(), request.uri().path()));
    next.run(request).await
}

async fn record(State(hub): Shared, Path(intent): Path<String>) -> Response {
    let Some(intent) = parse(&intent) else { return refuse(StatusCode::BAD_REQUEST, NO_HASH) };
    if let Err(error) = hub.learn(intent, |known| known.record.is_some()).await {
        return refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string());
    }
    let world = hub.world();
    let record = world.intents.get(&intent).and_then(|known| known.record.as_ref());
    answer(record.map(record_json), world.lies.get(&About::Record(intent)))
}

async fn status(State(hub): Shared, Path(intent): Path<String>) -> Response {
    let Some(intent) = parse(&intent) else { return refuse(StatusCode::BAD_REQUEST, NO_HASH) };
    if let Err(error) = hub.learn(intent, |_| true).await {
        return refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string());
    }
    let now = hub.clock.now();
    let world = hub.world();
    let status = world.intents.get(&intent).map(|known| known.status(intent, now));
    answer(
        status.map(|status| status_json(intent, &status)),
        world.lies.get(&About::Status(intent)),
    )
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Submission {
    tx_id: Txid,
    xchain_data: String,
}

async fn withdraw(State(hub): Shared, body: Bytes) -> Response {
    let Ok(submission) = serde_json::from_slice::<Submission>(&body) else {
        return refuse(StatusCode::BAD_REQUEST, "must be {txId, xchainData}");
    };
    let Submission { tx_id, xchain_data } = submission;
    let prefixed = xchain_data.starts_with("0x");
    let Some(xchain_data) = xchain_data.parse().ok().filter(|_: &XchainData| prefixed) else {
        return refuse(StatusCode::BAD_REQUEST, "xchainData must be 0x and hex");
    };
    let now = hub.clock.now();
    let mut world = hub.world();
    let World { intents, withdrawals, lies, slow_intents, .. } = &mut *world;
    let mut submitted = match withdrawals.iter().find(|earlier| earlier.tx_id == tx_id) {
        Some(earlier) if earlier.xchain_data != xchain_data => {
            return refuse(StatusCode::CONFLICT, "that withdrawal was submitted with other data");
        }
        Some(earlier) => earlier.clone(),
        None => Submitted { tx_id, xchain_data, intent: None },
    };
    if submitted.intent.is_none() && !*slow_intents {
        let intent = intent_of(tx_id);
        intents.entry(intent).or_insert_with(|| Known::since(now, RELAYING));
        submitted.intent = Some(intent);
    }
    let said = json!({ "txId": tx_id, "intentTxHash": submitted.intent });
    match withdrawals.iter_mut().find(|earlier| earlier.tx_id == tx_id) {
        Some(earlier) => *earlier = submitted,
        None => withdrawals.push(submitted),
    }
    answer(Some(said), lies.get(&About::Withdrawal(tx_id)))
}

const NO_HASH: &str = "the intent must be 0x and 64 lowercase hex digits";

/// The hub accepts one spelling only.
fn parse(intent: &str) -> Option<IntentHash> {
    intent.parse().ok().filter(|hash: &IntentHash| hash.to_string() == intent)
}

fn refuse(status: StatusCode, error: &str) -> Response {
    (status, Json(json!({ "error": error }))).into_response()
}

fn answer(found: Option<Value>, lies: Option<&Map<String, Value>>) -> Response {
    match (found, lies) {
        (Some(Value::Object(mut found)), Some(lies)) => {
            found.extend(lies.clone());
            Json(found).into_response()
        }
        (Some(found), _) => Json(found).into_response(),
        (None, _) => refuse(StatusCode::NOT_FOUND, "unknown"),
    }
}

fn record_json(swap: &Swap) -> Value {
    json!({
        "intentTxHash": swap.intent_tx_hash,
        "spokeTxHash": swap.spoke_tx_hash,
        "walletAddress": swap.wallet_address.as_str(),
        "inputToken": swap.input_token,
        "outputToken": swap.output_token,
        "inputAmount": swap.input_amount,
        "minOutputAmount": swap.min_output_amount,
        "srcChain": swap.src_chain,
        "dstChain": swap.dst_chain,
        "srcAddress": swap.src_address.as_str(),
        "dstAddress": swap.dst_address.as_str(),
    })
}

/// The hub's JSON for the state of an intent.
pub(crate) fn status_json(intent: IntentHash, status: &HubStatus) -> Value {
    let mut said = json!(status);
    if let Value::Object(said) = &mut said {
        said.insert("intentTxHash".to_owned(), json!(intent));
    }
    said
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use chain::models::amount::Units;
    use shared::models::account::AccountId;

    use super::*;
    use crate::{
        base::{
            client::{Answer, Client},
            clock::LocalClock,
        },
        stack::LocalStack,
    };

    const TXID: &str = "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799";

    fn intent(n: u8) -> IntentHash {
        [n; 32].into()
    }

    fn swap(n: u8) -> Swap {
        Swap {
            intent_tx_hash: intent(n),
            spoke_tx_hash: hex::encode([n; 32]).parse().unwrap(),
            wallet_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed".parse().unwrap(),
            input_token: "0xaf88d065e77c8cc2239327c5edb3a432268e5831".parse().unwrap(),
            output_token: "So11111111111111111111111111111111111111112".parse().unwrap(),
            input_amount: Units(u128::MAX),
            min_output_amount: Units(7),
            src_chain: 42_161,
            dst_chain: 1,
            src_address: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed".parse().unwrap(),
            dst_address: "So11111111111111111111111111111111111111112".parse().unwrap(),
        }
    }

    async fn double() -> (HubDouble, Arc<LocalClock>, Client) {
        let clock = Arc::new(LocalClock::default());
        let hub = HubDouble::start(clock.clone()).await.unwrap();
        let client = Client::new(hub.url());
        (hub, clock, client)
    }

    async fn record(client: &Client, intent: IntentHash) -> Answer {
        client.get(format!("/intents/{intent}")).send().await
    }

    async fn status(client: &Client, intent: IntentHash) -> Answer {
        client.get(format!("/intents/{intent}/status")).send().await
    }

    async fn submit(client: &Client, data: &str) -> Answer {
        let body = json!({ "txId": TXID, "xchainData": data });
        client.post("/withdrawals").json(&body).send().await
    }

    /// Walks through the remaining steps, ten seconds apart.
    async fn walk(client: &Client, clock: &LocalClock, intent: IntentHash) -> Vec<String> {
        let mut steps = Vec::new();
        loop {
            let said = status(client, intent).await.expect(200).body;
            assert_eq!(said["intentTxHash"], intent.to_string());
            steps.push(said["status"].as_str().unwrap().to_owned());
            assert_eq!(said["fillTxHash"].is_string(), said["status"] == "filled", "{said}");
            if said["status"] == "filled" {
                return steps;
            }
            clock.advance(STEP);
        }
    }

    #[tokio::test]
    async fn intents_progress_on_the_local_clock_until_they_are_filled() {
        let (hub, clock, client) = double().await;
        record(&client, intent(1)).await.expect(404);
        status(&client, intent(1)).await.expect(404);
        hub.know(swap(1));
        let said = record(&client, intent(1)).await.expect(200).body;
        assert_eq!(said["inputAmount"], u128::MAX.to_string(), "{said}");
        assert_eq!(said["srcChain"], 42_161, "{said}");
        let steps = walk(&client, &clock, intent(1)).await;
        assert_eq!(steps, ["pending", "relaying", "relayed", "solving", "filled"]);
        clock.advance(Duration::MAX);
        let last = status(&client, intent(1)).await.expect(200).body;
        assert_eq!(last["status"], "filled");
        // Another record for it does not change its state.
        hub.know(Swap { src_chain: 10, ..swap(1) });
        assert_eq!(record(&client, intent(1)).await.body["srcChain"], 10);
        assert_eq!(status(&client, intent(1)).await.body, last);
    }

    #[tokio::test]
    async fn states_can_be_fixed_and_intents_forgotten() {
        let (hub, clock, client) = double().await;
        let failed = HubStatus {
            failed_at_step: Some("solving".to_owned()),
            failure_reason: Some("no solver".to_owned()),
            ..XchainStatus::Failed.into()
        };
        hub.set_status(intent(1), failed);
        clock.advance(STEP);
        let said = status(&client, intent(1)).await.expect(200).body;
        let expected = json!({
            "intentTxHash": intent(1), "status": "failed", "failedAtStep": "solving",
            "failureReason": "no solver",
        });
        assert_eq!(said, expected);
        record(&client, intent(1)).await.expect(404);
        hub.know(swap(1));
        record(&client, intent(1)).await.expect(200);
        assert_eq!(status(&client, intent(1)).await.body, expected);
        hub.forget(intent(1));
        record(&client, intent(1)).await.expect(404);
        status(&client, intent(1)).await.expect(404);
    }

    #[tokio::test]
    async fn a_withdrawal_has_one_intent_per_transaction() {
        let (hub, clock, client) = double().await;
        let txid: Txid = TXID.parse().unwrap();
        hub.slow_intents(true);
        let said = submit(&client, "0xbeef").await.expect(200).body;
        assert_eq!(said, json!({ "txId": TXID, "intentTxHash": null }));
        submit(&client, "0xbeee").await.expect(409);
        status(&client, intent_of(txid)).await.expect(404);
        clock.advance(STEP);
        hub.slow_intents(false);
        let said = submit(&client, "0xBEEF").await.expect(200).body;
        assert_eq!(said, json!({ "txId": TXID, "intentTxHash": intent_of(txid) }));
        hub.slow_intents(true);
        assert_eq!(submit(&client, "0xbeef").await.expect(200).body, said);
        let steps = walk(&client, &clock, intent_of(txid)).await;
        assert_eq!(steps, ["relaying", "relayed", "solving", "filled"]);
        assert_eq!(submit(&client, "0xbeef").await.expect(200).body, said);
        assert_eq!(walk(&client, &clock, intent_of(txid)).await, ["filled"]);
        let xchain_data = "beef".parse().unwrap();
        let submitted = Submitted { tx_id: txid, xchain_data, intent: Some(intent_of(txid)) };
        assert_eq!(hub.withdrawals(), [submitted]);
    }

    #[tokio::test]
    async fn malformed_requests_are_refused() {
        let (hub, _clock, client) = double().await;
        hub.know(swap(0xab));
        let spelled = intent(0xab).to_string();
        for wrong in ["", "1", &spelled[2..], &spelled.to_uppercase(), &spelled[..64]] {
            for path in [format!("/intents/{wrong}"), format!("/intents/{wrong}/status")] {
                let status = client.get(path.clone()).send().await.status;
                assert!(matches!(status, 400 | 404), "{path}: {status}");
            }
        }
        for data in ["", "0x", "beef", "0xbee", "0xzz"] {
            submit(&client, data).await.expect(400);
        }
        for body in [
            json!({}),
            json!([]),
            json!({ "txId": TXID }),
            json!({ "txId": "1", "xchainData": "0xbeef" }),
            json!({ "txId": TXID, "xchainData": "0xbeef", "to": "me" }),
        ] {
            client.post("/withdrawals").json(&body).send().await.expect(400);
        }
        client.post("/withdrawals").body("{").send().await.expect(400);
        assert_eq!(hub.withdrawals(), []);
    }

    #[tokio::test]
    async fn false_answers_are_well_formed() {
        let (hub, _clock, client) = double().await;
        let txid: Txid = TXID.parse().unwrap();
        hub.know(swap(1));
        hub.lie(About::Record(intent(1)), json!({ "inputAmount": "8" }));
        hub.lie(About::Status(intent(1)), json!({ "status": "lost", "intentTxHash": intent(2) }));
        hub.lie(About::Status(intent(3)), json!({ "status": "filled" }));
        hub.lie(About::Withdrawal(txid), json!({ "intentTxHash": "0x1" }));
        let said = record(&client, intent(1)).await.expect(200).body;
        assert_eq!(said["inputAmount"], "8");
        assert_eq!(said["intentTxHash"], intent(1).to_string());
        let said = status(&client, intent(1)).await.expect(200).body;
        assert_eq!(said, json!({ "intentTxHash": intent(2), "status": "lost" }));
        status(&client, intent(3)).await.expect(404);
        let said = submit(&client, "0xbeef").await.expect(200).body;
        assert_eq!(said, json!({ "txId": TXID, "intentTxHash": "0x1" }));
        hub.lie(About::Status(intent(1)), json!({}));
        assert_eq!(status(&client, intent(1)).await.body["status"], "pending");
    }

    #[tokio::test]
    async fn the_hub_has_moods_and_counts_its_calls() {
        let (hub, _clock, client) = double().await;
        hub.know(swap(1));
        hub.be(Mood { status: Some(503), ..Mood::default() });
        status(&client, intent(1)).await.expect(503);
        hub.be(Mood { malformed: true, ..Mood::default() });
        assert!(status(&client, intent(1)).await.expect(200).body.is_null());
        hub.be(Mood { down: true, ..Mood::default() });
        let path = format!("/intents/{}", intent(1));
        assert!(client.get(path.clone()).try_send().await.is_err());
        hub.be(Mood::default());
        record(&client, intent(1)).await.expect(200);
        submit(&client, "0xbeef").await.expect(200);
        let status = format!("GET {path}/status");
        let expected = [&status, &status, &format!("GET {path}"), "POST /withdrawals"];
        assert_eq!(hub.calls(), expected);
        assert_eq!(hub.calls_with("/status"), 2);
        assert_eq!(hub.calls_with("/nothing"), 0);
    }

    /// Plants a row, as a registration does.
    async fn register(stack: &LocalStack, account: u128, swap: &Swap) {
        let (now, account) = (stack.clock().now(), AccountId(uuid::Uuid::from_u128(account)));
        let id = uuid::Uuid::from_u128(1);
        let row = XchainRecord::of_swap(account, id, swap).begun(now);
        let key = keys::xchain_swap(swap.intent_tx_hash, account);
        stack.app().store.put(&key, &row).await.unwrap();
    }

    #[tokio::test]
    async fn the_first_registered_record_wins() {
        let stack = LocalStack::start().await;
        assert_eq!(stack.settings()["HUB_URL"], stack.hub().url());
        let client = Client::new(stack.hub().url());
        record(&client, intent(1)).await.expect(404);
        register(&stack, 2, &swap(1)).await;
        stack.clock().advance(STEP);
        register(&stack, 1, &Swap { src_chain: 10, ..swap(1) }).await;
        let steps = walk(&client, stack.clock(), intent(1)).await;
        assert_eq!(steps, ["relaying", "relayed", "solving", "filled"]);
        let said = record(&client, intent(1)).await.expect(200).body;
        assert_eq!(said["srcChain"], 42_161, "{said}");

        register(&stack, 1, &swap(2)).await;
        stack.hub().set_status(intent(2), XchainStatus::Solving);
        record(&client, intent(2)).await.expect(200);
        assert_eq!(status(&client, intent(2)).await.body["status"], "solving");

        stack.hub().forget(intent(1));
        record(&client, intent(1)).await.expect(404);
        status(&client, intent(1)).await.expect(404);
        register(&stack, 1, &swap(3)).await;
        stack.hub().agree(false);
        record(&client, intent(3)).await.expect(404);
        status(&client, intent(3)).await.expect(404);
        stack.hub().know(Swap { src_chain: 10, ..swap(3) });
        stack.hub().agree(true);
        assert_eq!(record(&client, intent(3)).await.expect(200).body["srcChain"], 10);
    }
}
