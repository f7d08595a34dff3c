//! Ids of outputs, inscriptions and runes, and names of runes, in their usual text forms.

use std::{cmp::Ordering, fmt, str::FromStr};

use bitcoin::Txid;
use ordinals::{RuneId, SpacedRune};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::as_text;

/// A transaction output: `<txid>:<vout>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OutPoint(pub bitcoin::OutPoint);

impl FromStr for OutPoint {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| "must be an outpoint, <txid>:<vout>")
    }
}

impl fmt::Display for OutPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

as_text!(
    OutPoint,
    "^[0-9a-fA-F]{64}:(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[0-2][0-9]{8})$",
    "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799:0"
);

/// An inscription, `<txid>i<index>`: the transaction that revealed it, and its index among that transaction's
/// inscriptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InscriptionId {
    /// The revealing transaction.
    pub txid: Txid,
    /// The index in it, from 0.
    pub index: u32,
}

impl FromStr for InscriptionId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "must be an inscription id, <txid>i<index>";
        // Each id has exactly one text: `u32::from_str` alone would also accept `+1` and `01`.
        let (txid, index) = text.split_once('i').ok_or(SHAPE)?;
        let id = Self {
            txid: txid.parse().map_err(|_| SHAPE)?,
            index: index.parse().map_err(|_| SHAPE)?,
        };
        if id.index.to_string() == index { Ok(id) } else { Err(SHAPE) }
    }
}

impl fmt::Display for InscriptionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}i{}", self.txid, self.index)
    }
}

as_text!(
    InscriptionId,
    "^[0-9a-fA-F]{64}i(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[0-2][0-9]{8})$",
    "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799i0"
);

/// A token that Bitcoin outputs can hold. Its id is a rune id, `<block>:<tx>`; BTC is `0:0`
/// (`docs/decisions/0008-bitcoin-tokens.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitcoinToken {
    /// BTC, in sats.
    Btc,
    /// A rune, in its smallest unit.
    Rune(RuneId),
}

impl FromStr for BitcoinToken {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "must be a rune id, <block>:<tx>, or 0:0 for BTC";
        let (block, tx) = text.split_once(':').ok_or(SHAPE)?;
        let token = match (block.parse().map_err(|_| SHAPE)?, tx.parse().map_err(|_| SHAPE)?) {
            (0, 0) => Self::Btc,
            (block, tx) => Self::Rune(RuneId::new(block, tx).ok_or(SHAPE)?),
        };
        // Each id has exactly one text.
        if token.to_string() == text { Ok(token) } else { Err(SHAPE) }
    }
}

impl fmt::Display for BitcoinToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Btc => f.write_str("0:0"),
            Self::Rune(id) => id.fmt(f),
        }
    }
}

/// The id of an etched rune: `<block>:<tx>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EtchedRune(pub RuneId);

impl FromStr for EtchedRune {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(BitcoinToken::Rune(id)) => Ok(Self(id)),
            _ => Err("must be a rune id, <block>:<tx>"),
        }
    }
}

impl fmt::Display for EtchedRune {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

// The patterns allow a few numbers above those of 64 and of 32 bits.
as_text!(
    EtchedRune,
    "^([1-9][0-9]{0,18}|1[0-8][0-9]{18}):(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[0-2][0-9]{8})$",
    "840000:3"
);

as_text!(
    BitcoinToken,
    "^(0:0|([1-9][0-9]{0,18}|1[0-8][0-9]{18}):(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[0-2][0-9]{8}))$",
    "840000:3"
);

/// The longest possible name of a rune, in letters: 128 bits hold no more.
const LONGEST_NAME: usize = 28;

/// A rune's name with its spacers, as ord prints it (`UNCOMMON•GOODS`) and as JSON has it.
///
/// Spacers do not count in comparisons: the protocol allows each name once.
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
        // `SpacedRune::from_str` uses the number of letters as a shift width.
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const TXID: &str = "6fb976ab49dcec017f1e201e84395983204ae1a7c2abf7ced0a85d692e442799";

    #[test]
    fn an_id_has_exactly_one_text() {
        let upper = TXID.to_uppercase();
        assert_eq!(
            format!("{upper}i3").parse::<InscriptionId>().unwrap().to_string(),
            format!("{TXID}i3")
        );
        assert_eq!(
            format!("{upper}:3").parse::<OutPoint>().unwrap().to_string(),
            format!("{TXID}:3")
        );
        for tail in ["i", "i+1", "i01", "i-1", "i4294967296", "i1 ", "i1i1", ":1", "", "i1.0"] {
            assert!(format!("{TXID}{tail}").parse::<InscriptionId>().is_err(), "{tail:?}");
        }
        for tail in [":", ":+1", ":01", ":-1", ":4294967296", ":1 ", "i1", ""] {
            assert!(format!("{TXID}{tail}").parse::<OutPoint>().is_err(), "{tail:?}");
        }
        assert!("éi0".parse::<InscriptionId>().is_err());
    }

    #[test]
    fn btc_is_0_0_and_every_other_id_is_a_rune() {
        assert_eq!("0:0".parse(), Ok(BitcoinToken::Btc));
        let rune = BitcoinToken::Rune(RuneId { block: 840_000, tx: 3 });
        assert_eq!("840000:3".parse(), Ok(rune));
        assert_eq!("840000:3".parse(), Ok(EtchedRune(RuneId { block: 840_000, tx: 3 })));
        assert!("0:0".parse::<EtchedRune>().is_err());
        for text in ["", "0", "0:1", "01:1", "1:01", "1:-1", "1:1:1", " 1:1", "1:4294967296"] {
            assert!(text.parse::<BitcoinToken>().is_err(), "{text}");
        }
    }
}
