//! When a failed event is retried, and when a webhook is switched off.

use std::time::Duration;

use base::{clock::Timestamp, random::Random};
use outbox::webhooks::Webhook;
use store::Update;

/// The pause after each failed try of an event; after the last of ten tries the event is given up.
const PAUSES: [Duration; 9] = [
    Duration::from_secs(5),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
    Duration::from_secs(2 * 60 * 60),
    Duration::from_secs(5 * 60 * 60),
    Duration::from_secs(10 * 60 * 60),
    Duration::from_secs(14 * 60 * 60),
    Duration::from_secs(20 * 60 * 60),
    Duration::from_secs(24 * 60 * 60),
];
/// The longest pause that a receiver can ask for with `Retry-After`.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// A webhook that has failed for this long is switched off.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5 * 24 * 60 * 60);

/// The pause after the `tries`-th try of an event, or `None` if that was the last one. A random share of up
/// to a tenth is added, and the pause is at least as long as the receiver asks for.
pub(crate) fn pause(tries: u32, asked: Option<Duration>, random: &dyn Random) -> Option<Duration> {
    let place = usize::try_from(tries).unwrap_or(usize::MAX).checked_sub(1)?;
    let pause = *PAUSES.get(place)?;
    let [share] = random.bytes::<1>();
    let millis = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
    let more = millis.saturating_mul(share.into()).div_euclid(10 * 255);
    let pause = pause.saturating_add(Duration::from_millis(more));
    Some(asked.map_or(pause, |asked| pause.max(asked.min(LONGEST))))
}

/// A receiver that answers within this time gets its events one after the other.
const PROMPT: Duration = Duration::from_secs(3);
/// A slower receiver rests for this many times as long as its answer took, so that it occupies a place of the
/// worker for a tenth of the time.
const RESTS: u32 = 9;

/// How long a receiver counts as slow after an answer that was not prompt.
const SLOW_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Whether an answer took so long that other webhooks would wait for the receiver.
pub(crate) fn is_slow(took: Duration) -> bool {
    took > PROMPT
}

/// How long a receiver rests after an answer that took this long; `None` after a prompt one.
pub(crate) fn rest(took: Duration) -> Option<Duration> {
    is_slow(took).then(|| took.saturating_mul(RESTS))
}

/// Adds the changes that follow from how long a receiver took: after a slow answer it rests, and runs for
/// slow receivers serve it.
pub(crate) fn note_pace(
    update: Update<Webhook>,
    took: Duration,
    now: Timestamp,
) -> Update<Webhook> {
    match rest(took) {
        Some(rest) => update
            .set(Webhook::RESTS_UNTIL, now.plus(rest))
            .set(Webhook::SLOW_UNTIL, now.plus(SLOW_FOR)),
        None => update,
    }
}

/// Until when the receiver of a webhook with lanes counts as slow after an answer that took this long; `None` if
/// that is known already, to within an hour. Its lanes rest by themselves.
pub(crate) fn newly_slow(webhook: &Webhook, took: Duration, now: Timestamp) -> Option<Timestamp> {
    const HOUR: Duration = Duration::from_secs(60 * 60);
    let until = now.plus(SLOW_FOR);
    let is_known = webhook.slow_until.is_some_and(|known| known.plus(HOUR) > until);
    (is_slow(took) && !is_known).then_some(until)
}

#[cfg(test)]
mod tests {
    use base::random::SystemSource;

    use super::*;

    #[test]
    fn an_event_is_tried_ten_times_over_three_days() {
        let random = &SystemSource;
        let pauses: Vec<_> = (1..=10).map_while(|tries| pause(tries, None, random)).collect();
        assert_eq!(pauses.len(), 9);
        for (pause, least) in pauses.iter().zip(PAUSES) {
            let most = least.saturating_add(least.checked_div(10).unwrap_or_default());
            assert!((least..=most).contains(pause), "{pause:?}");
        }
        let all = PAUSES.iter().sum::<Duration>();
        assert!((72 * 60 * 60..80 * 60 * 60).contains(&all.as_secs()), "{all:?}");
        assert!(all < PATIENCE);
        assert_eq!(pause(10, Some(LONGEST), random), None);
        assert_eq!(pause(0, None, random), None);
    }

    #[test]
    fn a_receiver_can_ask_for_a_longer_pause_but_not_for_a_shorter_one() {
        let after = |seconds| pause(2, Some(Duration::from_secs(seconds)), &SystemSource);
        assert_eq!(after(3_600), Some(Duration::from_secs(3_600)));
        assert_eq!(after(u64::MAX), Some(LONGEST));
        assert!(after(1) >= Some(Duration::from_secs(5 * 60)));
    }
}
