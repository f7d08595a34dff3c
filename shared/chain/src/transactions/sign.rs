//! Signing: checks the returned PSBT and sends the transaction.

use std::time::Duration;

use bitcoin::Psbt;
use shared::{
    models::{account::AccountId, bitcoin::OutPoint},
    store::{CommitError, Update, Writes},
};

use super::{
    ChainError, IssuedTransaction, Refusal,
    advance::advance_now,
    effects::{self, Event},
    holds::{self, CoinHold},
    issue::MOST_INPUTS,
    issued::load,
    promise,
    row::{FIRST_LOOK, commit},
    steps,
    versions::succeed,
};
use crate::{Chain, bitcoin::psbt, keys, models::transaction::TransactionState};

/// How long a coin that could not be read at signing is left aside, even if it becomes readable.
const LEFT_ASIDE: Duration = Duration::from_secs(60 * 60);

/// Parses the returned PSBT, base64 or hex.
///
/// # Errors
/// [`ChainError::NotAPsbt`].
pub fn read_psbt(text: &str) -> Result<Psbt, ChainError> {
    Ok(psbt::parse(text)?)
}

/// Accepts the owner's signatures, co-signs and broadcasts.
///
/// If the same transaction is signed again, the call returns its current state. `is_wanted` decides whether a
/// transaction of this kind may be signed here.
///
/// # Errors
/// [`ChainError`]. On refusal nothing was broadcast; its coins are released if they can be identified. A
/// failed signature of the platform or a failed broadcast is no error: the row records the progress, and the
/// worker continues.
pub async fn sign(
    app: &Chain,
    account: AccountId,
    returned: &Psbt,
    is_wanted: impl Fn(&IssuedTransaction) -> bool,
) -> Result<IssuedTransaction, ChainError> {
    let row = find(app, &returned.unsigned_tx).await?;
    let row = row.filter(|row| row.account_id == Some(account) && is_wanted(row));
    let row = row.ok_or(ChainError::NotIssued)?;
    let claimed = match row.state {
        TransactionState::Unsigned => claim(app, &row, returned).await,
        TransactionState::Expired => Err(ChainError::Expired),
        // A row found only by its coins is not the transaction that was signed.
        _ if row.txid != returned.unsigned_tx.compute_txid() => Err(ChainError::NotIssued),
        _ => return Ok(row),
    };
    match claimed {
        Ok(claimed) => advance_now(app, claimed).await,
        Err(error @ (ChainError::Refused(_) | ChainError::MintClosed)) => {
            release(app, &row).await?;
            Err(error)
        }
        Err(ChainError::Unreadable(coins)) => {
            match load(app, row.txid).await? {
                Some(moved) if moved.signed_psbt.is_some() => return Ok(moved),
                _ => release_but(app, &row, &coins).await?,
            }
            Err(ChainError::Unreadable(coins))
        }
        // This very transaction may have spent them in the meantime, and one source has already seen it.
        Err(
            error @ (ChainError::CoinsChanged | ChainError::CoinsNotReady | ChainError::Source(_)),
        ) => {
            match load(app, row.txid).await? {
                Some(moved) if moved.signed_psbt.is_some() => return Ok(moved),
                // If a source fails, the same transaction can be signed once the source answers again.
                _ if !matches!(error, ChainError::CoinsChanged) => {}
                _ => release(app, &row).await?,
            }
            Err(error)
        }
        Err(error) => Err(error),
    }
}

/// Finds the row of the returned transaction or, if that was altered, of the one that its coins are reserved
/// for.
async fn find(
    app: &Chain,
    returned: &bitcoin::Transaction,
) -> Result<Option<IssuedTransaction>, ChainError> {
    if let Some(row) = load(app, returned.compute_txid()).await? {
        return Ok(Some(row));
    }
    // A refund has one coin of the user in addition to as many treasury outputs.
    let inputs = returned.input.iter().take(MOST_INPUTS.saturating_add(1));
    let keys: Vec<_> =
        inputs.map(|input| keys::reservation(OutPoint(input.previous_output))).collect();
    let holds = app.store.get_many::<CoinHold>(&keys).await?;
    match holds.into_iter().flatten().next() {
        Some(hold) => load(app, hold.txid).await,
        None => Ok(None),
    }
}

/// Releases the coins of a transaction that is no longer to be signed, or not as it was returned.
///
/// # Errors
/// [`ChainError::Store`], [`ChainError::Damaged`].
pub async fn release(app: &Chain, row: &IssuedTransaction) -> Result<(), ChainError> {
    release_but(app, row, &[]).await
}

/// Releases the coins, but makes the next transactions leave these aside for an hour.
async fn release_but(
    app: &Chain,
    issued: &IssuedTransaction,
    unreadable: &[OutPoint],
) -> Result<(), ChainError> {
    let key = keys::transaction(issued.txid);
    let expired = issued.expired(app.clock.now())?;
    let rows = Writes::new()
        .update(&key, expired, Refusal::Moved)
        .and(effects::writes_for(app, issued, Event::Expired).await?)
        .and(holds::free(issued, unreadable, app.clock.now().plus(LEFT_ASIDE))?);
    // If it was signed or has expired in the meantime, nothing remains to be done.
    if commit(app, rows).await? {
        steps::count_unsigned(app, issued).await?;
    }
    Ok(())
}

/// Checks the returned PSBT against the issued one and the current chain, and moves the row to `signing`.
/// From here on only the chain releases the coins (custody rule 7).
async fn claim(
    app: &Chain,
    row: &IssuedTransaction,
    returned: &Psbt,
) -> Result<IssuedTransaction, ChainError> {
    if row.reserved_until <= app.clock.now() {
        return Err(ChainError::Expired);
    }
    let issued = row.restored()?;
    let signed = match &row.wallet {
        Some(wallet) => psbt::check(&issued, returned, &wallet.descriptor)?.to_base64(),
        // Without inputs of the owner, nothing needs a signature; that the caller is the owner suffices.
        None if returned.unsigned_tx == *issued.transaction() => issued.to_base64(),
        None => return Err(ChainError::NotIssued),
    };
    promise::still_holds(app, row, &issued).await?;
    let mut signing = row.clone();
    signing.state = TransactionState::Signing;
    signing.version = row.version.saturating_add(1);
    signing.signed_psbt = Some(signed);
    signing.watch = row.queue_in(TransactionState::Signing);
    (signing.failing, signing.expires_at) = (None, None);
    signing.due_at = app.clock.now().plus(FIRST_LOOK);
    let claimed = row
        .transition(TransactionState::Signing)?
        .set(IssuedTransaction::SIGNED_PSBT, &signing.signed_psbt)
        .set(IssuedTransaction::DUE_AT, signing.due_at)
        .remove(IssuedTransaction::FAILING)
        .remove(IssuedTransaction::EXPIRES_AT)
        .if_above(IssuedTransaction::RESERVED_UNTIL, app.clock.now());
    let key = keys::transaction(row.txid);
    let rows = Writes::new().update(&key, claimed, Refusal::Moved);
    let rows = match row.replaces {
        // A confirmed transaction can no longer be replaced, nor one that another has replaced.
        Some(replaced) => {
            use TransactionState::{Broadcasting, InMempool, Signing};
            let waits = Update::new()
                .if_one_of(IssuedTransaction::STATE, [Signing, Broadcasting, InMempool]);
            rows.and(succeed(replaced, row, waits))
        }
        None => rows,
    };
    let rows = rows.and(holds::claim(row)?).and(effects::writes_for_claim(app, row).await?);
    let refusal = match app.store.commit(rows).await {
        Ok(()) => return Ok(signing),
        Err(CommitError::Condition(Refusal::Coin)) => return Err(ChainError::Expired),
        Err(CommitError::Condition(refusal)) => refusal,
        Err(error) => return Err(error.into()),
    };
    // Of several concurrent signatures one is first; the others return its result.
    match load(app, row.txid).await?.ok_or(ChainError::NotIssued)? {
        moved if moved.state == TransactionState::Unsigned => Err(match refusal {
            Refusal::MintClosed => ChainError::MintClosed,
            Refusal::Changed => ChainError::CoinsChanged,
            Refusal::Moved | Refusal::Coin => ChainError::Expired,
        }),
        moved if moved.state == TransactionState::Expired => Err(ChainError::Expired),
        moved => Ok(moved),
    }
}
