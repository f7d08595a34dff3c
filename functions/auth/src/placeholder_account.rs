//! The placeholder account, which stands for every unknown address ([`NOBODY`]).

use base64::{Engine, prelude::BASE64_STANDARD};
use identity::{
    credentials::{self, Credentials},
    handshake::{NOBODY, seal_verifier},
    srp::{Group, Verifier},
};
use shared::{
    auth::AuthError,
    keys,
    models::account::{Account, AccountId, AuthMethod, Status},
};

use crate::app::App;

/// Reads the parts of an account, or of [`NOBODY`], that a password proof needs, in one round trip. It leaves
/// out the keystore, whose length would show in the response time.
///
/// # Errors
/// [`AuthError::Store`] if the rows cannot be read; [`AuthError::Vault`] if the placeholder account cannot be
/// created.
pub(crate) async fn read_credentials(
    app: &App,
    account: AccountId,
    device: Option<&str>,
) -> Result<Option<Credentials>, AuthError> {
    let read = || credentials::without_keystore(&app.store, account, device);
    match read().await? {
        None if account == NOBODY => {
            create_placeholder_account(app).await?;
            Ok(read().await?)
        }
        found => Ok(found),
    }
}

/// Creates the placeholder account, once per deployment.
async fn create_placeholder_account(app: &App) -> Result<(), AuthError> {
    let group = Group::default();
    let verifier = Verifier::fake(group, &app.random.bytes());
    let salt = BASE64_STANDARD.encode(app.random.bytes::<32>());
    let credential = seal_verifier(app, NOBODY, salt, &verifier).await?;
    let now = app.clock.now();
    let mut account = Account::new(NOBODY, AuthMethod::Srp, app.random.code::<8>(), now);
    account.status = Status::Disabled;
    // Write the account last, so that a reader who finds it also finds the verifier.
    app.store.put(&keys::srp(NOBODY), &credential).await?;
    app.store.put(&keys::account(NOBODY), &account).await?;
    Ok(())
}
