//! What the virtual blocks of a mint hold and what waits for the next one, as last computed by the worker.
//! With it, a page about a mint reads one or two rows instead of every batch.

use serde::{Deserialize, Serialize};
use store::{Entity, Store, StoreError, fields};

use crate::{keys, models::mint::MintId};

/// The number of virtual blocks in one row: 200 take about 10 kB.
pub const BLOCKS_OF_A_ROW: u64 = 200;

/// What waits for the next virtual block of a mint. It does not name the Bitcoin block it was computed from,
/// so blocks without transactions of the mint need not change it. That block is the worker's
/// [`Tip`](crate::blocks::Tip), except that for a second or two after a new block this still describes the
/// previous one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MintOutlook {
    /// The most requests that the next virtual block can take, if the mint has another block.
    pub room: u64,
    /// Virtual blocks that have taken requests.
    pub blocks: u64,
    /// All waiting requests, of confirmed batches and of batches in the mempool.
    pub requests: u64,
    /// Their total price, in sats.
    pub sats: u64,
    /// The requests at the highest prices, highest first.
    pub by_price: Vec<PriceLevel>,
    /// Incremented with each write.
    pub revision: u64,
}

impl Entity for MintOutlook {
    const ENTITY: &'static str = "mintOutlook";
}

fields!(MintOutlook {
    pub REVISION: u64 = revision,
});

/// The waiting requests at one price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u64, u64)", into = "(u64, u64, u64)")]
pub struct PriceLevel {
    /// The price of each request, in sats.
    pub sats_per_request: u64,
    /// Number of requests.
    pub requests: u64,
    /// How many of them have their commitment in a block.
    pub confirmed: u64,
}

impl From<(u64, u64, u64)> for PriceLevel {
    fn from((sats_per_request, requests, confirmed): (u64, u64, u64)) -> Self {
        Self { sats_per_request, requests, confirmed }
    }
}

impl From<PriceLevel> for (u64, u64, u64) {
    fn from(level: PriceLevel) -> Self {
        (level.sats_per_request, level.requests, level.confirmed)
    }
}

/// The requests that the next virtual block takes if the mempool's batches confirm in its Bitcoin block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextBlock {
    /// Number of requests.
    pub requests: u64,
    /// Their total price, in sats.
    pub sats: u64,
    /// Their lowest price.
    pub lowest: Option<u64>,
    /// Their highest price.
    pub highest: Option<u64>,
}

impl MintOutlook {
    /// What the next virtual block takes.
    pub fn next_block(&self) -> NextBlock {
        let mut next = NextBlock::default();
        for level in &self.by_price {
            let taken = level.requests.min(self.room.saturating_sub(next.requests));
            if taken == 0 {
                break;
            }
            next.requests = next.requests.saturating_add(taken);
            next.sats = next.sats.saturating_add(taken.saturating_mul(level.sats_per_request));
            next.highest = next.highest.or(Some(level.sats_per_request));
            next.lowest = Some(level.sats_per_request);
        }
        next
    }

    /// The lowest price, at least `lowest`, at which the next virtual block takes this many further requests;
    /// `None` if it has no room for them. At equal prices earlier requests come first, so a later one has to
    /// pay one sat more.
    pub fn price_to_enter(&self, requests: u64, lowest: u64) -> Option<u64> {
        let mut left = self.room.checked_sub(requests)?;
        for level in &self.by_price {
            match left.checked_sub(level.requests) {
                Some(rest) => left = rest,
                None => return Some(level.sats_per_request.saturating_add(1).max(lowest)),
            }
        }
        let listed = self.by_price.iter().map(|level| level.requests).fold(0, u64::saturating_add);
        match self.by_price.last() {
            // Requests that are not listed pay less than the last level.
            Some(last) if listed < self.requests => Some(last.sats_per_request.max(lowest)),
            _ => Some(lowest),
        }
    }
}

/// A virtual block that has taken requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u64, u64, u64, u64, u64)", into = "(u32, u64, u64, u64, u64, u64)")]
pub struct VirtualBlock {
    /// The height of its Bitcoin block.
    pub height: u32,
    /// Number of requests.
    pub requests: u64,
    /// The number of batches that have requests in it.
    pub batches: u64,
    /// Total price, in sats.
    pub sats: u64,
    /// The lowest price.
    pub lowest: u64,
    /// The highest price.
    pub highest: u64,
}

impl From<(u32, u64, u64, u64, u64, u64)> for VirtualBlock {
    fn from(
        (height, requests, batches, sats, lowest, highest): (u32, u64, u64, u64, u64, u64),
    ) -> Self {
        Self { height, requests, batches, sats, lowest, highest }
    }
}

impl From<VirtualBlock> for (u32, u64, u64, u64, u64, u64) {
    fn from(block: VirtualBlock) -> Self {
        (block.height, block.requests, block.batches, block.sats, block.lowest, block.highest)
    }
}

/// Some virtual blocks of a mint: the `n`-th row starts with block `n * BLOCKS_OF_A_ROW`, in the order of
/// heights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VirtualBlocks {
    /// The blocks.
    pub blocks: Vec<VirtualBlock>,
}

impl Entity for VirtualBlocks {
    const ENTITY: &'static str = "virtualBlocks";
}

/// Reads what waits for the next virtual block; `None` if the worker has not checked the mint yet.
pub async fn outlook(store: &Store, mint: MintId) -> Result<Option<MintOutlook>, StoreError> {
    store.get(&keys::mint_outlook(mint)).await
}

/// The virtual blocks with indexes in `low..high`, counted from 0 in the order of heights.
pub async fn virtual_blocks(
    store: &Store,
    mint: MintId,
    (low, high): (u64, u64),
) -> Result<Vec<VirtualBlock>, StoreError> {
    let (Some(first), Some(last)) =
        (low.checked_div(BLOCKS_OF_A_ROW), high.saturating_sub(1).checked_div(BLOCKS_OF_A_ROW))
    else {
        return Ok(Vec::new());
    };
    let keys: Vec<_> = (first..=last).map(|number| keys::virtual_blocks(mint, number)).collect();
    let rows = store.get_many::<VirtualBlocks>(&keys).await?;
    // Without a row, the later ones would take its place.
    let blocks = rows.into_iter().map_while(|row| row).flat_map(|row| row.blocks);
    let skipped = low.saturating_sub(first.saturating_mul(BLOCKS_OF_A_ROW));
    let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
    let wanted = usize::try_from(high.saturating_sub(low)).unwrap_or(usize::MAX);
    Ok(blocks.skip(skipped).take(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlook(room: u64, by_price: &[(u64, u64)]) -> MintOutlook {
        let level =
            |&(sats_per_request, requests)| PriceLevel { sats_per_request, requests, confirmed: 0 };
        MintOutlook {
            room,
            blocks: 0,
            requests: by_price.iter().map(|(_, requests)| requests).sum(),
            sats: 0,
            by_price: by_price.iter().map(level).collect(),
            revision: 1,
        }
    }

    #[test]
    fn the_price_to_enter_outbids_exactly_those_in_the_way() {
        let some = outlook(10, &[(900, 4), (700, 4), (500, 8)]);
        assert_eq!(
            some.next_block(),
            NextBlock { requests: 10, sats: 7_400, lowest: Some(500), highest: Some(900) }
        );
        for (requests, price) in [
            (1, Some(501)),
            (2, Some(501)),
            (3, Some(701)),
            (6, Some(701)),
            (7, Some(901)),
            (10, Some(901)),
            (11, None),
        ] {
            assert_eq!(some.price_to_enter(requests, 100), price, "{requests}");
        }
        let empty = outlook(10, &[(900, 4)]);
        assert_eq!(
            (empty.price_to_enter(6, 100), empty.price_to_enter(7, 100)),
            (Some(100), Some(901))
        );
        assert_eq!(outlook(0, &[]).price_to_enter(1, 100), None);
        // Lower prices are not listed, and those requests may fill the block.
        let cut = MintOutlook { requests: 50, ..outlook(20, &[(900, 5), (800, 5)]) };
        assert_eq!(cut.price_to_enter(3, 100), Some(800));
        assert_eq!(outlook(0, &[(5, 1)]).next_block(), NextBlock::default());
    }

    #[test]
    fn levels_and_blocks_are_stored_as_lists_of_numbers() {
        let level = PriceLevel { sats_per_request: 5, requests: 3, confirmed: 1 };
        assert_eq!(serde_json::to_string(&level).ok().as_deref(), Some("[5,3,1]"));
        let block =
            VirtualBlock { height: 7, requests: 3, batches: 2, sats: 15, lowest: 4, highest: 6 };
        let text = serde_json::to_string(&block).unwrap_or_default();
        assert_eq!(text, "[7,3,2,15,4,6]");
        assert_eq!(serde_json::from_str::<VirtualBlock>(&text).ok(), Some(block));
    }
}
