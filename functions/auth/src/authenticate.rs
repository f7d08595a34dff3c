//! `POST /auth/authenticate`: sign-in.

use axum::extract::State;
use base::secret::{reveal, reveal_optional};
use identity::{
    credentials::{self, Credentials},
    keystore,
    second_factor::Code,
};
use secrecy::SecretString;
use serde::Serialize;
use shared::{
    accounts::{self as account_store, AddressOwner, AddressUse},
    auth::{
        AuthError,
        device_token::DeviceHeader,
        limits::{self, SIGN_IN_BY_SOURCE},
    },
    http::{Envelope, Fields, Input, Result, Valid},
    models::account::{Me, Wallet},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{OneOfBuilder, Ref, RefOr, Schema},
};

use crate::{
    accounts::{self, FirstCredential, NewAccount, NotCreated, Opened, ProvenWallet, UsedProof},
    app::App,
    client::Client,
    passkey::PasskeyAnswer,
    srp::{SrpAnswer, SrpProved},
    tokens::TokenPair,
    wallet_proof::{SignedChallenge, SignedMessage},
};

/// Attempts while other requests create or change the account.
const ATTEMPTS: u32 = 4;

/// The ways to sign in, distinguished by their fields.
pub enum Authenticate {
    /// Has `credential`.
    Passkey(PasskeyAnswer),
    /// Has `clientProof` or `clientPublic`.
    Srp(SrpAnswer),
    /// Has `challengeId`.
    Challenge(SignedChallenge),
    /// Has `message`.
    Message(SignedMessage),
}

impl Authenticate {
    /// The code of the second factor, if sent.
    pub(crate) fn otp_code(&self) -> Option<&Code> {
        match self {
            Self::Passkey(answer) => answer.otp_code.as_ref(),
            Self::Srp(answer) => answer.otp_code.as_ref(),
            Self::Challenge(proof) => proof.otp_code.as_ref(),
            Self::Message(proof) => proof.otp_code.as_ref(),
        }
    }
}

impl PartialSchema for Authenticate {
    fn schema() -> RefOr<Schema> {
        let form = Ref::from_schema_name;
        OneOfBuilder::new()
            .item(form("SignedMessage"))
            .item(form("SignedChallenge"))
            .item(form("SrpAnswer"))
            .item(form("PasskeyAnswer"))
            .into()
    }
}

impl ToSchema for Authenticate {}

impl Input for Authenticate {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        if fields.has("credential") {
            PasskeyAnswer::read(fields).map(Self::Passkey)
        } else if fields.has("clientProof") || fields.has("clientPublic") {
            SrpAnswer::read(fields).map(Self::Srp)
        } else if fields.has("challengeId") {
            SignedChallenge::read(fields).map(Self::Challenge)
        } else {
            SignedMessage::read(fields).map(Self::Message)
        }
    }
}

/// A successful sign-in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The session's tokens.
    #[serde(flatten)]
    tokens: TokenPair,
    /// Send it in the header `Device-Token` of later requests from this device. It has 64 characters and is
    /// valid for 90 days after a sign-in with it. A client uses one token for all of its accounts.
    #[serde(serialize_with = "reveal")]
    #[schema(value_type = String)]
    device_token: SecretString,
    /// The two-signature Bitcoin address; null until it is created.
    #[schema(required = true)]
    trading_address: Option<String>,
    /// The account's sign-in wallet.
    #[schema(required = true)]
    wallet: Option<Wallet>,
    /// The account.
    account: Me,
    /// The account's keystore, if it has one: base64, as sent by the client.
    #[serde(serialize_with = "reveal_optional", skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    encrypted_blob: Option<SecretString>,
    /// After a password proof: the service's proof `M2`, base64 of 32 bytes. If it is wrong, the client is
    /// not connected to the service that stores its verifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    server_proof: Option<String>,
}

impl SignedIn {
    pub(crate) fn new(Opened { account, tokens, device }: Opened) -> Self {
        Self {
            tokens,
            device_token: device.into_secret(),
            trading_address: account.trading_address().map(str::to_owned),
            wallet: account.wallet.clone(),
            account: account.into(),
            encrypted_blob: None,
            server_proof: None,
        }
    }

    /// With the service's proof, `M2` in base64, if the client has proved a password.
    pub(crate) fn with_server_proof(self, server_proof: Option<String>) -> Self {
        Self { server_proof, ..self }
    }
}

/// Signs in. A wallet's first sign-in creates its account.
///
/// The body has one of four forms: a Bitcoin wallet's signature of the deployment's message, which ends in a
/// timestamp, is valid for 5 minutes and can be used once; any wallet's signature of a challenge; the second
/// step of a password handshake (SRP); or a passkey's response. Each form accepts `otpCode`, 6 digits or a
/// recovery code, which is required if the account has a second factor. Without it the response is 401
/// `auth.otpRequired`, and the proof is used up.
#[utoipa::path(
    post,
    path = "/auth/authenticate",
    tag = "auth",
    params(DeviceHeader),
    request_body = Authenticate,
    responses((status = 200, description = "Signed in", body = Envelope<SignedIn>))
)]
pub async fn authenticate(
    State(app): State<App>,
    client: Client,
    Valid(body): Valid<Authenticate>,
) -> Result<Envelope<SignedIn>> {
    limits::hit_source(&app, SIGN_IN_BY_SOURCE, client.source_ip()).await?;
    let signed_in = match body {
        Authenticate::Message(proof) => {
            let (wallet, owner) = proof.prove(&app).await?;
            sign_in_wallet(&app, wallet, owner, proof.otp_code.as_ref(), &client).await?
        }
        Authenticate::Challenge(proof) => {
            let (wallet, owner) = proof.prove(&app).await?;
            sign_in_wallet(&app, wallet, owner, proof.otp_code.as_ref(), &client).await?
        }
        Authenticate::Srp(answer) => {
            let proved = answer.prove(&app, &client).await?;
            let (used, code) = (proved.used(), answer.otp_code.as_ref());
            let SrpProved { credentials, server_proof, .. } = proved;
            let signed_in = sign_in(&app, &credentials, used, code, &client).await?;
            signed_in.with_server_proof(Some(server_proof))
        }
        Authenticate::Passkey(answer) => {
            let (credentials, used) = answer.prove(&app, &client).await?;
            let code = answer.otp_code.as_ref();
            sign_in(&app, &credentials, Some(used), code, &client).await?
        }
    };
    Ok(Envelope::ok(signed_in))
}

/// Signs in an account whose credential was proved.
///
/// Decrypts the keystore first, so that a failure leaves no session and uses up no code.
async fn sign_in(
    app: &App,
    credentials: &Credentials,
    proved: Option<UsedProof>,
    code: Option<&Code>,
    client: &Client,
) -> Result<SignedIn, AuthError> {
    let encrypted_blob = match &credentials.keystore {
        Some(keystore) => Some(keystore::open(app, credentials.account.id, keystore).await?),
        None => None,
    };
    let opened = accounts::sign_in(app, credentials, proved, code, client).await?;
    Ok(SignedIn { encrypted_blob, ..SignedIn::new(opened) })
}

/// The account that a proved wallet signs in, if there is one.
///
/// # Errors
/// [`AuthError::AddressLinked`] and [`AuthError::AddressRetired`] for addresses that cannot sign in.
fn signs_in(owner: Option<AddressOwner>) -> Result<Option<AddressOwner>, AuthError> {
    match owner.map(|owner| owner.usage) {
        Some(AddressUse::Linked) => Err(AuthError::AddressLinked),
        Some(AddressUse::Retired) => Err(AuthError::AddressRetired),
        Some(AddressUse::SignIn) | None => Ok(owner),
    }
}

/// Signs a wallet in: opens a session of its account, or creates the account.
///
/// `owner` is the address's owner as read earlier; it is read again if it turns out to be outdated.
async fn sign_in_wallet(
    app: &App,
    wallet: ProvenWallet,
    mut owner: Option<AddressOwner>,
    code: Option<&Code>,
    client: &Client,
) -> Result<SignedIn, AuthError> {
    for _attempt in 0..ATTEMPTS {
        match signs_in(owner)? {
            Some(owner) => {
                if let Some(credentials) = credentials_of(app, owner, &wallet, client).await? {
                    wallet.proves_enough_for(&credentials.account)?;
                    let proved = wallet.trading_key().map(UsedProof::TradingKey);
                    match sign_in(app, &credentials, proved, code, client).await {
                        // A code can be tried only once, so only requests without a code are retried.
                        Err(AuthError::Changed) if code.is_none() => {}
                        signed_in => return signed_in,
                    }
                }
            }
            None => {
                let new = NewAccount::new(
                    accounts::fresh_id(app),
                    FirstCredential::Wallet(wallet.clone()),
                );
                match accounts::create(app, &new, client).await {
                    Ok(made) => return Ok(SignedIn::new(made)),
                    Err(NotCreated::CodeTaken | NotCreated::For(AuthError::AddressTaken)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        owner = account_store::owner(&app.store, &wallet.address).await?;
    }
    Err(AuthError::Contended)
}

/// The credentials of the account that the wallet signs in; `None` if a rotation has given the account
/// another wallet since its owner was read.
pub(crate) async fn credentials_of(
    app: &App,
    owner: AddressOwner,
    wallet: &ProvenWallet,
    client: &Client,
) -> Result<Option<Credentials>, AuthError> {
    let device = client.device_hash(owner.account_id);
    let found = credentials::find(&app.store, owner.account_id, device.as_deref()).await?;
    let address = (wallet.address.chain(), wallet.address.as_str());
    Ok(found.filter(|credentials| {
        let signs_in = credentials.account.wallet.as_ref();
        signs_in.is_some_and(|wallet| (wallet.chain, wallet.address.as_str()) == address)
    }))
}
