//! Virtual mints: their rows, and the counters that always equal the sums over them.
//!
//! A VM transaction is two rows: what everybody may see of it, here, and the Bitcoin transaction
//! behind it, its commitment, which [`crate::transactions`] takes from coins to confirmations. Every
//! step of the one that means something to the other is a single write.

mod changes;
mod mint;
mod payout;
mod transaction;

pub use changes::{Changes, NoSuchChange};
pub use mint::{Computed, Mint, MintOfRune, Searched};
pub use payout::Payout;
pub use transaction::{
    Confirmation, Refundable, Sent, Settlement, Tier, VmAccount, VmChain, VmTransaction,
    private_state_key, state_key,
};

use ordinals::RuneId;

use crate::{
    models::{mint::MintId, transaction::FINAL, vm_transaction::VmTransactionKey},
    store::{Key, Store, StoreError},
};

/// Blocks that must still come until no reorganisation of six gives a rune another id (custody rule
/// 10): its id is the height of its etching, and its place there.
pub fn blocks_until_final(rune: RuneId, tip: u32) -> u32 {
    let depth = u64::from(tip).saturating_add(1).saturating_sub(rune.block);
    FINAL.saturating_sub(u32::try_from(depth).unwrap_or(u32::MAX))
}

/// Reads a mint.
///
/// # Errors
/// [`StoreError`].
pub async fn mint(store: &Store, id: MintId) -> Result<Option<Mint>, StoreError> {
    store.get(&Key::mint(id)).await
}

/// Reads the newest mint of a rune.
///
/// # Errors
/// [`StoreError`].
pub async fn mint_of_rune(store: &Store, rune: RuneId) -> Result<Option<Mint>, StoreError> {
    match store.get::<MintOfRune>(&Key::mint_of_rune(rune)).await? {
        Some(newest) => mint(store, newest.mint_id).await,
        None => Ok(None),
    }
}

/// Reads a VM transaction, signed or not.
///
/// # Errors
/// [`StoreError`].
pub async fn vm_transaction(
    store: &Store,
    key: VmTransactionKey,
) -> Result<Option<VmTransaction>, StoreError> {
    let found = store.get_many(&[Key::vm_transaction(key), Key::vm_draft(key)]).await?;
    Ok(found.into_iter().flatten().next())
}

/// Reads VM transactions that were signed in one batch; answers in the order of `keys`.
///
/// # Errors
/// [`StoreError`].
pub async fn vm_transactions(
    store: &Store,
    keys: impl IntoIterator<Item = VmTransactionKey>,
) -> Result<Vec<Option<VmTransaction>>, StoreError> {
    let keys: Vec<_> = keys.into_iter().map(Key::vm_transaction).collect();
    store.get_many(&keys).await
}
