//! The worker's own record of a mint.

use serde::{Deserialize, Serialize};
use store::{Claimed, Entity, Store, StoreError, fields};

use super::Mint;
use crate::{
    bitcoin::runes::Rune,
    keys,
    models::{
        amount::Units,
        mint::{MintId, MintState},
        platform_wallet::PlatformWallet,
    },
};

/// The worker's own record of a mint: its terms at the worker's first look, and its end. Only the worker may
/// write it. Functions may write the mint's own row, but money moves only while that row agrees with this one
/// (custody rule 33).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptMint {
    /// The rune to mint.
    pub rune: Rune,
    /// The wallet that commitments pay and that refunds come from, without the id of its key: that may change.
    pub treasury: PlatformWallet,
    /// The wallet that sends the runes, likewise.
    pub pool: PlatformWallet,
    /// The address that receives the payments for distributed requests.
    pub proceeds_address: String,
    /// Tokens per request.
    pub tokens_per_request: Units,
    /// Total number of requests.
    pub total_requests: u64,
    /// The most requests that one virtual block takes.
    pub requests_per_block: u64,
    /// The lowest price of a request, in sats.
    pub min_sats_per_request: u64,
    /// How it ended, once that is final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<KeptEnd>,
}

/// How a mint ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeptEnd {
    /// Minted out or failed.
    pub state: MintState,
    /// The block that took its last request, or its last block.
    pub block: u32,
}

impl Entity for KeptMint {
    const ENTITY: &'static str = "keptMint";
}

fields!(KeptMint {
    pub RUNE: Rune = rune,
    pub END: Option<KeptEnd> = end,
});

impl KeptMint {
    /// The terms of a mint that has not ended.
    pub fn of(mint: &Mint) -> Self {
        let unnamed =
            |wallet: &PlatformWallet| PlatformWallet { key_id: String::new(), ..wallet.clone() };
        Self {
            rune: mint.rune,
            treasury: unnamed(&mint.treasury),
            pool: unnamed(&mint.pool),
            proceeds_address: mint.proceeds_address.clone(),
            tokens_per_request: mint.tokens_per_request,
            total_requests: mint.total_requests,
            requests_per_block: mint.requests_per_block,
            min_sats_per_request: mint.min_sats_per_request,
            end: None,
        }
    }

    /// Whether the mint's own row says the same.
    pub fn agrees(&self, mint: &Mint) -> bool {
        let has_ended_so = match self.end {
            None => mint.state == MintState::Open && mint.minted_out_at.is_none(),
            Some(KeptEnd { state: MintState::MintedOut, block }) => {
                matches!(mint.state, MintState::MintedOut | MintState::Distributed)
                    && mint.minted_out_at == Some(block)
            }
            Some(KeptEnd { state, .. }) => mint.state == state && mint.minted_out_at.is_none(),
        };
        has_ended_so && Self { end: None, ..self.clone() } == Self::of(mint)
    }
}

/// The worker's record of a mint; `None` before its first look.
pub async fn kept_mint(store: &Store, id: MintId) -> Result<Option<KeptMint>, StoreError> {
    store.get(&keys::mint_kept(id)).await
}

/// The worker's record of a mint. At its first look, it records what the mint's row says.
pub async fn keep_mint(store: &Store, mint: &Mint) -> Result<KeptMint, StoreError> {
    if let Some(kept) = kept_mint(store, mint.id).await? {
        return Ok(kept);
    }
    let first = KeptMint::of(mint);
    Ok(match store.claim(&keys::mint_kept(mint.id), &first, None).await? {
        Claimed::New => first,
        Claimed::Existing(kept) => kept,
    })
}

/// The permission to refund the whole payment of a VM transaction. The worker writes it when it settles the
/// transaction, if the blocks of its ended mint have taken none of its requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Released {
    /// What its commitment paid the treasury, in sats.
    pub sats: u64,
}

impl Entity for Released {
    const ENTITY: &'static str = "releasedPayment";
}
