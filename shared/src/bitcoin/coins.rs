//! Coins: what a wallet may spend, and what each holds besides its sats.

use std::{cmp::Ordering, collections::BTreeMap, fmt, str::FromStr};

use bitcoin::{Amount, OutPoint, ScriptBuf, Sequence, TxIn, Weight};
use ordinals::SpacedRune;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::ToSchema;

/// A coin with fewer blocks left than this is about to be the user's alone: a week.
pub const EXPIRING_BELOW: u32 = 1_008;

/// The most runes in one coin; a coin with more is left alone.
pub const MOST_RUNES: usize = 100;

/// The longest name that a rune can have, in letters: more do not fit 128 bits.
const LONGEST_NAME: usize = 28;

/// A rune's name with its spacers, as ord prints it (`UNCOMMON•GOODS`), and so in JSON.
///
/// Two names are the same whatever their spacers: the protocol allows each name once.
#[derive(Clone, Copy, Debug)]
pub struct RuneName(SpacedRune);

impl PartialEq for RuneName {
    fn eq(&self, other: &Self) -> bool {
        self.0.rune == other.0.rune
    }
}

impl Eq for RuneName {}

impl PartialOrd for RuneName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RuneName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.rune.cmp(&other.0.rune)
    }
}

impl From<SpacedRune> for RuneName {
    fn from(name: SpacedRune) -> Self {
        Self(name)
    }
}

impl FromStr for RuneName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "must be the name of a rune, A to Z with spacers between";
        // `SpacedRune::from_str` shifts by the number of letters.
        if text.chars().filter(char::is_ascii_uppercase).count() > LONGEST_NAME {
            return Err(SHAPE);
        }
        text.parse().map(Self).map_err(|_| SHAPE)
    }
}

impl fmt::Display for RuneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for RuneName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RuneName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Amounts of runes in their smallest unit, by name.
pub type RuneAmounts = BTreeMap<RuneName, u128>;

/// What a coin holds besides its sats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// ord has not indexed it: it may hold anything and is never touched.
    Unknown,
    /// It holds more than is read: over 100 runes, or what ord does not answer within the limits. It
    /// is never touched.
    Unreadable,
    /// What ord says of it.
    Known {
        /// Whether an inscription sits on one of its sats.
        inscribed: bool,
        /// The runes in it.
        runes: RuneAmounts,
    },
}

impl Contents {
    /// Nothing but sats.
    pub fn plain() -> Self {
        Self::Known { inscribed: false, runes: RuneAmounts::new() }
    }
}

/// An unspent output that the wallet has the keys of, or shares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coin {
    /// Where it is.
    pub outpoint: OutPoint,
    /// Its sats.
    pub value: Amount,
    /// What it pays to.
    pub script_pubkey: ScriptBuf,
    /// What it holds besides.
    pub contents: Contents,
    /// Blocks on top of it, its own included; 0 while it is in the mempool.
    pub confirmations: u32,
    /// Blocks left until the user alone can spend it; `None` where no path does that.
    pub expires_in: Option<u32>,
    /// How much heavier its input gets by being signed, within a segwit transaction:
    /// miniscript's `max_weight_to_satisfy`.
    pub satisfaction_weight: Weight,
}

impl Coin {
    /// Whether it may be an input at all: confirmed, its contents known, no inscription.
    pub fn is_spendable(&self) -> bool {
        self.confirmations > 0 && matches!(self.contents, Contents::Known { inscribed: false, .. })
    }

    /// Whether it holds sats and nothing else, so that it may pay amounts and fees.
    pub fn is_plain(&self) -> bool {
        self.is_spendable() && self.runes().is_some_and(BTreeMap::is_empty)
    }

    /// Whether the user alone can spend it in less than a week, or already can.
    pub fn is_expiring(&self) -> bool {
        self.expires_in.is_some_and(|blocks| blocks < EXPIRING_BELOW)
    }

    /// The runes in it; `None` where that is not known.
    pub fn runes(&self) -> Option<&RuneAmounts> {
        match &self.contents {
            Contents::Unknown | Contents::Unreadable => None,
            Contents::Known { runes, .. } => Some(runes),
        }
    }

    /// How much of a rune is in it, as far as is known.
    pub fn amount_of(&self, rune: &RuneName) -> u128 {
        self.runes().and_then(|runes| runes.get(rune)).copied().unwrap_or_default()
    }

    /// Its input, unsigned; it signals that the transaction may be replaced (BIP 125).
    pub fn unsigned_input(&self) -> TxIn {
        TxIn {
            previous_output: self.outpoint,
            sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
            ..TxIn::default()
        }
    }

    /// The weight of its signed input.
    pub fn input_weight(&self) -> Weight {
        let unsigned = TxIn::default().segwit_weight().to_wu();
        Weight::from_wu(unsigned.saturating_add(self.satisfaction_weight.to_wu()))
    }
}

/// Coins of a wallet that a transaction cannot spend now, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LeftAside {
    /// They wait for a block.
    pub unconfirmed: usize,
    /// Another transaction of the account holds them.
    pub reserved: usize,
    /// They hold an inscription.
    pub inscribed: usize,
    /// Their contents are not known, or more than is read: over 100 runes, or thousands of
    /// inscriptions.
    pub unknown: usize,
    /// They are worth least, and the address has too many for all to be read.
    pub not_read: usize,
}

impl LeftAside {
    /// How many there are.
    pub fn count(&self) -> usize {
        [self.unconfirmed, self.reserved, self.inscribed, self.unknown, self.not_read]
            .into_iter()
            .fold(0, usize::saturating_add)
    }

    /// Counts a coin if it cannot be spent.
    pub fn add(&mut self, coin: &Coin) {
        let reason = match &coin.contents {
            _ if coin.confirmations == 0 => &mut self.unconfirmed,
            Contents::Unknown | Contents::Unreadable => &mut self.unknown,
            Contents::Known { inscribed: true, .. } => &mut self.inscribed,
            Contents::Known { inscribed: false, .. } => return,
        };
        *reason = reason.saturating_add(1);
    }
}

impl fmt::Display for LeftAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.unconfirmed, "unconfirmed"),
            (self.reserved, "reserved by other transactions"),
            (self.inscribed, "with inscriptions"),
            (self.unknown, "of unknown contents"),
            (self.not_read, "not read"),
        ];
        let counted = reasons.into_iter().filter(|(count, _)| *count > 0);
        for (place, (count, reason)) in counted.enumerate() {
            f.write_str(if place == 0 { "" } else { ", " })?;
            write!(f, "{count} {reason}")?;
        }
        Ok(())
    }
}
