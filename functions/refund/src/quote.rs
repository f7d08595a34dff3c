//! What can be refunded, and what of it arrives.

use bitcoin::FeeRate;
use ordinals::RuneId;
use shared::{
    app::App,
    cosigning::{self, CosigningError},
    minting::{self, Refundable, VmTransaction},
    models::{
        account::AccountId, platform_wallet, trading_wallet, vm_transaction::VmTransactionKey,
    },
    store::Key,
};

/// VM transactions of one refund (decisions, section 10): each takes two actions of the write that
/// signs it.
pub(crate) const MOST: usize = 40;

/// Weight units of a transaction without inputs, with two outputs to a trading wallet: version and
/// lock time, the counts of inputs and outputs, marker and flag (BIP 141), and P2WSH outputs of 43
/// bytes.
const FIXED_WEIGHT: u64 = (4 + 4 + 1 + 1) * 4 + 2 + 2 * 43 * 4;
/// Weight units of an unsigned input (41 bytes), and of the count of its witness items.
const INPUT_WEIGHT: u64 = 41 * 4 + 1;

/// What can be refunded.
#[derive(Clone, Debug)]
pub(crate) struct Quote {
    /// In the order of the runes that were asked for, then of txids.
    pub(crate) transactions: Vec<VmTransaction>,
    /// Whether there are more than one refund takes.
    pub(crate) more: bool,
    /// What was paid for them, sats.
    pub(crate) total: u64,
    /// What the network takes, sats: the same with and without an input of the user's.
    pub(crate) fee: u64,
}

impl Quote {
    /// What arrives, sats; `None` where that is no output that nodes relay.
    pub(crate) fn refunded(&self) -> Option<u64> {
        const DUST: u64 = 330;
        self.total.checked_sub(self.fee).filter(|sats| *sats >= DUST)
    }
}

/// The most that a refund of so many outputs of the treasury weighs, an input of the user's
/// included.
pub(crate) fn weight(outputs: u64) -> u64 {
    let treasury = INPUT_WEIGHT.saturating_add(platform_wallet::SATISFACTION_WEIGHT);
    let user = INPUT_WEIGHT.saturating_add(trading_wallet::SATISFACTION_WEIGHT);
    outputs.saturating_mul(treasury).saturating_add(user).saturating_add(FIXED_WEIGHT)
}

/// The fee of so much weight, rounded up, sats.
pub(crate) fn fee(weight: u64, rate: FeeRate) -> u64 {
    rate.to_sat_per_kwu().saturating_mul(weight).div_ceil(1_000)
}

/// What an address can have refunded: of an account, or of whichever has it.
///
/// # Errors
/// [`CosigningError::Store`]; [`CosigningError::Source`] where no fee rate is kept.
pub(crate) async fn quote(
    app: &App,
    user_address: &str,
    runes: &[RuneId],
    account: Option<AccountId>,
) -> Result<Quote, CosigningError> {
    let mut found = Vec::new();
    for &rune in runes {
        let (low, high) = Key::vm_refundables(user_address, rune);
        let left = MOST.saturating_add(1).saturating_sub(found.len());
        if left == 0 {
            break;
        }
        let limit = i32::try_from(left).unwrap_or(i32::MAX);
        found.extend(app.store.range::<Refundable>((&low, &high), true, Some(limit)).await?);
    }
    let more = found.len() > MOST;
    let keys = found
        .iter()
        .take(MOST)
        .map(|found| VmTransactionKey { mint_id: found.mint_id, txid: found.txid });
    let (rows, rate) =
        tokio::join!(minting::vm_transactions(&app.store, keys), cosigning::kept_fee_rate(app));
    let transactions: Vec<_> = rows?
        .into_iter()
        .flatten()
        .filter(|row| row.is_refundable() && account.is_none_or(|own| own == row.account_id))
        .collect();
    let total = transactions.iter().map(VmTransaction::refundable_sats);
    let total = total.fold(0, u64::saturating_add);
    let outputs = u64::try_from(transactions.len()).unwrap_or(u64::MAX);
    let fee = fee(weight(outputs), rate?);
    Ok(Quote { transactions, more, total, fee })
}
