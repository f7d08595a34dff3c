//! The second factor: time-based codes (TOTP, RFC 6238), and recovery codes for a lost authenticator.

use std::str::FromStr;

use base::{clock::Timestamp, random::Random};
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use sha2::{Digest, Sha256};
use shared::{
    auth::{
        AuthError, RequestContext,
        limits::{self, OTP_BY_SOURCE},
    },
    crypto::vault::{SealScope, Sealed},
    keys,
    models::account::AccountId,
};
use store::{Update, Writes};
use totp_rs::{Builder, Secret, Totp};

use crate::{
    Identity,
    credentials::TotpCredential,
    failed_proofs::{self, Proof},
    guess,
};

/// Bytes of a secret: 160 bits (RFC 4226, section 4, requirement R6).
pub const SECRET_LEN: usize = 20;
/// Number of recovery codes per account.
pub const RECOVERY_CODES: usize = 10;
/// Digits of a code of an authenticator app.
const TOTP_DIGITS: usize = 6;
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

/// A code as a person typed it. Authenticator apps show `123 456`, and recovery codes are copied by hand, so
/// white space, dashes and case do not count.
#[derive(Clone)]
pub enum Code {
    /// Six digits of an authenticator app.
    Totp(String),
    /// A recovery code, without the spaces and hyphens that people type.
    Recovery(String),
}

/// The text cannot be a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 6 digits or a recovery code")]
pub struct NotACode;

impl FromStr for Code {
    type Err = NotACode;

    fn from_str(text: &str) -> Result<Self, NotACode> {
        let typed = text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-');
        let letters: String = typed.map(|letter| letter.to_ascii_uppercase()).collect();
        let is_digits = letters.bytes().all(|byte| byte.is_ascii_digit());
        let is_code = letters.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match letters.len() {
            TOTP_DIGITS if is_digits => Ok(Self::Totp(letters)),
            RECOVERY_LETTERS if is_code => Ok(Self::Recovery(letters)),
            _ => Err(NotACode),
        }
    }
}

/// The time step that these digits belong to, if it is near `now` (RFC 6238, section 5.2).
fn matched_step(secret: &SecretSlice<u8>, digits: &str, now: Timestamp) -> Option<u64> {
    let seconds = u64::try_from(now.past_seconds()).ok()?;
    totp(secret.expose_secret(), "")?.check(digits, seconds)
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
/// [`AuthError::Vault`] if the secret cannot be encrypted.
pub async fn set_up(app: &Identity, account: AccountId, name: &str) -> Result<Setup, AuthError> {
    let secret = zeroize::Zeroizing::new(app.random.bytes::<SECRET_LEN>());
    let pending = app.vault.seal(purpose(account), secret.as_slice()).await?;
    // The builder refuses secrets that are too short, and names with a colon.
    let uri = totp(secret.as_slice(), &name.replace(':', "")).and_then(|totp| totp.to_url().ok());
    let uri = uri.ok_or(shared::crypto::vault::VaultError::Damaged)?;
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
        writes.update(&keys::totp(account), update, used)
    }
}

/// Counts an attempt, then determines which secret the code belongs to. Attempts are counted before the code
/// is checked, so concurrent attempts cannot exceed the limit; after a correct code, [`forget_attempts`]
/// gives them back. A code that was already used is treated as wrong.
///
/// `device` is the hash of the device if the account knows it.
///
/// `setup` says whether a code of a secret that is being set up is accepted. Sign-in must not accept one:
/// otherwise anyone who can start a setup could sign in with it.
///
/// # Errors
/// [`AuthError::Otp`] if the code is wrong or used; [`AuthError::OtpLocked`] after too many attempts for the
/// account; [`AuthError::RateLimited`] after too many from the source; [`AuthError::Vault`] if a secret
/// cannot be decrypted; [`AuthError::Store`] if the store fails.
pub async fn check(
    app: &Identity,
    account: AccountId,
    credential: &TotpCredential,
    code: &Code,
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
    let accepted = match code {
        Code::Totp(digits) => check_digits(app, account, credential, digits, setup).await?,
        Code::Recovery(letters) => check_recovery(account, credential, letters),
    };
    if let Some(accepted) = accepted {
        return Ok(accepted);
    }
    failed_proofs::record(app, &account.to_string(), Proof::SecondFactor).await;
    Err(AuthError::Otp)
}

async fn check_digits(
    app: &Identity,
    account: AccountId,
    credential: &TotpCredential,
    digits: &str,
    setup: bool,
) -> Result<Option<Accepted>, AuthError> {
    let now = app.clock.now();
    let opened = async |sealed: Option<&Sealed>| match sealed {
        Some(sealed) => app.vault.open(purpose(account), sealed).await.map(Some),
        None => Ok(None),
    };
    let step = |secret: Option<SecretSlice<u8>>| matched_step(&secret?, digits, now);
    if let Some(secret) = &credential.secret
        && let Some(step) = step(opened(Some(secret)).await?)
        && step > credential.last_step
    {
        return Ok(Some(Accepted::Current { secret: secret.clone(), step }));
    }
    let pending = credential.pending.as_ref().filter(|_| setup);
    // No code of this secret has been used yet: `last_step` belongs to another secret.
    Ok(step(opened(pending).await?).map(Accepted::Pending))
}

fn check_recovery(
    account: AccountId,
    credential: &TotpCredential,
    letters: &str,
) -> Option<Accepted> {
    let hash = recovery_hash(account, letters);
    let before = credential.recovery.clone();
    let after: Vec<_> = before.iter().filter(|left| **left != hash).cloned().collect();
    let is_left = credential.secret.is_some() && after.len() < before.len();
    is_left.then_some(Accepted::Recovery { before, after })
}

/// Gives back the attempts after a correct code, once its request has succeeded.
pub async fn forget_attempts(app: &Identity, account: AccountId, device: Option<&str>) {
    guess::SECOND_FACTOR.forgive(app, &account.to_string(), device).await;
}

/// Generates recovery codes, in groups of four characters so that people can copy them, and their hashes.
pub fn recovery_codes(random: &dyn Random, account: AccountId) -> (Vec<String>, Vec<String>) {
    (0..RECOVERY_CODES)
        .map(|_| {
            let letters = random.code::<RECOVERY_LETTERS>();
            let hash = recovery_hash(account, &letters);
            (in_groups(&letters), hash)
        })
        .unzip()
}

fn in_groups(letters: &str) -> String {
    let letters: Vec<_> = letters.chars().collect();
    let groups: Vec<String> = letters.chunks(4).map(|group| group.iter().collect()).collect();
    groups.join("-")
}

/// SHA-256 of account and letters of a recovery code, hex. With 120 random bits, no slow hash is needed.
fn recovery_hash(account: AccountId, letters: &str) -> String {
    hex::encode(Sha256::digest(format!("{account}\0{letters}")))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects, clippy::indexing_slicing)]
mod tests {
    use std::collections::BTreeSet;

    use base::random::SystemSource;
    use uuid::Uuid;

    use super::*;

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
    fn six_digits_or_a_recovery_code_are_a_code() {
        let recovery = "0123-4567-89AB-CDEF-GHJK-MNPQ";
        for text in
            ["287082", "287 082", " 287082\n", "287\u{a0}082", "2-8-7-0-8-2", "287\u{2009}082"]
        {
            assert!(matches!(text.parse(), Ok(Code::Totp(digits)) if digits == "287082"), "{text}");
        }
        for text in [recovery, &recovery.to_lowercase(), &recovery.replace('-', " ")] {
            let letters = recovery.replace('-', "");
            assert!(matches!(text.parse(), Ok(Code::Recovery(code)) if code == letters), "{text}");
        }
        let longer = format!("{recovery}0");
        for text in [
            "",
            " ",
            "28708",
            "2870822",
            "28708\u{662}",
            "94287082",
            "abcdef",
            "x",
            &recovery[1..],
            &longer,
        ] {
            assert!(text.parse::<Code>().is_err(), "{text}");
        }
    }

    #[test]
    fn recovery_codes_are_long_unique_and_tolerate_copying() {
        let account = AccountId(Uuid::from_u128(1));
        let (codes, hashes) = recovery_codes(&SystemSource, account);
        assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), RECOVERY_CODES);
        const { assert!(RECOVERY_LETTERS * 5 >= 120, "checklist 12: 120 bits") };
        let copied = codes[0].to_lowercase().replace('-', " ");
        let Ok(Code::Recovery(letters)) = copied.parse() else { panic!("no code: {copied}") };
        assert_eq!(recovery_hash(account, &letters), hashes[0]);
        assert_ne!(recovery_hash(AccountId(Uuid::from_u128(2)), &letters), hashes[0]);
        assert!(codes.iter().all(|code| code.len() == RECOVERY_LETTERS + 5));
    }
}
