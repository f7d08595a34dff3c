//! Issuing: coins are chosen and reserved, and the PSBT is handed out.

use std::time::Duration;

use bitcoin::{Amount, Transaction as BitcoinTransaction, TxOut, Txid, Weight};

use super::{
    CosigningError, IssuedTransaction, coins,
    cosign::advance,
    outcome,
    row::{Hold, REMEMBERED, owners},
    sign::load,
    track::track,
};
use crate::{
    app::App,
    bitcoin::{
        coins::Coin,
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
    /// What it replaces, with a coin of that which it spends as well.
    pub replaces: Option<(&'a IssuedTransaction, OutPoint)>,
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
    /// The one that it replaces.
    pub replaces: Option<&'a IssuedTransaction>,
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
) -> Result<Result<(IssuedTransaction, Plan), E>, CosigningError> {
    let replaced = wanted.replaces.map(|(replaced, _)| replaced);
    for _attempt in 0..ATTEMPTS {
        let (coins, own, fee_rate) = tokio::try_join!(
            coins::of_trading_wallet(app, wanted.wallet),
            coins_of(app, replaced),
            async { Ok(app.esplora.fee_rate(&app.config.fees).await?) }
        )?;
        let request = plan::Request {
            payments: wanted.payments.clone(),
            data: wanted.commitment,
            change: wanted.wallet.descriptor.script_pubkey(),
            fee_rate,
            must_spend: wanted.replaces.iter().map(|(_, anchor)| anchor.0).collect(),
            replaces: replaced.map(replacing).transpose()?,
            limits: plan::Limits {
                fee_cap: app.config.fees.cap,
                most_inputs: MOST_INPUTS,
                least_blocks_left: wanted.least_blocks_left,
                ..plan::Limits::default()
            },
        };
        let plan = plan::plan(&[coins, own].concat(), &request)?;
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
        let row = row(app, &draft)?;
        let coins = row.trading_inputs()?;
        let write = || {
            // Where both fail, the caller's own condition says more.
            let rows = also(&row, &plan).map(Failed::Also);
            rows.and(reserve(app, &row, &coins, replaced).map(|()| Failed::Taken))
        };
        match outcome(app.store.commit(write).await)? {
            Ok(()) => return Ok(Ok((row, plan))),
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
    let coins = row.trading_inputs()?;
    let write = || {
        let rows = reserve(app, &row, &coins, draft.replaces).map(|()| Failed::Taken);
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
        rows.map(|()| Failed::Taken).and(also(&row).map(Failed::Also))
    };
    match outcome(app.store.commit(write).await)? {
        Ok(()) => Ok(Ok(advance(app, row).await?)),
        Err(Failed::Taken) => Err(CosigningError::CoinsChanged),
        Err(Failed::Also(refused)) => Ok(Err(refused)),
    }
}

/// Holds the coins of a transaction for good: each is nobody's, its own, or that of the one which it
/// replaces (custody rule 7).
pub(super) fn hold<'a, E: Clone>(
    rows: Transaction<'a, E>,
    row: &IssuedTransaction,
    otherwise: E,
) -> Transaction<'a, E> {
    let spend = Hold { txid: row.txid, expires_at: None };
    row.inputs.iter().fold(rows, |rows, &coin| {
        let free = Update::new().if_one_of("txid", [Some(row.txid), row.replaces].iter().flatten());
        rows.insert_or(&Key::spend(coin), &spend, Some(free), otherwise.clone())
    })
}

/// The coins of a transaction that is to be replaced, as they are now.
async fn coins_of(
    app: &App,
    replaced: Option<&IssuedTransaction>,
) -> Result<Vec<Coin>, CosigningError> {
    let Some(replaced) = replaced else { return Ok(Vec::new()) };
    coins::inputs_of(app, replaced).await?.ok_or(CosigningError::CoinsChanged)
}

/// What a replacement has to outbid. Nothing spends its outputs before it is confirmed.
///
/// # Errors
/// [`CosigningError::Damaged`].
pub fn replacing(replaced: &IssuedTransaction) -> Result<Replaced, CosigningError> {
    Ok(Replaced {
        fee: Amount::from_sat(replaced.fee),
        weight: replaced.transaction()?.weight(),
        descendants_fee: Amount::ZERO,
    })
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
        watch: is_watched.then_some(Watch::Draft),
        failing: None,
        expires_at: (!is_watched).then(|| reserved_until.plus(REMEMBERED).seconds()),
        due_at: reserved_until.plus(GRACE),
        looks: 0,
    })
}

/// The runes that payments move.
fn runes(payments: &[Payment]) -> Vec<Rune> {
    let rune = |payment: &Payment| match payment {
        Payment::Rune { rune, .. } => Some(*rune),
        Payment::Btc { .. } => None,
    };
    payments.iter().filter_map(rune).collect()
}

/// The row and `coins`, those of its trading wallet, if nobody holds one of them but the transaction that
/// it replaces. The same coins and the same wish make the same transaction: the row of one that
/// expired gives way.
fn reserve<'a>(
    app: &'a App,
    row: &IssuedTransaction,
    coins: &[(usize, OutPoint)],
    replaced: Option<&IssuedTransaction>,
) -> Transaction<'a, ()> {
    let reservation = Hold { txid: row.txid, expires_at: Some(row.reserved_until.seconds()) };
    let expired = Update::new().if_equal("state", TransactionState::Expired);
    let rows =
        Transaction::new(&app.store).insert_or(&Key::transaction(row.txid), row, Some(expired), ());
    coins.iter().fold(rows, |rows, &(_, coin)| {
        let unspent = match replaced.filter(|replaced| replaced.inputs.contains(&coin)) {
            Some(replaced) => Update::new().if_equal("txid", replaced.txid),
            None => Update::new().if_absent("pk"),
        };
        rows.insert(&Key::reservation(coin), &reservation, ()).check(&Key::spend(coin), unspent, ())
    })
}
