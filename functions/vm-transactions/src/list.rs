//! `GET /api/vm-transactions`.

use std::{
    collections::{BTreeMap, BTreeSet},
    str::FromStr,
};

use axum::extract::State;
use bitcoin::Txid;
use chain::{
    keys,
    mints::{self, SentPayouts, VmSum, VmSums, VmTransaction, private_state_key, state_keys},
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
        Envelope, Error, ListQuery, MaybeCaller, Params, Problem, Result, Segment, Single,
        WaitsFor,
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
/// Most states of runes whose rows are read together.
const MOST_STATES: usize = 24;

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

/// The maximum number of virtual blocks in the response for one VM transaction.
const MOST_BLOCKS: usize = 100;
const BASE64_TX: &str = "base64Tx";
const PRICE: &str = "satsPerNewRequest";

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct VmTransactionFilters {
    /// Only rows in one of these states. `unsigned` and `expired` return only the caller's own rows, and
    /// require `runeId_eq`.
    #[param(rename = "state_eq", style = Form, explode = false)]
    state: Option<Vec<VmState>>,
    /// Only rows of this rune.
    #[param(rename = "runeId_eq")]
    rune_id: Option<EtchedRune>,
    /// Only rows of one of these mints. A rune can have several mints, one after the other.
    #[param(rename = "mintId_eq", style = Form, explode = false)]
    mint_id: Option<Vec<MintId>>,
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
            not_taken_sats: vm.refundable_sats(),
            vm_distribution_id: vm.distribution.map(|number| format!("{}-{number}", vm.mint_id)),
            trading_address: vm.trading_address,
        }
    }
}

/// Lists signed VM transactions, newest first. With a token and `state_eq=unsigned` or `expired`, it lists the
/// caller's own. An invalid token is then a 401; in other requests it is ignored.
///
/// Filters can be combined, except for `tradingAddress_eq` with `userAddress_eq`. Pages of one rune, of one
/// mint, of one address, or of the states of a rune take the same time however long the list is. Other
/// combinations work on up to 5,000 rows, and states of very many runes require `runeId_eq`. With
/// `state_eq=allInMempool`, pages sorted by `satsPerNewRequest` also take the same time however many batches
/// wait: they are the bids of open mints.
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
    mut query: ListQuery<VmTransactionRow>,
) -> Result<Envelope<Vec<Value>>> {
    let rune = query.filter("runeId").and_then(|rune| rune.parse::<EtchedRune>().ok());
    let rune = rune.map(|rune| rune.0);
    let account = caller.if_any().map(|caller| caller.account);
    let states: Vec<VmState> = parsed(query.row_filter("state"));
    let mints: Vec<MintId> = parsed(query.row_filter("mintId"));
    let is_private = states.iter().any(|state| state.is_private());
    let list = match (query.filter("tradingAddress"), query.filter("userAddress")) {
        (Some(_), Some(_)) => return Err(unsupported("Give at most one of the two addresses.")),
        (Some(_), None) | (None, Some(_)) if is_private => return Err(unsupported(PRIVATE)),
        (Some(address), None) => keys::lists::vm_by_trading_address(address, rune),
        (None, Some(address)) => keys::lists::vm_by_user_address(address, rune),
        (None, None) if !states.is_empty() => {
            let owner = match is_private {
                true => caller.or_refused()?.map(|caller| caller.account),
                false => None,
            };
            let wanted = InStates { states, rune, mints, owner };
            let found = in_states(&app, &query, &wanted).await?;
            return answer(&app, &query, &found, account).await;
        }
        (None, None) => match (mints.as_slice(), rune) {
            ([mint], None) => {
                let list = keys::lists::vm_by_mint(*mint);
                query = query.without_filter("mintId");
                list
            }
            _ => rune.map_or_else(keys::lists::vm, keys::lists::vm_by_rune),
        },
    };
    let with_base64 = query.selects(BASE64_TX);
    let load = |members: Vec<Member<VmTransactionKey>>| {
        let keys = members.into_iter().map(|member| keys::vm_transaction(member.value)).collect();
        read_rows(&app.store, keys, with_base64)
    };
    let found = query.read(&app.store, &list, load).await?;
    answer(&app, &query, &found, account).await
}

const PRIVATE: &str =
    "The states unsigned and expired go only with runeId_eq, and without an address.";

fn unsupported(details: &'static str) -> Error {
    Error::with_details(Problem::VmFiltersUnsupported, details)
}

/// The values of a filter, which are in canonical form.
fn parsed<T: FromStr>(values: Option<&[String]>) -> Vec<T> {
    values.unwrap_or_default().iter().filter_map(|value| value.parse().ok()).collect()
}

/// One VM transaction, with its prices and its virtual blocks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneVmTransaction {
    #[serde(flatten)]
    row: VmTransactionRow,
    /// Its requests by price. Requests of the VM transactions that it replaces come first, in the order of
    /// their creation.
    prices: Vec<RequestsOfTransaction>,
    /// The virtual blocks that contain its requests, newest first; at most 100, and fewer if the batch is in
    /// very many blocks. `requestsInBlocksCount` counts all its requests in virtual blocks. A reorganisation
    /// can change those of the last six Bitcoin blocks.
    blocks: Vec<BlockOfTransaction>,
}

/// Requests of a VM transaction at one price.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestsOfTransaction {
    /// The price of each request, in sats.
    price: u64,
    /// Number of requests.
    requests: u64,
    /// Number of these requests that are in virtual blocks.
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
            price: tier.sats_per_request,
            requests: tier.count,
            in_blocks: tier.in_blocks,
        });
        let blocks = vm.blocks.newest(MOST_BLOCKS).into_iter();
        let blocks = blocks.map(|(height, requests)| BlockOfTransaction { height, requests });
        Self { row, prices: prices.collect(), blocks: blocks.collect() }
    }
}

/// Returns one VM transaction. Only its owner can read it while it is unsigned or expired.
#[utoipa::path(
    get,
    path = "/api/vm-transactions/{txId}",
    tag = "vm-transactions",
    security((), ("bearer" = [])),
    params(("txId" = String, Path, description = "Txid of the commitment", pattern = "^[0-9a-fA-F]{64}$")),
    responses((status = 200, description = "The VM transaction", body = Single<OneVmTransaction>))
)]
pub async fn get_vm_transaction(
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

/// The states whose rows are wanted.
struct InStates {
    states: Vec<VmState>,
    rune: Option<RuneId>,
    /// If any: only rows of these mints.
    mints: Vec<MintId>,
    /// The caller, if private states are among them.
    owner: Option<AccountId>,
}

/// Index keys, and how many rows they have.
struct Indexed {
    keys: Vec<String>,
    total: u64,
    /// Further rows, of other mints.
    others: u64,
}

impl InStates {
    /// The index keys of the public states.
    async fn public(&self, store: &Store) -> Result<Indexed> {
        let public = || self.states.iter().copied().filter(|state| !state.is_private());
        let (mut found, mut total, mut others) = (BTreeSet::new(), 0_u64, 0_u64);
        let sums = mints::vm_sums(store, self.rune).await?;
        let is_wanted = |sums: &VmSums| {
            self.mints.is_empty() || sums.mint().is_some_and(|mint| self.mints.contains(&mint))
        };
        for sums in sums.iter().filter(|sums| is_wanted(sums)) {
            let Ok(rune) = sums.rune().parse::<RuneId>() else { continue };
            for state in public() {
                let count = sums.get(VmSum::InState(state));
                total = total.saturating_add(count);
                if count > 0 {
                    found.insert((state, rune));
                }
            }
        }
        for sums in sums.iter().filter(|sums| !is_wanted(sums)) {
            let in_found = found.iter().filter(|(_, rune)| rune.to_string() == sums.rune());
            let counts = in_found.map(|(state, _)| sums.get(VmSum::InState(*state)));
            others = counts.fold(others, u64::saturating_add);
        }
        if found.len() > MOST_STATES {
            return Err(unsupported("Too many runes have rows in these states: add runeId_eq."));
        }
        let keys = found.into_iter().flat_map(|(state, rune)| state_keys(state, rune)).collect();
        Ok(Indexed { keys, total, others })
    }

    /// The index keys of the private states, which only their owner may see (custody rule 22).
    async fn private(&self, store: &Store) -> Result<Indexed> {
        let private: Vec<_> = self.states.iter().filter(|state| state.is_private()).collect();
        let (Some(owner), false) = (self.owner, private.is_empty()) else {
            return Ok(Indexed { keys: Vec::new(), total: 0, others: 0 });
        };
        let rune = self.rune.ok_or_else(|| unsupported(PRIVATE))?;
        let key = |state: &&VmState| private_state_key(**state, rune, owner);
        let keys: Vec<_> = private.iter().map(key).collect();
        let all = (0, usize::try_from(DEEPEST).unwrap_or(usize::MAX));
        let total = store.in_state(&keys, (StateOrder::Created, true), all).await?.len();
        Ok(Indexed { keys, total: u64::try_from(total).unwrap_or(u64::MAX), others: 0 })
    }
}

/// Rows in some states, read from the index by state.
async fn in_states(
    app: &App,
    query: &ListQuery<VmTransactionRow>,
    wanted: &InStates,
) -> Result<Found<VmTransactionRow>> {
    query.refuse_as_of()?;
    let store = &app.store;
    if wanted.rune.is_none() && wanted.states.iter().any(|state| state.is_private()) {
        return Err(unsupported(PRIVATE));
    }
    let (public, private) = (wanted.public(store).await?, wanted.private(store).await?);
    let total = public.total.saturating_add(private.total);
    let is_exact = public.others == 0 && (wanted.mints.is_empty() || private.total == 0);
    let index: Vec<_> = public.keys.into_iter().chain(private.keys).collect();
    if index.is_empty() {
        return Ok(Found { rows: Vec::new(), total: 0, as_of: None });
    }
    let still_there = |found: Vec<VmTransactionRow>| {
        let wanted = |row: &VmTransactionRow| wanted.states.contains(&row.state);
        found.into_iter().filter(wanted).collect::<Vec<_>>()
    };
    let with_base64 = query.selects(BASE64_TX);
    let is_waiting = wanted.states == [VmState::AllInMempool];
    let by_price = query.sorted_by(PRICE).filter(|_| is_waiting);
    let by_price = by_price.map(|(window, falls)| (window, (StateOrder::Price, !falls)));
    let by_time = query.walk();
    let by_time =
        by_time.map(|(window, order)| (window, (StateOrder::Created, order == Order::OldestFirst)));
    let Some((window, order)) = by_time.or(by_price).filter(|_| is_exact) else {
        if total.saturating_add(public.others) > MOST_SORTED {
            return Err(query.too_long(&[]));
        }
        let all = (0, usize::try_from(DEEPEST).unwrap_or(usize::MAX));
        let keys = store.in_state(&index, (StateOrder::Created, true), all).await?;
        let found = query.sorted_page(still_there(read_rows(store, keys, with_base64).await?))?;
        return Ok(if is_exact { Found { total, ..found } } else { found });
    };
    let skipped = window.page.saturating_sub(1).saturating_mul(window.size);
    if skipped.saturating_add(window.size) > DEEPEST {
        let details = format!("A list filtered by state ends after {DEEPEST} rows.");
        let params = Params::new().number("maximum", DEEPEST);
        return Err(Error::with_details(Problem::VmPageTooDeep, details).with_params(params));
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
