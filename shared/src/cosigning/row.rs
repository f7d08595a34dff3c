//! The rows: an issued transaction, and who holds a coin.

use std::time::Duration;

use bitcoin::Txid;
use serde::{Deserialize, Serialize};

use super::CosigningError;
use crate::{
    bitcoin::runes::{Flow, Rune},
    clock::Timestamp,
    models::{
        account::AccountId,
        bitcoin::OutPoint,
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
    /// Whose it is.
    pub account_id: AccountId,
    /// Where it stands.
    pub state: TransactionState,
    /// What it is for.
    pub work: Work,
    /// The wallet that its inputs are of.
    pub wallet: TradingWallet,
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
    /// Until when its coins are reserved: it must be signed before.
    pub reserved_until: Timestamp,
    /// The height of the block that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_height: Option<u32>,
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
