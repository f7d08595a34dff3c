//! From the owner's signatures to the network: each step written before the next is taken.

use bitcoin::{consensus::encode, ecdsa};
use tokio::{task::JoinSet, time::timeout};

use super::{
    CosigningError, IssuedTransaction,
    effects::{self, Permission},
    sign::{keeps_its_promise, load, restore},
    track,
};
use crate::{
    app::App,
    bitcoin::{
        psbt::{self, Signatures, ToSign},
        signer::SignerError,
    },
    http::AreaError,
    models::transaction::TransactionState,
    outbound::{OutboundError, remaining},
};

/// Takes a row that is `signing` as far as it goes now, and answers it as it stands then.
///
/// # Errors
/// [`CosigningError::Store`]: the row itself is out of reach.
pub(super) async fn advance(
    app: &App,
    row: IssuedTransaction,
) -> Result<IssuedTransaction, CosigningError> {
    let txid = row.txid;
    // Of many signings at once one goes on; the others answer how far it came.
    if row.state != TransactionState::Signing {
        return Ok(row);
    }
    let stepped = match cosign(app, &row).await {
        Ok(row) => track::broadcast(app, &row).await,
        Err(error) => Err(error),
    };
    if let Err(error) = stepped {
        tracing::error!(%txid, error = error.internal(), "a signed transaction waits for the worker");
    }
    load(app, txid).await?.ok_or(CosigningError::Damaged("no row"))
}

/// Signs for the platform, and makes the row `broadcasting`, with all that it means that the
/// transaction will be.
///
/// # Errors
/// [`CosigningError`].
pub(super) async fn cosign(
    app: &App,
    row: &IssuedTransaction,
) -> Result<IssuedTransaction, CosigningError> {
    let signed = row.signed_psbt.as_deref().ok_or(CosigningError::Damaged("no signatures"))?;
    let issued = restore(row)?;
    match effects::may_sign(app, row, &issued).await? {
        Permission::Granted => {}
        Permission::GaveWay => return Err(CosigningError::GaveWay),
        Permission::Refused => return Err(CosigningError::NotPermitted),
    }
    let user = match &row.wallet {
        Some(wallet) => {
            let signed = psbt::parse(signed).map_err(|_| CosigningError::Damaged("signed psbt"))?;
            psbt::check(&issued, &signed, &wallet.descriptor)?.signatures().clone()
        }
        None => {
            keeps_its_promise(app, row, &issued).await?;
            Signatures::new()
        }
    };
    let platform = sign_all(app, row, psbt::digests(&issued)).await?;
    let transaction = psbt::finalise(&issued, &user, &platform)?;
    let mut broadcasting = row.clone();
    broadcasting.state = TransactionState::Broadcasting;
    broadcasting.version = row.version.saturating_add(1);
    broadcasting.raw = Some(encode::serialize_hex(&transaction));
    let update = row.transition(TransactionState::Broadcasting)?.set("raw", &broadcasting.raw);
    if effects::announce(app, row, &update).await? {
        return Ok(broadcasting);
    }
    // Another worker was first, with the same signatures.
    load(app, row.txid).await?.filter(|row| row.raw.is_some()).ok_or(CosigningError::Contended)
}

/// The platform's signatures, by input.
async fn sign_all(
    app: &App,
    row: &IssuedTransaction,
    digests: Vec<ToSign>,
) -> Result<Signatures, CosigningError> {
    let mut signing = JoinSet::new();
    for ToSign { input, digest, key } in digests {
        let key_id = row.key_id(&key).ok_or(SignerError::NoSuchKey)?.to_owned();
        let signer = app.signer.clone();
        signing.spawn(async move { (input, signer.sign(&key_id, digest).await) });
    }
    let collect = async {
        let mut signatures = Signatures::new();
        while let Some(signed) = signing.join_next().await {
            let (input, signature) =
                signed.map_err(|_| CosigningError::Damaged("a signer panicked"))?;
            signatures.insert(input, ecdsa::Signature::sighash_all(signature?));
        }
        Ok(signatures)
    };
    let late = || Err(SignerError::Kms(OutboundError::Timeout).into());
    timeout(remaining(), collect).await.unwrap_or_else(|_elapsed| late())
}
