//! Texts that prove something by themselves, so that nothing may keep them.

/// Beginnings of texts, and the kind of secret that each begins.
const BEGINNINGS: [(&str, &str); 6] = [
    ("whsec_", "the secret of a webhook"),
    ("otpauth:", "the secret of a second factor"),
    ("-----BEGIN", "a private key"),
    ("suiprivkey1", "a private key"),
    ("nsec1", "a private key"),
    ("AGE-SECRET-KEY-1", "a private key"),
];
/// The letters in front of `prv` in an extended private key: BIP 32, and SLIP 132 for other scripts and networks.
const EXTENDED: &str = "xyzYZtuvUV";
/// Fewest characters of an extended private key, which has 111: others begin so by chance.
const SHORTEST_EXTENDED: usize = 100;
/// Fewest words of a seed phrase: BIP 39 has 12, and one may be left out by mistake.
const LEAST_WORDS: usize = 11;
/// The length of our refresh tokens: 64 bytes in base64url.
const REFRESH_TOKEN: usize = 86;

/// The kind of secret that a text is, if its form shows it. The digits of a private key may also be a hash,
/// so they are not recognised.
pub(crate) fn secret_in(text: &str) -> Option<&'static str> {
    let known = BEGINNINGS.iter().find(|(beginning, _)| text.starts_with(beginning));
    if let Some((_, secret)) = known {
        return Some(secret);
    }
    let words = text.split_whitespace();
    if words.clone().count() >= LEAST_WORDS
        && words.clone().all(|word| word.chars().all(char::is_alphabetic))
    {
        return Some("a seed phrase");
    }
    // JSON, in base64url, and more after a dot.
    if text.starts_with("eyJ") && text.contains('.') {
        return Some("a token");
    }
    let is_base58 = text.bytes().all(is_base58_digit);
    let after_first = text.split_at_checked(1);
    let is_extended = after_first
        .is_some_and(|(first, rest)| EXTENDED.contains(first) && rest.starts_with("prv"));
    if is_extended && text.len() >= SHORTEST_EXTENDED {
        return Some("an extended private key");
    }
    let is_wif = matches!(text.len(), 51 | 52) && text.starts_with(['5', 'K', 'L', '9', 'c']);
    // BIP 38.
    let is_encrypted_key = text.len() == 58 && text.starts_with("6P");
    if is_base58 && (is_wif || is_encrypted_key) {
        return Some("a private key");
    }
    let is_base64url = text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_".contains(&it));
    // A signature of Solana may have this length too.
    if text.len() == REFRESH_TOKEN && is_base64url && !is_base58 {
        return Some("a token");
    }
    None
}

fn is_base58_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() && !b"0OIl".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_form() {
        let extended = format!("tprv{}", "8".repeat(107));
        let refresh = "A0".repeat(43);
        for (text, secret) in [
            // The example of BIP 32 for the seed 000102…, and that of the page about WIF in the Bitcoin wiki.
            (
                "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
                Some("an extended private key"),
            ),
            (&extended, Some("an extended private key")),
            ("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ", Some("a private key")),
            ("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617", Some("a private key")),
            // BIP 38, without compression.
            ("6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg", Some("a private key")),
            (
                "legal winner thank year wave sausage worth useful legal winner thank yellow",
                Some("a seed phrase"),
            ),
            ("eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2ln", Some("a token")),
            (&refresh, Some("a token")),
            ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", Some("the secret of a webhook")),
            ("otpauth://totp/a?secret=GEZDGNBV", Some("the secret of a second factor")),
            // Texts that customers name.
            ("ann@example.com", None),
            ("018bcfe5-6800-7000-8000-000000000001", None),
            ("correct horse battery staple", None),
            ("bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3", None),
            ("14vV3aCHBeStb5bkenkNHbe2YAFinYdXgc", None),
            ("So11111111111111111111111111111111111111112", None),
            ("eyJ11111111111111111111111111111111111111112", None),
            ("88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b", None),
            ("JKJaXmPLvHcESHA=", None),
            ("", None),
        ] {
            assert_eq!(secret_in(text), secret, "{text}");
        }
        // A signature of Solana that is two digits shorter than most.
        assert_eq!(secret_in(&"5".repeat(86)), None);
    }
}
