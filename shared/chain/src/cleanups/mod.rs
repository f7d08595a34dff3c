//! Clean-ups of the pool (custody rule 29). Strangers can send it thousands of coins with dust, or with runes that no mint
//! has. An operator orders transactions that merge small coins, and that send such runes to an address; the worker signs,
//! sends and follows them like the other transactions of the pool.
//!
//! A clean-up never spends what a mint needs, and pays its fee from its own coins, so it takes no coin from a payout. Runes
//! go to the first output, without a runestone.

mod choice;
mod draft;
mod inventory;
mod next;
mod order;

use bitcoin::{FeeRate, Txid};
use store::Writes;

use self::{choice::batches, draft::draft};
pub use self::{
    choice::{Batch, Purpose},
    inventory::{Inventory, Pool, RuneSum, pools},
    next::send_next_version,
    order::Order,
};
use crate::{
    BitcoinContext, keys,
    models::{fee::FeeTarget, transaction::PoolCleanup},
    transactions::{self, ChainError, Refusal, SweepOrder, fee_rate},
};

/// A proposal for a pool.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The coins of the pool.
    pub inventory: Inventory,
    /// The fee rate now.
    pub rate: FeeRate,
    /// The transactions, each with its fee in sats; none above the highest rate.
    pub transactions: Vec<(Batch, u64)>,
    /// Coins that would be merged or swept, but are not worth the fee.
    pub not_worth_it: usize,
}

/// Works out what could be done for a pool, and changes nothing.
///
/// # Errors
/// [`ChainError::Source`] if Esplora or ord fails; [`ChainError::Store`] if the store fails.
pub async fn propose(
    app: &BitcoinContext,
    pool: &Pool,
    order: &Order,
) -> Result<Proposal, ChainError> {
    let rate = fee_rate(app, FeeTarget::Economy).await?.rate;
    let inventory = Inventory::read(app, pool, order, rate).await?;
    let (mut proposed, mut not_worth_it) = (Vec::new(), 0_usize);
    if rate > order.highest_rate {
        return Ok(Proposal { inventory, rate, transactions: proposed, not_worth_it });
    }
    for batch in batches(&inventory, order.sweep_to.is_some()) {
        if proposed.len() >= order.most {
            break;
        }
        match draft(
            app,
            &pool.wallet,
            &work_of(pool, &batch, order),
            batch.coins.clone(),
            rate,
            None,
        )? {
            Some(draft) => proposed.push((batch, draft.promised.fee.to_sat())),
            None => not_worth_it = not_worth_it.saturating_add(batch.coins.len()),
        }
    }
    Ok(Proposal { inventory, rate, transactions: proposed, not_worth_it })
}

/// Orders a transaction of a proposal: stores it, and holds its coins. `None` if another transaction took one of them in
/// the meantime.
///
/// # Errors
/// [`ChainError::Damaged`] if the coins hold more sats than there are; otherwise as [`transactions::order`].
pub async fn place(
    app: &BitcoinContext,
    pool: &Pool,
    order: &Order,
    (batch, rate): (&Batch, FeeRate),
) -> Result<Option<Txid>, ChainError> {
    let work = work_of(pool, batch, order);
    let Some(draft) = draft(app, &pool.wallet, &work, batch.coins.clone(), rate, None)? else {
        return Ok(None);
    };
    let sweep_order = work.sweep_to.as_deref().map_or_else(Writes::new, |to| {
        let order = SweepOrder { ordered_at: app.clock.now() };
        Writes::new().put(&keys::sweep_order(to), &order, Refusal::Coin)
    });
    match transactions::order(app, &draft, |_| sweep_order).await {
        Ok(issued) => Ok(Some(issued.txid)),
        Err(ChainError::CoinsChanged | ChainError::Contended) => Ok(None),
        Err(error) => Err(error),
    }
}

fn work_of(pool: &Pool, batch: &Batch, order: &Order) -> PoolCleanup {
    let sweep_to = order.sweep_to.as_ref().filter(|_| batch.purpose == Purpose::Sweep);
    PoolCleanup {
        mint_id: pool.mint_id,
        sweep_to: sweep_to.map(ToString::to_string),
        highest_rate: order.highest_rate.to_sat_per_kwu(),
    }
}
