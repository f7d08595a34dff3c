//! Versions of one piece of work that end concurrently.

use chain::models::transaction::{PoolSplit, Work};
use serde::{Deserialize, Serialize};
use shared::models::{bitcoin::OutPoint as Coin, watch::Watch};
use store::{Entity, Writes};

use super::*;

/// A mint that does not exist.
const MINT: &str = "01a3185c-c6c3-7ef3-90c3-18cb4dcf9ad7";
/// Pieces of work that end concurrently.
const PIECES: u8 = 5;

/// The row of a held coin.
#[derive(Serialize, Deserialize)]
struct Hold {
    txid: Txid,
}

impl Entity for Hold {
    const ENTITY: &'static str = "coinHold";
}

/// The first of three versions shares a coin with the second, which holds it. The third one has failed, and a
/// block spends what all of them need.
struct Piece {
    versions: [FullTransaction; 3],
    shared: Coin,
}

fn piece(n: u8, of: &FullTransaction) -> Piece {
    let txids = [1, 2, 3].map(|version| Txid::from_byte_array([n * 4 + version; 32]));
    let shared = Coin(OutPoint { txid: of.row.txid, vout: u32::from(n) });
    let row = |place: usize, state| IssuedTransaction {
        txid: txids[place],
        account_id: None,
        state,
        work: Work::PoolSplit(PoolSplit { mint_id: MINT.parse().unwrap() }),
        replaces: place.checked_sub(1).map(|before| txids[before]),
        earlier: txids[..place].to_vec(),
        replaced_by: txids.get(place + 1).copied(),
        watch: (state != TransactionState::Failed).then_some(Watch::Payout),
        ..of.row.clone()
    };
    let body = |place: usize| TransactionBody {
        txid: txids[place],
        inputs: vec![of.body.inputs[0], shared],
        ..of.body.clone()
    };
    let version = |place, state| FullTransaction { row: row(place, state), body: body(place) };
    let (replaced, failed) = (TransactionState::Replaced, TransactionState::Failed);
    Piece { versions: [version(0, replaced), version(1, replaced), version(2, failed)], shared }
}

#[tokio::test(flavor = "multi_thread")]
async fn custody_25_versions_that_fail_at_once_keep_no_coin() {
    let world = world().await;
    let user = world.user_with(1, &[100_000]).await;
    let paid = world.issued(withdrawn(&world, &user).await).await;
    world.mine(8).await;
    let store = &world.stack.app().store;
    let pieces: Vec<Piece> = (0..PIECES).map(|n| piece(n, &paid)).collect();
    for Piece { versions, shared } in &pieces {
        let hold = Hold { txid: versions[1].row.txid };
        let rows = versions.iter().fold(Writes::new(), |rows, version| {
            let FullTransaction { row, body } = version;
            rows.insert(&keys::transaction(row.txid), row, ()).insert(
                &keys::transaction_body(row.txid),
                body,
                (),
            )
        });
        store.commit(rows.insert(&keys::spend(*shared), &hold, ())).await.unwrap();
    }
    for _look in 0..4 {
        world.watch_after(61).await;
    }
    for Piece { versions, shared } in &pieces {
        for version in versions {
            assert_eq!(world.state(version.row.txid).await, TransactionState::Failed);
        }
        let holder = store.get::<Hold>(&keys::spend(*shared)).await.unwrap();
        assert_eq!(holder.map(|hold| hold.txid), None, "nothing holds the coin any more");
    }
}
