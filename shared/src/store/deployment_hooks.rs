//! Whether the deployment has webhooks, as a process remembers it.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use crate::clock::Timestamp;

/// How long a process remembers whether the deployment has webhooks.
const REMEMBERED: Duration = Duration::from_secs(10);

/// Whether the deployment has webhooks, as a process last read it. All commits of all accounts ask, so the row that says so
/// is not read by each of them.
#[derive(Debug, Default)]
pub(super) struct DeploymentHooks(Mutex<Option<(Timestamp, bool)>>);

impl DeploymentHooks {
    pub(super) fn known(&self, now: Timestamp) -> Option<bool> {
        let known = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .filter(|(until, _)| now < *until && now.plus(REMEMBERED) >= *until)
            .map(|(_, has)| has)
    }

    pub(super) fn remember(&self, now: Timestamp, has: bool) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((now.plus(REMEMBERED), has));
    }
}
