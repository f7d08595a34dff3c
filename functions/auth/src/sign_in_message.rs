//! The message for a sign-in without a challenge: a template of the deployment that ends in a timestamp.

use std::{fmt, str::FromStr, time::Duration};

use base::clock::Timestamp;
use shared::auth::AuthError;

const TIMESTAMP: &str = "{timestamp}";
const ADDRESS: &str = "{address}";

/// The longest message accepted, in bytes.
pub const LONGEST: usize = 1_024;
/// The longest filled-in template before its timestamp, in bytes.
const LONGEST_TEXT: usize = LONGEST - 13;
/// The longest Bitcoin address (a Taproot address of regtest), in bytes.
const LONGEST_ADDRESS: usize = 64;

/// How long a signed message is valid.
pub const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// How far a client's clock may run ahead.
pub const SKEW: Duration = Duration::from_secs(60);

/// The messages that are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInMessage {
    /// Exactly this text, with `{address}` and the closing `{timestamp}` (ms since the epoch) filled in.
    Template(String),
    /// Any text that ends in the timestamp. It accepts signatures that another site asked for, so only local
    /// environments may use it (custody rule 17).
    AnyText,
}

/// Why a message is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignInMessageError {
    /// The text is not the deployment's.
    #[error("The message is not this service's sign-in message.")]
    NotOurs,
    /// Older than [`LIFETIME`].
    #[error("The message is more than 5 minutes old. Sign a new one.")]
    TooOld,
    /// More than [`SKEW`] ahead of the service's clock.
    #[error("The message is dated in the future. Check the clock of your device.")]
    FromTheFuture,
}

impl From<SignInMessageError> for AuthError {
    fn from(error: SignInMessageError) -> Self {
        Self::Message(error.to_string())
    }
}

impl SignInMessage {
    /// Checks that `message`, signed by the canonical `address`, is accepted at `now`.
    ///
    /// # Errors
    /// [`SignInMessageError::NotOurs`] if the text is not the deployment's; [`SignInMessageError::TooOld`] or
    /// [`SignInMessageError::FromTheFuture`] if its time is not accepted.
    pub fn check(
        &self,
        message: &str,
        address: &str,
        now: Timestamp,
    ) -> Result<(), SignInMessageError> {
        use SignInMessageError::{FromTheFuture, NotOurs, TooOld};
        let timestamp = match self {
            Self::Template(template) => {
                let text = template.strip_suffix(TIMESTAMP).ok_or(NotOurs)?;
                message.strip_prefix(text.replace(ADDRESS, address).as_str())
            }
            Self::AnyText => {
                let text = message.trim_end_matches(|c: char| c.is_ascii_digit());
                message.strip_prefix(text)
            }
        };
        let signed_at = timestamp.and_then(moment).ok_or(NotOurs)?;
        if signed_at < now.minus(LIFETIME) {
            Err(TooOld)
        } else if signed_at > now.plus(SKEW) {
            Err(FromTheFuture)
        } else {
            Ok(())
        }
    }
}

/// Parses a timestamp in milliseconds. It has 13 digits until the year 2286, and each time has exactly one
/// text.
fn moment(digits: &str) -> Option<Timestamp> {
    let canonical = digits.len() == 13
        && !digits.starts_with('0')
        && digits.bytes().all(|b| b.is_ascii_digit());
    canonical.then(|| digits.parse().ok().map(Timestamp)).flatten()
}

impl FromStr for SignInMessage {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "*" {
            return Ok(Self::AnyText);
        }
        let before = text.strip_suffix(TIMESTAMP).unwrap_or_default();
        if before.trim().is_empty() {
            Err("must be a text that ends in {timestamp}")
        } else if before.replace(ADDRESS, "").contains(['{', '}']) {
            Err("may contain {address}, and {timestamp} at its end, but no other braces")
        } else if before.replace(ADDRESS, &"x".repeat(LONGEST_ADDRESS)).len() > LONGEST_TEXT {
            Err("is too long")
        } else {
            Ok(Self::Template(text.to_owned()))
        }
    }
}

impl fmt::Display for SignInMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Template(template) => template,
            Self::AnyText => "*",
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_700_000_000_000);

    fn check(template: &str, message: &str) -> Result<(), SignInMessageError> {
        template.parse::<SignInMessage>().unwrap().check(message, "bc1qme", NOW)
    }

    #[test]
    fn custody_17_the_template_matches_byte_for_byte() {
        let template = "Sign in to Runeport as {address}: {timestamp}";
        let good = "Sign in to Runeport as bc1qme: 1700000000000";
        assert_eq!(check(template, good), Ok(()));
        for bad in [
            "Sign in to Runeport as bc1qyou: 1700000000000",
            " Sign in to Runeport as bc1qme: 1700000000000",
            "Sign in to Runeport as bc1qme:  1700000000000",
            "Sign in to Runeport as bc1qme: 1700000000000\n",
            "Sign in to Runeport as bc1qme: 01700000000000",
            "Sign in to Runeport as bc1qme: +1700000000000",
            "Sign in to Runeport as bc1qme: ",
            "Sign in to Evil as bc1qme: 1700000000000",
            "1700000000000",
            "",
        ] {
            assert_eq!(check(template, bad), Err(SignInMessageError::NotOurs), "{bad:?}");
        }
    }

    #[test]
    fn a_template_may_end_in_a_digit() {
        assert_eq!(check("v1{timestamp}", "v11700000000000"), Ok(()));
    }

    #[test]
    fn custody_17_the_time_is_recent() {
        for (at, expected) in [
            (1_699_999_700_000_i64, Ok(())),
            (1_699_999_699_999, Err(SignInMessageError::TooOld)),
            (1_700_000_060_000, Ok(())),
            (1_700_000_060_001, Err(SignInMessageError::FromTheFuture)),
        ] {
            assert_eq!(check("Hello {timestamp}", &format!("Hello {at}")), expected, "{at}");
            assert_eq!(check("*", &format!("anything é {at}")), expected, "{at}");
        }
    }

    #[test]
    fn only_templates_that_end_in_the_timestamp_are_accepted() {
        for bad in [
            "",
            "{timestamp}",
            "text",
            "{timestamp} text",
            "{timestamp}a{timestamp}",
            "{name} {timestamp}",
            "} {timestamp}",
        ] {
            assert!(bad.parse::<SignInMessage>().is_err(), "{bad:?}");
        }
    }
}
