//! A private Bitcoin world: Bitcoin Core and ord on regtest, behind two faces whose addresses are known from
//! the start. One face is Esplora's API over the node; the other is ord's own. [`bitcoin_model`] is the same
//! world in memory.

mod error;
mod esplora;
mod faucet;
mod forwarder;
pub mod index;
pub mod node;
pub mod ord;
pub mod programs;
pub mod purse;
mod reorg;
pub mod rpc;
mod state;
mod stranger;
mod world;

pub use error::WorldError;
pub(crate) use faucet::parse_address;
pub use faucet::{Etching, Inscribed};
pub use rpc::RpcError;
pub use state::{Replica, State};
pub use stranger::Pile;
pub use world::BitcoinWorld;
