//! A network delivers writes late: the SDK gives up an attempt and repeats it, and the first attempt arrives
//! after its row was used. Single-use rows stay used.

use local::{
    LocalStack,
    client::{Answer, Client},
    faulty_http::FaultyHttp,
    passkeys,
    srp_accounts::{SrpAccount, random_blob},
    wallets::{SignedIn, Wallet, challenge, dated, sign_in},
};
use serde_json::{Value, json};
use shared::problem::Problem;

/// Single-use rows, by the beginning of their key.
const ONCE: [&str; 6] =
    ["challenge#", "handshake#", "emailToken#", "emailChange#", "signInMessage#", "refresh#"];

struct World {
    stack: LocalStack,
    client: Client,
    network: FaultyHttp,
}

impl World {
    async fn new() -> Self {
        let stack = LocalStack::start().await;
        let network = FaultyHttp::new([]);
        let app = stack.app().through(network.outbound());
        let client = stack.serve_app(app, local::functions::routes()).await;
        network.keep_copies();
        Self { stack, client, network }
    }

    /// The single-use rows with their contents.
    fn once(&self) -> Vec<String> {
        let tables = self.stack.contents();
        let rows = tables.iter().filter_map(|table| table["Items"].as_array()).flatten();
        let is_once = |row: &&Value| {
            let key = row["pk"]["S"].as_str().unwrap();
            ONCE.iter().any(|kind| key.starts_with(kind))
        };
        rows.filter(is_once).map(Value::to_string).collect()
    }

    /// Every earlier write arrives again.
    async fn late(&self) {
        let before = self.once();
        assert!(!before.is_empty());
        let (done, refused) = self.network.deliver_late_copies().await;
        assert!(!done.is_empty() || !refused.is_empty(), "nothing was written");
        assert_eq!(self.once(), before, "{done:?}, {refused:?}");
        self.network.keep_copies();
    }

    async fn post(&self, caller: Option<&SignedIn>, path: &str, body: &Value) -> Answer {
        let call = self.client.post(path).json(body);
        match caller {
            Some(caller) => call.bearer(&caller.access_token).send().await,
            None => call.send().await,
        }
    }

    /// Sends a request that succeeds, delivers its writes again, and expects this error on a repetition.
    async fn use_twice(
        &self,
        caller: Option<&SignedIn>,
        (path, body): (&str, &Value),
        problem: Problem,
    ) -> Answer {
        let first = self.post(caller, path, body).await;
        assert!((200..300).contains(&first.status), "{first}");
        self.late().await;
        self.post(caller, path, body).await.expect_error(problem);
        first
    }

    async fn mailed(&self, to: &str) -> String {
        self.stack.deliver_mail().await;
        let mails = self.stack.mailbox(to).await;
        mails.iter().rev().find(|mail| mail.text.contains("token=")).expect("a link").token()
    }
}

const SIGN_IN: &str = "/auth/authenticate";

#[tokio::test]
async fn custody_16_a_late_write_does_not_revive_a_challenge() {
    let world = World::new().await;
    let wallet = Wallet::evm(1);
    let issued = challenge(&world.client, &wallet, "signIn", None).await;
    let body = wallet.signed_challenge(&issued);
    let answer = world.use_twice(None, (SIGN_IN, &body), Problem::ChallengeInvalid).await;

    let user = SignedIn::of(&answer).unwrap();
    let other = Wallet::solana(2);
    let issued = challenge(&world.client, &other, "link", Some(&user.access_token)).await;
    let body = other.signed_challenge(&issued);
    let path = "/api/account/addresses";
    world.use_twice(Some(&user), (path, &body), Problem::ChallengeInvalid).await;
}

#[tokio::test]
async fn custody_17_a_late_write_does_not_revive_a_sign_in_message() {
    let world = World::new().await;
    let body = dated(&world.client, &Wallet::p2wpkh(1));
    world.use_twice(None, (SIGN_IN, &body), Problem::SignInMessageInvalid).await;
}

#[tokio::test]
async fn a_late_write_does_not_revive_a_password_handshake() {
    let world = World::new().await;
    let account = SrpAccount::new("late@example.com", "a password");
    account.register(&world.client).await;
    let session = account.begin(&world.client).await;
    let answered = account.answer(&session);
    let answer =
        world.use_twice(None, (SIGN_IN, &answered.fields), Problem::HandshakeInvalid).await;
    let secret = format!("handshake#{}", session["sessionId"].as_str().unwrap());
    let rows = world.once();
    let row = rows.iter().find(|row| row.contains(&secret)).expect("the row stays until its TTL");
    assert!(!row.contains("ephemeral\""), "its secrets are gone: {row}");

    let user = SignedIn::of(&answer).unwrap();
    let path = "/api/account/srp/change-password";
    let begun = world.post(Some(&user), &format!("{path}/init"), &json!({})).await.expect(200);
    let next = account.with_password("another");
    let body = account.password_change(begun.data(), &next, &random_blob(9)).fields;
    world
        .use_twice(Some(&user), (&format!("{path}/verify"), &body), Problem::HandshakeInvalid)
        .await;
}

#[tokio::test]
async fn a_late_write_does_not_revive_a_passkey_ceremony() {
    let world = World::new().await;
    let mut authenticator = passkeys::authenticator();
    let path = "/auth/register/passkey";
    let begun = world.post(None, &format!("{path}/init"), &json!({})).await.expect(200);
    let body = passkeys::made(&mut authenticator, &begun);
    world.use_twice(None, (&format!("{path}/verify"), &body), Problem::HandshakeInvalid).await;

    let begun = world.post(None, "/auth/passkey/init", &json!({})).await.expect(200);
    let body = passkeys::answered(&mut authenticator, &begun);
    let answer = world.use_twice(None, (SIGN_IN, &body), Problem::HandshakeInvalid).await;

    let user = SignedIn::of(&answer).unwrap();
    let path = "/api/account/passkeys";
    let begun = world.post(Some(&user), &format!("{path}/init"), &json!({})).await.expect(200);
    let body = passkeys::made(&mut passkeys::authenticator(), &begun);
    world
        .use_twice(Some(&user), (&format!("{path}/verify"), &body), Problem::HandshakeInvalid)
        .await;
}

#[tokio::test]
async fn custody_20_a_late_write_does_not_revive_a_mailed_token() {
    let world = World::new().await;
    let account = SrpAccount::new("mailed@example.com", "a password");
    let user = account.register(&world.client).await;
    let body = json!({ "token": world.mailed(&account.email).await });
    world
        .use_twice(Some(&user), ("/api/account/verify-email", &body), Problem::EmailTokenInvalid)
        .await;

    let path = "/api/account/change-email";
    let user = sign_in(&world.client, &Wallet::p2wpkh(5)).await;
    let (first, second) = ("first@example.com", "second@example.com");
    let begin = async |email: &str| {
        let body = json!({ "newEmail": email });
        world.post(Some(&user), &format!("{path}/init"), &body).await.expect(200);
        json!({ "token": world.mailed(email).await, "email": email })
    };
    let verify = format!("{path}/verify");
    let body = begin(first).await;
    world.use_twice(Some(&user), (&verify, &body), Problem::EmailTokenInvalid).await;
    // After another change, the address is no longer the account's, and the old link stays used.
    let next = begin(second).await;
    world.post(Some(&user), &verify, &next).await.expect(200);
    world.late().await;
    let again = world.post(Some(&user), &verify, &body).await;
    assert_eq!(again.status, 400, "{again}");
}

#[tokio::test]
async fn a_late_write_does_not_revive_a_refresh_token() {
    let world = World::new().await;
    let user = sign_in(&world.client, &Wallet::p2wpkh(6)).await;
    let path = "/auth/refresh-token";
    let body = json!({ "refreshToken": user.refresh_token });
    let first = world.post(None, path, &body).await.expect(200);
    world.late().await;
    // The predecessor of the active token gets that token again, until somebody has used it.
    let again = world.post(None, path, &body).await.expect(200);
    assert_eq!(again.text_of("refreshToken"), first.text_of("refreshToken"));
    let next = json!({ "refreshToken": first.text_of("refreshToken") });
    world.post(None, path, &next).await.expect(200);
    world.late().await;
    world.post(None, path, &body).await.expect_error(Problem::InvalidRefreshToken);
    world.post(None, path, &next).await.expect_error(Problem::InvalidRefreshToken);
}
