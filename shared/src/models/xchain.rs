//! Cross-chain transactions.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{account::AccountId, amount::Units, as_text, bitcoin::BitcoinToken};
use crate::clock::Timestamp;

/// The most bytes of data that a withdrawal can carry.
pub const LONGEST_DATA: usize = 8 * 1024;

/// Data for the hub, opaque to this service: hex on the wire, with or without `0x`; 1 byte to 8 KiB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XchainData(Vec<u8>);

impl XchainData {
    /// What a withdrawal's transaction commits to: SHA-256 of the bytes.
    pub fn commitment(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}

impl FromStr for XchainData {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let bytes = hex::decode(digits).map_err(|_| "must be hex, two digits a byte")?;
        match bytes.len() {
            0 => Err("must not be empty"),
            length if length > LONGEST_DATA => Err("must have at most 8192 bytes"),
            _ => Ok(Self(bytes)),
        }
    }
}

/// Lowercase hex, without `0x`.
impl fmt::Display for XchainData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

as_text!(XchainData, "^(0x)?([0-9a-fA-F]{2}){1,8192}$", "0xdeadbeef");

/// A withdrawal from a trading address to another Bitcoin address, which the hub takes further.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    /// What is withdrawn.
    pub token_id: BitcoinToken,
    /// How much of it.
    pub amount: Units,
    /// The recipient: a Bitcoin address, canonical.
    pub withdraw_to: String,
    /// What the hub is told.
    pub xchain_data: XchainData,
}

/// What kind of cross-chain transaction a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum XchainType {
    /// A withdrawal by a transaction that this service co-signed.
    XchainWithdraw,
}

/// Where a cross-chain transaction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum XchainStatus {
    /// The hub has not been told of it.
    Pending,
    /// It will not come about.
    Failed,
}

/// How far the hub has been told of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RelayState {
    /// Not yet.
    Pending,
    /// It will not be.
    Cancelled,
}

/// What was to be exchanged for what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Intent {
    /// The token given.
    pub input_token: String,
    /// The token wanted; null where the service is not told.
    #[schema(required = true)]
    pub output_token: Option<String>,
    /// How much is given, smallest unit.
    pub input_amount: Units,
    /// How much is wanted at least, smallest unit; null where the service is not told.
    #[schema(required = true)]
    pub min_output_amount: Option<Units>,
}

/// A cross-chain transaction, as stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct XchainRecord {
    /// Its id: of a withdrawal the txid.
    pub id: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// Whose it is.
    pub account_id: AccountId,
    /// What kind.
    #[serde(rename = "type")]
    pub kind: XchainType,
    /// The Bitcoin transaction.
    pub tx_id: String,
    /// Who began it. Of a withdrawal the trading address: public lists relate no wallets (custody
    /// rule 22).
    pub user_address: String,
    /// Where it came from.
    pub trading_address: String,
    /// Where it goes.
    pub withdraw_to: String,
    /// What for what.
    pub intent: Intent,
    /// Where it stands.
    pub status: XchainStatus,
    /// How far the hub has been told.
    pub relay_state: RelayState,
    /// What the hub is told.
    pub xchain_data: XchainData,
}

impl XchainRecord {
    /// The record of a withdrawal that was signed.
    pub fn of_withdrawal(
        account_id: AccountId,
        txid: String,
        trading_address: String,
        withdrawal: &Withdrawal,
        at: Timestamp,
    ) -> Self {
        Self {
            id: txid.clone(),
            created_at: at,
            updated_at: at,
            account_id,
            kind: XchainType::XchainWithdraw,
            tx_id: txid,
            user_address: trading_address.clone(),
            trading_address,
            withdraw_to: withdrawal.withdraw_to.clone(),
            intent: Intent {
                input_token: withdrawal.token_id.to_string(),
                output_token: None,
                input_amount: withdrawal.amount,
                min_output_amount: None,
            },
            status: XchainStatus::Pending,
            relay_state: RelayState::Pending,
            xchain_data: withdrawal.xchain_data.clone(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn data_is_hex_with_or_without_0x() {
        let data: XchainData = "0xDEADbeef".parse().unwrap();
        assert_eq!(data, "deadbeef".parse().unwrap());
        assert_eq!(data.to_string(), "deadbeef");
        let longest = "00".repeat(LONGEST_DATA);
        assert!(longest.parse::<XchainData>().is_ok());
        for text in ["", "0x", "0", "0xabc", "zz", "0x0x00", " 00", &format!("{longest}00")] {
            assert!(text.parse::<XchainData>().is_err());
        }
    }
}
