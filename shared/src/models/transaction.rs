//! Bitcoin transactions issued by the service and signed by their owner.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    mint::MintId,
    vm_transaction::{PayoutKey, VmTransactionKey},
    xchain::Withdrawal,
};
use crate::clock::Timestamp;

/// Blocks, its own included, after which a confirmation is final: a reorganisation of six blocks cannot undo
/// it.
pub const FINAL: u32 = 7;

/// The state of an issued transaction.
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
/// A replaced transaction returns to `broadcasting`, or to `signing` if the platform has not signed it, when
/// the version that took its place has failed.
///
/// Nothing has happened until the platform signs. After that only the chain can end a transaction: it
/// confirms, or another transaction spends its coins. A transaction in `signing` may already have been
/// signed, so the same applies to it. If it can no longer be signed, its next version, which spends one of
/// its coins, takes its place (custody rules 7 and 25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TransactionState {
    /// Issued; its coins are reserved.
    Unsigned,
    /// The owner's signatures are stored; the platform may have signed.
    Signing,
    /// Signed by both; it is unknown whether the network has it.
    Broadcasting,
    /// In the mempool.
    InMempool,
    /// In a block.
    Confirmed,
    /// It was not signed in time or not correctly. Its coins are free.
    Expired,
    /// Another transaction of the service has its place: its replacement, or the one that it was meant to
    /// replace. It is not broadcast while that one can confirm, but it can still confirm itself.
    Replaced,
    /// Another transaction spent its coins, permanently.
    Failed,
}

impl TransactionState {
    /// Whether the drawing above has this transition.
    pub fn may_become(self, next: Self) -> bool {
        use TransactionState::{
            Broadcasting, Confirmed, Expired, Failed, InMempool, Replaced, Signing, Unsigned,
        };
        match (self, next) {
            (Unsigned, Signing | Expired) => true,
            (Signing, Broadcasting | Replaced | Failed) => true,
            (Broadcasting, InMempool | Confirmed | Replaced | Failed) => true,
            (InMempool, Broadcasting | Confirmed | Replaced | Failed) => true,
            // A reorganisation removed its block: the transaction waits again, or another version is in the
            // new blocks.
            (Confirmed, Broadcasting | InMempool | Replaced) => true,
            // It regains its place if the version that took it fails.
            (Replaced, Signing | Broadcasting | Confirmed | Failed) => true,
            _ => false,
        }
    }
}

/// The purpose of an issued transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Work {
    /// A cross-chain withdrawal.
    XchainWithdraw(Withdrawal),
    /// The commitment of the VM transaction with the same txid. It pays the mint's treasury.
    VmCommitment(Commitment),
    /// A refund of VM transactions.
    Refund(Refund),
    /// The transfer of a payout's funds from the treasury to the recipient of the mint's proceeds.
    VmTransfer(PayoutKey),
    /// The distribution of a payout's runes.
    VmDistribution(PayoutKey),
    /// A split of the pool's coins, so that payouts need not wait for each other.
    PoolSplit(PoolSplit),
}

/// A split of the pool's coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolSplit {
    /// The mint whose payouts need the coins.
    pub mint_id: MintId,
}

/// The commitment of a VM transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Commitment {
    /// The mint.
    pub mint_id: MintId,
    /// The address for which its owner acts.
    pub user_address: String,
}

/// A refund of VM transactions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// The address for which their owner acts.
    pub user_address: String,
    /// The requested runes.
    pub rune_ids: Vec<ordinals::RuneId>,
    /// The VM transactions that are refunded.
    pub transactions: Vec<VmTransactionKey>,
}

/// The worker queue in which a row waits: the key of a sparse index.
///
/// Each kind of work has a queue of its own, and rows that fail repeatedly wait apart from the others of
/// their kind (custody rule 26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Watch {
    /// Unsigned transactions whose expiry changes other rows: batches of requests, refunds.
    Draft,
    /// Transactions that a user has signed, until they are final.
    Transaction,
    /// Transactions that only the platform signs, until they are final.
    Payout,
    /// Mints that still need work.
    Mint,
    /// Withdrawals that the hub must be told of, or has not decided.
    Withdrawal,
    /// Swaps that the hub knows but has not decided.
    Swap,
    /// Registered swaps that the hub has not confirmed.
    NewSwap,
    /// Exports that are not finished.
    Export,
    /// Rows of [`Self::Draft`] that fail repeatedly.
    StuckDraft,
    /// Rows of [`Self::Transaction`] that fail repeatedly.
    StuckTransaction,
    /// Rows of [`Self::Payout`] that fail repeatedly.
    StuckPayout,
    /// Rows of [`Self::Mint`] that fail repeatedly.
    StuckMint,
    /// Rows of [`Self::Withdrawal`] that fail repeatedly.
    StuckWithdrawal,
    /// Rows of [`Self::Swap`] that fail repeatedly.
    StuckSwap,
    /// Rows of [`Self::NewSwap`] that fail repeatedly.
    StuckNewSwap,
}

impl Watch {
    /// The queues of the chain watcher. Each has a second queue for stuck rows.
    pub const OF_CHAIN_WATCHER: [Self; 7] = [
        Self::Draft,
        Self::Transaction,
        Self::Payout,
        Self::Mint,
        Self::Withdrawal,
        Self::Swap,
        Self::NewSwap,
    ];

    /// The queue of a signed transaction.
    pub const fn of_signed(by_platform_alone: bool) -> Self {
        if by_platform_alone { Self::Payout } else { Self::Transaction }
    }

    /// The queue for stuck rows of this kind. Exports have none: their sweep gives them up.
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

    /// The regular queue for rows of this kind.
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

    /// Who can create rows of this kind.
    pub const fn origin(self) -> Origin {
        match self.kind() {
            Self::Payout | Self::Mint => Origin::Platform,
            Self::Transaction | Self::Withdrawal => Origin::User,
            _ => Origin::Anyone,
        }
    }

    /// The name shown to operators.
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

/// Who can create rows of a kind of work. Each origin has its own alarms, so stuck rows of users never hide a
/// stuck payout (custody rules 26 and 27).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Only the platform: payouts and mints.
    Platform,
    /// A user, with a signature that moves coins.
    User,
    /// Every account, at no cost.
    Anyone,
}

/// What a worker records about a row that it cannot process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failing {
    /// Failed attempts in a row; 0 for a row that merely waits too long.
    pub times: u32,
    /// When the failures began.
    pub since: Timestamp,
    /// When the row became stuck, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck_at: Option<Timestamp>,
    /// The cause of the last failure.
    pub cause: String,
}

impl Work {
    /// Whether the expiry of its draft changes other rows. Such drafts have a queue; others expire without a
    /// worker.
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
    fn custody_07_only_the_chain_ends_what_the_platform_may_have_signed() {
        for state in ALL {
            assert_eq!(state.may_become(Expired), state == Unsigned, "{state:?}");
            let given_up = state.may_become(Failed);
            // A confirmed transaction is first removed by a reorganisation.
            let signed = matches!(state, Signing | Broadcasting | InMempool | Replaced);
            assert_eq!(given_up, signed, "{state:?}");
        }
        assert!(Signing.may_become(Replaced) && !Signing.may_become(Unsigned));
        assert!(Replaced.may_become(Broadcasting) && Replaced.may_become(Signing));
        assert!(!Unsigned.may_become(Broadcasting) && !Unsigned.may_become(Replaced));
    }

    #[test]
    fn custody_26_each_kind_of_work_has_its_own_queues() {
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
    fn expired_and_failed_are_final() {
        for next in ALL {
            assert!(!Expired.may_become(next) && !Failed.may_become(next));
        }
    }
}
