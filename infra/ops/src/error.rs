//! Why a command failed.

use std::path::PathBuf;

use base::{blob::BlobError, settings::ConfigError};
use shared::crypto::vault::VaultError;
use store::{CommitError, StoreError};

use chain::transactions::ChainError;

use crate::{accounts::OperatorError, options::UsageError, signing_keys::SigningKeysError};

/// Why a command failed; one line.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The command line is invalid.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// Settings are missing or wrong.
    #[error(transparent)]
    Settings(#[from] ConfigError),
    /// The account was not changed.
    #[error("{account}: {error}")]
    Account {
        /// The account as it was named.
        account: String,
        /// Why.
        error: OperatorError,
    },
    /// The account has no file of this name.
    #[error("{0}: the account has no such file; nothing is deleted")]
    NoSuchFile(String),
    /// The bucket failed. Some files may be deleted.
    #[error(transparent)]
    Files(#[from] BlobError),
    /// The keys of access tokens were not changed.
    #[error(transparent)]
    SigningKeys(#[from] SigningKeysError),
    /// No data key was created.
    #[error(transparent)]
    DataKeys(#[from] VaultError),
    /// The file of tokens cannot be used.
    #[error("{}: {reason}", file.display())]
    File {
        /// Path of the file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// This token and those after it were not written.
    #[error("{id}: {error:?}")]
    Token {
        /// Its id.
        id: String,
        /// Why.
        error: CommitError<()>,
    },
    /// The pool was not read, or not cleaned up further.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// Runes would be swept to one of the platform's own addresses.
    #[error("--to: {0} is an address of the platform")]
    OwnAddress(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
