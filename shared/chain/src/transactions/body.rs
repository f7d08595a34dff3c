//! The immutable part of an issued transaction, and its signatures: each is in a row that is written once.

use base::clock::Timestamp;
use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{PublicKey, Transaction, TxOut, Txid, consensus::encode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::{
    core::Core,
    models::{bitcoin::OutPoint, trading_wallet::TradingWallet},
};
use store::{Entity, Store, StoreError, Update, Writes, fields};

use super::{ChainError, IssuedTransaction, Refusal, issued::REMEMBERED, lock::CoinLock};
use crate::{
    BitcoinContext,
    bitcoin::{
        psbt::{self, InputOwner, IssuedPsbt},
        runes::{Promise, Rune},
    },
    keys,
    models::{platform_wallet::PlatformWallet, transaction::TransactionState},
};

/// The most inputs of one transaction. Each takes two writes of the batch that signs it, and DynamoDB commits
/// at most a hundred.
pub const MOST_INPUTS: usize = 40;

/// The immutable part of an issued transaction.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransactionBody {
    /// The transaction.
    pub txid: Txid,
    /// The trading wallet whose inputs its user signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wallet: Option<TradingWallet>,
    /// The platform wallets that own inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub platform: Vec<PlatformWallet>,
    /// The coins that it spends.
    pub inputs: Vec<OutPoint>,
    /// The runes that it moves; other runes of its coins return to the wallet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runes: Vec<Rune>,
    /// The runes that its outputs receive, and the fee.
    pub promised: Promise,
    /// The PSBT as issued, base64 (BIP 174).
    pub psbt: String,
    /// What accompanied it when it was issued; the answer to a repeated request includes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Value>,
    /// When the row of a draft is deleted, in seconds since the epoch (DynamoDB's TTL attribute).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

impl Entity for TransactionBody {
    const ENTITY: &'static str = "transactionBody";
}

fields!(TransactionBody {
    pub PROMISED: Promise = promised,
    EXPIRES_AT: Option<i64> = expires_at,
});

/// An issued transaction with its owner's verified signatures.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignedTransaction {
    /// The PSBT, base64.
    signed_psbt: String,
}

impl Entity for SignedTransaction {
    const ENTITY: &'static str = "signedTransaction";
}

/// An issued transaction with all signatures.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawTransaction {
    /// Hex.
    raw: String,
}

impl Entity for RawTransaction {
    const ENTITY: &'static str = "rawTransaction";
}

/// An issued transaction as a whole.
#[derive(Clone, Debug)]
pub struct FullTransaction {
    /// Its state.
    pub row: IssuedTransaction,
    /// The immutable part.
    pub body: TransactionBody,
}

/// A transaction that the platform may sign.
pub(super) struct ToCosign {
    pub(super) issued: FullTransaction,
    /// The PSBT with its owner's signatures, base64; `None` if only the platform signs.
    pub(super) signed: Option<String>,
}

impl TransactionBody {
    /// The PSBT as issued, with its wallets.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the stored PSBT cannot be parsed; [`ChainError::Issue`] if it spends coins
    /// of other wallets.
    pub(super) fn restored(&self) -> Result<IssuedPsbt, ChainError> {
        let owners = owners(self.wallet.as_ref(), &self.platform);
        Ok(IssuedPsbt::restore(&self.parsed()?, &owners)?)
    }

    fn parsed(&self) -> Result<bitcoin::Psbt, ChainError> {
        psbt::parse(&self.psbt).map_err(|_| ChainError::Damaged("invalid PSBT"))
    }

    /// The transaction without signatures.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the stored PSBT cannot be parsed.
    pub fn unsigned(&self) -> Result<Transaction, ChainError> {
        Ok(self.parsed()?.unsigned_tx)
    }

    /// Its inputs from the trading wallet, with the index and coin of each. They are reserved while it is
    /// unsigned, and its user signs them.
    ///
    /// # Errors
    /// As [`Self::spent`].
    pub(super) fn trading_inputs(&self) -> Result<Vec<(usize, OutPoint)>, ChainError> {
        let trading = self.wallet.as_ref().map(|wallet| wallet.descriptor.script_pubkey());
        let spent = self.spent()?.into_iter().enumerate();
        let own = spent.filter(|(_, (_, output))| Some(&output.script_pubkey) == trading.as_ref());
        Ok(own.map(|(input, (coin, _))| (input, coin)).collect())
    }

    /// The locks of its coins.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the descriptor or the key of a wallet is invalid.
    pub(super) fn locks(&self) -> Result<Vec<CoinLock>, ChainError> {
        let user = self.wallet.iter().map(CoinLock::trading);
        user.chain(self.platform.iter().map(CoinLock::platform)).collect()
    }

    /// The KMS key with which the platform signs for this public key.
    pub(super) fn key_id(&self, key: &PublicKey) -> Option<&str> {
        let user = self.wallet.as_ref().filter(|wallet| wallet.descriptor.platform() == *key);
        let platform = self.platform.iter().find(|wallet| wallet.public_key == *key);
        user.map(|wallet| wallet.key_id.as_str()).or(platform.map(|wallet| wallet.key_id.as_str()))
    }

    /// The outputs that it spends, in the order of its inputs.
    ///
    /// # Errors
    /// [`ChainError::Damaged`] if the stored PSBT cannot be parsed, or an input of it lacks the output that
    /// it spends.
    pub(super) fn spent(&self) -> Result<Vec<(OutPoint, TxOut)>, ChainError> {
        let outputs = self.parsed()?.inputs.into_iter().map(|input| input.witness_utxo);
        let spent = self.inputs.iter().copied().zip(outputs);
        spent
            .map(|(coin, output)| Some((coin, output?)))
            .collect::<Option<_>>()
            .ok_or(ChainError::Damaged("a prevout is missing"))
    }
}

/// The wallets whose coins a transaction may spend.
pub(super) fn owners(
    wallet: Option<&TradingWallet>,
    platform: &[PlatformWallet],
) -> Vec<InputOwner> {
    let user = wallet.into_iter().map(|wallet| InputOwner::Trading(wallet.descriptor.clone()));
    let platform = platform.iter();
    user.chain(platform.map(|wallet| InputOwner::Platform(wallet.key()))).collect()
}

/// The writes that expire an unsigned transaction: the worker stops watching it, and its rows are deleted
/// after a month. The rows of an unwatched draft have had their expiry time since they were written.
pub(super) fn expired(
    issued: &IssuedTransaction,
    now: Timestamp,
) -> Result<Writes<Refusal>, ChainError> {
    let until = issued.reserved_until.min(now);
    let update = issued.transition(TransactionState::Expired, until)?;
    let update = update.remove(IssuedTransaction::WATCH);
    let update = update.set(IssuedTransaction::RESERVED_UNTIL, until);
    let (update, rows) = match issued.expires_at {
        Some(_) => (update, Writes::new()),
        None => {
            let at = now.plus(REMEMBERED).seconds();
            let deleted = Update::new().set(TransactionBody::EXPIRES_AT, at);
            let key = keys::transaction_body(issued.txid);
            let rows = Writes::new().update(&key, deleted, Refusal::Moved);
            (update.set(IssuedTransaction::EXPIRES_AT, at), rows)
        }
    };
    let rows = rows.update(&keys::transaction(issued.txid), update, Refusal::Moved);
    Ok(rows.and(issued.tell(TransactionState::Expired)))
}

/// The write that removes the expiry time from the body of a draft that is being signed.
pub(super) fn kept(body: &TransactionBody) -> Writes<Refusal> {
    match body.expires_at {
        Some(_) => {
            let update = Update::new().remove(TransactionBody::EXPIRES_AT);
            Writes::new().update(&keys::transaction_body(body.txid), update, Refusal::Moved)
        }
        None => Writes::new(),
    }
}

/// The write that stores the owner's signatures: a PSBT, base64.
pub(super) fn store_signed(txid: Txid, psbt: &str) -> Writes<Refusal> {
    let row = SignedTransaction { signed_psbt: psbt.to_owned() };
    Writes::new().insert(&keys::signed_transaction(txid), &row, Refusal::Moved)
}

/// The write that stores a transaction with all signatures.
pub(super) fn store_raw(transaction: &Transaction) -> Writes<Refusal> {
    let row = RawTransaction { raw: encode::serialize_hex(transaction) };
    let key = keys::raw_transaction(transaction.compute_txid());
    Writes::new().insert(&key, &row, Refusal::Moved)
}

/// Reads the body of an issued transaction.
///
/// # Errors
/// [`ChainError::Damaged`] if the transaction has no body; [`ChainError::Store`] if the store fails.
pub async fn body(app: &Core, txid: Txid) -> Result<TransactionBody, ChainError> {
    let body = app.store.get(&keys::transaction_body(txid)).await?;
    body.ok_or(MISSING)
}

const MISSING: ChainError = ChainError::Damaged("the body of a transaction is missing");

/// Reads an issued transaction as a whole.
///
/// # Errors
/// [`ChainError::Damaged`] if the transaction is signed and its body is missing; [`ChainError::Store`] if the
/// store fails.
pub async fn load_full(
    app: &BitcoinContext,
    txid: Txid,
) -> Result<Option<FullTransaction>, ChainError> {
    let (row, found) = (keys::transaction(txid), keys::transaction_body(txid));
    match app.store.get_both(&row, &found).await? {
        (None, _) => Ok(None),
        (Some(row), Some(body)) => Ok(Some(FullTransaction { row, body })),
        // A batch is read row by row, so both rows may have been written in between. If a draft has expired,
        // DynamoDB may have deleted its body first.
        (Some(row), None) => match app.store.get(&found).await? {
            Some(body) => Ok(Some(FullTransaction { row, body })),
            None if row.is_claimed() => Err(MISSING),
            None => Ok(None),
        },
    }
}

/// The owner's signatures: a PSBT, base64.
///
/// # Errors
/// [`ChainError::Damaged`] if the transaction has no signatures; [`ChainError::Store`] if the store fails.
pub(super) async fn signed(app: &BitcoinContext, txid: Txid) -> Result<String, ChainError> {
    let row = app.store.get::<SignedTransaction>(&keys::signed_transaction(txid)).await?;
    Ok(row.ok_or(ChainError::Damaged("the signatures are missing"))?.signed_psbt)
}

/// An issued transaction with all signatures.
///
/// # Errors
/// [`ChainError::Damaged`] if the transaction is not signed; [`ChainError::Store`] if the store fails.
pub async fn raw(app: &BitcoinContext, txid: Txid) -> Result<Transaction, ChainError> {
    let row = app.store.get::<RawTransaction>(&keys::raw_transaction(txid)).await?;
    let row = row.ok_or(ChainError::Damaged("the signed transaction is missing"))?;
    encode::deserialize_hex(&row.raw).map_err(|_| ChainError::Damaged("invalid transaction"))
}

/// Signed transactions, base64, in the order of `txids`; `None` for each that is not signed.
pub async fn signed_base64(
    store: &Store,
    txids: &[Txid],
) -> Result<Vec<Option<String>>, StoreError> {
    let keys: Vec<_> = txids.iter().map(|&txid| keys::raw_transaction(txid)).collect();
    let rows = store.get_many::<RawTransaction>(&keys).await?.into_iter();
    let base64 = |row: RawTransaction| Some(BASE64_STANDARD.encode(hex::decode(row.raw).ok()?));
    Ok(rows.map(|row| row.and_then(base64)).collect())
}

/// The PSBTs of issued transactions, base64, in the order of `txids`.
pub async fn unsigned_base64(
    store: &Store,
    txids: &[Txid],
) -> Result<Vec<Option<String>>, StoreError> {
    let keys: Vec<_> = txids.iter().map(|&txid| keys::transaction_body(txid)).collect();
    let rows = store.get_many::<TransactionBody>(&keys).await?.into_iter();
    Ok(rows.map(|row| row.map(|row| row.psbt)).collect())
}
