//! Secrets stay with whom they are for: one journey through every endpoint of accounts and sign-in,
//! and then neither the log nor anybody else's answers hold any of them.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    io,
    sync::{Arc, Mutex},
};

use http::Method;
use local::{
    LocalStack,
    authenticator::Authenticator,
    client::{Answer, Client},
    passkeys::{answered, authenticator, made},
    srp_accounts::{SrpAccount, random_blob},
    totp::code_at,
    wallets::{self, SignedIn, Wallet, dated, with},
};
use serde_json::{Value, json};
use shared::{http::Routes, models::token::Token, store::tokens};
use tracing_subscriber::EnvFilter;

/// What the log says.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// A secret, whose it is, and the endpoints that may hand it out to him.
struct Secret {
    what: &'static str,
    whose: &'static str,
    text: String,
    shown_by: &'static [&'static str],
}

/// An answer, and whom it went to.
struct Given {
    to: &'static str,
    path: String,
    text: String,
}

const TOKENS: &[&str] = &[
    "/auth/authenticate",
    "/auth/refresh-token",
    "/auth/register/srp",
    "/auth/register/wallet",
    "/auth/register/passkey/verify",
];
const KEYSTORES: &[&str] = &["/auth/authenticate", "/api/account/keystore"];
/// Those that answer with their caller's account (checklist 9).
const ACCOUNTS: &[&str] = &[
    "/auth/register/srp",
    "/auth/authenticate",
    "/api/account/verify-email",
    "/api/account/change-email/verify",
];
const SETUP: &[&str] = &["/api/account/2fa/setup"];
const TOGGLE: &[&str] = &["/api/account/2fa/toggle"];
const NOBODY: &[&str] = &[];

/// What was said on the way.
struct Journey {
    client: Client,
    driven: RefCell<BTreeSet<(Method, String)>>,
    given: RefCell<Vec<Given>>,
    secrets: RefCell<Vec<Secret>>,
}

impl Journey {
    fn new(client: Client) -> Self {
        let (driven, given, secrets) = Default::default();
        Self { client, driven, given, secrets }
    }

    /// A call that succeeds, of somebody with a session or without.
    async fn call(
        &self,
        to: &'static str,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Answer {
        let mut call = self.client.request(method.clone(), path);
        if let Some(token) = token {
            call = call.bearer(token);
        }
        if let Some(body) = body {
            call = call.json(body);
        }
        let answer = call.send().await;
        assert!((200..300).contains(&answer.status), "{answer}");
        let path = path.split('?').next().unwrap().to_owned();
        if TOKENS.contains(&path.as_str()) {
            for token in ["accessToken", "refreshToken"] {
                self.keep(token, to, answer.text_of(token), TOKENS);
            }
        }
        self.driven.borrow_mut().insert((method, path.clone()));
        self.given.borrow_mut().push(Given { to, path, text: answer.text.clone() });
        answer
    }

    /// Notes a secret.
    fn keep(
        &self,
        what: &'static str,
        whose: &'static str,
        text: &str,
        shown_by: &'static [&'static str],
    ) {
        assert!(text.len() >= 8, "{what} would be found by chance: {text}");
        let text = text.to_owned();
        self.secrets.borrow_mut().push(Secret { what, whose, text, shown_by });
    }

    /// Every route that no call has gone to.
    fn left(&self, routes: &Routes) -> Vec<String> {
        let driven = self.driven.borrow();
        let reaches = |pattern: &str, path: &str| {
            let (pattern, path): (Vec<_>, Vec<_>) =
                (pattern.split('/').collect(), path.split('/').collect());
            pattern.len() == path.len()
                && pattern.iter().zip(&path).all(|(a, b)| a.starts_with('{') || a == b)
        };
        let routes = routes.table().iter().filter(|route| !route.path.starts_with("/api/auth/"));
        let missed = routes.filter(|route| {
            !driven
                .iter()
                .any(|(method, path)| *method == route.method && reaches(&route.path, path))
        });
        missed.map(|route| format!("{} {}", route.method, route.path)).collect()
    }
}

/// Somebody with a session.
struct Person<'a> {
    journey: &'a Journey,
    name: &'static str,
    token: String,
}

impl<'a> Person<'a> {
    fn of(journey: &'a Journey, name: &'static str, answer: &Answer) -> Self {
        Self { journey, name, token: answer.text_of("accessToken").to_owned() }
    }

    async fn get(&self, path: &str) -> Answer {
        self.journey.call(self.name, Method::GET, path, Some(&self.token), None).await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.journey.call(self.name, Method::POST, path, Some(&self.token), Some(body)).await
    }

    async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.journey.call(self.name, Method::PATCH, path, Some(&self.token), Some(body)).await
    }

    async fn delete(&self, path: &str, body: Option<&Value>) -> Answer {
        self.journey.call(self.name, Method::DELETE, path, Some(&self.token), body).await
    }

    async fn challenge(&self, wallet: &Wallet, purpose: &str) -> Value {
        let path = format!("/auth/wallet/challenge?address={}&purpose={purpose}", wallet.address());
        wallet.signed_challenge(&self.get(&path).await)
    }
}

/// A post of somebody without a session.
async fn post(journey: &Journey, name: &'static str, path: &str, body: &Value) -> Answer {
    journey.call(name, Method::POST, path, None, Some(body)).await
}

async fn mailed(stack: &LocalStack, journey: &Journey, whose: &'static str, to: &str) -> String {
    stack.deliver_mail().await;
    let mails = stack.mailbox(to).await;
    let token = mails.iter().rev().find(|mail| mail.text.contains("token=")).unwrap().token();
    journey.keep("mailed token", whose, &token, NOBODY);
    token
}

/// A sign-in by password, with a code where there is a second factor.
async fn sign_in(journey: &Journey, who: &SrpAccount, code: Option<String>) -> Answer {
    let session = post(journey, "alice", "/auth/srp/init", &json!({ "email": who.email })).await;
    let proof = with(who.answer(session.data()).fields, &json!({ "otpCode": code }));
    post(journey, "alice", "/auth/authenticate", &proof).await
}

/// Alice has a password, and everything that an account with one can have.
async fn alice(stack: &LocalStack, journey: &Journey) {
    let old = SrpAccount::new("alice@example.com", "correct horse battery staple");
    journey.keep("password", "alice", &old.password, NOBODY);
    journey.keep("verifier", "alice", &old.verifier(), NOBODY);
    let hint = "an animal, and what it eats";
    journey.keep("password hint", "alice", hint, ACCOUNTS);
    let blob = random_blob(100);
    journey.keep("keystore", "alice", &blob, KEYSTORES);
    let body = with(old.registration(&blob), &json!({ "passwordHint": hint }));
    let registered = post(journey, "alice", "/auth/register/srp", &body).await;
    let person = Person::of(journey, "alice", &registered);
    mailed(stack, journey, "alice", &old.email).await;
    person.post("/api/account/verify-email/resend", &json!({})).await;
    let token = mailed(stack, journey, "alice", &old.email).await;
    person.post("/api/account/verify-email", &json!({ "token": token })).await;

    let signed_in = sign_in(journey, &old, None).await;
    let person = Person::of(journey, "alice", &signed_in);
    assert_eq!(person.get("/api/account/keystore").await.text_of("encryptedBlob"), blob);
    let setup = person.post("/api/account/2fa/setup", &json!({})).await;
    for what in ["otpauthUri", "secret", "qrCode"] {
        journey.keep("TOTP secret", "alice", setup.text_of(what), SETUP);
    }
    let uri = setup.text_of("otpauthUri");
    let code = json!({ "otpCode": code_at(uri, journey.client.now()) });
    let enabled = person.post("/api/account/2fa/toggle", &code).await;
    let codes: Vec<_> = enabled.data()["recoveryCodes"].as_array().unwrap().clone();
    for code in &codes {
        journey.keep("recovery code", "alice", code.as_str().unwrap(), TOGGLE);
    }

    let new = old.with_password("another password altogether");
    journey.keep("password", "alice", &new.password, NOBODY);
    journey.keep("verifier", "alice", &new.verifier(), NOBODY);
    let blob = random_blob(100);
    journey.keep("keystore", "alice", &blob, KEYSTORES);
    let path = "/api/account/srp/change-password";
    let session = person.post(&format!("{path}/init"), &json!({})).await;
    let body = old.password_change(session.data(), &new, &blob).fields;
    person.post(&format!("{path}/verify"), &body).await;

    let moved = new.with_email("alice@example.org");
    journey.keep("verifier", "alice", &moved.verifier(), NOBODY);
    let path = "/api/account/change-email";
    let body = json!({ "newEmail": moved.email });
    let session = person.post(&format!("{path}/init"), &body).await;
    let token = mailed(stack, journey, "alice", &moved.email).await;
    let proof = new.email_change(&session.data()["srpSession"], &moved);
    let body = json!({ "token": token, "email": moved.email, "srpData": proof });
    person.post(&format!("{path}/verify"), &body).await;

    // A recovery code, and a session that ends.
    let there = sign_in(journey, &moved, codes[0].as_str().map(str::to_owned)).await;
    let refresh = json!({ "refreshToken": there.text_of("refreshToken") });
    let there = post(journey, "alice", "/auth/refresh-token", &refresh).await;
    let there = Person::of(journey, "alice", &there);
    let sessions = there.get("/auth/sessions").await;
    let sessions = sessions.data().as_array().unwrap();
    let other = sessions.iter().find(|session| session["current"] == false).unwrap();
    there.delete(&format!("/auth/sessions/{}", other["id"].as_str().unwrap()), None).await;
    there.get("/api/account/activity?pageSize=100").await;
    there.post("/auth/logout", &json!({})).await;
}

/// Bob has a wallet.
async fn bob(stack: &LocalStack, journey: &Journey) {
    const TOKEN: &str = "42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831";
    let token = json!({
        "tokenId": TOKEN, "chain": "42161", "symbol": "USDC", "decimals": 6, "slots": ["usdc"],
    });
    let token: Token = serde_json::from_value(token).unwrap();
    tokens::enter(&stack.app().store, &token).await.unwrap();

    let wallet = Wallet::evm(1);
    let path = format!("/auth/wallet/challenge?address={}", wallet.address());
    let challenge = journey.call("bob", Method::GET, &path, None, None).await;
    let blob = random_blob(100);
    journey.keep("keystore", "bob", &blob, KEYSTORES);
    let extras = json!({ "encryptedBlob": blob, "email": "bob@example.com" });
    let body = with(wallet.signed_challenge(&challenge), &extras);
    let registered = post(journey, "bob", "/auth/register/wallet", &body).await;
    mailed(stack, journey, "bob", "bob@example.com").await;
    let bob = Person::of(journey, "bob", &registered);

    let me = bob.get("/api/account/me").await;
    let code = me.text_of("referralCode").to_owned();
    bob.get(&format!("/api/account/referral-code/{code}/verify")).await;
    bob.get("/api/tokens").await;
    let slot = json!({ "slot": "usdc", "tokenId": TOKEN });
    bob.patch("/api/account/default-token", &slot).await;
    bob.delete("/api/account/default-token", Some(&slot)).await;
    bob.patch("/api/account/avatar", &json!({ "inscriptionId": null })).await;
    let linked = Wallet::p2tr(2);
    let body = bob.challenge(&linked, "link").await;
    bob.post("/api/account/addresses", &body).await;
    bob.get("/api/account/addresses").await;
    bob.delete(&format!("/api/account/addresses/{}", linked.address()), None).await;
    let blob = random_blob(100);
    journey.keep("keystore", "bob", &blob, KEYSTORES);
    let proof = bob.challenge(&Wallet::solana(3), "rotate").await;
    let body = with(proof, &json!({ "encryptedBlob": blob }));
    bob.post("/api/account/wallet/rotate", &body).await;
}

/// Carol has passkeys.
async fn carol(journey: &Journey) {
    let mut phone: Authenticator = authenticator();
    let begun = post(journey, "carol", "/auth/register/passkey/init", &json!({})).await;
    let body = made(&mut phone, &begun);
    post(journey, "carol", "/auth/register/passkey/verify", &body).await;
    let begun = post(journey, "carol", "/auth/passkey/init", &json!({})).await;
    let body = answered(&mut phone, &begun);
    let signed_in = post(journey, "carol", "/auth/authenticate", &body).await;
    let carol = Person::of(journey, "carol", &signed_in);
    let begun = carol.post("/api/account/passkeys/init", &json!({})).await;
    let body = made(&mut authenticator(), &begun);
    carol.post("/api/account/passkeys/verify", &body).await;
    let listed = carol.get("/api/account/passkeys").await;
    let id = listed.data()[0]["id"].as_str().unwrap().to_owned();
    carol.delete(&format!("/api/account/passkeys/{id}"), None).await;
}

/// The admin sees what admins see of everybody.
async fn admin(stack: &LocalStack, journey: &Journey) {
    let admin: SignedIn = wallets::admin(stack, &journey.client).await;
    let token = Some(admin.access_token.as_str());
    let list = "/api/account?pageSize=100&select=%2BreferredBy,%2BlastSignInAt\
                &populate=wallet,referrer";
    journey.call("admin", Method::GET, list, token, None).await;
    for path in ["/.well-known/jwks.json", "/api/health", "/api/health?deep=1"] {
        journey.call("admin", Method::GET, path, None, None).await;
    }
    // What is refused tells no more.
    let body = dated(&journey.client, &Wallet::p2wpkh(9));
    let forged = with(body, &json!({ "signature": Wallet::p2wpkh(8).sign("x") }));
    journey.client.post("/auth/authenticate").json(&forged).send().await.expect_error(400, "4007");
}

// The log is that of the whole process: what other journeys say in it does no harm.
#[tokio::test]
async fn no_secret_is_in_the_log_or_in_anothers_answers() {
    let log = Log::default();
    let filter = "info,shared=trace,auth=trace,account=trace,mail_worker=trace,local=trace";
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let (stack, client) = crate::world().await;
    let journey = Journey::new(client);
    alice(&stack, &journey).await;
    bob(&stack, &journey).await;
    carol(&journey).await;
    admin(&stack, &journey).await;
    assert_eq!(journey.left(&auth::routes().merge(account::routes())), [""; 0]);

    let log = log.text();
    let given = journey.given.borrow();
    let requests = log.lines().filter(|line| line.contains("duration_us"));
    assert!(requests.count() > given.len(), "the log is that of these requests: {log}");
    assert!(log.contains("mail_worker"), "{log}");
    let secrets = journey.secrets.borrow();
    let kinds: BTreeSet<_> = secrets.iter().map(|secret| secret.what).collect();
    assert_eq!(kinds.len(), 9, "{kinds:?}");
    for Secret { what, whose, text, shown_by } in secrets.iter() {
        assert!(!log.contains(text), "{whose}'s {what} is in the log: {text}");
        for answer in given.iter().filter(|answer| answer.text.contains(text)) {
            let own = answer.to == *whose && shown_by.contains(&answer.path.as_str());
            assert!(own, "{whose}'s {what} in {} to {}: {text}", answer.path, answer.to);
        }
    }
}
