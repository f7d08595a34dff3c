//! A Bitcoin world in memory: blocks, mempools, miners, runes, inscriptions, and the APIs of Esplora and ord.
//!
//! It is pure. Nothing here does I/O, reads a clock or draws a number; time, chance and every event are passed in, so
//! the same calls always lead to the same world. It is meant for simulations of the service, and for the Esplora
//! face of the local world.
//!
//! # Parts
//!
//! | Module | Holds |
//! |---|---|
//! | [`tree`] | all valid blocks, with competing tips. They are real blocks of regtest, which a node accepts |
//! | [`chain`] | the transactions of one tip, and those waiting on top of it |
//! | [`consensus`] | what makes transactions and blocks valid; scripts run in Bitcoin Core's own code |
//! | [`policy`], [`diagram`] | what nodes relay beyond that: form, fees, relatives, replacements |
//! | [`node`] | a server's chain and mempool. It sees the blocks and transactions that it is given, so several nodes are several replicas |
//! | [`miner`] | blocks: by rate, with or without certain transactions; and reorganisations |
//! | [`index`], [`runes`], [`inscriptions`], [`envelope`] | ord's accounts, written from its documented rules |
//! | [`face`], [`esplora`], [`ord`] | the APIs, as functions of a request and of a replica's view; a view may contain lies |
//! | [`people`], [`play`] | people who pay, etch, mint, transfer, inscribe, replace and spend twice; and a small world of them |
//!
//! # A replica
//!
//! A server that is behind is a [`node::Node`] that has not followed the newest blocks; one on a fork follows another
//! tip of the same [`tree::Tree`]; one with a mempool of its own was not given some transaction. An ord that is behind
//! is an [`index::Index`] that has not followed its node. Each call to a face names the replica that answers.
//!
//! ```
//! use bitcoin_model::{
//!     esplora,
//!     face::Request,
//!     miner::{self, Choice, Frame},
//!     node::Node,
//!     policy::Policy,
//!     tree::{Rules, Tree},
//! };
//!
//! let mut tree = Tree::new(Rules::default());
//! let (mut ahead, behind) = (Node::new(&tree, Policy::core_30()), Node::new(&tree, Policy::core_30()));
//! let frame = Frame { time: 1_700_000_000, salt: 0, payout: Vec::new() };
//! let block = miner::mine(&tree, &ahead, &Choice::everything(), &frame).unwrap();
//! let tip = tree.insert(block).unwrap();
//! assert!(ahead.follow(&tree, tip, frame.time));
//!
//! for (node, height) in [(&ahead, "1"), (&behind, "0")] {
//!     let view = esplora::View::new(tree.rules().network, node.chain());
//!     let answer = esplora::answer(&view, &Request::get("/blocks/tip/height"));
//!     assert_eq!((answer.status, &*answer.text_of_body()), (200, height));
//! }
//! ```
//!
//! # Honesty
//!
//! `infra/local/tests/bitcoin_model.rs` plays random worlds of [`people`] to Bitcoin Core and ord: every block must
//! be accepted, every verdict of the mempool must be the same, and so must the contents of every output.

pub mod chain;
pub mod consensus;
pub mod diagram;
pub mod envelope;
pub mod esplora;
pub mod face;
pub mod index;
pub mod inscriptions;
pub mod journal;
pub mod miner;
pub mod node;
pub mod ord;
pub mod people;
pub mod play;
pub mod policy;
pub mod runes;
pub mod tree;
