//! The errors of batches and mints.

use shared::http::{AsProblem, Params, Problem};

/// Why a batch or a mint is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VmError {
    /// The rune has no mint that is open or will open.
    #[error("No open mint of this rune accepts requests.")]
    NoMint,
    /// The mint is closed, or every request is taken.
    #[error("The mint no longer accepts requests.")]
    MintClosed,
    /// The price is below the mint's lowest price, in sats.
    #[error("The mint's lowest price is {0} sats per request.")]
    PriceTooLow(u64),
    /// The worker computes the virtual blocks of a mint from all its bids, so their number is limited.
    #[error("The mint has {0} bids, as many as it can have.")]
    MintFull(u64),
    /// The mint has more than half of the bids that it can have. A further bid must offer at least this
    /// price, in sats.
    #[error(
        "The mint has so many bids that a further one must offer at least {0} sats per request. Create the batch again with a higher price."
    )]
    MintCrowded(u64),
    /// The batch has more requests than the mint has in total.
    #[error("The mint has only {0} requests in total.")]
    TooManyRequests(u64),
    /// The network has not accepted the batch to be replaced yet.
    #[error("Your previous batch is still being broadcast. Try again once it is in the mempool.")]
    BatchUnderWay,
    /// The prices of a batch and of those that it replaces are in one row, so their number is limited.
    #[error("The batch already has {0} different prices. Wait until it is confirmed.")]
    TooManyPrices(usize),
    /// A rune can have one mint at a time.
    #[error("This rune already has a mint that has not ended.")]
    MintExists,
    /// No mint has this id.
    #[error("No mint has this id.")]
    MintNotFound,
    /// No VM transaction has this txid, or it is another account's and not signed.
    #[error("No VM transaction has this id.")]
    TransactionNotFound,
    /// The pool does not hold what the mint would promise.
    #[error(
        "The pool {pool} holds {held} in free confirmed coins, but the mint promises {promised}."
    )]
    PoolTooSmall {
        /// The pool's address.
        pool: String,
        /// Balance, in the rune's smallest unit.
        held: u128,
        /// Tokens of all requests, in the rune's smallest unit.
        promised: u128,
    },
    /// A reorganisation could still change the rune's id (custody rule 10).
    #[error(
        "The rune's etching must be seven blocks deep. Try again after {missing} more block(s)."
    )]
    RuneTooYoung {
        /// Blocks still missing.
        missing: u32,
    },
    /// A concurrent request changed the same rows.
    #[error("Another request changed the same data concurrently. Try again.")]
    Changed,
}

impl AsProblem for VmError {
    fn problem(&self) -> Problem {
        match self {
            Self::NoMint => Problem::VmNoMint,
            Self::MintClosed => Problem::VmMintClosed,
            Self::PriceTooLow(_) => Problem::VmPriceTooLow,
            Self::MintFull(_) => Problem::VmMintFull,
            Self::MintCrowded(_) => Problem::VmMintCrowded,
            Self::TooManyRequests(_) => Problem::VmTooManyRequests,
            Self::BatchUnderWay => Problem::VmBatchUnderWay,
            Self::TooManyPrices(_) => Problem::VmTooManyPrices,
            Self::MintExists => Problem::VmMintExists,
            Self::MintNotFound => Problem::VmMintNotFound,
            Self::TransactionNotFound => Problem::VmTransactionNotFound,
            Self::PoolTooSmall { .. } => Problem::VmPoolTooSmall,
            Self::RuneTooYoung { .. } => Problem::VmRuneTooYoung,
            Self::Changed => Problem::Changed,
        }
    }

    fn params(&self) -> Params {
        match self {
            Self::PriceTooLow(lowest) | Self::MintCrowded(lowest) => {
                Params::new().number("minimum", *lowest)
            }
            Self::MintFull(most) | Self::TooManyRequests(most) => {
                Params::new().number("maximum", *most)
            }
            Self::TooManyPrices(most) => {
                Params::new().number("maximum", u64::try_from(*most).unwrap_or(u64::MAX))
            }
            Self::PoolTooSmall { pool, held, promised } => {
                Params::new().text("pool", pool).text("available", held).text("needed", promised)
            }
            Self::RuneTooYoung { missing } => Params::new().number("blocks", u64::from(*missing)),
            _ => Params::new(),
        }
    }
}
