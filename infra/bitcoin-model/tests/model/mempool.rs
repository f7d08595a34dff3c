//! What nodes accept, replace, evict and mine.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{FeeRate, ScriptBuf, Txid, opcodes::all::OP_RETURN, script::Builder};
use bitcoin_model::{
    consensus::Invalid,
    miner::{Choice, Rewrite, rewrite},
    node::SendError,
    people::{Coin, Fee},
    policy::{InsufficientFee, Policy, Refusal},
};

use crate::town::{Town, output_of, pay, person};

const POLICIES: [Policy; 3] = [Policy::core_29(), Policy::core_30(), Policy::core_31()];

fn data(length: usize) -> ScriptBuf {
    let bytes = bitcoin::script::PushBytesBuf::try_from(vec![7; length]).unwrap();
    Builder::new().push_opcode(OP_RETURN).push_slice(bytes).into_script()
}

#[test]
fn the_lowest_rate_is_exact() {
    for policy in POLICIES {
        let mut town = Town::new(policy);
        let coin = &town.coins()[..1];
        let size = u64::try_from(pay(coin, &[1], 1_000).vsize()).unwrap();
        let least = policy.min_relay.fee_vb(size).unwrap().to_sat();
        let refused = town.send(&pay(coin, &[1], least - 1));
        assert_eq!(refused, Err(Refusal::BelowMinimum { paid: least - 1, wanted: least }));
        town.sent(pay(coin, &[1], least));
    }
}

#[test]
fn a_replacement_pays_for_all_it_replaces_and_for_itself() {
    for policy in POLICIES {
        let mut town = Town::new(policy);
        let coin = town.coins()[0].clone();
        let old = town.sent(pay(std::slice::from_ref(&coin), &[0, 1], 1_000));
        let child = town.sent(pay(&[output_of(&old, 0)], &[2], 500));
        let size = u64::try_from(pay(std::slice::from_ref(&coin), &[3], 1_000).vsize()).unwrap();
        let own = policy.incremental.fee_vb(size).unwrap().to_sat();
        let refused = town.send(&pay(std::slice::from_ref(&coin), &[3], 1_499)).unwrap_err();
        let less = matches!(refused, Refusal::InsufficientFee(InsufficientFee::Less { .. }));
        assert!(less, "{refused}");
        let refused = town.send(&pay(std::slice::from_ref(&coin), &[3], 1_499 + own)).unwrap_err();
        assert_eq!(refused.reason(), "insufficient fee");
        let replaced = town.send(&pay(&[coin], &[3], 1_500 + own)).unwrap();
        assert_eq!(replaced, BTreeSet::from([old.compute_txid(), child.compute_txid()]));
        assert_eq!(town.node.mempool().len(), 1);
    }
}

#[test]
fn a_replacement_with_a_lower_rate_is_refused() {
    for policy in POLICIES {
        let mut town = Town::new(policy);
        let coins = town.coins();
        town.sent(pay(&coins[..1], &[1], 5_000));
        let refused = town.send(&pay(&coins[..6], &[1], 6_000)).unwrap_err();
        let reason = match policy == Policy::core_31() {
            true => "replacement-failed",
            false => "insufficient fee",
        };
        assert_eq!(refused.reason(), reason);
    }
}

#[test]
fn a_new_unconfirmed_parent_is_refused_until_core_30() {
    for policy in POLICIES {
        let mut town = Town::new(policy);
        let coins = town.coins();
        town.sent(pay(&coins[..1], &[1], 1_000));
        let other = town.sent(pay(&coins[1..2], &[0], 5_000));
        let both = [coins[0].clone(), output_of(&other, 0)];
        let verdict = town.send(&pay(&both, &[1], 9_000));
        assert_eq!(verdict.is_ok(), policy == Policy::core_31(), "{verdict:?}");
    }
}

#[test]
fn nothing_spends_what_it_replaces() {
    for policy in POLICIES {
        let mut town = Town::new(policy);
        let coins = town.coins();
        let old = town.sent(pay(&coins[..1], &[0], 1_000));
        let both = [coins[0].clone(), output_of(&old, 0)];
        assert!(town.send(&pay(&both, &[1], 90_000)).is_err());
    }
}

#[test]
fn relatives_are_limited() {
    for (policy, most) in [(Policy::core_30(), 25), (Policy::core_31(), 64)] {
        let mut town = Town::new(policy);
        let mut coin = town.coins()[0].clone();
        for _link in 0..most {
            coin = output_of(&town.sent(pay(&[coin], &[0], 1_000)), 0);
        }
        let refused = town.send(&pay(&[coin], &[0], 1_000)).unwrap_err();
        assert!(matches!(refused, Refusal::LongChain | Refusal::LargeCluster), "{refused}");
        town.mine(1);
        assert!(town.node.mempool().is_empty());
    }
}

#[test]
fn data_and_dust_are_limited() {
    let send = |policy: Policy, payees: &[(ScriptBuf, Option<u64>)]| {
        let mut town = Town::new(policy);
        let coins = &town.coins()[..1];
        let rate = Fee::Rate(FeeRate::from_sat_per_kwu(500));
        town.send(&person(0).spend(coins, None, payees, rate).unwrap()).err()
    };
    let to = |value| (person(1).script().clone(), value);
    let carry = |length| (data(length), Some(0));
    let (old, new) = (Policy::core_29(), Policy::core_30());
    assert_eq!(send(old, &[carry(80), to(None)]), None);
    assert_eq!(send(old, &[carry(81), to(None)]), Some(Refusal::OddScript));
    assert_eq!(send(old, &[carry(1), carry(1), to(None)]), Some(Refusal::SeveralData));
    assert_eq!(send(new, &[carry(500), carry(500), to(None)]), None);
    assert_eq!(send(new, &[to(Some(330)), to(None)]), None);
    assert_eq!(send(new, &[to(Some(329)), to(None)]), Some(Refusal::Dust));
    let odd = ScriptBuf::from_bytes(vec![0xac]);
    assert_eq!(send(new, &[(odd, Some(1_000)), to(None)]), Some(Refusal::OddScript));
}

#[test]
fn a_wrong_signature_is_invalid() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let stolen =
        person(1).spend(&coins[..1], None, &[(person(1).script().clone(), None)], Fee::Sum(1_000));
    assert_eq!(town.send(&stolen.unwrap()), Err(Invalid::Script.into()));
}

#[test]
fn a_full_mempool_evicts_the_worst_and_raises_its_floor() {
    let policy = Policy { capacity: 900, ..Policy::core_30() };
    let mut town = Town::new(policy);
    let coins = town.coins();
    let worst = town.sent(pay(&coins[..1], &[1], 100));
    for (place, coin) in coins[1..9].iter().enumerate() {
        let sats = 1_000 + u64::try_from(place).unwrap();
        town.sent(pay(std::slice::from_ref(coin), &[1], sats));
    }
    assert!(!town.node.mempool().contains_key(&worst.compute_txid()));
    let refused = town.send(&worst).unwrap_err();
    assert!(matches!(refused, Refusal::BelowFloor { .. }), "{refused}");
    // It falls with time.
    town.mine(1);
    town.time += 40 * 24 * 3_600;
    town.mine(1);
    town.sent(worst);

    let coin = &town.coins()[..1];
    let cheap = town.sent(pay(coin, &[1], 300));
    let gone = town.node.raise_floor(FeeRate::from_sat_per_kwu(12_500), town.time);
    assert!(gone.contains(&cheap.compute_txid()) && town.node.mempool().is_empty());
    assert!(matches!(town.send(&cheap), Err(Refusal::BelowFloor { .. })));
}

#[test]
fn old_transactions_expire_with_their_descendants() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let old = town.sent(pay(&coins[..1], &[0], 1_000));
    town.time += 14 * 24 * 3_600 - 300;
    town.sent(pay(&[output_of(&old, 0)], &[1], 1_000));
    town.mine_choice(&Choice { most: bitcoin::Weight::ZERO, ..Choice::everything() });
    assert!(town.node.mempool().is_empty());
}

#[test]
fn the_rpc_knows_what_it_has() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let paid = pay(&coins[..1], &[1], 1_000);
    let hex = bitcoin::consensus::encode::serialize_hex(&paid);
    assert_eq!(town.node.decode_and_check(&hex), Ok((paid.clone(), true)));
    town.sent(paid.clone());
    assert_eq!(town.node.decode_and_check(&hex), Ok((paid.clone(), false)));
    assert_eq!(town.send(&paid), Err(Refusal::InMempool));
    town.mine(1);
    assert_eq!(town.node.decode_and_check(&hex), Err(SendError::InBlock));
    assert_eq!(town.node.decode_and_check("00"), Err(SendError::Undecodable));
    let burnt = person(0)
        .spend(&coins[1..2], None, &[(data(1), Some(1)), (ScriptBuf::new(), None)], Fee::Sum(1_000))
        .unwrap();
    let hex = bitcoin::consensus::encode::serialize_hex(&burnt);
    assert_eq!(town.node.decode_and_check(&hex), Err(SendError::Burns));
    let generous = pay(&coins[1..2], &[1], 10_000_000);
    let hex = bitcoin::consensus::encode::serialize_hex(&generous);
    assert_eq!(town.node.decode_and_check(&hex), Err(SendError::HighFee));
}

#[test]
fn a_miner_takes_by_rate_with_parents_and_what_it_is_given() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let parent = town.sent(pay(&coins[..1], &[0], 200));
    let child = town.sent(pay(&[output_of(&parent, 0)], &[1], 5_000));
    let middle = town.sent(pay(&coins[1..2], &[1], 2_000));
    let left = town.sent(pay(&coins[2..3], &[1], 9_000));
    // Free of charge, so that no node relays it.
    let extra = pay(&coins[3..4], &[1], 0);
    assert!(town.send(&extra).is_err());
    let left_out = BTreeSet::from([left.compute_txid()]);
    let block = town.mine_choice(&Choice {
        left_out: &left_out,
        extra: std::slice::from_ref(&extra),
        ..Choice::everything()
    });
    let txids: Vec<Txid> = block.txdata[1..].iter().map(|one| one.compute_txid()).collect();
    assert_eq!(txids, [extra, parent, child, middle].map(|one| one.compute_txid()));
    assert_eq!(town.node.mempool().keys().copied().collect::<BTreeSet<_>>(), left_out);
}

#[test]
fn a_reorganisation_drops_replaces_and_returns() {
    let mut town = Town::new(Policy::core_30());
    let coins = town.coins();
    let kept = town.sent(pay(&coins[..1], &[1], 1_000));
    let dropped = town.sent(pay(&coins[1..2], &[0], 1_000));
    let old = town.sent(pay(&coins[2..3], &[0], 1_000));
    town.mine(1);
    let orphan = town.sent(pay(&[output_of(&old, 0)], &[1], 1_000));
    town.mine(1);
    let rival = pay(&coins[2..3], &[2], 1_000);
    let change = Rewrite {
        depth: 2,
        more: 1,
        dropped: BTreeSet::from([dropped.compute_txid()]),
        replaced: BTreeMap::from([(old.compute_txid(), rival.clone())]),
    };
    let (before, frame) = (town.tree.best(), town.frame());
    let tip = rewrite(&mut town.tree, before, &change, &frame, &mut |_| 0).unwrap();
    assert_eq!(town.tree.best(), tip);
    town.follow(tip);
    let height = |txid: Txid| town.node.chain().block_of(&txid).map(|(height, _)| height);
    assert_eq!(height(kept.compute_txid()), Some(111));
    assert_eq!(height(rival.compute_txid()), Some(111));
    for gone in [&old, &orphan] {
        assert!(town.node.chain().transaction(&gone.compute_txid()).is_none());
    }
    // The dropped one waits again.
    assert_eq!(town.node.mempool().keys().collect::<Vec<_>>(), [&dropped.compute_txid()]);

    town.follow(before);
    assert!(town.node.chain().block_of(&orphan.compute_txid()).is_some());
    assert!(town.node.chain().transaction(&rival.compute_txid()).is_none());
    assert!(town.node.mempool().is_empty());
}

#[test]
fn locks_of_time_and_depth_hold() {
    let mut town = Town::new(Policy::core_30());
    let coin: Coin = output_of(&town.sent(pay(&town.coins()[..1], &[0], 1_000)), 0);
    town.mine(1);
    // The signature does not matter: locks are looked at first.
    let mut locked = pay(&[coin], &[1], 1_000);
    locked.input[0].sequence = bitcoin::Sequence::from_height(3);
    assert_eq!(town.send(&locked), Err(Invalid::SequenceLocked.into()));
    town.mine(2);
    assert_eq!(town.send(&locked), Err(Invalid::Script.into()));
    let next = bitcoin::absolute::LockTime::from_height(town.node.chain().height() + 1).unwrap();
    locked.lock_time = next;
    assert_eq!(town.send(&locked), Err(Invalid::NotFinal.into()));
    town.mine(1);
    assert_eq!(town.send(&locked), Err(Invalid::Script.into()));
    let young = town.node.chain().link(100).unwrap().txids[0];
    let young = output_of(town.node.chain().transaction(&young).unwrap(), 0);
    assert_eq!(town.send(&pay(&[young], &[1], 1_000)), Err(Invalid::Immature.into()));
}
