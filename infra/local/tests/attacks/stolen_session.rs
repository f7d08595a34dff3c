//! A thief with the tokens of a session that signed in 20 minutes ago tries to take over the account.
//!
//! The published interface allows a session with a mailed token to set the e-mail address of an account
//! without a password. That is no way into such an account, its earlier address gets a notice, and the change
//! is in the audit trail.

use std::time::Duration;

use local::{
    LocalStack,
    passkeys::{self, authenticator},
    srp_accounts::SrpAccount,
    wallets::{Kind, SignedIn, Wallet, challenge, register, sign_in_by_challenge, with},
};
use serde_json::{Value, json};
use shared::problem::Problem;

#[tokio::test]
async fn custody_18_a_stolen_session_cannot_make_itself_the_owner() {
    let stack = LocalStack::start().await;
    let client = stack.serve((auth::routes(), account::routes())).await;
    let wallet = Wallet::new(Kind::Evm, 1);
    let owner = register(&client, &wallet, &json!({ "encryptedBlob": "b2xk" })).await;
    let by_password = SrpAccount::new("owner@example.com", "the owner's password");
    let with_password = by_password.register(&client).await;
    stack.clock().advance(Duration::from_secs(20 * 60));

    let thief = client.calling_from([127, 0, 11, 1].into());
    let refresh = async |user: &SignedIn| {
        let body = json!({ "refreshToken": user.refresh_token });
        let pair = thief.post("/auth/refresh-token").json(&body).send().await.expect(200);
        pair.text_of("accessToken").to_owned()
    };
    let (stolen, other) = (refresh(&owner).await, refresh(&with_password).await);
    let post = async |bearer: &str, path: &str, body: &Value| {
        thief.post(path).bearer(bearer).json(body).send().await
    };
    let own = Wallet::new(Kind::Evm, 2);
    let asked = challenge(&thief, &own, "rotate", Some(&stolen)).await;
    let rotation = with(own.signed_challenge(&asked), &json!({ "encryptedBlob": "bmV3" }));
    let asked = challenge(&thief, &own, "link", Some(&stolen)).await;
    let link = own.signed_challenge(&asked);
    for (path, body) in [
        ("/api/account/2fa/setup", &json!({})),
        ("/api/account/2fa/toggle", &json!({ "otpCode": "123456" })),
        ("/api/account/wallet/rotate", &rotation),
        ("/api/account/passkeys/init", &json!({})),
        ("/api/account/addresses", &link),
    ] {
        post(&stolen, path, body).await.expect_error(Problem::ReauthRequired);
    }
    // Without the password, the thief of the other session changes neither it nor the address.
    let guess = SrpAccount { password: "a guess".to_owned(), ..by_password.clone() };
    let path = "/api/account/srp/change-password";
    let begun = post(&other, &format!("{path}/init"), &json!({})).await.expect(200);
    let body = guess.password_change(begun.data(), &guess, "AAAA").fields;
    post(&other, &format!("{path}/verify"), &body)
        .await
        .expect_error(Problem::PasswordProofInvalid);
    let path = "/api/account/change-email";
    let moved = guess.with_email("thief@example.com");
    let body = json!({ "newEmail": moved.email });
    let begun = post(&other, &format!("{path}/init"), &body).await.expect(200);
    stack.deliver_mail().await;
    let token = stack.mailbox(&moved.email).await.pop().unwrap().token();
    let body = json!({ "token": token, "email": moved.email });
    post(&other, &format!("{path}/verify"), &body).await.expect_error(Problem::ReauthMissing);
    let proof = guess.email_change(&begun.data()["srpSession"], &moved);
    let body = with(body, &json!({ "srpData": proof }));
    post(&other, &format!("{path}/verify"), &body)
        .await
        .expect_error(Problem::PasswordProofInvalid);
    // Nor does a proof of the thief's own account renew the session.
    let asked = challenge(&thief, &own, "signIn", None).await;
    let body = own.signed_challenge(&asked);
    post(&stolen, "/auth/reauthenticate", &body).await.expect_error(Problem::Forbidden);
    post(&stolen, "/api/account/2fa/setup", &json!({})).await.expect_error(Problem::ReauthRequired);

    // The thief has changed nothing, and the owner continues after another sign-in.
    let back = sign_in_by_challenge(&client, &wallet).await;
    assert_eq!(back.data["encryptedBlob"], "b2xk");
    assert_eq!(back.data["account"]["email"], Value::Null);
    assert_eq!(back.data["account"]["totpEnabled"], false);
    passkeys::add(&client, &mut authenticator(), &back).await.expect(201);
    by_password.sign_in(&client).await;
}
