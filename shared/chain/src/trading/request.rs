//! Bodies of requests for new transactions.

use std::{fmt::Display, str::FromStr};

use bitcoin::Txid;
use serde::Deserialize;
use shared::{
    http::{Fields, Input},
    models::bitcoin::{BitcoinToken, OutPoint},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, schema::Type},
};

use crate::{
    models::{
        amount::{PositiveUnits, Units},
        fee::FeeTarget,
        xchain::{LONGEST_DATA, XchainData},
    },
    transactions::MOST_INPUTS,
};

/// Longest text of an address.
pub(super) const LONGEST_ADDRESS: usize = 128;
/// Longest text of an outpoint: a txid, a colon, and a number of ten digits.
const LONGEST_OUTPOINT: usize = 75;

/// The kind of transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TransactionType {
    /// A withdrawal through the hub.
    XchainWithdraw,
    /// A withdrawal to a Bitcoin address.
    Withdraw,
    /// Coins of the trading address that return to it, so that their delay begins again.
    RenewUtxo,
}

/// Request body for a new transaction.
#[derive(Debug)]
pub enum CreateTransaction {
    /// A withdrawal through the hub.
    XchainWithdraw(XchainWithdrawParams),
    /// A withdrawal to a Bitcoin address.
    Withdraw(WithdrawParams),
    /// A renewal of coins.
    RenewUtxo(RenewUtxoParams),
}

impl Input for CreateTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        match fields.required("type")? {
            TransactionType::XchainWithdraw => fields.object("params").map(Self::XchainWithdraw),
            TransactionType::Withdraw => fields.object("params").map(Self::Withdraw),
            TransactionType::RenewUtxo => fields.object("params").map(Self::RenewUtxo),
        }
    }
}

impl PartialSchema for CreateTransaction {
    fn schema() -> RefOr<Schema> {
        let form = |kind: &str, params: &str| {
            let kind = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([kind]));
            ObjectBuilder::new()
                .property("type", kind)
                .required("type")
                .property("params", Ref::from_schema_name(params))
                .required("params")
        };
        OneOfBuilder::new()
            .item(form("xchain-withdraw", "XchainWithdrawParams"))
            .item(form("withdraw", "WithdrawParams"))
            .item(form("renew-utxo", "RenewUtxoParams"))
            .into()
    }
}

impl ToSchema for CreateTransaction {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        fn add<T: ToSchema>(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            schemas.push((T::name().into_owned(), T::schema()));
            T::schemas(schemas);
        }
        add::<XchainWithdrawParams>(schemas);
        add::<WithdrawParams>(schemas);
        add::<RenewUtxoParams>(schemas);
    }
}

/// Parameters of a withdrawal through the hub.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct XchainWithdrawParams {
    /// In the smallest unit; at least 1.
    #[schema(value_type = PositiveUnits)]
    pub(super) amount: Units,
    /// The token: a rune id, or `0:0` for BTC.
    #[schema(required = false, value_type = Option<BitcoinToken>, default = "0:0")]
    pub(super) token_id: BitcoinToken,
    /// The recipient: a Bitcoin address, not the caller's trading address. By default `hubVault` of
    /// `GET /api/config`. Required if `hubVault` is null; no other address is accepted if `hubVaultOnly` is
    /// true.
    #[schema(max_length = 128)]
    pub(super) withdraw_to: Option<String>,
    /// Instructions for the hub, hex, at most 8 KiB.
    pub(super) xchain_data: XchainData,
    /// The caller's unconfirmed withdrawal that this one replaces at the current fee rate. Once the hub may
    /// know that withdrawal, all other parameters must be identical.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-fA-F]{64}$")]
    pub(super) replace_tx_id: Option<Txid>,
}

impl Input for XchainWithdrawParams {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        const LONGEST_HEX: usize = LONGEST_DATA * 2 + "0x".len();
        let amount = match fields.parsed("amount", 39) {
            Some(Units(0)) => fields.wrong("amount", NOTHING),
            amount => amount,
        };
        let token_id = read_token(fields);
        let withdraw_to = fields.optional_text("withdrawTo", LONGEST_ADDRESS);
        let xchain_data = fields.parsed("xchainData", LONGEST_HEX);
        let replace_tx_id = fields.optional_parsed("replaceTxId", 64);
        Some(Self {
            amount: amount?,
            token_id: token_id?,
            withdraw_to: withdraw_to?,
            xchain_data: xchain_data?,
            replace_tx_id: replace_tx_id?,
        })
    }
}

const NOTHING: &str = "must be at least 1";

/// The token of a withdrawal; by default BTC.
fn read_token(fields: &mut Fields<'_>) -> Option<BitcoinToken> {
    Some(fields.optional_parsed("tokenId", 31)?.unwrap_or(BitcoinToken::Btc))
}

/// The amount of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WantedAmount {
    /// This amount.
    Exactly(Units),
    /// As much as one transaction can pay.
    Max,
}

impl FromStr for WantedAmount {
    type Err = Box<dyn Display>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "max" => Ok(Self::Max),
            text => match text.parse() {
                Ok(Units(0)) => Err(Box::new(NOTHING)),
                Ok(units) => Ok(Self::Exactly(units)),
                Err(error) => Err(Box::new(format!("{error}, or max"))),
            },
        }
    }
}

/// Parameters of a withdrawal to a Bitcoin address.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct WithdrawParams {
    /// The token: a rune id, or `0:0` for BTC.
    #[schema(required = false, value_type = Option<BitcoinToken>, default = "0:0")]
    pub(super) token_id: BitcoinToken,
    /// In the smallest unit, at least 1; or `max` for as much as one transaction can pay.
    #[schema(value_type = String, pattern = "^([1-9][0-9]{0,38}|max)$", example = "150000")]
    pub(super) amount: WantedAmount,
    /// The recipient: any Bitcoin address except the caller's trading address.
    #[schema(max_length = 128)]
    pub(super) withdraw_to: String,
    /// How fast it should confirm; `normal` by default.
    pub(super) fee_target: Option<FeeTarget>,
    /// One of the caller's own addresses. It is checked and not used further.
    #[schema(max_length = 128)]
    pub(super) user_address: Option<String>,
}

impl Input for WithdrawParams {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let token_id = read_token(fields);
        let amount = fields.parsed("amount", 39);
        let withdraw_to = fields.text("withdrawTo", LONGEST_ADDRESS);
        let fee_target = fields.optional_parsed("feeTarget", 16);
        let user_address = fields.optional_text("userAddress", LONGEST_ADDRESS);
        Some(Self {
            token_id: token_id?,
            amount: amount?,
            withdraw_to: withdraw_to?,
            fee_target: fee_target?,
            user_address: user_address?,
        })
    }
}

/// Parameters of a renewal.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RenewUtxoParams {
    /// The coins to renew, `<txid>:<vout>`; at most 40. By default those whose delay ends within four weeks:
    /// the most urgent first, then the most valuable, and at most half of them with runes if there are enough
    /// others.
    #[schema(value_type = Option<Vec<String>>, min_items = 1, max_items = 40)]
    pub(super) tx_id_vouts: Option<Vec<OutPoint>>,
    /// How fast it should confirm; `normal` by default.
    pub(super) fee_target: Option<FeeTarget>,
}

impl Input for RenewUtxoParams {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let tx_id_vouts = read_outpoints(fields, "txIdVouts");
        let fee_target = fields.optional_parsed("feeTarget", 16);
        Some(Self { tx_id_vouts: tx_id_vouts?, fee_target: fee_target? })
    }
}

#[allow(clippy::option_option)]
fn read_outpoints(fields: &mut Fields<'_>, name: &str) -> Option<Option<Vec<OutPoint>>> {
    let Some(texts) = fields.optional::<Vec<String>>(name)? else { return Some(None) };
    if texts.is_empty() || texts.len() > MOST_INPUTS {
        return fields.wrong(name, format!("must have 1 to {MOST_INPUTS} coins"));
    }
    let mut coins = Vec::with_capacity(texts.len());
    for (place, text) in texts.iter().enumerate() {
        let field = format!("{name}[{place}]");
        match text.parse() {
            Ok(coin) if text.len() <= LONGEST_OUTPOINT => coins.push(coin),
            Ok(_) => return fields.wrong(&field, "is too long"),
            Err(error) => return fields.wrong(&field, error),
        }
    }
    Some(Some(coins))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_digits_or_max() {
        let read = |text: &str| text.parse::<WantedAmount>().ok();
        assert_eq!(read("max"), Some(WantedAmount::Max));
        assert_eq!(read("1"), Some(WantedAmount::Exactly(Units(1))));
        for text in ["0", "", "MAX", " max", "-1", "1.0", "01", "maximum"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
