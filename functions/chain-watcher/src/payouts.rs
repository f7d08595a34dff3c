//! Payouts of a mint that is minted out: distributions send the runes, and transfers move the payments out of
//! the treasury.
//!
//! A payout has at most one open transaction. Its row is written in the same batch as the transaction and the coins it
//! holds, so a worker killed at any point leaves either nothing or everything needed to continue.

mod drafts;
mod plan;
mod planning;
mod pool;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use base::outbound::OutboundError;
use bitcoin::Txid;
use chain::{
    bitcoin::plan::PlanError,
    keys,
    mints::{Mint, Payout, PayoutMembers, Taken, VmTransaction},
    models::{
        mint::MintState,
        transaction::TransactionState,
        vm_transaction::{Leg, VmState, VmTransactionKey},
    },
    transactions::{self, ChainError, IssuedTransaction, NextVersion, Refusal},
};
pub(crate) use planning::plan_all;
use shared::source::SourceError;
use store::{CommitError, Update, Writes};
use tokio::time::{Instant, timeout};

use crate::{
    app::App,
    mint_rows::{NextLook, change, end_mint},
    read_many::read_many,
};
use pool::Pool;

/// How long payouts wait for a division of the pool.
const PATIENCE: Duration = Duration::from_secs(30 * 60);
/// After these times a look sends no further distribution, and no further transaction at all.
const LAST_DISTRIBUTION: Duration = Duration::from_secs(8);
const LAST_TRANSFER: Duration = Duration::from_secs(12);
/// How long a look proves whom a distribution pays.
const PROVING: Duration = Duration::from_secs(5);
/// After this time a look records the arrival of no further distribution.
const LAST_NOTED: Duration = Duration::from_secs(8);

/// Sends the payouts of a mint, and records which have arrived.
pub(crate) async fn advance(app: &App, mint: &Mint) -> Result<NextLook, ChainError> {
    let begun = Instant::now();
    let (low, high) = keys::payouts(mint.id);
    let payouts = app.store.range::<Payout>((&low, &high), true, None).await?;
    // A row that cannot be changed does not hold up the other payouts.
    let mut failure = None;
    for payout in payouts.iter().filter(|payout| payout.is_final && !payout.is_noted) {
        let noted = match begun.elapsed() < LAST_NOTED {
            true => note(app, payout).await,
            false => Ok(false),
        };
        match noted {
            Ok(true) => {}
            Ok(false) => return Ok(NextLook::More),
            Err(error) => failure = Some(error),
        }
    }
    let open: Vec<_> = payouts.iter().filter(|payout| !payout.is_final).collect();
    if !mint.payouts_planned && open.is_empty() {
        return Ok(NextLook::Wait);
    }
    if let Some(error) = failure.take_if(|_| open.is_empty()) {
        return Err(error);
    }
    if open.is_empty() && !is_dividing(app, mint).await? {
        end_mint(app, mint, (MintState::Distributed, None), Update::new()).await?;
        return Ok(NextLook::More);
    }
    let sent: Vec<_> = open.iter().filter_map(|payout| payout.transaction).collect();
    let issued = read_many(app, sent.iter().copied().map(keys::transaction).collect()).await?;
    let issued = sent.into_iter().zip(issued);
    let issued = issued.map(|(txid, row): (Txid, Option<IssuedTransaction>)| Some((txid, row?)));
    let issued = issued.collect::<Option<BTreeMap<_, _>>>();
    let issued = issued.ok_or(ChainError::Damaged("a payout's transaction is missing"))?;
    let last = payouts.iter().map(|payout| payout.number).max().unwrap_or_default();
    let look = Look { app, mint, begun, issued, last, pool: Pool::read(app).await? };
    let next = look.continue_payouts(&open).await?;
    failure.map_or(Ok(next), Err)
}

/// Records in the VM transactions of a final distribution that their runes have arrived; returns whether it
/// is complete.
async fn note(app: &App, payout: &Payout) -> Result<bool, ChainError> {
    let (rows, _) = members(app, payout).await?;
    let arrived = rows.into_iter().filter(|row| row.state == VmState::Distributing).map(|row| {
        let (state, distribution) = (VmState::Distributed, Some(payout.number));
        let after = VmTransaction { state, distribution, ..row.clone() };
        (row, after)
    });
    if !change(app, arrived.collect()).await? {
        return Ok(false);
    }
    let noted = Update::new().set(Payout::IS_NOTED, true).if_version(payout.version);
    let noted = Writes::new().update(&keys::payout(payout.key()), noted, ());
    match app.store.commit(noted).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(()) | CommitError::Contended) => Ok(false),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

const MISSING: ChainError = ChainError::Damaged("a payout's VM transaction is missing");

/// The VM transactions of a payout, in its order, and what it was planned for.
async fn members(
    app: &App,
    payout: &Payout,
) -> Result<(Vec<VmTransaction>, Vec<Taken>), ChainError> {
    let found = app.store.get::<PayoutMembers>(&keys::payout_members(payout.key())).await?;
    let PayoutMembers { txids, taken } = found.ok_or(MISSING)?;
    let members = txids.into_iter().map(|txid| VmTransactionKey { mint_id: payout.mint_id, txid });
    let members: Vec<_> = members.collect();
    let rows = read_many(app, members.iter().copied().map(keys::vm_transaction).collect()).await?;
    let rows: Vec<VmTransaction> = rows.into_iter().collect::<Option<_>>().ok_or(MISSING)?;
    // A function that writes rows could replace one batch by another.
    match rows.iter().map(VmTransaction::key).eq(members) {
        true => Ok((rows, taken)),
        false => Err(ChainError::Damaged("a payout's VM transaction is another one")),
    }
}

/// Whether the settled rows of a payout say what it was planned for. Functions may write the rows, but not the plan
/// (custody rule 33).
fn agree(rows: &[VmTransaction], planned: &[Taken]) -> bool {
    planned.len() == rows.len()
        && planned.iter().zip(rows).all(|(planned, row)| planned.agrees(row))
}

/// Proves whom a distribution pays, as far as a look has time; returns whether it is done. What is proven stays so for
/// this instance, and the next look goes on.
///
/// # Errors
/// A row contradicts its commitment, the node does not answer, or it has proven nothing in that time.
async fn prove(app: &App, mint: &Mint, rows: &[VmTransaction]) -> Result<bool, ChainError> {
    let treasury = mint.treasury.script_pubkey();
    let before = app.proven.count(&treasury, rows);
    let proof = transactions::prove_commitments(app, &treasury, rows, &app.proven);
    match timeout(PROVING, proof).await {
        Ok(done) => done.map(|()| true),
        Err(_elapsed) if app.proven.count(&treasury, rows) > before => Ok(false),
        Err(_elapsed) => Err(SourceError::from(OutboundError::Timeout).into()),
    }
}

/// Whether a division of the pool is not final yet. It is followed to its end even if no payout needs it any
/// more.
async fn is_dividing(app: &App, mint: &Mint) -> Result<bool, ChainError> {
    let Some(txid) = mint.pool_split else { return Ok(false) };
    Ok(transactions::load(app, txid).await?.is_some_and(|issued| issued.watch.is_some()))
}

/// What a look did for a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// It sent a transaction or split the payout, so the payout's row has changed.
    Something,
    /// It did nothing, since the payout's transaction is open.
    Waits,
}

/// A look at the payouts of a mint.
struct Look<'a> {
    app: &'a App,
    mint: &'a Mint,
    begun: Instant,
    /// The transactions of open payouts.
    issued: BTreeMap<Txid, IssuedTransaction>,
    /// The highest number of any payout.
    last: u64,
    pool: Pool,
}

impl Look<'_> {
    /// Continues the unfinished payouts, in their order.
    async fn continue_payouts(mut self, open: &[&Payout]) -> Result<NextLook, ChainError> {
        let (mut failure, mut lacking, mut sent) = (None, None, 0_usize);
        let provided = self.provide(open).await.unwrap_or_else(|error| {
            tracing::warn!(mint = %self.mint.id, %error, "failed to divide coins of the pool");
            failure = Some(error);
            Provided::Nothing
        });
        // The coins that the pool lacks may still come back: plain coins from any transaction, runes only
        // from distributions.
        let divides = provided != Provided::Nothing;
        let mut under_way = divides || self.issued.values().any(is_open);
        let is_distributing = |payout: &&Payout| {
            let issued = payout.transaction.and_then(|txid| self.issued.get(&txid));
            payout.leg == Leg::Distribution && issued.is_some_and(is_open)
        };
        let mut runes_under_way = divides || open.iter().any(is_distributing);
        let mut lacks: BTreeSet<Leg> = BTreeSet::new();
        for payout in open {
            let last = match payout.leg {
                Leg::Distribution => LAST_DISTRIBUTION,
                Leg::Transfer => LAST_TRANSFER,
            };
            if self.begun.elapsed() >= last {
                // The next look continues.
                sent = sent.saturating_add(1);
                continue;
            }
            // A payout that has begun has its coins. Once the pool lacks coins for one payout of a leg, it
            // lacks them for the others too.
            let has_begun = payout.transaction.is_some();
            if !has_begun && (provided == Provided::Wait || lacks.contains(&payout.leg)) {
                continue;
            }
            match self.send(payout, runes_under_way).await {
                Ok(Done::Something) => {
                    sent = sent.saturating_add(1);
                    runes_under_way = runes_under_way || payout.leg == Leg::Distribution;
                }
                Ok(Done::Waits) => under_way = true,
                Err(error) => {
                    let number = payout.number;
                    tracing::warn!(mint = %self.mint.id, number, %error, "payout waits");
                    match error {
                        ChainError::Plan(
                            PlanError::InsufficientBtc { .. }
                            | PlanError::InsufficientRune { .. }
                            | PlanError::RuneScattered { .. },
                        ) => {
                            lacks.insert(payout.leg);
                            let is_rune = !matches!(
                                error,
                                ChainError::Plan(PlanError::InsufficientBtc { .. })
                            );
                            match is_rune && !runes_under_way {
                                true => failure = Some(error),
                                false => lacking = Some(error),
                            }
                        }
                        // This payout waits for a lower rate. Other payouts may cost less per recipient.
                        ChainError::Plan(PlanError::FeeTooHigh { .. }) => lacking = Some(error),
                        error => {
                            // All distributions send the same rune.
                            if matches!(error, ChainError::RuneUnknown) {
                                lacks.insert(payout.leg);
                            }
                            failure = Some(error);
                        }
                    }
                }
            }
        }
        match failure.or(lacking.filter(|_| !under_way && sent == 0)) {
            Some(error) => Err(error),
            // The next look sends the other transactions.
            None if sent > 0 => Ok(NextLook::More),
            None => Ok(NextLook::Wait),
        }
    }

    /// Divides coins of the pool if several payouts would otherwise wait for each other (custody rule 9).
    async fn provide(&mut self, open: &[&Payout]) -> Result<Provided, ChainError> {
        let (app, mint) = (self.app, self.mint);
        let newest = match mint.pool_split {
            Some(txid) => transactions::load(app, txid).await?,
            None => None,
        };
        let now = app.clock.now();
        let has_failed = newest.as_ref().is_some_and(|newest| !is_open(newest) && !is_done(newest));
        let divided_up_to = mint.pool_split_up_to.filter(|_| !has_failed);
        let before = newest.filter(is_open);
        let before = match before {
            Some(before) if before.wants_replacement(app).await? => {
                match transactions::next_version(app, &before).await? {
                    Some(next) => Some(next),
                    None => return Ok(Provided::Divides),
                }
            }
            Some(before) => {
                // Payouts wait only once.
                let is_fresh = before.replaces.is_none() && now < before.created_at.plus(PATIENCE);
                return Ok(if is_fresh { Provided::Wait } else { Provided::Divides });
            }
            None => None,
        };
        let waiting: Vec<_> =
            open.iter().filter(|payout| payout.transaction.is_none()).copied().collect();
        let is_divided = waiting
            .first()
            .is_none_or(|first| divided_up_to.is_some_and(|number| first.number <= number));
        if before.is_none() && is_divided {
            return Ok(Provided::Nothing);
        }
        let draft = pool::split(app, mint, &waiting, &mut self.pool, before.as_ref()).await?;
        let Some((draft, up_to)) = draft else {
            return Ok(if before.is_some() { Provided::Divides } else { Provided::Nothing });
        };
        let key = keys::mint(mint.id);
        let noted = |issued: &IssuedTransaction| {
            let update =
                Update::new().set(Mint::POOL_SPLIT, issued.txid).set(Mint::POOL_SPLIT_UP_TO, up_to);
            let update = update.if_equal(Mint::STATE, MintState::MintedOut);
            let update = match mint.pool_split {
                Some(before) => update.if_equal(Mint::POOL_SPLIT, before),
                None => update.if_absent(Mint::POOL_SPLIT),
            };
            Writes::new().update(&key, update, Refusal::Moved)
        };
        match transactions::send(app, &draft, noted).await {
            Ok(_) if before.is_some() => {
                self.pool.spend(&draft);
                Ok(Provided::Divides)
            }
            // Another worker may have been faster.
            Ok(_) | Err(ChainError::Moved) => Ok(Provided::Wait),
            Err(error) => Err(error),
        }
    }

    /// Sends the next transaction of a payout that has none open. `runes_under_way` says whether other
    /// transactions may return runes to the pool.
    async fn send(&mut self, payout: &Payout, runes_under_way: bool) -> Result<Done, ChainError> {
        let before = match payout.transaction.and_then(|txid| self.issued.get(&txid)) {
            None => None,
            Some(issued) if issued.state == TransactionState::Confirmed => return Ok(Done::Waits),
            Some(issued) if issued.wants_replacement(self.app).await? => {
                // Without a next version, the chain first has to decide about an earlier version.
                match transactions::next_version(self.app, issued).await? {
                    Some(next) => Some(next),
                    None => return Ok(Done::Waits),
                }
            }
            Some(_) => return Ok(Done::Waits),
        };
        let (app, mint, before) = (self.app, self.mint, before.as_ref());
        let (rows, planned) = members(app, payout).await?;
        // A VM transaction whose row lags is settled once the row knows its block.
        let is_settled =
            |row: &VmTransaction| matches!(row.state, VmState::Distributing | VmState::Distributed);
        if !rows.iter().all(is_settled) {
            return Ok(Done::Waits);
        }
        let misnumbered = misnumbered(payout, &rows);
        if !misnumbered.is_empty() {
            return change(app, misnumbered).await.map(|_| Done::Something);
        }
        if !agree(&rows, &planned) {
            return Err(ChainError::Damaged("a row says more or less than its payout"));
        }
        if payout.leg == Leg::Distribution && !prove(app, mint, &rows).await? {
            return Ok(Done::Something);
        }
        let draft = match payout.leg {
            Leg::Transfer => {
                plan::transfer(app, mint, (payout, &rows), &mut self.pool, before).await
            }
            Leg::Distribution => {
                plan::distribution(app, mint, (payout, &rows), &mut self.pool, before).await
            }
        };
        let draft = match draft {
            Err(ChainError::Plan(error)) => {
                return self.plan_failed(payout, &rows, before, (error, runes_under_way)).await;
            }
            draft => draft?,
        };
        let noted = |issued: &IssuedTransaction| {
            let update = Update::new().set(Payout::TRANSACTION, issued.txid);
            let update = update.if_version(payout.version);
            Writes::new().update(&keys::payout(payout.key()), update, Refusal::Moved)
        };
        match transactions::send(app, &draft, noted).await {
            Ok(_) => {
                self.pool.spend(&draft);
                Ok(Done::Something)
            }
            // Another worker was faster and has sent it.
            Err(ChainError::Moved) => Ok(Done::Something),
            Err(error) => Err(error),
        }
    }

    /// Handles a payout whose transaction cannot be planned now. Above the fee cap it waits for a lower rate,
    /// since smaller payouts would cost more for each VM transaction (custody rule 30). If the transaction
    /// would exceed the size limit, the payout is halved. If the pool has enough runes for the payout, but
    /// none to spare for change, a few VM transactions are split off, with one edict for each.
    async fn plan_failed(
        &mut self,
        payout: &Payout,
        rows: &[VmTransaction],
        before: Option<&NextVersion>,
        (why, runes_under_way): (PlanError, bool),
    ) -> Result<Done, ChainError> {
        let is_too_large =
            matches!(why, PlanError::TooManyInputs { .. } | PlanError::TooHeavy { .. });
        let is_too_dear = matches!(why, PlanError::FeeTooHigh { .. });
        let is_sent = before.is_some_and(|before| before.outbids.is_some());
        if is_sent && (is_too_large || is_too_dear) {
            tracing::info!(mint = %self.mint.id, payout = payout.number, %why, "fee cannot be raised");
            return Ok(Done::Waits);
        }
        let lacks_the_spare_alone = match &why {
            PlanError::InsufficientRune { available, .. } => {
                payout.spare_requests > 0
                    && !runes_under_way
                    && self.lacks_the_spare_alone(payout, *available).await?
            }
            _ => false,
        };
        let kept = match lacks_the_spare_alone {
            true => rows.len().checked_sub(planning::FEW),
            false => is_too_large.then_some(rows.len().div_ceil(2)),
        };
        // A division before all payouts are planned would contradict the plan.
        let may_be_divided = payout.transaction.is_none() && self.mint.payouts_planned;
        match kept
            .filter(|kept| may_be_divided && *kept > 0)
            .and_then(|kept| rows.split_at_checked(kept))
        {
            Some((kept, moved)) if !moved.is_empty() => self.divide(payout, kept, moved).await,
            _ => Err(why.into()),
        }
    }

    /// Whether the pool, whose free coins hold `available` runes, has enough for the payout itself. If it has
    /// not, or if some coins are not read yet, the caller reports the lack instead.
    async fn lacks_the_spare_alone(
        &mut self,
        payout: &Payout,
        available: u128,
    ) -> Result<bool, ChainError> {
        let has_its_runes = available >= drafts::tokens(self.mint, payout.requests)?;
        Ok(has_its_runes && !self.pool.is_behind(self.app, self.mint).await?)
    }

    /// Divides a payout into two in a single write batch: its own row keeps some VM transactions, and a new
    /// row gets the others. The rows of the moved VM transactions get the new number first; if the division
    /// then fails, they get the old number back before the payout is sent.
    async fn divide(
        &mut self,
        payout: &Payout,
        kept: &[VmTransaction],
        moved: &[VmTransaction],
    ) -> Result<Done, ChainError> {
        let (app, mint) = (self.app, self.mint);
        let number = self.last.saturating_add(1);
        let (smaller, of_smaller) = planning::payout(app, mint, payout.leg, payout.number, kept)?;
        let (new, of_new) = planning::payout(app, mint, payout.leg, number, moved)?;
        if !change(app, misnumbered(&new, moved)).await? {
            return Ok(Done::Something);
        }
        let change_of = Update::new()
            .set(Payout::SIZE, smaller.size)
            .set(Payout::REQUESTS, smaller.requests)
            .set(Payout::SPARE_REQUESTS, smaller.spare_requests)
            .if_absent(Payout::TRANSACTION)
            .if_version(payout.version);
        let rows = Writes::new()
            .update(&keys::payout(payout.key()), change_of, ())
            .put(&keys::payout_members(payout.key()), &of_smaller, ())
            .insert(&keys::payout(new.key()), &new, ())
            .put(&keys::payout_members(new.key()), &of_new, ());
        match app.store.commit(rows).await {
            Ok(()) => {
                self.last = number;
                tracing::info!(mint = %mint.id, payout = payout.number, number, "divided");
            }
            Err(CommitError::Condition(()) | CommitError::Contended) => {
                return Ok(Done::Something);
            }
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
        Ok(Done::Something)
    }
}

/// The rows that name another payout than theirs, each with the right number.
fn misnumbered(payout: &Payout, rows: &[VmTransaction]) -> Vec<(VmTransaction, VmTransaction)> {
    let right = |row: &VmTransaction| match payout.leg {
        Leg::Transfer => VmTransaction { transfer: Some(payout.number), ..row.clone() },
        Leg::Distribution => VmTransaction { distribution: Some(payout.number), ..row.clone() },
    };
    let pairs = rows.iter().map(|row| (row.clone(), right(row)));
    pairs.filter(|(row, right)| row != right).collect()
}

/// Outcome of providing the coins that several payouts need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Provided {
    /// A division is open, and payouts wait for it.
    Wait,
    /// A division is open, but payouts have waited long enough and use the available coins.
    Divides,
    /// No coins need to be divided.
    Nothing,
}

/// Whether a transaction is unconfirmed and can still confirm.
fn is_open(issued: &IssuedTransaction) -> bool {
    use TransactionState::{Broadcasting, InMempool, Signing};
    matches!(issued.state, Signing | Broadcasting | InMempool)
}

/// Whether a block contains a transaction.
fn is_done(issued: &IssuedTransaction) -> bool {
    issued.state == TransactionState::Confirmed
}
