use std::str::FromStr;

use alloy::primitives::Address;
use bitcoin::Network;
use shared::{
    app::App,
    auth::rate_limit::{self, VENUE_BY_ACCOUNT},
    http::{LiveCaller, Result},
    models::wallet::{AddressError, AddressForm, Chain, WalletAddress},
};

/// The EVM wallet that signs, and owns the position at the venue: 20 bytes in hex, of any case, EIP-55
/// checked where it is of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvmWallet(Address);

impl FromStr for EvmWallet {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // EVM addresses are the same on every network.
        match WalletAddress::parse(Chain::Evm, text, Network::Bitcoin)?.form() {
            AddressForm::Evm(address) => Ok(Self(*address)),
            _ => Err(AddressError::Malformed(Chain::Evm)),
        }
    }
}

impl EvmWallet {
    /// Its address, where it is one of the caller's own; a call about the venue is counted.
    ///
    /// # Errors
    /// It is not the caller's; or there were too many calls.
    pub(crate) async fn of(self, app: &App, caller: &LiveCaller) -> Result<Address> {
        caller.own_address(app, &format!("{:#x}", self.0))?;
        rate_limit::hit(app, VENUE_BY_ACCOUNT, &caller.account.id.to_string()).await?;
        Ok(self.0)
    }
}
