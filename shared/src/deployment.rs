//! What a deployment tells its clients, and functions need as well: addresses, and the affiliate fee.

use bitcoin::{Address, address::NetworkUnchecked};
use serde::Serialize;
use serde_json::Number;
use utoipa::ToSchema;

use crate::{
    section,
    settings::{base_url, optional_base_url},
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
    /// Where withdrawals through the hub go.
    pub struct HubVaultConfig {
        /// Bitcoin address that receives a withdrawal through the hub whose client names no recipient; empty: clients must name one
        pub vault: Option<String> = "HUB_VAULT" or "" via vault,
    }
}

fn vault(text: &str) -> Result<Option<String>, &'static str> {
    if text.is_empty() {
        return Ok(None);
    }
    let address = text.parse::<Address<NetworkUnchecked>>();
    address.map(|_| Some(text.to_owned())).map_err(|_| "must be a Bitcoin address, or empty")
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
    /// The same in percent.
    #[schema(value_type = f64, example = 0.25)]
    fee_percent: Number,
}

impl Affiliate {
    /// The fee of these settings; `None` if its percentage is not a number, which the settings exclude.
    pub fn of(config: &AffiliateConfig) -> Option<Self> {
        Some(Self {
            affiliate_address: config.address.clone(),
            fee_bps: config.fee_bps,
            fee_percent: percent(config.fee_bps)?,
        })
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
    use super::*;

    #[test]
    fn a_vault_is_an_address_or_none() {
        assert_eq!(vault(""), Ok(None));
        let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
        assert_eq!(vault(address), Ok(Some(address.to_owned())));
        for wrong in ["0x00000000000000000000000000000000000000aa", " ", "bc1q"] {
            assert!(vault(wrong).is_err(), "{wrong}");
        }
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
