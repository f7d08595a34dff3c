//! Settlement: what a mint's end means for each of its transactions, fixed once its commitment is final
//! (custody rule 6).

use chain::{
    mints::{Mint, Settlement, VmTransaction},
    models::mint::MintState,
    transactions::ChainError,
};

use crate::{
    app::App,
    mint_rows::{NextLook, blocks, change, filled, final_height},
};

/// Settles every transaction that can be settled.
pub(crate) async fn settle(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    tip: u32,
) -> Result<NextLook, ChainError> {
    let settled = settled(mint, rows, final_height(tip))?;
    if !settled.is_empty() {
        change(app, settled).await?;
        return Ok(NextLook::More);
    }
    // A confirmed commitment is settled once it is final. If an unconfirmed one confirms later, the mint is
    // watched again.
    let waits = |row: &VmTransaction| {
        row.settlement.is_none() && row.state.takes_part() && row.confirmation.is_some()
    };
    Ok(if rows.iter().any(waits) { NextLook::Wait } else { NextLook::Nothing })
}

/// The transactions that can be settled, each before and after.
fn settled(
    mint: &Mint,
    rows: &[VmTransaction],
    final_height: u32,
) -> Result<Vec<(VmTransaction, VmTransaction)>, ChainError> {
    let ready = |row: &&VmTransaction| {
        row.settlement.is_none()
            && row.state.takes_part()
            && row.is_final
            && row.confirmation.is_some_and(|place| place.height <= final_height)
    };
    // The blocks of a failed mint are empty.
    let blocks = mint.minted_out_at.map(|last| blocks(mint, rows, last));
    rows.iter()
        .filter(ready)
        .map(|row| {
            let in_blocks = blocks.as_ref().and_then(|blocks| blocks.by_batch.get(&row.txid));
            Ok((
                row.clone(),
                settle_one(row, in_blocks.filter(|_| mint.state != MintState::Failed))?,
            ))
        })
        .collect()
}

/// Settles a transaction: these requests of each tier are distributed, and all others refunded.
fn settle_one(
    row: &VmTransaction,
    in_blocks: Option<&Vec<u64>>,
) -> Result<VmTransaction, ChainError> {
    const WRONG: ChainError =
        ChainError::Damaged("more requests are distributed than were paid for");
    let mut settled = filled(row, in_blocks);
    let (distributable, kept) = (settled.requests_in_blocks(), settled.sats_in_blocks());
    let refundable_requests = settled.requests().checked_sub(distributable).ok_or(WRONG)?;
    let refundable_sats = settled.paid_sats().checked_sub(kept).ok_or(WRONG)?;
    settled.settlement = Some(Settlement {
        distributable_requests: distributable,
        refundable_requests,
        refundable_sats,
    });
    // The transfer divides the output of a partly distributed transaction first.
    settled.refund_source = (distributable == 0).then_some(settled.output);
    Ok(settled)
}

#[cfg(test)]
mod tests;
