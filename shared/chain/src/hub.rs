//! The hub: the partner that settles cross-chain swaps and receives withdrawals.
//!
//! | Call | Answer |
//! |---|---|
//! | `POST /withdrawals {txId, xchainData}` | `{txId, intentTxHash}`; the hash is null while there is no intent yet. Idempotent by `txId`; 409 if repeated with different data |
//! | `GET /intents/<intentTxHash>` | the swap that the intent's creator wanted, with the fields of [`Swap`]; 404 if the hub does not know it |
//! | `GET /intents/<intentTxHash>/status` | `{intentTxHash, status, failedAtStep?, failureReason?, fillTxHash?}`; 404 if the hub does not know it |

use std::{sync::Arc, time::Duration};

use base::{
    breaker::{Breaker, Open},
    outbound::{Call, Outbound, OutboundError},
    provider::{Provider, ProviderUrl, encrypted},
};
use bitcoin::Txid;
use bytes::Bytes;
use http::{Request, header};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use shared::{core::Core, party};

use crate::models::xchain::{IntentHash, Swap, XchainData, XchainStatus};

/// Timeout of one attempt.
const ATTEMPT: Duration = Duration::from_secs(5);
/// Pause before the second attempt after a transient failure.
const PAUSE: Duration = Duration::from_millis(200);
/// Most characters of a text from the hub that are stored.
const LONGEST_TEXT: usize = 300;

/// Why the hub gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// It did not answer, or answered with an error.
    #[error("the hub failed: {0}")]
    Failed(#[from] OutboundError),
    /// This answer is not of the documented shape.
    #[error("the hub's answer cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The breaker is open, so it was not asked.
    #[error("the hub was not asked: {0}")]
    Open(#[from] Open),
}

/// The hub's report on the progress of an intent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Never `registered`, which is this service's own status.
    pub status: XchainStatus,
    /// The step that failed.
    pub failed_at_step: Option<String>,
    /// The reason of the failure.
    pub failure_reason: Option<String>,
    /// The transaction on the destination chain that filled it.
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

base::section! {
    /// Where the hub is.
    pub struct HubConfig {
        /// Base address of the hub that cross-chain swaps are settled by, or `ssm:` and the name of the SSM parameter that holds it
        pub url: ProviderUrl = "HUB_URL",
    }
}

const fn hub(operation: &'static str) -> Call {
    Call::new(party::HUB, operation)
}

/// A client of the hub. Cloning is cheap; clones share the breaker.
#[derive(Clone, Debug)]
pub struct HubClient {
    base: Provider,
    outbound: Outbound,
    breaker: Breaker,
}

impl HubClient {
    /// The hub of the settings; does not connect yet.
    pub fn new(config: HubConfig, core: &Core) -> Self {
        let base = core.provider(config.url, Arc::new(encrypted));
        Self { base, outbound: core.outbound.clone(), breaker: Breaker::new(core.clock.clone()) }
    }

    /// The same client with a breaker of its own, for work that must not pause other work.
    #[must_use]
    pub fn with_own_breaker(&self) -> Self {
        Self { breaker: self.breaker.another(), ..self.clone() }
    }

    /// Relays a withdrawal; returns the hash of the intent once one exists. Repeating it is safe.
    ///
    /// # Errors
    /// [`HubError`], also if the hub answers 404.
    pub async fn submit(
        &self,
        txid: Txid,
        data: &XchainData,
    ) -> Result<Option<IntentHash>, HubError> {
        let body = json!({ "txId": txid, "xchainData": format!("0x{data}") });
        let request = Request::post(self.base.at("/withdrawals").await?)
            .header(header::CONTENT_TYPE, "application/json");
        let is_meant = |answer: &Submitted| answer.tx_id == txid;
        let answer = self.call(hub("POST /withdrawals"), request, body.to_string(), is_meant);
        let answer = answer.await?.ok_or(OutboundError::Status(404))?;
        Ok(answer.intent_tx_hash)
    }

    /// The swap that the creator of an intent wanted; `None` if the hub does not know it.
    ///
    /// # Errors
    /// [`HubError::Unreadable`] if the hub's record is not a valid swap; otherwise [`HubError::Failed`] or
    /// [`HubError::Open`].
    pub async fn swap(&self, intent: IntentHash) -> Result<Option<Swap>, HubError> {
        let request = Request::get(self.base.at(&format!("/intents/{intent}")).await?);
        let is_meant = |swap: &Swap| swap.intent_tx_hash == intent;
        self.call(hub("GET /intents/{hash}"), request, String::new(), is_meant).await
    }

    /// Progress of an intent; `None` if the hub does not know it.
    pub async fn progress(&self, intent: IntentHash) -> Result<Option<Progress>, HubError> {
        let request = Request::get(self.base.at(&format!("/intents/{intent}/status")).await?);
        let is_meant = |answer: &ProgressAnswer| {
            answer.intent_tx_hash == intent && answer.status != XchainStatus::Registered
        };
        let call = hub("GET /intents/{hash}/status");
        let answer = self.call(call, request, String::new(), is_meant).await?;
        Ok(answer.map(|answer: ProgressAnswer| Progress {
            status: answer.status,
            failed_at_step: answer.failed_at_step.map(shown),
            failure_reason: answer.failure_reason.map(shown),
            fill_tx_hash: answer.fill_tx_hash.map(shown),
        }))
    }

    /// Calls the hub, and a second time if that may help. An answer about another subject counts as none.
    async fn call<T: DeserializeOwned>(
        &self,
        call: Call,
        request: http::request::Builder,
        body: String,
        is_meant: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, HubError> {
        let request = request.header(header::ACCEPT, "application/json").body(Bytes::from(body));
        let request = request.map_err(|error| OutboundError::Malformed(error.to_string()))?;
        let mut is_first = true;
        loop {
            let permit = self.breaker.permit()?;
            let answer = self.outbound.call::<Value>(call, request.clone(), ATTEMPT).await;
            permit.note(!answer.as_ref().err().is_some_and(is_fault_of_hub));
            match answer {
                Err(OutboundError::Status(500..)) if is_first => {
                    is_first = false;
                    tokio::time::sleep(PAUSE).await;
                }
                answer => {
                    // Any user of the hub can create an intent, so a malformed one says nothing about the
                    // hub's health.
                    let Some(answer) = answer? else { return Ok(None) };
                    let answer: T = serde_json::from_value(answer)?;
                    return if is_meant(&answer) {
                        Ok(Some(answer))
                    } else {
                        Err(OutboundError::Malformed("answer about another transaction".to_owned())
                            .into())
                    };
                }
            }
        }
    }
}

/// Whether a failure means that the hub has a problem, rather than that it refuses.
fn is_fault_of_hub(error: &OutboundError) -> bool {
    match error {
        OutboundError::Status(status) => *status == 429 || *status >= 500,
        _ => true,
    }
}

/// A text from the hub, reduced to one line of limited length.
fn shown(text: String) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST_TEXT).collect()
}
