//! Settings that only this function has.

base::section! {
    /// The keys of mints.
    pub struct MintKeyConfig {
        /// KMS key of the treasury that commitments of mints pay to: alias or id, or ARN, which binds new mints
        /// to a region
        pub treasury: String = "MINT_TREASURY_KEY_ID",
        /// KMS key of the pool that mints distribute runes from and that pays their fees: alias or id, or ARN,
        /// which binds new mints to a region
        pub distribution: String = "DISTRIBUTION_KEY_ID",
    }
}
