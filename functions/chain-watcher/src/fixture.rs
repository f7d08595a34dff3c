//! Mints and their payments, for tests.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use base::clock::Timestamp;
use bitcoin::{BlockHash, Network, TxMerkleNode, Txid, hashes::Hash};
use chain::{
    bitcoin::{esplora::Block, runes::Rune},
    blocks::Tip,
    mints::{Confirmation, Gates, Mint, TakenBlocks, Tier, VmTransaction},
    models::{
        amount::Units,
        mint::MintState,
        platform_wallet::PlatformWallet,
        vm_transaction::{RefundState, VmState},
    },
};
use ordinals::RuneId;
use proptest::{collection::vec, option, prelude::*};
use serde::{Deserialize, Serialize};
use shared::models::bitcoin::OutPoint;
use store::Entity;

use crate::virtual_blocks::{Batch, Bid, Place};

/// Height of the first block with commitments.
pub(crate) const FIRST: u32 = 1_000;
/// The first height above all commitments.
pub(crate) const AFTER: u32 = FIRST + 12;

/// A count that is no number, so that no row of its address can be changed.
#[derive(Serialize, Deserialize)]
pub(crate) struct Miscounted {
    count: String,
}

impl Default for Miscounted {
    fn default() -> Self {
        Self { count: "many".to_owned() }
    }
}

impl Entity for Miscounted {
    const ENTITY: &'static str = "count";
}

/// An open mint.
pub(crate) fn mint(requests_per_block: u64, total_requests: u64) -> Mint {
    let wallet =
        |key: &str| PlatformWallet::new(key.parse().unwrap(), "key".to_owned(), Network::Regtest);
    Mint {
        id: "018bcfe5-6800-7000-8000-000000000002".parse().unwrap(),
        created_at: Timestamp(0),
        state: MintState::Open,
        rune: Rune {
            id: RuneId { block: 840_000, tx: 3 },
            name: "VIRTUAL•MINT•RUNE".parse().unwrap(),
        },
        treasury: wallet("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
        pool: wallet("02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"),
        proceeds_address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080".to_owned(),
        tokens_per_request: Units(1),
        total_requests,
        requests_per_block,
        min_sats_per_request: 546,
        opens_at: Timestamp(0),
        closes_at: Timestamp(0),
        gates: Gates::default(),
        revision: 0,
        last_block: None,
        minted_out_at: None,
        payouts_planned: false,
        pool_split: None,
        pool_split_up_to: None,
        watch: None,
        failing: None,
        due_at: Timestamp(0),
    }
}

/// A VM transaction whose commitment the network has: (count, sats per request) by tier.
pub(crate) fn row(number: u8, tiers: &[(u64, u64)]) -> VmTransaction {
    let mint = mint(1, 1);
    let txid = Txid::from_byte_array([number; 32]);
    let tier =
        |&(count, sats_per_request): &(u64, u64)| Tier { count, sats_per_request, in_blocks: 0 };
    VmTransaction {
        txid,
        version: 1,
        created_at: Timestamp(0),
        account_id: "018bcfe5-6800-7000-8000-000000000001".parse().unwrap(),
        mint_id: mint.id,
        rune_id: mint.rune.id,
        user_address: "bcrt1quser".to_owned(),
        trading_address: "bcrt1qtrading".to_owned(),
        anchor: OutPoint(bitcoin::OutPoint { txid, vout: 7 }),
        replaces: None,
        replaced_by: None,
        state: VmState::AllInMempool,
        tiers: tiers.iter().map(tier).collect(),
        output: OutPoint(bitcoin::OutPoint { txid, vout: 0 }),
        blocks: TakenBlocks::default(),
        confirmation: None,
        is_final: false,
        settlement: None,
        refund_state: RefundState::None,
        refund_txid: None,
        refund_source: None,
        transfer: None,
        distribution: None,
        state_key: String::new(),
        state_at: String::new(),
        state_price: None,
        expires_at: None,
    }
}

/// The same transaction, confirmed at this place and final.
pub(crate) fn confirmed(row: VmTransaction, height: u32, position: u32) -> VmTransaction {
    let confirmation = Some(Confirmation { height, position });
    VmTransaction { confirmation, is_final: true, ..row }
}

/// The same as the table takes it: keys of its indexes may not be empty.
pub(crate) fn stored_row(number: u8, tiers: &[(u64, u64)], user_address: &str) -> VmTransaction {
    VmTransaction {
        state_key: "allInMempool".to_owned(),
        state_at: number.to_string(),
        user_address: user_address.to_owned(),
        ..row(number, tiers)
    }
}

/// The payments of a mint: most are confirmed, some in the mempool, some gone. Their requests in blocks come
/// from an earlier chain.
pub(crate) fn rows() -> impl Strategy<Value = Vec<VmTransaction>> {
    let tier = (1u64..9, 546u64..3_000, any::<prop::sample::Index>());
    let place = option::weighted(0.85, (FIRST..AFTER, 0u32..4));
    let gone = option::weighted(
        0.2,
        prop_oneof![Just(VmState::Broadcasting), Just(VmState::Replaced), Just(VmState::Failed)],
    );
    let seen_final = prop::bool::weighted(0.8);
    vec((vec(tier, 1..4), place, gone, seen_final), 0..9).prop_map(|drawn| {
        let numbered = drawn.into_iter().zip(1u8..);
        numbered
            .map(|((tiers, place, gone, seen_final), number)| {
                let bids: Vec<_> = tiers.iter().map(|(count, sats, _)| (*count, *sats)).collect();
                let mut row = row(number, &bids);
                match (gone, place) {
                    (Some(state), _) => row.state = state,
                    (None, None) => {}
                    (None, Some((height, position))) => {
                        row = confirmed(row, height, position);
                        row.is_final = seen_final;
                        for (tier, (count, _, part)) in row.tiers.iter_mut().zip(&tiers) {
                            tier.in_blocks = part.index(*count as usize + 1) as u64;
                        }
                        row.state = state_of(&row);
                    }
                }
                row
            })
            .collect()
    })
}

/// The bids of these payments in blocks, as their rows say.
pub(crate) fn batches(rows: &[VmTransaction]) -> Vec<Batch<Txid>> {
    let batch = |row: &VmTransaction| {
        let place = row.confirmation.filter(|_| row.state.takes_part())?;
        let bids = row.tiers.iter();
        Some(Batch {
            id: row.txid,
            place: Place { height: place.height, position: place.position },
            bids: bids
                .map(|tier| Bid { count: tier.count, sats_per_request: tier.sats_per_request })
                .collect(),
        })
    };
    rows.iter().filter_map(batch).collect()
}

/// The state of a transaction with this many requests in blocks.
fn state_of(row: &VmTransaction) -> VmState {
    let all: u64 = row.tiers.iter().map(|tier| tier.count).sum();
    match row.tiers.iter().map(|tier| tier.in_blocks).sum::<u64>() {
        0 => VmState::AllInMempool,
        some if some == all => VmState::AllInBlock,
        _ => VmState::PartiallyInBlock,
    }
}

/// Requests per block and in total, often few enough that the mint becomes full.
pub(crate) fn rules() -> impl Strategy<Value = (u64, u64)> {
    (1u64..12, prop_oneof![3 => 1u64..25, 1 => 1u64..200])
}

/// An applied block, and those below it.
pub(crate) fn tip(height: u32) -> Tip {
    let hash = |height: u32| {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&height.to_le_bytes());
        BlockHash::from_byte_array(bytes)
    };
    let block = Block {
        id: hash(height),
        height,
        merkle_root: TxMerkleNode::all_zeros(),
        previousblockhash: Some(hash(height - 1)),
    };
    Tip::new(&[block]).unwrap()
}
