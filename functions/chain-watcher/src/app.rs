//! The application of this function, and the settings that it reads.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
};

use bitcoin::{BlockHash, Txid};
use chain::{
    BitcoinContext, ChainConfig,
    blocks::Tip,
    hub::{HubClient, HubConfig},
    mints::{Mint, MintOutlook, VmSums},
    models::mint::MintId,
    transactions::Proven,
};
use shared::{
    core::{Application, Core, CoreConfig, Machine},
    mail::{MailQueue, MailQueueConfig},
    models::watch::Watch,
};
use tokio::sync::OwnedSemaphorePermit;

use crate::room::{Look, Room};

/// The application of this worker. Cloning is cheap.
#[derive(Clone)]
pub struct App {
    chain: BitcoinContext,
    /// Clients of the partner that settles cross-chain swaps, one for each queue: rows that fail, or that anyone
    /// can create, do not pause the requests about others (custody rules 26 and 27).
    hubs: Arc<[(Watch, HubClient)]>,
    /// Queue of the reminders to owners of coins.
    pub(crate) mail: Arc<MailQueue>,
    /// Held while this run applies blocks.
    pub(crate) following: Arc<tokio::sync::Mutex<()>>,
    room: Arc<Room>,
    /// The look at a row that this clone is for.
    look: Arc<Look>,
    /// Held by this run while it checks a mint.
    turns: Arc<Mutex<BTreeMap<MintId, Arc<tokio::sync::Mutex<()>>>>>,
    /// The commitments whose owners and payments are proven.
    pub(crate) proven: Arc<Proven>,
    looked: Arc<Mutex<BTreeMap<(MintId, Pass), Looked>>>,
    shown: Arc<Mutex<BTreeMap<MintId, Shown>>>,
}

/// What a mint's page shows since the last look of this instance at it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// The batches that are in blocks.
    pub(crate) in_blocks: Arc<BTreeSet<Txid>>,
    /// The waiting requests of those batches, by price.
    pub(crate) confirmed: BTreeMap<u64, u64>,
    /// The sums of the mint's batches.
    pub(crate) sums: Option<VmSums>,
    /// The stored row.
    pub(crate) outlook: MintOutlook,
}

/// The part of a mint's work that a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pass {
    /// Fills virtual blocks.
    Fill,
    /// Plans payouts, and settles the transactions that are paid out.
    Plan,
    /// Settles the transactions that are not paid out.
    Settle,
}

/// How far this instance has come with a pass over a mint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Looked {
    /// The newest applied block at the time of the pass.
    pub(crate) tip: BlockHash,
    /// Its height.
    pub(crate) height: u32,
    /// How many blocks had been taken back at that time.
    pub(crate) taken_back: u64,
    /// The mint's revision.
    pub(crate) revision: u64,
    /// The height at which every row was compared with the virtual blocks.
    pub(crate) compared_at: u32,
    /// Batches in blocks whose rows do not know their block yet.
    pub(crate) behind: BTreeSet<Txid>,
    /// The last batch that was compared, if the pass ran out of time.
    pub(crate) up_to: Option<Txid>,
    /// Whether nothing is left to do until something other than a block changes a transaction.
    pub(crate) is_over: bool,
    /// Whether the pass has set aside rows that it could not settle.
    pub(crate) sets_aside: bool,
}

impl Looked {
    /// A pass that has compared every row.
    pub(crate) fn at(mint: &Mint, tip: &Tip) -> Self {
        Self {
            tip: tip.hash,
            height: tip.height,
            taken_back: tip.taken_back,
            revision: mint.revision,
            compared_at: tip.height,
            behind: BTreeSet::new(),
            up_to: None,
            is_over: false,
            sets_aside: false,
        }
    }

    /// Whether neither the chain nor the mint has changed since the pass.
    pub(crate) fn is_current(&self, mint: &Mint, tip: &Tip) -> bool {
        self.tip == tip.hash && self.taken_back == tip.taken_back && self.revision == mint.revision
    }

    /// Whether nothing has changed since a pass that left nothing to do.
    pub(crate) fn is_same(&self, mint: &Mint, tip: &Tip) -> bool {
        self.is_current(mint, tip) && self.behind.is_empty() && self.up_to.is_none()
    }
}

impl App {
    /// The client of the hub for the rows of a queue; `None` if they do not ask the hub.
    pub(crate) fn hub_of(&self, queue: Watch) -> Option<&HubClient> {
        self.hubs.iter().find(|(of, _)| *of == queue).map(|(_, hub)| hub)
    }

    /// The same application for one run, whose parts do not do the same work twice.
    pub(crate) fn for_a_run(&self) -> Self {
        Self { following: Arc::default(), turns: Arc::default(), ..self.clone() }
    }

    /// The same application for one look at a row.
    pub(crate) fn for_a_look(&self, look: Arc<Look>) -> Self {
        Self { look, ..self.clone() }
    }

    /// Waits until this instance has the memory to compute a mint of this many batches.
    pub(crate) async fn room_for(&self, batches: u64) -> Option<OwnedSemaphorePermit> {
        self.room.of(batches, &self.look).await
    }

    /// Waits for the memory that a look needs; returns a look that has it.
    pub(crate) async fn look_with_room(&self, batches: u32) -> Option<Look> {
        self.room.of_look(batches).await
    }

    /// The turn of a mint: two parts of a run do not compute it at the same time.
    pub(crate) fn turn_of(&self, mint: MintId) -> Arc<tokio::sync::Mutex<()>> {
        let mut all = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(mint).or_default().clone()
    }

    /// How far the last pass over a mint has come.
    pub(crate) fn looked(&self, mint: MintId, pass: Pass) -> Option<Looked> {
        let looked = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        looked.get(&(mint, pass)).cloned()
    }

    /// Remembers a pass, so that a look at an unchanged mint reads none of its rows.
    pub(crate) fn remember(&self, mint: MintId, pass: Pass, looked: Looked) {
        let mut all = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert((mint, pass), looked);
    }

    /// Forgets a mint that is finished.
    pub(crate) fn forget(&self, mint: MintId) {
        let mut all = self.looked.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|(of, _), _| *of != mint);
        drop(all);
        self.forget_shown(mint);
    }

    /// What a mint's page shows since the last look of this instance at it.
    pub(crate) fn shown(&self, mint: MintId) -> Option<Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).get(&mint).cloned()
    }

    /// Remembers what a mint's page shows, so that a look at an unchanged mint writes nothing.
    pub(crate) fn remember_shown(&self, mint: MintId, shown: Shown) {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).insert(mint, shown);
    }

    /// Forgets what a mint's page shows, so that the next look computes it again.
    pub(crate) fn forget_shown(&self, mint: MintId) {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).remove(&mint);
    }
}

impl Deref for App {
    type Target = BitcoinContext;

    fn deref(&self) -> &BitcoinContext {
        &self.chain
    }
}

impl Application for App {
    type Config = (CoreConfig, ChainConfig, HubConfig, MailQueueConfig);

    fn new((core, chain, hub, mail): Self::Config, machine: &Machine) -> Self {
        let core = Core::new(core, machine);
        let hub = HubClient::new(hub, &core);
        let kinds = [Watch::Withdrawal, Watch::Swap, Watch::NewSwap];
        let queues = kinds.into_iter().flat_map(|kind| [kind, kind.stuck()]);
        let hubs = queues.map(|queue| (queue, hub.with_own_breaker())).collect();
        let mail = MailQueue::new(core.aws.clone(), mail, core.outbound.clone());
        Self {
            chain: BitcoinContext::new(core, chain),
            hubs,
            mail: Arc::new(mail),
            following: Arc::default(),
            room: Arc::default(),
            look: Arc::default(),
            turns: Arc::default(),
            proven: Arc::default(),
            looked: Arc::default(),
            shown: Arc::default(),
        }
    }
}
