//! The coins of a pool, and which of them mints need.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use bitcoin::{Amount, FeeRate, Txid};
use shared::models::bitcoin::RuneName;
use store::lists;

use super::order::Order;
use crate::{
    BitcoinContext,
    bitcoin::{
        coins::{Coin, CoinSum, LeftAside},
        esplora::Utxo,
    },
    keys,
    mints::{Mint, runes_of_unfinished},
    models::{
        mint::{MintId, MintKey, MintState},
        platform_wallet::PlatformWallet,
        transaction::Work,
    },
    transactions::{self, ChainError, IssuedTransaction, NeededCoins},
};

/// More mints than this are not read.
const MOST_MINTS: u64 = 100_000;
/// A plain coin of less is merged.
const SMALL: Amount = Amount::from_sat(10_000);
/// The most valuable plain coins stay, as many as a division of the pool merges.
const PLAIN_KEPT: usize = 24;
/// The largest coins with a rune of a mint stay if this many hold what it promises. Otherwise they are merged,
/// because no distribution could spend more of them together.
const RUNIC_KEPT: usize = 40;
/// Most small coins whose contents are read at a time.
const MOST_SMALL: usize = 2_000;
/// A P2WPKH input, in virtual bytes.
const VBYTES_OF_INPUT: u64 = 68;

/// A pool, as its mints name it.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The wallet.
    pub wallet: PlatformWallet,
    /// The addresses of the treasuries of its mints.
    pub treasuries: BTreeSet<String>,
    /// One of its mints.
    pub mint_id: MintId,
    /// Its mints that are open or still pay.
    pub unfinished: Vec<Mint>,
}

impl Pool {
    /// The mints that pay out now.
    fn paying(&self) -> BTreeSet<MintId> {
        let paying = self.unfinished.iter().filter(|mint| mint.state == MintState::MintedOut);
        paying.map(|mint| mint.id).collect()
    }

    /// The amount of each rune that mints have promised.
    fn promised(&self) -> BTreeMap<RuneName, u128> {
        let mut promised = BTreeMap::new();
        for mint in &self.unfinished {
            let tokens = mint.tokens_per_request.0.saturating_mul(mint.total_requests.into());
            let sum: &mut u128 = promised.entry(mint.rune.name).or_default();
            *sum = sum.saturating_add(tokens);
        }
        promised
    }
}

async fn mints(app: &BitcoinContext) -> Result<Vec<Mint>, ChainError> {
    let listed = lists::all::<MintKey>(&app.store, &keys::lists::mints(), MOST_MINTS, None).await?;
    let listed = listed.ok_or(ChainError::Damaged("there are too many mints"))?;
    let keys: Vec<_> = listed.iter().map(|member| keys::mint(member.value.mint_id)).collect();
    Ok(app.store.get_many::<Mint>(&keys).await?.into_iter().flatten().collect())
}

/// The pools of all mints.
///
/// # Errors
/// [`ChainError::Damaged`] if there are more mints than one read may return; [`ChainError::Store`] if the
/// store fails.
pub async fn pools(app: &BitcoinContext) -> Result<Vec<Pool>, ChainError> {
    let mut pools: BTreeMap<String, Pool> = BTreeMap::new();
    for mint in mints(app).await? {
        let (wallet, mint_id) = (mint.pool.clone(), mint.id);
        let new = Pool { wallet, treasuries: BTreeSet::new(), mint_id, unfinished: Vec::new() };
        let pool = pools.entry(mint.pool.address.clone()).or_insert(new);
        pool.treasuries.insert(mint.treasury.address.clone());
        if mint.is_unfinished() {
            pool.unfinished.push(mint);
        }
    }
    Ok(pools.into_values().collect())
}

/// The runes that stay in the pool: those that the order keeps, and those of all mints, except the runes of
/// finished mints that the order gives up.
async fn kept_runes(app: &BitcoinContext, order: &Order) -> Result<BTreeSet<RuneName>, ChainError> {
    let mints = mints(app).await?;
    let unfinished = runes_of_unfinished(&mints);
    let goes = |name: &RuneName| order.also.contains(name) && !unfinished.contains(name);
    let of_mints = mints.iter().map(|mint| mint.rune.name);
    Ok(of_mints.chain(order.keep.iter().copied()).filter(|name| !goes(name)).collect())
}

/// The coins with a rune together.
#[derive(Clone, Copy, Debug, Default)]
pub struct RuneSum {
    /// The coins.
    pub coins: CoinSum,
    /// What they hold, in the rune's smallest unit.
    pub amount: u128,
    /// Whether it stays in the pool.
    pub stays: bool,
}

/// The coins of a pool, by what may happen to them.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    /// Free plain coins.
    pub plain: CoinSum,
    /// Free coins with runes, by rune.
    pub runes: BTreeMap<RuneName, RuneSum>,
    /// Coins that cannot be spent now, by reason.
    pub left_aside: LeftAside,
    /// Free coins that mints need.
    pub needed: CoinSum,
    /// Small plain coins that are worth their fee and that no mint needs.
    pub(super) dust: Vec<Coin>,
    /// Coins with a rune of a mint that the mint does not need as they are, the smallest amounts first.
    pub(super) scattered: BTreeMap<RuneName, Vec<Coin>>,
    /// Coins whose runes may all leave the pool.
    pub(super) junk: Vec<Coin>,
}

impl Inventory {
    /// Reads it.
    pub(super) async fn read(
        app: &BitcoinContext,
        pool: &Pool,
        order: &Order,
        rate: FeeRate,
    ) -> Result<Self, ChainError> {
        let runes = kept_runes(app, order).await?;
        let address = pool.wallet.address(app.network);
        let listed = app.esplora.unspent(&address, &BTreeSet::new()).await?;
        // Among very many coins, only the most valuable ones are read unless they are named.
        let small = listed.confirmed.iter().filter(|utxo| is_mergeable(utxo.value, rate));
        let outpoints = small.map(Utxo::outpoint).take(MOST_SMALL).collect();
        let wanted = NeededCoins { runes: runes.clone(), outpoints };
        let found = transactions::platform_wallet_coins(app, &pool.wallet, &wanted).await?;
        let of_payouts = made_by_payouts(app, pool, &found.coins).await?;
        Ok(Self {
            left_aside: found.left_aside,
            ..sort(pool, &runes, found.coins, &of_payouts, rate)
        })
    }
}

/// Whether a plain coin is small, and worth more than its input costs.
fn is_mergeable(sats: u64, rate: FeeRate) -> bool {
    let cost = rate.fee_vb(VBYTES_OF_INPUT).unwrap_or(Amount::MAX_MONEY);
    sats < SMALL.to_sat() && sats > cost.to_sat()
}

/// The transactions of mints that pay out now, among those that made these coins: their outputs are for further payouts.
async fn made_by_payouts(
    app: &BitcoinContext,
    pool: &Pool,
    coins: &[Coin],
) -> Result<BTreeSet<Txid>, ChainError> {
    let paying = pool.paying();
    if paying.is_empty() {
        return Ok(BTreeSet::new());
    }
    let parents: BTreeSet<Txid> = coins.iter().map(|coin| coin.outpoint.txid).collect();
    let rows: Vec<_> = parents.iter().map(|txid| keys::transaction(*txid)).collect();
    let rows = app.store.get_many::<IssuedTransaction>(&rows).await?;
    let of_payout = rows.into_iter().flatten().filter(|row| match &row.work {
        Work::PoolSplit(work) => paying.contains(&work.mint_id),
        Work::VmTransfer(key) | Work::VmDistribution(key) => paying.contains(&key.mint_id),
        _ => false,
    });
    Ok(of_payout.map(|row| row.txid).collect())
}

/// Sorts free coins by what becomes of them.
fn sort(
    pool: &Pool,
    kept_runes: &BTreeSet<RuneName>,
    coins: Vec<Coin>,
    of_payouts: &BTreeSet<Txid>,
    rate: FeeRate,
) -> Inventory {
    let mut sorted = Inventory::default();
    let mut plain = Vec::new();
    for coin in coins.into_iter().filter(Coin::is_spendable) {
        let sats = coin.value.to_sat();
        for (name, amount) in coin.runes().into_iter().flatten() {
            let sum = sorted.runes.entry(*name).or_default();
            sum.coins.add(sats);
            sum.amount = sum.amount.saturating_add(*amount);
            sum.stays = kept_runes.contains(name);
        }
        if coin.is_plain() {
            sorted.plain.add(sats);
        }
        let own =
            coin.runes().and_then(|runes| runes.keys().find(|name| kept_runes.contains(*name)));
        match own.copied() {
            _ if of_payouts.contains(&coin.outpoint.txid) => sorted.needed.add(sats),
            Some(rune) => sorted.scattered.entry(rune).or_default().push(coin),
            None if coin.is_plain() => plain.push(coin),
            None => sorted.junk.push(coin),
        }
    }
    let promised = pool.promised();
    for (rune, coins) in &mut sorted.scattered {
        coins.sort_by_key(|coin| (coin.amount_of(rune), Reverse(coin.outpoint)));
        let kept = kept(rune, coins, promised.get(rune).copied().unwrap_or_default());
        for coin in coins.drain(coins.len().saturating_sub(kept)..) {
            sorted.needed.add(coin.value.to_sat());
        }
    }
    plain.sort_by_key(|coin| Reverse((coin.value, coin.outpoint)));
    let small = plain.split_off(plain.len().min(PLAIN_KEPT));
    sorted.dust = small;
    sorted.dust.retain(|coin| is_mergeable(coin.value.to_sat(), rate));
    // Alike runes are together, so that few different ones share a transaction.
    sorted.junk.sort_by_cached_key(|coin| {
        (coin.runes().map(|runes| runes.keys().copied().collect::<Vec<_>>()), coin.outpoint)
    });
    sorted
}

/// How many of the largest coins stay as they are, since they hold what mints have promised.
fn kept(rune: &RuneName, ascending: &[Coin], promised: u128) -> usize {
    let (mut held, mut kept) = (0_u128, 0_usize);
    for coin in ascending.iter().rev() {
        if held >= promised {
            return kept;
        }
        held = held.saturating_add(coin.amount_of(rune));
        kept = kept.saturating_add(1);
        if kept > RUNIC_KEPT {
            return 0;
        }
    }
    kept
}

#[cfg(test)]
mod tests;
