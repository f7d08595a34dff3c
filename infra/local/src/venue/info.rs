//! A stand-in of the venue's info API: the questions that the service asks, and wallets that can be
//! set.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use alloy::primitives::Address;
use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    response::{IntoResponse, Response},
    routing::post,
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use shared::{models::usdc::Usdc, perp_venue::SYSTEM_ADDRESS};
use tower_http::cors::CorsLayer;

use super::{Wallet, chain::Chain};
use crate::mood::SharedMood;

/// What the venue knows of a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its perpetuals balance, beside what was deposited on the EVM chain.
    pub perps: Usdc,
    /// Its spot balance.
    pub spot: Usdc,
    /// What of that is on hold.
    pub hold: Usdc,
    /// How its balances are kept, in the venue's words.
    pub mode: String,
    /// The code that it has set.
    pub referrer: Option<String>,
    /// What it has traded, in USD.
    pub volume: Usdc,
    /// The builder fee that it has approved, in tenths of a basis point.
    pub max_builder_fee: u64,
    /// What a transfer to the EVM chain costs it.
    pub transfer_fee: Usdc,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            perps: Usdc::default(),
            spot: Usdc::default(),
            hold: Usdc::default(),
            mode: "default".to_owned(),
            referrer: None,
            volume: Usdc::default(),
            max_builder_fee: 0,
            transfer_fee: Usdc::default(),
        }
    }
}

#[derive(Default)]
struct World {
    accounts: BTreeMap<Address, Account>,
    lies: BTreeMap<String, Value>,
    questions: Vec<String>,
}

/// The stand-in.
#[derive(Default)]
pub(super) struct Info {
    world: Mutex<World>,
    builder: OnceLock<Address>,
    chain: OnceLock<Arc<Chain>>,
}

impl Info {
    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose fee wallets approve.
    pub(super) fn know_builder(&self, builder: Address) {
        // There is one already, at the most.
        let _ = self.builder.set(builder);
    }

    /// From now on deposits on that chain are credited.
    pub(super) fn watch(&self, chain: Arc<Chain>) {
        // There is one already, at the most.
        let _ = self.chain.set(chain);
    }

    pub(super) fn set(&self, wallet: Address, change: impl FnOnce(&mut Account)) {
        change(self.world().accounts.entry(wallet).or_default());
    }

    pub(super) fn lie(&self, question: &str, answer: Value) {
        let mut world = self.world();
        world.lies.remove(question);
        if !answer.is_null() {
            world.lies.insert(question.to_owned(), answer);
        }
    }

    pub(super) fn questions(&self) -> Vec<String> {
        self.world().questions.clone()
    }

    /// What was deposited; nothing where that cannot be told.
    async fn credited(&self, wallet: Address) -> Usdc {
        match self.chain.get() {
            Some(chain) => chain.credited(wallet).await.unwrap_or_default(),
            None => Usdc::default(),
        }
    }
}

/// Browsers may call it from anywhere, as they may call the real one.
pub(super) fn router(info: Arc<Info>, mood: &SharedMood) -> Router {
    let router = Router::new().route("/info", post(answer)).with_state(info);
    mood.over(router).layer(CorsLayer::permissive())
}

/// A question, as the venue wants it.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Asked {
    Referral { user: Wallet },
    MaxBuilderFee { user: Wallet, builder: Wallet },
    UserAbstraction { user: Wallet },
    ClearinghouseState { user: Wallet },
    SpotClearinghouseState { user: Wallet },
    PreTransferCheck { user: String, source: Wallet },
}

async fn answer(State(info): State<Arc<Info>>, body: Bytes) -> Response {
    let refuse = || {
        let text = "Failed to deserialize the JSON body into the target type";
        (StatusCode::UNPROCESSABLE_ENTITY, text).into_response()
    };
    let Ok(question) = serde_json::from_slice::<Value>(&body) else { return refuse() };
    let kind = question.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let lie = {
        let mut world = info.world();
        world.questions.push(kind.clone());
        world.lies.get(&kind).cloned()
    };
    if let Some(lie) = lie {
        return Json(lie).into_response();
    }
    let Ok(asked) = serde_json::from_value::<Asked>(question) else { return refuse() };
    let of = |Wallet(wallet)| info.world().accounts.get(&wallet).cloned().unwrap_or_default();
    Json(match asked {
        Asked::Referral { user } => referral(&of(user)),
        Asked::MaxBuilderFee { user, builder } => {
            let is_known = info.builder.get() == Some(&builder.0);
            json!(if is_known { of(user).max_builder_fee } else { 0 })
        }
        Asked::UserAbstraction { user } => json!(of(user).mode),
        Asked::ClearinghouseState { user } => {
            let account = of(user);
            let unified = matches!(account.mode.as_str(), "unifiedAccount" | "portfolioMargin");
            let deposited = info.credited(user.0).await;
            let perps = account.perps.checked_add(deposited).unwrap_or_default();
            perps_state(if unified { Usdc::default() } else { perps })
        }
        Asked::SpotClearinghouseState { user } => spot_state(&of(user)),
        Asked::PreTransferCheck { user, source } => {
            let leaves = user == SYSTEM_ADDRESS;
            let fee = if leaves { of(source).transfer_fee } else { Usdc::default() };
            json!({ "fee": fee, "isSanctioned": false, "userExists": true, "userHasSentTx": false })
        }
    })
    .into_response()
}

fn referral(account: &Account) -> Value {
    let referrer = account.referrer.as_ref().map(
        |code| json!({ "referrer": "0x00000000000000000000000000000000000000ff", "code": code }),
    );
    json!({
        "referredBy": referrer,
        "cumVlm": account.volume,
        "unclaimedRewards": "0.0",
        "claimedRewards": "0.0",
        "builderRewards": "0.0",
        "referrerState": { "stage": "needToTrade", "data": { "required": "10000.0" } },
        "rewardHistory": [],
        "tokenToState": [],
    })
}

fn perps_state(withdrawable: Usdc) -> Value {
    let summary = json!({
        "accountValue": withdrawable, "totalNtlPos": "0.0", "totalRawUsd": withdrawable,
        "totalMarginUsed": "0.0",
    });
    json!({
        "marginSummary": summary,
        "crossMarginSummary": summary,
        "crossMaintenanceMarginUsed": "0.0",
        "withdrawable": withdrawable,
        "assetPositions": [],
        "time": 0,
    })
}

fn spot_state(account: &Account) -> Value {
    json!({ "balances": [
        { "coin": "USDC", "token": 0, "total": account.spot, "hold": account.hold, "entryNtl": "0.0" },
        { "coin": "HYPE", "token": 150, "total": "7.5", "hold": "0.0", "entryNtl": "0.0" },
    ]})
}
