//! The transaction of a refund. It spends the outputs that paid for the refunded requests and at most one
//! coin of the user, which the user signs for and gets back in full (custody rule 9).

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use bitcoin::{
    Amount, ScriptBuf, Transaction, TxOut, Weight, absolute::LockTime, transaction::Version,
};
use chain::{
    bitcoin::{coins::Coin, plan::PlanError, runes},
    keys,
    mints::{Mint, VmTransaction},
    models::{
        platform_wallet::PlatformWallet,
        transaction::{Refund, Work},
    },
    transactions::{
        self, BuiltTransaction, ChainError, FullTransaction, IssuedTransaction, NeededCoins,
        WalletCoins,
    },
};
use shared::{
    http::Result,
    models::{account::AccountId, bitcoin::OutPoint, trading_wallet::TradingWallet},
};
use tokio::time::timeout;

use crate::{
    app::App,
    error::RefundError,
    quote::{self, DUST},
};

/// How long listing the user's coins may take.
const OWN_COINS: Duration = Duration::from_secs(6);

/// The recipient of a refund.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipient<'a> {
    pub(crate) account: AccountId,
    pub(crate) wallet: &'a TradingWallet,
}

/// Builds the refund of these transactions at this fee.
pub(crate) async fn build<'a>(
    app: &App,
    owner: Recipient<'a>,
    work: Refund,
    transactions: &[VmTransaction],
    fee: u64,
) -> Result<BuiltTransaction<'a>> {
    let mut treasuries: Vec<PlatformWallet> = Vec::new();
    let mut coins = Vec::with_capacity(transactions.len());
    for (treasury, outputs) in by_treasury(app, transactions).await? {
        let found = transactions::platform_output_coins(app, &treasury, &outputs).await?;
        coins.extend(found.ok_or(RefundError::Changed)?);
        treasuries.push(treasury);
    }
    let total = Amount::from_sat(sum(transactions));
    let mut held = coins.iter().map(|coin| coin.value);
    if held.try_fold(Amount::ZERO, Amount::checked_add) != Some(total) {
        return Err(RefundError::Changed.into());
    }
    // A refund does not need a coin of the user; if they cannot be listed in time, it is built without one.
    let needed = NeededCoins::default();
    let own = transactions::trading_wallet_coins(app, owner.wallet, &needed);
    let own = timeout(OWN_COINS, own).await;
    let own = own.map_or_else(|_| WalletCoins::default(), Result::unwrap_or_default);
    let own = own.coins.into_iter().filter(|coin| coin.is_plain() && coin.value >= DUST);
    coins.extend(own.min_by_key(|coin| (coin.value, coin.outpoint)));
    draft(owner, work, treasuries, coins, total, Amount::from_sat(fee), None)
}

/// Rebuilds a refund that the network has dropped, at a higher fee. All versions spend the same outputs
/// (custody rule 8).
pub(crate) async fn rebuild<'a>(
    app: &App,
    owner: Recipient<'a>,
    work: Refund,
    transactions: &[VmTransaction],
    rate: bitcoin::FeeRate,
    before: &'a FullTransaction,
) -> Result<BuiltTransaction<'a>> {
    let coins = transactions::transaction_coins(app, &before.body).await?;
    let coins = coins.ok_or(RefundError::Changed)?;
    let outputs = u64::try_from(transactions.len()).unwrap_or(u64::MAX);
    let weight = quote::weight(outputs);
    // The fee that BIP 125 (rules 3 and 4) asks of a replacement, in case a node still has the old version.
    let above = before.row.fee.saturating_add(weight.div_ceil(4)).saturating_add(1);
    let cap = app.fees.cap;
    let fee = Amount::from_sat(quote::fee(weight, rate).min(cap.to_sat()).max(above));
    if fee > cap {
        return Err(ChainError::Plan(PlanError::FeeTooHigh { fee, cap }).into());
    }
    let total = Amount::from_sat(sum(transactions));
    draft(owner, work, before.body.platform.clone(), coins, total, fee, Some(&before.row))
}

fn sum(transactions: &[VmTransaction]) -> u64 {
    transactions.iter().map(VmTransaction::refundable_sats).fold(0, u64::saturating_add)
}

/// The outputs to spend, grouped by treasury wallet.
async fn by_treasury(
    app: &App,
    transactions: &[VmTransaction],
) -> Result<Vec<(PlatformWallet, Vec<(OutPoint, Amount)>)>> {
    let ids: BTreeSet<_> = transactions.iter().map(|row| row.mint_id).collect();
    let keys: Vec<_> = ids.into_iter().map(keys::mint).collect();
    let mints = app.store.get_many::<Mint>(&keys).await?.into_iter().flatten();
    let mints: BTreeMap<_, _> = mints.map(|mint| (mint.id, mint.treasury)).collect();
    let mut found: Vec<(PlatformWallet, Vec<(OutPoint, Amount)>)> = Vec::new();
    for row in transactions {
        let treasury = mints.get(&row.mint_id).ok_or(ChainError::Damaged("the mint is missing"))?;
        let source = row.refund_source.ok_or(RefundError::Changed)?;
        let output = (source, Amount::from_sat(row.refundable_sats()));
        match found.iter_mut().find(|(known, _)| known == treasury) {
            Some((_, outputs)) => outputs.push(output),
            None => found.push((treasury.clone(), vec![output])),
        }
    }
    Ok(found)
}

fn draft<'a>(
    owner: Recipient<'a>,
    work: Refund,
    platform: Vec<PlatformWallet>,
    inputs: Vec<Coin>,
    total: Amount,
    fee: Amount,
    replaces: Option<&'a IssuedTransaction>,
) -> Result<BuiltTransaction<'a>> {
    if !inputs.iter().all(Coin::is_plain) {
        return Err(RefundError::Changed.into());
    }
    let refunded = total.checked_sub(fee).filter(|sats| *sats >= DUST);
    let script_pubkey: ScriptBuf = owner.wallet.descriptor.script_pubkey();
    let own = inputs.iter().find(|coin| coin.script_pubkey == script_pubkey);
    let to_user = |value| TxOut { value, script_pubkey: script_pubkey.clone() };
    let mut output = vec![to_user(refunded.ok_or(RefundError::BelowFee)?)];
    output.extend(own.map(|coin| to_user(coin.value)));
    let transaction = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: inputs.iter().map(Coin::unsigned_input).collect(),
        output,
    };
    let promised = runes::flow(&transaction, &inputs, &[]);
    let promised = promised.map_err(|_| ChainError::Damaged("the refund moves runes"))?;
    if promised.fee != fee {
        return Err(RefundError::Changed.into());
    }
    let outputs = u64::try_from(inputs.len()).unwrap_or(u64::MAX);
    let outputs = outputs.saturating_sub(u64::from(own.is_some()));
    Ok(BuiltTransaction {
        account: Some(owner.account),
        wallet: own.is_some().then_some(owner.wallet),
        platform,
        work: Work::Refund(work),
        transaction,
        inputs,
        runes: Vec::new(),
        promised,
        weight: Weight::from_wu(quote::weight(outputs)),
        replaces,
    })
}
