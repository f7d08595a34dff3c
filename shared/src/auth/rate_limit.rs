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
    /// Its name in keys and in the table of limits.
    pub name: &'static str,
    /// What it counts, for the table of limits.
    pub counts: &'static str,
    /// Hits that are let through.
    pub most: u32,
    /// How long a window is.
    pub window: Duration,
    /// Whether each hit restarts the window.
    pub stretch: bool,
}

impl Limit {
    const fn new(name: &'static str, most: u32, minutes: u64) -> Self {
        let window = Duration::from_secs(minutes.saturating_mul(60));
        Self { name, counts: "", most, window, stretch: false }
    }
}

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $limit:expr;)+) => {
        $(
            $(#[doc = $doc])+
            pub const $name: Limit = Limit { counts: concat!($($doc),+), ..$limit };
        )+
        /// Every limit, in the order of the table.
        pub const ALL: &[Limit] = &[$($name),+];
    };
}

// The doc comment of a limit is its row in docs/reference/limits.md: `make reference`.
limits! {
    /// sign-ins and registrations
    SIGN_IN_BY_SOURCE = Limit::new("signInBySource", 100, 5);
    /// sign-ins of an account, counted once all of its factors are proved
    SIGN_IN_BY_ACCOUNT = Limit::new("signInByAccount", 60, 5);
    /// handshakes that begin a proof by password or passkey
    HANDSHAKE_BY_SOURCE = Limit::new("handshakeBySource", 60, 5);
    /// handshakes that begin a proof by password for one account, on one device that it knows
    HANDSHAKE_BY_DEVICE = Limit::new("handshakeByDevice", 20, 15);
    /// wallet challenges
    CHALLENGE_BY_SOURCE = Limit::new("challengeBySource", 120, 5);
    /// wallet challenges that an account asks for with a token
    CHALLENGE_BY_ACCOUNT = Limit::new("challengeByAccount", 60, 5);
    // The fifth wrong code locks the second factor for a quarter of an hour.
    /// codes since the last right one, on one device that the account knows; each restarts the window
    OTP_BY_DEVICE = Limit { stretch: true, ..Limit::new("otpByDevice", 5, 15) };
    /// codes of second factors
    OTP_BY_SOURCE = Limit::new("otpBySource", 60, 15);
    /// changes of the e-mail address that an account asks for, and repeated verification mails
    EMAIL_BY_ACCOUNT = Limit::new("emailByAccount", 3, 60);
    /// tries of mailed tokens, on one device that the account knows
    EMAIL_TOKEN_BY_DEVICE = Limit::new("emailTokenByDevice", 20, 10);
    /// tries of one mailed token for a change of the address (custody rule 20), on one known device or on
    /// all other devices together
    EMAIL_TOKEN_BY_ACCOUNT = Limit::new("emailTokenByAccount", 5, 10);
    /// mails with a link that accounts ask for
    EMAIL_BY_SOURCE = Limit::new("emailBySource", 10, 60);
    /// mails with a link to one address: those that one account repeats, those of registrations from one
    /// source, and those of changes to it
    EMAIL_BY_ADDRESS = Limit::new("emailByAddress", 5, 60);
    /// registrations with an e-mail address
    REGISTRATION_BY_SOURCE = Limit::new("registrationBySource", 50, 60);
    // Mails that an account asks for afterwards count for that account alone (custody rule 27).
    /// mails with a link to one address that registrations cause, from all sources together; beyond them a
    /// registration succeeds and mails nothing, and its account can ask for the mail
    REGISTRATION_MAIL_BY_ADDRESS = Limit::new("registrationMailByAddress", 20, 60);
    // A client that does not keep its device's token is a new device at every sign-in.
    /// mails to an account about new devices; later sign-ins are in its audit trail alone
    NEW_DEVICE_BY_ACCOUNT = Limit::new("newDeviceByAccount", 20, 24 * 60);
    // Each reads the chain.
    /// Bitcoin transactions that an account creates or signs
    TRANSACTION_BY_ACCOUNT = Limit::new("transactionByAccount", 60, 5);
    // Each reserves outputs of the treasury (custody rule 9).
    /// refunds that an account created and did not sign in time; beyond it, the account creates none
    REFUND_EXPIRY_BY_ACCOUNT = Limit::new("refundExpiryByAccount", 3, 60);
    /// calculations of refunds, which need no token
    REFUND_BY_SOURCE = Limit::new("refundBySource", 120, 5);
    // The hub is asked about each.
    /// swaps that an account registers
    SWAP_BY_ACCOUNT = Limit::new("swapByAccount", 60, 60);
    /// calls for forms to upload media
    MEDIA_BY_ACCOUNT = Limit::new("mediaByAccount", 20, 60);
    /// exports of histories that an account asks for
    EXPORT_BY_ACCOUNT = Limit::new("exportByAccount", 10, 60);
    // The venue limits how much one source asks a minute.
    /// calls of an account about a wallet at the perpetuals venue
    VENUE_BY_ACCOUNT = Limit::new("venueByAccount", 60, 5);
}

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
    fn limits_have_names_of_their_own() {
        let names: HashSet<_> = ALL.iter().map(|limit| limit.name).collect();
        assert_eq!(names.len(), ALL.len());
    }

    #[test]
    fn retry_after_is_a_second_or_more() {
        assert_eq!(retry_after(Timestamp(10_500), Timestamp(10_000)), 1);
        assert_eq!(retry_after(Timestamp(12_001), Timestamp(10_000)), 3);
        assert_eq!(retry_after(Timestamp(0), Timestamp(10_000)), 1);
    }
}
