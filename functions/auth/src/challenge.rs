//! `GET /auth/wallet/challenge`: a text for a wallet to sign.

use std::time::Duration;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use shared::{
    app::App,
    auth::wallet::SignInText,
    clock::Timestamp,
    http::{Envelope, Error, Fields, Input, MaybeCaller, Query, Result},
    models::{
        account::AccountId,
        wallet::{Chain, WalletAddress},
    },
    store::{Entity, Key},
};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::AuthError;

/// How long a challenge is good for.
const LIFETIME: Duration = Duration::from_secs(5 * 60);

/// What a challenge is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Purpose {
    /// To sign in.
    SignIn,
}

impl Purpose {
    /// As the signed text names it.
    fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign in",
        }
    }
}

/// Whose wallet shall sign, and what for.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ChallengeQuery {
    /// The wallet's address.
    address: String,
    /// The address's chain, where it is not plain from the address.
    chain: Option<Chain>,
    /// What the signature will be used for.
    #[param(default = "signIn")]
    purpose: Option<Purpose>,
}

impl Input for ChallengeQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let address = fields.text("address", 128);
        let (chain, purpose) = (fields.optional("chain"), fields.optional("purpose"));
        Some(Self { address: address?, chain: chain?, purpose: purpose? })
    }
}

/// A text for a wallet to sign.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssuedChallenge {
    /// To be sent back with the signature.
    challenge_id: Uuid,
    /// The text, to be signed byte for byte: of EIP-4361 for EVM, the like for others.
    message: String,
    /// When it ends, ms since the epoch.
    expires_at: Timestamp,
}

/// A challenge, as stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Challenge {
    chain: Chain,
    /// Canonical.
    address: String,
    purpose: Purpose,
    /// Who asked for it, where that was said with a token.
    account_id: Option<AccountId>,
    message: String,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Entity for Challenge {
    const ENTITY: &'static str = "walletChallenge";
}

/// Issues a challenge: bound to this service, to the address, and to a purpose; good once, for 5
/// minutes. With a token, the text names the account too.
#[utoipa::path(
    get,
    path = "/auth/wallet/challenge",
    tag = "auth",
    security((), ("bearer" = [])),
    params(ChallengeQuery),
    responses((status = 200, description = "The challenge", body = Envelope<IssuedChallenge>))
)]
pub async fn wallet_challenge(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Query(query): Query<ChallengeQuery>,
) -> Result<Envelope<IssuedChallenge>> {
    let address = match query.chain {
        Some(chain) => WalletAddress::parse(chain, &query.address, app.config.network),
        None => WalletAddress::infer(&query.address, app.config.network),
    }
    .map_err(|error| Error::field("address", error))?;
    let purpose = query.purpose.unwrap_or(Purpose::SignIn);
    let account_id = caller.map(|caller| caller.account);
    let now = app.clock.now();
    let (id, expires_at) = (Uuid::from_bytes(app.random.bytes()), now.plus(LIFETIME));
    let message = SignInText {
        domain: &app.config.sign_in.domain,
        uri: &app.config.sign_in.uri,
        statement: "Prove to Runeport that this wallet is yours. This costs nothing and moves nothing.",
        purpose: purpose.name(),
        account: account_id.map(|id| id.to_string()).as_deref(),
        address: &address,
        chain_id: app.config.sign_in.evm_chain_id,
        network: app.config.network,
        nonce: &app.random.code::<20>(),
        issued_at_ms: now.0,
        expires_at_ms: expires_at.0,
        request_id: &id.to_string(),
        resources: &[],
    }
    .render();
    let challenge = Challenge {
        chain: address.chain(),
        address: address.as_str().to_owned(),
        purpose,
        account_id,
        message: message.clone(),
        expires_at: expires_at.seconds(),
    };
    app.store.put(&Key::challenge(id), &challenge).await?;
    Ok(Envelope::ok(IssuedChallenge { challenge_id: id, message, expires_at }))
}

/// Uses a challenge up, whatever becomes of the signature.
pub(crate) async fn consume(
    app: &App,
    id: Uuid,
    address: &WalletAddress,
    purpose: Purpose,
) -> Result<Consumed, AuthError> {
    let row = app.store.consume::<Challenge>(&Key::challenge(id)).await?;
    let challenge = row.ok_or(AuthError::Challenge)?;
    let fits = challenge.purpose == purpose
        && challenge.chain == address.chain()
        && challenge.address == address.as_str();
    if fits {
        Ok(Consumed { message: challenge.message, account: challenge.account_id })
    } else {
        Err(AuthError::Challenge)
    }
}

/// A challenge that was used up.
pub(crate) struct Consumed {
    /// The text that must have been signed.
    pub(crate) message: String,
    /// The account that the text names, if it names one.
    pub(crate) account: Option<AccountId>,
}
