//! The row of a mint.

use bitcoin::Txid;
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
    /// How far was looked for commitments that are in a block without being noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<Checked>,
    /// Whether the payouts are planned.
    #[serde(default)]
    pub payouts_planned: bool,
    /// The newest transaction that divides coins of the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_split: Option<Txid>,
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

/// That no transaction up to one, in the order of their txids, is in a block up to one without being
/// noted. It was looked for when that block was final, so it stays true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// The block's height.
    pub block: u32,
    /// The last transaction that was looked at.
    pub up_to: Txid,
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
