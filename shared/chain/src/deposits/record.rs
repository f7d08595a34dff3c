//! Writes deposits: found, taken back, gone.

use std::{cmp::Reverse, collections::BTreeSet, time::Duration};

use base::clock::Timestamp;
use bitcoin::BlockHash;
use shared::{events::EventWrites, keys::EventList, models::account::AccountId};
use store::{CommitError, Store, Update, Writes, lists};

use super::row::{AppliedDeposits, Deposit, DepositMember, DepositState, FoundDeposit, More};
use crate::{
    bitcoin::esplora::BlockId,
    blocks::{self, Tip},
    keys,
    transactions::ChainError,
};

/// The most outputs to an account that a block adds to its list, the most valuable ones: a stranger can send it thousands.
pub const MOST_OF_BLOCK: usize = 20;
/// Attempts at rows that other writers change.
const ATTEMPTS: u32 = 8;
/// Rows that are taken back in one commit.
const TOGETHER: usize = 40;
/// How long the deposits of an applied block are remembered.
const KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// The pause after the first look at a deposit that has no block yet; it doubles up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(60);
const LONGEST_PAUSE: Duration = Duration::from_secs(60 * 60);

/// A row has changed since it was read.
#[derive(Clone, Copy, Debug)]
struct Changed;

/// How it is known which block has an output.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// The worker is reading this block. If the block leaves the chain, the worker takes the deposits back.
    Read(BlockId),
    /// A server says so; `None` if no block has it.
    Said(Option<BlockId>),
}

/// The outputs to list, in order: the most valuable ones. The last one counts the others.
fn listed(found: Vec<FoundDeposit>) -> Vec<FoundDeposit> {
    if found.len() <= MOST_OF_BLOCK {
        return found;
    }
    let mut placed: Vec<_> = found.into_iter().enumerate().collect();
    placed.sort_by_key(|(_, found)| (Reverse(found.sats), found.txid, found.number));
    let beyond = placed.split_off(MOST_OF_BLOCK);
    let more = More {
        outputs: u64::try_from(beyond.len()).unwrap_or(u64::MAX),
        sats: beyond.iter().map(|(_, found)| found.sats).fold(0, u64::saturating_add),
    };
    if let Some((_, least)) = placed.last_mut() {
        least.more = Some(more);
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, found)| found).collect()
}

/// Records outputs to an account in a block that the worker reads, with an event for each new one. Safe to repeat: outputs that
/// are recorded already are not written again. The caller takes them back if the block is not in the chain when it is done.
///
/// # Errors
/// As [`record_announced`].
pub async fn record(
    store: &Store,
    account: AccountId,
    found: Vec<FoundDeposit>,
    block: BlockId,
) -> Result<(), ChainError> {
    record_found(store, account, found, Known::Read(block)).await.map(drop)
}

/// Records outputs to an account that a server knows, with an event for each new one. Returns their rows. Safe to repeat. `said`
/// is the block in which the server sees them: it counts only if the worker has applied it and has not taken it back by the
/// time of the write, because the worker would not take back outputs that are written later.
///
/// # Errors
/// [`ChainError::Contended`] if concurrent writes prevented every attempt; [`ChainError::Store`] if the store
/// fails.
pub async fn record_announced(
    store: &Store,
    account: AccountId,
    found: Vec<FoundDeposit>,
    said: Option<BlockId>,
) -> Result<Vec<Deposit>, ChainError> {
    record_found(store, account, found, Known::Said(said)).await
}

async fn record_found(
    store: &Store,
    account: AccountId,
    found: Vec<FoundDeposit>,
    known: Known,
) -> Result<Vec<Deposit>, ChainError> {
    let found = listed(found);
    let keys: Vec<_> =
        found.iter().map(|one| keys::deposit(account, one.txid, one.number)).collect();
    for _attempt in 0..ATTEMPTS {
        let (block, tip) = match known {
            Known::Read(block) => (Some(block), None),
            Known::Said(None) => (None, None),
            Known::Said(said) => {
                let tip = blocks::tip(store).await?;
                (applied_block(said, tip.as_ref()), tip)
            }
        };
        let rows = store.get_many::<Deposit>(&keys).await?;
        let now = store.now();
        let (mut deposits, mut new, mut writes) = (Vec::new(), Vec::new(), Writes::new());
        let mut changed = Vec::new();
        for (found, row) in found.iter().zip(rows) {
            let deposit = match row {
                None => {
                    let deposit = Deposit::new(account, found, now).in_block(block, now);
                    writes = told(writes, &deposit, None);
                    changed.push(deposit.member());
                    new.push(deposit.clone());
                    deposit
                }
                Some(row) => match row.found(found, block, now) {
                    None => row,
                    Some(deposit) => {
                        writes = replaced(writes, &row, &deposit);
                        // If the deposit moved from one block to another without being unconfirmed in
                        // between, its state is the same, and there is no event.
                        if deposit.state != row.state {
                            writes = told(writes, &deposit, Some(row.state));
                        }
                        changed.push(deposit.member());
                        deposit
                    }
                },
            };
            deposits.push(deposit);
        }
        if changed.is_empty() {
            return Ok(deposits);
        }
        if let Some(block) = block {
            writes = noted(writes, account, block.hash, &changed, now);
            if let Some(tip) = tip {
                writes = writes.check(&keys::chain_tip(), tip.as_read(), Changed);
            }
        }
        let committed = match new.is_empty() {
            true => store.commit(writes).await,
            false => append(store, account, writes, new).await,
        };
        match committed {
            Ok(()) => return Ok(deposits),
            Err(CommitError::Condition(Changed)) => {}
            Err(error) => return Err(failure(error)),
        }
    }
    Err(ChainError::Contended)
}

/// The block that the server named, if the worker has applied it; until then the deposit has no block.
fn applied_block(said: Option<BlockId>, tip: Option<&Tip>) -> Option<BlockId> {
    let (block, tip) = said.zip(tip)?;
    let is_replaced = tip.hash_at(block.height).is_some_and(|hash| hash != block.hash);
    (block.height <= tip.height && !is_replaced).then_some(block)
}

/// Writes a new deposit, unless its row exists already; returns the stored row.
pub(super) async fn insert(store: &Store, deposit: Deposit) -> Result<Deposit, ChainError> {
    let (account, key) = (deposit.account_id, deposit.key());
    match append(store, account, Writes::new(), vec![deposit.clone()]).await {
        Ok(()) => Ok(deposit),
        Err(CommitError::Condition(Changed)) => store.get(&key).await?.ok_or(ChainError::Contended),
        Err(error) => Err(failure(error)),
    }
}

/// Replaces a row without an event, unless it has changed; returns the stored row.
pub(super) async fn replace(
    store: &Store,
    before: &Deposit,
    after: Deposit,
) -> Result<Deposit, ChainError> {
    match store.commit(replaced(Writes::new(), before, &after)).await {
        Ok(()) => Ok(after),
        Err(CommitError::Condition(Changed)) => {
            store.get(&before.key()).await?.ok_or(ChainError::Contended)
        }
        Err(error) => Err(failure(error)),
    }
}

/// Commits these writes, and appends new deposits to the list of their account.
async fn append(
    store: &Store,
    account: AccountId,
    writes: Writes<Changed>,
    new: Vec<Deposit>,
) -> Result<(), CommitError<Changed>> {
    let draft = |_at| {
        let writes = new.iter().fold(writes.clone(), |writes, deposit| {
            writes.insert(&deposit.key(), deposit, Changed)
        });
        (writes, new.iter().map(|deposit| (0, deposit.member())).collect())
    };
    lists::append_each(store, &[keys::lists::deposits(account)], draft).await.map(drop)
}

/// Takes back deposits of an account whose block has left the chain: they wait for a block again.
///
/// # Errors
/// [`ChainError::Contended`] if other writes prevented every attempt to change a deposit;
/// [`ChainError::Store`] if the store fails. Deposits taken back earlier stay so, and the call can be
/// repeated.
pub async fn take_back(
    store: &Store,
    applied: &AppliedDeposits,
    block: BlockHash,
) -> Result<(), ChainError> {
    let places: BTreeSet<_> = applied.places.iter().copied().collect();
    let places: Vec<_> = places.into_iter().collect();
    for places in places.chunks(TOGETHER) {
        take_back_some(store, applied.account_id, places, block).await?;
    }
    Ok(())
}

async fn take_back_some(
    store: &Store,
    account: AccountId,
    places: &[DepositMember],
    block: BlockHash,
) -> Result<(), ChainError> {
    let keys: Vec<_> =
        places.iter().map(|place| keys::deposit(account, place.txid, place.n)).collect();
    for _attempt in 0..ATTEMPTS {
        let rows = store.get_many::<Deposit>(&keys).await?.into_iter().flatten();
        let now = store.now();
        let mut writes = Writes::new();
        for row in rows.filter(|row| row.block_hash == Some(block)) {
            let version = row.version.saturating_add(1);
            let waiting = Deposit { version, ..row.clone().in_block(None, now) };
            writes = told(replaced(writes, &row, &waiting), &waiting, Some(row.state));
        }
        if writes.is_empty() {
            return Ok(());
        }
        match store.commit(writes).await {
            Ok(()) => return Ok(()),
            Err(CommitError::Condition(Changed)) => {}
            Err(error) => return Err(failure(error)),
        }
    }
    Err(ChainError::Contended)
}

/// Ends a deposit that is gone, unless it has changed since it was read.
///
/// # Errors
/// [`ChainError::Contended`] if concurrent writes prevented every attempt; [`ChainError::Store`] if the store
/// fails.
pub async fn end(store: &Store, deposit: &Deposit) -> Result<(), ChainError> {
    let gone = deposit.gone();
    let writes = told(replaced(Writes::new(), deposit, &gone), &gone, Some(deposit.state));
    match store.commit(writes).await {
        Ok(()) | Err(CommitError::Condition(Changed)) => Ok(()),
        Err(error) => Err(failure(error)),
    }
}

/// Postpones the next look at a deposit, longer each time. `missed`: Esplora did not know its transaction.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub async fn look_later(store: &Store, deposit: &Deposit, missed: bool) -> Result<(), ChainError> {
    let doubled = 1_u32.checked_shl(deposit.looks.min(8)).unwrap_or(u32::MAX);
    let is_suspect = missed && deposit.state == DepositState::Seen;
    let pause = match is_suspect {
        true => FIRST_PAUSE,
        false => FIRST_PAUSE.saturating_mul(doubled).min(LONGEST_PAUSE),
    };
    let later = Update::new()
        .set(Deposit::DUE_AT, store.now().plus(pause))
        .set(Deposit::LOOKS, deposit.looks.saturating_add(1))
        .set(Deposit::MISSED, missed)
        .if_version(deposit.version);
    Ok(store.update(&deposit.key(), later).await?)
}

fn replaced(writes: Writes<Changed>, before: &Deposit, after: &Deposit) -> Writes<Changed> {
    debug_assert_eq!(after.version, before.version.saturating_add(1), "the lock is not moved");
    let as_read = Update::new().if_equal(Deposit::VERSION, before.version);
    writes.replace(&before.key(), after, as_read, Changed)
}

fn told(writes: Writes<Changed>, after: &Deposit, before: Option<DepositState>) -> Writes<Changed> {
    writes.tell(EventList::of_account(after.account_id), after.change(before))
}

/// Notes which deposits a block has, so that they can be taken back if it leaves the chain.
fn noted(
    writes: Writes<Changed>,
    account: AccountId,
    block: BlockHash,
    places: &[DepositMember],
    now: Timestamp,
) -> Writes<Changed> {
    let noted = Update::new()
        .create_or_change()
        .set(AppliedDeposits::ACCOUNT_ID, account)
        .append(AppliedDeposits::PLACES, places)
        .expire_at(now.plus(KEPT).seconds());
    writes.update(&keys::chain_block_deposits(block, account), noted, Changed)
}

fn failure(error: CommitError<Changed>) -> ChainError {
    match error {
        CommitError::Condition(Changed) | CommitError::Contended => ChainError::Contended,
        CommitError::Store(error) => error.into(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]
mod tests {
    use bitcoin::{Txid, hashes::Hash};

    use super::*;

    #[test]
    fn custody_24_the_most_valuable_outputs_are_listed_and_the_others_counted() {
        let txid = Txid::from_byte_array([1; 32]);
        let dust = |n: u32| (n, if n % 100 == 7 { 10_000 } else { 330 });
        let all = FoundDeposit::in_transaction(txid, (0..1_000).map(dust));
        let listed = listed(all.clone());
        assert_eq!(listed.len(), MOST_OF_BLOCK);
        assert_eq!(listed.iter().filter(|found| found.sats == 10_000).count(), 10);
        assert!(listed.is_sorted_by_key(|found| found.vout));
        let more: Vec<_> = listed.iter().filter_map(|found| found.more).collect();
        assert_eq!(more, [More { outputs: 980, sats: 980 * 330 }]);
        let few = all.iter().take(MOST_OF_BLOCK).cloned().collect::<Vec<_>>();
        assert_eq!(super::listed(few.clone()), few);
    }
}
