//! No client can find out whether an e-mail address belongs to an account (checklist 4), neither by status or
//! body nor by the work done. Response times follow from the work: no code path sleeps, and the arithmetic of
//! a proof takes the same time for all numbers of a group.

use std::time::Duration;

use local::{
    Fault, FaultyHttp, LocalStack,
    client::{Answer, Client},
    srp_accounts::{SrpAccount, random_blob},
    srp_client::from_base64,
    wallets::{Kind, Wallet, challenge, dated, register, sign_in},
};
use serde_json::{Value, json};
use shared::{models::wallet::Chain, problem::Problem};

use crate::{world, world_of};

const PASSWORD: &str = "correct horse battery staple";

fn account(name: &str) -> SrpAccount {
    SrpAccount::new(&format!("{name}@example.com"), PASSWORD)
}

/// An account with the longest keystore, and its id. Reading the keystore would be work.
async fn known(client: &Client) -> (SrpAccount, String) {
    let account = account("known");
    let body = account.registration(&random_blob(3_427));
    let answer = client.post("/auth/register/srp").json(&body).send().await.expect(201);
    (account, answer.data()["account"]["id"].as_str().unwrap().to_owned())
}

/// An account with an e-mail address and without a password, and its id.
async fn without_password(client: &Client) -> (SrpAccount, String) {
    let account = account("by-wallet");
    let extras = json!({ "email": account.email });
    (account, register(client, &Wallet::evm(1), &extras).await.account)
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
    let (known, _) = known(&client).await;
    let (by_wallet, _) = without_password(&client).await;

    let mut answers = Vec::new();
    for account in [guess(&known), account("unknown"), by_wallet] {
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
    assert_eq!(answers[0], answers[1], "checklist 4: answers to e-mail addresses");
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
    assert_eq!(answers[0], answers[1], "checklist 4: answers to account ids");
    assert_eq!(answers[0], answers[2], "an account without a password");
    assert_eq!(costs[0], costs[1]);
    // The spelling of the id does not matter.
    alice.attempt_by_id(&client, &format!(" {} ", known.to_uppercase())).await.expect(200);
    for wrong in ["018bcfe5", "x", "", "018bcfe5-6800-7000-8000-00000000000g"] {
        let body = json!({ "email": wrong });
        client.post("/auth/srp/init").json(&body).send().await.expect_error(Problem::Validation);
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

/// The work of a request: each call of DynamoDB and KMS with its table, number of rows and consumed units,
/// and each exponentiation of a password proof.
fn work(stack: &LocalStack, answer: &Answer) -> Vec<String> {
    let id = answer.header("x-request-id");
    let trace = stack.collector().of_request(id).unwrap_or_else(|| panic!("no trace of {answer}"));
    let parts = trace.spans.iter().filter(|span| span.parent.is_some());
    let mut work: Vec<_> =
        parts.map(|span| format!("{} {:?}", span.name, span.attributes)).collect();
    // Concurrent calls end in any order.
    work.sort_unstable();
    work
}

fn count(work: &[String], what: &str) -> usize {
    work.iter().filter(|part| part.starts_with(what)).count()
}

/// A world that records what its requests do.
async fn recorded_world() -> (LocalStack, Client) {
    world_of(LocalStack::builder().traces().build().await).await
}

/// A fresh instance, for a caller whose limits are unused.
async fn fresh_instance(stack: &LocalStack, caller: u8) -> Client {
    let client = stack.serve_app(stack.app().changed(&[]), auth::routes()).await;
    client.calling_from([127, 0, 3, caller].into())
}

/// The work on both steps of three guesses: on a cold instance, then on a warm one.
async fn work_of_guesses(
    stack: &LocalStack,
    client: &Client,
    name: &str,
    guess: &SrpAccount,
) -> Vec<[Vec<String>; 2]> {
    let mut all = Vec::new();
    for _cold_then_warm in 0..3 {
        let init = client.post("/auth/srp/init").json(&json!({ "email": name }));
        let init = init.send().await.expect(200);
        let proof = client.post("/auth/authenticate").json(&guess.answer(init.data()).fields);
        let check = proof.send().await.expect_error(Problem::InvalidCredentials);
        all.push([work(stack, &init), work(stack, &check)]);
    }
    all
}

#[tokio::test]
async fn a_guess_causes_the_same_work_for_known_and_unknown_names() {
    let (stack, client) = recorded_world().await;
    let (known, known_id) = known(&client).await;
    let (by_wallet, wallet_id) = without_password(&client).await;
    // The placeholder account is created at the first unknown address.
    account("first").begin(&client).await;
    let guess = guess(&known);
    let unknown_id = "018bcfe5-6800-7000-8000-000000000001".to_owned();
    let emails = [known.email, account("unknown").email, by_wallet.email];
    for (kind, names) in [emails, [known_id, unknown_id, wallet_id]].iter().enumerate() {
        // Let the counts of guesses expire.
        stack.clock().advance(Duration::from_secs(25 * 60 * 60));
        let mut works = Vec::new();
        for (n, name) in names.iter().enumerate() {
            let client = fresh_instance(&stack, u8::try_from(40 + 3 * kind + n).unwrap()).await;
            works.push(work_of_guesses(&stack, &client, name, &guess).await);
        }
        let [known, unknown, by_wallet] = works.as_slice() else { unreachable!() };
        for [init, check] in known {
            assert_eq!((count(init, "SRP "), count(check, "SRP ")), (1, 1), "{init:#?} {check:#?}");
            assert!(count(check, "DynamoDB UpdateItem ") >= 2, "{check:#?}");
        }
        assert_eq!(known, unknown, "checklist 4: work on a guess");
        assert_eq!(known, by_wallet, "without a password");
    }
}

/// A refusal is counted for the owner of the address, or for the address itself if it has no owner.
#[tokio::test]
async fn a_wrong_signature_causes_the_same_work_for_known_and_unknown_addresses() {
    let (stack, client) = recorded_world().await;
    let mut caller = 60;
    for kind in Kind::ALL {
        let (known, unknown) = (Wallet::new(kind, 11), Wallet::new(kind, 12));
        sign_in(&client, &known).await;
        for by_message in [false, true] {
            if by_message && known.chain() != Chain::Bitcoin {
                continue;
            }
            let mut works = Vec::new();
            for wallet in [&known, &unknown] {
                caller += 1;
                let client = fresh_instance(&stack, caller).await;
                let mut work_of_both = Vec::new();
                for _cold_then_warm in 0..2 {
                    let mut proof = match by_message {
                        true => dated(&client, wallet),
                        false => {
                            let answer = challenge(&client, wallet, "signIn", None).await;
                            wallet.signed_challenge(&answer)
                        }
                    };
                    proof["signature"] = json!(wallet.sign("another text"));
                    let answer = client.post("/auth/authenticate").json(&proof).send().await;
                    work_of_both
                        .push(work(&stack, &answer.expect_error(Problem::SignatureInvalid)));
                }
                works.push(work_of_both);
            }
            assert!(works[0].iter().all(|work| count(work, "DynamoDB UpdateItem ") >= 1));
            assert_eq!(works[0], works[1], "checklist 4: work on a signature: {kind:?}");
        }
    }
}
