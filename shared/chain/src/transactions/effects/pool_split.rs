//! Divisions of the pool.

use bitcoin::Amount;
use store::{Update, Writes};

use super::{
    event::{Event, Permission},
    rows::{earlier_give_way, is_of_pool},
};
use crate::{
    BitcoinContext,
    bitcoin::psbt::IssuedPsbt,
    keys,
    mints::{self, Mint},
    models::transaction::PoolSplit,
    transactions::{ChainError, FullTransaction, IssuedTransaction, Refusal},
};

/// The most that a division may cost, in fee caps: it serves up to 120 payouts, and one cap is for twelve (custody rule
/// 30).
const MOST_CAPS: u64 = 10;

pub(super) async fn writes_for(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: PoolSplit,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    match event {
        Event::Accepted => earlier_give_way(app, issued).await,
        Event::Confirmed(_) => Ok(schedule_mint(app, work, Update::new())),
        Event::Failed { heir: Some(heir) } => when_failed(app, issued, work, &heir.row).await,
        Event::Expired
        | Event::Reorganised
        | Event::Dropped
        | Event::Failed { heir: None }
        | Event::Final(_) => Ok(Writes::new()),
    }
}

/// Schedules the mint to be processed next, since payouts wait for these coins.
fn schedule_mint(app: &BitcoinContext, work: PoolSplit, change: Update<Mint>) -> Writes<Refusal> {
    let look = change.set(Mint::DUE_AT, app.clock.now()).add(Mint::REVISION, 1);
    Writes::new().update(&keys::mint(work.mint_id), look, Refusal::Moved)
}

/// Makes the mint continue with the version that can still confirm.
async fn when_failed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: PoolSplit,
    heir: &IssuedTransaction,
) -> Result<Writes<Refusal>, ChainError> {
    let mint = mints::mint(&app.store, work.mint_id).await?;
    if mint.and_then(|mint| mint.pool_split) != Some(issued.txid) {
        return Ok(Writes::new());
    }
    let named =
        Update::new().set(Mint::POOL_SPLIT, heir.txid).if_equal(Mint::POOL_SPLIT, issued.txid);
    Ok(schedule_mint(app, work, named))
}

/// The division that its mint names spends only the pool's coins and pays only the pool. Functions may change the mint's
/// row, so the pool is the one that the worker has kept, and the fee has a limit here as well.
pub(super) async fn may_cosign(
    app: &BitcoinContext,
    FullTransaction { row, body }: &FullTransaction,
    work: PoolSplit,
    psbt: &IssuedPsbt,
) -> Result<Permission, ChainError> {
    let Some(mint) = mints::mint(&app.store, work.mint_id).await? else {
        return Ok(Permission::Refused);
    };
    if mint.pool_split != Some(row.txid) {
        return Ok(if row.replaced_by.is_some() {
            Permission::GaveWay
        } else {
            Permission::Refused
        });
    }
    let Some(kept) = mints::kept_mint(&app.store, work.mint_id).await? else {
        return Ok(Permission::Refused);
    };
    let pool = kept.pool.script_pubkey();
    // A transaction with runes also has an OP_RETURN.
    let pays_pool = psbt.transaction().output.iter().all(|output| {
        let is_data = output.script_pubkey.is_op_return() && output.value == Amount::ZERO;
        is_data || output.script_pubkey == pool
    });
    let most = app.fees.cap.checked_mul(MOST_CAPS).unwrap_or(Amount::MAX_MONEY);
    Ok(Permission::only_if(is_of_pool(body, &pool) && pays_pool && psbt.fee() <= most))
}
