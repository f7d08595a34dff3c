//! Virtual-mint (VM) transactions: batches of requests, each paid by one Bitcoin transaction, its commitment.

use std::{fmt, str::FromStr};

use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::models::mint::MintId;

/// The state of a VM transaction.
///
/// ```text
/// unsigned ─▶ broadcasting ◀─▶ allInMempool ◀─▶ partiallyInBlock ◀─▶ allInBlock
///    ▼              └─────────────────┴──────┬───────┴────┼──────────────┘ │
/// expired                                    ▼            ▼                ▼
///                    allInMempool ◀─ replaced, failed    distributing ◀────┘
///                                                         ▼
///                                                        distributed
/// ```
///
/// When a mint ends, a batch becomes `notTaken` if it still waits or if no block took any of its requests. The
/// payment of its commitment is refunded once this is final; until then, the batch can still become `replaced`
/// or `failed`.
///
/// Mempool and blocks are virtual. When a reorganisation of the chain removes a commitment's block, the state
/// goes back too. A `replaced` or `failed` VM transaction can return as long as its commitment can still
/// confirm.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum VmState {
    /// The commitment awaits signatures.
    Unsigned,
    /// The commitment is signed; it is unknown whether the network has it.
    Broadcasting,
    /// The network has the commitment; none of the requests is in a virtual block.
    AllInMempool,
    /// Some of the requests are in virtual blocks.
    PartiallyInBlock,
    /// All requests are in virtual blocks.
    AllInBlock,
    /// The mint is minted out; runes are being sent.
    Distributing,
    /// The runes have arrived, permanently.
    Distributed,
    /// The mint has ended, and took none of the requests.
    NotTaken,
    /// The commitment was not signed in time or was signed incorrectly.
    Expired,
    /// Another VM transaction of the same chain has taken its place.
    Replaced,
    /// The commitment cannot confirm: another transaction spent its coins.
    Failed,
}

impl VmState {
    /// Whether the drawing above has this transition.
    pub fn may_become(self, next: Self) -> bool {
        use VmState::{
            AllInBlock, AllInMempool, Broadcasting, Distributed, Distributing, Expired, Failed,
            NotTaken, PartiallyInBlock, Replaced, Unsigned,
        };
        match (self, next) {
            (Unsigned, Broadcasting | Expired) => true,
            (Broadcasting, AllInMempool) => true,
            // Virtual blocks fill up; a reorganisation empties them again.
            (AllInMempool, Broadcasting | PartiallyInBlock | AllInBlock) => true,
            (PartiallyInBlock, Broadcasting | AllInMempool | AllInBlock) => true,
            (AllInBlock, Broadcasting | AllInMempool | PartiallyInBlock) => true,
            // Another VM transaction of the chain takes part instead, or always did.
            (Broadcasting | AllInMempool | PartiallyInBlock | AllInBlock, Replaced | Failed) => {
                true
            }
            // The mint has ended without it.
            (Broadcasting | AllInMempool | PartiallyInBlock | AllInBlock, NotTaken) => true,
            (NotTaken, Replaced | Failed) => true,
            // The commitment was found in a block after all (custody rule 3).
            (Replaced | Failed, AllInMempool) => true,
            // The VM transaction that took part instead can never confirm.
            (Replaced | Failed, Broadcasting) => true,
            // The mint is minted out, permanently.
            (PartiallyInBlock | AllInBlock, Distributing) => true,
            (Distributing, Distributed) => true,
            _ => false,
        }
    }

    /// Whether its commitment is the one of its chain that pays the mint.
    pub fn takes_part(self) -> bool {
        use VmState::{
            AllInBlock, AllInMempool, Distributed, Distributing, NotTaken, PartiallyInBlock,
        };
        matches!(
            self,
            AllInMempool | PartiallyInBlock | AllInBlock | Distributing | Distributed | NotTaken
        )
    }

    /// Whether only its owner may see it (custody rule 22).
    pub fn is_private(self) -> bool {
        matches!(self, Self::Unsigned | Self::Expired)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned",
            Self::Broadcasting => "broadcasting",
            Self::AllInMempool => "allInMempool",
            Self::PartiallyInBlock => "partiallyInBlock",
            Self::AllInBlock => "allInBlock",
            Self::Distributing => "distributing",
            Self::Distributed => "distributed",
            Self::NotTaken => "notTaken",
            Self::Expired => "expired",
            Self::Replaced => "replaced",
            Self::Failed => "failed",
        }
    }

    /// All states.
    pub const ALL: [Self; 11] = [
        Self::Unsigned,
        Self::Broadcasting,
        Self::AllInMempool,
        Self::PartiallyInBlock,
        Self::AllInBlock,
        Self::Distributing,
        Self::Distributed,
        Self::NotTaken,
        Self::Expired,
        Self::Replaced,
        Self::Failed,
    ];
}

impl FromStr for VmState {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = Self::ALL.map(Self::name).join(", ");
        let state = Self::ALL.into_iter().find(|state| state.name() == text);
        state.ok_or_else(|| format!("must be one of {names}"))
    }
}

impl fmt::Display for VmState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The state of a VM transaction's refund.
///
/// ```text
/// none ◀──▶ open ──▶ broadcast ──▶ refunded
///   ▲                    │
///   └────────────────────┘ (its transaction can never confirm)
/// ```
///
/// A failed refund can still get into a block; the state is then `broadcast` again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RefundState {
    /// No refund.
    #[default]
    None,
    /// The refund awaits a signature.
    Open,
    /// The platform may have signed the refund.
    Broadcast,
    /// The refund is confirmed, permanently.
    Refunded,
}

impl RefundState {
    /// Whether the drawing above has this transition.
    pub fn may_become(self, next: Self) -> bool {
        use RefundState::{Broadcast, None, Open, Refunded};
        matches!(
            (self, next),
            // A refund that had failed can be in a block after all.
            (None, Open | Broadcast) | (Open, None | Broadcast) | (Broadcast, None | Refunded)
        )
    }
}

/// The key of a VM transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmTransactionKey {
    /// Its mint.
    pub mint_id: MintId,
    /// The txid of its commitment.
    pub txid: Txid,
}

/// What a payout of a mint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Leg {
    /// The runes, to those who paid.
    Distribution,
    /// The payments, from the treasury to the recipient of the mint's proceeds.
    Transfer,
}

/// The key of a payout of a mint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PayoutKey {
    /// The mint.
    pub mint_id: MintId,
    /// Number among the mint's payouts, from 1.
    pub number: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custody_06_a_distribution_is_never_undone() {
        for next in VmState::ALL {
            assert_eq!(
                VmState::Distributing.may_become(next),
                next == VmState::Distributed,
                "{next}"
            );
            assert!(!VmState::Distributed.may_become(next) && !VmState::Expired.may_become(next));
        }
        assert!(VmState::PartiallyInBlock.may_become(VmState::Distributing));
        assert!(!VmState::AllInMempool.may_become(VmState::Distributing));
    }

    #[test]
    fn custody_06_a_batch_that_its_mint_has_not_taken_gets_no_runes_and_never_waits_again() {
        for next in VmState::ALL {
            let gives_way = [VmState::Replaced, VmState::Failed].contains(&next);
            assert_eq!(VmState::NotTaken.may_become(next), gives_way, "{next}");
        }
        assert!(VmState::NotTaken.takes_part(), "its payment is refunded");
    }

    #[test]
    fn custody_03_only_the_network_brings_back_a_replaced_batch() {
        for gone in [VmState::Replaced, VmState::Failed] {
            for next in VmState::ALL {
                let waits = [VmState::Broadcasting, VmState::AllInMempool].contains(&next);
                assert_eq!(gone.may_become(next), waits, "{gone} {next}");
            }
        }
    }

    #[test]
    fn only_signed_is_replaced_or_fails_and_only_unsigned_expires() {
        for state in VmState::ALL {
            assert_eq!(state.may_become(VmState::Expired), state == VmState::Unsigned, "{state}");
        }
        assert!(!VmState::Unsigned.may_become(VmState::Failed));
        assert!(!VmState::Unsigned.may_become(VmState::Replaced));
    }

    #[test]
    fn names_match_the_wire() {
        for state in VmState::ALL {
            assert_eq!(serde_json::to_value(state).ok(), Some(state.name().into()));
            assert_eq!(state.name().parse(), Ok(state));
        }
        assert!("confirmed".parse::<VmState>().is_err());
    }

    #[test]
    fn custody_08_a_final_refund_is_never_undone() {
        use RefundState::{Broadcast, None, Open, Refunded};
        for next in [None, Open, Broadcast, Refunded] {
            assert!(!Refunded.may_become(next));
        }
        assert!(!Broadcast.may_become(Open));
        // `None` becomes `Broadcast` only if a failed refund is found in a block.
        assert!(None.may_become(Broadcast) && !None.may_become(Refunded));
    }
}
