//! The endpoints of `medias`, through HTTP, and how S3 treats its forms.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod delete;
mod presigned_url;
mod reference;
mod refusals;
mod uploads;

use local::{
    LocalStack,
    client::{Answer, Client},
    wallets::{SignedIn, Wallet, sign_in},
};
use serde_json::{Value, json};

/// A fresh world with sign-in and media, and an account with a wallet.
async fn world() -> (LocalStack, Client, SignedIn) {
    world_of(LocalStack::start().await).await
}

async fn world_of(stack: LocalStack) -> (LocalStack, Client, SignedIn) {
    let client = stack.serve((auth::routes(), medias::routes())).await;
    let user = sign_in(&client, &Wallet::p2wpkh(1)).await;
    (stack, client, user)
}

async fn ask(client: &Client, user: &SignedIn, body: &Value) -> Answer {
    let call = client.post("/api/medias/presigned-url").bearer(&user.access_token);
    call.json(body).send().await
}

/// The descriptor of a file with that name.
async fn descriptor(client: &Client, user: &SignedIn, name: &str) -> Value {
    let answer = ask(client, user, &json!({ "files": [{ "filename": name }] })).await.expect(200);
    answer.data()[0].clone()
}

/// A form as a browser fills it in: the fields, then the file.
#[derive(Clone)]
struct Form {
    url: String,
    fields: Vec<(String, String)>,
    origin: Option<&'static str>,
}

impl Form {
    fn of(descriptor: &Value) -> Self {
        let signed = &descriptor["signedUrl"];
        let fields = signed["fields"].as_object().unwrap().iter();
        let fields = fields.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
        Self {
            url: signed["url"].as_str().unwrap().to_owned(),
            fields: fields.collect(),
            origin: None,
        }
    }

    fn get(&self, name: &str) -> &str {
        &self.fields.iter().find(|(field, _)| field == name).unwrap().1
    }

    /// The same form with another value in a field.
    fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        let field = self.fields.iter_mut().find(|(field, _)| field == name).unwrap();
        let value = value.into();
        assert_ne!(field.1, value, "{name} must differ from the signed value");
        field.1 = value;
        self
    }

    /// The same form without a field.
    fn without(mut self, name: &str) -> Self {
        let before = self.fields.len();
        self.fields.retain(|(field, _)| field != name);
        assert_eq!(self.fields.len() + 1, before, "{name}");
        self
    }

    /// The same form with an additional field.
    fn and(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    async fn send(&self, file: &[u8]) -> Answer {
        const BOUNDARY: &str = "----WebKitFormBoundary7MA4YWxkTrZu0gW";
        let mut body = Vec::with_capacity(file.len() + 8_192);
        for (name, value) in &self.fields {
            let disposition = format!("Content-Disposition: form-data; name=\"{name}\"");
            let part = format!("--{BOUNDARY}\r\n{disposition}\r\n\r\n{value}\r\n");
            body.extend_from_slice(part.as_bytes());
        }
        // A browser sends its own guess of the file's type; the form field decides.
        let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"x.bin\"";
        let part = format!(
            "--{BOUNDARY}\r\n{disposition}\r\nContent-Type: application/octet-stream\r\n\r\n"
        );
        body.extend_from_slice(part.as_bytes());
        body.extend_from_slice(file);
        body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let client = Client::new(&self.url);
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let mut call = client.post("").header("content-type", kind);
        if let Some(origin) = self.origin {
            call = call.header("origin", origin);
        }
        call.body(body).send().await
    }
}
