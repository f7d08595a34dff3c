//! The trading wallet of an account: a Bitcoin address that needs two signatures, the user's and
//! the platform's, or the user's alone once a coin has rested for the delay.
//!
//! ```text
//! wsh(and_v(v:pk(USER),or_d(pk(PLATFORM),older(12960))))
//! ```
//!
//! A Schnorr signature (BIP 340) proves an x-only key: which of two points it stands for stays
//! open. The wallet of a key that was proved by Taproot alone takes the signature of either:
//!
//! ```text
//! wsh(and_v(or_c(pk(02X),v:pk(03X)),or_d(pk(PLATFORM),older(12960))))
//! ```
//!
//! P2WSH, since AWS KMS signs ECDSA over secp256k1 and no Schnorr: the platform's key never leaves
//! it.

use std::{fmt, str::FromStr};

use bitcoin::{Address, Network, PublicKey, ScriptBuf, Weight, XOnlyPublicKey, secp256k1::Parity};
use miniscript::descriptor::{Descriptor, Wsh};
use serde::{Deserialize, Serialize};

use super::as_text;
use crate::clock::Timestamp;

/// Blocks that a coin must rest before its user can spend it alone (BIP 68, BIP 112): 90 days,
/// counted per coin.
pub const DELAY: u16 = 12_960;

/// The most that an input of either form weighs beyond an unsigned one once both have signed, in
/// weight units.
pub const SATISFACTION_WEIGHT: u64 = 262;

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

/// The user's key in a trading wallet, as far as it is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserKey {
    /// All 33 bytes, by an ECDSA signature.
    Compressed(PublicKey),
    /// The x-only key, by a Schnorr signature: the user signs by one of the two keys with this x.
    EitherParity(XOnlyPublicKey),
}

impl UserKey {
    /// The key without its parity.
    pub fn x_only(self) -> XOnlyPublicKey {
        match self {
            Self::Compressed(key) => key.into(),
            Self::EitherParity(key) => key,
        }
    }

    /// The keys that sign for the user, each alone, in the order in which the script asks them.
    pub fn keys(self) -> impl Iterator<Item = PublicKey> {
        let keys = match self {
            Self::Compressed(key) => [Some(key), None],
            Self::EitherParity(key) => [Parity::Even, Parity::Odd]
                .map(|parity| Some(PublicKey::new(key.public_key(parity)))),
        };
        keys.into_iter().flatten()
    }
}

/// Hex: 33 bytes, or 32 of a key whose parity is open.
impl fmt::Display for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compressed(key) => key.fmt(f),
            Self::EitherParity(key) => key.fmt(f),
        }
    }
}

/// The script of a trading wallet, in one of its two forms; only the keys vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TradingDescriptor {
    user: UserKey,
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
    pub fn new(user: UserKey, platform: PublicKey) -> Result<Self, TradingDescriptorError> {
        if !platform.compressed || user.keys().any(|key| !key.compressed) {
            return Err(TradingDescriptorError::Uncompressed);
        }
        // Of keys that differ in parity alone, who has one has the other.
        if user.x_only() == XOnlyPublicKey::from(platform) {
            return Err(TradingDescriptorError::SameKey);
        }
        let text = text_of(user, |key| key.to_string(), platform);
        match text.parse::<Descriptor<PublicKey>>() {
            Ok(Descriptor::Wsh(wsh)) => Ok(Self { user, platform, wsh }),
            _ => Err(TradingDescriptorError::Malformed),
        }
    }

    /// The user's key.
    pub fn user(&self) -> UserKey {
        self.user
    }

    /// The descriptor without its checksum, with each of the user's keys as `name` writes it.
    pub fn with_user_keys(&self, name: impl Fn(PublicKey) -> String) -> String {
        text_of(self.user, name, self.platform)
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

fn text_of(user: UserKey, name: impl Fn(PublicKey) -> String, platform: PublicKey) -> String {
    let keys: Vec<_> = user.keys().map(name).collect();
    let user = match keys.as_slice() {
        [even, odd] => format!("or_c(pk({even}),v:pk({odd}))"),
        keys => format!("v:pk({})", keys.concat()),
    };
    format!("wsh(and_v({user},or_d(pk({platform}),older({DELAY}))))")
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
        let user = match key("and_v(or_c(pk(") {
            Some(even) => UserKey::EitherParity(even.into()),
            None => UserKey::Compressed(key("and_v(v:pk(").ok_or(MALFORMED)?),
        };
        let descriptor = Self::new(user, key("or_d(pk(").ok_or(MALFORMED)?)?;
        // What was read must be all that the text says.
        if descriptor.to_string() == text { Ok(descriptor) } else { Err(MALFORMED) }
    }
}

as_text!(
    TradingDescriptor,
    "^wsh\\(and_v\\((v:pk\\(0[23][0-9a-f]{64}\\)|or_c\\(pk\\(02[0-9a-f]{64}\\),v:pk\\(03[0-9a-f]{64}\\)\\)),or_d\\(pk\\(0[23][0-9a-f]{64}\\),older\\(12960\\)\\)\\)\\)#[0-9a-z]{8}$",
    "wsh(and_v(v:pk(0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798),or_d(pk(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5),older(12960))))#m4uhhjp7"
);

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::slice;

    use bitcoin::secp256k1::{Message, Secp256k1, SecretKey};
    use miniscript::{
        Miniscript, Segwitv0,
        policy::{Liftable, Semantic},
    };

    use super::*;

    /// The points of the private keys 1 to 3.
    const USER: &str = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    const PLATFORM: &str = "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5";
    const STRANGER: &str = "02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9";

    fn known(key: &str) -> UserKey {
        UserKey::Compressed(key.parse().unwrap())
    }

    fn either(key: &str) -> UserKey {
        UserKey::EitherParity(known(key).x_only())
    }

    fn of(user: UserKey) -> TradingDescriptor {
        TradingDescriptor::new(user, PLATFORM.parse().unwrap()).unwrap()
    }

    /// Both forms, of one key.
    fn forms() -> [TradingDescriptor; 2] {
        [known(USER), either(USER)].map(of)
    }

    #[test]
    fn the_script_is_the_one_of_the_design() {
        // <USER> OP_CHECKSIGVERIFY <PLATFORM> OP_CHECKSIG OP_IFDUP OP_NOTIF <12960> OP_CSV OP_ENDIF
        let rest = format!("21{PLATFORM}ac736402a032b268");
        // <02X> OP_CHECKSIG OP_NOTIF <03X> OP_CHECKSIGVERIFY OP_ENDIF, instead of the first two.
        let odd = USER.replacen("02", "03", 1);
        let scripts = [format!("21{USER}ad{rest}"), format!("21{USER}ac6421{odd}ad68{rest}")];
        for (descriptor, script) in forms().into_iter().zip(scripts) {
            assert_eq!(hex::encode(descriptor.witness_script().as_bytes()), script);
            assert_eq!(descriptor.script_pubkey(), descriptor.witness_script().to_p2wsh());
        }
    }

    #[test]
    fn custody_12_both_scripts_are_sane_miniscript() {
        for descriptor in forms() {
            descriptor.wsh.sanity_check().unwrap();
            let script = descriptor.witness_script();
            let read = Miniscript::<PublicKey, Segwitv0>::decode(&script).unwrap();
            read.sanity_check().unwrap();
            assert_eq!(read.encode(), script);
            assert!(
                read.is_non_malleable() && read.requires_sig() && read.within_resource_limits()
            );
        }
        let odd = USER.replacen("02", "03", 1);
        let policies = [format!("pk({USER})"), format!("or(pk({USER}),pk({odd}))")]
            .map(|user| format!("and({user},or(pk({PLATFORM}),older({DELAY})))"));
        for (descriptor, policy) in forms().into_iter().zip(policies) {
            let policy: Semantic<PublicKey> = policy.parse().unwrap();
            assert_eq!(descriptor.wsh.lift().unwrap().normalized(), policy.normalized());
        }
    }

    #[test]
    fn the_weight_of_signatures_is_what_miniscript_says() {
        let weights = forms().map(|it| it.satisfaction_weight().unwrap().to_wu());
        assert_eq!(weights, [224, 262]);
        assert_eq!(weights.into_iter().max(), Some(SATISFACTION_WEIGHT));
    }

    #[test]
    fn a_descriptor_reads_back_as_it_was_written() {
        for descriptor in forms() {
            let text = descriptor.to_string();
            assert_eq!(text.parse::<TradingDescriptor>().unwrap(), descriptor);
            assert_eq!(
                text.split_once('#').unwrap().0,
                descriptor.with_user_keys(|key| key.to_string())
            );
        }
        // As Bitcoin Core writes them (getdescriptorinfo).
        let checksums = forms().map(|it| it.to_string().split_once('#').unwrap().1.to_owned());
        assert_eq!(checksums, ["m4uhhjp7", "36fzrhga"]);
        // What is said of a key's parity is no part of the second form.
        let odd = USER.replacen("02", "03", 1);
        assert_eq!(of(either(&odd)), of(either(USER)));
        assert_ne!(of(known(&odd)), of(known(USER)));
    }

    #[test]
    fn nothing_else_is_a_descriptor() {
        let odd = USER.replacen("02", "03", 1);
        for descriptor in forms() {
            let text = descriptor.to_string();
            let (bare, checksum) = text.split_once('#').unwrap();
            let with_checksum = |bare: &str| {
                bare.parse::<Descriptor<PublicKey>>()
                    .map_or_else(|_| bare.to_owned(), |it| it.to_string())
            };
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
                with_checksum(&bare.replace("12960", "12961")),
                with_checksum(&bare.replace("wsh(", "sh(wsh(").replace("))))", ")))))")),
                // Two keys that are not the two of one x, in their order.
                with_checksum(&format!(
                    "wsh(and_v(or_c(pk({odd}),v:pk({USER})),or_d(pk({PLATFORM}),older(12960))))"
                )),
                with_checksum(&format!(
                    "wsh(and_v(or_c(pk({USER}),v:pk({STRANGER})),or_d(pk({PLATFORM}),older(12960))))"
                )),
                with_checksum(&format!(
                    "wsh(and_v(or_c(pk({USER}),v:pk({USER})),or_d(pk({PLATFORM}),older(12960))))"
                )),
                with_checksum(&format!(
                    "wsh(and_v(or_c(pk({USER}),v:pkh({odd})),or_d(pk({PLATFORM}),older(12960))))"
                )),
                with_checksum(&format!(
                    "wsh(and_v(or_c(pk({USER}),v:pk({odd})),or_d(pk({USER}),older(12960))))"
                )),
            ] {
                assert!(other.parse::<TradingDescriptor>().is_err(), "{other}");
            }
        }
    }

    #[test]
    fn rule_12_a_key_must_be_compressed_and_not_the_platforms() {
        let platform: PublicKey = PLATFORM.parse().unwrap();
        let long = PublicKey { compressed: false, ..USER.parse().unwrap() };
        assert_eq!(
            TradingDescriptor::new(UserKey::Compressed(long), platform),
            Err(TradingDescriptorError::Uncompressed)
        );
        let negated = PLATFORM.replacen("02", "03", 1);
        for key in [known(PLATFORM), known(&negated), either(PLATFORM)] {
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
    fn spends(descriptor: &TradingDescriptor, witness: &[Vec<u8>], sequence: u32) -> bool {
        let script = descriptor.witness_script().into_bytes();
        let elements = witness.iter().map(Vec::as_slice).chain([script.as_slice()]);
        let witness = bitcoin::Witness::from_slice(&elements.collect::<Vec<_>>());
        let sequence = bitcoin::Sequence(sequence);
        let (none, lock_time) = (ScriptBuf::new(), bitcoin::absolute::LockTime::ZERO);
        let output = descriptor.script_pubkey();
        let interpreter =
            miniscript::Interpreter::from_txdata(&output, &none, &witness, sequence, lock_time);
        interpreter.is_ok_and(|it| it.iter_assume_sigs().all(|step| step.is_ok()))
    }

    #[test]
    fn both_spend_at_once_and_the_user_alone_after_the_delay() {
        let (platform, user, none) = (signature(2), signature(1), Vec::new());
        let [plain, either] = forms();
        let ways: [(&TradingDescriptor, &[Vec<u8>]); 3] = [
            (&plain, slice::from_ref(&user)),
            // By the even key, and by the odd one.
            (&either, slice::from_ref(&user)),
            (&either, &[user.clone(), none.clone()]),
        ];
        for (wallet, user) in ways {
            let with = |first: &Vec<u8>| [slice::from_ref(first), user].concat();
            assert!(spends(wallet, &with(&platform), 0xffff_fffd));
            assert!(spends(wallet, &with(&none), 12_960));
            for sequence in [0, 12_959, 0xffff_fffd, 0xffff_ffff] {
                assert!(!spends(wallet, &with(&none), sequence), "{sequence}");
            }
            let nobodys = vec![none.clone(); user.len()];
            assert!(!spends(
                wallet,
                &[slice::from_ref(&platform), nobodys.as_slice()].concat(),
                12_960
            ));
        }
        assert!(!spends(&plain, &[user, none], 12_960));
    }

    #[test]
    fn a_signed_input_weighs_no_more_than_is_said() {
        // The elements and their lengths, more than the empty witness's one byte.
        let both = (1 + 73) + (1 + 73);
        for (descriptor, longest) in forms().iter().zip([both + 1 + 77, both + 1 + 1 + 114]) {
            let said = descriptor.satisfaction_weight().unwrap().to_wu();
            assert!((longest - 4..=longest).contains(&said), "{said}");
        }
    }
}
