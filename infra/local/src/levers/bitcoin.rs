//! `/_local/bitcoin*`: the levers of the Bitcoin world.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    routing::{get, post},
};
use bitcoin::Txid;
use http::StatusCode;
use ordinals::RuneId;
use serde::Deserialize;
use serde_json::{Value, json};

use super::lever::{Pulled, Refusal, World, read};
use crate::{
    base::mood::Mood,
    bitcoin::{BitcoinWorld, Etching, Replica, State as Progress, WorldError, parse_address},
    stack::LocalStack,
};

/// The routes of the levers.
pub(super) fn router() -> Router<Arc<LocalStack>> {
    Router::new()
        .route("/_local/bitcoin", get(progress))
        .route("/_local/bitcoin/mine", post(mine))
        .route("/_local/bitcoin/fund", post(fund))
        .route("/_local/bitcoin/etch", post(etch))
        .route("/_local/bitcoin/inscribe", post(inscribe))
        .route("/_local/bitcoin/reorg", post(reorg))
        .route("/_local/bitcoin/purge", post(purge))
        .route("/_local/bitcoin/fees", post(fees))
        .route("/_local/bitcoin/mood", post(mood))
        .route("/_local/bitcoin/replicas", post(replicas))
}

/// Their descriptions, for the list of all levers.
pub(super) fn list() -> Value {
    json!({
        "GET /_local/bitcoin": {
            "does": "returns the state of the Bitcoin world (building, starting or ready), its height, and the addresses of Esplora and ord",
        },
        "POST /_local/bitcoin/mine": {
            "body": { "blocks": 1 },
            "does": "mines blocks, and waits until ord has indexed them",
        },
        "POST /_local/bitcoin/fund": {
            "body": { "address": "<address>", "sats": 10_000, "runeId": "<block>:<tx>", "amount": "<smallest units>" },
            "does": "pays an address from the faucet, in sats or in a rune; no block is mined",
        },
        "POST /_local/bitcoin/etch": {
            "body": { "name": "RUNEPORT•LOCAL•RUNE", "supply": "<smallest units>", "divisibility": 2, "to": "<address>" },
            "does": "etches a rune, and mines the seven blocks that this takes; without `to` the faucet receives the whole supply",
        },
        "POST /_local/bitcoin/inscribe": {
            "body": { "to": "<address>", "contentType": "text/plain;charset=utf-8", "body": "<text>" },
            "does": "inscribes a text, and mines a block",
        },
        "POST /_local/bitcoin/reorg": {
            "body": { "depth": 1, "drop": ["<txid>"] },
            "does": "replaces the last blocks by one more block, without the named transactions",
        },
        "POST /_local/bitcoin/purge": {
            "does": "empties the mempool, and mines an empty block",
        },
        "POST /_local/bitcoin/fees": {
            "body": { "1": 10.0, "6": 2.0 },
            "does": "sets Esplora's fee estimates: sat/vB by confirmation target in blocks",
        },
        "POST /_local/bitcoin/mood": {
            "body": { "source": "esplora | ord", "down": false, "delayMs": 0, "malformed": false, "status": 500 },
            "does": "sets the mood of Esplora or ord; `lags` keeps ord at its current block",
        },
        "POST /_local/bitcoin/replicas": {
            "body": ["tip", { "behind": 7 }, { "fork": 2 }],
            "does": "lets several servers answer for Esplora in turns, one per request: at the tip, behind by some blocks, or on a fork of some blocks; `[]` is one server at the tip",
        },
    })
}

impl From<WorldError> for Refusal {
    fn from(error: WorldError) -> Self {
        let status = match error {
            WorldError::Wrong(_) => StatusCode::BAD_REQUEST,
            WorldError::NotThere => StatusCode::SERVICE_UNAVAILABLE,
            WorldError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self(status, error.to_string())
    }
}

fn bitcoin(world: &LocalStack) -> Result<&BitcoinWorld, Refusal> {
    let text = "this world has no Bitcoin node";
    world.try_bitcoin().ok_or_else(|| Refusal(StatusCode::NOT_FOUND, text.to_owned()))
}

/// An amount in smallest units. JSON numbers end at 64 bits, so a string is accepted too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Units {
    Number(u64),
    Text(String),
}

impl Units {
    fn read(&self, field: &str) -> Result<u128, Refusal> {
        match self {
            Self::Number(number) => Ok(u128::from(*number)),
            Self::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text
                .parse()
                .map_err(|_| wrong(&format!("{field} must be an integer number of units"))),
            Self::Text(_) => Err(wrong(&format!("{field} must be an integer number of units"))),
        }
    }
}

fn wrong(sentence: &str) -> Refusal {
    WorldError::wrong(sentence).into()
}

async fn progress(State(world): World) -> Pulled {
    let bitcoin = bitcoin(&world)?;
    let state = bitcoin.state();
    let mut answer = json!({ "esplora": bitcoin.esplora_url(), "ord": bitcoin.ord_url() });
    let height = bitcoin.height().await.ok();
    if let Some(fields) = answer.as_object_mut() {
        match state {
            Progress::Failed(why) => {
                fields.insert("state".to_owned(), "failed".into());
                fields.insert("error".to_owned(), why.into());
            }
            state => {
                fields.insert("state".to_owned(), json!(state));
            }
        }
        fields.insert("height".to_owned(), json!(height));
    }
    Ok(Json(answer))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mine {
    blocks: u32,
}

async fn mine(State(world): World, body: Bytes) -> Pulled {
    let wanted: Mine = read(&body)?;
    Ok(Json(json!({ "height": bitcoin(&world)?.mine(wanted.blocks).await? })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Fund {
    address: String,
    sats: u64,
    rune_id: Option<String>,
    amount: Option<Units>,
}

async fn fund(State(world): World, body: Bytes) -> Pulled {
    let wanted: Fund = read(&body)?;
    let (bitcoin, to) = (bitcoin(&world)?, parse_address(&wanted.address, "address")?);
    let outpoint = match (&wanted.rune_id, &wanted.amount) {
        (None, None) => bitcoin.fund(&to, wanted.sats).await?,
        (Some(rune), Some(amount)) => {
            let rune: RuneId = rune.parse().map_err(|_| wrong("runeId must be <block>:<tx>"))?;
            bitcoin.fund_rune(&to, wanted.sats, rune, amount.read("amount")?).await?
        }
        _ => return Err(wrong("runeId and amount belong together")),
    };
    Ok(Json(json!({ "outpoint": outpoint.to_string() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Etch {
    name: String,
    supply: Units,
    divisibility: u8,
    to: Option<String>,
}

async fn etch(State(world): World, body: Bytes) -> Pulled {
    let wanted: Etch = read(&body)?;
    let etching = Etching {
        supply: wanted.supply.read("supply")?,
        divisibility: wanted.divisibility,
        to: wanted.to.as_deref().map(|to| parse_address(to, "to")).transpose()?,
        name: wanted.name,
    };
    Ok(Json(json!({ "runeId": bitcoin(&world)?.etch(&etching).await?.to_string() })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Inscribe {
    to: String,
    content_type: String,
    body: String,
}

async fn inscribe(State(world): World, body: Bytes) -> Pulled {
    let wanted: Inscribe = read(&body)?;
    let (bitcoin, to) = (bitcoin(&world)?, parse_address(&wanted.to, "to")?);
    let made = bitcoin.inscribe(&to, &wanted.content_type, wanted.body.as_bytes()).await?;
    Ok(Json(json!({ "inscriptionId": made.id, "outpoint": made.outpoint.to_string() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reorg {
    depth: u32,
    #[serde(default)]
    drop: Vec<Txid>,
}

async fn reorg(State(world): World, body: Bytes) -> Pulled {
    let wanted: Reorg = read(&body)?;
    Ok(Json(json!({ "height": bitcoin(&world)?.reorg(wanted.depth, &wanted.drop).await? })))
}

async fn purge(State(world): World) -> Pulled {
    Ok(Json(json!({ "height": bitcoin(&world)?.purge_mempool().await? })))
}

async fn fees(State(world): World, body: Bytes) -> Pulled {
    let wanted: BTreeMap<u16, f64> = read(&body)?;
    let bitcoin = bitcoin(&world)?;
    bitcoin.set_fees(wanted)?;
    Ok(Json(json!(bitcoin.fees())))
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Source {
    Esplora,
    Ord,
}

// `deny_unknown_fields` cannot be combined with `flatten`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SetMood {
    source: Source,
    #[serde(default)]
    down: bool,
    #[serde(default)]
    delay_ms: u64,
    #[serde(default)]
    malformed: bool,
    status: Option<u16>,
    lags: Option<bool>,
}

async fn mood(State(world): World, body: Bytes) -> Pulled {
    let wanted: SetMood = read(&body)?;
    let bitcoin = bitcoin(&world)?;
    let SetMood { source, down, delay_ms, malformed, status, lags } = wanted;
    if status.is_some_and(|status| !(200..=599).contains(&status)) {
        return Err(wrong("status must be 200 to 599"));
    }
    let mood = Mood { down, delay_ms, malformed, status };
    match (source, lags) {
        (Source::Esplora, Some(_)) => return Err(wrong("ord alone lags")),
        (Source::Esplora, None) => bitcoin.set_esplora_mood(mood),
        (Source::Ord, lags) => {
            bitcoin.set_ord_mood(mood);
            if let Some(lags) = lags {
                bitcoin.let_ord_lag(lags).await?;
            }
        }
    }
    Ok(Json(json!(mood)))
}

async fn replicas(State(world): World, body: Bytes) -> Pulled {
    let wanted: Vec<Replica> = read(&body)?;
    bitcoin(&world)?.set_esplora_replicas(wanted.clone());
    Ok(Json(json!(wanted)))
}
