//! `GET /api/xchain/transactions`.

use axum::extract::State;
use chain::{
    keys,
    models::xchain::{TokenAddress, TokenPair, XchainStatus, XchainType},
    views::xchain::{self as views, XchainRow},
};
use serde_json::Value;
use shared::http::{
    Envelope, ListQuery, MaybeCaller, Result,
    list::{AsOf, ListPage, ListParameters},
};
use store::lists::List;
use utoipa::IntoParams;

use crate::app::App;

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct XchainFilters {
    /// Only transactions whose tradingAddress, withdrawTo or userAddress is this address.
    #[param(rename = "relatedAddress_eq")]
    related_address: Option<String>,
    /// Only transactions that exchange these two tokens, in either direction: two token addresses separated
    /// by a comma.
    #[param(rename = "intentTokenPair_eq")]
    intent_token_pair: Option<String>,
    /// Only transactions that sell or buy this token.
    #[param(rename = "intentToken_eq")]
    intent_token: Option<String>,
    /// Only transactions with one of these statuses; requires `relatedAddress_eq`.
    #[param(rename = "status_eq", style = Form, explode = false)]
    status: Option<Vec<XchainStatus>>,
    /// Only transactions of one of these kinds; requires `relatedAddress_eq`.
    #[param(rename = "type_eq", style = Form, explode = false)]
    kind: Option<Vec<XchainType>>,
    /// Only transactions from one of these chains, by the hub's ids; requires `relatedAddress_eq`.
    #[param(rename = "srcChain_eq", style = Form, explode = false)]
    src_chain: Option<Vec<u64>>,
    /// Only transactions to one of these chains, by the hub's ids; requires `relatedAddress_eq`.
    #[param(rename = "dstChain_eq", style = Form, explode = false)]
    dst_chain: Option<Vec<u64>>,
}

/// Lists cross-chain transactions, newest first: registered swaps and signed withdrawals. Filters can be
/// combined freely; those by status, kind and chains work on up to 5,000 transactions of one address.
///
/// Relations: `inputToken` and `outputToken` are the token catalogue's entries or null; `token` is the same as
/// `inputToken`.
#[utoipa::path(
    get,
    path = "/api/xchain/transactions",
    tag = "xchain",
    security((), ("bearer" = [])),
    params(ListParameters, AsOf, XchainFilters),
    responses((
        status = 200,
        description = "A page of cross-chain transactions",
        body = Envelope<Vec<XchainRow>>
    ))
)]
pub async fn list_xchain_transactions(
    State(app): State<App>,
    caller: MaybeCaller,
    query: ListQuery<XchainRow>,
) -> Result<Envelope<Vec<Value>>> {
    let found = match list_of(&query) {
        Some(list) => views::read_xchain(&app.store, &list, &query).await?,
        None => ListPage { rows: Vec::new(), total: 0, as_of: Some(0) },
    };
    let caller = caller.if_any().map(|caller| caller.account);
    views::answer_xchain(&app.store, caller, &query, &found).await
}

/// The list that holds exactly the rows of a query; `None` if no row can match.
fn list_of(query: &ListQuery<XchainRow>) -> Option<List> {
    let address = query.filter("relatedAddress");
    let pair = query.filter("intentTokenPair").and_then(|pair| pair.parse::<TokenPair>().ok());
    let token = query.filter("intentToken").and_then(|token| token.parse::<TokenAddress>().ok());
    let of_token = |token: &TokenAddress| match address {
        Some(address) => keys::lists::xchain_by_address_and_token(address, token),
        None => keys::lists::xchain_by_token(token),
    };
    match (&pair, &token) {
        (None, None) => {
            Some(address.map_or_else(keys::lists::xchain, keys::lists::xchain_by_address))
        }
        (None, Some(token)) => Some(of_token(token)),
        (Some(TokenPair(one, other)), Some(token)) if token != one && token != other => None,
        // Both tokens are the same, so every transaction with that token matches.
        (Some(TokenPair(one, other)), _) if one == other => Some(of_token(one)),
        (Some(pair), _) => Some(match address {
            Some(address) => keys::lists::xchain_by_address_and_pair(address, pair),
            None => keys::lists::xchain_by_pair(pair),
        }),
    }
}
