//! Payouts of a mint: transfers of its payments, and distributions of its runes.

use bitcoin::{Script, Txid};
use shared::{
    models::bitcoin::OutPoint,
    store::{Update, Writes},
};

use super::{
    event::{Event, Permission},
    rows::{earlier_give_way, vm_transactions},
};
use crate::{
    Chain, keys,
    mints::{self, Changes, Payout, SentIn, VmTransaction},
    models::vm_transaction::{Leg, PayoutKey},
    transactions::{ChainError, IssuedTransaction, Refusal, body::body},
};

async fn row_of(app: &Chain, key: PayoutKey) -> Result<Payout, ChainError> {
    let payout = app.store.get(&keys::payout(key)).await?;
    payout.ok_or(ChainError::Damaged("the payout is missing"))
}

pub(super) async fn writes_for(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match event {
        Event::Accepted | Event::Confirmed(_) => when_under_way(app, issued, key).await,
        Event::Final(_) => when_final(app, issued, key).await,
        Event::Failed { heir: Some(heir) } => when_failed(app, issued, key, &heir.row).await,
        // If no other version can confirm, the payout keeps naming this one: the next version takes all
        // earlier ones into account.
        Event::Failed { heir: None } | Event::Expired | Event::Reorganised | Event::Dropped => {
            Ok(Writes::new())
        }
    }
}

/// The transaction in which a payout was sent.
fn sent(app: &Chain, issued: &IssuedTransaction, payout: &Payout) -> SentIn {
    let same = payout.sent.filter(|sent| sent.txid == issued.txid);
    same.unwrap_or(SentIn { txid: issued.txid, at: app.clock.now() })
}

/// The update that makes a payout name a transaction.
fn name(payout: &Payout, issued: &IssuedTransaction) -> Update<Payout> {
    Update::new().set(Payout::TRANSACTION, issued.txid).if_version(payout.version)
}

/// Makes the payout name the version that is in the mempool or confirmed.
async fn when_under_way(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
) -> Result<Writes<Refusal>, ChainError> {
    let payout = row_of(app, key).await?;
    let gave_way = earlier_give_way(app, issued).await?;
    let sent = sent(app, issued, &payout);
    if payout.transaction == Some(issued.txid) && payout.sent == Some(sent) {
        return Ok(gave_way);
    }
    let named = name(&payout, issued).set(Payout::SENT, sent);
    Ok(gave_way.update(&keys::payout(key), named, Refusal::Moved))
}

/// Makes the remainders of a transfer refundable. There may be thousands of rows whose runes have arrived, so
/// the mint's next check marks those.
async fn when_final(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
) -> Result<Writes<Refusal>, ChainError> {
    let payout = row_of(app, key).await?;
    let done = name(&payout, issued)
        .set(Payout::SENT, sent(app, issued, &payout))
        .set(Payout::IS_FINAL, true);
    let done = match payout.leg {
        Leg::Transfer => done.set(Payout::IS_NOTED, true),
        Leg::Distribution => done,
    };
    let rows = match payout.leg {
        Leg::Transfer => remainders(app, issued, key).await?,
        Leg::Distribution => Writes::new(),
    };
    Ok(rows.update(&keys::payout(key), done, Refusal::Moved))
}

/// Makes the outputs of a final transfer that hold remainders refundable.
async fn remainders(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
) -> Result<Writes<Refusal>, ChainError> {
    let kept = mints::kept_mint(&app.store, key.mint_id).await?;
    let kept = kept.ok_or(ChainError::Damaged("what was kept of a mint is missing"))?;
    let refundable = sources(app, &kept.treasury.script_pubkey(), key, issued.txid)
        .await?
        .into_iter()
        .map(|(row, source)| (row.clone(), VmTransaction { refund_source: Some(source), ..row }));
    let changes = refundable.filter(|(row, after)| row != after).collect::<Changes>().allowed()?;
    Ok(changes.writes(app.clock.now(), Refusal::Moved))
}

/// Makes the payout continue with the version that can still confirm.
async fn when_failed(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
    heir: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let payout = row_of(app, key).await?;
    if payout.transaction != Some(issued.txid) {
        return Ok(Writes::new());
    }
    Ok(Writes::new().update(&keys::payout(key), name(&payout, heir), Refusal::Moved))
}

/// The output that holds the remainder of a VM transaction according to the final transfer that paid it; `None` if no
/// such transfer includes it.
pub(super) async fn remainder_of(
    app: &Chain,
    treasury: &Script,
    row: &VmTransaction,
) -> Result<Option<OutPoint>, ChainError> {
    let Some(key) = row.transfer_key() else { return Ok(None) };
    let payout = row_of(app, key).await?;
    let Some(sent) = payout.sent.filter(|_| payout.is_final && payout.leg == Leg::Transfer) else {
        return Ok(None);
    };
    let sources = sources(app, treasury, key, sent.txid).await?;
    Ok(sources.into_iter().find(|(of, _)| of.txid == row.txid).map(|(_, source)| source))
}

/// Rows of partly filled transactions, each with the output that holds its remainder. A transfer pays the
/// proceeds first and then one output per remainder, in the order of the payout.
async fn sources(
    app: &Chain,
    treasury: &Script,
    key: PayoutKey,
    transfer: Txid,
) -> Result<Vec<(VmTransaction, OutPoint)>, ChainError> {
    let members = mints::payout_members(&app.store, key).await?;
    let members = members.ok_or(ChainError::Damaged("the members of a payout are missing"))?;
    let rows = vm_transactions(app, members).await?;
    let transaction = body(app, transfer).await?.unsigned()?;
    if transaction.compute_txid() != transfer {
        return Err(ChainError::Damaged("a transfer has another txid"));
    }
    let rests = rows.iter().filter(|row| row.refundable_sats() > 0);
    rests
        .zip(1_u32..)
        .map(|(row, vout)| {
            let output = usize::try_from(vout).ok().and_then(|vout| transaction.output.get(vout));
            output
                .filter(|output| {
                    output.value.to_sat() == row.refundable_sats()
                        && output.script_pubkey.as_script() == treasury
                })
                .map(|_| (row.clone(), OutPoint(bitcoin::OutPoint { txid: transfer, vout })))
        })
        .collect::<Option<_>>()
        .ok_or(ChainError::Damaged("a transfer lacks an output for a remainder"))
}

/// Whether a payout for this leg names this transaction.
pub(super) async fn may_cosign(
    app: &Chain,
    issued: &IssuedTransaction,
    key: PayoutKey,
    leg: Leg,
) -> Result<Permission, ChainError> {
    let payout = row_of(app, key).await?;
    Ok(match payout.transaction {
        _ if payout.leg != leg => Permission::Refused,
        Some(named) if named == issued.txid => Permission::Granted,
        Some(_) => Permission::GaveWay,
        None => Permission::Refused,
    })
}
