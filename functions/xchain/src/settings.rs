//! Settings of this function alone.

shared::section! {
    /// The affiliate fee of cross-chain swaps.
    pub struct AffiliateConfig {
        /// Address that earns the affiliate fee of cross-chain swaps
        pub address: String = "AFFILIATE_ADDRESS",
        /// Affiliate fee of cross-chain swaps, in hundredths of a percent
        pub fee_bps: u16 = "AFFILIATE_FEE_BPS" or "0" via basis_points,
    }
}

fn basis_points(text: &str) -> Result<u16, &'static str> {
    let bps = text.parse().ok().filter(|bps| *bps <= 10_000);
    bps.ok_or("must be 0 to 10000, in hundredths of a percent")
}
