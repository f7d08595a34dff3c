//! Settings that only this function reads.

use base::{
    outbound::is_loopback,
    section,
    settings::{Reader, Section, Setting},
};

use crate::sign_in_message::SignInMessage;

section! {
    struct Message {
        /// Text of the sign-in message without a challenge; ends in `{timestamp}`, may contain `{address}`
        message: SignInMessage = "SIGN_IN_MESSAGE",
    }
}

/// The sign-in message without a challenge.
#[derive(Clone, Debug)]
pub struct MessageConfig {
    /// The message.
    pub message: SignInMessage,
}

impl Section for MessageConfig {
    fn settings() -> Vec<Setting> {
        Message::settings()
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let Message { message } = Message::read(reader)?;
        // Custody rule 17: with `*`, signatures that other sites ask for would sign in here.
        let database = reader.text("AWS_ENDPOINT_URL_DYNAMODB");
        let is_local = database.is_some_and(|url| is_loopback(&url));
        let checked = match message {
            SignInMessage::AnyText if !is_local => Err("* is allowed in the local world only"),
            message => Ok(Self { message }),
        };
        reader.checked("SIGN_IN_MESSAGE", checked)
    }
}

#[cfg(test)]
mod tests {
    use base::{
        aws::AwsConfig,
        settings::{ConfigError, read},
    };

    use super::*;

    fn read_with(message: &str, endpoint: &str) -> Result<MessageConfig, ConfigError> {
        read(|name| match name {
            "SIGN_IN_MESSAGE" => Some(message.to_owned()),
            "AWS_ENDPOINT_URL_DYNAMODB" => Some(endpoint.to_owned()),
            _ => None,
        })
    }

    #[test]
    fn custody_17_any_text_signs_in_on_a_local_world_alone() {
        // The rule depends on the setting that names the database's endpoint.
        let names = AwsConfig::settings().into_iter().map(|setting| setting.name);
        assert!(names.into_iter().any(|name| name == "AWS_ENDPOINT_URL_DYNAMODB"));
        assert!(read_with("*", "http://127.0.0.1:8000").is_ok());
        for endpoint in
            ["", "https://dynamodb.us-east-1.amazonaws.com", "http://127.0.0.1.evil.example"]
        {
            assert!(read_with("*", endpoint).is_err(), "{endpoint}");
            assert!(read_with("Sign in to Runeport: {timestamp}", endpoint).is_ok());
        }
    }

    #[test]
    fn a_message_holds_its_time() {
        assert!(read_with("no placeholder", "http://127.0.0.1:8000").is_err());
    }
}
