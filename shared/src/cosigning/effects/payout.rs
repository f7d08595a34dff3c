//! Payouts of a mint: the transfer of its funds, and the distribution of its runes.

use bitcoin::Txid;

use super::{CosigningError, IssuedTransaction, Step, Writes, give_way, nothing};
use crate::{
    app::App,
    cosigning::sign::load,
    minting::{self, Changes, Mint, Payout, Sent, VmTransaction},
    models::{
        bitcoin::OutPoint,
        transaction::Work,
        vm_transaction::{PayoutKey, VmState},
    },
    store::{Key, Update},
};

/// A payout and its VM transactions, in its order.
async fn payout(app: &App, key: PayoutKey) -> Result<(Payout, Vec<VmTransaction>), CosigningError> {
    let payout: Option<Payout> = app.store.get(&Key::payout(key)).await?;
    let payout = payout.ok_or(CosigningError::Damaged("no payout"))?;
    let found = minting::vm_transactions(&app.store, payout.vm_transactions()).await?;
    let rows: Option<Vec<_>> = found.into_iter().collect();
    Ok((payout, rows.ok_or(CosigningError::Damaged("no VM transaction"))?))
}

fn sent(app: &App, issued: &IssuedTransaction, before: Option<Sent>) -> Option<Sent> {
    let same = before.filter(|sent| sent.txid == issued.txid);
    Some(same.unwrap_or(Sent { txid: issued.txid, at: app.clock.now() }))
}

fn written<'a>(
    app: &'a App,
    rows: Vec<VmTransaction>,
    change: impl Fn(&VmTransaction) -> VmTransaction,
    of_payout: Option<(Key, Update)>,
    given_way: Option<(Key, Update)>,
) -> Result<Writes<'a>, CosigningError> {
    let changed = rows.into_iter().map(|row| (change(&row), row));
    let changes = changed
        .filter(|(after, row)| after != row)
        .fold(Changes::new(), |changes, (after, row)| changes.replace(row, after));
    if !changes.are_allowed() {
        return Err(CosigningError::Damaged("no such change of a VM transaction"));
    }
    Ok(Box::new(move || {
        let rows = changes.write(&app.store, None, ());
        let others = of_payout.iter().chain(&given_way);
        others.fold(rows, |rows, (key, update)| rows.update(key, update.clone(), ()))
    }))
}

/// The version before gives way to one that the network has accepted.
async fn replaced(
    app: &App,
    issued: &IssuedTransaction,
) -> Result<Option<(Key, Update)>, CosigningError> {
    let Some(txid) = issued.replaces else { return Ok(None) };
    let Some(before) = load(app, txid).await? else { return Ok(None) };
    Ok(give_way(app, &before)?.map(|update| (Key::transaction(txid), update)))
}

pub(super) async fn of_transfer<'a>(
    app: &'a App,
    issued: &IssuedTransaction,
    key: PayoutKey,
    step: Step,
) -> Result<Writes<'a>, CosigningError> {
    let noted = |row: &VmTransaction| VmTransaction {
        transfer: sent(app, issued, row.transfer),
        ..row.clone()
    };
    match step {
        Step::Accepted | Step::Confirmed(_) => {
            let (payout, rows) = payout(app, key).await?;
            let named = (payout.transfer != Some(issued.txid)).then(|| {
                let update = Update::new().set("transfer", issued.txid);
                (Key::payout(key), update.if_version(payout.version))
            });
            written(app, rows, noted, named, replaced(app, issued).await?)
        }
        Step::Final(_) => {
            let (payout, rows) = payout(app, key).await?;
            let mint: Option<Mint> = minting::mint(&app.store, key.mint_id).await?;
            let mint = mint.ok_or(CosigningError::Damaged("no mint"))?;
            let sources = sources(issued, &mint, &rows)?;
            let change = |row: &VmTransaction| {
                let source = sources.iter().find(|(txid, _)| *txid == row.txid);
                VmTransaction {
                    refund_source: source.map(|(_, source)| *source).or(row.refund_source),
                    ..noted(row)
                }
            };
            let done = Update::new()
                .set("transferred", true)
                .set("transfer", issued.txid)
                .if_version(payout.version);
            written(app, rows, change, Some((Key::payout(key), done)), None)
        }
        Step::Failed => {
            let (payout, rows) = payout(app, key).await?;
            if payout.transfer != Some(issued.txid) {
                return Ok(nothing(app));
            }
            let again = Update::new().remove("transfer").if_version(payout.version);
            written(app, rows, VmTransaction::clone, Some((Key::payout(key), again)), None)
        }
        Step::Expired | Step::Waiting | Step::Lost => Ok(nothing(app)),
    }
}

/// Where the rests of partly filled transactions are: a transfer pays the proceeds first, then one
/// output for each of those, in the order of the payout.
fn sources(
    issued: &IssuedTransaction,
    mint: &Mint,
    rows: &[VmTransaction],
) -> Result<Vec<(Txid, OutPoint)>, CosigningError> {
    let transaction = issued.transaction()?;
    let rests = rows.iter().filter(|row| row.refundable_sats() > 0);
    rests
        .zip(1_u32..)
        .map(|(row, vout)| {
            let output = usize::try_from(vout).ok().and_then(|vout| transaction.output.get(vout));
            output
                .filter(|output| {
                    output.value.to_sat() == row.refundable_sats()
                        && output.script_pubkey == mint.treasury.script_pubkey()
                })
                .map(|_| (row.txid, OutPoint(bitcoin::OutPoint { txid: issued.txid, vout })))
        })
        .collect::<Option<_>>()
        .ok_or(CosigningError::Damaged("a transfer without a rest"))
}

pub(super) async fn of_distribution<'a>(
    app: &'a App,
    issued: &IssuedTransaction,
    key: PayoutKey,
    step: Step,
) -> Result<Writes<'a>, CosigningError> {
    let noted = |row: &VmTransaction| VmTransaction {
        distribution: sent(app, issued, row.distribution),
        ..row.clone()
    };
    match step {
        Step::Accepted | Step::Confirmed(_) => {
            let (payout, rows) = payout(app, key).await?;
            let named = (payout.distribution != Some(issued.txid)).then(|| {
                let update = Update::new().set("distribution", issued.txid);
                (Key::payout(key), update.if_version(payout.version))
            });
            written(app, rows, noted, named, replaced(app, issued).await?)
        }
        Step::Final(_) => {
            let (payout, rows) = payout(app, key).await?;
            let change =
                |row: &VmTransaction| VmTransaction { state: VmState::Distributed, ..noted(row) };
            let done = Update::new()
                .set("distributed", true)
                .set("distribution", issued.txid)
                .if_version(payout.version);
            written(app, rows, change, Some((Key::payout(key), done)), None)
        }
        Step::Failed => {
            let (payout, rows) = payout(app, key).await?;
            if payout.distribution != Some(issued.txid) {
                return Ok(nothing(app));
            }
            let again = match spender(app, &payout).await? {
                // Another version of it has sent the runes.
                Some(other) if is_of(app, other, key).await? => {
                    Update::new().set("distribution", other)
                }
                // The next version conflicts with this one all the same.
                None => Update::new().remove("distribution"),
                Some(_) => Update::new().remove("distribution").remove("anchor"),
            };
            let again = again.if_version(payout.version);
            written(app, rows, VmTransaction::clone, Some((Key::payout(key), again)), None)
        }
        Step::Expired | Step::Waiting | Step::Lost => Ok(nothing(app)),
    }
}

/// Which transaction spends the coin that every distribution of a payout spends.
async fn spender(app: &App, payout: &Payout) -> Result<Option<Txid>, CosigningError> {
    let Some(anchor) = payout.anchor else { return Ok(None) };
    let spent = app.esplora.outspend(anchor).await?.filter(|outspend| outspend.spent);
    Ok(spent.and_then(|outspend| outspend.txid))
}

/// Whether a transaction distributes the runes of this payout.
async fn is_of(app: &App, txid: Txid, key: PayoutKey) -> Result<bool, CosigningError> {
    let issued = load(app, txid).await?;
    Ok(issued.is_some_and(|issued| issued.work == Work::VmDistribution(key)))
}

/// Whether a payout names this transaction as its distribution, or as its transfer.
pub(super) async fn is_named(
    app: &App,
    issued: &IssuedTransaction,
    key: PayoutKey,
    distribution: bool,
) -> Result<bool, CosigningError> {
    let (payout, _) = payout(app, key).await?;
    let named = if distribution { payout.distribution } else { payout.transfer };
    Ok(named == Some(issued.txid))
}
