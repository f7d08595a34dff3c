//! The fee rate that refunds are calculated by: kept for a while, so that what is calculated is what
//! is created, and that anybody can ask without the chain being asked.

use std::time::Duration;

use bitcoin::FeeRate;
use serde::{Deserialize, Serialize};

use super::CosigningError;
use crate::{
    app::App,
    clock::Timestamp,
    store::{Entity, Key},
};

/// How long a rate is kept before another one takes its place.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// An older one is not used: nobody keeps it up to date.
const OLDEST: Duration = Duration::from_secs(60 * 60);

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptFeeRate {
    sats_per_kwu: u64,
    read_at: Timestamp,
}

impl Entity for KeptFeeRate {
    const ENTITY: &'static str = "feeRate";
}

/// Reads the rate of the moment and keeps it, where the one that is kept is no longer fresh.
///
/// # Errors
/// [`CosigningError::Source`], [`CosigningError::Store`].
pub async fn keep_fee_rate(app: &App) -> Result<(), CosigningError> {
    let now = app.clock.now();
    let kept = app.store.get::<KeptFeeRate>(&Key::fee_rate()).await?;
    if kept.is_some_and(|kept| kept.read_at.plus(KEPT) > now) {
        return Ok(());
    }
    let rate = app.esplora.fee_rate(&app.config.fees).await?;
    let fresh = KeptFeeRate { sats_per_kwu: rate.to_sat_per_kwu(), read_at: now };
    Ok(app.store.put(&Key::fee_rate(), &fresh).await?)
}

/// The rate that is kept; that of the moment where there is none.
///
/// # Errors
/// As [`keep_fee_rate`].
pub async fn kept_fee_rate(app: &App) -> Result<FeeRate, CosigningError> {
    let kept = app.store.get::<KeptFeeRate>(&Key::fee_rate()).await?;
    match kept.filter(|kept| kept.read_at.plus(OLDEST) > app.clock.now()) {
        Some(kept) => Ok(FeeRate::from_sat_per_kwu(kept.sats_per_kwu)),
        None => Ok(app.esplora.fee_rate(&app.config.fees).await?),
    }
}
