//! Rotation and revocation of the keys that sign access tokens.

use std::sync::Arc;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use aws_sdk_secretsmanager::{Client, error::DisplayErrorContext};
use base::{
    aws::{AwsConfig, Parameters},
    clock::Clock,
    outbound::Outbound,
};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD},
};
use shared::crypto::signing::{
    Jwk, Jwks, KeyConfig, KeyError, KeyStore, StoredKey, secrets_manager,
};

/// Why the keys were not changed.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeysError {
    /// A key cannot be read or written.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// No key could be generated.
    #[error("no key could be generated")]
    NotMade,
    /// The given id is not among the published keys.
    #[error("there is no key {kid}; published keys: {}", published.join(", "))]
    Unknown {
        /// The given id.
        kid: String,
        /// The ids of the published keys, newest first.
        published: Vec<String>,
    },
}

/// The keys of a deployment, which this changes.
#[derive(Debug)]
pub struct SigningKeys {
    keys: KeyStore,
    secrets: Client,
    parameters: Parameters,
    config: KeyConfig,
}

impl SigningKeys {
    /// The keys of this deployment. Opens no connection yet.
    pub fn new(
        aws: Arc<AwsConfig>,
        config: KeyConfig,
        outbound: Outbound,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            secrets: secrets_manager(&aws, outbound.clone()),
            parameters: Parameters::new(aws.clone(), outbound.clone(), clock.clone()),
            keys: KeyStore::new(aws, config.clone(), outbound, clock),
            config,
        }
    }

    /// Makes a new key and signs with it from now on. Tokens signed with the previous key stay valid.
    ///
    /// The public key is published first, so every signed token can be verified. Run it again after a failure
    /// at any point. After a success, wait at least 15 minutes: a second rotation drops a key whose tokens
    /// may still be in use.
    ///
    /// # Errors
    /// [`SigningKeysError`] if no key can be made, or keys cannot be read or written.
    pub async fn rotate(&self) -> Result<String, SigningKeysError> {
        #[allow(clippy::disallowed_methods, reason = "aws-lc takes no other source for a key")]
        let document = Ed25519KeyPair::generate_pkcs8v1(&aws_lc_rs::rand::SystemRandom::new())
            .map_err(|_| SigningKeysError::NotMade)?;
        let pair =
            Ed25519KeyPair::from_pkcs8(document.as_ref()).map_err(|_| SigningKeysError::NotMade)?;
        let x = BASE64_URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
        let kid: String = x.chars().take(16).collect();
        // Keep the key that signs now, identified by its private half. A rotation that failed halfway
        // published a key that never signed; it must not push out the one that did.
        let signing = match self.keys.private().await {
            Ok(key) => Some(key.kid),
            Err(KeyError::Missing) => None,
            Err(error) => return Err(error.into()),
        };
        let mut jwks = match self.keys.public().await {
            // The first key creates the parameter.
            Err(KeyError::Missing) => Jwks::default(),
            published => published?,
        };
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
        let put = self.secrets.put_secret_value().secret_id(&self.config.secret_id);
        match put.secret_string(secret).send().await {
            Ok(_) => Ok(kid),
            // The write may have succeeded even though its response was lost.
            Err(_) if self.keys.private().await.is_ok_and(|key| key.kid == kid) => Ok(kid),
            Err(error) => Err(KeyError::Secret(DisplayErrorContext(&error).to_string()).into()),
        }
    }

    /// Removes a leaked key from the published ones. Within 5 minutes every instance has read them again and
    /// refuses tokens signed with it. If the key is the one that signs, a new one is made first. Returns the
    /// id of the key that signs from now on. Run it again after a failure at any point.
    ///
    /// # Errors
    /// [`SigningKeysError::Unknown`] if no such key is published, so that a mistyped id is noticed; another
    /// [`SigningKeysError`] if keys cannot be read or written.
    pub async fn revoke(&self, kid: &str) -> Result<String, SigningKeysError> {
        let published = self.keys.public().await?.keys;
        if !published.iter().any(|key| key.kid == kid) {
            let published = published.into_iter().map(|key| key.kid).collect();
            return Err(SigningKeysError::Unknown { kid: kid.to_owned(), published });
        }
        let signing = match self.keys.private().await?.kid {
            signing if signing == kid => self.rotate().await?,
            signing => signing,
        };
        let mut jwks = self.keys.public().await?;
        jwks.keys.retain(|key| key.kid != kid);
        self.publish(&jwks).await?;
        Ok(signing)
    }

    async fn publish(&self, jwks: &Jwks) -> Result<(), SigningKeysError> {
        let text = serde_json::to_string(jwks).map_err(|_| KeyError::Malformed)?;
        let published = self.parameters.put(&self.config.public.jwks_parameter, &text);
        Ok(published.await.map_err(KeyError::Parameter)?)
    }
}
