//! `GET /api/account/trading-wallet/coins`.

use std::collections::BTreeMap;

use axum::extract::State;
use base::clock::Timestamp;
use bitcoin::Txid;
use chain::{
    bitcoin::coins::Contents,
    models::amount::Units,
    transactions::{self, CoinOrigin, WalletCoin},
    views::deposits::HeldRune,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::{
    auth::limits::{self, WALLET_BY_ACCOUNT},
    http::{
        Error, ListQuery, LiveCaller, OkWith, Problem, Result,
        list::{Field, Filter, ListParameters, Resource},
        relations::WALLET,
    },
    models::{
        bitcoin::{EtchedRune, InscriptionId, OutPoint, RuneName},
        trading_wallet::{DELAY, RENEWAL_ADVISED_BELOW, RENEWAL_NEEDED_BELOW, TradingWallet},
    },
};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;

/// Whether a coin can be spent and, if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CoinState {
    /// It can be spent.
    Free,
    /// An unsigned transaction reserves it.
    Reserved,
    /// A signed transaction spends it.
    Spending,
    /// It is not in a block yet.
    Pending,
    /// It is mined, and needs 100 confirmations before it can be spent.
    Immature,
    /// It carries an inscription, and the service never spends it.
    Inscribed,
    /// Its contents are not known yet.
    Unknown,
    /// It holds more than the service reads: over 100 runes, or thousands of inscriptions.
    Ignored,
}

/// Whether a coin should be renewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Renewal {
    /// It need not be renewed yet.
    None,
    /// Its delay ends within 4,032 blocks.
    Advised,
    /// Its delay ends within 1,152 blocks, and mints refuse it.
    Needed,
    /// Its delay is over: the user alone can spend it.
    UserOnly,
}

/// What a coin can be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Use {
    /// A withdrawal.
    Withdraw,
    /// A renewal.
    Renew,
    /// A batch of requests of a mint.
    Mint,
}

impl CoinState {
    /// The state of a coin. A confirmed coin that is held is `reserved` or `spending`, even if it contains
    /// runes or an inscription.
    pub fn of(coin: &WalletCoin) -> Self {
        match (&coin.held_by, &coin.coin.contents) {
            _ if coin.coin.confirmations == 0 => Self::Pending,
            (Some(holder), _) if holder.until.is_some() => Self::Reserved,
            (Some(_), _) => Self::Spending,
            (None, _) if coin.coin.is_immature => Self::Immature,
            (None, Contents::Unknown) => Self::Unknown,
            (None, Contents::Unreadable) => Self::Ignored,
            (None, Contents::Known { inscribed: true, .. }) => Self::Inscribed,
            (None, Contents::Known { inscribed: false, .. }) => Self::Free,
        }
    }
}

impl Renewal {
    /// Whether a confirmed coin should be renewed.
    pub fn of(coin: &WalletCoin) -> Self {
        match coin.coin.expires_in {
            _ if coin.coin.confirmations == 0 => Self::None,
            Some(0) => Self::UserOnly,
            Some(blocks) if blocks < RENEWAL_NEEDED_BELOW => Self::Needed,
            Some(blocks) if blocks < RENEWAL_ADVISED_BELOW => Self::Advised,
            _ => Self::None,
        }
    }
}

/// The transaction that holds a coin.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldBy {
    /// The transaction.
    #[schema(value_type = String)]
    tx_id: Txid,
    /// The end of its reservation, ms since the epoch; null once it is signed.
    #[schema(required = true)]
    until: Option<Timestamp>,
}

/// A coin of a trading wallet.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoinRow {
    /// The outpoint, `<txid>:<vout>`.
    #[schema(value_type = String)]
    pub(crate) id: OutPoint,
    /// Its sats.
    pub(crate) sats: u64,
    state: CoinState,
    renewal: Renewal,
    /// The runes in it; null if they are unknown.
    #[schema(required = true)]
    pub(crate) runes: Option<Vec<HeldRune>>,
    /// The inscriptions on its sats.
    #[schema(value_type = Vec<String>)]
    pub(crate) inscriptions: Vec<InscriptionId>,
    /// The height of its block; null if it has none yet.
    #[schema(required = true)]
    pub(crate) confirmed_height: Option<u32>,
    /// The height from which the user alone can spend it; null if it has no block yet.
    #[schema(required = true)]
    pub(crate) user_only_from_height: Option<u32>,
    /// Blocks until the user alone can spend it; null if it has no block yet.
    #[schema(required = true)]
    expires_in_blocks: Option<u32>,
    /// The transaction that holds it; null if none does.
    #[schema(required = true)]
    held_by: Option<HeldBy>,
    /// What it can be used for now.
    usable_for: Vec<Use>,
    origin: CoinOrigin,
}

const ORIGIN: &str = "origin";

impl Resource for CoinRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("sats"),
        Field::visible("state"),
        Field::visible("renewal"),
        Field::visible("runes").unsorted(),
        Field::visible("inscriptions").unsorted(),
        Field::visible("confirmedHeight"),
        Field::visible("userOnlyFromHeight"),
        Field::visible("expiresInBlocks"),
        Field::visible("heldBy").unsorted(),
        Field::visible("usableFor").unsorted(),
        Field::visible(ORIGIN).unsorted(),
    ];
    const SEQUENCE: &'static [&'static str] = &["sats"];
    const FILTERS: &'static [Filter] = &[
        Filter::of_rows::<CoinState>("state", "state"),
        Filter::of_rows::<Renewal>("renewal", "renewal"),
        Filter::of::<EtchedRune>("runeId"),
    ];
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct CoinFilters {
    /// Only coins in one of these states.
    #[param(rename = "state_eq", style = Form, explode = false)]
    state: Option<Vec<CoinState>>,
    /// Only coins with one of these values of `renewal`.
    #[param(rename = "renewal_eq", style = Form, explode = false)]
    renewal: Option<Vec<Renewal>>,
    /// Only coins with this rune.
    #[param(rename = "runeId_eq")]
    rune_id: Option<EtchedRune>,
}

/// Whether the contents of the coins could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ContentsCheck {
    /// The contents of all coins could be read.
    Complete,
    /// The contents of some or all coins could not be read, so only their sats are known.
    Unavailable,
}

impl ContentsCheck {
    /// Whether ord has answered for all coins.
    pub fn of(is_checked: bool) -> Self {
        if is_checked { Self::Complete } else { Self::Unavailable }
    }
}

/// What the coins were read from.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CoinsMeta {
    /// The height of the chain.
    height: u32,
    /// Whether the contents of the coins could be read.
    checks: ContentsCheck,
    /// Further coins of the address that were not read, the least valuable ones.
    not_read: usize,
}

/// The caller's trading wallet.
pub(crate) fn wallet_of(caller: &LiveCaller) -> Result<&TradingWallet> {
    let wallet = caller.account.trading_wallet.as_ref();
    wallet.ok_or(Error::new(Problem::TradingWalletNotFound))
}

/// Lists the coins of the caller's trading wallet, the most valuable first. Each coin shows what it holds, what
/// prevents it from being spent, and when the user alone can spend it. The list is read from the chain and
/// filtered and sorted as a whole.
#[utoipa::path(
    get,
    path = "/api/account/trading-wallet/coins",
    tag = "trading-wallet",
    security(("bearer" = [])),
    params(ListParameters, CoinFilters),
    responses((status = 200, description = "A page of coins", body = OkWith<Vec<CoinRow>, CoinsMeta>))
)]
pub async fn list_coins(
    State(app): State<App>,
    caller: LiveCaller,
    query: ListQuery<CoinRow>,
) -> Result<OkWith<Vec<Value>, CoinsMeta>> {
    query.refuse_as_of()?;
    let wallet = wallet_of(&caller)?;
    limits::hit(&app, WALLET_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let contents = transactions::wallet_contents(&app, caller.account.id, wallet).await?;
    let names = contents.coins.iter().filter_map(|coin| coin.coin.runes()).flat_map(|of| of.keys());
    let ids = app.rune_ids.of(&app.ord, app.clock.now(), names.copied()).await;
    let rune: Option<EtchedRune> = query.filter("runeId").and_then(|id| id.parse().ok());
    let rows = contents.coins.iter().map(|coin| row(coin, contents.height, &ids));
    let rows = rows.filter(|row| rune.is_none_or(|rune| row.holds(rune))).collect();
    let mut found = query.sorted_page(rows)?;
    if query.selects(ORIGIN) {
        let parents = found.rows.iter().map(|row| row.id.0.txid).collect();
        let origins = transactions::origins(&app, caller.account.id, parents).await?;
        for row in &mut found.rows {
            row.origin = origins.get(&row.id.0.txid).copied().unwrap_or(CoinOrigin::Unknown);
        }
    }
    let related = |relation, _| match relation {
        WALLET => json!(caller.account.wallet),
        _ => Value::Null,
    };
    let (rows, page) = query.answer(&found, related)?.into_parts();
    let meta = CoinsMeta {
        height: contents.height,
        checks: ContentsCheck::of(contents.is_complete()),
        not_read: contents.not_read,
    };
    Ok(OkWith::at(rows, page, meta))
}

impl CoinRow {
    fn holds(&self, rune: EtchedRune) -> bool {
        self.runes.iter().flatten().any(|held| held.rune_id == Some(rune))
    }
}

/// What a coin can be used for now.
pub(crate) fn uses(coin: &WalletCoin) -> Vec<Use> {
    if CoinState::of(coin) != CoinState::Free {
        return Vec::new();
    }
    let lasts = matches!(Renewal::of(coin), Renewal::None | Renewal::Advised);
    let mint = (coin.coin.is_plain() && lasts).then_some(Use::Mint);
    [Some(Use::Withdraw), Some(Use::Renew), mint].into_iter().flatten().collect()
}

/// The row of a coin, without its origin.
pub(crate) fn row(coin: &WalletCoin, tip: u32, ids: &BTreeMap<RuneName, EtchedRune>) -> CoinRow {
    let WalletCoin { coin: held, inscriptions, runes: shown, held_by, .. } = coin;
    let depth = held.confirmations.checked_sub(1);
    let confirmed_height = depth.and_then(|depth| tip.checked_sub(depth));
    let runes = held.runes().map(|runes| {
        let rune = |(name, amount): (&RuneName, &u128)| HeldRune {
            rune_id: ids.get(name).copied(),
            name: *name,
            symbol: shown.get(name).and_then(|pile| pile.symbol),
            divisibility: shown.get(name).map(|pile| pile.divisibility),
            amount: Units(*amount),
        };
        runes.iter().map(rune).collect()
    });
    CoinRow {
        id: OutPoint(held.outpoint),
        sats: held.value.to_sat(),
        state: CoinState::of(coin),
        renewal: Renewal::of(coin),
        runes,
        inscriptions: inscriptions.clone(),
        confirmed_height,
        user_only_from_height: confirmed_height
            .and_then(|height| height.checked_add(u32::from(DELAY))),
        expires_in_blocks: held.expires_in.filter(|_| confirmed_height.is_some()),
        held_by: held_by.map(|holder| HeldBy { tx_id: holder.txid, until: holder.until }),
        usable_for: uses(coin),
        origin: CoinOrigin::Unknown,
    }
}
