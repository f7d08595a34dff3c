//! The tokens of a session, and the writes that open one.

use std::fmt;

use base::{clock::Timestamp, random::Random, secret::reveal};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;
use sha2::{Digest, Sha256};
use shared::{
    auth::AuthError,
    crypto::token,
    keys,
    models::{
        account::{AccountId, Role},
        session::{Session, SessionId},
    },
};
use store::Key;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::App, client::Client};

/// A refresh token: account, session and a secret of 256 bits, base64url. It is opaque to clients. Only its
/// SHA-256 is stored.
///
/// The secret of a session's first token is random. Each later one is derived from its predecessor's hash
/// under a key of the service, so the predecessor can be exchanged for the same successor again without any
/// token being stored.
#[derive(Clone, Debug)]
pub(crate) struct RefreshToken {
    pub(crate) account: AccountId,
    pub(crate) session: SessionId,
    text: SecretString,
}

impl RefreshToken {
    /// Draws a new token for a session.
    pub(crate) fn new(random: &dyn Random, account: AccountId, session: SessionId) -> Self {
        Self::of(account, session, &random.bytes())
    }

    fn of(account: AccountId, session: SessionId, secret: &[u8; 32]) -> Self {
        let bytes = [account.0.as_bytes(), session.0.as_bytes(), secret.as_slice()].concat();
        Self { account, session, text: BASE64_URL_SAFE_NO_PAD.encode(bytes).into() }
    }

    /// The token that follows the one with this hash in its session.
    pub(crate) async fn following(
        app: &App,
        account: AccountId,
        session: SessionId,
        hash: &str,
    ) -> Result<Self, AuthError> {
        let secret = app.vault.keyed_hash("refreshToken", &format!("{session}\0{hash}")).await?;
        Ok(Self::of(account, session, &secret))
    }

    /// Parses the token that a client sent.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok().filter(|bytes| bytes.len() == 64)?;
        let account = Uuid::from_slice(bytes.get(..16)?).ok()?;
        let session = Uuid::from_slice(bytes.get(16..32)?).ok()?;
        Some(Self { account: AccountId(account), session: SessionId(session), text: text.into() })
    }

    /// SHA-256, hex.
    pub(crate) fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.text.expose_secret()))
    }
}

/// The tokens of a session.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenPair {
    /// JWT for the header `Authorization: Bearer <accessToken>`.
    access_token: String,
    /// For `POST /auth/refresh-token`, within 7 days. Until this token is used, the token that it replaced can
    /// still be exchanged for it.
    #[serde(serialize_with = "reveal")]
    #[schema(value_type = String)]
    refresh_token: SecretString,
    /// Seconds until the access token expires.
    #[schema(example = 600)]
    expires_in: u64,
}

impl fmt::Debug for TokenPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenPair")
    }
}

impl TokenPair {
    /// Issues an access token for a refresh token and returns both.
    ///
    /// Call it before the write that makes the refresh token valid. Once the old token is spent, the client
    /// must get the new one, even if the signing key becomes unavailable.
    pub(crate) async fn issue(
        app: &App,
        role: Role,
        auth_time: Timestamp,
        refresh: RefreshToken,
    ) -> Result<Self, AuthError> {
        let (account, session) = (refresh.account, refresh.session);
        let access_token = app.issuer.issue(account, session, role, auth_time).await?;
        Ok(Self {
            access_token,
            refresh_token: refresh.text,
            expires_in: token::LIFETIME.as_secs(),
        })
    }
}

/// A session being opened, and its first tokens.
pub(crate) struct NewSession {
    pub(crate) session: Session,
    pub(crate) tokens: TokenPair,
}

impl NewSession {
    /// A session of an account with this role and epoch.
    pub(crate) async fn new(
        app: &App,
        account: AccountId,
        role: Role,
        epoch: u64,
        client: &Client,
    ) -> Result<Self, AuthError> {
        let now = app.clock.now();
        let id = SessionId(app.random.id(now));
        let refresh = RefreshToken::new(&*app.random, account, id);
        let session = Session {
            id,
            account_id: account,
            epoch,
            refresh_hash: refresh.hash(),
            auth_time: now,
            created_at: now,
            last_used_at: now,
            expires_at: Session::expiry(now, now),
            user_agent: client.user_agent.clone(),
            source_ip: client.source_ip(),
            refreshed_on: None,
            repeated_on: None,
        };
        let tokens = TokenPair::issue(app, role, now, refresh).await?;
        Ok(Self { session, tokens })
    }

    /// The key of the session's row.
    pub(crate) fn key(&self) -> Key {
        keys::session(self.session.account_id, self.session.id)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::random::SystemSource;

    use super::*;

    #[test]
    fn only_refresh_tokens_are_parsed() {
        let (account, session) = (AccountId(Uuid::from_u128(7)), SessionId(Uuid::from_u128(8)));
        let token = RefreshToken::new(&SystemSource, account, session);
        let text = token.text.expose_secret();
        let read = RefreshToken::parse(text).unwrap();
        assert_eq!((read.account, read.session, read.hash()), (account, session, token.hash()));
        for bad in
            ["", "x", &text[1..], &format!("{text}A"), &format!("{text}="), &"A".repeat(100_000)]
        {
            assert!(RefreshToken::parse(bad).is_none());
        }
        assert!(!format!("{token:?}").contains(text));
    }
}
