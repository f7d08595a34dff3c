//! Cross-chain withdrawals.

use super::{CosigningError, IssuedTransaction, Step, Writes, nothing};
use crate::{
    app::App,
    models::{
        transaction::Watch,
        xchain::{Withdrawal, XchainRecord, XchainStatus},
    },
    store::{Key, Transaction, Update, lists},
    xchain::lists_of,
};

/// The hub is told of a withdrawal once the network has it, and not once it has failed.
pub(super) async fn of<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    step: Step,
) -> Result<Writes<'a>, CosigningError> {
    if !matches!(step, Step::Accepted | Step::Confirmed(_) | Step::Failed) {
        return Ok(nothing(app));
    }
    let key = Key::xchain_withdrawal(row.txid);
    let record = app.store.get::<XchainRecord>(&key).await?;
    let record = record.ok_or(CosigningError::Damaged("no record of a withdrawal"))?;
    let now = app.clock.now();
    let version = record.version;
    let record = match step {
        Step::Failed if !record.status.is_final() => {
            let reason = "The Bitcoin transaction can never confirm.".to_owned();
            record.failed("bitcoin", reason, now)
        }
        Step::Accepted | Step::Confirmed(_)
            if record.status == XchainStatus::Pending && record.watch.is_none() =>
        {
            XchainRecord { watch: Some(Watch::Withdrawal), due_at: now, ..record }
        }
        _ => return Ok(nothing(app)),
    };
    let record = XchainRecord { version: version.saturating_add(1), ..record };
    let as_read = Update::new().if_equal("version", version);
    let replace = move || Transaction::new(&app.store).replace(&key, &record, as_read.clone(), ());
    Ok(Box::new(replace))
}

/// A withdrawal enters the lists once it is signed.
pub(super) async fn announce(
    app: &App,
    row: &IssuedTransaction,
    withdrawal: &Withdrawal,
    update: &Update,
) -> Result<bool, CosigningError> {
    let (Some(account), Some(wallet)) = (row.account_id, &row.wallet) else {
        return Err(CosigningError::Damaged("a withdrawal of nobody"));
    };
    let record = XchainRecord::of_withdrawal(account, row.txid, wallet.address.clone(), withdrawal);
    let record = record.map_err(CosigningError::Damaged)?;
    let key = Key::transaction(row.txid);
    let member = record.key().map_err(CosigningError::Damaged)?;
    let lists = lists_of(&record);
    let appended = lists::append(&app.store, &lists, |at| {
        let record = record.clone().begun(at);
        let rows = Transaction::new(&app.store).update(&key, update.clone(), ()).insert(
            &Key::xchain(member),
            &record,
            (),
        );
        (rows, member)
    });
    Ok(crate::cosigning::outcome(appended.await)?.is_ok())
}
