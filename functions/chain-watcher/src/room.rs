//! The memory in which virtual blocks are computed, and the looks that wait for it.
//!
//! A large mint never keeps a small one waiting: small mints have memory of their own, and a look at a large
//! mint holds no place of its queue. If the memory for a large mint is occupied, its look begins again once
//! the memory is free. So waiting takes none of the look's own time and is no failure (custody rule 27).

use std::sync::{Arc, Mutex, PoisonError};

use chain::mints::MOST_BATCHES;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// Batches of the largest mint that counts as small. Three passes over mints, each with eight places, fit
/// into [`SMALL_ROOM`], so small mints do not wait for each other either.
const SMALL: u32 = 4_000;
/// The most batches of small mints that are computed concurrently. Each batch takes about 500 bytes in maps and lists.
const SMALL_ROOM: usize = 100_000;
/// The most batches of the other mints that are computed concurrently: one mint of [`MOST_BATCHES`], or
/// several smaller ones.
const LARGE_ROOM: usize = 200_000;

/// The number of further batches for which this instance has memory, as semaphores.
#[derive(Debug)]
pub(crate) struct Room {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Default for Room {
    fn default() -> Self {
        let room = |batches| Arc::new(Semaphore::new(batches));
        Self { small: room(SMALL_ROOM), large: room(LARGE_ROOM) }
    }
}

impl Room {
    /// Waits for the memory for a mint of this many batches, in the order of the calls.
    pub(crate) async fn of(&self, batches: u64, look: &Look) -> Option<OwnedSemaphorePermit> {
        let batches = u32::try_from(batches.max(1)).unwrap_or(MOST_BATCHES).min(MOST_BATCHES);
        if batches <= SMALL {
            return self.small.clone().acquire_many_owned(batches).await.ok();
        }
        // From here on the memory limits how many looks run concurrently.
        look.leave_place();
        if let Some(kept) = look.kept(batches) {
            return Some(kept);
        }
        if let Ok(free) = self.large.clone().try_acquire_many_owned(batches) {
            return Some(free);
        }
        look.waits_for.send_replace(Some(batches));
        let room = self.large.clone().acquire_many_owned(batches).await.ok();
        look.waits_for.send_replace(None);
        room
    }

    /// Waits for the memory for a large mint, of this many batches; returns a look that holds it.
    pub(crate) async fn of_look(&self, batches: u32) -> Option<Look> {
        let room = self.large.clone().acquire_many_owned(batches).await.ok()?;
        Some(Look { kept: Mutex::new(Some(room)), ..Look::default() })
    }
}

/// What a look at a row occupies: a place of its queue, and memory.
#[derive(Debug, Default)]
pub(crate) struct Look {
    place: Mutex<Option<OwnedSemaphorePermit>>,
    /// The memory that the look waited for, and holds until it ends.
    kept: Mutex<Option<OwnedSemaphorePermit>>,
    waits_for: watch::Sender<Option<u32>>,
}

impl Look {
    /// A look that occupies a place of its queue.
    pub(crate) fn at(place: OwnedSemaphorePermit) -> Self {
        Self { place: Mutex::new(Some(place)), ..Self::default() }
    }

    fn leave_place(&self) {
        drop(self.place.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// The memory that the look holds, if that suffices for this many batches; otherwise the look gives it
    /// back.
    fn kept(&self, batches: u32) -> Option<OwnedSemaphorePermit> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let suffices = |room: &OwnedSemaphorePermit| {
            u32::try_from(room.num_permits()).is_ok_and(|kept| kept >= batches)
        };
        *kept = kept.take().filter(suffices);
        kept.as_mut()?.split(0)
    }

    /// Returns once the look begins to wait for memory: the number of batches that it needs memory for.
    pub(crate) async fn waits(&self) -> u32 {
        let mut waits_for = self.waits_for.subscribe();
        let waits = waits_for.wait_for(Option::is_some).await.ok().and_then(|batches| *batches);
        match waits {
            Some(batches) => batches,
            // The look never waits for memory, and ends by itself.
            None => std::future::pending().await,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]
mod tests {
    use std::time::Duration;

    use base::clock::Timestamp;
    use bitcoin::{BlockHash, TxMerkleNode, hashes::Hash};
    use chain::{
        bitcoin::esplora::Block,
        blocks::Tip,
        keys,
        mints::{self, Mint},
        models::mint::MintId,
    };
    use local::{LocalStack, patience::wait_until};
    use serde_json::json;
    use shared::models::watch::Watch;
    use tokio::time::{Instant, timeout};

    use super::*;
    use crate::{app::App, fixture};

    const LARGE: u64 = 150_000;

    #[tokio::test]
    async fn custody_27_a_small_mint_does_not_wait_behind_a_large_one() {
        let (room, look) = (Room::default(), Look::default());
        let _running = room.of(LARGE, &look).await.unwrap();
        let waiting = room.of(u64::MAX, &look);
        let waiting = timeout(Duration::from_millis(10), waiting);
        let small = async {
            look.waits().await;
            timeout(Duration::from_secs(600), room.of(SMALL.into(), &Look::default())).await
        };
        let (waiting, small) = tokio::join!(waiting, small);
        assert!(waiting.is_err() && small.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_look_keeps_the_memory_for_which_it_waited() {
        let room = Room::default();
        let look = room.of_look(150_000).await.unwrap();
        for _read in 0..2 {
            assert_eq!(room.of(LARGE, &look).await.unwrap().num_permits(), 0);
        }
        // The mint has grown.
        assert_eq!(room.of(LARGE + 1, &look).await.unwrap().num_permits(), 150_001);
    }

    #[test]
    fn looks_at_small_mints_never_wait_for_each_other() {
        let at_once = 3 * crate::CONCURRENT_ROWS * usize::try_from(SMALL).unwrap();
        assert!(at_once <= SMALL_ROOM && LARGE_ROOM >= usize::try_from(MOST_BATCHES).unwrap());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn custody_27_large_mints_that_wait_for_memory_hold_no_place_and_do_not_fail() {
        let stack = LocalStack::start().await;
        let app = stack.app().function::<App>();
        let now = app.clock.now();
        let id = |n: u8| -> MintId {
            format!("018bcfe5-6800-7000-8000-0000000001{n:02}").parse().unwrap()
        };
        // More large mints than the queue has places, and after them a small one.
        for n in 1..=10 {
            let mint = Mint {
                id: id(n),
                closes_at: now.plus(Duration::from_secs(24 * 60 * 60)),
                watch: Some(Watch::Mint),
                due_at: Timestamp(n.into()),
                ..fixture::mint(10, 10)
            };
            app.store.put(&keys::mint(mint.id), &mint).await.unwrap();
            if n < 10 {
                let sums = keys::vm_sums(mint.rune.id, mint.id);
                stack.import(&[(sums, "vmSums", json!({ "allInMempool": LARGE }))]).unwrap();
            }
        }
        let block = Block {
            id: BlockHash::all_zeros(),
            height: fixture::FIRST,
            merkle_root: TxMerkleNode::all_zeros(),
            previousblockhash: None,
        };
        let tip = Tip::new(&[block]).unwrap();
        app.store.put(&keys::chain_tip(), &tip).await.unwrap();

        let occupied = app.room_for(u64::MAX).await;
        let small = async {
            wait_until("the small mint is looked at", async || {
                mints::outlook(&app.store, id(10)).await.unwrap().is_some()
            })
            .await;
            drop(occupied);
        };
        let looking = crate::process_queue(&app, Watch::Mint, Some(Arc::new(tip)), Instant::now());
        let (looked, ()) = tokio::join!(Box::pin(looking), small);
        assert_eq!(looked.unwrap(), 10);
        for n in 1..=10 {
            let mint = mints::mint(&app.store, id(n)).await.unwrap().unwrap();
            assert_eq!((mint.failing, mint.watch), (None, Some(Watch::Mint)), "{n}");
        }
    }
}
