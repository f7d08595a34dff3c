//! The local world's clock: the machine's clock plus an offset, so that tests can make things expire.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use shared::clock::{Clock, SystemClock, Timestamp};

/// The machine's clock plus an offset.
#[derive(Debug, Default)]
pub struct LocalClock {
    offset_ms: AtomicI64,
}

impl LocalClock {
    /// A clock that is ahead of the machine's by `offset_ms`.
    pub fn ahead_by(offset_ms: i64) -> Self {
        Self { offset_ms: offset_ms.into() }
    }

    /// Moves the clock forward.
    pub fn advance(&self, span: Duration) {
        let span = i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        let later = |offset: i64| Some(offset.saturating_add(span));
        // The closure always answers `Some`, so this never fails.
        let _ = self.offset_ms.fetch_update(Ordering::SeqCst, Ordering::SeqCst, later);
    }

    /// How far the clock is ahead of the machine's, in milliseconds.
    pub fn offset_ms(&self) -> i64 {
        self.offset_ms.load(Ordering::SeqCst)
    }
}

impl Clock for LocalClock {
    fn now(&self) -> Timestamp {
        Timestamp(SystemClock.now().0.saturating_add(self.offset_ms()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_moves_forward_and_stops_at_the_end_of_time() {
        let clock = LocalClock::default();
        let before = SystemClock.now();
        clock.advance(Duration::from_secs(3_600));
        assert!(clock.now() >= before.plus(Duration::from_secs(3_600)));
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp(i64::MAX));
    }
}
