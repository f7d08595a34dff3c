//! Serializes secrets in the response to the one client that may have them.

use secrecy::{ExposeSecret, SecretString};
use serde::Serializer;

/// Writes a secret as text: `#[serde(serialize_with = "reveal")]`.
pub fn reveal<S: Serializer>(secret: &SecretString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(secret.expose_secret())
}

/// Like [`reveal`], for a secret that may be missing.
pub fn reveal_optional<S: Serializer>(
    secret: &Option<SecretString>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match secret {
        Some(secret) => reveal(secret, to),
        None => to.serialize_none(),
    }
}
