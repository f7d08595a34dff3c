//! Custody rule 27: guesses by strangers are slowed and never lock out a known device.

use std::time::Duration;

use local::{
    LocalStack,
    client::{Answer, Client, twenty_at_once},
    srp_accounts::SrpAccount,
    totp::{code_at, wrong_code_at},
    wallets::SignedIn,
};
use serde_json::json;
use shared::problem::Problem;

use crate::world;

fn alice() -> SrpAccount {
    SrpAccount::new("alice@example.com", "correct horse battery staple")
}

fn guess(account: &SrpAccount) -> SrpAccount {
    SrpAccount { password: "a guess".to_owned(), ..account.clone() }
}

async fn init(client: &Client, email: &str) -> Answer {
    client.post("/auth/srp/init").json(&json!({ "email": email })).send().await
}

/// One of many strangers.
fn stranger(client: &Client, n: u32) -> Client {
    let n = u8::try_from(n % 250).unwrap();
    client.calling_from([127, 0, 9, n + 1].into())
}

/// Seconds until the next guess, if this one was refused.
fn wait(answer: &Answer) -> Option<u64> {
    (answer.status == 429).then(|| answer.header("retry-after").parse().unwrap())
}

/// Strangers guess until they have to wait for minutes.
async fn guess_until_locked(stack: &LocalStack, client: &Client, email: &str) {
    for n in 0.. {
        let answer = init(&stranger(client, n), email).await;
        match wait(&answer) {
            Some(seconds) if seconds > 100 => return,
            Some(seconds) => stack.clock().advance(Duration::from_secs(seconds)),
            None => {
                answer.expect(200);
            }
        }
    }
}

/// Enables the second factor and returns the URI of its secret.
async fn enable(stack: &LocalStack, client: &Client, user: &SignedIn) -> String {
    let post = |path: &'static str| client.post(path).bearer(&user.access_token);
    let setup = post("/api/account/2fa/setup").send().await.expect(200);
    let uri = setup.text_of("otpauthUri").to_owned();
    let code = json!({ "otpCode": code_at(&uri, client.now()) });
    post("/api/account/2fa/toggle").json(&code).send().await.expect(200);
    stack.clock().advance(Duration::from_secs(30));
    uri
}

#[tokio::test]
async fn custody_27_strangers_cannot_lock_out_a_known_device() {
    let (stack, client) = world().await;
    let alice = alice();
    alice.register(&client).await;
    guess_until_locked(&stack, &client, &alice.email).await;
    // Strangers at the owner's source address do not lock the owner out either.
    init(&client.on_another_device(), &alice.email).await.expect_error(Problem::RateLimited);
    let owner = alice.attempt(&client).await;
    assert_eq!(owner.status, 200, "checklist 1: a known device is not locked out: {owner}");
    alice.sign_in(&client).await;
    // A device known to one account is unknown to another.
    let bob = SrpAccount::new("bob@example.com", "another");
    let there = stranger(&client, 7);
    bob.register(&there).await;
    init(&there, &alice.email).await.expect_error(Problem::RateLimited);
    bob.sign_in(&there).await;
    // After a day without guesses the count expires, and the owner can add a device.
    stack.clock().advance(Duration::from_secs(24 * 60 * 60 + 1));
    alice.sign_in(&client.on_another_device()).await;
}

/// Custody rule 32: the pause for one name of an account reveals nothing about its other name.
#[tokio::test]
async fn custody_32_the_pause_for_an_id_does_not_reveal_the_address() {
    let (stack, client) = world().await;
    let alice = alice();
    let id = alice.register(&client).await.account;
    let names = [id.as_str(), &alice.email];
    for (locked, other) in [(names[0], names[1]), (names[1], names[0])] {
        guess_until_locked(&stack, &client, locked).await;
        for (n, name) in [other, "nobody@example.com", "bob@example.com"].into_iter().enumerate() {
            let there = stranger(&client, 100 + u32::try_from(n).unwrap());
            init(&there, name).await.expect(200);
        }
        init(&stranger(&client, 200), locked).await.expect_error(Problem::RateLimited);
        // The owner's device has one count for both names.
        alice.sign_in(&client).await;
        stack.clock().advance(Duration::from_secs(24 * 60 * 60 + 1));
    }
}

#[tokio::test]
async fn custody_27_pauses_grow_for_known_and_unknown_addresses() {
    let (stack, client) = world().await;
    let alice = alice();
    alice.register(&client).await;
    for email in [alice.email.as_str(), "nobody@example.com"] {
        let mut pauses = Vec::new();
        let mut n = 0;
        while pauses.iter().filter(|seconds| **seconds > 800).count() < 2 {
            n += 1;
            let answer = init(&stranger(&client, n), email).await;
            match wait(&answer) {
                Some(seconds) => {
                    pauses.push(seconds);
                    stack.clock().advance(Duration::from_secs(seconds));
                }
                None => {
                    answer.expect(200);
                }
            }
        }
        // The world's clock keeps running, which shortens the rest of a pause.
        pauses.retain(|seconds| *seconds > 10);
        let doubled = [16, 32, 64, 128, 256, 512, 900, 900];
        assert_eq!(pauses.len(), doubled.len(), "{email}: {pauses:?}");
        let near = |seconds: u64, pause: u64| seconds <= pause && seconds + 5 >= pause;
        assert!(pauses.iter().zip(doubled).all(|(is, pause)| near(*is, pause)), "{pauses:?}");
    }
}

/// A correct guess is taken back, so owners without a known device are not slowed.
#[tokio::test]
async fn custody_27_correct_passwords_do_not_count_as_guesses() {
    let (_stack, client) = world().await;
    let alice = alice();
    alice.register(&client).await;
    for _ in 0..12 {
        alice.sign_in(&client.on_another_device()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_27_concurrent_guesses_get_no_extra_tries() {
    let (_stack, client) = world().await;
    let alice = alice();
    alice.register(&client).await;
    let statuses = twenty_at_once(|n| {
        let there = stranger(&client, u32::try_from(n).unwrap());
        let email = alice.email.clone();
        async move { init(&there, &email).await.status }
    })
    .await;
    let looked_at = statuses.iter().filter(|&&status| status == 200).count();
    // One more if the machine is slower than the first pause of two seconds.
    assert!((6..=7).contains(&looked_at), "{statuses:?}");
    assert_eq!(statuses.iter().filter(|&&status| status == 429).count(), 20 - looked_at);
}

#[tokio::test]
async fn custody_27_a_stolen_password_does_not_lock_out_the_owner() {
    let (stack, client) = world().await;
    let alice = alice();
    let user = alice.register(&client).await;
    let uri = enable(&stack, &client, &user).await;
    // More attempts than the limits of sign-ins, with and without codes.
    for n in 0..80 {
        let there = stranger(&client, n);
        let wrong = wrong_code_at(&uri, client.now());
        let answer = alice.attempt_with_code(&there, if n % 2 == 0 { &wrong } else { "" }).await;
        assert!([401, 429].contains(&answer.status), "{answer}");
        if let Some(seconds) = wait(&answer)
            && seconds < 20
        {
            stack.clock().advance(Duration::from_secs(seconds));
        }
    }
    let there = stranger(&client, 1);
    alice
        .attempt_with_code(&there, &code_at(&uri, client.now()))
        .await
        .expect_error(Problem::RateLimited);
    alice.attempt_with_code(&client, &code_at(&uri, client.now())).await.expect(200);
}

#[tokio::test]
async fn custody_27_codes_of_strangers_are_locked_for_growing_times() {
    let (stack, client) = world().await;
    let alice = alice();
    let user = alice.register(&client).await;
    let uri = enable(&stack, &client, &user).await;
    let mut locks = Vec::new();
    let mut n = 0;
    while locks.len() < 4 {
        let there = stranger(&client, n);
        let answer = alice.attempt_with_code(&there, &wrong_code_at(&uri, client.now())).await;
        n += 1;
        if answer.code() == "4019" {
            locks.push(wait(&answer).unwrap());
        }
        if let Some(seconds) = wait(&answer) {
            stack.clock().advance(Duration::from_secs(seconds));
        }
    }
    let near = |seconds: u64, lock: u64| seconds <= lock && seconds + 200 >= lock;
    let grown = [900, 1_800, 3_600, 3_600];
    assert!(locks.iter().zip(grown).all(|(is, lock)| near(*is, lock)), "{locks:?}");
    alice.attempt_with_code(&client, &code_at(&uri, client.now())).await.expect(200);
    // A device becomes known only after all factors are proved.
    guess(&alice).attempt(&client).await.expect_error(Problem::InvalidCredentials);
    let thief = stranger(&client, 200);
    for _ in 0..3 {
        let answer = alice.attempt_with_code(&thief, &wrong_code_at(&uri, client.now())).await;
        assert!(answer.status != 200 && thief.device_token().is_none(), "{answer}");
    }
}
