//! Bitcoin transactions that the service issues, for their owner to sign.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    mint::MintId,
    vm_transaction::{PayoutKey, VmTransactionKey},
    xchain::Withdrawal,
};
use crate::clock::Timestamp;

/// Blocks, its own included, that make a confirmation final: a reorganisation of six undoes nothing
/// that rests on it.
pub const FINAL: u32 = 7;

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
/// A transaction that was replaced is `broadcasting` again, or `signing` where the platform has not
/// signed it, once the version that has its place has failed.
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
    /// to replace. It is not sent while that one can confirm, but can still confirm itself.
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
            // It has its place again where the version that had it fails.
            (Replaced, Signing | Broadcasting | Confirmed | Failed) => true,
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

/// The queue that a row waits in for a worker: the key of a sparse index.
///
/// Kinds of work never share places, and rows that fail again and again wait apart from the others of
/// their kind (custody rule 26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Watch {
    /// Unsigned transactions whose end changes other rows: batches of requests, refunds.
    Draft,
    /// Transactions that a user has signed, until they are final.
    Transaction,
    /// Transactions that the platform alone signs, until they are final.
    Payout,
    /// Mints that still need work.
    Mint,
    /// Withdrawals that the hub has to hear of, or has not decided.
    Withdrawal,
    /// Swaps that the hub knows and has not decided.
    Swap,
    /// Registered swaps that the hub has not confirmed.
    NewSwap,
    /// Exports of histories that are not over.
    Export,
    /// Rows of [`Self::Draft`] that fail again and again.
    StuckDraft,
    /// Rows of [`Self::Transaction`] that fail again and again.
    StuckTransaction,
    /// Rows of [`Self::Payout`] that fail again and again.
    StuckPayout,
    /// Rows of [`Self::Mint`] that fail again and again.
    StuckMint,
    /// Rows of [`Self::Withdrawal`] that fail again and again.
    StuckWithdrawal,
    /// Rows of [`Self::Swap`] that fail again and again.
    StuckSwap,
    /// Rows of [`Self::NewSwap`] that fail again and again.
    StuckNewSwap,
}

impl Watch {
    /// The queues of the chain watcher; each has one for its stuck rows.
    pub const OF_CHAIN_WATCHER: [Self; 7] = [
        Self::Draft,
        Self::Transaction,
        Self::Payout,
        Self::Mint,
        Self::Withdrawal,
        Self::Swap,
        Self::NewSwap,
    ];

    /// The queue of an issued transaction once it is signed.
    pub const fn of_signed(by_platform_alone: bool) -> Self {
        if by_platform_alone { Self::Payout } else { Self::Transaction }
    }

    /// Where rows of this kind wait that fail again and again. Exports have no such queue: their
    /// sweep gives them up.
    pub const fn stuck(self) -> Self {
        match self {
            Self::Draft | Self::StuckDraft => Self::StuckDraft,
            Self::Transaction | Self::StuckTransaction => Self::StuckTransaction,
            Self::Payout | Self::StuckPayout => Self::StuckPayout,
            Self::Mint | Self::StuckMint => Self::StuckMint,
            Self::Withdrawal | Self::StuckWithdrawal => Self::StuckWithdrawal,
            Self::Swap | Self::StuckSwap => Self::StuckSwap,
            Self::NewSwap | Self::StuckNewSwap => Self::StuckNewSwap,
            Self::Export => Self::Export,
        }
    }

    /// Where rows of this kind wait otherwise.
    pub const fn kind(self) -> Self {
        match self {
            Self::Draft | Self::StuckDraft => Self::Draft,
            Self::Transaction | Self::StuckTransaction => Self::Transaction,
            Self::Payout | Self::StuckPayout => Self::Payout,
            Self::Mint | Self::StuckMint => Self::Mint,
            Self::Withdrawal | Self::StuckWithdrawal => Self::Withdrawal,
            Self::Swap | Self::StuckSwap => Self::Swap,
            Self::NewSwap | Self::StuckNewSwap => Self::NewSwap,
            Self::Export => Self::Export,
        }
    }

    /// Who can make rows of this kind.
    pub const fn origin(self) -> Origin {
        match self.kind() {
            Self::Payout | Self::Mint => Origin::Platform,
            Self::Transaction | Self::Withdrawal => Origin::User,
            _ => Origin::Anyone,
        }
    }

    /// What an operator reads.
    pub const fn name(self) -> &'static str {
        match self.kind() {
            Self::Draft => "draft",
            Self::Transaction => "transaction",
            Self::Payout => "payout",
            Self::Mint => "mint",
            Self::Withdrawal => "withdrawal",
            Self::Swap => "swap",
            Self::NewSwap => "new swap",
            _ => "export",
        }
    }
}

/// Who can make rows of a kind of work. Each origin has alarms of its own, so that stuck rows of users
/// never hide a payout that is stuck (custody rules 26 and 27).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The platform alone: what it pays out, and mints.
    Platform,
    /// A user, by a signature that moves coins.
    User,
    /// Every account, for free.
    Anyone,
}

/// What a worker notes of a row that it cannot take further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failing {
    /// Looks in a row that failed; 0 of a row that waits too long.
    pub times: u32,
    /// When that began.
    pub since: Timestamp,
    /// When the row became stuck, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck_at: Option<Timestamp>,
    /// Why, as the last look has it.
    pub cause: String,
}

impl Work {
    /// Whether other rows change when nobody signs in time: such drafts have a queue. Others end by
    /// themselves.
    pub const fn outlives_its_draft(&self) -> bool {
        matches!(self, Self::VmCommitment(_) | Self::Refund(_))
    }
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
        assert!(Replaced.may_become(Broadcasting) && Replaced.may_become(Signing));
        assert!(!Unsigned.may_become(Broadcasting) && !Unsigned.may_become(Replaced));
    }

    #[test]
    fn custody_26_every_kind_of_work_has_a_queue_of_its_own_and_one_for_stuck_rows() {
        let queues = Watch::OF_CHAIN_WATCHER;
        let names = queues.into_iter().flat_map(|queue| [queue, queue.stuck()]);
        let names = names.map(|queue| serde_json::to_string(&queue).unwrap_or_default());
        assert_eq!(
            names.collect::<std::collections::HashSet<_>>().len(),
            queues.len().saturating_mul(2)
        );
        for queue in queues {
            assert_eq!((queue.kind(), queue.stuck().kind()), (queue, queue));
            assert_eq!(queue.stuck().stuck(), queue.stuck());
        }
        assert_ne!(Watch::of_signed(true), Watch::of_signed(false));
    }

    #[test]
    fn what_expired_or_failed_stays_so() {
        for next in ALL {
            assert!(!Expired.may_become(next) && !Failed.may_become(next));
        }
    }
}
