//! E-mail addresses.

use std::{fmt, str::FromStr};

/// The longest address, in bytes (RFC 5321, section 4.5.3.1.3, without the brackets).
pub const LONGEST: usize = 254;

/// Parts of the patterns. East Asian keyboards produce wide forms of ASCII characters, which count as the
/// characters themselves.
macro_rules! atom {
    () => {
        "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u{ff01}\u{ff03}-\u{ff07}\u{ff0a}\u{ff0b}\u{ff0d}\u{ff0f}-\u{ff19}\
         \u{ff1d}\u{ff1f}\u{ff21}-\u{ff3a}\u{ff3e}-\u{ff5e}-]"
    };
}
macro_rules! letter {
    () => {
        "[A-Za-z\u{ff21}-\u{ff3a}\u{ff41}-\u{ff5a}]"
    };
}
macro_rules! alphanumeric {
    () => {
        "[A-Za-z0-9\u{ff10}-\u{ff19}\u{ff21}-\u{ff3a}\u{ff41}-\u{ff5a}]"
    };
}
/// What may follow the first character of a label.
macro_rules! rest_of_label {
    () => {
        concat!(
            "([A-Za-z0-9\u{ff0d}\u{ff10}-\u{ff19}\u{ff21}-\u{ff3a}\u{ff41}-\u{ff5a}-]{0,61}",
            alphanumeric!(),
            ")?"
        )
    };
}
macro_rules! mailbox {
    () => {
        concat!(
            "\\s*",
            atom!(),
            "([.\u{ff0e}]?",
            atom!(),
            "){0,63}[@\u{ff20}](",
            alphanumeric!(),
            rest_of_label!(),
            "[.\u{ff0e}])+",
            letter!(),
            rest_of_label!(),
            "\\s*"
        )
    };
}

/// What the texts of addresses match. It allows local parts of more than 64 characters, which are refused:
/// a pattern of their length and their dots would repeat itself 64 times.
pub const PATTERN: &str = concat!("^", mailbox!(), "$");

/// What the texts of addresses and of account ids match.
pub const PATTERN_OR_ID: &str =
    concat!("^(", mailbox!(), "|\\s*[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\\s*)$");

/// An e-mail address in canonical form: NFKC, trimmed, lowercase. It names an account and is the SRP identity
/// `I`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The text is not an e-mail address that can receive mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be an e-mail address such as name@example.com, of at most 254 ASCII characters")]
pub struct NotAnAddress;

impl FromStr for EmailAddress {
    type Err = NotAnAddress;

    /// Accepts an RFC 5321 Mailbox with a dot-string and a domain name. Wide forms of its characters count as
    /// these. Other characters with a compatibility form, such as ligatures and circled letters, are refused:
    /// no keyboard writes them in an address.
    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        if text.len() > LONGEST.saturating_mul(4) {
            return Err(NotAnAddress);
        }
        let canonical = text.trim().chars().map(narrow).collect::<String>().to_ascii_lowercase();
        let (local, domain) = canonical.rsplit_once('@').ok_or(NotAnAddress)?;
        let atom = |c: u8| c.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&c);
        let local_is_sound = local.len() <= 64
            && local.split('.').all(|part| !part.is_empty() && part.bytes().all(atom));
        let label_is_sound = |label: &str| {
            let inner = |c: u8| c.is_ascii_alphanumeric() || c == b'-';
            (1..=63).contains(&label.len())
                && label.bytes().all(inner)
                && !label.starts_with('-')
                && !label.ends_with('-')
        };
        let sound = canonical.len() <= LONGEST
            && local_is_sound
            && domain.rsplit_once('.').is_some_and(|(_, top)| {
                // An IPv4 address is not a domain name (RFC 3696, section 2).
                top.starts_with(|c: char| c.is_ascii_alphabetic())
            })
            && domain.split('.').all(label_is_sound);
        if sound { Ok(Self(canonical)) } else { Err(NotAnAddress) }
    }
}

/// The ASCII character of a wide form (U+FF01 to U+FF5E), as NFKC has it.
fn narrow(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => {
            let ascii = u32::from(letter).checked_sub(0xfee0).and_then(char::from_u32);
            ascii.unwrap_or(letter)
        }
        _ => letter,
    }
}

super::as_text!(EmailAddress, PATTERN, "name@example.com");

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::*;

    #[test]
    fn one_mailbox_has_exactly_one_text() {
        for (text, canonical) in [
            ("alice@example.com", "alice@example.com"),
            ("  Alice@Example.COM\n", "alice@example.com"),
            ("ａｌｉｃｅ＠example.com", "alice@example.com"),
            ("a.b+tag@x-y.example.org", "a.b+tag@x-y.example.org"),
            ("\u{3000}ａ．ｂ＿１＠ｘ－ｙ．ｃｏｍ\u{a0}", "a.b_1@x-y.com"),
        ] {
            assert_eq!(text.parse::<EmailAddress>().unwrap().as_str(), canonical);
        }
    }

    #[test]
    fn undeliverable_addresses_are_refused() {
        let long = format!("{}@example.com", "a".repeat(65));
        let longer = format!("a@{}com", "example.".repeat(40));
        for text in [
            "",
            "@",
            "a@",
            "@example.com",
            "a@b",
            "a@@example.com",
            "a b@example.com",
            ".a@example.com",
            "a..b@example.com",
            "a@-x.com",
            "a@x-.com",
            "a@x..com",
            "a@example.com.",
            "a@example.com\r\nBcc: b@example.com",
            "\"a b\"@example.com",
            "é@example.com",
            "ﬁ@example.com",
            "ⓐ@example.com",
            "a²@example.com",
            "\u{212a}@example.com",
            "a\u{fe6b}example.com",
            "a\u{ff5f}@example.com",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a@example.1",
            "a@0x7f.0x1",
            "<a@example.com>",
            "a@b@example.com",
            &long,
            &longer,
        ] {
            assert!(text.parse::<EmailAddress>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn wide_forms_are_those_of_nfkc() {
        for wide in '\u{ff01}'..='\u{ff5e}' {
            assert!(wide.to_string().nfkc().eq([narrow(wide)]), "{wide}");
        }
    }

    proptest! {
        #[test]
        fn canonical_texts_are_fixed_points(text in any::<String>()) {
            if let Ok(address) = text.parse::<EmailAddress>() {
                prop_assert_eq!(address.as_str().parse::<EmailAddress>().unwrap(), address);
            }
        }

        /// Clients without a table of wide forms use NFKC.
        #[test]
        fn the_canonical_text_is_what_clients_compute(
            text in "[ \u{3000}]{0,2}[a-zA-Zａ-ｚＡ-Ｚ０-９_＿.．]{1,9}[@＠]([a-zＡ-Ｚ０-９]{1,4}[.．]){1,2}[a-zＡ-Ｚ]{1,3}"
        ) {
            if let Ok(address) = text.parse::<EmailAddress>() {
                let computed = text.nfkc().collect::<String>().trim().to_lowercase();
                prop_assert_eq!(address.as_str(), computed);
            }
        }
    }
}
