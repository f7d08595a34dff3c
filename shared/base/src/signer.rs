//! Signs with keys that never leave their keeper: AWS KMS or, in unit tests, memory.

use std::{
    collections::BTreeMap,
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, PoisonError, RwLock},
};

use aws_sdk_kms::types::{MessageType, SigningAlgorithmSpec};
use aws_smithy_types::Blob;
use bitcoin::{
    PublicKey,
    secp256k1::{Message, Secp256k1, SecretKey, ecdsa::Signature},
};

use crate::{
    aws::{self, AwsConfig, Kms},
    outbound::{Outbound, OutboundError},
};

/// Why there is no signature or public key.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    /// KMS did not answer, or answered with an error.
    #[error("KMS failed: {0}")]
    Kms(#[from] OutboundError),
    /// The answer is not a secp256k1 public key.
    #[error("the key is not a secp256k1 key")]
    NotAKey,
    /// The answer is not a signature of the digest by the key.
    #[error("the answer is not a signature by the key")]
    NotASignature,
    /// The signer has no such key.
    #[error("no key has this id")]
    NoSuchKey,
}

/// The future answer of a [`Signer`].
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, SignerError>> + Send + 'a>>;

/// A signing key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningKey {
    /// The key's own id, even if requested by an alias. It names no region unless the settings do: a
    /// copy of a multi-region key has the same id.
    pub id: String,
    /// Its public key, compressed.
    pub public_key: PublicKey,
}

/// Signs digests with keys that it keeps.
pub trait Signer: fmt::Debug + Send + Sync {
    /// The key of an id or alias.
    fn key<'a>(&'a self, key_id: &'a str) -> Answer<'a, SigningKey>;

    /// The ECDSA signature of a 32-byte digest: valid, and with low S, as nodes require for relay (BIP 146).
    fn sign<'a>(&'a self, key_id: &'a str, digest: [u8; 32]) -> Answer<'a, Signature>;
}

/// Keys of AWS KMS: `ECC_SECG_P256K1`, for signing.
pub struct KmsSigner {
    kms: Kms,
    /// By the requested id or alias. The public key of a key never changes.
    known: RwLock<BTreeMap<String, SigningKey>>,
}

impl fmt::Debug for KmsSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KmsSigner")
    }
}

/// SubjectPublicKeyInfo of secp256k1 up to the point (RFC 5480, section 2; SEC 2 for the curve); the 65 bytes
/// of the uncompressed point follow.
const SPKI: [u8; 23] = [
    0x30, 0x56, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b,
    0x81, 0x04, 0x00, 0x0a, 0x03, 0x42, 0x00,
];

impl KmsSigner {
    /// The keys of the configured account and region; does not connect yet.
    pub fn new(aws: Arc<AwsConfig>, outbound: Outbound) -> Self {
        Self { kms: Kms::new(aws, outbound), known: RwLock::default() }
    }

    fn known(&self, key_id: &str) -> Option<SigningKey> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(key_id).cloned()
    }

    async fn fetch_key(&self, key_id: &str) -> Result<SigningKey, SignerError> {
        if let Some(key) = self.known(key_id) {
            return Ok(key);
        }
        let answer = self.kms.client().get_public_key().key_id(key_id).send();
        let answer = answer.await.map_err(aws::failure)?;
        let der = answer.public_key.ok_or(SignerError::NotAKey)?;
        let point = der.as_ref().strip_prefix(&SPKI).ok_or(SignerError::NotAKey)?;
        let point = bitcoin::secp256k1::PublicKey::from_slice(point);
        let public_key = PublicKey::new(point.map_err(|_| SignerError::NotAKey)?);
        let id = lasting_id(key_id, answer.key_id.ok_or(SignerError::NotAKey)?);
        let key = SigningKey { id, public_key };
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(key_id.to_owned(), key.clone());
        Ok(key)
    }
}

impl Signer for KmsSigner {
    fn key<'a>(&'a self, key_id: &'a str) -> Answer<'a, SigningKey> {
        Box::pin(self.fetch_key(key_id))
    }

    fn sign<'a>(&'a self, key_id: &'a str, digest: [u8; 32]) -> Answer<'a, Signature> {
        Box::pin(async move {
            let sign = self.kms.client().sign().key_id(key_id);
            let sign = sign.message(Blob::new(digest)).message_type(MessageType::Digest);
            let sign = sign.signing_algorithm(SigningAlgorithmSpec::EcdsaSha256);
            let (key, answer) = tokio::join!(self.fetch_key(key_id), sign.send());
            let der = answer.map_err(aws::failure)?.signature.ok_or(SignerError::NotASignature)?;
            let signature = platform_signature(der.as_ref(), digest, &key?.public_key);
            signature.map_err(|_| SignerError::NotASignature)
        })
    }
}

/// The id that names a key in every region with a copy of it, given its ARN. A key that was requested by ARN keeps that: it may be
/// in another account, where its id means nothing.
fn lasting_id(requested: &str, arn: String) -> String {
    match arn.rsplit_once(":key/") {
        Some((_, id)) if !requested.starts_with("arn:") => id.to_owned(),
        _ => arn,
    }
}

/// Why a signer's answer is not a signature of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum BadPlatformSignature {
    /// Not an ECDSA signature in strict DER.
    #[error("not a DER signature")]
    Encoding,
    /// Not by this key, or not of this digest.
    #[error("not a signature of this digest by this key")]
    Invalid,
}

/// Parses a signature as KMS returns it, in DER, and normalises its S, which KMS does not do.
fn platform_signature(
    der: &[u8],
    digest: [u8; 32],
    key: &PublicKey,
) -> Result<Signature, BadPlatformSignature> {
    let mut signature = Signature::from_der(der).map_err(|_| BadPlatformSignature::Encoding)?;
    signature.normalize_s();
    let message = Message::from_digest(digest);
    let verified = Secp256k1::verification_only().verify_ecdsa(&message, &signature, &key.inner);
    verified.map(|()| signature).map_err(|_| BadPlatformSignature::Invalid)
}

/// Keys in memory, for unit tests.
#[derive(Default)]
pub struct MemorySigner(BTreeMap<String, SecretKey>);

impl fmt::Debug for MemorySigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemorySigner")
    }
}

impl MemorySigner {
    /// The keys, by id.
    pub fn new(keys: impl IntoIterator<Item = (String, SecretKey)>) -> Self {
        Self(keys.into_iter().collect())
    }

    fn secret(&self, key_id: &str) -> Result<&SecretKey, SignerError> {
        self.0.get(key_id).ok_or(SignerError::NoSuchKey)
    }
}

impl Signer for MemorySigner {
    fn key<'a>(&'a self, key_id: &'a str) -> Answer<'a, SigningKey> {
        let key = self.secret(key_id).map(|secret| SigningKey {
            id: key_id.to_owned(),
            public_key: PublicKey::new(secret.public_key(&Secp256k1::signing_only())),
        });
        Box::pin(std::future::ready(key))
    }

    fn sign<'a>(&'a self, key_id: &'a str, digest: [u8; 32]) -> Answer<'a, Signature> {
        let message = Message::from_digest(digest);
        let signature = self
            .secret(key_id)
            .map(|secret| Secp256k1::signing_only().sign_ecdsa(&message, secret));
        Box::pin(std::future::ready(signature))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests;
