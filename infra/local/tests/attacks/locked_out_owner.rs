//! Strangers guess without pause, some of them with the right password and a wrong code.

use std::time::Duration;

use local::{
    LocalStack,
    srp_accounts::SrpAccount,
    totp::{code_at, wrong_code_at},
};
use serde_json::json;

#[tokio::test]
async fn custody_27_thousands_of_guesses_do_not_lock_out_the_owner() {
    let stack = LocalStack::start().await;
    let client = stack.serve((auth::routes(), account::routes())).await;
    let owner = SrpAccount::new("owner@example.com", "the owner's password");
    let here = owner.register(&client).await;
    let post = |path: &'static str| client.post(path).bearer(&here.access_token);
    let setup = post("/api/account/2fa/setup").send().await.expect(200);
    let uri = setup.text_of("otpauthUri").to_owned();
    let code = json!({ "otpCode": code_at(&uri, client.now()) });
    post("/api/account/2fa/toggle").json(&code).send().await.expect(200);

    let guess = SrpAccount { password: "a guess".to_owned(), ..owner.clone() };
    let mut looked_at = 0;
    for n in 0..3_000_u32 {
        // From 200 addresses, so that no limit per source interferes.
        let last = u8::try_from(n % 200).unwrap();
        let stranger = client.calling_from([127, 0, 12, last + 1].into());
        let wrong = wrong_code_at(&uri, client.now());
        let password = if n / 40 % 2 == 0 { &owner } else { &guess };
        let answer = password.attempt_with_code(&stranger, &wrong).await;
        assert!([401, 429].contains(&answer.status), "{answer}");
        looked_at += u32::from(answer.status == 401);
        // They continue for a day, during which their limits per source expire repeatedly.
        stack.clock().advance(Duration::from_secs(29));
    }
    assert!((50..200).contains(&looked_at), "{looked_at}");

    // The owner signs in immediately and sees what happened.
    let back = owner.attempt_with_code(&client, &code_at(&uri, client.now())).await.expect(200);
    let token = back.text_of("accessToken").to_owned();
    let trail = client.get("/api/account/activity").bearer(&token).send().await.expect(200);
    let hours = trail.body["metaData"]["failedProofs"].as_array().unwrap().clone();
    let failed = |proof: &str| hours.iter().map(|hour| hour[proof].as_u64().unwrap()).sum::<u64>();
    assert_eq!(failed("password") + failed("secondFactor"), u64::from(looked_at));
    assert!(failed("password") > 10 && failed("secondFactor") > 10, "{hours:?}");
    assert!(hours.len() <= 26);
    assert_eq!(
        trail.body["metaData"]["totalItems"], 3,
        "account created, second factor enabled, signed in"
    );
    // Strangers still do not get in.
    let stranger = client.calling_from([127, 0, 12, 201].into());
    let late = owner.attempt_with_code(&stranger, &code_at(&uri, client.now())).await;
    assert!(late.status == 429 || late.code() == "4018", "{late}");
}
