//! The contracts and tokens that the venue's networks publish, and the platform's settings for the venue.

use std::{fmt, str::FromStr};

use alloy::primitives::{Address, address};
use base::{
    provider::ProviderUrl,
    section,
    settings::{Reader, Section, Setting, optional},
};
use secrecy::ExposeSecret;
use shared::{
    as_text,
    models::wallet,
    venue::{Endpoint, VenueChain, VenueChainConfig, WrongValue},
};

use super::decimal;

/// Decimals of a percent in the venue's unit of builder fees, a tenth of a basis point.
const FEE_DECIMALS: usize = 3;
/// The highest builder fee that the venue allows on perpetuals: 0.1%.
const HIGHEST_BUILDER_FEE: u64 = 100;

/// The contracts and the token that a network of the venue publishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deployment {
    /// USDC on its EVM chain.
    pub(crate) usdc: Address,
    /// Circle's `CoreDepositWallet` there.
    pub(crate) deposit_contract: Address,
    /// The venue's name of USDC.
    pub(crate) usdc_token: &'static str,
}

impl Deployment {
    /// The deployment on a network.
    pub(crate) const fn of(chain: VenueChain) -> Self {
        match chain {
            VenueChain::Mainnet => Self {
                usdc: address!("0xb88339CB7199b77E23DB6E890353E22632Ba630f"),
                deposit_contract: address!("0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24"),
                usdc_token: "USDC:0x6d1e7cde53ba9467b783cb7c530ce054",
            },
            VenueChain::Testnet => Self {
                usdc: address!("0x2B3370eE501B4a559b57D449569354196457D8Ab"),
                deposit_contract: address!("0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206"),
                usdc_token: "USDC:0xeb62eee3685fc4c43992febcd9e75443",
            },
        }
    }
}

/// The builder fee that wallets are asked to approve, in tenths of a basis point: more than 0 and at most 100
/// (0.1%). Written in percent: `0.05%` is 50.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuilderFee(u64);

impl BuilderFee {
    /// In tenths of a basis point.
    pub const fn units(self) -> u64 {
        self.0
    }
}

impl FromStr for BuilderFee {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_suffix('%').and_then(|number| decimal::parse(number, FEE_DECIMALS));
        let (units, is_more) = number.ok_or(WrongValue("must be a percentage such as 0.05%"))?;
        match u64::try_from(units) {
            _ if is_more => Err(WrongValue("must be whole thousandths of a percent")),
            Ok(units @ 1..=HIGHEST_BUILDER_FEE) => Ok(Self(units)),
            _ => Err(WrongValue("must be more than 0% and at most 0.1%")),
        }
    }
}

impl fmt::Display for BuilderFee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The maximum is 0.1%, so the integer part is always 0.
        let decimals = format!("{:0>3}", self.0);
        write!(f, "0.{}%", decimals.trim_end_matches('0'))
    }
}

as_text!(BuilderFee, "^[0-9]+(\\.[0-9]+)?%$", "0.05%");

/// A referral code of the venue: 1 to 20 letters, digits and other visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferralCode(String);

impl ReferralCode {
    /// The code.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

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

/// A token by the venue's name: name, colon, and id (16 bytes in lowercase hex).
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

section! {
    struct VenueSettings {
        /// JSON-RPC of the same chain for the service's own calls, or `ssm:` and the name of the SSM parameter
        /// that holds it; empty: the one that clients receive
        own_rpc_url: Option<OwnEndpoint> = "PERP_VENUE_OWN_RPC_URL" or "" via optional,
        /// Info API of the venue, or `ssm:` and the name of the SSM parameter that holds it; empty: the
        /// network's own
        info_url: Option<OwnEndpoint> = "PERP_VENUE_INFO_URL" or "" via optional,
        /// Contract of USDC on the venue's EVM chain, with its EIP-55 checksum; empty: the network's own
        usdc: Option<Checksummed> = "PERP_VENUE_USDC" or "" via optional,
        /// Contract that takes deposits for the venue, with its EIP-55 checksum; empty: the network's own
        deposit_contract: Option<Checksummed> = "PERP_VENUE_DEPOSIT_CONTRACT" or "" via optional,
        /// USDC as the venue's actions name it; empty: the network's own
        usdc_token: Option<UsdcToken> = "PERP_VENUE_USDC_TOKEN" or "" via optional,
        /// Referral code that wallets are asked to set at the venue, 1 to 20 characters; empty: none
        referral_code: Option<ReferralCode> = "PERP_VENUE_REFERRAL_CODE" or "" via optional,
        /// EVM address that earns the builder fee at the venue, with its EIP-55 checksum
        builder: Checksummed = "PERP_VENUE_BUILDER",
        /// Builder fee that wallets are asked to approve, more than 0% and at most 0.1%
        builder_fee: BuilderFee = "PERP_VENUE_BUILDER_FEE" or "0.05%",
    }
}

/// The venue settings of a deployment of this service.
#[derive(Clone, Debug)]
pub struct PerpVenueConfig {
    /// The network.
    pub chain: VenueChain,
    /// Chain id of its EVM chain, which signed actions also name.
    pub chain_id: u64,
    /// JSON-RPC of its EVM chain, as clients receive it.
    pub rpc_url: String,
    /// JSON-RPC of its EVM chain for the service's own requests; may contain a provider's key.
    pub own_rpc_url: ProviderUrl,
    /// Its info API; may contain a provider's key.
    pub info_url: ProviderUrl,
    /// USDC on its EVM chain.
    pub usdc: Address,
    /// The contract that accepts deposits.
    pub deposit_contract: Address,
    /// The venue's name of USDC.
    pub usdc_token: UsdcToken,
    /// The referral code that wallets are asked to set.
    pub referral_code: Option<ReferralCode>,
    /// The address that earns the builder fee.
    pub builder: Address,
    /// The builder fee that wallets are asked to approve.
    pub builder_fee: BuilderFee,
}

impl Section for PerpVenueConfig {
    fn settings() -> Vec<Setting> {
        <(VenueChainConfig, VenueSettings)>::settings()
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (network, set) = <(VenueChainConfig, VenueSettings)>::read(reader)?;
        let VenueChainConfig { chain, chain_id, rpc_url } = network;
        let own = Deployment::of(chain);
        let own_rpc_url = set.own_rpc_url.map_or(rpc_url.as_str().into(), |url| url.0);
        let info_url = set.info_url.map_or(chain.info_url().into(), |url| url.0);
        let own_token = own.usdc_token.parse();
        let usdc_token = set.usdc_token.map_or(own_token, Ok);
        let config = Self {
            chain,
            chain_id,
            own_rpc_url,
            info_url,
            rpc_url,
            usdc: set.usdc.map_or(own.usdc, |address| address.0),
            deposit_contract: set.deposit_contract.map_or(own.deposit_contract, |it| it.0),
            usdc_token: reader.checked("PERP_VENUE_USDC_TOKEN", usdc_token)?,
            referral_code: set.referral_code,
            builder: set.builder.0,
            builder_fee: set.builder_fee,
        };
        let checked = config.check();
        reader.checked("PERP_VENUE_CHAIN", checked.map(|()| config))
    }
}

impl PerpVenueConfig {
    /// The chain id in user-signed actions, 0x and hex.
    pub fn signature_chain_id(&self) -> String {
        format!("{:#x}", self.chain_id)
    }

    /// Checks that all values can belong to one network and that none belongs to the other one. USDC, the
    /// deposit contract and the builder must differ. A payment to a wrong address would be lost.
    ///
    /// # Errors
    /// [`WrongValue`] with the first setting that the deployment contradicts.
    pub(crate) fn check(&self) -> Result<(), WrongValue> {
        let (own, other) = (Deployment::of(self.chain), Deployment::of(self.chain.other()));
        let contracts = [self.usdc, self.deposit_contract];
        if self.usdc == self.deposit_contract || contracts.contains(&self.builder) {
            return Err(WrongValue("USDC, the deposit contract and the builder must differ"));
        }
        let of_other = |address| [other.usdc, other.deposit_contract].contains(address);
        let foreign = contracts.iter().any(of_other)
            || of_other(&self.builder)
            || self.usdc_token.0 == other.usdc_token;
        if self.usdc == own.deposit_contract || self.deposit_contract == own.usdc {
            return Err(WrongValue("USDC and the deposit contract are mixed up"));
        }
        let given = [&self.own_rpc_url, &self.info_url].into_iter().filter_map(|url| match url {
            ProviderUrl::Given(url) => Some(url.expose_secret()),
            ProviderUrl::Stored(_) => None,
        });
        if foreign || given.into_iter().any(|url| self.chain.other().answers_at(url)) {
            return Err(WrongValue("an address, a token or a URL belongs to the other network"));
        }
        Ok(())
    }

    /// Checks a URL that is stored in SSM, by the rules for a URL in the settings.
    ///
    /// # Errors
    /// [`WrongValue`] if the URL breaks a rule.
    pub(crate) fn check_stored(&self, url: &str) -> Result<(), WrongValue> {
        url.parse::<Endpoint>()?;
        if self.chain.other().answers_at(url) {
            return Err(WrongValue("the URL belongs to the other network"));
        }
        Ok(())
    }
}

/// A contract or wallet: 20 bytes in hex with the EIP-55 checksum, which detects typos; not zero.
#[derive(Clone, Copy, Debug)]
struct Checksummed(Address);

impl FromStr for Checksummed {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let address = wallet::evm_address(text).ok();
        address
            .filter(|address| address.to_checksum(None) == text)
            .map(Self)
            .ok_or(WrongValue("must be an EVM address with its checksum (EIP-55), and not zero"))
    }
}

/// An [`Endpoint`] that clients do not receive: it may be kept in SSM.
#[derive(Clone, Debug)]
struct OwnEndpoint(ProviderUrl);

impl FromStr for OwnEndpoint {
    type Err = WrongValue;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url = text.parse().map_err(WrongValue)?;
        if matches!(url, ProviderUrl::Given(_)) {
            text.parse::<Endpoint>()?;
        }
        Ok(Self(url))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::settings::read;

    use super::*;

    const BUILDER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

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
            let token = Deployment::of(chain).usdc_token;
            assert_eq!(token.parse::<UsdcToken>().unwrap().to_string(), token);
            for wrong in [&token[..38], &token.to_uppercase(), &token.replace("USDC", "USDT")] {
                assert!(wrong.parse::<UsdcToken>().is_err(), "{wrong}");
            }
        }
    }

    /// The values that the venue and Circle publish.
    #[test]
    fn both_networks_are_as_published() {
        let address = |text: &str| text.parse::<Address>().unwrap();
        assert_eq!(
            Deployment::of(VenueChain::Mainnet),
            Deployment {
                usdc: address("0xb88339CB7199b77E23DB6E890353E22632Ba630f"),
                deposit_contract: address("0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24"),
                usdc_token: "USDC:0x6d1e7cde53ba9467b783cb7c530ce054",
            }
        );
        assert_eq!(
            Deployment::of(VenueChain::Testnet),
            Deployment {
                usdc: address("0x2B3370eE501B4a559b57D449569354196457D8Ab"),
                deposit_contract: address("0x0B80659a4076E9E93C7DbE0f10675A16a3e5C206"),
                usdc_token: "USDC:0xeb62eee3685fc4c43992febcd9e75443",
            }
        );
    }

    #[test]
    fn addresses_have_their_checksum() {
        let right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
        assert_eq!(right.parse::<Checksummed>().unwrap().0.to_checksum(None), right);
        let digits = "0x1111111111111111111111111111111111111111";
        assert!(digits.parse::<Checksummed>().is_ok(), "no letter, no case");
        let zero = format!("0x{}", "0".repeat(40));
        for text in [&right.to_lowercase(), &right.replace('A', "a"), &zero, "runeport.eth", ""] {
            assert!(text.parse::<Checksummed>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_venue_is_that_of_its_network() {
        let venue = |own: &[(&str, &str)]| {
            read::<PerpVenueConfig>(|name| {
                let own = own.iter().find(|(of, _)| *of == name);
                let builder = (name == "PERP_VENUE_BUILDER").then_some(BUILDER);
                own.map(|(_, value)| *value).or(builder).map(str::to_owned)
            })
        };
        for chain in [VenueChain::Mainnet, VenueChain::Testnet] {
            let name = format!("{chain:?}");
            let config = venue(&[("PERP_VENUE_CHAIN", &name)]).unwrap();
            let published = Deployment::of(chain);
            assert_eq!(
                (config.chain_id, config.rpc_url.as_str()),
                (chain.chain_id(), chain.rpc_url())
            );
            assert_eq!(config.usdc, published.usdc);
            assert_eq!(config.deposit_contract, published.deposit_contract);
            assert_eq!(config.usdc_token.to_string(), published.usdc_token);
            assert_eq!(config.referral_code, None);
        }
        let own = Deployment::of(VenueChain::Mainnet);
        let (usdc, deposit) = (own.usdc.to_string(), own.deposit_contract.to_string());
        let swapped = [("PERP_VENUE_USDC", &*deposit), ("PERP_VENUE_DEPOSIT_CONTRACT", &*usdc)];
        assert!(venue(&swapped).unwrap_err().to_string().contains("mixed up"));
        // Only a chain on this machine may have another id.
        let local =
            [("PERP_VENUE_CHAIN_ID", "31337"), ("PERP_VENUE_RPC_URL", "http://127.0.0.1:1")];
        assert_eq!(venue(&local).unwrap().chain_id, 31_337);
        let other = Deployment::of(VenueChain::Testnet);
        let (usdc, deposit) = (other.usdc.to_string(), other.deposit_contract.to_string());
        for (name, value) in [
            ("PERP_VENUE_CHAIN_ID", "998"),
            ("PERP_VENUE_CHAIN_ID", "1"),
            ("PERP_VENUE_RPC_URL", VenueChain::Testnet.rpc_url()),
            ("PERP_VENUE_OWN_RPC_URL", VenueChain::Testnet.rpc_url()),
            ("PERP_VENUE_INFO_URL", VenueChain::Testnet.info_url()),
            ("PERP_VENUE_INFO_URL", "https://API.hyperliquid-testnet.xyz:443/info/"),
            ("PERP_VENUE_INFO_URL", "https://api.hyperliquid-testnet.xyz./info?x"),
            ("PERP_VENUE_USDC", &usdc),
            ("PERP_VENUE_USDC", "0x6B9E773128f453f5c2C60935Ee2DE2CBc5390A24"),
            ("PERP_VENUE_DEPOSIT_CONTRACT", &deposit),
            ("PERP_VENUE_USDC_TOKEN", other.usdc_token),
            ("PERP_VENUE_BUILDER", "0xb88339CB7199b77E23DB6E890353E22632Ba630f"),
            ("PERP_VENUE_BUILDER", &usdc),
        ] {
            let error = venue(&[(name, value)]).unwrap_err().to_string();
            assert!(error.contains("PERP_VENUE_CHAIN:"), "{name}={value}: {error}");
            assert!(!error.contains('\n'), "one line: {error}");
        }
    }

    #[test]
    fn an_address_in_ssm_keeps_to_the_same_rules() {
        let config = read::<PerpVenueConfig>(|name| match name {
            "PERP_VENUE_BUILDER" => Some(BUILDER.to_owned()),
            "PERP_VENUE_OWN_RPC_URL" => {
                Some("ssm:/runeport/prod/perp-venue-own-rpc-url".to_owned())
            }
            _ => None,
        });
        let config = config.unwrap();
        for url in ["https://rpc.example/evm/key", "http://127.0.0.1:8545"] {
            config.check_stored(url).unwrap();
        }
        for url in [
            VenueChain::Testnet.rpc_url(),
            VenueChain::Testnet.info_url(),
            "http://rpc.example",
            "https://key@rpc.example",
            "rpc.example",
        ] {
            assert!(config.check_stored(url).is_err(), "{url}");
        }
    }

    #[test]
    fn wrong_values_stop_the_start() {
        for (name, value) in [
            ("PERP_VENUE_CHAIN", "mainnet"),
            ("PERP_VENUE_CHAIN_ID", "0x3e7"),
            ("PERP_VENUE_RPC_URL", "http://rpc.example"),
            ("PERP_VENUE_RPC_URL", "https://key@rpc.example"),
            ("PERP_VENUE_OWN_RPC_URL", "rpc.example"),
            ("PERP_VENUE_INFO_URL", "info.example"),
            ("PERP_VENUE_USDC", "0xB88339CB7199b77E23DB6E890353E22632Ba630f"),
            ("PERP_VENUE_DEPOSIT_CONTRACT", "0x0000000000000000000000000000000000000000"),
            ("PERP_VENUE_USDC_TOKEN", "USDC"),
            ("PERP_VENUE_REFERRAL_CODE", "TWENTYONE-CHARACTERS-"),
            ("PERP_VENUE_BUILDER", "runeport.eth"),
            ("PERP_VENUE_BUILDER", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"),
            ("PERP_VENUE_BUILDER_FEE", "0.11%"),
        ] {
            let error = read::<PerpVenueConfig>(|asked| match asked {
                asked if asked == name => Some(value.to_owned()),
                "PERP_VENUE_BUILDER" => Some(BUILDER.to_owned()),
                _ => None,
            });
            assert!(error.unwrap_err().to_string().contains(name), "{name}={value}");
        }
    }

    #[test]
    fn urls_with_keys_do_not_print() {
        let config = read::<(VenueSettings, PerpVenueConfig)>(|name| match name {
            "PERP_VENUE_OWN_RPC_URL" | "PERP_VENUE_INFO_URL" => {
                Some("https://hush-hush".to_owned())
            }
            "PERP_VENUE_BUILDER" => Some(BUILDER.to_owned()),
            _ => None,
        });
        assert!(!format!("{:?}", config.unwrap()).contains("hush-hush"));
    }
}
