//! Plain withdrawals and renewals. They only affect their account's list (custody rule 22).

use shared::keys;
use store::Writes;

use super::{
    event::Event,
    rows::{earlier_give_way, enter_lists},
};
use crate::{
    BitcoinContext,
    bitcoin::psbt::IssuedPsbt,
    transactions::{ChainError, IssuedTransaction, Refusal, TransactionBody},
};

pub(super) async fn writes_for(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match event {
        Event::Accepted => earlier_give_way(app, issued).await,
        Event::Expired
        | Event::Confirmed(_)
        | Event::Reorganised
        | Event::Dropped
        | Event::Failed { .. }
        | Event::Final(_) => Ok(Writes::new()),
    }
}

/// Whether a transaction without platform inputs pays only its own trading wallet.
pub(super) fn returns_everything(body: &TransactionBody, psbt: &IssuedPsbt) -> bool {
    let Some(wallet) = &body.wallet else { return false };
    let own = wallet.descriptor.script_pubkey();
    let mut outputs = psbt.transaction().output.iter();
    body.platform.is_empty() && outputs.all(|output| output.script_pubkey == own)
}

/// Adds a signed transaction to its account's list.
pub(super) async fn when_signed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    rows: &Writes<Refusal>,
) -> Result<bool, ChainError> {
    let account = issued.account_id.ok_or(ChainError::Damaged("a withdrawal has no account"))?;
    let lists = [keys::lists::transactions(account)];
    enter_lists(app, &lists, |_| (rows.clone(), issued.txid)).await
}
