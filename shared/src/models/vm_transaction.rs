//! Virtual-mint (VM) transactions: batches of requests, each paid by a Bitcoin transaction, its
//! commitment.

use std::{fmt, str::FromStr};

use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::mint::MintId;

/// Where a VM transaction stands.
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
/// Mempool and blocks are virtual ones. Whatever the chain takes back, the state takes back:
/// `replaced` and `failed` too, as long as the commitment can still confirm.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum VmState {
    /// The commitment is to be signed.
    Unsigned,
    /// It is signed; whether the network has it is not known.
    Broadcasting,
    /// The network has it, and no request of it is in a virtual block.
    AllInMempool,
    /// Some requests are in virtual blocks.
    PartiallyInBlock,
    /// Every request is.
    AllInBlock,
    /// The mint is minted out, and runes are on their way.
    Distributing,
    /// Runes have arrived, for good.
    Distributed,
    /// It was not signed in time, or not as it must be.
    Expired,
    /// Another one of the same chain has its place.
    Replaced,
    /// Its commitment did not come about: another transaction spent its coins.
    Failed,
}

impl VmState {
    /// The drawing above.
    pub fn may_become(self, next: Self) -> bool {
        use VmState::{
            AllInBlock, AllInMempool, Broadcasting, Distributed, Distributing, Expired, Failed,
            PartiallyInBlock, Replaced, Unsigned,
        };
        match (self, next) {
            (Unsigned, Broadcasting | Expired) => true,
            (Broadcasting, AllInMempool) => true,
            // Blocks are filled and, by a reorganisation, emptied.
            (AllInMempool, Broadcasting | PartiallyInBlock | AllInBlock) => true,
            (PartiallyInBlock, Broadcasting | AllInMempool | AllInBlock) => true,
            (AllInBlock, Broadcasting | AllInMempool | PartiallyInBlock) => true,
            // Another one of the chain has its place, or had it all the time.
            (Broadcasting | AllInMempool | PartiallyInBlock | AllInBlock, Replaced | Failed) => {
                true
            }
            // The commitment was seen in a block after all (custody rule 3).
            (Replaced | Failed, AllInMempool) => true,
            // The one that had its place can never confirm.
            (Replaced | Failed, Broadcasting) => true,
            // The mint is minted out, for good.
            (PartiallyInBlock | AllInBlock, Distributing) => true,
            (Distributing, Distributed) => true,
            _ => false,
        }
    }

    /// Whether its requests are among those of the mint.
    pub fn takes_part(self) -> bool {
        use VmState::{AllInBlock, AllInMempool, Distributed, Distributing, PartiallyInBlock};
        matches!(self, AllInMempool | PartiallyInBlock | AllInBlock | Distributing | Distributed)
    }

    /// Whether only its owner may see it (custody rule 22).
    pub fn is_private(self) -> bool {
        matches!(self, Self::Unsigned | Self::Expired)
    }

    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unsigned => "unsigned",
            Self::Broadcasting => "broadcasting",
            Self::AllInMempool => "allInMempool",
            Self::PartiallyInBlock => "partiallyInBlock",
            Self::AllInBlock => "allInBlock",
            Self::Distributing => "distributing",
            Self::Distributed => "distributed",
            Self::Expired => "expired",
            Self::Replaced => "replaced",
            Self::Failed => "failed",
        }
    }

    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Unsigned,
        Self::Broadcasting,
        Self::AllInMempool,
        Self::PartiallyInBlock,
        Self::AllInBlock,
        Self::Distributing,
        Self::Distributed,
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

/// Where the refund of a VM transaction stands.
///
/// ```text
/// none ◀──▶ open ──▶ broadcast ──▶ refunded
///   ▲                    │
///   └────────────────────┘ (its transaction can never confirm)
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RefundState {
    /// There is none.
    #[default]
    None,
    /// Its transaction waits for a signature.
    Open,
    /// The platform may have signed it.
    Broadcast,
    /// It is confirmed for good.
    Refunded,
}

impl RefundState {
    /// The drawing above.
    pub fn may_become(self, next: Self) -> bool {
        use RefundState::{Broadcast, None, Open, Refunded};
        matches!(
            (self, next),
            (None, Open) | (Open, None | Broadcast) | (Broadcast, None | Refunded)
        )
    }
}

/// What finds a VM transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VmTransactionKey {
    /// Its mint.
    pub mint_id: MintId,
    /// The txid of its commitment.
    pub txid: Txid,
}

/// What finds a payout of a mint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PayoutKey {
    /// The mint.
    pub mint_id: MintId,
    /// Its place among those of the mint, from 1.
    pub number: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_6_what_is_being_distributed_never_turns_back() {
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
    fn custody_03_a_batch_that_gave_way_comes_back_by_the_network_alone() {
        for gone in [VmState::Replaced, VmState::Failed] {
            for next in VmState::ALL {
                let waits = [VmState::Broadcasting, VmState::AllInMempool].contains(&next);
                assert_eq!(gone.may_become(next), waits, "{gone} {next}");
            }
        }
    }

    #[test]
    fn nothing_unsigned_is_replaced_or_fails_and_nothing_signed_expires() {
        for state in VmState::ALL {
            assert_eq!(state.may_become(VmState::Expired), state == VmState::Unsigned, "{state}");
        }
        assert!(!VmState::Unsigned.may_become(VmState::Failed));
        assert!(!VmState::Unsigned.may_become(VmState::Replaced));
    }

    #[test]
    fn names_are_those_of_the_wire() {
        for state in VmState::ALL {
            assert_eq!(serde_json::to_value(state).ok(), Some(state.name().into()));
            assert_eq!(state.name().parse(), Ok(state));
        }
        assert!("confirmed".parse::<VmState>().is_err());
    }

    #[test]
    fn rule_8_a_refund_is_never_taken_back_once_it_is_final() {
        use RefundState::{Broadcast, None, Open, Refunded};
        for next in [None, Open, Broadcast, Refunded] {
            assert!(!Refunded.may_become(next));
        }
        assert!(!Broadcast.may_become(Open) && !None.may_become(Broadcast));
    }
}
