//! `GET /api/tokens`: the token catalogue.

use axum::extract::State;
use serde::Serialize;
use serde_json::{Value, json};
use shared::{
    http::{
        Envelope, Error, ListQuery, Problem, Result, Segment, Single,
        list::{AsOf, Field, Filter, ListParameters, Resource},
        relations::TOKEN,
    },
    keys,
    models::token::{Slot, Token, TokenChain, TokenId},
};
use store::{Store, StoreError, lists::Member};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;

/// A token of the catalogue.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TokenRow {
    /// Same as `tokenId`.
    id: TokenId,
    /// Token id.
    token_id: TokenId,
    /// Chain of the token.
    chain: TokenChain,
    /// Symbol of the token.
    #[schema(example = "USDC")]
    symbol: String,
    /// Decimals of displayed amounts.
    #[schema(example = 6)]
    divisibility: u8,
    /// The slots in which it may be the default token.
    slots: Vec<Slot>,
}

impl Resource for TokenRow {
    const FIELDS: &'static [Field] = &[
        Field::visible("tokenId"),
        Field::visible("chain"),
        Field::visible("symbol"),
        Field::visible("divisibility"),
        Field::visible("slots").unsorted(),
    ];
    const FILTERS: &'static [Filter] = &[
        Filter::of_rows::<TokenChain>("chain", "chain"),
        Filter::of_rows::<Slot>("slot", "slots"),
    ];
}

impl From<Token> for TokenRow {
    fn from(token: Token) -> Self {
        let Token { token_id, chain, symbol, divisibility, slots } = token;
        Self { id: token_id.clone(), token_id, chain, symbol, divisibility, slots }
    }
}

/// Query parameters, for the OpenAPI document.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code)]
pub struct TokenFilters {
    /// Only tokens of one of these chains.
    #[param(rename = "chain_eq", style = Form, explode = false)]
    chain: Option<Vec<TokenChain>>,
    /// Only tokens that may be the default token of one of these slots.
    #[param(rename = "slot_eq", style = Form, explode = false)]
    slot: Option<Vec<Slot>>,
}
/// Lists the token catalogue, latest entry first.
#[utoipa::path(
    get,
    path = "/api/tokens",
    tag = "tokens",
    params(ListParameters, AsOf, TokenFilters),
    responses((status = 200, description = "A page of tokens", body = Envelope<Vec<TokenRow>>))
)]
pub async fn list_tokens(
    State(app): State<App>,
    query: ListQuery<TokenRow>,
) -> Result<Envelope<Vec<Value>>> {
    let load = async |members| load(&app.store, members).await;
    let found = query.read(&app.store, &keys::lists::tokens(), load).await?;
    query.answer(&found, |relation, place| match (relation, found.rows.get(place)) {
        (TOKEN, Some(row)) => json!(row),
        _ => Value::Null,
    })
}

/// Returns one token of the catalogue.
#[utoipa::path(
    get,
    path = "/api/tokens/{tokenId}",
    tag = "tokens",
    params(("tokenId" = TokenId, Path, description = "The token")),
    responses((status = 200, description = "The token", body = Single<TokenRow>))
)]
pub async fn get_token(
    State(app): State<App>,
    Segment(id): Segment<TokenId>,
) -> Result<Single<TokenRow>> {
    let token = app.store.get::<Token>(&keys::token(&id)).await?;
    Ok(Single::of(token.ok_or(Error::new(Problem::NoSuchToken))?.into()))
}

async fn load(store: &Store, members: Vec<Member<TokenId>>) -> Result<Vec<TokenRow>, StoreError> {
    let keys: Vec<_> = members.iter().map(|member| keys::token(&member.value)).collect();
    let tokens = store.get_many::<Token>(&keys).await?;
    Ok(tokens.into_iter().flatten().map(TokenRow::from).collect())
}
