//! `PATCH` and `DELETE /api/account/default-token`.

use axum::extract::State;
use shared::{
    http::{Envelope, Fields, Input, LiveCaller, Result, Valid},
    keys,
    models::{
        account::{Account, DefaultTokens, Me},
        token::{Slot, Token, TokenId},
    },
};
use utoipa::ToSchema;

use crate::{app::App, change_account::change_account, error::AccountError};

/// A token for a slot.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct DefaultToken {
    /// The slot to set or empty.
    slot: Slot,
    /// The token's id in the catalogue (`GET /api/tokens`).
    token_id: TokenId,
}

impl Input for DefaultToken {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (slot, token_id) = (fields.required("slot"), fields.required("tokenId"));
        Some(Self { slot: slot?, token_id: token_id? })
    }
}

fn in_slot(tokens: &mut DefaultTokens, slot: Slot) -> &mut Option<TokenId> {
    match slot {
        Slot::Usdc => &mut tokens.usdc,
    }
}

/// Sets the account's default token for a slot.
#[utoipa::path(
    patch,
    path = "/api/account/default-token",
    tag = "account",
    security(("bearer" = [])),
    request_body = DefaultToken,
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn set_default_token(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<DefaultToken>,
) -> Result<Envelope<Me>> {
    let token = app.store.get::<Token>(&keys::token(&body.token_id)).await?;
    let token = token.ok_or(AccountError::TokenNotFound)?;
    token.fits(body.slot).map_err(AccountError::from)?;
    let mut account = caller.account.clone();
    let chosen = Some(body.token_id);
    let in_slot = in_slot(&mut account.default_tokens, body.slot);
    if *in_slot == chosen {
        return Ok(Envelope::ok(account.into()));
    }
    *in_slot = chosen;
    write(&app, &caller, account).await
}

/// Empties a slot. `tokenId` must name the token in the slot.
#[utoipa::path(
    delete,
    path = "/api/account/default-token",
    tag = "account",
    security(("bearer" = [])),
    request_body = DefaultToken,
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn remove_default_token(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<DefaultToken>,
) -> Result<Envelope<Me>> {
    let mut account = caller.account.clone();
    let token = in_slot(&mut account.default_tokens, body.slot);
    if token.take() != Some(body.token_id) {
        return Err(AccountError::TokenNotInSlot.into());
    }
    write(&app, &caller, account).await
}

async fn write(app: &App, caller: &LiveCaller, account: Account) -> Result<Envelope<Me>> {
    let update =
        caller.update_beside_others().set(Account::DEFAULT_TOKENS, &account.default_tokens);
    change_account(app, caller, update).await?;
    Ok(Envelope::ok(account.into()))
}
