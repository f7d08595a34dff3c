//! A value kept elsewhere, such as a key in SSM, and re-read periodically. A change takes effect within five
//! minutes; if a re-read fails, the last value is used for up to an hour.

use std::{fmt, sync::Arc, time::Duration};

use tokio::sync::{Mutex, RwLock};

use crate::{
    clock::{Clock, Timestamp},
    random::Random,
};

/// How long a value is used before it is read again. A key removed from the published ones is refused
/// everywhere after this long.
const KEPT: Duration = Duration::from_secs(5 * 60);
/// The last part of that time, in which each instance picks a random moment to read again, so that
/// instances started together do not query SSM together.
const JITTER: Duration = Duration::from_secs(2 * 60);
/// Attempts to read while nothing is known yet, and the longest pause between two of them. A burst of new
/// instances exceeds SSM's request rate.
const FIRST_ATTEMPTS: u32 = 4;
const FIRST_PAUSE: Duration = Duration::from_millis(800);
/// How long a value remains in use if it cannot be read again.
const STALE: Duration = Duration::from_secs(60 * 60);
/// Pause after a read that failed or did not find what was wanted.
const PAUSE: Duration = Duration::from_secs(10);

/// Why a read failed.
pub trait ReadFailure: fmt::Display {
    /// Whether the same read may succeed a moment later.
    fn is_transient(&self) -> bool;
}

/// A cached value. At most one request at a time reads it.
pub struct Cached<T> {
    what: &'static str,
    kept: RwLock<Kept<T>>,
    alone: Mutex<()>,
}

struct Kept<T> {
    value: Option<Arc<T>>,
    read_at: Timestamp,
    /// From this time one request reads the value again while the others use the old one.
    refresh_at: Timestamp,
    /// Nothing is read before this time, because the last read failed or did not contain what was wanted.
    paused_until: Timestamp,
}

impl<T> Kept<T> {
    /// The value if it can be used without a read, and whether it is due for a refresh.
    fn usable(&self, now: Timestamp, wanted: impl Fn(&T) -> bool) -> Option<(Arc<T>, bool)> {
        let value = self.value.clone()?;
        let fresh = now < self.read_at.plus(KEPT) && wanted(&value);
        let paused = now < self.paused_until;
        let usable = fresh || (paused && now < self.read_at.plus(STALE));
        usable.then_some((value, !paused && now >= self.refresh_at))
    }
}

impl<T> Cached<T> {
    /// Reads nothing yet. `what` names the value in the log.
    pub fn new(what: &'static str) -> Self {
        let never = Timestamp(i64::MIN);
        let kept = Kept { value: None, read_at: never, refresh_at: never, paused_until: never };
        Self { what, kept: RwLock::new(kept), alone: Mutex::new(()) }
    }

    /// Returns the cached value while it is fresh and `wanted`, else reads it. If the read fails, an old
    /// value is used for a limited time.
    ///
    /// # Errors
    /// The error of `read` if it fails and no cached value may be used.
    pub async fn get<F, E>(
        &self,
        clock: &dyn Clock,
        random: &dyn Random,
        wanted: impl Fn(&T) -> bool,
        read: impl Fn() -> F,
    ) -> Result<Arc<T>, E>
    where
        F: Future<Output = Result<T, E>>,
        E: ReadFailure,
    {
        let known = self.kept.read().await.usable(clock.now(), &wanted);
        let _alone = match known {
            Some((value, false)) => return Ok(value),
            Some((value, true)) => match self.alone.try_lock() {
                Ok(alone) => alone,
                Err(_) => return Ok(value),
            },
            None => self.alone.lock().await,
        };
        // Another request may have read it while this one waited.
        if let Some((value, false)) = self.kept.read().await.usable(clock.now(), &wanted) {
            return Ok(value);
        }
        let mut answer = read().await;
        if self.kept.read().await.value.is_none() {
            for _attempt in 1..FIRST_ATTEMPTS {
                if !matches!(&answer, Err(error) if error.is_transient()) {
                    break;
                }
                tokio::time::sleep(jitter(random, FIRST_PAUSE)).await;
                answer = read().await;
            }
        }
        let now = clock.now();
        let mut kept = self.kept.write().await;
        match answer {
            Ok(value) => {
                let value = Arc::new(value);
                let paused_until = if wanted(&value) { now } else { now.plus(PAUSE) };
                let until_refresh = KEPT.saturating_sub(jitter(random, JITTER));
                let refresh_at = now.plus(until_refresh);
                *kept = Kept { value: Some(value.clone()), read_at: now, refresh_at, paused_until };
                Ok(value)
            }
            Err(error) => {
                kept.paused_until = now.plus(PAUSE);
                match kept.usable(now, wanted) {
                    Some((value, _)) => {
                        tracing::warn!(%error, what = self.what, "cannot read again; using what was read before");
                        Ok(value)
                    }
                    None => Err(error),
                }
            }
        }
    }

    /// The last value read, of any age.
    pub async fn known(&self) -> Option<Arc<T>> {
        self.kept.read().await.value.clone()
    }
}

/// A random duration up to `most`.
fn jitter(random: &dyn Random, most: Duration) -> Duration {
    Duration::from_millis(random.up_to(u64::try_from(most.as_millis()).unwrap_or(u64::MAX)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::sync::Notify;

    use super::*;
    use crate::{clock::Hand, random::SystemSource};

    fn advance(clock: &Hand, span: Duration) {
        clock.set(clock.now().plus(span).0);
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
    enum Failed {
        #[error("throttled")]
        Throttled,
        #[error("missing")]
        Missing,
    }

    impl ReadFailure for Failed {
        fn is_transient(&self) -> bool {
            *self == Self::Throttled
        }
    }

    async fn get<F: Future<Output = Result<u32, Failed>>>(
        cache: &Cached<u32>,
        clock: &Hand,
        read: impl Fn() -> F,
    ) -> Result<u32, Failed> {
        cache.get(clock, &SystemSource, |_| true, read).await.map(|value| *value)
    }

    #[tokio::test]
    async fn instances_started_together_refresh_at_different_times() {
        let clock = Hand::default();
        let mut moments = std::collections::BTreeSet::new();
        for _instance in 0..100 {
            let cache = Cached::new("numbers");
            get(&cache, &clock, || async { Ok(1) }).await.unwrap();
            let refresh_at = cache.kept.read().await.refresh_at.0 - clock.now().0;
            assert!((180_000..=300_000).contains(&refresh_at), "{refresh_at}");
            moments.insert(refresh_at / 1_000);
        }
        assert!(moments.len() > 30, "{moments:?}");
    }

    #[tokio::test]
    async fn one_request_refreshes_while_others_use_the_old_value() {
        let clock = Hand::default();
        let cache = Cached::new("numbers");
        get(&cache, &clock, || async { Ok(1) }).await.unwrap();
        advance(&clock, Duration::from_secs(299));
        cache.kept.write().await.refresh_at = clock.now();
        let (begun, go_on, reads) = (Notify::new(), Notify::new(), AtomicU32::new(0));
        let slow = get(&cache, &clock, || async {
            reads.fetch_add(1, Ordering::Relaxed);
            begun.notify_one();
            go_on.notified().await;
            Ok(2)
        });
        let others = async {
            begun.notified().await;
            for _request in 0..20 {
                let value = get(&cache, &clock, || async { panic!("a second read") }).await;
                assert_eq!(value.unwrap(), 1);
            }
            go_on.notify_one();
        };
        let (refreshed, ()) = tokio::join!(slow, others);
        assert_eq!((refreshed.unwrap(), reads.into_inner()), (2, 1));
        assert_eq!(get(&cache, &clock, || async { panic!("fresh") }).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn values_are_kept_for_an_hour_if_the_refresh_fails() {
        let clock = Hand::default();
        let cache = Cached::new("numbers");
        get(&cache, &clock, || async { Ok(1) }).await.unwrap();
        let reads = AtomicU32::new(0);
        let failing = || async {
            reads.fetch_add(1, Ordering::Relaxed);
            Err(Failed::Throttled)
        };
        advance(&clock, Duration::from_secs(299));
        cache.kept.write().await.refresh_at = clock.now();
        for _within_the_pause in 0..5 {
            assert_eq!(get(&cache, &clock, failing).await.unwrap(), 1);
        }
        assert_eq!(reads.load(Ordering::Relaxed), 1);
        advance(&clock, Duration::from_secs(3_600 - 300));
        assert_eq!(get(&cache, &clock, failing).await.unwrap(), 1);
        advance(&clock, Duration::from_secs(2));
        assert!(get(&cache, &clock, failing).await.is_err());
    }

    #[tokio::test]
    async fn a_new_instance_retries_when_ssm_throttles() {
        let clock = Hand::default();
        let reads = AtomicU32::new(0);
        let third = || async {
            match reads.fetch_add(1, Ordering::Relaxed) {
                0 | 1 => Err(Failed::Throttled),
                _ => Ok(7),
            }
        };
        assert_eq!(get(&Cached::new("numbers"), &clock, third).await.unwrap(), 7);
        let reads = AtomicU32::new(0);
        let missing = || async {
            reads.fetch_add(1, Ordering::Relaxed);
            Err(Failed::Missing)
        };
        assert!(get(&Cached::new("numbers"), &clock, missing).await.is_err());
        assert_eq!(reads.into_inner(), 1, "a permanent error is not retried");
    }
}
