//! The current fee rate. The last one is cached: refunds are calculated and created with it, and it is used
//! if Esplora has no estimate.

use std::time::Duration;

use bitcoin::FeeRate;
use serde::{Deserialize, Serialize};
use shared::{clock::Timestamp, problem::AsProblem, store::Entity};

use super::ChainError;
use crate::{Chain, keys};

/// How long a cached rate is used before it is read again.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// While estimates exist, an older rate is not used: the worker has stopped updating it.
const OLDEST: Duration = Duration::from_secs(60 * 60);
/// An older rate is never used. Within six hours rates seldom leave the limits of the settings, and a
/// transaction sent too cheaply can be replaced.
const OLDEST_WITHOUT_ESTIMATE: Duration = Duration::from_secs(6 * 60 * 60);

/// The rate that a transaction should pay now.
#[derive(Clone, Copy, Debug)]
pub struct CurrentFeeRate {
    /// The rate.
    pub rate: FeeRate,
    /// Whether it is the last known rate because no estimate is available.
    pub is_stale: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptFeeRate {
    sats_per_kwu: u64,
    read_at: Timestamp,
}

impl Entity for KeptFeeRate {
    const ENTITY: &'static str = "feeRate";
}

/// Reads and caches the current rate if the cached one is no longer fresh.
///
/// # Errors
/// [`ChainError::Source`], [`ChainError::Store`].
pub async fn keep_fee_rate(app: &Chain) -> Result<(), ChainError> {
    let now = app.clock.now();
    let kept = app.store.get::<KeptFeeRate>(&keys::fee_rate()).await?;
    if kept.is_some_and(|kept| kept.read_at.plus(KEPT) > now) {
        return Ok(());
    }
    let rate = app.esplora.fee_rate(&app.fees).await?;
    let fresh = KeptFeeRate { sats_per_kwu: rate.to_sat_per_kwu(), read_at: now };
    Ok(app.store.put(&keys::fee_rate(), &fresh).await?)
}

/// The cached rate, or the current one if none is cached.
///
/// # Errors
/// As [`keep_fee_rate`].
pub async fn kept_fee_rate(app: &Chain) -> Result<FeeRate, ChainError> {
    match read_kept(app, OLDEST).await? {
        Some(kept) => Ok(FeeRate::from_sat_per_kwu(kept.sats_per_kwu)),
        None => Ok(fee_rate(app).await?.rate),
    }
}

/// The current rate. If no estimate is available, the cached one is used for up to six hours.
///
/// # Errors
/// As [`keep_fee_rate`] if none is cached.
pub async fn fee_rate(app: &Chain) -> Result<CurrentFeeRate, ChainError> {
    let error = match app.esplora.fee_rate(&app.fees).await {
        Ok(rate) => return Ok(CurrentFeeRate { rate, is_stale: false }),
        Err(error) => error,
    };
    let Some(kept) = read_kept(app, OLDEST_WITHOUT_ESTIMATE).await? else {
        return Err(error.into());
    };
    let age = app.clock.now().0.saturating_sub(kept.read_at.0).div_euclid(1_000);
    tracing::warn!(error = error.internal(), age, "no fee estimate; using the last one");
    Ok(CurrentFeeRate { rate: FeeRate::from_sat_per_kwu(kept.sats_per_kwu), is_stale: true })
}

async fn read_kept(app: &Chain, oldest: Duration) -> Result<Option<KeptFeeRate>, ChainError> {
    let kept = app.store.get::<KeptFeeRate>(&keys::fee_rate()).await?;
    Ok(kept.filter(|kept| kept.read_at.plus(oldest) > app.clock.now()))
}
