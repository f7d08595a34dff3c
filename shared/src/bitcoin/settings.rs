//! Settings of Bitcoin: network, chain sources, fees, and the treasury of the prizes.

use std::str::FromStr;

pub use bitcoin::Network;
use bitcoin::{Address, Amount, FeeRate, address::NetworkUnchecked};

use crate::{
    section,
    settings::{Reader, Section, Setting, base_url, yes_or_no},
};

section! {
    /// The Bitcoin network that addresses must belong to.
    pub struct NetworkConfig {
        /// `bitcoin`, `testnet`, `testnet4`, `signet` or `regtest`
        pub network: Network = "BITCOIN_NETWORK" or "bitcoin",
    }
}

section! {
    /// Where the contents of outputs are read.
    pub struct OrdConfig {
        /// Base address of the ord server
        pub url: String = "ORD_URL" via base_url,
    }
}

section! {
    /// Where the chain is read.
    pub struct EsploraConfig {
        /// Base address of the Esplora server, API path included
        pub url: String = "ESPLORA_URL" via base_url,
    }
}

section! {
    /// Fees of Bitcoin transactions.
    pub struct FeeConfig {
        /// Blocks within which a transaction should confirm; chooses the fee estimate
        pub target_blocks: u16 = "FEE_TARGET_BLOCKS" or "3",
        /// Lowest and highest fee rate that the service uses, regardless of the estimate, in sat/vB
        pub rates: FeeRates = "FEE_RATE_RANGE" or "1-500",
        /// The most that one transaction may cost in fees, in sats
        pub cap: Amount = "FEE_CAP" or "100000" via sats,
    }
}

section! {
    /// The form of the transactions that the service builds.
    pub struct FormConfig {
        /// Whether withdrawals of runes commit to their data in a second OP_RETURN, which nodes before Bitcoin Core 30 do not relay: `yes` or `no`
        pub second_op_return: bool = "SECOND_OP_RETURN" or "no" via yes_or_no,
    }
}

/// Bounds of fee rates: the lowest is above zero, and not above the highest.
#[derive(Clone, Copy, Debug)]
pub struct FeeRates {
    /// The lowest rate.
    pub lowest: FeeRate,
    /// The highest rate.
    pub highest: FeeRate,
}

impl FromStr for FeeRates {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rate = |text: &str| FeeRate::from_sat_per_vb(text.parse().ok()?);
        text.split_once('-')
            .and_then(|(lowest, highest)| {
                Some(Self { lowest: rate(lowest)?, highest: rate(highest)? })
            })
            .filter(|rates| rates.lowest <= rates.highest && rates.lowest > FeeRate::ZERO)
            .ok_or("must be two rates in sat/vB, such as 1-500")
    }
}

fn sats(text: &str) -> Result<Amount, std::num::ParseIntError> {
    text.parse().map(Amount::from_sat)
}

section! {
    /// The keys of the platform in trading wallets.
    pub struct CosigningConfig {
        /// KMS keys that co-sign trading wallets, comma separated: ids, ARNs or aliases; new accounts are spread over them
        pub keys: Vec<String> = "COSIGNING_KEY_IDS" via key_ids,
    }
}

fn key_ids(text: &str) -> Result<Vec<String>, &'static str> {
    let keys = text.split(',').map(|key| key.trim().to_owned());
    let keys: Vec<_> = keys.filter(|key| !key.is_empty()).collect();
    if keys.is_empty() { Err("names no key") } else { Ok(keys) }
}

section! {
    struct TreasuryAddress {
        /// Bitcoin address of the treasury that holds the prizes
        address: Address<NetworkUnchecked> = "TREASURY_ADDRESS",
    }
}

/// The treasury that holds the prizes, on the network of the settings.
#[derive(Clone, Debug)]
pub struct TreasuryConfig {
    /// Its address.
    pub address: Address,
}

impl Section for TreasuryConfig {
    fn settings() -> Vec<Setting> {
        <(NetworkConfig, TreasuryAddress)>::settings()
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (network, treasury) = <(NetworkConfig, TreasuryAddress)>::read(reader)?;
        let address = treasury.address.require_network(network.network);
        reader.checked("TREASURY_ADDRESS", address).map(|address| Self { address })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::settings::read;

    #[test]
    fn at_least_one_key_cosigns() {
        assert_eq!(key_ids("one, two,").map(|keys| keys.len()), Ok(2));
        assert!(key_ids(" , ").is_err());
    }

    #[test]
    fn wrong_values_stop_the_start() {
        for (name, value) in [
            ("BITCOIN_NETWORK", "mainnnet"),
            ("TREASURY_ADDRESS", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
            ("FEE_RATE_RANGE", "5"),
            ("FEE_RATE_RANGE", "0-5"),
            ("FEE_RATE_RANGE", "6-5"),
            ("FEE_CAP", "1.5"),
            ("SECOND_OP_RETURN", "true"),
        ] {
            let read = |name: &'static str, value: Option<&'static str>| {
                read::<(TreasuryConfig, FeeConfig, FormConfig)>(move |asked| match asked {
                    asked if asked == name => value.map(str::to_owned),
                    "BITCOIN_NETWORK" => Some("regtest".to_owned()),
                    "TREASURY_ADDRESS" => {
                        Some("bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080".to_owned())
                    }
                    _ => None,
                })
            };
            let error = read(name, Some(value)).unwrap_err().to_string();
            assert!(error.contains(name), "{name}={value}: {error}");
            assert!(read("none", None).is_ok());
        }
    }
}
