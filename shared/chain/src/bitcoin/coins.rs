//! Coins: what a wallet may spend, and what each coin holds in addition to its sats.

use std::{collections::BTreeMap, fmt};

use bitcoin::{Amount, OutPoint, ScriptBuf, Sequence, TxIn, Weight};
use serde::Serialize;
use shared::models::bitcoin::RuneName;
use utoipa::ToSchema;

/// A coin with fewer blocks left than this can soon be spent by the user alone: a week.
pub const EXPIRING_BELOW: u32 = 1_008;

/// Confirmations from which a coinbase output can be spent (consensus rule `COINBASE_MATURITY`).
pub const MATURITY: u32 = 100;

/// Most runes in one coin; a coin with more is never spent.
pub const MOST_RUNES: usize = 100;

/// Amounts of runes in their smallest unit, by name.
pub type RuneAmounts = BTreeMap<RuneName, u128>;

/// The contents of a coin in addition to its sats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// ord has not indexed the coin. It may hold anything and is never spent.
    Unknown,
    /// The coin holds more than is read: over 100 runes, or an answer of ord that exceeds the limits. It is
    /// never spent.
    Unreadable,
    /// The contents according to ord.
    Known {
        /// Whether an inscription sits on one of its sats.
        inscribed: bool,
        /// The runes in the coin.
        runes: RuneAmounts,
    },
}

impl Contents {
    /// Only sats.
    pub fn plain() -> Self {
        Self::Known { inscribed: false, runes: RuneAmounts::new() }
    }
}

/// An unspent output whose keys the wallet has, alone or together with the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coin {
    /// Its outpoint.
    pub outpoint: OutPoint,
    /// Its sats.
    pub value: Amount,
    /// The script that locks it.
    pub script_pubkey: ScriptBuf,
    /// Its contents in addition to sats.
    pub contents: Contents,
    /// Number of blocks from its own to the tip; 0 while it is in the mempool.
    pub confirmations: u32,
    /// Whether it is a coinbase output with fewer than [`MATURITY`] confirmations, which no block may spend.
    pub is_immature: bool,
    /// Blocks until the user alone can spend it; `None` if no script path allows that.
    pub expires_in: Option<u32>,
    /// Weight that a signature adds to its input within a segwit transaction: miniscript's
    /// `max_weight_to_satisfy`.
    pub satisfaction_weight: Weight,
}

impl Coin {
    /// Whether it may be an input at all: confirmed, mature, with known contents and no inscription.
    pub fn is_spendable(&self) -> bool {
        self.confirmations > 0
            && !self.is_immature
            && matches!(self.contents, Contents::Known { inscribed: false, .. })
    }

    /// Whether it holds only sats, so that it may pay amounts and fees.
    pub fn is_plain(&self) -> bool {
        self.is_spendable() && self.runes().is_some_and(BTreeMap::is_empty)
    }

    /// Whether the user alone can spend it within a week, or already can.
    pub fn is_expiring(&self) -> bool {
        self.expires_in.is_some_and(|blocks| blocks < EXPIRING_BELOW)
    }

    /// The runes in it; `None` if they are unknown.
    pub fn runes(&self) -> Option<&RuneAmounts> {
        match &self.contents {
            Contents::Unknown | Contents::Unreadable => None,
            Contents::Known { runes, .. } => Some(runes),
        }
    }

    /// Amount of a rune in it; 0 if unknown.
    pub fn amount_of(&self, rune: &RuneName) -> u128 {
        self.runes().and_then(|runes| runes.get(rune)).copied().unwrap_or_default()
    }

    /// Its unsigned input, which signals replaceability (BIP 125).
    pub fn unsigned_input(&self) -> TxIn {
        TxIn {
            previous_output: self.outpoint,
            sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
            ..TxIn::default()
        }
    }

    /// Weight of its signed input.
    pub fn input_weight(&self) -> Weight {
        let unsigned = TxIn::default().segwit_weight().to_wu();
        Weight::from_wu(unsigned.saturating_add(self.satisfaction_weight.to_wu()))
    }
}

/// A sum over some coins. Where only their number is of interest, it is serialized as that number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(into = "usize")]
pub struct CoinSum {
    /// The number of coins.
    pub coins: usize,
    /// Their total value.
    pub sats: u64,
}

impl From<CoinSum> for usize {
    fn from(sum: CoinSum) -> Self {
        sum.coins
    }
}

impl CoinSum {
    /// Adds a coin of this value.
    pub fn add(&mut self, sats: u64) {
        self.coins = self.coins.saturating_add(1);
        self.sats = self.sats.saturating_add(sats);
    }

    /// These coins without `others`, which must all be among them.
    #[must_use]
    pub fn without(self, others: Self) -> Self {
        Self {
            coins: self.coins.saturating_sub(others.coins),
            sats: self.sats.saturating_sub(others.sats),
        }
    }

    /// The sum over both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            coins: self.coins.saturating_add(other.coins),
            sats: self.sats.saturating_add(other.sats),
        }
    }
}

/// The sum over coins of these values.
impl FromIterator<u64> for CoinSum {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Self {
        let mut sum = Self::default();
        values.into_iter().for_each(|sats| sum.add(sats));
        sum
    }
}

/// Numbers of a wallet's coins that a transaction cannot spend now, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftAside {
    /// Unconfirmed.
    #[schema(value_type = usize)]
    pub unconfirmed: CoinSum,
    /// Mined, with fewer than 100 confirmations.
    #[schema(value_type = usize)]
    pub immature: CoinSum,
    /// Held by another transaction of the account.
    #[schema(value_type = usize)]
    pub reserved: CoinSum,
    /// With an inscription.
    #[schema(value_type = usize)]
    pub inscribed: CoinSum,
    /// With unknown contents, or more than is read: over 100 runes, or thousands of inscriptions.
    #[schema(value_type = usize)]
    pub unknown: CoinSum,
    /// Not read, because the address has too many coins; these are the least valuable.
    #[schema(value_type = usize)]
    pub not_read: CoinSum,
}

impl LeftAside {
    /// The total.
    pub fn count(&self) -> usize {
        let reasons = [
            self.unconfirmed,
            self.immature,
            self.reserved,
            self.inscribed,
            self.unknown,
            self.not_read,
        ];
        reasons.into_iter().fold(CoinSum::default(), CoinSum::and).coins
    }

    /// Counts a coin if it cannot be spent.
    pub fn add(&mut self, coin: &Coin) {
        let reason = match &coin.contents {
            _ if coin.confirmations == 0 => &mut self.unconfirmed,
            _ if coin.is_immature => &mut self.immature,
            Contents::Unknown | Contents::Unreadable => &mut self.unknown,
            Contents::Known { inscribed: true, .. } => &mut self.inscribed,
            Contents::Known { inscribed: false, .. } => return,
        };
        reason.add(coin.value.to_sat());
    }
}

impl fmt::Display for LeftAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.unconfirmed, "unconfirmed"),
            (self.immature, "mined less than 100 blocks ago"),
            (self.reserved, "reserved by other transactions"),
            (self.inscribed, "with inscriptions"),
            (self.unknown, "with unknown contents"),
            (self.not_read, "not read"),
        ];
        let counted = reasons.into_iter().filter(|(sum, _)| sum.coins > 0);
        for (place, (sum, reason)) in counted.enumerate() {
            f.write_str(if place == 0 { "" } else { ", " })?;
            write!(f, "{} {reason}", sum.coins)?;
        }
        Ok(())
    }
}
