//! Parses a PSBT from text.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bitcoin::{Psbt, Transaction, consensus::deserialize, psbt};
use shared::problem::Params;

/// The largest accepted PSBT, in bytes.
pub const MAX_BYTES: usize = 200_000;

/// Base64 of RFC 4648 section 4, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Why a text is not a PSBT.
#[derive(Debug, thiserror::Error)]
pub enum NotAPsbt {
    /// More than [`MAX_BYTES`].
    #[error("The PSBT has more than {MAX_BYTES} bytes.")]
    TooLarge,
    /// Neither base64 nor hex.
    #[error("The text is neither base64 nor hex.")]
    Encoding,
    /// A transaction in network format, signed or not.
    #[error("This is a transaction in network format. Return the PSBT.")]
    NetworkTransaction,
    /// A signature whose last byte is not an ECDSA sighash type, such as Taproot's DEFAULT.
    #[error("A signature has the sighash type {0:#04x}. Every signature must use SIGHASH_ALL.")]
    NonStandardSighash(u32),
    /// The bytes are not a version 0 PSBT.
    #[error("The bytes are not a PSBT of version 0.")]
    Malformed(#[source] psbt::Error),
    /// Bytes follow the PSBT.
    #[error("Further bytes follow the PSBT.")]
    TrailingBytes,
}

impl NotAPsbt {
    /// The numbers that the sentence mentions.
    pub fn params(&self) -> Params {
        match self {
            Self::TooLarge => {
                Params::new().number("maximum", u64::try_from(MAX_BYTES).unwrap_or(u64::MAX))
            }
            Self::NonStandardSighash(sighash) => {
                Params::new().number("sighash", u64::from(*sighash))
            }
            Self::Encoding
            | Self::NetworkTransaction
            | Self::Malformed(_)
            | Self::TrailingBytes => Params::new(),
        }
    }
}

/// Parses a version 0 PSBT from base64, as in BIP 174, or from hex, as some wallets return it. White space is
/// skipped: some tools break lines after 64 or 76 characters.
pub fn parse(text: &str) -> Result<Psbt, NotAPsbt> {
    let dense: String = text.split_ascii_whitespace().collect();
    let bytes = decode(&dense)?;
    let mut rest = bytes.as_slice();
    match Psbt::deserialize_from_reader(&mut rest) {
        Ok(psbt) if rest.is_empty() => Ok(psbt),
        Ok(_) => Err(NotAPsbt::TrailingBytes),
        Err(psbt::Error::NonStandardSighashType(sighash)) => {
            Err(NotAPsbt::NonStandardSighash(sighash))
        }
        Err(psbt::Error::InvalidMagic) if deserialize::<Transaction>(&bytes).is_ok() => {
            Err(NotAPsbt::NetworkTransaction)
        }
        Err(error) => Err(NotAPsbt::Malformed(error)),
    }
}

fn decode(text: &str) -> Result<Vec<u8>, NotAPsbt> {
    // Checked before decoding: each hex character is half a byte, each base64 character more.
    if text.len().div_ceil(2) > MAX_BYTES {
        return Err(NotAPsbt::TooLarge);
    }
    // Base64 of a PSBT begins with `cHNidP8`, which is never hex.
    let bytes = if text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        hex::decode(text).map_err(|_| NotAPsbt::Encoding)?
    } else {
        BASE64.decode(text).map_err(|_| NotAPsbt::Encoding)?
    };
    if bytes.len() > MAX_BYTES { Err(NotAPsbt::TooLarge) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests;
