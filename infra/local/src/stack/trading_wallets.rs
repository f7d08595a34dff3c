//! An independent derivation of trading wallets, and proofs of their keys.

use bitcoin::{Address, ScriptBuf};
use serde_json::{Value, json};

use super::local_stack::LocalStack;
use crate::{
    base::{
        client::Client,
        failure::{Context, Result},
    },
    users::wallets::{Kind, NETWORK, Wallet, challenge},
};

/// The address of a Bitcoin wallet's trading wallet, with the platform's key (hex of 33 bytes). The script is
/// written byte by byte:
///
/// ```text
/// <user> CHECKSIGVERIFY <platform> CHECKSIG IFDUP NOTIF <12960> CHECKSEQUENCEVERIFY ENDIF
/// ```
///
/// For a Taproot wallet, whose signature does not reveal the parity of its key:
///
/// ```text
/// <02x> CHECKSIG NOTIF <03x> CHECKSIGVERIFY ENDIF <platform> CHECKSIG …
/// ```
///
/// # Panics
/// A key is invalid.
pub fn trading_address(user: &Wallet, platform: &str) -> String {
    try_trading_address(user, platform).unwrap_or_else(|failure| panic!("{failure}"))
}

fn try_trading_address(user: &Wallet, platform: &str) -> Result<String> {
    let script = ScriptBuf::from_hex(&witness_script(user, platform)).context("a script")?;
    Ok(Address::p2wsh(&script, NETWORK).to_string())
}

/// The script of [`trading_address`], hex.
pub fn witness_script(user: &Wallet, platform: &str) -> String {
    let key = user.public_key();
    let user = match user.kind() {
        Kind::P2tr => {
            let x_only = user.x_only_key();
            format!("2102{x_only}ac642103{x_only}ad68")
        }
        _ => format!("21{key}ad"),
    };
    format!("{user}21{platform}ac736402a032b268")
}

/// The co-signing key of this world: its ARN, and its public key in hex.
///
/// # Panics
/// KMS does not answer.
// For tests, which only need the panic's text.
#[allow(clippy::expect_used)]
pub async fn cosigning_key(stack: &LocalStack) -> (String, String) {
    let app = stack.app();
    let named = app.config.cosigning.keys.first().expect("a co-signing key");
    let key = app.signer.key(named).await.expect("KMS answers");
    (key.id, key.public_key.to_string())
}

/// A Bitcoin wallet's proof that its key may become the user's trading key: the fields `publicKey`,
/// `challengeId` and `signature`, for a challenge of this purpose.
///
/// # Panics
/// The service refuses to issue a challenge.
pub async fn proof(client: &Client, wallet: &Wallet, purpose: &str, token: Option<&str>) -> Value {
    let asked = challenge(client, wallet, purpose, token).await;
    json!({
        "publicKey": wallet.public_key(),
        "challengeId": asked.text_of("challengeId"),
        "signature": wallet.sign(asked.text_of("message")),
    })
}

/// The same proof in the format of a registration with a password.
///
/// # Panics
/// The service refuses to issue a challenge.
pub async fn registration(client: &Client, wallet: &Wallet) -> Value {
    let mut proof = proof(client, wallet, "signIn", None).await;
    if let Some(fields) = proof.as_object_mut()
        && let Some(key) = fields.remove("publicKey")
    {
        fields.insert("tradingPublicKey".to_owned(), key);
    }
    proof
}
