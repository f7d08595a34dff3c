//! `POST /api/account/2fa/setup` and `POST /api/account/2fa/toggle`.

use std::fmt;

use axum::extract::State;
use base::secret::reveal;
use base64::{Engine, prelude::BASE64_STANDARD};
use identity::{
    activity::{self, Entry},
    credentials::{self, TotpCredential},
    device,
    second_factor::{self, Accepted, Code, LONGEST_CODE},
};
use qrcode::{EcLevel, QrCode, render::svg};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use shared::{
    auth::AuthError,
    crypto::vault::Sealed,
    http::{Envelope, Error, Fields, Input, Problem, ReauthenticatedCaller, Result, Valid},
    keys,
    models::{account::Account, change::AccountChange},
};
use store::{Update, Writes};
use utoipa::ToSchema;

use crate::{AccountError, app::App};

/// What an authenticator app needs. Nothing changes until one of its codes is sent to `2fa/toggle`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotpSetup {
    /// `otpauth://totp/...` (SHA-1, 6 digits, 30 s).
    #[serde(serialize_with = "reveal")]
    #[schema(value_type = String)]
    otpauth_uri: SecretString,
    /// The secret for users who cannot scan: base32 of 20 bytes.
    #[serde(serialize_with = "reveal")]
    #[schema(value_type = String)]
    secret: SecretString,
    /// The URI as a QR code: `data:image/svg+xml;base64,...`.
    #[serde(serialize_with = "reveal")]
    #[schema(value_type = String)]
    qr_code: SecretString,
}

/// Creates a secret for the second factor. A secret in use stays in use until the new one is confirmed with
/// `2fa/toggle`.
#[utoipa::path(
    post,
    path = "/api/account/2fa/setup",
    tag = "credentials",
    security(("bearer" = [])),
    responses((status = 200, description = "The secret", body = Envelope<TotpSetup>))
)]
pub async fn set_up_totp(
    State(app): State<App>,
    ReauthenticatedCaller(caller): ReauthenticatedCaller,
) -> Result<Envelope<TotpSetup>> {
    let id = caller.account.id;
    let setup = second_factor::set_up(&app, id, &caller.account.display_name()).await?;
    let key = keys::totp(id);
    let stored = app.store.get::<TotpCredential>(&key).await?;
    let writes = match &stored {
        Some(_) => {
            let update = Update::new().set(TotpCredential::PENDING, &setup.pending);
            Writes::new().update(&key, update, AuthError::Changed)
        }
        None => {
            let pending = Some(setup.pending.clone());
            let first = TotpCredential { pending, ..TotpCredential::default() };
            Writes::new().insert(&key, &first, AuthError::Changed)
        }
    };
    app.store.commit(writes).await?;
    let qr_code = qr_code(&setup.uri).ok_or(Error::new(Problem::Internal))?;
    Ok(Envelope::ok(TotpSetup { otpauth_uri: setup.uri, secret: setup.secret, qr_code }))
}

/// Renders a text as a QR code: an SVG in a data URI.
fn qr_code(text: &SecretString) -> Option<SecretString> {
    let code = QrCode::with_error_correction_level(text.expose_secret(), EcLevel::M).ok()?;
    let image = code
        .render::<svg::Color<'_>>()
        .min_dimensions(240, 240)
        .dark_color(svg::Color("#000"))
        .light_color(svg::Color("#fff"))
        .build();
    Some(format!("data:image/svg+xml;base64,{}", BASE64_STANDARD.encode(image)).into())
}

/// A code of the second factor.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ToggleTotp {
    /// 6 digits; to disable the second factor, a recovery code also works. White space and dashes do not count.
    /// `code`, `otp` and `token` are aliases of this field.
    #[schema(min_length = 6, max_length = 64, value_type = String)]
    otp_code: Code,
}

impl Input for ToggleTotp {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let names = ["otpCode", "code", "otp", "token"];
        let name = names.into_iter().find(|name| fields.has(name)).unwrap_or("otpCode");
        Some(Self { otp_code: fields.parsed(name, LONGEST_CODE)? })
    }
}

/// The state of the second factor.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotpState {
    /// Whether sign-in requires a code.
    enabled: bool,
    /// After enabling: ten single-use codes in case the app is lost. They are shown only once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Vec<String>)]
    recovery_codes: Option<Vec<String>>,
}

impl fmt::Debug for TotpState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TotpState").field("enabled", &self.enabled).finish_non_exhaustive()
    }
}

/// Enables the second factor with a code of the new secret, or disables it with a code of the secret in use.
/// Within 15 minutes after a sign-in, a code of a new secret replaces the secret in use. Every other session
/// ends.
#[utoipa::path(
    post,
    path = "/api/account/2fa/toggle",
    tag = "credentials",
    security(("bearer" = [])),
    request_body = ToggleTotp,
    responses((status = 200, description = "The new state of the second factor", body = Envelope<TotpState>))
)]
pub async fn toggle_totp(
    State(app): State<App>,
    ReauthenticatedCaller(caller): ReauthenticatedCaller,
    Valid(body): Valid<ToggleTotp>,
) -> Result<Envelope<TotpState>> {
    let id = caller.account.id;
    let device = device::known_to(&app, &caller.account, caller.context.device.as_ref()).await?;
    let device = device.as_deref();
    let found = credentials::find(&app.store, id, None).await?;
    let totp = found.and_then(|found| found.totp).unwrap_or_default();
    if totp.secret.is_none() && totp.pending.is_none() {
        return Err(AccountError::TotpNotSetUp.into());
    }
    let code = &body.otp_code;
    let context = &caller.context;
    let checked = second_factor::check(&app, id, &totp, code, true, context, device).await;
    let accepted = match checked {
        Err(AuthError::Otp) => return Err(AccountError::TotpCode.into()),
        accepted => accepted?,
    };
    let off = || {
        Update::new()
            .set(TotpCredential::SECRET, None::<Sealed>)
            .set(TotpCredential::PENDING, None::<Sealed>)
            .set(TotpCredential::RECOVERY, Vec::<String>::new())
    };
    if matches!(accepted, Accepted::Pending(_)) && totp.secret.is_some() {
        // A code of the secret in use is not required here, so the session must have been opened recently,
        // with one.
        caller.signed_in_recently(&app)?;
    }
    let (update, codes) = match &accepted {
        Accepted::Pending(step) => {
            let (codes, hashes) = second_factor::recovery_codes(&*app.random, id);
            let update = Update::new()
                .set(TotpCredential::SECRET, &totp.pending)
                .set(TotpCredential::PENDING, None::<Sealed>)
                .set(TotpCredential::RECOVERY, hashes)
                .set(TotpCredential::LAST_STEP, step)
                .if_equal(TotpCredential::PENDING, &totp.pending);
            (update, Some(codes))
        }
        Accepted::Current { secret, step } => {
            let update = off()
                .set(TotpCredential::LAST_STEP, step)
                .if_below(TotpCredential::LAST_STEP, step);
            (update.if_equal(TotpCredential::SECRET, secret), None)
        }
        Accepted::Recovery { before, .. } => {
            (off().if_equal(TotpCredential::RECOVERY, before), None)
        }
    };
    let enabled = codes.is_some();
    let change = if enabled { AccountChange::TotpEnabled } else { AccountChange::TotpDisabled };
    let entry = Entry::by_caller(&app, &caller, change).await?;
    let committed = activity::commit(&app, &caller.account, entry, || {
        let rows = Writes::new().update(&keys::totp(id), update.clone(), AuthError::Otp);
        caller.end_other_sessions(rows, caller.update().set(Account::TOTP_ENABLED, enabled))
    });
    match committed.await {
        // Another request used the code first. Respond as to any used code.
        Err(AuthError::Otp) => return Err(AccountError::TotpCode.into()),
        committed => committed?,
    }
    second_factor::forget_attempts(&app, id, device).await;
    device::carry_over(&app, &caller.account, caller.context.device.as_ref()).await;
    Ok(Envelope::ok(TotpState { enabled, recovery_codes: codes }))
}
