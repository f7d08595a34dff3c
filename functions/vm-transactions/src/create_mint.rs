//! `POST /api/vm-transactions/mints`.

use axum::{extract::State, response::Response};
use base::{clock::Timestamp, signer::SignerError};
use bitcoin::Address;
use chain::{
    bitcoin::{address, runes::Rune},
    blocks, keys,
    mints::{self, Gates, Mint, MintOfRune, VmSums},
    models::{
        amount::{PositiveUnits, Units},
        mint::{MintId, MintKey, MintState},
        platform_wallet::PlatformWallet,
    },
    transactions::{self, ChainError, NeededCoins},
};
use shared::{
    events::EventWrites,
    http::{Admin, Created, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input, Result},
    models::{
        bitcoin::EtchedRune,
        event::{EventType, StateChange},
        watch::Watch,
    },
};
use store::{Update, Writes, lists};
use utoipa::ToSchema;

use crate::{app::App, create::number, error::VmError, list_mints::MintRow};

/// Most requests of a mint.
const MOST_REQUESTS: u64 = 1_000_000;
/// The lowest price that a mint can set, in sats. The remainder of a batch must be an output that nodes
/// relay.
const LOWEST_PRICE: u64 = 546;

/// Request body of a mint.
#[derive(Clone, Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct CreateMint {
    /// The rune. The pool must hold the tokens of all requests.
    rune_id: EtchedRune,
    /// The Bitcoin address that receives the payments for taken requests.
    #[schema(max_length = 128)]
    proceeds_address: String,
    /// Tokens per request, in the rune's smallest unit; at least 1.
    #[schema(value_type = PositiveUnits)]
    tokens_per_request: Units,
    /// Total number of requests.
    #[schema(minimum = 1, maximum = 1_000_000)]
    total_requests: u64,
    /// The maximum number of requests that one virtual block takes; at most `totalRequests`.
    #[schema(minimum = 1, maximum = 1_000_000)]
    requests_per_block: u64,
    /// The lowest price of a request, in sats.
    #[schema(minimum = 546, maximum = 2_100_000_000_000_000_i64)]
    min_sats_per_request: u64,
    /// When the mint opens, ms since the epoch. If missing, it opens immediately.
    #[schema(
        required = false,
        value_type = Option<i64>,
        minimum = 0,
        maximum = 253_402_300_799_999_i64
    )]
    opens_at: Option<Timestamp>,
    /// When the mint closes, ms since the epoch: later than now and than `opensAt`.
    #[schema(value_type = i64, minimum = 0, maximum = 253_402_300_799_999_i64)]
    closes_at: Timestamp,
}

impl Input for CreateMint {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let rune_id = fields.parsed("runeId", 31);
        let proceeds_address = fields.text("proceedsAddress", 128);
        let tokens_per_request = match fields.parsed("tokensPerRequest", 39) {
            Some(Units(0)) => fields.wrong("tokensPerRequest", "must be at least 1"),
            tokens => tokens,
        };
        let total_requests = match number(fields, "totalRequests") {
            Some(total) if total > MOST_REQUESTS => {
                fields.wrong("totalRequests", format!("must be at most {MOST_REQUESTS}"))
            }
            total => total,
        };
        let requests_per_block = match (number(fields, "requestsPerBlock"), total_requests) {
            (Some(block), Some(total)) if block > total => {
                fields.wrong("requestsPerBlock", "must be at most totalRequests")
            }
            (block, _) => block,
        };
        let min_sats_per_request = match number(fields, "minSatsPerRequest") {
            Some(sats) if sats < LOWEST_PRICE => {
                fields.wrong("minSatsPerRequest", format!("must be at least {LOWEST_PRICE}"))
            }
            sats => sats,
        };
        let opens_at = fields.optional("opensAt").and_then(|at| moment(fields, "opensAt", at));
        let closes_at =
            fields.required("closesAt").and_then(|at| moment(fields, "closesAt", Some(at)));
        Some(Self {
            rune_id: rune_id?,
            proceeds_address: proceeds_address?,
            tokens_per_request: tokens_per_request?,
            total_requests: total_requests?,
            requests_per_block: requests_per_block?,
            min_sats_per_request: min_sats_per_request?,
            opens_at: opens_at?,
            closes_at: closes_at??,
        })
    }
}

/// A plausible moment: from 1970 to the end of the year 9999.
#[allow(clippy::option_option)]
fn moment(fields: &mut Fields<'_>, name: &str, at: Option<Timestamp>) -> Option<Option<Timestamp>> {
    const LAST: i64 = 253_402_300_799_999;
    match at {
        Some(Timestamp(at)) if !(0..=LAST).contains(&at) => {
            fields.wrong(name, "must be milliseconds since 1970")
        }
        at => Some(at),
    }
}

/// Creates a mint. Admins only. A rune can have one mint at a time, and the pool must hold its tokens. The
/// rune's etching must be seven blocks deep.
#[utoipa::path(
    post,
    path = "/api/vm-transactions/mints",
    tag = "vm-transactions",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = CreateMint,
    responses((status = 201, description = "The mint", body = Envelope<MintRow>))
)]
pub async fn create_mint(
    State(app): State<App>,
    admin: Admin,
    request: Idempotent<CreateMint>,
) -> Result<Response> {
    let work = async |body| {
        make_mint(&app, body).await.map(|mint| Created(MintRow::new(mint, &VmSums::default())))
    };
    request.once(&app, admin.account.id, work).await
}

async fn make_mint(app: &App, body: CreateMint) -> Result<Mint> {
    let now = app.clock.now();
    let opens_at = body.opens_at.unwrap_or(now);
    if body.closes_at <= now || body.closes_at <= opens_at {
        return Err(Error::field("closesAt", "must be later than now and later than opensAt"));
    }
    let proceeds = address::parse_recipient(&body.proceeds_address, app.network)
        .map_err(|error| Error::field("proceedsAddress", error))?;
    let promised = body.tokens_per_request.0.checked_mul(body.total_requests.into());
    let promised = promised.ok_or_else(|| {
        Error::field(
            "tokensPerRequest",
            "exceeds the largest amount when multiplied by totalRequests",
        )
    })?;
    let (treasury, pool) = wallets(app).await?;
    if [&treasury.address, &pool.address].contains(&&proceeds.to_string()) {
        return Err(Error::field("proceedsAddress", "must not be an address of the platform"));
    }
    let (rune, tip) = tokio::try_join!(app.ord.rune(body.rune_id.0), app.esplora.tip_height())
        .map_err(ChainError::from)?;
    let rune = rune.ok_or(ChainError::RuneUnknown)?;
    let rune = Rune { id: rune.id, name: rune.entry.spaced_rune };
    let needed = NeededCoins::of_rune(rune.name);
    let coins = transactions::platform_wallet_coins(app, &pool, &needed).await?.coins;
    let held =
        coins.iter().filter(|coin| coin.is_spendable()).map(|coin| coin.amount_of(&rune.name));
    let held = held.fold(0_u128, u128::saturating_add);
    if held < promised {
        return Err(VmError::PoolTooSmall { pool: pool.address, held, promised }.into());
    }
    let missing = mints::blocks_until_final(rune.id, tip);
    if missing > 0 {
        return Err(VmError::RuneTooYoung { missing }.into());
    }
    let before = app.store.get::<MintOfRune>(&keys::mint_of_rune(rune.id)).await?;
    if let Some(before) = before {
        let mint = mints::mint(&app.store, before.mint_id).await?;
        let is_over =
            |mint: &Mint| matches!(mint.state, MintState::Failed | MintState::Distributed);
        if !mint.as_ref().is_some_and(is_over) {
            return Err(VmError::MintExists.into());
        }
    }
    // From now on the worker applies each block, so that it misses no commitment.
    blocks::tip_or_start(app).await?;
    let id = MintId(app.random.id(now));
    let made = |at| mint(id, &body, rune, &proceeds, [&treasury, &pool], opens_at, at);
    let lists = [keys::lists::mints(), keys::lists::mints_of_rune(rune.id)];
    let created_at = lists::append(&app.store, &lists, |at| {
        let mint = made(at);
        let rows = Writes::new().insert(&keys::mint(id), &mint, VmError::Changed);
        let rows = rows.and(mints::new_gates(&mint, VmError::Changed));
        let rows = rows.tell(
            keys::mint_events(id),
            StateChange::of_state(EventType::Mint, id, None, mint.state),
        );
        let (key, newest) = (keys::mint_of_rune(rune.id), MintOfRune { mint_id: id });
        let rows = match before {
            Some(before) => {
                let as_read = Update::new().if_equal(MintOfRune::MINT_ID, before.mint_id);
                rows.replace(&key, &newest, as_read, VmError::MintExists)
            }
            None => rows.insert(&key, &newest, VmError::MintExists),
        };
        (rows, MintKey { mint_id: id, rune_id: rune.id })
    })
    .await
    .map_err(Error::from)?;
    Ok(made(created_at))
}

/// The treasury, which commitments pay, and the pool, which sends runes. Each has its own key, different from
/// the co-signing key (custody rule 11).
async fn wallets(app: &App) -> Result<(PlatformWallet, PlatformWallet)> {
    let keys_of = &app.mint_keys;
    let (treasury, pool) =
        tokio::try_join!(app.signer.key(&keys_of.treasury), app.signer.key(&keys_of.distribution))?;
    let mut keys = vec![treasury.public_key, pool.public_key];
    for id in &app.cosigning.keys {
        keys.push(app.signer.key(id).await?.public_key);
    }
    keys.sort_unstable();
    if keys.windows(2).any(|pair| matches!(pair, [one, other] if one == other)) {
        let why = "the keys of treasury, pool and co-signing must differ";
        return Err(Error::from(SignerError::NoSuchKey).caused_by(why));
    }
    let wallet =
        |key: base::signer::SigningKey| PlatformWallet::new(key.public_key, key.id, app.network);
    Ok((wallet(treasury), wallet(pool)))
}

fn mint(
    id: MintId,
    body: &CreateMint,
    rune: Rune,
    proceeds: &Address,
    [treasury, pool]: [&PlatformWallet; 2],
    opens_at: Timestamp,
    created_at: Timestamp,
) -> Mint {
    Mint {
        id,
        created_at,
        state: MintState::Open,
        rune,
        treasury: treasury.clone(),
        pool: pool.clone(),
        proceeds_address: proceeds.to_string(),
        tokens_per_request: body.tokens_per_request,
        total_requests: body.total_requests,
        requests_per_block: body.requests_per_block,
        min_sats_per_request: body.min_sats_per_request,
        opens_at,
        closes_at: body.closes_at,
        gates: Gates::default(),
        revision: 0,
        last_block: None,
        minted_out_at: None,
        payouts_planned: false,
        pool_split: None,
        pool_split_up_to: None,
        watch: Some(Watch::Mint),
        failing: None,
        due_at: opens_at,
    }
}
