//! Registrations: `POST /auth/register/wallet`, `srp`, `passkey/init` and `passkey/verify`.

use axum::extract::State;
use base64::{Engine, prelude::BASE64_STANDARD};
use identity::{
    challenge::ChallengePurpose,
    credentials::StoredPasskey,
    email_proof,
    handshake::{self, PasskeySession, State as Handshake, VerifierProof},
    keystore,
    passkey::{RegistrationResponse, User},
    srp::{Group, Verifier},
    trading_key::LONGEST_KEY,
    trading_wallet::TradingKeyProof,
    wallet::MAX_SIGNATURE_LEN,
};
use secrecy::SecretString;
use shared::{
    accounts as account_store,
    auth::{
        AuthError,
        device_token::DeviceHeader,
        limits::{
            EMAIL_BY_ADDRESS, HANDSHAKE_BY_SOURCE, REGISTRATION_BY_SOURCE,
            REGISTRATION_MAIL_BY_ADDRESS, SIGN_IN_BY_SOURCE, hit, hit_by_source, hit_source,
            subject_of_email,
        },
    },
    http::{Created, Envelope, Fields, Input, Result, Valid, all_of},
    models::{
        account::{Account, AccountId},
        email::{self, EmailAddress},
        trading_wallet::UserKey,
    },
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};
use uuid::Uuid;

use crate::{
    accounts::{self, FirstCredential, NewAccount},
    app::App,
    authenticate::SignedIn,
    client::Client,
    wallet_proof::SignedChallenge,
};

/// Optional fields that every registration accepts.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Extras {
    /// The keystore: the client's keys, encrypted by the client, base64.
    #[schema(required = false, max_length = 13708, value_type = Option<String>)]
    encrypted_blob: Option<SecretString>,
    /// An e-mail address; the service mails a link to verify it. If several accounts name the same address,
    /// it goes to the one that verifies it first.
    #[schema(required = false, max_length = 254)]
    email: Option<EmailAddress>,
    /// The referral code of the account that invited this one.
    #[schema(required = false, max_length = 64)]
    referral_code: Option<String>,
}

impl Input for Extras {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let encrypted_blob = keystore::read_optional(fields, "encryptedBlob");
        let email = fields.optional_parsed("email", email::LONGEST);
        let referral_code = fields.optional_text("referralCode", 64);
        Some(Self { encrypted_blob: encrypted_blob?, email: email?, referral_code: referral_code? })
    }
}

/// Creates an account for a proved credential, opens its first session, and mails a verification link.
async fn register(
    app: &App,
    id: AccountId,
    first_credential: FirstCredential,
    extras: Extras,
    password_hint: Option<String>,
    trading_key: Option<UserKey>,
    client: &Client,
) -> Result<Created<SignedIn>> {
    let referred_by = match &extras.referral_code {
        Some(code) => {
            let referrer = account_store::referrer(&app.store, &code.to_ascii_uppercase()).await?;
            Some(referrer.ok_or(AuthError::ReferralCode)?)
        }
        None => None,
    };
    if extras.email.is_some() {
        hit_source(app, REGISTRATION_BY_SOURCE, client.source_ip()).await?;
    }
    let keystore = match &extras.encrypted_blob {
        Some(blob) => Some(keystore::seal(app, id, blob).await?),
        None => None,
    };
    let of = NewAccount::new(id, first_credential);
    let trading_key = of.trading_key.or(trading_key);
    let new =
        NewAccount { email: extras.email, keystore, referred_by, password_hint, trading_key, ..of };
    let made = accounts::create(app, &new, client).await.map_err(AuthError::from)?;
    if let Some(email) = &new.email {
        // The account exists and its owner can request another mail. The response does not reveal whether one
        // was sent.
        match mail_verification(app, &made.account, email, client).await {
            Ok(()) | Err(AuthError::RateLimited { .. }) => {}
            Err(error) => {
                tracing::error!(account = %id, %error, "failed to queue a verification mail")
            }
        }
    }
    // The registering client already has the keystore (`docs/decisions/0003-keystore.md`).
    Ok(Created(SignedIn::new(made)))
}

/// Mails a new account a token that proves its address. Any number of accounts may name an unproved address,
/// so these mails are limited per source and in total.
async fn mail_verification(
    app: &App,
    account: &Account,
    email: &EmailAddress,
    client: &Client,
) -> Result<(), AuthError> {
    let address = subject_of_email(email);
    let by_address = format!("{address}#");
    hit_by_source(app, EMAIL_BY_ADDRESS, &by_address, client.source_ip()).await?;
    hit(app, REGISTRATION_MAIL_BY_ADDRESS, &address).await?;
    email_proof::send_verification(app, account, email).await
}

/// A registration with a wallet: a signed challenge and the initial contents of the account.
pub struct RegisterWallet {
    proof: SignedChallenge,
    extras: Extras,
}

impl PartialSchema for RegisterWallet {
    fn schema() -> RefOr<Schema> {
        all_of(&["SignedChallenge", "Extras"])
    }
}

impl ToSchema for RegisterWallet {}

impl Input for RegisterWallet {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (proof, extras) = (SignedChallenge::read(fields), Extras::read(fields));
        Some(Self { proof: proof?, extras: extras? })
    }
}

/// Creates an account with a sign-in wallet, and optionally a keystore and an e-mail address.
///
/// The proof is a signed challenge, as for sign-in. The timestamped message can only sign in.
#[utoipa::path(
    post,
    path = "/auth/register/wallet",
    tag = "auth",
    params(DeviceHeader),
    request_body = RegisterWallet,
    responses((status = 201, description = "The account, signed in", body = Envelope<SignedIn>))
)]
pub async fn register_wallet(
    State(app): State<App>,
    client: Client,
    Valid(body): Valid<RegisterWallet>,
) -> Result<Created<SignedIn>> {
    hit_source(&app, SIGN_IN_BY_SOURCE, client.source_ip()).await?;
    let (wallet, owner) = body.proof.prove(&app).await?;
    if owner.is_some() {
        return Err(AuthError::AddressTaken.into());
    }
    let id = accounts::fresh_id(&app);
    register(&app, id, FirstCredential::Wallet(wallet), body.extras, None, None, &client).await
}

/// A registration with a password.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RegisterSrp {
    /// The e-mail address, which is also the SRP identity `I`. The service mails a link to verify it. If
    /// another account named the address earlier and neither has verified it, this account signs in by its
    /// account id until it verifies the address.
    #[schema(max_length = 254)]
    email: EmailAddress,
    /// The salt: base64 of 32 bytes.
    #[schema(max_length = 44)]
    srp_salt: String,
    /// The verifier `v`, base64.
    #[schema(max_length = 684, value_type = String)]
    srp_verifier: Verifier,
    /// Bits of the prime of the verifier's group; 3072 by default. An account with another group can be
    /// distinguished from an unknown address.
    #[schema(required = false, value_type = Option<Group>)]
    #[allow(dead_code)]
    srp_group: Group,
    /// `A`, base64. With `clientProof`, made as for a sign-in but with `B = k v + g`, it proves that client and
    /// service compute the same values. A wrong proof is refused before the account is created. Send both
    /// fields or neither.
    // `client_proof` has its value.
    #[schema(required = false, max_length = 684, value_type = Option<String>)]
    #[allow(dead_code)]
    client_public: (),
    /// `M1`, base64 of 32 bytes. The response then has `serverProof`.
    #[schema(required = false, max_length = 44, value_type = Option<String>)]
    client_proof: Option<VerifierProof>,
    /// The keystore: the client's keys, encrypted by the client, base64.
    #[schema(max_length = 13708, value_type = String)]
    encrypted_blob: SecretString,
    /// A hint shown only to the owner, at most 200 characters.
    #[schema(required = false, max_length = 200)]
    password_hint: Option<String>,
    /// The referral code of the account that invited this one.
    #[schema(required = false, max_length = 64)]
    referral_code: Option<String>,
    /// The user's key in the account's trading wallet: hex of 33 bytes, or 32 if the challenge is for its
    /// Taproot address. Send it together with `challengeId` and `signature`, or send none of the three.
    #[schema(required = false, max_length = 130)]
    trading_public_key: Option<String>,
    /// From `GET /auth/wallet/challenge` for any Bitcoin address of that key, requested without a token.
    #[schema(required = false)]
    challenge_id: Option<Uuid>,
    /// The signature of the challenge for that address: base64, as for sign-in.
    #[schema(required = false, max_length = 4096)]
    signature: Option<String>,
}

impl Input for RegisterSrp {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let email = fields.parsed("email", email::LONGEST);
        let srp_salt = handshake::read_salt(fields, "srpSalt");
        let srp_group = fields.optional("srpGroup").map(Option::unwrap_or_default);
        let srp_verifier = srp_group.and_then(|group| read_verifier(fields, "srpVerifier", group));
        let client_proof = handshake::read_verifier_proof(fields, ["clientPublic", "clientProof"]);
        let encrypted_blob = keystore::read(fields, "encryptedBlob");
        let password_hint = fields.optional_name("passwordHint", handshake::LONGEST_HINT);
        let referral_code = fields.optional_text("referralCode", 64);
        let (trading_public_key, challenge_id, signature) =
            if ["tradingPublicKey", "challengeId", "signature"].iter().any(|it| fields.has(it)) {
                (
                    fields.text("tradingPublicKey", LONGEST_KEY).map(Some),
                    fields.required("challengeId").map(Some),
                    fields.text("signature", MAX_SIGNATURE_LEN).map(Some),
                )
            } else {
                (Some(None), Some(None), Some(None))
            };
        Some(Self {
            email: email?,
            srp_salt: srp_salt?,
            srp_verifier: srp_verifier?,
            srp_group: srp_group?,
            client_public: (),
            client_proof: client_proof?,
            encrypted_blob: encrypted_blob?,
            password_hint: password_hint?,
            referral_code: referral_code?,
            trading_public_key: trading_public_key?,
            challenge_id: challenge_id?,
            signature: signature?,
        })
    }
}

/// Reads a verifier of the group, in base64.
fn read_verifier(fields: &mut Fields<'_>, name: &str, group: Group) -> Option<Verifier> {
    let bytes = fields.base64(name, handshake::LONGEST_VALUE)?;
    Verifier::parse(group, &bytes).map_err(|error| fields.wrong::<()>(name, error)).ok()
}

impl RegisterSrp {
    fn trading_key(&self) -> Option<TradingKeyProof<'_>> {
        Some(TradingKeyProof {
            public_key: self.trading_public_key.as_deref()?,
            challenge_id: self.challenge_id?,
            signature: self.signature.as_deref()?,
        })
    }
}

/// Creates an account that signs in with a password. The password never reaches the service, which stores a
/// verifier (SRP-6a, RFC 5054) and the client's keys as encrypted by the client.
#[utoipa::path(
    post,
    path = "/auth/register/srp",
    tag = "auth",
    params(DeviceHeader),
    request_body = RegisterSrp,
    responses((status = 201, description = "The account, signed in", body = Envelope<SignedIn>))
)]
pub async fn register_srp(
    State(app): State<App>,
    client: Client,
    Valid(body): Valid<RegisterSrp>,
) -> Result<Created<SignedIn>> {
    hit_source(&app, SIGN_IN_BY_SOURCE, client.source_ip()).await?;
    // Check the proof before anything is consumed or stored.
    let server_proof = match &body.client_proof {
        Some(proof) => {
            let own = proof.check(body.email.as_str(), &body.srp_salt, &body.srp_verifier)?;
            Some(BASE64_STANDARD.encode(own))
        }
        None => None,
    };
    let id = accounts::fresh_id(&app);
    let trading_key = match body.trading_key() {
        // The challenge was requested without a token: no account exists yet (custody rule 16).
        Some(proof) => Some(proof.prove(&app, ChallengePurpose::SignIn, None).await?),
        None => None,
    };
    let credential = handshake::seal_verifier(&app, id, body.srp_salt, &body.srp_verifier).await?;
    let extras = Extras {
        encrypted_blob: Some(body.encrypted_blob),
        email: Some(body.email),
        referral_code: body.referral_code,
    };
    let first_credential = FirstCredential::Srp(credential);
    let Created(signed_in) =
        register(&app, id, first_credential, extras, body.password_hint, trading_key, &client)
            .await?;
    Ok(Created(signed_in.with_server_proof(server_proof)))
}

/// The user for whom a passkey will be created.
#[derive(Debug, ToSchema)]
pub struct RegisterPasskeyInit {
    /// The account name shown by authenticators.
    #[schema(required = false, max_length = 254)]
    email: Option<EmailAddress>,
}

impl Input for RegisterPasskeyInit {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { email: fields.optional_parsed("email", email::LONGEST)? })
    }
}

/// Starts a registration with a passkey.
#[utoipa::path(
    post,
    path = "/auth/register/passkey/init",
    tag = "auth",
    request_body = RegisterPasskeyInit,
    responses((status = 200, description = "The ceremony", body = Envelope<PasskeySession>))
)]
pub async fn init_passkey_registration(
    State(app): State<App>,
    client: Client,
    Valid(body): Valid<RegisterPasskeyInit>,
) -> Result<Envelope<PasskeySession>> {
    hit_source(&app, HANDSHAKE_BY_SOURCE, client.source_ip()).await?;
    let id = accounts::fresh_id(&app);
    let name = body.email.map_or_else(|| format!("Runeport {}", &id), |email| email.to_string());
    let user = User { handle: id.0, name: &name, display_name: &name };
    let rp = &app.relying_party;
    let (options, ceremony) = rp.start_registration(&*app.random, user, []);
    let state = Handshake::PasskeyRegistration { ceremony, known: false };
    let session_id = handshake::begin(&app, state).await?;
    Ok(Envelope::ok(PasskeySession { session_id, options }))
}

/// A new passkey.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct NewPasskey {
    /// From the first step.
    session_id: Uuid,
    /// The result of `navigator.credentials.create()`, serialized with `toJSON()`.
    credential: RegistrationResponse,
}

/// A registration with a passkey: the passkey and the initial contents of the account.
pub struct RegisterPasskey {
    passkey: NewPasskey,
    extras: Extras,
}

impl PartialSchema for RegisterPasskey {
    fn schema() -> RefOr<Schema> {
        all_of(&["NewPasskey", "Extras"])
    }
}

impl ToSchema for RegisterPasskey {}

impl Input for RegisterPasskey {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let session_id = fields.required("sessionId");
        let credential = fields.required("credential");
        let extras = Extras::read(fields);
        let passkey = NewPasskey { session_id: session_id?, credential: credential? };
        Some(Self { passkey, extras: extras? })
    }
}

/// Creates an account that signs in with a passkey.
#[utoipa::path(
    post,
    path = "/auth/register/passkey/verify",
    tag = "auth",
    params(DeviceHeader),
    request_body = RegisterPasskey,
    responses((status = 201, description = "The account, signed in", body = Envelope<SignedIn>))
)]
pub async fn register_passkey(
    State(app): State<App>,
    client: Client,
    Valid(body): Valid<RegisterPasskey>,
) -> Result<Created<SignedIn>> {
    hit_source(&app, SIGN_IN_BY_SOURCE, client.source_ip()).await?;
    let NewPasskey { session_id, credential } = body.passkey;
    let state = handshake::consume(&app, session_id).await?;
    let Handshake::PasskeyRegistration { ceremony, known: false } = state else {
        return Err(AuthError::Handshake.into());
    };
    let rp = &app.relying_party;
    let credential = rp.finish_registration(&ceremony, &credential).map_err(AuthError::from)?;
    let id = AccountId(ceremony.user_handle);
    let passkey = StoredPasskey::new(None, credential, app.clock.now());
    register(&app, id, FirstCredential::Passkey(passkey), body.extras, None, None, &client).await
}
