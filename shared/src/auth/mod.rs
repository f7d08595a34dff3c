//! Authentication: who the caller is, and how they prove it.

pub mod activity;
mod caller;
pub mod challenge;
mod context;
pub mod credentials;
pub mod device;
pub mod email_proof;
mod error;
pub mod failed_proofs;
pub mod guess;
pub mod handshake;
pub mod identity;
pub mod keystore;
pub mod limits;
pub mod passkey;
pub mod second_factor;
pub mod srp;
pub mod trading_key;
pub mod trading_wallet;
pub mod wallet;

pub use caller::{Caller, LiveCaller, NotLive, SessionsEnd, tell_sessions_ended};
pub use context::{PeerAddress, RequestContext};
pub use error::{AuthError, refused};
