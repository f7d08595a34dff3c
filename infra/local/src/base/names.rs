//! Names and credentials that every local world has in common.

use bitcoin::Network;

/// The Bitcoin network of the local world.
pub const NETWORK: Network = Network::Regtest;
/// The region of the local world.
pub const REGION: &str = "us-east-1";
/// The AWS account of the local world.
pub const ACCOUNT: &str = "000000000000";
/// Access key id of the local world.
pub const ACCESS_KEY_ID: &str = "test";
/// Secret access key of the local world.
pub const SECRET_ACCESS_KEY: &str = "test";
