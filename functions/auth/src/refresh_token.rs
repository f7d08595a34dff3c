//! `POST /auth/refresh-token`: exchanges a refresh token for a new pair of tokens.
//!
//! A session is a chain of refresh tokens, of which the newest is active. Clients lose answers, refresh in
//! two tabs, or fail to store the new token, so the predecessor of the active token can be exchanged for the
//! active token again until the active token has itself been used. If a client presents an earlier token, two
//! parties hold tokens of the session, and the service ends it for both.

use axum::{Extension, extract::State};
use base::clock::Timestamp;
use identity::activity::{self, Entry};
use serde::{Deserialize, Serialize};
use shared::{
    accounts,
    auth::{
        AuthError,
        device_token::DeviceHeader,
        limits::{self, REPEATED_REFRESH_BY_ACCOUNT},
        refused,
    },
    http::{Envelope, Fields, Input, RequestContext, Result, Valid},
    keys,
    models::{
        account::{Account, Role, Status},
        change::AccountChange,
        session::{ABSOLUTE_LIFETIME, Session, SessionId},
    },
};
use store::{Entity, Update, Writes};
use utoipa::ToSchema;

use crate::{
    app::App,
    sessions::{SessionEnd, tell},
    tokens::{RefreshToken, TokenPair},
};

/// The refresh token to spend.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RefreshRequest {
    /// From the sign-in or the last refresh.
    #[schema(max_length = 256)]
    refresh_token: String,
}

impl Input for RefreshRequest {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { refresh_token: fields.text("refreshToken", 256)? })
    }
}

/// Marks a refresh token as spent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spent {
    session_id: SessionId,
    /// The latest possible end of the session, whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Entity for Spent {
    const ENTITY: &'static str = "spentRefreshToken";
}

/// Exchanges a refresh token for a new pair of tokens. If the response is lost, or two tabs refresh, the same
/// request returns the same refresh token again until that token is used. Presenting an earlier token ends its
/// session.
#[utoipa::path(
    post,
    path = "/auth/refresh-token",
    tag = "auth",
    params(DeviceHeader),
    request_body = RefreshRequest,
    responses((status = 200, description = "A new pair", body = Envelope<TokenPair>))
)]
pub async fn refresh_token(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    Valid(body): Valid<RefreshRequest>,
) -> Result<Envelope<TokenPair>> {
    let presented = RefreshToken::parse(&body.refresh_token).ok_or(AuthError::RefreshToken)?;
    Ok(Envelope::ok(refresh(&app, &context, &presented).await?))
}

/// Attempts while other requests exchange the same token.
const ATTEMPTS: u32 = 4;

async fn refresh(
    app: &App,
    context: &RequestContext,
    presented: &RefreshToken,
) -> Result<TokenPair, AuthError> {
    let hash = presented.hash();
    for _attempt in 0..ATTEMPTS {
        let read = accounts::with_session(&app.store, presented.account, presented.session);
        let (Some(account), Some(session)) = read.await? else {
            return Err(AuthError::RefreshToken);
        };
        if account.status != Status::Active {
            return Err(AuthError::AccountDisabled);
        }
        if !session.is_alive(&account, app.clock.now()) {
            return Err(AuthError::RefreshToken);
        }
        if session.refresh_hash == hash {
            match exchange(app, context, &account, &session).await {
                // Another request has advanced the session: read it again.
                Err(Refused::Moved | Refused::For(AuthError::Contended)) => continue,
                Err(Refused::For(error)) => return Err(error),
                Ok(tokens) => return Ok(tokens),
            }
        }
        let next = RefreshToken::following(app, account.id, session.id, &hash).await?;
        let repeated = if session.refresh_hash == next.hash() {
            repeat(app, context, &account, &session, next).await
        } else {
            let spent = app.store.get::<Spent>(&keys::spent_refresh_token(&hash)).await?;
            if spent.is_some_and(|spent| spent.session_id == session.id) {
                end_family(app, context, &account, &session).await?;
            }
            return Err(AuthError::RefreshToken);
        };
        match repeated {
            Err(Refused::Moved) => {}
            Err(Refused::For(error)) => return Err(error),
            Ok(tokens) => return Ok(tokens),
        }
    }
    Err(AuthError::Contended)
}

/// Why a token was not exchanged.
#[derive(Debug)]
pub(crate) enum Refused {
    /// Another request has advanced the session.
    Moved,
    /// Any other reason.
    For(AuthError),
}

impl From<AuthError> for Refused {
    fn from(error: AuthError) -> Self {
        Self::For(error)
    }
}

/// The refresh token that follows a session's active one, and the writes that activate it.
pub(crate) struct Successor<'a> {
    session: &'a Session,
    token: RefreshToken,
    hash: String,
    /// The device that receives the token.
    device: Option<String>,
}

impl<'a> Successor<'a> {
    pub(crate) async fn new(
        app: &App,
        session: &'a Session,
        context: &RequestContext,
    ) -> Result<Self, AuthError> {
        let (account, id) = (session.account_id, session.id);
        let token = RefreshToken::following(app, account, id, &session.refresh_hash).await?;
        let device = activity::device_mark(app, account, context).await?;
        Ok(Self { session, hash: token.hash(), token, device })
    }

    /// The tokens for the client. Call it before the writes, like [`TokenPair::issue`].
    pub(crate) async fn issue(
        &self,
        app: &App,
        role: Role,
        auth_time: Timestamp,
    ) -> Result<TokenPair, AuthError> {
        TokenPair::issue(app, role, auth_time, self.token.clone()).await
    }

    /// The change of the session's row.
    pub(crate) fn update(&self, now: Timestamp) -> Update<Session> {
        Update::new()
            .set(Session::REFRESH_HASH, &self.hash)
            .set(Session::LAST_USED_AT, now)
            .set(Session::EXPIRES_AT, Session::expiry(self.session.created_at, now))
            .set(Session::REFRESHED_ON, &self.device)
            .set(Session::REPEATED_ON, None::<String>)
            .if_equal(Session::REFRESH_HASH, &self.session.refresh_hash)
    }

    /// The writes that change the session's row and mark its active token as spent.
    pub(crate) fn writes(&self, update: Update<Session>) -> Writes<Refused> {
        let Session { account_id, id, refresh_hash, created_at, .. } = self.session;
        let spent =
            Spent { session_id: *id, expires_at: created_at.plus(ABSOLUTE_LIFETIME).seconds() };
        Writes::new().update(&keys::session(*account_id, *id), update, Refused::Moved).insert(
            &keys::spent_refresh_token(refresh_hash),
            &spent,
            Refused::Moved,
        )
    }
}

/// Spends the active token and makes its successor the active one.
async fn exchange(
    app: &App,
    context: &RequestContext,
    account: &Account,
    session: &Session,
) -> Result<TokenPair, Refused> {
    let next = Successor::new(app, session, context).await?;
    let tokens = next.issue(app, account.role, session.auth_time).await?;
    let unchanged = Update::new()
        .if_equal(Account::EPOCH, account.epoch)
        .if_equal(Account::STATUS, account.status);
    let writes = next.writes(next.update(app.clock.now()));
    // A change of credentials in this session raises the epoch of both rows and keeps the session, so retry.
    let writes = writes.check(&keys::account(account.id), unchanged, Refused::Moved);
    app.store.commit(writes).await.map_err(refused)?;
    Ok(tokens)
}

/// Returns the active token to a client that presents its predecessor. The audit trail records it, unless the
/// client's device is the one that received the token or the last one that repeated.
async fn repeat(
    app: &App,
    context: &RequestContext,
    account: &Account,
    session: &Session,
    active: RefreshToken,
) -> Result<TokenPair, Refused> {
    let device = activity::device_mark(app, account.id, context).await?;
    if device != session.refreshed_on && device != session.repeated_on {
        record_repeat(app, context, account, session, device).await?;
    }
    Ok(TokenPair::issue(app, account.role, session.auth_time, active).await?)
}

async fn record_repeat(
    app: &App,
    context: &RequestContext,
    account: &Account,
    session: &Session,
    device: Option<String>,
) -> Result<(), Refused> {
    match limits::hit(app, REPEATED_REFRESH_BY_ACCOUNT, &account.id.to_string()).await {
        Err(AuthError::RateLimited { .. }) => return Ok(()),
        hit => hit?,
    }
    let change = AccountChange::RefreshTokenRepeated;
    let entry = Entry::new(app, account.id, change, Some(session.id), context).await?;
    activity::commit(app, account, entry, || {
        let repeated = Update::new()
            .set(Session::REPEATED_ON, &device)
            .if_equal(Session::REFRESH_HASH, &session.refresh_hash);
        Writes::new().update(&keys::session(account.id, session.id), repeated, Refused::Moved)
    })
    .await
}

async fn end_family(
    app: &App,
    context: &RequestContext,
    account: &Account,
    session: &Session,
) -> Result<(), AuthError> {
    let key = keys::session(account.id, session.id);
    let change = AccountChange::RefreshTokenReused;
    let ended = match Entry::new(app, account.id, change, Some(session.id), context).await {
        Ok(entry) => {
            let committed = activity::commit(app, account, entry, || {
                let there = Update::new().if_equal(Session::ID, session.id);
                let rows = Writes::new().delete(&key, there, AuthError::SessionNotFound);
                rows.and(tell(account.id, session.id, SessionEnd::RefreshTokenReused))
            });
            match committed.await {
                Err(AuthError::SessionNotFound) => false,
                committed => committed.map(|()| true)?,
            }
        }
        // End the session even if the audit entry cannot be made.
        Err(_) => app.store.delete(&key).await?,
    };
    // If a logout ended the session in the meantime, there is nothing to report.
    if ended {
        tracing::warn!(account = %account.id, session = %session.id, "spent refresh token presented; session ended");
    }
    Ok(())
}
