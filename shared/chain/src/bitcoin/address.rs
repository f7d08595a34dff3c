//! Addresses of recipients.

use bitcoin::{Address, AddressType, Network, XOnlyPublicKey, address::NetworkUnchecked};

/// Parses a recipient's address. The network must match, nodes must relay outputs of its type, and exactly
/// its owner must be able to spend them: nobody can spend a Taproot output whose key is not a point of the
/// curve (BIP 341), and anybody can spend a pay-to-anchor output.
///
/// # Errors
/// A text for the client that says what is wrong.
pub fn parse_recipient(text: &str, network: Network) -> Result<Address, &'static str> {
    let address: Address<NetworkUnchecked> =
        text.parse().map_err(|_| "must be a Bitcoin address")?;
    let address = address.require_network(network);
    let address = address.map_err(|_| "must be an address of this Bitcoin network")?;
    match address.address_type() {
        None => Err("must be of an address type in use on Bitcoin"),
        Some(AddressType::P2a) => Err("must not be an anchor, whose coins anybody can spend"),
        Some(AddressType::P2tr) if !is_on_curve(&address) => {
            Err("must be a Taproot address with a valid key; coins of this one are lost")
        }
        Some(_) => Ok(address),
    }
}

fn is_on_curve(address: &Address) -> bool {
    let program = address.witness_program();
    program.is_some_and(|it| XOnlyPublicKey::from_slice(it.program().as_bytes()).is_ok())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use bitcoin::{WitnessProgram, WitnessVersion, hex::FromHex};
    use proptest::prelude::*;

    use super::*;

    fn taproot(key: &[u8]) -> Address {
        let program = WitnessProgram::new(WitnessVersion::V1, key).unwrap();
        Address::from_witness_program(program, Network::Bitcoin)
    }

    fn parsed(text: &str) -> Result<Address, &'static str> {
        parse_recipient(text, Network::Bitcoin)
    }

    #[test]
    fn coins_that_nobody_or_anybody_could_spend_are_refused() {
        // Keys of BIP 340's test vectors 5 and 14: not a point of the curve, and the size of the field.
        for key in [
            "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34",
            "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30",
        ] {
            let address = taproot(&Vec::<u8>::from_hex(key).unwrap()).to_string();
            assert!(parsed(&address).unwrap_err().contains("lost"), "{address}");
        }
        // Pay-to-anchor of mainnet and of regtest.
        assert!(parsed("bc1pfeessrawgf").unwrap_err().contains("anybody"));
        let local = parse_recipient("bcrt1pfeesnyr2tx", Network::Regtest);
        assert!(local.unwrap_err().contains("anybody"));
        // A witness version without a meaning; anybody can spend such outputs as well.
        let program = WitnessProgram::new(WitnessVersion::V2, &[1; 32]).unwrap();
        let later = Address::from_witness_program(program, Network::Bitcoin).to_string();
        assert!(parsed(&later).unwrap_err().contains("in use"));
    }

    proptest! {
        #[test]
        fn a_taproot_address_is_accepted_exactly_if_its_key_is_one(key: [u8; 32]) {
            let address = taproot(&key);
            let is_key = XOnlyPublicKey::from_slice(&key).is_ok();
            prop_assert_eq!(parsed(&address.to_string()).is_ok(), is_key);
        }
    }
}
