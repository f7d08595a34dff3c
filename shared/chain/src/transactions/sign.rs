//! Signing: checks the returned PSBT and sends the transaction.

use std::time::Duration;

use base::clock::Timestamp;
use bitcoin::{Psbt, Txid};
use shared::models::{account::AccountId, bitcoin::OutPoint};
use store::{CommitError, Update, Writes};

use super::{
    ChainError, FullTransaction, IssuedTransaction, Refusal, TransactionBody,
    advance::{advance, advance_now},
    body::{self, MOST_INPUTS, ToCosign, load_full},
    effects::{self, Event},
    holds::{self, CoinHold},
    issued::{load, load_own},
    promise,
    row::{FIRST_LOOK, commit},
    steps,
    versions::succeed,
};
use crate::{BitcoinContext, bitcoin::psbt, keys, models::transaction::TransactionState};

/// How long the next transactions avoid a coin that could not be read at signing, even if it becomes
/// readable.
const LEFT_ASIDE: Duration = Duration::from_secs(60 * 60);

/// Parses the returned PSBT, base64 or hex.
///
/// # Errors
/// [`ChainError::NotAPsbt`] if the text is neither a base64 nor a hex PSBT of version 0.
pub fn read_psbt(text: &str) -> Result<Psbt, ChainError> {
    Ok(psbt::parse(text)?)
}

/// Accepts the owner's signatures, co-signs and broadcasts.
///
/// If the same transaction is signed again, the call returns its current state. `is_wanted` decides whether
/// this endpoint signs transactions of this kind.
///
/// # Errors
/// [`ChainError`]. On refusal nothing was broadcast, and the coins are released if they can be identified. If
/// the platform cannot sign, or the broadcast fails, that is no error: the row records the progress, and the
/// worker continues.
pub async fn sign(
    app: &BitcoinContext,
    account: AccountId,
    returned: &Psbt,
    is_wanted: impl Fn(&IssuedTransaction) -> bool,
) -> Result<IssuedTransaction, ChainError> {
    let found = find(app, &returned.unsigned_tx).await?;
    let found =
        found.filter(|found| found.row.account_id == Some(account) && is_wanted(&found.row));
    let FullTransaction { row, body } = found.ok_or(ChainError::NotIssued)?;
    let claimed = match row.state {
        TransactionState::Unsigned => claim(app, &row, &body, returned).await,
        TransactionState::Expired => Err(ChainError::Expired),
        // A row found only by its coins is not the transaction that was signed.
        _ if row.txid != returned.unsigned_tx.compute_txid() => Err(ChainError::NotIssued),
        _ => return Ok(row),
    };
    match claimed {
        Ok(Claimed::Now(claimed)) => advance_now(app, *claimed).await,
        Ok(Claimed::Before(row)) => Ok(*row),
        Err(error @ (ChainError::Refused(_) | ChainError::MintClosed)) => {
            release_but(app, &row, &body, &[]).await?;
            Err(error)
        }
        Err(ChainError::Unreadable(coins)) => {
            match load(app, row.txid).await? {
                Some(moved) if moved.is_claimed() => return Ok(moved),
                _ => release_but(app, &row, &body, &coins).await?,
            }
            Err(ChainError::Unreadable(coins))
        }
        // The same transaction may have spent them in the meantime, and one source has already seen it.
        Err(
            error @ (ChainError::CoinsChanged | ChainError::CoinsNotReady | ChainError::Source(_)),
        ) => {
            match load(app, row.txid).await? {
                Some(moved) if moved.is_claimed() => return Ok(moved),
                // Another request of its account ended it.
                Some(moved) if moved.state == TransactionState::Expired => {
                    return Err(ChainError::Expired);
                }
                // If a source fails, the same transaction can be signed once the source answers again.
                _ if !matches!(error, ChainError::CoinsChanged) => {}
                _ => release_but(app, &row, &body, &[]).await?,
            }
            Err(error)
        }
        Err(error) => Err(error),
    }
}

/// Finds the row of the returned transaction. If that transaction was altered, finds the one for which its
/// coins are reserved.
async fn find(
    app: &BitcoinContext,
    returned: &bitcoin::Transaction,
) -> Result<Option<FullTransaction>, ChainError> {
    if let Some(issued) = load_full(app, returned.compute_txid()).await? {
        return Ok(Some(issued));
    }
    // A refund spends one coin of the user in addition to its treasury outputs.
    let inputs = returned.input.iter().take(MOST_INPUTS.saturating_add(1));
    let keys: Vec<_> =
        inputs.map(|input| keys::reservation(OutPoint(input.previous_output))).collect();
    let holds = app.store.get_many::<CoinHold>(&keys).await?;
    match holds.into_iter().flatten().next() {
        Some(hold) => load_full(app, hold.txid).await,
        None => Ok(None),
    }
}

/// Releases the coins of a transaction that may no longer be signed, or that was returned altered.
///
/// # Errors
/// [`ChainError::Damaged`] if the transaction's body is missing or cannot be read; [`ChainError::Store`] if
/// the store fails.
pub async fn release(app: &BitcoinContext, row: &IssuedTransaction) -> Result<(), ChainError> {
    release_but(app, row, &body::body(app, row.txid).await?, &[]).await
}

/// Ends an unsigned transaction of an account at its owner's request, and returns its row. Nothing happens if
/// it has already ended.
///
/// # Errors
/// [`ChainError::NotFound`] if the account has no such transaction, [`ChainError::AlreadySigned`] if its
/// owner has signed it, and [`ChainError::Contended`] if another request changed it in the meantime.
pub async fn cancel(
    app: &BitcoinContext,
    account: AccountId,
    txid: Txid,
) -> Result<IssuedTransaction, ChainError> {
    let row = load_own(app, account, txid).await?;
    if row.is_overdue(app.clock.now()) {
        // Its reservations have ended by themselves; another transaction may have reserved its coins.
        advance(app, &row).await?;
    } else if row.state == TransactionState::Unsigned {
        release(app, &row).await?;
    }
    let row = load_own(app, account, txid).await?;
    match row.state {
        TransactionState::Expired => Ok(row),
        TransactionState::Unsigned => Err(ChainError::Contended),
        _ => Err(ChainError::AlreadySigned),
    }
}

/// Before an answer with a transaction to sign is repeated, checks that the transaction has not been ended
/// early, by its owner or by a refused signature. If its time is over, the answer itself shows that.
///
/// # Errors
/// [`ChainError::Expired`] if the transaction was ended early; [`ChainError::Store`] if the store fails.
pub async fn still_offered(
    app: &BitcoinContext,
    answer: &serde_json::Value,
) -> Result<(), ChainError> {
    let txid = answer.pointer("/data/txId").and_then(|txid| txid.as_str()?.parse().ok());
    let until = answer.pointer("/data/expiresAt").and_then(serde_json::Value::as_i64);
    let (Some(txid), Some(until)) = (txid, until) else { return Ok(()) };
    let was_ended = |row: IssuedTransaction| {
        row.state == TransactionState::Expired && row.reserved_until < Timestamp(until)
    };
    match load(app, txid).await?.is_some_and(was_ended) {
        true => Err(ChainError::Expired),
        false => Ok(()),
    }
}

/// Releases the coins, but makes the next transactions avoid these for an hour.
async fn release_but(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    body: &TransactionBody,
    unreadable: &[OutPoint],
) -> Result<(), ChainError> {
    let rows = body::expired(issued, app.clock.now())?
        .and(effects::writes_for(app, issued, Event::Expired).await?)
        .and(holds::free(body, unreadable, app.clock.now().plus(LEFT_ASIDE))?);
    // If it was signed or has expired in the meantime, nothing remains to be done.
    if commit(app, rows).await? {
        steps::count_unsigned(app, issued).await?;
    }
    Ok(())
}

/// A transaction whose owner has signed it.
enum Claimed {
    /// By this request.
    Now(Box<ToCosign>),
    /// By another one.
    Before(Box<IssuedTransaction>),
}

/// Checks the returned PSBT against the issued one and the current chain, and moves the row to `signing`.
/// From here on only the chain releases the coins (custody rule 7).
async fn claim(
    app: &BitcoinContext,
    row: &IssuedTransaction,
    body: &TransactionBody,
    returned: &Psbt,
) -> Result<Claimed, ChainError> {
    if row.reserved_until <= app.clock.now() {
        return Err(ChainError::Expired);
    }
    let psbt = body.restored()?;
    let signed = match &body.wallet {
        Some(wallet) => Some(psbt::check(&psbt, returned, &wallet.descriptor)?.to_base64()),
        // Without inputs of the owner there is nothing for the owner to sign; it is enough that the caller is
        // the owner.
        None if returned.unsigned_tx == *psbt.transaction() => None,
        None => return Err(ChainError::NotIssued),
    };
    promise::still_holds(app, row, body, &psbt).await?;
    let issued = FullTransaction { row: row.clone(), body: body.clone() };
    let now = app.clock.now();
    let mut signing = row.clone();
    signing.state = TransactionState::Signing;
    signing.history = row.history_with(TransactionState::Signing, now);
    signing.version = row.version.saturating_add(1);
    signing.watch = row.queue_in(TransactionState::Signing);
    (signing.failing, signing.expires_at) = (None, None);
    signing.due_at = now.plus(FIRST_LOOK);
    let claimed = row
        .transition(TransactionState::Signing, now)?
        .set(IssuedTransaction::DUE_AT, signing.due_at)
        .remove(IssuedTransaction::FAILING)
        .remove(IssuedTransaction::EXPIRES_AT)
        .if_above(IssuedTransaction::RESERVED_UNTIL, now);
    let key = keys::transaction(row.txid);
    let rows = Writes::new().update(&key, claimed, Refusal::Moved).and(body::kept(body));
    let rows = rows.and(row.tell(TransactionState::Signing));
    let rows = match &signed {
        Some(signed) => rows.and(body::store_signed(row.txid, signed)),
        None => rows,
    };
    let rows = match row.replaces {
        // Neither a confirmed transaction nor one that already has a replacement can be replaced.
        Some(replaced) => {
            use TransactionState::{Broadcasting, InMempool, Signing};
            let waits = Update::new()
                .if_one_of(IssuedTransaction::STATE, [Signing, Broadcasting, InMempool]);
            rows.and(succeed(replaced, row, waits))
        }
        None => rows,
    };
    let rows = rows.and(holds::claim(&issued)?).and(effects::writes_for_claim(app, &issued).await?);
    let refusal = match app.store.commit(rows).await {
        Ok(()) => {
            let issued = FullTransaction { row: signing, ..issued };
            return Ok(Claimed::Now(Box::new(ToCosign { issued, signed })));
        }
        Err(CommitError::Condition(Refusal::Coin)) => return Err(ChainError::Expired),
        Err(CommitError::Condition(refusal)) => refusal,
        Err(error) => return Err(error.into()),
    };
    // Of several concurrent signatures one commits first; the others return its result.
    match load(app, row.txid).await?.ok_or(ChainError::NotIssued)? {
        moved if moved.state == TransactionState::Unsigned => Err(match refusal {
            Refusal::MintClosed => effects::why_closed(app, row).await?,
            Refusal::Changed => ChainError::CoinsChanged,
            Refusal::Moved | Refusal::Coin | Refusal::Draft => ChainError::Expired,
        }),
        moved if moved.state == TransactionState::Expired => Err(ChainError::Expired),
        moved => Ok(Claimed::Before(Box::new(moved))),
    }
}
