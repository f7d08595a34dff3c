use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use http::HeaderMap;
use identity::second_factor::forget_attempts;
use local::{
    FaultyHttp, LocalStack,
    client::{Answer, Client, twenty_at_once},
    faulty_http::Fault,
    srp_accounts::SrpAccount,
    totp::{code_at, wrong_code_at},
    wallets::{SignedIn, Wallet, dated, sign_in, with},
};
use serde_json::{Value, json};
use shared::{
    auth::{
        device_token::{self, DeviceToken},
        limits::OTP_BY_SOURCE,
    },
    problem::Problem,
};

use crate::{assert_told_of_end, changes, is_alive, refreshed, world};

const STEP: Duration = Duration::from_secs(30);
const LOCK: Duration = Duration::from_secs(15 * 60);

async fn set_up(client: &Client, user: &SignedIn) -> String {
    let call = client.post("/api/account/2fa/setup").bearer(&user.access_token);
    call.send().await.expect(200).text_of("otpauthUri").to_owned()
}

async fn toggle(client: &Client, user: &SignedIn, code: &str) -> Answer {
    let call = client.post("/api/account/2fa/toggle").bearer(&user.access_token);
    call.json(&json!({ "otpCode": code })).send().await
}

/// Enables the second factor and returns its URI and recovery codes. The code used for it is spent.
async fn enable(stack: &LocalStack, client: &Client, user: &SignedIn) -> (String, Vec<String>) {
    let uri = set_up(client, user).await;
    let on = toggle(client, user, &code_at(&uri, client.now())).await.expect(200);
    assert_eq!(on.data()["enabled"], true);
    let codes = on.data()["recoveryCodes"].as_array().unwrap();
    let codes = codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    stack.clock().advance(STEP);
    (uri, codes)
}

/// A sign-in with this code, or without one.
async fn try_sign_in(client: &Client, wallet: &Wallet, code: Option<&str>) -> Answer {
    let body = with(dated(client, wallet), &json!({ "otpCode": code }));
    client.post("/auth/authenticate").json(&body).send().await
}

/// The parts of a response that do not differ between any two responses.
fn comparable_parts(answer: &Answer) -> (u16, Value) {
    (answer.status, with(answer.body.clone(), &json!({ "requestId": null })))
}

#[tokio::test]
async fn a_setup_serves_authenticator_apps_and_changes_nothing_yet() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let setup = client.post("/api/account/2fa/setup").bearer(&user.access_token).send().await;
    let setup = setup.expect(200);
    let secret = setup.text_of("secret");
    // Base32 (RFC 4648, section 6) of 20 bytes has 32 letters and no padding.
    assert_eq!(secret.len(), 32, "{secret}");
    assert!(secret.bytes().all(|c| matches!(c, b'A'..=b'Z' | b'2'..=b'7')), "{secret}");
    let uri = setup.text_of("otpauthUri");
    let label = format!("otpauth://totp/Runeport:{}?", user.account);
    let query: Vec<_> = uri.strip_prefix(&label).expect(uri).split('&').collect();
    assert_eq!(query, [format!("secret={secret}").as_str(), "issuer=Runeport"]);
    let image = setup.text_of("qrCode").strip_prefix("data:image/svg+xml;base64,").unwrap();
    let image = String::from_utf8(BASE64_STANDARD.decode(image).unwrap()).unwrap();
    assert!(image.contains("<svg") && image.trim_end().ends_with("</svg>"), "{image}");

    assert!(
        !json!(stack.contents()).to_string().contains(secret),
        "the secret is stored unencrypted"
    );
    let again = client.post("/api/account/2fa/setup").bearer(&user.access_token).send().await;
    assert_ne!(again.expect(200).text_of("secret"), secret);
    let me = client.get("/api/account/me").bearer(&user.access_token).send().await;
    assert_eq!(me.data()["totpEnabled"], false);
    sign_in(&client, &wallet).await;
}

#[tokio::test]
async fn a_code_enables_it_and_ends_other_sessions() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let (here, there) = (sign_in(&client, &wallet).await, sign_in(&client, &wallet).await);
    toggle(&client, &here, "123456").await.expect_error(Problem::TotpNotSetUp);
    let uri = set_up(&client, &here).await;
    let wrong = wrong_code_at(&uri, client.now());
    toggle(&client, &here, &wrong).await.expect_error(Problem::TotpCodeInvalid);
    let replaced = set_up(&client, &here).await;
    let code = code_at(&uri, client.now());
    toggle(&client, &here, &code).await.expect_error(Problem::TotpCodeInvalid);

    let on = toggle(&client, &here, &code_at(&replaced, client.now())).await.expect(200);
    assert_eq!(on.data()["enabled"], true);
    let codes = on.data()["recoveryCodes"].as_array().unwrap();
    assert_eq!(codes.len(), 10);
    let stored = json!(stack.contents()).to_string();
    for code in codes {
        let code = code.as_str().unwrap();
        let groups: Vec<_> = code.split('-').collect();
        assert!(groups.len() == 6 && groups.iter().all(|group| group.len() == 4), "{code}");
        assert!(
            !stored.contains(code) && !stored.contains(&code.replace('-', "")),
            "checklist 12: no code is stored: {code}"
        );
    }
    assert!(is_alive(&client, &here).await);
    assert!(!is_alive(&client, &there).await, "checklist 23: second factor");
    assert_told_of_end(&client, &here).await;
    let me = client.get("/api/account/me").bearer(&here.access_token).send().await;
    assert_eq!(me.data()["totpEnabled"], true);
    assert_eq!(changes(&client, &here).await, ["totpEnabled", "accountCreated"]);
}

#[tokio::test]
async fn published_clients_may_use_other_field_names() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let mut uri = set_up(&client, &user).await;
    for (name, enabled) in [("code", true), ("otp", false), ("token", true), ("otpCode", false)] {
        let body = json!({ name: code_at(&uri, client.now()) });
        let call = client.post("/api/account/2fa/toggle").bearer(&user.access_token).json(&body);
        assert_eq!(call.send().await.expect(200).data()["enabled"], enabled, "{name}");
        stack.clock().advance(STEP);
        if !enabled {
            uri = set_up(&client, &user).await;
        }
    }
    for body in [json!({}), json!({ "otpCode": 123_456 }), json!({ "code": "" })] {
        let call = client.post("/api/account/2fa/toggle").bearer(&user.access_token).json(&body);
        call.send().await.expect_error(Problem::Validation);
    }
}

/// Checklist 11: a code is valid once, and a replay gets exactly the response of a wrong code.
#[tokio::test]
async fn sign_in_requires_a_single_use_code() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let uri = set_up(&client, &user).await;
    let first = code_at(&uri, client.now());
    toggle(&client, &user, &first).await.expect(200);
    try_sign_in(&client, &wallet, None)
        .await
        .expect_error_for(Problem::OtpRequired, "checklist 3: wallets");
    let wrong = try_sign_in(&client, &wallet, Some(&wrong_code_at(&uri, client.now()))).await;
    let wrong = wrong.expect_error(Problem::OtpInvalid);
    let replay = try_sign_in(&client, &wallet, Some(&first)).await;
    assert_eq!(
        comparable_parts(&replay),
        comparable_parts(&wrong),
        "checklist 11: the code that enabled it"
    );

    stack.clock().advance(STEP);
    let code = code_at(&uri, client.now());
    try_sign_in(&client, &wallet, Some(&code)).await.expect(200);
    let replay = try_sign_in(&client, &wallet, Some(&code)).await;
    assert_eq!(
        comparable_parts(&replay),
        comparable_parts(&wrong),
        "checklist 11: the code that signed in"
    );
    stack.clock().advance(STEP);
    try_sign_in(&client, &wallet, Some(&code_at(&uri, client.now()))).await.expect(200);
    // An empty code counts as missing.
    try_sign_in(&client, &wallet, Some("")).await.expect_error(Problem::OtpRequired);
}

/// Authenticator apps show codes in two groups.
#[tokio::test]
async fn a_code_is_accepted_with_spaces() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let uri = set_up(&client, &user).await;
    let spaced = |separator: &str| {
        let code = code_at(&uri, client.now());
        format!("{}{separator}{}", &code[..3], &code[3..])
    };
    toggle(&client, &user, &spaced(" ")).await.expect(200);
    for separator in [" ", "\u{a0}", "-"] {
        stack.clock().advance(STEP);
        let user = try_sign_in(&client, &wallet, Some(&spaced(separator))).await.expect(200);
        assert_eq!(user.data()["account"]["totpEnabled"], true);
    }
}

/// A text that cannot be a code is a mistake of the client: it uses up neither an attempt nor the proof sent
/// with it.
#[tokio::test]
async fn a_text_that_can_be_no_code_costs_no_try() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let (uri, _) = enable(&stack, &client, &user).await;
    let body = dated(&client, &wallet);
    for code in ["1", "12345６", "1234567", " ", &"A".repeat(64), "' OR 1=1", "12345x"] {
        let wrong = with(body.clone(), &json!({ "otpCode": code }));
        let refused = client.post("/auth/authenticate").json(&wrong).send().await;
        let refused = refused.expect_error(Problem::Validation);
        assert_eq!(refused.body["errors"][0]["field"], "otpCode", "{refused}");
        toggle(&client, &user, code).await.expect_error(Problem::Validation);
    }
    stack.clock().advance(STEP);
    let right = with(body, &json!({ "otpCode": code_at(&uri, client.now()) }));
    client.post("/auth/authenticate").json(&right).send().await.expect(200);
}

/// Checklist 2.
#[tokio::test]
async fn five_wrong_codes_lock_it_for_15_minutes() {
    let (stack, client, _) = world().await;
    stack.clock().stop();
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let (uri, recovery) = enable(&stack, &client, &user).await;
    for _ in 0..4 {
        let wrong = wrong_code_at(&uri, client.now());
        try_sign_in(&client, &wallet, Some(&wrong)).await.expect_error(Problem::OtpInvalid);
    }
    try_sign_in(&client, &wallet, Some(&code_at(&uri, client.now()))).await.expect(200);
    stack.clock().advance(STEP);
    for _ in 0..5 {
        let wrong = wrong_code_at(&uri, client.now());
        try_sign_in(&client, &wallet, Some(&wrong)).await.expect_error(Problem::OtpInvalid);
    }
    for code in [code_at(&uri, client.now()), recovery[0].clone()] {
        let locked =
            try_sign_in(&client, &wallet, Some(&code)).await.expect_error(Problem::OtpLocked);
        let seconds: u64 = locked.header("retry-after").parse().unwrap();
        assert!((890..=901).contains(&seconds), "{seconds}");
        toggle(&client, &user, &code).await.expect_error(Problem::OtpLocked);
    }
    stack.clock().advance(LOCK + Duration::from_secs(1));
    try_sign_in(&client, &wallet, Some(&code_at(&uri, client.now()))).await.expect(200);
}

#[tokio::test]
async fn codes_that_a_lock_refuses_count_for_their_source() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let uri = set_up(&client, &user).await;
    let wrong = wrong_code_at(&uri, client.now());
    for n in 0..OTP_BY_SOURCE.most {
        let problem = if n < 5 { Problem::TotpCodeInvalid } else { Problem::OtpLocked };
        toggle(&client, &user, &wrong).await.expect_error(problem);
    }
    toggle(&client, &user, &wrong).await.expect_error(Problem::RateLimited);
    let elsewhere = client.calling_from([127, 0, 4, 3].into());
    toggle(&elsewhere, &user, &code_at(&uri, client.now())).await.expect(200);
}

/// All ways to sign in are equally strong.
#[tokio::test]
async fn password_sign_ins_require_the_second_factor_too() {
    let (stack, client, _) = world().await;
    let alice = SrpAccount::new("alice@example.com", "correct horse battery staple");
    let user = alice.register(&client).await;
    let (uri, _) = enable(&stack, &client, &user).await;
    alice
        .attempt(&client)
        .await
        .expect_error_for(Problem::OtpRequired, "checklist 3, 10: passwords");
    let answered = alice.answer(&alice.begin(&client).await);
    let body = with(answered.fields, &json!({ "otpCode": code_at(&uri, client.now()) }));
    client.post("/auth/authenticate").json(&body).send().await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_sign_ins_with_one_code_open_one_session() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let (uri, recovery) = enable(&stack, &client, &user).await;
    for code in [code_at(&uri, client.now()), recovery[0].clone()] {
        let statuses = twenty_at_once(|_| {
            let (client, wallet, code) = (client.clone(), wallet.clone(), code.clone());
            async move { try_sign_in(&client, &wallet, Some(&code)).await.status }
        })
        .await;
        let with = |wanted| statuses.iter().filter(|&&status| status == wanted).count();
        assert_eq!(
            (with(200), with(401) + with(429)),
            (1, 19),
            "checklist 11: concurrent sign-ins: {statuses:?}"
        );
        stack.clock().advance(LOCK + Duration::from_secs(1));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn five_of_twenty_concurrent_wrong_codes_are_checked() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let (uri, _) = enable(&stack, &client, &user).await;
    let wrong = wrong_code_at(&uri, client.now());
    let statuses = twenty_at_once(|_| {
        let (client, wallet, wrong) = (client.clone(), wallet.clone(), wrong.clone());
        async move { try_sign_in(&client, &wallet, Some(&wrong)).await.status }
    })
    .await;
    let with = |wanted| statuses.iter().filter(|&&status| status == wanted).count();
    assert!(
        with(401) <= 5 && with(401) + with(429) == 20,
        "checklist 2: concurrent codes: {statuses:?}"
    );
    let right = code_at(&uri, client.now());
    try_sign_in(&client, &wallet, Some(&right)).await.expect_error(Problem::OtpLocked);
}

#[tokio::test]
async fn a_recovery_code_signs_in_once() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let (_, recovery) = enable(&stack, &client, &user).await;
    let copied = recovery[3].to_lowercase().replace('-', " ");
    let answer = try_sign_in(&client, &wallet, Some(&copied)).await.expect(200);
    let signed_in = SignedIn::of(&answer).unwrap();
    for code in [&copied, &recovery[3]] {
        try_sign_in(&client, &wallet, Some(code))
            .await
            .expect_error_for(Problem::OtpInvalid, "checklist 10: recovery codes");
    }
    try_sign_in(&client, &wallet, Some(&recovery[4])).await.expect(200);
    let entries = ["recoveryCodeUsed", "recoveryCodeUsed", "totpEnabled", "accountCreated"];
    assert_eq!(changes(&client, &signed_in).await, entries);
}

/// Otherwise anyone who can start a setup could sign in with it.
#[tokio::test]
async fn a_confirmed_new_secret_replaces_the_one_in_use() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let (old, old_recovery) = enable(&stack, &client, &user).await;
    let new = set_up(&client, &user).await;
    let code = code_at(&new, client.now());
    try_sign_in(&client, &wallet, Some(&code)).await.expect_error(Problem::OtpInvalid);
    let there = try_sign_in(&client, &wallet, Some(&code_at(&old, client.now()))).await;
    let there = SignedIn::of(&there.expect(200)).unwrap();

    stack.clock().advance(STEP);
    let replaced = toggle(&client, &user, &code_at(&new, client.now())).await.expect(200);
    assert_eq!(replaced.data()["enabled"], true);
    assert_eq!(replaced.data()["recoveryCodes"].as_array().unwrap().len(), 10);
    assert!(is_alive(&client, &user).await && !is_alive(&client, &there).await);
    stack.clock().advance(STEP);
    let dead = code_at(&old, client.now());
    for code in [&dead, &old_recovery[0]] {
        try_sign_in(&client, &wallet, Some(code)).await.expect_error(Problem::OtpInvalid);
    }
    try_sign_in(&client, &wallet, Some(&code_at(&new, client.now()))).await.expect(200);
}

/// The code in use is not required, so finding an open session must not suffice.
#[tokio::test]
async fn custody_18_a_secret_in_use_is_replaced_within_15_minutes_of_a_sign_in() {
    // The window of all other changes is a setting, which is longer here.
    let stack = LocalStack::builder().setting("REAUTH_WINDOW", "86400").build().await;
    let client = stack.serve((auth::routes(), account::routes())).await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let (old, _) = enable(&stack, &client, &user).await;
    stack.clock().advance(LOCK);
    let found = refreshed(&client, &user).await;
    let new = set_up(&client, &found).await;
    let code = code_at(&new, client.now());
    toggle(&client, &found, &code).await.expect_error(Problem::ReauthRequired);
    try_sign_in(&client, &wallet, Some(&code)).await.expect_error(Problem::OtpInvalid);
    let back = try_sign_in(&client, &wallet, Some(&code_at(&old, client.now()))).await;
    let back = SignedIn::of(&back.expect(200)).unwrap();
    stack.clock().advance(STEP);
    toggle(&client, &back, &code_at(&new, client.now())).await.expect(200);
}

/// A code is valid once, but codes of two secrets are different codes.
#[tokio::test]
async fn a_secret_is_confirmed_in_the_time_step_of_a_code_of_the_previous_one() {
    let (_stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    for _ in 0..2 {
        let uri = set_up(&client, &user).await;
        let on = toggle(&client, &user, &code_at(&uri, client.now())).await.expect(200);
        assert_eq!(on.data()["enabled"], true);
    }
}

#[tokio::test]
async fn a_code_or_a_recovery_code_disables_it() {
    let (stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let here = sign_in(&client, &wallet).await;
    for by_recovery in [false, true] {
        let (uri, recovery) = enable(&stack, &client, &here).await;
        let code = code_at(&uri, client.now());
        let there = try_sign_in(&client, &wallet, Some(&code)).await.expect(200);
        let there = SignedIn::of(&there).unwrap();
        toggle(&client, &here, &code).await.expect_error(Problem::TotpCodeInvalid);
        stack.clock().advance(STEP);
        let code = if by_recovery { recovery[0].clone() } else { code_at(&uri, client.now()) };
        let off = toggle(&client, &here, &code).await.expect(200);
        assert_eq!(off.data(), &json!({ "enabled": false }));
        assert!(is_alive(&client, &here).await && !is_alive(&client, &there).await);
        assert_told_of_end(&client, &here).await;
        sign_in(&client, &wallet).await;
        toggle(&client, &here, &recovery[1]).await.expect_error(Problem::TotpNotSetUp);
        // Recovery codes of a removed secret are invalid for the next one.
        set_up(&client, &here).await;
        toggle(&client, &here, &recovery[1]).await.expect_error(Problem::TotpCodeInvalid);
        stack.clock().advance(STEP);
    }
    assert_eq!(changes(&client, &here).await[..2], ["totpDisabled", "totpEnabled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_toggles_with_one_code_enable_it_once() {
    let (_stack, client, _) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let user = sign_in(&client, &wallet).await;
    let uri = set_up(&client, &user).await;
    let code = code_at(&uri, client.now());
    let answers = twenty_at_once(|_| {
        let (client, user, code) = (client.clone(), user.clone(), code.clone());
        async move { toggle(&client, &user, &code).await }
    })
    .await;
    let done: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(done.len(), 1, "{answers:?}");
    assert_eq!(done[0].data()["enabled"], true);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        assert!(["3001", "1014", "4019"].contains(&refused.code()), "{refused}");
    }
    assert!(is_alive(&client, &user).await);
    try_sign_in(&client, &wallet, None).await.expect_error(Problem::OtpRequired);
}

/// Of several concurrent setups the last one counts: a code confirms its own secret or nothing.
#[tokio::test(flavor = "multi_thread")]
async fn one_of_twenty_concurrent_setups_can_be_confirmed() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let setups = twenty_at_once(|_| {
        let (client, token) = (client.clone(), user.access_token.clone());
        async move { client.post("/api/account/2fa/setup").bearer(&token).send().await }
    })
    .await;
    let mut headers = HeaderMap::new();
    headers.insert(device_token::HEADER, client.device_token().unwrap().parse().unwrap());
    let device = DeviceToken::read(&headers).map(|it| it.hash(user.account.parse().unwrap()));
    let mut confirmed = 0;
    for setup in &setups {
        if setup.status != 200 {
            setup.clone().expect_error(Problem::Changed);
            continue;
        }
        let code = code_at(setup.text_of("otpauthUri"), client.now());
        let answer = toggle(&client, &user, &code).await;
        if answer.status == 200 {
            confirmed += 1;
            break;
        }
        answer.expect_error(Problem::TotpCodeInvalid);
        forget_attempts(&stack.app().identity, user.account.parse().unwrap(), device.as_deref())
            .await;
    }
    assert_eq!(confirmed, 1);
}

/// The same world over a network with scheduled faults.
async fn with_faults(stack: &LocalStack) -> (FaultyHttp, Client) {
    let network = FaultyHttp::new([]);
    let disturbed = stack.app().through(network.outbound());
    (network, stack.serve_app(disturbed, (auth::routes(), account::routes())).await)
}

/// The recovery codes are shown once: a failure after the change must not hide them.
#[tokio::test]
async fn a_completed_change_is_returned_even_if_attempts_are_not_given_back() {
    let (stack, client, _) = world().await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    let mut needed = 0;
    for fails in [false, true] {
        let (network, client) = with_faults(&stack).await;
        enable(&stack, &client, &user).await;
        let uri = set_up(&client, &user).await;
        if fails {
            // The last request, which gives the attempts back, and its retries.
            network.schedule(vec![Fault::Pass; needed - 1]);
            network.schedule([Fault::LoseRequest; 10]);
        } else {
            network.schedule([Fault::Pass; 100]);
        }
        let code = code_at(&uri, client.now());
        let on = toggle(&client, &user, &code).await.expect(200);
        assert_eq!(on.data()["recoveryCodes"].as_array().unwrap().len(), 10);
        needed = 100_usize.saturating_sub(network.left());
        assert!(!fails || network.left() < 10, "the attempts were given back");
        stack.clock().advance(STEP);
    }
}
