//! `POST /api/perp-venue/referral`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    app::App,
    http::{Fields, Input, LiveCaller, OkWith, Result, extract::Valid},
    perp_venue::{Question, Referral, ReferralCode},
};
use utoipa::ToSchema;

use crate::{EvmWallet, VenueMetaData, wallet};

/// Whose referrer is to be set.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RequestReferral {
    /// The wallet: one of the account's own.
    user_address: EvmWallet,
}

impl Input for RequestReferral {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { user_address: EvmWallet::read(fields)? })
    }
}

/// What sets the referrer.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetReferrer {
    /// `set_referrer`.
    #[schema(value_type = String, example = "set_referrer")]
    kind: &'static str,
    /// What is signed.
    action: SetReferrerAction,
}

/// An L1 action of the venue. Its MessagePack form is hashed, so its keys have to stay in this order.
#[derive(Debug, Serialize, ToSchema)]
pub struct SetReferrerAction {
    /// `setReferrer`.
    #[schema(value_type = String, example = "setReferrer")]
    r#type: &'static str,
    /// The code, 1 to 20 characters.
    code: ReferralCode,
}

/// The action that sets the referrer of a wallet at the venue; null where there is none to be set: no
/// code is configured, the wallet has a referrer, or it has traded 10,000 USD, from where on the venue
/// takes none.
///
/// The client signs it by the venue's L1-action signing, and posts it to the venue itself. Where the
/// venue cannot be asked, `metaData.checks` is `unavailable` and the action is answered all the same, to a
/// wallet that has a referrer too: it would bounce. Nothing is kept: `Idempotency-Key` is ignored.
#[utoipa::path(
    post,
    path = "/api/perp-venue/referral",
    operation_id = "perp_venue_referral",
    tag = "perp-venue",
    security(("bearer" = [])),
    request_body = RequestReferral,
    responses((
        status = 200,
        description = "The action, or null",
        body = OkWith<Option<SetReferrer>, VenueMetaData>
    ))
)]
pub async fn referral(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(request): Valid<RequestReferral>,
) -> Result<OkWith<Option<SetReferrer>, VenueMetaData>> {
    let wallet = request.user_address.owned_by(&app, &caller)?;
    wallet::count(&app, &caller).await?;
    let venue = &app.config.perp_venue;
    let questions: &[_] = match venue.referral_code {
        Some(_) => &[Question::Referral, Question::BuilderFee],
        None => &[Question::BuilderFee],
    };
    let facts = app.perp_venue.facts(wallet, questions).await;
    let known = venue.referral_code.is_none() || facts.referral.is_some();
    let is_open = facts.referral.as_ref().is_none_or(Referral::is_open);
    let code = venue.referral_code.clone().filter(|_| is_open);
    let action = code.map(|code| SetReferrer {
        kind: "set_referrer",
        action: SetReferrerAction { r#type: "setReferrer", code },
    });
    let meta_data = VenueMetaData::of(&facts, venue.builder_fee, known, Vec::new());
    Ok(OkWith::new(action, meta_data))
}
