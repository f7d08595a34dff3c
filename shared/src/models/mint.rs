//! Virtual mints: requests for tokens of a rune, paid in advance, taken block by block by price.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

super::id!(
    /// A mint's id.
    MintId,
    "must be a mint's id, a UUID",
    "018bcfe5-6800-7000-8000-000000000002"
);

/// Where a mint stands.
///
/// ```text
/// open ──▶ mintedOut ──▶ distributed
///   └────▶ failed
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MintState {
    /// It takes requests, or its last blocks are not final yet.
    Open,
    /// Every request is taken, for good: funds move and runes are sent.
    MintedOut,
    /// It was closed before every request was taken: all that was paid goes back.
    Failed,
    /// Funds are moved and runes are sent, for good.
    Distributed,
}

impl MintState {
    /// The drawing above.
    pub fn may_become(self, next: Self) -> bool {
        use MintState::{Distributed, Failed, MintedOut, Open};
        matches!((self, next), (Open, MintedOut | Failed) | (MintedOut, Distributed))
    }
}
