//! The pace of calls to the gateway, whose rate the whole AWS account shares: without one, an event with ten thousand readers
//! would take the requests of a second from the API.

use std::{
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// How long all calls pause after the gateway has refused one for its rate.
const REST: Duration = Duration::from_millis(500);

/// Turns, evenly spaced. Unused ones do not add up, so a quiet minute is not followed by a burst.
#[derive(Debug)]
pub(crate) struct Pace {
    gap: Duration,
    next: Mutex<Option<Instant>>,
}

impl Pace {
    /// A pace of `per_second` turns a second.
    pub(crate) fn new(per_second: NonZeroU32) -> Self {
        let gap = Duration::from_secs(1).checked_div(per_second.get()).unwrap_or_default();
        Self { gap, next: Mutex::new(None) }
    }

    /// Waits for the next turn.
    pub(crate) async fn turn(&self) {
        sleep_until(self.take(Duration::ZERO)).await;
    }

    /// Waits for the next turn after a pause, which delays all later turns as well.
    pub(crate) async fn turn_after_rest(&self) {
        sleep_until(self.take(REST)).await;
    }

    /// The next turn, at the earliest after `rest`.
    fn take(&self, rest: Duration) -> Instant {
        let now = Instant::now();
        let earliest = now.checked_add(rest).unwrap_or(now);
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = next.map_or(earliest, |next| next.max(earliest));
        *next = Some(turn.checked_add(self.gap).unwrap_or(turn));
        turn
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    fn pace(per_second: u32) -> Pace {
        Pace::new(NonZeroU32::new(per_second).unwrap())
    }

    #[test]
    fn turns_are_evenly_spaced() {
        let pace = pace(200);
        let turns: Vec<_> = (0..500).map(|_| pace.take(Duration::ZERO)).collect();
        // The test itself may be slow, so a gap may be longer.
        assert!(turns.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(5)));
    }

    #[test]
    fn turns_that_nobody_took_are_lost() {
        let pace = pace(1_000_000);
        let first = pace.take(Duration::ZERO);
        while first.elapsed() < Duration::from_millis(5) {
            std::hint::spin_loop();
        }
        let (second, third) = (pace.take(Duration::ZERO), pace.take(Duration::ZERO));
        assert!(second - first >= Duration::from_millis(5));
        assert!(third - second >= Duration::from_micros(1));
    }

    #[test]
    fn a_refusal_delays_later_turns() {
        let pace = pace(200);
        let first = pace.take(Duration::ZERO);
        let retried = pace.take(REST);
        assert!(retried - first >= REST);
        assert!(pace.take(Duration::ZERO) > retried);
    }
}
