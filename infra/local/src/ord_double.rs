//! A stand-in of ord's JSON API: it knows what it is told, and can be slow, down, or wrong.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    response::{IntoResponse, Response},
    routing::get,
};
use bitcoin::{Address, address::NetworkUnchecked};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::models::bitcoin::{InscriptionId, OutPoint};

use crate::{
    failure::Result,
    mood::{Mood, SharedMood},
    server::Server,
};

/// What ord shall say of an output.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Output {
    /// Which output.
    pub outpoint: OutPoint,
    /// What it pays to.
    pub address: Address<NetworkUnchecked>,
    /// What it holds; null: ord does not index inscriptions.
    #[serde(default = "nothing")]
    pub inscriptions: Option<Vec<InscriptionId>>,
    /// Runes in it, as ord says it: `{"<SPACED•NAME>": {amount, divisibility, symbol}}`.
    #[serde(default = "no_runes")]
    pub runes: Value,
    /// Whether it is spent.
    #[serde(default)]
    pub spent: bool,
    /// Whether ord has seen it in a block.
    #[serde(default = "yes")]
    pub indexed: bool,
    /// Satoshis.
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

#[derive(Debug, Default)]
struct World {
    outputs: BTreeMap<String, Output>,
    height: u64,
}

/// The stand-in. Clones are the same one.
#[derive(Clone, Debug)]
pub struct OrdDouble {
    world: Arc<Mutex<World>>,
    mood: SharedMood,
    server: Arc<Server>,
}

impl OrdDouble {
    /// Starts one that knows of no output, on a free port.
    ///
    /// # Errors
    /// No port is free.
    pub async fn start() -> Result<Self> {
        let world = Arc::new(Mutex::new(World { height: 101, ..World::default() }));
        let router = Router::new()
            .route("/output/{outpoint}", get(output))
            .route("/inscription/{id}", get(inscription))
            .route("/blockheight", get(height))
            .with_state(world.clone());
        let mood = SharedMood::default();
        let server = Arc::new(Server::moody(router, &mood).await?);
        Ok(Self { world, mood, server })
    }

    /// Its base address.
    pub fn url(&self) -> &str {
        self.server.url()
    }

    /// From now on it says this of an output.
    pub fn set(&self, output: Output) {
        self.world().outputs.insert(output.outpoint.to_string(), output);
    }

    /// From now on it is like this.
    pub fn be(&self, mood: Mood) {
        self.mood.set(mood);
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

async fn inscription(State(world): Shared, Path(id): Path<String>) -> Response {
    let world = lock(&world);
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

/// As ord 0.29 says it; contents of what it has not indexed are unknown to it.
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
#[allow(clippy::unwrap_used)]
mod tests {
    use shared::{bitcoin::ord::OrdClient, outbound::Outbound};

    use shared::http::AreaError;

    use super::*;
    use crate::wallets::Wallet;

    const TXID: &str = "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799";

    #[tokio::test]
    async fn the_service_reads_what_the_double_says() {
        let double = OrdDouble::start().await.unwrap();
        let ord = OrdClient::new(double.url().to_owned(), Outbound::new());
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
}
