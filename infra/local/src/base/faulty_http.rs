//! A faulty network between the service and DynamoDB: requests that are never sent, answers that never
//! arrive, and delays. Also a network that holds back the requests that a test chooses.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws_smithy_types::body::SdkBody;
use base::outbound::{Https, Outbound, Sending, Wire, WireError};
use http::{Request, Response, StatusCode, header::CONTENT_TYPE};
use tokio::{sync::watch, task::JoinSet};

use super::{
    effects::{effect, operation_of, target_of},
    latch::Latch,
    patience,
};

/// Fate of one request to DynamoDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is sent and answered.
    Pass,
    /// It is not sent.
    LoseRequest,
    /// It is sent and executed, but its answer is lost.
    LoseAnswer,
    /// A write is not sent, and fails with a transaction conflict; a read passes.
    Conflict,
    /// A transaction is not sent, and fails as one that is still in progress; other requests pass.
    InProgress,
    /// It is sent after this delay.
    Delay(Duration),
    /// It is sent once [`FaultyHttp::latch()`] is open.
    Hold,
    /// Before it is sent, tokio's clock jumps ahead by this long ([`patience::skip`]).
    Skip(Duration),
}

/// A wire that applies a schedule of faults, one per request to DynamoDB. After the last fault, requests
/// succeed; requests to other services always do. Clones share the schedule.
#[derive(Clone, Debug)]
pub struct FaultyHttp {
    https: Https,
    schedule: Arc<Mutex<VecDeque<Fault>>>,
    asked: watch::Sender<usize>,
    latch: Latch,
    /// The requests in flight, if they outlive their callers.
    on_their_way: Option<Arc<Mutex<JoinSet<()>>>>,
    /// Copies of the sent writes, if copies are kept.
    copies: Arc<Mutex<Option<Vec<Request<SdkBody>>>>>,
}

impl FaultyHttp {
    /// A network with these faults, in this order.
    pub fn new(schedule: impl IntoIterator<Item = Fault>) -> Self {
        let schedule = Arc::new(Mutex::new(schedule.into_iter().collect()));
        Self {
            https: Https::new(),
            schedule,
            asked: watch::Sender::new(0),
            latch: Latch::default(),
            on_their_way: None,
            copies: Arc::default(),
        }
    }

    /// Makes a request continue after its caller is gone, as on a real network.
    #[must_use]
    pub fn outliving_callers(self) -> Self {
        Self { on_their_way: Some(Arc::default()), ..self }
    }

    /// Waits until no request is in flight.
    pub async fn settle(&self) {
        if let Some(requests) = &self.on_their_way {
            let requests = std::mem::take(&mut *lock(requests));
            requests.join_all().await;
        }
    }

    /// The client of an application on this network.
    pub fn outbound(&self) -> Outbound {
        patience::patient_over(self.clone())
    }

    /// Holds the requests that meet [`Fault::Hold`].
    pub fn latch(&self) -> &Latch {
        &self.latch
    }

    /// Keeps a copy of every write from now on, for [`Self::deliver_late_copies`].
    pub fn keep_copies(&self) {
        *self.copies() = Some(Vec::new());
    }

    /// Sends the kept copies in their order and with their signatures, as attempts that arrive after the SDK
    /// has given up on them and retried. Returns the operations that DynamoDB executed and those that it
    /// refused.
    ///
    /// # Panics
    /// A copy gets no answer.
    pub async fn deliver_late_copies(&self) -> (Vec<String>, Vec<String>) {
        let copies = self.copies().take().unwrap_or_default();
        let (mut done, mut refused) = (Vec::new(), Vec::new());
        for request in copies {
            let operation = operation_of(&request).to_owned();
            let answer = self.https.send(request).await;
            let answer = answer.unwrap_or_else(|error| panic!("{operation}: {error:?}"));
            if answer.status().is_success() { &mut done } else { &mut refused }.push(operation);
        }
        (done, refused)
    }

    fn copies(&self) -> MutexGuard<'_, Option<Vec<Request<SdkBody>>>> {
        lock(&self.copies)
    }

    fn keep_copy(&self, request: &Request<SdkBody>) {
        if let Some(copies) = self.copies().as_mut()
            && effect(request).is_some()
            && let Some(request) = copy_of(request)
        {
            copies.push(request);
        }
    }

    /// Appends faults to the schedule.
    pub fn schedule(&self, faults: impl IntoIterator<Item = Fault>) {
        lock(&self.schedule).extend(faults);
    }

    /// Waits until DynamoDB has received this many requests.
    pub async fn is_asked(&self, requests: usize) {
        // This struct owns the sender, so the wait cannot fail.
        let _ = self.asked.subscribe().wait_for(|asked| *asked >= requests).await;
    }

    /// Runs the work of a process that crashes once DynamoDB has received this many requests, if it ever
    /// does: the work is dropped while a request is in flight, and perhaps executed.
    pub async fn run_until_crash(&self, after: Option<usize>, work: impl Future<Output = ()>) {
        let crash = async {
            match after {
                Some(requests) => self.is_asked(requests).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = crash => {}
            () = work => {}
        }
    }

    /// Number of faults that no request has used yet.
    pub fn left(&self) -> usize {
        lock(&self.schedule).len()
    }

    fn next(&self) -> Fault {
        lock(&self.schedule).pop_front().unwrap_or(Fault::Pass)
    }

    /// Runs a request in its own task, whether or not its caller still waits for it.
    fn outliving_caller(&self, exchange: Sending) -> Sending {
        let Some(requests) = self.on_their_way.clone() else { return exchange };
        Box::pin(async move {
            let (sender, answer) = tokio::sync::oneshot::channel();
            lock(&requests).spawn(async move {
                // The caller may no longer exist.
                let _ = sender.send(exchange.await);
            });
            answer.await.unwrap_or_else(|_gone| Err(lost("request")))
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Wire for FaultyHttp {
    fn send(&self, request: Request<SdkBody>) -> Sending {
        let https = self.https.clone();
        if !is_for_dynamodb(&request) {
            return https.send(request);
        }
        let (fault, operation) = (self.next(), operation_of(&request).to_owned());
        self.asked.send_modify(|asked| *asked = asked.saturating_add(1));
        self.keep_copy(&request);
        let latch = self.latch.clone();
        self.outliving_caller(Box::pin(async move {
            match (fault, operation.as_str()) {
                (Fault::LoseRequest, _) => Err(lost("request")),
                (Fault::LoseAnswer, _) => {
                    https.send(request).await?;
                    Err(lost("answer"))
                }
                (Fault::Conflict, "TransactWriteItems") => Ok(refusal(
                    "TransactionCanceledException",
                    r#""CancellationReasons":[{"Code":"TransactionConflict"}]"#,
                )),
                (Fault::Conflict, "PutItem" | "UpdateItem" | "DeleteItem") => {
                    Ok(refusal("TransactionConflictException", r#""message":"ongoing""#))
                }
                (Fault::InProgress, "TransactWriteItems") => {
                    Ok(refusal("TransactionInProgressException", r#""message":"in progress""#))
                }
                (Fault::Delay(span), _) => {
                    tokio::time::sleep(span).await;
                    https.send(request).await
                }
                (Fault::Hold, _) => {
                    latch.pass().await;
                    https.send(request).await
                }
                (Fault::Skip(span), _) => {
                    patience::skip(span).await;
                    https.send(request).await
                }
                (Fault::Pass | Fault::Conflict | Fault::InProgress, _) => https.send(request).await,
            }
        }))
    }
}

/// Which requests are held.
type Choice = dyn Fn(&Request<SdkBody>) -> bool + Send + Sync;

/// A wire that holds the requests that a test chooses, until its latch is open. Clones share the latch.
#[derive(Clone)]
pub struct HoldingHttp {
    https: Https,
    holds: Arc<Choice>,
    latch: Latch,
}

impl fmt::Debug for HoldingHttp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("HoldingHttp").field(&self.latch).finish()
    }
}

impl HoldingHttp {
    /// A network that holds these requests.
    pub fn new(holds: impl Fn(&Request<SdkBody>) -> bool + Send + Sync + 'static) -> Self {
        Self { https: Https::new(), holds: Arc::new(holds), latch: Latch::default() }
    }

    /// The client of an application on this network.
    pub fn outbound(&self) -> Outbound {
        patience::patient_over(self.clone())
    }

    /// Holds the chosen requests.
    pub fn latch(&self) -> &Latch {
        &self.latch
    }
}

impl Wire for HoldingHttp {
    fn send(&self, request: Request<SdkBody>) -> Sending {
        if !(self.holds)(&request) {
            return self.https.send(request);
        }
        let (https, latch) = (self.https.clone(), self.latch.clone());
        Box::pin(async move {
            latch.pass().await;
            https.send(request).await
        })
    }
}

fn is_for_dynamodb(request: &Request<SdkBody>) -> bool {
    target_of(request).starts_with("DynamoDB_")
}

/// A copy of a request, if its body is in memory.
fn copy_of(request: &Request<SdkBody>) -> Option<Request<SdkBody>> {
    let body = request.body().try_clone()?;
    let mut copy = Request::new(body);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.version_mut() = request.version();
    *copy.headers_mut() = request.headers().clone();
    Some(copy)
}

/// A refusal in DynamoDB's format (Amazon DynamoDB API Reference, `TransactWriteItems`, "Errors").
fn refusal(kind: &str, fields: &str) -> Response<SdkBody> {
    let body = format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{kind}",{fields}}}"#);
    let mut response = Response::new(SdkBody::from(body));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let json = http::HeaderValue::from_static("application/x-amz-json-1.0");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

fn lost(what: &str) -> WireError {
    format!("the {what} is lost").into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shared::keys;
    use store::{
        Claimed, CommitError, Entity, Update, Writes, fields,
        lists::{append, total},
    };

    use super::*;
    use crate::stack::LocalStack;

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Note {
        text: Option<String>,
        expires_at: i64,
    }

    impl Entity for Note {
        const ENTITY: &'static str = "note";
    }

    fields!(Note {
        TEXT: Option<String> = text,
    });

    /// DynamoDB refuses a single write while a transaction holds its row, and the SDK by itself would not
    /// retry.
    #[tokio::test]
    async fn single_writes_that_meet_a_transaction_are_retried() {
        let stack = LocalStack::start().await;
        let network = FaultyHttp::new([]);
        let store = stack.store_over(network.clone());
        let key = keys::sign_in_message("conflict");
        let note = Note { text: Some("x".to_owned()), expires_at: i64::MAX };
        network.schedule([Fault::Conflict]);
        store.put(&key, &note).await.unwrap();
        network.schedule([Fault::Conflict, Fault::Conflict]);
        assert!(store.delete(&key).await.unwrap());
        network.schedule([Fault::Conflict]);
        assert_eq!(store.claim(&key, &note, None).await.unwrap(), Claimed::New);
        network.schedule([Fault::Conflict]);
        assert_eq!(store.use_up::<Note>(&key, Update::new()).await.unwrap(), Some(note));
        assert_eq!(network.left(), 0);
    }

    /// How policies judge the keys of a batch that spans tables is not documented (docs/operations/rights.md).
    #[tokio::test]
    async fn a_batch_reads_one_table() {
        let stack = LocalStack::start().await;
        let network = FaultyHttp::new([]);
        let store = stack.store_over(network.clone());
        let (one, other) = (keys::sign_in_message("one"), keys::sign_in_message("other"));
        let elsewhere = keys::referral("elsewhere");
        let note = |text: &str| Note { text: Some(text.to_owned()), expires_at: i64::MAX };
        for (key, text) in [(&one, "one"), (&other, "other"), (&elsewhere, "elsewhere")] {
            store.put(key, &note(text)).await.unwrap();
        }
        for (keys, requests) in [
            (vec![&one, &other], 1),
            (vec![&one, &elsewhere], 2),
            (vec![&elsewhere, &one, &other], 2),
        ] {
            let keys: Vec<_> = keys.into_iter().cloned().collect();
            network.schedule([Fault::Pass; 3]);
            let found = store.get_many::<Note>(&keys).await.unwrap();
            assert_eq!(network.left(), 3_usize.saturating_sub(requests));
            network.schedule.lock().unwrap().clear();
            let texts = found.into_iter().map(|found| found.unwrap().text.unwrap());
            let written = keys.iter().map(|key| key.pk().rsplit('#').next().unwrap().to_owned());
            assert_eq!(texts.collect::<Vec<_>>(), written.collect::<Vec<_>>());
        }
    }

    /// The SDK gives up an attempt and retries, and the first attempt arrives after the row was used up.
    #[tokio::test]
    async fn a_late_write_does_not_restore_a_used_row() {
        let stack = LocalStack::start().await;
        let network = FaultyHttp::new([]);
        let store = stack.store_over(network.clone());
        let key = keys::sign_in_message("once");
        let note = Note { text: Some("a secret".to_owned()), expires_at: i64::MAX };
        network.keep_copies();
        network.schedule([Fault::LoseAnswer]);
        store.issue(&key, &note).await.unwrap();
        assert_eq!(store.use_up(&key, Update::new().remove(Note::TEXT)).await.unwrap(), Some(note));
        assert!(store.use_up(&key, Update::new().remove(Note::TEXT)).await.unwrap().is_none());
        let (done, refused) = network.deliver_late_copies().await;
        assert_eq!((done.len(), refused.len()), (0, 4));
        assert!(store.use_up(&key, Update::new().remove(Note::TEXT)).await.unwrap().is_none());
        let kept = stack.contents();
        assert!(!serde_json::to_string(&kept).unwrap().contains("a secret"), "{kept:?}");

        // No other row is issued under the same key.
        let other = Note { text: Some("another".to_owned()), expires_at: i64::MAX };
        assert!(store.issue(&key, &other).await.is_err());
    }

    /// If the answer to a claim is lost, the SDK's retry meets the claim's own row.
    #[tokio::test]
    async fn a_retried_claim_recognizes_its_own_row() {
        let stack = LocalStack::start().await;
        let network = FaultyHttp::new([]);
        let store = stack.store_over(network.clone());
        let key = keys::sign_in_message("claim");
        let note = |text: &str| Note { text: Some(text.to_owned()), expires_at: i64::MAX };
        network.schedule([Fault::LoseAnswer]);
        assert_eq!(store.claim(&key, &note("mine"), None).await.unwrap(), Claimed::New);
        assert_eq!(network.left(), 0);
        assert_eq!(
            store.claim(&key, &note("yours"), None).await.unwrap(),
            Claimed::Existing(note("mine"))
        );
    }

    #[tokio::test]
    async fn requests_and_answers_are_lost_as_scheduled() {
        let stack = LocalStack::start().await;
        let network = FaultyHttp::new([]);
        let store = stack.store_over(network.clone());
        let list = keys::lists::scratch("faults");
        let draft = |_| (Writes::<std::convert::Infallible>::new(), 1_u8);

        // The commit's answer is lost; the retry finds it done and does not repeat it.
        network.schedule([Fault::Pass, Fault::LoseAnswer]);
        append(&store, std::slice::from_ref(&list), draft).await.unwrap();
        assert_eq!(total(&store, &list).await.unwrap(), 1);

        // Every attempt to commit is lost before it is sent.
        network.schedule([Fault::Pass, Fault::LoseRequest, Fault::LoseRequest, Fault::LoseRequest]);
        let error = append(&store, std::slice::from_ref(&list), draft).await.unwrap_err();
        assert!(matches!(error, CommitError::Store(_)));
        assert_eq!(network.left(), 0);
        assert_eq!(total(&store, &list).await.unwrap(), 1);

        // Two conflicts with another writer; then the transaction meets its own first attempt. All attempts
        // carry one token, and none reads again.
        network.schedule([Fault::Pass, Fault::Conflict, Fault::Conflict, Fault::InProgress]);
        append(&store, std::slice::from_ref(&list), draft).await.unwrap();
        assert_eq!((network.left(), total(&store, &list).await.unwrap()), (0, 2));

        // The commit succeeds, but its answer is lost, and the retry is answered with a conflict.
        network.schedule([Fault::Pass, Fault::LoseAnswer, Fault::Conflict]);
        append(&store, std::slice::from_ref(&list), draft).await.unwrap();
        assert_eq!((network.left(), total(&store, &list).await.unwrap()), (0, 3));

        network.schedule([Fault::Delay(Duration::from_millis(1))]);
        assert_eq!(total(&store, &list).await.unwrap(), 3);
        assert_eq!(network.left(), 0);
    }
}
