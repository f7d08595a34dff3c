//! Transactions that the service issues, their owner signs, the platform co-signs and the network confirms.
//!
//! Each file calls only files in its own line of this table or below it:
//!
//! | File | What it does |
//! |---|---|
//! | `issue` | chooses and reserves coins, and returns the PSBT; or sends or orders what only the platform signs |
//! | `renewal` | chooses the coins of a trading wallet that are renewed |
//! | `sign` | checks the returned PSBT and claims the coins |
//! | `advance` | advances a transaction by one step, for requests and the worker alike |
//! | `steps` | expire, cosign, broadcast, follow, give up: one file per step |
//! | `record` | writes a step and its effects on other rows in one write batch |
//! | `effects` | the effects of a step on a withdrawal, a batch, a refund, a payout: one file each |
//! | `versions` | how a transaction that makes no progress is replaced |
//! | `promise` | whether a transaction still does what was promised |
//! | `drafts` | the unsigned transactions of an account: one for each request |
//! | `wallet`, `origin` | everything that a trading wallet holds, and where it comes from, for its owner to see |
//! | `answer`, `preview` | what clients receive about a transaction to sign, and about one that is only tried |
//! | `coins`, `holds` | coins that wallets can spend; which transactions hold a coin |
//! | `row`, `body`, `lock` | writes of the row alone; the PSBT and the signatures, each written once; how coins are locked |
//! | `issued`, `history` | the row; its states so far |
//! | `fee_rate`, `error` | current fee rates; the errors of all these files |
//!
//! Each step is one conditional write batch and can be repeated: if a process is killed between two steps,
//! the worker continues with the row.

mod advance;
mod answer;
mod body;
mod coins;
mod drafts;
mod effects;
mod error;
mod fee_rate;
mod history;
mod holds;
mod issue;
mod issued;
mod lock;
mod origin;
mod preview;
mod promise;
mod proof;
mod record;
mod renewal;
mod row;
mod sign;
mod steps;
mod versions;
mod wallet;

pub use crate::models::transaction::FINAL;
pub use advance::advance;
pub use answer::{Fee, TransactionStatus, UnsignedTransaction};
pub use body::{
    FullTransaction, MOST_INPUTS, TransactionBody, body, load_full, raw, signed_base64,
    unsigned_base64,
};
pub use coins::{
    HeldCoin, NeededCoins, WalletCoins, platform_output_coins, platform_wallet_coins,
    trading_wallet_coins, transaction_coins,
};
pub use drafts::{RequestDigest, drafts_of};
pub use effects::{Sighting, SweepOrder, blocks_left_to_replace, may_replace_withdrawal};
pub use error::{ChainError, Refusal};
pub use fee_rate::{
    CurrentFeeRate, KnownRates, fee_rate, keep_fee_rate, kept_fee_rate, known_fee_rates,
};
pub use history::{History, StateSince};
pub use issue::{
    BuiltTransaction, Goal, IssueRequest, LargestPayment, Remarks, issue, largest_payment, offer,
    order, preview, preview_of_draft, send,
};
pub use issued::{Blocked, BlockedBy, IssuedTransaction, load, load_own};
pub use origin::{CoinOrigin, origins};
pub use preview::{
    Preview, PreviewInput, PreviewOutput, Remaining, RuneAmount, TransactionPreview,
};
pub use proof::{Proven, prove_commitments};
pub use sign::{cancel, read_psbt, release, sign, still_offered};
pub use steps::{end_unsigned, record_in_block, watch_failed};
pub use versions::{NextVersion, newest_version, next_version};
pub use wallet::{CoinHolder, WalletCoin, WalletContents, wallet_contents};
