//! Mails on their way: what a function asks for, and the queue that the mail worker reads.

use std::{fmt, sync::Arc};

use base::{
    aws::AwsConfig,
    clock::Timestamp,
    outbound::Outbound,
    queue::{Queue, QueueError},
    secret::reveal,
};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::models::{account::AccountId, change::AccountChange};

/// A mail: the body of a message in the queue, as JSON.
///
/// `Debug` shows neither its recipient nor its content.
#[derive(Clone, Serialize, Deserialize)]
pub struct Mail {
    /// The sender's own id: of any number of messages with it, one mail is sent.
    pub id: Uuid,
    /// Whom it is to.
    pub to: Recipient,
    /// The content.
    pub letter: Letter,
    /// When the change that it reports happened.
    pub at: Timestamp,
}

/// Whom a mail is to.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Recipient {
    /// An address.
    Address(String),
    /// The address of an account when the mail is sent, if its owner has verified it: for senders that may not read
    /// accounts.
    Owner {
        /// The account.
        account: AccountId,
    },
}

impl Recipient {
    /// The address, if it is known.
    pub fn address(&self) -> Option<&str> {
        match self {
            Self::Address(address) => Some(address),
            Self::Owner { .. } => None,
        }
    }
}

impl From<String> for Recipient {
    fn from(address: String) -> Self {
        Self::Address(address)
    }
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mail({}, {})", self.id, self.letter.kind())
    }
}

/// The content of a mail.
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
        /// What the link carries in addition to the address.
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
    /// To an account's address: that coins of its trading wallet should be renewed.
    Renewal {
        /// How many.
        coins: u64,
        /// Their sats together.
        sats: u64,
        /// The blocks until the user alone can spend the first of them.
        blocks: u32,
    },
    /// To an account's address: that something about it has changed.
    Notice {
        /// The change.
        change: AccountChange,
    },
}

impl Letter {
    /// When the link in it stops working, if it has one.
    pub fn expires_at(&self) -> Option<Timestamp> {
        match self {
            Self::VerifyEmail { expires_at, .. } | Self::ConfirmEmail { expires_at, .. } => {
                Some(*expires_at)
            }
            Self::EmailChange { .. } | Self::Notice { .. } | Self::Renewal { .. } => None,
        }
    }

    /// Its name, for the log.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::VerifyEmail { .. } => "verifyEmail",
            Self::ConfirmEmail { .. } => "confirmEmail",
            Self::EmailChange { .. } => "emailChange",
            Self::Notice { .. } => "notice",
            Self::Renewal { .. } => "renewal",
        }
    }
}

base::section! {
    /// Where mails are queued.
    pub struct MailQueueConfig {
        /// URL of the queue of mails to send; mails with links that expire go to the queue with this URL and `-links` at its end
        pub url: String = "MAIL_QUEUE_URL",
    }
}

impl MailQueueConfig {
    /// URL of the queue of mails with links that expire. It has no variable of its own, since those of `auth` would not fit
    /// into what Lambda accepts.
    pub fn links_url(&self) -> String {
        format!("{}-links", self.url)
    }
}

/// The queues of the mails that are to be sent. Mails with links that expire have a queue and runs of the worker of their
/// own, so that no number of notices delays them.
#[derive(Debug)]
pub struct MailQueue {
    notices: Queue,
    links: Queue,
}

impl MailQueue {
    /// The queues of the settings; connects nowhere yet.
    pub fn new(aws: Arc<AwsConfig>, config: MailQueueConfig, outbound: Outbound) -> Self {
        let links = Queue::new(aws.clone(), config.links_url(), outbound.clone());
        Self { notices: Queue::new(aws, config.url, outbound), links }
    }

    /// Queues a mail.
    ///
    /// # Errors
    /// [`QueueError`]: asking again with the same id is safe.
    pub async fn send(&self, mail: &Mail) -> Result<(), QueueError> {
        self.send_all(std::slice::from_ref(mail)).await
    }

    /// Queues mails, those with links first, in one call for every ten of a queue.
    ///
    /// # Errors
    /// [`QueueError`]: asking again with the same ids is safe.
    pub async fn send_all(&self, mails: &[Mail]) -> Result<(), QueueError> {
        let (links, notices): (Vec<_>, Vec<_>) =
            mails.iter().partition(|mail| mail.letter.expires_at().is_some());
        self.links.send_all(&links).await?;
        self.notices.send_all(&notices).await
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    fn mail(letter: Letter) -> Mail {
        Mail {
            id: Uuid::nil(),
            to: "a@example.com".to_owned().into(),
            letter,
            at: Timestamp(1_000),
        }
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
                Letter::Notice { change: AccountChange::PasswordChanged },
                json!({ "notice": { "change": "passwordChanged" } }),
            ),
            (
                Letter::Renewal { coins: 2, sats: 600, blocks: 4_031 },
                json!({ "renewal": { "coins": 2, "sats": 600, "blocks": 4_031 } }),
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
    fn an_owner_is_named_by_account() {
        let account: AccountId = "0197d3f0-0000-7000-8000-000000000000".parse().unwrap();
        let letter = Letter::Notice { change: AccountChange::WebhookFailed };
        let mail = Mail { to: Recipient::Owner { account }, ..mail(letter) };
        let message = serde_json::to_value(mail).unwrap();
        assert_eq!(message.get("to"), Some(&json!({ "account": account })));
        let read: Mail = serde_json::from_value(message).unwrap();
        assert_eq!(read.to.address(), None);
    }

    #[test]
    fn neither_address_nor_token_is_printed() {
        let token = SecretString::from("s3cret");
        let mail = mail(Letter::VerifyEmail { token, expires_at: Timestamp(2_000) });
        assert_eq!(format!("{mail:?}"), format!("Mail({}, verifyEmail)", Uuid::nil()));
    }
}
