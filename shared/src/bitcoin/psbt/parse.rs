//! Text to a PSBT.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bitcoin::{Psbt, Transaction, consensus::deserialize, psbt};

/// The largest PSBT that is read, in bytes.
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
    #[error("more than {MAX_BYTES} bytes")]
    TooLarge,
    /// Neither base64 nor hex.
    #[error("neither base64 nor hex")]
    Encoding,
    /// A transaction as it is broadcast, with or without its signatures.
    #[error("a network transaction, not a PSBT")]
    NetworkTransaction,
    /// A signature that ends in none of ECDSA's sighash types, such as Taproot's DEFAULT.
    #[error("a signature of sighash type {0:#04x}")]
    NonStandardSighash(u32),
    /// The bytes are no PSBT of version 0.
    #[error("malformed: {0}")]
    Malformed(psbt::Error),
    /// Bytes follow the PSBT.
    #[error("bytes follow the PSBT")]
    TrailingBytes,
}

/// Reads a PSBT of version 0 from base64, as BIP 174 has it, or hex, as some wallets answer.
/// White space around it is ignored.
///
/// # Errors
/// [`NotAPsbt`].
pub fn parse(text: &str) -> Result<Psbt, NotAPsbt> {
    let bytes = decode(text.trim())?;
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
    // Before decoding: each character of hex is half a byte, and of base64 more.
    if text.len().div_ceil(2) > MAX_BYTES {
        return Err(NotAPsbt::TooLarge);
    }
    // Base64 of a PSBT begins with `cHNidP8`, which no hex does.
    let bytes = if text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        hex::decode(text).map_err(|_| NotAPsbt::Encoding)?
    } else {
        BASE64.decode(text).map_err(|_| NotAPsbt::Encoding)?
    };
    if bytes.len() > MAX_BYTES { Err(NotAPsbt::TooLarge) } else { Ok(bytes) }
}

#[cfg(test)]
mod tests;
