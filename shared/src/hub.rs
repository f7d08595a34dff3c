//! The hub: the partner that settles cross-chain swaps, and that withdrawals are relayed to.
//!
//! | Call | Answer |
//! |---|---|
//! | `POST /withdrawals {txId, xchainData}` | `{txId, intentTxHash}`; the hash is null while there is no intent yet. Idempotent by `txId`; 409 where it came with other data |
//! | `GET /intents/<intentTxHash>` | what the intent's creator wanted: the fields of [`Swap`]; 404 where the hub does not know it |
//! | `GET /intents/<intentTxHash>/status` | `{intentTxHash, status, failedAtStep?, failureReason?, fillTxHash?}`; 404 likewise |

use std::{sync::Arc, time::Duration};

use bitcoin::Txid;
use bytes::Bytes;
use http::{Request, header};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use crate::{
    breaker::{Breaker, Open},
    clock::Clock,
    models::xchain::{IntentHash, Swap, XchainData, XchainStatus},
    outbound::{Outbound, OutboundError},
};

/// Limit of one attempt.
const ATTEMPT: Duration = Duration::from_secs(5);
/// Before the second attempt, where the first one failed in passing.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest text of the hub's that is kept, in characters.
const LONGEST_TEXT: usize = 300;

/// Why the hub gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// It did not answer, or not as it should.
    #[error("the hub: {0}")]
    Failed(#[from] OutboundError),
    /// What it answered is not what it is said to answer: of this one thing.
    #[error("the hub's answer cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It was not asked.
    #[error("the hub: {0}")]
    Open(#[from] Open),
}

/// What the hub says of the way of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Where it stands; never `registered`, which is ours.
    pub status: XchainStatus,
    /// The step at which it failed.
    pub failed_at_step: Option<String>,
    /// Why.
    pub failure_reason: Option<String>,
    /// The transaction that filled it, on the destination chain.
    pub fill_tx_hash: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Submitted {
    tx_id: Txid,
    intent_tx_hash: Option<IntentHash>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProgressAnswer {
    intent_tx_hash: IntentHash,
    status: XchainStatus,
    failed_at_step: Option<String>,
    failure_reason: Option<String>,
    fill_tx_hash: Option<String>,
}

/// A client of the hub. Cloning is cheap; clones share what they know of its failures.
#[derive(Clone, Debug)]
pub struct HubClient {
    url: String,
    outbound: Outbound,
    breaker: Breaker,
}

impl HubClient {
    /// The hub at `url`; connects nowhere yet.
    pub fn new(url: String, outbound: Outbound, clock: Arc<dyn Clock>) -> Self {
        Self { url, outbound, breaker: Breaker::new(clock) }
    }

    /// Tells it of a withdrawal; the hash of the intent, once there is one. Telling it again is safe.
    ///
    /// # Errors
    /// [`HubError`].
    pub async fn submit(
        &self,
        txid: Txid,
        data: &XchainData,
    ) -> Result<Option<IntentHash>, HubError> {
        let body = json!({ "txId": txid, "xchainData": format!("0x{data}") });
        let request = Request::post(format!("{}/withdrawals", self.url))
            .header(header::CONTENT_TYPE, "application/json");
        let answer =
            self.call::<Submitted>(request, body.to_string(), |answer| answer.tx_id == txid);
        let answer = answer.await?.ok_or(OutboundError::Status(404))?;
        Ok(answer.intent_tx_hash)
    }

    /// What the creator of an intent wanted; `None` where the hub does not know it.
    ///
    /// # Errors
    /// [`HubError`].
    pub async fn swap(&self, intent: IntentHash) -> Result<Option<Swap>, HubError> {
        let request = Request::get(format!("{}/intents/{intent}", self.url));
        self.call(request, String::new(), |swap: &Swap| swap.intent_tx_hash == intent).await
    }

    /// Where an intent stands; `None` where the hub does not know it.
    ///
    /// # Errors
    /// [`HubError`].
    pub async fn progress(&self, intent: IntentHash) -> Result<Option<Progress>, HubError> {
        let request = Request::get(format!("{}/intents/{intent}/status", self.url));
        let is_meant = |answer: &ProgressAnswer| {
            answer.intent_tx_hash == intent && answer.status != XchainStatus::Registered
        };
        let answer = self.call(request, String::new(), is_meant).await?;
        Ok(answer.map(|answer: ProgressAnswer| Progress {
            status: answer.status,
            failed_at_step: answer.failed_at_step.map(shown),
            failure_reason: answer.failure_reason.map(shown),
            fill_tx_hash: answer.fill_tx_hash.map(shown),
        }))
    }

    /// Calls it, a second time where that may help. An answer that is about something else is none.
    async fn call<T: DeserializeOwned>(
        &self,
        request: http::request::Builder,
        body: String,
        is_meant: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, HubError> {
        let request = request.header(header::ACCEPT, "application/json").body(Bytes::from(body));
        let request = request.map_err(|error| OutboundError::Malformed(error.to_string()))?;
        let mut is_first = true;
        loop {
            let permit = self.breaker.permit()?;
            let answer = self.outbound.call::<Value>(request.clone(), ATTEMPT).await;
            permit.note(!answer.as_ref().err().is_some_and(is_the_hubs_fault));
            match answer {
                Err(OutboundError::Status(500..)) if is_first => {
                    is_first = false;
                    tokio::time::sleep(PAUSE).await;
                }
                answer => {
                    // What one intent holds, which anybody can make, says nothing of the hub.
                    let Some(answer) = answer? else { return Ok(None) };
                    let answer: T = serde_json::from_value(answer)?;
                    return if is_meant(&answer) {
                        Ok(Some(answer))
                    } else {
                        Err(OutboundError::Malformed("about something else".to_owned()).into())
                    };
                }
            }
        }
    }
}

/// Whether a failure says that the hub is not well, rather than that it says no.
fn is_the_hubs_fault(error: &OutboundError) -> bool {
    match error {
        OutboundError::Status(status) => *status == 429 || *status >= 500,
        _ => true,
    }
}

/// A text of the hub's as it may be shown: of one line, and not too long.
fn shown(text: String) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_TEXT).collect()
}
