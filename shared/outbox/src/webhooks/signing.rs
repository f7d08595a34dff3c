//! Signatures of webhooks according to Standard Webhooks 1.0.0: `v1`, HMAC-SHA-256.

use aws_lc_rs::hmac;
use base64::{Engine, prelude::BASE64_STANDARD};
use secrecy::{ExposeSecret, SecretSlice, SecretString};

/// The header with the message id, which is the same in every attempt.
pub const ID: &str = "webhook-id";
/// The header with the time of the attempt, in seconds since the epoch.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signatures, one for each secret, separated by spaces.
pub const SIGNATURE: &str = "webhook-signature";

/// A secret as its owner sees it: `whsec_` and base64.
pub fn shown(secret: &SecretSlice<u8>) -> SecretString {
    format!("whsec_{}", BASE64_STANDARD.encode(secret.expose_secret())).into()
}

/// The value of the signature header, with one signature for each secret.
pub fn sign(secrets: &[SecretSlice<u8>], id: &str, seconds: i64, body: &[u8]) -> String {
    let signed = [format!("{id}.{seconds}.").as_bytes(), body].concat();
    let signatures = secrets.iter().map(|secret| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.expose_secret());
        format!("v1,{}", BASE64_STANDARD.encode(hmac::sign(&key, &signed)))
    });
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's own libraries.
    #[test]
    fn the_published_example_has_the_published_signature() {
        let secret = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap_or_default();
        let secrets = [SecretSlice::from(secret), SecretSlice::from(vec![7; 32])];
        let (id, seconds) = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330);
        let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        let body = br#"{"test": 2432232314}"#;
        assert_eq!(sign(&secrets[..1], id, seconds, body), signature);
        let both = sign(&secrets, id, seconds, body);
        assert!(both.starts_with(&format!("{signature} v1,")), "{both}");
        assert_eq!(shown(&secrets[0]).expose_secret(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    }
}
