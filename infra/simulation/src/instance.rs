//! One instance of a function: it serves, stops for a while, or ends.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

/// An instance.
#[derive(Debug)]
pub struct Instance {
    /// Function and number.
    pub name: String,
    /// How far its clock is ahead, in ms.
    pub skew_ms: i64,
    pub(crate) invocation: AtomicU64,
    pub(crate) is_killed: AtomicBool,
    pub(crate) killed: Notify,
    pub(crate) frozen_until: Mutex<Option<Instant>>,
    /// Until when its processor is busy.
    pub(crate) busy_until: Mutex<Option<Instant>>,
    /// The hosts that it is connected to.
    pub(crate) connected: Mutex<BTreeSet<String>>,
}

impl Instance {
    /// The invocation that it serves.
    pub fn invocation(&self) -> u64 {
        self.invocation.load(Ordering::Relaxed)
    }

    /// The function that it is an instance of.
    pub fn function(&self) -> &str {
        self.name.rsplit_once('-').map_or(self.name.as_str(), |(function, _)| function)
    }

    /// Computes for this long, after everything that it computes already.
    pub async fn compute(&self, span: Duration) {
        let until = {
            let mut busy = self.busy_until.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            let until = busy.map_or(now, |until| until.max(now)) + span;
            *busy = Some(until);
            until
        };
        sleep_until(until).await;
    }

    /// Connects to a host; returns whether this is its first connection to it.
    pub fn connects(&self, host: &str) -> bool {
        let mut connected = self.connected.lock().unwrap_or_else(PoisonError::into_inner);
        connected.insert(host.to_owned())
    }

    /// Ends it immediately.
    pub fn kill(&self) {
        self.is_killed.store(true, Ordering::Relaxed);
        self.killed.notify_waiters();
    }

    pub(crate) fn frozen_until(&self) -> MutexGuard<'_, Option<Instant>> {
        self.frozen_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes it stop for a while.
    pub fn freeze(&self, span: Duration) {
        *self.frozen_until() = Some(Instant::now() + span);
    }

    /// Waits until it continues.
    pub async fn thaw(&self) {
        let until = *self.frozen_until();
        if let Some(until) = until {
            sleep_until(until).await;
        }
    }

    pub(crate) async fn ended(&self) {
        while !self.is_killed.load(Ordering::Relaxed) {
            self.killed.notified().await;
        }
    }
}
