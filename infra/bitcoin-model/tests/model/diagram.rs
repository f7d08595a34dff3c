//! Clusters and their diagrams.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Txid, hashes::Hash};
use bitcoin_model::diagram::{Chunk, Item, chunks, clusters, is_improved};
use proptest::prelude::*;

fn txid(number: u8) -> Txid {
    Txid::from_byte_array([number; 32])
}

fn items(list: &[(u64, u64, &[u8])]) -> BTreeMap<Txid, Item> {
    (0..)
        .zip(list)
        .map(|(number, (fee, weight, parents))| {
            let parents = parents.iter().map(|parent| txid(*parent)).collect();
            (txid(number), Item { fee: *fee, weight: *weight, parents })
        })
        .collect()
}

fn rates(chunks: &[Chunk]) -> Vec<(u64, u64)> {
    chunks.iter().map(|chunk| (chunk.fee, chunk.weight)).collect()
}

#[test]
fn a_child_pays_for_its_parents() {
    let chunked = chunks(&items(&[(1, 100, &[]), (50, 100, &[0]), (10, 100, &[])]));
    assert_eq!(rates(&chunked), [(51, 200), (10, 100)]);
    assert_eq!(chunked[0].txids, [txid(0), txid(1)]);
    let poor = chunks(&items(&[(50, 100, &[]), (1, 100, &[0])]));
    assert_eq!(rates(&poor), [(50, 100), (1, 100)]);
}

#[test]
fn two_children_share_a_parent() {
    let chunked = chunks(&items(&[(0, 100, &[]), (30, 100, &[0]), (30, 100, &[0])]));
    assert_eq!(rates(&chunked), [(60, 300)]);
    assert_eq!(clusters(&items(&[(0, 1, &[]), (0, 1, &[0]), (0, 1, &[])])).len(), 2);
}

#[test]
fn a_diagram_is_improved_if_it_is_nowhere_below() {
    let chunk = |fee, weight| Chunk { fee, weight, txids: Vec::new() };
    assert!(is_improved(&[chunk(10, 100)], &[chunk(11, 100)]));
    assert!(!is_improved(&[chunk(10, 100)], &[chunk(10, 100)]));
    // More fees, but at a lower rate.
    assert!(!is_improved(&[chunk(10, 100)], &[chunk(15, 200)]));
    assert!(is_improved(&[chunk(10, 100), chunk(1, 100)], &[chunk(15, 150)]));
    assert!(is_improved(&[], &[chunk(1, 1)]));
}

proptest! {
    #[test]
    fn chunks_contain_everything_once_in_order(
        list in prop::collection::vec((0_u64..1_000, 1_u64..1_000, any::<u16>()), 1..18),
    ) {
        let items: BTreeMap<Txid, Item> = (0_u8..)
            .zip(&list)
            .map(|(number, (fee, weight, mask))| {
                let parents = (0..number.min(16)).filter(|bit| mask >> bit & 1 == 1 && bit % 3 == 0);
                let parents: BTreeSet<Txid> = parents.map(txid).collect();
                (txid(number), Item { fee: *fee, weight: *weight, parents })
            })
            .collect();
        let chunked = chunks(&items);
        let mut seen = BTreeSet::new();
        for txid in chunked.iter().flat_map(|chunk| &chunk.txids) {
            prop_assert!(items[txid].parents.is_subset(&seen));
            prop_assert!(seen.insert(*txid));
        }
        prop_assert_eq!(seen.len(), items.len());
        prop_assert!(chunked.is_sorted_by(|one, other| !other.is_better_than(one)));
    }
}
