//! Amounts of USDC.

use std::{fmt, str::FromStr};

use alloy::primitives::{U256, uint};

use super::as_text;

/// Millionths in one USDC: the token has 6 decimals.
const MICROS: U256 = uint!(1_000_000_U256);
/// Decimals of the token.
const DECIMALS: usize = 6;

/// An amount of USDC, in millionths. On the wire it is a decimal text without needless zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Usdc(U256);

/// What becomes of decimals beyond the sixth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// They are dropped: of what somebody has.
    Dropped,
    /// They count as one millionth: of what somebody has to pay.
    RoundedUp,
}

impl Usdc {
    /// The most that can be moved at once: the venue counts hundredths of a millionth in 64 bits.
    pub const LARGEST: Self = Self(uint!(184_467_440_737_095_516_U256));
    /// One USDC.
    pub const ONE: Self = Self(MICROS);

    /// So many millionths.
    pub const fn from_micros(micros: U256) -> Self {
        Self(micros)
    }

    /// The millionths.
    pub const fn micros(self) -> U256 {
        self.0
    }

    /// Both together; `None` where no number holds it.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// What is left of it without `other`, and nothing where that is more.
    #[must_use]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// An amount as another party writes it: digits, and any decimals; `None` of any other text.
    pub fn read(text: &str, beyond: Beyond) -> Option<Self> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(decimals) {
            return None;
        }
        let (kept, rest) = decimals.split_at_checked(DECIMALS).unwrap_or((decimals, ""));
        let micros = U256::from_str_radix(&format!("{kept:0<DECIMALS$}"), 10).ok()?;
        let up = beyond == Beyond::RoundedUp && rest.bytes().any(|digit| digit != b'0');
        let whole = U256::from_str_radix(whole, 10).ok()?.checked_mul(MICROS)?;
        whole.checked_add(micros)?.checked_add(U256::from(up)).map(Self)
    }
}

/// Reads the amount of a request: digits and at most 6 decimals; more than 0, and at most
/// [`Usdc::LARGEST`].
impl FromStr for Usdc {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let amount = Self::read(text, Beyond::Dropped).filter(|_| decimals <= DECIMALS);
        match amount {
            None => Err("must be an amount of USDC: digits, and at most 6 decimals".to_owned()),
            Some(Self(U256::ZERO)) => Err("must be more than 0".to_owned()),
            Some(amount) if amount > Self::LARGEST => {
                Err(format!("must be at most {}", Self::LARGEST))
            }
            Some(amount) => Ok(amount),
        }
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use num_bigint::BigUint;
    use proptest::prelude::*;

    use super::*;

    fn micros(text: &str) -> Option<u64> {
        text.parse::<Usdc>().ok().map(|amount| amount.micros().to())
    }

    #[test]
    fn amounts_of_requests() {
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
    fn amounts_are_written_without_needless_zeros() {
        for (text, expected) in
            [("10.50", "10.5"), ("0.100000", "0.1"), ("100", "100"), ("0.000010", "0.00001")]
        {
            assert_eq!(text.parse::<Usdc>().unwrap().to_string(), expected);
        }
        assert_eq!(Usdc::default().to_string(), "0");
        assert_eq!(Usdc::from_micros(U256::MAX).to_string().len(), 79);
    }

    #[test]
    fn what_another_party_writes() {
        for (text, beyond, expected) in [
            ("0", Beyond::Dropped, Some("0")),
            ("0.0", Beyond::RoundedUp, Some("0")),
            ("12.34567899", Beyond::Dropped, Some("12.345678")),
            ("12.34567800", Beyond::RoundedUp, Some("12.345678")),
            ("12.34567801", Beyond::RoundedUp, Some("12.345679")),
            ("0.99999999", Beyond::RoundedUp, Some("1")),
            ("-0.5", Beyond::Dropped, None),
            ("1e5", Beyond::Dropped, None),
            ("", Beyond::Dropped, None),
        ] {
            let read = Usdc::read(text, beyond).map(|amount| amount.to_string());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
        assert_eq!(Usdc::read(&"9".repeat(78), Beyond::Dropped), None);
    }

    /// The millionths of a text by another arithmetic, where it is an amount at all.
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
        fn no_text_has_a_wrong_unit(text in prop_oneof![
            "[0-9]{0,14}(\\.[0-9]{0,8})?",
            "[0-9.,eE+ -]{0,12}",
            "0{0,70}[0-9]{1,20}\\.[0-9]{1,7}",
            any::<String>(),
        ]) {
            let read = text.parse::<Usdc>().ok();
            let micros = read.map(|amount| BigUint::from(amount.micros().to::<u64>()));
            prop_assert_eq!(micros, oracle(&text));
            if let Some(amount) = read {
                let written = amount.to_string();
                prop_assert_eq!(written.parse::<Usdc>(), Ok(amount));
                prop_assert!(!written.contains('.') || !written.ends_with('0'), "{}", written);
                prop_assert!(written.starts_with("0.") || !written.starts_with('0'), "{}", written);
            }
        }

        #[test]
        fn writing_and_reading_agree(limbs in any::<[u64; 3]>()) {
            let amount = Usdc(U256::from_limbs([limbs[0], limbs[1], limbs[2], 0]));
            prop_assert_eq!(Usdc::read(&amount.to_string(), Beyond::Dropped), Some(amount));
            prop_assert_eq!(Usdc::read(&amount.to_string(), Beyond::RoundedUp), Some(amount));
        }
    }
}
