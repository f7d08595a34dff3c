//! Amounts of USDC.

use std::{fmt, str::FromStr};

use alloy::primitives::{U256, uint};
use shared::as_text;

use super::decimal;

/// Millionths in one USDC: the token has 6 decimals.
const MICROS: U256 = uint!(1_000_000_U256);
/// Decimal places of the token.
const DECIMALS: usize = 6;

/// An amount of USDC in millionths. On the wire it is a decimal text without trailing zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Usdc(U256);

/// How decimals beyond the sixth are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Dropped: for amounts that a party has.
    Down,
    /// Rounded up to the next millionth: for amounts that a party must pay.
    Up,
}

impl Usdc {
    /// One USDC.
    pub const ONE: Self = Self(MICROS);

    /// An amount given in millionths.
    pub const fn from_micros(micros: U256) -> Self {
        Self(micros)
    }

    /// The amount in millionths.
    pub const fn micros(self) -> U256 {
        self.0
    }

    /// The sum; `None` on overflow.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or zero if `other` is larger.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Parses an amount sent by another service: digits with an optional fraction; `None` for any other text.
    pub fn read(text: &str, rounding: Rounding) -> Option<Self> {
        let (micros, is_more) = decimal::parse(text, DECIMALS)?;
        let up = U256::from(is_more && rounding == Rounding::Up);
        micros.checked_add(up).map(Self)
    }
}

/// Why a text is not an amount of USDC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UsdcError {
    /// Not a decimal number, or more than 6 decimals.
    #[error("must be an amount of USDC: digits, and at most 6 decimals")]
    Malformed,
    /// Zero.
    #[error("must be more than 0")]
    Zero,
    /// More than [`UsdcAmount::LARGEST`].
    #[error("must be at most {}", UsdcAmount::LARGEST)]
    TooMuch,
}

/// Parses digits with at most 6 decimals.
impl FromStr for Usdc {
    type Err = UsdcError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let amount = Self::read(text, Rounding::Down).filter(|_| decimals <= DECIMALS);
        amount.ok_or(UsdcError::Malformed)
    }
}

impl fmt::Display for Usdc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, micros) = self.0.div_rem(MICROS);
        write!(f, "{whole}")?;
        if micros.is_zero() {
            return Ok(());
        }
        let decimals = format!("{micros:0>DECIMALS$}");
        write!(f, ".{}", decimals.trim_end_matches('0'))
    }
}

as_text!(Usdc, "^[0-9]+(\\.[0-9]{1,6})?$", "12.5");

/// An amount of USDC to transfer: more than 0 and at most [`Self::LARGEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UsdcAmount(Usdc);

impl UsdcAmount {
    /// The largest transfer: the venue counts hundredths of a millionth in 64 bits.
    pub const LARGEST: Usdc = Usdc(uint!(184_467_440_737_095_516_U256));
    /// The longest text accepted, in characters.
    pub const LONGEST: usize = 40;

    /// The amount.
    pub const fn get(self) -> Usdc {
        self.0
    }
}

impl FromStr for UsdcAmount {
    type Err = UsdcError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse()? {
            Usdc(U256::ZERO) => Err(UsdcError::Zero),
            amount if amount > Self::LARGEST => Err(UsdcError::TooMuch),
            amount => Ok(Self(amount)),
        }
    }
}

impl fmt::Display for UsdcAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

// Without zero, and nothing above 184,499,999,999.999999.
as_text!(
    UsdcAmount,
    "^(0{0,39}([1-9][0-9]{0,10}|1[0-7][0-9]{10}|18[0-3][0-9]{9}|184[0-4][0-9]{8})(\\.[0-9]{1,6})?|0{1,38}\\.([1-9][0-9]{0,5}|0[1-9][0-9]{0,4}|00[1-9][0-9]{0,3}|000[1-9][0-9]{0,2}|0000[1-9][0-9]?|00000[1-9]))$",
    "12.5"
);

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::arithmetic_side_effects)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    fn micros(text: &str) -> Option<u64> {
        text.parse::<UsdcAmount>().ok().map(|amount| amount.get().micros().to())
    }

    #[test]
    fn amounts_in_requests_are_checked() {
        for (text, expected) in [
            ("0.1", 100_000),
            ("0.100000", 100_000),
            ("1", 1_000_000),
            ("1.0", 1_000_000),
            ("0.000001", 1),
            ("007.5", 7_500_000),
            ("184467440737.095516", 184_467_440_737_095_516),
        ] {
            assert_eq!(micros(text), Some(expected), "{text}");
        }
        let eighty = "1".repeat(80);
        let zeros = "0".repeat(80);
        for text in [
            "",
            " ",
            ".",
            "1.",
            ".5",
            "1e3",
            "1E3",
            " 5",
            "5 ",
            "5\n",
            "5,0",
            "1,000",
            "1_000",
            "-1",
            "+1",
            "0",
            "0.0",
            "0.000000",
            "0.0000001",
            "0.1000000",
            "1.5.0",
            "0x10",
            "١",
            "½",
            "NaN",
            "inf",
            "1 000",
            "1'000",
            "184467440737.095517",
            "$5",
            &eighty,
            &zeros,
        ] {
            assert_eq!(micros(text), None, "{text:?}");
        }
    }

    #[test]
    fn amounts_have_no_trailing_zeros() {
        for (text, expected) in
            [("10.50", "10.5"), ("0.100000", "0.1"), ("100", "100"), ("0.000010", "0.00001")]
        {
            assert_eq!(text.parse::<UsdcAmount>().unwrap().to_string(), expected);
        }
        assert_eq!(Usdc::default().to_string(), "0");
        assert_eq!(Usdc::from_micros(U256::MAX).to_string().len(), 79);
    }

    #[test]
    fn amounts_of_other_services_are_rounded() {
        for (text, rounding, expected) in [
            ("0", Rounding::Down, Some("0")),
            ("0.0", Rounding::Up, Some("0")),
            ("12.34567899", Rounding::Down, Some("12.345678")),
            ("12.34567800", Rounding::Up, Some("12.345678")),
            ("12.34567801", Rounding::Up, Some("12.345679")),
            ("0.99999999", Rounding::Up, Some("1")),
            ("-0.5", Rounding::Down, None),
            ("1e5", Rounding::Down, None),
            ("", Rounding::Down, None),
        ] {
            let read = Usdc::read(text, rounding).map(|amount| amount.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
        assert_eq!(Usdc::read(&"9".repeat(78), Rounding::Down), None);
    }

    /// Parses an amount with a different arithmetic; `None` if the text is not an amount.
    fn oracle(text: &str) -> Option<BigUint> {
        let point = text.find('.');
        let digits: String = text.chars().filter(|letter| *letter != '.').collect();
        let decimals = point.map_or(0, |point| text.len() - point - 1);
        let shaped = !digits.is_empty()
            && text.matches('.').count() <= 1
            && digits.bytes().all(|digit| digit.is_ascii_digit())
            && !text.starts_with('.')
            && !text.ends_with('.')
            && decimals <= 6;
        let micros = BigUint::parse_bytes(digits.as_bytes(), 10).filter(|_| shaped)?
            * BigUint::from(10_u32).pow(u32::try_from(6 - decimals).unwrap());
        let fits = micros > BigUint::ZERO && micros <= BigUint::from(184_467_440_737_095_516_u64);
        fits.then_some(micros)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn parsing_matches_the_oracle(text in prop_oneof![
            "[0-9]{0,14}(\\.[0-9]{0,8})?",
            "[0-9.,eE+ -]{0,12}",
            "0{0,70}[0-9]{1,20}\\.[0-9]{1,7}",
            any::<String>(),
        ]) {
            let read = text.parse::<UsdcAmount>().ok();
            let micros = read.map(|amount| BigUint::from(amount.get().micros().to::<u64>()));
            prop_assert_eq!(micros, oracle(&text));
            if let Some(amount) = read {
                let written = amount.to_string();
                prop_assert_eq!(written.parse::<UsdcAmount>(), Ok(amount));
                prop_assert!(!written.contains('.') || !written.ends_with('0'), "{}", written);
                prop_assert!(written.starts_with("0.") || !written.starts_with('0'), "{}", written);
            }
        }

        #[test]
        fn amounts_survive_a_round_trip(bytes in any::<[u8; 24]>()) {
            let amount = Usdc(U256::from_be_slice(&bytes));
            let text = amount.to_string();
            prop_assert_eq!(text.parse::<Usdc>(), Ok(amount));
            prop_assert_eq!(Usdc::read(&text, Rounding::Down), Some(amount));
            prop_assert_eq!(Usdc::read(&text, Rounding::Up), Some(amount));
        }
    }
}
