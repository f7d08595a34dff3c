//! `POST /api/perp-venue/builder-fee-approval`.

use axum::extract::State;
use serde::Serialize;
use shared::http::{Fields, Input, LiveCaller, OkWith, Result, extract::Valid};
use utoipa::ToSchema;

use crate::{
    EvmWallet, VenueMetaData,
    app::App,
    venue::{
        BuilderFee, Question, Signing,
        TypedValue::{Address, Text},
        VenueChain,
    },
    wallet,
};

/// Request body of the builder-fee approval.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RequestApproval {
    /// The EVM wallet that signs. If given, `metaData` says whether it has already approved the fee
    /// (reliable only if `checks` is `complete`).
    #[schema(required = false)]
    user_address: Option<EvmWallet>,
}

impl Input for RequestApproval {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { user_address: EvmWallet::read_optional(fields)? })
    }
}

/// The approval to sign.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApproveBuilderFee {
    /// Always `approve_builder_fee`.
    #[schema(value_type = String, example = "approve_builder_fee")]
    kind: &'static str,
    /// The action that the wallet signs.
    action: ApproveBuilderFeeAction,
    /// What the wallet signs for the action.
    signing: Signing,
}

/// A user-signed action of the venue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApproveBuilderFeeAction {
    /// Always `approveBuilderFee`.
    #[schema(value_type = String, example = "approveBuilderFee")]
    r#type: &'static str,
    /// The network. The venue calls this key `hyperliquidChain`.
    venue_chain: VenueChain,
    /// The chain id that the signature covers, 0x and hex.
    #[schema(example = "0x3e7")]
    signature_chain_id: String,
    /// The highest fee that the wallet approves: `0.05%` is a `maxBuilderFee` of 50.
    max_fee_rate: BuilderFee,
    /// Address of the builder that earns the fee, in lowercase.
    #[schema(example = "0x00000000000000000000000000000000000000aa")]
    builder: String,
}

/// Builds the action that approves the platform's builder fee. A wallet signs the action once, after its first
/// deposit; before the deposit, the venue refuses it.
///
/// The client adds a nonce in ms, renames `venueChain` to the venue's own name, signs with the venue's
/// user-signed-action scheme (EIP-712) and posts it to the venue itself. `signing` contains the typed data and
/// the digest to compare with. The service stores nothing, so `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/builder-fee-approval",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = RequestApproval,
    responses((
        status = 200,
        description = "The action",
        body = OkWith<ApproveBuilderFee, VenueMetaData>
    ))
)]
pub async fn build_venue_builder_fee_approval(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<RequestApproval>,
) -> Result<OkWith<ApproveBuilderFee, VenueMetaData>> {
    let venue = &app.venue;
    let meta_data = match request.user_address {
        Some(wallet) => {
            let wallet = wallet.get();
            wallet::count_request(&app, &caller).await?;
            let facts = app.perp_venue.facts(wallet, &[Question::BuilderFee]).await;
            VenueMetaData::for_wallet(&facts, venue.builder_fee, true, Vec::new())
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
    let rate = action.max_fee_rate.to_string();
    let fields = vec![("maxFeeRate", Text(&rate)), ("builder", Address(venue.builder))];
    let now = app.clock.now();
    let primary_type = "HyperliquidTransaction:ApproveBuilderFee";
    let signing = Signing::user_action(venue, primary_type, fields, now);
    Ok(OkWith::new(ApproveBuilderFee { kind: "approve_builder_fee", action, signing }, meta_data))
}
