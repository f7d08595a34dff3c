//! `GET /api/perp-venue/status`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    http::{Fields, Input, LiveCaller, OkWith, Query, Result},
    models::usdc::Usdc,
    perp_venue::{Question, VenueReferrer},
};
use utoipa::{IntoParams, ToSchema};

use crate::{EvmWallet, Gate, VenueMetaData, wallet};

/// Whose status is asked for.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
pub struct StatusQuery {
    /// The wallet: one of the account's own, now or before a rotation.
    user_address: EvmWallet,
}

impl Input for StatusQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { user_address: EvmWallet::read(fields)? })
    }
}

/// Where a wallet stands at the venue. What the venue or its chain did not tell is null, and
/// `metaData.checks` is `unavailable` then.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VenueStatus {
    /// What it has yet to do before it can trade; empty says so where `checks` is `complete`.
    gates: Vec<Gate>,
    /// Who brought it to the venue; null where nobody did, or where it was not told, as
    /// `cumulativeVolumeUsd` is null then.
    #[schema(required = true)]
    referrer: Option<VenueReferrer>,
    /// What it has traded, in USD, to the millionth.
    #[schema(required = true)]
    cumulative_volume_usd: Option<Usdc>,
    /// The builder fee that it has approved, in tenths of a basis point: 50 are 0.05%.
    #[schema(required = true, example = 50)]
    max_builder_fee: Option<u64>,
    /// USDC that it has on the venue's EVM chain.
    #[schema(required = true)]
    usdc_balance: Option<Usdc>,
    /// USDC of it that the deposit contract may take: 0 but between an approval and its deposit.
    #[schema(required = true)]
    allowance: Option<Usdc>,
    /// The most USDC that it can withdraw from the venue at once, the fee of the transfer included.
    #[schema(required = true)]
    venue_balance: Option<Usdc>,
}

/// Where a wallet stands at the venue: its balances on both sides, and what it has yet to do.
///
/// The venue's answers about a wallet are kept for 5 seconds.
#[utoipa::path(
    get,
    path = "/api/perp-venue/status",
    operation_id = "perp_venue_status",
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
    let wallet = query.user_address.once_owned_by(&app, &caller)?;
    wallet::count(&app, &caller).await?;
    let (state, facts) =
        tokio::join!(app.perp_venue.chain_state(wallet), app.perp_venue.facts(wallet, &QUESTIONS));
    // Nothing is to be signed here, so that nothing can be lost by wrong settings.
    let state = state.unwrap_or_default();
    let most = facts.most();
    let known = most.is_some()
        && facts.referral.is_some()
        && state.usdc_balance.is_some()
        && state.allowance.is_some();
    let fee = app.config.perp_venue.builder_fee;
    let meta_data = VenueMetaData::of(&facts, fee, known, Vec::new());
    let (referrer, volume) =
        facts.referral.map(|referral| (referral.referrer, referral.volume)).unzip();
    let status = VenueStatus {
        gates: meta_data.gates().to_vec(),
        referrer: referrer.flatten(),
        cumulative_volume_usd: volume,
        max_builder_fee: facts.builder_fee,
        usdc_balance: state.usdc_balance,
        allowance: state.allowance,
        venue_balance: most,
    };
    Ok(OkWith::new(status, meta_data))
}
