//! Payouts of a mint: the transfer of its payments and the distribution of its runes.

use bitcoin::Txid;
use shared::{
    models::bitcoin::OutPoint,
    store::{Field, Update, Writes},
};

use super::{
    event::{Event, Permission},
    rows::{earlier_give_way, vm_transactions},
};
use crate::{
    Chain, keys,
    mints::{self, Changes, Mint, Payout, SentIn, VmTransaction},
    models::vm_transaction::{PayoutKey, VmState},
    transactions::{ChainError, IssuedTransaction, Refusal, TransactionBody, body::body},
};

/// One of the two transactions of a payout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leg {
    /// Moves the payments.
    Transfer,
    /// Sends the runes.
    Distribution,
}

impl Leg {
    /// The payout's field that names this transaction.
    fn field(self) -> Field<Payout, Option<Txid>> {
        match self {
            Self::Transfer => Payout::TRANSFER,
            Self::Distribution => Payout::DISTRIBUTION,
        }
    }

    /// The txid that the payout names.
    fn named_by(self, payout: &Payout) -> Option<Txid> {
        match self {
            Self::Transfer => payout.transfer,
            Self::Distribution => payout.distribution,
        }
    }

    /// The VM transaction with this transaction noted in it.
    fn noted(self, app: &Chain, issued: &IssuedTransaction, row: &VmTransaction) -> VmTransaction {
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

async fn row_of(app: &Chain, key: PayoutKey) -> Result<Payout, ChainError> {
    let payout = app.store.get(&keys::payout(key)).await?;
    payout.ok_or(ChainError::Damaged("the payout is missing"))
}

/// A payout and its VM transactions, in its order.
async fn payout(app: &Chain, key: PayoutKey) -> Result<(Payout, Vec<VmTransaction>), ChainError> {
    let payout = row_of(app, key).await?;
    let rows = vm_transactions(app, payout.vm_transactions()).await?;
    Ok((payout, rows))
}

fn sent(app: &Chain, issued: &IssuedTransaction, before: Option<SentIn>) -> Option<SentIn> {
    let same = before.filter(|sent| sent.txid == issued.txid);
    Some(same.unwrap_or(SentIn { txid: issued.txid, at: app.clock.now() }))
}

/// The changes that `change` makes to VM transactions.
fn changed(
    app: &Chain,
    rows: Vec<VmTransaction>,
    change: impl Fn(&VmTransaction) -> VmTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let changed = rows.into_iter().map(|row| {
        let after = change(&row);
        (row, after)
    });
    let changes = changed.filter(|(row, after)| row != after).collect::<Changes>().allowed()?;
    Ok(changes.writes(app.clock.now(), Refusal::Moved))
}

pub(super) async fn writes_for(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match (event, leg) {
        (Event::Accepted | Event::Confirmed(_), _) => when_under_way(app, issued, key, leg).await,
        (Event::Final(_), Leg::Transfer) => when_transferred(app, issued, key).await,
        (Event::Final(_), Leg::Distribution) => when_distributed(app, issued, key).await,
        (Event::Failed { heir: Some(heir) }, _) => {
            when_failed(app, issued, key, leg, &heir.row).await
        }
        // If no other version can confirm, the payout keeps naming it: the next version takes all earlier
        // ones into account.
        (
            Event::Failed { heir: None } | Event::Expired | Event::Reorganised | Event::Dropped,
            _,
        ) => Ok(Writes::new()),
    }
}

/// The update by which a payout names a transaction.
fn name(payout: &Payout, leg: Leg, issued: &IssuedTransaction) -> Update<Payout> {
    Update::new().set(leg.field(), issued.txid).if_version(payout.version)
}

/// The payout and its VM transactions name the version that is in the mempool or confirmed.
async fn when_under_way(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
) -> Result<Writes<Refusal>, ChainError> {
    let (payout, rows) = payout(app, key).await?;
    let noted = changed(app, rows, |row| leg.noted(app, issued, row))?;
    let noted = match leg.named_by(&payout) == Some(issued.txid) {
        true => noted,
        false => noted.update(&keys::payout(key), name(&payout, leg, issued), Refusal::Moved),
    };
    Ok(noted.and(earlier_give_way(app, issued).await?))
}

/// The remainders left by the transfer become refundable.
async fn when_transferred(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
) -> Result<Writes<Refusal>, ChainError> {
    let (payout, rows) = payout(app, key).await?;
    let mint = mints::mint(&app.store, key.mint_id).await?;
    let mint = mint.ok_or(ChainError::Damaged("the mint is missing"))?;
    let sources = sources(&body(app, issued.txid).await?, &mint, &rows)?;
    let noted = changed(app, rows, |row| {
        let source = sources.iter().find(|(txid, _)| *txid == row.txid);
        VmTransaction {
            refund_source: source.map(|(_, source)| *source).or(row.refund_source),
            ..Leg::Transfer.noted(app, issued, row)
        }
    })?;
    let done = name(&payout, Leg::Transfer, issued).set(Payout::TRANSFERRED, true);
    Ok(noted.update(&keys::payout(key), done, Refusal::Moved))
}

/// The runes have arrived.
async fn when_distributed(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
) -> Result<Writes<Refusal>, ChainError> {
    let (payout, rows) = payout(app, key).await?;
    let noted = changed(app, rows, |row| VmTransaction {
        state: VmState::Distributed,
        ..Leg::Distribution.noted(app, issued, row)
    })?;
    let done = name(&payout, Leg::Distribution, issued).set(Payout::DISTRIBUTED, true);
    Ok(noted.update(&keys::payout(key), done, Refusal::Moved))
}

/// The payout continues with the version that can still confirm.
async fn when_failed(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
    heir: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let payout = row_of(app, key).await?;
    if leg.named_by(&payout) != Some(issued.txid) {
        return Ok(Writes::new());
    }
    Ok(Writes::new().update(&keys::payout(key), name(&payout, leg, heir), Refusal::Moved))
}

/// Outputs that hold the remainders of partly filled transactions. A transfer pays the proceeds first, then
/// one output per remainder, in the order of the payout.
fn sources(
    issued: &TransactionBody,
    mint: &Mint,
    rows: &[VmTransaction],
) -> Result<Vec<(Txid, OutPoint)>, ChainError> {
    let transaction = issued.unsigned()?;
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
        .ok_or(ChainError::Damaged("a transfer lacks an output for a remainder"))
}

/// Whether a payout names this transaction for this leg.
pub(super) async fn may_cosign(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
) -> Result<Permission, ChainError> {
    Ok(match leg.named_by(&row_of(app, key).await?) {
        Some(named) if named == issued.txid => Permission::Granted,
        Some(_) => Permission::GaveWay,
        None => Permission::Refused,
    })
}
