//! The next version of a clean-up.

use shared::store::Writes;

use super::draft::draft;
use crate::{
    Chain,
    models::transaction::{PoolCleanup, TransactionState, Work},
    transactions::{
        self, BlockedBy, ChainError, IssuedTransaction, body, kept_fee_rate, load, next_version,
    },
};

/// Sends the next version of a clean-up that the platform cannot sign, or whose fee has become too low, as far as its
/// highest rate allows; nobody waits for it. Other transactions are left alone.
///
/// # Errors
/// [`ChainError`].
pub async fn send_next_version(app: &Chain, issued: &IssuedTransaction) -> Result<(), ChainError> {
    let Work::PoolCleanup(work) = &issued.work else { return Ok(()) };
    let Some(issued) = load(app, issued.txid).await? else { return Ok(()) };
    let highest = bitcoin::FeeRate::from_sat_per_kwu(work.highest_rate);
    let is_unsigned = issued.state == TransactionState::Signing && issued.can_be_replaced();
    // For most of them no rate has to be read.
    if !is_unsigned && !issued.is_too_cheap(app.clock.now(), highest) {
        return Ok(());
    }
    let rate = kept_fee_rate(app).await?.min(highest);
    if !is_unsigned && !issued.is_too_cheap(app.clock.now(), rate) {
        return Ok(());
    }
    let Some(next) = next_version(app, &issued).await? else { return Ok(()) };
    let is_refused = issued.blocked.is_some_and(|blocked| blocked.by == BlockedBy::Permission);
    // A mint may need the runes by now: they stay in the pool.
    let sweep_to = work.sweep_to.clone().filter(|_| !is_refused);
    let work = PoolCleanup { sweep_to, ..work.clone() };
    let wallets = body(app, issued.txid).await?.platform;
    let Some(wallet) = wallets.into_iter().next() else { return Ok(()) };
    let Some(draft) = draft(app, &wallet, &work, next.coins.clone(), rate, Some(&next))? else {
        tracing::info!(txid = %issued.txid, "a clean-up is not worth a higher fee");
        return Ok(());
    };
    match transactions::send(app, &draft, |_| Writes::new()).await {
        Ok(_) | Err(ChainError::Moved | ChainError::CoinsChanged) => Ok(()),
        Err(error) => Err(error),
    }
}
