//! Access tokens: JWTs (RFC 7519) of type `at+jwt` (RFC 9068, section 2.1), signed with Ed25519 (RFC 8037),
//! valid for 10 minutes.

use std::{
    collections::BTreeMap,
    num::NonZero,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use base::{
    cached::Cached,
    clock::{Clock, Timestamp},
    random::Random,
};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use lru::LruCache;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::signing::{Jwks, KeyError, KeyStore, PublicKeys};
use crate::{
    models::{
        account::{AccountId, Role},
        session::SessionId,
    },
    problem::{AsProblem, Problem},
};

base::section! {
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
/// How far ahead the clock of the issuing instance may be: a token that is valid only from later on is refused.
const LEEWAY: Duration = Duration::from_secs(5);
/// The name of the cached value in log lines.
const WHAT: &str = "the keys of access tokens";
const TOKEN_TYPE: &str = "at+jwt";
/// Longer than any token issued here, in bytes.
const LONGEST_TOKEN: usize = 4096;
/// Tokens whose signature an instance need not check again. A page makes several requests with one token.
const REMEMBERED: NonZero<usize> = NonZero::new(256).unwrap();

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
    /// From when on the token is valid. Tokens issued here have none: they are valid from `iat` on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nbf: Option<i64>,
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
    /// Claims of tokens that these keys have signed, by the SHA-256 of the token. They are forgotten with the keys, so a
    /// revoked key's are too.
    signed: Mutex<LruCache<[u8; 32], Claims>>,
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
    public: Cached<Published>,
}

/// Issues access tokens. Reads the key on first use.
pub struct TokenIssuer {
    tokens: Arc<Tokens>,
    keys: KeyStore,
    signer: Cached<Signer>,
}

impl Tokens {
    /// The tokens of this deployment. Reads nothing yet.
    pub fn new(
        config: TokenConfig,
        keys: PublicKeys,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Self {
        Self { config, keys, clock, random, public: Cached::new(WHAT) }
    }

    /// Checks a token's algorithm, type, key, signature, issuer, audience and times.
    ///
    /// The algorithm is pinned; `jku`, `jwk` and `x5u` headers are ignored.
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
        let hash = Sha256::digest(token).into();
        let claims = match keys.claims(&hash) {
            Some(claims) => claims,
            None => {
                let claims = self.check_signature(token, key)?;
                keys.remember(hash, claims.clone());
                claims
            }
        };
        let now = self.clock.now();
        let valid_from = claims.nbf.map_or(claims.iat, |nbf| nbf.max(claims.iat));
        if Timestamp::from_seconds(valid_from) > now.plus(LEEWAY) {
            return Err(Invalid("from the future"));
        }
        if Timestamp::from_seconds(claims.exp) <= now {
            return Err(Expired);
        }
        Ok(claims)
    }

    /// Checks a token's signature, issuer and audience. The caller checks the times.
    fn check_signature(&self, token: &str, key: &DecodingKey) -> Result<Claims, TokenError> {
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_issuer(&[&self.config.issuer]);
        rules.set_audience(&[&self.config.audience]);
        rules.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        // With the service's own clock.
        rules.validate_exp = false;
        rules.validate_nbf = false;
        let decoded = jsonwebtoken::decode::<Claims>(token, key, &rules);
        Ok(decoded.map_err(|_| TokenError::Invalid("signature or claims"))?.claims)
    }

    /// The public keys as published.
    ///
    /// # Errors
    /// [`KeyError`] if there are no usable keys in the cache and SSM fails.
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
        Self { tokens, keys, signer: Cached::new(WHAT) }
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
            nbf: None,
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
        Self { by_kid, jwks, signed: Mutex::new(LruCache::new(REMEMBERED)) }
    }

    fn claims(&self, hash: &[u8; 32]) -> Option<Claims> {
        self.signed.lock().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
    }

    fn remember(&self, hash: [u8; 32], claims: Claims) {
        self.signed.lock().unwrap_or_else(PoisonError::into_inner).put(hash, claims);
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
