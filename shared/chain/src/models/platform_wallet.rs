//! Wallets of the platform: Bitcoin addresses that a single KMS key can spend from.

use bitcoin::{Address, CompressedPublicKey, Network, PublicKey, ScriptBuf};
use serde::{Deserialize, Serialize};

/// The most weight that signing adds to an input of such a wallet, in weight units: a signature of 72 bytes
/// with its sighash type, and the key, each with its length.
pub const SATISFACTION_WEIGHT: u64 = 107;

/// A wallet of the platform, stored with its mint: written once, never derived again (custody rule 11). Its
/// outputs are P2WPKH (BIP 141).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlatformWallet {
    /// Its address: bech32 in lowercase.
    pub address: String,
    /// The key, compressed.
    pub public_key: PublicKey,
    /// The id of the KMS key that signs, which a copy in another region shares.
    pub key_id: String,
}

impl PlatformWallet {
    /// The wallet of a KMS key.
    pub fn new(public_key: PublicKey, key_id: String, network: Network) -> Self {
        let address = Address::p2wpkh(&CompressedPublicKey(public_key.inner), network);
        Self { address: address.to_string(), public_key, key_id }
    }

    /// The public key in the form that addresses are made from.
    pub fn key(&self) -> CompressedPublicKey {
        CompressedPublicKey(self.public_key.inner)
    }

    /// The script of outputs to the address.
    pub fn script_pubkey(&self) -> ScriptBuf {
        ScriptBuf::new_p2wpkh(&self.key().wpubkey_hash())
    }

    /// The address.
    pub fn address(&self, network: Network) -> Address {
        Address::p2wpkh(&self.key(), network)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use miniscript::descriptor::Wpkh;

    use super::*;

    #[test]
    fn the_satisfaction_weight_matches_miniscript() {
        let key = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
        let key: PublicKey = key.parse().unwrap();
        let weight = Wpkh::new(key).unwrap().max_weight_to_satisfy();
        assert_eq!(weight.to_wu(), SATISFACTION_WEIGHT);
        let wallet = PlatformWallet::new(key, "id".to_owned(), Network::Bitcoin);
        // BIP 173.
        assert_eq!(wallet.address, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
        assert_eq!(wallet.script_pubkey(), wallet.address(Network::Bitcoin).script_pubkey());
    }
}
