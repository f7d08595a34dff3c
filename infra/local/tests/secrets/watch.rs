//! A world that records all requests, answers, rows and log lines, and the secrets among them.

use std::{
    collections::BTreeSet,
    fmt, io, mem,
    net::Ipv4Addr,
    sync::{Arc, Mutex, Once},
};

use axum::{
    Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::Response,
};
use base::{
    log,
    random::{Random, SystemSource},
};
use base64::{
    Engine,
    prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD},
};
use http::Method;
use http_body_util::BodyExt;
use local::app::{App, Served as _};
use local::{Client, LocalStack, server::Server};
use serde_json::Value;
use shared::http::routes::Route;
use totp_rs::Secret as Base32;
use tracing_subscriber::{layer::SubscriberExt, util::SubscriberInitExt};

/// Our own crates at the most verbose level, others at the most verbose level that the template permits.
const LOGGED: &str = "debug,account=trace,auth=trace,event_worker=trace,local=trace,mail_worker=trace,shared=trace,socket=trace,\
    socket_worker=trace,webhook_worker=trace";

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Captures the log of this process in Lambda's format.
fn keep_log() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(|| Log);
        tracing_subscriber::registry().with(lines).with(log::filter(LOGGED).unwrap()).init();
    });
}

/// Kinds of secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    AccessToken,
    Blob,
    ClientProof,
    Email,
    /// The service's half of a password proof, `b`.
    Ephemeral,
    MailedToken,
    PasswordHint,
    RecoveryCode,
    RefreshToken,
    Salt,
    TotpSecret,
    Verifier,
    WebhookSecret,
}

impl Kind {
    pub(crate) const ALL: [Self; 13] = [
        Self::AccessToken,
        Self::Blob,
        Self::ClientProof,
        Self::Email,
        Self::Ephemeral,
        Self::MailedToken,
        Self::PasswordHint,
        Self::RecoveryCode,
        Self::RefreshToken,
        Self::Salt,
        Self::TotpSecret,
        Self::Verifier,
        Self::WebhookSecret,
    ];

    /// The kind of secret in a field of a request or an answer.
    fn kind_of_field(name: &str) -> Option<Self> {
        Some(match name {
            "accessToken" => Self::AccessToken,
            "encryptedBlob" | "newEncryptedBlob" => Self::Blob,
            "clientProof" => Self::ClientProof,
            "email" | "newEmail" => Self::Email,
            "token" => Self::MailedToken,
            "passwordHint" | "newPasswordHint" => Self::PasswordHint,
            "recoveryCodes" => Self::RecoveryCode,
            "refreshToken" => Self::RefreshToken,
            "salt" | "srpSalt" | "newSrpSalt" => Self::Salt,
            "secret" | "qrCode" => Self::TotpSecret,
            "srpVerifier" | "newSrpVerifier" => Self::Verifier,
            _ => return None,
        })
    }

    /// The routes that return it to its owner; `None`: any route.
    pub(crate) fn returned_by(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Email | Self::PasswordHint => None,
            Self::ClientProof | Self::Ephemeral | Self::MailedToken | Self::Verifier => Some(&[]),
            Self::AccessToken | Self::RefreshToken => Some(&[
                "/auth/authenticate",
                "/auth/register/srp",
                "/auth/register/wallet",
                "/auth/register/passkey/verify",
                "/auth/reauthenticate",
                "/auth/refresh-token",
            ]),
            Self::Blob => Some(&["/auth/authenticate", "/api/account/keystore"]),
            Self::RecoveryCode => Some(&["/api/account/2fa/toggle"]),
            Self::Salt => Some(&[
                "/auth/srp/init",
                "/api/account/srp/change-password/init",
                "/api/account/change-email/init",
            ]),
            Self::TotpSecret => Some(&["/api/account/2fa/setup"]),
            Self::WebhookSecret => Some(&["/api/webhooks", "/api/webhooks/{id}/rotate-secret"]),
        }
    }

    /// Whether rows contain it neither encrypted nor hashed.
    pub(crate) fn is_stored_in_plain_text(self) -> bool {
        matches!(self, Self::Email | Self::PasswordHint | Self::Salt)
    }
}

/// An observed secret, and its encodings.
pub(crate) struct Secret {
    pub(crate) kind: Kind,
    /// The party in whose exchange it first appeared.
    pub(crate) of: &'static str,
    text: String,
    forms: Vec<String>,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of {}, {}", self.kind, self.of, self.text)
    }
}

impl Secret {
    fn new(kind: Kind, of: &'static str, text: &str) -> Self {
        let meanings = [
            Some(text.as_bytes().to_vec()),
            BASE64_STANDARD.decode(text).ok(),
            BASE64_URL_SAFE_NO_PAD.decode(text).ok(),
            Base32::try_from_base32(text).ok().map(|secret| secret.to_vec()),
        ];
        let mut forms = BTreeSet::from([text.to_owned(), text.replace('-', "")]);
        for bytes in meanings.into_iter().flatten() {
            forms.extend([
                hex::encode(&bytes),
                hex::encode_upper(&bytes),
                BASE64_STANDARD_NO_PAD.encode(&bytes),
                BASE64_URL_SAFE_NO_PAD.encode(&bytes),
                format!("{bytes:?}").trim_matches(['[', ']']).to_owned(),
                Base32::from(bytes).to_base32(),
            ]);
        }
        Self { kind, of, text: text.to_owned(), forms: forms.into_iter().collect() }
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.forms.iter().any(|form| text.contains(form))
    }
}

/// A request and its answer.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The party that sent it.
    pub(crate) to: &'static str,
    pub(crate) method: Method,
    pub(crate) route: String,
    /// Path with query.
    pub(crate) path: String,
    pub(crate) request: String,
    pub(crate) status: u16,
    /// Headers and body.
    pub(crate) answer: String,
}

impl Exchange {
    /// Whether the answer only repeats a secret that its caller has sent.
    pub(crate) fn repeats(&self, secret: &Secret) -> bool {
        secret.is_in(&self.request)
    }
}

/// Everything that was observed.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) secrets: Vec<Secret>,
    /// Every row after each exchange, in DynamoDB's JSON.
    pub(crate) rows: BTreeSet<String>,
    pub(crate) log: String,
}

impl Seen {
    /// The secrets that a text contains.
    pub(crate) fn secrets_in(&self, text: &str) -> impl Iterator<Item = &Secret> {
        self.secrets.iter().filter(move |secret| secret.is_in(text))
    }

    fn add(&mut self, kind: Kind, of: &'static str, text: &str) {
        if !text.is_empty() && !self.secrets.iter().any(|secret| secret.text == text) {
            self.secrets.push(Secret::new(kind, of, text));
        }
    }

    /// Adds the secrets in the fields of a request or an answer.
    fn add_all(&mut self, of: &'static str, name: &str, value: &Value) {
        match value {
            Value::String(text) => {
                if let Some(secret) = text.strip_prefix("whsec_") {
                    self.add(Kind::WebhookSecret, of, secret);
                } else if let Some(kind) = Kind::kind_of_field(name) {
                    self.add(kind, of, text);
                }
            }
            Value::Array(values) => {
                values.iter().for_each(|value| self.add_all(of, name, value));
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| self.add_all(of, name, value));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// The system's randomness, with a record of all 32-byte draws.
#[derive(Default)]
struct Draws(Mutex<Vec<[u8; 32]>>);

impl Random for Draws {
    fn fill(&self, bytes: &mut [u8]) {
        SystemSource.fill(bytes);
        self.0.lock().unwrap().extend(<[u8; 32]>::try_from(&*bytes));
    }
}

/// A watched world.
pub(crate) struct Watch {
    pub(crate) stack: Arc<LocalStack>,
    draws: Arc<Draws>,
    seen: Arc<Mutex<Seen>>,
    servers: Vec<Server>,
}

/// Records the exchanges of one party.
#[derive(Clone)]
struct Notes {
    party: &'static str,
    stack: Arc<LocalStack>,
    draws: Arc<Draws>,
    seen: Arc<Mutex<Seen>>,
    routes: Arc<[Route]>,
}

impl Watch {
    /// A fresh watched world.
    pub(crate) async fn start() -> Self {
        keep_log();
        let (stack, draws) = (Arc::new(LocalStack::start().await), Arc::default());
        Self { stack, draws, seen: Arc::default(), servers: Vec::new() }
    }

    /// A client with its own address, whose exchanges are recorded.
    pub(crate) async fn party(&mut self, party: &'static str) -> Client {
        let Self { stack, draws, seen, .. } = self;
        let app = App::with(stack.settings(), stack.app().clock.clone(), draws.clone()).unwrap();
        let routes = (auth::routes(), account::routes());
        let notes = Notes {
            party,
            stack: stack.clone(),
            draws: draws.clone(),
            seen: seen.clone(),
            routes: routes.list().into(),
        };
        let service: Router = app.service(routes);
        let router = service.layer(middleware::from_fn_with_state(notes, note));
        let server = Server::start(router).await.unwrap();
        let client = stack.client(server.url());
        self.servers.push(server);
        let number = u8::try_from(self.servers.len()).unwrap();
        client.calling_from(Ipv4Addr::new(127, 0, 1, number))
    }

    /// The token in the newest mail to an address, after all mails are delivered.
    pub(crate) async fn mailed_token(&self, to: &str) -> String {
        self.stack.deliver_mail().await;
        self.stack.mailbox(to).await.last().unwrap().token()
    }

    /// All requests so far, of every party: method, path, and body.
    pub(crate) fn requests(&self) -> Vec<(Method, String, String)> {
        let seen = self.seen.lock().unwrap();
        let request = |exchange: &Exchange| {
            (exchange.method.clone(), exchange.path.clone(), exchange.request.clone())
        };
        seen.exchanges.iter().map(request).collect()
    }

    /// Ends the watch and returns the observations.
    pub(crate) fn end(self) -> Seen {
        let log = String::from_utf8(LOG.lock().unwrap().clone()).unwrap();
        Seen { log, ..mem::take(&mut *self.seen.lock().unwrap()) }
    }
}

/// The route of a request, with variable segments in braces.
fn route(routes: &[Route], method: &Method, path: &str) -> String {
    let takes = |route: &&Route| {
        let (known, asked) = (route.path.split('/'), path.split('/'));
        route.method == *method
            && known.clone().count() == asked.clone().count()
            && known.zip(asked).all(|(known, asked)| known.starts_with('{') || known == asked)
    };
    // A fixed segment goes before a variable one.
    let taken = routes.iter().filter(takes).min_by_key(|route| route.path.matches('{').count());
    taken.map_or_else(String::new, |route| route.path.to_string())
}

async fn note(State(notes): State<Notes>, request: Request, next: Next) -> Response {
    let Notes { party, stack, draws, seen, routes } = notes;
    let (parts, body) = request.into_parts();
    let told = body.collect().await.unwrap().to_bytes();
    let route = route(&routes, &parts.method, parts.uri.path());
    let (method, path) = (parts.method.clone(), parts.uri.to_string());
    draws.0.lock().unwrap().clear();
    let response = next.run(Request::from_parts(parts, told.clone().into())).await;
    let (parts, body) = response.into_parts();
    let answer = body.collect().await.unwrap().to_bytes();
    let contents = stack.contents();

    let mut seen = seen.lock().unwrap();
    for text in [&told, &answer] {
        let fields = serde_json::from_slice(text).unwrap_or_default();
        seen.add_all(party, "", &fields);
    }
    if String::from_utf8_lossy(&answer).contains("serverPublic") {
        // It is the last draw of this length.
        let ephemeral = draws.0.lock().unwrap().last().map(|bytes| BASE64_STANDARD.encode(bytes));
        seen.add(Kind::Ephemeral, party, &ephemeral.unwrap());
    }
    seen.exchanges.push(Exchange {
        to: party,
        method,
        route,
        path,
        request: String::from_utf8_lossy(&told).into_owned(),
        status: parts.status.as_u16(),
        answer: format!("{:?}\n{}", parts.headers, String::from_utf8_lossy(&answer)),
    });
    let rows = contents.iter().filter_map(|table| table["Items"].as_array()).flatten();
    seen.rows.extend(rows.map(Value::to_string));
    drop(seen);
    Response::from_parts(parts, answer.into())
}
