//! `GET /api/perp-venue/status`.

use axum::extract::State;
use serde::Serialize;
use shared::http::{Fields, Input, LiveCaller, OkWith, Query, Result};
use utoipa::{IntoParams, ToSchema};

use crate::{
    Checks, EvmWallet, Gate, VenueWarning,
    app::App,
    venue::{Question, VenueReferrer, usdc::Usdc},
    wallet,
};

/// Query of the status.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct StatusQuery {
    /// An EVM wallet.
    user_address: EvmWallet,
}

impl Input for StatusQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { user_address: EvmWallet::read(fields)? })
    }
}

/// State of a wallet at the venue. If the venue or its chain did not answer, the affected fields are null and
/// `metaData.checks` is `unavailable`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueStatus {
    /// Steps that the wallet has to take before it can trade. An empty list means none only if
    /// `metaData.checks` is `complete`.
    gates: Vec<Gate>,
    /// The wallet's referrer; null if it has none, or if the venue did not answer (`cumulativeVolumeUsd` is
    /// then null too).
    #[schema(required = true)]
    referrer: Option<VenueReferrer>,
    /// Total traded volume in USD, with up to 6 decimals.
    #[schema(required = true)]
    cumulative_volume_usd: Option<Usdc>,
    /// The builder fee that the wallet has approved, in tenths of a basis point: 50 is 0.05%.
    #[schema(required = true, example = 50)]
    max_builder_fee: Option<u64>,
    /// USDC of the wallet on the venue's EVM chain.
    #[schema(required = true)]
    usdc_balance: Option<Usdc>,
    /// USDC that the deposit contract may take from the wallet: 0 except between an approval and its deposit.
    #[schema(required = true)]
    allowance: Option<Usdc>,
    /// The most USDC that one withdrawal can move out of the venue, including the transfer fee.
    #[schema(required = true)]
    venue_balance: Option<Usdc>,
}

/// Information that accompanies a wallet's state.
#[derive(Debug, Serialize, ToSchema)]
pub struct VenueStatusMetaData {
    /// Whether every question was answered.
    checks: Checks,
    /// What the owner should know about the balances.
    warnings: Vec<VenueWarning>,
}

/// Returns a wallet's state at the venue: its balances on both sides, and the steps it has to take before it
/// can trade.
///
/// The venue's answers about a wallet are cached for 5 seconds.
#[utoipa::path(
    get,
    path = "/api/perp-venue/status",
    tag = "perp-venue",
    security(("bearer" = [])),
    params(StatusQuery),
    responses((
        status = 200,
        description = "State of the wallet",
        body = OkWith<VenueStatus, VenueStatusMetaData>
    ))
)]
pub async fn get_venue_status(
    State(app): State<App>,
    caller: LiveCaller,
    Query(query): Query<StatusQuery>,
) -> Result<OkWith<VenueStatus, VenueStatusMetaData>> {
    const QUESTIONS: [Question; 5] =
        [Question::Referral, Question::BuilderFee, Question::Mode, Question::Perps, Question::Spot];
    let wallet = query.user_address.get();
    wallet::count_request(&app, &caller).await?;
    let (state, facts) =
        tokio::join!(app.perp_venue.chain_state(wallet), app.perp_venue.facts(wallet, &QUESTIONS));
    // This endpoint returns nothing to sign, so wrong settings cannot lose funds here.
    let state = state.unwrap_or_default();
    let most = facts.most();
    let known = most.is_some()
        && facts.referral.is_some()
        && state.usdc_balance.is_some()
        && state.allowance.is_some();
    let meta_data = VenueStatusMetaData {
        checks: Checks::for_wallet(&facts, known),
        warnings: VenueWarning::escrowed(&facts).into_iter().collect(),
    };
    let gates = Gate::for_wallet(&facts, app.venue.builder_fee);
    let (referrer, volume) =
        facts.referral.map(|referral| (referral.referrer, referral.volume)).unzip();
    let status = VenueStatus {
        gates,
        referrer: referrer.flatten(),
        cumulative_volume_usd: volume,
        max_builder_fee: facts.builder_fee,
        usdc_balance: state.usdc_balance,
        allowance: state.allowance,
        venue_balance: most,
    };
    Ok(OkWith::new(status, meta_data))
}
