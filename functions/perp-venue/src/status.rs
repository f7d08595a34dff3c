//! `GET /api/perp-venue/status`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    http::{Fields, Input, LiveCaller, OkWith, Query, Result},
    models::usdc::Usdc,
    perp_venue::{Question, Referrer},
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    EvmWallet, VenueMetaData,
    meta_data::{Gate, gates},
};

/// Whose status is asked for.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct StatusQuery {
    /// The wallet: one of the account's own.
    #[param(value_type = String, example = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")]
    user_address: EvmWallet,
}

impl Input for StatusQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { user_address: fields.parsed("userAddress", 128)? })
    }
}

/// Where a wallet stands at the venue. What the venue or its chain did not tell is null, and
/// `metaData.checks` is `unavailable` then.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueStatus {
    /// What it has yet to do before it can trade.
    gates: Vec<Gate>,
    /// Who brought it to the venue; null where nobody did.
    #[schema(required = true)]
    referrer: Option<Referrer>,
    /// What it has traded, in USD.
    #[schema(required = true)]
    cumulative_volume_usd: Option<Usdc>,
    /// The builder fee that it has approved, in tenths of a basis point: 50 are 0.05%.
    #[schema(required = true)]
    max_builder_fee: Option<u64>,
    /// USDC that it has on the venue's EVM chain.
    #[schema(required = true)]
    usdc_balance: Option<Usdc>,
    /// USDC of it that the deposit contract may take: 0 but between an approval and its deposit.
    #[schema(required = true)]
    allowance: Option<Usdc>,
    /// USDC that it can withdraw from the venue.
    #[schema(required = true)]
    venue_balance: Option<Usdc>,
}

/// Where a wallet stands at the venue: its balances on both sides, and what it has yet to do.
///
/// The venue is asked about a wallet every 5 seconds at most.
#[utoipa::path(
    get,
    path = "/api/perp-venue/status",
    tag = "perp-venue",
    security(("bearer" = [])),
    params(StatusQuery),
    responses((
        status = 200,
        description = "Where it stands",
        body = OkWith<VenueStatus, VenueMetaData>
    ))
)]
pub async fn status(
    State(app): State<App>,
    caller: LiveCaller,
    Query(query): Query<StatusQuery>,
) -> Result<OkWith<VenueStatus, VenueMetaData>> {
    const QUESTIONS: [Question; 5] =
        [Question::Referral, Question::BuilderFee, Question::Mode, Question::Perps, Question::Spot];
    let wallet = query.user_address.of(&app, &caller).await?;
    let (state, facts) =
        tokio::join!(app.perp_venue.chain_state(wallet), app.perp_venue.facts(wallet, &QUESTIONS),);
    let fee = app.config.perp_venue.builder_fee;
    let balance = facts.balance();
    let is_told = balance.is_some()
        && facts.referral.is_some()
        && state.usdc.is_some()
        && state.allowance.is_some();
    let meta_data = VenueMetaData::of(&facts, fee, is_told, Vec::new());
    let gates = gates(&facts, fee);
    let (referrer, volume) =
        facts.referral.map(|referral| (referral.referrer, referral.volume)).unzip();
    let status = VenueStatus {
        gates,
        referrer: referrer.flatten(),
        cumulative_volume_usd: volume,
        max_builder_fee: facts.builder_fee,
        usdc_balance: state.usdc,
        allowance: state.allowance,
        venue_balance: balance,
    };
    Ok(OkWith::new(status, meta_data))
}
