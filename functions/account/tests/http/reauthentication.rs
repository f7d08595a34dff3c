//! Custody rule 18: a session that authenticated more than 15 minutes ago cannot change credentials, except for
//! a password and an e-mail address, which have proofs of their own.

use std::time::Duration;

use local::{
    client::{Answer, Client},
    passkeys,
    srp_accounts::SrpAccount,
    wallets::{SignedIn, Wallet, challenge, register, sign_in_by_challenge, with},
};
use serde_json::json;
use shared::problem::Problem;

use crate::{is_alive, mailed, me, post, refreshed, world};

const TWENTY_MINUTES: Duration = Duration::from_secs(20 * 60);

/// Every change of credentials that needs a recent authentication, each with a valid body.
async fn changes_of_credentials(client: &Client, user: &SignedIn, next: &Wallet) -> Vec<Answer> {
    let asked = challenge(client, next, "rotate", Some(&user.access_token)).await;
    let rotation = with(next.signed_challenge(&asked), &json!({ "encryptedBlob": "bmV3" }));
    vec![
        post(client, user, "/api/account/2fa/setup", &json!({})).await,
        post(client, user, "/api/account/2fa/toggle", &json!({ "otpCode": "123456" })).await,
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
        let refused =
            refused.expect_error_for(Problem::ReauthRequired, "checklist 24: credentials");
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
    assert_eq!(statuses, [done.clone(), wrong_code, done.clone(), done]);
}

/// The contract: accounts with a password are proved by the password, whenever they signed in.
#[tokio::test]
async fn custody_18_a_password_is_proved_by_itself() {
    let (stack, client, _) = world().await;
    let alice = SrpAccount::new("alice@example.com", "correct horse battery staple");
    let user = alice.register(&client).await;
    let (init, verify) =
        ("/api/account/srp/change-password/init", "/api/account/srp/change-password/verify");
    stack.clock().advance(TWENTY_MINUTES);
    let user = refreshed(&client, &user).await;
    let begun = post(&client, &user, init, &json!({})).await.expect(200);
    let next = alice.with_password("another");
    let thief = SrpAccount { password: "a guess".to_owned(), ..alice.clone() };
    let wrong = thief.password_change(begun.data(), &next, "AAAA").fields;
    post(&client, &user, verify, &wrong)
        .await
        .expect_error_for(Problem::PasswordProofInvalid, "checklist 24: a password");
    let begun = post(&client, &user, init, &json!({})).await.expect(200);
    let body = alice.password_change(begun.data(), &next, "AAAA").fields;
    post(&client, &user, verify, &body).await.expect(200);
    next.sign_in(&client).await;

    // The e-mail address of an account with a password is proved by the password and the mailed token.
    stack.clock().advance(TWENTY_MINUTES);
    let user = refreshed(&client, &user).await;
    let (init, verify) = ("/api/account/change-email/init", "/api/account/change-email/verify");
    let moved = next.with_email("moved@example.com");
    let begun = post(&client, &user, init, &json!({ "newEmail": moved.email })).await.expect(200);
    let token = mailed(&stack, &moved.email).await;
    let bare = json!({ "token": token, "email": moved.email });
    post(&client, &user, verify, &bare).await.expect_error(Problem::ReauthMissing);
    let proof = next.email_change(&begun.data()["srpSession"], &moved);
    let body = with(bare, &json!({ "srpData": proof }));
    post(&client, &user, verify, &body).await.expect(200);
    moved.sign_in(&client).await;
}

/// The contract: the e-mail address of a wallet's or passkey's account is proved by session and mailed token.
#[tokio::test]
async fn custody_18_an_email_address_without_password_is_proved_by_the_mailed_token() {
    let (stack, client, _) = world().await;
    let by_wallet = sign_in_by_challenge(&client, &Wallet::evm(1)).await;
    let by_passkey = passkeys::register(&client, &mut passkeys::authenticator(), &json!({})).await;
    stack.clock().advance(TWENTY_MINUTES);
    for (user, email) in [(by_wallet, "w@example.com"), (by_passkey, "p@example.com")] {
        let user = refreshed(&client, &user).await;
        let init = json!({ "newEmail": email });
        let begun = post(&client, &user, "/api/account/change-email/init", &init).await;
        assert_eq!(begun.expect(200).data(), &json!({}));
        let verify = "/api/account/change-email/verify";
        let wrong = json!({ "token": "x", "email": email });
        post(&client, &user, verify, &wrong).await.expect_error(Problem::EmailTokenInvalid);
        let body = json!({ "token": mailed(&stack, email).await, "email": email });
        let changed = post(&client, &user, verify, &body).await.expect(200);
        assert_eq!(changed.data()["email"], email);
    }
}
