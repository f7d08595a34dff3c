//! Queues of SQS: what goes into one, and how long a message that is worked on stays hidden.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_sdk_sqs::{
    Client,
    config::Region,
    error::{BuildError, DisplayErrorContext},
    types::{MessageAttributeValue, QueueAttributeName, SendMessageBatchRequestEntry},
};
use serde::Serialize;

use crate::{
    aws::{self, AwsConfig},
    outbound::Outbound,
    span::{Context, TraceParent},
};

/// The most messages that SQS takes in one call (`SendMessageBatch`).
const BATCH: usize = 10;

/// SQS failed or gave an unexpected answer. Some of the messages to send may be in the queue.
#[derive(Debug, thiserror::Error)]
#[error("unexpected answer from SQS: {0}")]
pub struct QueueError(String);

/// A queue.
#[derive(Debug)]
pub struct Queue {
    aws: Arc<AwsConfig>,
    url: String,
    outbound: Outbound,
    client: OnceLock<Client>,
}

impl Queue {
    /// The queue at `url`; connects nowhere yet.
    pub fn new(aws: Arc<AwsConfig>, url: String, outbound: Outbound) -> Self {
        Self { aws, url, outbound, client: OnceLock::new() }
    }

    /// Made at its first use, so that a function without queues neither makes nor even links it.
    fn client(&self) -> &Client {
        self.client.get_or_init(|| {
            let mut config = aws_sdk_sqs::Config::builder()
                .region(Region::new(self.aws.region.clone()))
                .credentials_provider(self.aws.credentials())
                .http_client(self.outbound.clone())
                .timeout_config(aws::timeouts(&self.outbound));
            config.set_endpoint_url(self.aws.sqs_endpoint.clone());
            config.set_interceptors(aws::interceptors(&self.outbound));
            Client::from_conf(config.build())
        })
    }

    /// Queues messages as JSON, in one call for every ten.
    ///
    /// # Errors
    /// As [`Self::send_later`].
    pub async fn send_all<T: Serialize>(&self, messages: &[T]) -> Result<(), QueueError> {
        self.send_later(messages, Duration::ZERO).await
    }

    /// The same; workers get the messages after `delay`, at most a quarter of an hour.
    ///
    /// # Errors
    /// [`QueueError`] if a call fails or SQS refuses a message. Earlier messages are queued all the same.
    pub async fn send_later<T: Serialize>(
        &self,
        messages: &[T],
        delay: Duration,
    ) -> Result<(), QueueError> {
        let delay = i32::try_from(delay.as_secs()).unwrap_or(i32::MAX);
        let parent = self.parent().map_err(|error| QueueError(error.to_string()))?;
        for messages in messages.chunks(BATCH) {
            let entries = messages.iter().enumerate();
            let entries =
                entries.map(|(place, message)| entry(place, message, parent.clone(), delay));
            let batch = self.client().send_message_batch().queue_url(&self.url);
            let batch = batch.set_entries(Some(entries.collect::<Result<_, _>>()?));
            let output = batch.send().await;
            let output =
                output.map_err(|error| QueueError(DisplayErrorContext(error).to_string()))?;
            if let Some(refused) = output.failed().first() {
                return Err(QueueError(format!("it refused a message: {}", refused.code())));
            }
        }
        Ok(())
    }

    /// The attribute that names the current trace to the message's worker, if the trace is recorded.
    fn parent(&self) -> Result<Option<MessageAttributeValue>, BuildError> {
        let context = self.outbound.is_traced().then(Context::current).flatten();
        let Some(context) = context else { return Ok(None) };
        let value = MessageAttributeValue::builder().data_type("String");
        value.string_value(context.parent().to_string()).build().map(Some)
    }

    /// About how many messages wait.
    ///
    /// # Errors
    /// [`QueueError`].
    pub async fn length(&self) -> Result<u64, QueueError> {
        let wanted = QueueAttributeName::ApproximateNumberOfMessages;
        let asked = self.client().get_queue_attributes().queue_url(&self.url);
        let output = asked.attribute_names(wanted.clone()).send().await;
        let output = output.map_err(|error| QueueError(DisplayErrorContext(error).to_string()))?;
        let number = output.attributes.as_ref().and_then(|found| found.get(&wanted));
        let number = number.and_then(|number| number.parse().ok());
        number.ok_or_else(|| QueueError("it names no number of messages".to_owned()))
    }

    /// Hides a received message for this long from now.
    pub async fn hide(&self, receipt: &str, span: Duration) -> Result<(), QueueError> {
        let change = self.client().change_message_visibility().queue_url(&self.url);
        let seconds = i32::try_from(span.as_secs()).unwrap_or(i32::MAX);
        let change = change.receipt_handle(receipt).visibility_timeout(seconds).send().await;
        change.map(drop).map_err(|error| QueueError(DisplayErrorContext(error).to_string()))
    }
}

/// `place` distinguishes the message from the others of its batch.
fn entry<T: Serialize>(
    place: usize,
    message: &T,
    parent: Option<MessageAttributeValue>,
    delay_seconds: i32,
) -> Result<SendMessageBatchRequestEntry, QueueError> {
    let body = serde_json::to_string(message).map_err(|error| QueueError(error.to_string()))?;
    let mut entry =
        SendMessageBatchRequestEntry::builder().id(place.to_string()).message_body(body);
    if let Some(parent) = parent {
        entry = entry.message_attributes(TraceParent::NAME, parent);
    }
    if delay_seconds > 0 {
        entry = entry.delay_seconds(delay_seconds);
    }
    entry.build().map_err(|error| QueueError(error.to_string()))
}
