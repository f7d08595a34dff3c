//! `GET /api/wallets/balance` and `GET /api/utxos`: the contents of trading addresses, under the names that
//! published clients read. Both endpoints are public, do not reveal reservations, and answer only for trading
//! addresses of the service (custody rule 22).

use axum::{Extension, extract::State};
use bitcoin::{Denomination, Txid};
use chain::{
    bitcoin::{address, coins::Contents},
    models::amount::Units,
    transactions::{self, WalletCoin, WalletContents},
};
use serde::Serialize;
use serde_json::Value;
use shared::{
    accounts::UniqueOwner,
    auth::limits::{self, WALLET_BY_SOURCE},
    http::{
        Envelope, Error, Fields, Input, ListQuery, Problem, Query, RequestContext, Result,
        list::{Field, Filter, ListParameters, Resource},
    },
    keys,
    models::{
        account::Account,
        bitcoin::{EtchedRune, OutPoint, RuneName},
        wallet::AddressText,
    },
};
use utoipa::{IntoParams, ToSchema};

use crate::{app::App, coins::Renewal};

/// Reads the contents of a trading address of the service.
async fn contents_of(app: &App, field: &str, text: &str) -> Result<(String, WalletContents)> {
    let address = address::parse_recipient(text, app.network)
        .map_err(|error| Error::field(field, error))?
        .to_string();
    let unknown = || Error::new(Problem::TradingWalletNotFound);
    let owner = app.store.get::<UniqueOwner>(&keys::trading_address(&address)).await?;
    let account = keys::account(owner.ok_or_else(unknown)?.account_id);
    let account = app.store.get::<Account>(&account).await?.ok_or_else(unknown)?;
    let wallet = account.trading_wallet.filter(|wallet| wallet.address == address);
    let wallet = wallet.ok_or_else(unknown)?;
    let contents = transactions::wallet_contents(app, account.id, &wallet).await?;
    // A coin with runes would look like plain sats if its contents are not known.
    match contents.is_checked {
        true => Ok((address, contents)),
        false => Err(Error::new(Problem::ChainUnavailable)),
    }
}

/// Query of a balance.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BalanceQuery {
    /// A trading address.
    #[param(value_type = String, max_length = 128)]
    address: AddressText,
}

impl Input for BalanceQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { address: fields.parsed("address", 128)? })
    }
}

/// The sats of a trading address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressBalance {
    /// Sats in confirmed coins without runes and inscriptions, except for mined coins with fewer than 100
    /// confirmations.
    btc_satoshi: u64,
    /// Unconfirmed change and renewals of the address's own transactions.
    pending_satoshi: u64,
    /// Unconfirmed sats that others sent.
    external_pending_satoshi: u64,
    /// Number of confirmed coins.
    total_utxos: usize,
}

/// Returns the sats of a trading address of this service.
#[utoipa::path(
    get,
    path = "/api/wallets/balance",
    tag = "wallets",
    params(BalanceQuery),
    responses((status = 200, description = "The balance", body = Envelope<AddressBalance>))
)]
pub async fn get_address_balance(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    Query(query): Query<BalanceQuery>,
) -> Result<Envelope<AddressBalance>> {
    limits::hit_source(&app, WALLET_BY_SOURCE, context.source_ip).await?;
    let (_, contents) = contents_of(&app, "address", query.address.as_str()).await?;
    let sum = |counts: fn(&WalletCoin) -> bool| {
        let coins = contents.coins.iter().filter(|coin| counts(coin));
        coins.fold(0_u64, |sum, coin| sum.saturating_add(coin.coin.value.to_sat()))
    };
    let is_pending = |coin: &WalletCoin| coin.coin.confirmations == 0;
    Ok(Envelope::ok(AddressBalance {
        btc_satoshi: sum(|coin| coin.coin.is_plain()),
        pending_satoshi: sum(|coin| coin.coin.confirmations == 0 && coin.is_own),
        external_pending_satoshi: sum(|coin| coin.coin.confirmations == 0 && !coin.is_own),
        total_utxos: contents.coins.iter().filter(|coin| !is_pending(coin)).count(),
    }))
}

/// An amount of a rune in an output.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UtxoRune {
    /// Null if the service could not read it.
    #[serde(rename = "runeid")]
    #[schema(required = true)]
    rune_id: Option<EtchedRune>,
    /// In the smallest unit.
    amount: Units,
    /// Decimals of displayed amounts; null in an unconfirmed output.
    #[schema(required = true)]
    divisibility: Option<u8>,
    /// The name with spacers.
    #[schema(value_type = String)]
    spaced_rune: RuneName,
    /// Null if the rune has none.
    #[schema(required = true, value_type = Option<String>)]
    symbol: Option<char>,
}

/// An unspent output of a trading address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UtxoRow {
    /// The outpoint, `<txid>:<vout>`.
    #[schema(value_type = String)]
    id: OutPoint,
    /// Same as `id`, under the name that published clients read.
    #[serde(rename = "_id")]
    #[schema(value_type = String)]
    published_id: OutPoint,
    #[schema(value_type = String)]
    txid: Txid,
    vout: u32,
    /// The outpoint, `<txid>:<vout>`.
    #[schema(value_type = String)]
    txid_vout: OutPoint,
    /// Its sats.
    satoshi: u64,
    /// The same amount in BTC, as published clients show it.
    #[schema(pattern = "^(0|[1-9][0-9]{0,7})([.][0-9]{1,8})?$", example = "0.002")]
    amount: String,
    /// The trading address.
    address: String,
    /// Always false: spent outputs are not listed.
    is_spent: bool,
    /// Whether mints refuse it, because its delay ends within 1,152 blocks or has ended.
    is_expired: bool,
    /// Whether the output is in a block.
    status: UtxoStatus,
    /// The runes in it; null if they are unknown.
    #[schema(required = true)]
    runes: Option<Vec<UtxoRune>>,
    /// The height of its block; null if it has none yet.
    #[schema(required = true)]
    height: Option<u32>,
    /// The number of blocks from its own to the newest; 0 if it has none yet.
    confirmations: u32,
}

/// Whether an output is in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum UtxoStatus {
    /// A block has it.
    Confirmed,
    /// It is in the mempool.
    Unconfirmed,
}

impl Resource for UtxoRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("_id"),
        Field::visible("txid"),
        Field::visible("vout"),
        Field::visible("txidVout"),
        Field::visible("satoshi"),
        Field::visible("amount").unsorted(),
        Field::visible("address"),
        Field::visible("isSpent"),
        Field::visible("isExpired"),
        Field::visible("status"),
        Field::visible("runes").unsorted(),
        Field::visible("height"),
        Field::visible("confirmations"),
    ];
    const SEQUENCE: &'static [&'static str] = &["satoshi"];
    const FILTERS: &'static [Filter] = &[
        Filter::of::<AddressText>("address"),
        Filter::of_plain_rows::<bool>("isSpent", "isSpent"),
        Filter::of_plain_rows::<bool>("isExpired", "isExpired"),
    ];
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct UtxoFilters {
    /// A trading address; required.
    #[param(rename = "address_eq", max_length = 128)]
    address: String,
    /// `true` lists nothing: spent outputs are not listed.
    #[param(rename = "isSpent_eq")]
    is_spent: Option<bool>,
    /// `true`: only outputs that mints refuse. `false`: only other outputs.
    #[param(rename = "isExpired_eq")]
    is_expired: Option<bool>,
}

/// Lists the unspent outputs of a trading address of this service, the most valuable first.
#[utoipa::path(
    get,
    path = "/api/utxos",
    tag = "wallets",
    params(ListParameters, UtxoFilters),
    responses((status = 200, description = "A page of outputs", body = Envelope<Vec<UtxoRow>>))
)]
pub async fn list_utxos(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    query: ListQuery<UtxoRow>,
) -> Result<Envelope<Vec<Value>>> {
    query.refuse_as_of()?;
    let text = query.filter("address").ok_or_else(|| Error::field("address_eq", "is required"))?;
    limits::hit_source(&app, WALLET_BY_SOURCE, context.source_ip).await?;
    let (address, contents) = contents_of(&app, "address_eq", text).await?;
    let names = contents.coins.iter().filter_map(|coin| coin.coin.runes()).flat_map(|of| of.keys());
    let ids = app.rune_ids.of(&app.ord, app.clock.now(), names.copied()).await;
    let rune_id = |name: &RuneName| ids.get(name).copied();
    let rows = contents.coins.iter().map(|coin| row(coin, &address, contents.height, rune_id));
    let found = query.sorted_page(rows.collect())?;
    query.answer(&found, |_, _| Value::Null)
}

fn row(
    coin: &WalletCoin,
    address: &str,
    tip: u32,
    rune_id: impl Fn(&RuneName) -> Option<EtchedRune>,
) -> UtxoRow {
    let WalletCoin { coin: held, runes: shown, .. } = coin;
    let outpoint = OutPoint(held.outpoint);
    let depth = held.confirmations.checked_sub(1);
    let runes = match &held.contents {
        Contents::Unknown | Contents::Unreadable => None,
        Contents::Known { runes, .. } => {
            let rune = |(name, amount): (&RuneName, &u128)| UtxoRune {
                rune_id: rune_id(name),
                amount: Units(*amount),
                divisibility: shown.get(name).map(|pile| pile.divisibility),
                spaced_rune: *name,
                symbol: shown.get(name).and_then(|pile| pile.symbol),
            };
            Some(runes.iter().map(rune).collect())
        }
    };
    UtxoRow {
        id: outpoint,
        published_id: outpoint,
        txid: held.outpoint.txid,
        vout: held.outpoint.vout,
        txid_vout: outpoint,
        satoshi: held.value.to_sat(),
        amount: held.value.to_string_in(Denomination::Bitcoin),
        address: address.to_owned(),
        is_spent: false,
        is_expired: matches!(Renewal::of(coin), Renewal::Needed | Renewal::UserOnly),
        status: match depth {
            Some(_) => UtxoStatus::Confirmed,
            None => UtxoStatus::Unconfirmed,
        },
        runes,
        height: depth.and_then(|depth| tip.checked_sub(depth)),
        confirmations: held.confirmations,
    }
}
