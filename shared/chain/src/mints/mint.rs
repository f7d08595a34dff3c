//! The row of a mint.

use base::clock::Timestamp;
use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use shared::models::watch::{Failing, Watch};
use store::{Entity, fields};

use crate::{
    bitcoin::runes::Rune,
    models::{
        amount::Units,
        mint::{MintId, MintState},
        platform_wallet::PlatformWallet,
    },
};

/// A mint.
///
/// Only the worker and its admins write this row: everything that requests change is in its
/// [sums](super::VmSums). The fields that decide about money are also in a second row,
/// [`KeptMint`](super::KeptMint), which only the worker may write. The worker's notes are written on the
/// condition of its state.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mint {
    /// The mint's id.
    pub id: MintId,
    /// When it was created.
    pub created_at: Timestamp,
    /// The mint's state.
    pub state: MintState,
    /// The rune to mint.
    pub rune: Rune,
    /// The wallet that commitments pay and that refunds come from.
    pub treasury: PlatformWallet,
    /// The wallet that sends the runes and pays the fees for that.
    pub pool: PlatformWallet,
    /// The address that receives the payments for distributed requests.
    pub proceeds_address: String,
    /// Tokens per request, in the rune's smallest unit.
    pub tokens_per_request: Units,
    /// Total number of requests.
    pub total_requests: u64,
    /// The most requests that one virtual block takes.
    pub requests_per_block: u64,
    /// The lowest price of a request, in sats.
    pub min_sats_per_request: u64,
    /// When the mint opens.
    pub opens_at: Timestamp,
    /// When the mint closes.
    pub closes_at: Timestamp,
    /// The position of its gates.
    pub gates: Gates,
    /// Incremented whenever there is a reason to check the mint again.
    #[serde(default)]
    pub revision: u64,
    /// The last Bitcoin block with a virtual block, fixed once the mint has reached its closing time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_block: Option<u32>,
    /// The block that took the last request, set once that block is final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minted_out_at: Option<u32>,
    /// Whether all payouts are planned.
    #[serde(default)]
    pub payouts_planned: bool,
    /// The newest transaction that divides coins of the pool into several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_split: Option<Txid>,
    /// The number of the last payout for which coins were divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool_split_up_to: Option<u64>,
    /// The worker's queue in which it waits; `None` once nothing is left to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// The worker's note while it cannot advance the mint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Failing>,
    /// The earliest time at which the worker processes it.
    pub due_at: Timestamp,
}

/// The position of a mint's gates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gates {
    /// Whether they are open or shut.
    pub position: GatePosition,
    /// How many times they have been moved.
    pub turn: u64,
}

/// Whether gates are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GatePosition {
    /// All are open.
    #[default]
    Open,
    /// Some may be open.
    Moving,
    /// None is open.
    Shut,
}

impl Entity for Mint {
    const ENTITY: &'static str = "mint";
}

fields!(Mint {
    pub STATE: MintState = state,
    pub RUNE: Rune = rune,
    pub TREASURY_KEY_ID: String = treasury.key_id,
    pub POOL_KEY_ID: String = pool.key_id,
    pub OPENS_AT: Timestamp = opens_at,
    pub CLOSES_AT: Timestamp = closes_at,
    pub GATES: Gates = gates,
    pub TURN: u64 = gates.turn,
    pub REVISION: u64 = revision,
    pub LAST_BLOCK: Option<u32> = last_block,
    pub MINTED_OUT_AT: Option<u32> = minted_out_at,
    pub PAYOUTS_PLANNED: bool = payouts_planned,
    pub POOL_SPLIT: Option<Txid> = pool_split,
    pub POOL_SPLIT_UP_TO: Option<u64> = pool_split_up_to,
    pub WATCH: Option<Watch> = watch,
    pub DUE_AT: Timestamp = due_at,
});

impl Mint {
    /// Whether the mint accepts requests now. A write that depends on this also has to [enter](super::enter)
    /// by a gate.
    pub fn takes_requests(&self, now: Timestamp) -> bool {
        self.state == MintState::Open
            && self.gates.position == GatePosition::Open
            && self.last_block.is_none()
            && self.opens_at <= now
            && now < self.closes_at
    }

    /// Whether the mint is open or still has to pay out.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.state, MintState::Open | MintState::MintedOut)
    }
}

/// Pointer to the newest mint of a rune.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MintOfRune {
    /// The mint.
    pub mint_id: MintId,
}

impl Entity for MintOfRune {
    const ENTITY: &'static str = "mintOfRune";
}

fields!(MintOfRune {
    pub MINT_ID: MintId = mint_id,
});
