//! What operators' commands read of the settings.

use bitcoin::Network;

pub use crate::{aws::AwsConfig, keys::signing::KeyConfig, settings::ConfigError, store::Tables};
use crate::{bitcoin::settings::NetworkConfig, keys::vault::DataKeyConfig, settings::from_env};

/// What the operator's command needs that rotates the keys of access tokens.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing.
pub fn for_key_rotation() -> Result<(AwsConfig, KeyConfig), ConfigError> {
    from_env()
}

/// What the operator's commands need that change accounts.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing or wrong.
pub fn for_accounts() -> Result<(AwsConfig, Tables, Network), ConfigError> {
    from_env().map(|(aws, tables, NetworkConfig { network })| (aws, tables, network))
}

/// What the operator's command needs that makes data keys: with the id of the KMS key.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing.
pub fn for_data_keys() -> Result<(AwsConfig, Tables, String), ConfigError> {
    from_env().map(|(aws, tables, DataKeyConfig { id })| (aws, tables, id))
}

/// What operators' commands need that work on the tables alone.
///
/// # Errors
/// [`ConfigError`] naming every setting that is missing.
pub fn for_tables() -> Result<(AwsConfig, Tables), ConfigError> {
    from_env()
}
