//! The keys of access tokens: the private key in Secrets Manager, the public keys as a JWKS in an SSM
//! parameter (RFC 7517, RFC 8037).

use std::sync::{Arc, OnceLock};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use aws_sdk_secretsmanager::{
    Client,
    config::Region,
    error::{DisplayErrorContext, ProvideErrorMetadata},
};
use base64::{Engine, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretBox, SecretString};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use zeroize::Zeroizing;

use crate::{
    aws::{self, Parameters},
    clock::Clock,
    config::{AwsConfig, KeyConfig},
    outbound::{Outbound, OutboundError},
};

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

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredKey {
    kid: String,
    private_key: String,
}

/// Why a key cannot be read or written.
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
    /// The given id is not among the published keys.
    #[error("there is no key {kid}; published keys: {}", published.join(", "))]
    Unknown {
        /// The given id.
        kid: String,
        /// The ids of the published keys, newest first.
        published: Vec<String>,
    },
}

impl KeyError {
    /// Whether a retry may succeed: AWS was throttling or unreachable.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Parameter(error) => !matches!(error, OutboundError::Malformed(_)),
            Self::Secret(_) => true,
            Self::Missing | Self::Malformed | Self::Unknown { .. } => false,
        }
    }
}

/// Reads and writes the keys where they are stored.
#[derive(Debug)]
pub struct KeyStore {
    aws: Arc<AwsConfig>,
    outbound: Outbound,
    secrets: OnceLock<Client>,
    parameters: Parameters,
    config: KeyConfig,
}

impl KeyStore {
    /// The keys of this deployment. Opens no connection yet.
    pub fn new(
        aws: Arc<AwsConfig>,
        config: KeyConfig,
        outbound: Outbound,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let parameters = Parameters::new(aws.clone(), outbound.clone(), clock);
        Self { aws, outbound, secrets: OnceLock::new(), parameters, config }
    }

    /// Created on first use, so functions that sign no tokens do not create or even link the client.
    fn secrets(&self) -> &Client {
        self.secrets.get_or_init(|| {
            let mut config = aws_sdk_secretsmanager::Config::builder()
                .region(Region::new(self.aws.region.clone()))
                .credentials_provider(self.aws.credentials())
                .http_client(self.outbound.clone())
                .timeout_config(aws::timeouts());
            config.set_endpoint_url(self.aws.secrets_endpoint.clone());
            Client::from_conf(config.build())
        })
    }

    /// Reads the public keys.
    ///
    /// # Errors
    /// [`KeyError`].
    pub async fn public(&self) -> Result<Jwks, KeyError> {
        let text = self.parameters.get(&self.config.jwks_parameter).await;
        let text = text.map_err(KeyError::Parameter)?;
        serde_json::from_str(&text).map_err(|_| KeyError::Malformed)
    }

    /// Reads the private key.
    ///
    /// # Errors
    /// [`KeyError`].
    pub async fn private(&self) -> Result<SigningKey, KeyError> {
        let read = self.secrets().get_secret_value().secret_id(&self.config.secret_id);
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

    /// Makes a new key and signs with it from now on. Tokens signed with the previous key stay valid.
    ///
    /// The public key is published first, so every signed token can be verified. Run it again after a failure
    /// at any point. After a success, wait at least 15 minutes: a second rotation drops a key whose tokens
    /// may still be in use.
    ///
    /// # Errors
    /// [`KeyError`].
    pub async fn rotate(&self) -> Result<String, KeyError> {
        #[allow(clippy::disallowed_methods, reason = "aws-lc takes no other source for a key")]
        let document = Ed25519KeyPair::generate_pkcs8v1(&aws_lc_rs::rand::SystemRandom::new())
            .map_err(|_| KeyError::Malformed)?;
        let pair =
            Ed25519KeyPair::from_pkcs8(document.as_ref()).map_err(|_| KeyError::Malformed)?;
        let x = BASE64_URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
        let kid: String = x.chars().take(16).collect();
        // Keep the key that signs now, identified by its private half. A rotation that failed halfway
        // published a key that never signed; it must not push out the one that did.
        let signing = match self.private().await {
            Ok(key) => Some(key.kid),
            Err(KeyError::Missing) => None,
            Err(error) => return Err(error),
        };
        let mut jwks = self.public().await?;
        jwks.keys.retain(|key| Some(&key.kid) == signing.as_ref());
        jwks.keys.insert(
            0,
            Jwk {
                kty: "OKP".into(),
                crv: "Ed25519".into(),
                alg: "EdDSA".into(),
                usage: "sig".into(),
                kid: kid.clone(),
                x,
            },
        );
        self.publish(&jwks).await?;
        let private_key = BASE64_STANDARD.encode(document.as_ref());
        let stored = StoredKey { kid: kid.clone(), private_key };
        let secret = serde_json::to_string(&stored).map_err(|_| KeyError::Malformed)?;
        let put = self.secrets().put_secret_value().secret_id(&self.config.secret_id);
        match put.secret_string(secret).send().await {
            Ok(_) => Ok(kid),
            // The write may have succeeded even though its response was lost.
            Err(_) if self.private().await.is_ok_and(|key| key.kid == kid) => Ok(kid),
            Err(error) => Err(KeyError::Secret(DisplayErrorContext(&error).to_string())),
        }
    }

    /// Removes a leaked key from the published ones. Within 5 minutes every instance has read them again and
    /// refuses tokens signed with it. If the key is the one that signs, a new one is made first. Returns the
    /// id of the key that signs from now on. Run it again after a failure at any point.
    ///
    /// # Errors
    /// [`KeyError`]; [`KeyError::Unknown`] if no such key is published, so that a mistyped id is noticed.
    pub async fn revoke(&self, kid: &str) -> Result<String, KeyError> {
        let published = self.public().await?.keys;
        if !published.iter().any(|key| key.kid == kid) {
            let published = published.into_iter().map(|key| key.kid).collect();
            return Err(KeyError::Unknown { kid: kid.to_owned(), published });
        }
        let signing = match self.private().await?.kid {
            signing if signing == kid => self.rotate().await?,
            signing => signing,
        };
        let mut jwks = self.public().await?;
        jwks.keys.retain(|key| key.kid != kid);
        self.publish(&jwks).await?;
        Ok(signing)
    }

    async fn publish(&self, jwks: &Jwks) -> Result<(), KeyError> {
        let text = serde_json::to_string(jwks).map_err(|_| KeyError::Malformed)?;
        let published = self.parameters.put(&self.config.jwks_parameter, &text);
        published.await.map_err(KeyError::Parameter)
    }
}
