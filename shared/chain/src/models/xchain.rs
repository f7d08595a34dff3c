//! Cross-chain transactions.

use std::{fmt, str::FromStr};

use base::{clock::Timestamp, span::TraceParent};
use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shared::models::{
    account::AccountId,
    as_text,
    bitcoin::BitcoinToken,
    spelling::{LONG_DIGITS, canonical, long_hex},
    wallet::AddressText,
    watch::{Failing, Watch},
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::models::amount::{PositiveUnits, Units};

/// The most data that a withdrawal can carry, in bytes.
pub const LONGEST_DATA: usize = 8 * 1024;

/// Data for the hub, opaque to this service: 1 byte to 8 KiB, on the wire in hex with or without `0x`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XchainData(Vec<u8>);

impl XchainData {
    /// SHA-256 of the bytes, to which a withdrawal's transaction commits.
    pub fn commitment(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }
}

impl FromStr for XchainData {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let bytes = hex::decode(digits).map_err(|_| "must be hex with two digits per byte")?;
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

/// A withdrawal from a trading address to another Bitcoin address, forwarded by the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    /// The token to withdraw.
    pub token_id: BitcoinToken,
    /// The amount to withdraw, smallest unit.
    pub amount: Units,
    /// The recipient: a canonical Bitcoin address.
    pub withdraw_to: String,
    /// Data for the hub.
    pub xchain_data: XchainData,
    /// The account's sign-in wallet when it was requested, or the trading address if it had none.
    pub user_address: String,
}

impl Withdrawal {
    /// Whether both move the same amount to the same recipient with the same data.
    pub fn asks_the_same(&self, other: &Self) -> bool {
        let Self { token_id, amount, withdraw_to, xchain_data, user_address: _ } = self;
        (token_id, amount, withdraw_to, xchain_data)
            == (&other.token_id, &other.amount, &other.withdraw_to, &other.xchain_data)
    }
}

/// The hash of an intent on the hub's chain, which is an EVM chain: 32 bytes, `0x` and lowercase hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IntentHash([u8; 32]);

impl From<[u8; 32]> for IntentHash {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl FromStr for IntentHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0; 32];
        let digits = text.strip_prefix("0x").unwrap_or(text);
        hex::decode_to_slice(digits, &mut bytes).map_err(|_| "must be 32 bytes in hex")?;
        Ok(Self(bytes))
    }
}

impl fmt::Display for IntentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{}", hex::encode(self.0))
    }
}

as_text!(
    IntentHash,
    "^(0x)?[0-9a-fA-F]{64}$",
    "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
);

/// The hash of a transaction on any chain: 32 bytes in lowercase hex, with or without `0x` depending on the
/// chain, or 32 or 64 bytes in base58 (Sui, Solana), unchanged.
///
/// A hash with and without `0x` is the same hash. Behind `0x` up to eight leading zeros may be missing:
/// Starknet writes numbers.
#[derive(Clone, Debug)]
pub struct TxHash(String);

impl TxHash {
    /// The part that all texts of one hash share.
    pub fn digits(&self) -> &str {
        self.0.strip_prefix("0x").unwrap_or(&self.0)
    }
}

impl PartialEq for TxHash {
    fn eq(&self, other: &Self) -> bool {
        self.digits() == other.digits()
    }
}

impl Eq for TxHash {}

impl FromStr for TxHash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const LONGEST: usize = 88;
        const MOST_ZEROS: usize = 8;
        if let Some(hash) = long_hex(text).filter(|hash| {
            let missing = hash.len().saturating_sub(text.len());
            missing <= MOST_ZEROS
        }) {
            return Ok(Self(hash));
        }
        if text.len() == LONG_DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Ok(Self(text.to_ascii_lowercase()));
        }
        let bytes = Some(text).filter(|text| text.len() <= LONGEST);
        match bytes.and_then(|text| bs58::decode(text).into_vec().ok()) {
            Some(bytes) if matches!(bytes.len(), 32 | 64) => Ok(Self(text.to_owned())),
            _ => Err("must be a transaction hash: 32 bytes in hex, or 32 or 64 in base58"),
        }
    }
}

impl fmt::Display for TxHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

as_text!(
    TxHash,
    "^((0x)?[0-9a-fA-F]{64}|0x[0-9a-fA-F]{56,63}|[1-9A-HJ-NP-Za-km-z]{32,88})$",
    "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b"
);

/// A token's address on its chain, or a rune id: 1 to 128 visible ASCII characters except comma and `#`, in its
/// [canonical spelling](shared::models::spelling).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenAddress(String);

impl TokenAddress {
    /// The address.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TokenAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // A comma separates the tokens of a pair, and `#` the parts of list names.
        let visible = |byte: u8| byte.is_ascii_graphic() && !b",#".contains(&byte);
        if (1..=128).contains(&text.len()) && text.bytes().all(visible) {
            Ok(Self(canonical(text)))
        } else {
            Err("must have 1 to 128 visible ASCII characters, without comma and #")
        }
    }
}

impl fmt::Display for TokenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

as_text!(TokenAddress, "^[!\"$-+\\--~]{1,128}$", "0xaf88d065e77c8cc2239327c5edb3a432268e5831");

/// Two tokens, in either direction: two addresses separated by a comma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenPair(pub TokenAddress, pub TokenAddress);

impl FromStr for TokenPair {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (one, other) =
            text.split_once(',').ok_or("must be two token addresses separated by a comma")?;
        Ok(Self(one.trim().parse()?, other.trim().parse()?))
    }
}

impl fmt::Display for TokenPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0, self.1)
    }
}

/// The kind of a cross-chain transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum XchainType {
    /// A swap between chains other than Bitcoin, started by its owner.
    Swap,
    /// A withdrawal by a Bitcoin transaction that this service co-signed.
    XchainWithdraw,
}

/// The state of a cross-chain transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum XchainStatus {
    /// A swap that the hub has not confirmed.
    Registered,
    /// The hub knows it and waits for its first transaction, or it is a withdrawal of which the hub has not
    /// been notified.
    Pending,
    /// The first transaction is on its way to the hub's chain.
    Relaying,
    /// The first transaction is on the hub's chain.
    Relayed,
    /// A solver is filling it.
    Solving,
    /// Completed.
    Filled,
    /// It will not be completed.
    Failed,
    /// It was not completed, and the input was returned.
    Refunded,
}

impl XchainStatus {
    /// Whether no other state can follow.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Filled | Self::Failed | Self::Refunded)
    }

    /// Whether `next` can follow: any later state, unless this one is final.
    pub fn may_become(self, next: Self) -> bool {
        let rank = |status| match status {
            Self::Registered => 0,
            Self::Pending => 1,
            Self::Relaying => 2,
            Self::Relayed => 3,
            Self::Solving => 4,
            Self::Filled | Self::Failed | Self::Refunded => 5,
        };
        !self.is_final() && rank(next) > rank(self)
    }
}

/// A change of a cross-chain transaction's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatusChange {
    /// The new state.
    pub status: XchainStatus,
    /// When the service learned of it, ms since the epoch.
    pub at: Timestamp,
}

/// The tokens and amounts to exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Intent {
    /// The token sold: its address on the source chain, or a rune id.
    pub input_token: TokenAddress,
    /// The token bought: its address on the destination chain; null if unknown to the service.
    #[schema(required = true)]
    pub output_token: Option<TokenAddress>,
    /// Amount sold, smallest unit.
    pub input_amount: Units,
    /// Minimum amount bought, smallest unit; null if unknown to the service.
    #[schema(required = true)]
    pub min_output_amount: Option<Units>,
}

/// A swap between chains other than Bitcoin, as registered by its owner and as found in the hub's record of
/// its intent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Swap {
    /// Hash of the intent on the hub's chain.
    pub intent_tx_hash: IntentHash,
    /// Hash of the transaction on the source chain.
    pub spoke_tx_hash: TxHash,
    /// The wallet that started it.
    pub wallet_address: AddressText,
    /// The token sold: its address on the source chain.
    pub input_token: TokenAddress,
    /// The token bought: its address on the destination chain.
    pub output_token: TokenAddress,
    /// Amount sold, smallest unit; at least 1.
    #[schema(value_type = PositiveUnits)]
    pub input_amount: Units,
    /// Minimum amount bought, smallest unit.
    pub min_output_amount: Units,
    /// The hub's id of the source chain.
    #[schema(minimum = 1, maximum = 9007199254740991_u64)]
    pub src_chain: u64,
    /// The hub's id of the destination chain.
    #[schema(minimum = 1, maximum = 9007199254740991_u64)]
    pub dst_chain: u64,
    /// The address on the source chain.
    pub src_address: AddressText,
    /// The address on the destination chain.
    pub dst_address: AddressText,
}

impl Swap {
    /// The names of the fields that differ.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let same = [
            ("intentTxHash", self.intent_tx_hash == other.intent_tx_hash),
            ("spokeTxHash", self.spoke_tx_hash == other.spoke_tx_hash),
            ("walletAddress", self.wallet_address == other.wallet_address),
            ("inputToken", self.input_token == other.input_token),
            ("outputToken", self.output_token == other.output_token),
            ("inputAmount", self.input_amount == other.input_amount),
            ("minOutputAmount", self.min_output_amount == other.min_output_amount),
            ("srcChain", self.src_chain == other.src_chain),
            ("dstChain", self.dst_chain == other.dst_chain),
            ("srcAddress", self.src_address == other.src_address),
            ("dstAddress", self.dst_address == other.dst_address),
        ];
        same.into_iter().filter_map(|(name, same)| (!same).then_some(name)).collect()
    }
}

/// The key of a cross-chain transaction's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum XchainKey {
    /// A withdrawal, by the txid of its Bitcoin transaction.
    Withdrawal(Txid),
    /// A swap, by its intent and the account that registered it (custody rule 15).
    Swap {
        /// The intent's hash.
        intent: IntentHash,
        /// The account that registered it.
        account: AccountId,
    },
}

/// A cross-chain transaction as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct XchainRecord {
    /// Its id; for a withdrawal the txid.
    pub id: String,
    /// Optimistic lock.
    pub version: u64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The account it belongs to.
    pub account_id: AccountId,
    /// Swap or withdrawal.
    #[serde(rename = "type")]
    pub kind: XchainType,
    /// The txid of a withdrawal, or the intent's hash of a swap.
    pub tx_id: String,
    /// The hash of the intent on the hub's chain; for a withdrawal only once the hub reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_tx_hash: Option<IntentHash>,
    /// The hash of the transaction on the source chain; for a withdrawal this is its `txId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoke_tx_hash: Option<TxHash>,
    /// The address that started it. For a withdrawal the account's sign-in wallet, or the trading address if it
    /// has none.
    pub user_address: String,
    /// The source address.
    pub trading_address: String,
    /// The destination address.
    pub withdraw_to: String,
    /// The hub's id of the source chain; absent for a withdrawal, which starts on Bitcoin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub src_chain: Option<u64>,
    /// The hub's id of the destination chain; absent if unknown to the service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dst_chain: Option<u64>,
    /// The tokens and amounts to exchange.
    pub intent: Intent,
    /// Its current state.
    pub status: XchainStatus,
    /// Whether its contents are confirmed: always for a withdrawal, for a swap once the hub agrees.
    pub verified: bool,
    /// All states so far with their times, oldest first.
    pub history: Vec<StatusChange>,
    /// The step at which it failed, as named by the hub, or `verification`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at_step: Option<String>,
    /// The reason of the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<String>,
    /// The transaction on the destination chain that filled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill_tx_hash: Option<String>,
    /// For a withdrawal, the one it replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace_tx_id: Option<Txid>,
    /// For a withdrawal, the signed one that replaces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by_tx_id: Option<Txid>,
    /// For a withdrawal, the earlier version under which the hub knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hub_tx_id: Option<Txid>,
    /// When the hub last responded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_at: Option<Timestamp>,
    /// How many queries of the hub in a row brought no change.
    #[serde(default)]
    pub asks: u32,
    /// The worker queue in which it waits; absent if it is final or must not be reported to the hub yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// What the worker records if it cannot process the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Failing>,
    /// When the worker processes it next.
    pub due_at: Timestamp,
    /// The span of the request that made it, if that was recorded: the worker's looks belong to its trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_parent: Option<TraceParent>,
}

impl XchainRecord {
    /// The record of a signed withdrawal; [`Self::begun`] sets the time.
    ///
    /// # Errors
    /// If the token cannot be written as a [`TokenAddress`].
    pub fn of_withdrawal(
        account_id: AccountId,
        txid: Txid,
        trading_address: String,
        withdrawal: &Withdrawal,
    ) -> Result<Self, &'static str> {
        Ok(Self {
            id: txid.to_string(),
            version: 1,
            created_at: Timestamp::default(),
            updated_at: Timestamp::default(),
            account_id,
            kind: XchainType::XchainWithdraw,
            tx_id: txid.to_string(),
            intent_tx_hash: None,
            spoke_tx_hash: None,
            user_address: withdrawal.user_address.clone(),
            trading_address,
            withdraw_to: withdrawal.withdraw_to.clone(),
            src_chain: None,
            dst_chain: None,
            intent: Intent {
                input_token: withdrawal.token_id.to_string().parse()?,
                output_token: None,
                input_amount: withdrawal.amount,
                min_output_amount: None,
            },
            status: XchainStatus::Pending,
            verified: true,
            history: Vec::new(),
            failed_at_step: None,
            failure_reason: None,
            fill_tx_hash: None,
            replace_tx_id: None,
            replaced_by_tx_id: None,
            hub_tx_id: None,
            asked_at: None,
            asks: 0,
            watch: None,
            failing: None,
            due_at: Timestamp::default(),
            trace_parent: None,
        })
    }

    /// The record of a registered swap; [`Self::begun`] sets the time.
    pub fn of_swap(account_id: AccountId, id: Uuid, swap: &Swap) -> Self {
        Self {
            id: id.to_string(),
            version: 1,
            created_at: Timestamp::default(),
            updated_at: Timestamp::default(),
            account_id,
            kind: XchainType::Swap,
            tx_id: swap.intent_tx_hash.to_string(),
            intent_tx_hash: Some(swap.intent_tx_hash),
            spoke_tx_hash: Some(swap.spoke_tx_hash.clone()),
            user_address: swap.wallet_address.to_string(),
            trading_address: swap.src_address.to_string(),
            withdraw_to: swap.dst_address.to_string(),
            src_chain: Some(swap.src_chain),
            dst_chain: Some(swap.dst_chain),
            intent: Intent {
                input_token: swap.input_token.clone(),
                output_token: Some(swap.output_token.clone()),
                input_amount: swap.input_amount,
                min_output_amount: Some(swap.min_output_amount),
            },
            status: XchainStatus::Registered,
            verified: false,
            history: Vec::new(),
            failed_at_step: None,
            failure_reason: None,
            fill_tx_hash: None,
            replace_tx_id: None,
            replaced_by_tx_id: None,
            hub_tx_id: None,
            asked_at: None,
            asks: 0,
            watch: Some(Watch::NewSwap),
            failing: None,
            due_at: Timestamp::default(),
            trace_parent: None,
        }
    }

    /// Sets the time at which the transaction starts.
    #[must_use]
    pub fn begun(self, at: Timestamp) -> Self {
        Self {
            created_at: at,
            updated_at: at,
            history: vec![StatusChange { status: self.status, at }],
            due_at: at,
            ..self
        }
    }

    /// The addresses that its account cannot unlink until the swap is final (custody rule 13).
    pub fn acting_addresses(&self) -> Vec<&str> {
        let mut addresses = match self.kind {
            XchainType::Swap => vec![self.user_address.as_str(), self.trading_address.as_str()],
            XchainType::XchainWithdraw => Vec::new(),
        };
        addresses.dedup();
        addresses
    }

    /// The registered swap; `None` for a withdrawal.
    pub fn swap(&self) -> Option<Swap> {
        Some(Swap {
            intent_tx_hash: self.intent_tx_hash.filter(|_| self.kind == XchainType::Swap)?,
            spoke_tx_hash: self.spoke_tx_hash.clone()?,
            wallet_address: self.user_address.parse().ok()?,
            input_token: self.intent.input_token.clone(),
            output_token: self.intent.output_token.clone()?,
            input_amount: self.intent.input_amount,
            min_output_amount: self.intent.min_output_amount?,
            src_chain: self.src_chain?,
            dst_chain: self.dst_chain?,
            src_address: self.trading_address.parse().ok()?,
            dst_address: self.withdraw_to.parse().ok()?,
        })
    }

    /// The key of its row.
    ///
    /// # Errors
    /// If the row is damaged.
    pub fn key(&self) -> Result<XchainKey, &'static str> {
        match self.kind {
            XchainType::XchainWithdraw => {
                self.tx_id.parse().map(XchainKey::Withdrawal).map_err(|_| "no txid")
            }
            XchainType::Swap => {
                let intent = self.intent_tx_hash.ok_or("a swap without an intent")?;
                Ok(XchainKey::Swap { intent, account: self.account_id })
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn data_is_hex_with_or_without_a_prefix() {
        let data: XchainData = "0xDEADbeef".parse().unwrap();
        assert_eq!(data, "deadbeef".parse().unwrap());
        assert_eq!(data.to_string(), "deadbeef");
        let longest = "00".repeat(LONGEST_DATA);
        assert!(longest.parse::<XchainData>().is_ok());
        for text in ["", "0x", "0", "0xabc", "zz", "0x0x00", " 00", &format!("{longest}00")] {
            assert!(text.parse::<XchainData>().is_err());
        }
    }

    const HASH: &str = "88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b";

    #[test]
    fn a_hash_has_exactly_one_text() {
        let canonical = format!("0x{HASH}");
        for text in [HASH, &canonical, &HASH.to_uppercase(), &format!("0x{}", HASH.to_uppercase())]
        {
            assert_eq!(text.parse::<IntentHash>().unwrap().to_string(), canonical, "{text}");
            assert_eq!(text.parse::<TxHash>().unwrap(), HASH.parse().unwrap(), "{text}");
        }
        for text in ["", "0x", &HASH[1..], &format!("{HASH}0"), &format!("0x0x{}", &HASH[2..])] {
            assert!(
                text.parse::<IntentHash>().is_err() && text.parse::<TxHash>().is_err(),
                "{text}"
            );
        }
        let signature = bs58::encode([7; 64]).into_string();
        assert_eq!(signature.parse::<TxHash>().unwrap().to_string(), signature);
        assert_ne!(signature.parse::<TxHash>().ok(), signature.to_lowercase().parse().ok());
        assert!(signature.parse::<IntentHash>().is_err());
        assert!(bs58::encode([7; 33]).into_string().parse::<TxHash>().is_err());
    }

    /// The table of chains and their spellings in the guide.
    #[test]
    fn spellings_of_the_guide_are_equal_and_its_others_are_not() {
        fn are_equal<T: FromStr<Err = &'static str> + PartialEq>(one: &str, other: &str) -> bool {
            one.parse::<T>().unwrap() == other.parse::<T>().unwrap()
        }
        let guide = include_str!("../../../../docs/guides/swaps.md");
        let (mut chains, mut rows) = (std::collections::BTreeSet::new(), 0);
        let table = guide.lines().skip_while(|line| !line.starts_with("| Chain |")).skip(2);
        for row in table.take_while(|line| line.starts_with('|')) {
            let cells: Vec<_> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            let [_, chain, what, stored, same, other, _] = cells.as_slice() else {
                panic!("{row}");
            };
            let (equal, shown): (fn(&str, &str) -> bool, _) = match *what {
                "address" => {
                    (are_equal::<AddressText>, stored.parse::<AddressText>().unwrap().to_string())
                }
                "token" => {
                    (are_equal::<TokenAddress>, stored.parse::<TokenAddress>().unwrap().to_string())
                }
                "hash" => (are_equal::<TxHash>, stored.parse::<TxHash>().unwrap().to_string()),
                _ => panic!("{row}"),
            };
            assert_eq!(shown, *stored, "{row}");
            assert!(same.is_empty() || equal(stored, same), "{row}");
            assert!(!equal(stored, other), "{row}");
            chains.insert((*chain).to_owned());
            rows += 1;
        }
        assert!(chains.len() >= 9 && rows >= 20, "{chains:?} {rows}");
    }

    #[test]
    fn hashes_may_lack_a_few_leading_zeros() {
        let whole = format!("0x00ab{}", "5".repeat(60));
        for text in [format!("0x0ab{}", "5".repeat(60)), format!("0xAB{}", "5".repeat(60))] {
            assert_eq!(text.parse::<TxHash>().unwrap().to_string(), whole);
            assert_eq!(text.parse::<TxHash>().unwrap().digits(), whole.trim_start_matches("0x"));
        }
        for text in [format!("ab{}", "5".repeat(60)), format!("0x{}", "5".repeat(55)), "0x1".into()]
        {
            assert!(text.parse::<TxHash>().is_err(), "{text}");
        }
    }

    #[test]
    fn token_addresses_follow_the_case_rules_of_their_chain() {
        let evm: TokenAddress = "0xAF88d065e77c8cC2239327C5EDb3A432268e5831".parse().unwrap();
        assert_eq!(evm.as_str(), "0xaf88d065e77c8cc2239327c5edb3a432268e5831");
        let move_type: TokenAddress = "0x2::sui::SUI".parse().unwrap();
        assert_eq!(move_type.as_str(), "0x2::sui::SUI");
        let solana: TokenAddress = "So11111111111111111111111111111111111111112".parse().unwrap();
        assert_ne!(solana, solana.as_str().to_lowercase().parse().unwrap());
        for text in ["", "a,b", "a#b", "a b", "é", &"x".repeat(129)] {
            assert!(text.parse::<TokenAddress>().is_err(), "{text}");
        }
        let pair: TokenPair = "0x0A::a::A, 0:0".parse().unwrap();
        assert_eq!(pair.to_string(), "0xa::a::A,0:0");
        for text in ["", "a", ",", "a,", "a,b,c"] {
            assert!(text.parse::<TokenPair>().is_err(), "{text}");
        }
    }

    #[test]
    fn final_states_stay_and_states_never_go_back() {
        use XchainStatus::{
            Failed, Filled, Pending, Refunded, Registered, Relayed, Relaying, Solving,
        };
        let all = [Registered, Pending, Relaying, Relayed, Solving, Filled, Failed, Refunded];
        for (place, from) in all.into_iter().enumerate() {
            for (later, to) in all.into_iter().enumerate() {
                let allowed = place < 5 && later > place;
                assert_eq!(from.may_become(to), allowed, "{from:?} {to:?}");
            }
        }
    }
}
