//! `Idempotency-Key`: a repeated request gets the first response again (custody rule 21).

use std::{fmt, future::Future, sync::Arc, time::Duration};

use axum::{
    body::to_bytes,
    extract::{FromRequest, MatchedPath, Request},
    response::{IntoResponse, Response},
};
use base::clock::Timestamp;
use http::{HeaderValue, Method, StatusCode, header};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::{Claimed, CommitError, Entity, Key, Update, Writes, fields};
use utoipa::IntoParams;
use uuid::{Builder, Uuid};

use super::{
    Error, Input, Problem,
    cors::REPLAYED,
    extract::{LONGEST_BODY, body_of, parse},
};
use crate::{
    auth::AuthError,
    core::Core,
    crypto::vault::{SealScope, Sealed, Vault, VaultError},
    input::is_spelling_of,
    keys,
    models::account::AccountId,
    problem::Refusal,
};

const HEADER: &str = "idempotency-key";
/// How long a response is kept under its key. After that, the same key makes a new request.
pub const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a claim lasts without a response. A function that runs longer has been killed.
const LEASE: Duration = Duration::from_secs(30);

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct IdempotencyRow {
    body_hash: String,
    /// The request that holds the row: 16 random bytes in hex. Every later write of the request is
    /// conditioned on still holding the row, so a write that arrives late changes nothing.
    owner: String,
    /// Whether the work is finished and its outcome stored.
    done: bool,
    kept: Option<KeptAnswer>,
    lease_until: Timestamp,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

/// How confidential a kept response is.
#[derive(Clone)]
enum Content {
    /// It contains nothing that other rows do not also store in clear text.
    Public,
    /// It contains an e-mail address or a password hint, so it is stored encrypted.
    Personal(Arc<Vault>),
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Public => "Public",
            Self::Personal(_) => "Personal",
        })
    }
}

/// The outcome of the work.
#[derive(Clone, Debug)]
enum Outcome {
    /// The response as sent.
    Done { status: u16, body: String },
    /// The refusal. Each time it is repeated, it carries the request id of that request.
    Refused(Refusal),
}

/// The outcome as stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum KeptAnswer {
    Done { status: u16, body: String },
    Sealed { status: u16, body: Sealed },
    Refused(Refusal),
}

impl Entity for IdempotencyRow {
    const ENTITY: &'static str = "idempotencyAnswer";
}

fields!(IdempotencyRow {
    BODY_HASH: String = body_hash,
    OWNER: String = owner,
    DONE: bool = done,
    LEASE_UNTIL: Timestamp = lease_until,
});

/// The header as described in the OpenAPI document; [`Idempotent`] reads it.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code)]
pub struct IdempotencyHeader {
    /// Any text chosen by the client. Within 24 hours the same request with the same key gets the first
    /// response again. It gets 409 while the first request is in progress, or if the body differs.
    #[param(
        rename = "Idempotency-Key",
        value_type = String,
        required = false,
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]+$"
    )]
    key: Option<String>,
}

/// A body, with the guarantee that the work is done only once per key, account and route.
#[derive(Debug)]
pub struct Idempotent<T> {
    /// The body of the request.
    pub body: T,
    key: Option<RequestKey>,
    content: Content,
}

#[derive(Debug)]
struct RequestKey {
    scope: String,
    body_hash: String,
}

impl<T: Input, S: Sync> FromRequest<S> for Idempotent<T> {
    type Rejection = Error;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Error> {
        let method = request.method().clone();
        let route = request.extensions().get::<MatchedPath>().cloned();
        let mut headers = request.headers().get_all(HEADER).iter();
        let header = headers.next().cloned();
        if headers.next().is_some() {
            return Err(Error::field("Idempotency-Key", "is given twice"));
        }
        if header.is_none() && request.headers().keys().any(|name| is_meant(name.as_str())) {
            return Err(Error::field("Idempotency-Key", "must be spelled so"));
        }
        let path = request.uri().path().to_owned();
        let bytes = body_of(request).await?;
        let key = header
            .map(|key| {
                RequestKey::new(
                    &method,
                    route.as_ref().map_or("", MatchedPath::as_str),
                    &key,
                    (&path, &bytes),
                )
            })
            .transpose()?;
        Ok(Self { body: parse(&bytes)?, key, content: Content::Public })
    }
}

/// Whether a header is another spelling of this one, such as `X-Idempotency-Key`: without the key, a repeated request
/// would do its work again.
fn is_meant(name: &str) -> bool {
    is_spelling_of(name.strip_prefix("x-").unwrap_or(name), HEADER)
}

impl RequestKey {
    /// Hashes what identifies a request: the body, and the variable segments of its path.
    fn new(
        method: &Method,
        route: &str,
        key: &HeaderValue,
        (path, body): (&str, &[u8]),
    ) -> Result<Self, Error> {
        let visible = key.as_bytes().iter().all(u8::is_ascii_graphic);
        if !visible || !(1..=255).contains(&key.len()) {
            return Err(Error::field(
                "Idempotency-Key",
                "must have 1 to 255 visible ASCII characters",
            ));
        }
        let scope = Sha256::new()
            .chain_update(format!("{method} {route} "))
            .chain_update(key.as_bytes())
            .finalize();
        let request = Sha256::new().chain_update(path).chain_update("\n").chain_update(body);
        Ok(Self { scope: hex::encode(scope), body_hash: hex::encode(request.finalize()) })
    }
}

impl<T> Idempotent<T> {
    /// The id of the item that this request creates: the same for each repetition with its key and body, or
    /// `None` without a key. If the outcome of a commit is unknown, the repetition thus finds what was
    /// created.
    pub fn created_id(&self, account: AccountId) -> Option<Uuid> {
        let RequestKey { scope, body_hash } = self.key.as_ref()?;
        let digest = Sha256::digest(format!("{account} {scope} {body_hash}"));
        let bytes = digest.get(..16)?.try_into().ok()?;
        Some(Builder::from_custom_bytes(bytes).into_uuid())
    }

    /// Stores the response encrypted, because it contains an e-mail address or a password hint.
    #[must_use]
    pub fn personal(self, vault: &Arc<Vault>) -> Self {
        Self { content: Content::Personal(vault.clone()), ..self }
    }

    /// Runs `work` for `account`, or returns the response that it gave earlier.
    ///
    /// Call this after the caller is authenticated and known to own what the body names. Responses with 5xx
    /// or 429 are not kept, so the next attempt runs the work again.
    ///
    /// # Errors
    /// [`Problem::InProgress`] while another request with this key is running,
    /// [`Problem::IdempotencyKeyReused`] if the key was used with another body.
    pub async fn once<F, R>(
        self,
        core: &Core,
        account: AccountId,
        work: impl FnOnce(T) -> F,
    ) -> Result<Response, Error>
    where
        F: Future<Output = Result<R, Error>>,
        R: IntoResponse,
    {
        self.once_while(core, account, async |_| Ok(()), work).await
    }

    /// Like [`Self::once`]. Before a response is repeated, `stands` checks it; if that fails, its error is
    /// returned instead.
    ///
    /// # Errors
    /// As [`Self::once`]; those of `stands`.
    pub async fn once_while<F, R, C>(
        self,
        core: &Core,
        account: AccountId,
        stands: impl FnOnce(Value) -> C,
        work: impl FnOnce(T) -> F,
    ) -> Result<Response, Error>
    where
        F: Future<Output = Result<R, Error>>,
        R: IntoResponse,
        C: Future<Output = Result<(), Error>>,
    {
        let Some(RequestKey { scope, body_hash }) = self.key else {
            return work(self.body).await.map(IntoResponse::into_response);
        };
        let row = keys::idempotency(account, &scope);
        let now = core.clock.now();
        let claim = IdempotencyRow {
            body_hash: body_hash.clone(),
            owner: hex::encode(core.random.bytes::<16>()),
            done: false,
            kept: None,
            lease_until: now.plus(LEASE),
            expires_at: now.plus(KEPT).seconds(),
        };
        let abandoned = Update::new()
            .if_equal(IdempotencyRow::DONE, false)
            .if_equal(IdempotencyRow::BODY_HASH, &body_hash)
            .if_below(IdempotencyRow::LEASE_UNTIL, now);
        match core.store.claim(&row, &claim, Some(abandoned)).await? {
            Claimed::Existing(earlier) if earlier.body_hash != body_hash => {
                return Err(Error::new(Problem::IdempotencyKeyReused));
            }
            Claimed::Existing(earlier) => {
                let kept = earlier.kept.ok_or(Error::new(Problem::InProgress))?;
                let outcome = kept.open(&self.content, account).await?;
                if let Outcome::Done { body, .. } = &outcome {
                    stands(serde_json::from_str(body).unwrap_or_default()).await?;
                }
                return Ok(outcome.again());
            }
            Claimed::New => {}
        }
        let outcome = match work(self.body).await {
            Err(error) if !is_kept(error.problem().status()) => {
                // The caller gets this outcome in any case. If the row cannot be deleted, its lease expires.
                let release = Writes::new().delete(&row, claim.is_held(), ());
                if let Err(CommitError::Store(error)) = core.store.commit(release).await {
                    tracing::error!(%error, "failed to release an idempotency key");
                }
                return Err(error);
            }
            Err(error) => Outcome::Refused(error.kept()),
            Ok(answer) => Outcome::done(answer.into_response()).await?,
        };
        // The work is done, and the caller gets its response even if the row cannot be written.
        if let Err(error) = outcome.keep(core, account, &self.content, &row, claim).await {
            tracing::error!(%error, "failed to keep a response under its idempotency key");
        }
        outcome.answer()
    }
}

/// Binds an encrypted response to its account.
fn purpose(account: AccountId) -> SealScope {
    SealScope { what: "idempotencyAnswer", whose: account.0 }
}

/// Whether a response with this status is kept for repeated requests.
fn is_kept(status: StatusCode) -> bool {
    !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS
}

/// Why a response was not kept.
#[derive(Debug, thiserror::Error)]
enum NotKept {
    #[error(transparent)]
    Vault(#[from] VaultError),
    #[error(transparent)]
    Store(#[from] CommitError<NotHeld>),
}

/// Another request has taken the row over.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("another request holds the key")]
struct NotHeld;

impl IdempotencyRow {
    /// The condition that the request of this claim still holds the row, and has not finished.
    fn is_held(&self) -> Update<Self> {
        Update::new().if_equal(Self::OWNER, &self.owner).if_equal(Self::DONE, false)
    }
}

impl Outcome {
    async fn done(response: Response) -> Result<Self, Error> {
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), LONGEST_BODY).await;
        let body = body.map_err(|error| Error::new(Problem::Internal).caused_by(error))?;
        Ok(Self::Done { status, body: String::from_utf8_lossy(&body).into_owned() })
    }

    async fn keep(
        &self,
        core: &Core,
        account: AccountId,
        content: &Content,
        row: &Key,
        claim: IdempotencyRow,
    ) -> Result<(), NotKept> {
        let kept = match (self.clone(), content) {
            (Self::Done { status, body }, Content::Personal(vault)) => {
                let body = vault.seal(purpose(account), body.as_bytes()).await?;
                KeptAnswer::Sealed { status, body }
            }
            (Self::Done { status, body }, Content::Public) => KeptAnswer::Done { status, body },
            (Self::Refused(refusal), _) => KeptAnswer::Refused(refusal),
        };
        let held = claim.is_held();
        let answer = IdempotencyRow { done: true, kept: Some(kept), ..claim };
        Ok(core.store.commit(Writes::new().replace(row, &answer, held, NotHeld)).await?)
    }

    /// The response to a repeated request.
    fn again(self) -> Response {
        let mut response = self.answer().unwrap_or_else(IntoResponse::into_response);
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
        response
    }

    fn answer(self) -> Result<Response, Error> {
        match self {
            Self::Refused(refusal) => Err(refusal.into()),
            Self::Done { status, body } => {
                let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
                let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
                Ok((status, json, body).into_response())
            }
        }
    }
}

impl KeptAnswer {
    async fn open(self, content: &Content, account: AccountId) -> Result<Outcome, Error> {
        Ok(match self {
            Self::Refused(refusal) => Outcome::Refused(refusal),
            Self::Done { status, body } => Outcome::Done { status, body },
            Self::Sealed { status, body } => {
                let Content::Personal(vault) = content else {
                    let cause = "a public response was kept encrypted";
                    return Err(Error::new(Problem::Internal).caused_by(cause));
                };
                let body = vault.open(purpose(account), &body).await;
                let body = body.map_err(AuthError::from)?;
                let body = String::from_utf8_lossy(body.expose_secret()).into_owned();
                Outcome::Done { status, body }
            }
        })
    }
}
