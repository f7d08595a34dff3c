//! Transactions that the service issues, their owner signs, the platform co-signs and the network
//! confirms.
//!
//! Each file calls only those below it:
//!
//! | File | What it does |
//! |---|---|
//! | `issue` | chooses and reserves coins, and hands out the PSBT; or sends what the platform alone signs |
//! | `sign` | checks what came back, and claims the coins |
//! | `bump` | sends the next version of a refund |
//! | `advance` | takes a transaction one step further, for requests and the worker alike |
//! | `steps` | expire, cosign, broadcast, follow, give up: one file a step |
//! | `record` | writes a step, with what it means to other rows, all or none |
//! | `effects` | what a step means to a withdrawal, a batch, a refund, a payout: one file each |
//! | `versions` | how a transaction that gets no further is replaced |
//! | `promise` | whether a transaction still does what was promised |
//! | `holds`, `coins`, `issued` | who holds a coin; what wallets can spend; the row |
//!
//! Each step is one conditional write and can be repeated: a process that is killed between two of
//! them leaves a row that the worker goes on with.

mod advance;
mod answer;
mod bump;
mod coins;
mod effects;
mod error;
mod fee_rate;
mod holds;
mod issue;
mod issued;
mod promise;
mod record;
mod sign;
mod steps;
mod versions;

pub use crate::models::transaction::FINAL;
pub use advance::advance;
pub use answer::{Fee, TransactionStatus, UnsignedTransaction};
pub use bump::bump_refund;
pub use coins::{
    WalletCoins, inputs_of, of_platform_wallet, of_trading_wallet, outputs_of_platform,
};
pub use effects::{blocks_left_to_replace, may_replace_withdrawal};
pub use error::{CosigningError, Refusal};
pub use fee_rate::{CurrentFeeRate, fee_rate, keep_fee_rate, kept_fee_rate};
pub use issue::{Draft, Issue, MOST_INPUTS, Remarks, issue, issue_draft, send};
pub use issued::{IssuedTransaction, load};
pub use sign::{read, release, sign};
pub use versions::{NextVersion, newest_version, next_version, replacing};
