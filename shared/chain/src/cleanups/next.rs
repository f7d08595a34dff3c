//! The next version of a clean-up.

use std::collections::BTreeSet;

use bitcoin::FeeRate;
use shared::models::bitcoin::RuneName;
use store::Writes;

use super::draft::draft;
use crate::{
    BitcoinContext,
    bitcoin::coins::Coin,
    mints,
    models::{
        mint::MintState,
        transaction::{PoolCleanup, TransactionState, Work},
    },
    transactions::{
        self, BlockedBy, ChainError, IssuedTransaction, body, kept_fee_rate, load, next_version,
    },
};

/// Sends the next version of a clean-up that the platform cannot sign, or whose fee has become too low, as
/// far as its highest rate allows: no user waits for it, unless it holds runes that a mint pays out now. One
/// that was never signed and no longer pays for itself ends. It does nothing for other transactions.
///
/// # Errors
/// [`ChainError::Source`] if no fee rate is cached and Esplora gives none, or if a coin cannot be read;
/// otherwise as [`transactions::send`].
pub async fn send_next_version(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<(), ChainError> {
    let Work::PoolCleanup(work) = &issued.work else { return Ok(()) };
    let Some(issued) = load(app, issued.txid).await? else { return Ok(()) };
    let highest = FeeRate::from_sat_per_kwu(work.highest_rate);
    let is_unsigned = issued.state == TransactionState::Signing && issued.can_be_replaced();
    let lags = |rate| is_unsigned || issued.is_too_cheap(app.clock.now(), rate);
    // For most of them no rate has to be read.
    if !lags(FeeRate::MAX) {
        return Ok(());
    }
    let rate = kept_fee_rate(app).await?;
    if !lags(rate) {
        return Ok(());
    }
    let is_dear = rate > highest;
    let paid = if is_dear { runes_being_paid(app).await? } else { Some(BTreeSet::new()) };
    if is_dear && !lags(highest) && paid.as_ref().is_some_and(BTreeSet::is_empty) {
        return Ok(());
    }
    let Some(next) = next_version(app, &issued).await? else { return Ok(()) };
    let rate = match is_dear && !paid.is_none_or(|paid| hold_any(&next.coins, &paid)) {
        true => highest,
        false => rate,
    };
    if !lags(rate) {
        return Ok(());
    }
    let is_refused = issued.blocked.is_some_and(|blocked| blocked.by == BlockedBy::Permission);
    // A mint may need the runes now, so they stay in the pool.
    let sweep_to = work.sweep_to.clone().filter(|_| !is_refused);
    let work = PoolCleanup { sweep_to, ..work.clone() };
    let wallets = body(app, issued.txid).await?.platform;
    let Some(wallet) = wallets.into_iter().next() else { return Ok(()) };
    let Some(draft) = draft(app, &wallet, &work, next.coins.clone(), rate, Some(&next))? else {
        if is_unsigned && issued.signed_weight.is_none() {
            tracing::info!(txid = %issued.txid, "a clean-up that cannot be signed ends");
            return transactions::end_unsigned(app, &issued).await;
        }
        tracing::info!(txid = %issued.txid, "a clean-up is not worth a higher fee");
        return Ok(());
    };
    match transactions::send(app, &draft, |_| Writes::new()).await {
        Ok(_) | Err(ChainError::Moved | ChainError::CoinsChanged) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The runes that mints pay out now; `None` if there are very many mints.
async fn runes_being_paid(app: &BitcoinContext) -> Result<Option<BTreeSet<RuneName>>, ChainError> {
    let Some(queued) = mints::queued_mints(&app.store).await? else { return Ok(None) };
    let paying = queued.iter().filter(|mint| mint.state == MintState::MintedOut);
    Ok(Some(paying.map(|mint| mint.rune.name).collect()))
}

/// Whether coins hold any of these runes.
fn hold_any(coins: &[Coin], runes: &BTreeSet<RuneName>) -> bool {
    let mut held = coins.iter().filter_map(Coin::runes).flat_map(|runes| runes.keys());
    held.any(|rune| runes.contains(rune))
}
