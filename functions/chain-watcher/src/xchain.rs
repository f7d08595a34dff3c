//! Cross-chain transactions: the worker relays withdrawals to the hub, and asks the hub about undecided ones.

use base::{outbound::OutboundError, traces};
use chain::{
    hub::{HubClient, HubError},
    keys,
    models::{
        transaction::Work,
        xchain::{XchainKey, XchainRecord, XchainType},
    },
    transactions::IssuedTransaction,
    xchain::{AskError, ask_hub, write_record},
};
use shared::{http::AsProblem, models::watch::Watch};
use store::Key;

use crate::{app::App, row_outcome::RowOutcome};

/// Refusals after which a withdrawal counts as failed. A failing row is retried every quarter of an hour, so
/// this takes more than half a day.
const MOST_REFUSALS: u32 = 60;

/// Advances one cross-chain transaction.
///
/// # Errors
/// A text for the log if the store or the hub failed.
pub(crate) async fn process_row(app: App, queue: Watch, key: Key) -> Result<RowOutcome, String> {
    let hub = app.hub_of(queue).ok_or("no queue of cross-chain transactions")?;
    let record = app.store.get::<XchainRecord>(&key).await.map_err(|error| error.internal())?;
    // The index lags behind the rows.
    let Some(record) =
        record.filter(|record| record.watch.is_some() && record.due_at <= app.clock.now())
    else {
        return Ok(RowOutcome::default());
    };
    if record.status.is_final() {
        return Ok(RowOutcome { failing: record.failing, waits: None });
    }
    let (tracer, parent) = (app.tracer.as_ref(), record.trace_parent);
    // Boxed, or a thread's stack overflows in a debug build.
    let work = Box::pin(advance(&app, hub, &record));
    traces::on_row(tracer, "look at a cross-chain transaction", parent, work).await
}

async fn advance(app: &App, hub: &HubClient, record: &XchainRecord) -> Result<RowOutcome, String> {
    let failing = record.failing.clone();
    let (news, failure) = match relay_or_ask(app, hub, record).await {
        Ok(news) => (XchainRecord { asked_at: Some(app.clock.now()), ..news }, None),
        // The hub is paused. A paused poll is not postponed, since during an outage of the hub that would
        // postpone all of them. A failed row stays failed, and nothing new is known about the others.
        Err(AskError::Hub(HubError::Open(_))) => {
            return match failing {
                Some(failing) => Err(failing.cause),
                None => Ok(RowOutcome::default()),
            };
        }
        Err(AskError::Store(error)) => return Err(error.internal()),
        Err(AskError::Hub(error)) => {
            tracing::warn!(txid = record.tx_id, %error, "nothing new");
            (record.clone(), Some(error.to_string()))
        }
    };
    let news = news.rescheduled(record, app.clock.now());
    write_record(app, record, news).await.map_err(|error| error.internal())?;
    match failure {
        Some(cause) => Err(cause),
        None => Ok(RowOutcome { failing, waits: None }),
    }
}

async fn relay_or_ask(
    app: &App,
    hub: &HubClient,
    record: &XchainRecord,
) -> Result<XchainRecord, AskError> {
    match record.kind {
        XchainType::XchainWithdraw if record.intent_tx_hash.is_none() => {
            relay(app, hub, record).await
        }
        _ => ask_hub(app, hub, record).await,
    }
}

/// Relays a withdrawal to the hub; its data is in the row of its transaction.
async fn relay(
    app: &App,
    hub: &HubClient,
    record: &XchainRecord,
) -> Result<XchainRecord, AskError> {
    let Ok(XchainKey::Withdrawal(txid)) = record.key() else { return Ok(record.clone()) };
    let issued = app.store.get::<IssuedTransaction>(&keys::transaction(txid)).await?;
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
            tracing::error!(txid = record.tx_id, status, "the hub refused a withdrawal too often");
            Ok(record.clone().refused(status, app.clock.now()))
        }
        Err(error) => Err(error.into()),
    }
}
