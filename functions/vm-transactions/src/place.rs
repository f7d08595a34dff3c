//! Whether a mint has a place for a further bid.

use chain::{
    keys,
    mints::{self, MOST_BIDS, Mint, MintOutlook, Tier, VmSum, VmSums},
};
use shared::http::Result;
use store::StoreError;

use crate::{app::App, error::VmError};

/// The lowest price that gives a further bid a place in a mint with this outlook; `None` if there is none.
pub(crate) async fn price(
    app: &App,
    mint: &Mint,
    outlook: Option<&MintOutlook>,
) -> Result<Option<u64>> {
    let bids = bids(app, mint).await?;
    Ok(mints::price_of_place(mint.min_sats_per_request, bids, outlook))
}

/// How many bids a mint has.
async fn bids(app: &App, mint: &Mint) -> std::result::Result<u64, StoreError> {
    let sums = app.store.get::<VmSums>(&keys::vm_sums(mint.rune.id, mint.id)).await?;
    Ok(sums.map_or(0, |sums| sums.get(VmSum::Bids)))
}

/// Refuses a bid for which the mint has no place, be it that of a new batch or a further one of a batch that is
/// replaced. Concurrent requests may exceed the number a little.
pub(crate) async fn check(app: &App, mint: &Mint, bid: &Tier) -> Result<()> {
    let (outlook, bids) = tokio::try_join!(mints::outlook(&app.store, mint.id), bids(app, mint))?;
    match mints::price_of_place(mint.min_sats_per_request, bids, outlook.as_ref()) {
        None => Err(VmError::MintFull(MOST_BIDS).into()),
        Some(lowest) if bid.sats_per_request < lowest => Err(VmError::MintCrowded(lowest).into()),
        Some(_) => Ok(()),
    }
}
