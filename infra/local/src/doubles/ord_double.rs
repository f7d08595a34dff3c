//! A stand-in for ord's JSON API. Tests set its outputs, and it can be slow, down, or wrong.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use bitcoin::{Address, address::NetworkUnchecked};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::models::bitcoin::{InscriptionId, OutPoint};

use crate::base::{
    failure::Result,
    mood::{Mood, SharedMood},
    server::Server,
};

/// ord's answer about an output.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Output {
    /// Outpoint of the output.
    pub outpoint: OutPoint,
    /// Script that it pays to.
    pub address: Address<NetworkUnchecked>,
    /// Inscriptions in it; null if ord does not index inscriptions.
    #[serde(default = "nothing")]
    pub inscriptions: Option<Vec<InscriptionId>>,
    /// Runes in it, in ord's format: `{"<SPACED•NAME>": {amount, divisibility, symbol}}`.
    #[serde(default = "no_runes")]
    pub runes: Value,
    /// Whether it is spent.
    #[serde(default)]
    pub spent: bool,
    /// Whether ord has seen it in a block.
    #[serde(default = "yes")]
    pub indexed: bool,
    /// Value in satoshis.
    #[serde(default = "postage")]
    pub value: u64,
}

fn nothing() -> Option<Vec<InscriptionId>> {
    Some(Vec::new())
}

fn no_runes() -> Value {
    json!({})
}

fn yes() -> bool {
    true
}

fn postage() -> u64 {
    10_000
}

impl Output {
    /// A confirmed, unspent output with one inscription.
    pub fn holding(outpoint: OutPoint, address: &Address, inscription: InscriptionId) -> Self {
        Self {
            outpoint,
            address: address.as_unchecked().clone(),
            inscriptions: Some(vec![inscription]),
            runes: no_runes(),
            spent: false,
            indexed: true,
            value: postage(),
        }
    }
}

/// A fault that affects one output only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// ord fails on requests that include it.
    Fails,
    /// ord's answer about it exceeds this many bytes.
    IsLong(usize),
}

#[derive(Debug, Default)]
struct World {
    outputs: BTreeMap<String, Output>,
    troubles: BTreeMap<OutPoint, Trouble>,
    asked: Vec<usize>,
    inscriptions_asked: usize,
    height: u64,
}

/// The stand-in. Clones share it.
#[derive(Clone, Debug)]
pub struct OrdDouble {
    world: Arc<Mutex<World>>,
    mood: SharedMood,
    server: Arc<Server>,
}

impl OrdDouble {
    /// Starts one without outputs on a free port.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start() -> Result<Self> {
        let world = Arc::new(Mutex::new(World { height: 101, ..World::default() }));
        let router = Router::new()
            .route("/output/{outpoint}", get(output))
            .route("/outputs", post(outputs))
            .route("/inscription/{id}", get(inscription))
            .route("/blockheight", get(height))
            .with_state(world.clone());
        let mood = SharedMood::default();
        let server = Arc::new(Server::moody(router, &mood).await?);
        Ok(Self { world, mood, server })
    }

    /// Base address.
    pub fn url(&self) -> &str {
        self.server.url()
    }

    /// Sets the answer about an output.
    pub fn set(&self, output: Output) {
        self.world().outputs.insert(output.outpoint.to_string(), output);
    }

    /// Sets the fault of an output.
    pub fn trouble(&self, outpoint: OutPoint, trouble: Trouble) {
        self.world().troubles.insert(outpoint, trouble);
    }

    /// Number of outputs in each request for several outputs, since the last call.
    pub fn asked(&self) -> Vec<usize> {
        std::mem::take(&mut self.world().asked)
    }

    /// Number of requests for an inscription, since the last call.
    pub fn inscriptions_asked(&self) -> usize {
        std::mem::take(&mut self.world().inscriptions_asked)
    }

    /// Sets the mood.
    pub fn be(&self, mood: Mood) {
        self.mood.set(mood);
    }

    /// Its mood, which counts requests.
    pub fn mood(&self) -> &SharedMood {
        &self.mood
    }

    fn world(&self) -> MutexGuard<'_, World> {
        lock(&self.world)
    }
}

fn lock(world: &Mutex<World>) -> MutexGuard<'_, World> {
    world.lock().unwrap_or_else(PoisonError::into_inner)
}

type Shared = State<Arc<Mutex<World>>>;

async fn output(State(world): Shared, Path(outpoint): Path<String>) -> Response {
    answer(lock(&world).outputs.get(&outpoint).map(output_json))
}

/// Like ord, it answers for all outputs or for none.
async fn outputs(State(world): Shared, Json(outpoints): Json<Vec<OutPoint>>) -> Response {
    let mut world = lock(&world);
    world.asked.push(outpoints.len());
    let troubles = |outpoint: &OutPoint| world.troubles.get(outpoint).copied();
    if outpoints.iter().any(|outpoint| troubles(outpoint) == Some(Trouble::Fails)) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let found = outpoints.iter().map(|outpoint| {
        let mut json = output_json(world.outputs.get(&outpoint.to_string())?);
        if let (Some(Trouble::IsLong(bytes)), Some(fields)) =
            (troubles(outpoint), json.as_object_mut())
        {
            fields.insert("sat_ranges".to_owned(), "x".repeat(bytes).into());
        }
        Some(json)
    });
    answer(found.collect::<Option<Vec<_>>>().map(Value::from))
}

async fn inscription(State(world): Shared, Path(id): Path<String>) -> Response {
    let mut world = lock(&world);
    world.inscriptions_asked = world.inscriptions_asked.saturating_add(1);
    let holds =
        |output: &&Output| output.inscriptions.iter().flatten().any(|held| held.to_string() == id);
    let holder = world.outputs.values().find(|output| !output.spent && holds(output));
    answer(holder.map(|output| inscription_json(&id, output, world.height)))
}

async fn height(State(world): Shared) -> Response {
    answer(Some(json!(lock(&world).height)))
}

fn answer(found: Option<Value>) -> Response {
    match found {
        Some(found) => Json(found).into_response(),
        None => (StatusCode::NOT_FOUND, "not found").into_response(),
    }
}

/// The format of ord 0.29, which does not know the contents of unindexed outputs.
fn output_json(output: &Output) -> Value {
    let address = output.address.clone().assume_checked();
    let inscriptions = if output.indexed { output.inscriptions.clone() } else { nothing() };
    json!({
        "address": address.to_string(),
        "confirmations": u8::from(output.indexed),
        "indexed": output.indexed,
        "inscriptions": inscriptions,
        "outpoint": output.outpoint,
        "runes": if output.indexed { output.runes.clone() } else { no_runes() },
        "script_pubkey": address.script_pubkey(),
        "spent": output.spent,
        "transaction": output.outpoint.0.txid,
        "value": output.value,
    })
}

fn inscription_json(id: &str, output: &Output, height: u64) -> Value {
    json!({
        "address": output.address.clone().assume_checked().to_string(),
        "content_type": "text/plain;charset=utf-8",
        "height": height,
        "id": id,
        "number": 0,
        "satpoint": format!("{}:0", output.outpoint),
        "value": output.value,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use base::{
        clock::SystemClock,
        outbound::{Outbound, within},
    };
    use shared::{
        http::AsProblem,
        ord::{OrdClient, Reading},
        source::SourceError,
    };

    use super::*;
    use crate::{base::patience::HANG_LIMIT, users::wallets::Wallet};

    const TXID: &str = "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799";

    #[tokio::test]
    async fn the_service_reads_the_doubles_outputs() {
        let double = OrdDouble::start().await.unwrap();
        let ord = OrdClient::new(double.url().into(), Outbound::new(), Arc::new(SystemClock));
        let outpoint: OutPoint = format!("{TXID}:0").parse().unwrap();
        let inscription: InscriptionId = format!("{TXID}i0").parse().unwrap();
        assert!(ord.output(outpoint).await.unwrap().is_none());

        let address: Address<NetworkUnchecked> = Wallet::p2tr(1).address().parse().unwrap();
        let held = Output::holding(outpoint, &address.assume_checked(), inscription);
        double.set(held.clone());
        let seen = ord.output(outpoint).await.unwrap().unwrap();
        assert!(seen.indexed && !seen.spent);
        assert_eq!(seen.inscriptions, Some(vec![inscription]));
        assert_eq!(seen.script_pubkey, held.address.clone().assume_checked().script_pubkey());

        double.set(Output { indexed: false, ..held });
        assert_eq!(ord.output(outpoint).await.unwrap().unwrap().inscriptions, Some(vec![]));

        double.be(Mood { status: Some(503), ..Mood::default() });
        let refused = ord.output(outpoint).await.unwrap_err();
        assert!(refused.internal().contains("503"), "{}", refused.internal());
        double.be(Mood { down: true, ..Mood::default() });
        let refused = ord.output(outpoint).await.unwrap_err();
        assert!(refused.internal().contains("unreachable"), "{}", refused.internal());
        double.be(Mood { malformed: true, ..Mood::default() });
        assert!(ord.output(outpoint).await.unwrap_err().internal().contains("malformed"));
        double.be(Mood::default());
        assert!(ord.output(outpoint).await.is_ok());
    }

    const LONG: usize = 2 * 1024 * 1024;
    /// These tests are about failures: on a busy machine, megabytes take longer than the service waits.
    const PATIENCE: u32 = 200;

    fn outpoint(number: u32) -> OutPoint {
        format!("{TXID}:{number}").parse().unwrap()
    }

    /// A stand-in that knows `count` outputs, and a client of it.
    async fn with_outputs(count: u32) -> (OrdDouble, OrdClient, Vec<OutPoint>) {
        let double = OrdDouble::start().await.unwrap();
        let outbound = Outbound::new().patient(PATIENCE);
        let client = OrdClient::new(double.url().into(), outbound, Arc::new(SystemClock));
        let address: Address<NetworkUnchecked> = Wallet::p2tr(1).address().parse().unwrap();
        let outpoints: Vec<_> = (0..count).map(outpoint).collect();
        for outpoint in &outpoints {
            double.set(Output {
                outpoint: *outpoint,
                address: address.clone(),
                inscriptions: nothing(),
                runes: no_runes(),
                spent: false,
                indexed: true,
                value: 330,
            });
        }
        (double, client, outpoints)
    }

    async fn read(
        client: &OrdClient,
        outpoints: &[OutPoint],
    ) -> Result<BTreeMap<OutPoint, Reading>, SourceError> {
        within(HANG_LIMIT, client.outputs(outpoints)).await
    }

    fn unreadable(readings: &BTreeMap<OutPoint, Reading>) -> Vec<OutPoint> {
        let known = |reading: &Reading| matches!(reading, Reading::Known(_));
        assert!(
            readings
                .values()
                .all(|reading| known(reading) || matches!(reading, Reading::Unreadable))
        );
        let mut rest: Vec<_> =
            readings.iter().filter(|(_, reading)| !known(reading)).map(|(at, _)| *at).collect();
        rest.sort_by_key(|outpoint| outpoint.0.vout);
        rest
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn custody_24_outputs_that_fail_or_are_too_long_are_unreadable_alone() {
        let (double, client, outpoints) = with_outputs(1_000).await;
        let bad: Vec<_> = [0, 99, 250, 251, 500, 700, 701, 999].map(outpoint).into();
        for (number, outpoint) in bad.iter().enumerate() {
            let long = Trouble::IsLong(LONG);
            double.trouble(*outpoint, if number < 4 { Trouble::Fails } else { long });
        }
        let readings = read(&client, &outpoints).await.unwrap();
        assert_eq!(readings.len(), 1_000);
        assert_eq!(unreadable(&readings), bad);
        assert!(double.asked().len() <= 10 + 4 * 17);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn custody_24_a_batch_too_long_as_a_whole_is_split() {
        let (double, client, outpoints) = with_outputs(60).await;
        let bad: Vec<_> = (0..12).map(outpoint).collect();
        bad.iter().for_each(|outpoint| double.trouble(*outpoint, Trouble::IsLong(LONG)));
        assert_eq!(unreadable(&read(&client, &outpoints).await.unwrap()), bad);
        // An oversized answer about a single output is not a failure of ord.
        double.trouble(outpoint(0), Trouble::IsLong(17 * 1024 * 1024));
        let alone = read(&client, &[outpoint(0)]).await.unwrap();
        assert_eq!(unreadable(&alone), [outpoint(0)]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn custody_24_no_output_is_unreadable_because_ord_fails() {
        let (double, client, outpoints) = with_outputs(300).await;
        for mood in [
            Mood { down: true, ..Mood::default() },
            Mood { status: Some(500), ..Mood::default() },
            Mood { malformed: true, ..Mood::default() },
        ] {
            double.be(mood);
            assert!(read(&client, &outpoints).await.is_err(), "{mood:?}");
        }
        double.be(Mood::default());
        outpoints.iter().for_each(|outpoint| double.trouble(*outpoint, Trouble::Fails));
        double.asked();
        assert!(read(&client, &outpoints).await.is_err());
        assert!(double.asked().len() <= 600);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_unknown_output_does_not_hide_others() {
        let (_double, client, mut outpoints) = with_outputs(5).await;
        outpoints.push(outpoint(77));
        let readings = read(&client, &outpoints).await.unwrap();
        assert!(matches!(readings[&outpoint(77)], Reading::Absent));
        assert!((0..5).all(|number| matches!(readings[&outpoint(number)], Reading::Known(_))));
    }
}
