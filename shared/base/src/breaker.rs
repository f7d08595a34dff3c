//! A circuit breaker: a party that fails again and again is left alone for a while.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::clock::{Clock, Timestamp};

/// Failures in a row after which a party is left alone.
const MOST_FAILURES: u32 = 5;
/// For how long. Then one call is let through; what becomes of it decides.
pub const PAUSE: Duration = Duration::from_secs(30);

/// The breaker of one party, of one instance of a function. Clones are the same one.
#[derive(Clone)]
pub struct Breaker {
    clock: Arc<dyn Clock>,
    state: Arc<Mutex<State>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    failures: u32,
    /// Until when no call is let through.
    open_until: Option<Timestamp>,
}

/// Requests to the party are paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("paused after {MOST_FAILURES} failures in a row")]
pub struct Open;

impl fmt::Debug for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Breaker").field(&*self.state()).finish()
    }
}

impl Breaker {
    /// A breaker that lets calls through.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, state: Arc::default() }
    }

    /// Another breaker with the same clock, which lets calls through.
    #[must_use]
    pub fn another(&self) -> Self {
        Self::new(self.clock.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether calls are not let through now. Asking changes nothing.
    pub fn is_open(&self) -> bool {
        self.state().open_until.is_some_and(|until| until > self.clock.now())
    }

    /// Lets a call through.
    ///
    /// # Errors
    /// [`Open`] if the breaker is open and its pause is not over, or the one call that it then tries is still
    /// running.
    pub fn permit(&self) -> Result<Permit<'_>, Open> {
        let now = self.clock.now();
        let mut state = self.state();
        if state.open_until.is_some_and(|until| until > now) {
            return Err(Open);
        }
        if state.open_until.is_some() {
            // One alone, until it is known what becomes of it.
            state.open_until = Some(now.plus(PAUSE));
        }
        Ok(Permit { breaker: self, answered: false })
    }

    fn note(&self, answered: bool) {
        let mut state = self.state();
        if answered {
            *state = State::default();
            return;
        }
        state.failures = state.failures.saturating_add(1);
        if state.failures >= MOST_FAILURES {
            state.open_until = Some(self.clock.now().plus(PAUSE));
        }
    }
}

/// A call that may go ahead. It counts as failed if it is dropped before its answer is noted, for
/// example because the caller stopped waiting.
#[derive(Debug)]
pub struct Permit<'a> {
    breaker: &'a Breaker,
    answered: bool,
}

impl Permit<'_> {
    /// Notes whether the call was answered as it should be.
    pub fn note(mut self, answered: bool) {
        self.answered = answered;
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.breaker.note(self.answered);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::clock::Hand;

    #[test]
    fn it_opens_after_failures_in_a_row_and_lets_one_call_try() {
        let hand = Arc::new(Hand::default());
        let breaker = Breaker::new(hand.clone());
        let call = |answered| breaker.permit().unwrap().note(answered);
        for _ in 0..3 {
            for _ in 1..MOST_FAILURES {
                call(false);
            }
            call(true);
        }
        for _ in 1..MOST_FAILURES {
            call(false);
        }
        // The caller of the last one stopped waiting.
        drop(breaker.permit().unwrap());
        assert!(breaker.is_open() && breaker.permit().is_err());
        hand.set(30_000);
        assert!(!breaker.is_open());
        let probe = breaker.permit().unwrap();
        assert!(breaker.permit().is_err(), "one alone");
        probe.note(false);
        assert!(breaker.permit().is_err());
        hand.set(60_000);
        call(true);
        drop((breaker.permit().unwrap(), breaker.permit().unwrap()));
        assert!(!breaker.is_open());
        let another = breaker.another();
        for _ in 0..MOST_FAILURES {
            another.permit().unwrap().note(false);
        }
        assert!(another.is_open() && !breaker.is_open());
    }
}
