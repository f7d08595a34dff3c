//! No client can find out whether an e-mail address belongs to an account (checklist 4): not by status or
//! body, not by the work done, not by time.

use std::time::Duration;

use local::{
    Fault, FaultyHttp, LocalStack,
    client::{Answer, Client},
    process::thread_cpu_time,
    srp_accounts::{SrpAccount, random_blob},
    srp_client::from_base64,
    wallets::{Wallet, sign_in},
};
use serde_json::{Value, json};

use crate::world;

const PASSWORD: &str = "correct horse battery staple";

fn account(name: &str) -> SrpAccount {
    SrpAccount::new(&format!("{name}@example.com"), PASSWORD)
}

/// An account with the longest keystore, so that reading it takes as long as possible.
async fn known(client: &Client) -> SrpAccount {
    let account = account("known");
    let body = account.registration(&random_blob(3_427));
    client.post("/auth/register/srp").json(&body).send().await.expect(201);
    account
}

/// The account with a wrong password, as an attacker would try it.
fn guess(account: &SrpAccount) -> SrpAccount {
    SrpAccount { password: "a guess".to_owned(), ..account.clone() }
}

/// A response without the values that differ every time.
fn comparable(answer: &Answer) -> (u16, Vec<String>, Value) {
    let mut body = answer.body.clone();
    body.as_object_mut().unwrap().remove("requestId");
    let names = answer.headers.keys().map(ToString::to_string).collect();
    (answer.status, names, body)
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_look_the_same() {
    let (_stack, client) = world().await;
    let known = known(&client).await;
    let wallet = Wallet::evm(1);
    let challenge = client.get(format!("/auth/wallet/challenge?address={}", wallet.address()));
    let mut body = wallet.signed_challenge(&challenge.send().await);
    body["email"] = json!("by-wallet@example.com");
    client.post("/auth/register/wallet").json(&body).send().await.expect(201);

    let mut answers = Vec::new();
    for account in [guess(&known), account("unknown"), account("by-wallet")] {
        let init = client.post("/auth/srp/init").json(&json!({ "email": account.email }));
        let init = init.send().await.expect(200);
        let session = init.data();
        let shape: Vec<_> = session.as_object().unwrap().keys().cloned().collect();
        let length = |name: &str| from_base64(session[name].as_str().unwrap()).unwrap().len();
        assert_eq!((length("salt"), length("serverPublic")), (32, 384));
        assert_eq!(session["sessionId"].as_str().unwrap().len(), 36);
        let proof = account.answer(session).fields;
        let answer = client.post("/auth/authenticate").json(&proof).send().await;
        let again = client.post("/auth/authenticate").json(&proof).send().await;
        let names: Vec<_> = init.headers.keys().map(ToString::to_string).collect();
        let fixed = (session["group"].clone(), session["hash"].clone());
        answers.push((shape, names, fixed, comparable(&answer), comparable(&again)));
    }
    assert_eq!(answers[0].3.2["code"], "4016");
    assert_eq!(answers[0].4.2["code"], "4025");
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2], "an account without a password");
}

/// Each unknown address has its own salt, the same at every call and in every process.
#[tokio::test]
async fn an_unknown_address_keeps_its_own_salt() {
    let (stack, client) = world().await;
    let other = stack.serve_app(stack.app().changed(&[]), auth::routes()).await;
    let mut salts = std::collections::BTreeSet::new();
    for name in ["a", "b", "c", "d"] {
        let user = account(name);
        let salt = user.begin(&client).await["salt"].clone();
        for client in [&client, &other] {
            let session = user.begin(client).await;
            assert_eq!(session["salt"], salt);
        }
        stack.clock().advance(Duration::from_secs(3_600));
        assert_eq!(user.begin(&client).await["salt"], salt);
        assert!(salts.insert(salt.to_string()));
    }
    // Once its owner registers, the salt is that of the account.
    let registered = account("a");
    registered.register(&client).await;
    assert_eq!(registered.begin(&client).await["salt"], registered.salt().as_str());
}

/// Account ids are names too: an unknown id gets the same response as a known one.
#[tokio::test]
async fn custody_20_an_unknown_account_id_looks_the_same() {
    let (stack, client) = world().await;
    let alice = account("known");
    let known = alice.register(&client).await.account;
    let wallet = sign_in(&client, &Wallet::p2wpkh(1)).await.account;
    let unknown = "018bcfe5-6800-7000-8000-000000000001";
    let guess = guess(&alice);
    let (mut answers, mut costs) = (Vec::new(), Vec::new());
    // The placeholder account is created at the first unknown id.
    guess.begin_by_id(&client, "018bcfe5-6800-7000-8000-000000000002").await;
    for (n, id) in [known.as_str(), unknown, &wallet].into_iter().enumerate() {
        let (client, network) = instance(&stack).await;
        let client = client.calling_from([127, 0, 3, u8::try_from(n).unwrap() + 20].into());
        let (init, session) = asked(&network, guess.begin_by_id(&client, id)).await;
        let proof = client.post("/auth/authenticate").json(&guess.answer(&session).fields);
        let (check, answer) = asked(&network, proof.send()).await;
        let names: Vec<_> = session.as_object().unwrap().keys().cloned().collect();
        let again = guess.begin_by_id(&client, id).await;
        assert_eq!(again["salt"], session["salt"]);
        answers.push((names, session["group"].clone(), comparable(&answer)));
        costs.push((init, check));
    }
    assert_eq!(answers[0].2.2["code"], "4016");
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2], "an account without a password");
    assert_eq!(costs[0], costs[1]);
    // The spelling of the id does not matter.
    alice.attempt_by_id(&client, &format!(" {} ", known.to_uppercase())).await.expect(200);
    for wrong in ["018bcfe5", "x", "", "018bcfe5-6800-7000-8000-00000000000g"] {
        let body = json!({ "email": wrong });
        client.post("/auth/srp/init").json(&body).send().await.expect_error(400, "1001");
    }
}

/// A fresh instance of the service, and the network over which it reaches DynamoDB.
pub(crate) async fn instance(stack: &LocalStack) -> (Client, FaultyHttp) {
    let network = FaultyHttp::new([]);
    let app = stack.app().through(network.outbound());
    (stack.serve_app(app, auth::routes()).await, network)
}

/// Counts the DynamoDB requests that `work` makes.
pub(crate) async fn asked<T>(network: &FaultyHttp, work: impl Future<Output = T>) -> (usize, T) {
    const MANY: usize = 1_000;
    network.schedule((network.left()..MANY).map(|_| Fault::Pass));
    let done = work.await;
    (MANY - network.left(), done)
}

#[tokio::test]
async fn known_and_unknown_cost_dynamodb_the_same() {
    let (stack, client) = world().await;
    let known = guess(&known(&client).await);
    // The placeholder account is created at the first unknown address.
    account("first").begin(&client).await;
    // Use fresh sources and addresses, so that the counters of limits start in the same state.
    let mut costs = Vec::new();
    for (n, user) in [known, account("unknown")].into_iter().enumerate() {
        let (client, network) = instance(&stack).await;
        let client = client.calling_from([127, 0, 3, u8::try_from(n).unwrap() + 1].into());
        let mut cost = Vec::new();
        for _cold_then_warm in 0..3 {
            let (init, session) = asked(&network, user.begin(&client)).await;
            let body = user.answer(&session).fields;
            let proof = client.post("/auth/authenticate").json(&body);
            let (check, answer) = asked(&network, proof.send()).await;
            answer.expect_error(401, "4016");
            cost.push((init, check));
        }
        costs.push(cost);
    }
    assert_eq!(costs[0], costs[1], "cold, then warm");
}

/// The CPU times of two kinds of requests: their medians, and the probability that one of the first kind
/// takes longer than one of the second (the Mann-Whitney statistic over the number of pairs). It is one half
/// if the kinds cannot be told apart.
#[derive(Debug)]
struct Comparison {
    medians: (Duration, Duration),
    longer: f64,
}

// The statistic is a ratio.
#[allow(clippy::float_arithmetic, clippy::cast_precision_loss)]
impl Comparison {
    fn from_samples(mut one: Vec<Duration>, mut other: Vec<Duration>) -> Self {
        let wins: usize =
            one.iter().map(|span| other.iter().filter(|than| span > *than).count()).sum();
        let longer = wins as f64 / (one.len() * other.len()) as f64;
        one.sort_unstable();
        other.sort_unstable();
        Self { medians: (one[one.len() / 2], other[other.len() / 2]), longer }
    }

    fn tells_apart(&self) -> bool {
        let (one, other) = self.medians;
        let apart = one.max(other) > one.min(other) * 5 / 4 + Duration::from_millis(1);
        apart || (self.longer - 0.5).abs() > 0.2
    }
}

/// Pairs of requests in a comparison.
const PAIRS: usize = 100;

/// Measures the CPU time of both steps of a sign-in, for a known and an unknown name.
async fn compare(stack: &LocalStack, client: &Client, one: &SrpAccount) -> [Comparison; 2] {
    let other = account("unknown");
    let mut spans: [[Vec<Duration>; 2]; 2] = Default::default();
    for pair in 0..PAIRS {
        if pair % 5 == 0 {
            // Let the count of guesses expire.
            stack.clock().advance(Duration::from_secs(24 * 60 * 60 + 60));
        }
        // Alternate the order, or being second would look like being unknown.
        let order = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
        for who in order {
            let user = if who == 0 { one } else { &other };
            let body = json!({ "email": user.email });
            let (began, call) = (thread_cpu_time(), client.post("/auth/srp/init").json(&body));
            let init = call.send().await.expect(200);
            spans[0][who].push(thread_cpu_time() - began);
            let body = user.answer(init.data()).fields;
            let (began, call) = (thread_cpu_time(), client.post("/auth/authenticate").json(&body));
            call.send().await.expect_error(401, "4016");
            spans[1][who].push(thread_cpu_time() - began);
        }
    }
    spans.map(|[one, other]| Comparison::from_samples(one, other))
}

/// Service and client share this thread, and nothing else runs on it: what other programs do does not count. An apparent
/// difference is measured again: a real one shows every time.
#[tokio::test]
async fn known_and_unknown_take_the_same_time() {
    let (stack, client) = world().await;
    let known = guess(&known(&client).await);
    let client = client.calling_from([127, 0, 3, 9].into());
    let mut seen = Vec::new();
    for _attempt in 0..3 {
        let comparisons = compare(&stack, &client, &known).await;
        if !comparisons.iter().any(Comparison::tells_apart) {
            return;
        }
        seen.push(comparisons);
    }
    panic!("init and authenticate, each time: {seen:#?}");
}
