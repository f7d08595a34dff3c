//! Proofs of the current password, for changes of credentials.

use shared::{
    app::App,
    auth::{
        AuthError,
        handshake::{self, Prepared, Purpose, SrpSession, SrpSubject},
    },
    http::Result,
    models::account::Account,
    store::{Key, credentials::SrpCredential},
};

use crate::AccountError;

/// Begins a proof of the account's password.
pub(crate) async fn begin(app: &App, account: &Account, purpose: Purpose) -> Result<SrpSession> {
    let credential = app.store.get::<SrpCredential>(&Key::srp(account.id)).await?;
    let (Some(credential), Some(email)) = (credential, &account.email) else {
        return Err(AccountError::NoPassword.into());
    };
    let subject =
        SrpSubject { email, account: account.id, credential: Some(&credential), known: true };
    Ok(handshake::begin_srp(app, purpose, subject).await?)
}

/// Uses the handshake up and checks the proof; answers the verifier that it was checked against,
/// and the service's own proof.
pub(crate) async fn check(
    app: &App,
    account: &Account,
    prepared: &Prepared,
) -> Result<(SrpCredential, [u8; 32])> {
    let key = Key::srp(account.id);
    let (consumed, credential) =
        tokio::join!(prepared.consume(app), app.store.get::<SrpCredential>(&key));
    consumed?;
    let credential = credential?.ok_or(AccountError::NoPassword)?;
    if account.email.as_ref() != Some(&prepared.email) {
        return Err(AuthError::Handshake.into());
    }
    match prepared.check(app, Some(&credential), true).await {
        Ok(server_proof) => Ok((credential, server_proof)),
        Err(AuthError::Credentials) => Err(AccountError::PasswordProof.into()),
        Err(error) => Err(error.into()),
    }
}
