//! Hands mails to SES, one per mail id.

use std::{sync::OnceLock, time::Duration};

use aws_sdk_sesv2::{
    Client,
    config::Region,
    error::{ProvideErrorMetadata, SdkError},
    operation::send_email::SendEmailError,
    types::{Body, Content, Destination, EmailContent, Message},
};
use aws_smithy_runtime_api::client::{
    interceptors::context::InterceptorContext,
    retries::classifiers::{ClassifyRetry, RetryAction, RetryClassifierPriority},
};
use base::{
    aws::{self, AwsConfig},
    clock::Timestamp,
    outbound::{Outbound, OutboundError},
};
use serde::{Deserialize, Serialize};
use shared::{
    auth::limits,
    keys,
    mail::{Letter, Mail, Recipient},
    models::account::Account,
};
use store::{Claimed, Entity, StoreError, Update, fields};

use crate::{
    app::App,
    letters::{self, Written},
};

/// How long a claim is valid if the send is not recorded: longer than the function's timeout, and shorter
/// than the queue hides the message (both in `template.yaml`).
const LEASE: Duration = Duration::from_secs(60);
/// How long a sent mail is remembered: longer than the queue keeps a message.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// The longest address (RFC 5321, section 4.5.3.1.3, without the angle brackets).
const LONGEST_ADDRESS: usize = 254;

/// Row that claims a mail id, and later records that the mail was sent.
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

fields!(Claim { SENT: bool = sent, LEASE_UNTIL: Timestamp = lease_until });

/// Outcome of a message that needs no retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// SES accepted the mail.
    Sent,
    /// The mail was sent earlier.
    Duplicate,
    /// The mail's link has expired, so it is not sent.
    Expired,
    /// The account has no verified address.
    NoAddress,
    /// The account was mailed about as many changes of this kind as an account may be.
    Limited,
}

impl Outcome {
    /// Name of the outcome in the log.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Duplicate => "duplicate",
            Self::Expired => "expired",
            Self::NoAddress => "noAddress",
            Self::Limited => "limited",
        }
    }
}

/// Why a mail was not sent. The text contains no address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DeliveryError {
    /// The address is not a single plain address and could inject headers.
    #[error("the recipient is not a single plain address")]
    Address,
    /// Another run has claimed the mail, and may still send it.
    #[error("another run has claimed the mail")]
    InProgress,
    /// A template could not be rendered.
    #[error("failed to render the template: {0}")]
    Template(#[from] askama::Error),
    /// The claim could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// SES did not accept the mail.
    #[error("SES: {0}")]
    Ses(#[from] OutboundError),
}

/// Sends mails through SES.
pub(crate) struct Delivery<'a> {
    app: &'a App,
    ses: OnceLock<Client>,
}

impl<'a> Delivery<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        Self { app, ses: OnceLock::new() }
    }

    fn ses(&self) -> &Client {
        self.ses.get_or_init(|| ses(&self.app.aws, self.app.outbound.clone()))
    }

    /// Sends a mail, unless its id was sent before.
    pub(crate) async fn send(&self, mail: &Mail) -> Result<Outcome, DeliveryError> {
        let (app, now) = (self.app, self.app.clock.now());
        if mail.letter.expires_at().is_some_and(|end| end <= now) {
            return Ok(Outcome::Expired);
        }
        let Some(to) = self.address(&mail.to).await? else { return Ok(Outcome::NoAddress) };
        if !is_plain_address(&to) {
            return Err(DeliveryError::Address);
        }
        let written = letters::write(mail, &app.frontend.app_url)?;
        let row = keys::mail(mail.id);
        let claim = Claim {
            sent: false,
            lease_until: now.plus(LEASE),
            expires_at: now.plus(KEPT).seconds(),
        };
        let abandoned =
            Update::new().if_equal(Claim::SENT, false).if_below(Claim::LEASE_UNTIL, now);
        match app.store.claim(&row, &claim, Some(abandoned)).await? {
            Claimed::Existing(earlier) if earlier.sent => return Ok(Outcome::Duplicate),
            Claimed::Existing(_) => return Err(DeliveryError::InProgress),
            Claimed::New => {}
        }
        if !self.may_notify(mail).await {
            return Ok(Outcome::Limited);
        }
        self.hand_over(&to, &written).await?;
        // SES has accepted the mail, so this message is done; but without the record, another message with
        // the same id is sent again.
        if let Err(error) = app.store.put(&row, &Claim { sent: true, ..claim }).await {
            tracing::error!(mail_id = %mail.id, %error, "failed to record a mail as sent");
        }
        Ok(Outcome::Sent)
    }

    /// Whether an account may get another notice. Senders that know the address have counted theirs.
    async fn may_notify(&self, mail: &Mail) -> bool {
        match (&mail.to, &mail.letter) {
            (Recipient::Owner { account }, Letter::Notice { change }) => {
                limits::may_notify(self.app, *account, *change).await
            }
            _ => true,
        }
    }

    /// The address of a recipient.
    async fn address(&self, to: &Recipient) -> Result<Option<String>, StoreError> {
        match to {
            Recipient::Address(address) => Ok(Some(address.clone())),
            Recipient::Owner { account } => {
                let account = self.app.store.get::<Account>(&keys::account(*account)).await?;
                let account = account.filter(|account| account.email_verified);
                Ok(account.and_then(|account| account.email).map(|email| email.to_string()))
            }
        }
    }

    /// `SendEmail` (Amazon SES API v2 Reference).
    async fn hand_over(&self, to: &str, written: &Written) -> Result<(), OutboundError> {
        let sent = send_email(self.ses(), &self.app.sender.from, to, written).await;
        // Apart from the error's name, SES's message may contain an address.
        sent.map_err(aws::failure_by_name)
    }
}

fn ses(aws: &AwsConfig, outbound: Outbound) -> Client {
    let mut config = aws_sdk_sesv2::Config::builder()
        .region(Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(outbound.clone())
        .retry_config(aws::retries())
        .retry_classifier(NotTaken)
        .timeout_config(aws::short_timeouts(&outbound));
    config.set_endpoint_url(aws.ses_endpoint.clone());
    config.set_interceptors(aws::interceptors(&outbound));
    Client::from_conf(config.build())
}

async fn send_email(
    ses: &Client,
    from: &str,
    to: &str,
    written: &Written,
) -> Result<(), SdkError<SendEmailError>> {
    let utf8 = |text: &str| Content::builder().data(text).charset("UTF-8").build();
    let body = Body::builder().text(utf8(&written.text)?).html(utf8(&written.html)?).build();
    let message = Message::builder().subject(utf8(written.subject)?).body(body).build();
    ses.send_email()
        .from_email_address(from)
        .destination(Destination::builder().to_addresses(to).build())
        .content(EmailContent::builder().simple(message).build())
        .send()
        .await
        .map(drop)
}

/// Retries a call only if SES says that it is too busy, and so has not accepted the mail. After any other
/// failure SES may have accepted it, and a retry could send it twice.
#[derive(Debug)]
struct NotTaken;

impl ClassifyRetry for NotTaken {
    fn classify_retry(&self, context: &InterceptorContext) -> RetryAction {
        let Some(Err(error)) = context.output_or_error() else {
            return RetryAction::NoActionIndicated;
        };
        let status = context.response().map(|answer| answer.status().as_u16());
        let refusal = error.as_operation_error().and_then(|it| it.downcast_ref::<SendEmailError>());
        let name = refusal.and_then(ProvideErrorMetadata::code).unwrap_or_default();
        let busy = ["Throttl", "TooManyRequests", "SlowDown"];
        if matches!(status, Some(429 | 503)) || busy.iter().any(|busy| name.starts_with(busy)) {
            RetryAction::throttling_error()
        } else {
            RetryAction::RetryForbidden
        }
    }

    fn name(&self) -> &'static str {
        "retry only mails that SES was too busy to accept"
    }

    /// Decides after all other classifiers.
    fn priority(&self) -> RetryClassifierPriority {
        RetryClassifierPriority::run_after(RetryClassifierPriority::transient_error_classifier())
    }
}

/// Whether a text is exactly one address. SES parses more than that in a recipient (names, comments, lists),
/// and a line break ends a header.
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
    fn only_plain_addresses_receive_mail() {
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
