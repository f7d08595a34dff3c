//! `POST /api/perp-venue/builder-fee-approval`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    http::{Fields, Input, LiveCaller, OkWith, Result, extract::Valid},
    perp_venue::{BuilderFee, Question, VenueChain},
};
use utoipa::ToSchema;

use crate::{EvmWallet, VenueMetaData, wallet};

/// Whose approval it is, if that matters.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RequestApproval {
    /// The wallet, one of the account's own: `metaData` says then whether it has approved already, where
    /// `checks` is `complete`.
    #[schema(required = false)]
    user_address: Option<EvmWallet>,
}

impl Input for RequestApproval {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { user_address: EvmWallet::read_optional(fields)? })
    }
}

/// What approves the builder fee.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApproveBuilderFee {
    /// `approve_builder_fee`.
    #[schema(value_type = String, example = "approve_builder_fee")]
    kind: &'static str,
    /// What is signed.
    action: ApproveBuilderFeeAction,
}

/// A user-signed action of the venue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApproveBuilderFeeAction {
    /// `approveBuilderFee`.
    #[schema(value_type = String, example = "approveBuilderFee")]
    r#type: &'static str,
    /// The network. The venue's own name of this key is `hyperliquidChain`.
    venue_chain: VenueChain,
    /// The chain id that it is signed for, 0x and hex.
    #[schema(example = "0x3e7")]
    signature_chain_id: String,
    /// The highest fee that is approved; `0.05%` are the 50 of `maxBuilderFee`.
    max_fee_rate: BuilderFee,
    /// Who earns it, in lowercase.
    #[schema(example = "0x00000000000000000000000000000000000000aa")]
    builder: String,
}

/// The action that approves the builder fee of the platform. A wallet signs it once, after its first
/// deposit: the venue refuses it before.
///
/// The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs by the venue's
/// user-signed-action signing (EIP-712), and posts it to the venue itself. Nothing is kept:
/// `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/builder-fee-approval",
    operation_id = "perp_venue_builder_fee_approval",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = RequestApproval,
    responses((
        status = 200,
        description = "The action",
        body = OkWith<ApproveBuilderFee, VenueMetaData>
    ))
)]
pub async fn approve_builder_fee(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<RequestApproval>,
) -> Result<OkWith<ApproveBuilderFee, VenueMetaData>> {
    let venue = &app.config.perp_venue;
    let meta_data = match request.user_address {
        Some(wallet) => {
            let wallet = wallet.owned_by(&app, &caller)?;
            wallet::count(&app, &caller).await?;
            let facts = app.perp_venue.facts(wallet, &[Question::BuilderFee]).await;
            VenueMetaData::of(&facts, venue.builder_fee, true, Vec::new())
        }
        None => VenueMetaData::without_wallet(),
    };
    let action = ApproveBuilderFeeAction {
        r#type: "approveBuilderFee",
        venue_chain: venue.chain,
        signature_chain_id: venue.signature_chain_id(),
        max_fee_rate: venue.builder_fee,
        builder: format!("{:#x}", venue.builder),
    };
    Ok(OkWith::new(ApproveBuilderFee { kind: "approve_builder_fee", action }, meta_data))
}
