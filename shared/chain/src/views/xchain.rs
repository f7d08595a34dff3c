//! Cross-chain transactions.

use std::{borrow::Borrow, collections::BTreeMap};

use base::clock::Timestamp;
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Envelope, ListQuery, Result,
        list::{Field, Filter, ListPage, Resource},
        relations::{TOKEN, WALLET, tokens_of, wallet_of},
    },
    models::{account::AccountId, spelling::LONG_DIGITS, token::TokenId, wallet::AddressText},
};
use store::{
    Store, StoreError,
    lists::{List, Member},
};
use utoipa::ToSchema;

use crate::{
    keys,
    models::xchain::{
        Intent, IntentHash, TokenAddress, TokenPair, TxHash, XchainKey, XchainRecord, XchainStatus,
        XchainType,
    },
    xchain::XchainPointer,
};

const INPUT_TOKEN: &str = "inputToken";
const OUTPUT_TOKEN: &str = "outputToken";
/// The filter that all filters of rows require.
const ADDRESS: &[&str] = &["relatedAddress"];

/// One cross-chain transaction of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct XchainRow {
    /// The owner; used only for the relation `wallet`.
    #[serde(skip)]
    account_id: AccountId,
    id: String,
    r#type: XchainType,
    /// Withdrawal: the Bitcoin transaction id. Swap: the hash of the intent.
    tx_id: String,
    /// The intent's transaction on the hub's chain; null for a withdrawal until the hub has created one.
    #[schema(required = true)]
    intent_tx_hash: Option<IntentHash>,
    /// The transaction on the source chain; null for a withdrawal.
    #[schema(required = true)]
    spoke_tx_hash: Option<TxHash>,
    /// The wallet that started it. For a withdrawal, the sign-in wallet of its account, or the trading address
    /// if the account has none.
    user_address: String,
    /// The address that pays, on its own chain; for a withdrawal the trading address.
    trading_address: String,
    /// The recipient's address.
    withdraw_to: String,
    /// The hub's id of the source chain; null for a withdrawal, whose source is always Bitcoin.
    #[schema(required = true)]
    src_chain: Option<u64>,
    /// The hub's id of the destination chain; null if the service does not know it.
    #[schema(required = true)]
    dst_chain: Option<u64>,
    /// The tokens and amounts of the exchange.
    intent: Intent,
    status: XchainStatus,
    /// Whether the record is confirmed: always true for a withdrawal; true for a swap once the hub confirms
    /// it.
    verified: bool,
    /// The step that failed.
    #[schema(required = true)]
    failed_at_step: Option<String>,
    /// The reason of the failure.
    #[schema(required = true)]
    failure_reason: Option<String>,
    /// The transaction on the destination chain that filled it.
    #[schema(required = true)]
    fill_tx_hash: Option<String>,
    /// The withdrawal that this one replaces; null otherwise.
    #[schema(required = true, value_type = Option<String>)]
    replace_tx_id: Option<bitcoin::Txid>,
    /// The withdrawal that its owner signed to replace this one; null otherwise.
    #[schema(required = true, value_type = Option<String>)]
    replaced_by_tx_id: Option<bitcoin::Txid>,
    /// When the swap was registered or the withdrawal signed; ms since the epoch.
    created_at: Timestamp,
    /// When it last changed, ms since the epoch.
    updated_at: Timestamp,
}

impl Resource for XchainRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("type"),
        Field::visible("txId"),
        Field::visible("intentTxHash"),
        Field::visible("spokeTxHash"),
        Field::visible("userAddress"),
        Field::visible("tradingAddress"),
        Field::visible("withdrawTo"),
        Field::visible("srcChain"),
        Field::visible("dstChain"),
        Field::visible("intent").unsorted(),
        Field::visible("status"),
        Field::visible("verified"),
        Field::hidden("failedAtStep"),
        Field::hidden("failureReason"),
        Field::hidden("fillTxHash"),
        Field::hidden("replaceTxId"),
        Field::hidden("replacedByTxId"),
        Field::visible("createdAt"),
        Field::visible("updatedAt"),
    ];
    const RELATIONS: &'static [&'static str] = &[INPUT_TOKEN, OUTPUT_TOKEN];
    const FILTERS: &'static [Filter] = &[
        Filter::of::<AddressText>("relatedAddress"),
        Filter::of::<TokenPair>("intentTokenPair"),
        Filter::of::<TokenAddress>("intentToken"),
        Filter::of_rows::<XchainStatus>("status", "status").with_one_of(ADDRESS),
        Filter::of_rows::<XchainType>("type", "type").with_one_of(ADDRESS),
        Filter::of_plain_rows::<u64>("srcChain", "srcChain").with_one_of(ADDRESS),
        Filter::of_plain_rows::<u64>("dstChain", "dstChain").with_one_of(ADDRESS),
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

/// Reads a page of a list of cross-chain transactions.
///
/// # Errors
/// As [`ListQuery::read`].
pub async fn read_xchain<R: Resource + From<XchainRow>>(
    store: &Store,
    list: &List,
    query: &ListQuery<R>,
) -> Result<ListPage<R>> {
    let load = async |members| {
        let rows = read_rows(store, members).await?;
        Ok::<_, StoreError>(rows.into_iter().map(R::from).collect())
    };
    query.read(store, list, load).await
}

/// Shapes a page of cross-chain transactions as requested. Rows of `account` have the relation `wallet`.
///
/// # Errors
/// Those of the store.
pub async fn answer_xchain<R: Resource + Borrow<XchainRow>>(
    store: &Store,
    account: Option<AccountId>,
    query: &ListQuery<R>,
    found: &ListPage<R>,
) -> Result<Envelope<Vec<Value>>> {
    let tokens = tokens(store, query, &found.rows).await?;
    let wallet = match account.filter(|_| query.populates(WALLET)) {
        Some(account) => wallet_of(store, account).await?,
        None => Value::Null,
    };
    query.answer(found, |relation, place| match (relation, found.rows.get(place).map(R::borrow)) {
        (WALLET, Some(row)) if Some(row.account_id) == account => wallet.clone(),
        (WALLET, _) | (_, None) => Value::Null,
        (_, Some(row)) => {
            let ids = catalogue_ids(row, relation);
            let token = ids.iter().find_map(|id| tokens.get(&id.to_string()));
            token.cloned().unwrap_or_default()
        }
    })
}

async fn read_rows(
    store: &Store,
    members: Vec<Member<XchainKey>>,
) -> Result<Vec<XchainRow>, StoreError> {
    let keys: Vec<_> = members.into_iter().map(|member| keys::xchain(member.value)).collect();
    let found = store.get_many::<XchainRecord>(&keys).await?;
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    let unconfirmed = found.iter().filter(|record| !record.verified);
    let intents: Vec<_> = unconfirmed.filter_map(|record| record.intent_tx_hash).collect();
    // The list may hold one account's registration of a swap while the hub has confirmed another account's.
    let confirmed = confirmed(store, intents).await?;
    for record in found.iter_mut().filter(|record| !record.verified) {
        let same = record.intent_tx_hash.and_then(|intent| confirmed.get(&intent));
        if let Some((same, swap)) = same.zip(record.swap())
            && same.swap().is_some_and(|it| it.differences(&swap).is_empty())
        {
            *record = same.clone();
        }
    }
    Ok(found.into_iter().map(XchainRow::from).collect())
}

/// The registrations of these intents that the hub has confirmed.
async fn confirmed(
    store: &Store,
    intents: Vec<IntentHash>,
) -> Result<BTreeMap<IntentHash, XchainRecord>, StoreError> {
    if intents.is_empty() {
        return Ok(BTreeMap::new());
    }
    let keys: Vec<_> = intents.into_iter().map(keys::xchain_verified).collect();
    let pointers = store.get_many::<XchainPointer>(&keys).await?.into_iter().flatten();
    let keys: Vec<_> = pointers.map(|pointer| keys::xchain(pointer.key)).collect();
    let records = store.get_many::<XchainRecord>(&keys).await?.into_iter().flatten();
    Ok(records.filter_map(|record| Some((record.intent_tx_hash?, record))).collect())
}

/// Catalogue ids under which a row's token may be found: with the chain as a prefix, or without.
fn catalogue_ids(row: &XchainRow, relation: &str) -> Vec<TokenId> {
    let (token, chain) = match relation {
        INPUT_TOKEN | TOKEN => (Some(&row.intent.input_token), row.src_chain),
        _ => (row.intent.output_token.as_ref(), row.dst_chain),
    };
    let Some(token) = token else { return Vec::new() };
    // The catalogue may write an address of a Move chain or Starknet without its leading zeros.
    let long = token.as_str().strip_prefix("0x").filter(|digits| digits.len() == LONG_DIGITS);
    let short = long.map(|digits| digits.trim_start_matches('0'));
    let short = short.map(|digits| if digits.is_empty() { "0" } else { digits });
    let spellings = [Some(token.to_string()), short.map(|digits| format!("0x{digits}"))];
    let spellings = spellings.into_iter().flatten();
    let ids = spellings.flat_map(|token| {
        let with_chain = chain.map(|chain| format!("{chain}:{token}"));
        with_chain.into_iter().chain([token])
    });
    ids.filter_map(|id| id.parse().ok()).collect()
}

/// Tokens for the relations of these rows, by id, read in one batch.
async fn tokens<R: Resource + Borrow<XchainRow>>(
    store: &Store,
    query: &ListQuery<R>,
    rows: &[R],
) -> Result<BTreeMap<String, Value>, StoreError> {
    let wanted = [TOKEN, INPUT_TOKEN, OUTPUT_TOKEN].into_iter();
    let wanted = wanted.filter(|relation| query.populates(relation));
    let ids: Vec<_> = wanted
        .flat_map(|relation| rows.iter().flat_map(move |row| catalogue_ids(row.borrow(), relation)))
        .collect();
    tokens_of(store, ids).await
}
