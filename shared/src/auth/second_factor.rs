//! The second factor: time-based codes (TOTP, RFC 6238), and recovery codes for a lost authenticator.

use secrecy::{ExposeSecret, SecretSlice, SecretString};
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp};

use super::{
    AuthError,
    failed_proofs::{self, Proof},
    guess,
    identity::Identity,
    limits::{self, OTP_BY_SOURCE},
};
use crate::{
    auth::{RequestContext, credentials::TotpCredential},
    clock::Timestamp,
    keys::vault::{SealScope, Sealed},
    models::account::AccountId,
    random::Random,
    store::{Key, Update, Writes},
};

/// Bytes of a secret: 160 bits (RFC 4226, section 4, requirement R6).
pub const SECRET_LEN: usize = 20;
/// Number of recovery codes per account.
pub const RECOVERY_CODES: usize = 10;
/// Characters of a recovery code, 5 bits each: 120 bits.
const RECOVERY_LETTERS: usize = 24;
/// The name shown in authenticator apps.
const ISSUER: &str = "Runeport";
/// The longest code accepted, in characters.
pub const LONGEST_CODE: usize = 64;

/// Binds an encrypted secret to its account.
fn purpose(account: AccountId) -> SealScope {
    SealScope { what: "totp", whose: account.0 }
}

/// The TOTP generator of a secret: SHA-1, 6 digits, 30 s, one step of skew. `name` is what authenticator apps
/// show next to the issuer.
fn totp(secret: &[u8], name: &str) -> Option<Totp> {
    Builder::new()
        .with_secret(Secret::from(secret.to_vec()))
        .with_issuer(Some(ISSUER))
        .with_account_name(name)
        .build()
        .ok()
}

/// The time step that `code` belongs to, if it is near `now` (RFC 6238, section 5.2).
fn matched_step(secret: &SecretSlice<u8>, code: &str, now: Timestamp) -> Option<u64> {
    // Only six digits are a code; the library would also accept codes with spaces.
    if code.len() != 6 || !code.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let seconds = u64::try_from(now.past_seconds()).ok()?;
    totp(secret.expose_secret(), "")?.check(code, seconds)
}

/// The result of a setup: what the authenticator app needs.
pub struct Setup {
    /// `otpauth://totp/...`, for a QR code.
    pub uri: SecretString,
    /// The secret in base32, for users who cannot scan.
    pub secret: SecretString,
    /// The encrypted secret, to be stored.
    pub pending: Sealed,
}

/// Generates a secret. `name` is the account's name in authenticator apps.
///
/// # Errors
/// [`AuthError::Vault`].
pub async fn set_up(app: &Identity, account: AccountId, name: &str) -> Result<Setup, AuthError> {
    let secret = zeroize::Zeroizing::new(app.random.bytes::<SECRET_LEN>());
    let pending = app.vault.seal(purpose(account), secret.as_slice()).await?;
    // The builder refuses secrets that are too short, and names with a colon.
    let uri = totp(secret.as_slice(), &name.replace(':', "")).and_then(|totp| totp.to_url().ok());
    let uri = uri.ok_or(crate::keys::vault::VaultError::Damaged)?;
    let secret = Secret::from(secret.to_vec()).to_base32();
    Ok(Setup { uri: uri.into(), secret: secret.into(), pending })
}

/// Which secret a code belongs to, and what must be written so that it is never accepted again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// A code of the active secret.
    Current {
        /// The active secret, encrypted.
        secret: Sealed,
        /// The code's time step.
        step: u64,
    },
    /// A code of the secret being set up, with its time step.
    Pending(u64),
    /// A recovery code, with the codes left before and after its use.
    Recovery {
        /// Hashes before its use.
        before: Vec<String>,
        /// Hashes after its use.
        after: Vec<String>,
    },
}

impl Accepted {
    /// Adds the writes that spend the code. `used` is the error if the code has been spent since it was
    /// checked.
    #[must_use]
    pub fn spend<E>(&self, writes: Writes<E>, account: AccountId, used: E) -> Writes<E> {
        let update = match self {
            Self::Current { secret, step } => Update::new()
                .set(TotpCredential::LAST_STEP, step)
                .if_below(TotpCredential::LAST_STEP, step)
                .if_equal(TotpCredential::SECRET, secret),
            Self::Pending(step) => Update::new()
                .set(TotpCredential::LAST_STEP, step)
                .if_below(TotpCredential::LAST_STEP, step),
            Self::Recovery { before, after } => Update::new()
                .set(TotpCredential::RECOVERY, after)
                .if_equal(TotpCredential::RECOVERY, before),
        };
        writes.update(&Key::totp(account), update, used)
    }
}

/// Counts an attempt, then determines which secret the code belongs to. Attempts are counted before the code
/// is checked, so concurrent attempts cannot exceed the limit; after a correct code [`forget_attempts`] gives
/// them back. A spent code is treated as wrong.
///
/// `device` is the hash of the device if the account knows it.
///
/// `setup` says whether a code of a secret being set up is accepted. Sign-in must not accept one, or anyone
/// who can start a setup could sign in with it.
///
/// # Errors
/// [`AuthError::Otp`], [`AuthError::OtpLocked`], [`AuthError::RateLimited`], [`AuthError::Store`],
/// [`AuthError::Vault`].
pub async fn check(
    app: &Identity,
    account: AccountId,
    credential: &TotpCredential,
    code: &str,
    setup: bool,
    context: &RequestContext,
    device: Option<&str>,
) -> Result<Accepted, AuthError> {
    limits::hit_source(app, OTP_BY_SOURCE, context.source_ip).await?;
    let counted = guess::SECOND_FACTOR.count(app, &account.to_string(), device).await;
    counted.map_err(|error| match error {
        AuthError::RateLimited { seconds } => AuthError::OtpLocked { seconds },
        error => error,
    })?;
    let now = app.clock.now();
    let opened = async |sealed: Option<&Sealed>| match sealed {
        Some(sealed) => app.vault.open(purpose(account), sealed).await.map(Some),
        None => Ok(None),
    };
    let step = |secret: Option<SecretSlice<u8>>| matched_step(&secret?, code, now);
    if let Some(secret) = &credential.secret
        && let Some(step) = step(opened(Some(secret)).await?)
        && step > credential.last_step
    {
        return Ok(Accepted::Current { secret: secret.clone(), step });
    }
    let pending = credential.pending.as_ref().filter(|_| setup);
    // No code of this secret has been used: `last_step` belongs to another secret.
    if let Some(step) = step(opened(pending).await?) {
        return Ok(Accepted::Pending(step));
    }
    let hash = recovery_hash(account, code);
    let before = credential.recovery.clone();
    let after: Vec<_> = before.iter().filter(|left| **left != hash).cloned().collect();
    if credential.secret.is_some() && after.len() < before.len() {
        return Ok(Accepted::Recovery { before, after });
    }
    failed_proofs::record(app, &account.to_string(), Proof::SecondFactor).await;
    Err(AuthError::Otp)
}

/// Gives back the attempts after a correct code, once the request it was for is done.
pub async fn forget_attempts(app: &Identity, account: AccountId, device: Option<&str>) {
    guess::SECOND_FACTOR.forgive(app, &account.to_string(), device).await;
}

/// Generates recovery codes, in groups of four characters for people to copy, and their hashes.
pub fn recovery_codes(random: &dyn Random, account: AccountId) -> (Vec<String>, Vec<String>) {
    let code = || {
        let letters: Vec<_> = random.code::<RECOVERY_LETTERS>().chars().collect();
        let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
        groups.join("-")
    };
    (0..RECOVERY_CODES)
        .map(|_| {
            let code = code();
            let hash = recovery_hash(account, &code);
            (code, hash)
        })
        .unzip()
}

/// SHA-256 of account and code, hex. With 120 random bits, no slow hash is needed. Case, spaces and dashes
/// are ignored, because people copy codes by hand.
fn recovery_hash(account: AccountId, code: &str) -> String {
    let letters = code.chars().filter(|c| !c.is_whitespace() && *c != '-');
    let code: String = letters.map(|c| c.to_ascii_uppercase()).collect();
    hex::encode(Sha256::digest(format!("{account}\0{code}")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects, clippy::indexing_slicing)]
mod tests {
    use std::collections::BTreeSet;

    use uuid::Uuid;

    use super::*;
    use crate::random::SystemSource;

    /// RFC 6238, appendix B, rows for SHA-1. A 6-digit code is the last 6 of the 8 digits.
    #[test]
    fn codes_match_the_vectors_of_rfc_6238() {
        let secret = SecretSlice::from(b"12345678901234567890".to_vec());
        for (seconds, code) in [
            (59_i64, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            let code = code.get(2..).unwrap();
            let at = Timestamp::from_seconds(seconds);
            let step = u64::try_from(seconds / 30).unwrap();
            assert_eq!(matched_step(&secret, code, at), Some(step), "{seconds}");
            // One step of skew in each direction (RFC 6238, section 5.2).
            for (off, taken) in [(-60, false), (-30, true), (30, true), (60, false)] {
                let at = Timestamp::from_seconds(seconds + off);
                assert_eq!(matched_step(&secret, code, at).is_some(), taken, "{seconds} {off}");
            }
        }
    }

    #[test]
    fn only_six_digits_are_accepted_as_a_code() {
        let secret = SecretSlice::from(b"12345678901234567890".to_vec());
        let at = Timestamp::from_seconds(59);
        assert!(matched_step(&secret, "287082", at).is_some());
        for code in ["", "28708", "2870822", "287 082", " 287082", "28708٢", "94287082"] {
            assert_eq!(matched_step(&secret, code, at), None, "{code}");
        }
    }

    #[test]
    fn recovery_codes_are_long_unique_and_tolerate_copying() {
        let account = AccountId(Uuid::from_u128(1));
        let (codes, hashes) = recovery_codes(&SystemSource, account);
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), RECOVERY_CODES);
        const { assert!(RECOVERY_LETTERS * 5 >= 120, "checklist 12: 120 bits") };
        let copied = codes[0].to_lowercase().replace('-', " ");
        assert_eq!(recovery_hash(account, &copied), hashes[0]);
        assert_ne!(recovery_hash(AccountId(Uuid::from_u128(2)), &codes[0]), hashes[0]);
        assert!(codes.iter().all(|code| code.len() == RECOVERY_LETTERS + 5));
    }
}
