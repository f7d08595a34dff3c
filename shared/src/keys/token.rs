//! Access tokens: JWTs (RFC 7519) of type `at+jwt` (RFC 9068, section 2.1), signed with Ed25519 (RFC 8037),
//! valid for 10 minutes.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, RwLock};
use uuid::Uuid;

use super::signing::{Jwks, KeyError, KeyStore, PublicKeys};
use crate::{
    clock::{Clock, Timestamp},
    models::{
        account::{AccountId, Role},
        session::SessionId,
    },
    problem::{AsProblem, Problem},
    random::Random,
};

crate::section! {
    /// What the claims of access tokens say.
    pub struct TokenConfig {
        /// `iss` of access tokens
        pub issuer: String = "TOKEN_ISSUER",
        /// `aud` of access tokens
        pub audience: String = "TOKEN_AUDIENCE",
    }
}

/// How long an access token is valid.
pub const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// How long keys are used before they are read again. A key removed from the published ones is refused
/// everywhere after this long.
const KEYS_KEPT: Duration = Duration::from_secs(5 * 60);
/// The last part of that time, in which each instance picks a random moment to read the keys again, so that
/// instances started together do not query SSM together.
const KEYS_JITTER: Duration = Duration::from_secs(2 * 60);
/// Attempts to read keys when none are known yet, and the longest pause between two of them. A burst of new
/// instances exceeds SSM's request rate.
const FIRST_ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(800);
/// How long keys remain in use if they cannot be read again.
const KEYS_STALE: Duration = Duration::from_secs(60 * 60);
/// Pause after a read that failed or did not find an unknown `kid`.
const KEYS_PAUSE: Duration = Duration::from_secs(10);
/// How far ahead the clock of the issuing instance may be.
const LEEWAY: Duration = Duration::from_secs(5);
const TOKEN_TYPE: &str = "at+jwt";
/// Longer than any token issued here, in bytes.
const LONGEST_TOKEN: usize = 4096;

/// The claims of an access token. Times are seconds since the epoch, as in RFC 7519.
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
    /// The account's role when the token was issued. Meant for frontends: admin routes read the account's
    /// row.
    pub role: Role,
    /// When the account's owner last authenticated (OpenID Connect Core, section 2).
    pub auth_time: i64,
    /// When the token was issued.
    pub iat: i64,
    /// When the token expires.
    pub exp: i64,
    /// The token's id.
    pub jti: Uuid,
}

/// Why an access token is refused.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Not issued by this deployment; the text says which check failed.
    #[error("The access token is not valid.")]
    Invalid(&'static str),
    /// Issued by this deployment, but expired.
    #[error("The access token has expired.")]
    Expired,
    /// The public keys needed to check it cannot be read.
    #[error("the public keys cannot be read")]
    KeysUnavailable(#[from] KeyError),
}

struct Published {
    by_kid: BTreeMap<String, DecodingKey>,
    jwks: Jwks,
}

/// A cached value. At most one request at a time reads it.
struct Cache<T> {
    kept: RwLock<Kept<T>>,
    alone: Mutex<()>,
}

struct Kept<T> {
    value: Option<Arc<T>>,
    read_at: Timestamp,
    /// From this time one request reads the value again while the others use the old one.
    refresh_at: Timestamp,
    /// Nothing is read before this time, because the last read failed or did not contain what was wanted.
    paused_until: Timestamp,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        let never = Timestamp(i64::MIN);
        let kept = Kept { value: None, read_at: never, refresh_at: never, paused_until: never };
        Self { kept: RwLock::new(kept), alone: Mutex::new(()) }
    }
}

impl<T> Kept<T> {
    /// The value if it can be used without a read, and whether it is due for a refresh.
    fn usable(&self, now: Timestamp, wanted: impl Fn(&T) -> bool) -> Option<(Arc<T>, bool)> {
        let value = self.value.clone()?;
        let fresh = now < self.read_at.plus(KEYS_KEPT) && wanted(&value);
        let paused = now < self.paused_until;
        let usable = fresh || (paused && now < self.read_at.plus(KEYS_STALE));
        usable.then_some((value, !paused && now >= self.refresh_at))
    }
}

impl<T> Cache<T> {
    /// Returns the cached value while it is fresh and `wanted`, else reads it. If the read fails, an old
    /// value is used for a limited time.
    async fn get<F>(
        &self,
        clock: &dyn Clock,
        random: &dyn Random,
        wanted: impl Fn(&T) -> bool,
        read: impl Fn() -> F,
    ) -> Result<Arc<T>, KeyError>
    where
        F: Future<Output = Result<T, KeyError>>,
    {
        let known = self.kept.read().await.usable(clock.now(), &wanted);
        let _alone = match known {
            Some((value, false)) => return Ok(value),
            Some((value, true)) => match self.alone.try_lock() {
                Ok(alone) => alone,
                Err(_) => return Ok(value),
            },
            None => self.alone.lock().await,
        };
        // Another request may have read it while this one waited.
        if let Some((value, false)) = self.kept.read().await.usable(clock.now(), &wanted) {
            return Ok(value);
        }
        let mut answer = read().await;
        if self.kept.read().await.value.is_none() {
            for _attempt in 1..FIRST_ATTEMPTS {
                if !matches!(&answer, Err(error) if error.is_transient()) {
                    break;
                }
                tokio::time::sleep(jitter(random, FIRST_PAUSE)).await;
                answer = read().await;
            }
        }
        let now = clock.now();
        let mut kept = self.kept.write().await;
        match answer {
            Ok(value) => {
                let value = Arc::new(value);
                let paused_until = if wanted(&value) { now } else { now.plus(KEYS_PAUSE) };
                let until_refresh = KEYS_KEPT.saturating_sub(jitter(random, KEYS_JITTER));
                let refresh_at = now.plus(until_refresh);
                *kept = Kept { value: Some(value.clone()), read_at: now, refresh_at, paused_until };
                Ok(value)
            }
            Err(error) => {
                kept.paused_until = now.plus(KEYS_PAUSE);
                match kept.usable(now, wanted) {
                    Some((value, _)) => {
                        tracing::warn!(%error, "cannot read the keys of access tokens; using the earlier ones");
                        Ok(value)
                    }
                    None => Err(error),
                }
            }
        }
    }

    /// The last value read, of any age.
    async fn known(&self) -> Option<Arc<T>> {
        self.kept.read().await.value.clone()
    }
}

/// A random duration up to `most`.
fn jitter(random: &dyn Random, most: Duration) -> Duration {
    Duration::from_millis(random.up_to(u64::try_from(most.as_millis()).unwrap_or(u64::MAX)))
}

struct Signer {
    kid: String,
    key: EncodingKey,
}

/// Checks access tokens. Reads keys on first use.
pub struct Tokens {
    config: TokenConfig,
    keys: PublicKeys,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    public: Cache<Published>,
}

/// Issues access tokens. Reads the key on first use.
pub struct TokenIssuer {
    tokens: Arc<Tokens>,
    keys: KeyStore,
    signer: Cache<Signer>,
}

impl Tokens {
    /// The tokens of this deployment. Reads nothing yet.
    pub fn new(
        config: TokenConfig,
        keys: PublicKeys,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Self { config, keys, clock, random, public: Cache::default() }
    }

    /// Checks a token's algorithm, type, key, signature, issuer, audience and times.
    ///
    /// The algorithm is pinned; `jku`, `jwk` and `x5u` headers are ignored.
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
        // RFC 7515, section 4.1.11: refuse extensions that are critical, as none is supported.
        if header.crit.is_some() {
            return Err(Invalid("crit"));
        }
        let kid = header.kid.ok_or(Invalid("kid"))?;
        let keys = self.keys(Some(&kid)).await?;
        let key = keys.by_kid.get(&kid).ok_or(Invalid("unknown key"))?;
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_issuer(&[&self.config.issuer]);
        rules.set_audience(&[&self.config.audience]);
        rules.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // Times are checked below with the service's own clock.
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

    /// The public keys as published.
    ///
    /// # Errors
    /// [`KeyError`].
    pub async fn jwks(&self) -> Result<Jwks, KeyError> {
        Ok(self.keys(None).await?.jwks.clone())
    }

    /// The public keys. One request reads them again before they are 5 minutes old, at a moment that differs
    /// between instances, or when `kid` is not among them. After a read that failed or did not find `kid`, it
    /// pauses for 10 seconds, so forged tokens cause no load.
    async fn keys(&self, kid: Option<&str>) -> Result<Arc<Published>, KeyError> {
        let wanted =
            |published: &Published| kid.is_none_or(|kid| published.by_kid.contains_key(kid));
        let read = || async { Ok(Published::new(self.keys.read().await?)) };
        self.public.get(&*self.clock, &*self.random, wanted, read).await
    }
}

impl TokenIssuer {
    /// Issues what `tokens` accepts. Reads nothing yet.
    pub fn new(tokens: Arc<Tokens>, keys: KeyStore) -> Self {
        Self { tokens, keys, signer: Cache::default() }
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
        let Tokens { config, clock, random, public, .. } = &*self.tokens;
        let now = clock.now();
        let read = || async {
            let key = self.keys.private().await?;
            let encoding = EncodingKey::from_ed_der(key.pkcs8.expose_secret());
            Ok(Signer { kid: key.kid, key: encoding })
        };
        // A key that is no longer published was revoked: read the one that replaced it.
        let published = public.known().await;
        let is_published = |signer: &Signer| {
            published.as_ref().is_none_or(|published| published.by_kid.contains_key(&signer.kid))
        };
        let signer = self.signer.get(&**clock, &**random, is_published, read).await?;
        // Round down to whole seconds, so that the token is never from the future.
        let iat = now.past_seconds();
        let lifetime = i64::try_from(LIFETIME.as_secs()).unwrap_or(0);
        let claims = Claims {
            iss: config.issuer.clone(),
            aud: config.audience.clone(),
            sub: account,
            sid: session,
            role,
            auth_time: auth_time.past_seconds(),
            iat,
            exp: iat.saturating_add(lifetime),
            jti: random.id(now),
        };
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TOKEN_TYPE.to_owned());
        header.kid = Some(signer.kid.clone());
        jsonwebtoken::encode(&header, &claims, &signer.key).map_err(|_| KeyError::Malformed)
    }
}

impl Published {
    fn new(jwks: Jwks) -> Self {
        let usable = jwks.keys.iter().filter(|key| key.kty == "OKP" && key.crv == "Ed25519");
        let by_kid = usable
            .filter_map(|key| {
                Some((key.kid.clone(), DecodingKey::from_ed_components(&key.x).ok()?))
            })
            .collect();
        Self { by_kid, jwks }
    }
}

impl AsProblem for TokenError {
    fn problem(&self) -> Problem {
        match self {
            Self::Invalid(_) => Problem::InvalidToken,
            Self::Expired => Problem::TokenExpired,
            Self::KeysUnavailable(_) => Problem::Unavailable,
        }
    }

    fn internal(&self) -> String {
        match self {
            Self::Invalid(why) => format!("{self} {why}"),
            Self::Expired => self.to_string(),
            Self::KeysUnavailable(error) => format!("{self}: {error}"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::sync::Notify;

    use super::*;
    use crate::{clock::Hand, outbound::OutboundError, random::SystemSource};

    fn advance(clock: &Hand, span: Duration) {
        clock.set(clock.now().plus(span).0);
    }

    fn throttled() -> KeyError {
        KeyError::Parameter(OutboundError::Status(400))
    }

    async fn get<F: Future<Output = Result<u32, KeyError>>>(
        cache: &Cache<u32>,
        clock: &Hand,
        read: impl Fn() -> F,
    ) -> Result<u32, KeyError> {
        cache.get(clock, &SystemSource, |_| true, read).await.map(|value| *value)
    }

    #[tokio::test]
    async fn instances_started_together_refresh_at_different_times() {
        let clock = Hand::default();
        let mut moments = std::collections::BTreeSet::new();
        for _instance in 0..100 {
            let cache = Cache::default();
            get(&cache, &clock, || async { Ok(1) }).await.unwrap();
            let refresh_at = cache.kept.read().await.refresh_at.0 - clock.now().0;
            assert!((180_000..=300_000).contains(&refresh_at), "{refresh_at}");
            moments.insert(refresh_at / 1_000);
        }
        assert!(moments.len() > 30, "{moments:?}");
    }

    #[tokio::test]
    async fn one_request_refreshes_while_others_use_the_old_value() {
        let clock = Hand::default();
        let cache = Cache::default();
        get(&cache, &clock, || async { Ok(1) }).await.unwrap();
        advance(&clock, Duration::from_secs(299));
        cache.kept.write().await.refresh_at = clock.now();
        let (begun, go_on, reads) = (Notify::new(), Notify::new(), AtomicU32::new(0));
        let slow = get(&cache, &clock, || async {
            reads.fetch_add(1, Ordering::Relaxed);
            begun.notify_one();
            go_on.notified().await;
            Ok(2)
        });
        let others = async {
            begun.notified().await;
            for _request in 0..20 {
                let value = get(&cache, &clock, || async { panic!("a second read") }).await;
                assert_eq!(value.unwrap(), 1);
            }
            go_on.notify_one();
        };
        let (refreshed, ()) = tokio::join!(slow, others);
        assert_eq!((refreshed.unwrap(), reads.into_inner()), (2, 1));
        assert_eq!(get(&cache, &clock, || async { panic!("fresh") }).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn keys_are_kept_for_an_hour_if_the_refresh_fails() {
        let clock = Hand::default();
        let cache = Cache::default();
        get(&cache, &clock, || async { Ok(1) }).await.unwrap();
        let reads = AtomicU32::new(0);
        let failing = || async {
            reads.fetch_add(1, Ordering::Relaxed);
            Err(throttled())
        };
        advance(&clock, Duration::from_secs(299));
        cache.kept.write().await.refresh_at = clock.now();
        for _within_the_pause in 0..5 {
            assert_eq!(get(&cache, &clock, failing).await.unwrap(), 1);
        }
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        advance(&clock, Duration::from_secs(3_600 - 300));
        assert_eq!(get(&cache, &clock, failing).await.unwrap(), 1);
        advance(&clock, Duration::from_secs(2));
        assert!(get(&cache, &clock, failing).await.is_err());
    }

    #[tokio::test]
    async fn a_new_instance_retries_when_ssm_throttles() {
        let clock = Hand::default();
        let reads = AtomicU32::new(0);
        let third = || async {
            match reads.fetch_add(1, Ordering::Relaxed) {
                0 | 1 => Err(throttled()),
                _ => Ok(7),
            }
        };
        assert_eq!(get(&Cache::default(), &clock, third).await.unwrap(), 7);
        let reads = AtomicU32::new(0);
        let missing = || async {
            reads.fetch_add(1, Ordering::Relaxed);
            Err(KeyError::Missing)
        };
        assert!(get(&Cache::default(), &clock, missing).await.is_err());
        assert_eq!(reads.into_inner(), 1, "a permanent error is not retried");
    }
}
