//! Addresses that Bitcoin is sent to.

use bitcoin::{Address, Network, address::NetworkUnchecked};

/// Reads the address of somebody who is paid: one of the network, whose outputs nodes relay.
///
/// # Errors
/// What is wrong with it, for whoever sent it.
pub fn read(text: &str, network: Network) -> Result<Address, &'static str> {
    let address: Address<NetworkUnchecked> =
        text.parse().map_err(|_| "must be a Bitcoin address")?;
    let address = address.require_network(network);
    let address = address.map_err(|_| "must be an address of this Bitcoin network")?;
    if address.is_spend_standard() {
        Ok(address)
    } else {
        Err("must be of a type that Bitcoin knows by now")
    }
}
