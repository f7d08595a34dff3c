//! Adds the platform's signatures.

use base::{
    outbound::{OutboundError, remaining},
    signer::SignerError,
    span::{Context, carried},
};
use bitcoin::{Transaction, ecdsa};
use store::{Update, Writes};
use tokio::{task::JoinSet, time::timeout};

use super::give_up::give_up_if_spent;
use crate::{
    BitcoinContext,
    bitcoin::psbt::{self, Signatures, ToSign},
    keys,
    models::transaction::TransactionState,
    transactions::{
        ChainError, FullTransaction, IssuedTransaction, Refusal, TransactionBody,
        body::{self, ToCosign},
        effects::{self, Permission},
        issued::{Blocked, BlockedBy, load},
        promise,
        row::{WAITING, commit},
    },
};

/// Signs for the platform and moves the row to `broadcasting`, together with the effects of that step.
/// Returns the row and the signed transaction.
///
/// # Errors
/// [`ChainError::GaveWay`] or [`ChainError::NotPermitted`] if the platform may not sign;
/// [`ChainError::CoinsChanged`], [`ChainError::CoinsNotReady`] or [`ChainError::Unreadable`] if no user signs
/// and a coin is not as promised; [`ChainError::Signer`] if the platform's key cannot sign;
/// [`ChainError::Contended`] if another worker changed the row and did not sign.
pub(in crate::transactions) async fn cosign(
    app: &BitcoinContext,
    ToCosign { issued, signed }: &ToCosign,
) -> Result<(IssuedTransaction, Transaction), ChainError> {
    let FullTransaction { row, body } = issued;
    let psbt = body.restored()?;
    match effects::may_cosign(app, issued, &psbt).await? {
        Permission::Granted => {}
        Permission::GaveWay => return Err(ChainError::GaveWay),
        Permission::Refused => return Err(ChainError::NotPermitted),
    }
    let user = match &body.wallet {
        Some(wallet) => {
            let signed =
                signed.as_deref().ok_or(ChainError::Damaged("the signatures are missing"))?;
            let signed =
                psbt::parse(signed).map_err(|_| ChainError::Damaged("invalid signed PSBT"))?;
            psbt::check(&psbt, &signed, &wallet.descriptor)?.signatures().clone()
        }
        None => {
            promise::still_holds(app, row, body, &psbt).await?;
            Signatures::new()
        }
    };
    let platform = sign_all(app, body, psbt::digests(&psbt)).await?;
    let transaction = psbt::finalise(&psbt, &user, &platform)?;
    let mut broadcasting = row.clone();
    let now = app.clock.now();
    broadcasting.state = TransactionState::Broadcasting;
    broadcasting.history = row.history_with(TransactionState::Broadcasting, now);
    broadcasting.version = row.version.saturating_add(1);
    broadcasting.signed_weight = Some(transaction.weight().to_wu());
    let update = row
        .transition(TransactionState::Broadcasting, now)?
        .set(IssuedTransaction::SIGNED_WEIGHT, broadcasting.signed_weight);
    let rows = Writes::new().update(&keys::transaction(row.txid), update, Refusal::Moved);
    let rows =
        rows.and(body::store_raw(&transaction)).and(row.tell(TransactionState::Broadcasting));
    if effects::record_signed(app, issued, &rows).await? {
        return Ok((broadcasting, transaction));
    }
    // Another worker was faster, with the same signatures.
    let row = load(app, row.txid).await?.filter(|row| row.signed_weight.is_some());
    let row = row.ok_or(ChainError::Contended)?;
    let transaction = body::raw(app, row.txid).await?;
    Ok((row, transaction))
}

/// Records that the platform does not sign a transaction, so that its next version can replace it. The
/// transaction keeps its coins until a block contains a spend of one of them (custody rule 7).
///
/// # Errors
/// `error` if a service is down: the worker retries.
pub(in crate::transactions) async fn not_signed(
    app: &BitcoinContext,
    issued: &IssuedTransaction,
    error: ChainError,
) -> Result<(), ChainError> {
    let by = match error {
        ChainError::GaveWay => {
            let now = app.clock.now();
            let gave_way = issued.transition(TransactionState::Replaced, now)?;
            let gave_way = gave_way.set(IssuedTransaction::DUE_AT, now.plus(WAITING));
            let key = keys::transaction(issued.txid);
            let rows = Writes::new().update(&key, gave_way, Refusal::Moved);
            let rows = rows.and(issued.tell(TransactionState::Replaced));
            return commit(app, rows).await.map(drop);
        }
        ChainError::NotPermitted => BlockedBy::Permission,
        ChainError::CoinsChanged | ChainError::CoinsNotReady | ChainError::Unreadable(_) => {
            BlockedBy::Promise
        }
        // An outage or a bug.
        error => return Err(error),
    };
    tracing::error!(txid = %issued.txid, ?by, "the platform refuses to sign its own transaction");
    let looks = issued.blocked.map_or(0, |blocked| blocked.looks).saturating_add(1);
    give_up_if_spent(
        app,
        issued,
        Update::new().set(IssuedTransaction::BLOCKED, Blocked { by, looks }),
    )
    .await
}

/// The platform's signatures, by input.
async fn sign_all(
    app: &BitcoinContext,
    issued: &TransactionBody,
    digests: Vec<ToSign>,
) -> Result<Signatures, ChainError> {
    let mut signing = JoinSet::new();
    for ToSign { input, digest, key } in digests {
        let key_id = issued.key_id(&key).ok_or(SignerError::NoSuchKey)?.to_owned();
        let signer = app.signer.clone();
        let sign = async move { (input, signer.sign(&key_id, digest).await) };
        signing.spawn(carried(Context::current(), sign));
    }
    let collect = async {
        let mut signatures = Signatures::new();
        while let Some(signed) = signing.join_next().await {
            let (input, signature) =
                signed.map_err(|_| ChainError::Damaged("a signing task panicked"))?;
            signatures.insert(input, ecdsa::Signature::sighash_all(signature?));
        }
        Ok(signatures)
    };
    let late = || Err(SignerError::Kms(OutboundError::Timeout).into());
    timeout(remaining(), collect).await.unwrap_or_else(|_elapsed| late())
}
