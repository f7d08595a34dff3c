//! Issuing: coins are chosen and reserved, and the PSBT is handed out.

use std::time::Duration;

use bitcoin::TxOut;

use super::{CosigningError, IssuedTransaction, SpendableCoins, outcome, row::Hold};
use crate::{
    app::App,
    bitcoin::{
        plan::{self, Payment, Plan},
        psbt::{self, Owner, Spent},
        runes::Rune,
    },
    models::{
        account::AccountId,
        bitcoin::OutPoint,
        trading_wallet::TradingWallet,
        transaction::{TransactionState, Watch, Work},
    },
    store::{Key, Transaction, Update},
};

/// How long coins are reserved for a signature.
const RESERVED: Duration = Duration::from_secs(10 * 60);
/// The shortest time that there is.
const TICK: Duration = Duration::from_millis(1);
/// After that the worker notes that the time is over.
const GRACE: Duration = Duration::from_secs(5);
/// Attempts to reserve coins that others reach for as well.
const ATTEMPTS: u32 = 6;
/// Inputs of one transaction: each takes two actions of the write that signs it, and DynamoDB
/// commits a hundred at once.
pub(super) const MOST_INPUTS: usize = 40;

/// What is to be issued.
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
}

/// A coin was reserved by another transaction meanwhile.
#[derive(Clone, Copy, Debug)]
struct Taken;

/// Chooses coins, makes the transaction, and reserves them for ten minutes.
///
/// # Errors
/// [`CosigningError`].
pub async fn issue(
    app: &App,
    wanted: Issue<'_>,
) -> Result<(IssuedTransaction, Plan), CosigningError> {
    for _attempt in 0..ATTEMPTS {
        let (coins, fee_rate) = tokio::join!(
            SpendableCoins::of(app, wanted.wallet),
            app.esplora.fee_rate(&app.config.fees)
        );
        let request = plan::Request {
            payments: wanted.payments.clone(),
            data: wanted.commitment,
            change: wanted.wallet.descriptor.script_pubkey(),
            fee_rate: fee_rate?,
            must_spend: Vec::new(),
            replaces: None,
            limits: plan::Limits {
                fee_cap: app.config.fees.cap,
                most_inputs: MOST_INPUTS,
                ..plan::Limits::default()
            },
        };
        let plan = plan::plan(&coins?.free, &request)?;
        let row = row(app, &wanted, &plan)?;
        if outcome(app.store.commit(|| reserve(app, &row)).await)?.is_ok() {
            return Ok((row, plan));
        }
    }
    Err(CosigningError::Contended)
}

fn row(app: &App, wanted: &Issue<'_>, plan: &Plan) -> Result<IssuedTransaction, CosigningError> {
    let now = app.clock.now();
    let reserved_until = now.plus(RESERVED);
    let owner = Owner::Trading(wanted.wallet.descriptor.clone());
    let spent = plan.inputs.iter().map(|coin| Spent {
        txout: TxOut { value: coin.value, script_pubkey: coin.script_pubkey.clone() },
        owner: owner.clone(),
    });
    let psbt = psbt::issue(&plan.transaction, &spent.collect::<Vec<_>>())?.to_base64();
    Ok(IssuedTransaction {
        txid: plan.transaction.compute_txid(),
        // Higher than that of any row of the same transaction before: whoever still has that one in
        // hand changes this one no more.
        version: now.0.unsigned_abs(),
        created_at: now,
        account_id: wanted.account,
        state: TransactionState::Unsigned,
        work: wanted.work.clone(),
        wallet: wanted.wallet.clone(),
        inputs: plan.inputs.iter().map(|coin| OutPoint(coin.outpoint)).collect(),
        runes: runes(&wanted.payments),
        promised: plan.promised.clone(),
        psbt,
        signed_psbt: None,
        raw: None,
        fee: plan.fee.to_sat(),
        reserved_until,
        block_height: None,
        watch: Some(Watch::Transaction),
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

/// The row and its coins, if nobody holds one of them. The same coins and the same wish make the
/// same transaction: the row of one that expired gives way.
fn reserve<'a>(app: &'a App, row: &IssuedTransaction) -> Transaction<'a, Taken> {
    let hold = Hold { txid: row.txid, expires_at: Some(row.reserved_until.seconds()) };
    let expired =
        Update::new().if_absent("signedPsbt").if_below("reservedUntil", app.clock.now().plus(TICK));
    let rows = Transaction::new(&app.store).insert_or(
        &Key::transaction(row.txid),
        row,
        Some(expired),
        Taken,
    );
    row.inputs.iter().fold(rows, |rows, &coin| {
        rows.insert(&Key::reservation(coin), &hold, Taken).check(
            &Key::spend(coin),
            Update::new().if_absent("pk"),
            Taken,
        )
    })
}
