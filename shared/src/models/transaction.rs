//! Bitcoin transactions that the service issues, for their owner to sign.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    mint::MintId,
    vm_transaction::{PayoutKey, VmTransactionKey},
    xchain::Withdrawal,
};

/// Where an issued transaction stands.
///
/// ```text
/// unsigned ──▶ signing ──▶ broadcasting ◀──▶ inMempool ◀──▶ confirmed
///    │            │             │  ▲            │  │         │  ▲ │
///    ▼            │             │  └────────────┼──┼─────────┘  │ │
/// expired         │             ├───▶ failed ◀──┤  └ (a block that is no more)
///                 │             │      ▲ ▲      ▼               │ │
///                 ├─────────────┼──────┘ └── replaced ◀─────────┼─┘
///                 └─────────────┴───────────────▲──┴────────────┘
/// ```
///
/// Until the platform signs, nothing has happened. From then on the transaction is out of its hands,
/// and only the chain ends it: confirmed, or its coins spent by another. A transaction in `signing`
/// may have been signed, so the same holds for it: where it cannot be signed any more, the next
/// version of it, which spends one of its coins, takes its place (custody rules 7 and 25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TransactionState {
    /// Issued; its coins are reserved.
    Unsigned,
    /// The owner's signatures are stored, and the platform may have signed.
    Signing,
    /// Signed by both; whether the network has it is not known.
    Broadcasting,
    /// The network has it.
    InMempool,
    /// A block has it.
    Confirmed,
    /// It was not signed in time, or not as it must be. Its coins are free.
    Expired,
    /// Another transaction of the service has its place: the one that replaces it, or that it was
    /// to replace. It is not sent any more, but can still confirm.
    Replaced,
    /// Another transaction spent its coins, for good.
    Failed,
}

impl TransactionState {
    /// The drawing above.
    pub fn may_become(self, next: Self) -> bool {
        use TransactionState::{
            Broadcasting, Confirmed, Expired, Failed, InMempool, Replaced, Signing, Unsigned,
        };
        match (self, next) {
            (Unsigned, Signing | Expired) => true,
            (Signing, Broadcasting | Replaced | Failed) => true,
            (Broadcasting, InMempool | Confirmed | Replaced | Failed) => true,
            (InMempool, Broadcasting | Confirmed | Replaced | Failed) => true,
            // A block that is replaced by others: the transaction waits again, or another one of
            // its chain is in those.
            (Confirmed, Broadcasting | InMempool | Replaced) => true,
            (Replaced, Confirmed | Failed) => true,
            _ => false,
        }
    }
}

/// What an issued transaction is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Work {
    /// A cross-chain withdrawal.
    XchainWithdraw(Withdrawal),
    /// The commitment of the VM transaction of the same txid: it pays the mint's treasury.
    VmCommitment(Commitment),
    /// The refund of VM transactions.
    Refund(Refund),
    /// The move of a payout's funds from the treasury to whom the mint's proceeds are for.
    VmTransfer(PayoutKey),
    /// The distribution of a payout's runes.
    VmDistribution(PayoutKey),
    /// Coins of the pool, divided so that several payouts need not wait for each other.
    PoolSplit(PoolSplit),
}

/// A division of coins of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolSplit {
    /// The mint whose payouts need them.
    pub mint_id: MintId,
}

/// The commitment of a VM transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Commitment {
    /// The mint.
    pub mint_id: MintId,
    /// The address that its owner acts by.
    pub user_address: String,
}

/// A refund of VM transactions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// The address that their owner acts by.
    pub user_address: String,
    /// The runes that were asked for.
    pub rune_ids: Vec<ordinals::RuneId>,
    /// What is refunded.
    pub transactions: Vec<VmTransactionKey>,
}

/// Which worker looks after a row: the key of a sparse index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Watch {
    /// Issued transactions that are not final.
    Transaction,
    /// Mints of which something is still to be done.
    Mint,
    /// Withdrawals that the hub is to be told of, or has not decided.
    Withdrawal,
    /// Swaps that the hub has not decided.
    Swap,
    /// Exports of histories that are not over.
    Export,
}

#[cfg(test)]
mod tests {
    use TransactionState::{
        Broadcasting, Confirmed, Expired, Failed, InMempool, Replaced, Signing, Unsigned,
    };

    use super::*;

    const ALL: [TransactionState; 8] =
        [Unsigned, Signing, Broadcasting, InMempool, Confirmed, Replaced, Expired, Failed];

    #[test]
    fn custody_07_what_the_platform_may_have_signed_ends_by_the_chain_alone() {
        for state in ALL {
            assert_eq!(state.may_become(Expired), state == Unsigned, "{state:?}");
            let given_up = state.may_become(Failed);
            // A block that has it is taken back first.
            let signed = matches!(state, Signing | Broadcasting | InMempool | Replaced);
            assert_eq!(given_up, signed, "{state:?}");
        }
        assert!(Signing.may_become(Replaced) && !Signing.may_become(Unsigned));
        assert!(!Unsigned.may_become(Broadcasting) && !Unsigned.may_become(Replaced));
    }

    #[test]
    fn what_expired_or_failed_stays_so() {
        for next in ALL {
            assert!(!Expired.may_become(next) && !Failed.may_become(next));
        }
    }
}
