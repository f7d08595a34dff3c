//! Errors of issuing and signing a transaction.

use base::{queue::QueueError, signer::SignerError};
use bitcoin::Txid;
use shared::{
    models::bitcoin::OutPoint,
    problem::{AsProblem, Params, Problem},
    source::SourceError,
};
use store::{CommitError, StoreError};

use crate::{
    bitcoin::{
        coins::MOST_RUNES,
        plan::PlanError,
        psbt::{FinaliseError, IssueError, NotAPsbt, PsbtMismatch},
    },
    mints::NoSuchChange,
};

/// The meaning of a failed condition of a write batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A row changed since it was read.
    Moved,
    /// A coin is no longer reserved for the transaction, or another transaction holds it.
    Coin,
    /// The mint no longer accepts requests.
    MintClosed,
    /// The work of the transaction changed since it was issued.
    Changed,
    /// Another draft of the account has been issued since its drafts were read.
    Draft,
}

impl From<CommitError<Refusal>> for ChainError {
    fn from(error: CommitError<Refusal>) -> Self {
        match error {
            CommitError::Condition(Refusal::Moved | Refusal::Draft) => Self::Moved,
            CommitError::Condition(Refusal::Coin | Refusal::Changed) => Self::CoinsChanged,
            CommitError::Condition(Refusal::MintClosed) => Self::MintClosed,
            CommitError::Contended => Self::Contended,
            CommitError::Store(error) => Self::Store(error),
        }
    }
}

/// Why a transaction was not issued or signed.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// The available coins allow no such transaction.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The available coins allow no such transaction, but they would together with those that other
    /// transactions hold.
    #[error("{}", reserved(*.seconds))]
    CoinsReserved {
        /// The transactions that hold them.
        holders: Vec<Txid>,
        /// Until the last of them is free again, if known; otherwise the chain decides.
        seconds: Option<u64>,
    },
    /// The wallet cannot spend this coin, which should be renewed, now.
    #[error("The trading address has no coin {0} that it can spend now.")]
    CoinUnknown(OutPoint),
    /// No coin of the wallet is due for renewal, or none that is worth its fee.
    #[error("No coin of the trading address that is worth its fee needs a renewal.")]
    NothingToRenew,
    /// The coins to renew hold more runes together than one output may hold.
    #[error("The coins hold more than {MOST_RUNES} different runes together. Renew fewer of them.")]
    TooManyRunes,
    /// The rune was never etched.
    #[error("No rune has this id.")]
    RuneUnknown,
    /// The returned text is not a PSBT.
    #[error(transparent)]
    NotAPsbt(#[from] NotAPsbt),
    /// The transaction was not issued to the caller.
    #[error("This transaction was not issued to your account.")]
    NotIssued,
    /// The account has no such transaction.
    #[error("The account has no such transaction.")]
    NotFound,
    /// Its owner has signed it.
    #[error("The transaction is signed. Only the network can end it now.")]
    AlreadySigned,
    /// The returned PSBT differs from the issued one, or is not signed as required.
    #[error(transparent)]
    Refused(#[from] PsbtMismatch),
    /// The reservation has expired.
    #[error("The reservation has expired. Create the transaction again.")]
    Expired,
    /// A coin was spent, or its contents changed.
    #[error("A coin of the transaction cannot be spent any more. Create the transaction again.")]
    CoinsChanged,
    /// The sources report a coin differently than when it was chosen; they may lag.
    #[error("the sources report a coin differently than before")]
    CoinsNotReady,
    /// The contents of these coins cannot be read, while those of others can. The next transaction leaves
    /// these out.
    #[error("A coin of the transaction cannot be read. Create the transaction again.")]
    Unreadable(Vec<OutPoint>),
    /// The mint no longer accepts requests.
    #[error("The mint no longer accepts requests.")]
    MintClosed,
    /// A reorganisation replaced a block while it was being read.
    #[error("the chain changed while it was being read")]
    ChainMoved,
    /// A row changed since it was read: another request or worker was first.
    #[error("a row changed since it was read")]
    Moved,
    /// Concurrent writes prevented this one from committing.
    #[error("too many concurrent writes")]
    Contended,
    /// A chain source failed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A queue failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The work does not allow the platform to sign it.
    #[error("the platform may not sign this transaction")]
    NotPermitted,
    /// The work names another version of the transaction.
    #[error("another version of the work is active")]
    GaveWay,
    /// The platform could not sign.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// The transaction cannot be issued: a bug.
    #[error("the transaction cannot be issued: {0}")]
    Issue(#[from] IssueError),
    /// The finished transaction is invalid and must not be broadcast.
    #[error("the finished transaction is not valid: {0}")]
    Finalise(#[from] FinaliseError),
    /// A row that the code cannot have written.
    #[error("a row of an issued transaction is damaged: {0}")]
    Damaged(&'static str),
    /// A VM transaction cannot make this change.
    #[error(transparent)]
    NoSuchChange(#[from] NoSuchChange),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AsProblem for ChainError {
    fn problem(&self) -> Problem {
        match self {
            Self::Plan(error) => problem_of_plan(error),
            Self::CoinsReserved { .. } => Problem::CoinsReserved,
            Self::CoinUnknown(_) => Problem::CoinUnknown,
            Self::NothingToRenew => Problem::NothingToRenew,
            Self::TooManyRunes => Problem::TooManyInputs,
            Self::RuneUnknown => Problem::RuneUnknown,
            Self::NotAPsbt(NotAPsbt::NonStandardSighash(_)) => Problem::WrongSighash,
            Self::NotAPsbt(_) => Problem::PsbtMalformed,
            Self::NotIssued => Problem::NotTheIssuedTransaction,
            Self::NotFound => Problem::TransactionNotFound,
            Self::AlreadySigned => Problem::AlreadySigned,
            Self::Refused(error) => problem_of_refusal(error),
            Self::Expired => Problem::ReservationExpired,
            Self::CoinsChanged | Self::Unreadable(_) => Problem::CoinsChanged,
            Self::MintClosed => Problem::VmMintClosed,
            Self::CoinsNotReady => Problem::ChainUnavailable,
            Self::ChainMoved | Self::Moved | Self::Contended => Problem::Unavailable,
            Self::Source(error) => error.problem(),
            Self::Queue(_) => Problem::Unavailable,
            Self::Signer(error) => error.problem(),
            Self::NotPermitted
            | Self::GaveWay
            | Self::Issue(_)
            | Self::Finalise(_)
            | Self::Damaged(_)
            | Self::NoSuchChange(_) => Problem::Internal,
            Self::Store(error) => error.problem(),
        }
    }

    fn params(&self) -> Params {
        match self {
            Self::CoinsReserved { holders, seconds } => {
                let params = Params::new().texts("holders", holders);
                match seconds {
                    Some(seconds) => params.number("retryAfter", *seconds),
                    None => params,
                }
            }
            Self::Plan(error) => error.params(),
            Self::CoinUnknown(coin) => Params::new().text("coin", coin),
            Self::TooManyRunes => {
                Params::new().number("maximum", u64::try_from(MOST_RUNES).unwrap_or(u64::MAX))
            }
            Self::NotAPsbt(error) => error.params(),
            Self::Refused(error) => error.params(),
            _ => Params::new(),
        }
    }

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Source(error) => error.retry_after(),
            Self::CoinsReserved { seconds, .. } => *seconds,
            _ => None,
        }
    }
}

/// The message for a request whose coins are held by other transactions.
fn reserved(seconds: Option<u64>) -> String {
    match seconds {
        Some(seconds) => format!(
            "Coins that this needs could not be read when they were to be signed for, and are left aside for {seconds} s \
             more. Try again then."
        ),
        None => "Coins that this needs are held by a signed transaction. Wait until a block has it, or spend less."
            .to_owned(),
    }
}

fn problem_of_plan(error: &PlanError) -> Problem {
    match error {
        PlanError::InsufficientBtc { .. } => Problem::InsufficientBtc,
        PlanError::InsufficientRune { .. } | PlanError::RuneScattered { .. } => {
            Problem::InsufficientRune
        }
        PlanError::Short { error, .. } => problem_of_plan(error),
        PlanError::AmountBelowDust { .. } => Problem::AmountBelowDust,
        PlanError::FeeTooHigh { .. } => Problem::FeeTooHigh,
        PlanError::TooManyInputs { .. } | PlanError::TooHeavy { .. } => Problem::TooManyInputs,
        // A coin that must be spent because of the replaced transaction; it may have become too old.
        PlanError::CannotSpend(_) => Problem::CoinsChanged,
        PlanError::Unpayable { .. }
        | PlanError::RunestoneTooLong { .. }
        | PlanError::BadRune(_)
        | PlanError::Broken(_)
        | PlanError::Wrong(_) => Problem::Internal,
    }
}

fn problem_of_refusal(error: &PsbtMismatch) -> Problem {
    match error {
        PsbtMismatch::MissingSignature { .. } => Problem::SignatureMissing,
        PsbtMismatch::WrongKey { .. }
        | PsbtMismatch::SignedTwice { .. }
        | PsbtMismatch::BadSignature { .. } => Problem::TransactionSignatureInvalid,
        PsbtMismatch::WrongSighash { .. } => Problem::WrongSighash,
        _ => Problem::NotTheIssuedTransaction,
    }
}
