//! Virtual mints: requests for tokens of a rune, paid in advance in batches, and the mints
//! themselves.

pub mod close_mint;
pub mod count;
pub mod create;
pub mod create_mint;
pub mod list;
pub mod list_mints;
#[cfg(feature = "openapi")]
mod openapi;
pub mod sign;

use shared::http::{
    Access::{Admin, Bearer, Public},
    AreaError, Problem, Routes,
};

#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes {
    Routes::new()
        .get(Public, "/api/vm-transactions", list::list_vm_transactions)
        .post(Bearer, "/api/vm-transactions", create::create_vm_transaction)
        .post(Bearer, "/api/vm-transactions/sign", sign::sign_vm_transaction)
        .get(
            Public,
            "/api/vm-transactions/count-unconfirmed-requests",
            count::count_unconfirmed_requests,
        )
        .get(Public, "/api/vm-transactions/mints", list_mints::list_mints)
        .post(Admin, "/api/vm-transactions/mints", create_mint::create_mint)
        .post(Admin, "/api/vm-transactions/mints/{id}/close", close_mint::close_mint)
}

/// Why a batch or a mint is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VmError {
    /// No mint of the rune was made, or none is to open.
    #[error("There is no mint of this rune that takes requests.")]
    NoMint,
    /// It is closed, or every request is taken.
    #[error("The mint takes no more requests.")]
    MintClosed,
    /// Sats.
    #[error("The mint takes {0} sats for a request, or more.")]
    PriceTooLow(u64),
    /// Requests.
    #[error("The mint has {0} requests.")]
    TooManyRequests(u64),
    /// What is to be replaced is not known to the network yet.
    #[error("The batch before is under way. Wait until the network has it.")]
    BatchUnderWay,
    /// One row says the prices of every batch of a chain.
    #[error("The batch was replaced {0} times. Wait until it is confirmed.")]
    TooManyPrices(usize),
    /// One mint of a rune at a time.
    #[error("There is a mint of this rune that is not over.")]
    MintExists,
    /// No mint has this id.
    #[error("There is no such mint.")]
    MintNotFound,
    /// What would be promised is not there.
    #[error(
        "The pool, {pool}, holds {held} in confirmed coins that are free, and the mint promises {promised}."
    )]
    PoolTooSmall {
        /// Its address.
        pool: String,
        /// What it holds, in the rune's smallest unit.
        held: u128,
        /// What all requests are worth.
        promised: u128,
    },
    /// A reorganisation could still give the rune another id (custody rule 10).
    #[error(
        "The rune's etching must be seven blocks deep. Try again after {missing} more block(s)."
    )]
    RuneTooYoung {
        /// Blocks that are still missing.
        missing: u32,
    },
    /// The same thing was changed meanwhile.
    #[error("Another request changed the same thing meanwhile. Try again.")]
    Changed,
}

impl AreaError for VmError {
    fn problem(&self) -> Problem {
        match self {
            Self::NoMint => Problem::VmNoMint,
            Self::MintClosed => Problem::VmMintClosed,
            Self::PriceTooLow(_) => Problem::VmPriceTooLow,
            Self::TooManyRequests(_) => Problem::VmTooManyRequests,
            Self::BatchUnderWay => Problem::VmBatchUnderWay,
            Self::TooManyPrices(_) => Problem::VmTooManyPrices,
            Self::MintExists => Problem::VmMintExists,
            Self::MintNotFound => Problem::VmMintNotFound,
            Self::PoolTooSmall { .. } => Problem::VmPoolTooSmall,
            Self::RuneTooYoung { .. } => Problem::VmRuneTooYoung,
            Self::Changed => Problem::Changed,
        }
    }
}
