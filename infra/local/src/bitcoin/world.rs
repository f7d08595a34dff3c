//! The Bitcoin world: its programs, its faces, and its life cycle.

use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use bitcoin::{
    Address, OutPoint, Transaction, Txid,
    consensus::encode::{deserialize_hex, serialize_hex},
};
use bitcoin_model::chain::Coin;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{
    error::WorldError,
    esplora, forwarder,
    index::Index,
    node::Node,
    ord::{OrdServer, Runes},
    programs::Programs,
    purse::Purse,
    rpc::{Rpc, RpcError},
    state::{Replica, Running, Shared, State, lock},
};
use crate::base::{
    failure::{Context, Failure, Result},
    mood::{Mood, SharedMood},
    patience::HANG_LIMIT,
    server::Server,
};

/// Number of blocks in a new world: the coinbases of the first ten are spendable.
const FIRST_BLOCKS: u32 = 110;
/// Maximum number of blocks per call.
const MOST_BLOCKS: u32 = 20_000;
/// Maximum number of blocks per request to the node.
const BATCH: u32 = 500;

/// A Bitcoin world. Clones share it; the programs end with the last clone, or at [`Self::stop`].
#[derive(Clone, Debug)]
pub struct BitcoinWorld {
    pub(super) shared: Arc<Shared>,
    faces: Arc<Faces>,
    esplora_mood: SharedMood,
    ord_mood: SharedMood,
}

/// The servers of the faces. Open connections keep the state behind them alive, so dropping this stops the
/// programs explicitly.
#[derive(Debug)]
struct Faces {
    esplora: Server,
    ord: Server,
    shared: Arc<Shared>,
}

impl Drop for Faces {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

impl BitcoinWorld {
    /// Starts a fresh world, and waits until it is ready.
    ///
    /// # Errors
    /// A program is missing or does not start.
    pub async fn start() -> Result<Self> {
        let world = Self::idle().await?;
        world.bring_up(&Programs::expect()?, None).await?;
        world.set_state(State::Ready);
        Ok(world)
    }

    /// A world whose faces answer 503 until [`Self::bring_up`].
    ///
    /// # Errors
    /// No port is free.
    pub async fn idle() -> Result<Self> {
        // Estimates by target, as on a quiet day of the main network.
        let fees = [(1, 10.0), (3, 5.0), (6, 2.0), (144, 1.0)];
        let shared = Arc::new(Shared {
            state: Mutex::new(State::Building),
            running: Mutex::default(),
            fees: Mutex::new(fees.into()),
            replicas: Mutex::default(),
            lags: AtomicBool::new(false),
            recommends_fees: AtomicBool::new(false),
            failing: Mutex::default(),
        });
        let (esplora_mood, ord_mood) = (SharedMood::default(), SharedMood::default());
        let esplora = Server::moody(esplora::router(shared.clone()), &esplora_mood).await?;
        let ord = Server::moody(forwarder::router(shared.clone()), &ord_mood).await?;
        let faces = Arc::new(Faces { esplora, ord, shared: shared.clone() });
        Ok(Self { shared, faces, esplora_mood, ord_mood })
    }

    /// Starts the programs, with their files in `folder` or in a temporary folder, and mines the first
    /// blocks. Afterwards the faces and levers work; the state remains `Starting`.
    ///
    /// # Errors
    /// A program does not start.
    pub async fn bring_up(&self, programs: &Programs, folder: Option<&Path>) -> Result<()> {
        self.set_state(State::Starting);
        let temporary = match folder {
            Some(_) => None,
            None => {
                let prefix = "runeport-bitcoin-";
                Some(tempfile::Builder::new().prefix(prefix).tempdir().context("bitcoin")?)
            }
        };
        let root = temporary.as_ref().map(TempDir::path).or(folder).context("bitcoin")?;
        let (ord_folder, node_folder) = (root.join("ord"), root.join("node"));
        let node =
            Node::start(&programs.bitcoind, &node_folder, temporary.as_ref().map(TempDir::path))
                .await?;
        let (purse, runes) = (Purse::new("faucet")?, Purse::new("runes")?);
        let blocks = FIRST_BLOCKS.saturating_sub(node.height().await?);
        generate(node.rpc(), &purse, blocks).await?;
        let ord =
            OrdServer::start_with_new_index(&programs.ord, &ord_folder, &node, HANG_LIMIT).await?;
        let running = Running {
            index: Index::new(node.rpc().clone()),
            node,
            ord: ord.into(),
            programs: programs.clone(),
            ord_folder,
            purse,
            runes,
            pending: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            temporary,
        };
        *lock(&self.shared.running) = Some(Arc::new(running));
        Ok(())
    }

    /// Sets the state.
    pub fn set_state(&self, state: State) {
        *lock(&self.shared.state) = state;
    }

    /// The progress of the start.
    pub fn state(&self) -> State {
        lock(&self.shared.state).clone()
    }

    /// Base address of its Esplora API.
    pub fn esplora_url(&self) -> &str {
        self.faces.esplora.url()
    }

    /// Base address of its ord.
    pub fn ord_url(&self) -> &str {
        self.faces.ord.url()
    }

    /// Sets the mood of Esplora.
    pub fn set_esplora_mood(&self, mood: Mood) {
        self.esplora_mood.set(mood);
    }

    /// Sets the mood of ord.
    pub fn set_ord_mood(&self, mood: Mood) {
        self.ord_mood.set(mood);
    }

    /// Sets Esplora's fee estimates: sat/vB by confirmation target in blocks.
    ///
    /// # Errors
    /// A target outside 1..=1008, a rate outside 0..=100,000, or no estimate.
    pub fn set_fees(&self, fees: BTreeMap<u16, f64>) -> Result<(), WorldError> {
        let good = |(target, rate): (&u16, &f64)| {
            (1..=1_008).contains(target) && (0.0..=100_000.0).contains(rate)
        };
        if fees.is_empty() || !fees.iter().all(good) {
            return Err(WorldError::wrong(
                "fees are sat/vB (0 to 100000) by a target of 1 to 1008 blocks, at least one",
            ));
        }
        *lock(&self.shared.fees) = fees;
        Ok(())
    }

    /// Makes Esplora offer its fee estimates as mempool.space does: under another path, by names instead of
    /// targets.
    pub fn recommend_fees(&self, recommends: bool) {
        self.shared.recommends_fees.store(recommends, Ordering::SeqCst);
    }

    /// Esplora's fee estimates.
    pub fn fees(&self) -> BTreeMap<u16, f64> {
        self.shared.fees()
    }

    /// Makes these servers answer for Esplora in turns, one per request. If the list is empty, a server level
    /// with the node answers. A broadcast through any of them reaches the node.
    pub fn set_esplora_replicas(&self, replicas: impl IntoIterator<Item = Replica>) {
        *lock(&self.shared.replicas) = replicas.into_iter().collect();
    }

    pub(super) fn running(&self) -> Result<Arc<Running>, WorldError> {
        self.shared.running().ok_or(WorldError::NotThere)
    }

    /// Height of the newest block.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn height(&self) -> Result<u32, WorldError> {
        Ok(self.running()?.node.height().await?)
    }

    /// Mines blocks with the transactions of the mempool, and waits until ord has indexed them. Returns the
    /// new height.
    ///
    /// # Errors
    /// The count is 0 or more than 20,000, or a program does not answer.
    pub async fn mine(&self, blocks: u32) -> Result<u32, WorldError> {
        if !(1..=MOST_BLOCKS).contains(&blocks) {
            return Err(WorldError::wrong(format_args!("blocks must be 1 to {MOST_BLOCKS}")));
        }
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        self.mine_within(&running, blocks).await
    }

    pub(super) async fn mine_within(
        &self,
        running: &Running,
        blocks: u32,
    ) -> Result<u32, WorldError> {
        generate(running.node.rpc(), &running.purse, blocks).await?;
        self.wait_for_ord(running).await?;
        Ok(running.node.height().await?)
    }

    pub(super) async fn wait_for_ord(&self, running: &Running) -> Result<()> {
        if self.shared.lags.load(Ordering::SeqCst) {
            return Ok(());
        }
        running.ord.read().await.catch_up(&running.node, HANG_LIMIT).await
    }

    /// Waits until ord has indexed the newest block, unless it lags.
    ///
    /// # Errors
    /// ord has ended, or indexes nothing more.
    pub async fn indexed(&self) -> Result<(), WorldError> {
        let running = self.running()?;
        Ok(self.wait_for_ord(&running).await?)
    }

    /// Number of calls of the node's JSON-RPC so far.
    ///
    /// # Errors
    /// The world has not started.
    pub fn rpc_calls(&self) -> Result<u64, WorldError> {
        Ok(self.running()?.node.rpc().calls())
    }

    /// Keeps ord at its current block, or lets it follow the node again. Without this lever, callers never
    /// see an ord that is behind.
    ///
    /// # Errors
    /// ord does not restart.
    pub async fn let_ord_lag(&self, lags: bool) -> Result<(), WorldError> {
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        self.shared.lags.store(lags, Ordering::SeqCst);
        let mut ord = running.ord.write().await;
        running.restart(&mut ord, !lags).await?;
        Ok(())
    }

    /// Makes ord fail on requests about these outputs or addresses, and on no others.
    pub fn fail_ord_on(&self, about: &[&dyn fmt::Display]) {
        *lock(&self.shared.failing) = about.iter().map(ToString::to_string).collect();
    }

    /// Submits a transaction to the node with `sendrawtransaction`.
    ///
    /// # Errors
    /// [`RpcError`]: the node refuses it, or is unreachable.
    pub async fn send_raw(&self, transaction: &Transaction) -> Result<Txid, RpcError> {
        let running = self.running().map_err(|error| Failure::new(error.to_string()))?;
        running.node.rpc().call("sendrawtransaction", json!([serialize_hex(transaction)])).await
    }

    /// Whether the node would accept a transaction into its mempool; otherwise its reason.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn mempool_accepts(
        &self,
        transaction: &Transaction,
    ) -> Result<Result<(), String>, WorldError> {
        let hex = serialize_hex(transaction);
        let answer: Value = self.rpc("testmempoolaccept", json!([[hex]])).await?;
        let verdict = answer.get(0).context("testmempoolaccept")?;
        if verdict.get("allowed") == Some(&Value::Bool(true)) {
            return Ok(Ok(()));
        }
        let reason = verdict.get("reject-reason").or(verdict.get("package-error"));
        let reason = reason.and_then(Value::as_str).context("testmempoolaccept")?;
        Ok(Err(reason.to_owned()))
    }

    /// Calls a method of the node's JSON-RPC.
    ///
    /// # Errors
    /// The node refuses, or does not answer.
    pub async fn rpc(&self, method: &str, params: Value) -> Result<Value, WorldError> {
        Ok(self.running()?.node.rpc().call(method, params).await?)
    }

    /// A transaction in a block or in the mempool.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn transaction(&self, txid: Txid) -> Result<Option<Transaction>, WorldError> {
        let running = self.running()?;
        Ok(running.index.read().await?.transaction(&txid).cloned())
    }

    /// Number of confirmations of a transaction: 0 in the mempool, `None` if unknown.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn confirmations(&self, txid: Txid) -> Result<Option<u32>, WorldError> {
        let running = self.running()?;
        let chain = running.index.read().await?;
        let tip = chain.tip().map_or(0, |(height, _)| height);
        let depth = |height: u32| tip.saturating_sub(height).saturating_add(1);
        let known = chain.transaction(&txid).is_some();
        Ok(known.then(|| chain.block_of(&txid).map_or(0, |(height, _)| depth(height))))
    }

    /// Unspent outputs of an address, without those that the mempool spends.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn coins(&self, address: &Address) -> Result<Vec<Coin>, WorldError> {
        let running = self.running()?;
        Ok(running.index.read().await?.unspent(&address.script_pubkey()))
    }

    /// The runes in an output according to ord; `None` until it has indexed the output.
    ///
    /// # Errors
    /// ord does not answer.
    pub async fn runes_in(&self, outpoint: OutPoint) -> Result<Option<Runes>, WorldError> {
        let running = self.running()?;
        let ord = running.ord.read().await;
        Ok(ord.runes(outpoint).await?)
    }

    /// The runes of an address in confirmed outputs, according to ord.
    ///
    /// # Errors
    /// A program does not answer.
    pub async fn runes_of(&self, address: &Address) -> Result<Runes, WorldError> {
        let mut sums = Runes::new();
        for coin in self.coins(address).await? {
            for (name, amount) in self.runes_in(coin.outpoint).await?.into_iter().flatten() {
                let sum = sums.entry(name).or_default();
                *sum = sum.checked_add(amount).context("more runes than there are")?;
            }
        }
        Ok(sums)
    }

    /// Parses a transaction from hex.
    ///
    /// # Errors
    /// The text is not a transaction.
    pub fn parse(hex: &str) -> Result<Transaction, WorldError> {
        deserialize_hex(hex)
            .map_err(|error| WorldError::wrong(format_args!("no transaction: {error}")))
    }

    /// Stops the programs; a persistent world saves its state first.
    pub fn stop(&self) {
        self.shared.stop();
    }
}

/// Mines blocks that pay a purse.
async fn generate(rpc: &Rpc, purse: &Purse, blocks: u32) -> Result<()> {
    let mut left = blocks;
    while left > 0 {
        let some = left.min(BATCH);
        rpc.call::<Value>("generatetoaddress", json!([some, purse.address()])).await?;
        left = left.saturating_sub(some);
    }
    Ok(())
}
