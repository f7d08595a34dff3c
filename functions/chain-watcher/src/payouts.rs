//! Payouts of a mint that is minted out: funds move, and runes are sent.
//!
//! Each payout has at most one transfer and one distribution under way. The row that says so is
//! written with the transaction and the coins that it holds, so whoever is killed at any moment
//! leaves either nothing, or all that is needed to go on.

mod plan;

use shared::{
    app::App,
    bitcoin::plan::PlanError,
    cosigning::{self, CosigningError, IssuedTransaction},
    minting::{Changes, Mint, Payout, VmTransaction},
    models::{mint::MintState, transaction::TransactionState, vm_transaction::VmState},
    store::{CommitError, Key, Transaction, Update},
};

use crate::mint::{Left, MOST_WRITES, write};

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
    if provide(app, mint, rows, &payouts).await? {
        return Ok(Left::Wait);
    }
    let (mut failure, mut sent) = (None, false);
    for payout in &payouts {
        match send(app, mint, rows, payout).await {
            Ok(more) => sent |= more,
            Err(error) => failure = Some(error),
        }
    }
    match failure {
        // What the pool lacks now, an earlier payout may hold for the time being.
        Some(CosigningError::Plan(
            error @ (PlanError::InsufficientBtc { .. } | PlanError::InsufficientRune { .. }),
        )) => {
            tracing::warn!(mint = %mint.id, %error, "a payout waits for coins of the pool");
            Ok(Left::WaitForPool)
        }
        Some(error) => Err(error),
        None if payouts.iter().all(|payout| payout.transferred && payout.distributed) => {
            let distributed = Update::new().set("state", MintState::Distributed);
            write(app, mint, distributed.if_equal("state", MintState::MintedOut)).await?;
            Ok(Left::More)
        }
        // What else a payout has to send is sent by the next look.
        None if sent => Ok(Left::More),
        None => Ok(Left::Wait),
    }
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
            anchor: None,
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
        let write = || {
            let none = Transaction::new(&app.store).insert(&key, &payout, ());
            none.and(changes.write(&app.store, None, ()))
        };
        match app.store.commit(write).await {
            Ok(()) => {}
            // Another worker plans as well: what it has done is read next time.
            Err(CommitError::Condition(()) | CommitError::Contended) => break,
            Err(CommitError::Store(error)) => return Err(error.into()),
        }
        open = rest;
    }
    Ok(Left::More)
}

/// Divides coins of the pool where several payouts would wait for each other (custody rule 9); whether
/// coins are being divided.
async fn provide(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    payouts: &[Payout],
) -> Result<bool, CosigningError> {
    if let Some(txid) = mint.pool_split {
        let issued = cosigning::load(app, txid).await?;
        // One that the network refuses is not waited for.
        let is_waiting = |issued: &IssuedTransaction| match issued.state {
            TransactionState::Signing | TransactionState::InMempool => true,
            TransactionState::Broadcasting => !issued.can_be_replaced(),
            _ => false,
        };
        if issued.as_ref().is_some_and(is_waiting) {
            return Ok(true);
        }
    }
    let Some(draft) = plan::split(app, mint, rows, payouts).await? else { return Ok(false) };
    let key = Key::mint(mint.id);
    let noted = |issued: &IssuedTransaction| {
        let update = Update::new().set("poolSplit", issued.txid);
        let update = update.if_equal("state", MintState::MintedOut);
        let update = match mint.pool_split {
            Some(before) => update.if_equal("poolSplit", before),
            None => update.if_absent("poolSplit"),
        };
        Transaction::new(&app.store).update(&key, update, ())
    };
    let _sent = cosigning::send(app, &draft, noted).await?;
    Ok(true)
}

/// Sends a transaction of a payout that is not under way; whether there was one.
async fn send(
    app: &App,
    mint: &Mint,
    rows: &[VmTransaction],
    payout: &Payout,
) -> Result<bool, CosigningError> {
    if payout.transferred && payout.distributed {
        return Ok(false);
    }
    if !payout.transferred
        && let Next::Send(before) = next(app, payout.transfer).await?
    {
        let rows = of_payout(payout, rows)?;
        let draft = plan::transfer(app, mint, payout, &rows, before.as_deref()).await?;
        let key = Key::payout(payout.key());
        let noted = |issued: &IssuedTransaction| {
            let update = Update::new().set("transfer", issued.txid).if_version(payout.version);
            Transaction::new(&app.store).update(&key, update, ())
        };
        // Whoever was first has sent it.
        let _sent = cosigning::send(app, &draft, noted).await?;
        // The row is another one now: the runes are sent by the next look.
        return Ok(true);
    }
    if !payout.distributed
        && let Next::Send(before) = next(app, payout.distribution).await?
    {
        let rows = of_payout(payout, rows)?;
        let draft = plan::distribution(app, mint, payout, &rows, before.as_deref()).await?;
        let key = Key::payout(payout.key());
        let noted = |issued: &IssuedTransaction| {
            let anchor = payout.anchor.or(issued.inputs.first().copied());
            let update = Update::new().set("distribution", issued.txid).set("anchor", anchor);
            Transaction::new(&app.store).update(&key, update.if_version(payout.version), ())
        };
        let _sent = cosigning::send(app, &draft, noted).await?;
        return Ok(true);
    }
    Ok(false)
}

/// The VM transactions of a payout, in its order.
fn of_payout(
    payout: &Payout,
    rows: &[VmTransaction],
) -> Result<Vec<VmTransaction>, CosigningError> {
    let found = payout.transactions.iter().map(|txid| rows.iter().find(|row| row.txid == *txid));
    let found: Option<Vec<_>> = found.map(Option::<&_>::cloned).collect();
    found.ok_or(CosigningError::Damaged("no VM transaction"))
}

/// What is to be done about one of a payout's transactions.
enum Next {
    /// Nothing: it is under way.
    Wait,
    /// To send one; in place of another, where there was one.
    Send(Option<Box<IssuedTransaction>>),
}

async fn next(app: &App, txid: Option<bitcoin::Txid>) -> Result<Next, CosigningError> {
    let Some(txid) = txid else { return Ok(Next::Send(None)) };
    let issued = cosigning::load(app, txid).await?;
    let issued = issued.ok_or(CosigningError::Damaged("no transaction of a payout"))?;
    Ok(if issued.can_be_replaced() { Next::Send(Some(Box::new(issued))) } else { Next::Wait })
}
