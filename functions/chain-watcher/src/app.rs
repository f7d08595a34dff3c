//! What this function works with, and the settings that it reads.

use std::{
    collections::BTreeMap,
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use bitcoin::BlockHash;
use chain::{
    Chain, ChainConfig,
    hub::{HubClient, HubConfig},
    models::mint::MintId,
};
use shared::core::{Application, Core, CoreConfig, Machine};

/// What this worker works with. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: Chain,
    /// The partner that settles cross-chain swaps.
    pub hub: HubClient,
    computed: Arc<Mutex<BTreeMap<MintId, Computed>>>,
}

/// What the virtual blocks of a mint were computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Computed {
    /// The newest block.
    pub(crate) tip: BlockHash,
    /// The mint's revision.
    pub(crate) revision: u64,
}

impl App {
    /// What this instance last computed the virtual blocks of a mint from, if they were as they should be.
    pub(crate) fn computed(&self, mint: MintId) -> Option<Computed> {
        let computed = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        computed.get(&mint).copied()
    }

    /// Remembers it, so that a look at an unchanged mint reads none of its rows.
    pub(crate) fn remember(&self, mint: MintId, from: Computed) {
        let mut computed = self.computed.lock().unwrap_or_else(PoisonError::into_inner);
        computed.insert(mint, from);
    }

    /// Forgets a mint whose virtual blocks have ended.
    pub(crate) fn forget(&self, mint: MintId) {
        self.computed.lock().unwrap_or_else(PoisonError::into_inner).remove(&mint);
    }
}

impl Deref for App {
    type Target = Chain;

    fn deref(&self) -> &Chain {
        &self.chain
    }
}

impl Application for App {
    type Config = (CoreConfig, ChainConfig, HubConfig);

    fn new((core, chain, hub): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let hub = HubClient::new(hub, core.outbound.clone(), core.clock.clone());
        Self { chain: Chain::new(core, chain), hub, computed: Arc::default() }
    }
}
