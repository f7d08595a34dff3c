//! `GET /api/wallets/details/{userAddress}`.

use axum::extract::State;
use serde::Serialize;
use shared::{
    http::{Envelope, LiveCaller, Result, Segment},
    models::{trading_wallet::UserKey, wallet::AddressText},
};
use utoipa::ToSchema;

use crate::{app::App, coins::wallet_of};

/// The trading wallet of an address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WalletDetails {
    /// The trading address.
    trading_address: String,
    /// The address of the request.
    user_address: String,
    /// The user's key in the trading wallet, hex: 33 bytes, or 32 if only Taproot has proved it.
    user_public_key: String,
}

/// Returns the trading wallet behind one of the caller's own addresses.
#[utoipa::path(
    get,
    path = "/api/wallets/details/{userAddress}",
    tag = "transactions",
    security(("bearer" = [])),
    params(("userAddress" = String, Path, description = "One of the caller's own addresses")),
    responses((status = 200, description = "The trading wallet", body = Envelope<WalletDetails>))
)]
pub async fn wallet_details(
    State(app): State<App>,
    caller: LiveCaller,
    Segment(address): Segment<AddressText>,
) -> Result<Envelope<WalletDetails>> {
    let user_address = caller.own_address(app.network, &address.to_string())?;
    let wallet = wallet_of(&caller)?;
    let user_public_key = match wallet.descriptor.user() {
        UserKey::Compressed(key) => key.to_string(),
        UserKey::EitherParity(key) => key.to_string(),
    };
    Ok(Envelope::ok(WalletDetails {
        trading_address: wallet.address.clone(),
        user_address,
        user_public_key,
    }))
}
