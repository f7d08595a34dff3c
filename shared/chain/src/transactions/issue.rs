//! Issuing: chooses and reserves coins, and returns the PSBT.

use std::{collections::BTreeSet, time::Duration};

use base::clock::Timestamp;
use bitcoin::{ScriptBuf, Transaction as BitcoinTransaction, TxOut, Txid, Weight};
use serde_json::Value;
use shared::models::{
    account::AccountId, bitcoin::OutPoint, trading_wallet::TradingWallet, watch::Watch,
};
use store::{CommitError, Update, Writes};

use super::{
    ChainError, FullTransaction, History, IssuedTransaction, Refusal, TransactionBody,
    advance::{advance, advance_now},
    body::{self, MOST_INPUTS, ToCosign, owners},
    coins::{self, HeldCoin, WalletCoins},
    drafts::{Drafts, RequestDigest},
    fee_rate::{chosen_fee_rate, fee_rate},
    holds::{self, held_by_replaced},
    issued::{REMEMBERED, load},
    preview::Preview,
    renewal,
    row::FIRST_LOOK,
    sign::release,
    versions::{NextVersion, next_version, succeed},
};
use crate::{
    BitcoinContext,
    bitcoin::{
        coins::{Coin, CoinSum, LeftAside},
        plan::{self, Largest, Payment, Plan},
        psbt::{self, Spent},
        runes::{Flow, Promise, Rune},
    },
    keys,
    models::{
        amount::Units,
        fee::{FeeChoice, FeeTarget},
        platform_wallet::PlatformWallet,
        transaction::{TransactionState, Work},
    },
};

/// How long coins are reserved for a signature.
const RESERVED: Duration = Duration::from_secs(10 * 60);
/// After this the worker marks the transaction as expired.
const GRACE: Duration = Duration::from_secs(5);
/// How many times it tries to reserve coins while others compete for them.
const ATTEMPTS: u32 = 8;

/// A transaction to issue to an account.
#[derive(Clone, Debug)]
pub struct IssueRequest<'a> {
    /// The recipient account.
    pub account: AccountId,
    /// Identifies the account's request: while a draft that answers it can still be signed, no other draft is
    /// made.
    pub request: RequestDigest,
    /// The wallet that pays.
    pub wallet: &'a TradingWallet,
    /// The purpose of the transaction. The amount of a largest payment is written into it.
    pub work: Work,
    /// What it does with the wallet's coins.
    pub goal: Goal,
    /// How its fee rate is chosen.
    pub fee: FeeChoice,
    /// Data that the transaction commits to: 32 bytes in an OP_RETURN.
    pub commitment: Option<[u8; 32]>,
    /// The version of the same work that it replaces.
    pub replaces: Option<IssuedTransaction>,
    /// The coin by which it conflicts with the transaction it replaces, if its work has a fixed one.
    pub anchor: Option<OutPoint>,
    /// The transaction does not use coins that the user alone can spend in fewer blocks than this.
    pub least_blocks_left: u32,
}

/// What a transaction does with the coins of a wallet.
#[derive(Clone, Debug)]
pub enum Goal {
    /// It pays these recipients.
    Pay(Vec<Payment>),
    /// It pays one recipient as much as the coins allow.
    PayMost(Largest),
    /// It pays one recipient everything that these coins leave after the fee: a withdrawal without change
    /// that is replaced at a higher fee.
    PayRest {
        /// The recipient's script.
        to: ScriptBuf,
        /// All coins of the transaction that it replaces.
        coins: Vec<OutPoint>,
    },
    /// It returns coins to the wallet: the given ones, or those whose delay ends soon. As a replacement it
    /// returns the coins by which it conflicts with the transaction it replaces.
    Renew(Option<Vec<OutPoint>>),
}

/// A transaction that is already built.
#[derive(Clone, Debug)]
pub struct BuiltTransaction<'a> {
    /// The owner; `None` if only the platform signs.
    pub account: Option<AccountId>,
    /// The trading wallet that owns some of its coins.
    pub wallet: Option<&'a TradingWallet>,
    /// The platform wallets that own some of its coins.
    pub platform: Vec<PlatformWallet>,
    /// The purpose of the transaction.
    pub work: Work,
    /// The unsigned transaction.
    pub transaction: BitcoinTransaction,
    /// The coins that it spends, in the order of its inputs.
    pub inputs: Vec<Coin>,
    /// The runes that its edicts may name.
    pub runes: Vec<Rune>,
    /// The amounts that its outputs receive.
    pub promised: Flow,
    /// Upper bound of its weight once signed.
    pub weight: Weight,
    /// The newest version of the same work, which it replaces ([`super::NextVersion`]).
    pub replaces: Option<&'a IssuedTransaction>,
}

/// Notes on a planned transaction.
#[derive(Clone, Copy, Debug)]
pub struct Remarks {
    /// Coins of the wallet that it could not spend.
    pub left_aside: LeftAside,
    /// The amount of a largest payment.
    pub amount: Option<Units>,
    /// Coins that match the goal but are not spent: further coins with the token of a largest payment, or
    /// further coins to renew.
    pub left: usize,
    /// Whether its fee rate is the last known one because no estimate is available.
    pub is_fee_rate_stale: bool,
}

/// Chooses coins, builds the transaction and reserves the coins for ten minutes. `notes` are stored with it.
/// The writes of `also` are committed in the same write batch.
///
/// If the account has a draft for the same request that can still be signed, that draft is the answer. Drafts
/// of the account are ended if they hold coins that this transaction needs. A draft that is being signed
/// either ends before its signature is accepted or keeps its coins, because both are conditional writes of
/// the same rows.
///
/// # Errors
/// [`ChainError::Plan`] or [`ChainError::CoinsReserved`] if the coins do not suffice; the error of the
/// [`Refusal`] if a condition of `also` fails; [`ChainError::Source`] or [`ChainError::Store`] if coins
/// cannot be read.
pub async fn issue(
    app: &BitcoinContext,
    wanted: IssueRequest<'_>,
    notes: impl Fn(&Plan, Remarks) -> Result<Option<Value>, ChainError>,
    also: impl Fn(&IssuedTransaction, &Plan) -> Result<Writes<Refusal>, ChainError>,
) -> Result<FullTransaction, ChainError> {
    for attempt in 0..ATTEMPTS {
        let drafts = Drafts::of(app, wanted.account).await?;
        if let Some(row) = drafts.answering(&wanted.request) {
            let body = body::body(app, row.txid).await?;
            return Ok(FullTransaction { row: row.clone(), body });
        }
        let Some(Proposal { plan, mut issued, ends, .. }) =
            proposed(app, &wanted, &drafts, &[], &notes).await?
        else {
            continue;
        };
        for ended in ends {
            release(app, ended).await?;
            // The same coins and amounts make the same transaction. Its row gets a version that no reader of
            // the ended row has seen, even if both were made in the same millisecond.
            if ended.txid == issued.row.txid {
                issued.row.version = issued.row.version.max(ended.version.saturating_add(2));
            }
        }
        // If both fail, the caller's own condition is more informative.
        let reserved = holds::reserve(&issued, &held_by_replaced(app, &issued).await?)?;
        let named = drafts.name(&wanted.request, &issued.row);
        match app.store.commit(also(&issued.row, &plan)?.and(named).and(reserved)).await {
            Ok(()) => return Ok(issued),
            // Another request of the account was faster; perhaps it was the same request.
            Err(CommitError::Condition(Refusal::Draft)) => {}
            Err(CommitError::Condition(Refusal::Coin)) => {
                end_if_overdue(app, issued.row.txid).await?;
                // A replacement has no choice of coins: a third attempt would meet the same reservation.
                if wanted.replaces.is_some() && attempt > 0 {
                    return Err(ChainError::CoinsChanged);
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(ChainError::Contended)
}

/// Plans the transaction that [`issue`] would issue now, and writes nothing: if nothing changes in the
/// meantime, [`issue`] returns a transaction with the same coins, outputs and fee. Drafts in `superseded`,
/// which the caller would end first, count as ended.
///
/// # Errors
/// As [`issue`].
pub async fn preview(
    app: &BitcoinContext,
    wanted: IssueRequest<'_>,
    superseded: &[Txid],
    notes: impl Fn(&Plan, Remarks) -> Result<Option<Value>, ChainError>,
) -> Result<Preview, ChainError> {
    for _attempt in 0..ATTEMPTS {
        let drafts = Drafts::of(app, wanted.account).await?.without(superseded);
        if let Some(row) = drafts.answering(&wanted.request) {
            let body = body::body(app, row.txid).await?;
            let issued = FullTransaction { row: row.clone(), body };
            return preview_of_draft(app, wanted.wallet, issued, superseded).await;
        }
        if let Some(proposal) = proposed(app, &wanted, &drafts, superseded, &notes).await? {
            let Proposal { plan, issued, ends, coins } = proposal;
            let is_ended = |held: &HeldCoin| ends.iter().any(|it| it.txid == held.by);
            let free = coins.free_if(is_ended);
            return Preview::new(app.network, wanted.wallet, &issued, &free, &plan.inputs);
        }
    }
    Err(ChainError::Contended)
}

/// The preview of a transaction that is already issued and unsigned. Drafts in `superseded` count as ended.
///
/// # Errors
/// As [`coins::trading_wallet_coins`]; [`ChainError::Damaged`].
pub async fn preview_of_draft(
    app: &BitcoinContext,
    wallet: &TradingWallet,
    issued: FullTransaction,
    superseded: &[Txid],
) -> Result<Preview, ChainError> {
    let needed = coins::NeededCoins {
        runes: issued.body.runes.iter().map(|rune| rune.name).collect(),
        outpoints: issued.body.inputs.iter().copied().collect(),
    };
    let coins = coins::trading_wallet_coins(app, wallet, &needed).await?.released(superseded);
    let own = coins.held.iter().filter(|held| held.by == issued.row.txid);
    let own: Vec<_> = own.map(|held| held.coin.clone()).collect();
    Preview::new(app.network, wallet, &issued, &coins.coins, &own)
}

/// A transaction that answers a request: planned and built, and not yet stored.
struct Proposal<'a> {
    plan: Plan,
    issued: FullTransaction,
    /// The drafts that end, because they hold coins of it.
    ends: Vec<&'a IssuedTransaction>,
    /// The coins of the wallet, as read.
    coins: WalletCoins,
}

/// Chooses coins and builds the transaction; it only reads. `None` if the drafts have changed since they were
/// read.
async fn proposed<'a>(
    app: &BitcoinContext,
    wanted: &IssueRequest<'_>,
    drafts: &'a Drafts,
    superseded: &[Txid],
    notes: &impl Fn(&Plan, Remarks) -> Result<Option<Value>, ChainError>,
) -> Result<Option<Proposal<'a>>, ChainError> {
    let needed = wanted.goal.needed();
    let (coins, next, fee_rate, tip) = tokio::try_join!(
        coins::trading_wallet_coins(app, wanted.wallet, &needed),
        replacement_of(app, wanted.replaces.as_ref()),
        chosen_fee_rate(app, wanted.fee),
        async { Ok(app.esplora.tip_height().await?) }
    )?;
    let coins = coins.released(superseded);
    let replaced = next.as_ref().map(|next| &next.replaces);
    let own = next.as_ref().map(|next| next.coins.clone()).unwrap_or_default();
    let conflicting = next.as_ref().map(|next| next.must_spend.clone()).unwrap_or_default();
    let request = plan::Request {
        payments: Vec::new(),
        data: wanted.commitment,
        change: wanted.wallet.descriptor.script_pubkey(),
        fee_rate: fee_rate.rate,
        must_spend: wanted.anchor.map_or(conflicting, |anchor| vec![anchor.0]),
        replaces: next.as_ref().and_then(|next| next.outbids),
        limits: wanted.goal.limited(limits(app, wanted.least_blocks_left)),
    };
    let plan_with = |coins: &[Coin]| {
        plan_goal(&wanted.goal, &[coins, own.as_slice()].concat(), request.clone())
    };
    let takes_all = wanted.goal.takes_all() && wanted.replaces.is_none();
    let planned = plan_from(app, &coins, drafts, takes_all, plan_with);
    // Another draft of the account may have reserved the coins in the meantime.
    if matches!(planned, Err(ChainError::CoinsReserved { .. })) && drafts.have_changed(app).await? {
        return Ok(None);
    }
    let Planned { plan, amount, left } = planned?;
    let ends = drafts_to_end(app, &plan, replaced, drafts).await?;
    let work = match amount {
        Some(amount) => wanted.work.clone().paying(amount),
        None => wanted.work.clone(),
    };
    let draft = BuiltTransaction {
        account: Some(wanted.account),
        wallet: Some(wanted.wallet),
        platform: Vec::new(),
        work,
        transaction: plan.transaction.clone(),
        inputs: plan.inputs.clone(),
        runes: wanted.goal.runes(),
        promised: plan.promised.clone(),
        weight: plan.weight,
        replaces: replaced,
    };
    let mut issued = build(app, &draft)?;
    let delays = plan.inputs.iter().filter_map(|coin| coin.expires_in);
    issued.row.user_only_from = delays.min().map(|blocks| tip.saturating_add(blocks));
    let left_aside = coins.left_aside_but(|held| ends.iter().any(|it| it.txid == held.by));
    let is_fee_rate_stale = fee_rate.is_stale;
    let remarks = Remarks { left_aside, amount, left, is_fee_rate_stale };
    issued.body.notes = notes(&plan, remarks)?;
    Ok(Some(Proposal { plan, issued, ends, coins }))
}

/// The largest payment that a trading wallet could make now.
#[derive(Clone, Debug)]
pub struct LargestPayment {
    /// Its transaction.
    pub plan: Plan,
    /// Its amount, in the token's smallest unit.
    pub amount: Units,
    /// Coins with the token that the transaction does not spend.
    pub left: CoinSum,
    /// Coins of the wallet that it could not spend.
    pub left_aside: LeftAside,
}

/// Calculates the largest payment of an account's trading wallet, without reserving anything. Coins of the
/// account's drafts count as available, since the payment would end those drafts.
///
/// # Errors
/// As [`issue`].
pub async fn largest_payment(
    app: &BitcoinContext,
    (account, wallet): (AccountId, &TradingWallet),
    (largest, commitment): (Largest, Option<[u8; 32]>),
    fee_target: FeeTarget,
    least_blocks_left: u32,
) -> Result<LargestPayment, ChainError> {
    let needed = Goal::PayMost(largest.clone()).needed();
    let (wallet_coins, fee_rate, drafts) = tokio::try_join!(
        coins::trading_wallet_coins(app, wallet, &needed),
        fee_rate(app, fee_target),
        Drafts::of(app, account)
    )?;
    let left_aside = wallet_coins.left_aside_but(|held| drafts.get(held.by).is_some());
    let request = plan::Request {
        payments: Vec::new(),
        data: commitment,
        change: wallet.descriptor.script_pubkey(),
        fee_rate: fee_rate.rate,
        must_spend: Vec::new(),
        replaces: None,
        limits: limits(app, least_blocks_left),
    };
    let plan_with = |coins: &[Coin]| {
        let (plan, units) = plan::plan_largest(coins, &largest, &request)?;
        let left = left_by(&plan, &largest, coins);
        Ok(LargestPayment { plan, amount: Units(units), left, left_aside })
    };
    plan_from(app, &wallet_coins, &drafts, true, plan_with)
}

fn limits(app: &BitcoinContext, least_blocks_left: u32) -> plan::Limits {
    plan::Limits {
        fee_cap: app.fees.cap,
        most_inputs: MOST_INPUTS,
        least_blocks_left,
        ..plan::Limits::default()
    }
}

/// A plan that spends coins.
trait Spending {
    /// Its transaction.
    fn plan(&self) -> &Plan;
}

impl Spending for Planned {
    fn plan(&self) -> &Plan {
        &self.plan
    }
}

impl Spending for LargestPayment {
    fn plan(&self) -> &Plan {
        &self.plan
    }
}

/// Plans with the free coins. If these do not suffice, or if the goal `takes_all` coins, it also plans with
/// the coins of the account's drafts.
fn plan_from<P: Spending>(
    app: &BitcoinContext,
    wallet: &WalletCoins,
    drafts: &Drafts,
    takes_all: bool,
    plan_with: impl Fn(&[Coin]) -> Result<P, ChainError>,
) -> Result<P, ChainError> {
    let (of_drafts, held): (Vec<_>, Vec<_>) =
        wallet.held.iter().partition(|held| drafts.get(held.by).is_some());
    if !takes_all || of_drafts.is_empty() {
        let planned = plan_with(&wallet.coins);
        if planned.is_ok() || of_drafts.is_empty() {
            return planned.map_err(|error| {
                explained(app, error, wallet, (&[], held.as_slice()), &plan_with)
            });
        }
    }
    plan_with(&wallet.with(&of_drafts)).map_err(|error| {
        explained(app, error, wallet, (of_drafts.as_slice(), held.as_slice()), &plan_with)
    })
}

/// Explains why the coins do not suffice: signed transactions hold some with which the same plan would
/// succeed, or coins were left aside.
fn explained<P: Spending>(
    app: &BitcoinContext,
    error: ChainError,
    wallet: &WalletCoins,
    (of_drafts, further): (&[&HeldCoin], &[&HeldCoin]),
    plan_with: impl Fn(&[Coin]) -> Result<P, ChainError>,
) -> ChainError {
    let is_lack = match &error {
        ChainError::Plan(error) => error.is_short(),
        error => matches!(error, ChainError::CoinUnknown(_)),
    };
    if is_lack && !further.is_empty() {
        let held = [of_drafts, further].concat();
        if let Ok(planned) = plan_with(&wallet.with(&held)) {
            let spent: BTreeSet<_> =
                planned.plan().inputs.iter().map(|coin| coin.outpoint).collect();
            let needed = further.iter().filter(|held| spent.contains(&held.coin.outpoint));
            return reserved_for(needed.copied(), app.clock.now());
        }
    }
    match error {
        ChainError::Plan(error) => {
            let is_draft = |held: &HeldCoin| {
                of_drafts.iter().any(|draft| draft.coin.outpoint == held.coin.outpoint)
            };
            error.explained(wallet.left_aside_but(is_draft)).into()
        }
        error => error,
    }
}

/// The error for coins that other transactions hold.
fn reserved_for<'a>(coins: impl Iterator<Item = &'a HeldCoin>, now: Timestamp) -> ChainError {
    let coins: Vec<_> = coins.collect();
    let holders: BTreeSet<_> = coins.iter().map(|held| held.by).collect();
    let ends: Option<Vec<_>> = coins.iter().map(|held| held.until).collect();
    let last = ends.and_then(|ends| ends.into_iter().max());
    let seconds = last.map(|until| {
        let left = until.0.saturating_sub(now.0).max(0);
        u64::try_from(left).unwrap_or_default().div_ceil(1_000)
    });
    ChainError::CoinsReserved { holders: holders.into_iter().collect(), seconds }
}

/// The drafts of the account that this plan ends: those that hold coins of it, and those that would replace
/// the same transaction.
async fn drafts_to_end<'a>(
    app: &BitcoinContext,
    plan: &Plan,
    replaced: Option<&IssuedTransaction>,
    drafts: &'a Drafts,
) -> Result<Vec<&'a IssuedTransaction>, ChainError> {
    if drafts.live().is_empty() {
        return Ok(Vec::new());
    }
    let coins: Vec<_> = plan.inputs.iter().map(|coin| OutPoint(coin.outpoint)).collect();
    let holders = holds::reserved_by(app, &coins).await?;
    let replaces_same = |draft: &IssuedTransaction| {
        replaced.is_some_and(|replaced| draft.replaces == Some(replaced.txid))
    };
    let ends = |draft: &&IssuedTransaction| holders.contains(&draft.txid) || replaces_same(draft);
    Ok(drafts.live().iter().filter(ends).collect())
}

/// Expires a draft that is overdue but still `unsigned`, with all its effects, so that the same transaction
/// can be issued again.
async fn end_if_overdue(app: &BitcoinContext, txid: Txid) -> Result<(), ChainError> {
    match load(app, txid).await? {
        Some(row) if row.is_overdue(app.clock.now()) => advance(app, &row).await,
        _ => Ok(()),
    }
}

/// Issues a transaction that is already built to the account that requested it, and reserves its coins of the
/// trading wallet. The caller holds its other coins through `also`, which is committed in the same write
/// batch.
///
/// # Errors
/// [`ChainError::CoinsChanged`] if another transaction holds a coin, [`ChainError::Moved`] if another draft
/// of the account was issued at the same time, and [`ChainError::Store`] if the store fails.
pub async fn offer(
    app: &BitcoinContext,
    draft: &BuiltTransaction<'_>,
    (account, request): (AccountId, &RequestDigest),
    also: impl FnOnce(&IssuedTransaction) -> Writes<Refusal>,
) -> Result<FullTransaction, ChainError> {
    let drafts = Drafts::of(app, account).await?;
    let mut issued = build(app, draft)?;
    // As in `issue`, if the row is that of a draft that has just ended.
    if let Some(ended) = load(app, issued.row.txid).await? {
        issued.row.version = issued.row.version.max(ended.version.saturating_add(1));
    }
    let reserved = holds::reserve(&issued, &held_by_replaced(app, &issued).await?)?;
    let named = drafts.name(request, &issued.row);
    app.store.commit(reserved.and(named).and(also(&issued.row))).await?;
    Ok(issued)
}

/// Permanently holds the coins of a transaction that only the platform signs, and advances it as far as
/// possible. `also` is committed first, in the same write batch as the row. If the process is killed
/// afterwards, the worker continues with the row.
///
/// # Errors
/// [`ChainError::CoinsChanged`] if another transaction holds a coin; [`ChainError::Store`] if the store
/// fails.
pub async fn send(
    app: &BitcoinContext,
    draft: &BuiltTransaction<'_>,
    also: impl FnOnce(&IssuedTransaction) -> Writes<Refusal>,
) -> Result<IssuedTransaction, ChainError> {
    let due_at = app.clock.now().plus(FIRST_LOOK);
    let issued = store_held(app, draft, due_at, also).await?;
    advance_now(app, ToCosign { issued, signed: None }).await
}

/// Permanently holds the coins of a transaction that only the platform signs. The worker signs and sends it.
///
/// # Errors
/// As [`send`].
pub async fn order(
    app: &BitcoinContext,
    draft: &BuiltTransaction<'_>,
    also: impl FnOnce(&IssuedTransaction) -> Writes<Refusal>,
) -> Result<IssuedTransaction, ChainError> {
    Ok(store_held(app, draft, app.clock.now(), also).await?.row)
}

/// Stores a transaction that only the platform signs, and holds its coins permanently. It may have ended before without a
/// signature.
async fn store_held(
    app: &BitcoinContext,
    draft: &BuiltTransaction<'_>,
    due_at: Timestamp,
    also: impl FnOnce(&IssuedTransaction) -> Writes<Refusal>,
) -> Result<FullTransaction, ChainError> {
    let mut issued = build(app, draft)?;
    let row = &mut issued.row;
    row.state = TransactionState::Signing;
    (row.watch, row.expires_at) = (Some(Watch::of_signed(row.account_id.is_none())), None);
    row.due_at = due_at;
    issued.body.expires_at = None;
    let row = &issued.row;
    // The same coins and sums make the same transaction again.
    let ended = Update::new()
        .if_equal(IssuedTransaction::STATE, TransactionState::Failed)
        .if_absent(IssuedTransaction::SIGNED_WEIGHT)
        .if_absent(IssuedTransaction::REPLACED_BY);
    let rows = Writes::new()
        .insert_or(&keys::transaction(row.txid), row, Some(ended), Refusal::Coin)
        .put(&keys::transaction_body(row.txid), &issued.body, Refusal::Coin)
        .and(holds::hold(&issued));
    let rows = match row.replaces {
        Some(replaced) => rows.and(succeed(replaced, row, Update::new())),
        None => rows,
    };
    app.store.commit(rows.and(also(row))).await?;
    Ok(issued)
}

/// How the replacement of this transaction has to be built.
async fn replacement_of(
    app: &BitcoinContext,
    replaced: Option<&IssuedTransaction>,
) -> Result<Option<NextVersion>, ChainError> {
    let Some(replaced) = replaced else { return Ok(None) };
    let next = next_version(app, replaced).await?;
    Ok(Some(next.ok_or(ChainError::CoinsChanged)?))
}

fn build(
    app: &BitcoinContext,
    draft: &BuiltTransaction<'_>,
) -> Result<FullTransaction, ChainError> {
    let now = app.clock.now();
    let reserved_until = now.plus(RESERVED);
    let owners = owners(draft.wallet, &draft.platform);
    let spent = draft.inputs.iter().map(|coin| {
        let owner = owners.iter().find(|owner| owner.script_pubkey() == coin.script_pubkey);
        let txout = TxOut { value: coin.value, script_pubkey: coin.script_pubkey.clone() };
        Some(Spent { txout, owner: owner?.clone() })
    });
    let spent: Vec<_> = spent
        .collect::<Option<_>>()
        .ok_or(ChainError::Damaged("a coin belongs to none of the wallets"))?;
    let psbt = psbt::issue(&draft.transaction, &spent)?.to_base64();
    // The worker does not watch a draft unless its end changes other rows.
    let is_watched = draft.work.outlives_its_draft();
    let expires_at = (!is_watched).then(|| reserved_until.plus(REMEMBERED).seconds());
    let platform: Vec<_> = draft.platform.iter().map(PlatformWallet::script_pubkey).collect();
    let platform = draft.inputs.iter().filter(|coin| platform.contains(&coin.script_pubkey));
    let txid = draft.transaction.compute_txid();
    let body = TransactionBody {
        txid,
        wallet: draft.wallet.cloned(),
        platform: draft.platform.clone(),
        inputs: draft.inputs.iter().map(|coin| OutPoint(coin.outpoint)).collect(),
        runes: draft.runes.clone(),
        promised: Promise::of(&draft.promised),
        psbt,
        notes: None,
        expires_at,
    };
    let row = IssuedTransaction {
        txid,
        // Higher than that of any earlier row of the same transaction, so a process that still has such a row
        // in memory cannot change this one.
        version: now.0.unsigned_abs(),
        created_at: now,
        account_id: draft.account,
        state: TransactionState::Unsigned,
        history: History::default(),
        work: draft.work.clone(),
        replaces: draft.replaces.map(|replaced| replaced.txid),
        earlier: draft.replaces.map(earlier_than_next).unwrap_or_default(),
        replaced_by: None,
        blocked: None,
        orphaned: None,
        waits_since: None,
        user_only_from: None,
        fee: draft.promised.fee.to_sat(),
        platform_sats: platform.fold(0, |sats, coin| sats.saturating_add(coin.value.to_sat())),
        weight: draft.weight.to_wu(),
        signed_weight: None,
        reserved_until,
        block_height: None,
        block_hash: None,
        watch: is_watched.then_some(Watch::Draft),
        failing: None,
        expires_at,
        due_at: reserved_until.plus(GRACE),
        looks: 0,
    };
    Ok(FullTransaction { row, body })
}

/// The versions before the one that replaces this transaction.
fn earlier_than_next(replaced: &IssuedTransaction) -> Vec<Txid> {
    replaced.earlier.iter().copied().chain([replaced.txid]).collect()
}

/// A planned goal.
struct Planned {
    plan: Plan,
    /// The amount of a largest payment.
    amount: Option<Units>,
    /// As [`Remarks::left`].
    left: usize,
}

fn plan_goal(goal: &Goal, coins: &[Coin], request: plan::Request) -> Result<Planned, ChainError> {
    match goal {
        Goal::Pay(payments) => {
            let request = plan::Request { payments: payments.clone(), ..request };
            Ok(Planned { plan: plan::plan(coins, &request)?, amount: None, left: 0 })
        }
        Goal::PayMost(largest) => {
            let (plan, units) = plan::plan_largest(coins, largest, &request)?;
            let left = left_by(&plan, largest, coins).coins;
            Ok(Planned { plan, amount: Some(Units(units)), left })
        }
        Goal::PayRest { to, coins: own } => {
            let own = coins.iter().filter(|coin| own.contains(&OutPoint(coin.outpoint)));
            let own: Vec<_> = own.cloned().collect();
            let largest = Largest::Btc { to: to.clone() };
            let (plan, units) = plan::plan_largest(&own, &largest, &request)?;
            let is_spent = |coin: &&bitcoin::OutPoint| {
                plan.inputs.iter().any(|input| input.outpoint == **coin)
            };
            // Each earlier version has to conflict with it.
            match request.must_spend.iter().find(|coin| !is_spent(coin)) {
                Some(coin) => Err(plan::PlanError::CannotSpend(*coin).into()),
                None => Ok(Planned { plan, amount: Some(Units(units)), left: 0 }),
            }
        }
        Goal::Renew(wanted) => {
            let chosen = renewal::choose(coins, wanted.as_deref(), &request)?;
            let limits = plan::Limits { unpaid_runes: true, ..request.limits.clone() };
            let request = plan::Request { must_spend: chosen.coins, limits, ..request };
            Ok(Planned { plan: plan::plan(coins, &request)?, amount: None, left: chosen.left })
        }
    }
}

/// The coins with the token that a largest payment does not spend.
fn left_by(plan: &Plan, largest: &Largest, coins: &[Coin]) -> CoinSum {
    let sum = |coins: &[Coin]| {
        let holding = coins.iter().filter(|coin| largest.held_by(coin) > 0);
        holding.map(|coin| coin.value.to_sat()).collect::<CoinSum>()
    };
    sum(coins).without(sum(&plan.inputs))
}

impl Goal {
    /// Whether it spends all coins of its kind: it then also needs those of the account's drafts.
    fn takes_all(&self) -> bool {
        match self {
            Self::PayMost(_) | Self::Renew(None) => true,
            Self::Pay(_) | Self::PayRest { .. } | Self::Renew(Some(_)) => false,
        }
    }

    /// The limits of its plan. A renewal spends only the coins that were named or chosen, and a cancellation
    /// only the coins by which it conflicts: if it spent another coin, and that coin were spent elsewhere,
    /// the cancelled transaction could confirm again.
    fn limited(&self, limits: plan::Limits) -> plan::Limits {
        match self {
            Self::Pay(_) | Self::PayMost(_) | Self::PayRest { .. } => limits,
            Self::Renew(_) => plan::Limits { consolidate: 0, ..limits },
        }
    }

    /// The coins that it is about.
    fn needed(&self) -> coins::NeededCoins {
        let outpoints = match self {
            Self::PayRest { coins, .. } | Self::Renew(Some(coins)) => coins.as_slice(),
            Self::Pay(_) | Self::PayMost(_) | Self::Renew(None) => &[],
        };
        coins::NeededCoins {
            runes: self.runes().into_iter().map(|rune| rune.name).collect(),
            outpoints: outpoints.iter().copied().collect(),
        }
    }

    /// The runes that its edicts move.
    fn runes(&self) -> Vec<Rune> {
        match self {
            Self::Pay(payments) => {
                let rune = |payment: &Payment| match payment {
                    Payment::Rune { rune, .. } => Some(*rune),
                    Payment::Btc { .. } => None,
                };
                payments.iter().filter_map(rune).collect()
            }
            Self::PayMost(Largest::Rune { rune, .. }) => vec![*rune],
            Self::PayMost(Largest::Btc { .. }) | Self::PayRest { .. } | Self::Renew(_) => {
                Vec::new()
            }
        }
    }
}
