//! The bids of a mint, by block; its virtual blocks are computed from them (custody rule 5).
//!
//! The write that moves the tip to a block adds the block's bids, and the write that takes the block back
//! deletes them. Together they are therefore exactly the mint's commitments in the applied chain, even if
//! rows of VM transactions lag. If the row of a batch cannot be read at that time, the write names the batch
//! without its bids. The mint then waits until the row can be read; other mints do not.
//!
//! Functions that answer requests write the rows of VM transactions. A batch therefore bids only what its commitment has
//! paid; if its row says something else, it takes nothing (custody rule 33).

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Deref,
};

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{Script, Transaction, Txid, hashes::Hash};
use chain::{
    keys,
    mints::{KeptMint, MOST_BATCHES, MOST_TIERS, Mint, Tier, VmSum, VmSums, VmTransaction},
    models::{mint::MintId, vm_transaction::VmTransactionKey},
    transactions::{ChainError, TransactionBody},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use shared::models::bitcoin::OutPoint;
use store::{Entity, Key, StoreError, Update, Writes};
use tokio::sync::OwnedSemaphorePermit;

use crate::{
    app::App,
    read_many::read_readable,
    virtual_blocks::{Batch, Bid, Place},
};

/// Bytes of one row, before base64: a row of DynamoDB has at most 400 kB.
const MOST_BYTES: usize = 225_000;
/// The most rows of single mints that one block writes. Further mints share rows, since a write batch has at
/// most 100 actions.
const MOST_ROWS: usize = 80;

/// Commitments that are asked of the node concurrently.
const AT_ONCE: usize = 32;

/// The bids for a mint in a block, or a part of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BlockBids {
    height: u32,
    /// Base64. For each batch, little endian: its txid (32 bytes), its position in the block (4), the number
    /// of its prices (2), and for each price the number of requests (8) and the price in sats (8).
    batches: String,
    /// Batches whose bids could not be read when the block was applied, each with its position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing: Vec<(Txid, u32)>,
}

impl Entity for BlockBids {
    const ENTITY: &'static str = "blockBids";
}

/// The bids in a block for mints that have no row of their own there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FurtherBids {
    mints: Vec<(MintId, BlockBids)>,
}

impl Entity for FurtherBids {
    const ENTITY: &'static str = "furtherBids";
}

/// The batches of a mint in a block, each with its position.
pub(crate) type BatchesOfMint = Vec<(VmTransaction, u32)>;

/// Reads batches of a mint with the bids that count: a batch whose row does not fit its commitment has none.
/// `None` for a batch whose row or commitment cannot be read. A stored commitment is proven by its txid; if
/// `asks_node`, the node supplies those that are not stored.
pub(crate) async fn read_fitting(
    app: &App,
    (mint_id, terms): (MintId, &KeptMint),
    txids: &[Txid],
    asks_node: bool,
) -> Result<Vec<Option<VmTransaction>>, ChainError> {
    let key = |txid: &Txid| VmTransactionKey { mint_id, txid: *txid };
    let rows = txids.iter().map(|txid| keys::vm_transaction(key(txid))).collect();
    let bodies = txids.iter().map(|txid| keys::transaction_body(*txid)).collect();
    let (rows, bodies) = tokio::try_join!(
        read_readable::<VmTransaction>(app, rows),
        read_readable::<TransactionBody>(app, bodies)
    )?;
    let read =
        txids.iter().zip(rows.into_iter().zip(bodies)).map(|(txid, (row, body))| async move {
            let Some(row) = row else { return Ok(None) };
            let stored = body.and_then(|body| body.unsigned().ok());
            let commitment = match stored.filter(|stored| stored.compute_txid() == *txid) {
                None if asks_node => app.esplora.transaction(*txid).await?,
                stored => stored,
            };
            Ok(commitment.map(|commitment| fitting(row, key(txid), &commitment, terms)))
        });
    let read: Vec<_> = read.collect();
    stream::iter(read).buffered(AT_ONCE).try_collect().await
}

/// A batch with the bids that count: none, if its row does not fit its commitment.
fn fitting(
    row: VmTransaction,
    key: VmTransactionKey,
    commitment: &Transaction,
    terms: &KeptMint,
) -> VmTransaction {
    if fits(&row, key, commitment, terms) {
        return row;
    }
    let VmTransactionKey { mint_id, txid } = key;
    tracing::error!(mint = %mint_id, %txid, "a batch bids something else than it has paid for, and takes nothing");
    VmTransaction { mint_id, txid, tiers: Vec::new(), ..row }
}

/// Whether a row belongs to this commitment, the commitment pays the treasury for all of the row's bids, and
/// the mint accepts these bids.
fn fits(
    row: &VmTransaction,
    key: VmTransactionKey,
    commitment: &Transaction,
    terms: &KeptMint,
) -> bool {
    let treasury = terms.treasury.script_pubkey();
    let output = usize::try_from(row.output.0.vout).ok();
    let output = output.filter(|_| row.output.0.txid == key.txid);
    let output = output.and_then(|vout| commitment.output.get(vout));
    let paid = output.filter(|output| output.script_pubkey == treasury);
    let sats = row.tiers.iter().try_fold(0_u64, |sum, tier| {
        sum.checked_add(tier.count.checked_mul(tier.sats_per_request)?)
    });
    let accepts = |tier: &Tier| {
        (1..=terms.total_requests).contains(&tier.count)
            && tier.sats_per_request >= terms.min_sats_per_request
    };
    row.key() == key
        && !row.tiers.is_empty()
        && row.tiers.len() <= MOST_TIERS
        && row.tiers.iter().all(accepts)
        && sats.is_some()
        && sats == paid.map(|output| output.value.to_sat())
}

/// A batch whose row did not fit, as it is refunded: with one request, at the price of everything that its
/// commitment has paid the treasury. If the commitment has paid nothing, there is no request.
pub(crate) fn as_paid(
    row: &VmTransaction,
    commitment: &Transaction,
    treasury: &Script,
) -> VmTransaction {
    let outputs = (0_u32..).zip(&commitment.output);
    let paid = outputs.filter(|(_, output)| output.script_pubkey.as_script() == treasury);
    let Some((vout, paid)) = paid.max_by_key(|(_, output)| output.value) else {
        return VmTransaction { tiers: Vec::new(), ..row.clone() };
    };
    let tier = Tier { count: 1, sats_per_request: paid.value.to_sat(), in_blocks: 0 };
    let output = OutPoint(bitcoin::OutPoint { txid: row.txid, vout });
    VmTransaction { output, tiers: vec![tier], ..row.clone() }
}

/// The writes of the bids in a block; `missing` are batches whose rows cannot be read.
pub(crate) fn writes(
    height: u32,
    mints: &BTreeMap<MintId, BatchesOfMint>,
    missing: &BTreeMap<MintId, Vec<(Txid, u32)>>,
) -> Result<Writes<()>, ChainError> {
    let (own, mut further) = layout(height, mints)?;
    further.extend(holes(height, missing));
    let writes = own.iter().fold(Writes::new(), |writes, (key, row)| writes.put(key, row, ()));
    Ok(further
        .iter()
        .enumerate()
        .fold(writes, |writes, (part, row)| writes.put(&keys::bids(None, height, part), row, ())))
}

/// The row that names batches without bids, if there are any.
fn holes(height: u32, missing: &BTreeMap<MintId, Vec<(Txid, u32)>>) -> Option<FurtherBids> {
    let hole = |(mint, missing): (&MintId, &Vec<_>)| {
        let bids = BlockBids { height, batches: String::new(), missing: missing.clone() };
        (*mint, bids)
    };
    (!missing.is_empty()).then(|| FurtherBids { mints: missing.iter().map(hole).collect() })
}

/// Rows of single mints, and rows that further mints share.
type Layout = (Vec<(Key, BlockBids)>, Vec<FurtherBids>);

/// Divides the bids of a block among rows.
fn layout(height: u32, mints: &BTreeMap<MintId, BatchesOfMint>) -> Result<Layout, ChainError> {
    let (mut own, mut further): (Vec<_>, Vec<FurtherBids>) = (Vec::new(), Vec::new());
    let mut left = 0_usize;
    for (&mint, batches) in mints {
        let rows = rows(mint, height, batches)?;
        if own.len().saturating_add(rows.len()) <= MOST_ROWS {
            own.extend(rows);
            continue;
        }
        for (_, row) in rows {
            match further.last_mut().filter(|_| row.batches.len() <= left) {
                Some(last) => {
                    left = left.saturating_sub(row.batches.len());
                    last.mints.push((mint, row));
                }
                None => {
                    left = MOST_BYTES.saturating_sub(row.batches.len());
                    further.push(FurtherBids { mints: vec![(mint, row)] });
                }
            }
        }
    }
    Ok((own, further))
}

/// The rows of the bids for one mint in a block.
fn rows(
    mint: MintId,
    height: u32,
    batches: &[(VmTransaction, u32)],
) -> Result<Vec<(Key, BlockBids)>, ChainError> {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for (batch, position) in batches {
        let packed = pack(batch, *position)?;
        match parts.last_mut() {
            Some(part) if part.len().saturating_add(packed.len()) <= MOST_BYTES => {
                part.extend(packed);
            }
            _ => parts.push(packed),
        }
    }
    let row = |(number, part): (usize, &Vec<u8>)| {
        let batches = BASE64_STANDARD.encode(part);
        (keys::bids(Some(mint), height, number), BlockBids { height, batches, missing: Vec::new() })
    };
    Ok(parts.iter().enumerate().map(row).collect())
}

/// The writes that delete the bids for these mints in a block.
pub(crate) async fn deletions(
    app: &App,
    height: u32,
    mints: impl IntoIterator<Item = MintId>,
) -> Result<Writes<()>, ChainError> {
    let mut writes = Writes::new();
    for mint in mints {
        let (low, high) = keys::bids_between(Some(mint), height, height);
        let rows = app.store.range::<BlockBids>((&low, &high), true, None).await?.len();
        for part in 0..rows {
            writes = writes.delete(&keys::bids(Some(mint), height, part), Update::<()>::new(), ());
        }
    }
    let (low, high) = keys::bids_between(None, height, height);
    let rows = app.store.range::<FurtherBids>((&low, &high), true, None).await?.len();
    Ok((0..rows).fold(writes, |writes, part| {
        writes.delete(&keys::bids(None, height, part), Update::<()>::new(), ())
    }))
}

/// The batches of a mint, and the memory that is set aside for them.
pub(crate) struct MintBatches {
    batches: Vec<Batch<Txid>>,
    _room: Option<OwnedSemaphorePermit>,
}

impl Deref for MintBatches {
    type Target = [Batch<Txid>];

    fn deref(&self) -> &[Batch<Txid>] {
        &self.batches
    }
}

/// The batches of a mint in the applied blocks up to height `highest`, once this instance has room for them.
///
/// # Errors
/// [`ChainError::Damaged`] if the bids of one of them cannot be read.
pub(crate) async fn read(app: &App, mint: &Mint, highest: u32) -> Result<MintBatches, ChainError> {
    read_up_to(app, mint, highest).await?.up_to(highest)
}

/// The batches that the applied blocks name for a mint, and the memory that is set aside for them.
#[derive(Default)]
pub(crate) struct NamedBatches {
    batches: Vec<Batch<Txid>>,
    /// Those whose bids cannot be read.
    unread: Vec<(Txid, Place)>,
    room: Option<OwnedSemaphorePermit>,
}

impl NamedBatches {
    /// All of them.
    pub(crate) fn ids(&self) -> BTreeSet<Txid> {
        let unread = self.unread.iter().map(|(id, _)| *id);
        self.batches.iter().map(|batch| batch.id).chain(unread).collect()
    }

    /// Those that bid nothing because their rows did not fit.
    pub(crate) fn without_bids(&self) -> BTreeSet<Txid> {
        let without = self.batches.iter().filter(|batch| batch.bids.is_empty());
        without.map(|batch| batch.id).collect()
    }

    /// Those in blocks up to height `last`.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the bids of one of them cannot be read.
    pub(crate) fn up_to(self, last: u32) -> Result<MintBatches, ChainError> {
        let Self { mut batches, unread, room } = self;
        if unread.iter().any(|(_, place)| place.height <= last) {
            return Err(ChainError::Damaged("a batch of the mint cannot be read"));
        }
        batches.retain(|batch| batch.place.height <= last);
        Ok(MintBatches { batches, _room: room })
    }
}

/// All batches that the applied blocks name for a mint, once this instance has room for them.
pub(crate) async fn read_named(app: &App, mint: &Mint) -> Result<NamedBatches, ChainError> {
    read_up_to(app, mint, u32::MAX).await
}

async fn read_up_to(app: &App, mint: &Mint, highest: u32) -> Result<NamedBatches, ChainError> {
    let expected = match app.store.get::<VmSums>(&keys::vm_sums(mint.rune.id, mint.id)).await {
        Ok(sums) => sums.map_or(0, |sums| sums.batches().max(sums.get(VmSum::Bids))),
        // The count only serves to estimate the memory.
        Err(StoreError::Row(_)) => MOST_BATCHES.into(),
        Err(error) => return Err(error.into()),
    };
    let room = app.room_for(expected).await;
    let own = keys::bids_between(Some(mint.id), 0, highest);
    let further = keys::bids_between(None, 0, highest);
    let (own, further) = tokio::try_join!(
        app.store.range::<BlockBids>((&own.0, &own.1), true, None),
        app.store.range::<FurtherBids>((&further.0, &further.1), true, None)
    )?;
    let missing = missing(mint.id, &further);
    let batches = batches_of(mint.id, own, further).ok_or(ChainError::Damaged("invalid bids"))?;
    let mut named = NamedBatches { batches, unread: Vec::new(), room };
    read_missing(app, mint, missing, &mut named).await?;
    Ok(named)
}

/// The batches of a mint that these rows name without their bids.
fn missing(mint: MintId, further: &[FurtherBids]) -> Vec<(Txid, Place)> {
    let rows = further.iter().flat_map(|row| &row.mints).filter(|(of, _)| *of == mint);
    let missing = rows.flat_map(|(_, row)| {
        let place = |position| Place { height: row.height, position };
        row.missing.iter().map(move |(txid, position)| (*txid, place(*position)))
    });
    missing.collect()
}

/// Reads the bids that could not be read when their blocks were applied. Prices and numbers of requests never
/// change, and have to fit what was paid.
async fn read_missing(
    app: &App,
    mint: &Mint,
    missing: Vec<(Txid, Place)>,
    named: &mut NamedBatches,
) -> Result<(), ChainError> {
    if missing.is_empty() {
        return Ok(());
    }
    let txids: Vec<_> = missing.iter().map(|(txid, _)| *txid).collect();
    let rows = read_fitting(app, (mint.id, &KeptMint::of(mint)), &txids, true).await?;
    for ((id, place), row) in missing.into_iter().zip(rows) {
        let Some(row) = row else {
            named.unread.push((id, place));
            continue;
        };
        let bid = |tier: Tier| Bid { count: tier.count, sats_per_request: tier.sats_per_request };
        let bids = row.tiers.into_iter().map(bid).collect();
        named.batches.push(Batch { id, place, bids });
    }
    Ok(())
}

/// The batches of a mint in these rows.
fn batches_of(
    mint: MintId,
    own: Vec<BlockBids>,
    further: Vec<FurtherBids>,
) -> Option<Vec<Batch<Txid>>> {
    let further = further.into_iter().flat_map(|row| row.mints);
    let further = further.filter(|(of, _)| *of == mint).map(|(_, row)| row);
    let mut batches = Vec::new();
    for row in own.into_iter().chain(further) {
        unpack(&row, &mut batches)?;
    }
    Some(batches)
}

fn pack(batch: &VmTransaction, position: u32) -> Result<Vec<u8>, ChainError> {
    let prices = u16::try_from(batch.tiers.len());
    let prices = prices.map_err(|_| ChainError::Damaged("a batch has too many prices"))?;
    let mut bytes = batch.txid.to_byte_array().to_vec();
    bytes.extend(position.to_le_bytes());
    bytes.extend(prices.to_le_bytes());
    for tier in &batch.tiers {
        bytes.extend(tier.count.to_le_bytes());
        bytes.extend(tier.sats_per_request.to_le_bytes());
    }
    Ok(bytes)
}

fn unpack(row: &BlockBids, batches: &mut Vec<Batch<Txid>>) -> Option<()> {
    fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
        let (taken, rest) = bytes.split_first_chunk::<N>()?;
        *bytes = rest;
        Some(*taken)
    }
    let bytes = BASE64_STANDARD.decode(&row.batches).ok()?;
    let mut bytes = bytes.as_slice();
    while !bytes.is_empty() {
        let id = Txid::from_byte_array(take(&mut bytes)?);
        let position = u32::from_le_bytes(take(&mut bytes)?);
        let prices = u16::from_le_bytes(take(&mut bytes)?);
        let mut bids = Vec::with_capacity(prices.into());
        for _price in 0..prices {
            let count = u64::from_le_bytes(take(&mut bytes)?);
            let sats_per_request = u64::from_le_bytes(take(&mut bytes)?);
            bids.push(Bid { count, sats_per_request });
        }
        batches.push(Batch { id, place: Place { height: row.height, position }, bids });
    }
    Some(())
}

#[cfg(test)]
mod tests;
