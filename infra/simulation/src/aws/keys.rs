//! KMS, Secrets Manager and SSM in memory: keys that never leave, a secret, and parameters.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::secp256k1::{Message, Secp256k1, SecretKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{done, refused};
use crate::{
    choice::Choices,
    wire::{Arrived, Host, Reply},
};

/// A SubjectPublicKeyInfo of secp256k1 up to the point (RFC 5480).
const PUBLIC_KEY_INFO: [u8; 23] = [
    0x30, 0x56, 0x30, 0x10, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x05, 0x2b,
    0x81, 0x04, 0x00, 0x0a, 0x03, 0x42, 0x00,
];

/// The start of a key's ARN.
const ARN: &str = "arn:aws:kms:simulated:000000000000:key/";

/// KMS. A private key is the hash of its key id, so keys need not be created.
#[derive(Debug, Default)]
pub struct Kms {
    data_keys: u64,
    /// Digests that were signed, in order.
    pub signed: Vec<Signed>,
}

/// A digest that KMS signed.
#[derive(Clone, Debug)]
pub struct Signed {
    /// When it was signed, in ms since the epoch.
    pub at: i64,
    /// The digest.
    pub digest: [u8; 32],
    /// The invocation that asked for it.
    pub invocation: u64,
}

fn decoded(value: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(value.as_str().unwrap_or_default()).expect("base64")
}

/// The private key of a key id.
pub fn private_key(key_id: &str) -> SecretKey {
    let secret = Sha256::digest(format!("simulated key {key_id}"));
    SecretKey::from_slice(&secret).expect("a hash is a key")
}

impl Host for Kms {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        let request: Value = serde_json::from_slice(&arrived.body).expect("a request is JSON");
        // A key is named by its id, its alias or its ARN.
        let named = request["KeyId"].as_str().unwrap_or_default();
        let key_id = named.strip_prefix(ARN).unwrap_or(named);
        match arrived.operation() {
            "GenerateDataKey" => {
                self.data_keys += 1;
                let plain = Sha256::digest(format!("simulated data key {}", self.data_keys));
                let plain = BASE64_STANDARD.encode(plain);
                let wrapped = json!({ "plain": plain, "context": request["EncryptionContext"] });
                let wrapped = BASE64_STANDARD.encode(wrapped.to_string());
                done(&json!({ "KeyId": key_id, "Plaintext": plain, "CiphertextBlob": wrapped }))
            }
            "Decrypt" => {
                let wrapped: Value = serde_json::from_slice(&decoded(&request["CiphertextBlob"]))
                    .expect("the ciphertext is one of ours");
                if wrapped["context"] != request["EncryptionContext"] {
                    return refused("InvalidCiphertextException", "another context");
                }
                done(&json!({ "KeyId": key_id, "Plaintext": wrapped["plain"] }))
            }
            "GetPublicKey" => {
                let public = private_key(key_id).public_key(&Secp256k1::new());
                let der = [&PUBLIC_KEY_INFO[..], &public.serialize_uncompressed()].concat();
                done(&json!({
                    "KeyId": format!("{ARN}{key_id}"),
                    "PublicKey": BASE64_STANDARD.encode(der),
                    "KeySpec": "ECC_SECG_P256K1",
                    "KeyUsage": "SIGN_VERIFY",
                    "SigningAlgorithms": ["ECDSA_SHA_256"],
                }))
            }
            "Sign" => {
                // No signature is repeated.
                let digest: [u8; 32] = decoded(&request["Message"]).try_into().expect("32 bytes");
                self.signed.push(Signed { at: arrived.at, digest, invocation: arrived.invocation });
                let noise: [u8; 32] = Sha256::digest(self.signed.len().to_string()).into();
                let message = Message::from_digest(digest);
                let key = private_key(key_id);
                let signature = Secp256k1::new().sign_ecdsa_with_noncedata(&message, &key, &noise);
                let signature = BASE64_STANDARD.encode(signature.serialize_der());
                done(&json!({
                    "KeyId": key_id, "Signature": signature, "SigningAlgorithm": "ECDSA_SHA_256",
                }))
            }
            operation => panic!("the model of KMS does not know {operation}"),
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}

/// Secrets Manager and SSM: texts by name.
#[derive(Debug, Default)]
pub struct Texts(pub BTreeMap<String, String>);

impl Host for Texts {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        let request: Value = serde_json::from_slice(&arrived.body).expect("a request is JSON");
        let (named, missing) = match arrived.operation() {
            "GetSecretValue" => ("SecretId", "ResourceNotFoundException"),
            "GetParameter" => ("Name", "ParameterNotFound"),
            operation => panic!("the model of secrets and parameters does not know {operation}"),
        };
        let name = request[named].as_str().unwrap_or_default();
        let Some(text) = self.0.get(name) else { return refused(missing, name) };
        match named {
            "SecretId" => done(&json!({ "Name": name, "SecretString": text })),
            _ => done(&json!({ "Parameter": { "Name": name, "Value": text } })),
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
