//! What the faces and the levers share: the progress of the start, the running programs, Esplora's settings.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
};

use bitcoin::OutPoint;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::{
    index::Index,
    node::Node,
    ord::{OrdServer, Runes},
    programs::Programs,
    purse::Purse,
};
use crate::base::failure::Result;

/// Progress of a world's start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The programs are being built, or are about to be.
    Building,
    /// The programs are starting.
    Starting,
    /// The world answers.
    Ready,
    /// The start failed; the text says why.
    Failed(String),
}

/// Which of the servers behind the one address answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Replica {
    /// A server with the same tip as the node.
    #[default]
    Tip,
    /// A server that is this many blocks behind.
    Behind(u32),
    /// A server on a fork, whose last blocks (this many) differ.
    Fork(u32),
    /// A server that claims to have this many more blocks.
    Boasting(u32),
}

/// Contents of the faucet's unconfirmed outputs, which ord does not know yet.
pub(super) type PendingRunes = BTreeMap<OutPoint, Runes>;

/// The running programs, and the cached state of the chain.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) node: Node,
    pub(super) index: Index,
    pub(super) ord: tokio::sync::RwLock<OrdServer>,
    pub(super) programs: Programs,
    pub(super) ord_folder: PathBuf,
    pub(super) purse: Purse,
    pub(super) runes: Purse,
    pub(super) pending: Mutex<PendingRunes>,
    /// Serializes the levers.
    pub(super) turn: tokio::sync::Mutex<()>,
    pub(super) temporary: Option<TempDir>,
}

/// State that the faces share with the world.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) state: Mutex<State>,
    pub(super) running: Mutex<Option<Arc<Running>>>,
    pub(super) fees: Mutex<BTreeMap<u16, f64>>,
    pub(super) replicas: Mutex<VecDeque<Replica>>,
    pub(super) lags: AtomicBool,
    /// Whether Esplora offers fee rates as mempool.space does.
    pub(super) recommends_fees: AtomicBool,
    /// ord fails on requests that contain one of these texts.
    pub(super) failing: Mutex<BTreeSet<String>>,
}

impl Shared {
    pub(super) fn running(&self) -> Option<Arc<Running>> {
        lock(&self.running).clone()
    }

    pub(super) fn fees(&self) -> BTreeMap<u16, f64> {
        lock(&self.fees).clone()
    }

    /// The server whose turn it is to answer for Esplora.
    pub(super) fn next_replica(&self) -> Replica {
        let mut replicas = lock(&self.replicas);
        let next = replicas.pop_front().unwrap_or_default();
        replicas.push_back(next);
        next
    }

    /// Whether ord fails on a request.
    pub(super) fn fails_on(&self, request: &str) -> bool {
        lock(&self.failing).iter().any(|text| request.contains(text))
    }

    pub(super) fn stop(&self) {
        if let Some(running) = lock(&self.running).take() {
            running.stop();
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Running {
    /// Restarts ord.
    pub(super) async fn restart(&self, ord: &mut OrdServer, follow: bool) -> Result<()> {
        ord.stop();
        *ord = OrdServer::start(&self.programs.ord, &self.ord_folder, &self.node, follow).await?;
        Ok(())
    }

    fn stop(&self) {
        let ord = self.ord.try_read();
        if self.temporary.is_some() {
            // Temporary files need no clean shutdown.
            ord.iter().for_each(|ord| ord.kill());
            self.node.kill();
        } else {
            ord.iter().for_each(|ord| ord.stop());
            self.node.stop();
        }
    }
}
