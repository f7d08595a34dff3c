//! What the measured endpoints are asked: requests that each succeed once, in a world that is ready for
//! them.

use std::{collections::BTreeMap, net::Ipv4Addr};

use local::{
    Answer, Client, LocalStack, SignedIn, SrpAccount, Wallet, client::Call, functions,
    ord_double::Output, wallets,
};
use serde_json::{Value, json};

/// An endpoint that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Health,
    Challenge,
    SignInNew,
    SignIn,
    SignInSrp,
    Register,
    Me,
    Referral,
    Accounts,
    Prizes,
    Sessions,
    EndSession,
    Refresh,
    Logout,
}

impl Endpoint {
    /// All of them, in the order of the table.
    pub(crate) const ALL: [Self; 14] = [
        Self::Health,
        Self::Challenge,
        Self::SignInNew,
        Self::SignIn,
        Self::SignInSrp,
        Self::Register,
        Self::Me,
        Self::Referral,
        Self::Accounts,
        Self::Prizes,
        Self::Sessions,
        Self::EndSession,
        Self::Refresh,
        Self::Logout,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Health => "GET /api/health",
            Self::Challenge => "GET /auth/wallet/challenge",
            Self::SignInNew => "POST /auth/authenticate, a new wallet",
            Self::SignIn => "POST /auth/authenticate, a known wallet",
            Self::SignInSrp => "POST /auth/authenticate, a password",
            Self::Register => "POST /auth/register/srp",
            Self::Me => "GET /api/account/me",
            Self::Referral => "GET …/referral-code/{code}/verify",
            Self::Accounts => "GET /api/account",
            Self::Prizes => "GET /api/prizes, page 2",
            Self::Sessions => "GET /auth/sessions",
            Self::EndSession => "DELETE /auth/sessions/{id}",
            Self::Refresh => "POST /auth/refresh-token",
            Self::Logout => "POST /auth/logout",
        }
    }

    /// The function that serves it.
    pub(crate) fn function(self) -> &'static str {
        match self {
            Self::Health | Self::Me | Self::Referral | Self::Accounts => "account",
            Self::Prizes => "prizes",
            _ => "auth",
        }
    }
}

/// A request that succeeds once.
pub(crate) struct Request {
    method: &'static str,
    path: String,
    token: Option<String>,
    body: Option<Value>,
    /// Where it comes from: sources are counted.
    source: Ipv4Addr,
}

impl Request {
    fn get(path: impl Into<String>) -> Self {
        let (path, source) = (path.into(), Ipv4Addr::LOCALHOST);
        Self { method: "GET", path, token: None, body: None, source }
    }

    fn post(path: impl Into<String>, body: Option<Value>) -> Self {
        Self { method: "POST", body, ..Self::get(path) }
    }

    fn by(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    pub(crate) async fn send(&self, client: &Client) -> Answer {
        let client = client.calling_from(self.source);
        let call = client.request(self.method.parse().unwrap(), &self.path);
        let call = self.token.iter().fold(call, |call, token| call.bearer(token));
        let answer = self.body.iter().fold(call, Call::json).send().await;
        assert!(answer.status < 300, "{answer}");
        answer
    }
}

/// A world in which requests are made for endpoints. No two of them are alike.
pub(crate) struct Requests<'a> {
    pub(crate) stack: &'a LocalStack,
    /// Of the functions, and of what they are compared with.
    pub(crate) settings: BTreeMap<String, String>,
    client: Client,
    admin: SignedIn,
    next: u32,
}

impl<'a> Requests<'a> {
    /// In a world that has sixty prizes by then.
    pub(crate) async fn of(stack: &'a LocalStack) -> Self {
        let client = stack.serve(functions::routes()).await;
        let admin = wallets::admin(stack, &client).await;
        let mut settings = stack.settings().clone();
        settings.insert("BENCH_ACCOUNT".to_owned(), admin.account.clone());
        let requests = Self { stack, settings, client, admin, next: 0 };
        for number in 1..=60 {
            requests.prize(number).send(&requests.client).await;
        }
        requests
    }

    /// So many requests to an endpoint.
    pub(crate) async fn make(&mut self, endpoint: Endpoint, count: usize) -> Vec<Request> {
        let mut made = Vec::with_capacity(count);
        for _ in 0..count {
            self.next += 1;
            let [_, a, b, c] = self.next.to_be_bytes();
            let source = Ipv4Addr::new(127, a + 1, b, c);
            made.push(Request { source, ..self.one(endpoint, source).await });
        }
        made
    }

    async fn one(&self, endpoint: Endpoint, source: Ipv4Addr) -> Request {
        let number = self.next;
        let client = self.client.calling_from(source);
        let wallet = Wallet::p2wpkh(100_000 + u64::from(number));
        let token = self.admin.access_token.as_str();
        let authenticate = |body| Request::post("/auth/authenticate", Some(body));
        match endpoint {
            Endpoint::Health => Request::get("/api/health"),
            Endpoint::Challenge => {
                Request::get(format!("/auth/wallet/challenge?address={}", wallet.address()))
            }
            Endpoint::SignInNew => {
                let challenge = wallets::challenge(&client, &wallet, "signIn", None).await;
                authenticate(wallet.signed_challenge(&challenge))
            }
            Endpoint::SignIn => {
                wallets::sign_in(&client, &wallet).await;
                authenticate(wallets::dated(&client, &wallet))
            }
            Endpoint::SignInSrp => {
                let account = Self::password(number);
                account.register(&client).await;
                authenticate(account.answer(&account.begin(&client).await).fields)
            }
            Endpoint::Register => {
                let body = Self::password(number).registration(&"A".repeat(400));
                Request::post("/auth/register/srp", Some(body))
            }
            Endpoint::Me => Request::get("/api/account/me").by(token),
            Endpoint::Referral => {
                let code = self.admin.data["account"]["referralCode"].as_str().unwrap();
                Request::get(format!("/api/account/referral-code/{code}/verify"))
            }
            Endpoint::Accounts => Request::get("/api/account").by(token),
            Endpoint::Prizes => Request::get("/api/prizes?page=2&pageSize=25").by(token),
            Endpoint::Sessions => Request::get("/auth/sessions").by(token),
            Endpoint::EndSession => {
                let (own, other) = self.two_sessions(&client, &wallet).await;
                let sessions = client.get("/auth/sessions").bearer(&own).send().await.expect(200);
                let sessions = sessions.data().as_array().unwrap();
                let ended = sessions.iter().find(|session| session["current"] == false);
                let id = ended.unwrap()["id"].as_str().unwrap();
                assert_ne!(own, other);
                Request { method: "DELETE", ..Request::get(format!("/auth/sessions/{id}")) }
                    .by(&own)
            }
            Endpoint::Refresh => {
                let session = wallets::sign_in(&client, &wallet).await;
                let body = json!({ "refreshToken": session.refresh_token });
                Request::post("/auth/refresh-token", Some(body))
            }
            Endpoint::Logout => {
                let session = wallets::sign_in(&client, &wallet).await;
                Request::post("/auth/logout", None).by(&session.access_token)
            }
        }
    }

    fn password(number: u32) -> SrpAccount {
        SrpAccount::new(&format!("bench-{number}@example.com"), "correct horse battery staple")
    }

    async fn two_sessions(&self, client: &Client, wallet: &Wallet) -> (String, String) {
        let own = wallets::sign_in(client, wallet).await.access_token;
        (own, wallets::sign_in(client, wallet).await.access_token)
    }

    fn prize(&self, number: u32) -> Request {
        let (utxo, inscription) = (format!("{number:064x}:0"), format!("{number:064x}i0"));
        let treasury = &self.stack.app().config.treasury;
        let held = Output::holding(utxo.parse().unwrap(), treasury, inscription.parse().unwrap());
        self.stack.ord().set(held);
        let body = json!({
            "prizeNumber": number, "name": "Prize",
            "inscriptionId": inscription, "controllingUtxo": utxo,
        });
        Request::post("/api/prizes", Some(body)).by(&self.admin.access_token)
    }
}
