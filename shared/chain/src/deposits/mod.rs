//! Deposits: outputs that others pay to an account's trading address.
//!
//! The worker finds them in blocks ([`record`]), and takes them back if their block leaves the chain ([`take_back`]). An owner
//! announces a transaction before a block has it ([`look_up`], [`expect`], [`record_announced`]). The outputs of a transaction that the account
//! itself signed are no deposits: they are its change. Nor are payouts of mints, which are reported as payouts.
//!
//! How deep a deposit is follows from the height of its block when it is read, so a deposit costs nothing once it is
//! confirmed.

mod announced;
mod record;
mod row;

pub use announced::{Announced, expect, look_up, may_pay};
pub use record::{MOST_OF_BLOCK, end, look_later, record, record_announced, take_back};
pub use row::{AppliedDeposits, Awaits, Deposit, DepositMember, DepositState, FoundDeposit, More};
