//! The answer to a dry run: the transaction that the request would create.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Address, Network};
use serde::Serialize;
use serde_json::Value;
use shared::models::{
    bitcoin::{OutPoint, RuneName},
    trading_wallet::TradingWallet,
};
use utoipa::ToSchema;

use super::{ChainError, Fee, FullTransaction};
use crate::{
    bitcoin::coins::{Coin, RuneAmounts},
    models::amount::Units,
};

/// A transaction that a request would create, and its notes.
#[derive(Debug)]
pub struct Preview {
    /// The transaction.
    pub transaction: TransactionPreview,
    /// The notes that would be stored with it.
    pub notes: Option<Value>,
}

/// A transaction that a request would create now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionPreview {
    fee: Fee,
    /// Size of the signed transaction in vB, an upper bound. The fee is calculated for it.
    vbytes: u64,
    /// The coins that it would spend, in order.
    inputs: Vec<PreviewInput>,
    /// Its outputs, in order.
    outputs: Vec<PreviewOutput>,
    remaining: Remaining,
}

/// A coin that a transaction would spend.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewInput {
    /// The outpoint, `<txid>:<vout>`.
    #[schema(value_type = String)]
    id: OutPoint,
    /// Its sats.
    sats: u64,
    /// The runes in it. Null if an unsigned transaction answers the request, and a transaction in the mempool
    /// spends the coin.
    #[schema(required = true)]
    runes: Option<Vec<RuneAmount>>,
}

/// An output of a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PreviewOutput {
    /// Null for an OP_RETURN.
    #[schema(required = true)]
    address: Option<String>,
    /// Its sats.
    sats: u64,
    /// The runes that it receives.
    runes: Vec<RuneAmount>,
    /// Whether it returns to the trading address. Its contents can be spent once a block has the transaction.
    is_own: bool,
}

/// An amount of a rune.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuneAmount {
    /// The name with spacers.
    #[schema(value_type = String)]
    name: RuneName,
    /// In the smallest unit.
    amount: Units,
}

/// What a trading wallet could still spend after a request, while its transaction waits: what `available`
/// says in `GET /api/account/trading-wallet/balance` after the real request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Remaining {
    /// In coins that can pay amounts and fees: free, and without runes.
    sats: u64,
    /// In free coins.
    runes: Vec<RuneAmount>,
}

impl Preview {
    /// The preview of a transaction, with the coins of the wallet that are free once it is issued (its own may
    /// be among them), and those of its inputs whose contents are known.
    ///
    /// # Errors
    /// [`ChainError::Damaged`].
    pub(super) fn new(
        network: Network,
        wallet: &TradingWallet,
        FullTransaction { row, body }: &FullTransaction,
        free: &[Coin],
        known: &[Coin],
    ) -> Result<Self, ChainError> {
        let own = wallet.descriptor.script_pubkey();
        let runes_of = |outpoint: &OutPoint| {
            known.iter().find(|coin| coin.outpoint == outpoint.0).and_then(Coin::runes)
        };
        let inputs = body.spent()?.into_iter().map(|(id, output)| PreviewInput {
            id,
            sats: output.value.to_sat(),
            runes: runes_of(&id).map(amounts),
        });
        let outputs = body.promised.flow(&body.unsigned()?).outputs.into_iter();
        let outputs = outputs.map(|output| PreviewOutput {
            address: Address::from_script(&output.script_pubkey, network)
                .ok()
                .map(|address| address.to_string()),
            sats: output.value.to_sat(),
            runes: amounts(&output.runes),
            is_own: output.script_pubkey == own,
        });
        let spent: BTreeSet<_> = body.inputs.iter().map(|input| input.0).collect();
        let remaining = free.iter().filter(|coin| !spent.contains(&coin.outpoint));
        Ok(Self {
            transaction: TransactionPreview {
                fee: Fee::of(row.fee, row.weight)?,
                vbytes: row.weight.div_ceil(4),
                inputs: inputs.collect(),
                outputs: outputs.collect(),
                remaining: Remaining::of(remaining),
            },
            notes: body.notes.clone(),
        })
    }
}

impl Remaining {
    fn of<'a>(coins: impl Iterator<Item = &'a Coin>) -> Self {
        let (mut sats, mut runes) = (0_u64, BTreeMap::new());
        for coin in coins.filter(|coin| coin.is_spendable()) {
            if coin.is_plain() {
                sats = sats.saturating_add(coin.value.to_sat());
            }
            for (name, amount) in coin.runes().into_iter().flatten() {
                let sum: &mut u128 = runes.entry(*name).or_default();
                *sum = sum.saturating_add(*amount);
            }
        }
        Self { sats, runes: amounts(&runes) }
    }
}

fn amounts(runes: &RuneAmounts) -> Vec<RuneAmount> {
    let amount =
        |(name, amount): (&RuneName, &u128)| RuneAmount { name: *name, amount: Units(*amount) };
    runes.iter().map(amount).collect()
}
