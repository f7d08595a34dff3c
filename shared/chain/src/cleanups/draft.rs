//! The transaction of a clean-up.

use bitcoin::{Amount, FeeRate, ScriptBuf, TxOut};

use crate::{
    BitcoinContext,
    bitcoin::{
        address,
        coins::Coin,
        plan::{
            LEAST_RUNE_OUTPUT, OWN_RUNE_OUTPUT, fee_to_replace, signed_weight, unsigned_transaction,
        },
        runes,
    },
    models::{
        platform_wallet::PlatformWallet,
        transaction::{PoolCleanup, Work},
    },
    transactions::{BuiltTransaction, ChainError, NextVersion},
};

/// Change below this is not worth an output.
const LEAST_CHANGE: Amount = Amount::from_sat(546);

/// Drafts a transaction that spends exactly these coins. `None` if they do not pay for it, or if it would
/// cost more than a transaction may.
pub(super) fn draft<'a>(
    app: &BitcoinContext,
    pool: &PlatformWallet,
    work: &PoolCleanup,
    inputs: Vec<Coin>,
    rate: FeeRate,
    before: Option<&'a NextVersion>,
) -> Result<Option<BuiltTransaction<'a>>, ChainError> {
    let own = pool.script_pubkey();
    let to = match &work.sweep_to {
        Some(text) => recipient(app, text)?,
        None => own.clone(),
    };
    let has_runes = inputs.iter().any(|coin| !coin.is_plain());
    let value = if to == own { OWN_RUNE_OUTPUT } else { LEAST_RUNE_OUTPUT };
    // Without a runestone, runes go to the first output.
    let first = has_runes.then(|| TxOut { value, script_pubkey: to.clone() });
    let change = TxOut { value: Amount::ZERO, script_pubkey: own.clone() };
    let held = inputs.iter().map(|coin| coin.value).try_fold(Amount::ZERO, Amount::checked_add);
    let held = held.ok_or(ChainError::Damaged("coins hold more sats than there are"))?;
    let replaced = before.and_then(|before| before.outbids);
    let settled = |outputs: Vec<TxOut>| {
        let transaction = unsigned_transaction(&inputs, outputs);
        let weight = signed_weight(&transaction, &inputs);
        let fee = fee_to_replace(replaced, weight, rate);
        let mut paid = transaction.output.iter().map(|output| output.value);
        let paid = paid.try_fold(fee, Amount::checked_add)?;
        Some((transaction, weight, held.checked_sub(paid)?, fee))
    };
    let with_change = settled(first.iter().cloned().chain([change]).collect());
    let with_change = with_change.filter(|(_, _, left, _)| *left >= LEAST_CHANGE);
    let settled = match (with_change, first) {
        (Some(settled), _) => Some(settled),
        // The remaining sats stay in the pool.
        (None, Some(first)) if to == own => settled(vec![first]),
        (None, _) => None,
    };
    let Some((mut transaction, weight, left, fee)) = settled else { return Ok(None) };
    if fee > app.fees.cap {
        return Ok(None);
    }
    if let Some(last) = transaction.output.last_mut() {
        last.value = last.value.checked_add(left).unwrap_or(Amount::MAX_MONEY);
    }
    let promised = runes::flow(&transaction, &inputs, &[]);
    let promised = promised.map_err(|_| ChainError::Damaged("a clean-up loses runes"))?;
    Ok(Some(BuiltTransaction {
        account: None,
        wallet: None,
        platform: vec![pool.clone()],
        work: Work::PoolCleanup(work.clone()),
        transaction,
        inputs,
        runes: Vec::new(),
        promised,
        weight,
        replaces: before.map(|before| &before.replaces),
    }))
}

fn recipient(app: &BitcoinContext, text: &str) -> Result<ScriptBuf, ChainError> {
    let address = address::parse_recipient(text, app.network);
    Ok(address.map_err(|_| ChainError::Damaged("invalid address"))?.script_pubkey())
}
