//! Bitcoin transactions of an account.

use base::clock::Timestamp;
use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::{
    core::Core,
    http::{
        Envelope, ListQuery, Result,
        list::{Field, Filter, ListPage, Resource},
        relations::{TOKEN, WALLET, tokens_of, wallet_of},
    },
    models::{account::AccountId, bitcoin::BitcoinToken, token::TokenId},
};
use store::{Store, StoreError, lists::Member};
use utoipa::{IntoParams, ToSchema};

use crate::{
    keys,
    models::{
        amount::Units,
        transaction::{AccountTransaction, TransactionState, Work},
    },
    transactions::{self, IssuedTransaction},
};

/// The kind of a transaction of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A withdrawal to a Bitcoin address.
    Withdraw,
    /// A withdrawal through the hub.
    XchainWithdraw,
    /// A renewal of coins.
    RenewUtxo,
    /// A batch of requests of a mint. `virtual-mint` is accepted too.
    #[serde(rename = "virtual_mint", alias = "virtual-mint")]
    VirtualMint,
    /// A refund.
    Refund,
}

/// A transaction of an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TransactionRow {
    /// Same as `txId`.
    #[schema(value_type = String)]
    id: Txid,
    #[schema(value_type = String)]
    tx_id: Txid,
    r#type: Kind,
    state: TransactionState,
    /// The token withdrawn; null for other kinds.
    #[schema(required = true)]
    token_id: Option<BitcoinToken>,
    /// The amount withdrawn, in the token's smallest unit; null for other kinds.
    #[schema(required = true)]
    amount: Option<Units>,
    /// The recipient of a withdrawal; null for other kinds.
    #[schema(required = true)]
    withdraw_to: Option<String>,
    /// The fee, in sats.
    fee_sats: u64,
    /// The transaction that it replaces.
    #[schema(required = true, value_type = Option<String>)]
    replace_tx_id: Option<Txid>,
    /// The signed transaction that replaces it.
    #[schema(required = true, value_type = Option<String>)]
    replaced_by_tx_id: Option<Txid>,
    /// The height of its block.
    #[schema(required = true)]
    block_height: Option<u32>,
    /// When it was signed or, if it is unsigned, when it was created; ms since the epoch.
    created_at: Timestamp,
}

impl Resource for TransactionRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("txId"),
        Field::visible("type"),
        Field::visible("state"),
        Field::visible("tokenId").in_digits(),
        Field::visible("amount").in_digits(),
        Field::visible("withdrawTo"),
        Field::visible("feeSats"),
        Field::visible("replaceTxId"),
        Field::visible("replacedByTxId"),
        Field::visible("blockHeight"),
        Field::visible("createdAt"),
    ];
    const FILTERS: &'static [Filter] = &[
        Filter::of_rows::<TransactionState>("state", "state"),
        Filter::of_rows::<Kind>("type", "type"),
        Filter::of_rows::<BitcoinToken>("tokenId", "tokenId"),
    ];
}

impl TransactionRow {
    /// The row of an account's transaction; `None` if the platform alone signs its kind.
    pub fn of(issued: &IssuedTransaction, created_at: Timestamp) -> Option<Self> {
        let paid = |token: BitcoinToken, amount: Units, to: &str| {
            (Some(token), Some(amount), Some(to.to_owned()))
        };
        let (kind, (token_id, amount, withdraw_to)) = match &issued.work {
            Work::Withdraw(it) => (Kind::Withdraw, paid(it.token_id, it.amount, &it.withdraw_to)),
            Work::XchainWithdraw(it) => {
                (Kind::XchainWithdraw, paid(it.token_id, it.amount, &it.withdraw_to))
            }
            Work::RenewUtxo => (Kind::RenewUtxo, (None, None, None)),
            Work::VmCommitment(_) => (Kind::VirtualMint, (None, None, None)),
            Work::Refund(_) => (Kind::Refund, (None, None, None)),
            Work::VmTransfer(_)
            | Work::VmDistribution(_)
            | Work::PoolSplit(_)
            | Work::PoolCleanup(_) => return None,
        };
        Some(Self {
            id: issued.txid,
            tx_id: issued.txid,
            r#type: kind,
            state: issued.state,
            token_id,
            amount,
            withdraw_to,
            fee_sats: issued.fee,
            replace_tx_id: issued.replaces,
            replaced_by_tx_id: issued.replaced_by,
            block_height: issued.block_height,
            created_at,
        })
    }
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct TransactionFilters {
    /// Only transactions in one of these states. Transactions that are not signed are listed only if `unsigned`
    /// is among them.
    #[param(rename = "state_eq", style = Form, explode = false)]
    state: Option<Vec<TransactionState>>,
    /// Only transactions of one of these kinds.
    #[param(rename = "type_eq", style = Form, explode = false)]
    kind: Option<Vec<Kind>>,
    /// Only withdrawals of one of these tokens.
    #[param(rename = "tokenId_eq", style = Form, explode = false)]
    token_id: Option<Vec<BitcoinToken>>,
}

/// A page of an account's signed transactions of every kind. If the query names the state `unsigned`, those
/// that wait for a signature are among them.
///
/// # Errors
/// As [`ListQuery::read`].
pub async fn list_transactions(
    app: &Core,
    account: AccountId,
    query: &ListQuery<TransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    let (store, list) = (&app.store, keys::lists::transactions(account));
    let load = async |members| read_rows(store, members).await;
    let unsigned = serde_json::to_value(TransactionState::Unsigned);
    let is_unsigned = |state: &String| unsigned.as_ref().is_ok_and(|it| it == state.as_str());
    let states = query.row_filter("state").unwrap_or_default();
    let found = match states.iter().any(is_unsigned) {
        true => {
            let drafts = transactions::drafts_of(app, account).await?;
            let drafts = drafts.iter().filter_map(|row| TransactionRow::of(row, row.created_at));
            let drafts = drafts.collect();
            match states.iter().all(is_unsigned) {
                true => query.sorted_page(drafts)?,
                false => query.read_with(store, &list, drafts, load).await?,
            }
        }
        false => query.read(store, &list, load).await?,
    };
    answer(store, account, query, &found).await
}

/// A page of an account's signed refunds.
///
/// # Errors
/// As [`ListQuery::read`].
pub async fn list_refunds(
    store: &Store,
    account: AccountId,
    query: &ListQuery<TransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    let load = async |members| read_rows(store, members).await;
    let found = query.read(store, &keys::lists::refunds_by_account(account), load).await?;
    answer(store, account, query, &found).await
}

async fn answer(
    store: &Store,
    account: AccountId,
    query: &ListQuery<TransactionRow>,
    found: &ListPage<TransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    let tokens = match query.populates(TOKEN) {
        true => tokens_of(store, found.rows.iter().filter_map(token_of)).await?,
        false => Default::default(),
    };
    let wallet = match query.populates(WALLET) {
        true => wallet_of(store, account).await?,
        false => Value::Null,
    };
    query.answer(found, |relation, place| match relation {
        WALLET => wallet.clone(),
        _ => {
            let token = found.rows.get(place).and_then(token_of);
            token.and_then(|id| tokens.get(&id.to_string()).cloned()).unwrap_or_default()
        }
    })
}

fn token_of(row: &TransactionRow) -> Option<TokenId> {
    row.token_id?.to_string().parse().ok()
}

async fn read_rows(
    store: &Store,
    members: Vec<Member<AccountTransaction>>,
) -> Result<Vec<TransactionRow>, StoreError> {
    let members: Vec<_> = members
        .into_iter()
        .filter_map(|member| Some((member.value.txid()?, member.created_at)))
        .collect();
    let keys: Vec<_> = members.iter().map(|(txid, _)| keys::transaction(*txid)).collect();
    let rows = store.get_many::<IssuedTransaction>(&keys).await?.into_iter().zip(members);
    Ok(rows.filter_map(|(row, (_, at))| TransactionRow::of(&row?, at)).collect())
}
