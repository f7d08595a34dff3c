//! Bitcoin and ord: blocks, servers that lag or are on a fork, and the miner.

mod genesis;
mod servers;
mod world;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use genesis::{SUPPLY, genesis};
pub use servers::{EsploraServers, OrdServer};
pub use world::{Broadcast, Missed, Tip, World};

/// The world of a run, which servers and people share.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<World>>);

impl Shared {
    /// A world to share.
    pub fn new(world: World) -> Self {
        Self(Arc::new(Mutex::new(world)))
    }

    /// The world. The guard must not live across an `await`.
    pub fn lock(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
