//! Texts of the mails. The HTML part and the text part say the same.

use askama::Template;
use aws_smithy_types::{DateTime, date_time::Format};
use base::clock::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};
use shared::{
    mail::{Letter, Mail},
    models::change::AccountChange,
};

/// Characters that a query need not escape (RFC 3986, section 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A mail in the form that SES takes.
pub struct Written {
    /// The subject: fixed text without any client input.
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

/// The content of a mail.
struct Content {
    subject: &'static str,
    /// Paragraphs before the link.
    before: Vec<String>,
    link: Option<Link>,
    /// Paragraphs after the link.
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

/// Renders a mail. `app_url` is the frontend's base address, without a trailing slash.
///
/// # Errors
/// A template fails to render.
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
                "A Runeport account was created with this address. Open the link to confirm that it \
                 is yours."
                    .to_owned(),
            ],
            link: Some(Link {
                label: "Confirm this address",
                url: format!("{app_url}/verify-email?token={}", in_query(token)),
            }),
            after: vec![
                validity(*expires_at),
                "If this was not you, ignore this mail. An unconfirmed address goes to the account that \
                 confirms it, so you can still register with yours."
                    .to_owned(),
            ],
        },
        Letter::ConfirmEmail { token, expires_at } => Content {
            subject: "Confirm your new e-mail address",
            before: vec![
                "A Runeport account asked to change its e-mail address to this one. Open the link to \
                 confirm it."
                    .to_owned(),
            ],
            link: Some(Link {
                label: "Confirm this address",
                url: format!(
                    "{app_url}/change-email?token={}&email={}",
                    in_query(token),
                    utf8_percent_encode(mail.to.address().unwrap_or_default(), ESCAPED)
                ),
            }),
            after: vec![
                validity(*expires_at),
                "If this was not you, ignore this mail. Nothing changes unless someone opens the link."
                    .to_owned(),
            ],
        },
        Letter::EmailChange { new_email } => Content {
            subject: what(AccountChange::EmailChangeRequested),
            before: vec![
                format!(
                    "On {}, someone signed in to your Runeport account asked to change its \
                     e-mail address from this one to {}.",
                    in_utc(at),
                    masked(new_email)
                ),
                "This address stays in use until the new one is confirmed.".to_owned(),
            ],
            link: None,
            after: vec![advice(app_url)],
        },
        Letter::Renewal { coins, sats, blocks } => Content {
            subject: "Renew coins of your Runeport trading wallet",
            before: vec![
                renewal(at, *coins, *sats, *blocks),
                "A renewal sends them back to your trading address, so that their 90 days begin again. Until \
                 then they stay yours: once the time is over, your key alone can spend them, and mints no \
                 longer accept them."
                    .to_owned(),
            ],
            link: Some(Link { label: "Open Runeport", url: app_url.to_owned() }),
            after: vec!["You get at most one such mail a day.".to_owned()],
        },
        Letter::Notice { change } => Content {
            subject: what(*change),
            before: vec![format!("{} on {}.", what(*change), in_utc(at))],
            link: None,
            after: vec![advice(app_url)],
        },
    }
}

/// Which coins are due, and when: a block takes ten minutes.
fn renewal(at: Timestamp, coins: u64, sats: u64, blocks: u32) -> String {
    let what = if coins == 1 { "1 coin".to_owned() } else { format!("{coins} coins") };
    let when = match blocks.checked_div(144).unwrap_or_default() {
        0 => "within a day".to_owned(),
        1 => "in about a day".to_owned(),
        days => format!("in about {days} days"),
    };
    format!(
        "On {}, {what} of your trading wallet ({sats} sats) should be renewed: {when} the two signatures that \
         protect the first of them are no longer needed to spend it.",
        in_utc(at)
    )
}

/// The event: used as the subject and, followed by a time, as a sentence.
fn what(change: AccountChange) -> &'static str {
    match change {
        AccountChange::AccountCreated => "Your Runeport account was created",
        AccountChange::SignedIn => "New sign-in to your Runeport account",
        AccountChange::NewDevice => "A new device signed in to your Runeport account",
        AccountChange::Reauthenticated => "You authenticated again in a session of your account",
        AccountChange::EmailLost => "Another account confirmed your e-mail address",
        AccountChange::EmailVerified => "Your e-mail address was confirmed",
        AccountChange::EmailChangeRequested => "A change of your e-mail address was requested",
        AccountChange::EmailChanged => "Your e-mail address was changed",
        AccountChange::PasswordChanged => "Your password was changed",
        AccountChange::WalletRotated => "Your sign-in wallet was changed",
        AccountChange::TotpEnabled => "Two-factor authentication was turned on or set up again",
        AccountChange::TotpDisabled => "Two-factor authentication was turned off",
        AccountChange::RecoveryCodeUsed => "A recovery code was used to sign in",
        AccountChange::PasskeyAdded => "A passkey was added to your account",
        AccountChange::PasskeyRemoved => "A passkey was removed from your account",
        AccountChange::AddressLinked => "An address was linked to your account",
        AccountChange::AddressUnlinked => "An address was unlinked from your account",
        AccountChange::TradingWalletMade => "The trading wallet of your account was created",
        AccountChange::WebhookAdded => "A webhook was added to your account",
        AccountChange::WebhookChanged => "A webhook of your account was changed",
        AccountChange::WebhookRemoved => "A webhook of your account was removed",
        AccountChange::WebhookFailed => {
            "A webhook of your account was switched off because its receiver failed"
        }
        AccountChange::SessionRevoked => "A session of your account was ended from another session",
        AccountChange::RefreshTokenReused => {
            "A session of your account was ended because its token was used twice"
        }
        AccountChange::MediaDeleted => "An operator deleted media of your account",
        AccountChange::RefreshTokenRepeated => {
            "A session of your account was continued on another device"
        }
        AccountChange::RoleChanged => "The role of your account was changed",
        AccountChange::AccountDisabled => "Your account was disabled",
        AccountChange::AccountEnabled => "Your account was enabled again",
        AccountChange::SessionsEnded => "The sessions of your account were ended",
        AccountChange::EmailReleased => "The e-mail address of your account was released",
    }
}

fn advice(app_url: &str) -> String {
    format!(
        "If this was you, you need not do anything. If this was not you, sign in at {app_url}, \
         change your password (this ends all other sessions), and check your passkeys, addresses and webhooks. \
         If you can no longer sign in, ask for help there immediately."
    )
}

/// No duration: the mail is read later than it was sent.
fn validity(until: Timestamp) -> String {
    format!("The link works once, until {}.", in_utc(until))
}

fn in_query(token: &SecretString) -> impl std::fmt::Display {
    utf8_percent_encode(token.expose_secret(), ESCAPED)
}

/// A time for a reader, such as `2026-11-21 07:15 UTC`.
pub fn in_utc(at: Timestamp) -> String {
    let text = DateTime::from_secs(at.past_seconds()).fmt(Format::DateTime).unwrap_or_default();
    let minute = text.get(..16).map(|text| text.replace('T', " "));
    format!("{} UTC", minute.unwrap_or(text))
}

/// A masked address that its owner recognizes and others cannot read: `a***@example.com`.
fn masked(address: &str) -> String {
    let (local, domain) = address.rsplit_once('@').unwrap_or((address, ""));
    let first: String = local.chars().take(1).collect();
    format!("{first}***@{domain}")
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shared::mail::Letter;

    use super::*;

    const APP_URL: &str = "https://app.example";

    /// 2026-11-21 07:05 UTC.
    const AT: Timestamp = Timestamp(1_795_244_700_000);

    fn write_mail(to: &str, letter: Letter) -> Written {
        let mail = Mail { id: Default::default(), to: to.to_owned().into(), letter, at: AT };
        write(&mail, APP_URL).unwrap()
    }

    fn link(make: impl FnOnce(SecretString, Timestamp) -> Letter) -> Written {
        write_mail("first+tag@example.com", make("a-b_c/=&?".into(), Timestamp(AT.0 + 600_000)))
    }

    #[test]
    fn links_carry_escaped_parameters() {
        let verify = link(|token, expires_at| Letter::VerifyEmail { token, expires_at });
        let url = "https://app.example/verify-email?token=a-b_c%2F%3D%26%3F";
        assert_eq!(verify.subject, "Confirm your e-mail address");
        assert!(verify.text.lines().any(|line| line == url), "{}", verify.text);
        assert_eq!(verify.html.matches(&format!("href=\"{url}\"")).count(), 2, "{}", verify.html);

        let confirm = link(|token, expires_at| Letter::ConfirmEmail { token, expires_at });
        let url = "https://app.example/change-email?token=a-b_c%2F%3D%26%3F&email=first%2Btag%40example.com";
        assert_eq!(confirm.subject, "Confirm your new e-mail address");
        assert!(confirm.text.lines().any(|line| line == url), "{}", confirm.text);
        let url = url.replace('&', "&#38;");
        assert_eq!(confirm.html.matches(&format!("href=\"{url}\"")).count(), 2, "{}", confirm.html);

        for mail in [verify, confirm] {
            for part in [mail.text, mail.html] {
                let said = "The link works once, until 2026-11-21 07:15 UTC.";
                assert!(part.contains(said), "{part}");
            }
        }
    }

    /// The mail is written some time after its token, and the link ends within the named minute.
    #[test]
    fn links_end_in_the_minute_that_the_mail_names() {
        for (late, minute) in [(-1, "07:14"), (0, "07:15"), (59_999, "07:15"), (60_000, "07:16")] {
            let expires_at = Timestamp(AT.0 + 600_000 + late);
            let letter = Letter::VerifyEmail { token: "token".into(), expires_at };
            let written = write_mail("a@example.com", letter);
            let said = format!("The link works once, until 2026-11-21 {minute} UTC.");
            for part in [written.text, written.html] {
                assert!(part.contains(&said), "{part}");
            }
        }
    }

    #[test]
    fn the_old_address_learns_the_masked_new_one() {
        let new_email = "<b>&me@example.com".to_owned();
        let told = write_mail("a@example.com", Letter::EmailChange { new_email });
        assert!(told.text.contains("from this one to <***@example.com."), "{}", told.text);
        assert!(told.html.contains("from this one to &#60;***@example.com."), "{}", told.html);
        for part in [told.text, told.html] {
            assert!(part.contains("On 2026-11-21 07:05 UTC") && !part.contains("me@example.com"));
            assert!(part.contains("change your password"), "{part}");
        }
    }

    #[test]
    fn a_reminder_says_how_many_coins_are_due_and_when() {
        for (coins, blocks, said) in [
            (1, 100, "1 coin of your trading wallet (600 sats) should be renewed: within a day"),
            (2, 200, "2 coins of your trading wallet (600 sats) should be renewed: in about a day"),
            (
                7,
                4_031,
                "7 coins of your trading wallet (600 sats) should be renewed: in about 27 days",
            ),
        ] {
            let mail = write_mail("a@example.com", Letter::Renewal { coins, sats: 600, blocks });
            for part in [mail.text, mail.html] {
                assert!(part.contains(said) && part.contains(APP_URL), "{part}");
            }
        }
    }

    #[test]
    fn addresses_are_masked() {
        assert_eq!(masked("alice@example.com"), "a***@example.com");
        assert_eq!(masked("a@example.com"), "a***@example.com");
        assert_eq!(masked("\u{e9}@x@example.com"), "\u{e9}***@example.com");
        assert_eq!(masked("nothing"), "n***@");
    }

    const CHANGES: [AccountChange; 27] = [
        AccountChange::AccountCreated,
        AccountChange::EmailVerified,
        AccountChange::EmailChangeRequested,
        AccountChange::EmailChanged,
        AccountChange::PasswordChanged,
        AccountChange::WalletRotated,
        AccountChange::TotpEnabled,
        AccountChange::TotpDisabled,
        AccountChange::RecoveryCodeUsed,
        AccountChange::PasskeyAdded,
        AccountChange::PasskeyRemoved,
        AccountChange::AddressLinked,
        AccountChange::AddressUnlinked,
        AccountChange::TradingWalletMade,
        AccountChange::WebhookAdded,
        AccountChange::WebhookChanged,
        AccountChange::WebhookRemoved,
        AccountChange::WebhookFailed,
        AccountChange::SessionRevoked,
        AccountChange::RefreshTokenReused,
        AccountChange::MediaDeleted,
        AccountChange::RefreshTokenRepeated,
        AccountChange::RoleChanged,
        AccountChange::AccountDisabled,
        AccountChange::AccountEnabled,
        AccountChange::SessionsEnded,
        AccountChange::EmailReleased,
    ];

    #[test]
    fn every_letter_is_complete_and_escaped() {
        let mut letters: Vec<_> = CHANGES.iter().map(|&change| Letter::Notice { change }).collect();
        letters.push(Letter::EmailChange { new_email: "b@example.com".to_owned() });
        let (token, expires_at) = (SecretString::from("t"), Timestamp(AT.0 + 60_000));
        letters.push(Letter::VerifyEmail { token: token.clone(), expires_at });
        letters.push(Letter::ConfirmEmail { token, expires_at });
        letters.push(Letter::Renewal { coins: 1, sats: 330, blocks: 0 });
        for letter in letters {
            let kind = letter.kind();
            let Written { subject, text, html } = write_mail("a@example.com", letter);
            assert!(!subject.is_empty() && subject.len() <= 78 && subject.is_ascii(), "{subject}");
            assert!(
                text.starts_with(&format!("{subject}\n\n")) && html.contains(subject),
                "{kind}"
            );
            assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{html}");
            for part in [&text, &html] {
                let raw = ["{{", "{%", "{#", "}}", "  \n", "\n\n\n"];
                assert!(raw.iter().all(|raw| !part.contains(raw)), "{kind}: {part}");
                assert!(part.contains("2026-11-21 07:0"), "{part}");
                assert_eq!(part.contains("If this was "), kind != "renewal", "{part}");
            }
            // The mail loads nothing from elsewhere when it is opened.
            for fetching in ["src=", "url(", "<link", "<script", "<img", "@import"] {
                assert!(!html.contains(fetching), "{kind}: {html}");
            }
        }
    }
}
