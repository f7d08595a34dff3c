//! `/api/account/trading-wallet`: creates the two-signature wallet, once, and explains how its owner recovers
//! the coins without the platform.

use std::iter;

use axum::{extract::State, response::Response};
use base::clock::Timestamp;
use identity::{
    activity::{self, Entry},
    challenge::ChallengePurpose,
    trading_key::LONGEST_KEY,
    trading_wallet::{self, TradingKeyProof},
    wallet::MAX_SIGNATURE_LEN,
};
use serde::Serialize;
use shared::{
    auth::AuthError,
    http::{
        Created, Envelope, Fields, FreshCaller, IdempotencyHeader, Idempotent, Input, LiveCaller,
        Result,
    },
    keys,
    models::{
        account::{Account, Me},
        change::AccountChange,
        trading_wallet::{DELAY, TradingDescriptor, TradingWallet, UserKey},
    },
};
use store::Writes;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{AccountError, app::App};

/// The user's key in a trading wallet, and its signature of a challenge.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MakeTradingWallet {
    /// The key in hex: 33 bytes, or 32 if the challenge is for its Taproot address. A signature for a Taproot
    /// address does not prove the key's parity, so the wallet then accepts both.
    #[schema(max_length = 130)]
    public_key: String,
    /// From `GET /auth/wallet/challenge?purpose=tradingWallet`, requested with the caller's token for any
    /// Bitcoin address of the key: P2WPKH, P2TR, P2PKH or P2SH-P2WPKH.
    challenge_id: Uuid,
    /// The signature of the challenge for that address: base64, as for sign-in.
    #[schema(max_length = 4096)]
    signature: String,
}

impl Input for MakeTradingWallet {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let public_key = fields.text("publicKey", LONGEST_KEY);
        let challenge_id = fields.required("challengeId");
        let signature = fields.text("signature", MAX_SIGNATURE_LEN);
        Some(Self { public_key: public_key?, challenge_id: challenge_id?, signature: signature? })
    }
}

/// Creates the trading wallet of an account that has none because it does not sign in with a Bitcoin wallet. A
/// trading wallet is created only once, and its keys never change. Requires a sign-in within the last 15
/// minutes.
#[utoipa::path(
    post,
    path = "/api/account/trading-wallet",
    tag = "trading-wallet",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = MakeTradingWallet,
    responses((status = 201, description = "The account", body = Envelope<Me>))
)]
pub async fn create_trading_wallet(
    State(app): State<App>,
    FreshCaller(caller): FreshCaller,
    request: Idempotent<MakeTradingWallet>,
) -> Result<Response> {
    let work = async |body| make(&app, &caller, body).await.map(Created);
    request.personal(&app.vault).once(&app, caller.account.id, work).await
}

async fn make(app: &App, caller: &LiveCaller, body: MakeTradingWallet) -> Result<Me> {
    let mut account = caller.account.clone();
    if account.trading_wallet.is_some() {
        return Err(AccountError::TradingWalletExists.into());
    }
    let proof = TradingKeyProof {
        public_key: &body.public_key,
        challenge_id: body.challenge_id,
        signature: &body.signature,
    };
    let key = proof.prove(app, ChallengePurpose::TradingWallet, Some(account.id)).await?;
    let wallet = trading_wallet::make(app, account.id, key).await?;
    let entry = Entry::by_caller(app, caller, AccountChange::TradingWalletMade).await?;
    let committed = activity::commit(app, &account, entry, || {
        let update = caller
            .update()
            .set(Account::TRADING_WALLET, &wallet)
            .if_absent(Account::TRADING_WALLET);
        let rows = Writes::new().update(&keys::account(account.id), update, AuthError::Changed);
        trading_wallet::claim(rows, &wallet, account.id)
    });
    committed.await?;
    account.trading_wallet = Some(wallet);
    Ok(account.into())
}

/// A trading wallet, and how to spend from it without the platform.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TradingWalletBackup {
    /// The two-signature Bitcoin address.
    address: String,
    /// The script behind the address: a descriptor with its checksum (BIP 380).
    descriptor: TradingDescriptor,
    /// The user's key in hex: 33 bytes, or 32 (x-only) if only Taproot has proved it; the script then accepts
    /// either key with this x coordinate.
    public_key: String,
    /// The platform's key, hex of 33 bytes.
    platform_public_key: String,
    /// Confirmations that a coin needs before the user's key alone can spend it.
    #[schema(example = 12960)]
    delay_blocks: u16,
    /// When it was created, ms since the epoch.
    created_at: Timestamp,
    /// How to spend without the platform.
    recovery: Recovery,
}

/// How the user alone spends coins of a trading wallet after the delay.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Recovery {
    /// What to do, step by step.
    steps: Vec<String>,
    /// The user keys that the script accepts; one of them suffices. There are two keys if only Taproot has
    /// proved the key; the user has one of them.
    keys: Vec<RecoveryKey>,
    /// The script that locks the coins, hex.
    witness_script: String,
    /// nSequence of each input (BIP 68).
    #[schema(example = 12960)]
    sequence: u32,
    /// The minimum version of the transaction (BIP 68).
    #[schema(example = 2)]
    transaction_version: u32,
}

/// How to spend with one of the user's keys.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryKey {
    /// The key, hex of 33 bytes.
    public_key: String,
    /// The descriptor to complete: replace `<PRIVATE KEY>` with the private key of `publicKey` (WIF), then
    /// add the checksum of the result.
    descriptor_to_complete: String,
    /// The steps as commands of Bitcoin Core 25 or later.
    commands: Vec<String>,
    /// The witness of each input, in order: an empty element in place of the platform's signature; the user's
    /// signature (DER with the sighash byte, BIP 143); an empty element for a key that the script checks
    /// earlier, if there is one; and the witness script.
    witness: Vec<String>,
}

impl From<TradingWallet> for TradingWalletBackup {
    fn from(wallet: TradingWallet) -> Self {
        let recovery = Recovery::for_wallet(&wallet);
        let TradingWallet { address, descriptor, created_at, .. } = wallet;
        Self {
            address,
            public_key: descriptor.user().to_string(),
            platform_public_key: descriptor.platform().to_string(),
            descriptor,
            delay_blocks: DELAY,
            created_at,
            recovery,
        }
    }
}

impl Recovery {
    fn for_wallet(wallet: &TradingWallet) -> Self {
        let TradingWallet { address, descriptor, .. } = wallet;
        let (user, platform) = (descriptor.user(), descriptor.platform());
        let names: Vec<_> = user.keys().map(|key| key.to_string()).collect();
        let names = names.join(" or ");
        let which = match user {
            UserKey::Compressed(_) => String::new(),
            UserKey::EitherParity(_) => format!(
                " Your key is one of two. The right descriptor is the one that getdescriptorinfo \
                 accepts with your key and for which deriveaddresses returns {address}."
            ),
        };
        let steps = vec![
            format!(
                "Keep this document and the private key of {names}. Coins of {address} need the \
                 signatures of that key and of the platform's key, {platform}. After {DELAY} \
                 confirmations (about 90 days) a coin needs only the signature of your key."
            ),
            format!(
                "Import the descriptor into a wallet that signs miniscript: Bitcoin Core 25 or \
                 later, or another wallet that supports such descriptors. To sign with Bitcoin \
                 Core, replace <PRIVATE KEY> in descriptorToComplete with your private key (WIF), \
                 and append the checksum that getdescriptorinfo returns.{which} To only watch the \
                 address, import descriptor unchanged."
            ),
            format!(
                "Choose coins with at least {DELAY} confirmations. A coin with fewer cannot be \
                 spent without the platform yet. The delay is counted separately for each coin."
            ),
            format!(
                "Create a transaction of version 2 or higher that spends them to your own address, \
                 with nSequence {DELAY} on each of these inputs."
            ),
            "Sign it (SIGHASH_ALL). Each of these inputs gets the witness listed for your key. A \
             wallet that signs miniscript creates it automatically."
                .to_owned(),
            "Broadcast it.".to_owned(),
        ];
        let keys = user.keys().enumerate();
        Self {
            steps,
            keys: keys
                .map(|(place, key)| RecoveryKey::new(wallet, place, key.to_string()))
                .collect(),
            sequence: DELAY.into(),
            transaction_version: 2,
            witness_script: witness_script(descriptor),
        }
    }
}

fn witness_script(descriptor: &TradingDescriptor) -> String {
    hex::encode(descriptor.witness_script().as_bytes())
}

impl RecoveryKey {
    /// For the user key at this index of the script.
    fn new(wallet: &TradingWallet, place: usize, public_key: String) -> Self {
        let TradingWallet { descriptor, created_at, .. } = wallet;
        let to_complete = descriptor.with_user_keys(|key| {
            let key = key.to_string();
            if key == public_key { "<PRIVATE KEY>".to_owned() } else { key }
        });
        let since = created_at.past_seconds();
        let commands = vec![
            "bitcoin-cli createwallet recovery false true".to_owned(),
            format!("bitcoin-cli getdescriptorinfo '{to_complete}'"),
            format!("bitcoin-cli deriveaddresses '{to_complete}#<CHECKSUM>'"),
            format!(
                "bitcoin-cli -rpcwallet=recovery importdescriptors '[{{\"desc\":\"{to_complete}#\
                 <CHECKSUM>\",\"timestamp\":{since}}}]'"
            ),
            format!("bitcoin-cli -rpcwallet=recovery listunspent {DELAY}"),
            format!(
                "bitcoin-cli -named createpsbt inputs='[{{\"txid\":\"<TXID>\",\"vout\":<VOUT>,\
                 \"sequence\":{DELAY}}}]' outputs='[{{\"<YOUR ADDRESS>\":<AMOUNT LESS FEE>}}]'"
            ),
            "bitcoin-cli -rpcwallet=recovery walletprocesspsbt '<PSBT>'".to_owned(),
            "bitcoin-cli finalizepsbt '<PSBT>'".to_owned(),
            "bitcoin-cli sendrawtransaction '<HEX>'".to_owned(),
        ];
        let mut witness = vec![String::new(), "<SIGNATURE>".to_owned()];
        witness.extend(iter::repeat_n(String::new(), place));
        witness.push(witness_script(descriptor));
        Self { public_key, descriptor_to_complete: to_complete, commands, witness }
    }
}

/// Returns the caller's trading wallet and how to spend from it without the platform. Store the
/// document outside the platform. It contains no secret.
#[utoipa::path(
    get,
    path = "/api/account/trading-wallet",
    tag = "trading-wallet",
    security(("bearer" = [])),
    responses((status = 200, description = "The wallet", body = Envelope<TradingWalletBackup>))
)]
pub async fn get_trading_wallet(caller: LiveCaller) -> Result<Envelope<TradingWalletBackup>> {
    let wallet = caller.account.trading_wallet.ok_or(AccountError::TradingWalletNotFound)?;
    Ok(Envelope::ok(wallet.into()))
}
