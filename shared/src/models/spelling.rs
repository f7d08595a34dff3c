//! The single spelling in which addresses and tokens of any chain are stored and compared. Registrations,
//! filters, the hub's records and exports all go through [`canonical`], so two spellings are equal here if
//! their chain's rules make them equal. The [guide](../../../docs/guides/swaps.md#spellings) lists the
//! chains.
//!
//! A text shows its own form, so a filter needs no chain: no chain has issued a text that belongs to two
//! forms.

use bitcoin::bech32;

/// Hex digits of an EVM address.
const EVM_DIGITS: usize = 40;
/// Hex digits of an address or a hash of 32 bytes.
pub const LONG_DIGITS: usize = 64;

/// The canonical spelling of an address or a token.
pub fn canonical(text: &str) -> String {
    FORMS.iter().find_map(|form| form(text)).unwrap_or_else(|| text.to_owned())
}

/// The forms with more than one spelling. Others have one: base58 (Solana, Tron), base32 (Stellar), names
/// (NEAR).
const FORMS: [fn(&str) -> Option<String>; 5] = [evm, long_hex, move_type, bech32_text, icon];

/// Hex digits behind `0x`.
fn hex_digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digits)
}

/// EVM: 20 bytes in hex of any case (EIP-55), including leading zeros.
fn evm(text: &str) -> Option<String> {
    let digits = hex_digits(text).filter(|digits| digits.len() == EVM_DIGITS)?;
    Some(format!("0x{}", digits.to_ascii_lowercase()))
}

/// Move chains and Starknet: 32 bytes in hex of any case; leading zeros may be missing.
pub fn long_hex(text: &str) -> Option<String> {
    let digits = hex_digits(text).filter(|digits| (1..=LONG_DIGITS).contains(&digits.len()))?;
    Some(format!("0x{:0>LONG_DIGITS$}", digits.to_ascii_lowercase()))
}

/// Move: `<address>::<module>::<name>`, possibly with types as arguments. Names have one spelling; addresses
/// are written without leading zeros, as in `0x2::sui::SUI`. On chain they have all zeros but no `0x`.
fn move_type(text: &str) -> Option<String> {
    let part = |part: &str| match part.split_once("::") {
        Some((address, path)) => Some(format!("0x{}::{path}", short_digits(address)?)),
        None => Some(part.to_owned()),
    };
    let parts = text.split_inclusive(['<', '>', ',', ' ']);
    text.contains("::").then(|| parts.map(part).collect::<Option<String>>()).flatten()
}

fn short_digits(address: &str) -> Option<String> {
    let is_whole = |text: &&str| text.len() == LONG_DIGITS;
    let bare = Some(address).filter(is_whole);
    let bare = bare.filter(|text| text.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let digits = hex_digits(address).or(bare)?;
    let digits = Some(digits).filter(|digits| (1..=LONG_DIGITS).contains(&digits.len()))?;
    let short = digits.trim_start_matches('0').to_ascii_lowercase();
    Some(if short.is_empty() { "0".to_owned() } else { short })
}

/// Bitcoin's segwit addresses, and Cosmos chains: the text has one case, and lowercase is canonical (BIP
/// 173). The checksum distinguishes it from base58 and base32, whose case matters.
fn bech32_text(text: &str) -> Option<String> {
    bech32::decode(text).ok().map(|_| text.to_ascii_lowercase())
}

/// ICON: `hx` or `cx` and 20 bytes in hex.
fn icon(text: &str) -> Option<String> {
    let digits = text.strip_prefix("hx").or_else(|| text.strip_prefix("cx"))?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    (is_hex && digits.len() == EVM_DIGITS).then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use bitcoin::bech32::{Bech32, Hrp};
    use proptest::prelude::*;

    use super::*;

    /// The text with some of its letters in capitals.
    fn recased(text: &str, capitals: &[bool]) -> String {
        let letters = text.chars().zip(capitals.iter().cycle());
        letters.map(|(c, up)| if *up { c.to_ascii_uppercase() } else { c }).collect()
    }

    /// A spelling of 32 bytes that Move chains and Starknet allow.
    fn spelled(bytes: [u8; 32], zeros: usize, capitals: &[bool]) -> String {
        let digits = hex::encode(bytes);
        let digits = digits.trim_start_matches('0');
        let width = digits.len().max(zeros.min(64)).max(1);
        format!("0x{}", recased(&format!("{digits:0>width$}"), capitals))
    }

    /// Bytes that often share a tail and often begin with zeros, but not so many that they could be an EVM
    /// address.
    fn long() -> impl Strategy<Value = [u8; 32]> {
        (0_usize..8, any::<bool>(), prop::array::uniform32(0_u8..3)).prop_map(
            |(zeros, one, mut it)| {
                for byte in it.iter_mut().take(zeros) {
                    *byte = 0;
                }
                if let Some(byte) = it.get_mut(8) {
                    *byte = if one { 2 } else { 1 };
                }
                it
            },
        )
    }

    fn capitals() -> impl Strategy<Value = Vec<bool>> {
        prop::collection::vec(any::<bool>(), 1..7)
    }

    proptest! {
        #[test]
        fn evm_addresses_are_equal_if_their_bytes_are(
            a in prop::array::uniform20(0_u8..2), b in prop::array::uniform20(0_u8..2), up in capitals(),
        ) {
            let text = |bytes: [u8; 20], up: &[bool]| format!("0x{}", recased(&hex::encode(bytes), up));
            let (one, other) = (canonical(&text(a, &up)), canonical(&text(b, &[false])));
            prop_assert_eq!(one == other, a == b);
            prop_assert_eq!(one, text(a, &[false]));
        }

        #[test]
        fn long_addresses_are_equal_if_their_bytes_are(
            a in long(), b in long(), zeros in (0_usize..65, 0_usize..65), up in capitals(),
        ) {
            let one = canonical(&spelled(a, zeros.0, &up));
            let other = canonical(&spelled(b, zeros.1, &[false]));
            prop_assert_eq!(one == other, a == b);
            prop_assert_eq!(one, format!("0x{}", hex::encode(a)));
        }

        #[test]
        fn move_types_are_equal_if_their_addresses_and_names_are(
            a in long(), b in long(), zeros in (0_usize..65, 0_usize..65), up in capitals(),
            names in prop::array::uniform2("[a-b]::[A-Ba-b]"), argument in any::<bool>(),
        ) {
            let text = |bytes, zeros, name: &str, up: &[bool]| {
                let plain = format!("{}::{name}", spelled(bytes, zeros, up));
                if argument { format!("0x02::coin::Coin<{plain}>") } else { plain }
            };
            let [name, other_name] = &names;
            let one = canonical(&text(a, zeros.0, name, &up));
            let other = canonical(&text(b, zeros.1, other_name, &[false]));
            prop_assert_eq!(one == other, a == b && name == other_name);
            prop_assert_eq!(canonical(&text(a, 64, name, &[true])), one);
        }

        #[test]
        fn bech32_has_one_case(bytes in any::<[u8; 20]>(), other in any::<[u8; 20]>()) {
            let text = |hrp, bytes: [u8; 20]| bech32::encode::<Bech32>(Hrp::parse(hrp).unwrap(), &bytes).unwrap();
            let lower = text("inj", bytes);
            prop_assert_eq!(canonical(&lower.to_uppercase()), lower.clone());
            prop_assert_eq!(canonical(&lower), lower.clone());
            prop_assert_eq!(canonical(&text("inj", other)) == lower, bytes == other);
            prop_assert_ne!(canonical(&text("osmo", bytes)), lower);
        }

        #[test]
        fn base58_is_exact(bytes in any::<[u8; 32]>(), up in capitals()) {
            let text = bs58::encode(bytes).into_string();
            prop_assert_eq!(canonical(&text), text.clone());
            let other = recased(&text, &up);
            prop_assert_eq!(canonical(&other) == text, other == text);
        }

        #[test]
        fn every_canonical_text_is_a_fixed_point(
            text in "(0[xX])?[0-9a-fA-F]{0,66}(::[a-z<>:0-9x,]{0,20})?|[!-~]{0,80}"
        ) {
            let once = canonical(&text);
            prop_assert_eq!(canonical(&once), once.clone());
            // The prefix may be added.
            prop_assert!(once.len() <= text.len().saturating_add(2).max(66));
        }
    }
}
