//! `POST /auth/refresh-token`: exchanges a refresh token for a new pair of tokens.
//!
//! A session is a chain of refresh tokens, of which only the newest is valid. If a spent token is presented,
//! two parties hold tokens of the session, and it ends for both.

use axum::{Extension, extract::State};
use serde::{Deserialize, Serialize};
use shared::{
    auth::{
        AuthError,
        activity::{self, Entry},
        refused,
    },
    http::{Envelope, Fields, Input, RequestContext, Result, Valid},
    models::{
        account::{Account, Status},
        change::Change,
        session::{ABSOLUTE_LIFETIME, Session, SessionId},
    },
    store::{Entity, Key, Update, Writes, accounts},
};
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

/// Exchanges a refresh token for a new pair of tokens. Presenting a spent token ends its session.
#[utoipa::path(
    post,
    path = "/auth/refresh-token",
    tag = "auth",
    request_body = RefreshRequest,
    responses((status = 200, description = "A new pair", body = Envelope<TokenPair>))
)]
pub async fn refresh_token(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    Valid(body): Valid<RefreshRequest>,
) -> Result<Envelope<TokenPair>> {
    let presented = RefreshToken::parse(&body.refresh_token).ok_or(AuthError::RefreshToken)?;
    Ok(Envelope::ok(refresh(&app, &context, presented).await?))
}

async fn refresh(
    app: &App,
    context: &RequestContext,
    presented: RefreshToken,
) -> Result<TokenPair, AuthError> {
    let rows = accounts::with_session(&app.store, presented.account, presented.session).await?;
    let (Some(account), Some(session)) = rows else {
        return Err(AuthError::RefreshToken);
    };
    if account.status != Status::Active {
        return Err(AuthError::AccountDisabled);
    }
    if !session.is_alive(&account, app.clock.now()) {
        return Err(AuthError::RefreshToken);
    }
    let hash = presented.hash();
    if session.refresh_hash == hash {
        rotate(app, context, &account, &session, hash).await
    } else {
        let spent = app.store.get::<Spent>(&Key::spent_refresh_token(&hash)).await?;
        if spent.is_some_and(|spent| spent.session_id == session.id) {
            end_family(app, context, &account, &session).await?;
        }
        Err(AuthError::RefreshToken)
    }
}

/// Why the exchange was refused.
#[derive(Debug)]
enum Refused {
    /// Another request spent the token first, which ends the session.
    Spent,
    /// Any other reason.
    For(AuthError),
}

impl From<AuthError> for Refused {
    fn from(error: AuthError) -> Self {
        Self::For(error)
    }
}

async fn rotate(
    app: &App,
    context: &RequestContext,
    account: &Account,
    session: &Session,
    hash: String,
) -> Result<TokenPair, AuthError> {
    let now = app.clock.now();
    let next = RefreshToken::new(&*app.random, account.id, session.id);
    let spent = Spent {
        session_id: session.id,
        expires_at: session.auth_time.plus(ABSOLUTE_LIFETIME).seconds(),
    };
    let next_hash = next.hash();
    let tokens = TokenPair::issue(app, account.role, session.auth_time, next).await?;
    let advance = Update::new()
        .set(Session::REFRESH_HASH, &next_hash)
        .set(Session::LAST_USED_AT, now)
        .set(Session::EXPIRES_AT, Session::expiry(session.auth_time, now))
        .if_equal(Session::REFRESH_HASH, &hash);
    let unchanged = Update::new()
        .if_equal(Account::EPOCH, account.epoch)
        .if_equal(Account::STATUS, account.status);
    let writes = Writes::new()
        .update(&Key::session(account.id, session.id), advance, Refused::Spent)
        .check(&Key::account(account.id), unchanged, AuthError::RefreshToken.into())
        .insert(&Key::spent_refresh_token(&hash), &spent, Refused::Spent);
    match app.store.commit(writes).await.map_err(refused) {
        Ok(()) => Ok(tokens),
        Err(Refused::Spent) => {
            end_family(app, context, account, session).await?;
            Err(AuthError::RefreshToken)
        }
        Err(Refused::For(error)) => Err(error),
    }
}

async fn end_family(
    app: &App,
    context: &RequestContext,
    account: &Account,
    session: &Session,
) -> Result<(), AuthError> {
    let key = Key::session(account.id, session.id);
    let change = Change::RefreshTokenReused;
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
