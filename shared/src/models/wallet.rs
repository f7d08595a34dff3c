//! Wallet addresses of the three chains whose signatures the service can verify.
//!
//! An address enters the service through [`WalletAddress::parse`] or [`WalletAddress::infer`] and is
//! canonical from then on. All texts of one address give equal values, so the canonical text can be used as a
//! key.

use std::fmt;
use std::str::FromStr;

use alloy::primitives::Address as EvmAddress;
use bitcoin::{AddressType, Network};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::spelling::canonical;

/// The longest address text accepted, in bytes. The longest supported address (P2TR on regtest) has 64.
pub const MAX_ADDRESS_LEN: usize = 128;

/// A chain whose wallets can sign in.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Chain {
    /// Ethereum and every chain that uses its addresses.
    Evm,
    /// Solana.
    Solana,
    /// Bitcoin.
    Bitcoin,
}

impl Chain {
    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Evm => "evm",
            Self::Solana => "solana",
            Self::Bitcoin => "bitcoin",
        }
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Chain {
    type Err = UnknownChain;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "evm" => Ok(Self::Evm),
            "solana" => Ok(Self::Solana),
            "bitcoin" => Ok(Self::Bitcoin),
            _ => Err(UnknownChain),
        }
    }
}

/// The text does not name a supported chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The chain must be evm, solana or bitcoin.")]
pub struct UnknownChain;

/// Why a text is not an accepted address. The texts are safe to show to a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Longer than [`MAX_ADDRESS_LEN`].
    #[error("The address is too long.")]
    TooLong,
    /// Not an address of the given chain.
    #[error("The address is not a valid {0} address.")]
    Malformed(Chain),
    /// A mixed-case EVM address that violates the EIP-55 checksum.
    #[error("The checksum of the address is wrong.")]
    BadChecksum,
    /// The EVM zero address, which has no owner.
    #[error("The zero address cannot be used.")]
    ZeroAddress,
    /// A Bitcoin address of a network other than the deployment's.
    #[error("The address belongs to another Bitcoin network.")]
    WrongNetwork,
    /// A Bitcoin address other than P2PKH, P2SH, P2WPKH or P2TR.
    #[error("Bitcoin addresses of this type are not supported.")]
    UnsupportedType,
    /// The text does not look like an address of any supported chain.
    #[error("The address does not belong to a supported chain.")]
    Unrecognised,
}

/// An address in the types of its chain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AddressForm {
    /// The 20 bytes of an account or contract.
    Evm(EvmAddress),
    /// The 32 bytes of an Ed25519 public key (not checked to be a curve point).
    Solana([u8; 32]),
    /// A P2PKH, P2SH, P2WPKH or P2TR address of the deployment's network.
    Bitcoin(bitcoin::Address),
}

/// A valid address in canonical text: EVM in lowercase hex with `0x`, bech32 in lowercase, base58 unchanged
/// (each value has one base58 text).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WalletAddress {
    canonical: String,
    form: AddressForm,
}

impl WalletAddress {
    /// Parses an address of a known chain. `network` matters only for Bitcoin.
    ///
    /// # Errors
    ///
    /// Any [`AddressError`] except [`AddressError::Unrecognised`].
    pub fn parse(chain: Chain, text: &str, network: Network) -> Result<Self, AddressError> {
        if text.len() > MAX_ADDRESS_LEN {
            return Err(AddressError::TooLong);
        }
        match chain {
            Chain::Evm => Self::parse_evm(text),
            Chain::Solana => Self::parse_solana(text),
            Chain::Bitcoin => Self::parse_bitcoin(text, network),
        }
    }

    /// Parses an address and infers its chain from its form: `0x` means EVM, any Bitcoin address (of any
    /// network and type) means Bitcoin, base58 of 32 bytes means Solana.
    ///
    /// # Errors
    ///
    /// The error of the chain that the form suggests, or [`AddressError::Unrecognised`].
    pub fn infer(text: &str, network: Network) -> Result<Self, AddressError> {
        if text.len() > MAX_ADDRESS_LEN {
            return Err(AddressError::TooLong);
        }
        if text.starts_with("0x") {
            return Self::parse_evm(text);
        }
        // Try Bitcoin before Solana: it has a checksum, while a bech32 address can happen to be base58 of 32
        // bytes.
        match Self::parse_bitcoin(text, network) {
            Err(AddressError::Malformed(_)) => {
                Self::parse_solana(text).map_err(|_| AddressError::Unrecognised)
            }
            bitcoin => bitcoin,
        }
    }

    fn parse_evm(text: &str) -> Result<Self, AddressError> {
        let address = evm_address(text)?;
        Ok(Self { canonical: text.to_ascii_lowercase(), form: AddressForm::Evm(address) })
    }

    fn parse_solana(text: &str) -> Result<Self, AddressError> {
        let bytes = bs58::decode(text)
            .into_vec()
            .ok()
            .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())
            .ok_or(AddressError::Malformed(Chain::Solana))?;
        Ok(Self { canonical: text.to_owned(), form: AddressForm::Solana(bytes) })
    }

    fn parse_bitcoin(text: &str, network: Network) -> Result<Self, AddressError> {
        let address = bitcoin::Address::from_str(text)
            .map_err(|_| AddressError::Malformed(Chain::Bitcoin))?
            .require_network(network)
            .map_err(|_| AddressError::WrongNetwork)?;
        match address.address_type() {
            Some(
                AddressType::P2pkh | AddressType::P2sh | AddressType::P2wpkh | AddressType::P2tr,
            ) => Ok(Self { canonical: address.to_string(), form: AddressForm::Bitcoin(address) }),
            _ => Err(AddressError::UnsupportedType),
        }
    }

    /// The chain of the address.
    #[must_use]
    pub const fn chain(&self) -> Chain {
        match self.form {
            AddressForm::Evm(_) => Chain::Evm,
            AddressForm::Solana(_) => Chain::Solana,
            AddressForm::Bitcoin(_) => Chain::Bitcoin,
        }
    }

    /// The canonical text, which is stored and compared.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.canonical
    }

    /// The address in the types of its chain.
    #[must_use]
    pub const fn form(&self) -> &AddressForm {
        &self.form
    }

    /// The text that people and wallets expect in a message to sign: EVM with its EIP-55 checksum, as
    /// EIP-4361 requires; other chains in canonical form.
    #[must_use]
    pub fn to_message_form(&self) -> String {
        match &self.form {
            AddressForm::Evm(address) => address.to_checksum(None),
            AddressForm::Solana(_) | AddressForm::Bitcoin(_) => self.canonical.clone(),
        }
    }
}

/// Parses an EVM address: `0x` and 20 bytes in hex, not zero. A mixed-case text must have the EIP-55
/// checksum.
///
/// # Errors
/// [`AddressError::Malformed`] if the text is not of this form; [`AddressError::BadChecksum`] if its mixed
/// case is not the checksum; [`AddressError::ZeroAddress`] for the zero address.
pub fn evm_address(text: &str) -> Result<EvmAddress, AddressError> {
    let malformed = AddressError::Malformed(Chain::Evm);
    let digits = text.strip_prefix("0x").ok_or(malformed)?;
    let mut bytes = [0; 20];
    hex::decode_to_slice(digits, &mut bytes).map_err(|_| malformed)?;
    let address = EvmAddress::from(bytes);
    let mixed_case = digits.bytes().any(|digit| digit.is_ascii_lowercase())
        && digits.bytes().any(|digit| digit.is_ascii_uppercase());
    if mixed_case && address.to_checksum(None) != text {
        return Err(AddressError::BadChecksum);
    }
    if address.is_zero() {
        return Err(AddressError::ZeroAddress);
    }
    Ok(address)
}

/// Writes the canonical text.
impl fmt::Display for WalletAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical)
    }
}

/// An address of any chain in its [canonical spelling](super::spelling), as in stored rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AddressText(String);

impl AddressText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AddressText {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `#` separates the parts of list names.
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
        if text.is_empty() || text.len() > MAX_ADDRESS_LEN || !visible {
            return Err("must be a wallet address");
        }
        Ok(Self(canonical(text)))
    }
}

super::as_text!(AddressText, "^[!\"$-~]{1,128}$", "0x00000000000000000000000000000000000000aa");

impl fmt::Display for AddressText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::prelude::*;

    use super::*;

    const P2WPKH: &str = "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l";
    const P2TR: &str = "bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3";
    const P2PKH: &str = "14vV3aCHBeStb5bkenkNHbe2YAFinYdXgc";
    const P2SH: &str = "3HSVzEhCFuH9Z3wvoWTexy7BMVVp3PjS6f";
    const P2WSH: &str = "bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9";
    const SOLANA: &str = "So11111111111111111111111111111111111111112";
    const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

    fn parse(chain: Chain, text: &str) -> Result<WalletAddress, AddressError> {
        WalletAddress::parse(chain, text, Network::Bitcoin)
    }

    fn infer(text: &str) -> Result<WalletAddress, AddressError> {
        WalletAddress::infer(text, Network::Bitcoin)
    }

    // ERC-55, section "Test Cases".
    const EIP_55: [&str; 8] = [
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
        "0xde709f2102306220921060314715629080e2fb77",
        "0x27b1fdb04752bbc536007a920d24acb045561c26",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ];

    #[test]
    fn evm_addresses_match_the_vectors_of_eip_55() {
        for text in EIP_55 {
            let address = parse(Chain::Evm, text).unwrap();
            assert_eq!(address.as_str(), text.to_lowercase());
            assert_eq!(address.to_message_form(), text);
            assert_eq!(parse(Chain::Evm, &text.to_lowercase()).unwrap(), address);
        }
    }

    #[test]
    fn evm_mixed_case_must_match_the_checksum() {
        assert_eq!(
            parse(Chain::Evm, "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed"),
            Err(AddressError::BadChecksum)
        );
        let upper = format!("0x{}", EVM.trim_start_matches("0x").to_uppercase());
        assert_eq!(parse(Chain::Evm, &upper), parse(Chain::Evm, EVM));
    }

    #[test]
    fn malformed_and_zero_evm_addresses_are_refused() {
        let malformed = Err(AddressError::Malformed(Chain::Evm));
        let digits = EVM.trim_start_matches("0x");
        for text in [
            "",
            "0x",
            digits,
            &EVM[..41],
            &format!("{EVM}0"),
            &format!(" {EVM}"),
            &format!("0X{digits}"),
        ] {
            assert_eq!(parse(Chain::Evm, text), malformed, "{text}");
        }
        let zero = format!("0x{}", "0".repeat(40));
        assert_eq!(parse(Chain::Evm, &zero), Err(AddressError::ZeroAddress));
    }

    #[test]
    fn bitcoin_types_have_a_canonical_text() {
        for text in [P2WPKH, P2TR, P2PKH, P2SH] {
            assert_eq!(parse(Chain::Bitcoin, text).unwrap().as_str(), text);
            assert_eq!(parse(Chain::Bitcoin, text).unwrap().to_message_form(), text);
        }
        assert_eq!(parse(Chain::Bitcoin, &P2TR.to_uppercase()), parse(Chain::Bitcoin, P2TR));
        assert_eq!(parse(Chain::Bitcoin, P2WSH), Err(AddressError::UnsupportedType));
        let mixed = format!("bc1Q{}", &P2WPKH[4..]);
        assert_eq!(parse(Chain::Bitcoin, &mixed), Err(AddressError::Malformed(Chain::Bitcoin)));
    }

    #[test]
    fn bitcoin_addresses_of_another_network_are_refused() {
        for network in [Network::Testnet, Network::Signet, Network::Regtest] {
            for text in [P2WPKH, P2TR, P2PKH, P2SH] {
                let error = Err(AddressError::WrongNetwork);
                assert_eq!(WalletAddress::parse(Chain::Bitcoin, text, network), error);
                assert_eq!(WalletAddress::infer(text, network), error);
            }
        }
    }

    #[test]
    fn solana_is_base58_of_32_bytes() {
        assert_eq!(parse(Chain::Solana, SOLANA).unwrap().as_str(), SOLANA);
        let malformed = Err(AddressError::Malformed(Chain::Solana));
        for text in ["", "1", P2PKH, P2SH, &SOLANA[1..], &format!("{SOLANA}1"), "0OIl"] {
            assert_eq!(parse(Chain::Solana, text), malformed, "{text}");
        }
    }

    #[test]
    fn the_chain_is_inferred_from_the_form() {
        for (text, chain) in [
            (EVM, Chain::Evm),
            (SOLANA, Chain::Solana),
            (P2WPKH, Chain::Bitcoin),
            (P2TR, Chain::Bitcoin),
            (P2PKH, Chain::Bitcoin),
            (P2SH, Chain::Bitcoin),
        ] {
            assert_eq!(infer(text).unwrap().chain(), chain);
            assert_eq!(infer(text), parse(chain, text));
        }
        assert_eq!(infer("0x12"), Err(AddressError::Malformed(Chain::Evm)));
        assert_eq!(infer(P2WSH), Err(AddressError::UnsupportedType));
        assert_eq!(infer("nonsense"), Err(AddressError::Unrecognised));
        assert_eq!(infer(""), Err(AddressError::Unrecognised));
    }

    #[test]
    fn long_texts_are_refused_before_parsing() {
        let text = "1".repeat(MAX_ADDRESS_LEN + 1);
        assert_eq!(infer(&text), Err(AddressError::TooLong));
        for chain in [Chain::Evm, Chain::Solana, Chain::Bitcoin] {
            assert_eq!(parse(chain, &text), Err(AddressError::TooLong));
        }
    }

    #[test]
    fn chain_names_are_consistent() {
        for chain in [Chain::Evm, Chain::Solana, Chain::Bitcoin] {
            assert_eq!(chain.to_string().parse(), Ok(chain));
            assert_eq!(serde_json::to_value(chain).unwrap(), chain.as_str());
            assert_eq!(serde_json::from_value::<Chain>(chain.as_str().into()).unwrap(), chain);
        }
        assert_eq!("EVM".parse::<Chain>(), Err(UnknownChain));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in any::<String>()) {
            for chain in [Chain::Evm, Chain::Solana, Chain::Bitcoin] {
                let _ = parse(chain, &text);
            }
            let _ = infer(&text);
        }

        #[test]
        fn accepted_texts_become_canonical(
            text in "(0x[0-9a-fA-F]{38,42}|bc1[pq]?[0-9a-z]{0,90}|[1-9A-HJ-NP-Za-km-z]{1,128})"
        ) {
            if let Ok(address) = infer(&text) {
                prop_assert_eq!(parse(address.chain(), address.as_str()), Ok(address.clone()));
                prop_assert_eq!(parse(address.chain(), &address.to_message_form()), Ok(address));
            }
        }

        #[test]
        fn every_32_bytes_have_exactly_one_solana_text(bytes in any::<[u8; 32]>()) {
            let text = bs58::encode(bytes).into_string();
            let address = parse(Chain::Solana, &text).unwrap();
            prop_assert_eq!(address.form(), &AddressForm::Solana(bytes));
        }
    }
}
