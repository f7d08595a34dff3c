//! Expires an unsigned transaction.

use shared::auth::limits::{self, REFUND_EXPIRY_BY_ACCOUNT};
use store::Update;

use crate::{
    BitcoinContext,
    models::transaction::Work,
    transactions::{
        ChainError, IssuedTransaction, body::expired, effects::Event, record::record_all,
        row::look_again_later,
    },
};

/// Records that a transaction was not signed in time. Its reservations have expired by themselves.
///
/// # Errors
/// [`ChainError::Damaged`] if the row's state cannot become `expired`; otherwise as [`record_all`].
pub(in crate::transactions) async fn expire(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<(), ChainError> {
    if issued.reserved_until > app.clock.now() {
        return look_again_later(app, issued, Update::new()).await;
    }
    let expired = expired(issued, app.clock.now())?;
    if record_all(app, issued, &expired, Event::Expired).await? {
        count_unsigned(app, issued).await?;
    }
    Ok(())
}

/// Counts a refund that was created and never signed (custody rule 9).
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub(in crate::transactions) async fn count_unsigned(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<(), ChainError> {
    if let (Work::Refund(_), Some(account)) = (&issued.work, issued.account_id) {
        limits::count(app, REFUND_EXPIRY_BY_ACCOUNT, &account.to_string()).await?;
    }
    Ok(())
}
