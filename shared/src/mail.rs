//! Mails on their way: what a function asks for, and the queue that the mail worker reads.

use std::fmt;

use aws_sdk_sqs::{
    Client, config::Region, error::DisplayErrorContext, types::SendMessageBatchRequestEntry,
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    aws,
    clock::Timestamp,
    config::AwsConfig,
    http::{AreaError, Problem, reveal},
    models::change::Change,
    outbound::Outbound,
};

/// The most messages that SQS takes in one call (`SendMessageBatch`).
const BATCH: usize = 10;

/// A mail: the body of a message in the queue, as JSON.
///
/// `Debug` tells neither whom it is to nor what is in it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Mail {
    /// The sender's own id: of any number of messages with it, one mail is sent.
    pub id: Uuid,
    /// The address that it is to.
    pub to: String,
    /// What it says.
    pub letter: Letter,
    /// When what it tells of happened.
    pub at: Timestamp,
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mail({}, {})", self.id, self.letter.kind())
    }
}

/// What a mail says.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Letter {
    /// To the address of a new account: a link that proves it.
    VerifyEmail {
        /// What the link carries.
        #[serde(serialize_with = "reveal")]
        token: SecretString,
        /// When the link stops working.
        expires_at: Timestamp,
    },
    /// To the address that an account is to change to: a link that proves it.
    ConfirmEmail {
        /// What the link carries, beside the address.
        #[serde(serialize_with = "reveal")]
        token: SecretString,
        /// When the link stops working.
        expires_at: Timestamp,
    },
    /// To an account's address: that a change to another one was asked for.
    EmailChange {
        /// The other address, whole: the mail shows it masked.
        new_email: String,
    },
    /// To an account's address: that something about it has changed.
    Notice {
        /// What.
        change: Change,
    },
}

impl Letter {
    /// When the link in it stops working, if it has one.
    pub fn expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::VerifyEmail { expires_at, .. } | Self::ConfirmEmail { expires_at, .. } => {
                Some(*expires_at)
            }
            Self::EmailChange { .. } | Self::Notice { .. } => None,
        }
    }

    /// Its name, for the log.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::VerifyEmail { .. } => "verifyEmail",
            Self::ConfirmEmail { .. } => "confirmEmail",
            Self::EmailChange { .. } => "emailChange",
            Self::Notice { .. } => "notice",
        }
    }
}

/// Mails that were not queued, or not all of them: asking again with the same ids is safe.
#[derive(Debug, thiserror::Error)]
#[error("the mail queue does not answer as it should: {0}")]
pub struct MailError(String);

impl AreaError for MailError {
    fn problem(&self) -> Problem {
        Problem::Unavailable
    }
}

/// The queue of the mails that are to be sent. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct MailQueue {
    client: Client,
    url: String,
}

impl MailQueue {
    /// The queue at `url`; connects nowhere yet.
    pub fn new(aws: &AwsConfig, url: String, outbound: Outbound) -> Self {
        let mut config = aws_sdk_sqs::Config::builder()
            .region(Region::new(aws.region.clone()))
            .credentials_provider(aws.credentials())
            .http_client(outbound)
            .timeout_config(aws::timeouts());
        config.set_endpoint_url(aws.sqs_endpoint.clone());
        Self { client: Client::from_conf(config.build()), url }
    }

    /// Queues a mail.
    ///
    /// # Errors
    /// [`MailError`].
    pub async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        self.send_all(std::slice::from_ref(mail)).await
    }

    /// Queues mails, in one call for every ten.
    ///
    /// # Errors
    /// [`MailError`]; some of them may be queued then.
    pub async fn send_all(&self, mails: &[Mail]) -> Result<(), MailError> {
        for mails in mails.chunks(BATCH) {
            let entries = mails.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
            let batch = self.client.send_message_batch().queue_url(&self.url);
            let output = batch.set_entries(Some(entries)).send().await;
            let output =
                output.map_err(|error| MailError(DisplayErrorContext(error).to_string()))?;
            if let Some(refused) = output.failed().first() {
                return Err(MailError(format!("it refused a mail: {}", refused.code())));
            }
        }
        Ok(())
    }
}

fn entry(mail: &Mail) -> Result<SendMessageBatchRequestEntry, MailError> {
    let body = serde_json::to_string(mail).map_err(|error| MailError(error.to_string()))?;
    let entry = SendMessageBatchRequestEntry::builder().id(mail.id.to_string()).message_body(body);
    entry.build().map_err(|error| MailError(error.to_string()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mail(letter: Letter) -> Mail {
        Mail { id: Uuid::nil(), to: "a@example.com".to_owned(), letter, at: Timestamp(1_000) }
    }

    #[test]
    fn a_message_is_read_as_it_was_written() {
        let (token, expires_at) = (SecretString::from("s3cret"), Timestamp(2_000));
        for (letter, said) in [
            (
                Letter::VerifyEmail { token: token.clone(), expires_at },
                json!({ "verifyEmail": { "token": "s3cret", "expiresAt": 2_000 } }),
            ),
            (
                Letter::ConfirmEmail { token, expires_at },
                json!({ "confirmEmail": { "token": "s3cret", "expiresAt": 2_000 } }),
            ),
            (
                Letter::EmailChange { new_email: "b@example.com".to_owned() },
                json!({ "emailChange": { "newEmail": "b@example.com" } }),
            ),
            (
                Letter::Notice { change: Change::PasswordChanged },
                json!({ "notice": { "change": "passwordChanged" } }),
            ),
        ] {
            let kind = letter.kind();
            assert!(said.get(kind).is_some(), "{kind} is its name in the queue too");
            let message = json!({
                "id": Uuid::nil(), "to": "a@example.com", "letter": said, "at": 1_000,
            });
            assert_eq!(serde_json::to_value(mail(letter)).unwrap(), message);
            let read: Mail = serde_json::from_value(message.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), message);
        }
    }

    #[test]
    fn neither_address_nor_token_is_printed() {
        let token = SecretString::from("s3cret");
        let mail = mail(Letter::VerifyEmail { token, expires_at: Timestamp(2_000) });
        assert_eq!(format!("{mail:?}"), format!("Mail({}, verifyEmail)", Uuid::nil()));
    }
}
