//! `PATCH /api/account/avatar`.

use axum::extract::State;
use shared::{
    auth::limits::{self, AVATAR_BY_ACCOUNT},
    http::{Envelope, Fields, Input, LiveCaller, Result, Valid},
    models::{
        account::{Account, Me, OwnedAddress},
        bitcoin::InscriptionId,
        wallet::{Chain, WalletAddress},
    },
};
use utoipa::ToSchema;

use crate::{app::App, change_account::change_account, error::AccountError};

/// The avatar to show.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SetAvatar {
    /// An inscription held by one of the account's addresses; null or missing removes the avatar.
    #[schema(required = false)]
    inscription_id: Option<InscriptionId>,
}

impl Input for SetAvatar {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { inscription_id: fields.optional("inscriptionId")? })
    }
}

/// Sets or removes the account's avatar.
#[utoipa::path(
    patch,
    path = "/api/account/avatar",
    tag = "account",
    security(("bearer" = [])),
    request_body = SetAvatar,
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn set_avatar(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<SetAvatar>,
) -> Result<Envelope<Me>> {
    if let Some(id) = body.inscription_id {
        limits::hit(&app, AVATAR_BY_ACCOUNT, &caller.account.id.to_string()).await?;
        let inscription = app.ord.inscription(id).await?;
        let inscription = inscription.ok_or(AccountError::InscriptionNotFound)?;
        // The address is missing if the inscription is burnt or on no output.
        let holder = inscription.address.as_deref();
        if !holder.is_some_and(|holder| owns(&app, &caller.account, holder)) {
            return Err(AccountError::InscriptionNotOwned.into());
        }
    }
    let mut account = caller.account.clone();
    if account.avatar == body.inscription_id {
        return Ok(Envelope::ok(account.into()));
    }
    account.avatar = body.inscription_id;
    let update = caller.update_beside_others().set(Account::AVATAR, account.avatar);
    change_account(&app, &caller, update).await?;
    Ok(Envelope::ok(account.into()))
}

fn owns(app: &App, account: &Account, holder: &str) -> bool {
    let trading = account.trading_wallet.as_ref().map(|wallet| wallet.address.as_str());
    let proved = WalletAddress::parse(Chain::Bitcoin, holder, app.network);
    let proved = proved.is_ok_and(|holder| {
        let is_it = |owned: &OwnedAddress| {
            owned.chain == holder.chain() && owned.address == holder.as_str()
        };
        account.addresses.iter().any(is_it)
    });
    proved || trading == Some(holder)
}
