//! The local stack: everything that the service needs, on one machine, without installing anything beyond
//! `make setup`. The development server and all tests run on it.
//!
//! [`LocalStack::start`] creates a fresh world in well under a second; [`LocalStack::serve`] serves routes in
//! it over real HTTP.
//!
//! The folders are layers, and imports only go down (`tests/floors.rs`). Tests and measurements name their
//! modules without the folder.

#![allow(
    clippy::disallowed_methods,
    reason = "it starts processes and servers, and waits for them"
)]

pub mod app;
mod aws;
mod base;
pub mod bitcoin;
pub mod cli;
pub mod dev;
mod doubles;
pub mod front_page;
pub mod functions;
pub mod levers;
pub mod openapi;
pub mod playground;
pub mod reference;
mod scenes;
pub mod seeds;
pub mod stack;
pub mod suite;
mod users;

pub use aws::{
    data_dir, distribution, dynamodb, lambda,
    mailbox::{self, ReceivedMail},
    ministack, provision, pump, sockets, storage, template,
};
pub use base::{
    answers,
    client::{self, Answer, Client},
    clock, effects, examples,
    failure::{self, Failure, Result},
    faulty_http::{self, Fault, FaultyHttp, HoldingHttp},
    latch::{self, Latch},
    masks, mood, names,
    overheard::{self, Overheard},
    patience, ports, process, refusals, server,
    socket_client::{self, SocketClient},
    workspace,
};
pub use doubles::{collector, evm, hub, ord_double, venue};
pub use scenes::{histories, mints};
pub use stack::{LocalStack, admins::admin, trading_wallets, treasury};
pub use users::{
    authenticator, passkeys,
    srp_accounts::{self, SrpAccount},
    srp_client, totp,
    wallets::{self, SignedIn, Wallet, sign_in},
};

pub use crate::bitcoin::BitcoinWorld;
