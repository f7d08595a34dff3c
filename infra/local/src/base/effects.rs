//! Counts the effects of a service on other systems: its writes, signatures and broadcasts.

use aws_smithy_types::body::SdkBody;
use base::outbound::{Https, Outbound, Sending, Wire};
use http::{Method, Request};
use tokio::sync::watch;

use crate::base::patience;

/// The service's operations that write rows or sign.
const OPERATIONS: [&str; 5] = ["DeleteItem", "PutItem", "Sign", "TransactWriteItems", "UpdateItem"];

/// The AWS API version and operation that a request names. Empty if it does not go to AWS.
pub(crate) fn target_of<B>(request: &Request<B>) -> &str {
    let target = request.headers().get("x-amz-target");
    target.and_then(|target| target.to_str().ok()).unwrap_or_default()
}

/// The AWS operation that a request calls.
pub(crate) fn operation_of<B>(request: &Request<B>) -> &str {
    target_of(request).rsplit('.').next().unwrap_or_default()
}

/// The effect of a request: the AWS operation, or `broadcast`. `None` if it only reads.
pub fn effect<B>(request: &Request<B>) -> Option<&str> {
    let operation = operation_of(request);
    if OPERATIONS.contains(&operation) {
        return Some(operation);
    }
    let broadcasts = request.method() == Method::POST && request.uri().path().ends_with("/tx");
    broadcasts.then_some("broadcast")
}

/// A wire that counts effects. Clones share the counter.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    https: Https,
    count: watch::Sender<u64>,
}

impl Effects {
    /// The client of an application whose effects are counted.
    pub fn outbound(&self) -> Outbound {
        patience::patient_over(self.clone())
    }

    /// Number of effects so far.
    pub fn count(&self) -> u64 {
        *self.count.borrow()
    }

    /// Runs `work`, but drops it after `effects` further effects, as if its process was killed; then returns
    /// `None`.
    pub async fn kill_after<F: Future>(&self, effects: u64, work: F) -> Option<F::Output> {
        let (mut seen, last) = (self.count.subscribe(), self.count().saturating_add(effects));
        tokio::select! {
            biased;
            // This struct owns the sender, so the wait cannot fail.
            _ = seen.wait_for(|count| *count >= last) => None,
            output = work => Some(output),
        }
    }
}

impl Wire for Effects {
    fn send(&self, request: Request<SdkBody>) -> Sending {
        if effect(&request).is_some() {
            self.count.send_modify(|count| *count = count.saturating_add(1));
        }
        self.https.send(request)
    }
}
