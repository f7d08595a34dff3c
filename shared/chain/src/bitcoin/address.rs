//! Addresses of recipients.

use bitcoin::{Address, Network, address::NetworkUnchecked};

/// Parses a recipient's address: one of the network, of a type whose outputs nodes relay.
///
/// # Errors
/// What is wrong with it, for the client.
pub fn parse_recipient(text: &str, network: Network) -> Result<Address, &'static str> {
    let address: Address<NetworkUnchecked> =
        text.parse().map_err(|_| "must be a Bitcoin address")?;
    let address = address.require_network(network);
    let address = address.map_err(|_| "must be an address of this Bitcoin network")?;
    if address.is_spend_standard() {
        Ok(address)
    } else {
        Err("must be of an address type in use on Bitcoin")
    }
}
