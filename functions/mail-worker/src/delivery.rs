//! From a mail to SES, once per id.

use std::time::Duration;

use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::json;
use shared::{
    app::App,
    aws::Signed,
    clock::Timestamp,
    mail::Mail,
    outbound::OutboundError,
    store::{Entity, Key, StoreError, Update},
};

use crate::letters::{self, Written};

/// How long a claim holds without a note: longer than the function's timeout, and over before the
/// queue shows the message again (both in `template.yaml`).
const LEASE: Duration = Duration::from_secs(60);
/// How long it is known that a mail was sent: longer than the queue keeps a message.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest address (RFC 5321, section 4.5.3.1.3, without the angle brackets).
const LONGEST_ADDRESS: usize = 254;

/// That a mail is being sent, or was.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claim {
    sent: bool,
    lease_until: Timestamp,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Entity for Claim {
    const ENTITY: &'static str = "mail";
}

/// What came of a mail that needs no further attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// SES has it.
    Sent,
    /// SES had it before.
    Duplicate,
    /// Its link works no more, so it is not sent.
    Expired,
}

impl Outcome {
    /// Its name in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Duplicate => "duplicate",
            Self::Expired => "expired",
        }
    }
}

/// Why a mail was not sent. Tells no address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DeliveryError {
    /// Something in it would be no plain address in a header.
    #[error("the address is not one that mails are sent to")]
    Address,
    /// Another run has claimed it, and may still send it.
    #[error("another run is sending it")]
    InProgress,
    /// A template failed.
    #[error("the template: {0}")]
    Template(#[from] askama::Error),
    /// The claim could not be made.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// SES did not accept it.
    #[error("SES: {0}")]
    Ses(#[from] OutboundError),
}

/// Sends mails.
pub(crate) struct Delivery<'a> {
    app: &'a App,
    ses: Signed,
}

impl<'a> Delivery<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        let aws = app.config.aws.clone();
        let endpoint = aws.ses_endpoint.clone();
        let ses = Signed::new(aws, app.outbound.clone(), "ses", "email", endpoint.as_deref());
        Self { app, ses }
    }

    /// Sends a mail, unless it was sent before.
    pub(crate) async fn send(&self, mail: &Mail) -> Result<Outcome, DeliveryError> {
        let (app, now) = (self.app, self.app.clock.now());
        if mail.letter.expires_at().is_some_and(|end| end <= now) {
            return Ok(Outcome::Expired);
        }
        if !is_plain_address(&mail.to) {
            return Err(DeliveryError::Address);
        }
        let written = letters::write(mail, &app.config.mail.app_url)?;
        let row = Key::mail(mail.id);
        let claim = Claim {
            sent: false,
            lease_until: now.plus(LEASE),
            expires_at: now.plus(KEPT).seconds(),
        };
        let abandoned = Update::new().if_equal("sent", false).if_below("leaseUntil", now);
        match app.store.claim(&row, &claim, Some(abandoned)).await? {
            Err(earlier) if earlier.sent => return Ok(Outcome::Duplicate),
            Err(_) => return Err(DeliveryError::InProgress),
            Ok(()) => {}
        }
        self.hand_over(&mail.to, &written).await?;
        // SES has it, so this message is dealt with; without the note a second one is sent again.
        if let Err(error) = app.store.put(&row, &Claim { sent: true, ..claim }).await {
            tracing::error!(mail_id = %mail.id, %error, "a mail was not noted as sent");
        }
        Ok(Outcome::Sent)
    }

    /// `SendEmail` (Amazon SES API v2 Reference).
    async fn hand_over(&self, to: &str, written: &Written) -> Result<(), OutboundError> {
        let utf8 = |text: &str| json!({ "Data": text, "Charset": "UTF-8" });
        let request = json!({
            "FromEmailAddress": self.app.config.mail.from,
            "Destination": { "ToAddresses": [to] },
            "Content": { "Simple": {
                "Subject": utf8(written.subject),
                "Body": { "Text": utf8(&written.text), "Html": utf8(&written.html) },
            } },
        });
        self.ses.post::<IgnoredAny>("/v2/email/outbound-emails", &request).await.map(drop)
    }
}

/// Whether a text is one address and nothing else: SES reads more than that in a recipient (names,
/// comments, lists), and a header ends at a line break.
fn is_plain_address(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && !b"\"(),:;<>[\\]@".contains(&byte);
    text.len() <= LONGEST_ADDRESS
        && text.split_once('@').is_some_and(|(local, domain)| {
            !local.is_empty()
                && !domain.is_empty()
                && local.bytes().chain(domain.bytes()).all(plain)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_addresses_are_sent_to() {
        for good in ["a@example.com", "first.last+tag@sub.example.com", "o'neil@example.com"] {
            assert!(is_plain_address(good), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(LONGEST_ADDRESS));
        for bad in [
            "",
            "a",
            "@example.com",
            "a@",
            "a@b@example.com",
            "a@example.com\r\nBcc: b@example.com",
            "a@example.com\n",
            "a b@example.com",
            "a@example.com,b@example.com",
            "a@example.com;b@example.com",
            "A <a@example.com>",
            "\"a\"@example.com",
            "a(comment)@example.com",
            "ä@example.com",
            "a@exämple.com",
            &long,
        ] {
            assert!(!is_plain_address(bad), "{bad:?}");
        }
    }
}
