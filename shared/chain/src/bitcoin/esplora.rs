//! Esplora's REST API (<https://github.com/Blockstream/esplora/blob/master/API.md>): coins, transactions,
//! fees, broadcast.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use base::{
    outbound::{ArrayLimits, Call, Outbound, OutboundError},
    provider::{Provider, encrypted},
};
use bitcoin::{
    Address, Amount, BlockHash, ScriptBuf, Transaction, TxMerkleNode, Txid, VarInt,
    consensus::{Decodable, encode},
    merkle_tree,
};
use bytes::Bytes;
use http::StatusCode;
use serde::Deserialize;
use serde_json::Number;
use shared::{
    core::Core,
    fees::{FeeConfig, parse_rate},
    models::bitcoin::OutPoint,
    party,
    problem::AsProblem,
    source::SourceError,
};
use tokio::time::{Instant, timeout_at};

use crate::{bitcoin::coins::CoinSum, models::fee::TargetRates, settings::EsploraConfig};

const TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for the outputs of an address, which can be very many.
const LIST_TIMEOUT: Duration = Duration::from_secs(8);
/// About 250,000 outputs; sending that many costs an attacker 0.8 BTC of dust. The answer is never in memory
/// as a whole.
const LIST_LIMITS: ArrayLimits = ArrayLimits { answer: 64 * 1024 * 1024, element: 4 * 1024 };
/// The ids of the 16,400 smallest transactions that fill a block take 1.1 MB.
const BLOCK_LIMITS: ArrayLimits = ArrayLimits { answer: 4 * 1024 * 1024, element: 128 };
/// The largest block (BIP 141).
const LARGEST_BLOCK: usize = 4_000_000;
/// Bytes of a block's header.
const HEADER: usize = 80;
/// The hex of the longest transaction that a block can contain. Miners accept longer ones than nodes relay.
const LONGEST_TRANSACTION: usize = 8_000_000;
/// Most outputs of an address that are kept; the most valuable ones.
const MOST_OUTPUTS: usize = 20_000;
/// Most unconfirmed outputs of an address that are kept; the most valuable ones.
const MOST_UNCONFIRMED: usize = 100;
/// The most descendants of a transaction whose fees are read. Nodes keep 25, or 64 in a cluster.
const MOST_DESCENDANTS: usize = 64;
/// The JSON of the largest transaction that nodes relay.
const LONGEST_DESCRIPTION: usize = 8 * 1024 * 1024;
/// Time for reading descendants.
const DESCENDANTS_TIME: Duration = Duration::from_secs(4);
/// The length of a txid in hex, doubled.
const LONGEST_TXID: usize = 128;
/// How many coinbases a client remembers. Those of the last hundred blocks are needed, and those of a few
/// forks.
const MOST_COINBASES: usize = 300;
/// Timeout of one attempt at a broadcast.
const BROADCAST_TIMEOUT: Duration = Duration::from_secs(3);

/// The unspent outputs of an address.
#[derive(Clone, Debug, Default)]
pub struct Unspent {
    /// Confirmed outputs, the most valuable first, then the oldest: those that are wanted, and at most 20,000
    /// others.
    pub confirmed: Vec<Utxo>,
    /// Further confirmed outputs.
    pub left_out: CoinSum,
    /// Unconfirmed outputs, the most valuable first; at most 100.
    pub unconfirmed: Vec<Utxo>,
    /// Further unconfirmed outputs.
    pub unconfirmed_left_out: CoinSum,
}

/// An unspent output of an address (`GET /address/:address/utxo`). Outputs spent in the mempool are not
/// listed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Utxo {
    /// The transaction that created it.
    pub txid: Txid,
    /// Its index in that transaction.
    pub vout: u32,
    /// In sats.
    pub value: u64,
    /// The confirmation of that transaction.
    pub status: Status,
}

impl Utxo {
    /// Its outpoint.
    pub fn outpoint(&self) -> OutPoint {
        OutPoint(bitcoin::OutPoint { txid: self.txid, vout: self.vout })
    }

    /// The order of confirmed outputs: the most valuable first, then the oldest.
    fn preference(&self) -> (Reverse<u64>, Option<u32>, Txid, u32) {
        (Reverse(self.value), self.status.block_height, self.txid, self.vout)
    }
}

/// An output that pays a script hash (P2WSH).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptHashOutput {
    /// Its index in its transaction.
    pub vout: u32,
    /// In sats.
    pub sats: u64,
    /// The script that locks it.
    pub script: ScriptBuf,
}

impl ScriptHashOutput {
    /// The P2WSH outputs of a transaction.
    pub fn of(transaction: &Transaction) -> impl Iterator<Item = Self> {
        let outputs = (0_u32..).zip(&transaction.output);
        let outputs = outputs.filter(|(_, output)| output.script_pubkey.is_p2wsh());
        outputs.map(|(vout, output)| Self {
            vout,
            sats: output.value.to_sat(),
            script: output.script_pubkey.clone(),
        })
    }
}

/// Confirmation status of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Status {
    /// Whether a block contains it.
    pub confirmed: bool,
    /// Height of that block.
    pub block_height: Option<u32>,
    /// Hash of that block.
    #[serde(default)]
    pub block_hash: Option<BlockHash>,
}

impl Status {
    /// The block that contains the transaction, according to this one answer.
    pub fn block(&self) -> Option<BlockId> {
        let block = self.block_height.zip(self.block_hash).filter(|_| self.confirmed);
        block.map(|(height, hash)| BlockId { height, hash })
    }
}

/// A block by height and hash, since after a reorganisation or on another server a height alone may name a
/// different block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockId {
    /// The block's height.
    pub height: u32,
    /// The block's hash.
    pub hash: BlockHash,
}

/// A block and its predecessor (`GET /blocks/:start_height`, `GET /block/:hash`; only the fields used here).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Block {
    /// The block's hash.
    pub id: BlockHash,
    /// The block's height.
    pub height: u32,
    /// The Merkle root of its transactions.
    pub merkle_root: TxMerkleNode,
    /// The block below; `None` for the genesis block.
    pub previousblockhash: Option<BlockHash>,
}

impl Block {
    /// Whether these are its transactions, all of them and in order. A list whose end is repeated can have
    /// the same Merkle root (CVE-2012-2459), so no txid may be listed twice.
    fn consists_of(&self, txids: &[Txid]) -> bool {
        let leaves = txids.iter().map(|txid| TxMerkleNode::from(txid.to_raw_hash()));
        merkle_tree::calculate_root(leaves) == Some(self.merkle_root)
            && txids.iter().collect::<BTreeSet<_>>().len() == txids.len()
    }
}

/// The Merkle proof of a transaction (`GET /tx/:txid/merkle-proof`; only the fields used here).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Proof {
    /// Index of the transaction in the block, from 0.
    pos: u32,
    /// The hashes that lead from its txid to the root, from the leaves up.
    merkle: Vec<TxMerkleNode>,
}

impl Proof {
    /// The Merkle root that the proof leads to.
    fn root(&self, txid: Txid) -> Option<TxMerkleNode> {
        let (mut node, mut place) = (TxMerkleNode::from(txid.to_raw_hash()), self.pos);
        for &sibling in &self.merkle {
            let pair = if place & 1 == 1 { [sibling, node] } else { [node, sibling] };
            node = merkle_tree::calculate_root(pair.into_iter())?;
            place >>= 1;
        }
        (place == 0).then_some(node)
    }
}

/// Spending status of an output (`GET /tx/:txid/outspend/:vout`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Outspend {
    /// Whether a transaction spends it, confirmed or in the mempool.
    pub spent: bool,
    /// The spending transaction.
    pub txid: Option<Txid>,
    /// The confirmation of the spending transaction.
    pub status: Option<Status>,
}

/// The fee of a transaction (`GET /tx/:txid`; only the field used here).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
struct Paid {
    /// In sats.
    fee: u64,
}

/// The result of a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broadcast {
    /// The mempool has accepted it, now or earlier.
    Accepted,
    /// A block contains it.
    InBlock,
    /// The node refuses it, with this message.
    Refused(String),
}

const fn esplora(operation: &'static str) -> Call {
    Call::new(party::ESPLORA, operation)
}

/// A client of one Esplora server.
#[derive(Clone, Debug)]
pub struct EsploraClient {
    base: Provider,
    outbound: Outbound,
    /// The coinbase of each block for which it was read, by height and hash.
    coinbases: Arc<Mutex<BTreeMap<(u32, BlockHash), Txid>>>,
}

impl EsploraClient {
    /// A client of the server in the settings; it does not connect yet.
    pub fn over(core: &Core, config: EsploraConfig) -> Self {
        let base = core.provider(config.url, Arc::new(encrypted));
        Self { base, outbound: core.outbound.clone(), coinbases: Arc::default() }
    }

    async fn get<T: serde::de::DeserializeOwned>(
        &self,
        operation: &'static str,
        path: &str,
    ) -> Result<Option<T>, SourceError> {
        let url = self.base.at(path).await?;
        Ok(self.outbound.get_json(esplora(operation), &url, TIMEOUT).await?)
    }

    async fn known<T: serde::de::DeserializeOwned>(
        &self,
        operation: &'static str,
        path: &str,
    ) -> Result<T, SourceError> {
        Ok(self.get(operation, path).await?.ok_or(OutboundError::Status(404))?)
    }

    /// The unspent outputs of an address, however many there are. `wanted` outputs are kept even if they are
    /// worth very little.
    pub async fn unspent(
        &self,
        address: &Address,
        wanted: &BTreeSet<OutPoint>,
    ) -> Result<Unspent, SourceError> {
        let url = self.base.at(&format!("/address/{address}/utxo")).await?;
        let request = http::Request::get(url)
            .header(http::header::ACCEPT, "application/json")
            .body(Bytes::new())
            .map_err(|error| OutboundError::Malformed(error.to_string()))?;
        let call = esplora("GET /address/{address}/utxo");
        let (mut unspent, mut found) = (Unspent::default(), Vec::new());
        let take = |element: Option<&[u8]>| {
            let utxo: Result<Utxo, _> = serde_json::from_slice(element.unwrap_or_default());
            let utxo = utxo.map_err(|error| OutboundError::Malformed(error.to_string()))?;
            match utxo.status.confirmed && wanted.contains(&utxo.outpoint()) {
                true => found.push(utxo),
                false => unspent.add(utxo),
            }
            Ok(())
        };
        let read = self.outbound.read_array(call, request, LIST_TIMEOUT, LIST_LIMITS, take).await?;
        read.ok_or(OutboundError::Status(404))?;
        unspent.keep(MOST_OUTPUTS);
        unspent.confirmed.extend(found);
        unspent.confirmed.sort_unstable_by_key(Utxo::preference);
        Ok(unspent)
    }

    /// The confirmation of a transaction; `None` if neither a block nor the mempool contains it.
    pub async fn status(&self, txid: Txid) -> Result<Option<Status>, SourceError> {
        let status = match self.confirmation(txid).await? {
            Some(BlockId { height, hash }) => {
                Status { confirmed: true, block_height: Some(height), block_hash: Some(hash) }
            }
            None if !self.exists(txid).await? => return Ok(None),
            None => Status { confirmed: false, block_height: None, block_hash: None },
        };
        Ok(Some(status))
    }

    /// The block that contains a transaction; `None` if it is unconfirmed or unknown.
    ///
    /// # Errors
    /// [`SourceError`] if Esplora fails, or calls the transaction confirmed without naming the block.
    pub async fn confirmation(&self, txid: Txid) -> Result<Option<BlockId>, SourceError> {
        let found: Option<Status> =
            self.get("GET /tx/{txid}/status", &format!("/tx/{txid}/status")).await?;
        let Some(status) = found.filter(|status| status.confirmed) else { return Ok(None) };
        let malformed =
            || OutboundError::Malformed("the block lacks its height or hash".to_owned());
        Ok(Some(status.block().ok_or_else(malformed)?))
    }

    /// Whether a block or the mempool contains a transaction. The body, which is the whole transaction, is
    /// not read.
    pub async fn exists(&self, txid: Txid) -> Result<bool, SourceError> {
        let url = self.base.at(&format!("/tx/{txid}")).await?;
        match self.outbound.get_status(esplora("GET /tx/{txid}"), &url, TIMEOUT).await? {
            StatusCode::NOT_FOUND => Ok(false),
            status if status.is_success() => Ok(true),
            status => Err(OutboundError::Status(status.as_u16()).into()),
        }
    }

    /// The spending status of an output; `None` if the output is unknown.
    pub async fn outspend(&self, output: OutPoint) -> Result<Option<Outspend>, SourceError> {
        let bitcoin::OutPoint { txid, vout } = output.0;
        let path = format!("/tx/{txid}/outspend/{vout}");
        self.get("GET /tx/{txid}/outspend/{vout}", &path).await
    }

    /// The fees of a transaction's descendants in the mempool, as far as they can be read in time: a stranger
    /// who spends an output can create a long chain of them. If some fees are missing, at worst nodes refuse
    /// a replacement.
    pub async fn descendants_fee(&self, txid: Txid) -> Amount {
        let time = self.outbound.waits(DESCENDANTS_TIME);
        let end = Instant::now().checked_add(time).unwrap_or_else(Instant::now);
        let (mut waiting, mut known) = (vec![txid], BTreeSet::from([txid]));
        let mut total = Amount::ZERO;
        while let Some(next) = waiting.pop() {
            let children = match timeout_at(end, self.unconfirmed_spenders(next)).await {
                Ok(Ok(children)) => children,
                Ok(Err(error)) => {
                    let error = error.internal();
                    tracing::warn!(%txid, error, "failed to read the descendants of a transaction");
                    continue;
                }
                Err(_elapsed) => break,
            };
            for child in children {
                if known.len() > MOST_DESCENDANTS || !known.insert(child) {
                    continue;
                }
                match timeout_at(end, self.fee(child)).await {
                    Ok(Ok(Some(fee))) => {
                        total = total.checked_add(fee).unwrap_or(Amount::MAX_MONEY);
                        waiting.push(child);
                    }
                    Ok(Ok(None)) => {}
                    Ok(Err(error)) => {
                        let error = error.internal();
                        tracing::warn!(%txid, %child, error, "failed to read a descendant's fee");
                    }
                    Err(_elapsed) => return total,
                }
            }
        }
        total
    }

    /// The transactions in the mempool that spend outputs of this one.
    async fn unconfirmed_spenders(&self, txid: Txid) -> Result<BTreeSet<Txid>, SourceError> {
        let spent: Option<Vec<Outspend>> =
            self.get("GET /tx/{txid}/outspends", &format!("/tx/{txid}/outspends")).await?;
        let spent = spent.unwrap_or_default().into_iter();
        let waiting = spent.filter(|by| by.status.is_none_or(|status| !status.confirmed));
        Ok(waiting.filter_map(|by| by.txid.filter(|_| by.spent)).collect())
    }

    /// The fee of a transaction; `None` if it is unknown.
    async fn fee(&self, txid: Txid) -> Result<Option<Amount>, SourceError> {
        let url = self.base.at(&format!("/tx/{txid}")).await?;
        let call = esplora("GET /tx/{txid}");
        let text = self.outbound.get_bytes(call, &url, TIMEOUT, LONGEST_DESCRIPTION).await?;
        let Some(text) = text else { return Ok(None) };
        let paid: Result<Paid, _> = serde_json::from_slice(&text);
        let paid = paid.map_err(|error| OutboundError::Malformed(error.to_string()))?;
        Ok(Some(Amount::from_sat(paid.fee)))
    }

    /// The height of the newest block.
    pub async fn tip_height(&self) -> Result<u32, SourceError> {
        self.known("GET /blocks/tip/height", "/blocks/tip/height").await
    }

    /// The rates at which a transaction confirms within each target, clamped to the limits.
    ///
    /// # Errors
    /// [`SourceError`] if Esplora fails, or has no estimate for a target as short as the deployment's.
    pub async fn fee_rates(&self, fees: &FeeConfig) -> Result<TargetRates, SourceError> {
        let estimates: Option<BTreeMap<u16, Number>> =
            self.get("GET /fee-estimates", "/fee-estimates").await?;
        let estimates = match estimates {
            Some(estimates) => estimates,
            None => {
                let path = "/v1/fees/recommended";
                let recommended: RecommendedFees =
                    self.known("GET /v1/fees/recommended", path).await?;
                recommended.by_target()
            }
        };
        let none = || OutboundError::Malformed("no fee estimate for the target".to_owned());
        target_rates(&estimates, fees).ok_or_else(|| none().into())
    }

    /// Broadcasts a transaction. Safe to repeat.
    ///
    /// # Errors
    /// [`SourceError`] if it is unknown whether the transaction was accepted.
    pub async fn broadcast(&self, transaction: &Transaction) -> Result<Broadcast, SourceError> {
        let request = http::Request::post(self.base.at("/tx").await?)
            .header(http::header::CONTENT_TYPE, "text/plain")
            .body(Bytes::from(encode::serialize_hex(transaction)))
            .map_err(|error| OutboundError::Malformed(error.to_string()))?;
        let answer = self.outbound.send(esplora("POST /tx"), request, BROADCAST_TIMEOUT).await?;
        match answer.status() {
            StatusCode::OK => Ok(Broadcast::Accepted),
            StatusCode::BAD_REQUEST => Ok(verdict(&String::from_utf8_lossy(answer.body()))),
            status => Err(OutboundError::Status(status.as_u16()).into()),
        }
    }

    /// The block of this height and those below, newest first: at most ten, each linked to the next. Empty if
    /// the server does not have the block yet.
    ///
    /// All of them come from one view of the chain, even if several servers share an address. A depth is
    /// computed from one such list, never from two answers.
    ///
    /// # Errors
    /// [`SourceError`] if Esplora fails, or returns blocks that are not linked.
    pub async fn linked_blocks(&self, top: u32) -> Result<Vec<Block>, SourceError> {
        let blocks = self.get("GET /blocks/{height}", &format!("/blocks/{top}")).await?;
        let blocks: Vec<Block> = blocks.unwrap_or_default();
        let is_linked = blocks.first().is_none_or(|first| first.height == top)
            && blocks.is_sorted_by(|upper, lower| {
                upper.previousblockhash == Some(lower.id)
                    && upper.height.checked_sub(1) == Some(lower.height)
            });
        if is_linked {
            Ok(blocks)
        } else {
            Err(OutboundError::Malformed("the blocks are not linked".to_owned()).into())
        }
    }

    /// Whether this block is at least `depth` deep, itself included, in one view of the chain; `depth` is at
    /// most ten.
    ///
    /// # Errors
    /// As [`Self::linked_blocks`].
    pub async fn is_buried(&self, block: BlockId, depth: u32) -> Result<bool, SourceError> {
        let top = block.height.saturating_add(depth).saturating_sub(1);
        let blocks = self.linked_blocks(top).await?;
        Ok(blocks.iter().any(|other| other.id == block.hash && other.height == block.height))
    }

    /// The index of a transaction in this block, from 0; `None` if the server's current answer does not place
    /// the transaction there.
    pub async fn position(&self, txid: Txid, block: BlockHash) -> Result<Option<u32>, SourceError> {
        let (proof, block) = (format!("/tx/{txid}/merkle-proof"), format!("/block/{block}"));
        let (proof, block) = tokio::try_join!(
            self.get::<Proof>("GET /tx/{txid}/merkle-proof", &proof),
            self.get::<Block>("GET /block/{hash}", &block)
        )?;
        // The proof names only a height; its root shows that it belongs to this block.
        let place =
            proof.zip(block).filter(|(proof, block)| proof.root(txid) == Some(block.merkle_root));
        Ok(place.map(|(proof, _)| proof.pos))
    }

    /// The txid of a block's coinbase; `None` if the server does not know the block. A coinbase never
    /// changes, so each is read only once.
    pub async fn coinbase(&self, block: BlockId) -> Result<Option<Txid>, SourceError> {
        let key = (block.height, block.hash);
        if let Some(txid) = self.known_coinbases().get(&key) {
            return Ok(Some(*txid));
        }
        let url = self.base.at(&format!("/block/{}/txid/0", block.hash)).await?;
        let call = esplora("GET /block/{hash}/txid/{index}");
        let text = self.outbound.get_bytes(call, &url, TIMEOUT, LONGEST_TXID).await?;
        let Some(text) = text else { return Ok(None) };
        let txid = std::str::from_utf8(&text).ok().and_then(|text| text.trim().parse().ok());
        let txid = txid.ok_or_else(|| OutboundError::Malformed("not a txid".to_owned()))?;
        let mut known = self.known_coinbases();
        known.insert(key, txid);
        while known.len() > MOST_COINBASES {
            known.pop_first();
        }
        Ok(Some(txid))
    }

    fn known_coinbases(&self) -> MutexGuard<'_, BTreeMap<(u32, BlockHash), Txid>> {
        self.coinbases.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All transactions of a block in order, verified against its Merkle root.
    ///
    /// # Errors
    /// [`SourceError`] if Esplora fails, does not know the block, or returns transactions that are not the
    /// block's.
    pub async fn txids(&self, block: &Block) -> Result<Vec<Txid>, SourceError> {
        let url = self.base.at(&format!("/block/{}/txids", block.id)).await?;
        let request = http::Request::get(url)
            .header(http::header::ACCEPT, "application/json")
            .body(Bytes::new())
            .map_err(|error| OutboundError::Malformed(error.to_string()))?;
        let call = esplora("GET /block/{hash}/txids");
        let mut txids = Vec::new();
        let take = |element: Option<&[u8]>| {
            let txid: Result<Txid, _> = serde_json::from_slice(element.unwrap_or_default());
            txids.push(txid.map_err(|error| OutboundError::Malformed(error.to_string()))?);
            Ok(())
        };
        let read =
            self.outbound.read_array(call, request, LIST_TIMEOUT, BLOCK_LIMITS, take).await?;
        read.ok_or(OutboundError::Status(404))?;
        if block.consists_of(&txids) {
            Ok(txids)
        } else {
            Err(OutboundError::Malformed("the transactions belong to another block".to_owned())
                .into())
        }
    }
}

impl EsploraClient {
    /// The outputs of a block that pay script hashes, by transaction, in the order of the block. The block is
    /// verified against its Merkle root, and is never decoded in memory as a whole.
    ///
    /// # Errors
    /// [`SourceError`] if Esplora fails, does not know the block, or returns transactions that are not the
    /// block's.
    pub async fn script_hash_outputs(
        &self,
        block: &Block,
    ) -> Result<Vec<(Txid, Vec<ScriptHashOutput>)>, SourceError> {
        let url = self.base.at(&format!("/block/{}/raw", block.id)).await?;
        let call = esplora("GET /block/{hash}/raw");
        let raw = self.outbound.get_bytes(call, &url, LIST_TIMEOUT, LARGEST_BLOCK).await?;
        let raw = raw.ok_or(OutboundError::Status(404))?;
        let found = outputs_of(block, &raw);
        found.map_err(|message| OutboundError::Malformed(message).into())
    }

    /// A transaction in a block or in the mempool; `None` if neither contains it.
    ///
    /// # Errors
    /// [`SourceError`] if Esplora fails, or returns another transaction.
    pub async fn transaction(&self, txid: Txid) -> Result<Option<Transaction>, SourceError> {
        let url = self.base.at(&format!("/tx/{txid}/hex")).await?;
        let call = esplora("GET /tx/{txid}/hex");
        let hex = self.outbound.get_bytes(call, &url, LIST_TIMEOUT, LONGEST_TRANSACTION).await?;
        let Some(hex) = hex else { return Ok(None) };
        let transaction = std::str::from_utf8(&hex).ok();
        let transaction =
            transaction.and_then(|hex| encode::deserialize_hex::<Transaction>(hex.trim()).ok());
        match transaction.filter(|transaction| transaction.compute_txid() == txid) {
            Some(transaction) => Ok(Some(transaction)),
            None => Err(OutboundError::Malformed("another transaction".to_owned()).into()),
        }
    }
}

/// The outputs of a serialized block that pay script hashes, if the block has this Merkle root.
fn outputs_of(block: &Block, raw: &[u8]) -> Result<Vec<(Txid, Vec<ScriptHashOutput>)>, String> {
    let malformed = |error: encode::Error| error.to_string();
    let mut left = raw.get(HEADER..).ok_or("the block has no header")?;
    let VarInt(count) = VarInt::consensus_decode(&mut left).map_err(malformed)?;
    let (mut txids, mut found) = (Vec::new(), Vec::new());
    for _transaction in 0..count {
        let transaction = Transaction::consensus_decode(&mut left).map_err(malformed)?;
        let txid = transaction.compute_txid();
        txids.push(txid);
        let outputs: Vec<_> = ScriptHashOutput::of(&transaction).collect();
        if !outputs.is_empty() {
            found.push((txid, outputs));
        }
    }
    match block.consists_of(&txids) {
        true => Ok(found),
        false => Err("the transactions belong to another block".to_owned()),
    }
}

impl Unspent {
    fn add(&mut self, utxo: Utxo) {
        if !utxo.status.confirmed {
            self.unconfirmed.push(utxo);
            if self.unconfirmed.len() > MOST_UNCONFIRMED.saturating_mul(2) {
                self.keep(MOST_OUTPUTS);
            }
            return;
        }
        self.confirmed.push(utxo);
        if self.confirmed.len() > MOST_OUTPUTS.saturating_mul(2) {
            self.keep(MOST_OUTPUTS);
        }
    }

    /// Sorts the outputs and drops the least valuable: confirmed ones beyond `most`, unconfirmed ones beyond
    /// [`MOST_UNCONFIRMED`].
    fn keep(&mut self, most: usize) {
        self.unconfirmed.sort_unstable_by_key(|utxo| (Reverse(utxo.value), utxo.txid, utxo.vout));
        let further = beyond(&self.unconfirmed, MOST_UNCONFIRMED);
        self.unconfirmed_left_out = self.unconfirmed_left_out.and(further);
        self.unconfirmed.truncate(MOST_UNCONFIRMED);
        self.confirmed.sort_unstable_by_key(Utxo::preference);
        self.left_out = self.left_out.and(beyond(&self.confirmed, most));
        self.confirmed.truncate(most);
    }
}

/// The outputs after the first `most`.
fn beyond(outputs: &[Utxo], most: usize) -> CoinSum {
    outputs.iter().skip(most).map(|utxo| utxo.value).collect()
}

/// Interprets a node's refusal (`sendrawtransaction`, Bitcoin Core 25 to 30).
fn verdict(refusal: &str) -> Broadcast {
    const IN_MEMPOOL: [&str; 3] =
        ["txn-already-in-mempool", "txn-already-known", "already in mempool"];
    const IN_BLOCK: [&str; 3] = [
        "Transaction already in block chain",
        "Transaction outputs already in utxo set",
        "txn-already-confirmed",
    ];
    let says = |texts: [&str; 3]| texts.iter().any(|text| refusal.contains(text));
    if says(IN_MEMPOOL) {
        Broadcast::Accepted
    } else if says(IN_BLOCK) {
        Broadcast::InBlock
    } else {
        Broadcast::Refused(refusal.chars().take(300).collect())
    }
}

/// Fee rates in sat/vB of mempool.space's Esplora, which has no estimates by target (`GET
/// /v1/fees/recommended`, only the fields used here).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecommendedFees {
    fastest_fee: Number,
    half_hour_fee: Number,
    hour_fee: Number,
    economy_fee: Number,
}

impl RecommendedFees {
    /// The rates by the number of blocks within which transactions confirm. "Economy" promises none, so it
    /// counts as 24 blocks.
    fn by_target(self) -> BTreeMap<u16, Number> {
        let Self { fastest_fee, half_hour_fee, hour_fee, economy_fee } = self;
        BTreeMap::from([(1, fastest_fee), (3, half_hour_fee), (6, hour_fee), (24, economy_fee)])
    }
}

/// The rates of the targets; `None` if there is no estimate for the deployment's target.
fn target_rates(estimates: &BTreeMap<u16, Number>, fees: &FeeConfig) -> Option<TargetRates> {
    let within = |blocks: u16| {
        let (_, estimate) = estimates.range(..=blocks).next_back()?;
        Some(parse_rate(&estimate.to_string())?.clamp(fees.rates.lowest, fees.rates.highest))
    };
    let targets = fees.targets();
    let normal = within(targets.normal)?;
    Some(TargetRates {
        economy: within(targets.economy).map_or(normal, |r| r.min(normal)),
        normal,
        fast: within(targets.fast).map_or(normal, |rate| rate.max(normal)),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests {
    use bitcoin::FeeRate;

    use super::*;

    #[test]
    fn a_faster_target_never_costs_less() {
        let fees = |range: &str| FeeConfig {
            target_blocks: 3,
            rates: range.parse().unwrap(),
            cap: bitcoin::Amount::from_sat(1),
        };
        let estimates = |text: &str| serde_json::from_str::<BTreeMap<u16, Number>>(text).unwrap();
        for (text, range, expected) in [
            (r#"{"1": 20, "3": 10, "24": 2, "144": 1}"#, "1-500", Some((2, 10, 20))),
            (r#"{"1": 20, "3": 10, "25": 2}"#, "12-15", Some((12, 12, 15))),
            // An estimator can be inconsistent, or know only one target.
            (r#"{"1": 5, "3": 10, "6": 30}"#, "1-500", Some((10, 10, 10))),
            (r#"{"2": 7}"#, "1-500", Some((7, 7, 7))),
            (r#"{"6": 7}"#, "1-500", None),
            ("{}", "1-500", None),
        ] {
            let rates = target_rates(&estimates(text), &fees(range)).map(|rates| {
                let per_vb = |rate: FeeRate| rate.to_sat_per_vb_ceil();
                (per_vb(rates.economy), per_vb(rates.normal), per_vb(rates.fast))
            });
            assert_eq!(rates, expected, "{text}");
        }
    }

    #[test]
    fn a_proof_leads_only_to_the_root_of_its_own_block() {
        use bitcoin::hashes::Hash as _;

        let txids: Vec<_> = (1..=3).map(|seed| Txid::from_byte_array([seed; 32])).collect();
        let leaf = |place: usize| TxMerkleNode::from(txids[place].to_raw_hash());
        let pair = |left, right| merkle_tree::calculate_root([left, right].into_iter()).unwrap();
        let lower = [pair(leaf(0), leaf(1)), pair(leaf(2), leaf(2))];
        let root = pair(lower[0], lower[1]);
        let second = Proof { pos: 1, merkle: vec![leaf(0), lower[1]] };
        assert_eq!(second.root(txids[1]), Some(root));
        assert_ne!(second.root(txids[0]), Some(root));
        for wrong in [0, 2, 3, 5] {
            assert_ne!(
                Proof { pos: wrong, ..second.clone() }.root(txids[1]),
                Some(root),
                "{wrong}"
            );
        }
        assert_eq!(Proof { pos: 0, merkle: Vec::new() }.root(txids[2]), Some(leaf(2)));
    }

    #[test]
    fn a_block_consists_of_all_its_transactions_in_order_and_of_nothing_else() {
        use bitcoin::hashes::Hash as _;

        let txids: Vec<_> = (1..=3).map(|seed| Txid::from_byte_array([seed; 32])).collect();
        let leaves = txids.iter().map(|txid| TxMerkleNode::from(txid.to_raw_hash()));
        let block = Block {
            id: BlockHash::all_zeros(),
            height: 1,
            merkle_root: merkle_tree::calculate_root(leaves).unwrap(),
            previousblockhash: None,
        };
        assert!(block.consists_of(&txids));
        let [a, b, c] = [txids[0], txids[1], txids[2]];
        // The second list has the Merkle root of the block.
        for wrong in [&[a, b][..], &[a, b, c, c], &[b, a, c], &[a, b, a], &[]] {
            assert!(!block.consists_of(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_serialized_block_is_read_only_if_it_has_the_merkle_root() {
        use bitcoin::{
            Amount, TxOut, absolute::LockTime, consensus::encode::serialize, hashes::Hash as _,
            transaction::Version,
        };

        let paying = |script: ScriptBuf| Transaction {
            version: Version::TWO,
            lock_time: LockTime::ZERO,
            input: vec![bitcoin::TxIn::default()],
            output: vec![
                TxOut { value: Amount::from_sat(1), script_pubkey: ScriptBuf::new() },
                TxOut { value: Amount::from_sat(546), script_pubkey: script },
            ],
        };
        let script = ScriptBuf::new_p2wsh(&bitcoin::WScriptHash::from_byte_array([7; 32]));
        let txdata = vec![paying(ScriptBuf::new()), paying(script.clone())];
        let txids: Vec<_> = txdata.iter().map(Transaction::compute_txid).collect();
        let leaves = txids.iter().map(|txid| TxMerkleNode::from(txid.to_raw_hash()));
        let mut block = Block {
            id: BlockHash::all_zeros(),
            height: 1,
            merkle_root: merkle_tree::calculate_root(leaves).unwrap(),
            previousblockhash: None,
        };
        let mut raw = vec![0; HEADER];
        raw.extend(serialize(&txdata));
        let output = ScriptHashOutput { vout: 1, sats: 546, script };
        assert_eq!(outputs_of(&block, &raw), Ok(vec![(txids[1], vec![output])]));
        for cut in [0, HEADER - 1, HEADER, HEADER + 1, raw.len() - 1] {
            assert!(outputs_of(&block, &raw[..cut]).is_err(), "{cut}");
        }
        block.merkle_root = TxMerkleNode::all_zeros();
        assert!(outputs_of(&block, &raw).is_err());
    }

    #[test]
    fn the_most_valuable_then_oldest_outputs_are_kept() {
        let utxo = |value, height: u32| Utxo {
            txid: bitcoin::hashes::Hash::all_zeros(),
            vout: 0,
            value,
            status: Status { confirmed: height > 0, block_height: Some(height), block_hash: None },
        };
        let mut unspent = Unspent::default();
        for coin in [utxo(330, 9), utxo(546, 8), utxo(330, 3), utxo(9_000, 10), utxo(700, 0)] {
            unspent.add(coin);
        }
        unspent.keep(3);
        let kept: Vec<_> = unspent.confirmed.iter().map(|utxo| utxo.value).collect();
        assert_eq!(kept, [9_000, 546, 330]);
        assert_eq!(unspent.confirmed.last().unwrap().status.block_height, Some(3));
        assert_eq!((unspent.left_out.coins, unspent.unconfirmed.len()), (1, 1));
    }

    #[test]
    fn a_transaction_known_to_the_node_is_not_a_refusal() {
        let said = |reason: &str| {
            verdict(&format!(
                r#"sendrawtransaction RPC error: {{"code":-27,"message":"{reason}"}}"#
            ))
        };
        assert_eq!(said("txn-already-known"), Broadcast::Accepted);
        assert_eq!(said("Transaction outputs already in utxo set"), Broadcast::InBlock);
        for refused in
            ["bad-txns-inputs-missingorspent", "min relay fee not met", "txn-mempool-conflict"]
        {
            assert!(matches!(said(refused), Broadcast::Refused(_)), "{refused}");
        }
    }
}
