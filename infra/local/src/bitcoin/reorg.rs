//! Reorganisations: replaces the last blocks of the chain.

use std::{collections::BTreeSet, sync::atomic::Ordering};

use base::random::{Random, SystemSource};
use bitcoin::{
    Block, BlockHash, Txid,
    consensus::encode::{deserialize_hex, serialize_hex},
};
use serde_json::{Value, json};

use super::{error::WorldError, rpc::RpcError, state::Running, world::BitcoinWorld};
use crate::base::failure::{Context, Result};

/// The deepest reorganisation that ord is certain to follow.
const DEEPEST: u32 = 20;
/// If it takes back more blocks than this, the node forgets their transactions.
const FORGOTTEN_BELOW: u32 = 10;

impl BitcoinWorld {
    /// Replaces the last `depth` blocks by one more block, with the same transactions except `drop` and their
    /// descendants, which the node then has never seen. The mempool stays. Returns the new height.
    ///
    /// # Errors
    /// `depth` is 0 or more than 20, or a transaction is in none of the blocks.
    pub async fn reorg(&self, depth: u32, drop: &[Txid]) -> Result<u32, WorldError> {
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let height = running.node.height().await?;
        if !(1..=DEEPEST.min(height)).contains(&depth) {
            return Err(WorldError::wrong(format_args!(
                "depth must be 1 to {}",
                DEEPEST.min(height)
            )));
        }
        let first = height.saturating_sub(depth).saturating_add(1);
        let replaced = running.blocks_from(first, height).await?;
        let known: BTreeSet<Txid> =
            replaced.iter().flat_map(transactions).map(|(txid, _)| txid).collect();
        if let Some(stranger) = drop.iter().find(|txid| !known.contains(*txid)) {
            return Err(WorldError::wrong(format_args!(
                "transaction {stranger} is in none of the last {depth} blocks"
            )));
        }
        let waiting = running.waiting().await?;
        // Hidden from the blocks in between, which are not in the final chain.
        let mut ord = running.ord.write().await;
        ord.stop();
        let replacing = running.replace(&replaced, drop, &waiting).await;
        let follow = !self.shared.lags.load(Ordering::SeqCst);
        running.restart(&mut ord, follow).await?;
        std::mem::drop(ord);
        replacing?;
        self.wait_for_ord(&running).await?;
        Ok(running.node.height().await?)
    }
}

impl BitcoinWorld {
    /// Empties the mempool, as a restart or a full mempool does, and mines an empty block. Returns the new
    /// height.
    ///
    /// # Errors
    /// A program does not answer.
    pub async fn purge_mempool(&self) -> Result<u32, WorldError> {
        let running = self.running()?;
        let _turn = running.turn.lock().await;
        let waiting = running.waiting().await?;
        // Hidden from the blocks in between, which are not in the final chain.
        let mut ord = running.ord.write().await;
        ord.stop();
        let purging = running.purge(&waiting).await;
        let follow = !self.shared.lags.load(Ordering::SeqCst);
        running.restart(&mut ord, follow).await?;
        std::mem::drop(ord);
        purging?;
        self.wait_for_ord(&running).await?;
        Ok(running.node.height().await?)
    }
}

/// The transactions of a block except the coinbase, with their hex.
fn transactions(block: &Block) -> impl Iterator<Item = (Txid, String)> + '_ {
    block.txdata.iter().skip(1).map(|one| (one.compute_txid(), serialize_hex(one)))
}

/// The remaining transactions of each block, without `drop` and their descendants.
fn kept(blocks: &[Block], drop: &[Txid]) -> Vec<Vec<String>> {
    let mut lost: BTreeSet<Txid> = drop.iter().copied().collect();
    lost.extend(
        blocks.iter().filter_map(|block| block.txdata.first()).map(|one| one.compute_txid()),
    );
    let mut kept = Vec::with_capacity(blocks.len());
    for block in blocks {
        let mut list = Vec::new();
        for transaction in block.txdata.iter().skip(1) {
            let txid = transaction.compute_txid();
            let mut spent = transaction.input.iter().map(|input| input.previous_output.txid);
            if lost.contains(&txid) || spent.any(|parent| lost.contains(&parent)) {
                lost.insert(txid);
            } else {
                list.push(serialize_hex(transaction));
            }
        }
        kept.push(list);
    }
    kept
}

impl Running {
    async fn blocks_from(&self, first: u32, last: u32) -> Result<Vec<Block>> {
        let mut blocks = Vec::new();
        for height in first..=last {
            let hash: BlockHash = self.node.rpc().call("getblockhash", json!([height])).await?;
            let hex: String = self.node.rpc().call("getblock", json!([hash, 0])).await?;
            blocks.push(deserialize_hex(&hex).context("block")?);
        }
        Ok(blocks)
    }

    /// The transactions of the mempool, each after its parents.
    async fn waiting(&self) -> Result<Vec<String>> {
        let chain = self.index.read().await?;
        let mut left: Vec<_> = chain.waiting();
        let mut ordered = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let open: BTreeSet<Txid> = left.iter().map(|one| one.compute_txid()).collect();
            let (later, now): (Vec<_>, Vec<_>) = left.into_iter().partition(|one| {
                one.input.iter().any(|input| open.contains(&input.previous_output.txid))
            });
            ordered.extend(now.iter().map(serialize_hex));
            left = later;
        }
        Ok(ordered)
    }

    async fn replace(&self, old: &[Block], drop: &[Txid], waiting: &[String]) -> Result<()> {
        // When blocks are disconnected, the node puts the transactions of the last ones into its mempool.
        for _block in 0..=FORGOTTEN_BELOW {
            self.append(&[]).await?;
        }
        let first = old.first().context("no block to replace")?.block_hash();
        self.node.rpc().call::<Value>("invalidateblock", json!([first])).await?;
        for list in kept(old, drop) {
            self.append(&list).await?;
        }
        self.append(&[]).await?;
        for hex in waiting {
            // A refused transaction spends a dropped one, or is still in the mempool.
            match self.node.rpc().call::<Value>("sendrawtransaction", json!([hex])).await {
                Ok(_) | Err(RpcError::Refused { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Mines the transactions into a block, adds blocks on top, and takes all of them back. The number of blocks
    /// makes the node forget the transactions.
    async fn purge(&self, waiting: &[String]) -> Result<()> {
        if !waiting.is_empty() {
            self.append(waiting).await?;
            let full = self.node.tip().await?;
            for _block in 0..=FORGOTTEN_BELOW {
                self.append(&[]).await?;
            }
            self.node.rpc().call::<Value>("invalidateblock", json!([full])).await?;
        }
        self.append(&[]).await
    }

    /// Mines a block with exactly these transactions. Its subsidy goes to a unique unspendable script,
    /// because a block that repeats an invalidated one would be invalid as well.
    async fn append(&self, transactions: &[String]) -> Result<()> {
        let random: &dyn Random = &SystemSource;
        let nobody = format!("raw(6a08{})", hex::encode(random.bytes::<8>()));
        let params = json!([nobody, transactions]);
        self.node.rpc().call::<Value>("generateblock", params).await?;
        Ok(())
    }
}
