//! The words of the letters. Both parts of a mail, HTML and text, say the same.

use askama::Template;
use aws_smithy_types::{DateTime, date_time::Format};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};
use shared::{
    clock::Timestamp,
    mail::{Letter, Mail},
    models::change::Change,
};

/// What a query need not escape (RFC 3986, section 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A mail as SES takes it.
pub struct Written {
    /// The subject: our own words, nothing of a client's.
    pub subject: &'static str,
    /// The text part.
    pub text: String,
    /// The HTML part.
    pub html: String,
}

/// A link.
struct Link {
    label: &'static str,
    url: String,
}

/// What stands in a letter.
struct Content {
    subject: &'static str,
    /// Paragraphs before the link.
    before: Vec<String>,
    link: Option<Link>,
    /// Paragraphs after it.
    after: Vec<String>,
}

#[derive(Template)]
#[template(path = "letter.html")]
struct Html<'a> {
    content: &'a Content,
    app_url: &'a str,
}

#[derive(Template)]
#[template(path = "letter.txt")]
struct Text<'a> {
    content: &'a Content,
    app_url: &'a str,
}

/// Writes a mail. `app_url` is the frontend's base address, without a trailing slash.
///
/// # Errors
/// A template that fails.
pub fn write(mail: &Mail, app_url: &str) -> Result<Written, askama::Error> {
    let content = &content(mail, app_url);
    Ok(Written {
        subject: content.subject,
        text: Text { content, app_url }.render()?,
        html: Html { content, app_url }.render()?,
    })
}

fn content(mail: &Mail, app_url: &str) -> Content {
    let at = mail.at;
    match &mail.letter {
        Letter::VerifyEmail { token, expires_at } => Content {
            subject: "Confirm your e-mail address",
            before: vec![
                "A Runeport account was made with this address. Open the link to confirm that it \
                 is yours."
                    .to_owned(),
            ],
            link: Some(Link {
                label: "Confirm this address",
                url: format!("{app_url}/verify-email?token={}", in_query(token)),
            }),
            after: vec![
                validity(at, *expires_at),
                "If it was not you, do nothing: an address that is not confirmed is released \
                 within 24 hours."
                    .to_owned(),
            ],
        },
        Letter::ConfirmEmail { token, expires_at } => Content {
            subject: "Confirm your new e-mail address",
            before: vec![
                "A Runeport account is to change its e-mail address to this one. Open the link to \
                 confirm it."
                    .to_owned(),
            ],
            link: Some(Link {
                label: "Confirm this address",
                url: format!(
                    "{app_url}/change-email?token={}&email={}",
                    in_query(token),
                    utf8_percent_encode(&mail.to, ESCAPED)
                ),
            }),
            after: vec![
                validity(at, *expires_at),
                "If it was not you, do nothing: without this link nothing changes.".to_owned(),
            ],
        },
        Letter::EmailChange { new_email } => Content {
            subject: what(Change::EmailChangeRequested),
            before: vec![
                format!(
                    "On {} somebody who is signed in to your Runeport account asked to change its \
                     e-mail address from this one to {}.",
                    in_utc(at),
                    masked(new_email)
                ),
                "This address stays in use until the new one is confirmed.".to_owned(),
            ],
            link: None,
            after: vec![advice(app_url)],
        },
        Letter::Notice { change } => Content {
            subject: what(*change),
            before: vec![format!("{}, on {}.", what(*change), in_utc(at))],
            link: None,
            after: vec![advice(app_url)],
        },
    }
}

/// What has happened: a subject, and with a time the beginning of a sentence.
fn what(change: Change) -> &'static str {
    match change {
        Change::AccountCreated => "Your Runeport account was made",
        Change::EmailVerified => "Your e-mail address was confirmed",
        Change::EmailChangeRequested => "A change of your e-mail address was asked for",
        Change::EmailChanged => "Your e-mail address was changed",
        Change::PasswordChanged => "Your password was changed",
        Change::WalletRotated => "Your sign-in wallet was changed",
        Change::TotpEnabled => "Two-factor authentication was switched on or set anew",
        Change::TotpDisabled => "Two-factor authentication was switched off",
        Change::RecoveryCodeUsed => "A recovery code was used to sign in",
        Change::PasskeyAdded => "A passkey was added to your account",
        Change::PasskeyRemoved => "A passkey was removed from your account",
        Change::AddressLinked => "An address was linked to your account",
        Change::AddressUnlinked => "An address was unlinked from your account",
        Change::SessionRevoked => "A session of your account was ended from another one",
        Change::RefreshTokenReused => {
            "A session of your account was ended, because its token was used twice"
        }
    }
}

fn advice(app_url: &str) -> String {
    format!(
        "If it was you, there is nothing to do. If it was not, sign in at {app_url}, change your \
         password, which ends all other sessions, and look at your passkeys and addresses. If you \
         cannot sign in any more, ask for help there at once."
    )
}

fn validity(at: Timestamp, until: Timestamp) -> String {
    let minutes = until.0.saturating_sub(at.0).div_euclid(60_000);
    let unit = if minutes == 1 { "minute" } else { "minutes" };
    format!("The link works for {minutes} {unit}, until {}, and once.", in_utc(until))
}

fn in_query(token: &SecretString) -> impl std::fmt::Display {
    utf8_percent_encode(token.expose_secret(), ESCAPED)
}

/// Such as `2026-11-21 07:15 UTC`.
fn in_utc(at: Timestamp) -> String {
    let text = DateTime::from_secs(at.past_seconds()).fmt(Format::DateTime).unwrap_or_default();
    let minute = text.get(..16).map(|text| text.replace('T', " "));
    format!("{} UTC", minute.unwrap_or(text))
}

/// An address of which its owner knows what it is, and others do not: `a***@example.com`.
fn masked(address: &str) -> String {
    let (local, domain) = address.rsplit_once('@').unwrap_or((address, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}
