//! `GET /api/xchain/transactions`.

use std::collections::HashMap;

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use shared::{
    app::App,
    clock::Timestamp,
    http::{
        Envelope, ListQuery, MaybeCaller, Result,
        list::{Field, Filter, Found, ListParameters, Resource},
        relations::{TOKEN, WALLET, tokens_of, wallet_of},
    },
    models::{
        account::AccountId,
        token::TokenId,
        wallet::AddressText,
        xchain::{
            Intent, IntentHash, TokenAddress, TokenPair, TxHash, XchainKey, XchainRecord,
            XchainStatus, XchainType,
        },
    },
    store::{Key, Store, StoreError, keys::List, lists::Member},
};
use utoipa::{IntoParams, ToSchema};

const INPUT_TOKEN: &str = "inputToken";
const OUTPUT_TOKEN: &str = "outputToken";

/// A cross-chain transaction, listed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct XchainRow {
    /// Whose it is: for the relation `wallet` alone.
    #[serde(skip)]
    account_id: AccountId,
    /// Its id.
    id: String,
    /// What kind.
    r#type: XchainType,
    /// Of a withdrawal the Bitcoin transaction, of a swap the intent's hash.
    tx_id: String,
    /// Of the intent on the hub's chain; null of a withdrawal that the hub has made none of yet.
    #[schema(required = true)]
    intent_tx_hash: Option<IntentHash>,
    /// Of the transaction on the source chain; null of a withdrawal.
    #[schema(required = true)]
    spoke_tx_hash: Option<TxHash>,
    /// The wallet that began it; of a withdrawal the trading address.
    user_address: String,
    /// Where it comes from.
    trading_address: String,
    /// Where it goes.
    withdraw_to: String,
    /// The hub's id of the source chain; null of a withdrawal, which is Bitcoin's.
    #[schema(required = true)]
    src_chain: Option<u64>,
    /// The hub's id of the destination chain; null where the service is not told.
    #[schema(required = true)]
    dst_chain: Option<u64>,
    /// What for what.
    intent: Intent,
    /// Where it stands.
    status: XchainStatus,
    /// Whether it is known to be as it says: a withdrawal is, a swap once the hub agrees.
    verified: bool,
    /// The step at which it failed.
    #[schema(required = true)]
    failed_at_step: Option<String>,
    /// Why it failed.
    #[schema(required = true)]
    failure_reason: Option<String>,
    /// The transaction that filled it, on the destination chain.
    #[schema(required = true)]
    fill_tx_hash: Option<String>,
    /// Of a withdrawal, the one that it replaces; null of others.
    #[schema(required = true, value_type = Option<String>)]
    replace_tx_id: Option<bitcoin::Txid>,
    /// Of a withdrawal, the one that its owner has signed to replace it; null of others.
    #[schema(required = true, value_type = Option<String>)]
    replaced_by_tx_id: Option<bitcoin::Txid>,
    /// When it was registered, or signed; ms since the epoch.
    created_at: Timestamp,
    /// When it changed last, ms since the epoch.
    updated_at: Timestamp,
}

impl Resource for XchainRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("type").sortable(),
        Field::visible("txId").sortable(),
        Field::visible("intentTxHash"),
        Field::visible("spokeTxHash"),
        Field::visible("userAddress").sortable(),
        Field::visible("tradingAddress").sortable(),
        Field::visible("withdrawTo").sortable(),
        Field::visible("srcChain").sortable(),
        Field::visible("dstChain").sortable(),
        Field::visible("intent"),
        Field::visible("status").sortable(),
        Field::visible("verified").sortable(),
        Field::hidden("failedAtStep"),
        Field::hidden("failureReason"),
        Field::hidden("fillTxHash"),
        Field::hidden("replaceTxId"),
        Field::hidden("replacedByTxId"),
        Field::visible("createdAt").sortable(),
        Field::visible("updatedAt").sortable(),
    ];
    const RELATIONS: &'static [&'static str] = &[INPUT_TOKEN, OUTPUT_TOKEN];
    const FILTERS: &'static [Filter] = &[
        Filter::of::<AddressText>("relatedAddress"),
        Filter::of::<TokenPair>("intentTokenPair"),
        Filter::of::<TokenAddress>("intentToken"),
    ];
}

impl From<XchainRecord> for XchainRow {
    fn from(record: XchainRecord) -> Self {
        Self {
            account_id: record.account_id,
            id: record.id,
            r#type: record.kind,
            tx_id: record.tx_id,
            intent_tx_hash: record.intent_tx_hash,
            spoke_tx_hash: record.spoke_tx_hash,
            user_address: record.user_address,
            trading_address: record.trading_address,
            withdraw_to: record.withdraw_to,
            src_chain: record.src_chain,
            dst_chain: record.dst_chain,
            intent: record.intent,
            status: record.status,
            verified: record.verified,
            failed_at_step: record.failed_at_step,
            failure_reason: record.failure_reason,
            fill_tx_hash: record.fill_tx_hash,
            replace_tx_id: record.replace_tx_id,
            replaced_by_tx_id: record.replaced_by_tx_id,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

/// The filters, as the OpenAPI document describes them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct XchainFilters {
    /// Those whose tradingAddress, withdrawTo or userAddress is this one.
    #[param(rename = "relatedAddress_eq")]
    related_address: Option<String>,
    /// Those that give one of two tokens for the other, in either direction: two addresses with a
    /// comma between them.
    #[param(rename = "intentTokenPair_eq")]
    intent_token_pair: Option<String>,
    /// Those that give this token, or want it.
    #[param(rename = "intentToken_eq")]
    intent_token: Option<String>,
}

/// Cross-chain transactions, newest first: registered swaps, and withdrawals that were signed. Filters
/// can be combined as one likes.
///
/// Relations: `inputToken` and `outputToken`, as the catalogue of tokens has them, or null; `token` is
/// the one that is given.
#[utoipa::path(
    get,
    path = "/api/xchain/transactions",
    tag = "xchain",
    security((), ("bearer" = [])),
    params(ListParameters, XchainFilters),
    responses((
        status = 200,
        description = "A page of cross-chain transactions",
        body = Envelope<Vec<XchainRow>>
    ))
)]
pub async fn list_transactions(
    State(app): State<App>,
    caller: MaybeCaller,
    query: ListQuery<XchainRow>,
) -> Result<Envelope<Vec<Value>>> {
    let found = match list_of(&query) {
        Some(list) => {
            let load = async |members| rows(&app.store, members).await;
            query.read(&app.store, &list, load).await?
        }
        None => Found { rows: Vec::new(), total: 0 },
    };
    let tokens = tokens(&app.store, &query, &found.rows).await?;
    let caller = caller.if_any().map(|caller| caller.account);
    let wallet = match caller.filter(|_| query.populates(WALLET)) {
        Some(account) => wallet_of(&app.store, account).await?,
        None => Value::Null,
    };
    query.answer(&found, |relation, place| match (relation, found.rows.get(place)) {
        (WALLET, Some(row)) if Some(row.account_id) == caller => wallet.clone(),
        (WALLET, _) | (_, None) => Value::Null,
        (_, Some(row)) => {
            let ids = catalogue_ids(row, relation);
            let token = ids.iter().find_map(|id| tokens.get(&id.to_string()));
            token.cloned().unwrap_or_default()
        }
    })
}

/// The list that has just the rows of a query; none where no row can be meant.
fn list_of(query: &ListQuery<XchainRow>) -> Option<List> {
    let address = query.filter("relatedAddress");
    let pair = query.filter("intentTokenPair").and_then(|pair| pair.parse::<TokenPair>().ok());
    let token = query.filter("intentToken").and_then(|token| token.parse::<TokenAddress>().ok());
    let of_token = |token: &TokenAddress| match address {
        Some(address) => List::xchain_by_address_and_token(address, token),
        None => List::xchain_by_token(token),
    };
    match (&pair, &token) {
        (None, None) => Some(address.map_or_else(List::xchain, List::xchain_by_address)),
        (None, Some(token)) => Some(of_token(token)),
        (Some(TokenPair(one, other)), Some(token)) if token != one && token != other => None,
        // Both are there where the one is.
        (Some(TokenPair(one, other)), _) if one == other => Some(of_token(one)),
        (Some(pair), _) => Some(match address {
            Some(address) => List::xchain_by_address_and_pair(address, pair),
            None => List::xchain_by_pair(pair),
        }),
    }
}

async fn rows(
    store: &Store,
    members: Vec<Member<XchainKey>>,
) -> Result<Vec<XchainRow>, StoreError> {
    let keys: Vec<_> = members.into_iter().map(|member| Key::xchain(member.value)).collect();
    let found = store.get_many::<XchainRecord>(&keys).await?;
    Ok(found.into_iter().flatten().map(XchainRow::from).collect())
}

/// The ids that the catalogue may have a row's token under: with its chain before it, or alone.
fn catalogue_ids(row: &XchainRow, relation: &str) -> Vec<TokenId> {
    let (token, chain) = match relation {
        INPUT_TOKEN | TOKEN => (Some(&row.intent.input_token), row.src_chain),
        _ => (row.intent.output_token.as_ref(), row.dst_chain),
    };
    let Some(token) = token else { return Vec::new() };
    let with_chain = chain.map(|chain| format!("{chain}:{token}"));
    let ids = with_chain.into_iter().chain([token.to_string()]);
    ids.filter_map(|id| id.parse().ok()).collect()
}

/// The tokens that the relations of these rows need, by id: read in one batch.
async fn tokens(
    store: &Store,
    query: &ListQuery<XchainRow>,
    rows: &[XchainRow],
) -> Result<HashMap<String, Value>, StoreError> {
    let wanted = [TOKEN, INPUT_TOKEN, OUTPUT_TOKEN].into_iter();
    let wanted = wanted.filter(|relation| query.populates(relation));
    let ids: Vec<_> = wanted
        .flat_map(|relation| rows.iter().flat_map(move |row| catalogue_ids(row, relation)))
        .collect();
    tokens_of(store, ids).await
}
