//! `GET /api/vm-transactions`.

use std::collections::BTreeMap;

use axum::extract::State;
use bitcoin::Txid;
use chain::{
    keys,
    mints::{self, SentPayouts, VmSum, VmTransaction, private_state_key, state_keys},
    models::{
        mint::MintId,
        transaction::Work,
        vm_transaction::{RefundState, VmState, VmTransactionKey},
    },
    transactions::{self, IssuedTransaction},
};
use ordinals::RuneId;
use serde::Serialize;
use serde_json::Value;
use shared::{
    clock::Timestamp,
    http::{
        Envelope, Error, ListQuery, MaybeCaller, Problem, Result, Segment, Single, WaitsFor,
        list::{AsOf, Field, Filter, Found, ListParameters, MOST_SORTED, Resource},
        relations::{TOKEN, WALLET, tokens_of, wallet_of},
    },
    models::{account::AccountId, bitcoin::EtchedRune, wallet::AddressText},
    store::{
        Key, StateOrder, Store, StoreError,
        lists::{Member, Order},
    },
};
use utoipa::{IntoParams, ToSchema};

use crate::{app::App, error::VmError};

/// Rows of an index by state that paging can skip.
const DEEPEST: u64 = 10_000;

/// One VM transaction of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VmTransactionRow {
    /// The owner; used only for the relation `wallet`.
    #[serde(skip)]
    account_id: AccountId,
    /// Txid of the commitment.
    #[schema(value_type = String)]
    id: Txid,
    /// Same as `id`.
    #[schema(value_type = String)]
    tx_id: Txid,
    /// The VM transaction that this one replaces.
    #[schema(required = true, value_type = Option<String>)]
    replace_tx_id: Option<Txid>,
    /// The VM transaction that replaced this one.
    #[schema(required = true, value_type = Option<String>)]
    replaced_by_tx_id: Option<Txid>,
    mint_id: MintId,
    state: VmState,
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
    transfer_btc_tx_id: Option<Txid>,
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
    /// Amount paid for requests that no virtual block took, in sats; set once that is final.
    refundable_sats: u64,
    /// The distribution that includes it.
    #[schema(required = true)]
    vm_distribution_id: Option<String>,
}

impl Resource for VmTransactionRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("txId").sortable(),
        Field::visible("replaceTxId"),
        Field::visible("replacedByTxId"),
        Field::visible("mintId"),
        Field::visible("state"),
        Field::visible("runeId"),
        Field::visible("replacedRequestsCount").sortable(),
        Field::visible("requestsInMempoolCount").sortable(),
        Field::visible("requestsInBlocksCount").sortable(),
        Field::visible(PRICE).sortable(),
        Field::visible("satsNewRequests").sortable(),
        Field::visible("satsPreviousRequests").sortable(),
        Field::visible("paidSats").sortable(),
        Field::visible("tradingAddress"),
        Field::visible(BASE64_TX),
        Field::visible("timestamp").sortable(),
        Field::visible("createdAt").sortable(),
        Field::visible("transferBtcTxId"),
        Field::visible("transferBtcAt"),
        Field::visible("distributeRuneTxId"),
        Field::visible("distributeRuneAt"),
        Field::visible("refundTxId"),
        Field::visible("refundState"),
        Field::visible("isRefundable"),
        Field::visible("refundableSats").sortable(),
        Field::visible("vmDistributionId"),
    ];
    const SEQUENCE: &'static [&'static str] = &["timestamp", "createdAt"];
    const FILTERS: &'static [Filter] = &[
        Filter::of::<VmState>("state"),
        Filter::of::<EtchedRune>("runeId"),
        Filter::of::<AddressText>("tradingAddress"),
        Filter::of::<AddressText>("userAddress"),
    ];
}

/// Virtual blocks of one VM transaction that are told.
const MOST_BLOCKS: usize = 100;
const BASE64_TX: &str = "base64Tx";
const PRICE: &str = "satsPerNewRequest";

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct VmTransactionFilters {
    /// Only rows in this state; requires `runeId_eq`. `unsigned` and `expired` return only the caller's own
    /// rows.
    #[param(rename = "state_eq")]
    state: Option<VmState>,
    /// Only rows of this rune.
    #[param(rename = "runeId_eq")]
    rune_id: Option<EtchedRune>,
    /// Only rows paid from this trading address.
    #[param(rename = "tradingAddress_eq")]
    trading_address: Option<String>,
    /// Only rows that this address created.
    #[param(rename = "userAddress_eq")]
    user_address: Option<String>,
}

impl VmTransactionRow {
    fn from_transaction(vm: VmTransaction, base64_tx: Option<String>, sent: &SentPayouts) -> Self {
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
            refundable_sats: vm.refundable_sats(),
            vm_distribution_id: vm.distribution.map(|number| format!("{}-{number}", vm.mint_id)),
            trading_address: vm.trading_address,
        }
    }
}

/// Lists signed VM transactions, newest first. With a token and `state_eq=unsigned` or `expired` it lists the
/// caller's own. There an invalid token is a 401; elsewhere it is ignored.
///
/// Filters: `state_eq` with `runeId_eq`; or one of `tradingAddress_eq` and `userAddress_eq`, with or without
/// `runeId_eq`; or `runeId_eq` alone. With `state_eq=allInMempool`, pages sorted by `satsPerNewRequest` cost the same however
/// many wait.
#[utoipa::path(
    get,
    path = "/api/vm-transactions",
    tag = "vm-transactions",
    security((), ("bearer" = [])),
    params(ListParameters, AsOf, VmTransactionFilters),
    responses((
        status = 200,
        description = "A page of VM transactions",
        body = Envelope<Vec<VmTransactionRow>>
    ))
)]
pub async fn list_vm_transactions(
    State(app): State<App>,
    caller: MaybeCaller,
    query: ListQuery<VmTransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    let rune = query.filter("runeId").and_then(|rune| rune.parse::<EtchedRune>().ok());
    let rune = rune.map(|rune| rune.0);
    let account = caller.if_any().map(|caller| caller.account);
    let list = match (
        query.filter("state"),
        query.filter("tradingAddress"),
        query.filter("userAddress"),
    ) {
        (None, None, None) => rune.map_or_else(keys::lists::vm, keys::lists::vm_by_rune),
        (None, Some(address), None) => keys::lists::vm_by_trading_address(address, rune),
        (None, None, Some(address)) => keys::lists::vm_by_user_address(address, rune),
        (Some(state), None, None) if rune.is_some() => {
            let (Ok(state), Some(rune)) = (state.parse(), rune) else {
                return Err(Error::new(Problem::VmFiltersUnsupported));
            };
            let owner = if VmState::is_private(state) {
                caller.or_refused()?.map(|caller| caller.account)
            } else {
                None
            };
            let found = in_state(&app, &query, state, rune, owner).await?;
            return answer(&app, &query, &found, account).await;
        }
        _ => {
            let details =
                "state_eq goes only with runeId_eq; give at most one of the two addresses.";
            return Err(Error::with_details(Problem::VmFiltersUnsupported, details));
        }
    };
    let with_base64 = query.selects(BASE64_TX);
    let load = |members: Vec<Member<VmTransactionKey>>| {
        let keys = members.into_iter().map(|member| keys::vm_transaction(member.value)).collect();
        read_rows(&app.store, keys, with_base64)
    };
    let found = query.read(&app.store, &list, load).await?;
    answer(&app, &query, &found, account).await
}

/// One VM transaction, with its prices and its virtual blocks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneVmTransaction {
    #[serde(flatten)]
    row: VmTransactionRow,
    /// Its requests by price: those of the VM transactions that it replaces first, in the order of their creation.
    prices: Vec<RequestsOfTransaction>,
    /// The virtual blocks that hold requests of it, the newest first; at most 100, and of a batch that is in very many
    /// blocks fewer. `requestsInBlocksCount` counts all. A reorganisation can change those of the last six Bitcoin blocks.
    blocks: Vec<BlockOfTransaction>,
}

/// Requests of a VM transaction at one price.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestsOfTransaction {
    /// The price of each, in sats.
    sats: u64,
    /// Number of requests.
    requests: u64,
    /// Those of them that are in virtual blocks.
    in_blocks: u64,
}

/// Requests of a VM transaction in one virtual block.
#[derive(Debug, Serialize, ToSchema)]
pub struct BlockOfTransaction {
    /// The height of its Bitcoin block.
    height: u32,
    /// Number of requests that it took.
    requests: u64,
}

impl OneVmTransaction {
    fn of(vm: &VmTransaction, row: VmTransactionRow) -> Self {
        let prices = vm.tiers.iter().map(|tier| RequestsOfTransaction {
            sats: tier.sats_per_request,
            requests: tier.count,
            in_blocks: tier.in_blocks,
        });
        let blocks = vm.blocks.newest(MOST_BLOCKS).into_iter();
        let blocks = blocks.map(|(height, requests)| BlockOfTransaction { height, requests });
        Self { row, prices: prices.collect(), blocks: blocks.collect() }
    }
}

/// One VM transaction. One that is unsigned or expired exists for its owner alone.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/{txId}",
    tag = "vm-transactions",
    security((), ("bearer" = [])),
    params(("txId" = String, Path, description = "Txid of the commitment", pattern = "^[0-9a-fA-F]{64}$")),
    responses((status = 200, description = "The VM transaction", body = Single<OneVmTransaction>))
)]
pub async fn vm_transaction_by_id(
    State(app): State<App>,
    caller: MaybeCaller,
    Segment(txid): Segment<Txid>,
) -> Result<Single<OneVmTransaction>> {
    let issued = app.store.get::<IssuedTransaction>(&keys::transaction(txid)).await?;
    let Some(Work::VmCommitment(commitment)) = issued.map(|issued| issued.work) else {
        return Err(VmError::TransactionNotFound.into());
    };
    let key = VmTransactionKey { mint_id: commitment.mint_id, txid };
    let vm = mints::vm_transaction(&app.store, key).await?.ok_or(VmError::TransactionNotFound)?;
    let reader = match vm.state.is_private() {
        true => caller.or_refused()?.map(|caller| caller.account),
        false => None,
    };
    if vm.state.is_private() && reader != Some(vm.account_id) {
        return Err(VmError::TransactionNotFound.into());
    }
    let (state, is_refunding) = (vm.state, vm.refund_state == RefundState::Open);
    let is_all_refunded = vm.settlement.is_some_and(|it| it.distributable_requests == 0);
    let mut rows = rows_of(&app.store, vec![vm.clone()], true).await?;
    let row = rows.pop().ok_or(VmError::TransactionNotFound)?;
    let is_over = match state {
        VmState::Expired | VmState::Replaced | VmState::Failed => true,
        VmState::Distributed => row.transfer_btc_tx_id.is_some(),
        _ => is_all_refunded,
    };
    let waits_for = match state {
        VmState::Unsigned | VmState::Broadcasting => Some(WaitsFor::Moment),
        _ => (is_refunding || !is_over).then_some(WaitsFor::Block),
    };
    Ok(Single::waiting(OneVmTransaction::of(&vm, row), waits_for))
}

/// Builds a page for a caller.
async fn answer(
    app: &App,
    query: &ListQuery<VmTransactionRow>,
    found: &Found<VmTransactionRow>,
    caller: Option<AccountId>,
) -> Result<Envelope<Vec<Value>>> {
    let wallet = match caller.filter(|_| query.populates(WALLET)) {
        Some(account) => wallet_of(&app.store, account).await?,
        None => Value::Null,
    };
    let runes = found.rows.iter().map(|row| row.rune_id.0);
    let tokens = runes_of(app, query.populates(TOKEN), runes).await?;
    query.answer(found, |relation, place| match (relation, found.rows.get(place)) {
        (WALLET, Some(row)) if Some(row.account_id) == caller => wallet.clone(),
        (TOKEN, Some(row)) => tokens.get(&row.rune_id.to_string()).cloned().unwrap_or_default(),
        _ => Value::Null,
    })
}

/// Runes from the token catalogue by id, if `wanted`.
pub(crate) async fn runes_of(
    app: &App,
    wanted: bool,
    runes: impl Iterator<Item = RuneId>,
) -> Result<BTreeMap<String, Value>> {
    let ids = runes.filter(|_| wanted).filter_map(|rune| rune.to_string().parse().ok());
    Ok(tokens_of(&app.store, ids).await?)
}

/// The rows of these keys; deleted rows are omitted.
async fn read_rows(
    store: &Store,
    keys: Vec<Key>,
    with_base64: bool,
) -> Result<Vec<VmTransactionRow>, StoreError> {
    let found = store.get_many::<VmTransaction>(&keys).await?;
    rows_of(store, found.into_iter().flatten().collect(), with_base64).await
}

async fn rows_of(
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

/// Rows of a rune in a state. Private rows are returned only to their owner (custody rule 22).
async fn in_state(
    app: &App,
    query: &ListQuery<VmTransactionRow>,
    state: VmState,
    rune: RuneId,
    owner: Option<AccountId>,
) -> Result<Found<VmTransactionRow>> {
    let index = match (state.is_private(), owner) {
        (false, _) => state_keys(state, rune),
        (true, Some(owner)) => vec![private_state_key(state, rune, owner)],
        (true, None) => return Ok(Found { rows: Vec::new(), total: 0, as_of: None }),
    };
    query.refuse_as_of()?;
    let store = &app.store;
    let deepest = usize::try_from(DEEPEST).unwrap_or(usize::MAX);
    let oldest_first = (StateOrder::Created, true);
    let total = if state.is_private() {
        store.in_state(&index, oldest_first, (0, deepest)).await?.len() as u64
    } else {
        let sums = mints::vm_sums(store, Some(rune)).await?;
        let sums = sums.iter().map(|sums| sums.get(VmSum::InState(state)));
        sums.fold(0, u64::saturating_add)
    };
    let still_there = |found: Vec<VmTransactionRow>| {
        found.into_iter().filter(|row| row.state == state).collect::<Vec<_>>()
    };
    let with_base64 = query.selects(BASE64_TX);
    let by_price = query.sorted_by(PRICE).filter(|_| state == VmState::AllInMempool);
    let by_price = by_price.map(|(window, falls)| (window, (StateOrder::Price, !falls)));
    let by_time = query.walk();
    let by_time =
        by_time.map(|(window, order)| (window, (StateOrder::Created, order == Order::OldestFirst)));
    let Some((window, order)) = by_time.or(by_price) else {
        if total > MOST_SORTED {
            return Err(query.too_long(&[]));
        }
        let keys = store.in_state(&index, oldest_first, (0, deepest)).await?;
        let found = still_there(read_rows(store, keys, with_base64).await?);
        return Ok(Found { total, ..query.sorted_page(found)? });
    };
    let skipped = window.page.saturating_sub(1).saturating_mul(window.size);
    if skipped.saturating_add(window.size) > DEEPEST {
        let details = format!("A list filtered by state ends after {DEEPEST} rows.");
        return Err(Error::with_details(Problem::VmPageTooDeep, details));
    }
    if skipped >= total {
        return Ok(Found { rows: Vec::new(), total, as_of: None });
    }
    let range = (
        usize::try_from(skipped).unwrap_or(usize::MAX),
        usize::try_from(window.size).unwrap_or(usize::MAX),
    );
    let keys = store.in_state(&index, order, range).await?;
    let rows = still_there(read_rows(store, keys, with_base64).await?);
    Ok(Found { rows, total, as_of: None })
}
