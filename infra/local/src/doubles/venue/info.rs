//! A stand-in for the venue's info API: the queries that the service makes, and wallets whose state can be
//! set, by levers and by [actions](super::exchange).

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
    routing::{MethodRouter, post},
};
use http::StatusCode;
use perp_venue::venue::{SYSTEM_ADDRESS, usdc::Usdc};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_http::cors::CorsLayer;

use super::{chain::SharedChain, json_address::JsonAddress};
use crate::base::{failure::Result, mood::SharedMood};

/// The venue's state of a wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Perpetuals balance, in addition to deposits on the EVM chain.
    pub perps: Usdc,
    /// Spot balance.
    pub spot: Usdc,
    /// Part of the spot balance that is on hold.
    pub hold: Usdc,
    /// The same before loans are counted, with portfolio margin.
    pub spot_hold: Option<Usdc>,
    /// Part of the spot balance that waits for the EVM chain.
    pub escrowed: Usdc,
    /// Coins for gas, as the venue writes them.
    pub gas_coins: String,
    /// Whether the venue refuses transfers of the wallet.
    pub is_sanctioned: bool,
    /// Account mode, in the venue's terms.
    pub mode: String,
    /// The referral code that the wallet has set.
    pub referrer: Option<String>,
    /// The code by which the wallet refers others.
    pub own_code: Option<String>,
    /// Traded volume in USD.
    pub volume: Usdc,
    /// Approved builder fee, in tenths of a basis point.
    pub max_builder_fee: u64,
    /// Cost of a transfer to the EVM chain.
    pub transfer_fee: Usdc,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            perps: Usdc::default(),
            spot: Usdc::default(),
            hold: Usdc::default(),
            spot_hold: None,
            escrowed: Usdc::default(),
            gas_coins: "7.5".to_owned(),
            is_sanctioned: false,
            mode: "default".to_owned(),
            referrer: None,
            own_code: None,
            volume: Usdc::default(),
            max_builder_fee: 0,
            transfer_fee: Usdc::default(),
        }
    }
}

#[derive(Default)]
struct World {
    accounts: BTreeMap<Address, Account>,
    /// What wallets have sent of their deposits on the chain: of perpetuals, and of spot.
    sent: BTreeMap<Address, (Usdc, Usdc)>,
    lies: BTreeMap<String, Value>,
    questions: Vec<String>,
}

/// The stand-in.
pub(super) struct Info {
    world: Mutex<World>,
    builder: OnceLock<Address>,
    chain: SharedChain,
}

impl Info {
    /// No wallet has an account yet. Deposits on the chain are credited.
    pub(super) fn new(chain: SharedChain) -> Self {
        Self { world: Mutex::default(), builder: OnceLock::new(), chain }
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Address whose builder fee wallets approve.
    pub(super) fn know_builder(&self, builder: Address) {
        // Later calls change nothing.
        let _ = self.builder.set(builder);
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

    pub(super) fn knows(&self, wallet: Address) -> bool {
        self.world().accounts.contains_key(&wallet)
    }

    pub(super) fn is_builder(&self, address: Address) -> bool {
        self.builder.get() == Some(&address)
    }

    /// Takes the `whole` amount from a balance, and pays `amount` of it on the chain, if there is one.
    pub(super) async fn send(
        &self,
        wallet: Address,
        of_spot: bool,
        whole: Usdc,
        amount: Usdc,
    ) -> Result<()> {
        {
            let mut world = self.world();
            let World { accounts, sent, .. } = &mut *world;
            let (account, sent) =
                (accounts.entry(wallet).or_default(), sent.entry(wallet).or_default());
            let (stored, sent) = if of_spot {
                (&mut account.spot, &mut sent.1)
            } else {
                (&mut account.perps, &mut sent.0)
            };
            // Deposits are credited by the chain, so they are used last.
            let of_deposits = whole.saturating_sub(*stored);
            *stored = stored.saturating_sub(whole);
            *sent = sent.checked_add(of_deposits).unwrap_or(*sent);
        }
        match self.chain.get() {
            Some(chain) => chain.receive(wallet, amount).await,
            None => Ok(()),
        }
    }

    /// The state of a wallet including its deposits.
    pub(super) async fn account(&self, wallet: Address) -> Result<Account> {
        let mut account = self.world().accounts.get(&wallet).cloned().unwrap_or_default();
        if let Some(chain) = self.chain.get() {
            let (perps, spot) = chain.credited(wallet).await?;
            account.perps = account.perps.checked_add(perps).unwrap_or_default();
            account.spot = account.spot.checked_add(spot).unwrap_or_default();
        }
        let (perps, spot) = self.world().sent.get(&wallet).copied().unwrap_or_default();
        account.perps = account.perps.saturating_sub(perps);
        account.spot = account.spot.saturating_sub(spot);
        Ok(account)
    }
}

/// Both endpoints of the API. Allows calls from any origin, as the real API does.
pub(super) fn router(
    info: Arc<Info>,
    exchange: MethodRouter<Arc<Info>>,
    mood: &SharedMood,
) -> Router {
    let router =
        Router::new().route("/info", post(answer)).route("/exchange", exchange).with_state(info);
    mood.over(router).layer(CorsLayer::permissive())
}

/// A query in the venue's format.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Asked {
    Referral { user: JsonAddress },
    MaxBuilderFee { user: JsonAddress, builder: JsonAddress },
    UserAbstraction { user: JsonAddress },
    ClearinghouseState { user: JsonAddress },
    SpotClearinghouseState { user: JsonAddress },
    PreTransferCheck { user: String, source: JsonAddress },
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
    let JsonAddress(wallet) = asked.wallet();
    let account = match info.account(wallet).await {
        Ok(account) => account,
        Err(failure) => {
            return (StatusCode::INTERNAL_SERVER_ERROR, failure.to_string()).into_response();
        }
    };
    Json(match asked {
        Asked::Referral { .. } => referral(&account),
        Asked::MaxBuilderFee { builder, .. } => {
            json!(if info.is_builder(builder.0) { account.max_builder_fee } else { 0 })
        }
        Asked::UserAbstraction { .. } => json!(account.mode),
        Asked::ClearinghouseState { .. } => perps_state(&account),
        Asked::SpotClearinghouseState { .. } => spot_state(&account),
        Asked::PreTransferCheck { user, .. } => {
            let leaves = user == SYSTEM_ADDRESS;
            let fee = if leaves { account.transfer_fee } else { Usdc::default() };
            let is_sanctioned = !leaves && account.is_sanctioned;
            json!({
                "fee": fee, "isSanctioned": is_sanctioned, "userExists": true, "userHasSentTx": false,
            })
        }
    })
    .into_response()
}

impl Asked {
    fn wallet(&self) -> JsonAddress {
        match self {
            Self::Referral { user }
            | Self::MaxBuilderFee { user, .. }
            | Self::UserAbstraction { user }
            | Self::ClearinghouseState { user }
            | Self::SpotClearinghouseState { user } => *user,
            Self::PreTransferCheck { source, .. } => *source,
        }
    }
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
        "referrerState": match &account.own_code {
            None => json!({ "stage": "needToTrade", "data": { "required": "10000.0" } }),
            Some(code) => json!({
                "stage": "ready", "data": { "code": code, "nReferrals": 0, "referralStates": [] },
            }),
        },
        "rewardHistory": [],
        "tokenToState": [],
    })
}

fn perps_state(account: &Account) -> Value {
    let unified = matches!(account.mode.as_str(), "unifiedAccount" | "portfolioMargin");
    let withdrawable = if unified { Usdc::default() } else { account.perps };
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
    let mut usdc = json!({
        "coin": "USDC", "token": 0, "total": account.spot, "hold": account.hold, "entryNtl": "0.0",
    });
    if let (Some(hold), Some(fields)) = (account.spot_hold, usdc.as_object_mut()) {
        fields.insert("spotHold".to_owned(), json!(hold));
    }
    let gas = json!({
        "coin": "HYPE", "token": 150, "total": account.gas_coins, "hold": "0.0", "entryNtl": "0.0",
    });
    let mut state = json!({ "balances": [usdc, gas] });
    if let (true, Some(fields)) = (account.escrowed > Usdc::default(), state.as_object_mut()) {
        let escrow = json!([{ "coin": "USDC", "token": 0, "total": account.escrowed }]);
        fields.insert("evmEscrows".to_owned(), escrow);
    }
    state
}
