//! The token by which an account knows a device.
//!
//! Sign-in returns the token and the client sends it back. It has 256 random bits and the service stores only a
//! hash, so a stranger cannot claim a device. It does not authenticate an account: it only keeps wrong guesses made
//! elsewhere from locking out the device's user.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use http::{HeaderMap, HeaderName};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use utoipa::IntoParams;

use crate::models::account::AccountId;

/// Carries a device's token.
pub const HEADER: HeaderName = HeaderName::from_static("device-token");

/// Random bytes of a token.
pub const RANDOM_LEN: usize = 32;
/// Bytes of a token's tag.
pub const TAG_LEN: usize = 16;
/// Length of a token in characters.
pub const TOKEN_LEN: usize = 64;

/// A device's token in base64url: 32 random bytes, then a 16-byte tag that proves this service issued it.
#[derive(Clone, Debug)]
pub struct DeviceToken(SecretString);

/// The header of requests from a device that may be known.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code)]
pub struct DeviceHeader {
    /// `deviceToken` of an earlier sign-in on this device. If the account knows the device, guesses made on
    /// other devices do not lock it out here.
    #[param(rename = "Device-Token", required = false, max_length = 64)]
    device_token: Option<String>,
}

impl DeviceToken {
    /// The token that the client sent, if it is well-formed.
    pub fn read(headers: &HeaderMap) -> Option<Self> {
        let text = headers.get(HEADER)?.to_str().ok()?;
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
        (text.len() == TOKEN_LEN && bytes.len() == RANDOM_LEN.saturating_add(TAG_LEN))
            .then(|| Self(text.to_owned().into()))
    }

    /// The token of these random bytes and their tag.
    pub fn new(random: &[u8; RANDOM_LEN], tag: &[u8; TAG_LEN]) -> Self {
        let bytes = [random.as_slice(), tag].concat();
        Self(BASE64_URL_SAFE_NO_PAD.encode(bytes).into())
    }

    /// The random bytes and their tag; never `None` for a token of [`Self::read`] or [`Self::new`].
    pub fn parts(&self) -> Option<([u8; RANDOM_LEN], [u8; TAG_LEN])> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(self.0.expose_secret()).ok()?;
        let (random, tag) = bytes.split_first_chunk()?;
        Some((*random, tag.try_into().ok()?))
    }

    /// SHA-256 of account and token, hex. The hash differs by account, so rows do not show that two accounts
    /// share a device.
    pub fn hash(&self, account: AccountId) -> String {
        hex::encode(Sha256::digest(format!("{account}\0{}", self.0.expose_secret())))
    }

    /// The token, to return from a sign-in.
    pub fn into_secret(self) -> SecretString {
        self.0
    }
}
