//! `POST /auth/authenticate`: sign-in.

use std::time::Duration;

use axum::{Extension, extract::State};
use http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shared::{
    app::App,
    auth::wallet::{self, EthCall, Proof},
    http::{Envelope, Error, Fields, Input, RequestContext, Result, Valid},
    models::{
        account::{Me, Wallet},
        sign_in_message,
        wallet::{Chain, WalletAddress},
    },
    store::{Entity, Key, accounts as account_store},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{OneOfBuilder, Ref, RefOr, Schema},
};
use uuid::Uuid;

use crate::{
    AuthError,
    accounts::{self, ProvenWallet},
    challenge::{self, Purpose},
    tokens::{Client, TokenPair},
};

/// Longest signature, in characters: contract wallets can need many.
const LONGEST_SIGNATURE: usize = wallet::MAX_EVM_SIGNATURE_LEN;
/// How long a used message is remembered: longer than one can be accepted.
const USED_KEPT: Duration = Duration::from_secs(60)
    .saturating_add(sign_in_message::LIFETIME)
    .saturating_add(sign_in_message::SKEW);

/// A Bitcoin wallet's signature of the deployment's sign-in message.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignedMessage {
    /// The deployment's sign-in message; ends in the present time, ms since the epoch.
    #[schema(max_length = 1024, example = "Sign in to Runeport: 1700000000000")]
    message: String,
    /// Base64. P2WPKH and P2TR: BIP-322. P2PKH and P2SH-P2WPKH: legacy signed message.
    #[schema(max_length = 16384)]
    signature: String,
    /// The wallet's Bitcoin address.
    #[schema(max_length = 128)]
    address: String,
    /// Its public key, hex: 33 bytes, for P2TR also 32 (x-only, before the BIP-86 tweak).
    #[schema(max_length = 256)]
    public_key: String,
}

/// A wallet's signature of an issued challenge.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignedChallenge {
    /// From `GET /auth/wallet/challenge`.
    challenge_id: Uuid,
    /// EVM: hex (EIP-191; EIP-1271 and EIP-6492 for contract wallets). Solana: base58, base64 or
    /// hex (Ed25519). Bitcoin: base64, as for a message.
    #[schema(max_length = 16384)]
    signature: String,
    /// The address that the challenge was issued for.
    #[schema(max_length = 128)]
    address: String,
    /// Bitcoin: required, as for a message. EVM: hex, may be empty. Solana: base58, may be empty.
    #[schema(required = false, max_length = 256)]
    public_key: Option<String>,
    /// The address's chain.
    chain: Chain,
    /// The wallet program, at most 64 characters.
    #[schema(required = false, max_length = 64)]
    provider: Option<String>,
}

/// One of the ways to sign in, told apart by their fields.
#[derive(Debug)]
pub enum Authenticate {
    /// Has a `message`.
    Message(SignedMessage),
    /// Has a `challengeId`.
    Challenge(SignedChallenge),
}

impl PartialSchema for Authenticate {
    fn schema() -> RefOr<Schema> {
        let form = Ref::from_schema_name;
        OneOfBuilder::new().item(form("SignedMessage")).item(form("SignedChallenge")).into()
    }
}

impl ToSchema for Authenticate {}

impl Input for Authenticate {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        if fields.has("challengeId") {
            SignedChallenge::read(fields).map(Self::Challenge)
        } else {
            SignedMessage::read(fields).map(Self::Message)
        }
    }
}

impl Input for SignedMessage {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let message = fields.text("message", sign_in_message::LONGEST);
        let signature = fields.text("signature", LONGEST_SIGNATURE);
        let address = fields.text("address", 128);
        let public_key = fields.text("publicKey", 256);
        Some(Self {
            message: message?,
            signature: signature?,
            address: address?,
            public_key: public_key?,
        })
    }
}

impl Input for SignedChallenge {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let challenge_id = fields.required("challengeId");
        let signature = fields.text("signature", LONGEST_SIGNATURE);
        let address = fields.text("address", 128);
        let chain = fields.required("chain");
        let public_key = match chain {
            Some(Chain::Bitcoin) => fields.text("publicKey", 256).map(Some),
            _ => fields.optional_text("publicKey", 256),
        };
        let provider = fields.optional_text("provider", 64);
        let printable = |name: &String| !name.chars().any(char::is_control);
        let provider = match provider {
            Some(Some(name)) if !printable(&name) => {
                fields.wrong("provider", "must have no control characters")
            }
            provider => provider,
        };
        Some(Self {
            challenge_id: challenge_id?,
            signature: signature?,
            address: address?,
            public_key: public_key?,
            chain: chain?,
            provider: provider?,
        })
    }
}

/// A sign-in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The session's tokens.
    #[serde(flatten)]
    tokens: TokenPair,
    /// The two-signature Bitcoin address; null until there is one.
    #[schema(required = true)]
    trading_address: Option<String>,
    /// The wallet that signed in.
    #[schema(required = true)]
    wallet: Option<Wallet>,
    /// The account.
    account: Me,
}

/// That a message has signed somebody in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UsedMessage {
    expires_at: i64,
}

impl Entity for UsedMessage {
    const ENTITY: &'static str = "usedSignInMessage";
}

/// Signs in. The first sign-in of a wallet makes its account.
///
/// The body has one of two forms: a Bitcoin wallet's signature of the deployment's message, which
/// ends in a time at most 5 minutes old and is good once; or any wallet's signature of a challenge.
#[utoipa::path(
    post,
    path = "/auth/authenticate",
    tag = "auth",
    request_body = Authenticate,
    responses((status = 200, description = "Signed in", body = Envelope<SignedIn>))
)]
pub async fn authenticate(
    State(app): State<App>,
    Extension(context): Extension<RequestContext>,
    headers: HeaderMap,
    Valid(body): Valid<Authenticate>,
) -> Result<Envelope<SignedIn>> {
    let user_agent = headers
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .map(|value| value.chars().take(200).collect());
    let (wallet, owner) = match body {
        Authenticate::Message(proof) => proof.prove(&app).await?,
        Authenticate::Challenge(proof) => proof.prove(&app).await?,
    };
    let client = Client { user_agent, source_ip: context.source_ip };
    let (account, tokens) = accounts::sign_in(&app, wallet, owner, client).await?;
    Ok(Envelope::ok(SignedIn {
        tokens,
        trading_address: account.trading_address.clone(),
        wallet: account.wallet.clone(),
        account: account.into(),
    }))
}

type Proven = (ProvenWallet, Option<shared::models::account::AccountId>);

impl SignedMessage {
    async fn prove(self, app: &App) -> Result<Proven> {
        let address = address(app, Chain::Bitcoin, &self.address)?;
        let now = app.clock.now();
        app.config
            .sign_in
            .message
            .check(&self.message, address.as_str(), now)
            .map_err(AuthError::from)?;
        let public_key =
            verify(app, &address, Some(&self.public_key), &self.message, &self.signature).await?;
        // After the proof: a message can be guessed, and nobody else shall be able to use it up.
        let digest = Sha256::new()
            .chain_update(format!("{}\0{}\0", address.chain(), address.as_str()))
            .chain_update(&self.message)
            .finalize();
        let key = Key::sign_in_message(&hex::encode(digest));
        let used = UsedMessage { expires_at: now.plus(USED_KEPT).seconds() };
        let (claimed, owner) = tokio::join!(
            app.store.claim(&key, &used, None),
            account_store::owner(&app.store, &address),
        );
        claimed?.map_err(|_| AuthError::MessageUsed)?;
        Ok((ProvenWallet { address, public_key, provider: None }, owner?))
    }
}

impl SignedChallenge {
    async fn prove(self, app: &App) -> Result<Proven> {
        let address = address(app, self.chain, &self.address)?;
        // Before the proof: a challenge is good for one attempt.
        let (challenge, owner) = tokio::join!(
            challenge::consume(app, self.challenge_id, &address, Purpose::SignIn),
            account_store::owner(&app.store, &address),
        );
        let (challenge, owner) = (challenge?, owner?);
        if challenge.account.is_some() && challenge.account != owner {
            // The text names another account than the one that would be signed in.
            return Err(AuthError::Challenge.into());
        }
        let given = self.public_key.as_deref();
        let public_key = verify(app, &address, given, &challenge.message, &self.signature).await?;
        Ok((ProvenWallet { address, public_key, provider: self.provider }, owner))
    }
}

fn address(app: &App, chain: Chain, text: &str) -> Result<WalletAddress> {
    WalletAddress::parse(chain, text, app.config.network)
        .map_err(|error| Error::field("address", error))
}

async fn verify(
    app: &App,
    address: &WalletAddress,
    public_key: Option<&str>,
    message: &str,
    signature: &str,
) -> Result<Option<String>> {
    let proof = Proof { address, public_key, message, signature };
    let evm = app.evm.as_ref().map(|rpc| rpc as &dyn EthCall);
    Ok(wallet::verify(proof, app.config.network, evm).await.map_err(AuthError::from)?)
}
