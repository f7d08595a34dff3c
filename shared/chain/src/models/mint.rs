//! Virtual mints. Requests for tokens of a rune are paid in advance and accepted block by block, ordered by
//! price.

use ordinals::RuneId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

shared::models::id!(
    /// A mint's id.
    MintId,
    "must be a mint id, a UUID",
    "018bcfe5-6800-7000-8000-000000000002"
);

/// A mint and its rune.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MintKey {
    /// The mint.
    pub mint_id: MintId,
    /// The rune to mint.
    pub rune_id: RuneId,
}

/// The state of a mint.
///
/// ```text
/// open ──▶ mintedOut ──▶ distributed
///   └────▶ failed
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MintState {
    /// It accepts requests, or its last blocks are not final yet.
    Open,
    /// Every request was accepted, permanently: funds are being moved and runes sent.
    MintedOut,
    /// It was closed before every request was accepted: all payments are refunded.
    Failed,
    /// Funds have been moved and runes sent, permanently.
    Distributed,
}

impl MintState {
    /// Whether the drawing above has this transition.
    pub fn may_become(self, next: Self) -> bool {
        use MintState::{Distributed, Failed, MintedOut, Open};
        matches!((self, next), (Open, MintedOut | Failed) | (MintedOut, Distributed))
    }
}
