//! Sign-in by password: `POST /auth/srp/init`, and the second half of its handshake.

use axum::extract::State;
use base64::{Engine, prelude::BASE64_STANDARD};
use shared::{
    app::App,
    auth::{
        AuthError,
        handshake::{self, NOBODY, Purpose, SrpProof, SrpSession, SrpSubject},
        rate_limit::{
            self, HANDSHAKE_BY_ACCOUNT, HANDSHAKE_BY_SOURCE, HANDSHAKE_BY_STRANGERS, hit,
            hit_source, subject_of_email,
        },
        second_factor::LONGEST_CODE,
    },
    http::{Envelope, Fields, Input, Result, Valid, all_of},
    models::email::{self, EmailAddress},
    store::{Key, accounts, credentials::Credentials},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::client::Client;

/// Who will prove a password.
#[derive(Debug, ToSchema)]
pub struct SrpInit {
    /// The account's e-mail address.
    #[schema(max_length = 254)]
    email: EmailAddress,
}

impl Input for SrpInit {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { email: fields.parsed("email", email::LONGEST)? })
    }
}

/// The first half of a sign-in by password.
///
/// An address that is nobody's is answered alike: its salt never changes, and the work is the same.
#[utoipa::path(
    post,
    path = "/auth/srp/init",
    tag = "auth",
    request_body = SrpInit,
    responses((status = 200, description = "The handshake", body = Envelope<SrpSession>))
)]
pub async fn srp_init(
    State(app): State<App>,
    client: Client,
    Valid(body): Valid<SrpInit>,
) -> Result<Envelope<SrpSession>> {
    let email = &body.email;
    let (limited, owner) = tokio::join!(
        hit_source(&app, HANDSHAKE_BY_SOURCE, client.source_ip()),
        accounts::email_owner(&app.store, email),
    );
    limited?;
    let account = owner?.map_or(NOBODY, |owner| owner.account_id);
    let source = client.source_ip().map(rate_limit::subject_of);
    let found = handshake::credentials_of(&app, account, source.as_deref()).await?;
    // The record of an address may be another's by now.
    let known = is_of(found.as_ref(), email);
    let subject = subject_of_email(email);
    let here = format!("{subject}#{}", source.as_deref().unwrap_or_default());
    hit(&app, HANDSHAKE_BY_ACCOUNT, &here).await?;
    // Counted for all, so that the count of writes tells nothing; it holds for strangers alone.
    match hit(&app, HANDSHAKE_BY_STRANGERS, &subject).await {
        Err(AuthError::RateLimited { .. })
            if found.as_ref().is_some_and(|found| found.knows_source) => {}
        counted => counted?,
    }
    let credential = found.as_ref().and_then(|found| found.srp.as_ref());
    let subject = SrpSubject { email, account, credential, known };
    Ok(Envelope::ok(handshake::begin_srp(&app, Purpose::SignIn, subject).await?))
}

/// Whether an address is that of the account that was read for it.
fn is_of(found: Option<&Credentials>, email: &EmailAddress) -> bool {
    found.is_some_and(|found| found.account.email.as_ref() == Some(email))
}

/// The second half of a sign-in by password.
pub struct SrpAnswer {
    proof: SrpProof,
    pub(crate) otp_code: Option<String>,
}

impl PartialSchema for SrpAnswer {
    fn schema() -> RefOr<Schema> {
        all_of(&["SrpProof", "SecondFactor"])
    }
}

impl ToSchema for SrpAnswer {}

impl Input for SrpAnswer {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let proof = SrpProof::read(fields);
        let otp_code = fields.optional_text("otpCode", LONGEST_CODE);
        Some(Self { proof: proof?, otp_code: otp_code? })
    }
}

impl SrpAnswer {
    /// The account whose password was proved, and the service's own proof, base64.
    pub(crate) async fn prove(
        &self,
        app: &App,
        client: &Client,
    ) -> Result<(Credentials, String), AuthError> {
        let prepared = self.proof.prepare(app, Purpose::SignIn).await?;
        let source = client.source_ip().map(rate_limit::subject_of);
        let (consumed, found) = tokio::join!(
            prepared.consume(app),
            handshake::credentials_of(app, prepared.account, source.as_deref()),
        );
        consumed?;
        let found = found?;
        let known = is_of(found.as_ref(), &prepared.email);
        let credential = found.as_ref().and_then(|found| found.srp.as_ref());
        let server_proof = prepared.check(app, credential, known).await?;
        let mut found = found.ok_or(AuthError::Credentials)?;
        found.keystore = app.store.get(&Key::keystore(prepared.account)).await?;
        Ok((found, BASE64_STANDARD.encode(server_proof)))
    }
}

/// The code of a second factor, beside a proof.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code)]
pub struct SecondFactor {
    /// 6 digits or a recovery code, where the account has a second factor.
    #[schema(required = false, max_length = 64)]
    otp_code: Option<String>,
}
