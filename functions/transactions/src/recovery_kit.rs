//! `GET /api/account/trading-wallet/recovery-kit`.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use base::clock::Timestamp;
use chain::{
    transactions::{self, ChainError},
    views::deposits::HeldRune,
};
use http::{
    HeaderValue,
    header::{CONTENT_DISPOSITION, InvalidHeaderValue},
};
use serde::Serialize;
use shared::{
    auth::limits::{self, WALLET_BY_ACCOUNT},
    http::{Envelope, Error, Fields, Input, LiveCaller, Problem, Query, Result},
    models::{
        bitcoin::{InscriptionId, OutPoint},
        trading_wallet::{DELAY, TradingDescriptor, TradingWallet},
    },
    network::Network,
    problem::AsProblem,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    coins::{CoinRow, row, wallet_of},
};

/// The recovery page as built by `npm run build`. A test of `infra/frontend/recovery` compares the two.
const TOOL: RecoveryTool = RecoveryTool {
    version: "0.1.0",
    sha256: "c0ea09299c7f03d4f78dcce3fe6295d03f5ea63e0a2451070b8163edfe105fe9",
};

/// The format of the response.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct KitQuery {
    /// With `1`, the browser saves the response as a file.
    #[param(value_type = Option<String>, example = "1", pattern = "^(1|true|0|false)?$")]
    download: bool,
}

impl Input for KitQuery {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        match fields.optional::<String>("download")?.as_deref() {
            Some("1" | "true" | "") => Some(Self { download: true }),
            None | Some("0" | "false") => Some(Self { download: false }),
            Some(_) => fields.wrong("download", "must be 1 or 0"),
        }
    }
}

/// What the owner of a trading wallet needs to spend its coins without the platform, except for the private
/// key.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryKit {
    /// Always `runeport-recovery-kit`.
    #[schema(value_type = String, example = "runeport-recovery-kit")]
    kind: &'static str,
    /// The version of this format.
    #[schema(example = 1)]
    version: u8,
    /// The Bitcoin network: `bitcoin`, `testnet`, `testnet4`, `signet` or `regtest`.
    network: String,
    /// The trading address.
    address: String,
    /// The script behind the address: a descriptor with its checksum (BIP 380). All other fields except for the
    /// coins follow from it and the network.
    descriptor: TradingDescriptor,
    /// The script that locks the coins, hex.
    witness_script: String,
    /// The user's key in hex: 33 bytes, or 32 (x-only) if only Taproot has proved it.
    public_key: String,
    /// The user's keys that the script accepts, 33 bytes each, in the order in which the script checks them.
    /// The user has one of them.
    public_keys: Vec<String>,
    /// The platform's key, hex of 33 bytes.
    platform_public_key: String,
    /// Confirmations that a coin needs before the user's key alone can spend it.
    #[schema(example = 12960)]
    delay_blocks: u16,
    /// When the trading wallet was created, ms since the epoch.
    wallet_created_at: Timestamp,
    /// When this kit was created, ms since the epoch.
    created_at: Timestamp,
    /// The height of the chain; null if the coins could not be read.
    #[schema(required = true)]
    height: Option<u32>,
    /// The coins at that height; null if they could not be read.
    #[schema(required = true)]
    coins: Option<Vec<KitCoin>>,
    /// Further coins of the address that were not read, the least valuable ones.
    not_read: usize,
    /// The recovery page that was current when this kit was created.
    tool: RecoveryTool,
}

/// A release of the recovery page.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecoveryTool {
    /// Its version.
    version: &'static str,
    /// The SHA-256 of its file, `runeport-recovery.html`, in hex. A copy with another hash is another version
    /// or has been modified.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    sha256: &'static str,
}

/// A coin in a recovery kit.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KitCoin {
    /// The outpoint, `<txid>:<vout>`.
    #[schema(value_type = String)]
    id: OutPoint,
    /// Its sats.
    sats: u64,
    /// The runes in it; null if its contents are unknown.
    #[schema(required = true)]
    runes: Option<Vec<HeldRune>>,
    /// The inscriptions on its sats; empty too if its contents are unknown.
    #[schema(value_type = Vec<String>)]
    inscriptions: Vec<InscriptionId>,
    /// The height of its block; null if it has none yet.
    #[schema(required = true)]
    confirmed_height: Option<u32>,
    /// The height of the first block in which the user alone can spend it; null if it has no block yet.
    #[schema(required = true)]
    user_only_from_height: Option<u32>,
}

impl From<CoinRow> for KitCoin {
    fn from(row: CoinRow) -> Self {
        Self {
            id: row.id,
            sats: row.sats,
            runes: row.runes,
            inscriptions: row.inscriptions,
            confirmed_height: row.confirmed_height,
            user_only_from_height: row.user_only_from_height,
        }
    }
}

impl RecoveryKit {
    fn without_coins(wallet: &TradingWallet, network: Network, now: Timestamp) -> Self {
        let TradingWallet { address, descriptor, created_at, .. } = wallet;
        Self {
            kind: "runeport-recovery-kit",
            version: 1,
            network: network.to_string(),
            address: address.clone(),
            witness_script: hex::encode(descriptor.witness_script().as_bytes()),
            public_key: descriptor.user().to_string(),
            public_keys: descriptor.user().keys().map(|key| key.to_string()).collect(),
            platform_public_key: descriptor.platform().to_string(),
            descriptor: descriptor.clone(),
            delay_blocks: DELAY,
            wallet_created_at: *created_at,
            created_at: now,
            height: None,
            coins: None,
            not_read: 0,
            tool: TOOL,
        }
    }
}

/// Returns the caller's recovery kit. The kit contains everything needed to spend the coins of the trading
/// wallet without the platform after their delay, except for the private key. Store it outside the platform. It
/// contains no secret. If the chain cannot be read, the kit has no coins and is still complete: the recovery
/// page finds them.
#[utoipa::path(
    get,
    path = "/api/account/trading-wallet/recovery-kit",
    tag = "trading-wallet",
    security(("bearer" = [])),
    params(KitQuery),
    responses((
        status = 200,
        description = "The kit",
        body = Envelope<RecoveryKit>,
        headers(("content-disposition" = String, description = "With `download=1`: the name of the file"))
    ))
)]
pub async fn get_recovery_kit(
    State(app): State<App>,
    caller: LiveCaller,
    Query(query): Query<KitQuery>,
) -> Result<Response> {
    let wallet = wallet_of(&caller)?;
    limits::hit(&app, WALLET_BY_ACCOUNT, &caller.account.id.to_string()).await?;
    let mut kit = RecoveryKit::without_coins(wallet, app.network, app.clock.now());
    match transactions::wallet_contents(&app, caller.account.id, wallet).await {
        Ok(contents) => {
            let coins = contents.coins.iter();
            let names = coins.clone().filter_map(|coin| coin.coin.runes()).flat_map(|of| of.keys());
            let ids = app.rune_ids.of(&app.ord, app.clock.now(), names.copied()).await;
            let rows = coins.map(|coin| row(coin, contents.height, &ids));
            kit.coins = Some(rows.map(KitCoin::from).collect());
            kit.height = Some(contents.height);
            kit.not_read = contents.not_read;
        }
        Err(ChainError::Source(error)) => {
            tracing::warn!(error = error.internal(), "a recovery kit has no coins");
        }
        Err(error) => return Err(error.into()),
    }
    let file_name = query.download.then(|| file_name(&wallet.address)).transpose();
    let file_name = file_name.map_err(|error| Error::new(Problem::Internal).caused_by(error))?;
    let mut answer = Envelope::ok(kit).into_response();
    if let Some(name) = file_name {
        answer.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    Ok(answer)
}

/// The name ends like the address, so that the kits of two wallets have different names.
fn file_name(address: &str) -> Result<HeaderValue, InvalidHeaderValue> {
    let end = address.len().checked_sub(8).and_then(|at| address.get(at..)).unwrap_or(address);
    HeaderValue::try_from(format!("attachment; filename=\"runeport-recovery-kit-{end}.json\""))
}
