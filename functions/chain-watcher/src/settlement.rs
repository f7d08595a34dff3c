//! Settlement: what a mint's end means for each of its transactions, fixed once its commitment is final
//! (custody rule 6).

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use bitcoin::Txid;
use chain::{
    blocks::Tip,
    keys,
    mints::{Mint, Released, Settlement, VmTransaction},
    models::{
        mint::{MintId, MintState},
        vm_transaction::VmState,
    },
    transactions::ChainError,
};
use futures_util::future::try_join_all;
use shared::stuck::Trouble;

use crate::{
    app::{App, Looked, Pass},
    bids::{self, NamedBatches},
    mint_rows::{NextLook, Rows, blocks, change_each, filled, final_height, paced, rows_where},
    row_outcome::RowOutcome,
    virtual_blocks::{Batch, Filled, Share},
};

/// The pause between the writes of two permissions, which fall on 16 partitions of 1,000 write units a second each.
const EVERY: Duration = Duration::from_micros(200);
/// The most batches that one look refunds by their commitments, read from the node, because their rows did
/// not fit.
const MOST_WRONG: usize = 32;
/// The most transactions that are read before they are settled.
const TOGETHER: usize = 9_600;

/// Settles every transaction that can be settled, except those that are paid out: planning their payouts
/// settles them. A transaction that waits for a block which the ended mint will not have is marked as not
/// taken. After a look that left nothing to do, the next look waits for a block, or for another change of a
/// transaction.
///
/// A row that cannot be read, settled or written is set aside: the others are settled, the mint is visited as
/// often as before, and [`with_alarm`] notifies an operator. Nothing is paid out or refunded for such a row,
/// so no sum depends on it.
pub(crate) async fn settle(app: &App, mint: &Mint, tip: &Tip) -> Result<NextLook, ChainError> {
    if let Some(before) = app.looked(mint.id, Pass::Settle) {
        if before.is_over && before.revision == mint.revision {
            return Ok(NextLook::Nothing);
        }
        if before.is_same(mint, tip) {
            return Ok(NextLook::Wait);
        }
    }
    let mut rows = rows_where(app, mint, is_undecided, TOGETHER).await?;
    let named = match rows.found.is_empty() {
        true => NamedBatches::default(),
        false => bids::read_named(app, mint).await?,
    };
    let (own, without_bids) = (named.ids(), named.without_bids());
    let blocks = match mint.minted_out_at.filter(|_| !own.is_empty()) {
        Some(last) => taken(mint, &named.up_to(last)?),
        None => None,
    };
    let (stored, is_unknown) = as_paid(app, mint, &mut rows, &without_bids).await?;
    let (decided, damaged) =
        decided(&rows.found, (blocks.as_ref(), &own), final_height(tip.height));
    let as_stored = |(row, after): (VmTransaction, VmTransaction)| {
        (stored.get(&row.txid).cloned().unwrap_or(row), after)
    };
    let decided: Vec<_> = decided.into_iter().map(as_stored).collect();
    release(app, &decided).await?;
    // A confirmed commitment is settled once it is final. If an unconfirmed one confirms later, the mint is
    // watched again.
    let is_done = |(_, after): &&(_, VmTransaction)| !is_undecided(after);
    let waits = decided.iter().filter(is_done).count() < rows.found.len();
    let changed = change_each(app, decided).await?;
    if !changed.are_written || rows.are_more {
        return Ok(NextLook::More);
    }
    let sets_aside =
        rows.are_unreadable || is_unknown || damaged > 0 || !changed.refused.is_empty();
    let is_over = !waits && !sets_aside;
    app.remember(mint.id, Pass::Settle, Looked { is_over, sets_aside, ..Looked::at(mint, tip) });
    Ok(if is_over { NextLook::Nothing } else { NextLook::Wait })
}

/// The outcome of a look at a mint, with an alarm if rows are set aside. The mint is still visited in every run, and each
/// block is another try for those rows.
pub(crate) fn with_alarm(app: &App, mint: MintId, outcome: RowOutcome) -> RowOutcome {
    let causes = [
        (Pass::Settle, "a batch of the mint cannot be settled"),
        (Pass::Fill, "a batch of the mint cannot be changed"),
    ];
    let sets_aside = |pass| app.looked(mint, pass).is_some_and(|looked| looked.sets_aside);
    let cause = causes.into_iter().find(|(pass, _)| sets_aside(*pass));
    let alarm = cause.map(|(_, cause)| Trouble::Waits { cause, patience: Duration::ZERO });
    RowOutcome { waits: alarm.or(outcome.waits), ..outcome }
}

/// The blocks of a mint that has ended; `None` if they are empty, as those of a failed mint are.
fn taken(mint: &Mint, batches: &[Batch<Txid>]) -> Option<Filled<Txid>> {
    let last = mint.minted_out_at.filter(|_| mint.state != MintState::Failed)?;
    Some(blocks(mint, batches, last))
}

/// Whether a transaction in a block is not settled yet.
fn is_unsettled(row: &VmTransaction) -> bool {
    row.settlement.is_none() && row.state.takes_part() && row.confirmation.is_some()
}

/// Whether the end of the mint still has to decide about a transaction: it is not settled, or it waits for a
/// block.
fn is_undecided(row: &VmTransaction) -> bool {
    let waits = row.confirmation.is_none()
        && matches!(row.state, VmState::Broadcasting | VmState::AllInMempool);
    is_unsettled(row) || waits
}

/// Replaces the rows of final batches that bid nothing, since they did not fit, by what their commitments have paid; returns
/// the rows as they are stored, and whether a commitment that the node does not know sets a row aside. Those that
/// a look has no time for are left to the next one.
async fn as_paid(
    app: &App,
    mint: &Mint,
    rows: &mut Rows,
    without_bids: &BTreeSet<Txid>,
) -> Result<(BTreeMap<Txid, VmTransaction>, bool), ChainError> {
    let is_one =
        |row: &VmTransaction| is_unsettled(row) && row.is_final && without_bids.contains(&row.txid);
    let (wrong, mut found): (Vec<_>, Vec<_>) =
        std::mem::take(&mut rows.found).into_iter().partition(is_one);
    rows.are_more = rows.are_more || wrong.len() > MOST_WRONG;
    let treasury = &mint.treasury.script_pubkey();
    let read = wrong.into_iter().take(MOST_WRONG).map(|row| async move {
        let commitment = app.esplora.transaction(row.txid).await?;
        let paid = commitment.map(|commitment| bids::as_paid(&row, &commitment, treasury));
        Ok::<_, ChainError>((paid, row))
    });
    let (mut stored, mut is_unknown) = (BTreeMap::new(), false);
    for (paid, row) in try_join_all(read).await? {
        let Some(paid) = paid else {
            tracing::error!(txid = %row.txid, "the node does not know a commitment");
            is_unknown = true;
            continue;
        };
        found.push(paid);
        stored.insert(row.txid, row);
    }
    rows.found = found;
    Ok((stored, is_unknown))
}

/// Permits the refunds of settled transactions from which no block has taken a request. The permissions are
/// written before the rows: an unused permission does no harm, and a row alone permits nothing (custody rule
/// 33).
async fn release(app: &App, decided: &[(VmTransaction, VmTransaction)]) -> Result<(), ChainError> {
    let released = decided.iter().map(|(_, after)| after).filter(|row| {
        row.settlement.is_some_and(|settlement| settlement.distributable_requests == 0)
            && row.refundable_sats() > 0
    });
    let released = released.map(|row| async move {
        let permission = Released { sats: row.refundable_sats() };
        app.store.put(&keys::released(row.key()), &permission).await
    });
    let written = paced(EVERY, released.collect()).await;
    Ok(written.into_iter().collect::<Result<(), _>>()?)
}

/// The transactions that can be settled now, and those that are still in no block, each before and after; and
/// the number of those that cannot be settled. They do not hold up the others. Only batches that the applied
/// blocks name for the mint, `own`, are settled.
fn decided(
    rows: &[VmTransaction],
    (blocks, own): (Option<&Filled<Txid>>, &BTreeSet<Txid>),
    final_height: u32,
) -> (Vec<(VmTransaction, VmTransaction)>, usize) {
    let can_be_settled = |row: &VmTransaction| {
        is_unsettled(row)
            && row.is_final
            && row.confirmation.is_some_and(|place| place.height <= final_height)
    };
    let decide = |row: &VmTransaction| -> Result<_, ChainError> {
        let share = blocks.and_then(|blocks| blocks.of(&row.txid));
        let after = if can_be_settled(row) {
            // Functions may write a row of this mint for a commitment to another one.
            if !own.contains(&row.txid) {
                return Err(ChainError::Damaged("no block has the batch for its mint"));
            }
            settle_one(row, share)?
        } else {
            // A transaction that the blocks hold, whatever its own row says, is settled with its payout.
            let is_taken = share.is_some_and(|share| share.by_bid.iter().any(|taken| *taken > 0));
            let waits = !is_taken && row.state != VmState::NotTaken;
            if !waits {
                return Ok(None);
            }
            row.outside_of_blocks(VmState::NotTaken)
        };
        Ok(Some((row.clone(), after)))
    };
    let (mut decided, mut damaged) = (Vec::new(), 0_usize);
    for row in rows.iter().filter(|row| is_undecided(row)) {
        match decide(row) {
            Ok(change) => decided.extend(change),
            Err(error) => {
                tracing::error!(txid = %row.txid, %error, "a VM transaction cannot be settled");
                damaged = damaged.saturating_add(1);
            }
        }
    }
    (decided, damaged)
}

/// Whether a filled row has a price for each bid, and takes as much as they do. A batch that did not fit bids nothing.
fn is_share_of(row: &VmTransaction, share: Share<'_>) -> bool {
    let taken: u64 = share.by_bid.iter().fold(0, |sum, taken| sum.saturating_add(*taken));
    let prices = share.by_bid.len();
    (prices == 0 || prices == row.tiers.len()) && row.requests_in_blocks() == taken
}

/// Settles a transaction: the requests in blocks are distributed, and all others are refunded.
pub(crate) fn settle_one(
    row: &VmTransaction,
    share: Option<Share<'_>>,
) -> Result<VmTransaction, ChainError> {
    const WRONG: ChainError =
        ChainError::Damaged("more requests are distributed than were paid for");
    let mut settled = filled(row, share);
    let (distributable, kept) = (settled.requests_in_blocks(), settled.sats_in_blocks());
    // The blocks took what the commitment bid. A row with other prices contradicts that (custody rule 33).
    if share.is_some_and(|share| !is_share_of(&settled, share)) {
        return Err(ChainError::Damaged("a row has other prices than its bids"));
    }
    let refundable_requests = settled.requests().checked_sub(distributable).ok_or(WRONG)?;
    let refundable_sats = settled.paid_sats().checked_sub(kept).ok_or(WRONG)?;
    settled.settlement = Some(Settlement {
        distributable_requests: distributable,
        refundable_requests,
        refundable_sats,
    });
    // The transfer divides the output of a partly distributed transaction first.
    settled.refund_source = (distributable == 0).then_some(settled.output);
    if distributable == 0 {
        settled.state = VmState::NotTaken;
    }
    Ok(settled)
}

#[cfg(test)]
mod tests;
