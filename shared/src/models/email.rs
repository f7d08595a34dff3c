//! E-mail addresses.

use std::{fmt, str::FromStr};

use unicode_normalization::UnicodeNormalization;

/// The longest address, in bytes (RFC 5321, section 4.5.3.1.3, without the brackets).
pub const LONGEST: usize = 254;

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

    /// Accepts an RFC 5321 Mailbox with a dot-string and a domain name.
    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        if text.len() > LONGEST.saturating_mul(4) {
            return Err(NotAnAddress);
        }
        let canonical = text.nfkc().collect::<String>().trim().to_lowercase();
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

// Some keyboards produce a wide @, and spaces around the address are ignored.
super::as_text!(EmailAddress, "^\\s*[^@\\s]+[@\u{fe6b}\u{ff20}][^@\\s]+\\s*$", "name@example.com");

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_mailbox_has_exactly_one_text() {
        for (text, canonical) in [
            ("alice@example.com", "alice@example.com"),
            ("  Alice@Example.COM\n", "alice@example.com"),
            ("ａｌｉｃｅ＠example.com", "alice@example.com"),
            ("a.b+tag@x-y.example.org", "a.b+tag@x-y.example.org"),
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

    proptest! {
        #[test]
        fn canonical_texts_are_fixed_points(text in any::<String>()) {
            if let Ok(address) = text.parse::<EmailAddress>() {
                prop_assert_eq!(address.as_str().parse::<EmailAddress>().unwrap(), address);
            }
        }
    }
}
