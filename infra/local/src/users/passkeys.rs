//! Accounts with passkeys, for tests.

use serde_json::{Value, json};

use crate::{
    base::client::{Answer, Client},
    users::{
        authenticator::Authenticator,
        wallets::{SignedIn, with},
    },
};

/// An authenticator without passkeys, used on the frontend of the local world.
pub fn authenticator() -> Authenticator {
    Authenticator::new("http://localhost:5173", "localhost")
}

/// Creates a passkey in the ceremony that `begun` started; returns the body of its second half.
///
/// # Panics
/// `begun` is not a ceremony, or the authenticator refuses.
pub fn made(authenticator: &mut Authenticator, begun: &Answer) -> Value {
    let credential = authenticator.create(options(begun));
    body(begun, credential.unwrap_or_else(|failure| panic!("{failure}: {begun}")))
}

/// Signs the ceremony that `begun` started with a passkey; returns the body of its second half.
///
/// # Panics
/// `begun` is not a ceremony, or the authenticator refuses.
pub fn answered(authenticator: &mut Authenticator, begun: &Answer) -> Value {
    let credential = authenticator.get(options(begun));
    body(begun, credential.unwrap_or_else(|failure| panic!("{failure}: {begun}")))
}

fn options(begun: &Answer) -> &Value {
    begun.data().get("options").unwrap_or(&Value::Null)
}

fn body(begun: &Answer, credential: Value) -> Value {
    json!({ "sessionId": begun.text_of("sessionId"), "credential": credential })
}

/// Registers an account with a new passkey; `extras` are further fields of the registration.
///
/// # Panics
/// The service refuses.
pub async fn register(
    client: &Client,
    authenticator: &mut Authenticator,
    extras: &Value,
) -> SignedIn {
    let begun = client.post("/auth/register/passkey/init").send().await.expect(200);
    let body = with(made(authenticator, &begun), extras);
    let answer = client.post("/auth/register/passkey/verify").json(&body).send().await.expect(201);
    SignedIn::of(&answer).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Signs in with the newest passkey.
pub async fn try_sign_in(client: &Client, authenticator: &mut Authenticator) -> Answer {
    let begun = client.post("/auth/passkey/init").send().await.expect(200);
    let body = answered(authenticator, &begun);
    client.post("/auth/authenticate").json(&body).send().await
}

/// Adds a new passkey to an account.
pub async fn add(client: &Client, authenticator: &mut Authenticator, user: &SignedIn) -> Answer {
    let begin = client.post("/api/account/passkeys/init").bearer(&user.access_token);
    let begun = begin.send().await.expect(200);
    let body = made(authenticator, &begun);
    let verify = client.post("/api/account/passkeys/verify").bearer(&user.access_token);
    verify.json(&body).send().await
}
