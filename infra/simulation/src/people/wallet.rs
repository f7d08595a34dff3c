//! A user with a wallet: signs in by challenge or dated message, links addresses, replays proofs, manages a
//! second factor, and tries to use what belongs to others.

use base::clock::Timestamp;
use http::Method;
use local::{
    totp::{code_at, wrong_code_at},
    wallets::{Kind, Wallet},
};
use serde_json::{Value, json};

use super::{Answer, Call, Client, Session};
use crate::aws::{dynamodb::text, expression::Row};

/// A user with a wallet.
pub struct WalletUser {
    client: Client,
    wallet: Wallet,
    number: u64,
    session: Option<Session>,
    /// Proofs that were used.
    proofs: Vec<Call>,
    totp: Option<String>,
    recovery: Vec<String>,
    signed: i64,
    strangers: Vec<String>,
}

impl WalletUser {
    /// The user with this number.
    pub fn new(client: Client, number: u64) -> Self {
        let kinds = [Kind::Evm, Kind::P2wpkh, Kind::Solana, Kind::P2tr];
        let kind = kinds[usize::try_from(number).unwrap_or(0) % kinds.len()];
        let wallet = Wallet::new(kind, 1_000 + number);
        Self {
            client,
            wallet,
            number,
            session: None,
            proofs: Vec::new(),
            totp: None,
            recovery: Vec::new(),
            signed: 0,
            strangers: Vec::new(),
        }
    }

    /// Lives until the storm ends.
    pub async fn live(mut self) -> Self {
        while self.client.goes_on() {
            self.client.rest(20_000).await;
            match &self.session {
                None => self.sign_in().await,
                Some(_) => self.act().await,
            }
        }
        self
    }

    /// After healing: signs in, and reads the account.
    pub async fn end(mut self) {
        let Self { client, wallet, totp, recovery, .. } = &mut self;
        let mut signed = 0;
        let session = client
            .must_succeed(async |client: &mut Client| {
                // A code may have been used, and five wrong codes lock the second factor.
                let code = totp.as_ref().map(|uri| code_at(uri, Timestamp(client.now() + signed)));
                signed += 30_000;
                let code = code.or_else(|| recovery.pop());
                let Some(call) = sign_in(client, wallet, code.as_deref()).await else {
                    return Answer::NONE;
                };
                let answer = client.send(&call).await;
                if answer.body["code"] == "3002" || answer.status == 401 {
                    // The codes are unknown: the answer that showed them was lost.
                    return Answer { status: 204, body: Value::Null };
                }
                answer
            })
            .await;
        if let Some(session) = session.and_then(|answer| Session::of(&answer)) {
            let call = Call::get("/api/account/me").bearer(&session.access);
            client.must_succeed(async |client: &mut Client| client.send(&call).await).await;
        }
    }

    fn opened(&mut self, what: &str, answer: &Answer) {
        if let Some(session) = Session::of(answer) {
            let pk = format!("account#{}", session.account);
            self.client.expect_row(what, &pk, "account", |_| true);
            self.session = Some(session);
        }
    }

    async fn sign_in(&mut self) {
        let dated = self.wallet.kind() == Kind::P2wpkh && self.client.below(2) == 0;
        let mut call = if dated {
            // Each message is accepted once, so each has its own time.
            self.signed = self.client.now().max(self.signed + 1);
            let message = format!("Sign in to Runeport: {}", self.signed);
            Call::post("/auth/authenticate", self.wallet.signed(&message))
                .once(format!("message:{}:{message}", self.wallet.address()))
        } else {
            let call = sign_in(&mut self.client, &self.wallet, None).await;
            let Some(call) = call else { return };
            call
        };
        let answer = self.client.send(&call).await;
        self.opened("a sign-in", &answer);
        if answer.status == 401 && self.totp.is_some() {
            // The proof is used up, so the next one carries a code.
            let code = self.code();
            let next = sign_in(&mut self.client, &self.wallet, Some(&code)).await;
            let Some(next) = next else { return };
            call = next;
            let answer = self.client.send(&call).await;
            self.opened("a sign-in with a code", &answer);
        }
        self.proofs.push(call);
    }

    fn code(&mut self) -> String {
        if let Some(code) = self.recovery.pop() {
            return code;
        }
        let now = Timestamp(self.client.now());
        match &self.totp {
            Some(uri) if self.client.below(6) == 0 => wrong_code_at(uri, now),
            Some(uri) => code_at(uri, now),
            None => "000000".to_owned(),
        }
    }

    /// Another tab presents the old token and gets the same successor, until the successor has been used.
    /// After that, a thief who presents the old token ends the session for both.
    async fn repeat_refresh(&mut self, old: &str, mut session: Session) {
        let current = session.refresh.clone();
        if self.client.below(2) == 0 && self.client.refresh(&mut session).await {
            self.session = Some(session.clone());
        }
        let is_used = session.refresh != current;
        let call = Call::post("/auth/refresh-token", json!({ "refreshToken": old }));
        let answer = self.client.send(&call.once(format!("refresh:{old}"))).await;
        let repeated = answer.body["data"]["refreshToken"].as_str();
        if answer.status == 200 && (is_used || repeated != Some(current.as_str())) {
            self.client
                .alarm("S13: a spent refresh token was exchanged for another one".to_owned());
        }
    }

    async fn act(&mut self) {
        let Some(mut session) = self.session.clone() else { return };
        match self.client.below(16) {
            0..=3 => {
                let old = session.refresh.clone();
                if !self.client.refresh(&mut session).await {
                    self.session = None;
                    return;
                }
                self.session = Some(session.clone());
                // Without an answer, the old token is still the active one as far as the client knows.
                if session.refresh != old && self.client.below(8) == 0 {
                    self.repeat_refresh(&old, session).await;
                }
            }
            4 => {
                // Repeats a proof.
                if let Some(call) = self.proofs.pop() {
                    self.client.send(&call).await;
                }
            }
            5 => {
                let call = Call::post("/auth/logout", json!({})).bearer(&session.access);
                let answer = self.client.send(&call).await;
                if answer.status == 200 {
                    self.session = None;
                }
            }
            6 | 7 => self.link(&session).await,
            8 => self.set_up(&session).await,
            9 => {
                let call = Call::get("/auth/sessions").bearer(&session.access);
                let answer = self.client.insist(&call).await;
                let all = answer.body["data"].as_array().cloned().unwrap_or_default();
                if let Some(other) = all.iter().find(|session| session["current"] == false) {
                    let id = other["id"].as_str().unwrap_or_default().to_owned();
                    let path = format!("/auth/sessions/{id}");
                    let call = Call::new(Method::DELETE, path, None).bearer(&session.access);
                    let answer = self.client.send(&call).await;
                    let pk = format!("account#{}", session.account);
                    if answer.status == 200
                        && self.client.row(&pk, &format!("session#{id}")).is_some()
                    {
                        self.client.alarm(format!("S13: session {id} was revoked, and is there"));
                    }
                }
            }
            10 => self.trespass(&session).await,
            11 => {
                let call = Call::get("/api/account/activity").bearer(&session.access);
                self.client.send(&call).await;
            }
            12 => {
                let name = self.client.fresh();
                let body = json!({ "avatar": format!("https://example.com/{name}.png") });
                let call = Call::new(Method::PATCH, "/api/account/avatar", Some(body));
                self.client.send(&call.bearer(&session.access)).await;
            }
            _ => super::exporter::export(&mut self.client, &session).await,
        }
    }

    /// Links an address, or unlinks it.
    async fn link(&mut self, session: &Session) {
        let wallet = Wallet::evm(50_000 + self.number * 10 + self.client.below(3));
        if self.client.below(3) == 0 {
            let path = format!("/api/account/addresses/{}", wallet.address());
            let call = Call::new(Method::DELETE, path, None).bearer(&session.access);
            self.client.send(&call).await;
            return;
        }
        let token = Some(session.access.as_str());
        let body = challenged(&mut self.client, &wallet, "link", token).await;
        let Some(body) = body else { return };
        let once = format!("challenge:{}", body["challengeId"]);
        let call = Call::post("/api/account/addresses", body).bearer(&session.access).once(once);
        let answer = self.client.send(&call).await;
        if (200..300).contains(&answer.status) {
            let owned = |row: &Row| text(row, "accountId") == Some(session.account.as_str());
            let pk = format!("wallet#evm#{}", wallet.address().to_lowercase());
            self.client.expect_row("a link", &pk, "wallet", owned);
        }
        self.proofs.push(call);
    }

    /// Sets up a second factor, or removes it.
    async fn set_up(&mut self, session: &Session) {
        let toggle = "/api/account/2fa/toggle";
        if let Some(uri) = self.totp.clone() {
            let code = code_at(&uri, Timestamp(self.client.now()));
            let once = format!("code:{}:{code}", session.account);
            let call = Call::post(toggle, json!({ "otpCode": code })).bearer(&session.access);
            let answer = self.client.send(&call.once(once)).await;
            if answer.status == 200 && answer.body["data"]["enabled"] == false {
                (self.totp, self.recovery) = (None, Vec::new());
            }
            return;
        }
        let call = Call::post("/api/account/2fa/setup", json!({})).bearer(&session.access);
        let answer = self.client.send(&call).await;
        let Some(uri) = answer.body["data"]["otpauthUri"].as_str().map(str::to_owned) else {
            return;
        };
        let code = code_at(&uri, Timestamp(self.client.now()));
        let call = Call::post(toggle, json!({ "otpCode": code })).bearer(&session.access);
        let answer = self.client.send(&call).await;
        if answer.status == 200 && answer.body["data"]["enabled"] == true {
            let codes = answer.body["data"]["recoveryCodes"].as_array().cloned();
            let codes = codes.unwrap_or_default();
            self.recovery =
                codes.iter().filter_map(|code| code.as_str()).map(str::to_owned).collect();
            self.totp = Some(uri);
            let pk = format!("account#{}", session.account);
            let enabled = |row: &Row| row["totpEnabled"]["BOOL"] == true;
            self.client.expect_row("a second factor", &pk, "account", enabled);
        } else if answer.status == 0 || answer.status >= 500 {
            // The second factor may be enabled: its owner knows the secret, but no recovery codes.
            self.totp = Some(uri);
        }
    }

    /// Tries ids of other users: sessions, exports, swaps.
    async fn trespass(&mut self, session: &Session) {
        if self.strangers.is_empty() {
            let mut world = self.client.lambda().net().world();
            let own = format!("account#{}", session.account);
            let database = world.host::<crate::aws::dynamodb::DynamoDb>("dynamodb");
            let ids = database.rows().filter(|(_, key, _)| {
                key.0 != own && key.0.starts_with("account#") && key.1.starts_with("session#")
            });
            self.strangers = ids.map(|(_, key, _)| key.1.replace("session#", "")).take(5).collect();
        }
        if let Some(id) = self.strangers.pop() {
            let path = format!("/auth/sessions/{id}");
            let call = Call::new(Method::DELETE, path, None).bearer(&session.access);
            let answer = self.client.send(&call).await;
            if answer.status == 200 {
                self.client
                    .alarm(format!("S14: {} ended session {id} of another", self.client.name));
            }
        }
    }
}

/// A sign-in with a fresh challenge and, if there is a second factor, a code.
pub async fn sign_in(client: &mut Client, wallet: &Wallet, code: Option<&str>) -> Option<Call> {
    let mut body = challenged(client, wallet, "signIn", None).await?;
    let once = format!("challenge:{}", body["challengeId"]);
    if let Some(code) = code {
        body["otpCode"] = code.into();
    }
    Some(Call::post("/auth/authenticate", body).once(once))
}

/// A signed challenge, as the body that uses it.
async fn challenged(
    client: &mut Client,
    wallet: &Wallet,
    purpose: &str,
    token: Option<&str>,
) -> Option<Value> {
    let (address, chain) = (wallet.address(), wallet.chain());
    let path = format!("/auth/wallet/challenge?address={address}&chain={chain}&purpose={purpose}");
    let call = Call::get(path);
    let call = match token {
        Some(token) => call.bearer(token),
        None => call,
    };
    let answer = client.insist(&call).await;
    let data = &answer.body["data"];
    let message = data["message"].as_str()?;
    Some(json!({
        "challengeId": data["challengeId"],
        "signature": wallet.sign(message),
        "address": wallet.address(),
        "publicKey": wallet.public_key(),
        "chain": wallet.chain(),
        "provider": wallet.provider(),
    }))
}
