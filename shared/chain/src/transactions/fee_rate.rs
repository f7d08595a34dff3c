//! Current fee rates. The last ones are cached: refunds are calculated and created with them, and they stand
//! in for Esplora while it has no estimate.

use std::time::Duration;

use base::clock::Timestamp;
use bitcoin::FeeRate;
use serde::{Deserialize, Serialize};
use shared::problem::AsProblem;
use store::Entity;

use super::ChainError;
use crate::{
    BitcoinContext, keys,
    models::fee::{FeeChoice, FeeTarget, TargetRates},
};

/// How long cached rates are used before they are read again.
const KEPT: Duration = Duration::from_secs(10 * 60);
/// While Esplora has estimates, cached rates older than this are not used: the worker has stopped updating
/// them.
const OLDEST: Duration = Duration::from_secs(60 * 60);
/// Rates older than this are never used. Within six hours rates seldom leave the limits of the settings, and
/// a transaction sent with too low a fee can be replaced.
const OLDEST_WITHOUT_ESTIMATE: Duration = Duration::from_secs(6 * 60 * 60);

/// The rate that a transaction should pay now.
#[derive(Clone, Copy, Debug)]
pub struct CurrentFeeRate {
    /// The rate.
    pub rate: FeeRate,
    /// Whether it is the last known rate, used because no estimate is available.
    pub is_stale: bool,
}

/// The rates of all targets, and when they were read.
#[derive(Clone, Copy, Debug)]
pub struct KnownRates {
    /// The rates.
    pub rates: TargetRates,
    /// The height of the chain when they were read.
    pub height: u32,
    /// When they were read.
    pub read_at: Timestamp,
}

/// Rates in sats per 1,000 weight units.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeptFeeRates {
    economy: u64,
    normal: u64,
    fast: u64,
    height: u32,
    read_at: Timestamp,
}

impl Entity for KeptFeeRates {
    const ENTITY: &'static str = "feeRate";
}

impl From<KnownRates> for KeptFeeRates {
    fn from(KnownRates { rates, height, read_at }: KnownRates) -> Self {
        Self {
            economy: rates.economy.to_sat_per_kwu(),
            normal: rates.normal.to_sat_per_kwu(),
            fast: rates.fast.to_sat_per_kwu(),
            height,
            read_at,
        }
    }
}

impl From<KeptFeeRates> for KnownRates {
    fn from(kept: KeptFeeRates) -> Self {
        let rates = TargetRates {
            economy: FeeRate::from_sat_per_kwu(kept.economy),
            normal: FeeRate::from_sat_per_kwu(kept.normal),
            fast: FeeRate::from_sat_per_kwu(kept.fast),
        };
        Self { rates, height: kept.height, read_at: kept.read_at }
    }
}

/// Reads and caches the current rates if the cached ones are no longer fresh.
///
/// # Errors
/// [`ChainError::Source`] if Esplora gives no estimate; [`ChainError::Store`] if the store fails.
pub async fn keep_fee_rate(app: &BitcoinContext) -> Result<(), ChainError> {
    let now = app.clock.now();
    let kept = app.store.get::<KeptFeeRates>(&keys::fee_rate()).await?;
    if kept.is_some_and(|kept| kept.read_at.plus(KEPT) > now) {
        return Ok(());
    }
    let fresh = KeptFeeRates::from(read_rates(app).await?);
    Ok(app.store.put(&keys::fee_rate(), &fresh).await?)
}

/// The cached normal rate, or the current one if none is cached.
///
/// # Errors
/// As [`keep_fee_rate`].
pub async fn kept_fee_rate(app: &BitcoinContext) -> Result<FeeRate, ChainError> {
    match read_kept(app, OLDEST).await? {
        Some(kept) => Ok(kept.rates.normal),
        None => Ok(fee_rate(app, FeeTarget::Normal).await?.rate),
    }
}

/// The cached rates of all targets; `None` if the worker has cached none for six hours. It calls no other
/// service, so public endpoints may use it.
///
/// # Errors
/// [`ChainError::Store`] if the store fails.
pub async fn known_fee_rates(app: &BitcoinContext) -> Result<Option<KnownRates>, ChainError> {
    read_kept(app, OLDEST_WITHOUT_ESTIMATE).await
}

/// The rate that a transaction should pay now.
///
/// # Errors
/// As [`fee_rate`] if the choice is a target; none if it is a rate.
pub(super) async fn chosen_fee_rate(
    app: &BitcoinContext,
    choice: FeeChoice,
) -> Result<CurrentFeeRate, ChainError> {
    match choice {
        FeeChoice::Target(target) => fee_rate(app, target).await,
        FeeChoice::Rate(rate) => Ok(CurrentFeeRate { rate, is_stale: false }),
    }
}

/// The current rate of a target. If no estimate is available, the cached one is used for up to six hours.
///
/// # Errors
/// As [`keep_fee_rate`] if none is cached.
pub async fn fee_rate(
    app: &BitcoinContext,
    target: FeeTarget,
) -> Result<CurrentFeeRate, ChainError> {
    let error = match app.esplora.fee_rates(&app.fees).await {
        Ok(rates) => return Ok(CurrentFeeRate { rate: rates.at(target), is_stale: false }),
        Err(error) => error,
    };
    let Some(kept) = read_kept(app, OLDEST_WITHOUT_ESTIMATE).await? else {
        return Err(error.into());
    };
    let age = app.clock.now().0.saturating_sub(kept.read_at.0).div_euclid(1_000);
    tracing::warn!(error = error.internal(), age, "no fee estimate; using the last one");
    Ok(CurrentFeeRate { rate: kept.rates.at(target), is_stale: true })
}

async fn read_rates(app: &BitcoinContext) -> Result<KnownRates, ChainError> {
    let rates = app.esplora.fee_rates(&app.fees);
    let (rates, height) = tokio::try_join!(rates, app.esplora.tip_height())?;
    Ok(KnownRates { rates, height, read_at: app.clock.now() })
}

async fn read_kept(
    app: &BitcoinContext,
    oldest: Duration,
) -> Result<Option<KnownRates>, ChainError> {
    let kept = app.store.get::<KeptFeeRates>(&keys::fee_rate()).await?;
    let is_usable = |kept: &KeptFeeRates| kept.read_at.plus(oldest) > app.clock.now();
    Ok(kept.filter(is_usable).map(KnownRates::from))
}
