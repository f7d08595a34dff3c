//! Where the coins of a trading wallet come from, as far as the service's own transactions show.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::Txid;
use serde::Serialize;
use shared::models::account::AccountId;
use utoipa::ToSchema;

use super::{ChainError, IssuedTransaction};
use crate::{BitcoinContext, keys, models::transaction::Work};

/// Where a coin comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CoinOrigin {
    /// Somebody sent it: no transaction of the account has created it.
    Deposit,
    /// It is the change of a withdrawal or of a batch of requests.
    Change,
    /// A renewal or a cancellation returned it.
    Renewal,
    /// A refund paid it.
    Refund,
    /// A mint sent the runes in it.
    Mint,
    /// A mint paid its proceeds with it.
    Payout,
    /// The service does not know the origin.
    Unknown,
}

impl CoinOrigin {
    /// The origin of an account's coin that a transaction of the service has created.
    fn of(row: &IssuedTransaction, account: AccountId) -> Self {
        let is_own = row.account_id == Some(account);
        match &row.work {
            // Without the platform's signature a transaction creates no coin, unless the user alone can send
            // it.
            _ if !row.is_claimed() => Self::Unknown,
            Work::VmDistribution(_) => Self::Mint,
            Work::VmTransfer(_) => Self::Payout,
            Work::PoolSplit(_) | Work::PoolCleanup(_) => Self::Unknown,
            Work::Withdraw(_) | Work::XchainWithdraw(_) | Work::VmCommitment(_) if is_own => {
                Self::Change
            }
            Work::RenewUtxo if is_own => Self::Renewal,
            Work::Refund(_) if is_own => Self::Refund,
            Work::Withdraw(_)
            | Work::XchainWithdraw(_)
            | Work::VmCommitment(_)
            | Work::RenewUtxo
            | Work::Refund(_) => Self::Deposit,
        }
    }
}

/// Where coins of an account come from, by the transactions that created them. It only reads the store, one
/// batch per hundred transactions.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub async fn origins(
    app: &BitcoinContext,
    account: AccountId,
    txids: BTreeSet<Txid>,
) -> Result<BTreeMap<Txid, CoinOrigin>, ChainError> {
    let rows: Vec<_> = txids.iter().map(|txid| keys::transaction(*txid)).collect();
    let rows = app.store.get_many::<IssuedTransaction>(&rows).await?;
    let origin = |row: Option<IssuedTransaction>| {
        row.map_or(CoinOrigin::Deposit, |row| CoinOrigin::of(&row, account))
    };
    Ok(txids.into_iter().zip(rows.into_iter().map(origin)).collect())
}
