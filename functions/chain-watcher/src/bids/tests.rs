#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use bitcoin::{Amount, TxOut, absolute, transaction};
use proptest::prelude::*;

use super::*;
use crate::fixture::{self, FIRST};

/// The batches that are read from these packed rows.
fn unpacked(rows: &[(Key, BlockBids)]) -> Vec<Batch<Txid>> {
    let mut batches = Vec::new();
    rows.iter().for_each(|(_, row)| unpack(row, &mut batches).unwrap());
    batches
}

/// A commitment that pays the treasury `sats` in its second output, and the row of its batch.
fn paying(sats: u64, bids: &[(u64, u64)]) -> (VmTransaction, Transaction) {
    let mint = fixture::mint(10, 20);
    let output = |sats, script_pubkey| TxOut { value: Amount::from_sat(sats), script_pubkey };
    let commitment = Transaction {
        version: transaction::Version::TWO,
        lock_time: absolute::LockTime::ZERO,
        input: Vec::new(),
        output: vec![
            output(50_000, mint.pool.script_pubkey()),
            output(sats, mint.treasury.script_pubkey()),
        ],
    };
    let txid = commitment.compute_txid();
    let output = OutPoint(bitcoin::OutPoint { txid, vout: 1 });
    (VmTransaction { txid, output, ..fixture::row(1, bids) }, commitment)
}

fn bids_of(row: &VmTransaction, key: VmTransactionKey, commitment: &Transaction) -> usize {
    let terms = KeptMint::of(&fixture::mint(10, 20));
    fitting(row.clone(), key, commitment, &terms).tiers.len()
}

#[test]
fn custody_33_a_batch_bids_what_its_commitment_has_paid() {
    let honest: [&[_]; 3] = [&[(4, 700)], &[(2, 600), (1, 1_600)], &[(1, 2_800)]];
    for bids in honest {
        let (row, commitment) = paying(2_800, bids);
        assert_eq!(bids_of(&row, row.key(), &commitment), bids.len(), "{bids:?}");
    }
    let half = u64::MAX / 2 + 1;
    let forged: [&[_]; 8] = [
        // More requests, a higher price, and less than was paid.
        &[(8, 700)],
        &[(4, 1_400)],
        &[(3, 700)],
        // Below the lowest price, which is 546, and more requests than the mint has.
        &[(14, 200)],
        &[(28, 100)],
        // Nothing, and sums that wrap around.
        &[],
        &[(0, 9_000), (4, 700)],
        &[(half, 2), (4, 700)],
    ];
    for bids in forged {
        let (row, commitment) = paying(2_800, bids);
        assert_eq!(bids_of(&row, row.key(), &commitment), 0, "{bids:?}");
    }
    let (many, commitment) = paying(600 * 21, &[(1, 600); 21]);
    assert_eq!(bids_of(&many, many.key(), &commitment), 0);
    let (most, commitment) = paying(600 * 20, &[(1, 600); 20]);
    assert_eq!(bids_of(&most, most.key(), &commitment), 20);
    let (more, commitment) = paying(600 * 21, &[(21, 600)]);
    assert_eq!(bids_of(&more, more.key(), &commitment), 0);
}

#[test]
fn custody_33_a_batch_bids_by_its_own_row_and_output() {
    let (row, commitment) = paying(2_800, &[(4, 700)]);
    let other = fixture::row(9, &[]).txid;
    let at = |txid, vout| OutPoint(bitcoin::OutPoint { txid, vout });
    for output in [at(row.txid, 0), at(row.txid, 2), at(other, 1)] {
        let forged = VmTransaction { output, ..row.clone() };
        assert_eq!(bids_of(&forged, row.key(), &commitment), 0, "{output}");
    }
    // The output to the pool counts as no payment of any bid.
    let pool = VmTransaction { output: at(row.txid, 0), ..paying(2_800, &[(20, 2_500)]).0 };
    assert_eq!(bids_of(&pool, row.key(), &commitment), 0);
    // A row that is stored under another key belongs to that key, and bids nothing.
    let key = VmTransactionKey { txid: other, ..row.key() };
    let terms = KeptMint::of(&fixture::mint(10, 20));
    let moved = fitting(row, key, &commitment, &terms);
    assert_eq!((moved.txid, moved.tiers), (other, vec![]));
}

#[test]
fn custody_33_a_batch_that_bids_nothing_gets_back_what_it_has_paid() {
    let (row, commitment) = paying(2_800, &[(8, 700)]);
    let treasury = fixture::mint(10, 20).treasury.script_pubkey();
    let elsewhere = OutPoint(bitcoin::OutPoint { txid: row.txid, vout: 0 });
    let forged = VmTransaction { output: elsewhere, ..row.clone() };
    let paid = as_paid(&forged, &commitment, &treasury);
    assert_eq!((paid.requests(), paid.sats(), paid.output), (1, 2_800, row.output));
    let none = as_paid(&row, &commitment, Script::new());
    assert_eq!((none.requests(), none.sats()), (0, 0));
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
        let read = batches_of(*mint, rows, further.clone()).unwrap();
        assert_eq!(read.len(), 4, "{number}");
        assert!(read.iter().all(|batch| batch.bids.len() == 2 && batch.place.height == FIRST));
    }
    // A mint that is the only one fills rows of its own.
    let alone = BTreeMap::from([(id(1), (0..20_000).map(|place| (row.clone(), place)).collect())]);
    let (own, further) = layout(FIRST, &alone).unwrap();
    assert!(own.len() > 1 && further.is_empty());
}
