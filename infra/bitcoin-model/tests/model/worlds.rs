//! Random worlds: what holds in each of them.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{Amount, OutPoint};
use bitcoin_model::{
    index::Index,
    node::Node,
    people::Dice,
    play::{Play, numbers},
    policy::Policy,
};
use ordinals::RuneId;

use crate::town::START;

const SEEDS: u64 = 8;
const FIRST_BLOCKS: u32 = 106;
const ROUNDS: u64 = 40;

fn started(seed: u64, policy: Policy) -> (Play, impl FnMut(u64) -> u64) {
    let (mut play, mut numbers) = (Play::new(policy, START), numbers(seed));
    for _block in 0..FIRST_BLOCKS {
        play.mine_plain(&mut Dice(&mut numbers)).unwrap();
    }
    (play, numbers)
}

fn run(seed: u64, policy: Policy, mut check: impl FnMut(&mut Play)) -> Play {
    let (mut play, mut numbers) = started(seed, policy);
    let mut dice = Dice(&mut numbers);
    for _round in 0..ROUNDS {
        for _act in 0..dice.below(12) {
            play.send(&mut dice);
        }
        if dice.one_in(6) {
            play.reorganise(&mut dice).unwrap();
        } else {
            play.mine(&mut dice).unwrap();
        }
        check(&mut play);
    }
    play
}

fn policy(seed: u64) -> Policy {
    [Policy::core_29(), Policy::core_30(), Policy::core_31()][usize::try_from(seed % 3).unwrap()]
}

#[test]
fn runes_are_held_or_burnt() {
    let mut seen = 0;
    for seed in 0..SEEDS {
        run(seed, policy(seed), |play| {
            let mut held: BTreeMap<RuneId, u128> = BTreeMap::new();
            for (outpoint, balances) in play.index.runes.holders() {
                assert!(play.index.inscriptions.output(outpoint).is_some());
                for (id, amount) in balances {
                    assert!(*amount > 0);
                    *held.entry(*id).or_default() += amount;
                }
            }
            for (id, entry) in play.index.runes.entries() {
                let held = held.get(id).copied().unwrap_or_default();
                assert_eq!(held + entry.burned, entry.supply(), "seed {seed}: {id}");
                seen += 1;
            }
        });
    }
    assert!(seen > 0);
}

#[test]
fn sats_are_the_subsidies() {
    for seed in 0..SEEDS {
        run(seed, policy(seed), |play| {
            let chain = play.node.chain();
            let held: Amount = chain.confirmed_outputs().map(|(_, output)| output.value).sum();
            let subsidies = (1..=chain.height()).map(|height| play.tree.rules().subsidy(height));
            assert_eq!(held, subsidies.sum(), "seed {seed}");
        });
    }
}

#[test]
fn ord_knows_every_unspent_output_and_inscription() {
    let mut seen = 0;
    for seed in 0..SEEDS {
        run(seed, policy(seed), |play| {
            let of_chain: BTreeSet<OutPoint> =
                play.node.chain().confirmed_outputs().map(|(outpoint, _)| outpoint).collect();
            let genesis = play.tree.block(&play.tree.genesis()).unwrap().txdata[0].compute_txid();
            let of_ord: BTreeSet<OutPoint> = play
                .index
                .inscriptions
                .outputs()
                .map(|(outpoint, _)| *outpoint)
                .filter(|outpoint| outpoint.txid != genesis)
                .collect();
            assert_eq!(of_chain, of_ord, "seed {seed}");
            for inscription in play.index.inscriptions.inscriptions() {
                let at = inscription.satpoint;
                let places = play.index.inscriptions.outputs().filter(|(outpoint, _)| {
                    play.index.inscriptions.inscriptions_in(outpoint).contains(&inscription.id)
                });
                let places: Vec<_> = places.collect();
                let is_bound = play.index.inscriptions.output(&at.outpoint).is_some();
                assert_eq!(places.len(), usize::from(is_bound), "seed {seed}");
                for (outpoint, output) in places {
                    assert!(*outpoint == at.outpoint && at.offset < output.value);
                    seen += 1;
                }
            }
        });
    }
    assert!(seen > 0);
}

#[test]
fn the_mempool_fits_into_the_next_block() {
    for seed in 0..SEEDS {
        run(seed, policy(seed), |play| {
            let mut trial = play.clone();
            let waiting: BTreeSet<_> = trial.node.mempool().keys().copied().collect();
            let mut none = |_| 0;
            let block = trial.mine_plain(&mut Dice(&mut none)).unwrap();
            let mined: BTreeSet<_> =
                block.txdata[1..].iter().map(|one| one.compute_txid()).collect();
            assert_eq!(mined, waiting, "seed {seed}");
            assert!(trial.node.mempool().is_empty());
        });
    }
}

#[test]
fn going_to_another_tip_and_back_changes_nothing() {
    let mut tips = 0;
    for seed in 0..SEEDS {
        let mut play = run(seed, policy(seed), |_| {});
        let (best, index) = (play.tree.best(), play.index.clone());
        let held: BTreeSet<OutPoint> =
            play.node.chain().confirmed_outputs().map(|(outpoint, _)| outpoint).collect();
        for tip in play.tree.tips() {
            play.follow(tip);
            // As if it had never been elsewhere.
            let mut fresh = Index::new(&play.tree);
            fresh.follow(&play.tree, tip);
            assert!(fresh == play.index, "seed {seed}");
            let mut node = Node::new(&play.tree, *play.node.policy());
            node.follow(&play.tree, tip, START);
            let outputs = |node: &Node| -> BTreeSet<OutPoint> {
                node.chain().confirmed_outputs().map(|(outpoint, _)| outpoint).collect()
            };
            assert_eq!(outputs(&node), outputs(&play.node), "seed {seed}");
            tips += 1;
        }
        play.follow(best);
        assert!(play.index == index, "seed {seed}");
        let after: BTreeSet<OutPoint> =
            play.node.chain().confirmed_outputs().map(|(outpoint, _)| outpoint).collect();
        assert_eq!(after, held, "seed {seed}");
    }
    assert!(tips > SEEDS);
}

#[test]
fn a_seed_is_a_world() {
    let world = |seed| {
        let play = run(seed, Policy::core_31(), |_| {});
        let waiting: Vec<_> = play.node.mempool().keys().copied().collect();
        (play.tree.best(), waiting, play.tree.tips())
    };
    for seed in 0..3 {
        assert!(world(seed) == world(seed), "seed {seed}");
    }
    assert!(world(0) != world(1));
}
