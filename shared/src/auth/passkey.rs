//! Passkeys: the relying party of WebAuthn Level 3 (W3C), for discoverable credentials with user
//! verification and without attestation.
//!
//! The rules are those of sections 7.1 (registration) and 7.2 (authentication), the bytes those of
//! sections 6.1 and 6.5. Keys are ES256, EdDSA (Ed25519) or RS256. An attestation statement is `none`
//! or self attestation: nothing here trusts a maker of authenticators.
//!
//! Nothing here knows the time, or whether a challenge or a credential id was seen before. The
//! caller keeps the state of a ceremony for [`LIFETIME`], uses it up before it calls `finish_*`, and
//! stores a credential id once, whoever's it is.

use std::time::Duration;

use aws_lc_rs::{
    encoding::AsDer,
    signature::{
        ECDSA_P256_SHA256_ASN1, ED25519, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256,
        RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
    },
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::random::Random;

/// How long a ceremony may take: the options say so, and its state is good for no longer.
pub const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// The longest base64url text that is decoded, in characters.
const LONGEST_TEXT: usize = 16 * 1024;
/// How long a credential id is, in bytes (sections 4 and 7.1).
const CREDENTIAL_ID: std::ops::RangeInclusive<usize> = 16..=1023;
/// How long the modulus of an RSA key is, in bytes: 2048 to 8192 bits.
const RSA_MODULUS: std::ops::RangeInclusive<usize> = 256..=1024;
/// The most transports of a credential, and the longest, in bytes: there are six, of at most 10.
const TRANSPORTS: usize = 16;
const LONGEST_TRANSPORT: usize = 32;
/// How deep maps and lists stand in each other in CTAP2's form of CBOR (CTAP 2.1, section 8).
const CBOR_LEVELS: u8 = 4;

/// Flags of authenticator data (section 6.1).
const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKUP_STATE: u8 = 1 << 4;
const ATTESTED_CREDENTIAL: u8 = 1 << 6;
const EXTENSIONS: u8 = 1 << 7;

/// Why the answer of an authenticator is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// This member of the credential is not of its form.
    #[error("{0} is malformed.")]
    Malformed(&'static str),
    /// It is of the right form, and proves nothing.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

/// Why an answer proves nothing. The texts are safe to show to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Made by the other of `create()` and `get()`.
    #[error("The passkey answered another kind of request.")]
    Type,
    /// An answer to another challenge.
    #[error("The passkey answered another challenge.")]
    Challenge,
    /// Made on a page that is not one of the deployment's.
    #[error("The passkey was used on another website.")]
    Origin,
    /// Made in a frame of another website.
    #[error("The passkey was used inside another website.")]
    CrossOrigin,
    /// Made for another relying party.
    #[error("The passkey belongs to another website.")]
    RelyingParty,
    /// Nobody touched the authenticator.
    #[error("The passkey was used without its owner being present.")]
    UserPresence,
    /// No PIN, no fingerprint: only possession is proved.
    #[error("The passkey was used without verifying its owner.")]
    UserVerification,
    /// Backed up and not eligible for it, or not as eligible as when it was registered.
    #[error("The backup flags of the passkey contradict each other.")]
    Backup,
    /// Not one of the algorithms that the options offer.
    #[error("Passkeys of this algorithm are not supported.")]
    Algorithm,
    /// Neither `none` nor self attestation.
    #[error("Attestations of this format are not supported.")]
    Attestation,
    /// The answer of another credential.
    #[error("The answer is of another passkey.")]
    Credential,
    /// No user handle, or not the account's.
    #[error("The passkey belongs to another account.")]
    UserHandle,
    /// Not a signature by the credential's key.
    #[error("The signature of the passkey is not valid.")]
    Signature,
    /// The signature counter did not go up: there may be a copy of the authenticator.
    #[error("The passkey may have been copied.")]
    Counter,
}

/// The signature algorithms of passkeys, by their names in JOSE (RFC 7518, RFC 8037).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Algorithm {
    /// ECDSA on P-256 with SHA-256.
    #[serde(rename = "ES256")]
    Es256,
    /// Ed25519.
    #[serde(rename = "EdDSA")]
    EdDsa,
    /// RSASSA-PKCS1-v1_5 with SHA-256, 2048 to 8192 bits: Windows Hello on older machines.
    #[serde(rename = "RS256")]
    Rs256,
}

impl Algorithm {
    /// All of them, the preferred one first.
    const ALL: [Self; 3] = [Self::Es256, Self::EdDsa, Self::Rs256];

    /// The number in COSE (RFC 9053, RFC 8812).
    fn cose(self) -> i64 {
        match self {
            Self::Es256 => -7,
            Self::EdDsa => -8,
            Self::Rs256 => -257,
        }
    }

    fn verification(self) -> &'static dyn VerificationAlgorithm {
        match self {
            Self::Es256 => &ECDSA_P256_SHA256_ASN1,
            Self::EdDsa => &ED25519,
            Self::Rs256 => &RSA_PKCS1_2048_8192_SHA256,
        }
    }
}

/// A public key that has been read, and is stored as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublicKey {
    algorithm: Algorithm,
    /// SubjectPublicKeyInfo (RFC 5280, section 4.1), DER, base64url.
    spki: Base64Url,
}

impl PublicKey {
    /// Reads a `COSE_Key` (RFC 9052, section 7; RFC 9053, section 7; RFC 8230, section 4).
    fn from_cose(key: &Item<'_>) -> Result<Self, PasskeyError> {
        const MALFORMED: PasskeyError = PasskeyError::Malformed("response.attestationObject");
        let integer = |label| match key.get(&Item::Integer(label)) {
            Some(Item::Integer(value)) => Ok(*value),
            _ => Err(MALFORMED),
        };
        let bytes = |label| match key.get(&Item::Integer(label)) {
            Some(Item::Bytes(value)) => Ok(*value),
            _ => Err(MALFORMED),
        };
        let coordinate = |label| <&[u8; 32]>::try_from(bytes(label)?).map_err(|_| MALFORMED);
        let (key_type, number) = (integer(1)?, integer(3)?);
        let algorithm = Algorithm::ALL.into_iter().find(|algorithm| algorithm.cose() == number);
        let algorithm = algorithm.ok_or(Refusal::Algorithm)?;
        let key = match (algorithm, key_type) {
            (Algorithm::Es256, 2) if integer(-1)? == 1 => {
                let point = [&[4], &coordinate(-2)?[..], &coordinate(-3)?[..]].concat();
                ParsedPublicKey::new(algorithm.verification(), point)
            }
            (Algorithm::EdDsa, 1) if integer(-1)? == 6 => {
                ParsedPublicKey::new(algorithm.verification(), coordinate(-2)?)
            }
            (Algorithm::Rs256, 3) => {
                let (n, e) = (bytes(-1)?, bytes(-2)?);
                if !RSA_MODULUS.contains(&n.len()) {
                    return Err(MALFORMED);
                }
                RsaPublicKeyComponents { n, e }.to_parsed_public_key(&RSA_PKCS1_2048_8192_SHA256)
            }
            _ => return Err(MALFORMED),
        };
        let spki = key.map_err(|_| MALFORMED)?.as_der().map_err(|_| MALFORMED)?;
        Ok(Self { algorithm, spki: Base64Url(spki.as_ref().to_vec()) })
    }

    /// Checks a signature of authenticator data and the hash of client data (section 6.3.3).
    fn verify(
        &self,
        authenticator_data: &[u8],
        client_data: &[u8],
        signature: &[u8],
    ) -> Result<(), Refusal> {
        let message = [authenticator_data, Sha256::digest(client_data).as_slice()].concat();
        UnparsedPublicKey::new(self.algorithm.verification(), &self.spki.0)
            .verify(&message, signature)
            .map_err(|_| Refusal::Signature)
    }
}

/// Bytes that are base64url without padding as text (RFC 4648, section 5): one text each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, max_length = 16384, pattern = "^[A-Za-z0-9_-]*$")]
struct Base64Url(Vec<u8>);

impl TryFrom<String> for Base64Url {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.len() > LONGEST_TEXT {
            return Err("must have at most 16384 characters");
        }
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text);
        bytes.map(Self).map_err(|_| "must be base64url without padding")
    }
}

impl From<Base64Url> for String {
    fn from(bytes: Base64Url) -> Self {
        BASE64_URL_SAFE_NO_PAD.encode(bytes.0)
    }
}

/// A credential of an account, as it is stored: the credential record of section 4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// Base64url of 16 to 1023 bytes.
    pub credential_id: String,
    /// The account, whose 16 bytes are the user handle.
    pub user_handle: Uuid,
    /// What its signatures are checked with.
    pub public_key: PublicKey,
    /// The signature counter, as last seen; 0 where the authenticator has none.
    pub sign_count: u32,
    /// Whether it may be on more than one device. Never changes.
    pub backup_eligible: bool,
    /// Whether it was, when last seen.
    pub backup_state: bool,
    /// How clients reach it, such as `internal` or `hybrid`, as the client named them.
    pub transports: Vec<String>,
}

/// What a sign-in changes of a [`Passkey`]. To be written on the condition that the stored counter
/// is still the one that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updated {
    /// The signature counter.
    pub sign_count: u32,
    /// Whether it is on more than one device.
    pub backup_state: bool,
}

/// Whom a passkey is made for.
#[derive(Clone, Copy, Debug)]
pub struct User<'a> {
    /// The account, whose 16 bytes become the user handle.
    pub handle: Uuid,
    /// What tells accounts apart, such as an e-mail address.
    pub name: &'a str,
    /// What its owner is called; may be empty.
    pub display_name: &'a str,
}

/// What is kept of a registration that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationState {
    /// Base64url of 32 bytes.
    challenge: String,
    /// The account that the passkey will be of.
    pub user_handle: Uuid,
}

/// What is kept of a sign-in that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticationState {
    /// Base64url of 32 bytes.
    challenge: String,
}

/// What `navigator.credentials.create()` made, by `toJSON()`: `RegistrationResponseJSON`. Members
/// that are not named here are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RegistrationResponse {
    /// The credential id.
    id: Base64Url,
    /// Always `public-key`.
    #[serde(rename = "type")]
    _kind: CredentialType,
    /// What the authenticator says.
    response: AttestationResponse,
}

/// `AuthenticatorAttestationResponseJSON`.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AttestationResponse {
    /// JSON of the client data (section 5.8.1).
    #[serde(rename = "clientDataJSON")]
    client_data: Base64Url,
    /// CBOR of the attestation object (section 6.5).
    attestation_object: Base64Url,
    /// How clients reach the authenticator.
    #[serde(default)]
    transports: Vec<String>,
}

/// What `navigator.credentials.get()` made, by `toJSON()`: `AuthenticationResponseJSON`. Members
/// that are not named here are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct AuthenticationResponse {
    /// The credential id.
    id: Base64Url,
    /// Always `public-key`.
    #[serde(rename = "type")]
    _kind: CredentialType,
    /// What the authenticator says.
    response: AssertionResponse,
}

/// `AuthenticatorAssertionResponseJSON`.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AssertionResponse {
    /// JSON of the client data (section 5.8.1).
    #[serde(rename = "clientDataJSON")]
    client_data: Base64Url,
    /// Authenticator data (section 6.1).
    authenticator_data: Base64Url,
    /// Signature of the authenticator data and the SHA-256 hash of the client data.
    signature: Base64Url,
    /// The account that the authenticator keeps the passkey for.
    user_handle: Option<Base64Url>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
enum CredentialType {
    #[serde(rename = "public-key")]
    PublicKey,
}

impl AuthenticationResponse {
    /// The credential id that the answer claims to be of, base64url: where its [`Passkey`] is.
    pub fn credential_id(&self) -> String {
        self.id.clone().into()
    }
}

/// What the client says it was asked, and where (section 5.8.1).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    #[serde(rename = "type")]
    kind: String,
    challenge: String,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    top_origin: Option<String>,
}

/// The deployment, as authenticators know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    /// The domain that passkeys belong to, such as `runeport.example` (section 4, RP ID).
    pub id: String,
    /// What people know it by.
    pub name: String,
    /// The origins whose pages may use passkeys, such as `https://app.runeport.example`; each is
    /// compared as it is written.
    pub origins: Vec<String>,
}

impl RelyingParty {
    /// Starts a registration: the options for `navigator.credentials.create()`
    /// (`PublicKeyCredentialCreationOptionsJSON`, for `parseCreationOptionsFromJSON()`), and what to
    /// keep of it.
    ///
    /// `exclude` are the credential ids of the account, base64url: an authenticator that holds one
    /// of them makes no other.
    pub fn start_registration<'a>(
        &self,
        random: &dyn Random,
        user: User<'_>,
        exclude: impl IntoIterator<Item = &'a str>,
    ) -> (Value, RegistrationState) {
        let challenge = challenge(random);
        let parameters = Algorithm::ALL
            .map(|algorithm| json!({ "type": "public-key", "alg": algorithm.cose() }));
        let exclude: Vec<Value> =
            exclude.into_iter().map(|id| json!({ "type": "public-key", "id": id })).collect();
        let options = json!({
            "rp": { "id": self.id, "name": self.name },
            "user": {
                "id": BASE64_URL_SAFE_NO_PAD.encode(user.handle.as_bytes()),
                "name": user.name,
                "displayName": user.display_name,
            },
            "challenge": challenge,
            "pubKeyCredParams": parameters,
            "timeout": LIFETIME.as_millis(),
            "excludeCredentials": exclude,
            "authenticatorSelection": {
                "residentKey": "required",
                "requireResidentKey": true,
                "userVerification": "required",
            },
            "attestation": "none",
        });
        (options, RegistrationState { challenge, user_handle: user.handle })
    }

    /// Checks what came of a registration, and makes the record to store (section 7.1).
    ///
    /// That no account has the credential id yet is for the caller to see to (step 26).
    ///
    /// # Errors
    /// [`PasskeyError`]; never a panic, whatever the answer holds.
    pub fn finish_registration(
        &self,
        state: &RegistrationState,
        answer: &RegistrationResponse,
    ) -> Result<Passkey, PasskeyError> {
        const MALFORMED: PasskeyError = PasskeyError::Malformed("response.attestationObject");
        let response = &answer.response;
        self.check_client_data(&response.client_data.0, "webauthn.create", &state.challenge)?;

        let object = Item::read(&response.attestation_object.0).ok_or(MALFORMED)?;
        let member = |name| object.get(&Item::Text(name)).ok_or(MALFORMED);
        let Item::Bytes(bytes) = member("authData")? else { return Err(MALFORMED) };
        let data = AuthenticatorData::read(bytes).ok_or(MALFORMED)?;
        self.check_authenticator_data(&data)?;

        let credential = data.credential.as_ref().ok_or(MALFORMED)?;
        if credential.id != answer.id.0 {
            return Err(Refusal::Credential.into());
        }
        let public_key = PublicKey::from_cose(&credential.key)?;
        let statement = member("attStmt")?;
        match member("fmt")? {
            Item::Text("none") if *statement == Item::Map(Vec::new()) => {}
            // Self attestation (section 8.2): the key signs for itself.
            Item::Text("packed") if statement.get(&Item::Text("x5c")).is_none() => {
                let algorithm = Item::Integer(public_key.algorithm.cose());
                let Some(Item::Bytes(signature)) = statement.get(&Item::Text("sig")) else {
                    return Err(MALFORMED);
                };
                if statement.get(&Item::Text("alg")) != Some(&algorithm) {
                    return Err(Refusal::Attestation.into());
                }
                public_key.verify(bytes, &response.client_data.0, signature)?;
            }
            Item::Text(_) => return Err(Refusal::Attestation.into()),
            _ => return Err(MALFORMED),
        }

        let transports = response.transports.clone();
        if transports.len() > TRANSPORTS
            || transports.iter().any(|name| name.len() > LONGEST_TRANSPORT)
        {
            return Err(PasskeyError::Malformed("response.transports"));
        }
        Ok(Passkey {
            credential_id: answer.id.clone().into(),
            user_handle: state.user_handle,
            public_key,
            sign_count: data.sign_count,
            backup_eligible: data.is(BACKUP_ELIGIBLE),
            backup_state: data.is(BACKUP_STATE),
            transports,
        })
    }

    /// Starts a sign-in with whatever passkey the user picks: the options for
    /// `navigator.credentials.get()` (`PublicKeyCredentialRequestOptionsJSON`, for
    /// `parseRequestOptionsFromJSON()`), and what to keep of it.
    pub fn start_authentication(&self, random: &dyn Random) -> (Value, AuthenticationState) {
        let challenge = challenge(random);
        let options = json!({
            "challenge": challenge,
            "timeout": LIFETIME.as_millis(),
            "rpId": self.id,
            "allowCredentials": [],
            "userVerification": "required",
        });
        (options, AuthenticationState { challenge })
    }

    /// Checks what came of a sign-in against the stored passkey of its
    /// [credential id](AuthenticationResponse::credential_id) (section 7.2).
    ///
    /// # Errors
    /// [`PasskeyError`]; never a panic, whatever the answer holds.
    pub fn finish_authentication(
        &self,
        state: &AuthenticationState,
        answer: &AuthenticationResponse,
        passkey: &Passkey,
    ) -> Result<Updated, PasskeyError> {
        let response = &answer.response;
        if answer.credential_id() != passkey.credential_id {
            return Err(Refusal::Credential.into());
        }
        let user_handle = response.user_handle.as_ref().map(|handle| handle.0.as_slice());
        if user_handle != Some(passkey.user_handle.as_bytes()) {
            return Err(Refusal::UserHandle.into());
        }
        self.check_client_data(&response.client_data.0, "webauthn.get", &state.challenge)?;

        let data = AuthenticatorData::read(&response.authenticator_data.0)
            .ok_or(PasskeyError::Malformed("response.authenticatorData"))?;
        self.check_authenticator_data(&data)?;
        if data.is(BACKUP_ELIGIBLE) != passkey.backup_eligible {
            return Err(Refusal::Backup.into());
        }
        passkey.public_key.verify(
            &response.authenticator_data.0,
            &response.client_data.0,
            &response.signature.0,
        )?;
        let has_counter = data.sign_count != 0 || passkey.sign_count != 0;
        if has_counter && data.sign_count <= passkey.sign_count {
            return Err(Refusal::Counter.into());
        }
        Ok(Updated { sign_count: data.sign_count, backup_state: data.is(BACKUP_STATE) })
    }

    fn check_client_data(
        &self,
        json: &[u8],
        kind: &str,
        challenge: &str,
    ) -> Result<(), PasskeyError> {
        let data: ClientData = serde_json::from_slice(json)
            .map_err(|_| PasskeyError::Malformed("response.clientDataJSON"))?;
        if data.kind != kind {
            return Err(Refusal::Type.into());
        }
        if data.challenge != challenge {
            return Err(Refusal::Challenge.into());
        }
        if !self.origins.contains(&data.origin) {
            return Err(Refusal::Origin.into());
        }
        if data.cross_origin || data.top_origin.is_some() {
            return Err(Refusal::CrossOrigin.into());
        }
        Ok(())
    }

    fn check_authenticator_data(&self, data: &AuthenticatorData<'_>) -> Result<(), Refusal> {
        if data.rp_id_hash != Sha256::digest(&self.id).as_slice() {
            return Err(Refusal::RelyingParty);
        }
        if !data.is(USER_PRESENT) {
            return Err(Refusal::UserPresence);
        }
        if !data.is(USER_VERIFIED) {
            return Err(Refusal::UserVerification);
        }
        if data.is(BACKUP_STATE) && !data.is(BACKUP_ELIGIBLE) {
            return Err(Refusal::Backup);
        }
        Ok(())
    }
}

/// 32 fresh bytes, base64url.
fn challenge(random: &dyn Random) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(random.bytes::<32>())
}

/// Authenticator data (section 6.1).
struct AuthenticatorData<'a> {
    rp_id_hash: &'a [u8],
    flags: u8,
    sign_count: u32,
    credential: Option<AttestedCredential<'a>>,
}

/// Attested credential data (section 6.5.1), without the authenticator's model.
struct AttestedCredential<'a> {
    id: &'a [u8],
    key: Item<'a>,
}

impl<'a> AuthenticatorData<'a> {
    fn read(mut input: &'a [u8]) -> Option<Self> {
        let rp_id_hash = input.split_off(..32)?;
        let [flags] = take(&mut input)?;
        let sign_count = u32::from_be_bytes(take(&mut input)?);
        let credential = if flags & ATTESTED_CREDENTIAL == 0 {
            None
        } else {
            let _aaguid: [u8; 16] = take(&mut input)?;
            let length = u16::from_be_bytes(take(&mut input)?).into();
            if !CREDENTIAL_ID.contains(&length) {
                return None;
            }
            let id = input.split_off(..length)?;
            Some(AttestedCredential { id, key: Item::read_one(&mut input, CBOR_LEVELS)? })
        };
        if flags & EXTENSIONS != 0 {
            let Item::Map(_) = Item::read_one(&mut input, CBOR_LEVELS)? else { return None };
        }
        input.is_empty().then_some(Self { rp_id_hash, flags, sign_count, credential })
    }

    /// Whether a flag is set.
    fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// The first bytes of `input`, which goes on behind them.
fn take<const N: usize>(input: &mut &[u8]) -> Option<[u8; N]> {
    input.split_off(..N)?.try_into().ok()
}

/// A data item of CBOR (RFC 8949) in the form that authenticators have to use (CTAP 2.1, section 8):
/// lengths are given beforehand, there are no tags, and few levels.
#[derive(Debug, PartialEq, Eq)]
enum Item<'a> {
    Integer(i64),
    Bytes(&'a [u8]),
    Text(&'a str),
    Map(Vec<(Self, Self)>),
    /// A list, a float or a simple value: nothing that is read here.
    Other,
}

impl<'a> Item<'a> {
    /// The item that is all of `input`.
    fn read(mut input: &'a [u8]) -> Option<Self> {
        let item = Self::read_one(&mut input, CBOR_LEVELS)?;
        input.is_empty().then_some(item)
    }

    /// The item that `input` starts with.
    fn read_one(input: &mut &'a [u8], levels: u8) -> Option<Self> {
        let [head] = take(input)?;
        let argument = match head & 0b1_1111 {
            small @ 0..24 => u64::from(small),
            24 => u8::from_be_bytes(take(input)?).into(),
            25 => u16::from_be_bytes(take(input)?).into(),
            26 => u32::from_be_bytes(take(input)?).into(),
            27 => u64::from_be_bytes(take(input)?),
            _ => return None,
        };
        let length = usize::try_from(argument);
        Some(match head >> 5 {
            0 => Self::Integer(i64::try_from(argument).ok()?),
            1 => Self::Integer(!i64::try_from(argument).ok()?),
            2 => Self::Bytes(input.split_off(..length.ok()?)?),
            3 => Self::Text(str::from_utf8(input.split_off(..length.ok()?)?).ok()?),
            4 => {
                let levels = levels.checked_sub(1)?;
                for _ in 0..argument {
                    Self::read_one(input, levels)?;
                }
                Self::Other
            }
            5 => {
                let levels = levels.checked_sub(1)?;
                let mut members = Vec::new();
                for _ in 0..argument {
                    let key = Self::read_one(input, levels)?;
                    members.push((key, Self::read_one(input, levels)?));
                }
                Self::Map(members)
            }
            7 => Self::Other,
            _ => return None,
        })
    }

    /// The member of a map; `None` of anything else.
    fn get(&self, key: &Self) -> Option<&Self> {
        let Self::Map(members) = self else { return None };
        members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

    use super::*;

    /// A test vector of section 16, bytes in hex. The attestation objects of 16.10 and 16.11 are
    /// what a client makes of them where it is asked for none.
    #[derive(Deserialize)]
    struct Vector {
        title: String,
        registration: Registration,
        authentication: Authentication,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Registration {
        challenge: String,
        #[serde(rename = "clientDataJSON")]
        client_data: String,
        attestation_object: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Authentication {
        challenge: String,
        #[serde(rename = "clientDataJSON")]
        client_data: String,
        authenticator_data: String,
        signature: String,
    }

    const ACCOUNT: Uuid = Uuid::from_u128(1);

    fn vector(section: &str) -> Vector {
        let vectors: Vec<Vector> =
            serde_json::from_str(include_str!("passkey_vectors.json")).unwrap();
        vectors.into_iter().find(|vector| vector.title.contains(section)).unwrap()
    }

    fn relying_party() -> RelyingParty {
        RelyingParty {
            id: "example.org".into(),
            name: "Example".into(),
            origins: vec!["https://example.org".into()],
        }
    }

    fn unhex(text: &str) -> Vec<u8> {
        hex::decode(text).unwrap()
    }

    fn encoded(text: &str) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(unhex(text))
    }

    /// The attestation object's authenticator data, which come last in all vectors.
    fn authenticator_data(object: &[u8]) -> &[u8] {
        let at = object.windows(8).position(|name| name == b"authData").unwrap() + 8;
        let Item::Bytes(data) = Item::read(&object[at..]).unwrap() else { panic!("no bytes") };
        data
    }

    /// The same without attestation, as a client makes it where it is asked for none.
    fn without_attestation(object: &[u8]) -> Vec<u8> {
        let at = object.windows(8).position(|name| name == b"authData").unwrap();
        [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68", &object[at..]].concat()
    }

    fn register(vector: &Registration, object: &[u8]) -> Result<Passkey, PasskeyError> {
        let credential = AuthenticatorData::read(authenticator_data(object)).unwrap().credential;
        let answer = json!({
            "id": BASE64_URL_SAFE_NO_PAD.encode(credential.unwrap().id),
            "type": "public-key",
            "response": {
                "clientDataJSON": BASE64_URL_SAFE_NO_PAD.encode(&vector.client_data),
                "attestationObject": BASE64_URL_SAFE_NO_PAD.encode(object),
            },
        });
        let state =
            RegistrationState { challenge: encoded(&vector.challenge), user_handle: ACCOUNT };
        let answer = serde_json::from_value(answer).unwrap();
        relying_party().finish_registration(&state, &answer)
    }

    fn authenticate(vector: &Authentication, passkey: &Passkey) -> Result<Updated, PasskeyError> {
        let answer = json!({
            "id": passkey.credential_id,
            "type": "public-key",
            "response": {
                "clientDataJSON": BASE64_URL_SAFE_NO_PAD.encode(&vector.client_data),
                "authenticatorData": encoded(&vector.authenticator_data),
                "signature": encoded(&vector.signature),
                "userHandle": BASE64_URL_SAFE_NO_PAD.encode(ACCOUNT.as_bytes()),
            },
        });
        let state = AuthenticationState { challenge: encoded(&vector.challenge) };
        let answer = serde_json::from_value(answer).unwrap();
        relying_party().finish_authentication(&state, &answer, passkey)
    }

    #[test]
    fn official_signatures_of_every_algorithm_are_good() {
        for (section, algorithm) in [
            ("16.2", Algorithm::Es256),
            ("16.3", Algorithm::Es256),
            ("16.4", Algorithm::Es256),
            ("16.7", Algorithm::Es256),
            ("16.10", Algorithm::Rs256),
            ("16.11", Algorithm::EdDsa),
        ] {
            let Vector { registration, authentication, .. } = vector(section);
            let object = unhex(&registration.attestation_object);
            let data = AuthenticatorData::read(authenticator_data(&object)).unwrap();
            let key = PublicKey::from_cose(&data.credential.unwrap().key).unwrap();
            assert_eq!(key.algorithm, algorithm, "{section}");
            let data = unhex(&authentication.authenticator_data);
            let client_data = authentication.client_data.as_bytes();
            let mut signature = unhex(&authentication.signature);
            assert_eq!(key.verify(&data, client_data, &signature), Ok(()), "{section}");
            assert_eq!(key.verify(&data, b"{}", &signature), Err(Refusal::Signature), "{section}");
            *signature.last_mut().unwrap() ^= 1;
            let refused = key.verify(&data, client_data, &signature);
            assert_eq!(refused, Err(Refusal::Signature), "{section}");
        }
    }

    #[test]
    fn an_official_passkey_is_registered_and_signs_in() {
        let Vector { registration, authentication, .. } = vector("16.7");
        let object = unhex(&registration.attestation_object);
        let passkey = register(&registration, &without_attestation(&object)).unwrap();
        assert_eq!(
            passkey.credential_id,
            encoded("c9a6f5b3462d02873fea0c56862234f99f081728084e511bb7760201a89054a5")
        );
        assert!(passkey.backup_eligible && !passkey.backup_state);
        let updated = authenticate(&authentication, &passkey);
        assert_eq!(updated, Ok(Updated { sign_count: 0, backup_state: false }));
    }

    #[test]
    fn official_ceremonies_outside_the_policy_are_refused() {
        let no_verification = Err(Refusal::UserVerification.into());
        for section in ["16.2", "16.11"] {
            let Vector { registration, .. } = vector(section);
            let object = unhex(&registration.attestation_object);
            assert_eq!(register(&registration, &object), no_verification, "{section}");
        }
        let Vector { registration, authentication, .. } = vector("16.10");
        let object = unhex(&registration.attestation_object);
        let passkey = register(&registration, &object).unwrap();
        assert_eq!(authenticate(&authentication, &passkey), Err(Refusal::UserVerification.into()));
        let Vector { registration, .. } = vector("16.4");
        let object = unhex(&registration.attestation_object);
        assert_eq!(register(&registration, &object), Err(Refusal::CrossOrigin.into()));
    }

    #[test]
    fn attestation_is_none_or_by_the_key_itself() {
        let Vector { registration, .. } = vector("16.3");
        let object = unhex(&registration.attestation_object);
        assert!(register(&registration, &object).is_ok());
        // The last byte of the signature stands before the name of the next member.
        let mut forged = object.clone();
        let end = object.windows(8).position(|name| name == b"authData").unwrap();
        forged[end - 2] ^= 1;
        assert_eq!(register(&registration, &forged), Err(Refusal::Signature.into()));
        let mut other = object.clone();
        let algorithm = object.windows(4).position(|name| name == b"calg").unwrap() + 4;
        other[algorithm] = 0x27;
        assert_eq!(register(&registration, &other), Err(Refusal::Attestation.into()));
        let mut unneeded = without_attestation(&object);
        unneeded.splice(18..19, *b"\xa1\x01\x02");
        assert_eq!(register(&registration, &unneeded), Err(Refusal::Attestation.into()));
        let mut unknown = object;
        let format = unknown.windows(6).position(|name| name == b"packed").unwrap();
        unknown[format] = b'P';
        assert_eq!(register(&registration, &unknown), Err(Refusal::Attestation.into()));

        let Vector { registration, .. } = vector("16.7");
        let object = unhex(&registration.attestation_object);
        assert_eq!(register(&registration, &object), Err(Refusal::Attestation.into()));
    }

    /// Authenticator data with a credential id of that length and this key.
    fn with_credential(id_length: u16, key: &[u8], behind: &[u8]) -> Vec<u8> {
        let id = vec![7; id_length.into()];
        [&[0; 32], &[0x45][..], &[0; 20], &id_length.to_be_bytes(), &id, key, behind].concat()
    }

    #[test]
    fn authenticator_data_are_read_to_their_end() {
        let read = |bytes: &[u8]| AuthenticatorData::read(bytes).is_some();
        for (length, good) in [(15, false), (16, true), (1023, true), (1024, false)] {
            assert_eq!(read(&with_credential(length, b"\xa0", b"")), good, "{length}");
        }
        let whole = with_credential(16, b"\xa0", b"");
        assert!((0..whole.len()).all(|length| !read(&whole[..length])));
        assert!(!read(&with_credential(16, b"\xa0", b"\xa0")), "no flag says that more follows");
        let mut extended = with_credential(16, b"\xa0", b"\xa1\x63foo\xf5");
        extended[32] |= EXTENSIONS;
        assert!(read(&extended));
        assert!(!read(&extended[..extended.len() - 1]));
        let mut no_map = with_credential(16, b"\xa0", b"\xf5");
        no_map[32] |= EXTENSIONS;
        assert!(!read(&no_map));
    }

    #[test]
    fn keys_are_points_and_moduli_of_their_size() {
        let key = |cbor: &[&[u8]]| PublicKey::from_cose(&Item::read(&cbor.concat()).unwrap());
        let malformed = Err(PasskeyError::Malformed("response.attestationObject"));
        let es256: &[u8] = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20";
        let off_the_curve = key(&[es256, &[1; 32], b"\x22\x58\x20", &[1; 32]]);
        assert_eq!(off_the_curve, malformed);
        assert_eq!(key(&[b"\xa5\x01\x02\x03\x26\x20\x01\x21\x40\x22\x40"]), malformed);
        assert_eq!(key(&[b"\xa2\x01\x01\x03\x26"]), malformed, "ES256 is no octet key pair");
        for (section, curve, other) in [("16.2", b"\x20\x01", 3), ("16.11", b"\x20\x06", 4)] {
            let object = unhex(&vector(section).registration.attestation_object);
            let cose = authenticator_data(&object)[87..].to_vec();
            assert!(key(&[&cose]).is_ok());
            let at = cose.windows(2).position(|member| member == curve).unwrap() + 1;
            let mut changed = cose;
            changed[at] = other;
            assert_eq!(key(&[&changed]), malformed, "a key of another curve");
        }
        let rs256 = |bytes: u16| {
            let modulus = vec![0xff; bytes.into()];
            let head: &[u8] = b"\xa4\x01\x03\x03\x39\x01\x00\x20\x59";
            key(&[head, &bytes.to_be_bytes(), &modulus, b"\x21\x43\x01\x00\x01"])
        };
        assert_eq!(rs256(255), malformed);
        assert!(rs256(256).is_ok() && rs256(1024).is_ok());
        assert_eq!(rs256(1025), malformed);
        assert_eq!(key(&[b"\xa2\x01\x02\x03\x38\x22"]), Err(Refusal::Algorithm.into()), "ES384");
    }

    #[test]
    fn cbor_is_read_as_authenticators_have_to_write_it() {
        // RFC 8949, appendix A.
        let read = Item::read;
        assert_eq!(read(b"\x18\x64"), Some(Item::Integer(100)));
        assert_eq!(read(b"\x39\x03\xe7"), Some(Item::Integer(-1000)));
        assert_eq!(
            read(b"\x1b\x00\x00\x00\xe8\xd4\xa5\x10\x00"),
            Some(Item::Integer(10_i64.pow(12)))
        );
        assert_eq!(read(b"\x3b\xff\xff\xff\xff\xff\xff\xff\xff"), None, "-2^64");
        assert_eq!(read(b"\x62\xc3\xbc"), Some(Item::Text("\u{fc}")));
        assert_eq!(read(b"\x62\xc3\x28"), None, "not UTF-8");
        assert_eq!(read(b"\xf9\x3c\x00"), Some(Item::Other), "1.0");
        let map = read(b"\xa2\x01\x02\x03\x44\x01\x02\x03\x04").unwrap();
        assert_eq!(map.get(&Item::Integer(3)), Some(&Item::Bytes(&[1, 2, 3, 4])));
        assert_eq!(map.get(&Item::Integer(2)), None);
        assert_eq!(read(b"\x5f\x42\x01\x02\xff"), None, "of indefinite length");
        assert_eq!(read(b"\xc1\x1a\x51\x4b\x67\xb0"), None, "a tag");
        assert_eq!(read(b"\x81\x81\x81\x81\x01"), Some(Item::Other));
        assert_eq!(read(b"\x81\x81\x81\x81\x81\x01"), None, "five levels");
        assert_eq!(read(b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff"), None);
        assert_eq!(read(b"\x01\x01"), None, "two items");
    }
}
