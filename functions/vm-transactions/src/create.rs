//! `POST /api/vm-transactions`.

use std::cmp::Reverse;

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use bitcoin::{Amount, Txid};
use chain::{
    bitcoin::plan::{Payment, Plan, Role},
    keys,
    mints::{self, Changes, MOST_TIERS, Mint, TakenBlocks, Tier, VmAccount, VmTransaction},
    models::{
        amount::Units,
        fee::{FeeChoice, FeeTarget},
        transaction::{Commitment, TransactionState, Work},
        vm_transaction::{RefundState, VmState, VmTransactionKey},
    },
    trading::{Notes, Paid},
    transactions::{
        self, ChainError, FullTransaction, Goal, IssueRequest, IssuedTransaction, Preview, Refusal,
        Remarks, RequestDigest, TransactionPreview, UnsignedTransaction,
    },
};
use serde_json::Value;
use shared::{
    auth::limits::{self, Limit, TRANSACTION_BY_ACCOUNT, WALLET_BY_ACCOUNT},
    http::{
        Created, DryRun, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input, LiveCaller,
        OkWith, Problem, Query, Result,
    },
    models::{
        account::AccountId,
        bitcoin::{EtchedRune, OutPoint},
        trading_wallet::{RENEWAL_NEEDED_BELOW, TradingWallet},
    },
};
use store::{Key, Update};
use utoipa::ToSchema;

use crate::{app::App, error::VmError, place};

/// The largest number in a request: 21 million bitcoin in sats.
const LARGEST: u64 = 2_100_000_000_000_000;
/// Fewest blocks that a coin's delay must have left (custody rule 2).
const LEAST_BLOCKS_LEFT: u32 = RENEWAL_NEEDED_BELOW;
/// Additional blocks for the first batch of a chain, so that it can be replaced for a day.
const REPLACEABLE_FOR: u32 = 144;

/// Request body of a batch.
#[derive(Clone, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct CreateVmTransaction {
    /// One of the caller's own addresses.
    #[schema(max_length = 128)]
    user_address: String,
    /// The rune to mint.
    rune_id: EtchedRune,
    /// Number of requests.
    #[schema(minimum = 1, maximum = 2_100_000_000_000_000_i64)]
    request_count: u64,
    /// Their total price in sats: a multiple of `requestCount`.
    #[schema(minimum = 1, maximum = 2_100_000_000_000_000_i64)]
    sats_new_requests: u64,
}

impl Input for CreateVmTransaction {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let user_address = fields.text("userAddress", 128);
        let rune_id = fields.parsed("runeId", 31);
        let request_count = number(fields, "requestCount");
        let sats_new_requests = number(fields, "satsNewRequests");
        let (request_count, sats_new_requests) = (request_count?, sats_new_requests?);
        if sats_new_requests.checked_rem(request_count) != Some(0) {
            return fields.wrong("satsNewRequests", "must be a multiple of requestCount");
        }
        Some(Self {
            user_address: user_address?,
            rune_id: rune_id?,
            request_count,
            sats_new_requests,
        })
    }
}

/// Reads a whole number, at least 1.
pub(crate) fn number(fields: &mut Fields<'_>, name: &str) -> Option<u64> {
    match fields.required(name)? {
        number @ 1..=LARGEST => Some(number),
        _ => fields.wrong(name, format!("must be from 1 to {LARGEST}")),
    }
}

/// Creates a batch of requests: a Bitcoin transaction that pays the mint's treasury. The caller has ten
/// minutes to sign it.
///
/// If the account's previous batch for the same rune is unconfirmed, the new one replaces it and pays for the
/// requests of both (BIP 125). The same holds if the network has refused the previous batch for half an hour,
/// or has dropped it and not accepted it again for as long. Until the transaction expires, the same request
/// returns the same transaction; a different request supersedes it.
#[utoipa::path(
    post,
    path = "/api/vm-transactions",
    tag = "vm-transactions",
    security(("bearer" = [])),
    params(DryRun, IdempotencyHeader),
    request_body = CreateVmTransaction,
    responses(
        (
            status = 200,
            description = "With `dryRun`: the transaction that would be created",
            body = OkWith<TransactionPreview, Notes>
        ),
        (
            status = 201,
            description = "The transaction to sign",
            body = Envelope<UnsignedTransaction>
        )
    )
)]
pub async fn create_vm_transaction(
    State(app): State<App>,
    caller: LiveCaller,
    Query(dry_run): Query<DryRun>,
    request: Idempotent<CreateVmTransaction>,
) -> Result<Response> {
    if dry_run.is_wanted() {
        return Ok(preview(&app, &caller, request.body).await?.into_response());
    }
    let stands = async |answer| Ok(transactions::still_offered(&app, &answer).await?);
    let work = async |body| create(&app, &caller, body).await.map(Created);
    request.once_while(&app, caller.account.id, stands, work).await
}

/// A batch that the mint can take.
struct CheckedBatch<'a> {
    wallet: &'a TradingWallet,
    user_address: String,
    mint: Mint,
    wanted: Tier,
    request: RequestDigest,
}

/// Checks a batch, and counts the request against `limit`.
async fn checked<'a>(
    app: &App,
    caller: &'a LiveCaller,
    body: &CreateVmTransaction,
    limit: Limit,
) -> Result<CheckedBatch<'a>> {
    let wallet = caller.account.trading_wallet.as_ref();
    let wallet = wallet.ok_or(Error::new(Problem::NoTradingWallet))?;
    let user_address = caller.own_address(app.network, &body.user_address)?;
    limits::hit(app, limit, &caller.account.id.to_string()).await?;
    let mint = mints::mint_of_rune(&app.store, body.rune_id.0).await?.ok_or(VmError::NoMint)?;
    let wanted = requested_tier(body, &mint)?;
    if !mint.takes_requests(app.clock.now()) {
        let to_open = app.clock.now() < mint.opens_at;
        return Err(if to_open { VmError::NoMint } else { VmError::MintClosed }.into());
    }
    let request = (mint.id, wanted.count, wanted.sats_per_request, &user_address);
    let request = RequestDigest::of("virtual-mint", &request)?;
    Ok(CheckedBatch { wallet, user_address, mint, wanted, request })
}

/// A batch whose coins are not chosen yet.
struct PlannedBatch<'a> {
    issue: IssueRequest<'a>,
    tiers: Vec<Tier>,
    sats: Amount,
}

impl<'a> CheckedBatch<'a> {
    /// The batch, if it replaces this one.
    fn planned(
        &self,
        account: AccountId,
        issued: Option<IssuedTransaction>,
        vm: Option<&VmTransaction>,
    ) -> Result<PlannedBatch<'a>, VmError> {
        let mut tiers = vm.map(|vm| vm.tiers.clone()).unwrap_or_default();
        tiers.push(self.wanted);
        if tiers.len() > MOST_TIERS {
            return Err(VmError::TooManyPrices(MOST_TIERS));
        }
        let sats = tiers.iter().map(|tier| Amount::from_sat(tier.sats()));
        let sats =
            sats.fold(Amount::ZERO, |sum, sats| sum.checked_add(sats).unwrap_or(Amount::MAX));
        let sats = sats.min(Amount::MAX_MONEY);
        let issue = IssueRequest {
            account,
            request: self.request.clone(),
            wallet: self.wallet,
            work: Work::VmCommitment(Commitment {
                mint_id: self.mint.id,
                user_address: self.user_address.clone(),
            }),
            goal: Goal::Pay(vec![Payment::Btc { sats, to: self.mint.treasury.script_pubkey() }]),
            fee: FeeChoice::Target(FeeTarget::Normal),
            commitment: None,
            replaces: issued,
            anchor: vm.map(|vm| vm.anchor),
            least_blocks_left: match vm {
                Some(_) => LEAST_BLOCKS_LEFT,
                None => LEAST_BLOCKS_LEFT.saturating_add(REPLACEABLE_FOR),
            },
        };
        Ok(PlannedBatch { issue, tiers, sats })
    }
}

/// The caller's existing batch in a mint.
enum EarlierBatch {
    /// None that affects the new batch.
    Nothing,
    /// The identical batch, unsigned.
    Same(Box<IssuedTransaction>),
    /// An unconfirmed batch, accepted or refused by the network, which a new batch replaces.
    Waiting(Box<(IssuedTransaction, VmTransaction)>),
}

/// How often a request is tried while others change what it depends on.
const ATTEMPTS: u32 = 4;

async fn create(
    app: &App,
    caller: &LiveCaller,
    body: CreateVmTransaction,
) -> Result<UnsignedTransaction> {
    let batch = checked(app, caller, &body, TRANSACTION_BY_ACCOUNT).await?;
    let mint = &batch.mint;
    for _attempt in 0..ATTEMPTS {
        let pointer = keys::vm_account(mint.id, caller.account.id);
        let newest = newest_txid(app, &pointer).await?;
        let Earlier { batch: earlier, superseded } = earlier_batch(app, &batch, newest).await?;
        if !matches!(earlier, EarlierBatch::Same(_)) {
            place::check(app, mint, &batch.wanted).await?;
        }
        for draft in &superseded {
            end(app, draft).await?;
        }
        let (issued, vm) = match earlier {
            EarlierBatch::Same(row) => {
                let body = transactions::body(app, row.txid).await?;
                return Ok(UnsignedTransaction::from_issued(FullTransaction { row: *row, body })?);
            }
            EarlierBatch::Waiting(waiting) => {
                let (issued, vm) = *waiting;
                (Some(issued), Some(vm))
            }
            EarlierBatch::Nothing => (None, None),
        };
        let PlannedBatch { issue, tiers, sats } =
            batch.planned(caller.account.id, issued, vm.as_ref())?;
        let also = |issued: &IssuedTransaction, plan: &Plan| {
            let now = app.clock.now();
            let rows = mints::enter(&*app.random, mint.id, now, Refusal::MintClosed);
            let row = batch_row(issued, plan, (mint, &batch.wallet.address), vm.as_ref(), &tiers);
            let row = row.ok_or(ChainError::Damaged("the batch has no payment"))?;
            let row = Changes::new().insert(row);
            let rows = rows.and(row.writes(app.clock.now(), Refusal::Moved));
            let row = VmAccount { txid: issued.txid };
            let rows = match newest {
                Some(txid) => {
                    let as_read = Update::new().if_equal(VmAccount::TXID, txid);
                    rows.replace(&pointer, &row, as_read, Refusal::Moved)
                }
                None => rows.insert(&pointer, &row, Refusal::Moved),
            };
            Ok(match &vm {
                Some(vm) => {
                    let as_read = Update::new().if_equal(VmTransaction::VERSION, vm.version);
                    rows.check(&keys::vm_transaction(vm.key()), as_read, Refusal::Moved)
                }
                None => rows,
            })
        };
        match transactions::issue(app, issue, notes_on(sats), also).await {
            Ok(issued) => return Ok(UnsignedTransaction::from_issued(issued)?),
            Err(ChainError::MintClosed) => {
                let mint = mints::mint(&app.store, mint.id).await?;
                // Otherwise its gates are being opened.
                if !mint.is_some_and(|mint| mint.takes_requests(app.clock.now())) {
                    return Err(VmError::MintClosed.into());
                }
            }
            Err(ChainError::Moved) => {}
            // A concurrent request for the same batch may have taken the coins.
            Err(error @ (ChainError::Plan(_) | ChainError::CoinsReserved { .. })) => {
                if newest_txid(app, &pointer).await? == newest {
                    return Err(error.into());
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(VmError::Changed.into())
}

/// Shows the batch that [`create`] would create now. It writes nothing but the hit of its limit, which is
/// that of other reads of the wallet.
async fn preview(
    app: &App,
    caller: &LiveCaller,
    body: CreateVmTransaction,
) -> Result<OkWith<TransactionPreview, Value>> {
    let batch = checked(app, caller, &body, WALLET_BY_ACCOUNT).await?;
    let pointer = keys::vm_account(batch.mint.id, caller.account.id);
    for _attempt in 0..ATTEMPTS {
        let newest = newest_txid(app, &pointer).await?;
        let Earlier { batch: earlier, superseded } = earlier_batch(app, &batch, newest).await?;
        let superseded: Vec<_> = superseded.iter().map(|draft| draft.txid).collect();
        let previewed = match earlier {
            EarlierBatch::Same(row) => {
                let body = transactions::body(app, row.txid).await?;
                let issued = FullTransaction { row: *row, body };
                transactions::preview_of_draft(app, batch.wallet, issued, &superseded).await
            }
            EarlierBatch::Waiting(waiting) => {
                let (issued, vm) = *waiting;
                place::check(app, &batch.mint, &batch.wanted).await?;
                let planned = batch.planned(caller.account.id, Some(issued), Some(&vm))?;
                transactions::preview(app, planned.issue, &superseded, notes_on(planned.sats)).await
            }
            EarlierBatch::Nothing => {
                place::check(app, &batch.mint, &batch.wanted).await?;
                let planned = batch.planned(caller.account.id, None, None)?;
                transactions::preview(app, planned.issue, &superseded, notes_on(planned.sats)).await
            }
        };
        match previewed {
            Ok(Preview { transaction, notes }) => {
                let notes = notes.ok_or(ChainError::Damaged("a batch has no notes"))?;
                return Ok(OkWith::new(transaction, notes));
            }
            Err(error @ (ChainError::Plan(_) | ChainError::CoinsReserved { .. })) => {
                if newest_txid(app, &pointer).await? == newest {
                    return Err(error.into());
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(VmError::Changed.into())
}

/// The notes on a batch that pays this.
fn notes_on(sats: Amount) -> impl Fn(&Plan, Remarks) -> Result<Option<Value>, ChainError> {
    let paid = Paid::Sats(Units(sats.to_sat().into()));
    move |plan, remarks| Notes::of(plan, remarks, paid).kept()
}

/// The txid of the caller's newest batch.
async fn newest_txid(app: &App, pointer: &Key) -> Result<Option<Txid>> {
    Ok(app.store.get::<VmAccount>(pointer).await?.map(|newest| newest.txid))
}

/// The requests of the body, if the mint can take them.
fn requested_tier(body: &CreateVmTransaction, mint: &Mint) -> Result<Tier, VmError> {
    let price = body.sats_new_requests.checked_div(body.request_count).unwrap_or_default();
    if price < mint.min_sats_per_request {
        return Err(VmError::PriceTooLow(mint.min_sats_per_request));
    }
    if body.request_count > mint.total_requests {
        return Err(VmError::TooManyRequests(mint.total_requests));
    }
    Ok(Tier { count: body.request_count, sats_per_request: price, in_blocks: 0 })
}

/// The caller's existing batch, and the unsigned batches that the new one supersedes.
struct Earlier {
    batch: EarlierBatch,
    superseded: Vec<IssuedTransaction>,
}

/// Finds the caller's existing batch: the newest one, or an earlier one that it would have replaced. It only
/// reads.
async fn earlier_batch(
    app: &App,
    CheckedBatch { mint, wanted, user_address, .. }: &CheckedBatch<'_>,
    newest: Option<Txid>,
) -> Result<Earlier> {
    let key = |txid| VmTransactionKey { mint_id: mint.id, txid };
    let mut superseded = Vec::new();
    let mut next = newest;
    while let Some(txid) = next {
        let (issued, vm) = tokio::try_join!(transactions::load(app, txid), async {
            Ok(mints::vm_transaction(&app.store, key(txid)).await?)
        })?;
        let (Some(issued), Some(vm)) = (issued, vm) else { break };
        // The same coins and sums have since been used for a transaction of another mint.
        if !matches!(&issued.work, Work::VmCommitment(work) if work.mint_id == mint.id) {
            next = vm.replaces;
            continue;
        }
        let replaced = async || match vm.replaces {
            Some(txid) => mints::vm_transaction(&app.store, key(txid)).await,
            None => Ok(None),
        };
        match issued.state {
            TransactionState::Unsigned => {
                let same = !issued.is_overdue(app.clock.now())
                    && vm.new_tier() == Some(wanted)
                    && vm.user_address == *user_address;
                // A batch confirmed in the meantime can no longer be replaced.
                if same && replaced().await?.is_none_or(|replaced| is_waiting(&replaced)) {
                    let batch = EarlierBatch::Same(Box::new(issued));
                    return Ok(Earlier { batch, superseded });
                }
                next = vm.replaces;
                superseded.push(issued);
            }
            // If it has failed, an earlier one may be active again.
            TransactionState::Expired | TransactionState::Failed => next = vm.replaces,
            TransactionState::Signing | TransactionState::Broadcasting => {
                // If the earlier one has confirmed after all, this one cannot.
                if replaced().await?.is_some_and(|replaced| replaced.confirmation.is_some()) {
                    break;
                }
                // Refused, or dropped and not taken back.
                if issued.state == TransactionState::Broadcasting
                    && issued.can_be_replaced()
                    && is_waiting(&vm)
                {
                    let batch = EarlierBatch::Waiting(Box::new((issued, vm)));
                    return Ok(Earlier { batch, superseded });
                }
                return Err(VmError::BatchUnderWay.into());
            }
            TransactionState::InMempool if is_waiting(&vm) => {
                let batch = EarlierBatch::Waiting(Box::new((issued, vm)));
                return Ok(Earlier { batch, superseded });
            }
            TransactionState::InMempool
            | TransactionState::Confirmed
            | TransactionState::Replaced => break,
        }
    }
    Ok(Earlier { batch: EarlierBatch::Nothing, superseded })
}

/// Ends a superseded draft. If it is overdue, this expires it as the worker would.
async fn end(app: &App, draft: &IssuedTransaction) -> Result<(), ChainError> {
    if draft.is_overdue(app.clock.now()) {
        transactions::advance(app, draft).await
    } else {
        transactions::release(app, draft).await
    }
}

/// Whether the batch is signed and unconfirmed.
fn is_waiting(vm: &VmTransaction) -> bool {
    matches!(vm.state, VmState::AllInMempool | VmState::Broadcasting) && vm.confirmation.is_none()
}

/// Builds the row of a new batch.
fn batch_row(
    issued: &IssuedTransaction,
    plan: &Plan,
    (mint, trading_address): (&Mint, &str),
    replaced: Option<&VmTransaction>,
    tiers: &[Tier],
) -> Option<VmTransaction> {
    let Work::VmCommitment(commitment) = &issued.work else { return None };
    let vout = plan.outputs.iter().position(|role| *role == Role::Recipient(0))?;
    let vout = u32::try_from(vout).ok()?;
    // The coin stays in all batches of the chain: the longer its delay, the longer they can be replaced.
    let lasting =
        plan.inputs.iter().max_by_key(|coin| (coin.expires_in, Reverse(coin.outpoint)))?;
    let lasting = OutPoint(lasting.outpoint);
    Some(VmTransaction {
        txid: issued.txid,
        version: issued.version,
        created_at: issued.created_at,
        account_id: issued.account_id?,
        mint_id: mint.id,
        rune_id: mint.rune.id,
        user_address: commitment.user_address.clone(),
        trading_address: trading_address.to_owned(),
        anchor: replaced.map_or(lasting, |replaced| replaced.anchor),
        replaces: replaced.map(|replaced| replaced.txid),
        replaced_by: None,
        state: VmState::Unsigned,
        tiers: tiers.to_vec(),
        output: OutPoint(bitcoin::OutPoint { txid: issued.txid, vout }),
        blocks: TakenBlocks::default(),
        confirmation: None,
        is_final: false,
        settlement: None,
        refund_state: RefundState::None,
        refund_txid: None,
        refund_source: None,
        transfer: None,
        distribution: None,
        state_key: String::new(),
        state_at: String::new(),
        state_price: None,
        expires_at: None,
    })
}
