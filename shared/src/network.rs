//! The Bitcoin network of the deployment, the treasury that holds its prizes, and the keys that co-sign.

use base::{
    section,
    settings::{Reader, Section, Setting},
};
pub use bitcoin::Network;
use bitcoin::{Address, address::NetworkUnchecked};

section! {
    /// The Bitcoin network that addresses must belong to.
    pub struct NetworkConfig {
        /// `bitcoin`, `testnet`, `testnet4`, `signet` or `regtest`
        pub network: Network = "BITCOIN_NETWORK" or "bitcoin",
    }
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

section! {
    /// The keys of the platform in trading wallets.
    pub struct CosigningConfig {
        /// KMS keys that co-sign trading wallets, comma separated: aliases or ids, or ARNs, which bind new accounts to a region; new accounts are spread over them
        pub keys: Vec<String> = "COSIGNING_KEY_IDS" via key_ids,
    }
}

fn key_ids(text: &str) -> Result<Vec<String>, &'static str> {
    let keys = text.split(',').map(|key| key.trim().to_owned());
    let keys: Vec<_> = keys.filter(|key| !key.is_empty()).collect();
    if keys.is_empty() { Err("names no key") } else { Ok(keys) }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::settings::read;

    use super::*;

    #[test]
    fn wrong_values_stop_the_start() {
        for (name, value) in [
            ("BITCOIN_NETWORK", "mainnnet"),
            ("TREASURY_ADDRESS", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
        ] {
            let read = |name: &'static str, value: Option<&'static str>| {
                read::<TreasuryConfig>(move |asked| match asked {
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

    #[test]
    fn at_least_one_key_cosigns() {
        assert_eq!(key_ids("one, two,").map(|keys| keys.len()), Ok(2));
        assert!(key_ids(" , ").is_err());
    }
}
