//! Delivers the messages of a queue to its worker, as Lambda's event source mapping does.

use std::{collections::BTreeSet, time::Duration};

use aws_lambda_events::event::sqs::{SqsBatchResponse, SqsEvent, SqsMessage, SqsMessageAttribute};
use aws_sdk_sqs::{
    Client,
    error::DisplayErrorContext,
    types::{
        DeleteMessageBatchRequestEntry, Message, MessageAttributeValue, MessageSystemAttributeName,
    },
};
use base::{aws::AwsConfig, outbound::Outbound};

use crate::{
    aws::provision::sqs,
    base::failure::{Context, Failure, Result},
};

/// How long SQS holds a request open for messages, in seconds.
const LONG_POLL_SECONDS: i32 = 10;
/// How long to wait after a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// Delivers the messages of one queue.
#[derive(Clone, Debug)]
pub struct Pump {
    client: Client,
    url: String,
    batch: i32,
}

impl Pump {
    /// The pump of the queue `url` at the SQS endpoint `endpoint`; it delivers at most `batch` messages at a
    /// time (`BatchSize` in the template, up to 10).
    pub fn new(
        aws: &AwsConfig,
        endpoint: &str,
        url: &str,
        batch: i32,
        outbound: &Outbound,
    ) -> Self {
        Self { client: sqs(aws, endpoint, outbound), url: url.to_owned(), batch }
    }

    /// Delivers messages until none is visible; returns how many deliveries there were, including repeated
    /// ones of messages that failed.
    pub async fn drain<W>(&self, work: impl Fn(SqsEvent) -> W) -> Result<usize>
    where
        W: Future<Output = SqsBatchResponse>,
    {
        let mut all: usize = 0;
        loop {
            match self.batch(0, &work).await? {
                0 => return Ok(all),
                some => all = all.saturating_add(some),
            }
        }
    }

    /// Delivers messages forever.
    pub async fn run<W>(self, work: impl Fn(SqsEvent) -> W)
    where
        W: Future<Output = SqsBatchResponse>,
    {
        loop {
            if let Err(error) = self.batch(LONG_POLL_SECONDS, &work).await {
                tracing::error!(%error, "pump");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Delivers the next messages to the worker, and deletes those that the worker does not report as failed.
    /// The others reappear after their visibility timeout.
    async fn batch<W>(&self, wait_seconds: i32, work: impl Fn(SqsEvent) -> W) -> Result<usize>
    where
        W: Future<Output = SqsBatchResponse>,
    {
        let receive = self.client.receive_message().queue_url(&self.url);
        let received = receive
            .max_number_of_messages(self.batch)
            .wait_time_seconds(wait_seconds)
            .message_system_attribute_names(MessageSystemAttributeName::All)
            .message_attribute_names("All")
            .send()
            .await;
        let messages = received
            .map_err(|error| DisplayErrorContext(error).to_string())
            .context("receiving messages")?
            .messages
            .unwrap_or_default();
        if messages.is_empty() {
            return Ok(0);
        }
        let response = work(event(&messages)).await;
        let failed = response.batch_item_failures.iter().map(|item| item.item_identifier.as_str());
        self.delete(&messages, &failed.collect()).await?;
        Ok(messages.len())
    }

    async fn delete(&self, messages: &[Message], failed: &BTreeSet<&str>) -> Result<()> {
        let ids: BTreeSet<_> = messages.iter().filter_map(Message::message_id).collect();
        // If an answer names an unknown message, Lambda treats the whole batch as failed.
        if !failed.is_subset(&ids) {
            return Ok(());
        }
        let done = messages
            .iter()
            .filter(|message| message.message_id().is_some_and(|id| !failed.contains(id)));
        let entries: Vec<_> = done
            .map(|message| {
                DeleteMessageBatchRequestEntry::builder()
                    .set_id(message.message_id.clone())
                    .set_receipt_handle(message.receipt_handle.clone())
                    .build()
            })
            .collect::<std::result::Result<_, _>>()
            .context("deleting messages")?;
        if entries.is_empty() {
            return Ok(());
        }
        let delete = self.client.delete_message_batch().queue_url(&self.url);
        let output = delete.set_entries(Some(entries)).send().await;
        let output = output
            .map_err(|error| DisplayErrorContext(error).to_string())
            .context("deleting messages")?;
        match output.failed().first() {
            Some(refused) => Err(Failure::new(format!("deleting messages: {}", refused.code()))),
            None => Ok(()),
        }
    }
}

fn event(messages: &[Message]) -> SqsEvent {
    let mut event = SqsEvent::default();
    event.records = messages.iter().map(record).collect();
    event
}

fn record(message: &Message) -> SqsMessage {
    let mut record = SqsMessage::default();
    record.message_id = message.message_id.clone();
    record.receipt_handle = message.receipt_handle.clone();
    record.body = message.body.clone();
    record.md5_of_body = message.md5_of_body.clone();
    let attributes = message.attributes.iter().flatten();
    record.attributes =
        attributes.map(|(name, value)| (name.as_str().to_owned(), value.clone())).collect();
    let sent = message.message_attributes.iter().flatten();
    record.message_attributes =
        sent.map(|(name, value)| (name.clone(), attribute(value))).collect();
    record.event_source = Some("aws:sqs".to_owned());
    record
}

/// List values are left out: SQS does not implement them yet (`MessageAttributeValue`).
fn attribute(value: &MessageAttributeValue) -> SqsMessageAttribute {
    let mut attribute = SqsMessageAttribute::default();
    attribute.string_value = value.string_value.clone();
    attribute.data_type = Some(value.data_type.clone());
    attribute
}
