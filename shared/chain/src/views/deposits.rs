//! Deposits to the trading address of an account.

use base::clock::Timestamp;
use bitcoin::Txid;
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Envelope, ListQuery, Result,
        list::{Field, Filter, ListPage, Resource},
        relations::{WALLET, wallet_of},
    },
    models::{
        account::AccountId,
        bitcoin::{EtchedRune, OutPoint, RuneName},
    },
};
use store::{Store, StoreError, lists::Member};
use utoipa::{IntoParams, ToSchema};

use crate::{
    blocks::{self, Tip},
    deposits::{Deposit, DepositMember, DepositState, More},
    keys,
    models::amount::Units,
};

/// An amount of a rune.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldRune {
    /// Null if the service could not read it.
    #[schema(required = true)]
    pub rune_id: Option<EtchedRune>,
    /// The name with spacers.
    #[schema(value_type = String)]
    pub name: RuneName,
    /// Null if the rune has none, or in an unconfirmed coin.
    #[schema(required = true, value_type = Option<String>)]
    pub symbol: Option<char>,
    /// Decimals of displayed amounts; null in an unconfirmed coin.
    #[schema(required = true)]
    pub divisibility: Option<u8>,
    /// In the smallest unit.
    pub amount: Units,
}

/// A deposit to the trading address of an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DepositRow {
    /// The outpoint, `<txid>:<vout>`; for an awaited deposit, the txid.
    id: String,
    /// Its transaction.
    #[schema(value_type = String)]
    tx_id: Txid,
    /// Its index in the transaction; null until that is known.
    #[schema(required = true)]
    vout: Option<u32>,
    /// Its sats; null until the transaction is known.
    #[schema(required = true)]
    sats: Option<u64>,
    /// The runes in it; null until it is in a block and indexed, and again once it is spent.
    #[schema(required = true)]
    pub runes: Option<Vec<HeldRune>>,
    state: DepositState,
    /// The number of blocks from its own to the newest; 0 if it has none.
    confirmations: u32,
    /// The height of its block; null if it has none.
    #[schema(required = true)]
    block_height: Option<u32>,
    /// Further outputs to the address in the same block that are not listed, because a block adds only the 20
    /// most valuable ones. Null if there are none; only one row of the block has this field set. To list these
    /// outputs, announce their transaction.
    #[schema(required = true)]
    more: Option<More>,
    /// When the service saw it first, ms since the epoch; null until then.
    #[schema(required = true)]
    seen_at: Option<Timestamp>,
    /// When the service found it in its block, ms since the epoch; null if it has none.
    #[schema(required = true)]
    confirmed_at: Option<Timestamp>,
    /// When it was listed, ms since the epoch.
    created_at: Timestamp,
}

impl Resource for DepositRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("txId"),
        Field::visible("vout"),
        Field::visible("sats"),
        Field::visible("runes").unsorted(),
        Field::visible("state"),
        Field::visible("confirmations"),
        Field::visible("blockHeight"),
        Field::visible("more").unsorted(),
        Field::visible("seenAt"),
        Field::visible("confirmedAt"),
        Field::visible("createdAt"),
    ];
    const FILTERS: &'static [Filter] = &[Filter::of_rows::<DepositState>("state", "state")];
}

impl DepositRow {
    /// The row of a deposit, without its runes.
    pub fn of(deposit: &Deposit, tip: Option<&Tip>) -> Self {
        let (state, confirmations) = deposit.depth(tip);
        let is_confirmed = confirmations > 0;
        Self {
            id: deposit.id(),
            tx_id: deposit.txid,
            vout: deposit.vout,
            sats: deposit.sats,
            runes: None,
            state,
            confirmations,
            block_height: deposit.block_height.filter(|_| is_confirmed),
            more: deposit.more,
            seen_at: deposit.seen_at,
            confirmed_at: deposit.confirmed_at.filter(|_| is_confirmed),
            created_at: deposit.created_at,
        }
    }

    /// Its outpoint, if a block has it.
    pub fn indexed_as(&self) -> Option<OutPoint> {
        let vout = self.vout.filter(|_| self.confirmations > 0)?;
        Some(OutPoint(bitcoin::OutPoint { txid: self.tx_id, vout }))
    }
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct DepositFilters {
    /// Only deposits in one of these states.
    #[param(rename = "state_eq", style = Form, explode = false)]
    state: Option<Vec<DepositState>>,
}

/// Reads the deposits on a page, without their runes.
///
/// # Errors
/// As [`ListQuery::read`].
pub async fn read_deposits(
    store: &Store,
    account: AccountId,
    query: &ListQuery<DepositRow>,
) -> Result<ListPage<DepositRow>> {
    let tip = blocks::tip(store).await?;
    let load = async |members: Vec<Member<DepositMember>>| {
        let place = |member: Member<DepositMember>| (member.value.txid, member.value.n);
        let keys = members.into_iter().map(place);
        let keys: Vec<_> = keys.map(|(txid, n)| keys::deposit(account, txid, n)).collect();
        let rows = store.get_many::<Deposit>(&keys).await?.into_iter().flatten();
        Ok::<_, StoreError>(rows.map(|row| DepositRow::of(&row, tip.as_ref())).collect())
    };
    query.read(store, &keys::lists::deposits(account), load).await
}

/// Shapes a page of deposits as requested.
///
/// # Errors
/// Those of the store.
pub async fn answer_deposits(
    store: &Store,
    account: AccountId,
    query: &ListQuery<DepositRow>,
    found: &ListPage<DepositRow>,
) -> Result<Envelope<Vec<Value>>> {
    let wallet = match query.populates(WALLET) {
        true => wallet_of(store, account).await?,
        false => Value::Null,
    };
    query.answer(found, |relation, _| match relation {
        WALLET => wallet.clone(),
        _ => Value::Null,
    })
}
