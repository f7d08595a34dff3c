//! Payouts of a mint that is minted out: funds move, and runes are sent.
//!
//! Each payout has at most one transfer and one distribution under way; the distribution leaves once a
//! block has the transfer. The row that says so is written with the transaction and the coins that it
//! holds, so a worker that is killed at any moment leaves either nothing, or all that is needed to go
//! on.

mod plan;

use std::{collections::HashMap, time::Duration};

use bitcoin::Txid;
use shared::{
    app::App,
    bitcoin::plan::PlanError,
    minting::{Changes, Mint, Payout, VmTransaction},
    models::{mint::MintState, transaction::TransactionState, vm_transaction::VmState},
    store::{CommitError, Key, Update, Writes},
    transactions::{self, CosigningError, IssuedTransaction, NextVersion, Refusal},
};

use crate::mint::{Left, MOST_WRITES, write};

/// How long payouts wait for a division of the pool.
const PATIENCE: Duration = Duration::from_secs(30 * 60);
/// Payouts that are not over and that one look attends to, those first that were planned first.
const MOST_AT_WORK: usize = 64;
/// Transactions that one look sends.
const MOST_SENT: usize = 8;

/// The VM transactions of a mint, by the txids of their commitments.
pub(crate) type Members<'a> = HashMap<Txid, &'a VmTransaction>;

/// Plans what is not planned, and sends what is not sent.
pub(crate) async fn advance(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
) -> Result<Left, CosigningError> {
    let (low, high) = Key::payouts(mint.id);
    let payouts = app.store.range::<Payout>((&low, &high), true, None).await?;
    if !mint.payouts_planned {
        return plan_all(app, mint, rows, &payouts).await;
    }
    let is_over = |payout: &&Payout| payout.transferred && payout.distributed;
    let open: Vec<_> = payouts.iter().filter(|payout| !is_over(payout)).collect();
    if open.is_empty() && !is_dividing(app, mint).await? {
        let distributed = Update::new().set("state", MintState::Distributed);
        write(app, mint, distributed.if_equal("state", MintState::MintedOut)).await?;
        return Ok(Left::More);
    }
    let members = rows.iter().map(|row| (row.txid, row)).collect();
    let last = payouts.iter().map(|payout| payout.number).max().unwrap_or_default();
    let look = Look { app, mint, members, pool: plan::Pool::read(app).await? };
    look.go_on(&open, last).await
}

/// Whether a division of the pool is not final: it is looked after to its end, although no payout needs
/// it any more.
async fn is_dividing(app: &App, mint: &Mint) -> Result<bool, CosigningError> {
    let Some(txid) = mint.pool_split else { return Ok(false) };
    Ok(transactions::load(app, txid).await?.is_some_and(|issued| issued.watch.is_some()))
}

/// Puts each transaction that is distributed into one payout: as many together as one runestone can
/// say (custody rule 10).
async fn plan_all(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    payouts: &[Payout],
) -> Result<Left, CosigningError> {
    let is_open = |row: &&VmTransaction| {
        let distributed = row.settlement.map(|settlement| settlement.distributable_requests);
        row.payout.is_none() && distributed.is_some_and(|requests| requests > 0)
    };
    let mut open: Vec<_> = rows.iter().filter(is_open).collect();
    let first = payouts.last().map_or(0, |last| last.number).saturating_add(1);
    for (number, _) in (first..).zip(0..MOST_WRITES) {
        if open.is_empty() {
            // Each request of the mint is somebody's: else a transaction is not settled yet.
            let distributed = rows.iter().filter_map(|row| row.settlement);
            let distributed = distributed.map(|settlement| settlement.distributable_requests);
            if distributed.fold(0, u64::saturating_add) != mint.total_requests {
                return Err(CosigningError::Damaged("requests that nobody has"));
            }
            let planned = Update::new().set("payoutsPlanned", true);
            write(app, mint, planned.if_equal("state", MintState::MintedOut)).await?;
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
        let key = Key::payout(payout.key());
        let rows = Writes::new().insert(&key, &payout, ());
        match app.store.commit(rows.and(changes.writes(app.clock.now(), None, ()))).await {
            Ok(()) => {}
            // Another worker plans as well: what it has done is read next time.
            Err(CommitError::Condition(()) | CommitError::Contended) => break,
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
        open = rest;
    }
    Ok(Left::More)
}

/// What is to be done about a transaction of the worker's own.
enum Next {
    /// Nothing: it is under way.
    Wait,
    /// Nothing: a block has it.
    InBlock,
    /// To send one; in place of earlier versions, where there are some.
    Send(Option<Box<NextVersion>>),
}

/// What a look has done about a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// Sent a transaction, or made the payout smaller: its row is another one now.
    Something,
    /// Nothing: a transaction of it is under way.
    Waits,
}

/// A look at the payouts of a mint.
struct Look<'a> {
    app: &'a App,
    mint: &'a Mint,
    members: Members<'a>,
    pool: plan::Pool,
}

impl Look<'_> {
    /// Goes on with the payouts that are not over; `last` is the number of the last of all.
    async fn go_on(mut self, open: &[&Payout], last: u64) -> Result<Left, CosigningError> {
        let (mut failure, mut lacking, mut sent) = (None, None, 0_usize);
        let provided = self.provide(open).await.unwrap_or_else(|error| {
            tracing::warn!(mint = %self.mint.id, %error, "coins of the pool are not divided");
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
                    tracing::warn!(mint = %self.mint.id, number, %error, "a payout waits");
                    match error {
                        CosigningError::Plan(
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
            // What else a payout has to send is sent by the next look.
            None if sent > 0 => Ok(Left::More),
            // What the pool lacks now, a transaction that is under way holds or brings back.
            None => Ok(Left::Wait),
        }
    }

    /// Divides coins of the pool where several payouts would wait for each other (custody rule 9).
    async fn provide(&mut self, open: &[&Payout]) -> Result<Provided, CosigningError> {
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
                // Payouts do not wait a second time.
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
        let key = Key::mint(mint.id);
        let noted = |issued: &IssuedTransaction| {
            let update = Update::new().set("poolSplit", issued.txid).set("poolSplitUpTo", up_to);
            let update = update.if_equal("state", MintState::MintedOut);
            let update = match mint.pool_split {
                Some(before) => update.if_equal("poolSplit", before),
                None => update.if_absent("poolSplit"),
            };
            Writes::new().update(&key, update, Refusal::Moved)
        };
        match transactions::send(app, &draft, noted).await {
            Ok(issued) if before.is_some() => {
                self.pool.spend(&issued);
                Ok(Provided::Divides)
            }
            // Or another worker was first.
            Ok(_) | Err(CosigningError::Moved) => Ok(Provided::Wait),
            Err(error) => Err(error),
        }
    }

    /// Sends a transaction of a payout that is not under way.
    async fn send(&mut self, payout: &Payout, last: u64) -> Result<Done, CosigningError> {
        let transfer = match payout.transferred {
            true => Next::InBlock,
            false => self.next(payout.transfer).await?,
        };
        if let Next::Send(before) = transfer {
            let before = before.as_deref();
            let draft =
                plan::transfer(self.app, self.mint, &self.members, payout, &mut self.pool, before);
            let draft = match draft.await {
                Err(CosigningError::Plan(error)) => {
                    return self.plan_failed(payout, last, before, error).await;
                }
                draft => draft?,
            };
            let noted = |issued: &IssuedTransaction| Update::new().set("transfer", issued.txid);
            return self.send_draft(payout, &draft, noted).await;
        }
        // The runes leave once a block has what was paid for them.
        if payout.distributed || matches!(transfer, Next::Wait) {
            return Ok(Done::Waits);
        }
        let Next::Send(before) = self.next(payout.distribution).await? else {
            return Ok(Done::Waits);
        };
        let before = before.as_deref();
        let draft =
            plan::distribution(self.app, self.mint, &self.members, payout, &mut self.pool, before);
        let draft = match draft.await {
            Err(CosigningError::Plan(error)) => {
                return self.plan_failed(payout, last, before, error).await;
            }
            draft => draft?,
        };
        let noted = |issued: &IssuedTransaction| Update::new().set("distribution", issued.txid);
        self.send_draft(payout, &draft, noted).await
    }

    async fn send_draft(
        &mut self,
        payout: &Payout,
        draft: &transactions::Draft<'_>,
        noted: impl Fn(&IssuedTransaction) -> Update,
    ) -> Result<Done, CosigningError> {
        let key = Key::payout(payout.key());
        let noted = |issued: &IssuedTransaction| {
            let update = noted(issued).if_version(payout.version);
            Writes::new().update(&key, update, Refusal::Moved)
        };
        match transactions::send(self.app, draft, noted).await {
            Ok(issued) => {
                self.pool.spend(&issued);
                Ok(Done::Something)
            }
            // Another worker was first, and has sent it.
            Err(CosigningError::Moved) => Ok(Done::Something),
            Err(error) => Err(error),
        }
    }

    async fn next(&self, txid: Option<Txid>) -> Result<Next, CosigningError> {
        let Some(txid) = txid else { return Ok(Next::Send(None)) };
        let issued = transactions::load(self.app, txid).await?;
        let issued = issued.ok_or(CosigningError::Damaged("no transaction of a payout"))?;
        Ok(match issued.state {
            TransactionState::Confirmed => Next::InBlock,
            _ if issued.wants_replacement(self.app).await? => {
                let next = transactions::next_version(self.app, &issued).await?;
                // Without one, the chain decides about an earlier version first.
                next.map_or(Next::Wait, |next| Next::Send(Some(Box::new(next))))
            }
            _ => Next::Wait,
        })
    }

    /// What becomes of a payout whose transaction cannot be made now. Where that would cost more than
    /// one may, or be too large, the payout is halved; a version that was sent waits for a lower rate.
    async fn plan_failed(
        &self,
        payout: &Payout,
        last: u64,
        before: Option<&NextVersion>,
        why: PlanError,
    ) -> Result<Done, CosigningError> {
        let is_too_large = matches!(
            why,
            PlanError::FeeTooHigh { .. }
                | PlanError::TooManyInputs { .. }
                | PlanError::TooHeavy { .. }
        );
        if is_too_large && before.is_some_and(|before| before.outbids.is_some()) {
            tracing::info!(mint = %self.mint.id, payout = payout.number, %why, "no higher fee");
            return Ok(Done::Waits);
        }
        match plan::halves(payout, last).filter(|_| is_too_large) {
            Some((kept, rest)) => self.halve(payout, &kept, &rest).await,
            None => Err(why.into()),
        }
    }

    /// Makes two payouts of one, in a single write.
    async fn halve(
        &self,
        payout: &Payout,
        kept: &[Txid],
        rest: &Payout,
    ) -> Result<Done, CosigningError> {
        let number = rest.number;
        let moved = plan::members(&self.members, rest)?.into_iter().map(|row| {
            let moved = VmTransaction { payout: Some(number), ..row.clone() };
            (row.clone(), moved)
        });
        let changes = moved.collect::<Changes>().allowed()?;
        let (key, new) = (Key::payout(payout.key()), Key::payout(rest.key()));
        let smaller = Update::new().set("transactions", kept).if_version(payout.version);
        let rows = Writes::new().update(&key, smaller, ()).insert(&new, rest, ());
        let rows = rows.and(changes.writes(self.app.clock.now(), None, ()));
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

/// What became of the coins that several payouts need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Provided {
    /// They are being divided, and payouts wait for that.
    Wait,
    /// They are being divided; payouts have waited long enough, and take what coins there are.
    Divides,
    /// There is nothing to divide.
    Nothing,
}

/// Whether a transaction can still confirm, and has not.
fn is_open(issued: &IssuedTransaction) -> bool {
    use TransactionState::{Broadcasting, InMempool, Signing};
    matches!(issued.state, Signing | Broadcasting | InMempool)
}

/// Whether a block has a transaction.
fn is_done(issued: &IssuedTransaction) -> bool {
    issued.state == TransactionState::Confirmed
}
