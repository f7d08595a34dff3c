//! Access tokens: JWT (RFC 7519) signed with Ed25519 (RFC 8037), 10 minutes, of type `at+jwt`
//! (RFC 9068, section 2.1).

use std::{collections::HashMap, sync::Arc, time::Duration};

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, RwLock};
use uuid::Uuid;

use super::signing::{Jwks, KeyError, KeyStore};
use crate::{
    clock::{Clock, Timestamp},
    config::TokenConfig,
    models::{
        account::{AccountId, Role},
        session::SessionId,
    },
    problem::{AreaError, Problem},
    random::Random,
};

/// How long an access token is good for.
pub const LIFETIME: Duration = Duration::from_secs(10 * 60);
/// How long keys are good without being read again. A key that is taken out of the published ones is
/// refused everywhere after this long.
const KEYS_KEPT: Duration = Duration::from_secs(5 * 60);
/// The last part of that time, in which each instance reads them again at a moment of its own:
/// instances that started together do not ask SSM together.
const KEYS_JITTER: Duration = Duration::from_secs(2 * 60);
/// Attempts to read keys where none are known yet, and the longest pause between two of them: a burst
/// of new instances is more than SSM answers at once.
const FIRST_ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(800);
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

struct Published {
    by_kid: HashMap<String, DecodingKey>,
    jwks: Jwks,
}

/// A value that is read when it is needed, by one request at a time.
struct Cache<T> {
    kept: RwLock<Kept<T>>,
    alone: Mutex<()>,
}

struct Kept<T> {
    value: Option<Arc<T>>,
    read_at: Timestamp,
    /// From then on one request reads it again, while the others go on with what is there.
    refresh_at: Timestamp,
    /// Until then nothing is read again: the last reading failed, or had not what was wanted.
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
    /// The value, where it may be used without reading it again, and whether it is time to do so.
    fn usable(&self, now: Timestamp, wanted: impl Fn(&T) -> bool) -> Option<(Arc<T>, bool)> {
        let value = self.value.clone()?;
        let fresh = now < self.read_at.plus(KEYS_KEPT) && wanted(&value);
        let paused = now < self.paused_until;
        let usable = fresh || (paused && now < self.read_at.plus(KEYS_STALE));
        usable.then_some((value, !paused && now >= self.refresh_at))
    }
}

impl<T> Cache<T> {
    /// The value: as it was read, where that is not long ago and it is what is `wanted`; else as it
    /// is read now; or as it was read, where it cannot be read for the time being.
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
        // Another request may have read it in the meantime.
        if let Some((value, false)) = self.kept.read().await.usable(clock.now(), &wanted) {
            return Ok(value);
        }
        let mut answer = read().await;
        if self.kept.read().await.value.is_none() {
            for _attempt in 1..FIRST_ATTEMPTS {
                if !matches!(&answer, Err(error) if error.may_pass()) {
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
                        tracing::warn!(%error, "keys of access tokens cannot be read; those read before serve on");
                        Ok(value)
                    }
                    None => Err(error),
                }
            }
        }
    }

    /// The value as it was read, however long ago.
    async fn known(&self) -> Option<Arc<T>> {
        self.kept.read().await.value.clone()
    }
}

/// A random part of a span.
fn jitter(random: &dyn Random, most: Duration) -> Duration {
    Duration::from_millis(random.up_to(u64::try_from(most.as_millis()).unwrap_or(u64::MAX)))
}

struct Signer {
    kid: String,
    key: EncodingKey,
}

/// Issues and checks access tokens. Keys are read at first use.
pub struct Tokens {
    config: TokenConfig,
    store: KeyStore,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    public: Cache<Published>,
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
        Self { config, store, clock, random, public: Cache::default(), signer: Cache::default() }
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
        let read = || async {
            let key = self.store.private().await?;
            let encoding = EncodingKey::from_ed_der(key.pkcs8.expose_secret());
            Ok(Signer { kid: key.kid, key: encoding })
        };
        // A key that is not published any more was revoked: the one that took its place signs.
        let published = self.public.known().await;
        let is_published = |signer: &Signer| {
            published.as_ref().is_none_or(|published| published.by_kid.contains_key(&signer.kid))
        };
        let signer = self.signer.get(&*self.clock, &*self.random, is_published, read).await?;
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
        let keys = self.keys(Some(&kid)).await?;
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
        Ok(self.keys(None).await?.jwks.clone())
    }

    /// The public keys: read again by one request before they are 5 minutes old, at a moment that
    /// differs from instance to instance, or when `kid` is not among them; but not within 10 seconds of a reading that failed or did not find such a `kid`, so that forged
    /// tokens cause no load.
    async fn keys(&self, kid: Option<&str>) -> Result<Arc<Published>, KeyError> {
        let wanted =
            |published: &Published| kid.is_none_or(|kid| published.by_kid.contains_key(kid));
        let read = || async { Ok(Published::new(self.store.public().await?)) };
        self.public.get(&*self.clock, &*self.random, wanted, read).await
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

impl AreaError for TokenError {
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
    async fn instances_that_start_together_read_again_at_different_times() {
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
    async fn one_request_refreshes_while_the_others_go_on() {
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
                let value = get(&cache, &clock, || async { panic!("a second reading") }).await;
                assert_eq!(value.unwrap(), 1);
            }
            go_on.notify_one();
        };
        let (refreshed, ()) = tokio::join!(slow, others);
        assert_eq!((refreshed.unwrap(), reads.into_inner()), (2, 1));
        assert_eq!(get(&cache, &clock, || async { panic!("fresh") }).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn a_refresh_that_fails_keeps_the_keys_for_an_hour() {
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
    async fn a_new_instance_asks_again_where_ssm_is_too_busy() {
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
        assert_eq!(reads.into_inner(), 1, "what does not pass is not asked again");
    }
}
