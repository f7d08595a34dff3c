//! Adds the platform's signatures.

use bitcoin::{consensus::encode, ecdsa};
use shared::{
    outbound::{OutboundError, remaining},
    signer::SignerError,
    store::Update,
};
use tokio::{task::JoinSet, time::timeout};

use super::give_up::give_up_if_spent;
use crate::{
    Chain,
    bitcoin::psbt::{self, Signatures, ToSign},
    models::transaction::TransactionState,
    transactions::{
        ChainError, IssuedTransaction,
        effects::{self, Permission},
        issued::{Blocked, BlockedBy, load},
        promise,
        row::{WAITING, note},
    },
};

/// Signs for the platform and moves the row to `broadcasting`, together with the effects of that.
///
/// # Errors
/// [`ChainError`].
pub(in crate::transactions) async fn cosign(
    app: &Chain,
    issued: &IssuedTransaction,
) -> Result<IssuedTransaction, ChainError> {
    let signed =
        issued.signed_psbt.as_deref().ok_or(ChainError::Damaged("the signatures are missing"))?;
    let psbt = issued.restored()?;
    match effects::may_cosign(app, issued, &psbt).await? {
        Permission::Granted => {}
        Permission::GaveWay => return Err(ChainError::GaveWay),
        Permission::Refused => return Err(ChainError::NotPermitted),
    }
    let user = match &issued.wallet {
        Some(wallet) => {
            let signed =
                psbt::parse(signed).map_err(|_| ChainError::Damaged("invalid signed PSBT"))?;
            psbt::check(&psbt, &signed, &wallet.descriptor)?.signatures().clone()
        }
        None => {
            promise::still_holds(app, issued, &psbt).await?;
            Signatures::new()
        }
    };
    let platform = sign_all(app, issued, psbt::digests(&psbt)).await?;
    let transaction = psbt::finalise(&psbt, &user, &platform)?;
    let mut broadcasting = issued.clone();
    broadcasting.state = TransactionState::Broadcasting;
    broadcasting.version = issued.version.saturating_add(1);
    broadcasting.raw = Some(encode::serialize_hex(&transaction));
    let update = issued
        .transition(TransactionState::Broadcasting)?
        .set(IssuedTransaction::RAW, &broadcasting.raw);
    if effects::record_signed(app, issued, &update).await? {
        return Ok(broadcasting);
    }
    // Another worker was first, with the same signatures.
    load(app, issued.txid).await?.filter(|row| row.raw.is_some()).ok_or(ChainError::Contended)
}

/// Records that the platform does not sign a transaction, so that its next version can replace it. It keeps
/// its coins until the chain has spent one of them (custody rule 7).
///
/// # Errors
/// `error` if a service is down: the worker tries again.
pub(in crate::transactions) async fn not_signed(
    app: &Chain,
    issued: &IssuedTransaction,
    error: ChainError,
) -> Result<(), ChainError> {
    let by = match error {
        ChainError::GaveWay => {
            let gave_way = issued.transition(TransactionState::Replaced)?;
            return note(
                app,
                issued,
                gave_way.set(IssuedTransaction::DUE_AT, app.clock.now().plus(WAITING)),
            )
            .await;
        }
        ChainError::NotPermitted => BlockedBy::Permission,
        ChainError::CoinsChanged | ChainError::CoinsNotReady | ChainError::Unreadable(_) => {
            BlockedBy::Promise
        }
        // An outage or a bug.
        error => return Err(error),
    };
    tracing::error!(txid = %issued.txid, ?by, "the platform does not sign a transaction of its own");
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
    app: &Chain,
    issued: &IssuedTransaction,
    digests: Vec<ToSign>,
) -> Result<Signatures, ChainError> {
    let mut signing = JoinSet::new();
    for ToSign { input, digest, key } in digests {
        let key_id = issued.key_id(&key).ok_or(SignerError::NoSuchKey)?.to_owned();
        let signer = app.signer.clone();
        signing.spawn(async move { (input, signer.sign(&key_id, digest).await) });
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
