//! People who use the world: they pay, etch, mint, transfer, burn and inscribe, replace their transactions and spend
//! coins twice, rightly and wrongly. Every choice is drawn from the caller's numbers.

use std::collections::BTreeSet;

use bitcoin::{
    Address, Amount, FeeRate, Network, OutPoint, ScriptBuf, Sequence, TapLeafHash, TapSighashType,
    Transaction, TxIn, TxOut, Txid, Witness,
    absolute::LockTime,
    hashes::{Hash, sha256},
    key::{Keypair, TapTweak},
    opcodes::{
        OP_FALSE,
        all::{OP_CHECKSIG, OP_ENDIF, OP_IF, OP_RETURN},
    },
    script::{Builder, PushBytesBuf},
    secp256k1::{Message, Secp256k1, SecretKey},
    sighash::{Prevouts, SighashCache},
    taproot::{LeafVersion, TaprootBuilder, TaprootSpendInfo},
    transaction::Version,
};
use ordinals::{Edict, Etching, Rune, RuneId, Runestone, Terms};

use crate::{index::Index, node::Node};

/// Length of a Schnorr signature in bytes.
const SIGNATURE: usize = 64;
/// Sats in an output that holds inscriptions or runes.
const POSTAGE: u64 = 10_000;

/// Numbers that decide what people do.
pub struct Dice<'a>(pub &'a mut dyn FnMut(u64) -> u64);

impl Dice<'_> {
    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { (self.0)(bound).min(bound.saturating_sub(1)) }
    }

    /// True with a probability of one in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of the items.
    pub fn pick<'b, T>(&mut self, items: &'b [T]) -> Option<&'b T> {
        let place = self.below(u64::try_from(items.len()).unwrap_or(u64::MAX));
        items.get(usize::try_from(place).ok()?)
    }

    /// Up to `most` different items, at least one if there are any.
    fn some<T: Clone>(&mut self, items: &[T], most: u64) -> Vec<T> {
        let (mut left, mut some) = (items.to_vec(), Vec::new());
        let count = self.below(most).saturating_add(1);
        while !left.is_empty() && u64::try_from(some.len()).unwrap_or(u64::MAX) < count {
            let place = self.below(u64::try_from(left.len()).unwrap_or(u64::MAX));
            some.push(left.swap_remove(usize::try_from(place).unwrap_or_default()));
        }
        some
    }
}

/// A key with its Taproot address.
#[derive(Clone)]
pub struct Person {
    keypair: Keypair,
    address: Address,
    script: ScriptBuf,
}

impl std::fmt::Debug for Person {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Person({})", self.address)
    }
}

/// A script that its owner reveals by spending an output that commits to it.
#[derive(Clone, Debug)]
pub struct Leaf {
    script: ScriptBuf,
    spend_info: TaprootSpendInfo,
}

impl Leaf {
    /// The script of the output that commits to it.
    pub fn commitment(&self) -> ScriptBuf {
        ScriptBuf::new_p2tr_tweaked(self.spend_info.output_key())
    }
}

/// A coin to spend: its place and contents.
pub type Coin = (OutPoint, TxOut);

/// What a transaction pays for being mined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fee {
    /// For its size.
    Rate(FeeRate),
    /// A sum.
    Sum(u64),
}

impl Person {
    /// The person of a number, always with the same key; `None` for about one number in 2^128.
    pub fn new(number: u64, network: Network) -> Option<Self> {
        let secp = Secp256k1::new();
        let secret = sha256::Hash::hash(format!("bitcoin model person {number}").as_bytes());
        let keypair = SecretKey::from_slice(secret.as_byte_array()).ok()?.keypair(&secp);
        let address = Address::p2tr(&secp, keypair.x_only_public_key().0, None, network);
        Some(Self { keypair, script: address.script_pubkey(), address })
    }

    /// The person's address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The script of the address.
    pub fn script(&self) -> &ScriptBuf {
        &self.script
    }

    /// The unspent outputs of the address that the next block may spend.
    pub fn coins(&self, node: &Node) -> Vec<Coin> {
        coins_of(node, &self.script)
    }

    /// A coin of the address that is in a block, and that nothing spends.
    pub fn confirmed_coin(&self, node: &Node) -> Option<Coin> {
        let mut coins = node.chain().unspent(&self.script).into_iter();
        let coin = coins.find(|coin| coin.is_mature && coin.height.is_some())?;
        Some((coin.outpoint, coin.output))
    }

    /// A script with envelopes, each of which holds some pushes.
    pub fn leaf(&self, envelopes: &[Vec<Vec<u8>>]) -> Option<Leaf> {
        let key = self.keypair.x_only_public_key().0;
        let mut builder = Builder::new().push_slice(key.serialize()).push_opcode(OP_CHECKSIG);
        for pushes in envelopes {
            builder = builder.push_opcode(OP_FALSE).push_opcode(OP_IF);
            for push in pushes {
                builder = builder.push_slice(PushBytesBuf::try_from(push.clone()).ok()?);
            }
            builder = builder.push_opcode(OP_ENDIF);
        }
        let script = builder.into_script();
        let tree = TaprootBuilder::new().add_leaf(0, script.clone()).ok()?;
        let spend_info = tree.finalize(&Secp256k1::new(), key).ok()?;
        Some(Leaf { script, spend_info })
    }

    /// A transaction that spends coins of the person, the first of them through a leaf if there is one.
    /// `payees` with a value receive it; the others share the rest in equal parts. `None` if the person has
    /// no coins, or if they are worth too little.
    pub fn spend(
        &self,
        coins: &[Coin],
        leaf: Option<&Leaf>,
        payees: &[(ScriptBuf, Option<u64>)],
        fee: Fee,
    ) -> Option<Transaction> {
        coins.first()?;
        let input = |(previous_output, _): &Coin| TxIn {
            previous_output: *previous_output,
            script_sig: ScriptBuf::new(),
            sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
            witness: Witness::new(),
        };
        let output = |(script, value): &(ScriptBuf, Option<u64>)| TxOut {
            value: Amount::from_sat(value.unwrap_or_default()),
            script_pubkey: script.clone(),
        };
        let mut transaction = Transaction {
            version: Version::TWO,
            lock_time: LockTime::ZERO,
            input: coins.iter().map(input).collect(),
            output: payees.iter().map(output).collect(),
        };
        self.fill(&mut transaction, leaf, |_, _| [0; SIGNATURE])?;
        let vbytes = u64::try_from(transaction.vsize()).ok()?;
        let fee = match fee {
            Fee::Rate(rate) => rate.fee_vb(vbytes)?.to_sat(),
            Fee::Sum(sats) => sats,
        };
        let values = coins.iter().map(|(_, output)| output.value.to_sat());
        let held = values.fold(0, u64::saturating_add);
        let fixed = payees.iter().filter_map(|(_, value)| *value).fold(0, u64::saturating_add);
        let left = held.checked_sub(fee)?.checked_sub(fixed)?;
        let sharing = payees.iter().filter(|(_, value)| value.is_none()).count();
        let share = left.checked_div(u64::try_from(sharing).ok()?).unwrap_or_default();
        for (output, (_, value)) in transaction.output.iter_mut().zip(payees) {
            output.value = Amount::from_sat(value.unwrap_or(share));
        }
        self.sign(transaction, coins, leaf)
    }

    fn fill(
        &self,
        transaction: &mut Transaction,
        leaf: Option<&Leaf>,
        sign: impl Fn(usize, Option<&Leaf>) -> [u8; SIGNATURE],
    ) -> Option<()> {
        for (index, input) in transaction.input.iter_mut().enumerate() {
            let leaf = leaf.filter(|_| index == 0);
            let signature = sign(index, leaf);
            input.witness = match leaf {
                None => Witness::from_slice(&[signature]),
                Some(leaf) => {
                    let path = (leaf.script.clone(), LeafVersion::TapScript);
                    let control = leaf.spend_info.control_block(&path)?.serialize();
                    Witness::from_slice(&[&signature[..], leaf.script.as_bytes(), &control])
                }
            };
        }
        Some(())
    }

    fn sign(
        &self,
        mut transaction: Transaction,
        coins: &[Coin],
        leaf: Option<&Leaf>,
    ) -> Option<Transaction> {
        let secp = Secp256k1::new();
        let prevouts: Vec<&TxOut> = coins.iter().map(|(_, output)| output).collect();
        let unsigned = transaction.clone();
        let mut signatures = Vec::with_capacity(coins.len());
        for index in 0..coins.len() {
            let (mut cache, all) = (SighashCache::new(&unsigned), Prevouts::All(&prevouts));
            let kind = TapSighashType::Default;
            let signature = match leaf.filter(|_| index == 0) {
                None => {
                    let hash = cache.taproot_key_spend_signature_hash(index, &all, kind).ok()?;
                    let tweaked = self.keypair.tap_tweak(&secp, None).to_keypair();
                    secp.sign_schnorr_no_aux_rand(&Message::from(hash), &tweaked)
                }
                Some(leaf) => {
                    let id = TapLeafHash::from_script(&leaf.script, LeafVersion::TapScript);
                    let hash = cache.taproot_script_spend_signature_hash(index, &all, id, kind);
                    let message = Message::from(hash.ok()?);
                    secp.sign_schnorr_no_aux_rand(&message, &self.keypair)
                }
            };
            signatures.push(signature.serialize());
        }
        let signature = |index: usize, _: Option<&Leaf>| {
            signatures.get(index).copied().unwrap_or([0; SIGNATURE])
        };
        self.fill(&mut transaction, leaf, signature)?;
        Some(transaction)
    }
}

fn coins_of(node: &Node, script: &ScriptBuf) -> Vec<Coin> {
    let coins = node.chain().unspent(script).into_iter().filter(|coin| coin.is_mature);
    coins.map(|coin| (coin.outpoint, coin.output)).collect()
}

/// A script that was committed to, and what its reveal does.
#[derive(Clone, Debug)]
struct Plan {
    owner: usize,
    leaf: Leaf,
    etching: Option<Etching>,
}

/// People, and what they have begun.
#[derive(Clone, Debug)]
pub struct Crowd {
    people: Vec<Person>,
    plans: Vec<Plan>,
}

impl Crowd {
    /// A crowd of people with numbers from 0 on.
    pub fn new(count: u64, network: Network) -> Self {
        let people = (0..count).filter_map(|number| Person::new(number, network)).collect();
        Self { people, plans: Vec::new() }
    }

    /// The people.
    pub fn people(&self) -> &[Person] {
        &self.people
    }

    /// Somebody's next transaction, which may be invalid; `None` if this one has nothing to spend.
    pub fn act(&mut self, node: &Node, index: &Index, dice: &mut Dice<'_>) -> Option<Transaction> {
        let owner = usize::try_from(dice.below(u64::try_from(self.people.len()).ok()?)).ok()?;
        match dice.below(16) {
            0..4 => self.pay(owner, node, dice),
            4..6 => self.replace(owner, node, dice),
            6 => self.conflict(owner, node, dice),
            7 | 8 => self.commit(owner, node, dice),
            9..12 => self.reveal(node, index, dice),
            12 => self.mint(owner, node, index, dice),
            13 | 14 => self.transfer(owner, node, index, dice),
            _ => self.carry_data(owner, node, dice),
        }
    }

    fn payee(&self, dice: &mut Dice<'_>) -> (ScriptBuf, Option<u64>) {
        let script = dice.pick(&self.people).map(|person| person.script.clone());
        (script.unwrap_or_default(), None)
    }

    fn payees(&self, dice: &mut Dice<'_>, most: u64) -> Vec<(ScriptBuf, Option<u64>)> {
        let count = dice.below(most).saturating_add(1);
        (0..count).map(|_| self.payee(dice)).collect()
    }

    /// Pays one to three addresses; now and then dust, or for less than the lowest rate.
    fn pay(&self, owner: usize, node: &Node, dice: &mut Dice<'_>) -> Option<Transaction> {
        let person = self.people.get(owner)?;
        let coins = dice.some(&person.coins(node), 3);
        let mut payees = self.payees(dice, 3);
        if dice.one_in(4) {
            let few = dice.below(700);
            let many = dice.below(100_000);
            let value = if dice.one_in(2) { few } else { many };
            let (script, _) = self.payee(dice);
            payees.insert(0, (script, Some(value)));
        }
        person.spend(&coins, None, &payees, Fee::Rate(rate(dice)))
    }

    /// Spends the same coins again, for about as much as a replacement must pay.
    fn replace(&self, owner: usize, node: &Node, dice: &mut Dice<'_>) -> Option<Transaction> {
        let person = self.people.get(owner)?;
        let waiting: Vec<Txid> = node.mempool().keys().copied().collect();
        let old = node.chain().transaction(dice.pick(&waiting)?)?;
        self.spend_again(person, &[old], node, dice)
    }

    /// Spends coins of several transactions of the mempool.
    fn conflict(&self, owner: usize, node: &Node, dice: &mut Dice<'_>) -> Option<Transaction> {
        let person = self.people.get(owner)?;
        let waiting: Vec<Txid> = node.mempool().keys().copied().collect();
        let old = dice.some(&waiting, 3);
        let old: Vec<_> = old.iter().filter_map(|txid| node.chain().transaction(txid)).collect();
        self.spend_again(person, &old, node, dice)
    }

    fn spend_again(
        &self,
        person: &Person,
        old: &[&Transaction],
        node: &Node,
        dice: &mut Dice<'_>,
    ) -> Option<Transaction> {
        let outpoints = old.iter().flat_map(|one| &one.input).map(|input| input.previous_output);
        let mine = outpoints.filter_map(|outpoint| {
            let output = node.chain().output(&outpoint)?;
            (output.script_pubkey == person.script).then(|| (outpoint, output.clone()))
        });
        let mut coins: Vec<Coin> = mine.collect();
        if dice.one_in(3) {
            coins.extend(dice.some(&person.coins(node), 1));
        }
        let payees = self.payees(dice, 2);
        let draft = person.spend(&coins, None, &payees, Fee::Sum(0))?;
        let spent: BTreeSet<Txid> = coins
            .iter()
            .filter_map(|(outpoint, _)| node.chain().spender(outpoint))
            .map(|(by, _)| by)
            .collect();
        let gone = node.descendants(spent);
        let fees = gone.iter().filter_map(|txid| node.mempool().get(txid));
        let fees = fees.map(|entry| entry.fee.to_sat()).fold(0, u64::saturating_add);
        let vbytes = u64::try_from(draft.vsize()).ok()?;
        let own = node.policy().incremental.fee_vb(vbytes)?.to_sat();
        let least = fees.saturating_add(own);
        let sum = match dice.below(5) {
            0 => least.saturating_sub(1),
            1 => least,
            2 => fees.saturating_sub(dice.below(100)),
            _ => least.saturating_add(dice.below(2_000)),
        };
        person.spend(&coins, None, &payees, Fee::Sum(sum))
    }

    /// Commits to the name of a rune, or to inscriptions.
    fn commit(&mut self, owner: usize, node: &Node, dice: &mut Dice<'_>) -> Option<Transaction> {
        let person = self.people.get(owner)?;
        let coins = dice.some(&person.coins(node), 2);
        let etching = if dice.one_in(2) { Some(etching(node, dice)) } else { None };
        let name = etching.and_then(|etching| etching.rune);
        let mut envelopes: Vec<Vec<Vec<u8>>> = Vec::new();
        for place in 0..=dice.below(3) {
            let commitment = name.filter(|_| place == 0).map(Rune::commitment);
            envelopes.push(envelope(commitment, dice));
        }
        let leaf = person.leaf(&envelopes)?;
        let payees = [(leaf.commitment(), Some(50_000)), (person.script.clone(), None)];
        let transaction = person.spend(&coins, None, &payees, Fee::Rate(rate(dice)))?;
        self.plans.push(Plan { owner, leaf, etching });
        Some(transaction)
    }

    /// Reveals what was committed to, which for a rune may be too early.
    fn reveal(&self, node: &Node, index: &Index, dice: &mut Dice<'_>) -> Option<Transaction> {
        let ready = self.plans.iter().filter_map(|plan| {
            let coin = coins_of(node, &plan.leaf.commitment()).into_iter().next()?;
            let height = node.chain().block_of(&coin.0.txid).map(|(height, _)| height);
            let depth = height.map_or(0, |height| node.chain().height().saturating_sub(height));
            Some((plan, coin, depth))
        });
        let ready: Vec<_> = ready.collect();
        let (plan, coin, depth) = dice.pick(&ready)?;
        // Most wait for the confirmations that a name needs.
        if plan.etching.is_some() && *depth < 5 && !dice.one_in(6) {
            return None;
        }
        let person = self.people.get(plan.owner)?;
        let mut coins = vec![coin.clone()];
        if dice.one_in(2) {
            coins.extend(dice.some(&person.coins(node), 2));
        }
        let mut payees = self.payees(dice, 3);
        if let Some(etching) = plan.etching {
            let mut stone = Runestone { etching: Some(etching), ..Runestone::default() };
            if dice.one_in(3) {
                stone.edicts = self.edicts(&[RuneId::default()], payees.len(), dice);
            }
            self.add_stone(stone, &mut payees, index, dice);
        }
        person.spend(&coins, Some(&plan.leaf), &payees, Fee::Rate(rate(dice)))
    }

    /// Mints some rune, open or not.
    fn mint(
        &self,
        owner: usize,
        node: &Node,
        index: &Index,
        dice: &mut Dice<'_>,
    ) -> Option<Transaction> {
        let person = self.people.get(owner)?;
        let runes: Vec<RuneId> = index.runes.entries().map(|(id, _)| *id).collect();
        let mut payees = self.payees(dice, 2);
        let stone = Runestone { mint: dice.pick(&runes).copied(), ..Runestone::default() };
        self.add_stone(stone, &mut payees, index, dice);
        let coins = dice.some(&person.coins(node), 2);
        person.spend(&coins, None, &payees, Fee::Rate(rate(dice)))
    }

    /// Moves runes or inscriptions, now and then into nothing.
    fn transfer(
        &self,
        owner: usize,
        node: &Node,
        index: &Index,
        dice: &mut Dice<'_>,
    ) -> Option<Transaction> {
        let person = self.people.get(owner)?;
        let all = person.coins(node);
        let is_full = |(outpoint, _): &&Coin| {
            index.runes.balances(outpoint).is_some()
                || !index.inscriptions.inscriptions_in(outpoint).is_empty()
        };
        let full: Vec<Coin> = all.iter().filter(is_full).cloned().collect();
        let mut coins = dice.some(&full, 3);
        for coin in dice.some(&all, 2) {
            if !coins.contains(&coin) {
                coins.push(coin);
            }
        }
        let held = coins.iter().filter_map(|(outpoint, _)| index.runes.balances(outpoint));
        let mut runes: Vec<RuneId> = held.flat_map(|held| held.keys().copied()).collect();
        if dice.one_in(5) {
            runes.extend(index.runes.entries().map(|(id, _)| *id).take(1));
        }
        let mut payees = self.payees(dice, 4);
        if dice.one_in(2) {
            let (script, _) = self.payee(dice);
            payees.insert(0, (script, Some(POSTAGE)));
        }
        let edicts = if runes.is_empty() {
            Vec::new()
        } else {
            self.edicts(&runes, payees.len().saturating_add(1), dice)
        };
        if !dice.one_in(4) {
            let stone = Runestone { edicts, ..Runestone::default() };
            self.add_stone(stone, &mut payees, index, dice);
        }
        person.spend(&coins, None, &payees, Fee::Rate(rate(dice)))
    }

    /// Edicts over `outputs` outputs, now and then one too many.
    fn edicts(&self, runes: &[RuneId], outputs: usize, dice: &mut Dice<'_>) -> Vec<Edict> {
        let outputs = u64::try_from(outputs).unwrap_or(u64::MAX);
        let mut edicts = Vec::new();
        for _edict in 0..dice.below(4) {
            let Some(id) = dice.pick(runes).copied() else { break };
            let bound = outputs.saturating_add(if dice.one_in(12) { 2 } else { 1 });
            let output = u32::try_from(dice.below(bound)).unwrap_or(u32::MAX);
            let amount = if dice.one_in(4) { 0 } else { u128::from(dice.below(2_000)) };
            edicts.push(Edict { id, amount, output });
        }
        edicts
    }

    /// Puts a runestone into the outputs, with or without a pointer, now and then a broken one.
    fn add_stone(
        &self,
        mut stone: Runestone,
        payees: &mut Vec<(ScriptBuf, Option<u64>)>,
        index: &Index,
        dice: &mut Dice<'_>,
    ) {
        let count = u64::try_from(payees.len()).unwrap_or(u64::MAX).saturating_add(1);
        if dice.one_in(2) {
            let bound = count.saturating_add(u64::from(dice.one_in(12)));
            stone.pointer = u32::try_from(dice.below(bound)).ok();
        }
        if stone.mint.is_none() && dice.one_in(8) {
            let runes: Vec<RuneId> = index.runes.entries().map(|(id, _)| *id).collect();
            stone.mint = dice.pick(&runes).copied();
        }
        let mut script = stone.encipher();
        if dice.one_in(16) {
            // An unrecognised even tag makes it a cenotaph.
            let bytes = [script.as_bytes(), &[0x02, 126, 0]].concat();
            script = ScriptBuf::from_bytes(bytes);
        }
        let place = usize::try_from(dice.below(count)).unwrap_or_default().min(payees.len());
        payees.insert(place, (script, Some(0)));
    }

    /// Carries data in one output or in several.
    fn carry_data(&self, owner: usize, node: &Node, dice: &mut Dice<'_>) -> Option<Transaction> {
        let person = self.people.get(owner)?;
        let coins = dice.some(&person.coins(node), 2);
        let mut payees = self.payees(dice, 2);
        for _output in 0..=dice.below(2) {
            let length = usize::try_from(dice.below(120)).unwrap_or_default();
            let data = PushBytesBuf::try_from(vec![7; length]).ok()?;
            let script = Builder::new().push_opcode(OP_RETURN).push_slice(data).into_script();
            payees.push((script, Some(0)));
        }
        person.spend(&coins, None, &payees, Fee::Rate(rate(dice)))
    }
}

fn rate(dice: &mut Dice<'_>) -> FeeRate {
    const RATES: [u64; 10] = [0, 24, 25, 26, 100, 250, 300, 500, 1_000, 2_500];
    FeeRate::from_sat_per_kwu(dice.pick(&RATES).copied().unwrap_or(250))
}

/// An etching with a name of 12 letters, which is too short, up to 20.
fn etching(node: &Node, dice: &mut Dice<'_>) -> Etching {
    let letters = if dice.one_in(10) { 12 } else { dice.below(8).saturating_add(13) };
    let name: String = (0..letters)
        .map(|_| char::from(b'A'.saturating_add(u8::try_from(dice.below(26)).unwrap_or(0))))
        .collect();
    let next = u64::from(node.chain().height()).saturating_add(1);
    let near = |dice: &mut Dice<'_>| {
        let wanted = dice.one_in(4);
        let height = next.saturating_add(dice.below(30));
        wanted.then_some(height)
    };
    let soon = |dice: &mut Dice<'_>| {
        let wanted = dice.one_in(4);
        let offset = dice.below(20);
        wanted.then_some(offset)
    };
    let terms = Terms {
        amount: Some(u128::from(dice.below(1_000))),
        cap: Some(u128::from(dice.below(6))),
        height: (near(dice), near(dice)),
        offset: (soon(dice), soon(dice)),
    };
    let is_named = !dice.one_in(8);
    Etching {
        divisibility: u8::try_from(dice.below(6)).ok(),
        premine: Some(u128::from(dice.below(10_000))),
        rune: name.parse().ok().filter(|_| is_named),
        spacers: u32::try_from(dice.below(16)).ok(),
        symbol: Some('¢').filter(|_| dice.one_in(2)),
        terms: Some(terms).filter(|_| !dice.one_in(3)),
        turbo: dice.one_in(2),
    }
}

/// An envelope of an inscription, now and then an odd one.
fn envelope(commitment: Option<Vec<u8>>, dice: &mut Dice<'_>) -> Vec<Vec<u8>> {
    let mut pushes = vec![b"ord".to_vec()];
    if !dice.one_in(6) {
        pushes.extend([vec![1], b"text/plain;charset=utf-8".to_vec()]);
    }
    if let Some(commitment) = commitment {
        pushes.extend([vec![13], commitment]);
    }
    if dice.one_in(4) {
        // The sat that it asks for.
        let sat = dice.below(60_000).to_le_bytes();
        pushes.extend([vec![2], sat.to_vec()]);
    }
    match dice.below(16) {
        0 => pushes.extend([vec![22], vec![1]]),
        1 => pushes.extend([vec![5], vec![1], vec![5], vec![2]]),
        2 => return [pushes, vec![vec![7]]].concat(),
        _ => {}
    }
    pushes.extend([Vec::new(), b"hello".to_vec()]);
    pushes
}
