//! `POST /api/perp-venue/referral`.

use axum::extract::State;
use serde::Serialize;
use shared::http::{Fields, Input, LiveCaller, OkWith, Result, extract::Valid};
use utoipa::ToSchema;

use crate::{
    EvmWallet, VenueMetaData, VenueWarning, VenueWarningKind,
    app::App,
    venue::{Question, Referral, ReferralCode, Signing},
    wallet,
};

/// Request body of the referral.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RequestReferral {
    /// The EVM wallet that signs.
    user_address: EvmWallet,
}

impl Input for RequestReferral {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { user_address: EvmWallet::read(fields)? })
    }
}

/// The referral to sign.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetReferrer {
    /// Always `set_referrer`.
    #[schema(value_type = String, example = "set_referrer")]
    kind: &'static str,
    /// The action that the wallet signs.
    action: SetReferrerAction,
    /// What the wallet signs for the action.
    signing: Signing,
}

/// An L1 action of the venue. The venue hashes its MessagePack form, so the order of the keys is fixed.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetReferrerAction {
    /// Always `setReferrer`.
    #[schema(value_type = String, example = "setReferrer")]
    r#type: &'static str,
    /// The referral code, 1 to 20 characters.
    code: ReferralCode,
}

/// Builds the action that sets the referrer of a wallet at the venue. The action is null if no code is
/// configured, if the wallet already has a referrer, or if the wallet has traded 10,000 USD, from which point
/// the venue accepts no referrer.
///
/// The client signs it with the venue's L1-action scheme and posts it to the venue itself. `signing` contains
/// the typed data and the digest to compare with. If the venue cannot be reached, `metaData.checks` is
/// `unavailable` and the action is returned even for a wallet that may have a referrer; the venue then rejects
/// it. The service stores nothing, so `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/referral",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = RequestReferral,
    responses((
        status = 200,
        description = "The action, or null",
        body = OkWith<Option<SetReferrer>, VenueMetaData>
    ))
)]
pub async fn build_venue_referral(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<RequestReferral>,
) -> Result<OkWith<Option<SetReferrer>, VenueMetaData>> {
    let wallet = request.user_address.get();
    wallet::count_request(&app, &caller).await?;
    let venue = &app.venue;
    let questions: &[_] = match venue.referral_code {
        Some(_) => &[Question::Referral, Question::BuilderFee],
        None => &[Question::BuilderFee],
    };
    let facts = app.perp_venue.facts(wallet, questions).await;
    let known = venue.referral_code.is_none() || facts.referral.is_some();
    let is_open = facts.referral.as_ref().is_none_or(Referral::is_open);
    let code = venue.referral_code.clone().filter(|_| is_open);
    let now = app.clock.now();
    let action = code.map(|code| {
        let action = SetReferrerAction { r#type: "setReferrer", code };
        let signed = [("type", action.r#type), ("code", action.code.as_str())];
        let signing = Signing::l1_action(venue, signed, now);
        SetReferrer { kind: "set_referrer", action, signing }
    });
    let own_code = facts.referral.as_ref().and_then(|referral| referral.own_code.as_deref());
    let is_own = action.as_ref().is_some_and(|it| Some(it.action.code.as_str()) == own_code);
    let warning = is_own.then(|| {
        let message = "The referral code is the wallet's own, and the venue refuses that.";
        VenueWarning::new(VenueWarningKind::OwnReferralCode, message, None)
    });
    let warnings = warning.into_iter().collect();
    let meta_data = VenueMetaData::for_wallet(&facts, venue.builder_fee, known, warnings);
    Ok(OkWith::new(action, meta_data))
}
