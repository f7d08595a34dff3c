//! Settings that a deployment publishes to clients and that functions need as well: addresses, and the affiliate fee.

use base::{
    section,
    settings::{Reader, Section, Setting, base_url, optional_base_url, yes_or_no},
};
use bitcoin::{Address, address::NetworkUnchecked};
use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

use crate::{
    network::NetworkConfig,
    problem::{Error, Problem},
};

section! {
    /// The frontend.
    pub struct FrontendConfig {
        /// Base address of the frontend, for links in mails
        pub app_url: String = "APP_URL" via base_url,
    }
}

section! {
    /// Where media are uploaded to.
    pub struct MediaConfig {
        /// Bucket that media are uploaded to
        pub bucket: String = "MEDIA_BUCKET",
    }
}

section! {
    /// Where media are served.
    pub struct ServedMediaConfig {
        /// Base address that media are served at; empty: they are not served, and uploads are refused
        pub url: Option<String> = "MEDIA_URL" or "" via optional_base_url,
    }
}

section! {
    /// The affiliate fee of cross-chain swaps.
    pub struct AffiliateConfig {
        /// Address that earns the affiliate fee of cross-chain swaps
        pub address: String = "AFFILIATE_ADDRESS",
        /// Affiliate fee of cross-chain swaps, in hundredths of a percent
        pub fee_bps: u16 = "AFFILIATE_FEE_BPS" or "0" via basis_points,
    }
}

section! {
    struct HubVaultSettings {
        /// Bitcoin address that receives a withdrawal through the hub whose client names no recipient; empty:
        /// clients must name one
        address: Option<Address<NetworkUnchecked>> = "HUB_VAULT" or "" via vault,
        /// Whether withdrawals through the hub to any address except `HUB_VAULT` are refused: `yes` or `no`
        is_only: bool = "HUB_VAULT_ONLY" or "no" via yes_or_no,
    }
}

fn vault(text: &str) -> Result<Option<Address<NetworkUnchecked>>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| "must be a Bitcoin address, or empty")
}

/// Where withdrawals through the hub go, on the network of the settings.
#[derive(Clone, Debug)]
pub struct HubVaultConfig {
    /// The recipient of a withdrawal whose client names none.
    pub vault: Option<Address>,
    /// Whether no other recipient is accepted.
    pub is_only: bool,
}

impl HubVaultConfig {
    /// Whether a withdrawal through the hub may pay this address.
    pub fn allows(&self, recipient: &Address) -> bool {
        !self.is_only || self.vault.as_ref() == Some(recipient)
    }
}

impl Section for HubVaultConfig {
    fn settings() -> Vec<Setting> {
        <(NetworkConfig, HubVaultSettings)>::settings()
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let (network, settings) = <(NetworkConfig, HubVaultSettings)>::read(reader)?;
        let vault = settings.address.map(|address| address.require_network(network.network));
        let vault = reader.checked("HUB_VAULT", vault.transpose())?;
        let is_only = match (settings.is_only, &vault) {
            (true, None) => Err("needs HUB_VAULT"),
            (is_only, _) => Ok(is_only),
        };
        let is_only = reader.checked("HUB_VAULT_ONLY", is_only)?;
        Some(Self { vault, is_only })
    }
}

fn basis_points(text: &str) -> Result<u16, &'static str> {
    let bps = text.parse().ok().filter(|bps| *bps <= 10_000);
    bps.ok_or("must be 0 to 10000, in hundredths of a percent")
}

/// The affiliate fee of cross-chain swaps.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Affiliate {
    /// The address that earns it.
    affiliate_address: String,
    /// Basis points: 100 is 1%.
    #[schema(maximum = 10000)]
    fee_bps: u16,
    /// The same fee in percent.
    #[schema(value_type = f64, example = 0.25)]
    fee_percent: Number,
}

impl Affiliate {
    /// The fee of these settings.
    ///
    /// # Errors
    /// [`Problem::Internal`] if the percentage is not a number, which the settings exclude.
    pub fn of(config: &AffiliateConfig) -> Result<Self, Error> {
        let fee_percent = percent(config.fee_bps).ok_or_else(|| {
            Error::new(Problem::Internal).caused_by("the percentage is not a number")
        })?;
        let affiliate_address = config.address.clone();
        Ok(Self { affiliate_address, fee_bps: config.fee_bps, fee_percent })
    }
}

fn percent(bps: u16) -> Option<Number> {
    let (whole, hundredths) = (bps.div_euclid(100), bps.rem_euclid(100));
    let text = if hundredths == 0 { whole.to_string() } else { format!("{whole}.{hundredths:02}") };
    text.parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::settings::read;

    use super::*;

    const VAULT: &str = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

    fn hub_vault(vault: &str, is_only: &str) -> Result<HubVaultConfig, String> {
        let read = read::<HubVaultConfig>(|name| match name {
            "HUB_VAULT" => Some(vault.to_owned()),
            "HUB_VAULT_ONLY" => Some(is_only.to_owned()),
            _ => None,
        });
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn a_vault_is_an_address_of_the_network_or_none() {
        assert_eq!(hub_vault("", "").unwrap().vault, None);
        assert_eq!(hub_vault(VAULT, "").unwrap().vault.unwrap().to_string(), VAULT);
        for wrong in [
            "0x00000000000000000000000000000000000000aa",
            " ",
            "bc1q",
            "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
        ] {
            assert!(hub_vault(wrong, "").unwrap_err().contains("HUB_VAULT: "), "{wrong}");
        }
    }

    #[test]
    fn an_operator_may_allow_the_vault_alone() {
        let other = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3";
        let [own, other] =
            [VAULT, other].map(|it| it.parse::<Address<_>>().unwrap().assume_checked());
        let any = hub_vault(VAULT, "no").unwrap();
        assert!(any.allows(&own) && any.allows(&other));
        let only = hub_vault(VAULT, "yes").unwrap();
        assert!(only.allows(&own) && !only.allows(&other));
        assert!(hub_vault("", "no").unwrap().allows(&other));
        assert!(hub_vault("", "yes").unwrap_err().contains("HUB_VAULT_ONLY: needs HUB_VAULT"));
        assert!(hub_vault(VAULT, "true").unwrap_err().contains("HUB_VAULT_ONLY"));
    }

    #[test]
    fn a_hundred_basis_points_are_one_percent() {
        for (bps, text) in
            [(0, "0"), (1, "0.01"), (25, "0.25"), (50, "0.5"), (100, "1"), (10_000, "100")]
        {
            assert_eq!(percent(bps).unwrap().to_string(), text);
        }
    }
}
