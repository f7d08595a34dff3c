//! Handshakes: two-step proofs by password (SRP) or passkey. A row keeps the state between the steps; the
//! second step consumes it whether or not the proof is correct.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use shared::{
    auth::AuthError,
    crypto::vault::{self, Sealed, VaultError},
    input::{Fields, Input},
    keys,
    models::{account::AccountId, email::EmailAddress},
    problem::Error,
};
use store::{Entity, Field, Update};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Identity,
    credentials::SrpCredential,
    passkey::{AuthenticationState, RegistrationState},
    srp::{self, ClientProof, Ephemeral, Group, SrpError, Verifier},
};

/// How long a handshake is valid.
const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// How long a handshake that waits for a mailed token is valid: as long as the token itself
/// (`docs/decisions/0004-srp-profile.md`).
const EMAIL_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// What the password proof authorizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum HandshakePurpose {
    /// To sign in.
    SignIn,
    /// To change the password.
    ChangePassword,
    /// To change the e-mail address.
    ChangeEmail,
}

/// A handshake, as stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row<S> {
    /// Removed when the handshake is consumed, together with its secrets.
    state: Option<S>,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl<S: Serialize + DeserializeOwned> Entity for Row<S> {
    const ENTITY: &'static str = "handshake";
}

impl<S> Row<S> {
    const STATE: Field<Self, Option<S>> = Field::new(&["state"], |row| &row.state);
}

/// State kept between the two steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum State {
    /// A password proof.
    Srp(SrpState),
    /// A passkey being registered for a new or an existing account.
    PasskeyRegistration {
        /// State of the ceremony; includes the account.
        ceremony: RegistrationState,
        /// Whether the account already exists.
        known: bool,
    },
    /// A sign-in with a passkey.
    PasskeySignIn(AuthenticationState),
}

/// The first step of a passkey ceremony, as returned to the client.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeySession {
    /// Send it back with the response. Single use, valid for 5 minutes.
    pub session_id: Uuid,
    /// For `PublicKeyCredential.parseRequestOptionsFromJSON()`, or `parseCreationOptionsFromJSON()` when
    /// registering a passkey.
    #[schema(value_type = Object)]
    pub options: Value,
}

/// Stores the state of a new handshake and returns its id.
///
/// # Errors
/// [`AuthError::Store`] if the store fails.
pub async fn begin(app: &Identity, state: State) -> Result<Uuid, AuthError> {
    let id = Uuid::from_bytes(app.random.bytes());
    store_state(app, id, state, LIFETIME).await?;
    Ok(id)
}

async fn store_state(
    app: &Identity,
    id: Uuid,
    state: State,
    span: Duration,
) -> Result<(), AuthError> {
    let row = Row { state: Some(state), expires_at: app.clock.now().plus(span).seconds() };
    Ok(app.store.issue(&keys::handshake(id), &row).await?)
}

/// Consumes a handshake. Of several concurrent calls, exactly one gets it.
///
/// # Errors
/// [`AuthError::Handshake`] if it is unknown, used or expired; [`AuthError::Store`] if the store fails.
pub async fn consume(app: &Identity, id: Uuid) -> Result<State, AuthError> {
    let row =
        app.store.use_up(&keys::handshake(id), Update::new().remove(Row::<State>::STATE)).await?;
    row.and_then(|row| row.state).ok_or(AuthError::Handshake)
}

/// State of a password proof between its two steps.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SrpState {
    purpose: HandshakePurpose,
    /// The account; may be [`NOBODY`].
    account_id: AccountId,
    /// The e-mail address or account id that the client sent.
    name: String,
    /// The SRP identity `I`.
    identity: String,
    group: Group,
    /// Base64.
    salt: String,
    /// `B`, base64.
    server_public: String,
    /// `b`, encrypted.
    ephemeral: Sealed,
}

/// The first step of a password proof, as returned to the client.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SrpSession {
    /// Send it back with the proof. Single use, valid for 5 minutes (10 for a change of e-mail address).
    session_id: Uuid,
    /// The account's salt, base64 of 32 bytes.
    salt: String,
    /// `B`, base64, padded to the length of the group's prime.
    server_public: String,
    /// Bits of the group's prime (RFC 5054, appendix A).
    group: Group,
    /// The hash function of the SRP profile.
    #[schema(example = "SHA-256")]
    hash: &'static str,
}

/// The placeholder account. For an unknown address this account is read and decrypted, so the work is
/// identical. Nothing refers to it and no proof for it succeeds. Its id is a UUID of version 8 (RFC 9562,
/// section 5.8), which no real account has.
pub const NOBODY: AccountId = AccountId(Uuid::from_u128(0x8000_8000_0000_0000_0000));

/// The account whose password is to be proved.
#[derive(Clone, Copy, Debug)]
pub struct SrpSubject<'a> {
    /// The e-mail address or account id that the client sent.
    pub name: &'a str,
    /// The account found for it; may be [`NOBODY`].
    pub account: AccountId,
    /// That account's verifier.
    pub credential: Option<&'a SrpCredential>,
    /// The SRP identity `I` if the name belongs to that account: the e-mail address its verifier was made
    /// with, verified or not.
    pub identity: Option<&'a EmailAddress>,
}

impl SrpSubject<'_> {
    /// The group, salt and verifier for the proof. Responses must not reveal whether a name exists, so an
    /// unknown name gets a fixed salt and verifier of its own and causes the same work.
    async fn credential(&self, app: &Identity) -> Result<(Group, String, Verifier), AuthError> {
        let placeholder = placeholder(app, self.name).await?;
        let Some(credential) = self.credential else { return Ok(placeholder) };
        let verifier = open_verifier(app, self.account, credential).await?;
        let own = (credential.group, credential.salt.clone(), verifier);
        Ok(if self.identity.is_some() { own } else { placeholder })
    }
}

/// The salt and verifier of an unknown name, derived from the name.
async fn placeholder(app: &Identity, name: &str) -> Result<(Group, String, Verifier), AuthError> {
    let hash = async |what: &str| app.vault.keyed_hash(what, name).await;
    let salt = BASE64_STANDARD.encode(hash("salt").await?);
    let mut seed = [0; 64];
    let halves = [hash("verifier").await?, hash("verifier, more").await?];
    seed.iter_mut().zip(halves.into_iter().flatten()).for_each(|(place, byte)| *place = byte);
    let group = Group::default();
    Ok((group, salt, Verifier::fake(group, &seed)))
}

fn verifier_purpose(account: AccountId) -> vault::SealScope {
    vault::SealScope { what: "verifier", whose: account.0 }
}

async fn open_verifier(
    app: &Identity,
    account: AccountId,
    credential: &SrpCredential,
) -> Result<Verifier, AuthError> {
    let bytes = app.vault.open(verifier_purpose(account), &credential.verifier).await?;
    Ok(Verifier::parse(credential.group, bytes.expose_secret())?)
}

/// The longest number of a group, in base64 characters: 512 bytes.
pub const LONGEST_VALUE: usize = 684;
/// The longest password hint, in characters.
pub const LONGEST_HINT: usize = 200;

/// Reads a salt: 32 bytes in base64.
pub fn read_salt(fields: &mut Fields<'_>, name: &str) -> Option<String> {
    let salt = fields.base64(name, 44)?;
    if salt.len() == 32 {
        Some(BASE64_STANDARD.encode(salt))
    } else {
        fields.wrong(name, "must be base64 of 32 bytes")
    }
}

/// Reads the public value and the proof of a new verifier: both, or neither. Their paths begin at the top of
/// the body, and their names are read from `fields`.
#[allow(clippy::option_option)]
pub fn read_verifier_proof(
    fields: &mut Fields<'_>,
    paths: [&'static str; 2],
) -> Option<Option<VerifierProof>> {
    let [public, proof] = paths.map(|path| path.rsplit_once('.').map_or(path, |(_, name)| name));
    if !fields.has(public) && !fields.has(proof) {
        return Some(None);
    }
    let (public, proof) = (fields.base64(public, LONGEST_VALUE), fields.base64(proof, 44));
    Some(Some(VerifierProof { public: public?, proof: proof?, paths }))
}

/// A proof for a new verifier, sent in the same request. Without it, a client whose formulas or identity
/// differ from the service's could lock its user out.
#[derive(Debug)]
pub struct VerifierProof {
    /// `A`.
    public: Vec<u8>,
    /// `M1`.
    proof: Vec<u8>,
    /// The paths of the two fields.
    paths: [&'static str; 2],
}

impl VerifierProof {
    /// Checks the proof with the identity and the verifier's salt (base64), and returns the service's proof,
    /// `M2`.
    ///
    /// # Errors
    /// The error names the field that is wrong.
    pub fn check(
        &self,
        identity: &str,
        salt: &str,
        verifier: &Verifier,
    ) -> Result<[u8; 32], Error> {
        let [public, proof] = self.paths;
        let parsed = ClientProof::parse(verifier.group(), &self.public, &self.proof);
        let parsed = parsed.map_err(|error| {
            Error::field(if error == SrpError::PublicValue { public } else { proof }, error)
        })?;
        let wrong = || {
            let what = "does not prove the verifier; check the identity and every formula";
            Error::field(proof, what)
        };
        let ephemeral = Ephemeral::known(verifier).ok_or_else(wrong)?;
        let salt = BASE64_STANDARD.decode(salt).map_err(|_| wrong())?;
        parsed.check(identity, &salt, verifier, &ephemeral).map_err(|_| wrong())
    }
}

/// Encrypts a verifier and returns the credential to store. `salt` is base64.
///
/// # Errors
/// [`AuthError::Vault`] if the verifier cannot be encrypted.
pub async fn seal_verifier(
    app: &Identity,
    account: AccountId,
    salt: String,
    verifier: &Verifier,
) -> Result<SrpCredential, AuthError> {
    let sealed = app.vault.seal(verifier_purpose(account), verifier.expose()).await?;
    Ok(SrpCredential { group: verifier.group(), salt, verifier: sealed })
}

/// Starts a password proof and stores its state.
///
/// # Errors
/// [`AuthError::Vault`] if the verifier cannot be decrypted or the ephemeral value cannot be encrypted;
/// [`AuthError::Store`] if the state cannot be stored.
pub async fn begin_srp(
    app: &Identity,
    purpose: HandshakePurpose,
    subject: SrpSubject<'_>,
) -> Result<SrpSession, AuthError> {
    let (group, salt, verifier) = subject.credential(app).await?;
    // Fails with a probability of 2^-3000.
    let ephemeral = Ephemeral::new(&verifier, app.random.bytes());
    let ephemeral = ephemeral.ok_or(VaultError::Damaged)?;
    let id = Uuid::from_bytes(app.random.bytes());
    let sealed = app.vault.seal(ephemeral_purpose(id), ephemeral.expose_secret()).await?;
    let server_public = BASE64_STANDARD.encode(ephemeral.public());
    let state = SrpState {
        purpose,
        account_id: subject.account,
        name: subject.name.to_owned(),
        identity: subject.identity.map_or(subject.name, EmailAddress::as_str).to_owned(),
        group,
        salt: salt.clone(),
        server_public: server_public.clone(),
        ephemeral: sealed,
    };
    let span = if purpose == HandshakePurpose::ChangeEmail { EMAIL_LIFETIME } else { LIFETIME };
    store_state(app, id, State::Srp(state), span).await?;
    Ok(SrpSession { session_id: id, salt, server_public, group, hash: srp::HASH })
}

fn ephemeral_purpose(handshake: Uuid) -> vault::SealScope {
    vault::SealScope { what: "ephemeral", whose: handshake }
}

/// The second step of a password proof, as sent by the client. Both values are base64.
#[derive(Clone, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SrpProof {
    /// From the first step.
    pub session_id: Uuid,
    /// `A`, base64.
    #[schema(max_length = 684, value_type = String)]
    pub client_public: Vec<u8>,
    /// `M1`, base64 of 32 bytes.
    #[schema(max_length = 44, value_type = String)]
    pub client_proof: Vec<u8>,
}

impl Input for SrpProof {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let session_id = fields.required("sessionId");
        let client_public = fields.base64("clientPublic", LONGEST_VALUE);
        let client_proof = fields.base64("clientProof", 44);
        Some(Self {
            session_id: session_id?,
            client_public: client_public?,
            client_proof: client_proof?,
        })
    }
}

/// A well-formed proof whose handshake is not yet consumed.
#[derive(Debug)]
pub struct Prepared {
    id: Uuid,
    /// The account the handshake was started for; may be [`NOBODY`].
    pub account: AccountId,
    /// The e-mail address or account id it was started with.
    pub name: String,
    state: SrpState,
    proof: ClientProof,
}

impl SrpProof {
    /// Reads the handshake and checks the proof's form. Consumes nothing.
    ///
    /// # Errors
    /// [`AuthError::Handshake`] if the handshake is unknown, used, expired or for another purpose;
    /// [`AuthError::Proof`] if a value of the proof is malformed; [`AuthError::Store`] if the store fails.
    pub async fn prepare(
        &self,
        app: &Identity,
        purpose: HandshakePurpose,
    ) -> Result<Prepared, AuthError> {
        let row = app.store.get::<Row<State>>(&keys::handshake(self.session_id)).await?;
        let live = row.filter(|row| row.expires_at > app.clock.now().past_seconds());
        match live.and_then(|row| row.state) {
            Some(State::Srp(state)) if state.purpose == purpose => {
                let proof =
                    ClientProof::parse(state.group, &self.client_public, &self.client_proof)?;
                let (account, name) = (state.account_id, state.name.clone());
                Ok(Prepared { id: self.session_id, account, name, state, proof })
            }
            _ => Err(AuthError::Handshake),
        }
    }
}

impl Prepared {
    /// The group of the proof.
    pub fn group(&self) -> Group {
        self.state.group
    }

    /// Consumes the handshake. Must be called before [`Self::check`].
    ///
    /// # Errors
    /// [`AuthError::Handshake`] if it is used or expired by now; [`AuthError::Store`] if the store fails.
    pub async fn consume(&self, app: &Identity) -> Result<(), AuthError> {
        consume(app, self.id).await.map(drop)
    }

    /// Checks the proof against the account's current credential. `identity` is the account's SRP identity,
    /// if the name still belongs to the account. Returns the server's proof, `M2`.
    ///
    /// # Errors
    /// [`AuthError::Credentials`] if the proof is wrong, or the account unknown; [`AuthError::Vault`] if a
    /// stored value cannot be decrypted.
    pub async fn check(
        &self,
        app: &Identity,
        credential: Option<&SrpCredential>,
        identity: Option<&EmailAddress>,
    ) -> Result<[u8; 32], AuthError> {
        let (name, account) = (self.name.as_str(), self.account);
        let subject = SrpSubject { name, account, credential, identity };
        let (group, salt, verifier) = subject.credential(app).await?;
        let private = app.vault.open(ephemeral_purpose(self.id), &self.state.ephemeral).await?;
        let damaged = |_| AuthError::Vault(VaultError::Damaged);
        let public = BASE64_STANDARD.decode(&self.state.server_public).map_err(damaged)?;
        let private = private.expose_secret().try_into().map_err(|_| VaultError::Damaged)?;
        let ephemeral = Ephemeral::from_parts(self.state.group, private, &public);
        let ephemeral = ephemeral.ok_or(VaultError::Damaged)?;
        let salt_bytes = BASE64_STANDARD.decode(&salt).map_err(damaged)?;
        // Detects a credential that was changed after the first step.
        let same = group == self.state.group && salt == self.state.salt;
        let same_identity = identity.is_some_and(|it| it.as_str() == self.state.identity);
        let proves = same_identity && credential.is_some() && same;
        let proved = self.proof.check(&self.state.identity, &salt_bytes, &verifier, &ephemeral);
        match proved {
            Ok(server_proof) if proves => Ok(server_proof),
            _ => Err(AuthError::Credentials),
        }
    }
}
