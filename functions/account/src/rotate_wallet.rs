//! `POST /api/account/wallet/rotate`.

use axum::extract::State;
use identity::{
    activity::{self, Entry},
    challenge::{self, ChallengePurpose, Signed},
    device, keystore,
    wallet::MAX_EVM_SIGNATURE_LEN,
};
use secrecy::SecretString;
use shared::{
    accounts::{AddressOwner, AddressUse},
    auth::{
        AuthError,
        limits::{self, ADDRESS_BY_ACCOUNT},
    },
    http::{Envelope, Error, Fields, Input, ReauthenticatedCaller, Result, Valid},
    keys,
    models::{
        account::{Account, AuthMethod, Me, OwnedAddress},
        change::AccountChange,
        wallet::{Chain, WalletAddress},
    },
};
use store::{Update, Writes};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AccountError, app::App};

/// The new wallet, its proof, and the keystore encrypted for it.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RotateWallet {
    /// The new wallet's address.
    #[schema(max_length = 128)]
    address: String,
    /// The chain of the address.
    chain: Chain,
    /// The public key; may be empty for EVM and Solana.
    #[schema(min_length = 0, max_length = 256, value_type = String)]
    public_key: Option<String>,
    /// The wallet software, at most 64 characters.
    #[schema(max_length = 64)]
    provider: String,
    /// From `GET /auth/wallet/challenge` for the new address.
    challenge_id: Uuid,
    /// The new wallet's signature of the challenge.
    #[schema(max_length = 16384)]
    signature: String,
    /// The keystore, encrypted by the client for the new wallet, base64.
    #[schema(max_length = 13708, value_type = String)]
    encrypted_blob: SecretString,
}

impl Input for RotateWallet {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let (address, chain) = (fields.text("address", 128), fields.required("chain"));
        // Required, but empty if the wallet has none to report.
        let public_key = if fields.has("publicKey") {
            challenge::read_public_key(fields, chain)
        } else {
            fields.wrong("publicKey", "is required")
        };
        let provider = challenge::read_provider(fields);
        let provider = match provider {
            Some(None) => fields.wrong("provider", "is required"),
            provider => provider.flatten(),
        };
        let challenge_id = fields.required("challengeId");
        let signature = fields.text("signature", MAX_EVM_SIGNATURE_LEN);
        let encrypted_blob = keystore::read(fields, "encryptedBlob");
        Some(Self {
            address: address?,
            chain: chain?,
            public_key: public_key?,
            provider: provider?,
            challenge_id: challenge_id?,
            signature: signature?,
            encrypted_blob: encrypted_blob?,
        })
    }
}

/// Replaces the sign-in wallet together with the keystore. The old wallet can no longer sign in, and cannot
/// register an account for 90 days. Every other session ends.
#[utoipa::path(
    post,
    path = "/api/account/wallet/rotate",
    tag = "credentials",
    security(("bearer" = [])),
    request_body = RotateWallet,
    responses((status = 200, description = "The account", body = Envelope<Me>))
)]
pub async fn rotate_wallet(
    State(app): State<App>,
    ReauthenticatedCaller(caller): ReauthenticatedCaller,
    Valid(body): Valid<RotateWallet>,
) -> Result<Envelope<Me>> {
    let before = &caller.account;
    let old = rotatable(&app, before)?;
    let address = WalletAddress::parse(body.chain, &body.address, app.network)
        .map_err(|error| Error::field("address", error))?;
    if address == old {
        return Err(AccountError::AddressTaken.into());
    }
    limits::hit(&app, ADDRESS_BY_ACCOUNT, &before.id.to_string()).await?;
    let challenge =
        challenge::consume_for(&app, body.challenge_id, &address, ChallengePurpose::Rotate).await?;
    // A challenge requested with a token is valid only for that account (custody rule 16).
    if challenge.account.is_some_and(|account| account != before.id) {
        return Err(AuthError::Challenge.into());
    }
    // Only one of several concurrent rotations succeeds: the wallet that the others would replace is already
    // gone.
    if challenge.created_at <= before.wallet_since {
        return Err(AuthError::Changed.into());
    }
    let public_key = body.public_key.as_deref();
    let by = Signed { public_key, signature: &body.signature };
    let public_key = challenge.verify(&app, by).await?;

    let mut after = before.clone();
    let evm_chain_id = app.sign_in.evm_chain_id;
    let proved = OwnedAddress::proved(&address, public_key.as_deref(), evm_chain_id);
    after.set_wallet(proved, public_key, Some(body.provider));
    after.wallet_since = app.clock.now();
    let keystore = keystore::seal(&app, before.id, &body.encrypted_blob).await?;
    let (owner, retired) =
        (AddressOwner::signs_in(before.id), AddressOwner::retired(before.id, app.clock.now()));
    let entry = Entry::by_caller(&app, &caller, AccountChange::WalletRotated).await?;
    let committed = activity::commit(&app, before, entry, || {
        let retire = Update::new()
            .set(AddressOwner::USAGE, retired.usage)
            .set(AddressOwner::EXPIRES_AT, retired.expires_at)
            .if_equal(AddressOwner::ACCOUNT_ID, before.id)
            .if_equal(AddressOwner::USAGE, AddressUse::SignIn);
        let rows = Writes::new()
            .insert(&keys::wallet(&address), &owner, Error::from(AccountError::AddressTaken))
            .update(&keys::wallet(&old), retire, AuthError::Changed.into())
            .put(&keys::keystore(before.id), &keystore, AuthError::Changed.into());
        let update = caller
            .update()
            .set(Account::WALLET, &after.wallet)
            .set(Account::WALLET_SINCE, after.wallet_since)
            .set(Account::ADDRESSES, &after.addresses)
            .set(Account::EARLIER_ADDRESSES, &after.earlier_addresses);
        caller.end_other_sessions(rows, update)
    });
    committed.await?;
    device::carry_over(&app, &caller.account, caller.context.device.as_ref()).await;
    Ok(Envelope::ok(after.into()))
}

/// The account's sign-in wallet, if it can be replaced.
fn rotatable(app: &App, account: &Account) -> Result<WalletAddress> {
    let wallet = account.wallet.as_ref().filter(|_| account.auth_method == AuthMethod::Wallet);
    let wallet = wallet.ok_or(AccountError::NotByWallet)?;
    if !account.has_keystore {
        return Err(AccountError::NoWalletKeystore.into());
    }
    WalletAddress::parse(wallet.chain, &wallet.address, app.network)
        .map_err(|error| Error::new(shared::http::Problem::Internal).caused_by(error))
}
