//! Commitments: their events change the VM transaction behind them.

use std::time::Duration;

use store::{Update, Writes};

use super::{
    event::{Event, Sighting},
    rows::{enter_lists, give_way},
};
use crate::{
    BitcoinContext, keys,
    mints::{self, Changes, Confirmation, VmChain, VmTransaction},
    models::{
        transaction::{Commitment, Work},
        vm_transaction::{VmState, VmTransactionKey},
    },
    transactions::{ChainError, FullTransaction, IssuedTransaction, Refusal, issued::load},
};

/// How long the row of an expired VM transaction is kept.
const REMEMBERED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

async fn vm_transaction(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Commitment,
) -> Result<VmTransaction, ChainError> {
    let key = VmTransactionKey { mint_id: work.mint_id, txid: issued.txid };
    let found = mints::vm_transaction(&app.store, key).await?;
    found.ok_or(ChainError::Damaged("a commitment's VM transaction is missing"))
}

pub(super) async fn writes_for(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Commitment,
    event: Event<'_>,
) -> Result<Writes<Refusal>, ChainError> {
    let vm = vm_transaction(app, issued, work).await?;
    match event {
        Event::Expired => when_expired(app, vm),
        Event::Accepted => {
            let accepted =
                VmTransaction { state: unless_over(&vm, VmState::AllInMempool), ..vm.clone() };
            activate(app, issued, Changes::new(), (vm, accepted)).await
        }
        Event::Confirmed(sighting) => when_in_block(app, issued, vm, sighting, false).await,
        Event::Final(sighting) => when_in_block(app, issued, vm, sighting, true).await,
        // Later steps depend on a final commitment, so it cannot be undone.
        Event::Reorganised | Event::Dropped | Event::Failed { .. } if vm.is_final => {
            Err(ChainError::Damaged("a final commitment has disappeared"))
        }
        Event::Reorganised => step_back(app, vm, VmState::AllInMempool),
        Event::Dropped => step_back(app, vm, VmState::Broadcasting),
        Event::Failed { heir } => when_failed(app, vm, work, heir).await,
    }
}

fn when_expired(app: &BitcoinContext, vm: VmTransaction) -> Result<Writes<Refusal>, ChainError> {
    let mut expired = VmTransaction { state: VmState::Expired, ..vm.clone() };
    expired.expires_at = Some(app.clock.now().plus(REMEMBERED).seconds());
    changed(app, Changes::new().replace(vm, expired))
}

/// Records its place in the chain; the confirmed version becomes the active one.
async fn when_in_block(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    vm: VmTransaction,
    Sighting { block, position }: Sighting,
    is_final: bool,
) -> Result<Writes<Refusal>, ChainError> {
    let found = match position {
        Some(position) => Some(position),
        None => app.esplora.position(issued.txid, block.hash).await?,
    };
    let found = found.ok_or(ChainError::ChainMoved)?;
    let confirmation = Some(Confirmation { height: block.height, position: found });
    let mut confirmed = VmTransaction { confirmation, is_final, ..vm.clone() };
    if !vm.state.takes_part() {
        confirmed.state = VmState::AllInMempool;
        confirmed.replaced_by = None;
    }
    if vm == confirmed {
        return Ok(Writes::new());
    }
    let changes = match position {
        Some(_) => Changes::new().of_worker(),
        None => Changes::new(),
    };
    activate(app, issued, changes, (vm, confirmed)).await
}

/// It is no longer active; the version that replaces it again waits for the network.
async fn when_failed(
    app: &BitcoinContext,
    vm: VmTransaction,
    work: &Commitment,
    heir: Option<&FullTransaction>,
) -> Result<Writes<Refusal>, ChainError> {
    let mut changes = Changes::new();
    // A cancellation has no VM transaction.
    if let Some(heir) = heir.filter(|heir| matches!(heir.row.work, Work::VmCommitment(_))) {
        let again = vm_transaction(app, &heir.row, work).await?;
        if matches!(again.state, VmState::Replaced | VmState::Failed) {
            let mut waiting = again.outside_of_blocks(VmState::Broadcasting);
            waiting.replaced_by = None;
            changes = changes.replace(again, waiting);
        }
    }
    if vm.state.may_become(VmState::Failed) {
        let mut failed = vm.outside_of_blocks(VmState::Failed);
        failed.confirmation = None;
        changes = changes.replace(vm, failed);
    }
    changed(app, changes)
}

/// Undoes the confirmation of a commitment. The mint is not scheduled here: the worker recomputes its virtual
/// blocks when it takes back the whole block.
fn step_back(
    app: &BitcoinContext,
    vm: VmTransaction,
    state: VmState,
) -> Result<Writes<Refusal>, ChainError> {
    let mut back = vm.outside_of_blocks(unless_over(&vm, state));
    back.confirmation = None;
    changed(app, Changes::new().of_worker().replace(vm, back))
}

/// The state that a batch takes from the network, unless its mint has ended without it.
fn unless_over(vm: &VmTransaction, state: VmState) -> VmState {
    if vm.state == VmState::NotTaken { VmState::NotTaken } else { state }
}

fn changed(app: &BitcoinContext, changes: Changes) -> Result<Writes<Refusal>, ChainError> {
    Ok(changes.allowed()?.writes(app.clock.now(), Refusal::Moved))
}

/// Makes a VM transaction the active one of its chain. The same write batch marks the previously active one
/// as replaced, and earlier ones that the network refused (custody rule 3).
async fn activate(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    changes: Changes,
    (before, after): (VmTransaction, VmTransaction),
) -> Result<Writes<Refusal>, ChainError> {
    let key = keys::vm_chain(before.mint_id, before.anchor);
    let own = VmChain { txid: before.txid };
    let chain = app.store.get::<VmChain>(&key).await?.map(|chain| chain.txid);
    let took_part = chain.filter(|txid| *txid != before.txid);
    let mut others = issued.earlier.clone();
    others.extend(took_part.filter(|txid| !issued.earlier.contains(txid)));
    let mut changes = changes.replace(before.clone(), after);
    let mut gave_way = Writes::new();
    for txid in others {
        let other = VmTransactionKey { txid, ..before.key() };
        let (other, other_issued) = tokio::try_join!(
            async { Ok(mints::vm_transaction(&app.store, other).await?) },
            load(app, txid)
        )?;
        let (Some(other), Some(other_issued)) = (other, other_issued) else {
            return Err(ChainError::Damaged("a chain of batches is empty"));
        };
        if other.is_final {
            return Err(ChainError::Damaged("two commitments of a chain are confirmed"));
        }
        let is_later = other.replaces == Some(before.txid) || other.created_at > before.created_at;
        let gone = if is_later { VmState::Failed } else { VmState::Replaced };
        if other.state.may_become(gone) {
            let mut gone_row = other.outside_of_blocks(gone);
            gone_row.confirmation = None;
            gone_row.replaced_by = (gone == VmState::Replaced).then_some(before.txid);
            changes = changes.replace(other, gone_row);
        }
        gave_way = gave_way.and(give_way(app, &other_issued)?);
    }
    let rows = changed(app, changes)?.and(gave_way);
    Ok(match chain {
        None => rows.insert(&key, &own, Refusal::Moved),
        Some(txid) if txid == before.txid => rows,
        Some(txid) => {
            let swapped =
                Update::new().set(VmChain::TXID, before.txid).if_equal(VmChain::TXID, txid);
            rows.update(&key, swapped, Refusal::Moved)
        }
    })
}

/// The conditions under which the batch was created, checked again when it is signed (custody rule 3): the
/// mint accepts requests, and the batch to be replaced is unconfirmed.
pub(super) async fn when_claimed(
    app: &BitcoinContext,
    FullTransaction { row: issued, body }: &FullTransaction,
    work: &Commitment,
) -> Result<Writes<Refusal>, ChainError> {
    let vm = vm_transaction(app, issued, work).await?;
    // Without its anchor, a commitment could confirm in addition to the one it replaces (custody rule 1).
    if !body.inputs.contains(&vm.anchor) {
        return Err(ChainError::Damaged("the anchor is not an input"));
    }
    let now = app.clock.now();
    let rows = mints::enter(&*app.random, work.mint_id, now, Refusal::MintClosed);
    let Some(txid) = vm.replaces else { return Ok(rows) };
    let waiting = Update::new()
        .if_one_of(VmTransaction::STATE, [VmState::AllInMempool, VmState::Broadcasting])
        .if_absent(VmTransaction::CONFIRMATION);
    let key = keys::vm_transaction(VmTransactionKey { txid, ..vm.key() });
    Ok(rows.check(&key, waiting, Refusal::Changed))
}

/// A VM transaction is added to the lists once it is signed.
pub(super) async fn when_signed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    work: &Commitment,
    rows: &Writes<Refusal>,
) -> Result<bool, ChainError> {
    let before = vm_transaction(app, issued, work).await?;
    if before.state != VmState::Unsigned {
        return Ok(false);
    }
    let rune = before.rune_id;
    let mut lists = vec![
        keys::lists::vm(),
        keys::lists::vm_by_rune(rune),
        keys::lists::vm_by_mint(before.mint_id),
        keys::lists::vm_by_account(before.account_id),
        keys::lists::transactions(before.account_id),
    ];
    for rune in [None, Some(rune)] {
        lists.push(keys::lists::vm_by_trading_address(&before.trading_address, rune));
        lists.push(keys::lists::vm_by_user_address(&before.user_address, rune));
    }
    enter_lists(app, &lists, |at| {
        let signed =
            VmTransaction { state: VmState::Broadcasting, created_at: at, ..before.clone() };
        let changes = Changes::new().replace(before.clone(), signed);
        let changed = changes.writes(app.clock.now(), Refusal::Moved);
        (rows.clone().and(changed), before.key())
    })
    .await
}
