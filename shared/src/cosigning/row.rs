//! The rows: an issued transaction, and who holds a coin.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{BlockHash, PublicKey, Transaction, TxOut, Txid, consensus::encode};
use serde::{Deserialize, Serialize};

use super::{CosigningError, coins::Lock};
use crate::{
    bitcoin::{
        psbt::{self, Owner, Treasury},
        runes::{Flow, Rune},
    },
    clock::Timestamp,
    models::{
        account::AccountId,
        bitcoin::OutPoint,
        platform_wallet::PlatformWallet,
        trading_wallet::TradingWallet,
        transaction::{TransactionState, Watch, Work},
    },
    store::{Entity, Update},
};

/// A transaction that the service issued.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IssuedTransaction {
    /// Final from the beginning: every input is native segwit.
    pub txid: Txid,
    /// Optimistic lock.
    pub version: u64,
    /// When it was issued.
    pub created_at: Timestamp,
    /// Whose it is; nobody's where the platform alone signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Where it stands.
    pub state: TransactionState,
    /// What it is for.
    pub work: Work,
    /// The trading wallet that inputs are of: those that its user signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wallet: Option<TradingWallet>,
    /// The wallets of the platform that inputs are of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub platform: Vec<PlatformWallet>,
    /// The one that it replaces, whose coins it may spend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Txid>,
    /// The coins that it spends.
    pub inputs: Vec<OutPoint>,
    /// The runes that it moves; others of its coins come back.
    pub runes: Vec<Rune>,
    /// What its outputs receive.
    pub promised: Flow,
    /// The PSBT as issued, base64 (BIP 174).
    pub psbt: String,
    /// The same with the owner's signatures, verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_psbt: Option<String>,
    /// The transaction as signed by both, hex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What it costs, sats.
    pub fee: u64,
    /// The most that it weighs once it is signed, in weight units (BIP 141).
    #[serde(default)]
    pub weight: u64,
    /// Until when its coins are reserved: it must be signed before.
    pub reserved_until: Timestamp,
    /// The height of the block that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_height: Option<u32>,
    /// That block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_hash: Option<BlockHash>,
    /// The worker that looks after it; none once it is final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watch: Option<Watch>,
    /// When the worker looks next.
    pub due_at: Timestamp,
    /// How often the worker has looked without a change of state.
    pub looks: u32,
}

impl Entity for IssuedTransaction {
    const ENTITY: &'static str = "issuedTransaction";
}

impl IssuedTransaction {
    /// Those whose coins it spends.
    pub(super) fn owners(&self) -> Vec<Owner> {
        owners(self.wallet.as_ref(), &self.platform)
    }

    /// Its inputs of the trading wallet, which are reserved while it is unsigned and which its user
    /// signs: the place of each among all, and its coin.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`].
    pub(super) fn trading_inputs(&self) -> Result<Vec<(usize, OutPoint)>, CosigningError> {
        let trading = self.wallet.as_ref().map(|wallet| wallet.descriptor.script_pubkey());
        let spent = self.spent()?.into_iter().enumerate();
        let own = spent.filter(|(_, (_, output))| Some(&output.script_pubkey) == trading.as_ref());
        Ok(own.map(|(input, (coin, _))| (input, coin)).collect())
    }

    /// Whether the network refuses it, or has lost it, and does not take it back: for about half an
    /// hour. Then it can be made anew, at a higher fee.
    pub fn is_stuck(&self) -> bool {
        self.state == TransactionState::Broadcasting && self.looks >= STUCK_AFTER
    }

    /// How its coins are locked.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`].
    pub(super) fn locks(&self) -> Result<Vec<Lock>, CosigningError> {
        let user = self.wallet.iter().map(Lock::trading);
        user.chain(self.platform.iter().map(Lock::platform)).collect()
    }

    /// The KMS key that signs for the platform by this public key.
    pub(super) fn key_id(&self, key: &PublicKey) -> Option<&str> {
        let user = self.wallet.as_ref().filter(|wallet| wallet.descriptor.platform() == *key);
        let platform = self.platform.iter().find(|wallet| wallet.public_key == *key);
        user.map(|wallet| wallet.key_id.as_str()).or(platform.map(|wallet| wallet.key_id.as_str()))
    }

    /// The outputs that it spends, in the order of its inputs.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`].
    pub(super) fn spent(&self) -> Result<Vec<(OutPoint, TxOut)>, CosigningError> {
        let stored = psbt::parse(&self.psbt).map_err(|_| CosigningError::Damaged("psbt"))?;
        let outputs = stored.inputs.into_iter().map(|input| input.witness_utxo);
        let spent = self.inputs.iter().copied().zip(outputs);
        spent
            .map(|(coin, output)| Some((coin, output?)))
            .collect::<Option<_>>()
            .ok_or(CosigningError::Damaged("no prevout"))
    }

    /// What it spends of the platform's, sats.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`].
    pub fn platform_sats(&self) -> Result<u64, CosigningError> {
        let scripts: Vec<_> = self.platform.iter().map(PlatformWallet::script_pubkey).collect();
        let spent = self.spent()?.into_iter().map(|(_, output)| output);
        let own = spent.filter(|output| scripts.contains(&output.script_pubkey));
        Ok(own.fold(0_u64, |sats, output| sats.saturating_add(output.value.to_sat())))
    }

    /// The transaction as signed by all.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`], also where it is not signed.
    pub fn transaction(&self) -> Result<Transaction, CosigningError> {
        let raw = self.raw.as_deref().ok_or(CosigningError::Damaged("no transaction"))?;
        encode::deserialize_hex(raw).map_err(|_| CosigningError::Damaged("transaction"))
    }

    /// What it says as a text, base64: the PSBT as issued, or, once that is signed, the transaction.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`].
    pub fn base64(&self) -> Result<String, CosigningError> {
        match &self.raw {
            None => Ok(self.psbt.clone()),
            Some(raw) => hex::decode(raw)
                .map(|bytes| BASE64_STANDARD.encode(bytes))
                .map_err(|_| CosigningError::Damaged("transaction")),
        }
    }

    /// A change of state, on the condition that the row is as it was read.
    ///
    /// # Errors
    /// [`CosigningError::Damaged`] where the drawing of [`TransactionState`] has no such arrow.
    pub(super) fn transition(&self, next: TransactionState) -> Result<Update, CosigningError> {
        if self.state.may_become(next) {
            let update = Update::new().set("state", next).set("looks", 0);
            Ok(update.if_equal("state", self.state).if_version(self.version))
        } else {
            Err(CosigningError::Damaged("no such transition"))
        }
    }

    /// The end of a transaction that was not signed: nobody looks after it any more, and its row
    /// goes after a month.
    pub(super) fn expired(&self, now: Timestamp) -> Result<Update, CosigningError> {
        let update = self.transition(TransactionState::Expired)?.remove("watch");
        let update = update.set("reservedUntil", self.reserved_until.min(now));
        Ok(update.set("expiresAt", now.plus(REMEMBERED).seconds()))
    }
}

/// Those whose coins a transaction may spend.
pub(super) fn owners(wallet: Option<&TradingWallet>, platform: &[PlatformWallet]) -> Vec<Owner> {
    let user = wallet.into_iter().map(|wallet| Owner::Trading(wallet.descriptor.clone()));
    let platform = platform.iter();
    user.chain(platform.map(|wallet| Owner::Platform(Treasury::P2wpkh(wallet.key())))).collect()
}

/// Looks without success after which a transaction counts as stuck.
const STUCK_AFTER: u32 = 6;
/// How long it is remembered that a transaction expired.
const REMEMBERED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Whose a coin is for now: of an unsigned transaction until `expiresAt`, or of one that the
/// platform may have signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hold {
    pub(super) txid: Txid,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute); a spend row has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) expires_at: Option<i64>,
}

impl Entity for Hold {
    const ENTITY: &'static str = "coinHold";
}
