//! From the owner's signatures to the network: each step written before the next is taken.

use bitcoin::{Transaction as BitcoinTransaction, consensus::encode, ecdsa};
use tokio::{task::JoinSet, time::timeout};

use super::{
    CosigningError, IssuedTransaction, outcome,
    sign::{load, restore},
    track,
};
use crate::{
    app::App,
    bitcoin::{
        psbt::{self, Signatures, ToSign},
        signer::SignerError,
    },
    clock::Timestamp,
    http::AreaError,
    models::{
        transaction::{TransactionState, Work},
        xchain::XchainRecord,
    },
    outbound::{OutboundError, remaining},
    store::{Entity, Key, Transaction, keys::List, lists},
};

impl Entity for XchainRecord {
    const ENTITY: &'static str = "xchainRecord";
}

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
/// transaction will be: the record of a withdrawal and its places in lists.
///
/// # Errors
/// [`CosigningError`].
pub(super) async fn cosign(
    app: &App,
    row: &IssuedTransaction,
) -> Result<IssuedTransaction, CosigningError> {
    let signed = row.signed_psbt.as_deref().ok_or(CosigningError::Damaged("no signatures"))?;
    let issued = restore(row)?;
    let signed = psbt::parse(signed).map_err(|_| CosigningError::Damaged("signed psbt"))?;
    let verified = psbt::check(&issued, &signed, &row.wallet.descriptor)?;
    let platform = sign_all(app, row, psbt::digests(&issued)).await?;
    let transaction = psbt::finalise(&issued, verified.signatures(), &platform)?;
    let mut broadcasting = row.clone();
    broadcasting.state = TransactionState::Broadcasting;
    broadcasting.version = row.version.saturating_add(1);
    broadcasting.raw = Some(encode::serialize_hex(&transaction));
    let update = row.transition(TransactionState::Broadcasting)?.set("raw", &broadcasting.raw);
    let key = Key::transaction(row.txid);
    let Work::XchainWithdraw(withdrawal) = &row.work;
    let record = |at: Timestamp| {
        let trading = row.wallet.address.clone();
        XchainRecord::of_withdrawal(row.account_id, row.txid.to_string(), trading, withdrawal, at)
    };
    let lists = lists_of(&record(row.created_at));
    let appended = lists::append(&app.store, &lists, |at| {
        let record = record(at);
        let rows = Transaction::new(&app.store).update(&key, update.clone(), ()).insert(
            &Key::xchain_withdrawal(row.txid),
            &record,
            (),
        );
        (rows, record.id)
    });
    match outcome(appended.await)? {
        Ok(_at) => Ok(broadcasting),
        // Another worker was first, with the same signatures.
        Err(()) => load(app, row.txid)
            .await?
            .filter(|row| row.raw.is_some())
            .ok_or(CosigningError::Contended),
    }
}

/// The platform's signatures, by input.
async fn sign_all(
    app: &App,
    row: &IssuedTransaction,
    digests: Vec<ToSign>,
) -> Result<Signatures, CosigningError> {
    let mut signing = JoinSet::new();
    for ToSign { input, digest, .. } in digests {
        let (signer, key) = (app.signer.clone(), row.wallet.key_id.clone());
        signing.spawn(async move { (input, signer.sign(&key, digest).await) });
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

/// The lists that a record has a place in (data model: `filters` are lists).
fn lists_of(record: &XchainRecord) -> Vec<List> {
    let mut addresses = vec![&record.trading_address, &record.withdraw_to, &record.user_address];
    addresses.sort();
    addresses.dedup();
    let tokens = [Some(&record.intent.input_token), record.intent.output_token.as_ref()];
    let mut tokens: Vec<_> = tokens.into_iter().flatten().collect();
    tokens.sort();
    tokens.dedup();
    let mut lists = vec![List::xchain()];
    lists.extend(addresses.iter().map(|address| List::xchain_by_address(address)));
    for token in tokens {
        lists.push(List::xchain_by_token(token));
        for address in &addresses {
            lists.push(List::xchain_by_address_and_token(address, token));
        }
    }
    lists
}

/// The transaction that a row holds.
pub(super) fn raw(row: &IssuedTransaction) -> Result<BitcoinTransaction, CosigningError> {
    let raw = row.raw.as_deref().ok_or(CosigningError::Damaged("no transaction"))?;
    encode::deserialize_hex(raw).map_err(|_| CosigningError::Damaged("transaction"))
}
