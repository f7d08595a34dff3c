//! `GET` and `POST /api/account/trading-wallet/deposits`.

use std::collections::BTreeMap;

use axum::{extract::State, response::Response};
use bitcoin::Txid;
use chain::{
    blocks,
    deposits::{self, Announced, Deposit, DepositState},
    keys,
    models::amount::Units,
    views::deposits::{self as views, DepositFilters, DepositRow, HeldRune},
};
use serde::Serialize;
use serde_json::Value;
use shared::{
    auth::limits::{self, AWAITED_DEPOSIT_BY_ACCOUNT, DEPOSIT_BY_ACCOUNT, WALLET_BY_ACCOUNT},
    http::{
        Caller, Created, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input, ListQuery,
        LiveCaller, Result,
        list::{AsOf, ListParameters},
    },
    models::bitcoin::OutPoint,
    ord::{Output, Reading},
    problem::AsProblem,
};
use utoipa::ToSchema;

use crate::{app::App, coins};

/// Lists the deposits to the caller's trading address, newest first.
///
/// The list contains payments by others since the service began to read blocks, and announced deposits. It
/// omits outputs with which the account's own transactions return funds to the address. The filter works on up
/// to 5,000 deposits.
#[utoipa::path(
    get,
    path = "/api/account/trading-wallet/deposits",
    tag = "trading-wallet",
    security(("bearer" = [])),
    params(ListParameters, AsOf, DepositFilters),
    responses((status = 200, description = "A page of deposits", body = Envelope<Vec<DepositRow>>))
)]
pub async fn list_deposits(
    State(app): State<App>,
    caller: Caller,
    query: ListQuery<DepositRow>,
) -> Result<Envelope<Vec<Value>>> {
    let (store, account) = (&app.store, caller.account);
    let mut found = views::read_deposits(store, account, &query).await?;
    if query.selects("runes") && found.rows.iter().any(|row| row.indexed_as().is_some()) {
        limits::hit(&app, WALLET_BY_ACCOUNT, &account.to_string()).await?;
        read_runes(&app, &mut found.rows).await;
    }
    views::answer_deposits(store, account, &query, &found).await
}

/// Reads the runes of a page in one call of ord, and their ids. If ord fails, they stay unknown.
async fn read_runes(app: &App, rows: &mut [DepositRow]) {
    let outpoints: Vec<_> = rows.iter().filter_map(DepositRow::indexed_as).collect();
    let readings = match app.ord.outputs(&outpoints).await {
        Ok(readings) => readings,
        Err(error) => {
            tracing::warn!(error = error.internal(), "deposits are shown without runes");
            return;
        }
    };
    let held: BTreeMap<OutPoint, Output> = readings
        .into_iter()
        .filter_map(|(outpoint, reading)| match reading {
            Reading::Known(output) if output.indexed && !output.spent => Some((outpoint, *output)),
            _ => None,
        })
        .collect();
    let names = held.values().filter_map(|output| output.runes.as_ref()).flat_map(|of| of.keys());
    let ids = app.rune_ids.of(&app.ord, app.clock.now(), names.copied()).await;
    for row in rows {
        let output = row.indexed_as().and_then(|outpoint| held.get(&outpoint));
        let runes = output.and_then(|output| output.runes.as_ref());
        row.runes = runes.map(|runes| {
            let rune = runes.iter().map(|(name, pile)| HeldRune {
                rune_id: ids.get(name).copied(),
                name: *name,
                symbol: pile.symbol,
                divisibility: Some(pile.divisibility),
                amount: Units(pile.amount),
            });
            rune.collect()
        });
    }
}

/// The deposits of an announced transaction.
#[derive(Debug, Serialize, ToSchema)]
pub struct AnnouncedDeposits {
    /// One for each of its outputs to the address, at most 20; only one if the network does not know the
    /// transaction yet.
    deposits: Vec<DepositRow>,
}

/// A transaction that pays the caller's trading address.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnnounceDeposit {
    /// The transaction.
    #[schema(value_type = String, pattern = "^[0-9a-fA-F]{64}$")]
    tx_id: Txid,
}

impl Input for AnnounceDeposit {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { tx_id: fields.parsed("txId", 64)? })
    }
}

/// Announces a transaction that pays the caller's trading address, so its deposits are listed before they
/// confirm.
///
/// The response contains the deposits: `seen`, or `confirmed` if the service has read their block. If the
/// network does not know the transaction yet, its deposit is `awaited` for an hour. A repeated request for the
/// same transaction returns the same deposits.
///
/// The service refuses a transaction that pays nothing to the address. It also refuses a transaction of the
/// caller's own wallet, because change is not a deposit.
#[utoipa::path(
    post,
    path = "/api/account/trading-wallet/deposits",
    tag = "trading-wallet",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = AnnounceDeposit,
    responses((
        status = 201,
        description = "The deposits of the transaction",
        body = Envelope<AnnouncedDeposits>
    ))
)]
pub async fn announce_deposit(
    State(app): State<App>,
    caller: LiveCaller,
    request: Idempotent<AnnounceDeposit>,
) -> Result<Response> {
    let work = async |body: AnnounceDeposit| announce(&app, &caller, body.tx_id).await.map(Created);
    request.once(&app, caller.account.id, work).await
}

async fn announce(app: &App, caller: &LiveCaller, txid: Txid) -> Result<AnnouncedDeposits> {
    let (account, wallet) = (caller.account.id, coins::wallet_of(caller)?);
    limits::hit(app, DEPOSIT_BY_ACCOUNT, &account.to_string()).await?;
    let script = wallet.descriptor.script_pubkey();
    let listed = match deposits::look_up(app, account, txid, &script).await? {
        Announced::Pays(found, block) => {
            deposits::record_announced(&app.store, account, found, block).await?
        }
        Announced::Unknown => {
            let first = keys::deposit(account, txid, 0);
            match app.store.get::<Deposit>(&first).await? {
                // Esplora has forgotten it, or lags.
                Some(known) if known.state != DepositState::Gone => vec![known],
                known => {
                    let limit = AWAITED_DEPOSIT_BY_ACCOUNT;
                    limits::hit(app, limit, &account.to_string()).await?;
                    vec![deposits::expect(&app.store, account, txid, &wallet.address, known).await?]
                }
            }
        }
        Announced::PaysNothing => {
            return Err(Error::field("txId", "pays nothing to your trading address"));
        }
        Announced::Own => {
            let message =
                "is one of your own transactions, or a payout: what it pays you is no deposit";
            return Err(Error::field("txId", message));
        }
    };
    let tip = blocks::tip(&app.store).await?;
    let deposits = listed.iter().map(|deposit| DepositRow::of(deposit, tip.as_ref()));
    Ok(AnnouncedDeposits { deposits: deposits.collect() })
}
