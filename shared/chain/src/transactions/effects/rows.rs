//! Writes that the effects of several kinds of work share.

use base::clock::Timestamp;
use bitcoin::Script;
use futures_util::future::try_join_all;
use serde::{Serialize, de::DeserializeOwned};
use store::{
    CommitError, Writes,
    lists::{self, List},
};

use crate::{
    BitcoinContext, keys,
    mints::{self, VmTransaction},
    models::{
        platform_wallet::PlatformWallet, transaction::TransactionState,
        vm_transaction::VmTransactionKey,
    },
    transactions::{
        ChainError, IssuedTransaction, Refusal, TransactionBody, issued::load, row::WAITING,
    },
};

/// Commits `draft` and adds entries to these lists; returns whether this call was the first.
pub(super) async fn enter_lists<M: Serialize + DeserializeOwned + Clone>(
    app: &BitcoinContext,
    lists: &[List],
    draft: impl Fn(Timestamp) -> (Writes<Refusal>, M),
) -> Result<bool, ChainError> {
    match lists::append(&app.store, lists, draft).await {
        Ok(_) => Ok(true),
        Err(CommitError::Condition(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// The VM transactions of these keys, in their order.
pub(super) async fn vm_transactions(
    app: &BitcoinContext,
    keys: impl IntoIterator<Item = VmTransactionKey>,
) -> Result<Vec<VmTransaction>, ChainError> {
    let found = mints::vm_transactions(&app.store, keys).await?;
    let found: Option<Vec<_>> = found.into_iter().collect();
    found.ok_or(ChainError::Damaged("a VM transaction is missing"))
}

/// The writes that mark earlier versions as replaced once the network has accepted this one.
pub(super) async fn earlier_give_way(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let earlier = try_join_all(issued.earlier.iter().map(|txid| load(app, *txid))).await?;
    earlier
        .into_iter()
        .flatten()
        .try_fold(Writes::new(), |rows, version| Ok(rows.and(give_way(app, &version)?)))
}

/// The write that marks a transaction as replaced, if its state allows that.
pub(super) fn give_way(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    if !issued.state.may_become(TransactionState::Replaced) {
        return Ok(Writes::new());
    }
    let update = issued
        .transition(TransactionState::Replaced, app.clock.now())?
        .remove(IssuedTransaction::BLOCK_HEIGHT)
        .remove(IssuedTransaction::BLOCK_HASH)
        .set(IssuedTransaction::DUE_AT, app.clock.now().plus(WAITING));
    let rows = Writes::new().update(&keys::transaction(issued.txid), update, Refusal::Moved);
    Ok(rows.and(issued.tell(TransactionState::Replaced)))
}

/// Whether a transaction spends coins of a mint's pool alone.
pub(super) fn is_of_pool(body: &TransactionBody, pool: &Script) -> bool {
    let is_its = |wallet: &PlatformWallet| wallet.script_pubkey().as_script() == pool;
    body.wallet.is_none() && body.platform.iter().all(is_its)
}
