//! Access tokens: JWT (RFC 7519) signed with Ed25519 (RFC 8037), 10 minutes, of type `at+jwt`
//! (RFC 9068, section 2.1).

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, RwLock};
use uuid::Uuid;

use super::keys::{Jwks, KeyError, KeyStore};
use crate::{
    clock::{Clock, Timestamp},
    config::TokenConfig,
    models::{
        account::{AccountId, Role},
        session::SessionId,
    },
    random::Random,
};

/// How long an access token is good for.
pub const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// How long the public keys are kept before they are read again.
const KEYS_KEPT: Duration = Duration::from_secs(5 * 60);
/// How long they serve on where they cannot be read again.
const KEYS_STALE: Duration = Duration::from_secs(60 * 60);
/// How long another reading waits after one for an unknown `kid`, or one that failed.
const KEYS_PAUSE: Duration = Duration::from_secs(10);
/// How far the clock of the instance that issued a token may be ahead.
const LEEWAY: Duration = Duration::from_secs(5);
const TOKEN_TYPE: &str = "at+jwt";
/// Longer than any token that is issued here, in bytes.
const LONGEST_TOKEN: usize = 4096;

/// What an access token says. Times are seconds since the epoch, as RFC 7519 has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    /// Issuer.
    pub iss: String,
    /// Audience.
    pub aud: String,
    /// The account.
    pub sub: AccountId,
    /// The session.
    pub sid: SessionId,
    /// The account's role when the token was issued. For frontends: admin routes read the row.
    pub role: Role,
    /// When the account's owner proved to be there (OpenID Connect Core, section 2).
    pub auth_time: i64,
    /// When the token was issued.
    pub iat: i64,
    /// When it ends.
    pub exp: i64,
    /// The token's own id.
    pub jti: Uuid,
}

/// Why a token is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Not one of ours.
    #[error("The access token is not valid.")]
    Invalid(&'static str),
    /// One of ours, past its time.
    #[error("The access token is past its time.")]
    Expired,
    /// The keys to check it with cannot be read.
    #[error("the public keys cannot be read")]
    KeysUnavailable(#[from] KeyError),
}

#[derive(Clone)]
struct Published {
    by_kid: HashMap<String, DecodingKey>,
    jwks: Jwks,
    read_at: Timestamp,
}

/// A value that is read when it is needed, by one request at a time.
struct Cache<T>(RwLock<Option<Arc<T>>>, Mutex<()>);

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self(RwLock::new(None), Mutex::new(()))
    }
}

impl<T> Cache<T> {
    /// The kept value if it is `fresh`; else what `read` makes of it.
    async fn get<E>(
        &self,
        fresh: impl Fn(&T) -> bool,
        read: impl AsyncFnOnce(Option<Arc<T>>) -> Result<Arc<T>, E>,
    ) -> Result<Arc<T>, E> {
        if let Some(kept) = self.0.read().await.clone().filter(|kept| fresh(kept)) {
            return Ok(kept);
        }
        let _alone = self.1.lock().await;
        let kept = self.0.read().await.clone();
        if let Some(kept) = kept.clone().filter(|kept| fresh(kept)) {
            return Ok(kept);
        }
        let read = read(kept).await?;
        *self.0.write().await = Some(read.clone());
        Ok(read)
    }
}

struct Signer {
    kid: String,
    key: EncodingKey,
    read_at: Timestamp,
}

/// Issues and checks access tokens. Keys are read at first use.
pub struct Tokens {
    config: TokenConfig,
    store: KeyStore,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    public: Cache<Published>,
    /// When keys were last asked for, in ms since the epoch: a failure, or an unknown `kid`, is
    /// asked about again only after a pause.
    asked_at: AtomicI64,
    signer: Cache<Signer>,
}

impl Tokens {
    /// Tokens of this deployment; reads nothing yet.
    pub fn new(
        config: TokenConfig,
        store: KeyStore,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Self {
            config,
            store,
            clock,
            random,
            public: Cache::default(),
            asked_at: AtomicI64::new(i64::MIN),
            signer: Cache::default(),
        }
    }

    /// Issues a token for a session.
    ///
    /// # Errors
    /// [`KeyError`] if the signing key cannot be read.
    pub async fn issue(
        &self,
        account: AccountId,
        session: SessionId,
        role: Role,
        auth_time: Timestamp,
    ) -> Result<String, KeyError> {
        let now = self.clock.now();
        let fresh = |signer: &Signer| now < signer.read_at.plus(KEYS_KEPT);
        let read = async |kept: Option<Arc<Signer>>| match self.store.private().await {
            Ok(key) => {
                let encoding = EncodingKey::from_ed_der(key.pkcs8.expose_secret());
                Ok(Arc::new(Signer { kid: key.kid, key: encoding, read_at: now }))
            }
            Err(error) => kept_instead(kept, |signer| signer.read_at, now, error),
        };
        let signer = self.signer.get(fresh, read).await?;
        // Seconds: the token's time starts at the last whole second, so it is never from the future.
        let iat = now.past_seconds();
        let lifetime = i64::try_from(LIFETIME.as_secs()).unwrap_or(0);
        let claims = Claims {
            iss: self.config.issuer.clone(),
            aud: self.config.audience.clone(),
            sub: account,
            sid: session,
            role,
            auth_time: auth_time.past_seconds(),
            iat,
            exp: iat.saturating_add(lifetime),
            jti: self.random.id(now),
        };
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TOKEN_TYPE.to_owned());
        header.kid = Some(signer.kid.clone());
        jsonwebtoken::encode(&header, &claims, &signer.key).map_err(|_| KeyError::Malformed)
    }

    /// Checks a token: algorithm, type, key, signature, issuer, audience, times.
    ///
    /// The algorithm is pinned, and `jku`, `jwk` and `x5u` headers are not looked at.
    ///
    /// # Errors
    /// [`TokenError`].
    pub async fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        use TokenError::{Expired, Invalid};
        if token.len() > LONGEST_TOKEN {
            return Err(Invalid("too long"));
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| Invalid("header"))?;
        if header.alg != Algorithm::EdDSA || header.typ.as_deref() != Some(TOKEN_TYPE) {
            return Err(Invalid("algorithm or type"));
        }
        // RFC 7515, section 4.1.11: what must be understood is not.
        if header.crit.is_some() {
            return Err(Invalid("crit"));
        }
        let kid = header.kid.ok_or(Invalid("kid"))?;
        let keys = self.keys(&kid).await?;
        let key = keys.by_kid.get(&kid).ok_or(Invalid("unknown key"))?;
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_issuer(&[&self.config.issuer]);
        rules.set_audience(&[&self.config.audience]);
        rules.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // Times are checked below, by the service's own clock.
        rules.validate_exp = false;
        rules.validate_nbf = false;
        let claims = jsonwebtoken::decode::<Claims>(token, key, &rules)
            .map_err(|_| Invalid("signature or claims"))?
            .claims;
        let now = self.clock.now();
        if Timestamp::from_seconds(claims.iat) > now.plus(LEEWAY) {
            return Err(Invalid("from the future"));
        }
        if Timestamp::from_seconds(claims.exp) <= now {
            return Err(Expired);
        }
        Ok(claims)
    }

    /// The public keys, as published.
    ///
    /// # Errors
    /// [`KeyError`].
    pub async fn jwks(&self) -> Result<Jwks, KeyError> {
        Ok(self.keys("").await?.jwks.clone())
    }

    /// The public keys: read again when 5 minutes old, or when `kid` is not among them; but not
    /// more than once in 10 seconds for forged tokens, or while they cannot be read.
    async fn keys(&self, kid: &str) -> Result<Arc<Published>, KeyError> {
        let now = self.clock.now();
        let asked_at = Timestamp(self.asked_at.load(Ordering::Relaxed));
        let paused = asked_at <= now && now < asked_at.plus(KEYS_PAUSE);
        let fresh = |published: &Published| {
            let known = kid.is_empty() || published.by_kid.contains_key(kid);
            paused || (known && now < published.read_at.plus(KEYS_KEPT))
        };
        let read = async |kept: Option<Arc<Published>>| {
            if kept.is_some() {
                self.asked_at.store(now.0, Ordering::Relaxed);
            }
            match self.store.public().await {
                Ok(jwks) => Ok(Arc::new(Published::new(jwks, now))),
                Err(error) => kept_instead(kept, |published| published.read_at, now, error),
            }
        };
        self.public.get(fresh, read).await
    }
}

impl Published {
    fn new(jwks: Jwks, read_at: Timestamp) -> Self {
        let usable = jwks.keys.iter().filter(|key| key.kty == "OKP" && key.crv == "Ed25519");
        let by_kid = usable
            .filter_map(|key| {
                let decoding = DecodingKey::from_ed_components(&key.x).ok()?;
                Some((key.kid.clone(), decoding))
            })
            .collect();
        Self { by_kid, jwks, read_at }
    }
}

/// What was read before, where it cannot be read again for now and is not too old.
fn kept_instead<T>(
    kept: Option<Arc<T>>,
    read_at: impl Fn(&T) -> Timestamp,
    now: Timestamp,
    error: KeyError,
) -> Result<Arc<T>, KeyError> {
    match kept.filter(|kept| now < read_at(kept).plus(KEYS_STALE)) {
        Some(kept) => {
            tracing::warn!(%error, "keys of access tokens cannot be read; those read before serve on");
            Ok(kept)
        }
        None => Err(error),
    }
}
