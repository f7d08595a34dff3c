//! Clean-ups of the pool.

use std::{collections::BTreeSet, time::Duration};

use base::clock::Timestamp;
use bitcoin::TxOut;
use serde::{Deserialize, Serialize};
use store::{Entity, Writes};

use super::{
    event::{Event, Permission},
    rows::{earlier_give_way, is_of_pool},
};
use crate::{
    BitcoinContext,
    bitcoin::{address, plan::LEAST_RUNE_OUTPUT, psbt::IssuedPsbt},
    keys, mints,
    models::transaction::PoolCleanup,
    transactions::{ChainError, IssuedTransaction, Refusal, TransactionBody},
};

/// How long after an order sweeps to its address are signed.
const ORDER_LASTS: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Records that an operator has ordered sweeps to an address. Without it, or thirty days later, no sweep to that address is
/// signed.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SweepOrder {
    /// When it was last ordered.
    pub ordered_at: Timestamp,
}

impl Entity for SweepOrder {
    const ENTITY: &'static str = "sweepOrder";
}

pub(super) async fn writes_for(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match event {
        Event::Accepted => earlier_give_way(app, issued).await,
        Event::Confirmed(_)
        | Event::Failed { .. }
        | Event::Expired
        | Event::Reorganised
        | Event::Dropped
        | Event::Final(_) => Ok(Writes::new()),
    }
}

/// Whether a clean-up spends only coins of a mint's pool and pays only the pool. Its first output may instead go to an
/// address that an operator has named, with runes that no mint needs and the fewest sats that such an output may have
/// (custody rule 29).
pub(super) async fn may_cosign(
    app: &BitcoinContext,
    body: &TransactionBody,
    work: &PoolCleanup,
    psbt: &IssuedPsbt,
) -> Result<Permission, ChainError> {
    let Some(mint) = mints::mint(&app.store, work.mint_id).await? else {
        return Ok(Permission::Refused);
    };
    let pool = mint.pool.script_pubkey();
    if !is_of_pool(body, &pool) || psbt.fee() > app.fees.cap {
        return Ok(Permission::Refused);
    }
    let is_own = |output: &TxOut| output.script_pubkey == pool;
    let transaction = psbt.transaction();
    let Some(to) = &work.sweep_to else {
        return Ok(Permission::only_if(transaction.output.iter().all(is_own)));
    };
    // Any function may have written the transaction's row, but only an operator can write this one.
    let order = app.store.get::<SweepOrder>(&keys::sweep_order(to)).await?;
    if order.is_none_or(|order| app.clock.now() >= order.ordered_at.plus(ORDER_LASTS)) {
        return Ok(Permission::Refused);
    }
    let to = address::parse_recipient(to, app.network);
    let to = to.map_err(|_| ChainError::Damaged("invalid address"))?.script_pubkey();
    let Some((first, rest)) = transaction.output.split_first() else {
        return Ok(Permission::Refused);
    };
    let is_junk_alone = first.script_pubkey == to && first.value <= LEAST_RUNE_OUTPUT;
    if !is_junk_alone || !rest.iter().all(is_own) {
        return Ok(Permission::Refused);
    }
    let promised = body.promised.flow(transaction);
    let leaving = promised.outputs.first().map(|output| &output.runes);
    let leaving: BTreeSet<_> =
        leaving.into_iter().flat_map(|runes| runes.keys().copied()).collect();
    let queued = mints::queued_mints(&app.store).await?;
    let needed = queued.as_ref().map(mints::runes_of_unfinished);
    Ok(Permission::only_if(needed.is_some_and(|needed| leaving.is_disjoint(&needed))))
}
