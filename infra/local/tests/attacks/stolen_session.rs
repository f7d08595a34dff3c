//! A thief with the tokens of a session that signed in 20 minutes ago tries to take over the account.

use std::time::Duration;

use local::{
    LocalStack,
    passkeys::{self, authenticator},
    srp_accounts::SrpAccount,
    wallets::{Kind, SignedIn, Wallet, challenge, register, sign_in_by_challenge, with},
};
use serde_json::{Value, json};

#[tokio::test]
async fn custody_18_a_stolen_session_cannot_make_itself_the_owner() {
    let stack = LocalStack::start().await;
    let client = stack.serve((auth::routes(), account::routes())).await;
    let wallet = Wallet::new(Kind::Evm, 1);
    let owner = register(&client, &wallet, &json!({ "encryptedBlob": "b2xk" })).await;
    let by_password = SrpAccount::new("owner@example.com", "the owner's password");
    let with_password = by_password.register(&client).await;
    // A change that the thief begins within the allowed time cannot be finished later either.
    let begun = client.post("/api/account/change-email/init").bearer(&owner.access_token);
    begun.json(&json!({ "newEmail": "thief@example.com" })).send().await.expect(200);
    stack.clock().advance(Duration::from_secs(9 * 60));
    stack.deliver_mail().await;
    let token = stack.mailbox("thief@example.com").await.pop().unwrap().token();
    stack.clock().advance(Duration::from_secs(11 * 60));

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
    let email = json!({ "newEmail": "thief@example.com" });
    let confirm = json!({ "token": token, "email": "thief@example.com" });
    for (path, body) in [
        ("/api/account/2fa/setup", &json!({})),
        ("/api/account/2fa/toggle", &json!({ "otpCode": "123456" })),
        ("/api/account/wallet/rotate", &rotation),
        ("/api/account/passkeys/init", &json!({})),
        ("/api/account/addresses", &link),
        ("/api/account/change-email/init", &email),
        ("/api/account/change-email/verify", &confirm),
    ] {
        post(&stolen, path, body).await.expect_error(401, "4024");
    }
    let init = "/api/account/srp/change-password/init";
    post(&other, init, &json!({})).await.expect_error(401, "4024");

    // The thief has changed nothing, and the owner continues after another sign-in.
    let back = sign_in_by_challenge(&client, &wallet).await;
    assert_eq!(back.data["encryptedBlob"], "b2xk");
    assert_eq!(back.data["account"]["email"], Value::Null);
    assert_eq!(back.data["account"]["totpEnabled"], false);
    passkeys::add(&client, &mut authenticator(), &back).await.expect(201);
    by_password.sign_in(&client).await;
}
