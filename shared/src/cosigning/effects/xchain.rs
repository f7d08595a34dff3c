//! Cross-chain withdrawals.

use super::{CosigningError, IssuedTransaction, Step, Writes, nothing};
use crate::{
    app::App,
    clock::Timestamp,
    models::xchain::{RelayState, Withdrawal, XchainRecord, XchainStatus},
    store::{Entity, Key, Transaction, Update, keys::List, lists},
};

impl Entity for XchainRecord {
    const ENTITY: &'static str = "xchainRecord";
}

pub(super) fn of<'a>(app: &'a App, row: &IssuedTransaction, step: Step) -> Writes<'a> {
    let (key, now) = (Key::xchain_withdrawal(row.txid), app.clock.now());
    match step {
        Step::Failed => Box::new(move || {
            let cancelled = Update::new()
                .set("status", XchainStatus::Failed)
                .set("relayState", RelayState::Cancelled)
                .set("updatedAt", now);
            Transaction::new(&app.store).update(&key, cancelled, ())
        }),
        _ => nothing(app),
    }
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
    let record = |at: Timestamp| {
        let trading = wallet.address.clone();
        XchainRecord::of_withdrawal(account, row.txid.to_string(), trading, withdrawal, at)
    };
    let key = Key::transaction(row.txid);
    let lists = lists_of(&record(row.created_at));
    let appended = lists::append(&app.store, &lists, |at| {
        let record = record(at);
        let rows = Transaction::new(&app.store).update(&key, update.clone(), ()).insert(
            &Key::xchain_withdrawal(row.txid),
            &record,
            (),
        );
        (rows, record.id)
    });
    Ok(crate::cosigning::outcome(appended.await)?.is_ok())
}

/// The lists that a record has a place in (data model: `filters` are lists).
fn lists_of(record: &XchainRecord) -> Vec<List> {
    let mut addresses = vec![&record.trading_address, &record.withdraw_to, &record.user_address];
    addresses.sort();
    addresses.dedup();
    let tokens = [Some(&record.intent.input_token), record.intent.output_token.as_ref()];
    let mut tokens: Vec<_> = tokens.into_iter().flatten().collect();
    tokens.sort();
    tokens.dedup();
    let mut lists = vec![List::xchain()];
    lists.extend(addresses.iter().map(|address| List::xchain_by_address(address)));
    for token in tokens {
        lists.push(List::xchain_by_token(token));
        for address in &addresses {
            lists.push(List::xchain_by_address_and_token(address, token));
        }
    }
    lists
}
