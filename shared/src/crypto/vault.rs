//! Encryption at rest: AES-256-GCM (NIST SP 800-38D) with data keys wrapped by KMS.
//!
//! Wrapped data keys are rows of the accounts table, and every encrypted value names its data key. An
//! instance asks KMS to unwrap each data key once and then caches it. Data keys form rings: a function may be allowed to
//! unwrap those of one ring alone.

use crate::keys;
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
};
use aws_sdk_kms::types::DataKeySpec;
use aws_smithy_types::Blob;
use base::{
    aws::{self, AwsConfig, Kms},
    outbound::{Outbound, OutboundError},
    random::Random,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::SecretSlice;
use serde::{Deserialize, Serialize};
use store::{Claimed, Entity, Key, Store, StoreError};
use uuid::Uuid;
use zeroize::Zeroizing;

base::section! {
    /// The key that wraps the data keys.
    pub struct DataKeyConfig {
        /// KMS key that wraps the data keys of encryption at rest; id or ARN
        pub id: String = "DATA_KEY_ID",
    }
}

/// The row that names the data key of a ring used to encrypt. All data keys still decrypt.
const CURRENT: &str = "current";
/// The data key of keyed hashes. It is never replaced, because the hashes must stay the same.
const HASHING: &str = "hashing";

/// Data keys that open the same values. The id of a data key, which is also its encryption context in KMS, begins with the
/// name of its ring, so policies can allow one ring alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRing {
    /// What belongs to accounts: keystores, passwords, second factors, hashes.
    Accounts,
    /// The secrets of webhooks. The worker that sends to hosts of strangers can unwrap nothing else.
    Webhooks,
}

impl KeyRing {
    /// Every ring.
    pub const ALL: [Self; 2] = [Self::Accounts, Self::Webhooks];

    /// How the ids of its data keys begin.
    const fn prefix(self) -> &'static str {
        match self {
            Self::Accounts => "",
            Self::Webhooks => "webhooks#",
        }
    }

    /// The id of a data key.
    fn kid(self, name: impl fmt::Display) -> String {
        format!("{}{name}", self.prefix())
    }

    /// Whether a data key belongs to it.
    fn has(self, kid: &str) -> bool {
        kid.strip_prefix(self.prefix()).is_some_and(|name| !name.contains('#'))
    }
}

/// An encrypted value: the data key's id, a dot, and base64 of nonce (12 bytes), ciphertext and tag (16
/// bytes).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sealed(String);

/// What a value is encrypted for. A value decrypts only with the same purpose (additional authenticated
/// data).
#[derive(Clone, Copy, Debug)]
pub struct SealScope {
    /// The kind of value, such as `keystore`.
    pub what: &'static str,
    /// The owner: an account's id, or a handshake's id where there is no account.
    pub whose: Uuid,
}

impl fmt::Display for SealScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.what, self.whose)
    }
}

/// Why a value could not be encrypted or decrypted.
#[derive(Debug, thiserror::Error)]
pub enum VaultError {
    /// KMS failed, or its response was unusable.
    #[error("KMS: {0}")]
    Kms(#[from] OutboundError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The value was not encrypted by this vault, or not for this purpose.
    #[error("failed to decrypt a stored value")]
    Damaged,
}

/// An unwrapped data key.
struct DataKey {
    kid: String,
    sealing: LessSafeKey,
    hashing: hmac::Key,
}

impl DataKey {
    fn new(kid: &str, bytes: &[u8]) -> Result<Self, VaultError> {
        let key = UnboundKey::new(&AES_256_GCM, bytes).map_err(|_| VaultError::Damaged)?;
        Ok(Self {
            kid: kid.to_owned(),
            sealing: LessSafeKey::new(key),
            hashing: hmac::Key::new(hmac::HMAC_SHA256, bytes),
        })
    }

    fn seal(
        &self,
        random: &dyn Random,
        purpose: SealScope,
        plain: &[u8],
    ) -> Result<Sealed, VaultError> {
        // Random nonces are safe for 2^32 values under one key (SP 800-38D, section 8.3).
        let nonce: [u8; NONCE_LEN] = random.bytes();
        let mut buffer = Zeroizing::new(plain.to_vec());
        self.sealing
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::from(purpose.to_string()),
                &mut *buffer,
            )
            .map_err(|_| VaultError::Damaged)?;
        let text = BASE64_STANDARD.encode([nonce.as_slice(), &buffer].concat());
        Ok(Sealed(format!("{}.{text}", self.kid)))
    }

    fn open(&self, purpose: SealScope, text: &str) -> Result<SecretSlice<u8>, VaultError> {
        let bytes = BASE64_STANDARD.decode(text).map_err(|_| VaultError::Damaged)?;
        let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN).ok_or(VaultError::Damaged)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| VaultError::Damaged)?;
        let mut buffer = Zeroizing::new(sealed.to_vec());
        let plain = self
            .sealing
            .open_in_place(nonce, Aad::from(purpose.to_string()), &mut buffer)
            .map_err(|_| VaultError::Damaged)?;
        Ok(plain.to_vec().into())
    }
}

/// A data key as stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WrappedKey {
    /// The data key's id.
    pub kid: String,
    /// Base64 of KMS's ciphertext.
    pub wrapped: String,
}

impl Entity for WrappedKey {
    const ENTITY: &'static str = "dataKey";
}

/// Names the data key used to encrypt.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CurrentKey {
    kid: String,
}

impl Entity for CurrentKey {
    const ENTITY: &'static str = "currentDataKey";
}

/// Encrypts and decrypts values with the data keys of a ring. Creating a vault does no I/O.
pub struct Vault {
    ring: KeyRing,
    kms: Kms,
    key_id: String,
    store: Store,
    random: Arc<dyn Random>,
    keys: RwLock<BTreeMap<String, Arc<DataKey>>>,
}

impl Vault {
    /// A vault of a ring whose data keys are wrapped by the KMS key `key_id`.
    pub fn over_kms(
        ring: KeyRing,
        aws: Arc<AwsConfig>,
        key_id: String,
        store: Store,
        outbound: Outbound,
        random: Arc<dyn Random>,
    ) -> Self {
        let kms = Kms::new(aws, outbound);
        Self { ring, kms, key_id, store, random, keys: RwLock::default() }
    }

    /// Encrypts a value for a purpose.
    ///
    /// # Errors
    /// [`VaultError::Kms`] or [`VaultError::Store`] if the current data key is not cached and cannot be read.
    pub async fn seal(&self, purpose: SealScope, plain: &[u8]) -> Result<Sealed, VaultError> {
        self.current_key().await?.seal(&*self.random, purpose, plain)
    }

    /// Decrypts a value that was encrypted for this purpose.
    ///
    /// # Errors
    /// [`VaultError::Damaged`] if the value is not of this vault or purpose; [`VaultError::Kms`] or
    /// [`VaultError::Store`] if its data key is not cached and cannot be read.
    pub async fn open(
        &self,
        purpose: SealScope,
        sealed: &Sealed,
    ) -> Result<SecretSlice<u8>, VaultError> {
        let (kid, text) = sealed.0.split_once('.').ok_or(VaultError::Damaged)?;
        self.key_by_id(kid).await?.open(purpose, text)
    }

    /// HMAC-SHA-256 (RFC 2104) of a purpose and a text, under a key that never changes. Without the key the
    /// text cannot be guessed, however few candidates there are.
    ///
    /// # Errors
    /// [`VaultError::Kms`] or [`VaultError::Store`] if the key is not cached and can be neither read nor
    /// made.
    pub async fn keyed_hash(&self, purpose: &str, text: &str) -> Result<[u8; 32], VaultError> {
        let kid = self.ring.kid(HASHING);
        let key = match self.cached_key(&kid) {
            Some(key) => key,
            None => match self.read_key(&kid).await? {
                Some(key) => key,
                None => self.generate(&kid).await?,
            },
        };
        let tag = hmac::sign(&key.hashing, format!("{purpose}\0{text}").as_bytes());
        tag.as_ref().try_into().map_err(|_| VaultError::Damaged)
    }

    /// Makes a new data key and encrypts with it from now on. Running instances keep using the previous key
    /// until they stop. Returns the new key's id.
    ///
    /// # Errors
    /// [`VaultError::Kms`] or [`VaultError::Store`] if the new key cannot be made or stored. The previous key
    /// then stays in use.
    pub async fn rotate(&self) -> Result<String, VaultError> {
        let kid = self.fresh_kid();
        self.generate(&kid).await?;
        self.store.put(&self.pointer(), &CurrentKey { kid: kid.clone() }).await?;
        Ok(kid)
    }

    fn fresh_kid(&self) -> String {
        self.ring.kid(self.random.id(self.store.now()))
    }

    /// The row that names the data key used to encrypt.
    fn pointer(&self) -> Key {
        keys::data_key(&self.ring.kid(CURRENT))
    }

    fn cached_key(&self, name: &str) -> Option<Arc<DataKey>> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    fn cache_key(&self, name: &str, key: Arc<DataKey>) -> Arc<DataKey> {
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        keys.entry(name.to_owned()).or_insert(key).clone()
    }

    async fn current_key(&self) -> Result<Arc<DataKey>, VaultError> {
        if let Some(key) = self.cached_key(CURRENT) {
            return Ok(key);
        }
        let pointer = self.pointer();
        let key = match self.store.get::<CurrentKey>(&pointer).await? {
            Some(current) => self.key_by_id(&current.kid).await?,
            None => {
                let made = self.generate(&self.fresh_kid()).await?;
                let first = CurrentKey { kid: made.kid.clone() };
                // If several instances start concurrently, one of them names the key that all use.
                match self.store.claim(&pointer, &first, None).await? {
                    Claimed::New => made,
                    Claimed::Existing(other) => self.key_by_id(&other.kid).await?,
                }
            }
        };
        Ok(self.cache_key(CURRENT, key))
    }

    /// The data key `kid`, which must exist and be of this ring.
    async fn key_by_id(&self, kid: &str) -> Result<Arc<DataKey>, VaultError> {
        if !self.ring.has(kid) {
            return Err(VaultError::Damaged);
        }
        match self.cached_key(kid) {
            Some(key) => Ok(key),
            None => self.read_key(kid).await?.ok_or(VaultError::Damaged),
        }
    }

    async fn read_key(&self, kid: &str) -> Result<Option<Arc<DataKey>>, VaultError> {
        match self.store.get::<WrappedKey>(&keys::data_key(kid)).await? {
            // Otherwise the row of one ring could name a data key of another.
            Some(stored) if stored.kid != kid => Err(VaultError::Damaged),
            Some(stored) => self.unwrap(&stored).await.map(Some),
            None => Ok(None),
        }
    }

    async fn unwrap(&self, stored: &WrappedKey) -> Result<Arc<DataKey>, VaultError> {
        let wrapped = BASE64_STANDARD.decode(&stored.wrapped).map_err(|_| VaultError::Damaged)?;
        let decrypt = self.kms.client().decrypt().key_id(&self.key_id);
        let decrypt = decrypt.ciphertext_blob(Blob::new(wrapped));
        let decrypt = decrypt.encryption_context("kid", &stored.kid);
        let answer = decrypt.send().await.map_err(aws::failure)?;
        self.unwrapped(&stored.kid, answer.plaintext)
    }

    /// Makes a data key. If another instance has stored one of this name in the meantime, that one is
    /// returned.
    async fn generate(&self, kid: &str) -> Result<Arc<DataKey>, VaultError> {
        let generate = self.kms.client().generate_data_key().key_id(&self.key_id);
        let generate = generate.key_spec(DataKeySpec::Aes256).encryption_context("kid", kid);
        let answer = generate.send().await.map_err(aws::failure)?;
        let wrapped = answer.ciphertext_blob.ok_or(VaultError::Damaged)?;
        let fresh = WrappedKey { kid: kid.to_owned(), wrapped: BASE64_STANDARD.encode(wrapped) };
        match self.store.claim(&keys::data_key(kid), &fresh, None).await? {
            Claimed::New => self.unwrapped(kid, answer.plaintext),
            Claimed::Existing(stored) => self.unwrap(&stored).await,
        }
    }

    fn unwrapped(&self, kid: &str, plain: Option<Blob>) -> Result<Arc<DataKey>, VaultError> {
        let bytes = Zeroizing::new(plain.ok_or(VaultError::Damaged)?.into_inner());
        Ok(self.cache_key(kid, Arc::new(DataKey::new(kid, &bytes)?)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::random::SystemSource;
    use secrecy::ExposeSecret;

    use super::*;

    fn purpose(what: &'static str, whose: u128) -> SealScope {
        SealScope { what, whose: Uuid::from_u128(whose) }
    }

    #[test]
    fn a_data_key_belongs_to_one_ring() {
        for ring in KeyRing::ALL {
            for name in [CURRENT, HASHING, "018bcfe5-6800-7000-8000-000000000001"] {
                let kid = ring.kid(name);
                assert_eq!(
                    KeyRing::ALL.map(|other| other.has(&kid)),
                    KeyRing::ALL.map(|other| other == ring),
                    "{kid}"
                );
            }
        }
        for foreign in ["webhook#k", "other#k", "webhooks#webhooks#k"] {
            assert_eq!(KeyRing::ALL.map(|ring| ring.has(foreign)), [false, false], "{foreign}");
        }
    }

    #[test]
    fn a_value_decrypts_only_for_its_purpose_and_owner() {
        let key = DataKey::new("k1", &[7; 32]).unwrap();
        let sealed = key.seal(&SystemSource, purpose("totp", 1), b"secret").unwrap();
        let text = sealed.0.strip_prefix("k1.").unwrap();
        let opened = key.open(purpose("totp", 1), text).unwrap();
        assert_eq!(opened.expose_secret(), b"secret");
        assert!(key.open(purpose("totp", 2), text).is_err());
        assert!(key.open(purpose("keystore", 1), text).is_err());
        let other = DataKey::new("k1", &[8; 32]).unwrap();
        assert!(other.open(purpose("totp", 1), text).is_err());
    }

    #[test]
    fn equal_values_encrypt_differently_and_damage_is_detected() {
        let key = DataKey::new("k", &[7; 32]).unwrap();
        let seal = || key.seal(&SystemSource, purpose("totp", 1), b"same").unwrap();
        assert_ne!(seal(), seal());
        let sealed = seal();
        let bytes = BASE64_STANDARD.decode(sealed.0.strip_prefix("k.").unwrap()).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            if let Some(byte) = damaged.get_mut(at) {
                *byte ^= 1;
            }
            assert!(key.open(purpose("totp", 1), &BASE64_STANDARD.encode(damaged)).is_err());
        }
        for text in ["", "AAAA", "~"] {
            assert!(key.open(purpose("totp", 1), text).is_err());
        }
    }
}
