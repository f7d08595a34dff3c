//! Users: their wallets, passkeys, passwords and authenticator apps, and how they sign in.

pub mod authenticator;
pub mod passkeys;
pub mod srp_accounts;
pub mod srp_client;
pub mod totp;
pub mod wallets;
