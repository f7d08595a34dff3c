//! SES in memory.

use http::Method;
use serde_json::{Value, json};

use super::done;
use crate::{
    choice::Choices,
    wire::{Arrived, Host, Reply},
};

/// A mail that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The recipient.
    pub to: String,
    /// Subject.
    pub subject: String,
    /// Text part.
    pub text: String,
    /// The invocation that sent it.
    pub by: u64,
}

impl Sent {
    /// The token of the link in the text.
    pub fn token(&self) -> Option<String> {
        let (_, rest) = self.text.split_once("token=")?;
        let end = rest.find(|c: char| c == '&' || c.is_whitespace()).unwrap_or(rest.len());
        Some(rest[..end].to_owned())
    }
}

/// SES.
#[derive(Debug, Default)]
pub struct Mails {
    /// The mails that were sent, in order.
    pub sent: Vec<Sent>,
}

impl Host for Mails {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        let known = (&Method::POST, "/v2/email/outbound-emails");
        assert_eq!(
            (&arrived.method, arrived.path.as_str()),
            known,
            "a call that SES does not know"
        );
        let request: Value = serde_json::from_slice(&arrived.body).expect("a request is JSON");
        let content = &request["Content"]["Simple"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.sent.push(Sent {
            to: text(&request["Destination"]["ToAddresses"][0]),
            subject: text(&content["Subject"]["Data"]),
            text: text(&content["Body"]["Text"]["Data"]),
            by: arrived.invocation,
        });
        done(&json!({ "MessageId": self.sent.len().to_string() }))
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
