//! The events of an issued transaction, and whether the platform may sign it.

use crate::{
    bitcoin::esplora::BlockId, models::transaction::TransactionState, transactions::FullTransaction,
};

/// An event of an issued transaction.
#[derive(Clone, Copy, Debug)]
pub(in crate::transactions) enum Event<'v> {
    /// It was not signed in time, or not as required.
    Expired,
    /// The network accepted it.
    Accepted,
    /// A block contains it.
    Confirmed(Sighting),
    /// Its block was reorganised away; the network still has it.
    Reorganised,
    /// The network no longer has it.
    Dropped,
    /// It can never confirm.
    Failed {
        /// The version of the same work that becomes active again.
        heir: Option<&'v FullTransaction>,
    },
    /// It is final, in this block.
    Final(Sighting),
}

impl Event<'_> {
    /// The state of the transaction after the event.
    pub(in crate::transactions) fn state(self) -> Option<TransactionState> {
        Some(match self {
            Self::Expired => TransactionState::Expired,
            Self::Accepted | Self::Reorganised => TransactionState::InMempool,
            Self::Confirmed(_) => TransactionState::Confirmed,
            Self::Dropped => TransactionState::Broadcasting,
            Self::Failed { .. } => TransactionState::Failed,
            Self::Final(_) => return None,
        })
    }
}

/// A block that contains a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The block.
    pub block: BlockId,
    /// The transaction's index in the block, from 0, if the worker has read the whole block. The worker then
    /// schedules the mints of the block itself.
    pub position: Option<u32>,
}

/// Whether the platform may sign a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::transactions) enum Permission {
    Granted,
    /// No: another version of the work is active.
    GaveWay,
    /// No.
    Refused,
}

impl Permission {
    pub(super) fn only_if(granted: bool) -> Self {
        if granted { Self::Granted } else { Self::Refused }
    }
}
