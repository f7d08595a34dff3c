//! The token catalogue.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use store::Entity;
use utoipa::ToSchema;

/// A token's id in the catalogue: a rune id, a contract address, or another name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TokenId(String);

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TokenId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must have 1 to 128 visible ASCII characters")
        }
    }
}

super::as_text!(TokenId, "^[!-~]{1,128}$", "42161:0xaf88d065e77c8cc2239327c5edb3a432268e5831");

/// A use for which an account can prefer a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Slot {
    /// The token in which USDC amounts are paid.
    Usdc,
}

impl Slot {
    /// Whether tokens of a chain fit this slot, as tokens in a user's own wallet. Bitcoin has no USDC.
    pub fn supports(self, chain: &TokenChain) -> bool {
        match self {
            Self::Usdc => !matches!(chain, TokenChain::Bitcoin),
        }
    }
}

/// The chain of a token: `bitcoin`, `solana`, or an EVM chain id in digits (EIP-155).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenChain {
    /// Bitcoin: runes, and BTC itself.
    Bitcoin,
    /// Solana.
    Solana,
    /// An EVM chain by its id.
    Evm(u64),
}

impl fmt::Display for TokenChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bitcoin => f.write_str("bitcoin"),
            Self::Solana => f.write_str("solana"),
            Self::Evm(id) => write!(f, "{id}"),
        }
    }
}

impl FromStr for TokenChain {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "bitcoin" => Ok(Self::Bitcoin),
            "solana" => Ok(Self::Solana),
            id => match id.parse() {
                Ok(id) if id > 0 && !text.starts_with(['+', '0']) => Ok(Self::Evm(id)),
                _ => Err("must be bitcoin, solana, or an EVM chain id in digits"),
            },
        }
    }
}

super::as_text!(TokenChain, "^(bitcoin|solana|[1-9][0-9]{0,18}|1[0-8][0-9]{18})$", "42161");

/// A token of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    /// Its id.
    pub token_id: TokenId,
    /// Chain of the token.
    pub chain: TokenChain,
    /// Its symbol, such as `USDC`.
    #[schema(example = "USDC")]
    pub symbol: String,
    /// Decimals of displayed amounts.
    #[schema(example = 6)]
    pub divisibility: u8,
    /// The slots in which it may be preferred.
    pub slots: Vec<Slot>,
}

impl Entity for Token {
    const ENTITY: &'static str = "token";
}

/// Why a token cannot be preferred in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfitToken {
    /// No token of its chain fits the slot.
    #[error("This slot does not accept tokens of this chain.")]
    Chain,
    /// This token does not fit the slot.
    #[error("This slot does not accept this token.")]
    Slot,
}

impl Token {
    /// Checks that the token may be preferred in a slot.
    ///
    /// # Errors
    /// [`UnfitToken::Chain`] if the slot does not support the token's chain; [`UnfitToken::Slot`] if the
    /// token does not list the slot.
    pub fn fits(&self, slot: Slot) -> Result<(), UnfitToken> {
        if !slot.supports(&self.chain) {
            Err(UnfitToken::Chain)
        } else if !self.slots.contains(&slot) {
            Err(UnfitToken::Slot)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn only_chains_and_ids_are_parsed() {
        for text in ["bitcoin", "solana", "1", "42161"] {
            assert_eq!(text.parse::<TokenChain>().unwrap().to_string(), text);
        }
        for text in ["", "Bitcoin", "0", "+1", "01", "1.0", "-1", "99999999999999999999"] {
            assert!(text.parse::<TokenChain>().is_err(), "{text}");
        }
        for text in ["", "a b", "é", &"x".repeat(129)] {
            assert!(text.parse::<TokenId>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_token_fits_its_slots_on_supported_chains() {
        let token = |chain: &str, slots: &[Slot]| Token {
            token_id: "t".parse().unwrap(),
            chain: chain.parse().unwrap(),
            symbol: "T".to_owned(),
            divisibility: 6,
            slots: slots.to_vec(),
        };
        assert_eq!(token("1", &[Slot::Usdc]).fits(Slot::Usdc), Ok(()));
        assert_eq!(token("1", &[]).fits(Slot::Usdc), Err(UnfitToken::Slot));
        assert_eq!(token("bitcoin", &[Slot::Usdc]).fits(Slot::Usdc), Err(UnfitToken::Chain));
    }
}
