//! The trading wallet of an account. Its Bitcoin address is spent with two signatures, the user's and the
//! platform's, or by the user alone after a coin has been confirmed for the delay.
//!
//! ```text
//! wsh(and_v(v:pk(USER),or_d(pk(PLATFORM),older(12960))))
//! ```
//!
//! A Schnorr signature (BIP 340) proves an x-only key, which stands for two points. A wallet whose key was
//! proved only by Taproot therefore accepts the signature of either:
//!
//! ```text
//! wsh(and_v(or_c(pk(02X),v:pk(03X)),or_d(pk(PLATFORM),older(12960))))
//! ```
//!
//! The wallet is P2WSH because AWS KMS signs ECDSA over secp256k1 but not Schnorr, and the platform's key
//! never leaves KMS.

use std::{fmt, str::FromStr};

use base::clock::Timestamp;
use bitcoin::{Address, Network, PublicKey, ScriptBuf, Weight, XOnlyPublicKey, secp256k1::Parity};
use miniscript::descriptor::{Descriptor, Wsh};
use serde::{Deserialize, Serialize};

use super::as_text;

/// Confirmations after which the user can spend a coin alone (BIP 68, BIP 112): about 90 days, counted per
/// coin.
pub const DELAY: u16 = 12_960;

/// A coin should be renewed when it has fewer blocks than this left of its delay: four weeks.
pub const RENEWAL_ADVISED_BELOW: u32 = 4_032;

/// A mint refuses a coin that has fewer blocks than this left of its delay: a week and a day (custody rule
/// 2).
pub const RENEWAL_NEEDED_BELOW: u32 = 1_152;

/// The most weight that both signatures add to an input of either form, in weight units.
pub const SATISFACTION_WEIGHT: u64 = 262;

/// A trading wallet as stored with its account: written once, never derived again (custody rule 11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TradingWallet {
    /// Its address: bech32 in lowercase.
    pub address: String,
    /// The script behind the address, with both keys.
    pub descriptor: TradingDescriptor,
    /// The id of the KMS key that signs for the platform; a copy of the key in another region has the same
    /// id.
    pub key_id: String,
    /// When it was created.
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

/// The user's key in a trading wallet, to the extent that it is proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserKey {
    /// All 33 bytes, proved by an ECDSA signature.
    Compressed(PublicKey),
    /// The x-only key, proved by a Schnorr signature. The user signs with one of the two keys with this x
    /// coordinate.
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

    /// The keys that can sign for the user, in the order the script checks them.
    pub fn keys(self) -> impl Iterator<Item = PublicKey> {
        let keys = match self {
            Self::Compressed(key) => [Some(key), None],
            Self::EitherParity(key) => [Parity::Even, Parity::Odd]
                .map(|parity| Some(PublicKey::new(key.public_key(parity)))),
        };
        keys.into_iter().flatten()
    }
}

/// Hex: 33 bytes, or 32 if the parity is unknown.
impl fmt::Display for UserKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compressed(key) => key.fmt(f),
            Self::EitherParity(key) => key.fmt(f),
        }
    }
}

/// The script of a trading wallet in one of its two forms. Only the keys vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TradingDescriptor {
    user: UserKey,
    platform: PublicKey,
    wsh: Wsh<PublicKey>,
}

/// Why a text or a pair of keys is not a trading wallet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TradingDescriptorError {
    /// A key of 65 bytes. Witness scripts accept only compressed keys (BIP 143).
    #[error("The public key must be compressed, 33 bytes.")]
    Uncompressed,
    /// The user's key equals the platform's.
    #[error("This public key belongs to the platform. Use another key.")]
    SameKey,
    /// A different descriptor, or no descriptor.
    #[error("This is not the descriptor of a trading wallet.")]
    Malformed,
}

impl TradingDescriptor {
    /// The script with these keys.
    ///
    /// # Errors
    /// [`TradingDescriptorError::Uncompressed`] if a key is uncompressed; [`TradingDescriptorError::SameKey`]
    /// if both keys have the same x coordinate.
    pub fn new(user: UserKey, platform: PublicKey) -> Result<Self, TradingDescriptorError> {
        if !platform.compressed || user.keys().any(|key| !key.compressed) {
            return Err(TradingDescriptorError::Uncompressed);
        }
        // If two keys differ only in parity, whoever holds one also holds the other.
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

    /// The descriptor without its checksum, with each of the user's keys written by `name`.
    pub fn with_user_keys(&self, name: impl Fn(PublicKey) -> String) -> String {
        text_of(self.user, name, self.platform)
    }

    /// The platform's key.
    pub fn platform(&self) -> PublicKey {
        self.platform
    }

    /// The script that locks the address's coins, revealed when they are spent.
    pub fn witness_script(&self) -> ScriptBuf {
        self.wsh.inner_script()
    }

    /// The script of outputs to the address.
    pub fn script_pubkey(&self) -> ScriptBuf {
        self.wsh.script_pubkey()
    }

    /// The address.
    pub fn address(&self, network: Network) -> Address {
        self.wsh.address(network)
    }

    /// The most weight that signing adds to an input. This is an upper bound: low signatures are one or two
    /// bytes shorter.
    ///
    /// # Errors
    /// Never fails for a value of this type, but miniscript returns a `Result`.
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
        // The text must contain nothing beyond what was parsed.
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

    fn descriptor(user: UserKey) -> TradingDescriptor {
        TradingDescriptor::new(user, PLATFORM.parse().unwrap()).unwrap()
    }

    /// Both forms, with the same key.
    fn forms() -> [TradingDescriptor; 2] {
        [known(USER), either(USER)].map(descriptor)
    }

    #[test]
    fn the_script_matches_the_design() {
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
    fn the_satisfaction_weight_matches_miniscript_in_both_forms() {
        let weights = forms().map(|it| it.satisfaction_weight().unwrap().to_wu());
        assert_eq!(weights, [224, 262]);
        assert_eq!(weights.into_iter().max(), Some(SATISFACTION_WEIGHT));
    }

    #[test]
    fn a_descriptor_survives_a_round_trip() {
        for descriptor in forms() {
            let text = descriptor.to_string();
            assert_eq!(text.parse::<TradingDescriptor>().unwrap(), descriptor);
            assert_eq!(
                text.split_once('#').unwrap().0,
                descriptor.with_user_keys(|key| key.to_string())
            );
        }
        // The checksums printed by Bitcoin Core (getdescriptorinfo).
        let checksums = forms().map(|it| it.to_string().split_once('#').unwrap().1.to_owned());
        assert_eq!(checksums, ["m4uhhjp7", "36fzrhga"]);
        // The second form does not contain the parity.
        let odd = USER.replacen("02", "03", 1);
        assert_eq!(descriptor(either(&odd)), descriptor(either(USER)));
        assert_ne!(descriptor(known(&odd)), descriptor(known(USER)));
    }

    #[test]
    fn other_descriptors_are_refused() {
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
                // Two keys that do not share one x coordinate, in either order.
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
    fn custody_12_a_key_must_be_compressed_and_not_the_platforms() {
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

    /// A signature of an arbitrary message, which this test does not check.
    fn signature(secret: u8) -> Vec<u8> {
        let secret = SecretKey::from_slice(&[secret; 32]).unwrap();
        let signed = Secp256k1::signing_only().sign_ecdsa(&Message::from_digest([9; 32]), &secret);
        bitcoin::ecdsa::Signature::sighash_all(signed).to_vec()
    }

    /// Whether these elements, with valid signatures, satisfy the script in an input with this nSequence.
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
    fn both_spend_immediately_and_the_user_alone_after_the_delay() {
        let (platform, user, none) = (signature(2), signature(1), Vec::new());
        let [plain, either] = forms();
        let ways: [(&TradingDescriptor, &[Vec<u8>]); 3] = [
            (&plain, slice::from_ref(&user)),
            // Signed by the even key and by the odd one.
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
    fn a_signed_input_weighs_no_more_than_declared() {
        // The elements with their lengths, minus the one byte of an empty witness.
        let both = (1 + 73) + (1 + 73);
        for (descriptor, longest) in forms().iter().zip([both + 1 + 77, both + 1 + 1 + 114]) {
            let said = descriptor.satisfaction_weight().unwrap().to_wu();
            assert!((longest - 4..=longest).contains(&said), "{said}");
        }
    }
}
