//! VM transactions: batches of requests of a mint.

use std::{borrow::Borrow, collections::BTreeMap};

use base::clock::Timestamp;
use bitcoin::Txid;
use ordinals::RuneId;
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Envelope, ListQuery, Result,
        list::{Field, Filter, ListPage, Resource},
        relations::{TOKEN, WALLET, tokens_of, wallet_of},
    },
    models::{account::AccountId, bitcoin::EtchedRune, wallet::AddressText},
};
use store::{
    Key, Store, StoreError,
    lists::{List, Member},
};
use utoipa::ToSchema;

use crate::{
    keys,
    mints::{SentPayouts, VmTransaction},
    models::{
        mint::MintId,
        vm_transaction::{RefundState, VmState, VmTransactionKey},
    },
    transactions,
};

/// The field with the transaction, which is read only if the query selects it.
pub const BASE64_TX: &str = "base64Tx";
/// The field with the price of the new requests.
pub const PRICE: &str = "satsPerNewRequest";

/// One VM transaction of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VmTransactionRow {
    /// The owner; used only for the relation `wallet`.
    #[serde(skip)]
    account_id: AccountId,
    /// Same as `txId`.
    #[schema(value_type = String)]
    id: Txid,
    /// Txid of the commitment.
    #[schema(value_type = String)]
    tx_id: Txid,
    /// The VM transaction that this one replaces.
    #[schema(required = true, value_type = Option<String>)]
    replace_tx_id: Option<Txid>,
    /// The VM transaction that replaced this one.
    #[schema(required = true, value_type = Option<String>)]
    replaced_by_tx_id: Option<Txid>,
    mint_id: MintId,
    /// Its state.
    pub state: VmState,
    /// The rune to mint.
    rune_id: EtchedRune,
    /// Number of requests taken over from replaced VM transactions.
    replaced_requests_count: u64,
    /// Number of its requests that wait for a virtual block; 0 if it is not active.
    requests_in_mempool_count: u64,
    /// Number of its requests in virtual blocks.
    requests_in_blocks_count: u64,
    /// Price of each new request, in sats.
    sats_per_new_request: u64,
    /// Total price of its new requests, in sats.
    sats_new_requests: u64,
    /// Total price of the requests taken over, in sats.
    sats_previous_requests: u64,
    /// Amount that its own confirmed commitment paid, in sats.
    paid_sats: u64,
    /// The address that pays for it and receives refunds and runes.
    trading_address: String,
    /// The PSBT as issued or, once both keys have signed, the transaction; base64.
    #[schema(required = true)]
    base64_tx: Option<String>,
    /// When it was created or, if signed, when it was signed; ms since the epoch.
    timestamp: Timestamp,
    /// Same as `timestamp`.
    created_at: Timestamp,
    /// The transaction that moved its payment out of the treasury.
    #[schema(required = true, value_type = Option<String>)]
    pub transfer_btc_tx_id: Option<Txid>,
    /// When the payment moved, ms since the epoch.
    #[schema(required = true)]
    transfer_btc_at: Option<Timestamp>,
    /// The transaction that sent its runes.
    #[schema(required = true, value_type = Option<String>)]
    distribute_rune_tx_id: Option<Txid>,
    /// When the runes were sent, ms since the epoch.
    #[schema(required = true)]
    distribute_rune_at: Option<Timestamp>,
    /// The transaction that refunds it.
    #[schema(required = true, value_type = Option<String>)]
    refund_tx_id: Option<Txid>,
    refund_state: RefundState,
    /// Whether a refund can be created for it.
    is_refundable: bool,
    /// Amount paid for requests that no virtual block took, in sats; set once that is final. A refund pays it
    /// back, less its fee.
    not_taken_sats: u64,
    /// The distribution that includes it.
    #[schema(required = true)]
    vm_distribution_id: Option<String>,
}

impl Resource for VmTransactionRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("txId"),
        Field::visible("replaceTxId"),
        Field::visible("replacedByTxId"),
        Field::visible("mintId"),
        Field::visible("state"),
        Field::visible("runeId").in_digits(),
        Field::visible("replacedRequestsCount"),
        Field::visible("requestsInMempoolCount"),
        Field::visible("requestsInBlocksCount"),
        Field::visible(PRICE),
        Field::visible("satsNewRequests"),
        Field::visible("satsPreviousRequests"),
        Field::visible("paidSats"),
        Field::visible("tradingAddress"),
        Field::visible(BASE64_TX).unsorted(),
        Field::visible("timestamp"),
        Field::visible("createdAt"),
        Field::visible("transferBtcTxId"),
        Field::visible("transferBtcAt"),
        Field::visible("distributeRuneTxId"),
        Field::visible("distributeRuneAt"),
        Field::visible("refundTxId"),
        Field::visible("refundState"),
        Field::visible("isRefundable"),
        Field::visible("notTakenSats"),
        Field::visible("vmDistributionId"),
    ];
    const SEQUENCE: &'static [&'static str] = &["timestamp", "createdAt"];
    const FILTERS: &'static [Filter] = &[
        Filter::of_rows::<VmState>("state", "state"),
        Filter::of_rows::<MintId>("mintId", "mintId"),
        Filter::of::<EtchedRune>("runeId"),
        Filter::of::<AddressText>("tradingAddress"),
        Filter::of::<AddressText>("userAddress"),
    ];
}

impl VmTransactionRow {
    /// The row of a VM transaction, with its commitment in base64 and what its payouts sent.
    pub fn from_transaction(
        vm: VmTransaction,
        base64_tx: Option<String>,
        sent: &SentPayouts,
    ) -> Self {
        let (transfer, distribution) = (sent.transfer(&vm), sent.distribution(&vm));
        let new = vm.new_tier().copied();
        let (replaced_requests_count, sats_previous_requests) = vm.previous();
        Self {
            account_id: vm.account_id,
            id: vm.txid,
            tx_id: vm.txid,
            replace_tx_id: vm.replaces,
            replaced_by_tx_id: vm.replaced_by,
            mint_id: vm.mint_id,
            state: vm.state,
            rune_id: EtchedRune(vm.rune_id),
            replaced_requests_count,
            requests_in_mempool_count: vm.requests_in_mempool(),
            requests_in_blocks_count: vm.requests_in_blocks(),
            sats_per_new_request: new.map_or(0, |tier| tier.sats_per_request),
            sats_new_requests: new.map_or(0, |tier| tier.sats()),
            sats_previous_requests,
            paid_sats: vm.paid_sats(),
            base64_tx,
            timestamp: vm.created_at,
            created_at: vm.created_at,
            transfer_btc_tx_id: transfer.map(|sent| sent.txid),
            transfer_btc_at: transfer.map(|sent| sent.at),
            distribute_rune_tx_id: distribution.map(|sent| sent.txid),
            distribute_rune_at: distribution.map(|sent| sent.at),
            // An unsigned refund has no transaction yet.
            refund_tx_id: vm.refund_txid.filter(|_| vm.refund_state != RefundState::Open),
            refund_state: vm.refund_state,
            is_refundable: vm.is_refundable(),
            not_taken_sats: vm.refundable_sats(),
            vm_distribution_id: vm.distribution.map(|number| format!("{}-{number}", vm.mint_id)),
            trading_address: vm.trading_address,
        }
    }
}

/// Reads a page of a list of VM transactions.
///
/// # Errors
/// As [`ListQuery::read`].
pub async fn read_batches<R: Resource + From<VmTransactionRow>>(
    store: &Store,
    list: &List,
    query: &ListQuery<R>,
) -> Result<ListPage<R>> {
    let with_base64 = query.selects(BASE64_TX);
    let load = async |members: Vec<Member<VmTransactionKey>>| {
        let keys = members.into_iter().map(|member| keys::vm_transaction(member.value)).collect();
        let rows = rows_of_keys(store, keys, with_base64).await?;
        Ok::<_, StoreError>(rows.into_iter().map(R::from).collect())
    };
    query.read(store, list, load).await
}

/// Runes from the token catalogue by id, if `wanted`.
///
/// # Errors
/// [`StoreError`].
pub async fn runes_of(
    store: &Store,
    wanted: bool,
    runes: impl Iterator<Item = RuneId>,
) -> Result<BTreeMap<String, Value>, StoreError> {
    let ids = runes.filter(|_| wanted).filter_map(|rune| rune.to_string().parse().ok());
    tokens_of(store, ids).await
}

/// Shapes a page of VM transactions as requested. Rows of `account` have the relation `wallet`.
///
/// # Errors
/// Those of the store.
pub async fn answer_batches<R: Resource + Borrow<VmTransactionRow>>(
    store: &Store,
    account: Option<AccountId>,
    query: &ListQuery<R>,
    found: &ListPage<R>,
) -> Result<Envelope<Vec<Value>>> {
    let wallet = match account.filter(|_| query.populates(WALLET)) {
        Some(account) => wallet_of(store, account).await?,
        None => Value::Null,
    };
    let runes = found.rows.iter().map(|row| row.borrow().rune_id.0);
    let tokens = runes_of(store, query.populates(TOKEN), runes).await?;
    query.answer(found, |relation, place| match (relation, found.rows.get(place).map(R::borrow)) {
        (WALLET, Some(row)) if Some(row.account_id) == account => wallet.clone(),
        (TOKEN, Some(row)) => tokens.get(&row.rune_id.to_string()).cloned().unwrap_or_default(),
        _ => Value::Null,
    })
}

/// The rows of these keys; deleted rows are omitted.
///
/// # Errors
/// [`StoreError`].
pub async fn rows_of_keys(
    store: &Store,
    keys: Vec<Key>,
    with_base64: bool,
) -> Result<Vec<VmTransactionRow>, StoreError> {
    let found = store.get_many::<VmTransaction>(&keys).await?;
    rows_of(store, found.into_iter().flatten().collect(), with_base64).await
}

/// The rows of these VM transactions.
///
/// # Errors
/// [`StoreError`].
pub async fn rows_of(
    store: &Store,
    found: Vec<VmTransaction>,
    with_base64: bool,
) -> Result<Vec<VmTransactionRow>, StoreError> {
    let texts =
        async { if with_base64 { base64_of(store, &found).await } else { Ok(BTreeMap::new()) } };
    let (mut texts, sent) = tokio::try_join!(texts, SentPayouts::read(store, found.iter()))?;
    let row = |vm: VmTransaction| {
        let text = texts.remove(&vm.txid);
        VmTransactionRow::from_transaction(vm, text, &sent)
    };
    Ok(found.into_iter().map(row).collect())
}

/// Base64 of the signed commitments, and of the PSBTs of the others.
async fn base64_of(
    store: &Store,
    rows: &[VmTransaction],
) -> Result<BTreeMap<Txid, String>, StoreError> {
    let of = |is_private: bool| {
        let rows = rows.iter().filter(move |row| row.state.is_private() == is_private);
        rows.map(|row| row.txid).collect::<Vec<_>>()
    };
    let (signed, unsigned) = (of(false), of(true));
    let (raw, psbts) = tokio::try_join!(
        transactions::signed_base64(store, &signed),
        transactions::unsigned_base64(store, &unsigned)
    )?;
    let found = signed.into_iter().chain(unsigned).zip(raw.into_iter().chain(psbts));
    Ok(found.filter_map(|(txid, text)| Some((txid, text?))).collect())
}
