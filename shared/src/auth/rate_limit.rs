//! Rate limits, per account and per source address.
//!
//! A limit of an account that strangers could use up would lock its owner out, so none of them
//! counts what comes before a proof. What is guessed is slowed by [`super::guess`] instead.

use std::{net::IpAddr, time::Duration};

use sha2::{Digest, Sha256};

use super::AuthError;
use crate::{
    app::App,
    clock::Timestamp,
    store::{Key, StoreError},
};

/// So many hits in a window that the first one opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Its name in keys and in the README's table.
    pub name: &'static str,
    /// Hits that are let through.
    pub most: u32,
    /// How long a window is.
    pub window: Duration,
    /// Whether each hit lets the window begin anew.
    pub stretch: bool,
}

impl Limit {
    const fn new(name: &'static str, most: u32, minutes: u64) -> Self {
        Self { name, most, window: Duration::from_secs(minutes.saturating_mul(60)), stretch: false }
    }
}

/// Sign-ins and registrations from a source.
pub const SIGN_IN_BY_SOURCE: Limit = Limit::new("signInBySource", 100, 5);
/// Sign-ins of an account, counted once all of its factors are proved.
pub const SIGN_IN_BY_ACCOUNT: Limit = Limit::new("signInByAccount", 60, 5);
/// Beginnings of a handshake (SRP, passkey) from a source.
pub const HANDSHAKE_BY_SOURCE: Limit = Limit::new("handshakeBySource", 60, 5);
/// Beginnings of an SRP handshake for an account on a device that it knows.
pub const HANDSHAKE_BY_DEVICE: Limit = Limit::new("handshakeByDevice", 20, 15);
/// Wallet challenges from a source.
pub const CHALLENGE_BY_SOURCE: Limit = Limit::new("challengeBySource", 120, 5);
/// Wallet challenges that an account asks for.
pub const CHALLENGE_BY_ACCOUNT: Limit = Limit::new("challengeByAccount", 60, 5);
/// Codes of a second factor since the last right one, on a device that the account knows: the fifth
/// wrong one locks it for a quarter of an hour (decisions, section 6).
pub const OTP_BY_DEVICE: Limit = Limit { stretch: true, ..Limit::new("otpByDevice", 5, 15) };
/// Codes of second factors from a source.
pub const OTP_BY_SOURCE: Limit = Limit::new("otpBySource", 60, 15);
/// Changes of the e-mail address that an account asks for (decisions, section 7), and repeated
/// verification mails.
pub const EMAIL_BY_ACCOUNT: Limit = Limit::new("emailByAccount", 3, 60);
/// Tries of mailed tokens on a device that the account knows.
pub const EMAIL_TOKEN_BY_DEVICE: Limit = Limit::new("emailTokenByDevice", 20, 10);
/// Tries of one mailed token (custody rule 20), on a device that the account knows or on all others
/// together.
pub const EMAIL_TOKEN_BY_ACCOUNT: Limit = Limit::new("emailTokenByAccount", 5, 10);
/// Registrations with an e-mail address, from a source.
pub const REGISTRATION_BY_SOURCE: Limit = Limit::new("registrationBySource", 50, 60);
/// Mails that accounts cause from a source (decisions, section 7).
pub const EMAIL_BY_SOURCE: Limit = Limit::new("emailBySource", 10, 60);
/// Mails with a link to an address: those that its own account asks for, and those that all others
/// do who want to change to it.
pub const EMAIL_BY_ADDRESS: Limit = Limit::new("emailByAddress", 5, 60);
/// Mails that registrations cause to one address, from all sources together. Mails that an account
/// asks for afterwards are counted for that account alone, so that strangers never stop them (custody
/// rule 27).
pub const REGISTRATION_MAIL_BY_ADDRESS: Limit = Limit::new("registrationMailByAddress", 20, 60);
/// Mails to an account about new devices: clients that do not keep their device's token are a new
/// device at every sign-in.
pub const NEW_DEVICE_BY_ACCOUNT: Limit = Limit::new("newDeviceByAccount", 20, 24 * 60);
/// Bitcoin transactions that an account creates or signs: each reads the chain.
pub const TRANSACTION_BY_ACCOUNT: Limit = Limit::new("transactionByAccount", 60, 5);
/// Refunds of an account that nobody signed: each reserves outputs of the treasury (custody rule 9).
pub const REFUND_EXPIRY_BY_ACCOUNT: Limit = Limit::new("refundExpiryByAccount", 3, 60);
/// Calculations of refunds from a source: everybody may ask.
pub const REFUND_BY_SOURCE: Limit = Limit::new("refundBySource", 120, 5);
/// Swaps that an account registers: the hub is asked about each.
pub const SWAP_BY_ACCOUNT: Limit = Limit::new("swapByAccount", 60, 60);
/// Calls for forms that an account uploads media with.
pub const MEDIA_BY_ACCOUNT: Limit = Limit::new("mediaByAccount", 20, 60);
/// Exports of histories that an account asks for.
pub const EXPORT_BY_ACCOUNT: Limit = Limit::new("exportByAccount", 10, 60);
/// Calls of an account about a wallet at the perpetuals venue, which lets one source ask so much a
/// minute.
pub const VENUE_BY_ACCOUNT: Limit = Limit::new("venueByAccount", 60, 5);

/// Every limit, in the order of the README's table.
pub const ALL: &[Limit] = &[
    SIGN_IN_BY_SOURCE,
    SIGN_IN_BY_ACCOUNT,
    HANDSHAKE_BY_SOURCE,
    HANDSHAKE_BY_DEVICE,
    CHALLENGE_BY_SOURCE,
    CHALLENGE_BY_ACCOUNT,
    OTP_BY_DEVICE,
    OTP_BY_SOURCE,
    EMAIL_BY_ACCOUNT,
    EMAIL_TOKEN_BY_DEVICE,
    EMAIL_TOKEN_BY_ACCOUNT,
    EMAIL_BY_SOURCE,
    EMAIL_BY_ADDRESS,
    REGISTRATION_BY_SOURCE,
    REGISTRATION_MAIL_BY_ADDRESS,
    NEW_DEVICE_BY_ACCOUNT,
    TRANSACTION_BY_ACCOUNT,
    REFUND_EXPIRY_BY_ACCOUNT,
    REFUND_BY_SOURCE,
    SWAP_BY_ACCOUNT,
    MEDIA_BY_ACCOUNT,
    EXPORT_BY_ACCOUNT,
    VENUE_BY_ACCOUNT,
];

/// Counts a hit: one atomic write, and a second one where the window is open already.
///
/// # Errors
/// [`AuthError::RateLimited`]; [`AuthError::Store`].
pub async fn hit(app: &App, limit: Limit, subject: &str) -> Result<(), AuthError> {
    let key = Key::limit(limit.name, subject);
    match app.store.hit(&key, limit.most, limit.window, limit.stretch).await? {
        Ok(()) => Ok(()),
        Err(until) => Err(AuthError::limited_until(until, app.clock.now())),
    }
}

/// Counts a hit that has happened, whatever the limit says.
///
/// # Errors
/// [`StoreError`].
pub async fn count(app: &App, limit: Limit, subject: &str) -> Result<(), StoreError> {
    let key = Key::limit(limit.name, subject);
    app.store.hit(&key, limit.most, limit.window, limit.stretch).await.map(drop)
}

/// Refuses where a limit is used up, without counting.
///
/// # Errors
/// As [`hit`].
pub async fn check(app: &App, limit: Limit, subject: &str) -> Result<(), AuthError> {
    match app.store.window(&Key::limit(limit.name, subject), limit.most).await? {
        None => Ok(()),
        Some(until) => Err(AuthError::limited_until(until, app.clock.now())),
    }
}

/// Counts a hit of the source of a request; nothing where there is none, which is so where no
/// gateway stands in front.
///
/// # Errors
/// As [`hit`].
pub async fn hit_source(app: &App, limit: Limit, source: Option<IpAddr>) -> Result<(), AuthError> {
    match source.map(subject_of) {
        Some(subject) => hit(app, limit, &subject).await,
        None => Ok(()),
    }
}

/// What a source address counts as: an IPv6 address as its network of 64 bits, which one customer
/// has for himself (RFC 6177).
pub fn subject_of(source: IpAddr) -> String {
    match source.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            format!("{}/64", std::net::Ipv6Addr::from_bits(network))
        }
    }
}

/// What an e-mail address counts as: see [`subject_of_name`].
pub fn subject_of_email(address: &crate::models::email::EmailAddress) -> String {
    subject_of_name(address.as_str())
}

/// What the name of an account counts as, which it may not have: SHA-256, hex, so that rows of limits
/// hold no address.
pub fn subject_of_name(name: &str) -> String {
    hex::encode(Sha256::digest(name))
}

/// Whole seconds from `now` until a window ends, at least one: the header `Retry-After`.
pub(super) fn retry_after(until: Timestamp, now: Timestamp) -> u64 {
    let left = until.0.saturating_sub(now.0).saturating_add(999).div_euclid(1000);
    u64::try_from(left).unwrap_or(0).max(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_v6_customer_is_one_source() {
        for (source, subject) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ] {
            assert_eq!(subject_of(source.parse().unwrap()), subject);
        }
    }

    #[test]
    fn limits_have_names_of_their_own_and_stand_in_the_readme() {
        let names: HashSet<_> = ALL.iter().map(|limit| limit.name).collect();
        assert_eq!(names.len(), ALL.len());
        let readme = include_str!("../../../README.md");
        for limit in ALL {
            let minutes = limit.window.as_secs().checked_div(60).unwrap();
            let row = format!("| `{}` | {} | {minutes} min |", limit.name, limit.most);
            assert!(readme.contains(&row), "README: {row}");
        }
    }

    #[test]
    fn retry_after_is_a_second_or_more() {
        assert_eq!(retry_after(Timestamp(10_500), Timestamp(10_000)), 1);
        assert_eq!(retry_after(Timestamp(12_001), Timestamp(10_000)), 3);
        assert_eq!(retry_after(Timestamp(0), Timestamp(10_000)), 1);
    }
}
