//! Keystores: the client's keys as a blob that the client has encrypted and the service cannot read. The
//! service encrypts the blob again at rest.

use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::{ExposeSecret, SecretString};
use shared::{
    auth::AuthError,
    crypto::vault::{SealScope, VaultError},
    input::Fields,
    models::account::AccountId,
};

use crate::{Identity, credentials::Keystore};

/// The longest blob, in base64 characters.
pub const LONGEST_BLOB: usize = 13_708;

/// Binds the encrypted blob to its account.
fn purpose(account: AccountId) -> SealScope {
    SealScope { what: "keystore", whose: account.0 }
}

/// Encrypts a client's blob for storage.
///
/// # Errors
/// [`AuthError::Vault`] if the blob cannot be encrypted.
pub async fn seal(
    app: &Identity,
    account: AccountId,
    blob: &SecretString,
) -> Result<Keystore, AuthError> {
    let sealed = app.vault.seal(purpose(account), blob.expose_secret().as_bytes()).await?;
    Ok(Keystore { blob: sealed })
}

/// Decrypts a stored blob to what the client sent.
///
/// # Errors
/// [`AuthError::Vault`] if the blob cannot be decrypted, or is of another account.
pub async fn open(
    app: &Identity,
    account: AccountId,
    keystore: &Keystore,
) -> Result<SecretString, AuthError> {
    let bytes = app.vault.open(purpose(account), &keystore.blob).await?;
    let text = std::str::from_utf8(bytes.expose_secret()).map_err(|_| VaultError::Damaged)?;
    Ok(text.into())
}

/// Reads a blob from a request: base64, at most [`LONGEST_BLOB`] characters.
pub fn read(fields: &mut Fields<'_>, name: &str) -> Option<SecretString> {
    let blob = fields.text(name, LONGEST_BLOB)?;
    match BASE64_STANDARD.decode(&blob) {
        Ok(_) => Some(blob.into()),
        Err(_) => fields.wrong(name, "must be base64, padded"),
    }
}

/// Like [`read`], but the field may be missing.
#[allow(clippy::option_option)]
pub fn read_optional(fields: &mut Fields<'_>, name: &str) -> Option<Option<SecretString>> {
    if fields.has(name) { read(fields, name).map(Some) } else { Some(None) }
}
