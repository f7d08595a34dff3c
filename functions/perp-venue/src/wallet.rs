use std::str::FromStr;

use alloy::primitives::Address;
use shared::{
    auth::limits::{self, VENUE_BY_ACCOUNT},
    http::{Fields, LiveCaller, Result},
    models::wallet::{AddressError, MAX_ADDRESS_LEN, evm_address},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::app::App;

/// The EVM wallet that signs and owns the position at the venue: 20 bytes in hex. The EIP-55 checksum is
/// verified if the text has both cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvmWallet(Address);

impl FromStr for EvmWallet {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        evm_address(text).map(Self)
    }
}

impl PartialSchema for EvmWallet {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some("^0x[0-9a-fA-F]{40}$"))
            .examples(["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"])
            .into()
    }
}

impl ToSchema for EvmWallet {}

impl EvmWallet {
    /// Reads the required field `userAddress`.
    pub(crate) fn read(fields: &mut Fields<'_>) -> Option<Self> {
        fields.parsed("userAddress", MAX_ADDRESS_LEN)
    }

    /// Reads the optional field `userAddress`.
    #[allow(clippy::option_option)]
    pub(crate) fn read_optional(fields: &mut Fields<'_>) -> Option<Option<Self>> {
        fields.optional_parsed("userAddress", MAX_ADDRESS_LEN)
    }

    /// Its address. A caller may name any wallet: the answers about it are public, and only the wallet itself
    /// can sign the actions.
    pub(crate) const fn get(self) -> Address {
        self.0
    }
}

/// Counts a request about a wallet towards the account's limit, since it may send requests to the venue.
///
/// # Errors
/// As [`limits::hit`].
pub(crate) async fn count_request(app: &App, caller: &LiveCaller) -> Result<()> {
    Ok(limits::hit(app, VENUE_BY_ACCOUNT, &caller.account.id.to_string()).await?)
}
