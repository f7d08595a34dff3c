//! Wallet proofs: a signature of the deployment's message or of a challenge.

use std::time::Duration;

use identity::{
    challenge::{self, ChallengePurpose, Signed, read_provider, read_public_key, verify},
    failed_proofs::{self, Proof},
    second_factor::{Code, LONGEST_CODE},
    wallet,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shared::{
    accounts::{self, AddressOwner},
    auth::{AuthError, limits::subject_of_name},
    http::{Error, Fields, Input, Result},
    keys,
    models::wallet::{Chain, WalletAddress},
    problem::{AsProblem, Problem},
};
use store::{Claimed, Entity};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{accounts::ProvenWallet, app::App, sign_in_message};

/// The longest signature, in characters. Contract wallets may need that many.
const LONGEST_SIGNATURE: usize = wallet::MAX_EVM_SIGNATURE_LEN;
/// How long a used message is remembered at least. It must exceed the time for which a message can be
/// accepted.
const USED_KEPT: Duration = Duration::from_secs(60)
    .saturating_add(sign_in_message::LIFETIME)
    .saturating_add(sign_in_message::SKEW);

/// A Bitcoin wallet's signature of the deployment's sign-in message.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignedMessage {
    /// The deployment's sign-in message; ends in the current time, ms since the epoch.
    #[schema(max_length = 1024, example = "Sign in to Runeport: 1700000000000")]
    message: String,
    /// Base64. P2WPKH and P2TR: BIP-322. P2PKH and P2SH-P2WPKH: legacy signed message.
    #[schema(max_length = 16384)]
    signature: String,
    /// The wallet's Bitcoin address.
    #[schema(max_length = 128)]
    address: String,
    /// The wallet's public key, hex: 33 bytes, for P2TR also 32 (x-only, before the BIP-86 tweak).
    #[schema(max_length = 256)]
    public_key: String,
    /// 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
    /// count.
    #[schema(required = false, max_length = 64, value_type = Option<String>)]
    pub(crate) otp_code: Option<Code>,
}

/// A wallet's signature of an issued challenge.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SignedChallenge {
    /// From `GET /auth/wallet/challenge`.
    challenge_id: Uuid,
    /// EVM: hex (EIP-191; EIP-1271 and EIP-6492 for contract wallets). Solana: base58, base64 or hex
    /// (Ed25519). Bitcoin: base64, as for a signed message.
    #[schema(max_length = 16384)]
    signature: String,
    /// The address for which the challenge was issued.
    #[schema(max_length = 128)]
    address: String,
    /// Bitcoin: required, as for a signed message. EVM: hex, may be empty. Solana: base58, may be empty.
    #[schema(required = false, max_length = 256)]
    public_key: Option<String>,
    /// The chain of the address.
    chain: Chain,
    /// The wallet software, at most 64 characters.
    #[schema(required = false, max_length = 64)]
    provider: Option<String>,
    /// 6 digits or a recovery code; required if the account has a second factor. White space and dashes do not
    /// count.
    #[schema(required = false, max_length = 64, value_type = Option<String>)]
    pub(crate) otp_code: Option<Code>,
}

impl Input for SignedMessage {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let message = fields.text("message", sign_in_message::LONGEST);
        let signature = fields.text("signature", LONGEST_SIGNATURE);
        let address = fields.text("address", 128);
        let public_key = fields.text("publicKey", 256);
        let otp_code = fields.optional_parsed("otpCode", LONGEST_CODE);
        Some(Self {
            message: message?,
            signature: signature?,
            address: address?,
            public_key: public_key?,
            otp_code: otp_code?,
        })
    }
}

impl Input for SignedChallenge {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let challenge_id = fields.required("challengeId");
        let signature = fields.text("signature", LONGEST_SIGNATURE);
        let address = fields.text("address", 128);
        let chain = fields.required("chain");
        let public_key = read_public_key(fields, chain);
        let provider = read_provider(fields);
        let otp_code = fields.optional_parsed("otpCode", LONGEST_CODE);
        Some(Self {
            challenge_id: challenge_id?,
            signature: signature?,
            address: address?,
            public_key: public_key?,
            chain: chain?,
            provider: provider?,
            otp_code: otp_code?,
        })
    }
}

/// Marks a message as used to sign in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UsedMessage {
    expires_at: i64,
}

impl Entity for UsedMessage {
    const ENTITY: &'static str = "usedSignInMessage";
}

/// A proved wallet and the owner of its address.
pub(crate) type Proven = (ProvenWallet, Option<AddressOwner>);

impl SignedMessage {
    pub(crate) async fn prove(&self, app: &App) -> Result<Proven> {
        let address = address(app, Chain::Bitcoin, &self.address)?;
        let now = app.clock.now();
        app.message.check(&self.message, address.as_str(), now).map_err(AuthError::from)?;
        let by = Signed { public_key: Some(&self.public_key), signature: &self.signature };
        let public_key = match verify(app, &address, &self.message, by).await {
            Err(error) => {
                let owner = accounts::owner(&app.store, &address).await?;
                return Err(record_refusal(app, error, &address, owner).await.into());
            }
            Ok(public_key) => public_key,
        };
        // Consume the message after the proof: messages can be guessed, and other parties must not be able to
        // use one up.
        let digest = Sha256::new()
            .chain_update(format!("{}\0{}\0", address.chain(), address.as_str()))
            .chain_update(&self.message)
            .finalize();
        let key = keys::sign_in_message(&hex::encode(digest));
        let used = UsedMessage { expires_at: now.plus(USED_KEPT).seconds() };
        let (claimed, owner) = tokio::join!(
            app.store.claim(&key, &used, None),
            accounts::owner(&app.store, &address),
        );
        if let Claimed::Existing(_) = claimed? {
            return Err(AuthError::MessageUsed.into());
        }
        Ok((ProvenWallet::new(app, address, public_key, None), owner?))
    }
}

impl SignedChallenge {
    pub(crate) async fn prove(&self, app: &App) -> Result<Proven> {
        let address = address(app, self.chain, &self.address)?;
        // Consume the challenge before the proof, because it allows only one attempt.
        let (challenge, owner) = tokio::join!(
            challenge::consume_for(app, self.challenge_id, &address, ChallengePurpose::SignIn),
            accounts::owner(&app.store, &address),
        );
        let (challenge, owner) = (challenge?, owner?);
        if challenge.account.is_some() && challenge.account != owner.map(|owner| owner.account_id) {
            // The text names an account other than the one to be signed in.
            return Err(AuthError::Challenge.into());
        }
        let public_key = self.public_key.as_deref();
        let by = Signed { public_key, signature: &self.signature };
        let public_key = match challenge.verify(app, by).await {
            Err(error) => return Err(record_refusal(app, error, &address, owner).await.into()),
            Ok(public_key) => public_key,
        };
        Ok((ProvenWallet::new(app, address, public_key, self.provider.clone()), owner))
    }
}

/// Returns the error. A wrong signature is first counted for the owner of the address, or for the address
/// itself if it has no owner, so that the work is identical.
async fn record_refusal(
    app: &App,
    error: AuthError,
    address: &WalletAddress,
    owner: Option<AddressOwner>,
) -> AuthError {
    let wrong = error.problem() == Problem::SignatureInvalid;
    if wrong {
        let subject = owner.map_or_else(
            || subject_of_name(address.as_str()),
            |owner| owner.account_id.to_string(),
        );
        failed_proofs::record(app, &subject, Proof::Wallet).await;
    }
    error
}

fn address(app: &App, chain: Chain, text: &str) -> Result<WalletAddress> {
    WalletAddress::parse(chain, text, app.network).map_err(|error| Error::field("address", error))
}
