//! `GET /api/wallets/details/{userAddress}` and `POST /api/wallets`: the trading wallet of an address, under
//! the names that published clients use.

use axum::{Extension, extract::State};
use serde::Serialize;
use shared::{
    accounts::{self, AddressUse, UniqueOwner},
    auth::limits::{self, WALLET_BY_SOURCE},
    http::{
        Envelope, Error, Fields, Input, LiveCaller, MaybeCaller, Problem, RequestContext, Result,
        Segment, Valid,
    },
    keys,
    models::{
        account::{Account, AccountId},
        trading_wallet::{TradingWallet, UserKey},
        wallet::{AddressText, WalletAddress},
    },
};
use utoipa::ToSchema;

use crate::{app::App, coins::wallet_of};

/// The trading wallet of an address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WalletDetails {
    /// The trading address.
    trading_address: String,
    /// The address of the request, or the sign-in wallet if that is the trading address.
    user_address: String,
    /// For the owner of the wallet: the user's key in it, hex of 33 bytes, or of 32 if only Taproot has proved
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    user_public_key: Option<String>,
}

impl WalletDetails {
    fn of(wallet: &TradingWallet, user_address: String, is_owner: bool) -> Self {
        Self {
            trading_address: wallet.address.clone(),
            user_address,
            user_public_key: is_owner.then(|| user_public_key(wallet)),
        }
    }
}

fn user_public_key(wallet: &TradingWallet) -> String {
    match wallet.descriptor.user() {
        UserKey::Compressed(key) => key.to_string(),
        UserKey::EitherParity(key) => key.to_string(),
    }
}

/// Returns the trading wallet of a sign-in wallet or of a trading address, without a token. The owner of the
/// wallet also receives the user's key, and can name any of the account's addresses.
#[utoipa::path(
    get,
    path = "/api/wallets/details/{userAddress}",
    tag = "wallets",
    security((), ("bearer" = [])),
    params(("userAddress" = String, Path, description = "The address of a sign-in wallet, or a trading address")),
    responses((status = 200, description = "The trading wallet", body = Envelope<WalletDetails>))
)]
pub async fn get_wallet_details(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    caller: MaybeCaller,
    Segment(address): Segment<AddressText>,
) -> Result<Envelope<WalletDetails>> {
    limits::hit_source(&app, WALLET_BY_SOURCE, context.source_ip).await?;
    let caller = caller.if_any().map(|caller| caller.account);
    let unknown = || Error::new(Problem::TradingWalletNotFound);
    let owner = owner_of(&app, &address, caller).await?.ok_or_else(unknown)?;
    let account = app.store.get::<Account>(&keys::account(owner)).await?.ok_or_else(unknown)?;
    let wallet = account.trading_wallet.as_ref().ok_or_else(unknown)?;
    let is_trading = address.as_str() == wallet.address;
    let signs_in = account.wallet.as_ref().filter(|_| is_trading);
    let user_address = signs_in.map_or(address.as_str(), |wallet| wallet.address.as_str());
    let details = WalletDetails::of(wallet, user_address.to_owned(), caller == Some(account.id));
    Ok(Envelope::ok(details))
}

/// The account that a trading address or a sign-in wallet belongs to. Only the owner of a linked address
/// finds the account by it (custody rule 22).
async fn owner_of(
    app: &App,
    address: &AddressText,
    caller: Option<AccountId>,
) -> Result<Option<AccountId>> {
    let trading = app.store.get::<UniqueOwner>(&keys::trading_address(address.as_str())).await?;
    if let Some(owner) = trading {
        return Ok(Some(owner.account_id));
    }
    let Ok(address) = WalletAddress::infer(address.as_str(), app.network) else { return Ok(None) };
    let owner = accounts::owner(&app.store, &address).await?;
    let is_shown = |owner: &accounts::AddressOwner| match owner.usage {
        AddressUse::SignIn => true,
        AddressUse::Linked => caller == Some(owner.account_id),
        AddressUse::Retired => false,
    };
    Ok(owner.filter(is_shown).map(|owner| owner.account_id))
}

/// Request body of published clients that request the trading wallet of a wallet.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct OwnWallet {
    /// One of the caller's own addresses.
    wallet_address: AddressText,
    /// The user's key in the trading wallet, hex: 33 bytes or, without its parity, 32.
    #[schema(max_length = 66, pattern = "^([0-9a-fA-F]{64}|[0-9a-fA-F]{66})?$")]
    public_key: Option<String>,
}

impl Input for OwnWallet {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let wallet_address = fields.parsed("walletAddress", 128);
        let public_key = match fields.optional_text("publicKey", 66) {
            Some(Some(text)) if !is_key(&text) => {
                fields.wrong("publicKey", "must be 33 bytes in hex, or 32 without the parity")
            }
            read => read,
        };
        Some(Self { wallet_address: wallet_address?, public_key: public_key? })
    }
}

/// Returns the caller's trading wallet in the form that published clients use. It does not create a wallet;
/// `POST /api/account/trading-wallet` does.
#[utoipa::path(
    post,
    path = "/api/wallets",
    tag = "wallets",
    security(("bearer" = [])),
    request_body = OwnWallet,
    responses((status = 200, description = "The trading wallet", body = Envelope<WalletDetails>))
)]
pub async fn get_own_wallet(
    State(app): State<App>,
    caller: LiveCaller,
    Valid(body): Valid<OwnWallet>,
) -> Result<Envelope<WalletDetails>> {
    let address = caller.own_address(app.network, body.wallet_address.as_str())?;
    let wallet = wallet_of(&caller)?;
    let key = user_public_key(wallet);
    let is_its = |text: &str| text.eq_ignore_ascii_case(&key) || is_same_x(text, &key);
    if body.public_key.is_some_and(|text| !is_its(&text)) {
        return Err(Error::field("publicKey", "is not the user's key of the trading wallet"));
    }
    Ok(Envelope::ok(WalletDetails::of(wallet, address, true)))
}

fn is_key(text: &str) -> bool {
    [64, 66].contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// Whether two keys in hex, at least one of them without its parity, have the same x coordinate.
fn is_same_x(one: &str, other: &str) -> bool {
    const X: usize = 64;
    let x = |text: &str| {
        text.len().checked_sub(X).and_then(|start| text.get(start..).map(str::to_owned))
    };
    let has_length = |text: &str| [X, X + 2].contains(&text.len());
    let is_one_bare = one.len() == X || other.len() == X;
    has_length(one)
        && has_length(other)
        && is_one_bare
        && x(one).zip(x(other)).is_some_and(|(one, other)| one.eq_ignore_ascii_case(&other))
}
