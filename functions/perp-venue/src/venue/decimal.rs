//! Decimal texts such as `0.05`, parsed without floating point.

use alloy::primitives::U256;

/// Parses digits with an optional fraction as a whole number of units with `decimals` decimal places. Further
/// decimals are dropped; the flag says whether any of them was not zero. Returns `None` for any other text:
/// signs, exponents, blanks and separators are refused.
pub(crate) fn parse(text: &str, decimals: usize) -> Option<(U256, bool)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let (kept, rest) = fraction.split_at_checked(decimals).unwrap_or((fraction, ""));
    let units = U256::from_str_radix(&format!("{whole}{kept:0<decimals$}"), 10).ok()?;
    Some((units, rest.bytes().any(|digit| digit != b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_accepted() {
        for (text, decimals, expected) in [
            ("0.05", 3, Some((50, false))),
            ("1", 6, Some((1_000_000, false))),
            ("007.5", 1, Some((75, false))),
            ("1.25", 1, Some((12, true))),
            ("1.20", 1, Some((12, false))),
            ("1.9", 0, Some((1, true))),
            ("", 6, None),
            (".", 6, None),
            ("1.", 6, None),
            (".5", 6, None),
            ("1.2.3", 6, None),
            ("-1", 6, None),
            ("+1", 6, None),
            ("1e3", 6, None),
            ("1_0", 6, None),
            (" 1", 6, None),
            ("١", 6, None),
        ] {
            let expected = expected.map(|(units, rest): (u64, _)| (U256::from(units), rest));
            assert_eq!(parse(text, decimals), expected, "{text}");
        }
        assert_eq!(parse(&"9".repeat(78), 0), None, "more than 256 bits");
    }
}
