//! Requests about transactions of trading wallets, which two functions accept: withdrawals, renewals, signatures.

mod create;
mod notes;
mod replace;
mod request;
mod sign;

pub use self::{
    create::{create, preview},
    notes::{Notes, Paid, TransactionWarning, TransactionWarningKind},
    replace::{ReplaceTransaction, Replacement, replace},
    request::{
        CreateTransaction, RenewUtxoParams, TransactionType, WithdrawParams, XchainWithdrawParams,
    },
    sign::{SignTransaction, SignedTransaction, sign},
};
