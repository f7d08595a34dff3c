//! `POST /api/refund`.

use std::collections::BTreeSet;

use axum::{extract::State, response::Response};
use bitcoin::{Amount, Txid};
use chain::{
    bitcoin::plan::PlanError,
    keys,
    mints::{self, Changes, VmTransaction},
    models::{
        fee::FeeTarget,
        transaction::{Refund, TransactionState, Work},
        vm_transaction::RefundState,
    },
    transactions::{
        self, BuiltTransaction, ChainError, FullTransaction, IssuedTransaction, Refusal,
        RequestDigest, UnsignedTransaction,
    },
};
use ordinals::RuneId;
use serde::{Deserialize, Serialize};
use shared::{
    auth::limits::{self, REFUND_EXPIRY_BY_ACCOUNT, TRANSACTION_BY_ACCOUNT},
    http::{
        Created, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input, LiveCaller,
        Problem, Result,
    },
    models::{account::AccountId, bitcoin::EtchedRune},
};
use store::{Entity, Update, Writes, fields};
use utoipa::ToSchema;

use crate::{
    app::App,
    build::{self, Recipient},
    calculate::distinct,
    error::RefundError,
    quote::quote,
    request::{MOST_RUNES, RefundType, read_type},
};

/// Attempts if the account changes concurrently.
const ATTEMPTS: u32 = 5;

/// Request body of a refund.
#[derive(Clone, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct CreateRefund {
    r#type: RefundType,
    /// The runes whose mints to refund; at most 40.
    #[schema(value_type = Vec<EtchedRune>, min_items = 1, max_items = 40)]
    rune_ids: Vec<RuneId>,
    /// The address that created the VM transactions, or the trading address that paid for them.
    #[schema(max_length = 128)]
    user_address: String,
    /// The amount that the client expects to arrive, in sats, from the calculation; the service answers 409
    /// if it would differ.
    #[schema(required = false, maximum = 2_100_000_000_000_000_i64)]
    refundable_sats: Option<u64>,
}

impl Input for CreateRefund {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let r#type = read_type(fields);
        let rune_ids = match fields.required::<Vec<EtchedRune>>("runeIds") {
            Some(runes) if runes.is_empty() || runes.len() > MOST_RUNES => {
                fields.wrong("runeIds", format!("must have 1 to {MOST_RUNES} rune ids"))
            }
            runes => runes,
        };
        let user_address = fields.text("userAddress", 128);
        let refundable_sats = match fields.optional("refundableSats") {
            Some(Some(sats)) if sats > Amount::MAX_MONEY.to_sat() => {
                fields.wrong("refundableSats", "exceeds the bitcoin supply")
            }
            sats => sats,
        };
        Some(Self {
            r#type: r#type?,
            rune_ids: distinct(rune_ids?.into_iter().map(|rune| rune.0).collect()),
            user_address: user_address?,
            refundable_sats: refundable_sats?,
        })
    }
}

/// Pointer to the newest refund of an account.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewestRefund {
    txid: Txid,
}

impl Entity for NewestRefund {
    const ENTITY: &'static str = "newestRefund";
}

fields!(NewestRefund { TXID: Txid = txid });

/// Creates the refund that was calculated. The caller has ten minutes to sign the refund. It pays the trading
/// address that paid for the transactions.
///
/// An account has one unsigned refund at a time. Until it expires, the same request returns the same
/// transaction, and a different request ends it. The ended refund counts as a refund that was not signed in
/// time. The transaction spends the refunded outputs and, if the trading address has one, a coin of the user.
/// The user signs for this coin and gets it back in full. If `userInputIndexes` is empty, the client sends the
/// transaction back unchanged.
#[utoipa::path(
    post,
    path = "/api/refund",
    tag = "refund",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = CreateRefund,
    responses((
        status = 201,
        description = "The transaction to sign",
        body = Envelope<UnsignedTransaction>
    ))
)]
pub async fn create_refund(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<CreateRefund>,
) -> Result<Response> {
    let stands = async |answer| Ok(transactions::still_offered(&app, &answer).await?);
    let work = async |body| create(&app, &caller, body).await.map(Created);
    request.once_while(&app, caller.account.id, stands, work).await
}

async fn create(app: &App, caller: &LiveCaller, body: CreateRefund) -> Result<UnsignedTransaction> {
    let (account, RefundType::VirtualMint) = (caller.account.id, body.r#type);
    let wallet = caller.account.trading_wallet.as_ref();
    let owner = Recipient { account, wallet: wallet.ok_or(Error::new(Problem::NoTradingWallet))? };
    let work = Refund {
        user_address: caller.own_or_earlier_address(app.network, &body.user_address)?,
        rune_ids: body.rune_ids,
        transactions: Vec::new(),
    };
    limits::hit(app, TRANSACTION_BY_ACCOUNT, &account.to_string()).await?;
    let mut has_ended_one = false;
    for _attempt in 0..ATTEMPTS {
        let newest = app.store.get::<NewestRefund>(&keys::refund(account)).await?;
        let open = open_refund(app, newest).await?;
        if let Some(open) = &open
            && is_of(&open.row, &work)
        {
            return Ok(UnsignedTransaction::from_issued(open.clone())?);
        }
        // The refund that this request has ended counts only from the next request on.
        if !has_ended_one {
            limits::check(app, REFUND_EXPIRY_BY_ACCOUNT, &account.to_string()).await?;
        }
        if let Some(open) = open {
            refuse_without_need(app, account, &open.row, &work).await?;
            // If it has been signed in the meantime, it stays.
            transactions::release(app, &open.row).await?;
            has_ended_one = true;
            continue;
        }
        if let Some(issued) = issue(app, owner, newest, &work, body.refundable_sats).await? {
            return Ok(UnsignedTransaction::from_issued(issued)?);
        }
    }
    Err(RefundError::Changed.into())
}

/// The account's unsigned refund.
async fn open_refund(app: &App, newest: Option<NewestRefund>) -> Result<Option<FullTransaction>> {
    let Some(newest) = newest else { return Ok(None) };
    let issued = transactions::load_full(app, newest.txid).await?;
    let Some(issued) = issued.filter(|issued| issued.row.state == TransactionState::Unsigned)
    else {
        return Ok(None);
    };
    if issued.row.reserved_until <= app.clock.now() {
        // Expires it as the worker would, which frees what it reserved.
        transactions::advance(app, &issued.row).await?;
        return Ok(None);
    }
    Ok(Some(issued))
}

/// Refuses a refund of other runes if there is nothing to refund, so that the request does not end the open
/// refund.
async fn refuse_without_need(
    app: &App,
    account: AccountId,
    open: &IssuedTransaction,
    work: &Refund,
) -> Result<()> {
    let Work::Refund(other) = &open.work else { return Ok(()) };
    if work.rune_ids.iter().any(|rune| other.rune_ids.contains(rune)) {
        return Ok(());
    }
    let quote = quote(app, &work.user_address, &work.rune_ids, Some(account)).await?;
    if quote.transactions.is_empty() {
        dropped_refund(app, &quote.under_way, work).await?.ok_or(RefundError::Nothing)?;
    }
    Ok(())
}

/// Whether a transaction is the requested refund.
fn is_of(issued: &IssuedTransaction, work: &Refund) -> bool {
    matches!(&issued.work, Work::Refund(other)
        if other.rune_ids == work.rune_ids && other.user_address == work.user_address)
}

/// Among these refunds, the requested one if the network has dropped it.
async fn dropped_refund(
    app: &App,
    under_way: &BTreeSet<Txid>,
    work: &Refund,
) -> Result<Option<FullTransaction>> {
    for txid in under_way {
        let is_stuck = |FullTransaction { row, .. }: &FullTransaction| {
            row.state == TransactionState::Broadcasting && row.can_be_replaced() && is_of(row, work)
        };
        let issued = transactions::load_full(app, *txid).await?.filter(is_stuck);
        if issued.is_some() {
            return Ok(issued);
        }
    }
    Ok(None)
}

/// Issues a refund; `None` if one of its rows changed concurrently.
async fn issue(
    app: &App,
    owner: Recipient<'_>,
    newest: Option<NewestRefund>,
    work: &Refund,
    expected: Option<u64>,
) -> Result<Option<FullTransaction>> {
    let quote = quote(app, &work.user_address, &work.rune_ids, Some(owner.account)).await?;
    if quote.transactions.is_empty() {
        let stuck =
            dropped_refund(app, &quote.under_way, work).await?.ok_or(RefundError::Nothing)?;
        return reissue(app, owner, newest, &stuck).await;
    }
    let (fee, cap) = (Amount::from_sat(quote.fee), app.fees.cap);
    if fee > cap {
        return Err(ChainError::Plan(PlanError::FeeTooHigh { fee, cap }).into());
    }
    let refunded = quote.refunded().ok_or(RefundError::BelowFee)?;
    if expected.is_some_and(|expected| expected != refunded) {
        return Err(RefundError::Changed.into());
    }
    // Runes and refunds return to the paying address and go nowhere else (custody rule 13).
    if !quote.transactions.iter().all(|row| row.trading_address == owner.wallet.address) {
        return Err(ChainError::Damaged("the refund pays another trading address").into());
    }
    let transactions = quote.transactions.iter().map(VmTransaction::key).collect();
    let work = Refund { transactions, ..work.clone() };
    let draft = build::build(app, owner, work, &quote.transactions, quote.fee).await?;
    let also = |issued: &IssuedTransaction| {
        let open = quote.transactions.iter().map(|row| {
            let open = VmTransaction {
                refund_state: RefundState::Open,
                refund_txid: Some(issued.txid),
                ..row.clone()
            };
            (row.clone(), open)
        });
        let changes: Changes = open.collect();
        point_to(owner, newest, issued).and(changes.writes(app.clock.now(), Refusal::Moved))
    };
    offered(app, &draft, owner, also).await
}

/// Offers a built refund to its owner; `None` if one of its rows changed concurrently.
async fn offered(
    app: &App,
    draft: &BuiltTransaction<'_>,
    owner: Recipient<'_>,
    also: impl FnOnce(&IssuedTransaction) -> Writes<Refusal>,
) -> Result<Option<FullTransaction>> {
    let Work::Refund(work) = &draft.work else { return Ok(None) };
    let request = RequestDigest::of("refund", &(&work.rune_ids, &work.user_address))?;
    match transactions::offer(app, draft, (owner.account, &request), also).await {
        Ok(issued) => Ok(Some(issued)),
        Err(ChainError::Moved | ChainError::CoinsChanged) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Reissues a refund that the network has dropped, at a higher fee; `None` if one of its rows changed
/// concurrently.
async fn reissue(
    app: &App,
    owner: Recipient<'_>,
    newest: Option<NewestRefund>,
    stuck: &FullTransaction,
) -> Result<Option<FullTransaction>> {
    let Work::Refund(work) = &stuck.row.work else { return Ok(None) };
    let keys = work.transactions.iter().copied();
    let rows = mints::vm_transactions(&app.store, keys).await?;
    let rows: Vec<_> = rows.into_iter().flatten().collect();
    let rate = transactions::fee_rate(app, FeeTarget::Normal).await?.rate;
    let draft = build::rebuild(app, owner, work.clone(), &rows, rate, stuck).await?;
    let also = |issued: &IssuedTransaction| point_to(owner, newest, issued);
    offered(app, &draft, owner, also).await
}

/// Makes this the account's newest refund, on the condition that the pointer is unchanged.
fn point_to(
    owner: Recipient<'_>,
    newest: Option<NewestRefund>,
    issued: &IssuedTransaction,
) -> Writes<Refusal> {
    let (key, row) = (keys::refund(owner.account), NewestRefund { txid: issued.txid });
    let rows = Writes::new();
    match newest {
        Some(before) => rows.replace(
            &key,
            &row,
            Update::new().if_equal(NewestRefund::TXID, before.txid),
            Refusal::Moved,
        ),
        None => rows.insert(&key, &row, Refusal::Moved),
    }
}
