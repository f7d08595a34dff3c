#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use proptest::prelude::*;

use super::*;
use crate::fixture::{self, FIRST};

/// The batches that are read from these packed rows.
fn unpacked(rows: &[(Key, BlockBids)]) -> Vec<Batch<Txid>> {
    let mut batches = Vec::new();
    rows.iter().for_each(|(_, row)| unpack(row, &mut batches).unwrap());
    batches
}

proptest! {
    #[test]
    fn bids_are_read_as_they_were_written(rows in fixture::rows(), height in 0u32..2_000_000) {
        let mint = fixture::mint(1, 1).id;
        let batches: Vec<_> = rows.into_iter().zip((0..).step_by(7)).collect();
        let packed = super::rows(mint, height, &batches).unwrap();
        prop_assert!(packed.len() <= 1);
        let read = unpacked(&packed);
        prop_assert_eq!(read.len(), batches.len());
        for (read, (row, position)) in read.iter().zip(&batches) {
            prop_assert_eq!((read.id, read.place), (row.txid, Place { height, position: *position }));
            let bids = row.tiers.iter().map(|tier| (tier.count, tier.sats_per_request));
            let found = read.bids.iter().map(|bid| (bid.count, bid.sats_per_request));
            prop_assert!(bids.eq(found));
        }
        // A truncated row is not read.
        for (_, row) in &packed {
            let bytes = BASE64_STANDARD.decode(&row.batches).unwrap();
            let cut = BASE64_STANDARD.encode(&bytes[..bytes.len() - 1]);
            prop_assert_eq!(unpack(&BlockBids { batches: cut, ..row.clone() }, &mut vec![]), None);
        }
    }
}

#[test]
fn the_bids_of_a_full_block_fit_into_rows_of_dynamodb() {
    let mint = fixture::mint(1, 1).id;
    let row = fixture::row(1, &[(u64::MAX, u64::MAX); 4]);
    let batches: Vec<_> = (0..5_400).map(|position| (row.clone(), position)).collect();
    let rows = rows(mint, FIRST, &batches).unwrap();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|(_, row)| row.batches.len() < 390_000));
    let read = unpacked(&rows);
    assert!(read.iter().zip(0..).all(|(batch, position)| batch.place.position == position));
    assert_eq!(read.len(), batches.len());
    let (low, high) = keys::bids_between(Some(mint), FIRST, FIRST);
    assert!(rows.iter().all(|(key, _)| (low.sk()..=high.sk()).contains(&key.sk())));
}

#[test]
fn one_write_batch_has_room_for_the_bids_of_every_mint() {
    let id = |number: u128| -> MintId {
        format!("018bcfe5-6800-7000-8000-{number:012}").parse().unwrap()
    };
    let row = fixture::row(1, &[(3, 700), (2, 900)]);
    let mints: BTreeMap<_, BatchesOfMint> = (0..500_u128)
        .map(|mint| (id(mint), (0..4).map(|place| (row.clone(), place)).collect()))
        .collect();
    let (own, further) = layout(FIRST, &mints).unwrap();
    assert!(own.len() == MOST_ROWS && own.len() + further.len() <= 95, "{}", further.len());
    // Only the batches of the mint itself are read.
    for (number, mint) in mints.keys().enumerate() {
        let rows = own.iter().filter(|(key, _)| key.pk().contains(&mint.to_string()));
        let rows = rows.map(|(_, row)| row.clone()).collect();
        let read = batches(*mint, rows, further.clone()).unwrap();
        assert_eq!(read.len(), 4, "{number}");
        assert!(read.iter().all(|batch| batch.bids.len() == 2 && batch.place.height == FIRST));
    }
    // A mint that is the only one fills rows of its own.
    let alone = BTreeMap::from([(id(1), (0..20_000).map(|place| (row.clone(), place)).collect())]);
    let (own, further) = layout(FIRST, &alone).unwrap();
    assert!(own.len() > 1 && further.is_empty());
}
