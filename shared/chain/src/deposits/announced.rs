//! Deposits that their owner announces.

use std::time::Duration;

use bitcoin::{Script, Txid};
use shared::models::{account::AccountId, watch::Watch};
use store::Store;

use super::{
    record::{insert, replace},
    row::{Awaits, Deposit, DepositState, FoundDeposit},
};
use crate::{
    BitcoinContext,
    bitcoin::esplora::{BlockId, ScriptHashOutput},
    transactions::{self, ChainError, IssuedTransaction},
};

/// How long an announced transaction is awaited.
const AWAITED_FOR: Duration = Duration::from_secs(60 * 60);

/// Esplora's answer about an announced transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announced {
    /// It does not know it.
    Unknown,
    /// It pays nothing to the address.
    PaysNothing,
    /// The account itself has signed it, so that what it pays to the address is change; or it is a payout of a mint.
    Own,
    /// It pays these outputs; and the block that contains it, if the server that answered names one.
    Pays(Vec<FoundDeposit>, Option<BlockId>),
}

/// Asks Esplora about a transaction: whether it pays this script of the account, and which block has it.
///
/// # Errors
/// [`ChainError::Source`] if Esplora fails; [`ChainError::Store`] if the store fails.
pub async fn look_up(
    app: &BitcoinContext,
    account: AccountId,
    txid: Txid,
    script: &Script,
) -> Result<Announced, ChainError> {
    let own = transactions::load(app, txid).await?;
    if own.is_some_and(|row| !may_pay(&row, account)) {
        return Ok(Announced::Own);
    }
    let Some(transaction) = app.esplora.transaction(txid).await? else {
        return Ok(Announced::Unknown);
    };
    let outputs = ScriptHashOutput::of(&transaction).filter(|output| output.script == *script);
    let found =
        FoundDeposit::in_transaction(txid, outputs.map(|output| (output.vout, output.sats)));
    if found.is_empty() {
        return Ok(Announced::PaysNothing);
    }
    Ok(Announced::Pays(found, app.esplora.confirmation(txid).await?))
}

/// Whether an issued transaction can deposit to an account: only one of another account can.
pub fn may_pay(issued: &IssuedTransaction, account: AccountId) -> bool {
    issued.account_id.is_some_and(|owner| owner != account)
}

/// Writes that an account expects a transaction, unless its row exists already; returns the stored row.
/// `gone` is its row if the service had given it up.
///
/// # Errors
/// [`ChainError::Contended`] if concurrent writes prevented every attempt; [`ChainError::Store`] if the store
/// fails.
pub async fn expect(
    store: &Store,
    account: AccountId,
    txid: Txid,
    address: &str,
    gone: Option<Deposit>,
) -> Result<Deposit, ChainError> {
    let now = store.now();
    let awaits = Awaits { address: address.to_owned(), until: now.plus(AWAITED_FOR) };
    let awaiting = |row: Deposit| Deposit {
        state: DepositState::Awaited,
        awaits: Some(awaits),
        watch: Some(Watch::Deposit),
        due_at: now,
        looks: 0,
        ..row
    };
    if let Some(gone) = gone {
        let version = gone.version.saturating_add(1);
        return replace(store, &gone, Deposit { version, ..awaiting(gone.clone()) }).await;
    }
    let found = FoundDeposit { txid, number: 0, vout: 0, sats: 0, more: None };
    let unknown = Deposit::new(account, &found, now);
    insert(store, Deposit { vout: None, sats: None, seen_at: None, ..awaiting(unknown) }).await
}
