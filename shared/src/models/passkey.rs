//! Ids of passkeys.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};

/// The id of a passkey on the wire and in the store: SHA-256 of its base64url credential id, hex. Credential
/// ids (WebAuthn, section 4) can be too long for a DynamoDB key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PasskeyId(String);

impl PasskeyId {
    /// The id of the passkey with a credential id, given in base64url without padding.
    pub fn of(credential_id: &str) -> Self {
        Self(hex::encode(Sha256::digest(credential_id)))
    }
}

impl fmt::Display for PasskeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PasskeyId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 64 && text.bytes().all(digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be a passkey id: 64 lowercase hex digits")
        }
    }
}

super::as_text!(
    PasskeyId,
    "^[0-9a-f]{64}$",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_ids_are_parsed() {
        let id = PasskeyId::of("Y3JlZGVudGlhbA");
        assert_eq!(id.to_string().parse::<PasskeyId>().unwrap(), id);
        let text = id.to_string();
        for bad in ["", "x", &text[1..], &text.to_uppercase(), &format!("{text}0"), "~"] {
            assert!(bad.parse::<PasskeyId>().is_err(), "{bad}");
        }
    }
}
