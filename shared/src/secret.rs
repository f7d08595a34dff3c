//! Secrets on their way to the one client that they are for.

use secrecy::{ExposeSecret, SecretString};
use serde::Serializer;

/// Writes a secret as a text: `#[serde(serialize_with = "reveal")]`.
///
/// # Errors
/// Those of the serializer.
pub fn reveal<S: Serializer>(secret: &SecretString, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(secret.expose_secret())
}

/// The same for one that may be missing.
///
/// # Errors
/// Those of the serializer.
pub fn reveal_optional<S: Serializer>(
    secret: &Option<SecretString>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match secret {
        Some(secret) => reveal(secret, to),
        None => to.serialize_none(),
    }
}
