//! Sessions: what a sign-in opens, and what its tokens name.

use std::{net::IpAddr, time::Duration};

use serde::{Deserialize, Serialize};

use super::account::{Account, AccountId};
use crate::clock::Timestamp;

/// A session may idle this long: the life of a refresh token.
pub const IDLE_LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// A session ends this long after its sign-in, however often it was refreshed.
pub const ABSOLUTE_LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

super::id!(
    /// A session's id: the `sid` of its access tokens.
    SessionId,
    "must be a session id, a UUID",
    "018bcfe5-6800-7000-8000-000000000002"
);

/// A session, as stored: a family of refresh tokens, of which the newest alone is good.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id, the `sid` of its access tokens.
    pub id: SessionId,
    /// Whose it is.
    pub account_id: AccountId,
    /// The account's epoch that it belongs to.
    pub epoch: u64,
    /// SHA-256 of the refresh token that is good now, hex.
    pub refresh_hash: String,
    /// When its owner proved to be there: the `auth_time` of its access tokens.
    pub auth_time: Timestamp,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was last refreshed.
    pub last_used_at: Timestamp,
    /// When its refresh token ends, whole seconds since the epoch (DynamoDB's TTL attribute).
    pub expires_at: i64,
    /// The client program, as it named itself at sign-in.
    pub user_agent: Option<String>,
    /// Where the gateway saw it at sign-in.
    pub source_ip: Option<IpAddr>,
}

impl Session {
    /// Whether it is over at `now`. DynamoDB deletes late, so every read asks.
    pub fn is_over(&self, now: Timestamp) -> bool {
        Timestamp::from_seconds(self.expires_at) <= now
    }

    /// Whether it may be used at `now` by the account that it is of: not over, and of the account's
    /// present epoch (custody rule 19).
    pub fn is_alive(&self, account: &Account, now: Timestamp) -> bool {
        self.epoch == account.epoch && !self.is_over(now)
    }

    /// When its refresh token ends if it is refreshed at `now`, whole seconds since the epoch.
    pub fn expiry(auth_time: Timestamp, now: Timestamp) -> i64 {
        now.plus(IDLE_LIFETIME).min(auth_time.plus(ABSOLUTE_LIFETIME)).seconds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_idles_a_week_and_lives_a_month() {
        const DAY: i64 = 24 * 60 * 60;
        let start = Timestamp::from_seconds(0);
        assert_eq!(Session::expiry(start, start), 7 * DAY);
        assert_eq!(Session::expiry(start, Timestamp::from_seconds(20 * DAY)), 27 * DAY);
        assert_eq!(Session::expiry(start, Timestamp::from_seconds(29 * DAY)), 30 * DAY);
    }
}
