//! The data that a wallet signs for an action: the typed data of EIP-712 and its digest. With the digest, a
//! client in any language can check its own hashing. After a wrong hash, the venue would only answer that an
//! unknown wallet has signed.

use std::{collections::BTreeMap, iter};

use alloy::primitives::{Address, B256, U256, keccak256};
use base::clock::Timestamp;
use serde::Serialize;
use shared::venue::VenueChain;
use utoipa::ToSchema;

use super::PerpVenueConfig;

/// How the venue hashes an action.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SigningScheme {
    /// The wallet signs the fields of the action, with `venueChain` renamed to `hyperliquidChain` and the nonce
    /// added.
    UserSignedAction,
    /// The wallet signs `{source, connectionId}`: `source` is `a` on Mainnet and `b` on Testnet. `connectionId`
    /// is the Keccak-256 hash of these bytes: the action in MessagePack, the nonce in 8 bytes (big endian), and
    /// a zero byte.
    L1Action,
}

/// The domain of the typed data (EIP-712).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SigningDomain {
    /// Name of the domain.
    #[schema(value_type = String, pattern = "^[A-Za-z]+$", example = "HyperliquidSignTransaction")]
    name: &'static str,
    /// Version of the domain.
    #[schema(value_type = String, pattern = "^[0-9]+$", example = "1")]
    version: &'static str,
    /// Chain id of the domain: that of the action, or 1337 for an L1 action.
    #[schema(example = 999)]
    chain_id: u64,
    /// Always the zero address.
    #[schema(
        value_type = String,
        pattern = "^0x0{40}$",
        example = "0x0000000000000000000000000000000000000000"
    )]
    verifying_contract: &'static str,
}

/// A field of the typed data.
#[derive(Debug, Serialize, ToSchema)]
pub struct TypedField {
    /// Its name.
    #[schema(value_type = String, pattern = "^[A-Za-z]+$", example = "amount")]
    name: &'static str,
    /// Its Solidity type.
    #[schema(value_type = String, pattern = "^[a-z]+[0-9]*$", example = "string")]
    r#type: &'static str,
}

/// Name of the type that is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(
    value_type = String,
    pattern = "^[A-Za-z]+(:[A-Za-z]+)?$",
    example = "HyperliquidTransaction:SendAsset"
)]
pub struct PrimaryType(&'static str);

/// What the wallet signs for an action.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Signing {
    /// How the venue hashes the action.
    scheme: SigningScheme,
    /// The domain.
    domain: SigningDomain,
    /// The fields of the primary type, in order, under its name.
    #[schema(value_type = BTreeMap<PrimaryType, Vec<TypedField>>)]
    types: BTreeMap<PrimaryType, Vec<TypedField>>,
    primary_type: PrimaryType,
    /// A nonce to sign with: the service's time in ms.
    #[schema(example = 1_700_000_000_000_u64)]
    nonce: u64,
    /// The digest that the wallet signs if it uses this nonce, 0x and hex.
    #[schema(pattern = "^0x[0-9a-f]{64}$")]
    digest: String,
}

/// The value of a field of typed data.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypedValue<'value> {
    /// A `string`.
    Text(&'value str),
    /// An `address`.
    Address(Address),
    /// A `uint64`.
    Number(u64),
    /// A `bytes32`.
    Hash(B256),
}

impl TypedValue<'_> {
    const fn solidity(self) -> &'static str {
        match self {
            Self::Text(_) => "string",
            Self::Address(_) => "address",
            Self::Number(_) => "uint64",
            Self::Hash(_) => "bytes32",
        }
    }

    /// The word that stands for it in the hash of a struct.
    fn word(self) -> B256 {
        match self {
            Self::Text(text) => keccak256(text),
            Self::Address(address) => address.into_word(),
            Self::Number(number) => U256::from(number).into(),
            Self::Hash(hash) => hash,
        }
    }
}

/// The zero address.
const ZERO: &str = "0x0000000000000000000000000000000000000000";

type Fields<'values> = Vec<(&'static str, TypedValue<'values>)>;

impl Signing {
    /// For a user-signed action with these fields, in the venue's order, without chain and nonce.
    pub(crate) fn user_action(
        venue: &PerpVenueConfig,
        primary_type: &'static str,
        fields: Fields<'_>,
        now: Timestamp,
    ) -> Self {
        let nonce = nonce_at(now);
        let chain = match venue.chain {
            VenueChain::Mainnet => "Mainnet",
            VenueChain::Testnet => "Testnet",
        };
        let fields = iter::once(("hyperliquidChain", TypedValue::Text(chain)))
            .chain(fields)
            .chain([("nonce", TypedValue::Number(nonce))]);
        let domain = domain("HyperliquidSignTransaction", venue.chain_id);
        Self::of(SigningScheme::UserSignedAction, domain, primary_type, fields.collect(), nonce)
    }

    /// For an L1 action with these keys and values, in order, each of fewer than 32 bytes.
    pub(crate) fn l1_action<const N: usize>(
        venue: &PerpVenueConfig,
        action: [(&str, &str); N],
        now: Timestamp,
    ) -> Self {
        let nonce = nonce_at(now);
        let source = match venue.chain {
            VenueChain::Mainnet => "a",
            VenueChain::Testnet => "b",
        };
        // The zero byte means that no vault acts for the wallet.
        let bytes = [packed(action), nonce.to_be_bytes().to_vec(), vec![0]].concat();
        let fields = vec![
            ("source", TypedValue::Text(source)),
            ("connectionId", TypedValue::Hash(keccak256(bytes))),
        ];
        Self::of(SigningScheme::L1Action, domain("Exchange", 1337), "Agent", fields, nonce)
    }

    fn of(
        scheme: SigningScheme,
        domain: SigningDomain,
        primary_type: &'static str,
        fields: Fields<'_>,
        nonce: u64,
    ) -> Self {
        let digest = format!("{:#x}", digest(&domain, primary_type, &fields));
        let fields = fields.into_iter();
        let fields = fields.map(|(name, value)| TypedField { name, r#type: value.solidity() });
        let primary_type = PrimaryType(primary_type);
        let types = BTreeMap::from([(primary_type, fields.collect())]);
        Self { scheme, domain, types, primary_type, nonce, digest }
    }
}

fn nonce_at(now: Timestamp) -> u64 {
    u64::try_from(now.0).unwrap_or_default()
}

const fn domain(name: &'static str, chain_id: u64) -> SigningDomain {
    SigningDomain { name, version: "1", chain_id, verifying_contract: ZERO }
}

/// A map of texts in MessagePack.
fn packed<const N: usize>(entries: [(&str, &str); N]) -> Vec<u8> {
    let texts = entries.iter().flat_map(|(key, value)| [packed_text(key), packed_text(value)]);
    iter::once(0x80 | (short(N) & 0x0f)).chain(texts.flatten()).collect()
}

/// A text of fewer than 32 bytes in MessagePack.
fn packed_text(text: &str) -> Vec<u8> {
    iter::once(0xa0 | (short(text.len()) & 0x1f)).chain(text.bytes()).collect()
}

fn short(length: usize) -> u8 {
    u8::try_from(length).unwrap_or(u8::MAX)
}

/// The hash of a struct (EIP-712).
fn struct_hash(name: &str, fields: &[(&'static str, TypedValue<'_>)]) -> B256 {
    let members = fields.iter().map(|(field, value)| format!("{} {field}", value.solidity()));
    let described = format!("{name}({})", members.collect::<Vec<_>>().join(","));
    hash_words(keccak256(described), fields.iter().map(|(_, value)| value.word()))
}

fn hash_words(first: B256, rest: impl Iterator<Item = B256>) -> B256 {
    keccak256(iter::once(first).chain(rest).flat_map(|word| word.0).collect::<Vec<_>>())
}

/// The digest that a wallet signs (EIP-712).
fn digest(
    domain: &SigningDomain,
    primary_type: &str,
    fields: &[(&'static str, TypedValue<'_>)],
) -> B256 {
    let of_domain =
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
    let words = [
        keccak256(domain.name),
        keccak256(domain.version),
        U256::from(domain.chain_id).into(),
        Address::ZERO.into_word(),
    ];
    let domain = hash_words(keccak256(of_domain), words.into_iter());
    let message = struct_hash(primary_type, fields);
    keccak256([&[0x19, 0x01], domain.as_slice(), message.as_slice()].concat())
}
