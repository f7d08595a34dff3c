//! Time, injected, so that expiry and replay are tested without sleeping.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since the Unix epoch, UTC. A JSON number on the wire.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(transparent)]
#[schema(value_type = i64, example = 1_700_000_000_000_i64)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// This moment, later by `span`; stops at the largest moment there is.
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(millis(span)))
    }

    /// This moment, earlier by `span`.
    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(millis(span)))
    }

    /// Whole seconds since the epoch, rounded up: DynamoDB's TTL and the JWT claims count in those.
    pub fn seconds(self) -> i64 {
        self.0.saturating_add(999).div_euclid(1000)
    }

    /// Whole seconds since the epoch, rounded down.
    pub fn past_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The moment that many seconds after the epoch.
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(1000))
    }
}

impl From<Timestamp> for SystemTime {
    fn from(at: Timestamp) -> Self {
        let since_epoch = Duration::from_millis(u64::try_from(at.0).unwrap_or(0));
        UNIX_EPOCH.checked_add(since_epoch).unwrap_or(UNIX_EPOCH)
    }
}

fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

/// Tells the time.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(millis(since_epoch))
    }
}

/// A clock that is set by hand, for tests.
#[derive(Debug, Default)]
pub struct Hand(std::sync::atomic::AtomicI64);

impl Hand {
    /// It is that many milliseconds past the epoch now.
    pub fn set(&self, ms: i64) {
        self.0.store(ms, std::sync::atomic::Ordering::Relaxed);
    }
}

impl Clock for Hand {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(std::sync::atomic::Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_round_up_so_that_nothing_expires_early() {
        assert_eq!(Timestamp(1_000).seconds(), 1);
        assert_eq!(Timestamp(1_001).seconds(), 2);
        assert_eq!(Timestamp(-1).seconds(), 0);
    }

    #[test]
    fn arithmetic_saturates() {
        assert_eq!(Timestamp(i64::MAX).plus(Duration::from_secs(1)), Timestamp(i64::MAX));
        assert_eq!(Timestamp(0).plus(Duration::MAX), Timestamp(i64::MAX));
        assert_eq!(Timestamp::from_seconds(i64::MAX), Timestamp(i64::MAX));
    }
}
