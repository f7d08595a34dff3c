//! Payouts of a mint: transfers of its payments, and distributions of its runes.

use bitcoin::{Script, Txid};
use shared::models::bitcoin::OutPoint;
use store::{Update, Writes};

use super::{
    event::{Event, Permission},
    rows::{earlier_give_way, vm_transactions},
};
use crate::{
    BitcoinContext, keys,
    mints::{self, Changes, Payout, PayoutMembers, SentIn, VmTransaction},
    models::vm_transaction::{Leg, PayoutKey, VmTransactionKey},
    transactions::{ChainError, IssuedTransaction, Refusal, body::body},
};

async fn row_of(app: &BitcoinContext, key: PayoutKey) -> Result<Payout, ChainError> {
    let payout = app.store.get(&keys::payout(key)).await?;
    payout.ok_or(ChainError::Damaged("the payout is missing"))
}

pub(super) async fn writes_for(
    app: &BitcoinContext,
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
fn sent(app: &BitcoinContext, issued: &IssuedTransaction, payout: &Payout) -> SentIn {
    let same = payout.sent.filter(|sent| sent.txid == issued.txid);
    same.unwrap_or(SentIn { txid: issued.txid, at: app.clock.now() })
}

/// The update that makes a payout name a transaction.
fn name(payout: &Payout, issued: &IssuedTransaction) -> Update<Payout> {
    Update::new().set(Payout::TRANSACTION, issued.txid).if_version(payout.version)
}

/// Makes the payout name the version that is in the mempool or confirmed.
async fn when_under_way(
    app: &BitcoinContext,
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
    app: &BitcoinContext,
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
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    key: PayoutKey,
) -> Result<Writes<Refusal>, ChainError> {
    let kept = mints::kept_mint(&app.store, key.mint_id).await?;
    let kept = kept.ok_or(ChainError::Damaged("what was kept of a mint is missing"))?;
    let found = remainders_in(app, &kept.treasury.script_pubkey(), key, issued.txid).await?;
    let rows = vm_transactions(app, found.iter().map(|remainder| remainder.of)).await?;
    let mut changes = Changes::new();
    for (row, remainder) in rows.into_iter().zip(found) {
        if !remainder.is_of(&row) {
            return Err(ChainError::Damaged("a row says more or less than its remainder"));
        }
        if row.refund_source != Some(remainder.output) {
            let after = VmTransaction { refund_source: Some(remainder.output), ..row.clone() };
            changes = changes.replace(row, after);
        }
    }
    Ok(changes.allowed()?.writes(app.clock.now(), Refusal::Moved))
}

/// Makes the payout continue with the version that can still confirm.
async fn when_failed(
    app: &BitcoinContext,
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
    app: &BitcoinContext,
    treasury: &Script,
    row: &VmTransaction,
) -> Result<Option<OutPoint>, ChainError> {
    let Some(key) = row.transfer_key() else { return Ok(None) };
    let payout = row_of(app, key).await?;
    let Some(sent) = payout.sent.filter(|_| payout.is_final && payout.leg == Leg::Transfer) else {
        return Ok(None);
    };
    let found = remainders_in(app, treasury, key, sent.txid).await?;
    Ok(found.into_iter().find(|remainder| remainder.is_of(row)).map(|remainder| remainder.output))
}

/// An output of a transfer that holds the part of a VM transaction's payment that the blocks did not take.
struct Remainder {
    of: VmTransactionKey,
    sats: u64,
    output: OutPoint,
}

impl Remainder {
    /// Whether it belongs to this VM transaction, and holds what the row says is refundable.
    fn is_of(&self, row: &VmTransaction) -> bool {
        row.key() == self.of && row.refundable_sats() == self.sats
    }
}

/// The outputs of a transfer that hold remainders. A transfer pays the proceeds first and then one output per remainder, in
/// the order of the payout, whose plan says how large each is: functions may write the rows of VM transactions (custody rule
/// 33).
async fn remainders_in(
    app: &BitcoinContext,
    treasury: &Script,
    key: PayoutKey,
    transfer: Txid,
) -> Result<Vec<Remainder>, ChainError> {
    let members = app.store.get::<PayoutMembers>(&keys::payout_members(key)).await?;
    let members = members.ok_or(ChainError::Damaged("the members of a payout are missing"))?;
    let transaction = body(app, transfer).await?.unsigned()?;
    if transaction.compute_txid() != transfer {
        return Err(ChainError::Damaged("a transfer has another txid"));
    }
    let PayoutMembers { txids, taken } = members;
    let rests = txids.into_iter().zip(taken).filter(|(_, taken)| taken.rest > 0);
    rests
        .zip(1_u32..)
        .map(|((txid, taken), vout)| {
            let output = usize::try_from(vout).ok().and_then(|vout| transaction.output.get(vout));
            output
                .filter(|output| {
                    output.value.to_sat() == taken.rest
                        && output.script_pubkey.as_script() == treasury
                })
                .map(|_| Remainder {
                    of: VmTransactionKey { mint_id: key.mint_id, txid },
                    sats: taken.rest,
                    output: OutPoint(bitcoin::OutPoint { txid: transfer, vout }),
                })
        })
        .collect::<Option<_>>()
        .ok_or(ChainError::Damaged("a transfer lacks an output for a remainder"))
}

/// Whether a payout for this leg names this transaction.
pub(super) async fn may_cosign(
    app: &BitcoinContext,
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
