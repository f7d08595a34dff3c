//! `/api/account/addresses`: the addresses that the account has proved.

use axum::{extract::State, response::Response};
use identity::{
    activity::{self, Entry},
    challenge::{self, ChallengePurpose, Signed},
    wallet::MAX_EVM_SIGNATURE_LEN,
};
use shared::{
    accounts::{AddressOwner, AddressUse},
    auth::{
        AuthError,
        limits::{self, ADDRESS_BY_ACCOUNT},
    },
    http::{
        Created, Envelope, Error, Fields, FreshCaller, IdempotencyHeader, Idempotent, Input,
        LiveCaller, Result, Segment,
    },
    keys,
    models::{
        account::{Account, Me, OwnedAddress},
        change::AccountChange,
        wallet::{Chain, WalletAddress},
    },
};
use store::{Count, Update, Writes};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AccountError, app::App};

/// The most addresses an account may have.
const MOST: usize = 20;

/// Lists the caller's addresses: the sign-in wallet first, then linked addresses.
#[utoipa::path(
    get,
    path = "/api/account/addresses",
    tag = "credentials",
    security(("bearer" = [])),
    responses((status = 200, description = "The addresses", body = Envelope<Vec<OwnedAddress>>))
)]
pub async fn list_addresses(caller: LiveCaller) -> Envelope<Vec<OwnedAddress>> {
    Envelope::ok(caller.account.addresses)
}

/// An address to link, and the proof that the caller controls it.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct LinkAddress {
    /// The address to link.
    #[schema(max_length = 128)]
    address: String,
    /// The chain of the address.
    chain: Chain,
    /// The public key: required for Bitcoin, may be empty for other chains.
    #[schema(required = false, max_length = 256)]
    public_key: Option<String>,
    /// From `GET /auth/wallet/challenge?purpose=link`, requested with the caller's token.
    challenge_id: Uuid,
    /// The wallet's signature of the challenge.
    #[schema(max_length = 16384)]
    signature: String,
}

impl Input for LinkAddress {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (address, chain) = (fields.text("address", 128), fields.required("chain"));
        let public_key = challenge::read_public_key(fields, chain);
        let challenge_id = fields.required("challengeId");
        let signature = fields.text("signature", MAX_EVM_SIGNATURE_LEN);
        Some(Self {
            address: address?,
            chain: chain?,
            public_key: public_key?,
            challenge_id: challenge_id?,
            signature: signature?,
        })
    }
}

/// Links an address to the account. A linked address can be used wherever one of the caller's own addresses is
/// required, but it cannot sign in. Requires a sign-in within the last 15 minutes.
#[utoipa::path(
    post,
    path = "/api/account/addresses",
    tag = "credentials",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = LinkAddress,
    responses((status = 201, description = "The account", body = Envelope<Me>))
)]
pub async fn link_address(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    request: Idempotent<LinkAddress>,
) -> Result<Response> {
    let work = async |body| link(&app, &caller, body).await.map(Created);
    request.personal(&app.vault).once(&app, caller.account.id, work).await
}

async fn link(app: &App, caller: &LiveCaller, body: LinkAddress) -> Result<Me> {
    let address = WalletAddress::parse(body.chain, &body.address, app.network)
        .map_err(|error| Error::field("address", error))?;
    if caller.account.addresses.len() >= MOST {
        return Err(AccountError::TooMany(MOST).into());
    }
    limits::hit(app, ADDRESS_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let challenge =
        challenge::consume_for(app, body.challenge_id, &address, ChallengePurpose::Link).await?;
    if challenge.account != Some(caller.account.id) {
        return Err(AuthError::Challenge.into());
    }
    let public_key = body.public_key.as_deref();
    let by = Signed { public_key, signature: &body.signature };
    let proved_by = challenge.verify(app, by).await?;

    let mut account = caller.account.clone();
    let evm_chain_id = app.sign_in.evm_chain_id;
    account.addresses.push(OwnedAddress::proved(&address, proved_by.as_deref(), evm_chain_id));
    let owner = AddressOwner::linked(account.id);
    let entry = Entry::by_caller(app, caller, AccountChange::AddressLinked).await?;
    let committed = activity::commit(app, &account, entry, || {
        let update = caller.update().set(Account::ADDRESSES, &account.addresses);
        Writes::new().insert(&keys::wallet(&address), &owner, AuthError::AddressTaken).update(
            &keys::account(account.id),
            update,
            AuthError::Changed,
        )
    });
    committed.await?;
    Ok(account.into())
}

/// Unlinks an address. Requires a sign-in within the last 15 minutes. An address stays linked while it is
/// used by open VM transactions or swaps.
#[utoipa::path(
    delete,
    path = "/api/account/addresses/{address}",
    tag = "credentials",
    security(("bearer" = [])),
    params(("address" = String, Path, description = "The address")),
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn unlink_address(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    Segment(text): Segment<String>,
) -> Result<Envelope<Me>> {
    let address =
        WalletAddress::infer(&text, app.network).map_err(|error| Error::field("address", error))?;
    let mut account = caller.account.clone();
    let signs_in = account.wallet.as_ref().is_some_and(|wallet| wallet.address == address.as_str());
    let before = account.addresses.len();
    account.addresses.retain(|owned| owned.address != address.as_str());
    if signs_in || account.addresses.len() == before {
        return Err(AccountError::AddressNotLinked.into());
    }
    let open = [keys::vm_open(address.as_str()), keys::xchain_open(account.id, address.as_str())];
    let (entry, counts) = tokio::join!(
        Entry::by_caller(&app, &caller, AccountChange::AddressUnlinked),
        app.store.get_many::<Count>(&open)
    );
    let (entry, counts) = (entry?, counts?);
    if counts.iter().flatten().any(|open| open.count > 0) {
        return Err(AccountError::AddressInUse.into());
    }
    let committed = activity::commit(&app, &account, entry, || {
        let linked = Update::new()
            .if_equal(AddressOwner::ACCOUNT_ID, account.id)
            .if_equal(AddressOwner::USAGE, AddressUse::Linked);
        let update = caller.update().set(Account::ADDRESSES, &account.addresses);
        let unlinked = Writes::new()
            .delete(&keys::wallet(&address), linked, AuthError::Changed.into())
            .update(&keys::account(account.id), update, AuthError::Changed.into());
        open.iter().zip(&counts).fold(unlinked, |rows, (key, count)| {
            rows.check(
                key,
                Count::still_none(count.as_ref()),
                Error::from(AccountError::AddressInUse),
            )
        })
    });
    committed.await?;
    Ok(Envelope::ok(account.into()))
}
