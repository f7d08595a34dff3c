//! Passkeys: a WebAuthn Level 3 (W3C) relying party for discoverable credentials with user verification and
//! without attestation.
//!
//! `webauthn-rs-core` parses authenticator responses and checks both ceremonies (sections 7.1 and 7.2). It is
//! called directly, because `webauthn-rs` on top of it fixes the options for clients (no resident key,
//! extensions, conditional mediation), the algorithms and the source of challenges. This module checks what
//! the library leaves open: the exact origin, cross-origin frames, attestation formats, and which account the
//! credential belongs to.
//!
//! Keys are ES256 (P-256) or RS256 with 2048 bits. An attestation statement is `none` or self attestation: no
//! authenticator vendor is trusted.
//!
//! This module keeps no state: it knows neither the time nor earlier challenges and credential ids. The
//! caller keeps the state of a ceremony for [`LIFETIME`], consumes it before it calls `finish_*`, and stores
//! each credential id only once across all accounts.

use std::{collections::BTreeMap, time::Duration};

use base::random::Random;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, json};
use shared::{
    auth::{AuthError, RefusedProof},
    problem::Problem,
};
use url::Url;
use utoipa::ToSchema;
use uuid::Uuid;
use webauthn_rs_core::{
    WebauthnCore,
    error::WebauthnError,
    proto::{
        AttestationFormat, AttestationMetadata, AuthenticatorAssertionResponseRaw,
        AuthenticatorAttestationResponseRaw, COSEAlgorithm, COSEEC2Key, COSEKey, COSEKeyType,
        Credential, ECDSACurve, ParsedAttestation, ParsedAttestationData, PublicKeyCredential,
        RegisterPublicKeyCredential, RegisteredExtensions, UserVerificationPolicy,
    },
};

/// How long a ceremony may take. The options tell the client, and the stored state expires after it.
pub const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// The longest base64url text decoded, in characters.
const LONGEST_TEXT: usize = 16 * 1024;
/// Members of a credential as named in errors.
const CLIENT_DATA: &str = "response.clientDataJSON";
const ATTESTATION_OBJECT: &str = "response.attestationObject";
const AUTHENTICATOR_DATA: &str = "response.authenticatorData";
/// Allowed length of a credential id in bytes (sections 4 and 7.1).
const CREDENTIAL_ID: std::ops::RangeInclusive<usize> = 16..=1023;
/// Algorithms offered in the options, preferred first.
const ALGORITHMS: [COSEAlgorithm; 2] = [COSEAlgorithm::ES256, COSEAlgorithm::RS256];
/// The most transports of a credential, and the longest one in bytes. The specification has six, of at most
/// 10 bytes.
const TRANSPORTS: usize = 16;
const LONGEST_TRANSPORT: usize = 32;

/// Why an authenticator's response is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasskeyError {
    /// This member of the response is malformed.
    #[error("The field {0} is malformed.")]
    Malformed(&'static str),
    /// The response is well-formed but proves nothing.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

impl From<PasskeyError> for AuthError {
    fn from(error: PasskeyError) -> Self {
        let problem = match error {
            PasskeyError::Malformed(_) => Problem::PasskeyMalformed,
            PasskeyError::Refused(_) => Problem::PasskeyRefused,
        };
        RefusedProof::new(problem, &error).into()
    }
}

/// Why a well-formed response proves nothing. The texts are safe to show to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A response of `create()` where one of `get()` was expected, or the reverse.
    #[error("The passkey responded to another kind of request.")]
    Type,
    /// A response to another challenge.
    #[error("The passkey responded to another challenge. Try again.")]
    Challenge,
    /// Created on a page whose origin is not one of the deployment's.
    #[error("The passkey was used on another website.")]
    Origin,
    /// Created in a frame embedded in another website.
    #[error("The passkey was used inside another website.")]
    CrossOrigin,
    /// Created for another relying party.
    #[error("The passkey belongs to another website.")]
    RelyingParty,
    /// The authenticator did not detect a user.
    #[error("The passkey was used without its owner present.")]
    UserPresence,
    /// Used without PIN or biometrics: only possession is proved.
    #[error("The passkey was used without verifying its owner.")]
    UserVerification,
    /// Backed up but not eligible for backup, or the eligibility changed since registration.
    #[error("The passkey's backup flags contradict each other.")]
    Backup,
    /// The algorithm is not among those offered.
    #[error("Passkeys with this algorithm are not supported.")]
    Algorithm,
    /// The attestation is neither `none` nor self attestation.
    #[error("This attestation format is not supported.")]
    Attestation,
    /// A response of another credential.
    #[error("The response is from another passkey.")]
    Credential,
    /// The user handle is missing, so the response does not say for which account the passkey is.
    #[error(
        "The response has no userHandle. Send the one that navigator.credentials.get() returned; a security key that keeps \
         no user handle cannot sign in."
    )]
    NoUserHandle,
    /// The user handle belongs to another account.
    #[error("The passkey belongs to another account.")]
    UserHandle,
    /// The signature was not made by the credential's key.
    #[error("The passkey's signature is not valid.")]
    Signature,
    /// The signature counter did not increase, so the authenticator may have been cloned.
    #[error("The passkey may have been copied.")]
    Counter,
}

impl PasskeyError {
    /// Translates an error of the library about a response with authenticator data in `member`.
    fn from_library(error: &WebauthnError, member: &'static str) -> Self {
        use WebauthnError as Found;
        let refusal = match error {
            Found::InvalidClientDataType => Refusal::Type,
            Found::MismatchedChallenge => Refusal::Challenge,
            Found::InvalidRPOrigin => Refusal::Origin,
            Found::CredentialCrossOrigin => Refusal::CrossOrigin,
            Found::InvalidRPIDHash => Refusal::RelyingParty,
            Found::UserNotPresent => Refusal::UserPresence,
            Found::UserNotVerified => Refusal::UserVerification,
            Found::CredentialMayNotBeHardwareBound
            | Found::CredentialBackupEligibilityInconsistent => Refusal::Backup,
            // The library parses the key before it compares the algorithm with those offered.
            Found::CredentialAlteredAlgFromRequest
            | Found::COSEKeyInvalidAlgorithm
            | Found::COSEKeyInvalidType
            | Found::COSEKeyRSANEInvalid
            | Found::SshPublicKeyEDUnsupported => Refusal::Algorithm,
            Found::AttestationNotSupported | Found::AttestationStatementAlgMismatch => {
                Refusal::Attestation
            }
            Found::CredentialNotFound => Refusal::Credential,
            Found::AttestationStatementSigInvalid
            | Found::SignatureInvalid
            | Found::AuthenticationFailure => Refusal::Signature,
            Found::CredentialPossibleCompromise => Refusal::Counter,
            Found::ParseJSONFailure(_) => return Self::Malformed(CLIENT_DATA),
            _ => return Self::Malformed(member),
        };
        refusal.into()
    }
}

/// Bytes as base64url without padding (RFC 4648, section 5). Each value has exactly one encoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, max_length = 16384, pattern = "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$")]
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

/// A stored credential of an account: the credential record of section 4.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// Base64url of 16 to 1023 bytes.
    pub credential_id: String,
    /// The account, whose 16 bytes are the user handle.
    pub user_handle: Uuid,
    /// The public key that verifies its signatures.
    pub public_key: COSEKey,
    /// The signature counter as last seen; 0 if the authenticator has none.
    pub sign_count: u32,
    /// Whether the passkey may exist on several devices. Never changes.
    pub backup_eligible: bool,
    /// Whether the passkey was backed up when last seen.
    pub backup_state: bool,
    /// How clients reach it, such as `internal` or `hybrid`, as reported by the client.
    pub transports: Vec<String>,
}

/// What a sign-in changes in a [`Passkey`]. Write it on the condition that the stored counter is still the
/// one that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Updated {
    /// The new signature counter.
    pub sign_count: u32,
    /// Whether the passkey is now backed up.
    pub backup_state: bool,
}

/// The user a passkey is created for.
#[derive(Clone, Copy, Debug)]
pub struct User<'a> {
    /// The account, whose 16 bytes become the user handle.
    pub handle: Uuid,
    /// Distinguishes accounts in the authenticator, such as an e-mail address.
    pub name: &'a str,
    /// The user's display name; may be empty.
    pub display_name: &'a str,
}

/// State of a registration that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RegistrationState {
    /// Base64url of 32 bytes.
    challenge: String,
    /// The account the passkey will belong to.
    pub user_handle: Uuid,
}

impl RegistrationState {
    /// Converts to the library's type. Its fields are private, so the conversion goes through its JSON.
    fn to_library(&self) -> serde_json::Result<webauthn_rs_core::proto::RegistrationState> {
        serde_json::from_value(json!({
            "policy": "required",
            "exclude_credentials": [],
            "challenge": self.challenge,
            "credential_algorithms": ALGORITHMS,
            "require_resident_key": true,
            "authenticator_attachment": null,
            "extensions": {},
            "allow_synchronised_authenticators": true,
        }))
    }
}

/// State of a sign-in that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthenticationState {
    /// Base64url of 32 bytes.
    challenge: String,
}

impl AuthenticationState {
    /// Converts to the library's type. Its fields are private, so the conversion goes through its JSON.
    fn to_library(&self) -> serde_json::Result<webauthn_rs_core::proto::AuthenticationState> {
        serde_json::from_value(json!({
            "credentials": [],
            "policy": "required",
            "challenge": self.challenge,
            "appid": null,
            "allow_backup_eligible_upgrade": false,
        }))
    }
}

/// The result of `navigator.credentials.create()`, serialized with `toJSON()`: `RegistrationResponseJSON`.
/// Members not listed here are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct RegistrationResponse {
    /// The credential id.
    id: Base64Url,
    /// Always `public-key`.
    #[serde(rename = "type")]
    _kind: CredentialType,
    /// The authenticator's response.
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
    /// How clients reach the authenticator, such as `internal` or `hybrid`.
    #[schema(required = false)]
    transports: Option<Vec<String>>,
}

/// The result of `navigator.credentials.get()`, serialized with `toJSON()`: `AuthenticationResponseJSON`.
/// Members not listed here are ignored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct AuthenticationResponse {
    /// The credential id.
    id: Base64Url,
    /// Always `public-key`.
    #[serde(rename = "type")]
    _kind: CredentialType,
    /// The authenticator's response.
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
    /// Signature over the authenticator data and the SHA-256 hash of the client data.
    signature: Base64Url,
    /// The account for which the authenticator keeps the passkey.
    user_handle: Option<Base64Url>,
}

#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
enum CredentialType {
    #[serde(rename = "public-key")]
    PublicKey,
}

impl AuthenticationResponse {
    /// The credential id that the response claims, base64url; the key of its [`Passkey`].
    pub fn credential_id(&self) -> String {
        self.id.clone().into()
    }
}

/// Where the client says it was called (section 5.8.1). This is checked here because the library compares
/// origins as URLs, does not know frames of a [`top_origin`](Self::top_origin), and allows a sign-in in any
/// frame.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    top_origin: Option<String>,
}

/// The attestation format of an attestation object (section 6.5). It is checked before the library parses
/// certificates and TPM structures, which anyone may send and this service does not need.
#[derive(Deserialize)]
struct Attestation<'a> {
    #[serde(rename = "fmt")]
    format: &'a str,
    #[serde(rename = "attStmt", borrow)]
    statement: BTreeMap<&'a str, IgnoredAny>,
    #[serde(rename = "authData")]
    authenticator_data: &'a [u8],
}

impl Attestation<'_> {
    /// Accepts only `none` (section 8.7) and self attestation (section 8.2).
    fn check(object: &[u8]) -> Result<(), PasskeyError> {
        let Attestation { format, statement, authenticator_data } =
            serde_cbor_2::from_slice(object)
                .map_err(|_| PasskeyError::Malformed(ATTESTATION_OBJECT))?;
        if !is_whole(authenticator_data) {
            return Err(PasskeyError::Malformed(ATTESTATION_OBJECT));
        }
        let vouches = ["x5c", "ecdaaKeyId"].iter().any(|name| statement.contains_key(name));
        match format {
            "none" if statement.is_empty() => Ok(()),
            "packed" if !vouches => Ok(()),
            _ => Err(Refusal::Attestation.into()),
        }
    }
}

/// Whether authenticator data (section 6.1) end where their flags and lengths say. The library ignores
/// trailing bytes.
fn is_whole(data: &[u8]) -> bool {
    after_parts(data).is_some_and(<[u8]>::is_empty)
}

/// The bytes after the parts that the flags announce.
fn after_parts(data: &[u8]) -> Option<&[u8]> {
    const ATTESTED_CREDENTIAL: u8 = 1 << 6;
    const EXTENSIONS: u8 = 1 << 7;
    // Hash of the relying party's id, flags, counter.
    let (head, mut rest) = data.split_at_checked(37)?;
    let flags = head.get(32)?;
    if flags & ATTESTED_CREDENTIAL != 0 {
        // AAGUID and length of the credential id.
        let (head, id_and_key) = rest.split_at_checked(18)?;
        let id_length = u16::from_be_bytes(*head.last_chunk()?);
        rest = after_cbor(id_and_key.get(usize::from(id_length)..)?)?;
    }
    if flags & EXTENSIONS != 0 {
        rest = after_cbor(rest)?;
    }
    Some(rest)
}

/// The bytes after one CBOR item.
fn after_cbor(bytes: &[u8]) -> Option<&[u8]> {
    let mut reader = serde_cbor_2::Deserializer::from_slice(bytes);
    IgnoredAny::deserialize(&mut reader).ok()?;
    bytes.get(reader.byte_offset()..)
}

/// Whether a key is on its algorithm's curve or long enough. The library accepts ES256 on any curve, and RSA
/// moduli of 2048 bits that begin with zeros.
fn is_strong(key: &COSEKey) -> bool {
    match (key.type_, &key.key) {
        (COSEAlgorithm::ES256, COSEKeyType::EC_EC2(COSEEC2Key { curve, .. })) => {
            *curve == ECDSACurve::SECP256R1
        }
        (COSEAlgorithm::RS256, COSEKeyType::RSA(key)) => key.n.first().is_some_and(|&n| n >= 0x80),
        _ => false,
    }
}

impl Passkey {
    /// Converts to the library's type, under the policy that applies to new registrations.
    fn to_library(&self) -> Result<Credential, base64::DecodeError> {
        Ok(Credential {
            cred_id: BASE64_URL_SAFE_NO_PAD.decode(&self.credential_id)?,
            cred: self.public_key.clone(),
            counter: self.sign_count,
            transports: None,
            user_verified: true,
            backup_eligible: self.backup_eligible,
            backup_state: self.backup_state,
            registration_policy: UserVerificationPolicy::Required,
            extensions: RegisteredExtensions::none(),
            attestation: ParsedAttestation {
                data: ParsedAttestationData::None,
                metadata: AttestationMetadata::None,
            },
            attestation_format: AttestationFormat::None,
        })
    }
}

/// This deployment as known to authenticators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    /// The domain that owns the passkeys, such as `runeport.example` (section 4, RP ID).
    pub id: String,
    /// The name shown to users.
    pub name: String,
    /// The origins whose pages may use passkeys, such as `https://app.runeport.example`. Each is compared
    /// literally.
    pub origins: Vec<String>,
}

impl RelyingParty {
    /// Starts a registration. Returns the options for `navigator.credentials.create()`
    /// (`PublicKeyCredentialCreationOptionsJSON`, for `parseCreationOptionsFromJSON()`), and the state to
    /// keep.
    ///
    /// `exclude` lists the account's credential ids in base64url: an authenticator that holds one of them
    /// creates no other.
    pub fn start_registration<'a>(
        &self,
        random: &dyn Random,
        user: User<'_>,
        exclude: impl IntoIterator<Item = &'a str>,
    ) -> (Value, RegistrationState) {
        let challenge = challenge(random);
        let parameters =
            ALGORITHMS.map(|algorithm| json!({ "type": "public-key", "alg": algorithm as i32 }));
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

    /// Checks the response to a registration and returns the record to store (section 7.1).
    ///
    /// The caller must ensure that no account has the credential id yet (step 26).
    ///
    /// # Errors
    /// [`PasskeyError`]. No response makes it panic.
    pub fn finish_registration(
        &self,
        state: &RegistrationState,
        answer: &RegistrationResponse,
    ) -> Result<Passkey, PasskeyError> {
        let response = &answer.response;
        self.check_client_data(&response.client_data.0)?;
        Attestation::check(&response.attestation_object.0)?;
        let user_handle = state.user_handle;
        let state = state.to_library().map_err(|_| Refusal::Challenge)?;
        let to_library = RegisterPublicKeyCredential {
            id: answer.id.clone().into(),
            raw_id: answer.id.0.clone(),
            response: AuthenticatorAttestationResponseRaw {
                attestation_object: response.attestation_object.0.clone(),
                client_data_json: response.client_data.0.clone(),
                transports: None,
            },
            type_: "public-key".into(),
            extensions: Default::default(),
        };
        let made = self
            .library()
            .register_credential(&to_library, &state, None)
            .map_err(|error| PasskeyError::from_library(&error, ATTESTATION_OBJECT))?;
        if made.cred_id != answer.id.0 {
            return Err(Refusal::Credential.into());
        }
        if !CREDENTIAL_ID.contains(&made.cred_id.len()) || !is_strong(&made.cred) {
            return Err(PasskeyError::Malformed(ATTESTATION_OBJECT));
        }

        let transports = response.transports.clone().unwrap_or_default();
        if transports.len() > TRANSPORTS
            || transports.iter().any(|name| name.len() > LONGEST_TRANSPORT)
        {
            return Err(PasskeyError::Malformed("response.transports"));
        }
        Ok(Passkey {
            credential_id: answer.id.clone().into(),
            user_handle,
            public_key: made.cred,
            sign_count: made.counter,
            backup_eligible: made.backup_eligible,
            backup_state: made.backup_state,
            transports,
        })
    }

    /// Starts a sign-in with any passkey the user picks. Returns the options for
    /// `navigator.credentials.get()` (`PublicKeyCredentialRequestOptionsJSON`, for
    /// `parseRequestOptionsFromJSON()`), and the state to keep.
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

    /// Checks the response to a sign-in against the stored passkey of its [credential
    /// id](AuthenticationResponse::credential_id) (section 7.2).
    ///
    /// # Errors
    /// [`PasskeyError`]. No response makes it panic.
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
        let user_handle = response.user_handle.as_ref().ok_or(Refusal::NoUserHandle)?;
        if user_handle.0 != passkey.user_handle.as_bytes() {
            return Err(Refusal::UserHandle.into());
        }
        self.check_client_data(&response.client_data.0)?;
        if !is_whole(&response.authenticator_data.0) {
            return Err(PasskeyError::Malformed(AUTHENTICATOR_DATA));
        }

        let state = state.to_library().map_err(|_| Refusal::Challenge)?;
        let stored = passkey.to_library().map_err(|_| Refusal::Credential)?;
        let to_library = PublicKeyCredential {
            id: answer.credential_id(),
            raw_id: answer.id.0.clone(),
            response: AuthenticatorAssertionResponseRaw {
                authenticator_data: response.authenticator_data.0.clone(),
                client_data_json: response.client_data.0.clone(),
                signature: response.signature.0.clone(),
                user_handle: None,
            },
            extensions: Default::default(),
            type_: "public-key".into(),
        };
        let proved = self
            .library()
            .authenticate_single_credential(&to_library, &state, &stored)
            .map_err(|error| PasskeyError::from_library(&error, AUTHENTICATOR_DATA))?;
        Ok(Updated { sign_count: proved.counter(), backup_state: proved.backup_state() })
    }

    /// The relying party as configured in the library, without its relaxed rules: no other ports, no
    /// subdomains.
    fn library(&self) -> WebauthnCore {
        let origins = self.origins.iter().filter_map(|origin| Url::parse(origin).ok());
        WebauthnCore::new_unsafe_experts_only(
            &self.name,
            &self.id,
            origins.collect(),
            LIFETIME,
            Some(false),
            Some(false),
        )
    }

    fn check_client_data(&self, json: &[u8]) -> Result<(), PasskeyError> {
        let data: ClientData =
            serde_json::from_slice(json).map_err(|_| PasskeyError::Malformed(CLIENT_DATA))?;
        if !self.origins.contains(&data.origin) {
            return Err(Refusal::Origin.into());
        }
        if data.cross_origin || data.top_origin.is_some() {
            return Err(Refusal::CrossOrigin.into());
        }
        Ok(())
    }
}

/// 32 fresh bytes, base64url.
fn challenge(random: &dyn Random) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(random.bytes::<32>())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

    use aws_lc_rs::{
        rand::SystemRandom,
        rsa::{KeyPair, KeySize},
        signature::{KeyPair as _, RSA_PKCS1_SHA256},
    };
    use serde_cbor_2::Value as Cbor;
    use sha2::{Digest, Sha256};
    use webauthn_rs_core::{internals::AuthenticatorData, proto::Registration as Making};

    use super::*;

    /// A test vector of section 16, bytes in hex. The attestation objects of 16.10 and 16.11 are in the form
    /// a client sends when it is asked for no attestation.
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
    const MALFORMED: PasskeyError = PasskeyError::Malformed(ATTESTATION_OBJECT);

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

    /// The authenticator data in an attestation object.
    fn authenticator_data(object: &[u8]) -> Vec<u8> {
        let object: BTreeMap<String, Cbor> = serde_cbor_2::from_slice(object).unwrap();
        let Cbor::Bytes(data) = &object["authData"] else { panic!("no bytes") };
        data.clone()
    }

    /// The credential in authenticator data: its id, and its key if valid.
    fn credential(data: &[u8]) -> (Vec<u8>, Result<COSEKey, WebauthnError>) {
        let credential = AuthenticatorData::<Making>::try_from(data).unwrap().acd.unwrap();
        (credential.credential_id, COSEKey::try_from(&credential.credential_pk))
    }

    /// An attestation object with this authenticator data and no attestation.
    fn unattested(data: &[u8]) -> Vec<u8> {
        let text = |text: &str| Cbor::Text(text.into());
        let members = [
            (text("fmt"), text("none")),
            (text("attStmt"), Cbor::Map(BTreeMap::new())),
            (text("authData"), Cbor::Bytes(data.to_vec())),
        ];
        serde_cbor_2::to_vec(&Cbor::Map(members.into())).unwrap()
    }

    /// The attestation object stripped of its attestation, as clients do when asked for none.
    fn without_attestation(object: &[u8]) -> Vec<u8> {
        let at = object.windows(8).position(|name| name == b"authData").unwrap();
        [b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68", &object[at..]].concat()
    }

    fn register(vector: &Registration, object: &[u8]) -> Result<Passkey, PasskeyError> {
        let (id, _) = credential(&authenticator_data(object));
        register_as(&id, vector, object)
    }

    fn register_as(
        id: &[u8],
        vector: &Registration,
        object: &[u8],
    ) -> Result<Passkey, PasskeyError> {
        let answer = json!({
            "id": BASE64_URL_SAFE_NO_PAD.encode(id),
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
    fn signatures_of_the_specification_verify() {
        for section in ["16.2", "16.3", "16.4", "16.7"] {
            let Vector { registration, authentication, .. } = vector(section);
            let object = unhex(&registration.attestation_object);
            let key = credential(&authenticator_data(&object)).1.unwrap();
            assert!(is_strong(&key), "{section}");
            let signed = |client_data: &[u8]| {
                let data = unhex(&authentication.authenticator_data);
                [&data, Sha256::digest(client_data).as_slice()].concat()
            };
            let good = signed(authentication.client_data.as_bytes());
            let mut signature = unhex(&authentication.signature);
            assert_eq!(key.verify_signature(&signature, &good), Ok(true), "{section}");
            assert_eq!(key.verify_signature(&signature, &signed(b"{}")), Ok(false), "{section}");
            *signature.last_mut().unwrap() ^= 1;
            assert_eq!(key.verify_signature(&signature, &good), Ok(false), "{section}");
        }
    }

    #[test]
    fn passkeys_of_the_specification_register_and_sign_in() {
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
    fn ceremonies_of_the_specification_outside_the_policy_are_refused() {
        let no_verification = Err(Refusal::UserVerification.into());
        for section in ["16.2", "16.11"] {
            let Vector { registration, .. } = vector(section);
            let object = unhex(&registration.attestation_object);
            assert_eq!(register(&registration, &object), no_verification, "{section}");
        }
        let Vector { registration, authentication, .. } = vector("16.3");
        let object = unhex(&registration.attestation_object);
        let passkey = register(&registration, &object).unwrap();
        assert_eq!(authenticate(&authentication, &passkey), Err(Refusal::UserVerification.into()));
        let Vector { registration, .. } = vector("16.4");
        let object = unhex(&registration.attestation_object);
        assert_eq!(register(&registration, &object), Err(Refusal::CrossOrigin.into()));
        let Vector { registration, .. } = vector("16.10");
        let object = unhex(&registration.attestation_object);
        let unsupported = Err(Refusal::Algorithm.into());
        assert_eq!(register(&registration, &object), unsupported, "its modulus has 3488 bits");
    }

    /// An Android app sends the hash of its certificate in place of an origin.
    #[test]
    fn an_android_app_may_use_passkeys() {
        let Vector { registration, .. } = vector("16.3");
        let object = unhex(&registration.attestation_object);
        let app = format!("android:apk-key-hash:{}", BASE64_URL_SAFE_NO_PAD.encode([7; 32]));
        let other = format!("android:apk-key-hash:{}", BASE64_URL_SAFE_NO_PAD.encode([8; 32]));
        let register_from = |origin: &str| {
            let client_data = registration.client_data.replace("https://example.org", origin);
            let (id, _) = credential(&authenticator_data(&object));
            let answer = json!({
                "id": BASE64_URL_SAFE_NO_PAD.encode(id),
                "type": "public-key",
                "response": {
                    "clientDataJSON": BASE64_URL_SAFE_NO_PAD.encode(client_data),
                    "attestationObject": BASE64_URL_SAFE_NO_PAD.encode(without_attestation(&object)),
                },
            });
            let challenge = encoded(&registration.challenge);
            let state = RegistrationState { challenge, user_handle: ACCOUNT };
            let party = RelyingParty { origins: vec![app.clone()], ..relying_party() };
            party.finish_registration(&state, &serde_json::from_value(answer).unwrap())
        };
        assert!(register_from(&app).is_ok());
        assert_eq!(register_from(&other), Err(Refusal::Origin.into()));
        assert_eq!(register_from("https://example.org"), Err(Refusal::Origin.into()));
    }

    #[test]
    fn attestation_is_none_or_self() {
        let Vector { registration, .. } = vector("16.3");
        let object = unhex(&registration.attestation_object);
        assert!(register(&registration, &object).is_ok());
        // The signature's last byte comes just before the name of the next member.
        let mut forged = object.clone();
        let end = object.windows(8).position(|name| name == b"authData").unwrap();
        forged[end - 2] ^= 1;
        assert_eq!(register(&registration, &forged), Err(Refusal::Signature.into()));
        let mut other = object.clone();
        let algorithm = object.windows(4).position(|name| name == b"calg").unwrap() + 4;
        other[algorithm] = 0x27;
        assert_eq!(register(&registration, &other), Err(Refusal::Attestation.into()));
        let mut unneeded = without_attestation(&object);
        unneeded.splice(18..19, *b"\xa1\x61x\x02");
        assert_eq!(register(&registration, &unneeded), Err(Refusal::Attestation.into()));
        let format = object.windows(6).position(|name| name == b"packed").unwrap();
        for name in [b"Packed", b"vendor"] {
            let mut unknown = object.clone();
            unknown[format..format + 6].copy_from_slice(name);
            assert_eq!(register(&registration, &unknown), Err(Refusal::Attestation.into()));
        }

        let Vector { registration, .. } = vector("16.7");
        let object = unhex(&registration.attestation_object);
        assert_eq!(register(&registration, &object), Err(Refusal::Attestation.into()));
    }

    /// Registers a key with a credential id of the given length.
    fn register_key(id_length: u16, key: &[&[u8]]) -> Result<Passkey, PasskeyError> {
        let id = vec![7; id_length.into()];
        let rp_id = Sha256::digest("example.org");
        let head = [&rp_id[..], &[0x45], &[0; 20], &id_length.to_be_bytes()].concat();
        let data = [head, id.clone(), key.concat()].concat();
        register_as(&id, &vector("16.3").registration, &unattested(&data))
    }

    fn es256() -> Vec<u8> {
        let object = unhex(&vector("16.2").registration.attestation_object);
        authenticator_data(&object)[87..].to_vec()
    }

    #[test]
    fn credential_ids_outside_the_allowed_length_are_refused() {
        let key = es256();
        for (length, good) in [(0, false), (15, false), (16, true), (1023, true), (1024, false)] {
            let registered = register_key(length, &[&key]);
            assert_eq!(registered.is_ok(), good, "{length}");
            assert!(good || registered == Err(MALFORMED), "{length}");
        }
    }

    #[test]
    fn truncated_registrations_are_malformed() {
        let Vector { registration, .. } = vector("16.3");
        let data = authenticator_data(&unhex(&registration.attestation_object));
        let (id, _) = credential(&data);
        assert!(register_as(&id, &registration, &unattested(&data)).is_ok());
        for length in 0..data.len() {
            let refused = register_as(&id, &registration, &unattested(&data[..length]));
            assert_eq!(refused, Err(MALFORMED), "{length}");
        }
        let longer = unattested(&[&data[..], b"\0"].concat());
        assert_eq!(register_as(&id, &registration, &longer), Err(MALFORMED), "a byte too many");
        let object = unattested(&data);
        for length in 0..object.len() {
            let refused = register_as(&id, &registration, &object[..length]);
            assert_eq!(refused, Err(MALFORMED), "{length}");
        }
        let two = [&object[..], b"\x01"].concat();
        assert_eq!(register_as(&id, &registration, &two), Err(MALFORMED), "two items");
    }

    #[test]
    fn keys_of_the_wrong_curve_or_size_are_refused() {
        let key = |cbor: &[&[u8]]| register_key(16, cbor).map(|passkey| passkey.public_key.type_);
        let unsupported = Err(Refusal::Algorithm.into());
        let head: &[u8] = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20";
        let off_the_curve = key(&[head, &[1; 32], b"\x22\x58\x20", &[1; 32]]);
        assert_eq!(off_the_curve, Err(MALFORMED));
        assert_eq!(key(&[b"\xa5\x01\x02\x03\x26\x20\x01\x21\x40\x22\x40"]), Err(MALFORMED));
        assert_eq!(key(&[b"\xa2\x01\x01\x03\x26"]), unsupported, "an octet key pair is not ES256");
        let good = es256();
        assert_eq!(key(&[&good]), Ok(COSEAlgorithm::ES256));
        let at = good.windows(2).position(|member| member == b"\x20\x01").unwrap() + 1;
        for curve in [0, 2, 3, 8] {
            let mut changed = good.clone();
            changed[at] = curve;
            assert_eq!(key(&[&changed]), Err(MALFORMED), "a key of another curve");
        }
        let (x, y) = GENERATOR_OF_P384;
        let head: &[u8] = b"\xa5\x01\x02\x03\x26\x20\x02\x21\x58\x30";
        let other_curve = key(&[head, &unhex(x), b"\x22\x58\x30", &unhex(y)]);
        assert_eq!(other_curve, Err(MALFORMED), "ES256 is on P-256");
        let head: &[u8] = b"\xa5\x01\x02\x03\x38\x22\x20\x02\x21\x58\x30";
        let es384 = key(&[head, &unhex(x), b"\x22\x58\x30", &unhex(y)]);
        assert_eq!(es384, unsupported, "ES384");
        let object = unhex(&vector("16.11").registration.attestation_object);
        let ed25519 = authenticator_data(&object)[87..].to_vec();
        assert_eq!(key(&[&ed25519]), unsupported, "EdDSA");

        let rs256 = |modulus: &[u8], exponent: &[u8]| {
            let head: &[u8] = b"\xa4\x01\x03\x03\x39\x01\x00\x20\x59";
            let length = u16::try_from(modulus.len()).unwrap().to_be_bytes();
            let exponent_length = 0x40 + u8::try_from(exponent.len()).unwrap();
            key(&[head, &length, modulus, b"\x21", &[exponent_length], exponent])
        };
        let usual = b"\x01\x00\x01";
        assert_eq!(rs256(&[0xff; 256], usual), Ok(COSEAlgorithm::RS256));
        for length in [0, 128, 255, 257, 384, 512, 1024] {
            assert_eq!(rs256(&vec![0xff; length], usual), unsupported, "{length}");
        }
        assert_eq!(rs256(&[0xff; 256], b"\x03"), unsupported, "an exponent of one byte");
        let mut short = [0xff; 256];
        short[0] = 0x7f;
        assert_eq!(rs256(&short, usual), Err(MALFORMED), "2047 bits");
        assert_eq!(rs256(&[[0; 128], [0xff; 128]].concat(), usual), Err(MALFORMED), "1024 bits");
        let mut even = [0xff; 256];
        even[255] = 0xfe;
        assert_eq!(rs256(&even, usual), Err(MALFORMED), "an even modulus");
        for exponent in [b"\x00\x00\x00", b"\x00\x00\x01", b"\x01\x00\x00"] {
            assert_eq!(rs256(&[0xff; 256], exponent), Err(MALFORMED), "{exponent:?}");
        }
    }

    #[test]
    #[allow(clippy::disallowed_methods)]
    fn rs256_passkeys_register_and_sign_in() {
        let key = KeyPair::generate(KeySize::Rsa2048).unwrap();
        // A 2048-bit RSAPublicKey (RFC 8017, section A.1.1).
        let der = key.public_key().as_ref();
        assert_eq!((der.len(), &der[265..]), (270, &b"\x02\x03\x01\x00\x01"[..]));
        let head: &[u8] = b"\xa4\x01\x03\x03\x39\x01\x00\x20\x59\x01\x00";
        let passkey = register_key(16, &[head, &der[9..265], b"\x21\x43\x01\x00\x01"]).unwrap();
        assert_eq!(passkey.public_key.type_, COSEAlgorithm::RS256);

        let Authentication { challenge, client_data, .. } = vector("16.3").authentication;
        let data = [&Sha256::digest("example.org")[..], b"\x05\0\0\0\x01"].concat();
        let message = [&data, Sha256::digest(&client_data).as_slice()].concat();
        let mut signature = [0; 256];
        key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), &message, &mut signature).unwrap();
        let mut answer = Authentication {
            challenge,
            client_data,
            authenticator_data: hex::encode(&data),
            signature: hex::encode(signature),
        };
        let updated = authenticate(&answer, &passkey);
        assert_eq!(updated, Ok(Updated { sign_count: 1, backup_state: false }));
        let mut signed = |data: &[u8]| {
            let message = [data, Sha256::digest(&answer.client_data).as_slice()].concat();
            let mut signature = [0; 256];
            key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), &message, &mut signature).unwrap();
            answer.authenticator_data = hex::encode(data);
            answer.signature = hex::encode(signature);
            authenticate(&answer, &passkey)
        };
        // Nothing may follow the parts that the flags announce, even if it is signed.
        let head = [&Sha256::digest("example.org")[..], b"\x85\0\0\0\x02"].concat();
        let extended = |more: &[u8]| [&head, more].concat();
        assert!(signed(&extended(b"\xa1\x61x\xf5")).is_ok(), "an extension");
        let malformed = Err(PasskeyError::Malformed(AUTHENTICATOR_DATA));
        for more in [&b""[..], b"\xa1", b"\xa1\x61x\xf5\0", b"\xa0\xa0"] {
            assert_eq!(signed(&extended(more)), malformed, "{more:?}");
        }
        assert_eq!(signed(&[&data[..], b"\0"].concat()), malformed);
        answer.authenticator_data = hex::encode(&data);
        for wrong in [hex::encode(&signature[1..]), "00".repeat(256), "ff".repeat(256)] {
            answer.signature = wrong;
            assert_eq!(authenticate(&answer, &passkey), Err(Refusal::Signature.into()));
        }
        signature[255] ^= 1;
        answer.signature = hex::encode(signature);
        assert_eq!(authenticate(&answer, &passkey), Err(Refusal::Signature.into()));
    }

    /// From FIPS 186-4, section D.1.2.4.
    const GENERATOR_OF_P384: (&str, &str) = (
        "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a38\
         5502f25dbf55296c3a545e3872760ab7",
        "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c0\
         0a60b1ce1d7e819d7a431d7c90ea0e5f",
    );
}
