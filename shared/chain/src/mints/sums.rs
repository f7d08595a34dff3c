//! Sums over the VM transactions of a mint.

use std::collections::BTreeMap;

use ordinals::RuneId;
use serde::{Deserialize, Serialize};
use store::{Entity, Field, Store, StoreError, fields};

use crate::{
    keys,
    models::{mint::MintId, vm_transaction::VmState},
};

/// Sums over the VM transactions of a mint. Requests add to them; only the worker writes the mint's own row.
///
/// A sum may be negative for a moment: a subtraction may be written before the addition that it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VmSums {
    /// Rune id and mint id, with `#` between them.
    sk: String,
    broadcasting: i64,
    all_in_mempool: i64,
    partially_in_block: i64,
    all_in_block: i64,
    distributing: i64,
    distributed: i64,
    not_taken: i64,
    replaced: i64,
    failed: i64,
    in_mempool: i64,
    in_blocks: i64,
    bids: i64,
}

impl Entity for VmSums {
    const ENTITY: &'static str = "vmSums";
}

fields!(VmSums {
    BROADCASTING: i64 = broadcasting,
    ALL_IN_MEMPOOL: i64 = all_in_mempool,
    PARTIALLY_IN_BLOCK: i64 = partially_in_block,
    ALL_IN_BLOCK: i64 = all_in_block,
    DISTRIBUTING: i64 = distributing,
    DISTRIBUTED: i64 = distributed,
    NOT_TAKEN: i64 = not_taken,
    REPLACED: i64 = replaced,
    FAILED: i64 = failed,
    IN_MEMPOOL: i64 = in_mempool,
    IN_BLOCKS: i64 = in_blocks,
    BIDS: i64 = bids,
});

/// What is summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VmSum {
    /// VM transactions in a public state.
    InState(VmState),
    /// Requests in virtual blocks.
    InBlocks,
    /// Requests in the virtual mempool.
    InMempool,
    /// Bids of the batches that are in blocks or may still get there: one for each price of a batch.
    Bids,
}

impl VmSum {
    /// Its field; `None` for a private state.
    pub(super) fn field(self) -> Option<Field<VmSums, i64>> {
        use VmState::{
            AllInBlock, AllInMempool, Broadcasting, Distributed, Distributing, Expired, Failed,
            NotTaken, PartiallyInBlock, Replaced, Unsigned,
        };
        Some(match self {
            Self::InState(Unsigned | Expired) => return None,
            Self::InState(Broadcasting) => VmSums::BROADCASTING,
            Self::InState(AllInMempool) => VmSums::ALL_IN_MEMPOOL,
            Self::InState(PartiallyInBlock) => VmSums::PARTIALLY_IN_BLOCK,
            Self::InState(AllInBlock) => VmSums::ALL_IN_BLOCK,
            Self::InState(Distributing) => VmSums::DISTRIBUTING,
            Self::InState(Distributed) => VmSums::DISTRIBUTED,
            Self::InState(NotTaken) => VmSums::NOT_TAKEN,
            Self::InState(Replaced) => VmSums::REPLACED,
            Self::InState(Failed) => VmSums::FAILED,
            Self::InBlocks => VmSums::IN_BLOCKS,
            Self::InMempool => VmSums::IN_MEMPOOL,
            Self::Bids => VmSums::BIDS,
        })
    }
}

impl VmSums {
    /// One of the sums.
    pub fn get(&self, sum: VmSum) -> u64 {
        use VmState::{
            AllInBlock, AllInMempool, Broadcasting, Distributed, Distributing, Expired, Failed,
            NotTaken, PartiallyInBlock, Replaced, Unsigned,
        };
        let sum = match sum {
            VmSum::InState(Unsigned | Expired) => 0,
            VmSum::InState(Broadcasting) => self.broadcasting,
            VmSum::InState(AllInMempool) => self.all_in_mempool,
            VmSum::InState(PartiallyInBlock) => self.partially_in_block,
            VmSum::InState(AllInBlock) => self.all_in_block,
            VmSum::InState(Distributing) => self.distributing,
            VmSum::InState(Distributed) => self.distributed,
            VmSum::InState(NotTaken) => self.not_taken,
            VmSum::InState(Replaced) => self.replaced,
            VmSum::InState(Failed) => self.failed,
            VmSum::InBlocks => self.in_blocks,
            VmSum::InMempool => self.in_mempool,
            VmSum::Bids => self.bids,
        };
        u64::try_from(sum).unwrap_or_default()
    }

    /// The signed batches that are in blocks or may still get there.
    pub fn batches(&self) -> u64 {
        use VmState::{
            AllInBlock, AllInMempool, Broadcasting, Distributed, Distributing, NotTaken,
            PartiallyInBlock,
        };
        let states = [
            Broadcasting,
            AllInMempool,
            PartiallyInBlock,
            AllInBlock,
            Distributing,
            Distributed,
            NotTaken,
        ];
        let counts = states.map(|state| self.get(VmSum::InState(state)));
        counts.into_iter().fold(0, u64::saturating_add)
    }

    /// The rune of the mint.
    pub fn rune(&self) -> &str {
        self.sk.split_once('#').map_or("", |(rune, _)| rune)
    }

    /// The mint.
    pub fn mint(&self) -> Option<MintId> {
        self.sk.split_once('#').and_then(|(_, mint)| mint.parse().ok())
    }
}

/// The sums of each mint of a rune, or of all runes.
pub async fn vm_sums(store: &Store, rune: Option<RuneId>) -> Result<Vec<VmSums>, StoreError> {
    let (low, high) = keys::vm_sums_of(rune);
    store.range((&low, &high), true, None).await
}

/// The requests that wait in the virtual mempools of a rune, or of all runes, by rune. The sums of all mints are
/// read page by page, since there may be more than fit into memory; those that cannot be read are left out.
///
/// # Errors
/// [`StoreError`].
pub async fn waiting_requests(
    store: &Store,
    rune: Option<RuneId>,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let (low, high) = keys::vm_sums_of(rune);
    let mut by_rune = BTreeMap::<String, u64>::new();
    let add = |sums: VmSums| {
        let waiting = sums.get(VmSum::InMempool);
        if waiting > 0 {
            let sum = by_rune.entry(sums.rune().to_owned()).or_default();
            *sum = sum.saturating_add(waiting);
        }
    };
    store.each_of_range((&low, &high), add).await?;
    Ok(by_rune)
}
