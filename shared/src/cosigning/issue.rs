//! Issuing: coins are chosen and reserved, and the PSBT is handed out.

use std::{collections::HashMap, time::Duration};

use bitcoin::{Amount, Transaction as BitcoinTransaction, TxOut, Txid, Weight};

use super::{
    CosigningError, IssuedTransaction, coins,
    cosign::advance,
    fee_rate::fee_rate,
    outcome,
    row::{Hold, REMEMBERED, owners},
    sign::load,
    track::track,
    versions::{NextVersion, next_version},
};
use crate::{
    app::App,
    bitcoin::{
        coins::{Coin, LeftAside},
        plan::{self, Payment, Plan, Replaced},
        psbt::{self, Spent},
        runes::{Flow, Rune},
    },
    models::{
        account::AccountId,
        bitcoin::OutPoint,
        platform_wallet::PlatformWallet,
        trading_wallet::TradingWallet,
        transaction::{TransactionState, Watch, Work},
    },
    store::{Key, Transaction, Update},
};

/// How long coins are reserved for a signature.
const RESERVED: Duration = Duration::from_secs(10 * 60);
/// After that the worker notes that the time is over.
const GRACE: Duration = Duration::from_secs(5);
/// Attempts to reserve coins that others reach for as well.
const ATTEMPTS: u32 = 6;
/// Inputs of one transaction: each takes two actions of the write that signs it, and DynamoDB
/// commits a hundred at once.
pub const MOST_INPUTS: usize = 40;

/// What is to be issued to an account.
#[derive(Clone, Debug)]
pub struct Issue<'a> {
    /// To whom.
    pub account: AccountId,
    /// The wallet that pays.
    pub wallet: &'a TradingWallet,
    /// What for.
    pub work: Work,
    /// Who is paid what.
    pub payments: Vec<Payment>,
    /// Data that the transaction commits to, 32 bytes in an OP_RETURN.
    pub commitment: Option<[u8; 32]>,
    /// A version of the same work, which it replaces.
    pub replaces: Option<&'a IssuedTransaction>,
    /// The coin by which it conflicts with what it replaces, where its work has one of its own.
    pub anchor: Option<OutPoint>,
    /// Coins that the user alone can spend in fewer blocks are left alone.
    pub least_blocks_left: u32,
}

/// A transaction that is made already.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    /// Whose it is; nobody's where the platform alone signs.
    pub account: Option<AccountId>,
    /// The trading wallet that coins of it are of.
    pub wallet: Option<&'a TradingWallet>,
    /// The wallets of the platform that coins of it are of.
    pub platform: Vec<PlatformWallet>,
    /// What for.
    pub work: Work,
    /// Unsigned.
    pub transaction: BitcoinTransaction,
    /// The coins that it spends, in its order.
    pub inputs: Vec<Coin>,
    /// The runes that its edicts may name.
    pub runes: Vec<Rune>,
    /// What its outputs receive.
    pub promised: Flow,
    /// The most that it weighs once it is signed.
    pub weight: Weight,
    /// The newest version of the same work, which it replaces ([`super::NextVersion`]).
    pub replaces: Option<&'a IssuedTransaction>,
}

/// Notes on a transaction that was planned.
#[derive(Clone, Copy, Debug)]
pub struct Remarks {
    /// Coins of the wallet that it could not spend.
    pub left_aside: LeftAside,
    /// Whether its fee rate is the last known one, because there is no estimate now.
    pub is_fee_rate_stale: bool,
}

/// Why a write was not made.
#[derive(Clone, Copy, Debug)]
enum Failed<E> {
    /// A coin is another transaction's, or there is a row already.
    Taken,
    /// A condition of the caller's own.
    Also(E),
}

/// Chooses coins, makes the transaction, and reserves them for ten minutes. `also` is what else is
/// written, all or none; where a condition of that fails, the answer is what it means.
///
/// # Errors
/// [`CosigningError`].
pub async fn issue<'a, E>(
    app: &'a App,
    wanted: Issue<'_>,
    also: impl Fn(&IssuedTransaction, &Plan) -> Transaction<'a, E>,
) -> Result<Result<(IssuedTransaction, Plan, Remarks), E>, CosigningError> {
    for _attempt in 0..ATTEMPTS {
        let (wallet_coins, next, fee_rate, tip) = tokio::try_join!(
            coins::of_trading_wallet(app, wanted.wallet),
            next_of(app, wanted.replaces),
            fee_rate(app),
            async { Ok(app.esplora.tip_height().await?) }
        )?;
        let coins::WalletCoins { coins, left_aside } = wallet_coins;
        let replaced = next.as_ref().map(|next| &next.replaces);
        let own = next.as_ref().map(|next| next.coins.clone()).unwrap_or_default();
        let conflicting = next.as_ref().map(|next| next.must_spend.clone()).unwrap_or_default();
        let request = plan::Request {
            payments: wanted.payments.clone(),
            data: wanted.commitment,
            change: wanted.wallet.descriptor.script_pubkey(),
            fee_rate: fee_rate.rate,
            must_spend: wanted.anchor.map_or(conflicting, |anchor| vec![anchor.0]),
            replaces: next.as_ref().and_then(|next| next.outbids),
            limits: plan::Limits {
                fee_cap: app.config.fees.cap,
                most_inputs: MOST_INPUTS,
                least_blocks_left: wanted.least_blocks_left,
                ..plan::Limits::default()
            },
        };
        let plan = plan::plan(&[coins, own].concat(), &request)
            .map_err(|error| error.explained(left_aside))?;
        let draft = Draft {
            account: Some(wanted.account),
            wallet: Some(wanted.wallet),
            platform: Vec::new(),
            work: wanted.work.clone(),
            transaction: plan.transaction.clone(),
            inputs: plan.inputs.clone(),
            runes: runes(&wanted.payments),
            promised: plan.promised.clone(),
            weight: plan.weight,
            replaces: replaced,
        };
        let mut row = row(app, &draft)?;
        let delays = plan.inputs.iter().filter_map(|coin| coin.expires_in);
        row.user_only_from = delays.min().map(|blocks| tip.saturating_add(blocks));
        let (coins, holders) = (row.trading_inputs()?, holders(app, &row).await?);
        let write = || {
            // Where both fail, the caller's own condition says more.
            let rows = also(&row, &plan).map(Failed::Also);
            rows.and(reserve(app, &row, &coins, &holders).map(|()| Failed::Taken))
        };
        match outcome(app.store.commit(write).await)? {
            Ok(()) => {
                let is_fee_rate_stale = fee_rate.is_stale;
                return Ok(Ok((row, plan, Remarks { left_aside, is_fee_rate_stale })));
            }
            Err(Failed::Taken) => end_if_overdue(app, row.txid).await?,
            Err(Failed::Also(refused)) => return Ok(Err(refused)),
        }
    }
    Err(CosigningError::Contended)
}

/// Ends a draft whose time is over and whose row still says `unsigned`, with all that its end means, so
/// that the same transaction can be issued again.
async fn end_if_overdue(app: &App, txid: Txid) -> Result<(), CosigningError> {
    match load(app, txid).await? {
        Some(row) if row.is_overdue(app.clock.now()) => track(app, &row).await,
        _ => Ok(()),
    }
}

/// Hands out a transaction that is made already, and reserves the coins of the trading wallet. What
/// else holds its other coins is the caller's: `also` is written with it, all or none.
///
/// # Errors
/// [`CosigningError`]; [`CosigningError::CoinsChanged`] where a coin is another transaction's.
pub async fn issue_draft<'a, E>(
    app: &'a App,
    draft: &Draft<'_>,
    also: impl Fn(&IssuedTransaction) -> Transaction<'a, E>,
) -> Result<Result<IssuedTransaction, E>, CosigningError> {
    let row = row(app, draft)?;
    let (coins, holders) = (row.trading_inputs()?, holders(app, &row).await?);
    let write = || {
        let rows = reserve(app, &row, &coins, &holders).map(|()| Failed::Taken);
        rows.and(also(&row).map(Failed::Also))
    };
    match outcome(app.store.commit(write).await)? {
        Ok(()) => Ok(Ok(row)),
        Err(Failed::Taken) => Err(CosigningError::CoinsChanged),
        Err(Failed::Also(refused)) => Ok(Err(refused)),
    }
}

/// Holds the coins of a transaction that the platform alone signs, for good, and takes it as far as
/// it goes now. `also` is written first, with the row, all or none: whoever is killed afterwards
/// leaves a row that the worker goes on with.
///
/// # Errors
/// [`CosigningError`]; [`CosigningError::CoinsChanged`] where a coin is another transaction's.
pub async fn send<'a, E>(
    app: &'a App,
    draft: &Draft<'_>,
    also: impl Fn(&IssuedTransaction) -> Transaction<'a, E>,
) -> Result<Result<IssuedTransaction, E>, CosigningError> {
    let mut row = row(app, draft)?;
    row.state = TransactionState::Signing;
    row.signed_psbt = Some(row.psbt.clone());
    (row.watch, row.expires_at) = (Some(Watch::of_signed(row.account_id.is_none())), None);
    row.due_at = app.clock.now().plus(super::track::FIRST_LOOK);
    let write = || {
        let key = Key::transaction(row.txid);
        let rows = hold(Transaction::new(&app.store).insert(&key, &row, ()), &row, ());
        let rows = match row.replaces {
            Some(replaced) => rows.update(&Key::transaction(replaced), succeeded_by(&row), ()),
            None => rows,
        };
        rows.map(|()| Failed::Taken).and(also(&row).map(Failed::Also))
    };
    match outcome(app.store.commit(write).await)? {
        Ok(()) => Ok(Ok(advance(app, row).await?)),
        Err(Failed::Taken) => Err(CosigningError::CoinsChanged),
        Err(Failed::Also(refused)) => Ok(Err(refused)),
    }
}

/// Holds the coins of a transaction permanently: each is free, its own, or that of a version which it
/// replaces (custody rule 7).
pub(super) fn hold<'a, E: Clone>(
    rows: Transaction<'a, E>,
    row: &IssuedTransaction,
    otherwise: E,
) -> Transaction<'a, E> {
    let spend = Hold { txid: row.txid, expires_at: None };
    row.inputs.iter().fold(rows, |rows, &coin| {
        let free = [row.txid].into_iter().chain(row.earlier.iter().copied());
        let free = Update::new().if_one_of("txid", free);
        rows.insert_or(&Key::spend(coin), &spend, Some(free), otherwise.clone())
    })
}

/// What a replacement has to outbid: nothing, where it was never sent.
///
/// # Errors
/// [`CosigningError::Damaged`].
pub fn replacing(replaced: &IssuedTransaction) -> Result<Replaced, CosigningError> {
    let (fee, weight) = match &replaced.raw {
        Some(_) => (Amount::from_sat(replaced.fee), replaced.transaction()?.weight()),
        None => (Amount::ZERO, Weight::from_wu(replaced.weight)),
    };
    Ok(Replaced { fee, weight, descendants_fee: Amount::ZERO })
}

/// The change of a version that another one replaces from now on: each has one successor at most, so
/// that all versions of a piece of work are one chain.
pub(super) fn succeeded_by(row: &IssuedTransaction) -> Update {
    Update::new().set("replacedBy", row.txid).if_absent("replacedBy")
}

/// How the transaction that replaces this one has to be made.
async fn next_of(
    app: &App,
    replaced: Option<&IssuedTransaction>,
) -> Result<Option<NextVersion>, CosigningError> {
    let Some(replaced) = replaced else { return Ok(None) };
    let next = next_version(app, replaced).await?;
    Ok(Some(next.ok_or(CosigningError::CoinsChanged)?))
}

/// Which versions that it replaces hold coins of a transaction.
async fn holders(
    app: &App,
    row: &IssuedTransaction,
) -> Result<HashMap<OutPoint, Txid>, CosigningError> {
    if row.earlier.is_empty() {
        return Ok(HashMap::new());
    }
    let keys: Vec<_> = row.inputs.iter().map(|coin| Key::spend(*coin)).collect();
    let holds = app.store.get_many::<Hold>(&keys).await?;
    let held = row.inputs.iter().zip(holds);
    let held = held.filter_map(|(coin, hold)| Some((*coin, hold?.txid)));
    Ok(held.filter(|(_, holder)| row.earlier.contains(holder)).collect())
}

fn row(app: &App, draft: &Draft<'_>) -> Result<IssuedTransaction, CosigningError> {
    let now = app.clock.now();
    let reserved_until = now.plus(RESERVED);
    let owners = owners(draft.wallet, &draft.platform);
    let spent = draft.inputs.iter().map(|coin| {
        let owner = owners.iter().find(|owner| owner.script_pubkey() == coin.script_pubkey);
        let txout = TxOut { value: coin.value, script_pubkey: coin.script_pubkey.clone() };
        Some(Spent { txout, owner: owner?.clone() })
    });
    let spent: Vec<_> =
        spent.collect::<Option<_>>().ok_or(CosigningError::Damaged("a coin of nobody"))?;
    let psbt = psbt::issue(&draft.transaction, &spent)?.to_base64();
    // A draft costs the worker nothing, unless its end changes other rows.
    let is_watched = draft.work.outlives_its_draft();
    Ok(IssuedTransaction {
        txid: draft.transaction.compute_txid(),
        // Higher than that of any row of the same transaction before: whoever still has that one in
        // hand changes this one no more.
        version: now.0.unsigned_abs(),
        created_at: now,
        account_id: draft.account,
        state: TransactionState::Unsigned,
        work: draft.work.clone(),
        wallet: draft.wallet.cloned(),
        platform: draft.platform.clone(),
        replaces: draft.replaces.map(|replaced| replaced.txid),
        earlier: draft.replaces.map(earlier_than_next).unwrap_or_default(),
        replaced_by: None,
        blocked: None,
        orphaned: None,
        waits_since: None,
        user_only_from: None,
        inputs: draft.inputs.iter().map(|coin| OutPoint(coin.outpoint)).collect(),
        runes: draft.runes.clone(),
        promised: draft.promised.clone(),
        psbt,
        signed_psbt: None,
        raw: None,
        fee: draft.promised.fee.to_sat(),
        weight: draft.weight.to_wu(),
        reserved_until,
        block_height: None,
        block_hash: None,
        watch: is_watched.then_some(Watch::Draft),
        failing: None,
        expires_at: (!is_watched).then(|| reserved_until.plus(REMEMBERED).seconds()),
        due_at: reserved_until.plus(GRACE),
        looks: 0,
    })
}

/// The versions before the one that replaces this.
fn earlier_than_next(replaced: &IssuedTransaction) -> Vec<Txid> {
    replaced.earlier.iter().copied().chain([replaced.txid]).collect()
}

/// The runes that payments move.
fn runes(payments: &[Payment]) -> Vec<Rune> {
    let rune = |payment: &Payment| match payment {
        Payment::Rune { rune, .. } => Some(*rune),
        Payment::Btc { .. } => None,
    };
    payments.iter().filter_map(rune).collect()
}

/// The row and `coins`, those of its trading wallet, if none of them is held but by the versions that
/// it replaces. The same coins and the same wish make the same transaction: the row of one that
/// expired gives way.
fn reserve<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    coins: &[(usize, OutPoint)],
    holders: &HashMap<OutPoint, Txid>,
) -> Transaction<'a, ()> {
    let reservation = Hold { txid: row.txid, expires_at: Some(row.reserved_until.seconds()) };
    let expired = Update::new().if_equal("state", TransactionState::Expired);
    let rows =
        Transaction::new(&app.store).insert_or(&Key::transaction(row.txid), row, Some(expired), ());
    coins.iter().fold(rows, |rows, &(_, coin)| {
        let unspent = match holders.get(&coin) {
            Some(version) => Update::new().if_equal("txid", *version),
            None => Update::new().if_absent("pk"),
        };
        rows.insert(&Key::reservation(coin), &reservation, ()).check(&Key::spend(coin), unspent, ())
    })
}
