//! The perpetuals venue that accounts are funded on. The interface names it by its role; it is
//! Hyperliquid: HyperCore, which keeps the positions, and HyperEVM, the chain that USDC comes from.
//!
//! Clients sign and send everything themselves. The service makes what they sign, and asks the venue
//! beforehand whether it would be taken.

mod client;
mod contracts;
mod deployment;
mod facts;

pub use client::PerpVenueClient;
pub use contracts::{ACCOUNT_EXISTS, approve, deposit};
pub use deployment::{
    BuilderFee, PerpVenueConfig, ReferralCode, UsdcToken, VenueChain, WrongValue,
};
pub(crate) use deployment::{checksummed, endpoint};
pub use facts::{
    ChainState, Facts, Misconfigured, Mode, Question, Referral, SYSTEM_ADDRESS, Source,
    VenueReferrer,
};
