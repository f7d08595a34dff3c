//! The requests that a service sends to AWS.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aws_smithy_types::body::SdkBody;
use base::outbound::{Https, Outbound, Sending, Wire};
use http::Request;
use serde_json::Value;

use super::{effects::operation_of, patience};

/// A wire that records each answered request to the AWS services that use JSON. Clones share the records.
#[derive(Clone, Debug, Default)]
pub struct Overheard {
    https: Https,
    calls: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Overheard {
    /// The client of an application whose requests are recorded.
    pub fn outbound(&self) -> Outbound {
        patience::patient_over(self.clone())
    }

    /// The bodies of the requests for an operation, oldest first.
    pub fn of(&self, operation: &str) -> Vec<Value> {
        let calls = self.calls();
        let of = calls.iter().filter(|(name, _)| name == operation);
        of.map(|(_, body)| body.clone()).collect()
    }

    fn calls(&self) -> MutexGuard<'_, Vec<(String, Value)>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wire for Overheard {
    fn send(&self, request: Request<SdkBody>) -> Sending {
        let operation = operation_of(&request).to_owned();
        let body = request.body().bytes().and_then(|bytes| serde_json::from_slice(bytes).ok());
        let (notes, answer) = (self.clone(), self.https.send(request));
        Box::pin(async move {
            let answer = answer.await;
            if !operation.is_empty() && answer.is_ok() {
                notes.calls().push((operation, body.unwrap_or_default()));
            }
            answer
        })
    }
}
