//! The trading wallet of an account: a Bitcoin address that needs two signatures, the user's and
//! the platform's, or the user's alone once a coin has rested for the delay.
//!
//! ```text
//! wsh(and_v(v:pk(USER),or_d(pk(PLATFORM),older(12960))))
//! ```
//!
//! P2WSH, since AWS KMS signs ECDSA over secp256k1 and no Schnorr: the platform's key never leaves
//! it.

use std::{fmt, str::FromStr};

use bitcoin::{Address, Network, PublicKey, ScriptBuf, Weight, XOnlyPublicKey};
use miniscript::descriptor::{Descriptor, Wsh};
use serde::{Deserialize, Serialize};

use super::as_text;
use crate::clock::Timestamp;

/// Blocks that a coin must rest before its user can spend it alone (BIP 68, BIP 112): 90 days,
/// counted per coin.
pub const DELAY: u16 = 12_960;

/// The most that an input weighs beyond an unsigned one once both have signed, in weight units.
pub const SATISFACTION_WEIGHT: u64 = 224;

/// A trading wallet, as an account keeps it: written once, never computed anew (custody rule 11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TradingWallet {
    /// Its address, bech32 in lowercase.
    pub address: String,
    /// The script that the address stands for, with both keys.
    pub descriptor: TradingDescriptor,
    /// The KMS key that signs for the platform: id or ARN.
    pub key_id: String,
    /// When it was made.
    pub created_at: Timestamp,
}

impl TradingWallet {
    /// The wallet of two keys.
    pub fn new(
        descriptor: TradingDescriptor,
        key_id: String,
        network: Network,
        created_at: Timestamp,
    ) -> Self {
        let address = descriptor.address(network).to_string();
        Self { address, descriptor, key_id, created_at }
    }
}

/// The script of a trading wallet, of which only the two keys vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TradingDescriptor {
    user: PublicKey,
    platform: PublicKey,
    wsh: Wsh<PublicKey>,
}

/// Why a text or two keys are no trading wallet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TradingDescriptorError {
    /// A key of 65 bytes: a witness script takes compressed ones alone (BIP 143).
    #[error("The public key must be compressed, 33 bytes.")]
    Uncompressed,
    /// One key for both.
    #[error("The public key is the platform's.")]
    SameKey,
    /// Another descriptor, or none.
    #[error("This is not the descriptor of a trading wallet.")]
    Malformed,
}

impl TradingDescriptor {
    /// The script of these keys.
    ///
    /// # Errors
    /// [`TradingDescriptorError`].
    pub fn new(user: PublicKey, platform: PublicKey) -> Result<Self, TradingDescriptorError> {
        if !user.compressed || !platform.compressed {
            return Err(TradingDescriptorError::Uncompressed);
        }
        // Of keys that differ in parity alone, who has one has the other.
        if XOnlyPublicKey::from(user) == XOnlyPublicKey::from(platform) {
            return Err(TradingDescriptorError::SameKey);
        }
        let text = format!("wsh(and_v(v:pk({user}),or_d(pk({platform}),older({DELAY}))))");
        match text.parse::<Descriptor<PublicKey>>() {
            Ok(Descriptor::Wsh(wsh)) => Ok(Self { user, platform, wsh }),
            _ => Err(TradingDescriptorError::Malformed),
        }
    }

    /// The user's key.
    pub fn user(&self) -> PublicKey {
        self.user
    }

    /// The platform's key.
    pub fn platform(&self) -> PublicKey {
        self.platform
    }

    /// The script that coins of the address are locked by, revealed when they are spent.
    pub fn witness_script(&self) -> ScriptBuf {
        self.wsh.inner_script()
    }

    /// The script that an output to the address has.
    pub fn script_pubkey(&self) -> ScriptBuf {
        self.wsh.script_pubkey()
    }

    /// The address.
    pub fn address(&self, network: Network) -> Address {
        self.wsh.address(network)
    }

    /// The most that a signed input weighs beyond an unsigned one. An upper bound: low signatures
    /// are a byte or two shorter.
    ///
    /// # Errors
    /// None for any value of this type; miniscript cannot say so.
    pub fn satisfaction_weight(&self) -> Result<Weight, TradingDescriptorError> {
        self.wsh.max_weight_to_satisfy().map_err(|_| TradingDescriptorError::Malformed)
    }
}

/// The descriptor with its checksum (BIP 380).
impl fmt::Display for TradingDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.wsh.fmt(f)
    }
}

impl FromStr for TradingDescriptor {
    type Err = TradingDescriptorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const MALFORMED: TradingDescriptorError = TradingDescriptorError::Malformed;
        let key = |name: &str| {
            let (_, rest) = text.split_once(name)?;
            let (key, _) = rest.split_once(')')?;
            key.parse::<PublicKey>().ok()
        };
        let user = key("and_v(v:pk(").ok_or(MALFORMED)?;
        let descriptor = Self::new(user, key("or_d(pk(").ok_or(MALFORMED)?)?;
        // What was read must be all that the text says.
        if descriptor.to_string() == text { Ok(descriptor) } else { Err(MALFORMED) }
    }
}

as_text!(
    TradingDescriptor,
    "^wsh\\(and_v\\(v:pk\\(0[23][0-9a-f]{64}\\),or_d\\(pk\\(0[23][0-9a-f]{64}\\),older\\(12960\\)\\)\\)\\)#[0-9a-z]{8}$",
    "wsh(and_v(v:pk(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798),or_d(pk(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5),older(12960))))#m4uhhjp7"
);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use bitcoin::secp256k1::{Message, Secp256k1, SecretKey};

    use super::*;

    /// The points of the private keys 1 and 2.
    const USER: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    const PLATFORM: &str = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5";

    fn descriptor() -> TradingDescriptor {
        TradingDescriptor::new(USER.parse().unwrap(), PLATFORM.parse().unwrap()).unwrap()
    }

    #[test]
    fn the_script_is_the_one_of_the_design() {
        // <USER> OP_CHECKSIGVERIFY <PLATFORM> OP_CHECKSIG OP_IFDUP OP_NOTIF <12960> OP_CSV OP_ENDIF
        let script = format!("21{USER}ad21{PLATFORM}ac736402a032b268");
        assert_eq!(hex::encode(descriptor().witness_script().as_bytes()), script);
        assert_eq!(descriptor().script_pubkey(), descriptor().witness_script().to_p2wsh());
    }

    #[test]
    fn the_weight_of_signatures_is_what_miniscript_says() {
        assert_eq!(descriptor().satisfaction_weight().unwrap().to_wu(), SATISFACTION_WEIGHT);
    }

    #[test]
    fn a_descriptor_reads_back_as_it_was_written() {
        let text = descriptor().to_string();
        assert_eq!(text.parse::<TradingDescriptor>().unwrap(), descriptor());
    }

    #[test]
    fn nothing_else_is_a_descriptor() {
        let text = descriptor().to_string();
        let (bare, checksum) = text.split_once('#').unwrap();
        for other in [
            String::new(),
            bare.to_owned(),
            format!("{bare}#aaaaaaaa"),
            format!(" {text}"),
            format!("{bare}x#{checksum}"),
            text.replace("12960", "1"),
            text.replace(PLATFORM, USER),
            text.replace("wsh(", "sh("),
            text.replace("or_d", "or_i"),
        ] {
            assert!(other.parse::<TradingDescriptor>().is_err(), "{other}");
        }
    }

    #[test]
    fn rule_12_a_key_must_be_compressed_and_not_the_platforms() {
        let (user, platform): (PublicKey, PublicKey) =
            (USER.parse().unwrap(), PLATFORM.parse().unwrap());
        let long = PublicKey { compressed: false, ..user };
        assert_eq!(
            TradingDescriptor::new(long, platform),
            Err(TradingDescriptorError::Uncompressed)
        );
        let negated: PublicKey = PLATFORM.replacen("02", "03", 1).parse().unwrap();
        for key in [platform, negated] {
            assert_eq!(TradingDescriptor::new(key, platform), Err(TradingDescriptorError::SameKey));
        }
    }

    /// A signature of some message: what it is of is not looked at here.
    fn signature(secret: u8) -> Vec<u8> {
        let secret = SecretKey::from_slice(&[secret; 32]).unwrap();
        let signed = Secp256k1::signing_only().sign_ecdsa(&Message::from_digest([9; 32]), &secret);
        bitcoin::ecdsa::Signature::sighash_all(signed).to_vec()
    }

    /// Whether these elements satisfy the script, of good signatures, in an input of this nSequence.
    fn spends(witness: &[Vec<u8>], sequence: u32) -> bool {
        let script = descriptor().witness_script().into_bytes();
        let elements = witness.iter().map(Vec::as_slice).chain([script.as_slice()]);
        let witness = bitcoin::Witness::from_slice(&elements.collect::<Vec<_>>());
        let sequence = bitcoin::Sequence(sequence);
        let (none, lock_time) = (ScriptBuf::new(), bitcoin::absolute::LockTime::ZERO);
        let output = descriptor().script_pubkey();
        let interpreter =
            miniscript::Interpreter::from_txdata(&output, &none, &witness, sequence, lock_time);
        interpreter.is_ok_and(|it| it.iter_assume_sigs().all(|step| step.is_ok()))
    }

    #[test]
    fn both_spend_at_once_and_the_user_alone_after_the_delay() {
        let (platform, user, none) = (signature(2), signature(1), Vec::new());
        assert!(spends(&[platform.clone(), user.clone()], 0xffff_fffd));
        assert!(spends(&[none.clone(), user.clone()], 12_960));
        for sequence in [0, 12_959, 0xffff_fffd, 0xffff_ffff] {
            assert!(!spends(&[none.clone(), user.clone()], sequence), "{sequence}");
        }
        assert!(!spends(&[platform, none.clone()], 12_960));
        assert!(!spends(&[user, none], 12_960));
    }

    #[test]
    fn a_signed_input_weighs_no_more_than_is_said() {
        // Three elements and their lengths, more than the empty witness's one byte.
        let longest = 1 + (1 + 73) + (1 + 73) + (1 + 75);
        let said = descriptor().satisfaction_weight().unwrap().to_wu();
        assert!((longest - 4..=longest + 4).contains(&said), "{said}");
    }
}
