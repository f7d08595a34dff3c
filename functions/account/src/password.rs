//! Proofs of the current password, required to change credentials.

use identity::{
    credentials::SrpCredential,
    device,
    failed_proofs::{self, Proof},
    guess,
    handshake::{self, HandshakePurpose, Prepared, SrpProof, SrpSession, SrpSubject},
    srp::Verifier,
};
use shared::{
    auth::AuthError,
    http::{Error, LiveCaller, Result},
    keys,
    models::account::Account,
};

use crate::{AccountError, app::App};

/// Starts a proof of the account's password and counts it as a guess.
pub(crate) async fn begin(
    app: &App,
    caller: &LiveCaller,
    purpose: HandshakePurpose,
) -> Result<SrpSession> {
    let LiveCaller { account, context, .. } = caller;
    let credential = app.store.get::<SrpCredential>(&keys::srp(account.id)).await?;
    let (Some(credential), Some(email)) = (credential, &account.email) else {
        return Err(AccountError::NoPassword.into());
    };
    let subject = account.id.to_string();
    let device = device::known_to(app, account, context.device.as_ref()).await?;
    guess::PASSWORD.count(app, &subject, device.as_deref()).await?;
    let subject = SrpSubject {
        name: email.as_str(),
        account: account.id,
        credential: Some(&credential),
        identity: Some(email),
    };
    Ok(handshake::begin_srp(app, purpose, subject).await?)
}

/// Reads a proof of the account's password, and the new verifier that `field` has. Consumes nothing.
pub(crate) async fn prepare(
    app: &App,
    account: &Account,
    purpose: HandshakePurpose,
    proof: &SrpProof,
    (field, new_verifier): (&str, &[u8]),
) -> Result<(Prepared, Verifier)> {
    let prepared = proof.prepare(app, purpose).await?;
    if prepared.account != account.id {
        return Err(AuthError::Handshake.into());
    }
    let verifier = Verifier::parse(prepared.group(), new_verifier);
    let verifier = verifier.map_err(|error| Error::field(field, error))?;
    Ok((prepared, verifier))
}

/// Consumes the handshake and checks the proof. Returns the verifier that it was checked against, and the
/// service's own proof.
pub(crate) async fn check(
    app: &App,
    account: &Account,
    prepared: &Prepared,
) -> Result<(SrpCredential, [u8; 32])> {
    let key = keys::srp(account.id);
    let (consumed, credential) =
        tokio::join!(prepared.consume(app), app.store.get::<SrpCredential>(&key));
    consumed?;
    let credential = credential?.ok_or(AccountError::NoPassword)?;
    let identity = account.email.as_ref().filter(|email| email.as_str() == prepared.name);
    let identity = identity.ok_or(AuthError::Handshake)?;
    match prepared.check(app, Some(&credential), Some(identity)).await {
        Ok(server_proof) => Ok((credential, server_proof)),
        Err(AuthError::Credentials) => {
            failed_proofs::record(app, &account.id.to_string(), Proof::Password).await;
            Err(AccountError::PasswordProof.into())
        }
        Err(error) => Err(error.into()),
    }
}

/// Removes the guess from the count once a change with the correct password is done.
pub(crate) async fn forgive(app: &App, caller: &LiveCaller) {
    let id = caller.account.id;
    // If the device cannot be read, the guess expires instead.
    if let Ok(device) = device::known_to(app, &caller.account, caller.context.device.as_ref()).await
    {
        guess::PASSWORD.forgive(app, &id.to_string(), device.as_deref()).await;
    }
}
