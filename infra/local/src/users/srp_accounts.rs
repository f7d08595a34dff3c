//! Accounts with a password from their clients' point of view: registered, signed in and changed through the
//! service.

use base::random::{Random, SystemSource};
use identity::srp::Group;
use serde_json::{Value, json};

use crate::{
    base::{
        client::{Answer, Client},
        failure::{Context, Result},
    },
    users::{
        srp_client::{SrpClient, from_base64, known_server_public, to_base64, verifier},
        wallets::{SignedIn, with},
    },
};

/// A client's knowledge of an account with a password.
#[derive(Clone, Debug)]
pub struct SrpAccount {
    /// The canonical e-mail address, which is the SRP identity `I`.
    pub email: String,
    /// The password.
    pub password: String,
    /// Group of the verifier.
    pub group: Group,
    /// Salt of the verifier.
    pub salt: [u8; 32],
}

/// The second half of a handshake.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The request's fields: `clientPublic`, `clientProof` and what belongs to them.
    pub fields: Value,
    /// `M2` in base64: the proof of a service that knows the verifier.
    pub server_proof: String,
}

impl SrpAccount {
    /// An account to be registered, with a fresh salt, in the group of new accounts.
    pub fn new(email: &str, password: &str) -> Self {
        let random: &dyn Random = &SystemSource;
        let (email, password) = (email.to_owned(), password.to_owned());
        Self { email, password, group: Group::default(), salt: random.bytes() }
    }

    /// The same account with another password, and a fresh salt.
    #[must_use]
    pub fn with_password(&self, password: &str) -> Self {
        Self { group: self.group, ..Self::new(&self.email, password) }
    }

    /// The same account with another e-mail address and the same salt.
    #[must_use]
    pub fn with_email(&self, email: &str) -> Self {
        Self { email: email.to_owned(), ..self.clone() }
    }

    /// The salt, base64.
    pub fn salt(&self) -> String {
        to_base64(&self.salt)
    }

    /// The verifier, base64.
    pub fn verifier(&self) -> String {
        to_base64(&verifier(self.group, &self.salt, &self.email, &self.password))
    }

    /// The registration's body; `blob` is base64.
    pub fn registration(&self, blob: &str) -> Value {
        json!({
            "email": self.email,
            "srpSalt": self.salt(),
            "srpVerifier": self.verifier(),
            "srpGroup": self.group,
            "encryptedBlob": blob,
        })
    }

    /// The registration's body, with the proof that client and service compute the same values.
    pub fn proved_registration(&self, blob: &str) -> Answered {
        let Answered { fields, server_proof } =
            self.verifier_proof(["clientPublic", "clientProof"]);
        Answered { fields: with(self.registration(blob), &fields), server_proof }
    }

    /// The proof of the verifier, in fields of these names.
    pub fn verifier_proof(&self, [public, proof]: [&str; 2]) -> Answered {
        let random: &dyn Random = &SystemSource;
        let client = SrpClient::start(self.group, random.bytes());
        let verifier = verifier(self.group, &self.salt, &self.email, &self.password);
        let server_public = known_server_public(self.group, &verifier);
        let proofs = client.prove(&server_public, &self.salt, &self.email, &self.password);
        let fields = json!({
            public: to_base64(client.public()), proof: to_base64(&proofs.client),
        });
        Answered { fields, server_proof: to_base64(&proofs.server) }
    }

    /// Registers the account with a keystore.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn register(&self, client: &Client) -> SignedIn {
        let body = self.registration(&random_blob(300));
        let answer = client.post("/auth/register/srp").json(&body).send().await.expect(201);
        SignedIn::of(&answer).unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// The first half of a sign-in.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn begin(&self, client: &Client) -> Value {
        let body = json!({ "email": self.email });
        client.post("/auth/srp/init").json(&body).send().await.expect(200).data().clone()
    }

    /// The first half of a sign-in by account id.
    ///
    /// # Panics
    /// The service refuses.
    pub async fn begin_by_id(&self, client: &Client, account: &str) -> Value {
        let body = json!({ "email": account });
        client.post("/auth/srp/init").json(&body).send().await.expect(200).data().clone()
    }

    /// Tries to sign in by account id, with the e-mail address as the identity.
    ///
    /// # Panics
    /// The first half is refused.
    pub async fn attempt_by_id(&self, client: &Client, account: &str) -> Answer {
        let answered = self.answer(&self.begin_by_id(client, account).await);
        client.post("/auth/authenticate").json(&answered.fields).send().await
    }

    /// Tries to sign in with a second-factor code; returns the first half's answer if that is refused.
    ///
    /// # Panics
    /// The first half succeeds without a handshake.
    pub async fn attempt_with_code(&self, client: &Client, code: &str) -> Answer {
        let body = json!({ "email": self.email });
        let begun = client.post("/auth/srp/init").json(&body).send().await;
        if begun.status != 200 {
            return begun;
        }
        let body = with(self.answer(begun.data()).fields, &json!({ "otpCode": code }));
        client.post("/auth/authenticate").json(&body).send().await
    }

    /// Answers the first half of a handshake.
    ///
    /// # Panics
    /// `session` is not a handshake.
    pub fn answer(&self, session: &Value) -> Answered {
        self.try_answer(session).unwrap_or_else(|failure| panic!("{failure}: {session}"))
    }

    fn try_answer(&self, session: &Value) -> Result<Answered> {
        let text = |name: &str| session.get(name).and_then(Value::as_str).context(name);
        let random: &dyn Random = &SystemSource;
        let client = SrpClient::start(self.group, random.bytes());
        let server_public = from_base64(text("serverPublic")?).context("serverPublic")?;
        let salt = from_base64(text("salt")?).context("salt")?;
        let proofs = client.prove(&server_public, &salt, &self.email, &self.password);
        let fields = json!({
            "sessionId": text("sessionId")?,
            "clientPublic": to_base64(client.public()),
            "clientProof": to_base64(&proofs.client),
        });
        Ok(Answered { fields, server_proof: to_base64(&proofs.server) })
    }

    /// Tries to sign in.
    ///
    /// # Panics
    /// The first half is refused.
    pub async fn attempt(&self, client: &Client) -> Answer {
        let answered = self.answer(&self.begin(client).await);
        client.post("/auth/authenticate").json(&answered.fields).send().await
    }

    /// Signs in, and checks the service's own proof.
    ///
    /// # Panics
    /// The service refuses, or does not know the verifier.
    pub async fn sign_in(&self, client: &Client) -> SignedIn {
        let answered = self.answer(&self.begin(client).await);
        let answer = client.post("/auth/authenticate").json(&answered.fields).send().await;
        let answer = answer.expect(200);
        assert!(
            answer.text_of("serverProof") == answered.server_proof,
            "wrong server proof: {answer}"
        );
        SignedIn::of(&answer).unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// The body that changes the password to that of `new`, with the handshake `session`.
    ///
    /// # Panics
    /// `session` is not a handshake.
    pub fn password_change(&self, session: &Value, new: &Self, blob: &str) -> Answered {
        let Answered { fields, server_proof } = self.answer(session);
        let credential = json!({
            "newSrpSalt": new.salt(), "newSrpVerifier": new.verifier(), "newEncryptedBlob": blob,
        });
        Answered { fields: with(fields, &credential), server_proof }
    }

    /// The field `srpData` of a change of the e-mail address to that of `new`, with the handshake `session`.
    ///
    /// # Panics
    /// `session` is not a handshake.
    pub fn email_change(&self, session: &Value, new: &Self) -> Value {
        with(self.answer(session).fields, &json!({ "newSrpVerifier": new.verifier() }))
    }
}

/// A keystore blob: base64 of `groups` groups of three random bytes, each of which makes four characters.
pub fn random_blob(groups: usize) -> String {
    let random: &dyn Random = &SystemSource;
    let mut bytes = vec![0; groups.saturating_mul(3)];
    random.fill(&mut bytes);
    to_base64(&bytes)
}
