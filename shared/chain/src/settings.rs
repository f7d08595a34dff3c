//! Settings of the chain: where it is read, and what transactions cost and look like.

use std::str::FromStr;

use bitcoin::{Amount, FeeRate};
use shared::{provider::ProviderUrl, section, settings::yes_or_no};

section! {
    /// Where the chain is read.
    pub struct EsploraConfig {
        /// Base address of the Esplora server, API path included, or `ssm:` and the name of the SSM parameter that holds it
        pub url: ProviderUrl = "ESPLORA_URL",
    }
}

section! {
    /// Fees of Bitcoin transactions.
    pub struct FeeConfig {
        /// Blocks within which a transaction should confirm; chooses the fee estimate
        pub target_blocks: u16 = "FEE_TARGET_BLOCKS" or "3",
        /// Lowest and highest fee rate that the service uses, regardless of the estimate, in sat/vB
        pub rates: FeeRates = "FEE_RATE_RANGE" or "1-500",
        /// The most that one transaction may cost in fees, in sats; a payout may cost as much for each twelve whom it serves
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use shared::settings::read;

    use super::*;

    #[test]
    fn wrong_values_stop_the_start() {
        for (name, value) in [
            ("FEE_RATE_RANGE", "5"),
            ("FEE_RATE_RANGE", "0-5"),
            ("FEE_RATE_RANGE", "6-5"),
            ("FEE_CAP", "1.5"),
            ("SECOND_OP_RETURN", "true"),
        ] {
            let read = |name: &'static str, value: Option<&'static str>| {
                read::<(FeeConfig, FormConfig)>(move |asked| {
                    value.filter(|_| asked == name).map(str::to_owned)
                })
            };
            let error = read(name, Some(value)).unwrap_err().to_string();
            assert!(error.contains(name), "{name}={value}: {error}");
            assert!(read("none", None).is_ok());
        }
    }
}
