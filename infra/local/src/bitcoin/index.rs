//! The current [`Chain`] of the node.

use bitcoin::{Block, BlockHash, Transaction, Txid, consensus::encode::deserialize_hex};
use bitcoin_model::chain::Chain;
use serde_json::json;
use tokio::sync::{Mutex, MutexGuard};

use super::rpc::{Rpc, RpcError};
use crate::base::failure::{Context, Failure, Result};

/// How many times a read starts over because the node has new blocks or transactions.
const ATTEMPTS: usize = 100;
/// The error for unknown blocks and transactions (`RPC_INVALID_ADDRESS_OR_KEY`).
const NOT_FOUND: i64 = -5;

/// An index in memory. Every read first brings it up to the node's state, so it is never behind, and
/// reorganisations need no special handling.
#[derive(Debug)]
pub struct Index {
    rpc: Rpc,
    chain: Mutex<Chain>,
}

impl Index {
    /// An empty index of a node.
    pub fn new(rpc: Rpc) -> Self {
        Self { rpc, chain: Mutex::default() }
    }

    /// The current chain.
    ///
    /// # Errors
    /// The node does not answer.
    pub async fn read(&self) -> Result<MutexGuard<'_, Chain>> {
        let mut chain = self.chain.lock().await;
        for _attempt in 0..ATTEMPTS {
            if self.follow(&mut chain).await? {
                return Ok(chain);
            }
        }
        Err(Failure::new("the node never rests"))
    }

    /// Reads what is new; returns whether the node did not change in the meantime.
    async fn follow(&self, chain: &mut Chain) -> Result<bool> {
        let best: BlockHash = self.rpc.call("getbestblockhash", json!([])).await?;
        let (mut hash, mut blocks) = (best, Vec::new());
        while !chain.has(&hash) {
            let text: String = self.rpc.call("getblock", json!([hash, 0])).await?;
            let block: Block = deserialize_hex(&text).context("block")?;
            hash = block.header.prev_blockhash;
            blocks.push(block);
            let is_first = hash == BlockHash::from_raw_hash(bitcoin::hashes::Hash::all_zeros());
            if is_first {
                break;
            }
        }
        while chain.tip().is_some_and(|(_, link)| link.hash != hash) {
            chain.pop();
        }
        for block in blocks.into_iter().rev() {
            chain.push(block);
        }
        let mempool: Vec<Txid> = self.rpc.call("getrawmempool", json!([])).await?;
        for txid in chain.keep_waiting(&mempool) {
            match self.rpc.call::<String>("getrawtransaction", json!([txid])).await {
                Ok(text) => {
                    let transaction: Transaction = deserialize_hex(&text).context("transaction")?;
                    chain.add_waiting(transaction);
                }
                Err(RpcError::Refused { code: NOT_FOUND, .. }) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(self.rpc.call::<BlockHash>("getbestblockhash", json!([])).await? == best)
    }
}
