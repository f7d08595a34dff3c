//! Waits for conditions, never for a time that is hoped to be long enough.

use std::{fmt, sync::Arc, time::Duration};

use base::outbound::{Outbound, Wire};
use tokio::time::{self, Instant};

use crate::base::failure::{Failure, Result};

/// Ends a wait that would otherwise never end. Nothing takes nearly this long, however slow and busy the
/// machine is.
pub const HANG_LIMIT: Duration = Duration::from_mins(10);
/// A local world waits this many times as long for its partners as a deployment does: many programs share the
/// machine.
pub const TIMES_AS_LONG: u32 = 10;
/// How long a starting program may take to answer before it is asked again. Another program may have its port
/// and never answer.
pub const PROBE: Duration = Duration::from_secs(5);
/// Pause between two checks of a condition.
const PAUSE: Duration = Duration::from_millis(10);

/// Checks again and again until there is a result; returns it.
///
/// # Errors
/// There is no result within [`HANG_LIMIT`].
pub async fn wait_for<T>(
    what: impl fmt::Display,
    mut look: impl AsyncFnMut() -> Option<T>,
) -> Result<T> {
    let begun = Instant::now();
    loop {
        if let Some(found) = look().await {
            return Ok(found);
        }
        if begun.elapsed() >= HANG_LIMIT {
            return Err(Failure::new(format!("waited in vain: {what}")));
        }
        time::sleep(PAUSE).await;
    }
}

/// Waits until a condition holds.
///
/// # Panics
/// It does not within [`HANG_LIMIT`].
pub async fn wait_until(what: impl fmt::Display, mut holds: impl AsyncFnMut() -> bool) {
    let held = wait_for(what, async || holds().await.then_some(()));
    held.await.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Waits until a condition holds, in a test without a runtime.
///
/// # Panics
/// It does not within [`HANG_LIMIT`].
pub fn block_until(what: impl fmt::Display, mut holds: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !holds() {
        assert!(begun.elapsed() < HANG_LIMIT, "waited in vain: {what}");
        std::thread::sleep(PAUSE);
    }
}

/// Makes tokio's clock jump ahead: every timer sees that this much time has passed. For deadlines and limits
/// for which a test would otherwise have to wait. A request in flight times out if its limit is shorter than
/// the jump.
///
/// # Panics
/// The runtime has several threads.
pub async fn skip(span: Duration) {
    time::pause();
    time::advance(span).await;
    time::resume();
}

/// A client over another wire, with the timeouts of local worlds.
pub fn patient_over(wire: impl Wire) -> Outbound {
    Outbound::over(Arc::new(wire)).patient(TIMES_AS_LONG)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_skipped_hour_passes_for_every_timer() {
        let begun = Instant::now();
        let hour = Duration::from_hours(1);
        let sleeper = tokio::spawn(time::sleep(hour));
        skip(hour).await;
        sleeper.await.unwrap();
        assert!(begun.elapsed() >= hour);
    }

    #[tokio::test]
    async fn a_condition_is_looked_at_until_it_holds() {
        let mut looks = 0;
        let found = wait_for("three looks", async || {
            looks += 1;
            (looks == 3).then_some("found")
        });
        assert_eq!(found.await.unwrap(), "found");
    }
}
