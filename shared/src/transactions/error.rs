//! Why a transaction is not issued, or not signed.

use crate::{
    bitcoin::{
        SourceError,
        plan::PlanError,
        psbt::{FinaliseError, IssueError, NotAPsbt, Refused},
        signer::SignerError,
    },
    minting::NoSuchChange,
    models::bitcoin::OutPoint,
    problem::{AreaError, Problem},
    store::{CommitError, StoreError},
};

/// What it means that a condition of a write failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A row is not as it was read.
    Moved,
    /// A coin is not reserved for the transaction any more, or is held by another one.
    Coin,
    /// The mint takes no more requests.
    MintClosed,
    /// What the transaction is for is not as it was when it was issued.
    Changed,
}

impl From<CommitError<Refusal>> for CosigningError {
    fn from(error: CommitError<Refusal>) -> Self {
        match error {
            CommitError::Condition(Refusal::Moved) => Self::Moved,
            CommitError::Condition(Refusal::Coin | Refusal::Changed) => Self::CoinsChanged,
            CommitError::Condition(Refusal::MintClosed) => Self::MintClosed,
            CommitError::Contended => Self::Contended,
            CommitError::Store(error) => Self::Store(error),
        }
    }
}

/// Why a transaction is not issued, or not signed.
#[derive(Debug, thiserror::Error)]
pub enum CosigningError {
    /// No transaction can be made of the coins that there are.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A rune that nobody etched.
    #[error("There is no such rune.")]
    RuneUnknown,
    /// What came back is no PSBT.
    #[error(transparent)]
    NotAPsbt(#[from] NotAPsbt),
    /// Not one of the caller's.
    #[error("This is not a transaction that was issued to this account.")]
    NotIssued,
    /// What came back is not what was issued, or not signed as it must be.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Too late.
    #[error("The reservation has expired. Create the transaction anew.")]
    Expired,
    /// A coin was spent meanwhile, or what it holds has changed.
    #[error("A coin of the transaction cannot be spent any more. Create the transaction anew.")]
    CoinsChanged,
    /// A coin is not what it was when it was chosen, by what the sources say: they may be behind.
    #[error("a coin is not what it was")]
    CoinsNotReady,
    /// Coins whose contents cannot be read, while those of others can. The next transaction leaves
    /// them out.
    #[error("A coin of the transaction cannot be read. Create the transaction again.")]
    Unreadable(Vec<OutPoint>),
    /// The mint takes no more requests.
    #[error("The mint takes no more requests.")]
    MintClosed,
    /// A block was replaced while it was looked at.
    #[error("the chain moved on")]
    ChainMoved,
    /// A row is not as it was read: another request or worker was first.
    #[error("a row has changed in the meantime")]
    Moved,
    /// Other writes were in the way for too long.
    #[error("contended")]
    Contended,
    /// The chain sources failed.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Its work does not allow the platform to sign it.
    #[error("nothing that the platform signs")]
    NotPermitted,
    /// Its work names another version of it.
    #[error("another version has its place")]
    GaveWay,
    /// There is no signature of the platform.
    #[error(transparent)]
    Signer(#[from] SignerError),
    /// The transaction cannot be handed out. A mistake of the code.
    #[error("the transaction cannot be issued: {0}")]
    Issue(#[from] IssueError),
    /// The finished transaction is not valid. It must not leave.
    #[error("the finished transaction is not valid: {0}")]
    Finalise(#[from] FinaliseError),
    /// A row that the code cannot have written.
    #[error("a row of an issued transaction is damaged: {0}")]
    Damaged(&'static str),
    /// A change of a VM transaction that there is not.
    #[error(transparent)]
    NoSuchChange(#[from] NoSuchChange),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AreaError for CosigningError {
    fn problem(&self) -> Problem {
        match self {
            Self::Plan(error) => problem_of_plan(error),
            Self::RuneUnknown => Problem::RuneUnknown,
            Self::NotAPsbt(NotAPsbt::NonStandardSighash(_)) => Problem::WrongSighash,
            Self::NotAPsbt(_) => Problem::PsbtMalformed,
            Self::NotIssued => Problem::NotTheIssuedTransaction,
            Self::Refused(error) => problem_of_refusal(error),
            Self::Expired => Problem::ReservationExpired,
            Self::CoinsChanged | Self::Unreadable(_) => Problem::CoinsChanged,
            Self::MintClosed => Problem::VmMintClosed,
            Self::CoinsNotReady => Problem::ChainUnavailable,
            Self::ChainMoved | Self::Moved | Self::Contended => Problem::Unavailable,
            Self::Source(error) => error.problem(),
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

    fn retry_after(&self) -> Option<u64> {
        match self {
            Self::Source(error) => error.retry_after(),
            _ => None,
        }
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
        // A coin that has to be spent: that of what is replaced, which can have become too old.
        PlanError::CannotSpend(_) => Problem::CoinsChanged,
        PlanError::Unpayable { .. }
        | PlanError::RunestoneTooLong { .. }
        | PlanError::BadRune(_)
        | PlanError::Broken(_)
        | PlanError::Wrong(_) => Problem::Internal,
    }
}

fn problem_of_refusal(error: &Refused) -> Problem {
    match error {
        Refused::MissingSignature { .. } => Problem::SignatureMissing,
        Refused::WrongKey { .. } | Refused::SignedTwice { .. } | Refused::BadSignature { .. } => {
            Problem::TransactionSignatureInvalid
        }
        Refused::WrongSighash { .. } => Problem::WrongSighash,
        _ => Problem::NotTheIssuedTransaction,
    }
}
