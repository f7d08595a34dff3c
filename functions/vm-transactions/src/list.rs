//! `GET /api/vm-transactions`.

use std::{collections::BTreeSet, str::FromStr};

use axum::extract::State;
use bitcoin::Txid;
use chain::{
    keys,
    mints::{self, VmSum, VmSums, VmTransaction, private_state_key, state_keys},
    models::{
        mint::MintId,
        transaction::Work,
        vm_transaction::{RefundState, VmState, VmTransactionKey},
    },
    transactions::IssuedTransaction,
    views::batches::{self as views, BASE64_TX, PRICE, VmTransactionRow},
};
use ordinals::RuneId;
use serde::Serialize;
use serde_json::Value;
use shared::{
    http::{
        Envelope, Error, ListQuery, MaybeCaller, Params, Problem, Result, Segment, Single,
        WaitsFor,
        list::{AsOf, ListPage, ListParameters, MOST_SORTED},
    },
    models::{account::AccountId, bitcoin::EtchedRune},
};
use store::{Store, lists::Order};
use utoipa::{IntoParams, ToSchema};

use crate::{app::App, error::VmError};

/// Rows of an index by state that paging can skip.
const DEEPEST: u64 = 10_000;
/// Most states of runes whose rows are read together.
const MOST_STATES: usize = 24;

/// The maximum number of virtual blocks in the response for one VM transaction.
const MOST_BLOCKS: usize = 100;

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
            return views::answer_batches(&app.store, account, &query, &found).await;
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
    let found = views::read_batches(&app.store, &list, &query).await?;
    views::answer_batches(&app.store, account, &query, &found).await
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
    let mut rows = views::rows_of(&app.store, vec![vm.clone()], true).await?;
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
        let private_keys: Vec<_> = private.iter().map(key).collect();
        let all = (0, usize::try_from(DEEPEST).unwrap_or(usize::MAX));
        let total = store.indexed((keys::VM_BY_CREATION, true), &private_keys, all).await?.len();
        Ok(Indexed {
            keys: private_keys,
            total: u64::try_from(total).unwrap_or(u64::MAX),
            others: 0,
        })
    }
}

/// Rows in some states, read from the index by state.
async fn in_states(
    app: &App,
    query: &ListQuery<VmTransactionRow>,
    wanted: &InStates,
) -> Result<ListPage<VmTransactionRow>> {
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
        return Ok(ListPage { rows: Vec::new(), total: 0, as_of: None });
    }
    let still_there = |found: Vec<VmTransactionRow>| {
        let wanted = |row: &VmTransactionRow| wanted.states.contains(&row.state);
        found.into_iter().filter(wanted).collect::<Vec<_>>()
    };
    let with_base64 = query.selects(BASE64_TX);
    let is_waiting = wanted.states == [VmState::AllInMempool];
    let by_price = query.sorted_by(PRICE).filter(|_| is_waiting);
    let by_price = by_price.map(|(window, falls)| (window, (keys::VM_BY_PRICE, !falls)));
    let by_time = query.walk();
    let by_time = by_time
        .map(|(window, order)| (window, (keys::VM_BY_CREATION, order == Order::OldestFirst)));
    let Some((window, order)) = by_time.or(by_price).filter(|_| is_exact) else {
        if total.saturating_add(public.others) > MOST_SORTED {
            return Err(query.too_long(&[]));
        }
        let all = (0, usize::try_from(DEEPEST).unwrap_or(usize::MAX));
        let keys = store.indexed((keys::VM_BY_CREATION, true), &index, all).await?;
        let found =
            query.sorted_page(still_there(views::rows_of_keys(store, keys, with_base64).await?))?;
        return Ok(if is_exact { ListPage { total, ..found } } else { found });
    };
    let skipped = window.page.saturating_sub(1).saturating_mul(window.size);
    if skipped.saturating_add(window.size) > DEEPEST {
        let details = format!("A list filtered by state ends after {DEEPEST} rows.");
        let params = Params::new().number("maximum", DEEPEST);
        return Err(Error::with_details(Problem::VmPageTooDeep, details).with_params(params));
    }
    if skipped >= total {
        return Ok(ListPage { rows: Vec::new(), total, as_of: None });
    }
    let range = (
        usize::try_from(skipped).unwrap_or(usize::MAX),
        usize::try_from(window.size).unwrap_or(usize::MAX),
    );
    let keys = store.indexed(order, &index, range).await?;
    let rows = still_there(views::rows_of_keys(store, keys, with_base64).await?);
    Ok(ListPage { rows, total, as_of: None })
}
