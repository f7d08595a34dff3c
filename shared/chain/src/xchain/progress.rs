//! How the hub's answers change a record: pure functions.

use std::time::Duration;

use base::clock::Timestamp;
use shared::models::watch::Watch;

use crate::{
    hub::Progress,
    models::xchain::{IntentHash, StatusChange, Swap, XchainRecord, XchainStatus},
};

/// The pause before the next poll if the last one changed something.
const SHORTEST: Duration = Duration::from_secs(30);
/// The longest pause between polls; a client that waits triggers its own poll.
const LONGEST: Duration = Duration::from_secs(6 * 60 * 60);
/// A swap fails if the hub does not know its intent for this long.
const UNKNOWN_FOR: Duration = Duration::from_secs(24 * 60 * 60);
/// The step that this service performs.
const VERIFICATION: &str = "verification";

impl XchainRecord {
    /// The record with the next status if that change is allowed; otherwise unchanged.
    pub(super) fn with_status(mut self, status: XchainStatus, now: Timestamp) -> Self {
        if self.status.may_become(status) {
            self.status = status;
            self.updated_at = now;
            self.history.push(StatusChange { status, at: now });
        }
        if self.status.is_final() {
            (self.watch, self.failing) = (None, None);
        }
        self
    }

    /// For a swap that the hub confirms as registered: moves it out of the queue that any account can fill.
    pub fn mark_verified(&mut self) {
        self.verified = true;
        self.watch = self.watch.and(Some(Watch::Swap));
    }

    /// The record, failed for this reason if it can still fail.
    #[must_use]
    pub fn failed(mut self, step: &str, reason: String, now: Timestamp) -> Self {
        if self.status.may_become(XchainStatus::Failed) {
            self.failed_at_step = Some(step.to_owned());
            self.failure_reason = Some(reason);
        }
        self.with_status(XchainStatus::Failed, now)
    }

    /// For a withdrawal that was relayed to the hub; `intent` is set if the hub has created one.
    #[must_use]
    pub fn relayed(mut self, intent: Option<IntentHash>, now: Timestamp) -> Self {
        if self.intent_tx_hash.is_none() && intent.is_some() {
            self.intent_tx_hash = intent;
            self.updated_at = now;
        }
        self.with_status(XchainStatus::Relaying, now)
    }

    /// The record after a comparison with the hub's record of the intent (custody rule 15).
    pub(super) fn compared(mut self, hub: Option<&Swap>, now: Timestamp) -> Self {
        let Some(swap) = self.swap().filter(|_| !self.verified) else { return self };
        match hub {
            Some(hub) => match swap.differences(hub).as_slice() {
                [] => {
                    self.mark_verified();
                    self.updated_at = now;
                    self
                }
                different => {
                    let reason = format!("The hub's record differs: {}.", different.join(", "));
                    self.failed(VERIFICATION, reason, now)
                }
            },
            None => {
                let registered = self.history.last().map_or(self.created_at, |last| last.at);
                if registered.plus(UNKNOWN_FOR) < now {
                    let reason = "The hub has not heard of the intent within a day.".to_owned();
                    self.failed(VERIFICATION, reason, now)
                } else {
                    self
                }
            }
        }
    }

    /// For a swap that failed before the hub knew it and is registered again.
    #[must_use]
    pub fn reopened(self, now: Timestamp) -> Self {
        self.resumed(XchainStatus::Registered, Watch::NewSwap, now)
    }

    /// For a withdrawal that failed on Bitcoin but is in a block after all: the worker relays it to the hub,
    /// or asks again.
    #[must_use]
    pub fn revived(self, now: Timestamp) -> Self {
        self.resumed(XchainStatus::Pending, Watch::Withdrawal, now)
    }

    /// A failed record that the worker follows again, with this status.
    fn resumed(mut self, status: XchainStatus, watch: Watch, now: Timestamp) -> Self {
        self.status = status;
        self.history.push(StatusChange { status, at: now });
        (self.failed_at_step, self.failure_reason) = (None, None);
        (self.watch, self.failing) = (Some(watch), None);
        (self.due_at, self.asks) = (now, 0);
        Self { updated_at: now, ..self }
    }

    /// For a withdrawal that the hub refuses.
    #[must_use]
    pub fn refused(self, status: u16, now: Timestamp) -> Self {
        self.failed("relay", format!("The hub refuses the withdrawal: status {status}."), now)
    }

    /// The record with the progress that the hub reports.
    pub(super) fn with_progress(mut self, progress: Progress, now: Timestamp) -> Self {
        let Progress { status, failed_at_step, failure_reason, fill_tx_hash } = progress;
        if !self.status.may_become(status) {
            return self;
        }
        if status == XchainStatus::Filled {
            self.fill_tx_hash = fill_tx_hash;
        } else if status.is_final() {
            self.failed_at_step = failed_at_step;
            self.failure_reason = failure_reason;
        }
        self.with_status(status, now)
    }

    /// After a poll by the worker: schedules the next poll, with longer and longer pauses if nothing changes.
    #[must_use]
    pub fn rescheduled(mut self, before: &Self, now: Timestamp) -> Self {
        let changed = self.updated_at != before.updated_at || self.status != before.status;
        self.asks = if changed { 0 } else { before.asks.saturating_add(1) };
        let times = 1_u32.checked_shl(self.asks).unwrap_or(u32::MAX);
        self.due_at = now.plus(SHORTEST.saturating_mul(times).min(LONGEST));
        self
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use proptest::prelude::*;
    use shared::models::account::AccountId;
    use uuid::Uuid;

    use super::*;

    fn swap() -> Swap {
        Swap {
            intent_tx_hash: "11".repeat(32).parse().unwrap(),
            spoke_tx_hash: "22".repeat(32).parse().unwrap(),
            wallet_address: "0x00000000000000000000000000000000000000aa".parse().unwrap(),
            input_token: "0xaa".parse().unwrap(),
            output_token: "0xbb".parse().unwrap(),
            input_amount: "5".parse().unwrap(),
            min_output_amount: "4".parse().unwrap(),
            src_chain: 1,
            dst_chain: 2,
            src_address: "0x00000000000000000000000000000000000000aa".parse().unwrap(),
            dst_address: "0x00000000000000000000000000000000000000bb".parse().unwrap(),
        }
    }

    fn record() -> XchainRecord {
        XchainRecord::of_swap(AccountId(Uuid::nil()), Uuid::nil(), &swap()).begun(Timestamp(1_000))
    }

    fn progress(status: XchainStatus) -> Progress {
        let text = || Some("text".to_owned());
        Progress { status, failed_at_step: text(), failure_reason: text(), fill_tx_hash: text() }
    }

    #[test]
    fn a_record_holds_the_registered_swap() {
        assert_eq!(record().swap().unwrap(), swap());
        assert_eq!(record().swap().unwrap().differences(&swap()), Vec::<&str>::new());
    }

    #[test]
    fn custody_15_a_swap_that_contradicts_the_hub_fails_with_the_differing_fields() {
        let now = Timestamp(2_000);
        let agreed = record().compared(Some(&swap()), now);
        assert!(agreed.verified && !agreed.status.is_final());
        assert_eq!((record().watch, agreed.watch), (Some(Watch::NewSwap), Some(Watch::Swap)));
        let other = Swap { dst_chain: 3, input_amount: "6".parse().unwrap(), ..swap() };
        let failed = record().compared(Some(&other), now);
        assert!(!failed.verified && failed.watch.is_none());
        assert_eq!(failed.status, XchainStatus::Failed);
        assert!(failed.failure_reason.unwrap().contains("inputAmount, dstChain"));
        // A confirmed swap is not compared again.
        assert_eq!(agreed.clone().compared(Some(&other), now), agreed);
    }

    #[test]
    fn a_swap_unknown_to_the_hub_fails_after_a_day_and_can_be_registered_again() {
        let day = Timestamp(1_000).plus(UNKNOWN_FOR);
        assert_eq!(record().compared(None, day), record());
        let later = Timestamp(day.0 + 1);
        let failed = record().compared(None, later);
        assert_eq!((failed.status, failed.watch), (XchainStatus::Failed, None));
        let again = failed.reopened(later);
        assert_eq!(again.clone().compared(None, later), again, "the day starts again");
        assert_eq!(
            (again.status, again.failure_reason.is_none()),
            (XchainStatus::Registered, true)
        );
        assert!(again.watch.is_some());
    }

    #[test]
    fn polls_are_postponed_while_nothing_changes() {
        let now = Timestamp(10_000);
        let mut row = record();
        let mut waited = Vec::new();
        for _ in 0..11 {
            let before = row.clone();
            row = row.rescheduled(&before, now);
            waited.push((row.due_at.0 - now.0) / 1000);
        }
        assert_eq!(waited[..5], [60, 120, 240, 480, 960]);
        assert_eq!(waited[8..], [15_360, 21_600, 21_600]);
        let before = row.clone();
        let moved =
            row.with_progress(progress(XchainStatus::Relaying), now).rescheduled(&before, now);
        assert_eq!((moved.asks, moved.due_at), (0, now.plus(SHORTEST)));
    }

    proptest! {
        /// Whatever the hub reports, and in whichever order, the history only moves forwards and stops at a
        /// final status.
        #[test]
        fn histories_only_move_forwards(said in proptest::collection::vec(0_usize..7, 0..20)) {
            use XchainStatus::{Failed, Filled, Pending, Refunded, Relayed, Relaying, Solving};
            let words = [Pending, Relaying, Relayed, Solving, Filled, Failed, Refunded];
            let mut row = record();
            for (n, word) in said.into_iter().enumerate() {
                let before = row.clone();
                let at = Timestamp(2_000 + i64::try_from(n).unwrap());
                row = row.with_progress(progress(*words.get(word).unwrap()), at);
                prop_assert!(row == before || before.status.may_become(row.status));
                prop_assert!(!before.status.is_final() || row == before);
            }
            prop_assert_eq!(row.history.last().unwrap().status, row.status);
            for pair in row.history.windows(2) {
                let [one, next] = pair else { unreachable!() };
                prop_assert!(one.status.may_become(next.status) && one.at <= next.at);
            }
            prop_assert_eq!(row.watch.is_none(), row.status.is_final());
            prop_assert_eq!(row.fill_tx_hash.is_some(), row.status == Filled);
        }
    }
}
