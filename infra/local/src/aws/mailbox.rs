//! The mails that a world has sent: ministack's SES stores them, and a page shows them.

use std::time::Duration;

use askama::Template;
use base::{aws, clock::Timestamp};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::{
    app::App,
    base::{
        client::Client,
        failure::{Context, Result},
    },
};

/// A sent mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedMail {
    /// SES's id of the mail.
    pub id: String,
    /// Address of the recipient.
    pub to: String,
    /// Subject.
    pub subject: String,
    /// Text part.
    pub text: String,
    /// HTML part.
    pub html: String,
    /// When SES accepted it, by the machine's clock.
    pub at: Timestamp,
}

impl ReceivedMail {
    /// The token of the link in the text part.
    ///
    /// # Panics
    /// The text has no token.
    pub fn token(&self) -> String {
        let (_, rest) =
            self.text.split_once("token=").unwrap_or_else(|| panic!("no token in {}", self.text));
        let end = rest.find(|c: char| c == '&' || c.is_whitespace());
        let token = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
        percent_decode_str(token).decode_utf8_lossy().into_owned()
    }

    fn to_in_query(&self) -> impl std::fmt::Display {
        utf8_percent_encode(&self.to, NON_ALPHANUMERIC)
    }

    /// Time in readable form.
    fn time(&self) -> String {
        mail_worker::letters::in_utc(self.at)
    }

    /// The HTML part for a frame that may not navigate itself: links open in a new tab.
    fn framed(&self) -> String {
        format!("<base target=\"_blank\">{}", self.html)
    }
}

/// ministack's record of a mail.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Kept {
    message_id: String,
    source: String,
    to: Vec<String>,
    subject: String,
    body_text: String,
    body_html: Option<String>,
    /// Seconds since the epoch.
    timestamp: Number,
}

/// ministack's records by account.
#[derive(Deserialize)]
struct Messages {
    messages: std::collections::BTreeMap<String, Vec<Kept>>,
}

/// Verifies the sender's address with SES, which sends only from verified addresses.
pub(crate) async fn verify_sender(ministack: &str, app: &App) -> Result<()> {
    let aws = &app.config.aws;
    let config = aws_sdk_sesv2::Config::builder()
        .region(aws_sdk_sesv2::config::Region::new(aws.region.clone()))
        .credentials_provider(aws.credentials())
        .http_client(app.outbound.clone())
        .endpoint_url(ministack);
    let ses = aws_sdk_sesv2::Client::from_conf(config.build());
    let made = ses.create_email_identity().email_identity(&app.config.sender.from).send();
    let made = made.await.map_err(aws::failure);
    made.map(drop).context("the sender of mails")
}

/// The mails of one sender, newest last; only those to `to`, if it is given.
pub(crate) async fn read(
    ministack: &str,
    from: &str,
    to: Option<&str>,
) -> Result<Vec<ReceivedMail>> {
    let answer = Client::new(ministack).get("/_ministack/ses/messages").try_send().await?;
    let kept: Messages = serde_json::from_str(&answer.check(200)?.text).context("the mailbox")?;
    let mails = kept.messages.into_values().flatten().filter(|mail| mail.source == from);
    let mails = mails.filter_map(|mail| {
        let receiver = mail.to.into_iter().next()?;
        Some(ReceivedMail {
            id: mail.message_id,
            to: receiver,
            subject: mail.subject,
            text: mail.body_text,
            html: mail.body_html.unwrap_or_default(),
            at: moment(&mail.timestamp),
        })
    });
    Ok(mails.filter(|mail| to.is_none_or(|to| mail.to == to)).collect())
}

fn moment(seconds: &Number) -> Timestamp {
    let since = seconds.as_f64().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Timestamp(0).plus(since.unwrap_or_default())
}

#[derive(Template)]
#[template(path = "mailbox.html")]
struct Page<'a> {
    to: Option<&'a str>,
    mails: &'a [ReceivedMail],
}

/// The mailbox page, newest mail first.
///
/// # Errors
/// The template fails to render.
pub(crate) fn page(to: Option<&str>, mails: &[ReceivedMail]) -> Result<String> {
    Page { to, mails }.render().context("the page of the mailbox")
}
