//! An authenticator app for time-based codes (RFC 6238).

use base::clock::Timestamp;
use totp_rs::Totp;

/// The code at a moment for the secret of an `otpauth://` URI.
///
/// # Panics
/// The URI is invalid.
// For tests.
#[allow(clippy::expect_used)]
pub fn code_at(uri: &str, at: Timestamp) -> String {
    let totp = Totp::from_url(uri).expect("an otpauth URI");
    totp.generate(u64::try_from(at.past_seconds()).unwrap_or_default()).to_string()
}

/// A six-digit code that differs from the codes of all steps around a moment.
///
/// # Panics
/// The URI is invalid.
// For tests: sums of seconds do not overflow, and one of six candidates differs from five codes.
#[allow(clippy::expect_used)]
pub fn wrong_code_at(uri: &str, at: Timestamp) -> String {
    let around = [-60_000, -30_000, 0, 30_000, 60_000];
    let right = around.map(|ms| code_at(uri, Timestamp(at.0.saturating_add(ms))));
    let mut codes = (0..6).map(|n| format!("{n:06}"));
    codes.find(|code| !right.contains(code)).expect("six codes")
}
