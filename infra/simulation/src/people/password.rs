//! A user with a password: registers, verifies the address by mail, signs in, changes password and address.

use base64::{Engine, prelude::BASE64_STANDARD};
use local::srp_accounts::SrpAccount;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Answer, Call, Client, Session};
use crate::aws::{dynamodb::text, expression::Row, mail::Mails};

/// A user with a password.
pub struct PasswordUser {
    client: Client,
    account: SrpAccount,
    /// Other credentials that may be the current ones: after a change without an answer, there are two
    /// candidates.
    others: Vec<SrpAccount>,
    id: Option<String>,
    session: Option<Session>,
    tokens: Vec<String>,
    n: u64,
}

fn srp_account(email: &str, password: &str) -> SrpAccount {
    let salt = Sha256::digest(format!("{email} {password}")).into();
    SrpAccount { salt, ..SrpAccount::new(email, password) }
}

/// A keystore. Its content matters only to the client.
fn blob(name: &str, n: u64) -> String {
    BASE64_STANDARD.encode(format!("keystore {n} of {name}, encrypted"))
}

impl PasswordUser {
    /// A new user.
    pub fn new(client: Client) -> Self {
        let account = srp_account(&format!("{}@example.com", client.name), "password 0");
        let (others, tokens) = (Vec::new(), Vec::new());
        Self { client, account, others, id: None, session: None, tokens, n: 0 }
    }

    /// Lives until the storm ends.
    pub async fn live(mut self) -> Self {
        while self.client.goes_on() {
            self.client.rest(25_000).await;
            match (&self.id, &self.session) {
                (None, _) => self.register().await,
                (Some(_), None) => self.sign_in().await,
                (Some(_), Some(_)) => self.act().await,
            }
        }
        self
    }

    /// After healing: signs in by the account's id with one of the passwords that may be right.
    pub async fn end(mut self) {
        let Some(id) = self.id.clone() else { return };
        // After guesses during the storm, unknown devices wait at most a quarter of an hour.
        tokio::time::sleep(std::time::Duration::from_secs(1_000)).await;
        let candidates: Vec<_> = [vec![self.account.clone()], self.others.clone()].concat();
        let mut next = candidates.iter().cycle();
        for _ in 0..candidates.len() {
            let account = next.next().expect("there is one").clone();
            let opened = self
                .client
                .must_succeed(async |client: &mut Client| {
                    match prove(client, &account, &id).await {
                        // Another candidate is right.
                        Some(answer) if answer.status == 401 && candidates.len() > 1 => {
                            Answer { status: 204, body: Value::Null }
                        }
                        Some(answer) => answer,
                        None => Answer::NONE,
                    }
                })
                .await;
            match opened {
                Some(answer) if answer.status == 200 => return,
                Some(_) => tokio::time::sleep(std::time::Duration::from_secs(1_000)).await,
                None => return,
            }
        }
        self.client.alarm(format!("S13: no password of {} is right", self.client.name));
    }

    async fn register(&mut self) {
        let body = self.account.registration(&blob(&self.client.name, self.n));
        let answer = self.client.send(&Call::post("/auth/register/srp", body)).await;
        if let Some(session) = Session::of(&answer) {
            let pk = format!("account#{}", session.account);
            let email = self.account.email.clone();
            let named = |row: &Row| text(row, "email") == Some(email.as_str());
            self.client.expect_row("a registration", &pk, "account", named);
            self.client.expect_row(
                "a registration",
                &format!("credential#{}", session.account),
                "srp",
                |_| true,
            );
            self.id = Some(session.account.clone());
            self.session = Some(session);
        }
    }

    async fn sign_in(&mut self) {
        let Some(id) = self.id.clone() else { return };
        let name = if self.client.below(2) == 0 { self.account.email.clone() } else { id };
        let account = self.account.clone();
        if let Some(answer) = prove(&mut self.client, &account, &name).await
            && let Some(session) = Session::of(&answer)
            && self.id.as_ref() == Some(&session.account)
        {
            self.session = Some(session);
        } else if let Some(other) = self.others.pop() {
            self.others.insert(0, std::mem::replace(&mut self.account, other));
        }
    }

    fn mailed(&mut self) -> Option<(String, String)> {
        let mut world = self.client.lambda().net().world();
        let mails = &world.host::<Mails>("ses").sent;
        let own = mails.iter().rev().filter(|mail| mail.to.starts_with(&self.client.name));
        let found = own.filter_map(|mail| Some((mail.to.clone(), mail.token()?)));
        let mut fresh = found.filter(|(_, token)| !self.tokens.contains(token));
        fresh.next()
    }

    async fn act(&mut self) {
        let Some(mut session) = self.session.clone() else { return };
        match self.client.below(12) {
            0..=2 => {
                if self.client.refresh(&mut session).await {
                    self.session = Some(session);
                } else {
                    self.session = None;
                }
            }
            3 | 4 => self.verify(&session).await,
            5 => {
                let call = Call::post("/api/account/verify-email/resend", json!({}));
                self.client.send(&call.bearer(&session.access)).await;
            }
            6 | 7 => self.change_password(&session).await,
            8 | 9 => self.change_email(&session).await,
            10 => self.session = None,
            _ => super::exporter::export(&mut self.client, &session).await,
        }
    }

    async fn verify(&mut self, session: &Session) {
        let Some((_, token)) = self.mailed() else { return };
        let call = Call::post("/api/account/verify-email", json!({ "token": token }));
        let call = call.bearer(&session.access).once(format!("emailToken:{token}"));
        let answer = self.client.send(&call).await;
        if answer.status == 200 {
            let pk = format!("account#{}", session.account);
            let verified = |row: &Row| row["emailVerified"]["BOOL"] == true;
            self.client.expect_row("a verification", &pk, "account", verified);
        }
        if answer.status != 0 && answer.status < 500 {
            self.tokens.push(token);
        }
    }

    async fn change_password(&mut self, session: &Session) {
        let begin = Call::post("/api/account/srp/change-password/init", json!({}));
        let begun = self.client.send(&begin.bearer(&session.access)).await;
        if begun.status != 200 {
            return self.note_refusal(&begun);
        }
        self.n += 1;
        let new = srp_account(&self.account.email, &format!("password {}", self.n));
        let body = self
            .account
            .password_change(&begun.body["data"], &new, &blob(&self.client.name, self.n))
            .fields;
        let once = format!("handshake:{}", body["sessionId"]);
        let call = Call::post("/api/account/srp/change-password/verify", body);
        let answer = self.client.send(&call.bearer(&session.access).once(once)).await;
        match answer.status {
            200 => {
                let salt = new.salt();
                let pk = format!("credential#{}", session.account);
                let stored = |row: &Row| text(row, "salt") == Some(salt.as_str());
                self.client.expect_row("a change of password", &pk, "srp", stored);
                self.account = new;
                self.others.clear();
            }
            0 | 500.. => self.others.push(new),
            _ => self.note_refusal(&answer),
        }
    }

    fn note_refusal(&mut self, answer: &Answer) {
        // The sign-in is too long ago, or the session has ended.
        if answer.status == 401 || answer.status == 403 {
            self.session = None;
        }
    }

    async fn change_email(&mut self, session: &Session) {
        let to = format!("{}-{}@example.com", self.client.name, self.client.below(3));
        let begin = Call::post("/api/account/change-email/init", json!({ "newEmail": to }));
        let begun = self.client.send(&begin.bearer(&session.access)).await;
        if begun.status != 200 {
            return self.note_refusal(&begun);
        }
        let handshake = begun.body["data"]["srpSession"].clone();
        // The mail takes a while.
        self.client.rest(60_000).await;
        let Some((_, token)) = self.mailed().filter(|(address, _)| *address == to) else { return };
        let new = self.account.with_email(&to);
        let body = json!({
            "token": token,
            "email": to,
            "srpData": self.account.email_change(&handshake, &new),
        });
        let call = Call::post("/api/account/change-email/verify", body);
        let call = call.bearer(&session.access).once(format!("emailToken:{token}"));
        let answer = self.client.send(&call).await;
        match answer.status {
            200 => {
                let pk = format!("account#{}", session.account);
                let named = |row: &Row| text(row, "email") == Some(to.as_str());
                self.client.expect_row("a change of address", &pk, "account", named);
                let owned = |row: &Row| text(row, "accountId") == Some(session.account.as_str());
                self.client.expect_row(
                    "a change of address",
                    &format!("email#{to}"),
                    "email",
                    owned,
                );
                self.account = new;
                self.others.clear();
                self.tokens.push(token);
            }
            0 | 500.. => self.others.push(new),
            _ => {
                self.tokens.push(token);
                self.note_refusal(&answer);
            }
        }
    }
}

/// Signs in by password; `None`: the first step did not succeed.
async fn prove(client: &mut Client, account: &SrpAccount, name: &str) -> Option<Answer> {
    let begin = Call::post("/auth/srp/init", json!({ "email": name }));
    let begun = client.send(&begin).await;
    if begun.status != 200 {
        return (begun.status == 429).then_some(begun);
    }
    let body = account.answer(&begun.body["data"]).fields;
    let once = format!("handshake:{}", body["sessionId"]);
    Some(client.send(&Call::post("/auth/authenticate", body).once(once)).await)
}
