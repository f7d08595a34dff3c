//! Sign-in by password: `POST /auth/srp/init`, and the second step of its handshake.

use std::str::FromStr;

use axum::extract::State;
use base64::{Engine, prelude::BASE64_STANDARD};
use identity::{
    credentials::Credentials,
    failed_proofs::{self, Proof},
    guess,
    handshake::{self, HandshakePurpose, NOBODY, SrpProof, SrpSession, SrpSubject},
    second_factor::{Code, LONGEST_CODE},
};
use shared::{
    accounts,
    auth::{
        AuthError,
        device_token::DeviceHeader,
        limits::{HANDSHAKE_BY_SOURCE, hit_source, subject_of_name},
    },
    http::{Envelope, Fields, Input, Result, Valid, all_of},
    keys,
    models::{
        account::AccountId,
        email::{self, EmailAddress, NotAnAddress},
    },
};
use store::StoreError;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    accounts::UsedProof, app::App, client::Client, guessed, placeholder_account::read_credentials,
};

/// The account whose password will be proved.
#[derive(Debug, ToSchema)]
pub struct SrpInit {
    /// The account's e-mail address or id. If two accounts name an address that neither has verified, it
    /// refers to the one that named it first.
    #[schema(max_length = 254, value_type = String, example = "name@example.com")]
    email: Name,
}

/// What identifies an account at a sign-in by password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// The e-mail address that the account named.
    Email(EmailAddress),
    /// The account's id.
    Account(AccountId),
}

impl FromStr for Name {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        let id = text.trim().to_ascii_lowercase();
        id.parse().map(Self::Account).or_else(|_| text.parse().map(Self::Email))
    }
}

impl Name {
    fn text(&self) -> String {
        match self {
            Self::Email(email) => email.to_string(),
            Self::Account(account) => account.to_string(),
        }
    }

    /// The account that the name may belong to, in one round trip.
    async fn account(&self, app: &App) -> Result<Option<AccountId>, StoreError> {
        match self {
            Self::Email(email) => {
                let owner = accounts::email_owner(&app.store, email).await?;
                Ok(owner.map(|owner| owner.account_id))
            }
            Self::Account(account) => {
                let found = accounts::get(&app.store, *account).await?;
                Ok(found.map(|account| account.id).filter(|id| *id != NOBODY))
            }
        }
    }
}

/// The SRP identity `I` of the account that was read for a name, if the name still belongs to that account:
/// the record of an e-mail address may have moved to another account in the meantime.
fn identity_of<'a>(found: Option<&'a Credentials>, name: &str) -> Option<&'a EmailAddress> {
    let account = &found?.account;
    let identity = account.email.as_ref()?;
    (identity.as_str() == name || account.id.to_string() == name).then_some(identity)
}

impl Input for SrpInit {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { email: fields.parsed("email", email::LONGEST)? })
    }
}

/// Starts a sign-in by password.
///
/// `email` may also be an account id. The SRP identity `I` is in both cases the e-mail address with which the
/// account was registered or to which it was changed. An account that has not verified its address, or has lost
/// it to an account that did, signs in by its id with that address as `I`. For an unknown name, the response
/// looks the same: its salt never changes, and the service does the same work.
///
/// The service slows down guesses from devices that the account does not know: it returns 429 with
/// `Retry-After`.
#[utoipa::path(
    post,
    path = "/auth/srp/init",
    tag = "auth",
    params(DeviceHeader),
    request_body = SrpInit,
    responses((status = 200, description = "The handshake", body = Envelope<SrpSession>))
)]
pub async fn init_srp_sign_in(
    State(app): State<App>,
    client: Client,
    Valid(body): Valid<SrpInit>,
) -> Result<Envelope<SrpSession>> {
    let name = body.email.text();
    let (limited, account) = tokio::join!(
        hit_source(&app, HANDSHAKE_BY_SOURCE, client.source_ip()),
        body.email.account(&app),
    );
    limited?;
    let account = account?.unwrap_or(NOBODY);
    let device = client.device_hash(account);
    let found = read_credentials(&app, account, device.as_deref()).await?;
    let identity = identity_of(found.as_ref(), &name);
    let known = found.as_ref().and_then(|found| found.device_known_until);
    let device = device.filter(|_| known.is_some());
    let guessed = guessed::subject(account, &name, device.as_deref());
    guess::PASSWORD.count(&app, &guessed, device.as_deref()).await?;
    let credential = found.as_ref().and_then(|found| found.srp.as_ref());
    let subject = SrpSubject { name: &name, account, credential, identity };
    Ok(Envelope::ok(handshake::begin_srp(&app, HandshakePurpose::SignIn, subject).await?))
}

/// The subject for which failed proofs are recorded: the account, or the name if it is unknown.
fn subject(account: Option<AccountId>, name: &str) -> String {
    account.map_or_else(|| subject_of_name(name), |account| account.to_string())
}

/// A correct password proof.
pub(crate) struct SrpProved {
    /// The credentials of the proved account.
    pub(crate) credentials: Credentials,
    /// The e-mail address or account id that the client sent.
    pub(crate) name: String,
    /// The service's own proof, base64.
    pub(crate) server_proof: String,
}

impl SrpProved {
    /// The proof for the sign-in to use up.
    pub(crate) fn used(&self) -> Option<UsedProof> {
        let verifier = self.credentials.srp.as_ref()?.verifier.clone();
        Some(UsedProof::Password { verifier, guessed_for: self.name.clone() })
    }
}

/// The second step of a sign-in by password.
pub struct SrpAnswer {
    proof: SrpProof,
    pub(crate) otp_code: Option<Code>,
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
        let otp_code = fields.optional_parsed("otpCode", LONGEST_CODE);
        Some(Self { proof: proof?, otp_code: otp_code? })
    }
}

impl SrpAnswer {
    /// Checks a password proof.
    pub(crate) async fn prove(&self, app: &App, client: &Client) -> Result<SrpProved, AuthError> {
        let prepared = self.proof.prepare(app, HandshakePurpose::SignIn).await?;
        let device = client.device_hash(prepared.account);
        let (consumed, found) = tokio::join!(
            prepared.consume(app),
            read_credentials(app, prepared.account, device.as_deref()),
        );
        consumed?;
        let found = found?;
        let identity = identity_of(found.as_ref(), &prepared.name);
        let credential = found.as_ref().and_then(|found| found.srp.as_ref());
        let server_proof = match prepared.check(app, credential, identity).await {
            Err(AuthError::Credentials) => {
                let subject = subject(identity.map(|_| prepared.account), &prepared.name);
                failed_proofs::record(app, &subject, Proof::Password).await;
                return Err(AuthError::Credentials);
            }
            checked => checked?,
        };
        let mut found = found.ok_or(AuthError::Credentials)?;
        found.keystore = app.store.get(&keys::keystore(prepared.account)).await?;
        let server_proof = BASE64_STANDARD.encode(server_proof);
        Ok(SrpProved { credentials: found, name: prepared.name, server_proof })
    }
}

/// The code of the second factor, sent with a proof.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
#[allow(dead_code)]
pub struct SecondFactor {
    /// 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
    /// count.
    #[schema(required = false, max_length = 64)]
    otp_code: Option<String>,
}
