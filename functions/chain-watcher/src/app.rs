//! What this function works with, and the settings that it reads.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use bitcoin::{BlockHash, Txid};
use chain::{
    Chain, ChainConfig,
    blocks::Tip,
    hub::{HubClient, HubConfig},
    mints::Mint,
    models::mint::MintId,
};
use shared::core::{Application, Core, CoreConfig, Machine};

/// What this worker works with. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: Chain,
    /// The partner that settles cross-chain swaps.
    pub hub: HubClient,
    looked: Arc<Mutex<BTreeMap<MintId, Looked>>>,
}

/// What the last look at a mint of this instance has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Looked {
    /// The newest block by then.
    pub(crate) tip: BlockHash,
    /// Its height.
    pub(crate) height: u32,
    /// How many blocks had been taken back by then.
    pub(crate) taken_back: u64,
    /// The mint's revision.
    pub(crate) revision: u64,
    /// The height at which every row was compared with the virtual blocks.
    pub(crate) compared_at: u32,
    /// Batches in blocks whose rows did not say so.
    pub(crate) behind: BTreeSet<Txid>,
}

impl Looked {
    /// A look that has compared every row.
    pub(crate) fn at(mint: &Mint, tip: &Tip) -> Self {
        Self {
            tip: tip.hash,
            height: tip.height,
            taken_back: tip.taken_back,
            revision: mint.revision,
            compared_at: tip.height,
            behind: BTreeSet::new(),
        }
    }

    /// Whether nothing has happened since a look that left nothing to do.
    pub(crate) fn is_same(&self, mint: &Mint, tip: &Tip) -> bool {
        self.tip == tip.hash
            && self.taken_back == tip.taken_back
            && self.revision == mint.revision
            && self.behind.is_empty()
    }
}

impl App {
    /// What the last look at a mint has seen, if nothing was left to do.
    pub(crate) fn looked(&self, mint: MintId) -> Option<Looked> {
        let looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.get(&mint).cloned()
    }

    /// Remembers it, so that a look at an unchanged mint reads none of its rows.
    pub(crate) fn remember(&self, mint: MintId, looked: Looked) {
        let mut all = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(mint, looked);
    }

    /// Forgets a mint that is over.
    pub(crate) fn forget(&self, mint: MintId) {
        self.looked.lock().unwrap_or_else(PoisonError::into_inner).remove(&mint);
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
        Self { chain: Chain::new(core, chain), hub, looked: Arc::default() }
    }
}
