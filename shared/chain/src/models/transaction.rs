//! Bitcoin transactions issued by the service and signed by their owner.

use bitcoin::Txid;
use serde::{Deserialize, Serialize};
use shared::models::bitcoin::BitcoinToken;
use utoipa::ToSchema;

use crate::models::{
    amount::Units,
    mint::MintId,
    vm_transaction::{PayoutKey, VmTransactionKey},
    xchain::{Withdrawal, XchainKey},
};

/// Blocks, its own included, after which a confirmation is final: a reorganisation of six blocks cannot undo
/// it.
pub const FINAL: u32 = 7;

/// The state of an issued transaction.
///
/// ```text
/// unsigned ──▶ signing ──▶ broadcasting ◀──▶ inMempool ◀──▶ confirmed
///    │            │             │  ▲            │  │         │  ▲ │
///    ▼            │             │  └────────────┼──┼─────────┘  │ │
/// expired         │             ├───▶ failed ◀──┤  └ (a block that is no more)
///                 │             │      ▲ ▲      ▼               │ │
///                 ├─────────────┼──────┘ └── replaced ◀─────────┼─┘
///                 └─────────────┴───────────────▲──┴────────────┘
/// ```
///
/// A failed transaction can still get into a block, if a coin that had been missing for a day returns with the
/// transaction that created it. The failed transaction then becomes `confirmed`, with all effects.
///
/// A replaced transaction returns to `broadcasting`, or to `signing` if the platform has not signed it, when
/// the version that replaced it has failed.
///
/// Nothing has happened until the platform signs. After that only the chain can end a transaction: it
/// confirms, or another transaction spends its coins. A transaction in `signing` may already have been
/// signed, so the same applies to it. If it can no longer be signed, its next version, which spends one of
/// its coins, takes its place (custody rules 7 and 25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TransactionState {
    /// Issued; its coins are reserved.
    Unsigned,
    /// The owner's signatures are stored; the platform may have signed.
    Signing,
    /// Signed by both; it is unknown whether the network has it.
    Broadcasting,
    /// In the mempool.
    InMempool,
    /// In a block.
    Confirmed,
    /// It was not signed in time or was signed incorrectly. Its coins are free.
    Expired,
    /// Another transaction of the service has taken its place: its replacement, or the one that it was meant to
    /// replace. The service does not broadcast it while the other one can confirm, but it can still confirm.
    Replaced,
    /// Another transaction spent its coins, permanently, or one of them has been missing for a day.
    Failed,
}

impl TransactionState {
    /// Whether the drawing above has this transition.
    pub fn may_become(self, next: Self) -> bool {
        use TransactionState::{
            Broadcasting, Confirmed, Expired, Failed, InMempool, Replaced, Signing, Unsigned,
        };
        match (self, next) {
            (Unsigned, Signing | Expired) => true,
            (Signing, Broadcasting | Replaced | Failed) => true,
            (Broadcasting, InMempool | Confirmed | Replaced | Failed) => true,
            (InMempool, Broadcasting | Confirmed | Replaced | Failed) => true,
            // A reorganisation removed its block: the transaction waits again, or another version is in the
            // new blocks.
            (Confirmed, Broadcasting | InMempool | Replaced) => true,
            // It regains its place if the version that took it fails.
            (Replaced, Signing | Broadcasting | Confirmed | Failed) => true,
            // The chain decides, whatever was expected.
            (Failed, Confirmed) => true,
            _ => false,
        }
    }
}

/// The purpose of an issued transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Work {
    /// A cross-chain withdrawal.
    XchainWithdraw(Withdrawal),
    /// A withdrawal that is not reported to the hub.
    Withdraw(PlainWithdrawal),
    /// A renewal: coins of a trading wallet return to it, so that their delay begins again.
    RenewUtxo,
    /// The commitment of the VM transaction with the same txid. It pays the mint's treasury.
    VmCommitment(Commitment),
    /// A refund of VM transactions.
    Refund(Refund),
    /// A payout's transfer of payments from the treasury to the recipient of the mint's proceeds.
    VmTransfer(PayoutKey),
    /// A payout's distribution of runes.
    VmDistribution(PayoutKey),
    /// A split of the pool's coins, so that payouts need not wait for each other.
    PoolSplit(PoolSplit),
    /// A clean-up of the pool that an operator ordered.
    PoolCleanup(PoolCleanup),
}

/// A withdrawal from a trading address to another Bitcoin address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PlainWithdrawal {
    /// The token to withdraw.
    pub token_id: BitcoinToken,
    /// The amount to withdraw, smallest unit.
    pub amount: Units,
    /// The recipient: a canonical Bitcoin address.
    pub withdraw_to: String,
}

/// A split of the pool's coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolSplit {
    /// The mint whose payouts need the coins.
    pub mint_id: MintId,
}

/// A clean-up of the pool: many coins become few, or runes that no mint needs leave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolCleanup {
    /// A mint of the pool.
    pub mint_id: MintId,
    /// The address that gets the runes; `None`: they stay in the pool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep_to: Option<String>,
    /// The highest fee rate of any version, in sats per 1,000 weight units.
    pub highest_rate: u64,
}

/// The commitment of a VM transaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Commitment {
    /// The mint.
    pub mint_id: MintId,
    /// The address for which its owner acts.
    pub user_address: String,
}

/// A refund of VM transactions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    /// The address for which their owner acts.
    pub user_address: String,
    /// The requested runes.
    pub rune_ids: Vec<ordinals::RuneId>,
    /// The VM transactions that are refunded.
    pub transactions: Vec<VmTransactionKey>,
}

/// An entry in the list of an account's transactions, with the key of its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AccountTransaction {
    /// A batch of requests.
    Batch(VmTransactionKey),
    /// A withdrawal through the hub.
    Withdrawal(XchainKey),
    /// Another transaction.
    Other(Txid),
}

impl AccountTransaction {
    /// The Bitcoin transaction; `None` for a swap, which has none.
    pub fn txid(self) -> Option<Txid> {
        match self {
            Self::Batch(key) => Some(key.txid),
            Self::Withdrawal(XchainKey::Withdrawal(txid)) | Self::Other(txid) => Some(txid),
            Self::Withdrawal(XchainKey::Swap { .. }) => None,
        }
    }
}

impl Work {
    /// Sets the amount of a plain withdrawal, which is only known once its transaction is planned. Other work is
    /// returned unchanged.
    #[must_use]
    pub fn paying(self, amount: Units) -> Self {
        match self {
            Self::Withdraw(withdrawal) => Self::Withdraw(PlainWithdrawal { amount, ..withdrawal }),
            other => other,
        }
    }

    /// Whether the expiry of its draft changes other rows. Such drafts have a queue; others expire without a
    /// worker.
    pub const fn outlives_its_draft(&self) -> bool {
        matches!(self, Self::VmCommitment(_) | Self::Refund(_))
    }
}

#[cfg(test)]
mod tests {
    use TransactionState::{
        Broadcasting, Confirmed, Expired, Failed, InMempool, Replaced, Signing, Unsigned,
    };

    use super::*;

    const ALL: [TransactionState; 8] =
        [Unsigned, Signing, Broadcasting, InMempool, Confirmed, Replaced, Expired, Failed];

    #[test]
    fn custody_07_only_the_chain_ends_what_the_platform_may_have_signed() {
        for state in ALL {
            assert_eq!(state.may_become(Expired), state == Unsigned, "{state:?}");
            let given_up = state.may_become(Failed);
            // A confirmed transaction is first removed by a reorganisation.
            let signed = matches!(state, Signing | Broadcasting | InMempool | Replaced);
            assert_eq!(given_up, signed, "{state:?}");
        }
        assert!(Signing.may_become(Replaced) && !Signing.may_become(Unsigned));
        assert!(Replaced.may_become(Broadcasting) && Replaced.may_become(Signing));
        assert!(!Unsigned.may_become(Broadcasting) && !Unsigned.may_become(Replaced));
    }

    #[test]
    fn custody_31_only_a_block_changes_a_failed_transaction_and_nothing_an_expired_one() {
        for next in ALL {
            assert!(!Expired.may_become(next));
            assert_eq!(Failed.may_become(next), next == Confirmed, "{next:?}");
        }
    }
}
