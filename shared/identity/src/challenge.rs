//! Wallet challenges: single-use texts that a wallet signs. Each is bound to one address and one purpose.

use std::time::Duration;

use base::clock::Timestamp;
use serde::{Deserialize, Serialize};
use shared::{
    auth::AuthError,
    evm_rpc::EvmChain,
    input::Fields,
    keys,
    models::{
        account::AccountId,
        wallet::{Chain, WalletAddress},
    },
};
use store::{Entity, Update};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Identity,
    wallet::{self, Proof, SignInText},
};

/// How long a challenge is valid.
const LIFETIME: Duration = Duration::from_secs(5 * 60);

/// What a challenge is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChallengePurpose {
    /// To sign in or register.
    SignIn,
    /// To link an address to the requesting account.
    Link,
    /// To make the wallet the sign-in wallet of the requesting account.
    Rotate,
    /// To make the key the user's key in the trading wallet of the requesting account.
    TradingWallet,
}

impl ChallengePurpose {
    /// The purpose as written in the signed text.
    fn name(self) -> &'static str {
        match self {
            Self::SignIn => "sign in",
            Self::Link => "link this address",
            Self::Rotate => "become the sign-in wallet",
            Self::TradingWallet => "become the key of the trading wallet",
        }
    }

    /// Whether only a signed-in account can request it.
    pub fn needs_account(self) -> bool {
        matches!(self, Self::Link | Self::TradingWallet)
    }

    /// Whether a challenge requested with only an address can be used for this purpose (custody rule 16). A
    /// rotation sets an address that no account has yet, so its owner could also sign in with it.
    fn is_default(self) -> bool {
        matches!(self, Self::SignIn | Self::Rotate)
    }
}

/// The purposes of a challenge requested with only an address, as written in the signed text.
const DEFAULT_PURPOSES: &str = "sign in, or become the sign-in wallet";

/// A challenge, as stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Challenge {
    chain: Chain,
    /// In canonical form.
    address: String,
    /// `None` if it was requested with only an address.
    purpose: Option<ChallengePurpose>,
    /// The account that requested the challenge, if the request carried a token.
    account_id: Option<AccountId>,
    message: String,
    created_at: Timestamp,
    /// Whole seconds since the epoch (DynamoDB's TTL attribute).
    expires_at: i64,
}

impl Challenge {
    fn serves(&self, purpose: ChallengePurpose) -> bool {
        self.purpose.map_or(purpose.is_default(), |own| own == purpose)
    }
}

impl Entity for Challenge {
    const ENTITY: &'static str = "walletChallenge";
}

/// A challenge, as issued.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IssuedChallenge {
    /// Send it back with the signature.
    challenge_id: Uuid,
    /// The text to sign byte for byte: an EIP-4361 message for EVM, the same layout for other chains.
    message: String,
    /// When the challenge expires, ms since the epoch.
    expires_at: Timestamp,
}

/// Issues a challenge bound to this service, the address, the purpose and, if the request is signed in, its
/// account. Without a purpose it can be used to sign in, to register and to rotate.
///
/// # Errors
/// [`AuthError::Store`] if the store fails.
pub async fn issue(
    app: &Identity,
    address: &WalletAddress,
    purpose: Option<ChallengePurpose>,
    account: Option<AccountId>,
    origin: Option<&str>,
) -> Result<IssuedChallenge, AuthError> {
    let now = app.clock.now();
    let (id, expires_at) = (Uuid::from_bytes(app.random.bytes()), now.plus(LIFETIME));
    let own = app.sign_in.domain.as_str();
    let message = SignInText {
        domain: origin.map_or(own, |origin| domain_for(own, origin)),
        uri: &app.sign_in.uri,
        statement: "Prove to Runeport that this wallet is yours. This costs nothing and moves nothing.",
        purpose: purpose.map_or(DEFAULT_PURPOSES, ChallengePurpose::name),
        account: account.map(|id| id.to_string()).as_deref(),
        address,
        chain_id: app.sign_in.evm_chain_id,
        network: app.network,
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
        account_id: account,
        message: message.clone(),
        created_at: now,
        expires_at: expires_at.seconds(),
    };
    app.store.issue(&keys::challenge(id), &challenge).await?;
    Ok(IssuedChallenge { challenge_id: id, message, expires_at })
}

/// The domain that the text names. On a developer's machine it is the page's authority with its port, as
/// EIP-4361 requires: the frontend's port is not known beforehand.
fn domain_for<'a>(configured: &'a str, origin: &'a str) -> &'a str {
    let authority = origin.strip_prefix("http://").filter(|_| configured == "localhost");
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|number| number.to_string() == port);
    let on_this_host = |authority: &&str| {
        authority.split_once(':').is_some_and(|(host, port)| host == configured && is_port(port))
    };
    authority.filter(on_this_host).unwrap_or(configured)
}

/// Reads the field `publicKey`, at most 256 characters. Bitcoin requires it; for other chains it may be
/// missing or empty.
#[allow(clippy::option_option)]
pub fn read_public_key(fields: &mut Fields<'_>, chain: Option<Chain>) -> Option<Option<String>> {
    match chain {
        Some(Chain::Bitcoin) => fields.text("publicKey", 256).map(Some),
        _ => fields.optional_text("publicKey", 256),
    }
}

/// Reads the field `provider`, the name of the wallet software: printable, at most 64 characters.
#[allow(clippy::option_option)]
pub fn read_provider(fields: &mut Fields<'_>) -> Option<Option<String>> {
    fields.optional_name("provider", 64)
}

/// A challenge that has been consumed.
#[derive(Debug)]
pub struct UsedChallenge {
    /// The address it was issued for.
    pub address: WalletAddress,
    /// The text that must have been signed.
    message: String,
    /// The account named in the text, if any.
    pub account: Option<AccountId>,
    /// When it was issued.
    pub created_at: Timestamp,
}

/// Consumes a challenge. It is used up even if the signature turns out to be wrong.
///
/// # Errors
/// [`AuthError::Challenge`] if it is unknown, used, expired or for another purpose; [`AuthError::Store`] if
/// the store fails.
pub async fn consume(
    app: &Identity,
    id: Uuid,
    purpose: ChallengePurpose,
) -> Result<UsedChallenge, AuthError> {
    let row = app.store.use_up::<Challenge>(&keys::challenge(id), Update::new()).await?;
    let challenge = row.filter(|row| row.serves(purpose)).ok_or(AuthError::Challenge)?;
    let Challenge { chain, address, account_id: account, message, created_at, .. } = challenge;
    let address =
        WalletAddress::parse(chain, &address, app.network).map_err(|_| AuthError::Challenge)?;
    Ok(UsedChallenge { address, message, account, created_at })
}

/// Consumes a challenge that must be for `address`. It is used up even if the signature turns out to be
/// wrong.
///
/// # Errors
/// As [`consume`]; [`AuthError::Challenge`] if it is for another address.
pub async fn consume_for(
    app: &Identity,
    id: Uuid,
    address: &WalletAddress,
    purpose: ChallengePurpose,
) -> Result<UsedChallenge, AuthError> {
    let challenge = consume(app, id, purpose).await?;
    if challenge.address == *address { Ok(challenge) } else { Err(AuthError::Challenge) }
}

/// A signature as the client sends it.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// The public key that the client claims is behind the address.
    pub public_key: Option<&'a str>,
    /// The signature.
    pub signature: &'a str,
}

impl UsedChallenge {
    /// Checks the signature of the challenge. Returns the public key that it proves, if the chain has one.
    ///
    /// # Errors
    /// [`AuthError::Proof`] if the signature proves nothing, or its chain could not be asked.
    pub async fn verify(
        &self,
        app: &Identity,
        by: Signed<'_>,
    ) -> Result<Option<String>, AuthError> {
        verify(app, &self.address, &self.message, by).await
    }
}

/// Checks an address's signature of a message. Returns the public key that it proves, if the chain has one.
///
/// # Errors
/// [`AuthError::Proof`] if the signature proves nothing, or its chain could not be asked.
pub async fn verify(
    app: &Identity,
    address: &WalletAddress,
    message: &str,
    by: Signed<'_>,
) -> Result<Option<String>, AuthError> {
    let Signed { public_key, signature } = by;
    let proof = Proof { address, public_key, message, signature };
    let evm = app.evm.as_ref().map(|rpc| rpc as &dyn EvmChain);
    Ok(wallet::verify(proof, app.network, evm).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_domain_has_the_port_of_the_page_on_localhost_only() {
        for (configured, origin, domain) in [
            ("localhost", "http://localhost:5173", "localhost:5173"),
            ("localhost", "http://localhost", "localhost"),
            ("localhost", "http://localhost:", "localhost"),
            ("localhost", "http://localhost:05173", "localhost"),
            ("localhost", "http://localhost:5173.evil.example", "localhost"),
            ("localhost", "http://localhost:5173@evil.example", "localhost"),
            ("localhost", "http://evil.example:5173", "localhost"),
            ("localhost", "https://localhost:5173", "localhost"),
            ("localhost", "null", "localhost"),
            ("app.example.org", "http://app.example.org:5173", "app.example.org"),
            ("app.example.org", "http://localhost:5173", "app.example.org"),
        ] {
            assert_eq!(domain_for(configured, origin), domain, "{configured} {origin}");
        }
    }
}
