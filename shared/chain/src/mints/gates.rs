//! The gates of a mint. Each request enters by one of them, so that requests do not contend for the mint's
//! row.
//!
//! The write batch that creates or signs a batch of requests checks one gate, chosen at random (custody rule
//! 3). The mint's row says what position the gates are in. They are shut before the mint's last block is
//! fixed, before its virtual blocks are full, and before it ends, so no batch enters afterwards. A worker
//! takes a new turn before it moves the gates, and a gate only follows a turn newer than its own. So a worker
//! that lags behind moves none.

use base::{clock::Timestamp, random::Random};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use store::{CommitError, Entity, Store, StoreError, Update, Writes, fields};

use super::{GatePosition, Gates, Mint};
use crate::{
    keys,
    models::mint::{MintId, MintState},
};

/// Gates of a mint.
const GATES: u8 = 32;

/// A gate.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Gate {
    /// Until when it is open; 0 if it is shut.
    closes_at: Timestamp,
    /// The turn that moved it last.
    turn: u64,
}

impl Entity for Gate {
    const ENTITY: &'static str = "mintGate";
}

fields!(Gate { CLOSES_AT: Timestamp = closes_at, TURN: u64 = turn });

/// The writes that create the gates of a new mint.
pub fn new_gates<E: Clone>(mint: &Mint, otherwise: E) -> Writes<E> {
    let gate = Gate { closes_at: mint.closes_at, turn: mint.gates.turn };
    let gates = (0..GATES).map(|number| keys::gate(mint.id, number));
    gates.fold(Writes::new(), |rows, key| rows.insert(&key, &gate, otherwise.clone()))
}

/// The condition that the mint accepts a request now.
pub fn enter<E>(random: &dyn Random, mint: MintId, now: Timestamp, otherwise: E) -> Writes<E> {
    let number = u8::try_from(random.up_to(u64::from(GATES).saturating_sub(1))).unwrap_or_default();
    let open = Update::new().if_above(Gate::CLOSES_AT, now);
    Writes::new().check(&keys::gate(mint, number), open, otherwise)
}

/// Shuts the gates of a mint; returns the mint with shut gates, or `None` if another worker moves them.
pub async fn shut_gates(store: &Store, mint: &Mint) -> Result<Option<Mint>, StoreError> {
    turn_gates(store, mint, GatePosition::Shut, Update::new()).await
}

/// Opens the gates of a mint that accepts requests again. Returns the mint with open gates, or `None` if it
/// accepts none or another worker moves the gates.
pub async fn open_gates(store: &Store, mint: &Mint) -> Result<Option<Mint>, StoreError> {
    let is_open = Update::new()
        .if_equal(Mint::STATE, MintState::Open)
        .if_equal(Mint::CLOSES_AT, mint.closes_at)
        .if_absent(Mint::LAST_BLOCK);
    turn_gates(store, mint, GatePosition::Open, is_open).await
}

async fn turn_gates(
    store: &Store,
    mint: &Mint,
    position: GatePosition,
    conditions: Update<Mint>,
) -> Result<Option<Mint>, StoreError> {
    if mint.gates.position == position {
        return Ok(Some(mint.clone()));
    }
    let turn = mint.gates.turn.saturating_add(1);
    let moving = Gates { position: GatePosition::Moving, turn };
    let taken = conditions.set(Mint::GATES, moving).if_equal(Mint::TURN, mint.gates.turn);
    if !done(store, Writes::new().update(&keys::mint(mint.id), taken, ())).await? {
        return Ok(None);
    }
    let closes_at = match position {
        GatePosition::Open => mint.closes_at,
        GatePosition::Moving | GatePosition::Shut => Timestamp(0),
    };
    let gate = Gate { closes_at, turn };
    let moved = (0..GATES).map(|number| async move {
        let older = Update::new().if_below(Gate::TURN, turn);
        let key = keys::gate(mint.id, number);
        done(store, Writes::new().replace(&key, &gate, older, ())).await
    });
    // All gates are moved, even if moving one fails.
    join_all(moved).await.into_iter().collect::<Result<Vec<_>, _>>()?;
    let gates = Gates { position, turn };
    let noted = Update::new().set(Mint::GATES, gates).if_equal(Mint::TURN, turn);
    let is_noted = done(store, Writes::new().update(&keys::mint(mint.id), noted, ())).await?;
    Ok(is_noted.then(|| Mint { gates, ..mint.clone() }))
}

/// Commits a write; returns whether its condition held.
async fn done(store: &Store, write: Writes<()>) -> Result<bool, StoreError> {
    match store.commit(write).await {
        Ok(()) => Ok(true),
        Err(CommitError::Condition(())) => Ok(false),
        Err(CommitError::Contended) => {
            Err(StoreError::Unavailable("a gate is contended".to_owned()))
        }
        Err(CommitError::Store(error)) => Err(error),
    }
}
