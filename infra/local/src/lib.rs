//! The local stack: everything that the service needs, on one machine, with nothing installed except what
//! `make setup` brings. The development server and all tests run on it.
//!
//! [`LocalStack::start`] creates a fresh world in well under a second; [`LocalStack::serve`] serves routes in
//! it over real HTTP.

#![allow(
    clippy::disallowed_methods,
    reason = "it starts processes and servers, and waits for them"
)]

pub mod authenticator;
pub mod bitcoin;
pub mod cli;
pub mod client;
pub mod clock;
pub mod data_dir;
pub mod dev;
pub mod distribution;
pub mod docs;
pub mod dynamodb;
pub mod evm;
pub mod failure;
pub mod faulty_http;
pub mod functions;
pub mod histories;
pub mod hub;
pub mod lambda;
pub mod levers;
pub mod mailbox;
pub mod ministack;
pub mod mints;
pub mod mood;
pub mod openapi;
pub mod operate;
pub mod ord_double;
pub mod passkeys;
pub mod playground;
pub mod process;
pub mod provision;
pub mod pump;
pub mod reference;
pub mod seeds;
pub mod server;
mod signing_keys;
pub mod srp_accounts;
pub mod srp_client;
pub mod stack;
pub mod storage;
pub mod stuck;
pub mod template;
pub mod totp;
pub mod trading_wallets;
pub mod venue;
pub mod wallets;
pub mod workspace;

pub use crate::bitcoin::BitcoinWorld;
pub use client::{Answer, Client};
pub use failure::{Failure, Result};
pub use faulty_http::{Fault, FaultyHttp};
pub use mailbox::ReceivedMail;
pub use srp_accounts::SrpAccount;
pub use stack::{LocalStack, treasury};
pub use wallets::{SignedIn, Wallet, admin, sign_in};
