//! Sessions: opened by a sign-in and named in its tokens.

use std::{net::IpAddr, time::Duration};

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};

use super::account::{Account, AccountId};

/// How long a session may be idle: the lifetime of a refresh token.
pub const IDLE_LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A session ends this long after it was opened, however often it is refreshed.
pub const ABSOLUTE_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

super::id!(
    /// A session's id: the `sid` of its access tokens.
    SessionId,
    "must be a session id, a UUID",
    "018bcfe5-6800-7000-8000-000000000002"
);

/// A session as stored: a chain of refresh tokens, of which the newest is active.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id, the `sid` of its access tokens.
    pub id: SessionId,
    /// The account it belongs to.
    pub account_id: AccountId,
    /// The account's epoch in which it was opened.
    pub epoch: u64,
    /// SHA-256 of the current refresh token, hex.
    pub refresh_hash: String,
    /// When the owner last authenticated in it: the `auth_time` of its access tokens.
    pub auth_time: Timestamp,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was last refreshed.
    pub last_used_at: Timestamp,
    /// When its refresh token expires, whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
    /// The client software, from the `User-Agent` at sign-in.
    pub user_agent: Option<String>,
    /// The source address that the gateway saw at sign-in.
    pub source_ip: Option<IpAddr>,
    /// The mark of the device that refreshed it last.
    pub refreshed_on: Option<String>,
    /// The mark of the last other device that received the same refresh token again.
    pub repeated_on: Option<String>,
}

impl Session {
    /// Whether it has expired at `now`. DynamoDB deletes expired rows late, so every read checks.
    pub fn is_over(&self, now: Timestamp) -> bool {
        Timestamp::from_seconds(self.expires_at) <= now
    }

    /// Whether the account may use it at `now`: not expired, and of the account's current epoch (custody rule
    /// 19).
    pub fn is_alive(&self, account: &Account, now: Timestamp) -> bool {
        self.epoch == account.epoch && !self.is_over(now)
    }

    /// When the refresh token of a refresh at `now` expires, whole seconds since the epoch. Authenticating
    /// again does not extend a session.
    pub fn expiry(created_at: Timestamp, now: Timestamp) -> i64 {
        now.plus(IDLE_LIFETIME).min(created_at.plus(ABSOLUTE_LIFETIME)).seconds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_may_idle_a_week_and_lasts_a_month() {
        const DAY: i64 = 24 * 60 * 60;
        let start = Timestamp::from_seconds(0);
        assert_eq!(Session::expiry(start, start), 7 * DAY);
        assert_eq!(Session::expiry(start, Timestamp::from_seconds(20 * DAY)), 27 * DAY);
        assert_eq!(Session::expiry(start, Timestamp::from_seconds(29 * DAY)), 30 * DAY);
    }
}
