//! What a service changes in the world outside of it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use aws_smithy_types::body::SdkBody;
use http::{Method, Request};
use shared::outbound::{Https, Outbound, Sending, Wire};

/// The service's operations that write rows or sign.
const OPERATIONS: [&str; 5] = ["DeleteItem", "PutItem", "Sign", "TransactWriteItems", "UpdateItem"];

/// What a request to AWS names: a version of an API, and its operation. Empty if it goes elsewhere.
pub(crate) fn target_of<B>(request: &Request<B>) -> &str {
    let target = request.headers().get("x-amz-target");
    target.and_then(|target| target.to_str().ok()).unwrap_or_default()
}

/// The operation of AWS that a request asks for.
pub(crate) fn operation_of<B>(request: &Request<B>) -> &str {
    target_of(request).rsplit('.').next().unwrap_or_default()
}

/// The effect of a request: the operation of AWS, or `broadcast`. `None` if it only reads.
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
    count: Arc<AtomicU64>,
}

impl Effects {
    /// The client of an application whose effects are counted.
    pub fn outbound(&self) -> Outbound {
        Outbound::over(Arc::new(self.clone()))
    }

    /// Number of effects so far.
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::SeqCst)
    }
}

impl Wire for Effects {
    fn send(&self, request: Request<SdkBody>) -> Sending {
        if effect(&request).is_some() {
            self.count.fetch_add(1, Ordering::SeqCst);
        }
        self.https.send(request)
    }
}
