//! The keys of access tokens: the private key in Secrets Manager, the public keys as a JWKS in an SSM
//! parameter (RFC 7517, RFC 8037).

use std::sync::{Arc, OnceLock};

use aws_lc_rs::signature::Ed25519KeyPair;
use aws_sdk_secretsmanager::{
    Client,
    config::Region,
    error::{DisplayErrorContext, ProvideErrorMetadata},
};
use base::{
    aws::{AwsConfig, Parameters, interceptors, timeouts},
    cached::ReadFailure,
    clock::Clock,
    outbound::{Outbound, OutboundError},
    section,
    settings::{Reader, Section, Setting},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::{ExposeSecret, SecretBox, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use zeroize::Zeroizing;

section! {
    /// Where the public keys of access tokens are.
    pub struct PublicKeysConfig {
        /// SSM parameter with the public keys (JWKS) that check access tokens
        pub jwks_parameter: String = "TOKEN_JWKS_PARAMETER",
    }
}

section! {
    struct SigningKeyConfig {
        /// Secrets Manager id of the key that signs access tokens
        secret_id: String = "TOKEN_SECRET_ID",
    }
}

/// Where the keys of access tokens are, the private one too.
#[derive(Clone, Debug)]
pub struct KeyConfig {
    /// Secrets Manager id of the signing key.
    pub secret_id: String,
    /// Where the public keys are.
    pub public: PublicKeysConfig,
}

impl Section for KeyConfig {
    fn settings() -> Vec<Setting> {
        <(SigningKeyConfig, PublicKeysConfig)>::settings()
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (signing, public) = <(SigningKeyConfig, PublicKeysConfig)>::read(reader)?;
        Some(Self { secret_id: signing.secret_id, public })
    }
}

/// A public key that verifies access tokens (RFC 8037, section 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Jwk {
    /// Key type: `OKP`.
    pub kty: String,
    /// Curve: `Ed25519`.
    pub crv: String,
    /// Algorithm: `EdDSA`.
    pub alg: String,
    /// Use: `sig`.
    #[serde(rename = "use")]
    pub usage: String,
    /// The key id that tokens refer to.
    pub kid: String,
    /// The public key, 32 bytes, base64url without padding.
    pub x: String,
}

/// The public keys (RFC 7517, section 5), newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Jwks {
    /// At most two: the key that signs, and the previous one.
    pub keys: Vec<Jwk>,
}

/// A private key and its id.
pub struct SigningKey {
    /// The key id that tokens refer to.
    pub kid: String,
    /// PKCS #8, DER.
    pub(super) pkcs8: SecretBox<Vec<u8>>,
}

/// The private key as Secrets Manager holds it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredKey {
    /// The key id that tokens refer to.
    pub kid: String,
    /// PKCS #8, DER, in base64.
    pub private_key: String,
}

/// Why a key cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Secrets Manager refused or did not answer.
    #[error("Secrets Manager: {0}")]
    Secret(String),
    /// SSM refused or did not answer.
    #[error("SSM parameter: {0}")]
    Parameter(OutboundError),
    /// No key has been made yet.
    #[error("there is no key yet: run rotate-keys to make one")]
    Missing,
    /// The stored text is not a key.
    #[error("the stored key is malformed")]
    Malformed,
}

impl ReadFailure for KeyError {
    /// AWS was throttling or unreachable.
    fn is_transient(&self) -> bool {
        match self {
            Self::Parameter(error) => !matches!(error, OutboundError::Malformed(_)),
            Self::Secret(_) => true,
            Self::Missing | Self::Malformed => false,
        }
    }
}

/// Reads the public keys where they are stored.
#[derive(Debug)]
pub struct PublicKeys {
    parameters: Parameters,
    config: PublicKeysConfig,
}

impl PublicKeys {
    /// The public keys of this deployment. Opens no connection yet.
    pub fn new(
        aws: Arc<AwsConfig>,
        config: PublicKeysConfig,
        outbound: Outbound,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { parameters: Parameters::new(aws, outbound, clock), config }
    }

    /// Reads them.
    ///
    /// # Errors
    /// [`KeyError::Missing`] before the first key was made; [`KeyError::Parameter`] if SSM fails;
    /// [`KeyError::Malformed`] if the parameter is not a list of keys.
    pub async fn read(&self) -> Result<Jwks, KeyError> {
        let text = self.parameters.get(&self.config.jwks_parameter).await;
        let text = text.map_err(|error| match error {
            OutboundError::Refused { reason, .. } if reason.starts_with("ParameterNotFound") => {
                KeyError::Missing
            }
            error => KeyError::Parameter(error),
        })?;
        serde_json::from_str(&text).map_err(|_| KeyError::Malformed)
    }
}

/// Reads the keys where they are stored, the private one too. Operators write them (`infra/ops`).
#[derive(Debug)]
pub struct KeyStore {
    aws: Arc<AwsConfig>,
    outbound: Outbound,
    secrets: OnceLock<Client>,
    secret_id: String,
    public: PublicKeys,
}

impl KeyStore {
    /// The keys of this deployment. Opens no connection yet.
    pub fn new(
        aws: Arc<AwsConfig>,
        config: KeyConfig,
        outbound: Outbound,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let KeyConfig { secret_id, public } = config;
        let public = PublicKeys::new(aws.clone(), public, outbound.clone(), clock);
        Self { aws, outbound, secrets: OnceLock::new(), secret_id, public }
    }

    /// Created on first use, so functions that sign no tokens do not create or even link the client.
    fn secrets(&self) -> &Client {
        self.secrets.get_or_init(|| secrets_manager(&self.aws, self.outbound.clone()))
    }

    /// Reads the public keys.
    ///
    /// # Errors
    /// As [`PublicKeys::read`].
    pub async fn public(&self) -> Result<Jwks, KeyError> {
        self.public.read().await
    }

    /// Reads the private key.
    ///
    /// # Errors
    /// [`KeyError::Missing`] before the first key was made; [`KeyError::Secret`] if Secrets Manager fails;
    /// [`KeyError::Malformed`] if the secret is not a key.
    pub async fn private(&self) -> Result<SigningKey, KeyError> {
        let read = self.secrets().get_secret_value().secret_id(&self.secret_id);
        let output = read.send().await.map_err(|error| {
            match error.as_service_error().and_then(ProvideErrorMetadata::code) {
                Some("ResourceNotFoundException") => KeyError::Missing,
                _ => KeyError::Secret(DisplayErrorContext(&error).to_string()),
            }
        })?;
        let text = output.secret_string.filter(|text| !text.is_empty());
        let text = SecretString::from(text.ok_or(KeyError::Missing)?);
        let stored: StoredKey =
            serde_json::from_str(text.expose_secret()).map_err(|_| KeyError::Malformed)?;
        let encoded = Zeroizing::new(stored.private_key);
        let pkcs8 = BASE64_STANDARD.decode(encoded.as_bytes()).map_err(|_| KeyError::Malformed)?;
        Ed25519KeyPair::from_pkcs8(&pkcs8).map_err(|_| KeyError::Malformed)?;
        Ok(SigningKey { kid: stored.kid, pkcs8: SecretBox::new(Box::new(pkcs8)) })
    }
}

/// A client of Secrets Manager. Opens no connection yet.
pub fn secrets_manager(aws: &AwsConfig, outbound: Outbound) -> Client {
    let mut config = aws_sdk_secretsmanager::Config::builder()
        .region(Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(outbound.clone())
        .timeout_config(timeouts(&outbound));
    config.set_endpoint_url(aws.secrets_endpoint.clone());
    config.set_interceptors(interceptors(&outbound));
    Client::from_conf(config.build())
}
