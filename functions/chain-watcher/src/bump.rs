//! Bumps a refund whose fee has become too low, without its user.
//!
//! The next version spends the same treasury outputs and pays the same trading address. It leaves out the
//! user's own coin, so it needs no signature of the user (custody rules 8, 9 and 25). The fee comes out of
//! the refund and never takes more than half of it.

use bitcoin::{
    Amount, FeeRate, Transaction, TxOut, Weight, absolute::LockTime, transaction::Version,
};
use chain::{
    BitcoinContext,
    bitcoin::{address, coins::Coin, plan::fee_to_replace, runes},
    mints::{self, Changes, VmTransaction},
    models::{
        platform_wallet::PlatformWallet,
        transaction::{TransactionState, Work},
        vm_transaction::RefundState,
    },
    transactions::{
        BuiltTransaction, ChainError, IssuedTransaction, NextVersion, Refusal, body, kept_fee_rate,
        load, next_version, send,
    },
};
use shared::models::bitcoin::OutPoint;

/// Weight units that a signed transaction with segwit inputs adds to an unsigned one (BIP 141).
const MARKER_AND_FLAG: u64 = 2;

/// Sends the next version of a refund if its fee is too low or the network refuses it; returns whether it
/// did. It does nothing for other transactions. Safe to run twice concurrently.
pub(crate) async fn bump_refund(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
) -> Result<bool, ChainError> {
    let Work::Refund(work) = &issued.work else { return Ok(false) };
    let Some(issued) = load(app, issued.txid).await?.filter(may_be_bumped) else {
        return Ok(false);
    };
    let is_stuck = issued.can_be_replaced();
    let now = app.clock.now();
    // Most refunds are decided without reading a fee rate.
    if !is_stuck && !issued.is_too_cheap(now, FeeRate::MAX) {
        return Ok(false);
    }
    let rate = kept_fee_rate(app).await?;
    if !is_stuck && !issued.is_too_cheap(now, rate) {
        return Ok(false);
    }
    let rows = mints::vm_transactions(&app.store, work.transactions.iter().copied()).await?;
    let rows: Option<Vec<_>> = rows.into_iter().collect();
    let rows = rows.ok_or(ChainError::Damaged("a refund's VM transaction is missing"))?;
    let is_its = |row: &VmTransaction| {
        row.refund_state == RefundState::Broadcast && row.refund_txid == Some(issued.txid)
    };
    if !rows.iter().all(is_its) {
        return Ok(false);
    }
    let Some(next) = next_version(app, &issued).await? else { return Ok(false) };
    let platform = body(app, issued.txid).await?.platform;
    let Some(draft) = draft(app, &issued, platform, &rows, &next, rate)? else {
        tracing::info!(txid = %issued.txid, "refund is not worth a higher fee");
        return Ok(false);
    };
    let also = |bumped: &IssuedTransaction| {
        let named = rows.iter().map(|row| {
            let named = VmTransaction { refund_txid: Some(bumped.txid), ..row.clone() };
            (row.clone(), named)
        });
        named.collect::<Changes>().writes(app.clock.now(), Refusal::Moved)
    };
    match send(app, &draft, also).await {
        Ok(bumped) => {
            tracing::info!(txid = %issued.txid, by = %bumped.txid, "refund sent again at a higher fee");
            Ok(true)
        }
        // The user or another worker was faster.
        Err(ChainError::Moved | ChainError::CoinsChanged) => Ok(false),
        Err(error) => Err(error),
    }
}

fn may_be_bumped(issued: &IssuedTransaction) -> bool {
    matches!(
        issued.state,
        TransactionState::Signing | TransactionState::Broadcasting | TransactionState::InMempool
    )
}

/// Drafts the next version; `None` if one of its coins cannot be spent now, or if the refund is not worth the
/// fee.
fn draft<'a>(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    platform: Vec<PlatformWallet>,
    rows: &[VmTransaction],
    next: &'a NextVersion,
    rate: FeeRate,
) -> Result<Option<BuiltTransaction<'a>>, ChainError> {
    let sources = rows.iter().map(|row| {
        let source = row.refund_source?;
        next.coins.iter().find(|coin| OutPoint(coin.outpoint) == source && coin.is_plain()).cloned()
    });
    let Some(inputs) = sources.collect::<Option<Vec<Coin>>>() else { return Ok(None) };
    let Some(first) = rows.first() else { return Ok(None) };
    let to = address::parse_recipient(&first.trading_address, app.network);
    let to = to.map_err(|_| ChainError::Damaged("invalid address"))?.script_pubkey();
    let total = inputs.iter().map(|coin| coin.value.to_sat()).fold(0, u64::saturating_add);
    let mut transaction = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: inputs.iter().map(Coin::unsigned_input).collect(),
        output: vec![TxOut { value: Amount::ZERO, script_pubkey: to }],
    };
    let witness = inputs.iter().map(|coin| coin.satisfaction_weight.to_wu().saturating_add(1));
    let weight = transaction.weight().to_wu().saturating_add(MARKER_AND_FLAG);
    let weight = witness.fold(weight, u64::saturating_add);
    let mut fee = fee_to_replace(next.outbids, Weight::from_wu(weight), rate).to_sat();
    if issued.state == TransactionState::Broadcasting {
        // The network refuses the current fee, and would refuse a slightly higher one too.
        fee = fee.max(issued.fee.saturating_mul(3).div_ceil(2));
    }
    let refunded = total.checked_sub(fee);
    let dust = transaction.output.iter().map(|output| output.script_pubkey.minimal_non_dust());
    let dust = dust.max().unwrap_or(Amount::MAX).to_sat();
    let is_worth_it =
        |refunded: &u64| *refunded >= dust && *refunded >= fee && fee <= app.fees.cap.to_sat();
    let Some(refunded) = refunded.filter(is_worth_it) else { return Ok(None) };
    for output in &mut transaction.output {
        output.value = Amount::from_sat(refunded);
    }
    let promised = runes::flow(&transaction, &inputs, &[]);
    let promised = promised.map_err(|_| ChainError::Damaged("the refund moves runes"))?;
    Ok(Some(BuiltTransaction {
        account: issued.account_id,
        wallet: None,
        platform,
        work: issued.work.clone(),
        transaction,
        inputs,
        runes: Vec::new(),
        promised,
        weight: Weight::from_wu(weight),
        replaces: Some(&next.replaces),
    }))
}
