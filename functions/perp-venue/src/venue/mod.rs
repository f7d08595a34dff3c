//! The perpetuals venue on which accounts are funded. The API names it by its role; it is Hyperliquid:
//! HyperCore, which keeps the positions, and HyperEVM, the chain from which USDC is deposited.
//!
//! Clients sign and send everything themselves. The service builds what they sign, and checks with the venue
//! first whether it would be accepted.

mod client;
mod contracts;
mod decimal;
mod deployment;
mod facts;
mod signing;
pub mod usdc;

pub use client::PerpVenueClient;
pub use contracts::{ACCOUNT_EXISTS, approve, deposit};
pub use deployment::{BuilderFee, PerpVenueConfig, ReferralCode, UsdcToken};
pub use facts::{
    ChainState, Facts, Misconfigured, Mode, Question, Referral, SYSTEM_ADDRESS, Source,
    SpotBalances, VenueReferrer,
};
pub use shared::venue::{VenueChain, WrongValue};
pub(crate) use signing::TypedValue;
pub use signing::{PrimaryType, Signing, SigningDomain, SigningScheme, TypedField};
