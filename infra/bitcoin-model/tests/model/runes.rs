//! Runes and inscriptions, one rule at a time.

use bitcoin::ScriptBuf;
use bitcoin_model::{
    inscriptions::InscriptionId,
    people::{Coin, Fee},
    policy::Policy,
};
use ordinals::{Edict, Etching, Rune, RuneId, Runestone, SpacedRune, Terms};

use crate::town::{Town, output_of, pay, person};

fn to(number: u64) -> (ScriptBuf, Option<u64>) {
    (person(number).script().clone(), Some(10_000))
}

/// A transaction of person 0 with a runestone, which pays persons 10,000 sats each and the rest back.
fn with_stone(town: &mut Town, coins: &[Coin], stone: &Runestone, payees: &[u64]) -> Vec<Coin> {
    let mut outputs = vec![(stone.encipher(), Some(0))];
    outputs.extend(payees.iter().map(|number| to(*number)));
    outputs.push((person(0).script().clone(), None));
    let sent = person(0).spend(coins, None, &outputs, Fee::Sum(1_000)).unwrap();
    let sent = town.sent(sent);
    town.mine(1);
    (0..u32::try_from(sent.output.len()).unwrap()).map(|vout| output_of(&sent, vout)).collect()
}

/// Etches a rune whose premine goes to person 0; returns its id and the coin.
fn etch(town: &mut Town, wait: u32, terms: Option<Terms>) -> (Option<RuneId>, Coin) {
    let name: SpacedRune = "RUNEPORT•LOCAL•RUNE".parse().unwrap();
    let leaf = person(0).leaf(&[vec![name.rune.commitment()]]).unwrap();
    let coins = town.coinbases();
    let payees = [(leaf.commitment(), Some(50_000)), (person(0).script().clone(), None)];
    let commit = person(0).spend(&coins[..1], None, &payees, Fee::Sum(1_000)).unwrap();
    let commit = town.sent(commit);
    town.mine(wait);
    let etching = Etching {
        divisibility: Some(2),
        premine: Some(1_000),
        rune: Some(name.rune),
        spacers: Some(name.spacers),
        terms,
        ..Etching::default()
    };
    let stone = Runestone { etching: Some(etching), pointer: Some(1), ..Runestone::default() };
    let payees = [(stone.encipher(), Some(0)), (person(0).script().clone(), None)];
    let coins = [output_of(&commit, 0)];
    let reveal = person(0).spend(&coins, Some(&leaf), &payees, Fee::Sum(1_000)).unwrap();
    let reveal = town.sent(reveal);
    town.mine(1);
    (town.index.runes.id_of(&name.rune), output_of(&reveal, 1))
}

fn amount(town: &Town, coin: &Coin, id: RuneId) -> u128 {
    town.index.runes.balances(&coin.0).and_then(|held| held.get(&id)).copied().unwrap_or_default()
}

fn funded() -> Town {
    let mut town = Town::new(Policy::core_30());
    town.mine(10);
    town
}

#[test]
fn a_name_needs_six_confirmations() {
    let mut town = funded();
    let (id, coin) = etch(&mut town, 4, None);
    assert_eq!(id, None);
    assert_eq!(town.index.runes.balances(&coin.0), None);
    let mut town = funded();
    let (id, coin) = etch(&mut town, 6, None);
    let id = id.unwrap();
    assert_eq!(u64::from(town.node.chain().height()), id.block);
    assert_eq!(amount(&town, &coin, id), 1_000);
    // The name is taken.
    let (again, other) = etch(&mut town, 6, None);
    assert_eq!(again, Some(id));
    assert_eq!(town.index.runes.balances(&other.0), None);
}

#[test]
fn edicts_divide_and_the_pointer_takes_the_rest() {
    let mut town = funded();
    let (id, coin) = etch(&mut town, 6, None);
    let id = id.unwrap();
    let edicts = vec![
        Edict { id, amount: 300, output: 1 },
        // 5 is the number of outputs, so each output except the runestone gets two.
        Edict { id, amount: 2, output: 5 },
    ];
    let fee = town.coinbases()[0].clone();
    let stone = Runestone { edicts, pointer: Some(3), ..Runestone::default() };
    let coins = with_stone(&mut town, &[coin, fee], &stone, &[1, 2, 3]);
    let amounts: Vec<u128> = coins.iter().map(|coin| amount(&town, coin, id)).collect();
    assert_eq!(amounts, [0, 302, 2, 694, 2]);

    // An amount of 0 divides all that is left, and the first outputs get one more if it does not divide
    // evenly.
    let edicts = vec![Edict { id, amount: 0, output: 4 }];
    let fee = town.coinbases()[1].clone();
    let stone = Runestone { edicts, ..Runestone::default() };
    let mine = coins[4].clone();
    let coins = with_stone(&mut town, &[mine, fee], &stone, &[1, 2]);
    let amounts: Vec<u128> = coins.iter().map(|coin| amount(&town, coin, id)).collect();
    assert_eq!(amounts, [0, 1, 1, 0]);
}

#[test]
fn without_a_runestone_the_first_output_takes_all() {
    let mut town = funded();
    let (id, coin) = etch(&mut town, 6, None);
    let fee = town.coinbases()[0].clone();
    let sent = town.sent(pay(&[coin, fee], &[2, 1], 1_000));
    town.mine(1);
    assert_eq!(amount(&town, &output_of(&sent, 0), id.unwrap()), 1_000);
    assert_eq!(amount(&town, &output_of(&sent, 1), id.unwrap()), 0);
}

#[test]
fn cenotaphs_and_data_outputs_burn() {
    let mut town = funded();
    let (id, coin) = etch(&mut town, 6, None);
    let id = id.unwrap();
    let fee = town.coinbases()[0].clone();
    let edicts = vec![Edict { id, amount: 400, output: 0 }];
    let stone = Runestone { edicts, pointer: Some(1), ..Runestone::default() };
    let coins = with_stone(&mut town, &[coin, fee], &stone, &[0]);
    assert_eq!(town.index.runes.entry(&id).unwrap().burned, 400);
    assert_eq!(amount(&town, &coins[1], id), 600);
    // An edict for an output that does not exist.
    let edicts = vec![Edict { id, amount: 1, output: 9 }];
    let stone = Runestone { edicts, ..Runestone::default() };
    let fee = town.coinbases()[1].clone();
    with_stone(&mut town, &[coins[1].clone(), fee], &stone, &[0]);
    assert_eq!(town.index.runes.entry(&id).unwrap().burned, 1_000);
    assert_eq!(town.index.runes.holders().count(), 0);
}

#[test]
fn mints_end_at_their_cap_and_height() {
    let mut town = funded();
    let terms =
        Terms { amount: Some(7), cap: Some(2), height: (None, None), offset: (Some(2), Some(6)) };
    let (id, _) = etch(&mut town, 6, Some(terms));
    let id = id.unwrap();
    let minted = |town: &mut Town| {
        let fee = town.coinbases()[0].clone();
        let stone = Runestone { mint: Some(id), ..Runestone::default() };
        let coins = with_stone(town, &[fee], &stone, &[1]);
        amount(town, &coins[1], id)
    };
    // Too early, then two mints, then the cap.
    assert_eq!([0, 1, 2, 3].map(|_| minted(&mut town)), [0, 7, 7, 0]);
    let entry = town.index.runes.entry(&id).unwrap();
    assert_eq!((entry.mints, entry.supply()), (2, 1_014));

    let mut town = funded();
    let (id, _) = etch(&mut town, 6, Some(terms));
    town.mine(5);
    let fee = town.coinbases()[0].clone();
    let stone = Runestone { mint: id, ..Runestone::default() };
    let coins = with_stone(&mut town, &[fee], &stone, &[1]);
    assert_eq!(amount(&town, &coins[1], id.unwrap()), 0);
}

#[test]
fn a_reserved_name_needs_no_commitment() {
    let mut town = funded();
    let etching = Etching { premine: Some(5), ..Etching::default() };
    let stone = Runestone { etching: Some(etching), ..Runestone::default() };
    let fee = town.coinbases()[0].clone();
    let coins = with_stone(&mut town, &[fee], &stone, &[1]);
    let (id, entry) = town.index.runes.entries().next().unwrap();
    assert_eq!(entry.spaced_rune.rune, Rune::reserved(id.block, id.tx));
    assert_eq!(amount(&town, &coins[1], *id), 5);
}

/// Inscribes once for each envelope; returns the outputs of the reveal.
fn inscribe(town: &mut Town, envelopes: &[Vec<Vec<u8>>], sats: u64) -> (InscriptionId, Coin) {
    let leaf = person(0).leaf(envelopes).unwrap();
    let coins = town.coinbases();
    let payees = [(leaf.commitment(), Some(sats)), (person(0).script().clone(), None)];
    let commit = person(0).spend(&coins[..1], None, &payees, Fee::Sum(1_000)).unwrap();
    let commit = town.sent(commit);
    let payees = [(person(0).script().clone(), None)];
    let coins = [output_of(&commit, 0)];
    let reveal = person(0).spend(&coins, Some(&leaf), &payees, Fee::Sum(1_000)).unwrap();
    let reveal = town.sent(reveal);
    town.mine(1);
    (InscriptionId { txid: reveal.compute_txid(), index: 0 }, output_of(&reveal, 0))
}

fn envelope(more: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut pushes = vec![b"ord".to_vec(), vec![1], b"text/plain".to_vec()];
    pushes.extend(more.to_vec());
    pushes.extend([Vec::new(), b"hello".to_vec()]);
    pushes
}

#[test]
fn inscriptions_follow_their_sats() {
    let mut town = funded();
    let pointed = envelope(&[vec![2], 5_000_u16.to_le_bytes().to_vec()]);
    let (id, coin) = inscribe(&mut town, &[envelope(&[]), pointed], 20_000);
    let second = InscriptionId { index: 1, ..id };
    assert_eq!(town.index.inscriptions.inscriptions_in(&coin.0), [id, second]);
    let found = town.index.inscriptions.inscription(&id).unwrap();
    assert_eq!((found.satpoint.offset, found.number), (0, 0));
    assert_eq!(found.content_type.as_deref(), Some("text/plain"));
    assert_eq!(town.index.inscriptions.inscription(&second).unwrap().satpoint.offset, 5_000);

    // A coin that is spent before theirs moves their sats further back.
    let fee = pay(&town.coinbases()[..1], &[0], 1_000);
    let small = town.sent(fee);
    town.mine(1);
    let held = small.output[0].value.to_sat();
    let payees = [(person(1).script().clone(), Some(held)), (person(0).script().clone(), None)];
    let sent =
        person(0).spend(&[output_of(&small, 0), coin], None, &payees, Fee::Sum(15_000)).unwrap();
    let sent = town.sent(sent);
    town.mine(1);
    let place = |id| town.index.inscriptions.inscription(&id).unwrap().satpoint;
    assert_eq!(place(id).outpoint, output_of(&sent, 1).0);
    // 4,000 sats are left in the output; the second one is among the fees, behind the subsidy.
    let coinbase = place(second);
    let block = town.tree.block(&town.tree.best()).unwrap();
    assert_eq!(coinbase.outpoint.txid, block.txdata[0].compute_txid());
    assert_eq!(coinbase.offset, 5_000_000_000 + 1_000);
}

#[test]
fn an_unknown_even_field_unbinds() {
    let mut town = funded();
    let odd = envelope(&[vec![22], vec![1]]);
    let (id, coin) = inscribe(&mut town, &[odd], 20_000);
    assert!(town.index.inscriptions.inscriptions_in(&coin.0).is_empty());
    let found = town.index.inscriptions.inscription(&id).unwrap();
    assert_eq!(found.satpoint.outpoint.vout, 0);
    assert_ne!(found.satpoint.outpoint, coin.0);
}
