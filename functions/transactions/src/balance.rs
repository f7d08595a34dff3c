//! `GET /api/account/trading-wallet/balance`.

use std::collections::BTreeMap;

use axum::extract::State;
use base::clock::Timestamp;
use chain::{
    bitcoin::coins::Contents,
    models::amount::Units,
    transactions::{self, WalletCoin},
};
use serde::Serialize;
use shared::{
    auth::limits::{self, WALLET_BY_ACCOUNT},
    http::{LiveCaller, OkWith, Result},
    models::bitcoin::{EtchedRune, RuneName},
};
use utoipa::ToSchema;

use crate::{
    app::App,
    coins::{CoinState, ContentsCheck, Renewal, wallet_of},
};

/// The balance of a trading wallet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Balance {
    /// The trading address.
    address: String,
    /// The height of the chain.
    height: u32,
    /// When the balance was read, ms since the epoch.
    read_at: Timestamp,
    btc: BtcBalance,
    /// Each rune that the wallet holds or receives; null if the contents of its coins could not be read.
    #[schema(required = true)]
    runes: Option<Vec<RuneBalance>>,
    coins: CoinCounts,
}

/// Sats of a trading wallet. Sats of one coin may count in several figures.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BtcBalance {
    /// In confirmed coins.
    confirmed: u64,
    /// In coins that can pay amounts and fees now: free, and without runes.
    available: u64,
    /// In coins that unsigned transactions reserve.
    reserved: u64,
    /// In coins that signed transactions spend, as long as the network has not seen them spent.
    spending: u64,
    /// In mined coins with fewer than 100 confirmations, which cannot be spent yet by the rules of the network.
    immature: u64,
    incoming: Incoming,
    /// Confirmed and incoming, minus what is being spent.
    projected: u64,
    /// In coins whose delay ends within 4,032 blocks, or has ended.
    needs_renewal: u64,
    /// In coins with runes.
    with_runes: u64,
    /// In coins with inscriptions, which the service never spends.
    with_inscriptions: u64,
    /// In coins whose contents are unknown, or too many to read.
    unknown: u64,
}

/// Unconfirmed sats.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Incoming {
    /// Change and renewals of the account's own transactions.
    own: u64,
    /// Sats that others sent.
    external: u64,
}

/// The balance of a rune, in its smallest unit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuneBalance {
    /// Null if the service could not read it.
    #[schema(required = true)]
    rune_id: Option<EtchedRune>,
    /// The name with spacers.
    #[schema(value_type = String)]
    name: RuneName,
    /// Null if the rune has none, or if none of it is in a block yet.
    #[schema(required = true, value_type = Option<String>)]
    symbol: Option<char>,
    /// Decimals of displayed amounts; null if none of it is in a block yet.
    #[schema(required = true)]
    divisibility: Option<u8>,
    /// In confirmed coins.
    confirmed: Units,
    /// In coins that can be spent now.
    available: Units,
    /// In coins that unsigned transactions reserve.
    reserved: Units,
    /// In coins that signed transactions spend, as long as the network has not seen them spent.
    spending: Units,
    /// In unconfirmed change and renewals of the account's own transactions. Amounts that others sent are known
    /// once they are in a block.
    incoming: Units,
}

/// Numbers of coins by state.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoinCounts {
    free: usize,
    reserved: usize,
    spending: usize,
    pending: usize,
    immature: usize,
    inscribed: usize,
    unknown: usize,
    ignored: usize,
    /// Further coins that were not read, the least valuable ones.
    not_read: usize,
}

/// Information about a balance.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BalanceMeta {
    /// Whether the contents of the coins could be read. If not, only sats are known.
    checks: ContentsCheck,
}

/// Returns the balance of the caller's trading wallet: confirmed, available now, incoming, and held back.
#[utoipa::path(
    get,
    path = "/api/account/trading-wallet/balance",
    tag = "trading-wallet",
    security(("bearer" = [])),
    responses((status = 200, description = "The balance", body = OkWith<Balance, BalanceMeta>))
)]
pub async fn get_trading_wallet_balance(
    State(app): State<App>,
    caller: LiveCaller,
) -> Result<OkWith<Balance, BalanceMeta>> {
    let wallet = wallet_of(&caller)?;
    limits::hit(&app, WALLET_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let contents = transactions::wallet_contents(&app, caller.account.id, wallet).await?;
    let mut runes = runes_of(&contents.coins);
    let ids = app.rune_ids.of(&app.ord, app.clock.now(), runes.keys().copied()).await;
    for (name, rune) in &mut runes {
        rune.rune_id = ids.get(name).copied();
    }
    let is_complete = contents.is_complete();
    let balance = Balance {
        address: wallet.address.clone(),
        height: contents.height,
        read_at: app.clock.now(),
        btc: btc_of(&contents.coins),
        runes: is_complete.then(|| runes.into_values().collect()),
        coins: counts_of(&contents.coins, contents.not_read),
    };
    Ok(OkWith::new(balance, BalanceMeta { checks: ContentsCheck::of(is_complete) }))
}

fn btc_of(coins: &[WalletCoin]) -> BtcBalance {
    let mut btc = BtcBalance::default();
    let add = |sum: &mut u64, sats: u64| *sum = sum.saturating_add(sats);
    for coin in coins {
        let (sats, state) = (coin.coin.value.to_sat(), CoinState::of(coin));
        if state == CoinState::Pending {
            let incoming = &mut btc.incoming;
            add(if coin.is_own { &mut incoming.own } else { &mut incoming.external }, sats);
            add(&mut btc.projected, sats);
            continue;
        }
        add(&mut btc.confirmed, sats);
        match state {
            CoinState::Free if coin.coin.is_plain() => add(&mut btc.available, sats),
            CoinState::Reserved => add(&mut btc.reserved, sats),
            CoinState::Spending => add(&mut btc.spending, sats),
            CoinState::Immature => add(&mut btc.immature, sats),
            _ => {}
        }
        if state != CoinState::Spending {
            add(&mut btc.projected, sats);
        }
        if Renewal::of(coin) != Renewal::None {
            add(&mut btc.needs_renewal, sats);
        }
        match &coin.coin.contents {
            Contents::Unknown | Contents::Unreadable => add(&mut btc.unknown, sats),
            Contents::Known { inscribed, runes } => {
                if *inscribed {
                    add(&mut btc.with_inscriptions, sats);
                }
                if !runes.is_empty() {
                    add(&mut btc.with_runes, sats);
                }
            }
        }
    }
    btc
}

fn runes_of(coins: &[WalletCoin]) -> BTreeMap<RuneName, RuneBalance> {
    let mut balances: BTreeMap<RuneName, RuneBalance> = BTreeMap::new();
    for coin in coins {
        let state = CoinState::of(coin);
        for (name, amount) in coin.coin.runes().into_iter().flatten() {
            let balance = balances.entry(*name).or_insert_with(|| RuneBalance {
                rune_id: None,
                name: *name,
                symbol: None,
                divisibility: None,
                confirmed: Units(0),
                available: Units(0),
                reserved: Units(0),
                spending: Units(0),
                incoming: Units(0),
            });
            if let Some(pile) = coin.runes.get(name) {
                (balance.symbol, balance.divisibility) = (pile.symbol, Some(pile.divisibility));
            }
            let add = |sum: &mut Units| *sum = Units(sum.0.saturating_add(*amount));
            match state {
                CoinState::Pending => {
                    add(&mut balance.incoming);
                    continue;
                }
                CoinState::Free => add(&mut balance.available),
                CoinState::Reserved => add(&mut balance.reserved),
                CoinState::Spending => add(&mut balance.spending),
                CoinState::Immature
                | CoinState::Inscribed
                | CoinState::Unknown
                | CoinState::Ignored => {}
            }
            add(&mut balance.confirmed);
        }
    }
    balances
}

fn counts_of(coins: &[WalletCoin], not_read: usize) -> CoinCounts {
    let mut counts = CoinCounts { not_read, ..CoinCounts::default() };
    for coin in coins {
        let count = match CoinState::of(coin) {
            CoinState::Free => &mut counts.free,
            CoinState::Reserved => &mut counts.reserved,
            CoinState::Spending => &mut counts.spending,
            CoinState::Pending => &mut counts.pending,
            CoinState::Immature => &mut counts.immature,
            CoinState::Inscribed => &mut counts.inscribed,
            CoinState::Unknown => &mut counts.unknown,
            CoinState::Ignored => &mut counts.ignored,
        };
        *count = count.saturating_add(1);
    }
    counts
}
