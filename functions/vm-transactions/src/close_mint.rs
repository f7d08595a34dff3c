//! `POST /api/vm-transactions/mints/{id}/close`.

use axum::extract::State;
use base::clock::Timestamp;
use chain::{
    keys,
    mints::{self, GatePosition, Mint},
    models::mint::{MintId, MintState},
};
use shared::http::{Admin, Envelope, Error, Result, Segment};
use store::{Update, Writes};

use crate::{app::App, error::VmError, list_mints::MintRow};

/// Attempts to shut the gates of a mint while the worker moves them.
const ATTEMPTS: u32 = 4;

/// Closes a mint now instead of at its scheduled time. Admins only. Closing a closed mint changes nothing.
///
/// The newest block is the last one that can contain its requests. Seven blocks later it is final whether
/// every request was taken.
#[utoipa::path(
    post,
    path = "/api/vm-transactions/mints/{id}/close",
    tag = "vm-transactions",
    security(("bearer" = [])),
    params(("id" = MintId, Path, description = "The mint")),
    responses((status = 200, description = "The mint", body = Envelope<MintRow>))
)]
pub async fn close_mint(
    State(app): State<App>,
    _admin: Admin,
    Segment(id): Segment<MintId>,
) -> Result<Envelope<MintRow>> {
    let mint = mints::mint(&app.store, id).await?.ok_or(VmError::MintNotFound)?;
    let now = app.clock.now();
    let is_over = mint.state != MintState::Open || mint.last_block.is_some();
    if is_over || mint.closes_at <= now && mint.gates.position == GatePosition::Shut {
        return answer(&app, mint).await;
    }
    if now < mint.closes_at {
        close(&app, &mint, now).await?;
    }
    // The worker also shuts the gates before it fixes the last block. Shut them now, so that no batch enters
    // until then.
    for _attempt in 0..ATTEMPTS {
        let closed = mints::mint(&app.store, id).await?.ok_or(VmError::MintNotFound)?;
        if let Some(closed) = mints::shut_gates(&app.store, &closed).await? {
            return answer(&app, closed).await;
        }
    }
    Err(VmError::Changed.into())
}

/// Writes the closing time.
async fn close(app: &App, mint: &Mint, now: Timestamp) -> Result<()> {
    let closing = Update::new()
        .set(Mint::CLOSES_AT, now)
        .set(Mint::OPENS_AT, mint.opens_at.min(now))
        .set(Mint::DUE_AT, now)
        .if_equal(Mint::STATE, MintState::Open)
        .if_equal(Mint::CLOSES_AT, mint.closes_at);
    let close = Writes::new().update(&keys::mint(mint.id), closing, VmError::Changed);
    app.store.commit(close).await.map_err(Error::from)
}

async fn answer(app: &App, mint: Mint) -> Result<Envelope<MintRow>> {
    Ok(Envelope::ok(MintRow::of(app, mint).await?))
}
