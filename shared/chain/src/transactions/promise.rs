//! Checks that a transaction still does what was promised when it was issued.

use shared::models::bitcoin::OutPoint;

use super::{ChainError, IssuedTransaction, TransactionBody, coins};
use crate::{
    BitcoinContext,
    bitcoin::{
        coins::{Coin, Contents},
        psbt::IssuedPsbt,
        runes,
    },
};

/// Compares what a transaction would do, given the current contents of its coins, with what was promised
/// (custody rule 10).
///
/// # Errors
/// [`ChainError::CoinsChanged`] if they differ, or if a coin is spent; [`ChainError::Unreadable`] if the
/// contents of a coin cannot be read; [`ChainError::CoinsNotReady`] if a source lags, or if a coin is
/// unconfirmed again: the caller may try again later.
pub(super) async fn still_holds(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    body: &TransactionBody,
    psbt: &IssuedPsbt,
) -> Result<(), ChainError> {
    let (locks, spent) = (body.locks()?, body.spent()?);
    let coins = coins::reread_outputs(app, &locks, &spent, &issued.earlier).await?;
    let coins = coins.ok_or(ChainError::CoinsChanged)?;
    let unreadable = coins.iter().filter(|coin| coin.contents == Contents::Unreadable);
    let unreadable: Vec<_> = unreadable.map(|coin| OutPoint(coin.outpoint)).collect();
    if !unreadable.is_empty() {
        return Err(ChainError::Unreadable(unreadable));
    }
    // They were spendable before: a source lags, or a reorganisation has put a parent back into the mempool.
    // Trying again is safe.
    if !coins.iter().all(Coin::is_spendable) {
        return Err(ChainError::CoinsNotReady);
    }
    let promised = body.promised.flow(psbt.transaction());
    // Only a transaction that a platform wallet pays alone may use an edict that gives runes to every output.
    let pays_alone = body.wallet.is_none()
        && coins.windows(2).all(|pair| match pair {
            [one, other] => one.script_pubkey == other.script_pubkey,
            _ => true,
        });
    runes::check_edicts(psbt.transaction(), &promised, &body.runes, pays_alone)
        .and_then(|()| runes::flow(psbt.transaction(), &coins, &body.runes))
        .and_then(|flow| flow.keeps(&promised))
        .map_err(|_| ChainError::CoinsChanged)
}
