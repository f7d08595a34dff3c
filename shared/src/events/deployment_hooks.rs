//! Whether there are deployment-wide webhooks, as a process remembers it.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use base::clock::Timestamp;

/// How long a process remembers whether there are deployment-wide webhooks.
const REMEMBERED: Duration = Duration::from_secs(10);

/// Whether there are deployment-wide webhooks, as a process last read it. Every commit of every account asks,
/// so it must not cost each of them a read.
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
