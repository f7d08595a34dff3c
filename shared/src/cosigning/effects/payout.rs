//! Payouts of a mint: the transfer of its funds, and the distribution of its runes.

use bitcoin::Txid;

use super::{CosigningError, IssuedTransaction, Step, Writes, nothing, replaced, vm_transactions};
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

/// One of the two transactions of a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leg {
    /// The one that moves the funds.
    Transfer,
    /// The one that sends the runes.
    Distribution,
}

impl Leg {
    /// The attribute of a payout that names it.
    fn attribute(self) -> &'static str {
        match self {
            Self::Transfer => "transfer",
            Self::Distribution => "distribution",
        }
    }

    /// Which transaction the payout names.
    fn named_by(self, payout: &Payout) -> Option<Txid> {
        match self {
            Self::Transfer => payout.transfer,
            Self::Distribution => payout.distribution,
        }
    }

    /// A VM transaction that says by which transaction this was done.
    fn noted(self, app: &App, issued: &IssuedTransaction, row: &VmTransaction) -> VmTransaction {
        match self {
            Self::Transfer => {
                VmTransaction { transfer: sent(app, issued, row.transfer), ..row.clone() }
            }
            Self::Distribution => {
                VmTransaction { distribution: sent(app, issued, row.distribution), ..row.clone() }
            }
        }
    }
}

async fn row_of(app: &App, key: PayoutKey) -> Result<Payout, CosigningError> {
    let payout = app.store.get(&Key::payout(key)).await?;
    payout.ok_or(CosigningError::Damaged("no payout"))
}

/// A payout and its VM transactions, in its order.
async fn payout(app: &App, key: PayoutKey) -> Result<(Payout, Vec<VmTransaction>), CosigningError> {
    let payout = row_of(app, key).await?;
    let rows = vm_transactions(app, payout.vm_transactions()).await?;
    Ok((payout, rows))
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
    let changed = rows.into_iter().map(|row| {
        let after = change(&row);
        (row, after)
    });
    let changes = changed.filter(|(row, after)| row != after).collect::<Changes>().allowed()?;
    Ok(Box::new(move || {
        let rows = changes.write(&app.store, None, ());
        let others = of_payout.iter().chain(&given_way);
        others.fold(rows, |rows, (key, update)| rows.update(key, update.clone(), ()))
    }))
}

pub(super) async fn of<'a>(
    app: &'a App,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
    step: Step,
) -> Result<Writes<'a>, CosigningError> {
    if matches!(step, Step::Expired | Step::Waiting | Step::Lost) {
        return Ok(nothing(app));
    }
    let (payout, rows) = payout(app, key).await?;
    let noted = |row: &VmTransaction| leg.noted(app, issued, row);
    let is_named = leg.named_by(&payout) == Some(issued.txid);
    let names_it = Update::new().set(leg.attribute(), issued.txid).if_version(payout.version);
    let of_payout = |update: Update| Some((Key::payout(key), update));
    match (step, leg) {
        (Step::Final(_), Leg::Transfer) => {
            let mint = minting::mint(&app.store, key.mint_id).await?;
            let mint = mint.ok_or(CosigningError::Damaged("no mint"))?;
            let sources = sources(issued, &mint, &rows)?;
            let change = |row: &VmTransaction| {
                let source = sources.iter().find(|(txid, _)| *txid == row.txid);
                VmTransaction {
                    refund_source: source.map(|(_, source)| *source).or(row.refund_source),
                    ..noted(row)
                }
            };
            written(app, rows, change, of_payout(names_it.set("transferred", true)), None)
        }
        (Step::Final(_), Leg::Distribution) => {
            let change =
                |row: &VmTransaction| VmTransaction { state: VmState::Distributed, ..noted(row) };
            written(app, rows, change, of_payout(names_it.set("distributed", true)), None)
        }
        (Step::Failed, _) if !is_named => Ok(nothing(app)),
        (Step::Failed, _) => {
            let again = match leg {
                // Any other version spends the same outputs of the treasury.
                Leg::Transfer => Update::new().remove("transfer"),
                Leg::Distribution => distribute_again(app, &payout).await?,
            };
            let again = of_payout(again.if_version(payout.version));
            written(app, rows, VmTransaction::clone, again, None)
        }
        _ => {
            let named = if is_named { None } else { of_payout(names_it) };
            written(app, rows, noted, named, replaced(app, issued).await?)
        }
    }
}

/// What becomes of a payout whose distribution can never confirm.
async fn distribute_again(app: &App, payout: &Payout) -> Result<Update, CosigningError> {
    Ok(match spender(app, payout).await? {
        // Another version of it has sent the runes.
        Some(other) if is_of(app, other, payout.key()).await? => {
            Update::new().set("distribution", other)
        }
        // The next version conflicts with this one all the same.
        None => Update::new().remove("distribution"),
        Some(_) => Update::new().remove("distribution").remove("anchor"),
    })
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

/// Whether a payout names this transaction as the one that does this.
pub(super) async fn is_named(
    app: &App,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
) -> Result<bool, CosigningError> {
    Ok(leg.named_by(&row_of(app, key).await?) == Some(issued.txid))
}
