//! Which venue it is, and what the platform wants of wallets there.

use std::{fmt, str::FromStr};

use alloy::primitives::{Address, address};
use http::Uri;
use serde::Serialize;
use utoipa::ToSchema;

use crate::models::as_text;

/// Tenths of a basis point in one percent: the unit that the venue counts builder fees in.
const UNITS_A_PERCENT: u64 = 1_000;
/// The highest builder fee that the venue lets anybody take on perpetuals: 0.1%.
const HIGHEST_BUILDER_FEE: u64 = 100;

/// A network of the venue, in the venue's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub enum VenueChain {
    /// Where money is.
    Mainnet,
    /// Where none is.
    Testnet,
}

impl VenueChain {
    /// The other one.
    const fn other(self) -> Self {
        match self {
            Self::Mainnet => Self::Testnet,
            Self::Testnet => Self::Mainnet,
        }
    }

    /// What the venue and Circle publish of it.
    pub fn deployment(self) -> Deployment {
        match self {
            Self::Mainnet => Deployment {
                chain_id: 999,
                rpc_url: "https://rpc.hyperliquid.xyz/evm",
                info_url: "https://api.hyperliquid.xyz/info",
                usdc: address!("0xb88339CB7199b77E23DB6E890353E22632Ba630f"),
                deposit_contract: address!("0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24"),
                usdc_token: "USDC:0x6d1e7cde53ba9467b783cb7c530ce054",
            },
            Self::Testnet => Deployment {
                chain_id: 998,
                rpc_url: "https://rpc.hyperliquid-testnet.xyz/evm",
                info_url: "https://api.hyperliquid-testnet.xyz/info",
                usdc: address!("0x2B3370eE501B4a559b57D449569354196457D8Ab"),
                deposit_contract: address!("0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206"),
                usdc_token: "USDC:0xeb62eee3685fc4c43992febcd9e75443",
            },
        }
    }
}

impl FromStr for VenueChain {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "Mainnet" => Ok(Self::Mainnet),
            "Testnet" => Ok(Self::Testnet),
            _ => Err(WrongValue("must be Mainnet or Testnet")),
        }
    }
}

/// What is published of a network of the venue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deployment {
    /// Chain id of its EVM chain.
    pub chain_id: u64,
    /// JSON-RPC of its EVM chain.
    pub rpc_url: &'static str,
    /// Its info API.
    pub info_url: &'static str,
    /// USDC on its EVM chain.
    pub usdc: Address,
    /// Circle's `CoreDepositWallet` there.
    pub deposit_contract: Address,
    /// USDC, as its actions name it.
    pub usdc_token: &'static str,
}

/// Why a setting cannot be what it is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongValue(pub &'static str);

/// The builder fee that wallets are asked to approve, in tenths of a basis point: more than 0, at most
/// 100, which are 0.1%. Written in percent, such as `0.05%`, which are 50.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BuilderFee(u64);

impl BuilderFee {
    /// Tenths of a basis point.
    pub const fn units(self) -> u64 {
        self.0
    }
}

impl FromStr for BuilderFee {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: WrongValue = WrongValue("must be a percentage such as 0.05%");
        let number = text.strip_suffix('%').ok_or(SHAPE)?;
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(decimals) {
            return Err(SHAPE);
        }
        let (kept, rest) = decimals.split_at_checked(3).unwrap_or((decimals, ""));
        if rest.bytes().any(|digit| digit != b'0') {
            return Err(WrongValue("must be whole thousandths of a percent"));
        }
        let whole = whole.parse::<u64>().ok().and_then(|n| n.checked_mul(UNITS_A_PERCENT));
        let thousandths = format!("{kept:0<3}").parse::<u64>().ok();
        let units = whole.zip(thousandths).and_then(|(a, b)| a.checked_add(b));
        match units {
            Some(units @ 1..=HIGHEST_BUILDER_FEE) => Ok(Self(units)),
            _ => Err(WrongValue("must be more than 0% and at most 0.1%")),
        }
    }
}

impl fmt::Display for BuilderFee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // At most 0.1%: there is no whole percent.
        let decimals = format!("{:0>3}", self.0);
        write!(f, "0.{}%", decimals.trim_end_matches('0'))
    }
}

as_text!(BuilderFee, "^[0-9]+(\\.[0-9]+)?%$", "0.05%");

/// A referral code of the venue: 1 to 20 letters, digits and other visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferralCode(String);

impl FromStr for ReferralCode {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let visible = text.bytes().all(|byte| byte.is_ascii_graphic());
        if visible && (1..=20).contains(&text.len()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(WrongValue("must have 1 to 20 visible ASCII characters"))
        }
    }
}

impl fmt::Display for ReferralCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

as_text!(ReferralCode, "^[!-~]{1,20}$", "RUNEPORT");

/// A token as the venue's actions name it: its name, a colon, and its id, 16 bytes in lowercase hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsdcToken(String);

impl FromStr for UsdcToken {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = text.strip_prefix("USDC:0x").unwrap_or_default();
        let hex = id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if hex && id.len() == 32 {
            Ok(Self(text.to_owned()))
        } else {
            Err(WrongValue("must be USDC:0x and 32 lowercase hex digits"))
        }
    }
}

impl fmt::Display for UsdcToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

as_text!(UsdcToken, "^USDC:0x[0-9a-f]{32}$", "USDC:0x6d1e7cde53ba9467b783cb7c530ce054");

/// The venue of a deployment of this service.
#[derive(Clone, Debug)]
pub struct PerpVenueConfig {
    /// The network.
    pub chain: VenueChain,
    /// Chain id of its EVM chain, which actions are signed for too.
    pub chain_id: u64,
    /// JSON-RPC of its EVM chain. Clients are told it: it holds no secret.
    pub rpc_url: String,
    /// Its info API.
    pub info_url: String,
    /// USDC on its EVM chain.
    pub usdc: Address,
    /// The contract that takes deposits.
    pub deposit_contract: Address,
    /// USDC, as its actions name it.
    pub usdc_token: UsdcToken,
    /// The code that wallets are asked to set as their referrer.
    pub referral_code: Option<ReferralCode>,
    /// Who earns the builder fee.
    pub builder: Address,
    /// The builder fee that wallets are asked to approve.
    pub builder_fee: BuilderFee,
}

impl PerpVenueConfig {
    /// Whether these contracts can be the venue's: neither is the other, the builder, or one of the
    /// other network, and a chain id is not that of the other network. What is paid to a wrong one
    /// is lost.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), WrongValue> {
        let other = self.chain.other().deployment();
        let contracts = [self.usdc, self.deposit_contract];
        if self.usdc == self.deposit_contract || contracts.contains(&self.builder) {
            return Err(WrongValue("USDC, the deposit contract and the builder must differ"));
        }
        let foreign = contracts
            .iter()
            .any(|contract| [other.usdc, other.deposit_contract].contains(contract))
            || self.chain_id == other.chain_id
            || self.usdc_token.0 == other.usdc_token
            || self.rpc_url == other.rpc_url
            || self.info_url == other.info_url;
        if foreign {
            return Err(WrongValue("an address, a chain id or a token is the other network's"));
        }
        Ok(())
    }
}

/// A contract or wallet: 20 bytes in hex, of any case, EIP-55 checked where it is of both; not zero.
pub(crate) fn evm_address(text: &str) -> Result<Address, WrongValue> {
    use crate::models::wallet::{AddressForm, Chain, WalletAddress};
    let address = WalletAddress::parse(Chain::Evm, text, bitcoin::Network::Bitcoin);
    match address.as_ref().map(WalletAddress::form) {
        Ok(AddressForm::Evm(address)) => Ok(*address),
        _ => Err(WrongValue("must be an EVM address, with a right checksum and not zero")),
    }
}

/// Where clients connect to: by HTTPS, or on this very machine.
pub(crate) fn endpoint(text: &str) -> Result<String, WrongValue> {
    let uri = text.parse::<Uri>().ok().filter(|uri| uri.host().is_some());
    let scheme = uri.as_ref().and_then(Uri::scheme_str);
    if scheme == Some("https") || (scheme == Some("http") && crate::config::is_loopback(text)) {
        Ok(text.to_owned())
    } else {
        Err(WrongValue("must be an https:// address"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn builder_fees_are_percentages_up_to_a_tenth() {
        for (text, units, written) in [
            ("0.05%", 50, "0.05%"),
            ("0.1%", 100, "0.1%"),
            ("0.100000%", 100, "0.1%"),
            ("0.001%", 1, "0.001%"),
            ("00.025%", 25, "0.025%"),
        ] {
            let fee = text.parse::<BuilderFee>().unwrap();
            assert_eq!((fee.units(), fee.to_string().as_str()), (units, written));
        }
        for text in [
            "0.101%",
            "1%",
            "0%",
            "0.000%",
            "0.0005%",
            "0.05",
            ".05%",
            "0.%",
            "%",
            "",
            "-0.05%",
            "5e-2%",
            "0,05%",
            " 0.05%",
            "0.05 %",
            "99999999999999999999%",
        ] {
            assert!(text.parse::<BuilderFee>().is_err(), "{text}");
        }
    }

    #[test]
    fn referral_codes_have_1_to_20_characters() {
        for text in ["A", "RUNEPORT", "ABCDEFGHIJKLMNOPQRST"] {
            assert_eq!(text.parse::<ReferralCode>().unwrap().to_string(), text);
        }
        for text in ["", "ABCDEFGHIJKLMNOPQRSTU", "A B", "Ä", "A\n"] {
            assert!(text.parse::<ReferralCode>().is_err(), "{text}");
        }
    }

    #[test]
    fn tokens_have_a_name_and_an_id() {
        for chain in [VenueChain::Mainnet, VenueChain::Testnet] {
            let token = chain.deployment().usdc_token;
            assert_eq!(token.parse::<UsdcToken>().unwrap().to_string(), token);
            for wrong in [&token[..38], &token.to_uppercase(), &token.replace("USDC", "USDT")] {
                assert!(wrong.parse::<UsdcToken>().is_err(), "{wrong}");
            }
        }
    }

    #[test]
    fn endpoints_are_reached_by_https() {
        for text in ["https://rpc.example/evm", "http://127.0.0.1:8545", "http://localhost:8545/"] {
            assert_eq!(endpoint(text).unwrap(), text);
        }
        for text in ["http://rpc.example", "ws://127.0.0.1", "rpc.example", "", "https://"] {
            assert!(endpoint(text).is_err(), "{text}");
        }
    }
}
