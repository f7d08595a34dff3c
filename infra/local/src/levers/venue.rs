//! The levers of the venue.

use std::sync::Arc;

use alloy::primitives::{U256, utils::parse_ether};
use axum::{Json, Router, body::Bytes, extract::State, routing::post};
use http::StatusCode;
use perp_venue::venue::usdc::Usdc;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Value, json};

use super::lever::{Pulled, Refusal, World, read};
use crate::{base::mood::Mood, doubles::venue::JsonAddress, stack::LocalStack};

pub(super) fn router() -> Router<Arc<LocalStack>> {
    Router::new().route("/_local/venue", post(venue))
}

/// Their descriptions, for the list of levers.
pub(super) fn list() -> Value {
    json!({ "POST /_local/venue": [
        {
            "body": {
                "address": "<address>", "usdc": "25.5", "gas": "1", "exists": true,
                "venueBalance": "12", "spotBalance": "0",
                "mode": "default | disabled | unifiedAccount | portfolioMargin | dexAbstraction",
                "referrer": "<code or null>", "volume": "0", "maxBuilderFee": 50, "transferFee": "1",
                "gasCoins": "7.5", "escrowed": "0", "sanctioned": false,
            },
            "does": "sets a wallet's state on the venue's EVM chain (`usdc`, `gas`, `exists`) and at the venue (the other fields); `address` is required",
        },
        { "body": { "paused": true }, "does": "stops or resumes deposits" },
        {
            "body": { "of": "info | rpc", "down": false, "delayMs": 0, "malformed": false, "status": 500 },
            "does": "sets the mood of the venue's info API or of its EVM chain; without `of`, of both",
        },
    ]})
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SetWallet {
    address: JsonAddress,
    usdc: Option<Usdc>,
    #[serde(default, deserialize_with = "ether")]
    gas: Option<U256>,
    exists: Option<bool>,
    venue_balance: Option<Usdc>,
    spot_balance: Option<Usdc>,
    mode: Option<String>,
    #[serde(default, deserialize_with = "present")]
    referrer: Option<Option<String>>,
    volume: Option<Usdc>,
    max_builder_fee: Option<u64>,
    transfer_fee: Option<Usdc>,
    gas_coins: Option<String>,
    escrowed: Option<Usdc>,
    sanctioned: Option<bool>,
}

fn ether<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<U256>, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_ether(&text).map(Some).map_err(D::Error::custom)
}

/// `null` is a value too.
#[allow(clippy::option_option)]
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pause {
    paused: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Side {
    Info,
    Rpc,
}

async fn venue(State(world): World, body: Bytes) -> Pulled {
    let mut wanted: Value = read(&body)?;
    if wanted.get("address").is_some() {
        return set(&world, read(&body)?).await.map(|()| Json(wanted));
    }
    if wanted.get("paused").is_some() {
        let Pause { paused } = read(&body)?;
        world.venue().pause(paused).await?;
        return Ok(Json(wanted));
    }
    let bad = |error: serde_json::Error| Refusal(StatusCode::BAD_REQUEST, error.to_string());
    let side = wanted.as_object_mut().and_then(|fields| fields.remove("of"));
    let side: Option<Side> = side.map(serde_json::from_value).transpose().map_err(bad)?;
    let mood: Mood = serde_json::from_value(wanted).map_err(bad)?;
    if !matches!(side, Some(Side::Rpc)) {
        world.venue().info_is(mood);
    }
    if !matches!(side, Some(Side::Info)) {
        world.venue().rpc_is(mood);
    }
    Ok(Json(json!(mood)))
}

async fn set(world: &LocalStack, wanted: SetWallet) -> Result<(), Refusal> {
    let (venue, JsonAddress(wallet)) = (world.venue(), wanted.address);
    if let Some(amount) = wanted.usdc {
        venue.set_usdc(wallet, amount).await?;
    }
    if let Some(wei) = wanted.gas {
        venue.set_gas(wallet, wei).await?;
    }
    if let Some(exists) = wanted.exists {
        venue.set_exists(wallet, exists).await?;
    }
    venue.set(wallet, |account| {
        account.perps = wanted.venue_balance.unwrap_or(account.perps);
        account.spot = wanted.spot_balance.unwrap_or(account.spot);
        account.volume = wanted.volume.unwrap_or(account.volume);
        account.transfer_fee = wanted.transfer_fee.unwrap_or(account.transfer_fee);
        account.max_builder_fee = wanted.max_builder_fee.unwrap_or(account.max_builder_fee);
        account.escrowed = wanted.escrowed.unwrap_or(account.escrowed);
        account.is_sanctioned = wanted.sanctioned.unwrap_or(account.is_sanctioned);
        if let Some(coins) = wanted.gas_coins {
            account.gas_coins = coins;
        }
        if let Some(mode) = wanted.mode {
            account.mode = mode;
        }
        if let Some(referrer) = wanted.referrer {
            account.referrer = referrer;
        }
    });
    Ok(())
}
