//! Polls the hub and writes its answers.

use std::time::Duration;

use super::XchainPointer;
use serde::{Deserialize, Serialize};

use crate::{
    core::Core,
    hub::{HubClient, HubError},
    models::{
        transaction::Work,
        xchain::{XchainKey, XchainRecord, XchainType},
    },
    outbound::OutboundError,
    store::{CommitError, Entity, Key, StoreError, Update, Writes},
};

/// A client's request does not poll the hub again within this time.
const FRESH: Duration = Duration::from_secs(5);
/// Refusals after which a withdrawal has failed: more than half a day, since a failing row is retried every
/// quarter of an hour.
const MOST_REFUSALS: u32 = 60;

/// Who polls the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshBy {
    /// The worker, which also relays withdrawals and retries.
    Worker,
    /// A waiting client.
    Client,
}

/// A record, as current as possible.
#[derive(Clone, Debug)]
pub struct Refreshed {
    /// The record.
    pub record: XchainRecord,
    /// Whether the hub could not be reached.
    pub stale: bool,
    /// Why the hub gave the worker no usable answer; `None` if it was not asked.
    pub failure: Option<String>,
}

/// Why a record could not be written.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// The row changed since it was read.
    Changed,
    /// The swap is another account's.
    Taken,
}

/// Polls the hub for a record that is not final, and writes the answer. Safe to run twice concurrently: if
/// two calls read the same row, one writes.
///
/// # Errors
/// [`StoreError`]. If the hub does not answer, the record is returned as it is.
pub async fn refresh(
    app: &Core,
    hub: &HubClient,
    record: XchainRecord,
    asker: RefreshBy,
) -> Result<Refreshed, StoreError> {
    let is_fresh = record.asked_at.is_some_and(|asked| asked.plus(FRESH) > app.clock.now());
    if record.status.is_final() || asker == RefreshBy::Client && is_fresh {
        return Ok(Refreshed { record, stale: false, failure: None });
    }
    let asked = match record.kind {
        XchainType::XchainWithdraw if record.intent_tx_hash.is_none() => match asker {
            RefreshBy::Worker => relay(app, hub, &record).await,
            // Nothing can be polled yet.
            RefreshBy::Client => return Ok(Refreshed { record, stale: false, failure: None }),
        },
        _ => ask_hub(app, hub, &record).await,
    };
    let (news, failure) = match asked {
        Ok(news) => (XchainRecord { asked_at: Some(app.clock.now()), ..news }, None),
        // A paused poll is not postponed: during an outage of the hub, all of them would be.
        Err(AskError::Hub(HubError::Open(_))) => {
            return Ok(Refreshed { record, stale: true, failure: None });
        }
        Err(AskError::Store(error)) => return Err(error),
        Err(AskError::Hub(error)) => {
            tracing::warn!(txid = record.tx_id, %error, "nothing new");
            if asker == RefreshBy::Client {
                return Ok(Refreshed { record, stale: true, failure: None });
            }
            (record.clone(), Some(error.to_string()))
        }
    };
    let news = match asker {
        RefreshBy::Worker => news.rescheduled(&record, app.clock.now()),
        RefreshBy::Client => news,
    };
    let record = write_record(app, &record, news).await?;
    Ok(Refreshed { record, stale: failure.is_some(), failure })
}

/// The only part of a transaction's row that is read here: its purpose.
#[derive(Serialize, Deserialize)]
struct WorkOf {
    work: Work,
}

impl Entity for WorkOf {
    const ENTITY: &'static str = "issuedTransaction";
}

/// Why the hub gave no news of a record.
#[derive(Debug, thiserror::Error)]
enum AskError {
    /// The hub did not answer, or not as it should.
    #[error(transparent)]
    Hub(#[from] HubError),
    /// A row could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Relays a withdrawal to the hub; its data is in the row of its transaction.
async fn relay(
    app: &Core,
    hub: &HubClient,
    record: &XchainRecord,
) -> Result<XchainRecord, AskError> {
    let Ok(XchainKey::Withdrawal(txid)) = record.key() else { return Ok(record.clone()) };
    let issued = app.store.get::<WorkOf>(&Key::transaction(txid)).await?;
    let Some(Work::XchainWithdraw(withdrawal)) = issued.map(|issued| issued.work) else {
        return Ok(record.clone());
    };
    // A repeated relay uses the id that the hub knows, which is safe.
    let known_as = record.hub_tx_id.unwrap_or(txid);
    match hub.submit(known_as, &withdrawal.xchain_data).await {
        Ok(intent) => Ok(record.clone().relayed(intent, app.clock.now())),
        Err(HubError::Failed(OutboundError::Status(status @ (400 | 409 | 413 | 422))))
            if record.asks >= MOST_REFUSALS =>
        {
            tracing::error!(txid = record.tx_id, status, "the hub refuses a withdrawal");
            Ok(record.clone().refused(status, app.clock.now()))
        }
        Err(error) => Err(error.into()),
    }
}

/// The record with the hub's current answer.
async fn ask_hub(
    app: &Core,
    hub: &HubClient,
    record: &XchainRecord,
) -> Result<XchainRecord, AskError> {
    let mut news = record.clone();
    let Some(intent) = news.intent_tx_hash else { return Ok(news) };
    if !news.verified {
        let told = match hub.swap(intent).await {
            // No valid swap could have this record.
            Err(HubError::Unreadable(why)) => {
                tracing::warn!(%intent, %why, "the hub's record of an intent is not a valid swap");
                None
            }
            told => told?,
        };
        news = news.compared(told.as_ref(), app.clock.now());
    }
    // The hub's report on an intent counts only for a swap confirmed to be that intent.
    if news.verified
        && !news.status.is_final()
        && let Some(progress) = hub.progress(intent).await?
    {
        news = news.with_progress(progress, app.clock.now());
    }
    Ok(news)
}

/// Writes a changed record; returns the row as it is afterwards.
async fn write_record(
    app: &Core,
    before: &XchainRecord,
    news: XchainRecord,
) -> Result<XchainRecord, StoreError> {
    let Ok(key) = before.key().map(Key::xchain) else { return Ok(news) };
    let is_confirmed = news.verified && !before.verified
        || news.intent_tx_hash.is_some() && before.intent_tx_hash.is_none();
    let written = match put_record(app, &key, before, &news, is_confirmed).await {
        Err(CommitError::Condition(Refusal::Taken)) => {
            let taken = before.clone().taken(app.clock.now());
            put_record(app, &key, before, &taken, false).await.map(|()| taken)
        }
        written => written.map(|()| news),
    };
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
    let rows = if is_confirmed { confirmed(rows, &row, Refusal::Taken) } else { rows };
    let is_over = row.status.is_final() && !before.status.is_final();
    let rows = if is_over { counted(rows, &row, -1, Refusal::Changed) } else { rows };
    app.store.commit(rows).await
}

/// Adds the pointers from a record's hashes, which the hub has confirmed; `taken` is the error if they belong
/// to another account's swap.
pub fn confirmed<E: Clone>(rows: Writes<E>, record: &XchainRecord, taken: E) -> Writes<E> {
    let (Some(intent), Ok(key)) = (record.intent_tx_hash, record.key()) else { return rows };
    let (by_intent, pointer) = (Key::xchain_verified(intent), XchainPointer { key });
    match (&record.spoke_tx_hash, record.src_chain) {
        // One transaction on the source chain can have begun several intents; any of them is fine.
        (Some(spoke), Some(chain)) => {
            let by_spoke = Key::xchain_spoke(spoke, None, chain);
            rows.insert(&by_intent, &pointer, taken.clone()).put(&by_spoke, &pointer, taken)
        }
        // The hub creates the intent of a withdrawal.
        _ => rows.put(&by_intent, &pointer, taken),
    }
}

/// Counts a swap that begins (1) or ends (-1) towards the rows that keep its addresses linked.
pub fn counted<E: Clone>(
    rows: Writes<E>,
    record: &XchainRecord,
    difference: i64,
    otherwise: E,
) -> Writes<E> {
    record.acting_addresses().into_iter().fold(rows, |rows, address| {
        rows.count(&Key::xchain_open(address), difference, otherwise.clone())
    })
}
