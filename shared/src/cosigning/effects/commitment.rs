//! Commitments: what becomes of one becomes of its VM transaction.

use std::time::Duration;

use super::{
    CosigningError, IssuedTransaction, Refusal, Step, Writes, give_way, given_way, nothing,
};
use crate::{
    app::App,
    cosigning::{outcome, sign::load},
    minting::{self, Changes, Confirmation, Mint, VmChain, VmTransaction},
    models::{
        transaction::Commitment,
        vm_transaction::{VmState, VmTransactionKey},
    },
    store::{Key, Transaction, Update, keys::List, lists},
};

/// How long it is remembered that a VM transaction expired.
const REMEMBERED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

async fn vm_transaction(
    app: &App,
    row: &IssuedTransaction,
    work: &Commitment,
) -> Result<VmTransaction, CosigningError> {
    let key = VmTransactionKey { mint_id: work.mint_id, txid: row.txid };
    let found = minting::vm_transaction(&app.store, key).await?;
    found.ok_or(CosigningError::Damaged("no VM transaction"))
}

pub(super) async fn of<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    work: &Commitment,
    step: Step<'_>,
) -> Result<Writes<'a>, CosigningError> {
    let before = vm_transaction(app, row, work).await?;
    match step {
        Step::Expired => {
            let mut expired = VmTransaction { state: VmState::Expired, ..before.clone() };
            expired.expires_at = Some(app.clock.now().plus(REMEMBERED).seconds());
            write(app, Changes::new().replace(before, expired))
        }
        Step::Accepted => {
            let accepted = VmTransaction { state: VmState::AllInMempool, ..before.clone() };
            take_part(app, row, before, accepted).await
        }
        Step::Confirmed(block) | Step::Final(block) => {
            let position = app.esplora.position(row.txid, block.hash).await?;
            let position = position.ok_or(CosigningError::ChainMoved)?;
            let confirmation = Some(Confirmation { height: block.height, position });
            let is_final = matches!(step, Step::Final(_));
            let mut confirmed = VmTransaction { confirmation, is_final, ..before.clone() };
            if !before.state.takes_part() {
                confirmed.state = VmState::AllInMempool;
                confirmed.replaced_by = None;
            }
            if before == confirmed {
                return Ok(nothing(app));
            }
            take_part(app, row, before, confirmed).await
        }
        // What rests on a final commitment cannot be taken back.
        Step::Waiting | Step::Lost | Step::Failed { .. } if before.is_final => {
            Err(CosigningError::Damaged("a final commitment is gone"))
        }
        Step::Waiting => step_back(app, before, VmState::AllInMempool),
        Step::Lost => step_back(app, before, VmState::Broadcasting),
        Step::Failed { heir } => {
            let mut changes = Changes::new();
            if let Some(heir) = heir {
                let again = vm_transaction(app, heir, work).await?;
                if matches!(again.state, VmState::Replaced | VmState::Failed) {
                    let mut waiting = again.outside_of_blocks(VmState::Broadcasting);
                    waiting.replaced_by = None;
                    changes = changes.replace(again, waiting);
                }
            }
            if before.state.may_become(VmState::Failed) {
                let mut failed = before.outside_of_blocks(VmState::Failed);
                failed.confirmation = None;
                changes = changes.replace(before, failed);
            }
            write(app, changes)
        }
    }
}

/// The chain has taken back what it said of a commitment.
fn step_back(
    app: &App,
    before: VmTransaction,
    state: VmState,
) -> Result<Writes<'_>, CosigningError> {
    let mut back = before.outside_of_blocks(state);
    back.confirmation = None;
    write(app, Changes::new().replace(before, back))
}

/// Lets a VM transaction take part: of a chain one does. In the same write, the one that did before
/// gives way, and so do earlier ones that the network did not take (custody rule 3).
async fn take_part<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    before: VmTransaction,
    after: VmTransaction,
) -> Result<Writes<'a>, CosigningError> {
    let key = Key::vm_chain(before.mint_id, before.anchor);
    let own = VmChain { txid: before.txid };
    let chain = app.store.get::<VmChain>(&key).await?.map(|chain| chain.txid);
    let took_part = chain.filter(|txid| *txid != before.txid);
    let mut others = row.earlier.clone();
    others.extend(took_part.filter(|txid| !row.earlier.contains(txid)));
    let mut changes = Changes::new().replace(before.clone(), after);
    let mut gave_way = Vec::new();
    for txid in others {
        let other = VmTransactionKey { txid, ..before.key() };
        let (other, issued) = tokio::try_join!(
            async { Ok(minting::vm_transaction(&app.store, other).await?) },
            load(app, txid)
        )?;
        let (Some(other), Some(issued)) = (other, issued) else {
            return Err(CosigningError::Damaged("a chain of nothing"));
        };
        if other.is_final {
            return Err(CosigningError::Damaged("two commitments of a chain"));
        }
        let is_later = other.replaces == Some(before.txid) || other.created_at > before.created_at;
        let gone = if is_later { VmState::Failed } else { VmState::Replaced };
        if other.state.may_become(gone) {
            let mut gone_row = other.outside_of_blocks(gone);
            gone_row.confirmation = None;
            gone_row.replaced_by = (gone == VmState::Replaced).then_some(before.txid);
            changes = changes.replace(other, gone_row);
        }
        gave_way.extend(give_way(app, &issued)?.map(|update| (Key::transaction(txid), update)));
    }
    let changes = changes.allowed()?;
    Ok(Box::new(move || {
        let rows = given_way(changes.write(&app.store, None, ()), &gave_way);
        match chain {
            None => rows.insert(&key, &own, ()),
            Some(txid) if txid == before.txid => rows,
            Some(txid) => {
                let swapped = Update::new().set("txid", before.txid).if_equal("txid", txid);
                rows.update(&key, swapped, ())
            }
        }
    }))
}

fn write(app: &App, changes: Changes) -> Result<Writes<'_>, CosigningError> {
    let changes = changes.allowed()?;
    Ok(Box::new(move || changes.write(&app.store, None, ())))
}

/// What held when the batch was created has to hold when it is signed (custody rule 3): the mint
/// takes requests, and what is to be replaced is in no block.
pub(super) async fn of_claim<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    work: &Commitment,
) -> Result<Writes<'a, Refusal>, CosigningError> {
    let (vm, mint) = tokio::try_join!(vm_transaction(app, row, work), async {
        Ok(minting::mint(&app.store, work.mint_id).await?)
    })?;
    let mint: Mint = mint.ok_or(CosigningError::Damaged("no mint"))?;
    let now = app.clock.now();
    // A commitment without its anchor could confirm beside what it replaces (custody rule 1).
    if !row.inputs.contains(&vm.anchor) {
        return Err(CosigningError::Damaged("no anchor"));
    }
    Ok(Box::new(move || {
        let open = mint.if_takes_requests(now);
        let rows = Transaction::new(&app.store);
        let rows = rows.check(&Key::mint(mint.id), open, Refusal::MintClosed);
        match vm.replaces {
            Some(txid) => {
                let waiting = Update::new()
                    .if_one_of("state", [VmState::AllInMempool, VmState::Broadcasting])
                    .if_absent("confirmation");
                let key = Key::vm_transaction(VmTransactionKey { txid, ..vm.key() });
                rows.check(&key, waiting, Refusal::Changed)
            }
            None => rows,
        }
    }))
}

/// A VM transaction enters the lists once it is signed.
pub(super) async fn announce(
    app: &App,
    row: &IssuedTransaction,
    work: &Commitment,
    update: &Update,
) -> Result<bool, CosigningError> {
    let before = vm_transaction(app, row, work).await?;
    if before.state != VmState::Unsigned {
        return Ok(false);
    }
    let rune = before.rune_id;
    let mut lists =
        vec![List::vm(), List::vm_by_rune(rune), List::vm_by_account(before.account_id)];
    for rune in [None, Some(rune)] {
        lists.push(List::vm_by_trading_address(&before.trading_address, rune));
        lists.push(List::vm_by_user_address(&before.user_address, rune));
    }
    let appended = lists::append(&app.store, &lists, |at| {
        let announced =
            VmTransaction { state: VmState::Broadcasting, created_at: at, ..before.clone() };
        let changes = Changes::new().replace(before.clone(), announced);
        let rows = changes.write(&app.store, None, ());
        (rows.update(&Key::transaction(row.txid), update.clone(), ()), before.key())
    });
    Ok(outcome(appended.await)?.is_ok())
}
