//! Settings of this function alone.

shared::section! {
    /// The keys of mints.
    pub struct MintKeyConfig {
        /// KMS key of the treasury that commitments of mints pay to: id, ARN or alias
        pub treasury: String = "MINT_TREASURY_KEY_ID",
        /// KMS key of the pool that mints distribute runes from and that pays their fees: id, ARN or alias
        pub distribution: String = "DISTRIBUTION_KEY_ID",
    }
}
