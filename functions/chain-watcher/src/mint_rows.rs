//! The VM transactions of a mint: how its virtual blocks fill them, and how they are changed.

use std::sync::{Mutex, PoisonError};

use bitcoin::Txid;
use chain::{
    keys,
    mints::{Changes, KeptEnd, KeptMint, Mint, VmTransaction},
    models::{mint::MintState, vm_transaction::VmState},
    transactions::{ChainError, FINAL},
};
use futures_util::{StreamExt, future::try_join_all, stream};
use shared::{
    events::EventWrites,
    models::event::{EventType, StateChange},
};
use store::{CommitError, StoreError, Update, Writes, lists};
use tokio::time::{Duration, Instant, sleep_until};

use crate::{
    app::App,
    virtual_blocks::{Batch, Filled, Place, Rules, Share, fill},
};

/// VM transactions in one write batch: with all their counts and the events of their owners it stays below a
/// hundred writes.
const TOGETHER: usize = 19;
/// Write batches in flight at the same time.
const WRITES_AT_ONCE: usize = 16;
/// The pause between the starts of two batches, which allows 3,170 rows a second. A row that changes its
/// state takes one write unit of its index key and four of its partition. Each key and partition has 1,000
/// units a second; there are 4 keys and 16 partitions.
const EVERY: Duration = Duration::from_micros(6_000);

/// What is left to do after a look at a mint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextLook {
    /// More work is ready now.
    More,
    /// The next step depends on the chain.
    Wait,
    /// Nothing is left to do until a transaction changes.
    Nothing,
}

/// Some VM transactions of a mint.
pub(crate) struct Rows {
    pub(crate) found: Vec<VmTransaction>,
    /// Whether the mint may have more such rows.
    pub(crate) are_more: bool,
    /// Whether rows that cannot be read were left out.
    pub(crate) are_unreadable: bool,
}

/// The signed VM transactions of a mint that `is_so` accepts, by txid: all of them, or about `most`.
pub(crate) async fn rows_where(
    app: &App,
    mint: &Mint,
    is_so: fn(&VmTransaction) -> bool,
    most: usize,
) -> Result<Rows, ChainError> {
    let parts = keys::vm_transactions(mint.id);
    let most = most.checked_div(parts.len()).unwrap_or_default();
    let parts = parts.iter().map(|(low, high)| app.store.range_where((low, high), is_so, most));
    let parts = try_join_all(parts).await?;
    let are_more = parts.iter().any(|(found, _)| found.len() >= most);
    let are_unreadable = parts.iter().any(|(_, malformed)| malformed.is_some());
    let mut found: Vec<VmTransaction> = parts.into_iter().flat_map(|(found, _)| found).collect();
    found.sort_unstable_by_key(|row| row.txid);
    Ok(Rows { found, are_more, are_unreadable })
}

/// The height of the newest block that a reorganisation of six blocks cannot undo.
pub(crate) fn final_height(tip: u32) -> u32 {
    tip.saturating_add(1).saturating_sub(FINAL)
}

/// The limits of a mint's virtual blocks.
pub(crate) fn rules(mint: &Mint) -> Rules {
    Rules { requests_per_block: mint.requests_per_block, total_requests: mint.total_requests }
}

/// The virtual blocks of a mint up to and including `last_block`.
pub(crate) fn blocks(mint: &Mint, batches: &[Batch<Txid>], last_block: u32) -> Filled<Txid> {
    fill(rules(mint), batches, last_block)
}

/// Where the chain has a batch according to its row; `None` if the batch does not take part.
pub(crate) fn place_of(row: &VmTransaction) -> Option<Place> {
    let found = row.confirmation.filter(|_| row.state.takes_part());
    found.map(|at| Place { height: at.height, position: at.position })
}

/// A VM transaction with its requests in blocks updated.
pub(crate) fn filled(row: &VmTransaction, share: Option<Share<'_>>) -> VmTransaction {
    let mut filled = row.outside_of_blocks(row.state);
    if let Some(Share { by_bid, blocks }) = share {
        for (tier, in_blocks) in filled.tiers.iter_mut().zip(by_bid) {
            tier.in_blocks = *in_blocks;
        }
        filled.blocks = blocks.cloned().unwrap_or_default();
    }
    filled.state = match filled.requests_in_blocks() {
        0 => VmState::AllInMempool,
        all if all == filled.requests() => VmState::AllInBlock,
        _ => VmState::PartiallyInBlock,
    };
    filled
}

/// The outcome of changes.
#[derive(Debug)]
pub(crate) struct Changed {
    /// Whether the rows were as they had been read, apart from the refused ones.
    pub(crate) are_written: bool,
    /// The rows that cannot be changed even in a write batch of their own, and why.
    pub(crate) refused: Vec<(Txid, ChainError)>,
}

/// Writes changes of a mint's VM transactions as [`change_each`] does; returns whether all were made.
///
/// # Errors
/// The error of the first row that cannot be changed. The other rows were changed.
pub(crate) async fn change(
    app: &App,
    changed: Vec<(VmTransaction, VmTransaction)>,
) -> Result<bool, ChainError> {
    let Changed { are_written, refused } = change_each(app, changed).await?;
    refused.into_iter().next().map_or(Ok(are_written), |(_, error)| Err(error))
}

/// Writes changes of a mint's VM transactions in small batches, several concurrently. Rows that have changed since they
/// were read are left to the next look. A batch that fails does not stop the others, and its rows are tried one by one,
/// so that one of them does not hold up the rest.
///
/// # Errors
/// The store is unavailable.
pub(crate) async fn change_each(
    app: &App,
    mut changed: Vec<(VmTransaction, VmTransaction)>,
) -> Result<Changed, ChainError> {
    // Sorted by address, so that concurrent batches rarely conflict at the counts of one address.
    changed.sort_by(|(one, _), (other, _)| one.user_address.cmp(&other.user_address));
    let batches: Vec<_> = changed.chunks(TOGETHER).map(<[_]>::to_vec).collect();
    let write = |together| write_or_refuse(app, together);
    let written = paced(EVERY, batches.into_iter().map(write).collect()).await;
    let mut all = Changed { are_written: true, refused: Vec::new() };
    for one in written {
        let one = one?;
        all.are_written = all.are_written && one.are_written;
        all.refused.extend(one.refused);
    }
    Ok(all)
}

impl Changed {
    /// Notes a row that cannot be changed.
    ///
    /// # Errors
    /// `error`, if the store is unavailable: then the row is not at fault.
    fn refuse(
        &mut self,
        row: Option<&(VmTransaction, VmTransaction)>,
        error: ChainError,
    ) -> Result<(), ChainError> {
        if matches!(error, ChainError::Store(StoreError::Unavailable(_))) {
            return Err(error);
        }
        if let Some((row, _)) = row {
            tracing::error!(txid = %row.txid, %error, "a VM transaction cannot be changed");
            self.refused.push((row.txid, error));
        }
        Ok(())
    }
}

/// Writes changes in one batch; if that fails, one by one.
async fn write_or_refuse(
    app: &App,
    together: Vec<(VmTransaction, VmTransaction)>,
) -> Result<Changed, ChainError> {
    let mut all = Changed { are_written: true, refused: Vec::new() };
    match write_together(app, together.clone()).await {
        Ok(are_written) => {
            all.are_written = are_written;
            return Ok(all);
        }
        Err(error) if together.len() < 2 => {
            all.refuse(together.first(), error)?;
            return Ok(all);
        }
        Err(error @ ChainError::Store(StoreError::Unavailable(_))) => return Err(error),
        Err(_) => {}
    }
    for one in together {
        match write_together(app, vec![one.clone()]).await {
            Ok(is_written) => all.are_written = all.are_written && is_written,
            Err(error) => all.refuse(Some(&one), error)?,
        }
    }
    Ok(all)
}

/// Writes changes in one batch; returns whether no row had changed since it was read.
async fn write_together(
    app: &App,
    together: Vec<(VmTransaction, VmTransaction)>,
) -> Result<bool, ChainError> {
    let changes = together.into_iter().collect::<Changes>().of_worker().allowed()?;
    let writes = changes.writes(app.clock.now(), ());
    match Box::pin(lists::commit(&app.store, keys::lists::VM, writes)).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(()) | CommitError::Contended) => Ok(false),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

/// Runs writes concurrently, each at least `every` after the start of the previous one.
pub(crate) async fn paced<W: Future>(every: Duration, writes: Vec<W>) -> Vec<W::Output> {
    let next = &Mutex::new(Instant::now());
    let paced = |write: W| async move {
        let start = {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            let start = Instant::now().max(*next);
            *next = start.checked_add(every).unwrap_or(start);
            start
        };
        sleep_until(start).await;
        write.await
    };
    let writes: Vec<_> = writes.into_iter().map(paced).collect();
    stream::iter(writes).buffer_unordered(WRITES_AT_ONCE).collect().await
}

/// Updates the worker's fields of a mint; returns whether the condition held.
pub(crate) async fn update_mint(
    app: &App,
    mint: &Mint,
    update: Update<Mint>,
) -> Result<bool, ChainError> {
    commit_mint(app, Writes::new().update(&keys::mint(mint.id), update, ())).await
}

/// Changes the state of a mint and appends the event to its list; returns whether the condition held. The
/// same write records how an open mint has ended. That record never changes (custody rule 33).
pub(crate) async fn end_mint(
    app: &App,
    mint: &Mint,
    (state, end): (MintState, Option<KeptEnd>),
    update: Update<Mint>,
) -> Result<bool, ChainError> {
    let update = update.set(Mint::STATE, state).if_equal(Mint::STATE, mint.state);
    let change = StateChange::of_state(EventType::Mint, mint.id, Some(mint.state), state);
    let writes = Writes::new().update(&keys::mint(mint.id), update, ());
    let writes = match end {
        Some(end) => {
            let kept = Update::new().set(KeptMint::END, end).if_absent(KeptMint::END);
            writes.update(&keys::mint_kept(mint.id), kept, ())
        }
        None => writes,
    };
    commit_mint(app, writes.tell(keys::mint_events(mint.id), change)).await
}

async fn commit_mint(app: &App, writes: Writes<()>) -> Result<bool, ChainError> {
    match app.store.commit(writes).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(())) => Ok(false),
        Err(CommitError::Contended) => Err(ChainError::Contended),
        Err(CommitError::Store(error)) => Err(error.into()),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use local::LocalStack;
    use serde::{Deserialize, Serialize};
    use store::{Entity, Key};

    use super::*;
    use crate::fixture;

    /// A VM transaction that cannot be read.
    #[derive(Serialize, Deserialize)]
    struct Unreadable {
        version: String,
    }

    impl Entity for Unreadable {
        const ENTITY: &'static str = "vmTransaction";
    }

    fn key(row: &VmTransaction) -> Key {
        keys::vm_transaction(row.key())
    }

    fn row(number: u8) -> VmTransaction {
        fixture::stored_row(number, &[(1, 700)], "bcrt1qsomebody")
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn custody_26_a_row_that_cannot_be_read_hides_no_other_row_of_its_mint() {
        let stack = LocalStack::start().await;
        let app = stack.app().function::<App>();
        app.store.put(&key(&row(1)), &row(1)).await.unwrap();
        let unreadable = Unreadable { version: "x".to_owned() };
        // The shard of a row follows from its txid, so one of these is in the shard of the first.
        for number in 2..40 {
            app.store.put(&key(&row(number)), &unreadable).await.unwrap();
        }
        let rows = rows_where(&app, &fixture::mint(1, 1), |_| true, 1_600).await.unwrap();
        assert_eq!((rows.found, rows.are_unreadable), (vec![row(1)], true));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn custody_26_a_row_that_cannot_be_changed_holds_up_no_other_row_of_its_write_batch() {
        let stack = LocalStack::start().await;
        let app = stack.app().function::<App>();
        let over = VmTransaction { state: VmState::Distributed, ..row(2) };
        for row in [&row(1), &over, &row(3)] {
            app.store.put(&key(row), row).await.unwrap();
        }
        let is_final = |row: VmTransaction| (row.clone(), VmTransaction { is_final: true, ..row });
        let back = VmTransaction { state: VmState::AllInMempool, ..over.clone() };
        let changed = change(&app, vec![is_final(row(1)), (over, back), is_final(row(3))]).await;
        assert!(changed.is_err(), "the look says so");
        for number in [1, 3] {
            let row = app.store.get::<VmTransaction>(&key(&row(number))).await.unwrap().unwrap();
            assert!(row.is_final, "{number}");
        }
    }
}
