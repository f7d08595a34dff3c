//! Asks the hub about a record, and writes the answer.

use shared::core::Core;
use store::{CommitError, Key, StoreError, Update, Writes};

use super::XchainPointer;
use crate::{
    hub::{HubClient, HubError},
    keys,
    models::xchain::XchainRecord,
};

/// Why a record could not be written.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// The row changed since it was read.
    Changed,
    /// The hub has confirmed another account's registration of the swap.
    Taken,
}

/// Why the hub has not answered about a record.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The hub did not answer, or its answer was unexpected.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// A row could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The record with the hub's current answer.
pub async fn ask_hub(
    app: &Core,
    hub: &HubClient,
    record: &XchainRecord,
) -> Result<XchainRecord, AskError> {
    let mut news = record.clone();
    let Some(intent) = news.intent_tx_hash else { return Ok(news) };
    if !news.verified {
        let told = match hub.swap(intent).await {
            // No valid swap could have this intent.
            Err(HubError::Unreadable(why)) => {
                tracing::warn!(%intent, %why, "the hub's record of an intent is not a valid swap");
                None
            }
            told => told?,
        };
        news = news.compared(told.as_ref(), app.clock.now());
    }
    // The hub's report on an intent only counts for a swap that was confirmed to be that intent.
    if news.verified
        && !news.status.is_final()
        && let Some(progress) = hub.progress(intent).await?
    {
        news = news.with_progress(progress, app.clock.now());
    }
    Ok(news)
}

/// Writes a changed record; returns the row as it is afterwards. If two calls have read the same row, only
/// one of them writes.
pub async fn write_record(
    app: &Core,
    before: &XchainRecord,
    news: XchainRecord,
) -> Result<XchainRecord, StoreError> {
    let Ok(key) = before.key().map(keys::xchain) else { return Ok(news) };
    let is_confirmed = news.verified && !before.verified
        || news.intent_tx_hash.is_some() && before.intent_tx_hash.is_none();
    let written = match put_record(app, &key, before, &news, is_confirmed).await {
        // The hub's record matches both registrations, so they are the same swap. The hashes lead to the
        // first one.
        Err(CommitError::Condition(Refusal::Taken)) => {
            put_record(app, &key, before, &news, false).await
        }
        written => written,
    };
    let written = written.map(|()| news);
    match written {
        Ok(written) => Ok(XchainRecord { version: before.version.saturating_add(1), ..written }),
        // A concurrent call has written it.
        Err(CommitError::Condition(_) | CommitError::Contended) => {
            Ok(app.store.get(&key).await?.unwrap_or_else(|| before.clone()))
        }
        Err(CommitError::Store(error)) => Err(error),
    }
}

async fn put_record(
    app: &Core,
    key: &Key,
    before: &XchainRecord,
    news: &XchainRecord,
    is_confirmed: bool,
) -> Result<(), CommitError<Refusal>> {
    let row = XchainRecord { version: before.version.saturating_add(1), ..news.clone() };
    let as_read = Update::new().if_equal(XchainRecord::VERSION, before.version);
    let rows = Writes::new().replace(key, &row, as_read, Refusal::Changed);
    let rows = rows.and(row.tell(Some(before.status)));
    let rows = if is_confirmed { confirmed(rows, &row, Refusal::Taken) } else { rows };
    let is_over = row.status.is_final() && !before.status.is_final();
    let rows = if is_over { counted(rows, &row, -1, Refusal::Changed) } else { rows };
    app.store.commit(rows).await
}

/// Adds the pointers from a record's hashes, which the hub has confirmed; `taken` is the error if they lead to
/// another account's registration.
pub fn confirmed<E: Clone>(rows: Writes<E>, record: &XchainRecord, taken: E) -> Writes<E> {
    let (Some(intent), Ok(key)) = (record.intent_tx_hash, record.key()) else { return rows };
    let (by_intent, pointer) = (keys::xchain_verified(intent), XchainPointer { key });
    match (&record.spoke_tx_hash, record.src_chain) {
        // One transaction on the source chain can start several intents; the pointer may lead to any of them.
        (Some(spoke), Some(chain)) => {
            let by_spoke = keys::xchain_spoke(spoke, None, chain);
            rows.insert(&by_intent, &pointer, taken.clone()).put(&by_spoke, &pointer, taken)
        }
        // The hub creates the intent of a withdrawal.
        _ => rows.put(&by_intent, &pointer, taken),
    }
}

/// Adds 1 or -1, as a swap begins or ends, to the rows that keep its addresses linked. Those rows belong to
/// the swap's account, so a registration with a foreign address does not keep that address linked.
pub fn counted<E: Clone>(
    rows: Writes<E>,
    record: &XchainRecord,
    difference: i64,
    otherwise: E,
) -> Writes<E> {
    record.acting_addresses().into_iter().fold(rows, |rows, address| {
        rows.count(&keys::xchain_open(record.account_id, address), difference, otherwise.clone())
    })
}
