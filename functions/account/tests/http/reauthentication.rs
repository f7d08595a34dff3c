//! Custody rule 18: a session that signed in more than 15 minutes ago cannot change credentials.

use std::time::Duration;

use local::{
    client::{Answer, Client},
    srp_accounts::SrpAccount,
    wallets::{SignedIn, Wallet, challenge, register, sign_in_by_challenge, with},
};
use serde_json::{Value, json};

use crate::{is_alive, me, refreshed, world};

const TWENTY_MINUTES: Duration = Duration::from_secs(20 * 60);

async fn post(client: &Client, caller: &SignedIn, path: &str, body: &Value) -> Answer {
    client.post(path).bearer(&caller.access_token).json(body).send().await
}

/// Every change of credentials that the API defines, each with a valid body.
async fn changes_of_credentials(client: &Client, user: &SignedIn, next: &Wallet) -> Vec<Answer> {
    let asked = challenge(client, next, "rotate", Some(&user.access_token)).await;
    let rotation = with(next.signed_challenge(&asked), &json!({ "encryptedBlob": "bmV3" }));
    let email = json!({ "newEmail": "new@example.com" });
    vec![
        post(client, user, "/api/account/2fa/setup", &json!({})).await,
        post(client, user, "/api/account/2fa/toggle", &json!({ "otpCode": "123456" })).await,
        post(client, user, "/api/account/change-email/init", &email).await,
        post(client, user, "/api/account/wallet/rotate", &rotation).await,
        post(client, user, "/api/account/passkeys/init", &json!({})).await,
    ]
}

#[tokio::test]
async fn custody_18_a_session_from_twenty_minutes_ago_changes_no_credentials() {
    let (stack, client, _) = world().await;
    let (old, next) = (Wallet::evm(1), Wallet::evm(2));
    let user = register(&client, &old, &json!({ "encryptedBlob": "b2xk" })).await;
    stack.clock().advance(TWENTY_MINUTES);
    let stolen = refreshed(&client, &user).await;
    for refused in changes_of_credentials(&client, &stolen, &next).await {
        let refused = refused.expect_error_for(401, "4024", "checklist 24: credentials");
        assert_eq!(refused.body["message"], "auth.reauthRequired");
    }
    assert_eq!(me(&client, &stolen).await["wallet"]["address"], old.address().to_lowercase());
    assert!(is_alive(&client, &stolen).await, "the session stays valid for everything else");

    // The owner signs in again and can change them.
    let owner = sign_in_by_challenge(&client, &old).await;
    let statuses: Vec<_> = changes_of_credentials(&client, &owner, &next)
        .await
        .iter()
        .map(|answer| (answer.status, answer.code().to_owned()))
        .collect();
    let text = |code: &str| code.to_owned();
    let done = (200, text("1"));
    let wrong_code = (400, text("3001"));
    assert_eq!(statuses, [done.clone(), wrong_code, done.clone(), done.clone(), done]);
}

#[tokio::test]
async fn custody_18_a_password_changes_within_15_minutes_of_a_sign_in() {
    let (stack, client, _) = world().await;
    let alice = SrpAccount::new("alice@example.com", "correct horse battery staple");
    let user = alice.register(&client).await;
    let (init, verify) =
        ("/api/account/srp/change-password/init", "/api/account/srp/change-password/verify");
    stack.clock().advance(Duration::from_secs(14 * 60));
    let user = refreshed(&client, &user).await;
    let begun = post(&client, &user, init, &json!({})).await.expect(200);
    let next = alice.with_password("another");
    let body = alice.password_change(begun.data(), &next, "AAAA").fields;
    stack.clock().advance(Duration::from_secs(61));
    post(&client, &user, verify, &body).await.expect_error(401, "4024");
    post(&client, &user, init, &json!({})).await.expect_error(401, "4024");
    // A handshake belongs to the account, so a new session may finish it.
    let again = alice.sign_in(&client).await;
    post(&client, &again, verify, &body).await.expect(200);
    next.sign_in(&client).await;
}
