//! Payouts of a mint that is minted out: payments leave the treasury, and runes are sent.
//!
//! Each payout has at most one open transfer and one open distribution; the distribution is sent once a block
//! contains the transfer. The payout's row is written in the same batch as the transaction and the coins it
//! holds, so a worker killed at any point leaves either nothing or everything needed to continue.

mod plan;

use std::time::Duration;

use bitcoin::Txid;
use chain::{
    bitcoin::plan::PlanError,
    keys,
    mints::{Changes, Mint, Payout, VmTransaction},
    models::{mint::MintState, transaction::TransactionState, vm_transaction::VmState},
    transactions::{self, ChainError, IssuedTransaction, NextVersion, Refusal},
};
use shared::store::{CommitError, Update, Writes, lists};

use crate::{
    app::App,
    mint_rows::{NextLook, update_mint},
};

/// How long payouts wait for a division of the pool.
const PATIENCE: Duration = Duration::from_secs(30 * 60);
/// Most unfinished payouts that one look handles, in the order of planning.
const MOST_AT_WORK: usize = 64;
/// Most payouts that one look plans.
const MOST_PLANNED: usize = 50;
/// Most transactions that one look sends.
const MOST_SENT: usize = 8;

/// Plans and sends the payouts of a mint.
pub(crate) async fn advance(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
) -> Result<NextLook, ChainError> {
    let (low, high) = keys::payouts(mint.id);
    let payouts = app.store.range::<Payout>((&low, &high), true, None).await?;
    if !mint.payouts_planned {
        return plan_all(app, mint, rows, &payouts).await;
    }
    let is_over = |payout: &&Payout| payout.transferred && payout.distributed;
    let open: Vec<_> = payouts.iter().filter(|payout| !is_over(payout)).collect();
    if open.is_empty() && !is_dividing(app, mint).await? {
        let distributed = Update::new().set(Mint::STATE, MintState::Distributed);
        update_mint(app, mint, distributed.if_equal(Mint::STATE, MintState::MintedOut)).await?;
        return Ok(NextLook::More);
    }
    let members = rows.iter().map(|row| (row.txid, row)).collect();
    let last = payouts.iter().map(|payout| payout.number).max().unwrap_or_default();
    let look = Look { app, mint, members, pool: plan::Pool::read(app).await? };
    look.continue_payouts(&open, last).await
}

/// Whether a division of the pool is not final. It is followed to its end even if no payout needs it any
/// more.
async fn is_dividing(app: &App, mint: &Mint) -> Result<bool, ChainError> {
    let Some(txid) = mint.pool_split else { return Ok(false) };
    Ok(transactions::load(app, txid).await?.is_some_and(|issued| issued.watch.is_some()))
}

/// Assigns each distributed transaction to one payout, as many per payout as fit one runestone (custody rule
/// 10).
async fn plan_all(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    payouts: &[Payout],
) -> Result<NextLook, ChainError> {
    let is_open = |row: &&VmTransaction| {
        let distributed = row.settlement.map(|settlement| settlement.distributable_requests);
        row.payout.is_none() && distributed.is_some_and(|requests| requests > 0)
    };
    let mut open: Vec<_> = rows.iter().filter(is_open).collect();
    let first = payouts.last().map_or(0, |last| last.number).saturating_add(1);
    for (number, _) in (first..).zip(0..MOST_PLANNED) {
        if open.is_empty() {
            // Every request of the mint has an owner; a lower sum means that a transaction is not settled
            // yet.
            let distributed = rows.iter().filter_map(|row| row.settlement);
            let distributed = distributed.map(|settlement| settlement.distributable_requests);
            if distributed.fold(0, u64::saturating_add) != mint.total_requests {
                return Err(ChainError::Damaged("more requests are distributed than the mint has"));
            }
            let planned = Update::new().set(Mint::PAYOUTS_PLANNED, true);
            update_mint(app, mint, planned.if_equal(Mint::STATE, MintState::MintedOut)).await?;
            break;
        }
        let rest = open.split_off(plan::fitting(mint, &open)?);
        let payout = Payout {
            mint_id: mint.id,
            number,
            version: 1,
            created_at: app.clock.now(),
            transactions: open.iter().map(|row| row.txid).collect(),
            transfer: None,
            transferred: false,
            distribution: None,
            distributed: false,
        };
        let paid_out = open.iter().map(|row| {
            let paid_out = VmTransaction {
                payout: Some(number),
                state: VmState::Distributing,
                ..(*row).clone()
            };
            ((*row).clone(), paid_out)
        });
        let changes = paid_out.collect::<Changes>().allowed()?;
        let key = keys::payout(payout.key());
        let rows = Writes::new().insert(&key, &payout, ());
        let rows = rows.and(changes.writes(app.clock.now(), ()));
        match Box::pin(lists::commit(&app.store, keys::lists::VM, rows)).await {
            Ok(()) => {}
            // Another worker plans too; the next look reads its result.
            Err(CommitError::Condition(()) | CommitError::Contended) => break,
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
        open = rest;
    }
    Ok(NextLook::More)
}

/// The next step for a transaction of the worker.
enum PayoutNeed {
    /// Wait: it is open.
    Wait,
    /// Nothing: a block contains it.
    InBlock,
    /// Send a transaction, replacing earlier versions if there are some.
    Send(Option<Box<NextVersion>>),
}

/// What a look has done for a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// Sent a transaction or split the payout: its row has changed.
    Something,
    /// Nothing: one of its transactions is open.
    Waits,
}

/// A look at the payouts of a mint.
struct Look<'a> {
    app: &'a App,
    mint: &'a Mint,
    members: plan::Members<'a>,
    pool: plan::Pool,
}

impl Look<'_> {
    /// Continues the unfinished payouts; `last` is the highest number of any payout.
    async fn continue_payouts(
        mut self,
        open: &[&Payout],
        last: u64,
    ) -> Result<NextLook, ChainError> {
        let (mut failure, mut lacking, mut sent) = (None, None, 0_usize);
        let provided = self.provide(open).await.unwrap_or_else(|error| {
            tracing::warn!(mint = %self.mint.id, %error, "failed to divide coins of the pool");
            failure = Some(error);
            Provided::Nothing
        });
        let mut under_way = provided != Provided::Nothing;
        // A payout that has begun has its coins.
        let goes_on = |payout: &&&Payout| provided != Provided::Wait || payout.transfer.is_some();
        for payout in open.iter().filter(goes_on).take(MOST_AT_WORK) {
            if sent >= MOST_SENT {
                break;
            }
            match self.send(payout, last).await {
                Ok(Done::Something) => sent = sent.saturating_add(1),
                Ok(Done::Waits) => under_way = true,
                Err(error) => {
                    let number = payout.number;
                    tracing::warn!(mint = %self.mint.id, number, %error, "payout waits");
                    match error {
                        ChainError::Plan(
                            PlanError::InsufficientBtc { .. }
                            | PlanError::InsufficientRune { .. }
                            | PlanError::RuneScattered { .. },
                        ) => lacking = Some(error),
                        error => failure = Some(error),
                    }
                }
            }
        }
        match failure.or(lacking.filter(|_| !under_way && sent == 0)) {
            Some(error) => Err(error),
            // The next look sends the payout's other transactions.
            None if sent > 0 => Ok(NextLook::More),
            // Coins that the pool lacks now are held or will be returned by an open transaction.
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
            open.iter().filter(|payout| payout.distribution.is_none()).copied().collect();
        let is_divided = waiting
            .first()
            .is_none_or(|first| divided_up_to.is_some_and(|number| first.number <= number));
        if before.is_none() && is_divided {
            return Ok(Provided::Nothing);
        }
        let draft =
            plan::split(app, mint, &self.members, &waiting, &mut self.pool, before.as_ref())
                .await?;
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
            // Or another worker was first.
            Ok(_) | Err(ChainError::Moved) => Ok(Provided::Wait),
            Err(error) => Err(error),
        }
    }

    /// Sends the next transaction of a payout that has none open.
    async fn send(&mut self, payout: &Payout, last: u64) -> Result<Done, ChainError> {
        let transfer = match payout.transferred {
            true => PayoutNeed::InBlock,
            false => self.next_step(payout.transfer).await?,
        };
        if let PayoutNeed::Send(before) = transfer {
            let before = before.as_deref();
            let draft =
                plan::transfer(self.app, self.mint, &self.members, payout, &mut self.pool, before);
            let draft = match draft.await {
                Err(ChainError::Plan(error)) => {
                    return self.plan_failed(payout, last, before, error).await;
                }
                draft => draft?,
            };
            let noted =
                |issued: &IssuedTransaction| Update::new().set(Payout::TRANSFER, issued.txid);
            return self.send_draft(payout, &draft, noted).await;
        }
        // The runes are sent once a block contains the transfer of their payment.
        if payout.distributed || matches!(transfer, PayoutNeed::Wait) {
            return Ok(Done::Waits);
        }
        let PayoutNeed::Send(before) = self.next_step(payout.distribution).await? else {
            return Ok(Done::Waits);
        };
        let before = before.as_deref();
        let draft =
            plan::distribution(self.app, self.mint, &self.members, payout, &mut self.pool, before);
        let draft = match draft.await {
            Err(ChainError::Plan(error)) => {
                return self.plan_failed(payout, last, before, error).await;
            }
            draft => draft?,
        };
        let noted =
            |issued: &IssuedTransaction| Update::new().set(Payout::DISTRIBUTION, issued.txid);
        self.send_draft(payout, &draft, noted).await
    }

    async fn send_draft(
        &mut self,
        payout: &Payout,
        draft: &transactions::BuiltTransaction<'_>,
        noted: impl Fn(&IssuedTransaction) -> Update<Payout>,
    ) -> Result<Done, ChainError> {
        let key = keys::payout(payout.key());
        let noted = |issued: &IssuedTransaction| {
            let update = noted(issued).if_version(payout.version);
            Writes::new().update(&key, update, Refusal::Moved)
        };
        match transactions::send(self.app, draft, noted).await {
            Ok(_) => {
                self.pool.spend(draft);
                Ok(Done::Something)
            }
            // Another worker was first and has sent it.
            Err(ChainError::Moved) => Ok(Done::Something),
            Err(error) => Err(error),
        }
    }

    async fn next_step(&self, txid: Option<Txid>) -> Result<PayoutNeed, ChainError> {
        let Some(txid) = txid else { return Ok(PayoutNeed::Send(None)) };
        let issued = transactions::load(self.app, txid).await?;
        let issued = issued.ok_or(ChainError::Damaged("a payout's transaction is missing"))?;
        Ok(match issued.state {
            TransactionState::Confirmed => PayoutNeed::InBlock,
            _ if issued.wants_replacement(self.app).await? => {
                let next = transactions::next_version(self.app, &issued).await?;
                // Without a next version, the chain decides about an earlier version first.
                next.map_or(PayoutNeed::Wait, |next| PayoutNeed::Send(Some(Box::new(next))))
            }
            _ => PayoutNeed::Wait,
        })
    }

    /// Handles a payout whose transaction cannot be planned now. If the transaction would exceed the fee cap
    /// or the size limit, the payout is halved; a version already sent waits for a lower rate.
    async fn plan_failed(
        &self,
        payout: &Payout,
        last: u64,
        before: Option<&NextVersion>,
        why: PlanError,
    ) -> Result<Done, ChainError> {
        let is_too_large = matches!(
            why,
            PlanError::FeeTooHigh { .. }
                | PlanError::TooManyInputs { .. }
                | PlanError::TooHeavy { .. }
        );
        if is_too_large && before.is_some_and(|before| before.outbids.is_some()) {
            tracing::info!(mint = %self.mint.id, payout = payout.number, %why, "fee cannot be raised");
            return Ok(Done::Waits);
        }
        match plan::halves(payout, last).filter(|_| is_too_large) {
            Some((kept, rest)) => self.halve(payout, &kept, &rest).await,
            None => Err(why.into()),
        }
    }

    /// Splits a payout into two in a single write batch.
    async fn halve(
        &self,
        payout: &Payout,
        kept: &[Txid],
        rest: &Payout,
    ) -> Result<Done, ChainError> {
        let number = rest.number;
        let moved = plan::members(&self.members, rest)?.into_iter().map(|row| {
            let moved = VmTransaction { payout: Some(number), ..row.clone() };
            (row.clone(), moved)
        });
        let changes = moved.collect::<Changes>().allowed()?;
        let (key, new) = (keys::payout(payout.key()), keys::payout(rest.key()));
        let smaller = Update::new().set(Payout::TRANSACTIONS, kept).if_version(payout.version);
        let rows = Writes::new().update(&key, smaller, ()).insert(&new, rest, ());
        let rows = rows.and(changes.writes(self.app.clock.now(), ()));
        match self.app.store.commit(rows).await {
            Ok(()) => {
                tracing::info!(mint = %self.mint.id, payout = payout.number, number, "halved");
                Ok(Done::Something)
            }
            Err(CommitError::Condition(()) | CommitError::Contended) => Ok(Done::Something),
            Err(CommitError::Store(error)) => Err(error.into()),
        }
    }
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
