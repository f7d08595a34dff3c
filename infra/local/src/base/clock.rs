//! The local world's clock: the machine's clock plus an offset, so that tests can make things expire.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use base::clock::{Clock, SystemClock, Timestamp};

/// The machine's clock plus an offset.
#[derive(Debug, Default)]
pub struct LocalClock {
    offset_ms: AtomicI64,
    stopped_at: OnceLock<Timestamp>,
}

impl LocalClock {
    /// A clock that is ahead of the machine's by `offset_ms`.
    pub fn ahead_by(offset_ms: i64) -> Self {
        Self { offset_ms: offset_ms.into(), ..Self::default() }
    }

    /// From here on, time only passes by [`advance`](Self::advance), however slow the machine is.
    pub fn stop(&self) {
        self.stopped_at.get_or_init(|| SystemClock.now());
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
        let machine = self.stopped_at.get().copied().unwrap_or_else(|| SystemClock.now());
        Timestamp(machine.0.saturating_add(self.offset_ms()))
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

    #[test]
    fn a_stopped_clock_moves_by_hand_alone() {
        let clock = LocalClock::default();
        clock.stop();
        let stopped = clock.now();
        std::thread::sleep(Duration::from_millis(3));
        assert_eq!(clock.now(), stopped);
        clock.advance(Duration::from_secs(1));
        assert_eq!(clock.now(), stopped.plus(Duration::from_secs(1)));
    }
}
