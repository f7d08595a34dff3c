//! `GET /api/account/keystore`.

use axum::extract::State;
use base::secret::reveal;
use identity::{credentials::Keystore, keystore};
use secrecy::SecretString;
use serde::Serialize;
use shared::{
    http::{Envelope, LiveCaller, Result},
    keys,
};
use utoipa::ToSchema;

use crate::{AccountError, app::App};

/// The client's keys, encrypted by the client.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KeystoreBlob {
    /// Base64, as sent by the client.
    #[serde(serialize_with = "reveal")]
    #[schema(value_type = String)]
    encrypted_blob: SecretString,
}

/// Returns the caller's keystore.
#[utoipa::path(
    get,
    path = "/api/account/keystore",
    tag = "credentials",
    security(("bearer" = [])),
    responses((status = 200, description = "The keystore", body = Envelope<KeystoreBlob>))
)]
pub async fn get_keystore(
    State(app): State<App>,
    caller: LiveCaller,
) -> Result<Envelope<KeystoreBlob>> {
    let id = caller.account.id;
    let stored = app.store.get::<Keystore>(&keys::keystore(id)).await?;
    let stored = stored.ok_or(AccountError::KeystoreNotFound)?;
    let encrypted_blob = keystore::open(&app, id, &stored).await?;
    Ok(Envelope::ok(KeystoreBlob { encrypted_blob }))
}
