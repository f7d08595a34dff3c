//! The lists of the chain's rows, and those that all functions share.

pub use shared::keys::lists::*;

use ordinals::RuneId;
use shared::tables;
use store::lists::{List, Log};

use crate::models::{
    mint::MintId,
    xchain::{TokenAddress, TokenPair},
};

/// The lists of all cross-chain transactions, and of those of tokens.
pub const XCHAIN: Log = Log::new(tables::ACTIVITY, "xchain");

/// The lists of all signed VM transactions and of those of runes, and the sums over those of mints.
pub const VM: Log = Log::new(tables::ACTIVITY, "vm");

/// Every cross-chain transaction.
pub fn xchain() -> List {
    XCHAIN.list("xchain")
}

/// Cross-chain transactions that come from an address, go to it, or were created by it.
pub fn xchain_by_address(address: &str) -> List {
    List::new(tables::ACTIVITY, format_args!("xchain#addr#{address}"))
}

/// Cross-chain transactions that sell or buy a token.
pub fn xchain_by_token(token: &TokenAddress) -> List {
    XCHAIN.list(format_args!("xchain#token#{token}"))
}

/// Cross-chain transactions between two tokens, in either direction.
pub fn xchain_by_pair(pair: &TokenPair) -> List {
    let TokenPair(one, other) = pair;
    let (one, other) = (one.min(other), one.max(other));
    XCHAIN.list(format_args!("xchain#pair#{one}#{other}"))
}

/// Cross-chain transactions of both a pair and an address.
pub fn xchain_by_address_and_pair(address: &str, pair: &TokenPair) -> List {
    let TokenPair(one, other) = pair;
    let (one, other) = (one.min(other), one.max(other));
    List::new(tables::ACTIVITY, format_args!("xchain#addr#{address}#pair#{one}#{other}"))
}

/// Cross-chain transactions of both an address and a token.
pub fn xchain_by_address_and_token(address: &str, token: &TokenAddress) -> List {
    List::new(tables::ACTIVITY, format_args!("xchain#addr#{address}#token#{token}"))
}

/// Every mint.
pub fn mints() -> List {
    List::new(tables::ACTIVITY, "mints")
}

/// The mints of a rune.
pub fn mints_of_rune(rune: RuneId) -> List {
    List::new(tables::ACTIVITY, format_args!("mints#{rune}"))
}

/// Every signed VM transaction.
pub fn vm() -> List {
    VM.list("vm")
}

/// Signed VM transactions of a rune.
pub fn vm_by_rune(rune: RuneId) -> List {
    VM.list(format_args!("vm#rune#{rune}"))
}

/// Signed VM transactions of a mint.
pub fn vm_by_mint(mint: MintId) -> List {
    VM.list(format_args!("vm#mint#{mint}"))
}

/// Signed VM transactions paid from a trading address, for one rune or all.
pub fn vm_by_trading_address(address: &str, rune: Option<RuneId>) -> List {
    vm_by("addr", address, rune)
}

/// Signed VM transactions that an address acts for, for one rune or all.
pub fn vm_by_user_address(address: &str, rune: Option<RuneId>) -> List {
    vm_by("user", address, rune)
}

fn vm_by(what: &str, address: &str, rune: Option<RuneId>) -> List {
    match rune {
        Some(rune) => List::new(tables::ACTIVITY, format_args!("vm#{what}#{address}#rune#{rune}")),
        None => List::new(tables::ACTIVITY, format_args!("vm#{what}#{address}")),
    }
}
