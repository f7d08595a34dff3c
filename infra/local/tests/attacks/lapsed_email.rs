//! A stranger registers the unverified address of another account, and waits.

use std::time::Duration;

use local::{
    LocalStack,
    srp_accounts::SrpAccount,
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::json;
use shared::problem::Problem;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const EMAIL: &str = "owner@example.com";

#[tokio::test]
async fn custody_20_an_owner_signs_in_a_year_after_strangers_claimed_the_address() {
    let stack = LocalStack::start().await;
    let client = stack.serve((auth::routes(), account::routes())).await;
    let owner = SrpAccount::new(EMAIL, "the owner's password");
    let body = owner.registration("a2V5cw==");
    let made = client.post("/auth/register/srp").json(&body).send().await.expect(201);
    let account = SignedIn::of(&made).unwrap().account;
    let stranger = client.calling_from([127, 0, 10, 1].into());
    let thief = SrpAccount::new(EMAIL, "the thief's password");
    for wait in [DAY + Duration::from_secs(1), 364 * DAY] {
        stack.clock().advance(wait);
        let claims = thief.register(&stranger).await;
        let wallet = sign_in(&stranger, &Wallet::p2wpkh(1)).await;
        // Changing to the address requires access to the mail as well.
        let init = stranger.post("/api/account/change-email/init").bearer(&wallet.access_token);
        init.json(&json!({ "newEmail": EMAIL })).send().await.expect(200);
        for token in ["x", "AAAA"] {
            let body = json!({ "token": token });
            let call = stranger.post("/api/account/verify-email").bearer(&claims.access_token);
            call.json(&body).send().await.expect_error(Problem::EmailTokenInvalid);
        }
        // By address and by id, on the old device and on a new one.
        let new_device = client.on_another_device();
        for client in [&client, &new_device] {
            let back = owner.sign_in(client).await;
            assert_eq!(
                (&back.account, &back.data["encryptedBlob"]),
                (&account, &json!("a2V5cw=="))
            );
            owner.attempt_by_id(client, &account).await.expect(200);
        }
        thief.attempt(&stranger).await.expect_error(Problem::InvalidCredentials);
        thief.attempt_by_id(&stranger, &account).await.expect_error(Problem::InvalidCredentials);
    }
    // The owner verifies the address after all, which ends every other claim to it.
    let back = owner.sign_in(&client).await;
    let post = |path: &'static str| client.post(path).bearer(&back.access_token);
    stack.deliver_mail().await;
    post("/api/account/verify-email/resend").send().await.expect(200);
    stack.deliver_mail().await;
    let token = stack.mailbox(EMAIL).await.pop().unwrap().token();
    let body = json!({ "token": token });
    post("/api/account/verify-email").json(&body).send().await.expect(200);
    let body = thief.registration("AAAA");
    let refused = stranger.post("/auth/register/srp").json(&body).send().await;
    refused.expect_error(Problem::EmailTaken);
}
