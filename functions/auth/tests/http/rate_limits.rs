//! Every limit allows its number of hits and no more until the time in `Retry-After`.

use std::{net::Ipv4Addr, time::Duration};

use local::{
    LocalStack,
    client::{Answer, Client, twenty_at_once},
    srp_accounts::SrpAccount,
    totp::{code_at, wrong_code_at},
    wallets::{SignedIn, Wallet, dated, sign_in, with},
};
use serde_json::json;
use shared::{
    auth::limits::{self, Limit},
    problem::Problem,
};

use crate::{
    enumeration::{asked, instance},
    post, world,
};

const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 5, 1);

fn account(name: &str) -> SrpAccount {
    SrpAccount::new(&format!("{name}@example.com"), "correct horse battery staple")
}

async fn srp_init(client: &Client, email: &str) -> Answer {
    client.post("/auth/srp/init").json(&json!({ "email": email })).send().await
}

/// A sign-in that is counted and then refused.
fn refused_sign_in(client: &Client) -> local::client::Call<'_> {
    let body = json!({
        "sessionId": "018bcfe5-6800-4000-8000-000000000001",
        "clientPublic": "AAAB", "clientProof": "AAAA",
    });
    client.post("/auth/authenticate").json(&body)
}

/// Checks that the limit allows its number of hits and no more, and allows hits again at the announced time,
/// not earlier.
async fn check_limit(
    stack: &LocalStack,
    limit: Limit,
    problem: Problem,
    hit: impl AsyncFn(u32) -> Answer,
) {
    stack.clock().stop();
    for n in 0..limit.most {
        let answer = hit(n).await;
        assert!(answer.status != 429, "{} after {n}: {answer}", limit.name);
    }
    let refused = hit(limit.most).await.expect_error(problem);
    let wait = Duration::from_secs(refused.header("retry-after").parse().unwrap());
    assert!(wait <= limit.window + Duration::from_secs(1), "{}: {wait:?}", limit.name);
    assert!(limit.window < wait + Duration::from_secs(30), "{}: {wait:?}", limit.name);
    stack.clock().advance(wait - Duration::from_secs(3));
    hit(limit.most).await.expect_error(problem);
    stack.clock().advance(Duration::from_secs(3));
    let answer = hit(limit.most).await;
    assert!(answer.status != 429, "{} after {wait:?}: {answer}", limit.name);
}

/// A wallet's account with a second factor, and the URI of its secret.
async fn with_second_factor(stack: &LocalStack, client: &Client, seed: u64) -> (Wallet, String) {
    let wallet = Wallet::p2wpkh(seed);
    let user = sign_in(client, &wallet).await;
    let setup = post(client, &user, "/api/account/2fa/setup", &json!({})).await.expect(200);
    let uri = setup.text_of("otpauthUri").to_owned();
    let code = json!({ "otpCode": code_at(&uri, stack.app().clock.now()) });
    post(client, &user, "/api/account/2fa/toggle", &code).await.expect(200);
    (wallet, uri)
}

/// A sign-in with a wrong code.
async fn wrong_code(client: &Client, (wallet, uri): &(Wallet, String)) -> Answer {
    let code = json!({ "otpCode": wrong_code_at(uri, client.now()) });
    client.post("/auth/authenticate").json(&with(dated(client, wallet), &code)).send().await
}

/// A session that is still valid after the limit's window, once the limit is used up.
async fn sign_in_after(client: &Client, limit: Limit, n: u32, user: &SignedIn) -> SignedIn {
    if n < limit.most { user.clone() } else { sign_in(client, &Wallet::p2wpkh(1)).await }
}

async fn drive(limit: Limit) {
    let (stack, client) = world().await;
    let (stack, client) = (&stack, &client);
    let user = sign_in(client, &Wallet::p2wpkh(1)).await;
    let challenge = format!("/auth/wallet/challenge?address={}", Wallet::p2wpkh(1).address());
    let there = &client.calling_from(ELSEWHERE);
    match limit.name {
        "signInBySource" => {
            let hit = async |_| refused_sign_in(there).send().await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "signInByAccount" => {
            let body = || dated(there, &Wallet::p2wpkh(1));
            let hit = async |_| there.post("/auth/authenticate").json(&body()).send().await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "handshakeBySource" => {
            let hit = async |_| there.post("/auth/passkey/init").send().await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "handshakeByDevice" => {
            let alice = account("alice");
            alice.register(there).await;
            let hit = async |_| srp_init(there, &alice.email).await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "challengeBySource" => {
            let hit = async |_| there.get(&challenge).send().await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "challengeByAccount" => {
            let hit = async |_| there.get(&challenge).bearer(&user.access_token).send().await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "otpByDevice" => {
            let factor = with_second_factor(stack, client, 3).await;
            let hit = async |_| wrong_code(client, &factor).await;
            check_limit(stack, limit, Problem::OtpLocked, hit).await;
        }
        "otpBySource" => {
            let mut factors = Vec::new();
            for seed in 0..13 {
                factors.push(with_second_factor(stack, client, 10 + seed).await);
            }
            // Five attempts for each.
            let hit = async |n: u32| wrong_code(there, &factors[n as usize / 5]).await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "emailByAccount" => {
            let alice = account("alice");
            alice.register(client).await;
            let resend = "/api/account/verify-email/resend";
            let hit = async |_| {
                let caller = alice.sign_in(there).await;
                post(there, &caller, resend, &json!({})).await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "emailBySource" => {
            let hit = async |n: u32| {
                let caller = sign_in(client, &Wallet::p2wpkh(u64::from(n) + 20)).await;
                let body = json!({ "newEmail": format!("n{n}@example.com") });
                post(there, &caller, "/api/account/change-email/init", &body).await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "registrationBySource" => {
            let hit = async |n| {
                let body = account(&format!("n{n}")).registration("AAAA");
                there.post("/auth/register/srp").json(&body).send().await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "emailByAddress" => {
            let hit = async |n: u32| {
                // Each account asks only once, because the limit per account is lower.
                let caller = sign_in(client, &Wallet::p2wpkh(u64::from(n) + 20)).await;
                let body = json!({ "newEmail": "wanted@example.com" });
                post(there, &caller, "/api/account/change-email/init", &body).await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "changeMailByAddress" => {
            let hit = async |n: u32| {
                // The limits per account and per source are lower.
                let source = Ipv4Addr::new(127, 0, 6, u8::try_from(n).unwrap() + 1);
                let there = client.calling_from(source);
                let caller = sign_in(&there, &Wallet::p2wpkh(u64::from(n) + 20)).await;
                let body = json!({ "newEmail": "wanted@example.com" });
                post(&there, &caller, "/api/account/change-email/init", &body).await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "avatarByAccount" => {
            let body = json!({ "inscriptionId": format!("{}i0", "ab".repeat(32)) });
            let hit = async |n: u32| {
                let fresh = sign_in_after(there, limit, n, &user).await;
                let call = there.patch("/api/account/avatar").bearer(&fresh.access_token);
                call.json(&body).send().await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "addressByAccount" => {
            let linked = Wallet::p2wpkh(2);
            let body = json!({
                "address": linked.address(), "chain": "bitcoin", "publicKey": linked.public_key(),
                "challengeId": "018bcfe5-6800-4000-8000-000000000001", "signature": "AAAA",
            });
            let hit = async |n: u32| {
                let fresh = sign_in_after(there, limit, n, &user).await;
                post(there, &fresh, "/api/account/addresses", &body).await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "passwordByAccount" => {
            let alice = account("alice");
            let caller = alice.register(there).await;
            let path = "/api/account/srp/change-password";
            let hit = async |n: u32| {
                let caller =
                    if n < limit.most { caller.clone() } else { alice.sign_in(there).await };
                let begun = post(there, &caller, &format!("{path}/init"), &json!({})).await;
                let change = alice.password_change(begun.expect(200).data(), &alice, "AAAA");
                post(there, &caller, &format!("{path}/verify"), &change.fields).await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "passkeyByAccount" => {
            let body = json!({
                "sessionId": "018bcfe5-6800-4000-8000-000000000001",
                "credential": {
                    "id": "AAAA", "rawId": "AAAA", "type": "public-key",
                    "response": { "clientDataJSON": "AAAA", "attestationObject": "AAAA" },
                },
            });
            let hit = async |n: u32| {
                let fresh = sign_in_after(there, limit, n, &user).await;
                post(there, &fresh, "/api/account/passkeys/verify", &body).await
            };
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        "emailTokenByDevice" => {
            let alice = account("alice");
            let caller = alice.register(there).await;
            let body = json!({ "token": "x" });
            let hit = async |_| post(there, &caller, "/api/account/verify-email", &body).await;
            check_limit(stack, limit, Problem::RateLimited, hit).await;
        }
        // The response is not 429: a token with that many attempts is treated as expired, see
        // `custody_20_a_token_allows_five_attempts`.
        "emailTokenByAccount" => {}
        // Does not affect the response: the mail is not sent, see
        // `custody_32_mails_about_one_kind_of_change_are_limited_and_the_trail_is_not`.
        "noticeByAccount" => {}
        // Does not affect the response either, see
        // `custody_27_registration_mails_to_one_address_are_limited_and_its_owner_gets_one`.
        "registrationMailByAddress" => {}
        // Limits of other functions: see the tests of `xchain`, `transactions`, `refund`, `medias`,
        // `download-histories`, `perp-venue`, `webhook-worker`, `socket` and `support`.
        "transactionByAccount"
        | "refundExpiryByAccount"
        | "refundBySource"
        | "swapByAccount"
        | "mediaByAccount"
        | "mediaFileByAccount"
        | "exportByAccount"
        | "repeatedRefreshByAccount"
        | "changeNoticeByAddress"
        | "venueByAccount"
        | "walletByAccount"
        | "walletBySource"
        | "runeBySource"
        | "webhookByAccount"
        | "webhookTestByAccount"
        | "webhookVerificationByHost"
        | "webhookSecretByAccount"
        | "webhookReplayByAccount"
        | "ticketByAccount"
        | "socketBySource"
        | "depositByAccount"
        | "awaitedDepositByAccount"
        | "supportByAccount"
        | "supportSubjectByAccount" => {}
        unknown => panic!("{unknown} has no test"),
    }
}

#[tokio::test]
async fn every_limit_holds_and_ends_at_the_announced_time() {
    for limit in limits::ALL {
        drive(*limit).await;
    }
}

/// No client header changes the source address (`docs/decisions/0010-source-address.md`).
#[tokio::test]
async fn headers_do_not_change_the_source() {
    let (_stack, client) = world().await;
    let there = client.calling_from(ELSEWHERE);
    for n in 0..101 {
        let mut call = refused_sign_in(&there);
        for name in ["x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip"] {
            call = call.header(name, format!("192.0.2.{n}"));
        }
        let problem = if n < 100 { Problem::HandshakeInvalid } else { Problem::RateLimited };
        call.send().await.expect_error(problem);
    }
    refused_sign_in(&client).send().await.expect_error(Problem::HandshakeInvalid);
}

/// In addition, each request writes the challenge itself.
#[tokio::test]
async fn a_hit_is_one_write_or_two_where_the_row_of_an_earlier_window_is_left() {
    let (stack, _client) = world().await;
    let (client, network) = instance(&stack).await;
    let path = format!("/auth/wallet/challenge?address={}", Wallet::p2wpkh(1).address());
    let writes = async |source: Ipv4Addr| {
        let client = client.calling_from(source);
        let (requests, answer) = asked(&network, client.get(&path).send()).await;
        answer.expect(200);
        requests - 1
    };
    // The instance reads its keys once.
    writes(Ipv4Addr::new(127, 0, 5, 2)).await;
    let source = Ipv4Addr::new(127, 0, 5, 3);
    assert_eq!([writes(source).await, writes(source).await], [1, 1]);
    stack.clock().advance(limits::CHALLENGE_BY_SOURCE.window + Duration::from_secs(1));
    assert_eq!([writes(source).await, writes(source).await], [2, 1]);
}

/// The items of `RateLimit`: each limit's name, its remaining hits, and the seconds until its window ends.
fn left(answer: &Answer) -> Vec<(String, u32, u64)> {
    let items = answer.header("ratelimit").split(", ").filter(|item| !item.is_empty());
    let read = |item: &str| {
        let (name, rest) = item.strip_prefix('"').unwrap().split_once("\";r=").unwrap();
        let (hits, seconds) = rest.split_once(";t=").unwrap();
        (name.to_owned(), hits.parse().unwrap(), seconds.parse().unwrap())
    };
    items.map(read).collect()
}

#[tokio::test]
async fn answers_say_what_is_left_of_a_limit() {
    let (stack, client) = world().await;
    let limit = limits::CHALLENGE_BY_SOURCE;
    let path = format!("/auth/wallet/challenge?address={}", Wallet::p2wpkh(1).address());
    let there = client.calling_from(ELSEWHERE);
    for n in 1..=limit.most {
        let answer = there.get(&path).send().await.expect(200);
        assert_eq!(answer.header("ratelimit-policy"), "\"challengeBySource\";q=120;w=300");
        let [(name, hits, seconds)] = &left(&answer)[..] else { panic!("{answer}") };
        assert_eq!((name.as_str(), *hits), (limit.name, limit.most - n), "{answer}");
        // Windows end at whole seconds.
        assert!((1..=301).contains(seconds), "{answer}");
    }
    let refused = there.get(&path).send().await.expect_error(Problem::RateLimited);
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert_eq!(left(&refused), [(limit.name.to_owned(), 0, wait)]);
    stack.clock().advance(Duration::from_secs(wait));
    let [(_, hits, _)] = left(&there.get(&path).send().await.expect(200))[..] else { panic!() };
    assert_eq!(hits, limit.most - 1, "the window is a new one");
}

#[tokio::test]
async fn a_request_names_each_limit_that_it_meets() {
    let (_stack, client) = world().await;
    let wallet = Wallet::p2wpkh(1);
    let names = |answer: &Answer| left(answer).into_iter().map(|it| it.0).collect::<Vec<_>>();
    let first = client.post("/auth/authenticate").json(&dated(&client, &wallet)).send().await;
    assert_eq!(names(&first.expect(200)), ["signInBySource"]);
    let signed_in = client.post("/auth/authenticate").json(&dated(&client, &wallet)).send().await;
    assert_eq!(names(&signed_in.clone().expect(200)), ["signInBySource", "signInByAccount"]);
    let token = signed_in.text_of("accessToken").to_owned();
    let challenge = client.get(format!("/auth/wallet/challenge?address={}", wallet.address()));
    let answer = challenge.bearer(&token).send().await.expect(200);
    assert_eq!(names(&answer), ["challengeBySource", "challengeByAccount"]);
    let me = client.get("/api/account/me").bearer(&token).send().await.expect(200);
    assert_eq!((me.header("ratelimit"), me.header("ratelimit-policy")), ("", ""));
}

/// Answers do not reveal what strangers have used up of the limits of an account or an address.
#[tokio::test]
async fn limits_that_others_use_up_are_not_told() {
    let (_stack, client) = world().await;
    for (n, source) in [(1, 2), (2, 3)] {
        let there = client.calling_from(Ipv4Addr::new(127, 0, 5, source));
        let caller = sign_in(&there, &Wallet::p2wpkh(n)).await;
        let body = json!({ "newEmail": "wanted@example.com" });
        let answer = post(&there, &caller, "/api/account/change-email/init", &body).await;
        let told: Vec<_> = left(&answer).into_iter().map(|it| (it.0, it.1)).collect();
        let own = [("emailByAccount".to_owned(), 2), ("emailBySource".to_owned(), 9)];
        assert!(!told.is_empty() && told.iter().all(|it| own.contains(it)), "{answer}");
    }
    let there = client.calling_from(ELSEWHERE);
    let answer = there
        .post("/auth/register/srp")
        .json(&account("alice").registration("AAAA"))
        .send()
        .await
        .expect(201);
    let names: Vec<_> = left(&answer).into_iter().map(|it| it.0).collect();
    assert_eq!(names, ["signInBySource", "registrationBySource"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_hits_stay_within_the_limit() {
    let (_stack, client) = world().await;
    account("alice").register(&client).await;
    for _ in 0..5 {
        srp_init(&client, "alice@example.com").await.expect(200);
    }
    let statuses = twenty_at_once(|_| {
        let client = client.clone();
        async move { srp_init(&client, "alice@example.com").await.status }
    })
    .await;
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 15, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 429).count(), 5, "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_requests_send_three_mails() {
    let (stack, client) = world().await;
    let alice = account("alice");
    let caller = alice.register(&client).await;
    let statuses = twenty_at_once(|_| {
        let (client, caller) = (client.clone(), caller.clone());
        async move {
            post(&client, &caller, "/api/account/verify-email/resend", &json!({})).await.status
        }
    })
    .await;
    assert_eq!(statuses.iter().filter(|&&status| status == 200).count(), 3, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 429).count(), 17, "{statuses:?}");
    stack.deliver_mail().await;
    assert_eq!(stack.mailbox(&alice.email).await.len(), 4);
}
