//! The row of a mint.

use bitcoin::{BlockHash, Txid};
use serde::{Deserialize, Serialize};

use crate::{
    bitcoin::runes::Rune,
    clock::Timestamp,
    models::{
        amount::Units,
        mint::{MintId, MintState},
        platform_wallet::PlatformWallet,
        transaction::{Failing, Watch},
    },
    store::{Entity, Update},
};

/// A mint.
///
/// Its counters change by addition alone, in the writes that change its transactions; what the
/// worker notes changes on the condition of its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mint {
    /// Its id.
    pub id: MintId,
    /// When it was made.
    pub created_at: Timestamp,
    /// Where it stands.
    pub state: MintState,
    /// The rune that is minted.
    pub rune: Rune,
    /// What commitments pay to; refunds come from there.
    pub treasury: PlatformWallet,
    /// Where the runes come from, and the sats that send them.
    pub pool: PlatformWallet,
    /// Who receives what was paid for requests that were taken.
    pub proceeds_address: String,
    /// What a request is worth, in the rune's smallest unit.
    pub tokens_per_request: Units,
    /// Requests in all.
    pub total_requests: u64,
    /// Requests that a virtual block takes.
    pub requests_per_block: u64,
    /// The lowest price, sats.
    pub min_sats_per_request: u64,
    /// From when on requests are taken.
    pub opens_at: Timestamp,
    /// Until when.
    pub closes_at: Timestamp,
    /// Requests of its transactions that are in no virtual block.
    #[serde(default)]
    pub requests_in_mempool: u64,
    /// Requests of its transactions that are in virtual blocks.
    #[serde(default)]
    pub requests_in_blocks: u64,
    /// Rises with each change of a transaction.
    #[serde(default)]
    pub revision: u64,
    /// The last Bitcoin block that has a virtual one, fixed once its time is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_block: Option<u32>,
    /// The block that took the last request, once that is final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minted_out_at: Option<u32>,
    /// What virtual blocks were computed of last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub computed: Option<Computed>,
    /// How far its blocks were searched, at its end, for commitments that no row says to be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searched: Option<Searched>,
    /// Whether the payouts are planned.
    #[serde(default)]
    pub payouts_planned: bool,
    /// The newest transaction that divides coins of the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_split: Option<Txid>,
    /// The number of the last payout that coins were divided for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_split_up_to: Option<u64>,
    /// The queue that it waits in for the worker; none once there is nothing left to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// What the worker notes where it cannot take the mint further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Failing>,
    /// When the worker looks next.
    pub due_at: Timestamp,
}

/// What virtual blocks were computed of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Computed {
    /// The height of the newest block.
    pub tip: u32,
    /// The mint's revision.
    pub revision: u64,
}

/// That the blocks from one down to another hold no commitment of the mint that its row does not say
/// to be there.
///
/// The search begins under seven blocks, and each block is read by the hash that the block above names,
/// so no reorganisation of six changes what it has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Searched {
    /// The height of the block that the mint ends with.
    pub end: u32,
    /// The height of the next block to read.
    pub next: u32,
    /// Its hash.
    pub hash: BlockHash,
}

impl Entity for Mint {
    const ENTITY: &'static str = "mint";
}

impl Mint {
    /// Whether it takes requests now.
    pub fn takes_requests(&self, now: Timestamp) -> bool {
        self.state == MintState::Open
            && self.last_block.is_none()
            && self.opens_at <= now
            && now < self.closes_at
            && self.requests_in_blocks < self.total_requests
    }

    /// The conditions of [`Self::takes_requests`], for the write that rests on them.
    pub fn if_takes_requests(&self, now: Timestamp) -> Update {
        Update::new()
            .if_equal("state", MintState::Open)
            .if_absent("lastBlock")
            .if_above("closesAt", now)
            .if_below("requestsInBlocks", self.total_requests)
    }
}

/// Which mint of a rune is the newest.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MintOfRune {
    /// The mint.
    pub mint_id: MintId,
}

impl Entity for MintOfRune {
    const ENTITY: &'static str = "mintOfRune";
}
