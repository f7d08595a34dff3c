//! `POST /api/transactions/max-spent`.

use axum::extract::State;
use bitcoin::ScriptBuf;
use chain::{
    bitcoin::{
        address,
        coins::{CoinSum, LeftAside},
        plan::Largest,
        runes::Rune,
    },
    models::{amount::Units, fee::FeeTarget},
    transactions::{self, ChainError, Fee},
};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use shared::{
    auth::limits::{self, WALLET_BY_ACCOUNT},
    http::{Envelope, Error, Fields, Input, LiveCaller, Problem, Result, Valid},
    models::{bitcoin::BitcoinToken, trading_wallet::RENEWAL_NEEDED_BELOW},
};
use utoipa::ToSchema;

use crate::app::App;

/// Blocks that a coin of a first batch must have left beyond those that mints require, so that the batch can
/// be replaced for a day.
const REPLACEABLE_FOR: u32 = 144;
/// The most requests of a batch.
const MOST_REQUESTS: u64 = 2_100_000_000_000_000;

/// What the amount is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SpendType {
    /// A withdrawal to a Bitcoin address.
    Withdraw,
    /// A withdrawal through the hub.
    XchainWithdraw,
    /// A first batch of requests of a mint. `virtual-mint` is accepted too.
    #[serde(rename = "virtual_mint", alias = "virtual-mint")]
    VirtualMint,
}

/// Request body for the largest amount.
#[derive(Debug, ToSchema)]
pub struct MaxSpent {
    r#type: SpendType,
    params: MaxSpentParams,
}

/// Parameters for the largest amount.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MaxSpentParams {
    /// The token: a rune id, or `0:0` for BTC; a mint accepts only BTC.
    token_id: BitcoinToken,
    /// The recipient, whose address determines the weight of its output; by default, the heaviest output is
    /// assumed.
    #[schema(max_length = 128)]
    withdraw_to: Option<String>,
    /// How fast it should confirm; `normal` by default.
    fee_target: Option<FeeTarget>,
    /// The number of requests of a batch; the amount is a multiple of it.
    #[schema(minimum = 1, maximum = 2_100_000_000_000_000_i64)]
    request_count: Option<u64>,
}

impl Input for MaxSpent {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (r#type, params) = (fields.required("type"), fields.object("params"));
        Some(Self { r#type: r#type?, params: params? })
    }
}

impl Input for MaxSpentParams {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let token_id = fields.parsed("tokenId", 31);
        let withdraw_to = fields.optional_text("withdrawTo", 128);
        let fee_target = fields.optional_parsed("feeTarget", 16);
        let request_count = fields.optional("requestCount");
        let request_count = fields.in_range("requestCount", request_count, 1..=MOST_REQUESTS);
        Some(Self {
            token_id: token_id?,
            withdraw_to: withdraw_to?,
            fee_target: fee_target?,
            request_count: request_count?,
        })
    }
}

/// The largest amount that one transaction can pay now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LargestAmount {
    /// Sats that the recipient can get; 0 if the token is a rune.
    max_sats_amt: u64,
    /// The amount in the token's smallest unit.
    max_amount: Units,
    /// The fee rate of the transaction, in sat/vB.
    #[schema(value_type = f64, example = 5.25)]
    fee_rate: Number,
    /// Its fee, in sats.
    fee: u64,
    /// Coins that it would spend.
    coins: usize,
    /// Coins that it would not spend, by reason.
    left_out: Vec<LeftOut>,
}

/// Coins that a transaction would not spend.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    reason: Reason,
    /// Number of coins.
    coins: usize,
    /// Their total in sats.
    sats: u64,
}

/// Why coins are not spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    /// They do not fit into one transaction, cost more in fees than they are worth, or will soon be spendable
    /// by the user alone.
    NotSpent,
    /// They are not in a block yet.
    Unconfirmed,
    /// They are mined, with fewer than 100 confirmations.
    Immature,
    /// Other transactions of the account hold them.
    Reserved,
    /// They carry inscriptions.
    Inscribed,
    /// Their contents are unknown.
    Unknown,
    /// They were not read, because they are among the least valuable of several thousand coins.
    NotRead,
}

fn left_out(left: CoinSum, aside: &LeftAside) -> Vec<LeftOut> {
    let reasons = [
        (Reason::NotSpent, left),
        (Reason::Unconfirmed, aside.unconfirmed),
        (Reason::Immature, aside.immature),
        (Reason::Reserved, aside.reserved),
        (Reason::Inscribed, aside.inscribed),
        (Reason::Unknown, aside.unknown),
        (Reason::NotRead, aside.not_read),
    ];
    let some = reasons.into_iter().filter(|(_, sum)| sum.coins > 0);
    some.map(|(reason, CoinSum { coins, sats })| LeftOut { reason, coins, sats }).collect()
}

/// Returns the largest amount that one transaction of the caller's trading wallet can pay now. The request
/// reserves nothing: a withdrawal with `amount: "max"` calculates the amount and reserves its coins in one
/// step. Coins of unsigned transactions count, because the withdrawal ends those transactions.
#[utoipa::path(
    post,
    path = "/api/transactions/max-spent",
    tag = "transactions",
    security(("bearer" = [])),
    request_body = MaxSpent,
    responses((status = 200, description = "The largest amount", body = Envelope<LargestAmount>))
)]
pub async fn calculate_max_spent(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<MaxSpent>,
) -> Result<Envelope<LargestAmount>> {
    let MaxSpent { r#type, params } = body;
    let wallet = caller.account.trading_wallet.as_ref();
    let wallet = wallet.ok_or(Error::new(Problem::NoTradingWallet))?;
    // No standard output is heavier than that of a trading address.
    let to = match &params.withdraw_to {
        Some(text) => address::parse_recipient(text, app.network)
            .map_err(|error| Error::field("params.withdrawTo", error))?
            .script_pubkey(),
        None => wallet.descriptor.script_pubkey(),
    };
    if r#type == SpendType::VirtualMint && params.token_id != BitcoinToken::Btc {
        return Err(Error::field("params.tokenId", "must be 0:0 for a mint"));
    }
    limits::hit(&app, WALLET_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let largest = largest(&app, params.token_id, to).await?;
    let has_data = r#type == SpendType::XchainWithdraw
        && (params.token_id == BitcoinToken::Btc || app.second_op_return);
    let least_blocks_left = match r#type {
        SpendType::VirtualMint => RENEWAL_NEEDED_BELOW.saturating_add(REPLACEABLE_FOR),
        SpendType::Withdraw | SpendType::XchainWithdraw => 0,
    };
    let found = transactions::largest_payment(
        &app,
        (caller.account.id, wallet),
        (largest, has_data.then_some([0; 32])),
        params.fee_target.unwrap_or_default(),
        least_blocks_left,
    );
    let found = found.await?;
    let amount = match params.request_count.filter(|_| r#type == SpendType::VirtualMint) {
        Some(count) => {
            let rest = found.amount.0.checked_rem(count.into()).unwrap_or_default();
            Units(found.amount.0.saturating_sub(rest))
        }
        None => found.amount,
    };
    let sats = match params.token_id {
        BitcoinToken::Btc => u64::try_from(amount.0).unwrap_or(u64::MAX),
        BitcoinToken::Rune(_) => 0,
    };
    let fee = found.plan.fee.to_sat();
    Ok(Envelope::ok(LargestAmount {
        max_sats_amt: sats,
        max_amount: amount,
        fee_rate: Fee::of(fee, found.plan.weight.to_wu())?.rate().clone(),
        fee,
        coins: found.plan.inputs.len(),
        left_out: left_out(found.left, &found.left_aside),
    }))
}

async fn largest(app: &App, token: BitcoinToken, to: ScriptBuf) -> Result<Largest, ChainError> {
    match token {
        BitcoinToken::Btc => Ok(Largest::Btc { to }),
        BitcoinToken::Rune(id) => {
            let rune = app.ord.rune(id).await?.ok_or(ChainError::RuneUnknown)?;
            Ok(Largest::Rune { rune: Rune { id, name: rune.entry.spaced_rune }, to })
        }
    }
}
