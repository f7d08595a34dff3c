//! The queues in which rows wait for a worker.

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};

/// The worker queue in which a row waits: the key of a sparse index.
///
/// Each kind of work has its own queue, and rows that fail repeatedly wait apart from the others of their
/// kind (custody rule 26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Watch {
    /// Unsigned transactions whose expiry changes other rows: batches of requests, refunds.
    Draft,
    /// Transactions that a user has signed, until they are in the mempool or a block.
    Transaction,
    /// Transactions that only the platform signs, until they are in the mempool or a block.
    Payout,
    /// Rows of [`Self::Transaction`] whose next step a block decides, until they are final.
    SentTransaction,
    /// Rows of [`Self::Payout`] whose next step a block decides, until they are final.
    SentPayout,
    /// Mints that still need work.
    Mint,
    /// Withdrawals that have to be relayed to the hub, or that the hub has not decided.
    Withdrawal,
    /// Swaps that the hub knows but has not decided.
    Swap,
    /// Registered swaps that the hub has not confirmed.
    NewSwap,
    /// Deposits that were announced, or whose block was reorganised away, until a block contains them or they
    /// are gone.
    Deposit,
    /// Blocks whose deposits have not all been written.
    DepositBlock,
    /// Accounts with coins that have to be renewed later.
    Renewal,
    /// Exports that are not finished.
    Export,
    /// Webhooks with events to send, and lists of events of which webhooks or sockets have not been notified.
    Webhook,
    /// Rows of [`Self::Draft`] that fail repeatedly.
    StuckDraft,
    /// Rows of [`Self::Transaction`] that fail repeatedly.
    StuckTransaction,
    /// Rows of [`Self::Payout`] that fail repeatedly.
    StuckPayout,
    /// Rows of [`Self::SentTransaction`] that fail repeatedly.
    StuckSentTransaction,
    /// Rows of [`Self::SentPayout`] that fail repeatedly.
    StuckSentPayout,
    /// Rows of [`Self::Mint`] that fail repeatedly.
    StuckMint,
    /// Rows of [`Self::Withdrawal`] that fail repeatedly.
    StuckWithdrawal,
    /// Rows of [`Self::Swap`] that fail repeatedly.
    StuckSwap,
    /// Rows of [`Self::NewSwap`] that fail repeatedly.
    StuckNewSwap,
    /// Rows of [`Self::Deposit`] that fail repeatedly.
    StuckDeposit,
    /// Rows of [`Self::DepositBlock`] that fail repeatedly.
    StuckDepositBlock,
    /// Rows of [`Self::Renewal`] that fail repeatedly.
    StuckRenewal,
}

impl Watch {
    /// The queues of the chain watcher. Each has a second queue for stuck rows.
    pub const OF_CHAIN_WATCHER: [Self; 12] = [
        Self::Draft,
        Self::Transaction,
        Self::Payout,
        Self::SentTransaction,
        Self::SentPayout,
        Self::Mint,
        Self::Withdrawal,
        Self::Swap,
        Self::NewSwap,
        Self::Deposit,
        Self::DepositBlock,
        Self::Renewal,
    ];

    /// The queue of a signed transaction.
    pub const fn of_signed(by_platform_alone: bool) -> Self {
        if by_platform_alone { Self::Payout } else { Self::Transaction }
    }

    /// The queue of a transaction that is in the mempool or a block.
    pub const fn of_sent(by_platform_alone: bool) -> Self {
        if by_platform_alone { Self::SentPayout } else { Self::SentTransaction }
    }

    /// Whether the worker checks the rows of this queue in turn, because blocks decide when they change. A
    /// check that changes nothing does not write when the next one is due. In other queues, the row says when
    /// it is due.
    pub const fn is_swept(self) -> bool {
        matches!(self, Self::SentTransaction | Self::SentPayout | Self::Mint)
    }

    /// The queue for stuck rows of this kind. Exports and webhooks have none: their workers give them up.
    pub const fn stuck(self) -> Self {
        match self {
            Self::Draft | Self::StuckDraft => Self::StuckDraft,
            Self::Transaction | Self::StuckTransaction => Self::StuckTransaction,
            Self::Payout | Self::StuckPayout => Self::StuckPayout,
            Self::SentTransaction | Self::StuckSentTransaction => Self::StuckSentTransaction,
            Self::SentPayout | Self::StuckSentPayout => Self::StuckSentPayout,
            Self::Mint | Self::StuckMint => Self::StuckMint,
            Self::Withdrawal | Self::StuckWithdrawal => Self::StuckWithdrawal,
            Self::Swap | Self::StuckSwap => Self::StuckSwap,
            Self::NewSwap | Self::StuckNewSwap => Self::StuckNewSwap,
            Self::Deposit | Self::StuckDeposit => Self::StuckDeposit,
            Self::DepositBlock | Self::StuckDepositBlock => Self::StuckDepositBlock,
            Self::Renewal | Self::StuckRenewal => Self::StuckRenewal,
            Self::Export => Self::Export,
            Self::Webhook => Self::Webhook,
        }
    }

    /// The name of the worker's check of a row of this queue, for traces.
    pub const fn look(self) -> &'static str {
        match self.kind() {
            Self::Draft => "look at a draft",
            Self::Transaction => "look at a transaction",
            Self::Payout => "look at a payout",
            Self::SentTransaction => "look at a sent transaction",
            Self::SentPayout => "look at a sent payout",
            Self::Mint => "look at a mint",
            Self::Withdrawal => "look at a withdrawal",
            Self::Swap => "look at a swap",
            Self::NewSwap => "look at a new swap",
            Self::Deposit => "look at a deposit",
            Self::DepositBlock => "write the deposits of a block",
            Self::Renewal => "look at coins to renew",
            _ => "look at an export",
        }
    }

    /// The regular queue for rows of this kind.
    pub const fn kind(self) -> Self {
        match self {
            Self::Draft | Self::StuckDraft => Self::Draft,
            Self::Transaction | Self::StuckTransaction => Self::Transaction,
            Self::Payout | Self::StuckPayout => Self::Payout,
            Self::SentTransaction | Self::StuckSentTransaction => Self::SentTransaction,
            Self::SentPayout | Self::StuckSentPayout => Self::SentPayout,
            Self::Mint | Self::StuckMint => Self::Mint,
            Self::Withdrawal | Self::StuckWithdrawal => Self::Withdrawal,
            Self::Swap | Self::StuckSwap => Self::Swap,
            Self::NewSwap | Self::StuckNewSwap => Self::NewSwap,
            Self::Deposit | Self::StuckDeposit => Self::Deposit,
            Self::DepositBlock | Self::StuckDepositBlock => Self::DepositBlock,
            Self::Renewal | Self::StuckRenewal => Self::Renewal,
            Self::Export => Self::Export,
            Self::Webhook => Self::Webhook,
        }
    }

    /// Who can create rows of this kind.
    pub const fn origin(self) -> Origin {
        match self.kind() {
            Self::Payout | Self::SentPayout | Self::Mint => Origin::Platform,
            Self::Transaction | Self::SentTransaction | Self::Withdrawal => Origin::User,
            _ => Origin::Anyone,
        }
    }

    /// The name shown to operators.
    pub const fn name(self) -> &'static str {
        match self.kind() {
            Self::Draft => "draft",
            Self::Transaction => "transaction",
            Self::Payout => "payout",
            Self::SentTransaction => "sent transaction",
            Self::SentPayout => "sent payout",
            Self::Mint => "mint",
            Self::Withdrawal => "withdrawal",
            Self::Swap => "swap",
            Self::NewSwap => "new swap",
            Self::Deposit => "deposit",
            Self::DepositBlock => "deposits of a block",
            Self::Renewal => "coins to renew",
            Self::Webhook => "webhook",
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
    /// Failed attempts in a row; 0 for a row that has only waited too long.
    pub times: u32,
    /// When the failures began.
    pub since: Timestamp,
    /// When the row became stuck, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck_at: Option<Timestamp>,
    /// The cause of the last failure.
    pub cause: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn custody_26_each_kind_of_work_has_its_own_queues() {
        let queues = Watch::OF_CHAIN_WATCHER;
        let names = queues.into_iter().flat_map(|queue| [queue, queue.stuck()]);
        let names = names.map(|queue| serde_json::to_string(&queue).unwrap_or_default());
        assert_eq!(
            names.collect::<std::collections::BTreeSet<_>>().len(),
            queues.len().saturating_mul(2)
        );
        for queue in queues {
            assert_eq!((queue.kind(), queue.stuck().kind()), (queue, queue));
            assert_eq!(queue.stuck().stuck(), queue.stuck());
        }
        assert_ne!(Watch::of_signed(true), Watch::of_signed(false));
        assert_ne!(Watch::of_sent(true), Watch::of_sent(false));
    }
}
