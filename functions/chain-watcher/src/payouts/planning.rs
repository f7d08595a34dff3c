//! Decides which VM transactions are paid out together. The plan is a function of the mint and its virtual
//! blocks, so it does not matter which worker plans, or how often.

use std::collections::{BTreeMap, BTreeSet};

use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    bitcoin::runes::runestone_script,
    blocks::Tip,
    keys,
    mints::{Mint, Payout, PayoutMembers, Taken, VmTransaction},
    models::{
        mint::MintState,
        vm_transaction::{Leg, PayoutKey, VmState, VmTransactionKey},
    },
    transactions::ChainError,
};
use ordinals::Edict;
use store::{CommitError, Update, Writes};
use tokio::time::{Duration, Instant};

use super::drafts::{MOST_RUNESTONE_BYTES, tokens};
use crate::{
    app::{App, Looked, Pass},
    bids,
    mint_rows::{NextLook, blocks, change_each, filled, paced, place_of, update_mint},
    read_many::{read_many, read_readable},
    settlement::settle_one,
    virtual_blocks::{Batch, Bid, Filled, Place},
};

/// The most VM transactions in a distribution: its outputs, of 43 virtual bytes each, fill a transaction that
/// nodes relay.
const MOST_RECIPIENTS: usize = 2_200;
/// Room for VM transactions in a transfer: each output of the treasury is an input, and a write batch has at
/// most 100 actions when it stores the transaction or releases its coins.
const ROOM: usize = 84;
/// The room that a partly refunded VM transaction takes: once the transfer is final, one write batch changes
/// its rows and counts.
const ROOM_OF_PARTIAL: usize = 4;
/// This many VM transactions certainly fit into one runestone with an edict for each.
pub(super) const FEW: usize = 3;
/// The pause between the writes of two payouts: each takes two write units of the mint's partition, which has
/// 1,000 a second.
const EVERY: Duration = Duration::from_micros(2_500);
/// Payouts whose members are compared at a time: the members of a distribution take 94 kB.
const MEMBERS_TOGETHER: usize = 50;
/// Rows that are read before they are written.
const TOGETHER: usize = 2_400;
/// After this time a look writes no further rows.
const LAST_WRITE: Duration = Duration::from_secs(14);

/// What a VM transaction gets in the blocks of a mint that is minted out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PayoutShare {
    pub(super) txid: Txid,
    /// Requests whose runes it receives.
    pub(super) requests: u64,
    /// Their price, in sats.
    pub(super) sats: u64,
    /// The price of its other requests, which are refunded, in sats.
    pub(super) rest: u64,
}

impl PayoutShare {
    fn of_row(row: &VmTransaction) -> Option<Self> {
        let settlement = row.settlement?;
        Some(Self {
            txid: row.txid,
            requests: settlement.distributable_requests,
            sats: row.sats_in_blocks(),
            rest: settlement.refundable_sats,
        })
    }
}

/// The row of a payout that is not sent yet.
fn new_payout(
    mint: &Mint,
    (leg, number): (Leg, u64),
    shares: &[PayoutShare],
    created_at: Timestamp,
) -> Result<Payout, ChainError> {
    let requests = shares.iter().map(|share| share.requests).fold(0, u64::saturating_add);
    let spare_requests = match leg {
        Leg::Distribution if !fits_by_edicts(mint, shares)? => {
            shares.iter().map(|share| share.requests).min().unwrap_or_default()
        }
        _ => 0,
    };
    Ok(Payout {
        mint_id: mint.id,
        number,
        leg,
        version: 1,
        created_at,
        size: shares.len(),
        requests,
        spare_requests,
        transaction: None,
        sent: None,
        is_final: false,
        is_noted: false,
    })
}

/// The rows of a payout of these settled VM transactions.
pub(super) fn payout(
    app: &App,
    mint: &Mint,
    leg: Leg,
    number: u64,
    rows: &[VmTransaction],
) -> Result<(Payout, PayoutMembers), ChainError> {
    let shares: Option<Vec<_>> = rows.iter().map(PayoutShare::of_row).collect();
    let shares = shares.ok_or(ChainError::Damaged("a payout's VM transaction is not settled"))?;
    let payout = new_payout(mint, (leg, number), &shares, app.clock.now())?;
    Ok((payout, members_of(&shares)))
}

/// The length in bytes of the runestone of these edicts, with the longest pointer that it can have.
fn length(edicts: Vec<Edict>, outputs: usize) -> usize {
    let pointer = u32::try_from(outputs.saturating_add(2)).unwrap_or(u32::MAX);
    runestone_script(edicts, pointer).len()
}

fn edict(mint: &Mint, requests: u64, output: usize) -> Result<Edict, ChainError> {
    let output = u32::try_from(output).unwrap_or(u32::MAX);
    Ok(Edict { id: mint.rune.id, amount: tokens(mint, requests)?, output })
}

/// Whether a runestone has room for an edict for each of these shares.
fn fits_by_edicts(mint: &Mint, shares: &[PayoutShare]) -> Result<bool, ChainError> {
    // An edict has at least four bytes.
    if shares.len() > MOST_RUNESTONE_BYTES.div_ceil(4) {
        return Ok(false);
    }
    let edicts = shares.iter().zip(2..).map(|(share, output)| edict(mint, share.requests, output));
    Ok(length(edicts.collect::<Result<_, _>>()?, shares.len()) <= MOST_RUNESTONE_BYTES)
}

/// Whether a runestone has room for these shares, the first of which has the fewest requests, with one edict
/// for all and one more for each share that has more requests.
fn fits_by_one_edict(mint: &Mint, shares: &[PayoutShare]) -> Result<bool, ChainError> {
    let Some(least) = shares.first().map(|share| share.requests) else { return Ok(true) };
    let larger = shares.iter().zip(2_usize..).filter(|(share, _)| share.requests > least);
    let larger: Vec<_> = larger.take(MOST_RUNESTONE_BYTES.div_ceil(4)).collect();
    let mut edicts = Vec::with_capacity(larger.len().saturating_add(1));
    for (share, output) in larger {
        edicts.push(edict(mint, share.requests.saturating_sub(least), output)?);
    }
    edicts.push(edict(mint, least, shares.len().saturating_add(2))?);
    Ok(length(edicts, shares.len()) <= MOST_RUNESTONE_BYTES)
}

/// Groups a mint's VM transactions into distributions, each with as many as one runestone and one transaction
/// have room for. VM transactions with equally many requests are grouped together.
pub(super) fn distributions(
    mint: &Mint,
    shares: &[PayoutShare],
) -> Result<Vec<Vec<PayoutShare>>, ChainError> {
    let mut shares = shares.to_vec();
    shares.sort_unstable_by_key(|share| (share.requests, share.txid));
    let mut distributions: Vec<Vec<PayoutShare>> = Vec::new();
    for share in shares {
        if let Some(last) = distributions.last_mut().filter(|last| last.len() < MOST_RECIPIENTS) {
            let is_alike = last.len() > MOST_RUNESTONE_BYTES
                && last.last().is_some_and(|other| other.requests == share.requests)
                && last.first().is_some_and(|first| first.requests == share.requests);
            last.push(share);
            if is_alike || fits_by_edicts(mint, last)? || fits_by_one_edict(mint, last)? {
                continue;
            }
            last.pop();
        }
        distributions.push(vec![share]);
        if !fits_by_edicts(mint, &[share])? {
            return Err(ChainError::Damaged("an edict does not fit a runestone"));
        }
    }
    Ok(distributions)
}

/// Groups a mint's VM transactions into transfers, each with as many as one write batch has room for.
pub(super) fn transfers(shares: &[PayoutShare]) -> Vec<Vec<PayoutShare>> {
    let mut shares = shares.to_vec();
    shares.sort_unstable_by_key(|share| share.txid);
    let (mut transfers, mut left): (Vec<Vec<PayoutShare>>, _) = (Vec::new(), 0_usize);
    for share in shares {
        let room = if share.rest > 0 { ROOM_OF_PARTIAL } else { 1 };
        match transfers.last_mut().filter(|_| room <= left) {
            Some(last) => last.push(share),
            None => {
                transfers.push(vec![share]);
                left = ROOM;
            }
        }
        left = left.saturating_sub(room);
    }
    transfers
}

/// What the VM transactions get in the mint's blocks.
fn shares(batches: &[Batch<Txid>], blocks: &Filled<Txid>) -> Vec<PayoutShare> {
    let share = |batch: &Batch<Txid>| {
        let taken = blocks.by_batch.get(&batch.id)?;
        let requests = taken.iter().copied().fold(0, u64::saturating_add);
        let price_of = |count: u64, bid: &Bid| count.saturating_mul(bid.sats_per_request);
        let all = batch.bids.iter().map(|bid| price_of(bid.count, bid));
        let all = all.fold(0, u64::saturating_add);
        let paid = batch.bids.iter().zip(taken).map(|(bid, taken)| price_of(*taken, bid));
        let sats = paid.fold(0, u64::saturating_add);
        (requests > 0).then_some(PayoutShare {
            txid: batch.id,
            requests,
            sats,
            rest: all.saturating_sub(sats),
        })
    };
    batches.iter().filter_map(share).collect()
}

/// Plans all payouts of a mint that is minted out, and settles its distributed VM transactions with them, so
/// each row is written once.
pub(crate) async fn plan_all(app: &App, mint: &Mint, tip: &Tip) -> Result<NextLook, ChainError> {
    let begun = Instant::now();
    let before = app.looked(mint.id, Pass::Plan);
    if before.as_ref().is_some_and(|it| it.up_to.is_none() && it.is_current(mint, tip)) {
        return Ok(NextLook::Wait);
    }
    // The plan stays the same, so a pass continues where the last one stopped.
    let before = before.filter(|before| before.revision == mint.revision);
    let last = mint.minted_out_at.ok_or(ChainError::Damaged("a mint has no end"))?;
    let batches = bids::read(app, mint, last).await?;
    let blocks = blocks(mint, &batches, last);
    if blocks.filled != mint.total_requests {
        return Err(ChainError::Damaged("the blocks of a mint have not taken every request"));
    }
    let shares = shares(&batches, &blocks);
    let legs =
        [(Leg::Distribution, distributions(mint, &shares)?), (Leg::Transfer, transfers(&shares))];
    let payouts =
        legs.into_iter().flat_map(|(leg, payouts)| payouts.into_iter().map(move |it| (leg, it)));
    let payouts: Vec<_> = (1..).zip(payouts).collect();
    write_payouts(app, mint, &payouts).await?;
    let mut numbers: BTreeMap<Txid, [Option<u64>; 2]> = BTreeMap::new();
    for (number, (leg, shares)) in &payouts {
        for share in shares {
            let [distribution, transfer] = numbers.entry(share.txid).or_default();
            match leg {
                Leg::Distribution => *distribution = Some(*number),
                Leg::Transfer => *transfer = Some(*number),
            }
        }
    }
    let places: BTreeMap<_, _> = batches.iter().map(|batch| (batch.id, batch.place)).collect();
    let mut looked = Looked::at(mint, tip);
    if let Some(before) = before.filter(|before| before.up_to.is_some()) {
        (looked.up_to, looked.behind) = (before.up_to, before.behind);
    }
    let numbers: Vec<_> = numbers
        .into_iter()
        .filter(|(txid, _)| looked.up_to.is_none_or(|last| *txid > last))
        .collect();
    for some in numbers.chunks(TOGETHER) {
        if begun.elapsed() >= LAST_WRITE {
            return Ok(goes_on_later(app, mint, looked));
        }
        let key = |txid| keys::vm_transaction(VmTransactionKey { mint_id: mint.id, txid });
        // A row that cannot be read counts as one that does not know its block.
        let rows = read_readable(app, some.iter().map(|(txid, _)| key(*txid)).collect()).await?;
        let (mut planned, mut filling) = (Vec::new(), BTreeSet::new());
        for (row, (txid, numbers)) in rows.into_iter().zip(some) {
            match row.filter(|row| is_ready(row, places.get(txid))) {
                // Payouts whose rows were ready may have arrived while other rows lagged.
                Some(row) if matches!(row.state, VmState::Distributing | VmState::Distributed) => {}
                Some(row) if !row.state.may_become(VmState::Distributing) => {
                    // The row learned its block after the mint's end. A row that filling does not change will
                    // always lag.
                    let after = filled(&row, blocks.of(txid));
                    if after == row {
                        looked.behind.insert(*txid);
                    } else {
                        filling.insert(*txid);
                        planned.push((row, after));
                    }
                }
                // A row that contradicts the blocks is damaged; payouts without it are sent.
                Some(row) => match paid_out(&row, &blocks, *numbers) {
                    Ok(paid_out) => planned.push((row, paid_out)),
                    Err(error) => {
                        tracing::error!(%txid, %error, "a VM transaction cannot be settled");
                        looked.behind.insert(*txid);
                    }
                },
                None => {
                    looked.behind.insert(*txid);
                }
            }
        }
        let changed = change_each(app, planned).await?;
        // Like rows that lag, they hold up only the payouts that they are part of.
        for (txid, _) in changed.refused {
            filling.remove(&txid);
            looked.behind.insert(txid);
        }
        if !changed.are_written || !filling.is_empty() {
            return Ok(goes_on_later(app, mint, looked));
        }
        looked.up_to = some.last().map(|(txid, _)| *txid);
    }
    if looked.behind.is_empty() {
        let planned = Update::new().set(Mint::PAYOUTS_PLANNED, true);
        update_mint(app, mint, planned.if_equal(Mint::STATE, MintState::MintedOut)).await?;
        return Ok(NextLook::More);
    }
    let rows = looked.behind.len();
    tracing::info!(mint = %mint.id, rows, "payouts wait for rows that do not know their block yet");
    app.remember(mint.id, Pass::Plan, Looked { up_to: None, ..looked });
    Ok(NextLook::Wait)
}

/// Remembers where the next look continues.
fn goes_on_later(app: &App, mint: &Mint, looked: Looked) -> NextLook {
    if looked.up_to.is_some() {
        app.remember(mint.id, Pass::Plan, looked);
    }
    NextLook::More
}

/// Whether a row knows the place of its batch in the chain, and that its block is final.
fn is_ready(row: &VmTransaction, place: Option<&Place>) -> bool {
    row.is_final && place_of(row).as_ref() == place
}

/// A VM transaction that is settled, and paid out by these payouts.
fn paid_out(
    row: &VmTransaction,
    blocks: &Filled<Txid>,
    [distribution, transfer]: [Option<u64>; 2],
) -> Result<VmTransaction, ChainError> {
    let settled = settle_one(row, blocks.of(&row.txid))?;
    Ok(VmTransaction { state: VmState::Distributing, distribution, transfer, ..settled })
}

/// The VM transactions of a payout, and what the blocks have taken of each.
fn members_of(shares: &[PayoutShare]) -> PayoutMembers {
    let taken = |share: &PayoutShare| Taken {
        requests: share.requests,
        sats: share.sats,
        rest: share.rest,
    };
    PayoutMembers {
        txids: shares.iter().map(|share| share.txid).collect(),
        taken: shares.iter().map(taken).collect(),
    }
}

/// Writes the rows of payouts that do not exist yet.
async fn write_payouts(
    app: &App,
    mint: &Mint,
    payouts: &[(u64, (Leg, Vec<PayoutShare>))],
) -> Result<(), ChainError> {
    let (low, high) = keys::payouts(mint.id);
    let there = app.store.range::<Payout>((&low, &high), true, None).await?;
    let there: BTreeSet<_> = there.into_iter().map(|payout| payout.number).collect();
    let write = |(number, (leg, shares)): &(u64, (Leg, Vec<PayoutShare>))| {
        let payout = new_payout(mint, (*leg, *number), shares, app.clock.now());
        let members = members_of(shares);
        async move {
            let payout = payout?;
            let (key, of_members) =
                (keys::payout(payout.key()), keys::payout_members(payout.key()));
            let rows = Writes::new().insert(&key, &payout, ()).put(&of_members, &members, ());
            match app.store.commit(rows).await {
                // Another worker makes the same plan.
                Ok(()) | Err(CommitError::Condition(())) => Ok(()),
                Err(CommitError::Contended) => Err(ChainError::Contended),
                Err(CommitError::Store(error)) => Err(error.into()),
            }
        }
    };
    // Rows of another plan, such as that of an earlier version of the service, would pay someone twice.
    for some in payouts.chunks(MEMBERS_TOGETHER) {
        let some: Vec<_> = some.iter().filter(|(number, _)| there.contains(number)).collect();
        let key = |number| keys::payout_members(PayoutKey { mint_id: mint.id, number });
        let found = read_many(app, some.iter().map(|(number, _)| key(*number)).collect()).await?;
        for ((_, (_, shares)), found) in some.into_iter().zip(found) {
            let found: Option<PayoutMembers> = found;
            if found != Some(members_of(shares)) {
                return Err(ChainError::Damaged("payouts were planned differently before"));
            }
        }
    }
    let missing = payouts.iter().filter(|(number, _)| !there.contains(number));
    paced(EVERY, missing.map(write).collect()).await.into_iter().collect()
}

#[cfg(test)]
mod tests;
