//! The lists whose members more than one crate reads or writes.

use store::lists::{List, Log};

use crate::{
    models::account::AccountId,
    tables::{ACCOUNTS, ACTIVITY},
};

/// The log of the list of every account.
pub const ALL_ACCOUNTS: Log = Log::new(ACCOUNTS, "accounts");
/// A log for tests of lists.
pub const SCRATCH: Log = Log::new(ACTIVITY, "scratch");

/// Every account. It is in the accounts table, so that creating an account needs no rights on another
/// table.
pub fn accounts() -> List {
    ALL_ACCOUNTS.list("accounts")
}

/// Every prize.
pub fn prizes() -> List {
    List::new(ACTIVITY, "prizes")
}

/// The audit trail of an account. It is in the accounts table, next to the rows that change.
pub fn activity(account: AccountId) -> List {
    List::new(ACCOUNTS, format_args!("activity#{account}"))
}

/// The token catalogue.
pub fn tokens() -> List {
    List::new(ACTIVITY, "tokens")
}

/// Cross-chain transactions of an account.
pub fn xchain_by_account(account: AccountId) -> List {
    List::new(ACTIVITY, format_args!("xchain#account#{account}"))
}

/// Exports of an account.
pub fn exports(account: AccountId) -> List {
    List::new(ACTIVITY, format_args!("exports#{account}"))
}

/// Signed VM transactions of an account.
pub fn vm_by_account(account: AccountId) -> List {
    List::new(ACTIVITY, format_args!("vm#account#{account}"))
}

/// Signed refunds of an account.
pub fn refunds_by_account(account: AccountId) -> List {
    List::new(ACTIVITY, format_args!("refunds#{account}"))
}

/// Signed Bitcoin transactions of an account, of every kind.
pub fn transactions(account: AccountId) -> List {
    List::new(ACTIVITY, format_args!("transactions#{account}"))
}

/// Deposits to the trading wallet of an account.
pub fn deposits(account: AccountId) -> List {
    List::new(ACTIVITY, format_args!("deposits#{account}"))
}

/// A list for tests.
pub fn scratch(name: &str) -> List {
    List::new(ACTIVITY, format_args!("scratch#{name}"))
}
