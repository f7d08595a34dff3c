//! Payouts of a mint: the transfer of its funds, and the distribution of its runes.

use bitcoin::Txid;

use super::{
    CosigningError, IssuedTransaction, Permission, Step, Writes, nothing, replaced, vm_transactions,
};
use crate::{
    app::App,
    minting::{self, Changes, Mint, Payout, Sent, VmTransaction},
    models::{
        bitcoin::OutPoint,
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
    given_way: Vec<(Key, Update)>,
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
    step: Step<'_>,
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
            written(app, rows, change, of_payout(names_it.set("transferred", true)), Vec::new())
        }
        (Step::Final(_), Leg::Distribution) => {
            let change =
                |row: &VmTransaction| VmTransaction { state: VmState::Distributed, ..noted(row) };
            written(app, rows, change, of_payout(names_it.set("distributed", true)), Vec::new())
        }
        // It stays named where no other version can confirm: the next one reckons with all before it.
        (Step::Failed { heir }, _) => match heir.filter(|_| is_named) {
            Some(heir) => {
                let heir = Update::new().set(leg.attribute(), heir.txid).if_version(payout.version);
                written(app, rows, VmTransaction::clone, of_payout(heir), Vec::new())
            }
            None => Ok(nothing(app)),
        },
        _ => {
            let named = if is_named { None } else { of_payout(names_it) };
            written(app, rows, noted, named, replaced(app, issued).await?)
        }
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

/// Whether a payout names this transaction as the one that does this.
pub(super) async fn may_sign(
    app: &App,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
) -> Result<Permission, CosigningError> {
    Ok(match leg.named_by(&row_of(app, key).await?) {
        Some(named) if named == issued.txid => Permission::Granted,
        Some(_) => Permission::GaveWay,
        None => Permission::Refused,
    })
}
