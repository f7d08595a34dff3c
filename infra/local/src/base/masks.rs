//! Masks secrets in recorded examples: the replacement has the same length and the same alphabet, so that it
//! still matches its schema.

use serde_json::Value;

/// Fields whose whole text is a secret.
const SECRETS: [&str; 11] = [
    "clientProof",
    "deviceToken",
    "newClientProof",
    "otpCode",
    "recoveryCodes",
    "refreshToken",
    "secret",
    "serverProof",
    "ticket",
    "X-Amz-Security-Token",
    "X-Amz-Signature",
];

/// Parameters of a URL that are secrets.
const PARAMETERS: [&str; 5] =
    ["secret=", "ticket=", "token=", "X-Amz-Security-Token=", "X-Amz-Signature="];

/// The prefix of a webhook's secret.
const WEBHOOK: &str = "whsec_";

/// An empty image, in place of one that shows a secret.
const IMAGE: &str =
    "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=";

/// The same value without secrets.
pub fn masked(value: &Value) -> Value {
    of_field("", value)
}

/// The same path with a query that has no secrets.
pub fn masked_url(url: &str) -> String {
    let mut masked = url.to_owned();
    for name in PARAMETERS {
        let Some((before, rest)) = masked.split_once(name) else { continue };
        // `tokenId=` and `mytoken=` are other parameters than `token=`.
        if !before.ends_with(['?', '&']) {
            continue;
        }
        let (secret, after) = rest.split_at(rest.find(['&', '#']).unwrap_or(rest.len()));
        masked = format!("{before}{name}{}{after}", blank(secret));
    }
    masked
}

fn of_field(name: &str, value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| (name.clone(), of_field(name, field))).collect()
        }
        Value::Array(items) => items.iter().map(|item| of_field(name, item)).collect(),
        Value::String(text) => masked_text(name, text).into(),
        other => other.clone(),
    }
}

fn masked_text(name: &str, text: &str) -> String {
    if name == "qrCode" {
        return IMAGE.to_owned();
    }
    if let Some(secret) = text.strip_prefix(WEBHOOK) {
        return format!("{WEBHOOK}{}", blank(secret));
    }
    if let Some(unsigned) = unsigned(text) {
        return unsigned;
    }
    if SECRETS.contains(&name) || (name == "token" && is_mailed(text)) {
        blank(text)
    } else {
        masked_url(text)
    }
}

/// Whether a text is a mailed token: 32 bytes in base64url. A field `token` may also contain a coin.
fn is_mailed(text: &str) -> bool {
    let is_of_it = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    text.len() == 43 && text.bytes().all(is_of_it)
}

/// A token of RFC 7519 with a blank signature.
fn unsigned(text: &str) -> Option<String> {
    let (signed, signature) = text.rsplit_once('.')?;
    let is_token = text.starts_with("eyJ") && signed.matches('.').count() == 1;
    is_token.then(|| format!("{signed}.{}", blank(signature)))
}

/// A text of the same length and alphabet without any information.
fn blank(text: &str) -> String {
    let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    // Codes that people write down have groups, and base64url has hyphens and underscores.
    let has_groups = text.split('-').all(|group| group.len() == 4);
    let blank = |letter: char| match letter {
        _ if is_hex => '0',
        '-' if has_groups => '-',
        letter if letter.is_ascii_alphanumeric() || "+/-_".contains(letter) => 'A',
        other => other,
    };
    text.chars().map(blank).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_become_blanks_of_their_length() {
        let exchange = json!({
            "accessToken": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmVk",
            "refreshToken": "AaIR4s-9dUe9_I",
            "token": "bsvIM6NhomMIuNlt6lZxixHP1Vr4exgr-pKCwkeZUnU",
            "action": { "token": "USDC:0x6d1e7cde53ba9467b783cb7c530ce054" },
            "tokenId": "solana-usdc",
            "otpCode": "540767",
            "recoveryCodes": ["WJTD-BSF1", "271A-DG2X"],
            "secret": "whsec_XbL4w8pqf+8=",
            "otpauthUri": "otpauth://totp/R:1?secret=45IM&issuer=R",
            "qrCode": "data:image/svg+xml;base64,QUJD",
            "url": "wss://a/socket?ticket=06ff&b=1",
            "fields": { "X-Amz-Signature": "8bc7" },
            "message": "Runeport signs 1.2.3",
        });
        let expected = json!({
            "accessToken": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.AAAAAAAA",
            "refreshToken": "AAAAAAAAAAAAAA",
            "token": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "action": { "token": "USDC:0x6d1e7cde53ba9467b783cb7c530ce054" },
            "tokenId": "solana-usdc",
            "otpCode": "000000",
            "recoveryCodes": ["AAAA-AAAA", "AAAA-AAAA"],
            "secret": "whsec_AAAAAAAAAAA=",
            "otpauthUri": "otpauth://totp/R:1?secret=AAAA&issuer=R",
            "qrCode": IMAGE,
            "url": "wss://a/socket?ticket=0000&b=1",
            "fields": { "X-Amz-Signature": "0000" },
            "message": "Runeport signs 1.2.3",
        });
        assert_eq!(masked(&exchange), expected);
        assert_eq!(masked(&expected), expected);
        assert_eq!(masked_url("/api/a?tokenId=b&token=c1x"), "/api/a?tokenId=b&token=AAA");
    }
}
