//! The blocks, the servers that know them, and what happens to both.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{BlockHash, FeeRate, OutPoint, ScriptBuf, Transaction, Txid, Weight};
use bitcoin_model::{
    chain::Chain,
    consensus::MOST_WEIGHT,
    esplora,
    face::Answer,
    index::Index,
    miner::{self, Frame, Rewrite},
    node::Node,
    ord,
    people::{Fee, Person},
    policy::Policy,
    tree::Tree,
};
use ordinals::{Edict, RuneId, Runestone};

use super::genesis::{Genesis, Stranger};
use crate::{
    choice::{Choices, hash},
    faults::ChainMenu,
    wire::Arrived,
};

/// The ordinary fee rate, in sats per 1,000 virtual bytes.
const LEVEL: u64 = 4_000;
/// Deepest reorganisation, in blocks.
const DEEPEST: u64 = 6;

/// What can happen at a block.
#[derive(Clone, Copy)]
enum Event {
    Reorganised,
    StaysBehind,
    Rates,
    Empty,
    Evicted,
    OldVersions,
}

/// What a stranger can send.
#[derive(Clone, Copy)]
enum Dust {
    /// A worthless rune.
    Junk,
    /// The rune of the mints.
    Rune,
}

/// A server: the chain that it knows, and for how many more blocks it will not learn of new ones.
#[derive(Clone)]
struct Server {
    node: Node,
    stays: u32,
}

/// A transaction that the service sent to the network.
#[derive(Clone, Debug)]
pub struct Broadcast {
    /// When it was sent, in ms since the epoch.
    pub at: i64,
    /// The invocation that sent it.
    pub invocation: u64,
    /// The transaction, hex.
    pub raw: String,
}

/// An answer of a server that it does not know a transaction.
#[derive(Clone, Copy, Debug)]
pub struct Missed {
    /// When it was given, in ms since the epoch.
    pub at: i64,
    /// The invocation that asked.
    pub invocation: u64,
}

/// When a block became the newest.
#[derive(Clone, Copy, Debug)]
pub struct Tip {
    /// When it became the newest, in ms since the epoch.
    pub at: i64,
    /// The block.
    pub hash: BlockHash,
}

/// Bitcoin and ord.
#[derive(Clone)]
pub struct World {
    tree: Tree,
    /// Knows everything: its chain is the true one, and it mines the blocks.
    miner: Node,
    servers: Vec<Server>,
    ord: Server,
    ord_index: Index,
    /// Runes and inscriptions of the true chain.
    truth: Index,
    menu: ChainMenu,
    level: u64,
    salt: u64,
    hurries: bool,
    rune: RuneId,
    funder: Person,
    collector: Person,
    sprinkler: Stranger,
    litterer: Stranger,
    pool: ScriptBuf,
    /// The scripts of people that have been paid.
    people: Vec<ScriptBuf>,
    /// Scripts that the next block pays as well.
    also_paid: Vec<ScriptBuf>,
    /// Blocks until the fee rates fall after a spike.
    spike: u32,
    /// Units of the mints' rune that strangers sent, by transaction: the recipient and the number.
    sprinkled: BTreeMap<Txid, (ScriptBuf, u128)>,
    /// Every transaction that a server or the miner has accepted.
    seen: BTreeMap<Txid, Transaction>,
    /// Transactions in which the funder pays somebody.
    gifts: BTreeSet<Txid>,
    /// Coins with an inscription that people received.
    inscribed: BTreeSet<OutPoint>,
    /// Transactions that a reorganisation returned to the mempool.
    unconfirmed_again: BTreeSet<Txid>,
    broadcasts: Vec<Broadcast>,
    missed: BTreeMap<Txid, Vec<Missed>>,
    tips: Vec<Tip>,
}

fn seconds(now: i64) -> u32 {
    u32::try_from(now / 1_000).unwrap_or(u32::MAX)
}

impl World {
    /// A world that begins at `genesis`.
    pub fn new(
        seed: u64,
        (genesis, pool): (Genesis, ScriptBuf),
        menu: ChainMenu,
        now: i64,
    ) -> Self {
        let Genesis { tree, rune, funder, collector, sprinkler, litterer } = genesis;
        let best = tree.best();
        let node = || {
            let mut node = Node::new(&tree, Policy::core_30());
            node.follow(&tree, best, seconds(now));
            node
        };
        let index = || {
            let mut index = Index::new(&tree);
            index.follow(&tree, best);
            index
        };
        let servers = 2 + hash(seed, "servers of Esplora") % 2;
        let server = || Server { node: node(), stays: 0 };
        Self {
            miner: node(),
            servers: (0..servers).map(|_| server()).collect(),
            ord: server(),
            ord_index: index(),
            truth: index(),
            menu,
            level: LEVEL,
            salt: 0,
            hurries: false,
            rune,
            funder,
            collector,
            sprinkler,
            litterer,
            pool,
            people: Vec::new(),
            also_paid: Vec::new(),
            spike: 0,
            sprinkled: BTreeMap::new(),
            seen: BTreeMap::new(),
            gifts: BTreeSet::new(),
            inscribed: BTreeSet::new(),
            unconfirmed_again: BTreeSet::new(),
            broadcasts: Vec::new(),
            missed: BTreeMap::new(),
            tips: vec![Tip { at: now, hash: best }],
            tree,
        }
    }

    /// The rune of the mints.
    pub fn rune(&self) -> RuneId {
        self.rune
    }

    /// The true chain, with the miner's mempool.
    pub fn chain(&self) -> &Chain {
        self.miner.chain()
    }

    /// Runes and inscriptions of the true chain.
    pub fn truth(&self) -> &Index {
        &self.truth
    }

    /// All blocks.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The newest blocks, in order.
    pub fn tips(&self) -> &[Tip] {
        &self.tips
    }

    /// The transactions that the service sent to the network.
    pub fn broadcasts(&self) -> &[Broadcast] {
        &self.broadcasts
    }

    /// The answers that a transaction is not known, in order.
    pub fn missed(&self, txid: Txid) -> &[Missed] {
        self.missed.get(&txid).map_or(&[], Vec::as_slice)
    }

    /// Records the answer to a request for a transaction that the server does not know.
    pub(super) fn note_missed(&mut self, path: &str, answer: &Answer, arrived: &Arrived) {
        let asked = path.strip_prefix("/tx/").and_then(|txid| txid.parse().ok());
        if let Some(txid) = asked.filter(|_| answer.status == 404) {
            let missed = Missed { at: arrived.at, invocation: arrived.invocation };
            self.missed.entry(txid).or_default().push(missed);
        }
    }

    /// Every transaction that the network has ever accepted.
    pub fn seen(&self) -> &BTreeMap<Txid, Transaction> {
        &self.seen
    }

    /// Units of the mints' rune that strangers sent to a script, in the true chain.
    pub fn sprinkled_on(&self, script: &ScriptBuf) -> u128 {
        let chain = self.miner.chain();
        let sent = self.sprinkled.iter().filter(|(txid, _)| chain.block_of(txid).is_some());
        sent.filter(|(_, (to, _))| to == script).map(|(_, (_, amount))| amount).sum()
    }

    /// The script of the stranger who has some of the mints' rune.
    pub fn sprinkler(&self) -> &ScriptBuf {
        self.sprinkler.person.script()
    }

    /// Whether a coin was received with an inscription.
    pub fn was_inscribed(&self, coin: &OutPoint) -> bool {
        self.inscribed.contains(coin)
    }

    /// Number of blocks that the run has added, including those that were replaced.
    pub fn blocks(&self) -> usize {
        self.tips.len() - 1
    }

    /// Whether answers about a coin may change without a fault, because the servers know different blocks or
    /// a transaction is back in the mempool.
    pub fn is_unsettled(&self) -> bool {
        self.is_divided() || !self.unconfirmed_again.is_empty()
    }

    fn is_divided(&self) -> bool {
        let best = Some(self.tree.best());
        let mut servers = self.servers.iter();
        servers.any(|server| server.node.tip() != best) || self.ord_index.tip() != best
    }

    /// Whether blocks come fast, because the run waits for many of them.
    pub fn is_in_a_hurry(&self) -> bool {
        self.hurries
    }

    /// From now on blocks come fast.
    pub fn hurry(&mut self) {
        self.hurries = true;
    }

    /// The index of any server.
    pub fn any_server(&self, choices: &mut Choices) -> usize {
        let count = u64::try_from(self.servers.len()).unwrap_or(1);
        usize::try_from(choices.below("esplora", count)).unwrap_or(0)
    }

    /// The view of an Esplora server.
    pub fn esplora_view(&self, server: usize) -> esplora::View<'_> {
        esplora::View::new(self.tree.rules().network, self.servers[server].node.chain())
    }

    /// The view of ord.
    pub fn ord_view(&self) -> ord::View<'_> {
        ord::View::new(&self.ord_index, &self.ord.node)
    }

    /// Fee rates by target in blocks, in sats per 1,000 virtual bytes.
    pub fn estimates(&self) -> BTreeMap<u16, u64> {
        [(1, self.level * 5 / 4), (3, self.level), (6, self.level * 3 / 4), (144, 1_000)].into()
    }

    /// Accepts a transaction that the service sends to a server.
    pub fn broadcast(&mut self, server: usize, arrived: &Arrived, choices: &mut Choices) -> Answer {
        let raw = String::from_utf8_lossy(&arrived.body).into_owned();
        let (at, invocation) = (arrived.at, arrived.invocation);
        self.broadcasts.push(Broadcast { at, invocation, raw });
        let (answer, transaction) = esplora::broadcast(&self.servers[server].node, &arrived.body);
        let Some(transaction) = transaction else { return answer };
        let spends_pool = transaction.input.iter().any(|input| {
            let spent = self.miner.chain().output(&input.previous_output);
            spent.is_some_and(|output| output.script_pubkey == self.pool)
        });
        if spends_pool && choices.fault("chain/spike", &[((), self.menu.spikes)]).is_some() {
            self.level = LEVEL * choices.between("chain/spike", 30, 75);
            self.spike = u32::try_from(choices.between("chain/spike", 2, 13)).unwrap_or(2);
        }
        let weights = [(true, self.menu.forgotten), (false, self.menu.refused)];
        match choices.fault("chain/broadcast", &weights) {
            Some(true) => return answer,
            Some(false) => {
                self.relay(&transaction, at);
                return Answer::text(
                    400,
                    "sendrawtransaction RPC error: {\"code\":-26,\"message\":\"mempool full\"}",
                );
            }
            None => self.relay(&transaction, at),
        }
        answer
    }

    fn nodes(&mut self) -> impl Iterator<Item = &mut Node> {
        let servers = self.servers.iter_mut().chain([&mut self.ord]);
        [&mut self.miner].into_iter().chain(servers.map(|server| &mut server.node))
    }

    /// Offers a transaction to every node.
    fn relay(&mut self, transaction: &Transaction, now: i64) {
        let mut accepted = false;
        for node in self.nodes() {
            accepted |= node.accept(transaction.clone(), seconds(now)).is_ok();
        }
        if accepted {
            self.seen.insert(transaction.compute_txid(), transaction.clone());
        }
    }

    /// The nodes exchange their mempools.
    fn gossip(&mut self, now: i64) {
        let mut waiting = BTreeMap::new();
        for node in self.nodes() {
            let own = node.chain().waiting();
            waiting.extend(own.into_iter().map(|one| (one.compute_txid(), one)));
        }
        // Parents may come after their children.
        for _round in 0..2 {
            for transaction in waiting.values() {
                for node in self.nodes() {
                    if !node.mempool().contains_key(&transaction.compute_txid()) {
                        // Most are refused, since they conflict or are in a block.
                        let _ = node.accept(transaction.clone(), seconds(now));
                    }
                }
            }
        }
    }

    /// The funder pays a script. `None` if no coin of the funder is left.
    pub fn give(&mut self, script: &ScriptBuf, sats: u64, now: i64) -> Option<Txid> {
        let coin = self.funder.confirmed_coin(&self.miner)?;
        let payees = [(script.clone(), Some(sats)), (self.funder.script().clone(), None)];
        let rate = FeeRate::from_sat_per_kwu(self.level / 2);
        let gift = self.funder.spend(&[coin], None, &payees, Fee::Rate(rate))?;
        self.relay(&gift, now);
        self.gifts.insert(gift.compute_txid());
        if !self.people.contains(script) {
            self.people.push(script.clone());
        }
        Some(gift.compute_txid())
    }

    /// A stranger sends `count` outputs. Each has one unit of a rune, and one sat more than the service
    /// leaves on most coins with runes. `None` while the stranger's coin waits for a block.
    fn scatter(&mut self, dust: Dust, to: &ScriptBuf, count: u64, now: i64) -> Option<()> {
        let Stranger { person, rune } = match dust {
            Dust::Junk => &self.litterer,
            Dust::Rune => &self.sprinkler,
        };
        let coin = person.confirmed_coin(&self.miner)?;
        let rest = u32::try_from(count).ok()?;
        // An edict that names the number of outputs gives its amount to each.
        let edict = Edict { id: *rune, amount: 1, output: rest + 2 };
        let stone = Runestone { edicts: vec![edict], pointer: Some(rest), ..Runestone::default() };
        let payees = (0..count).map(|_| (to.clone(), Some(547)));
        let own = [(person.script().clone(), None), (stone.encipher(), Some(0))];
        let payees: Vec<_> = payees.chain(own).collect();
        let rate = FeeRate::from_sat_per_kwu(self.level / 2);
        let sent = person.spend(&[coin], None, &payees, Fee::Rate(rate))?;
        if matches!(dust, Dust::Rune) {
            self.sprinkled.insert(sent.compute_txid(), (to.clone(), count.into()));
        }
        self.relay(&sent, now);
        Some(())
    }

    /// What strangers and miners send unasked to users and to the pool.
    fn send_unasked(&mut self, now: i64, choices: &mut Choices) {
        let ChainMenu { coinbases, dust, .. } = self.menu;
        let sent = choices.fault("chain/dust", &[(Dust::Junk, dust), (Dust::Rune, dust / 2)]);
        if let Some(dust) = sent {
            let person = self.any_person("chain/dust", choices);
            let person = person.filter(|_| choices.below("chain/dust", 3) == 0);
            let most = match (dust, &person) {
                (Dust::Rune, _) => 200,
                (Dust::Junk, Some(_)) => 700,
                (Dust::Junk, None) => 2_600,
            };
            let count = choices.between("chain/dust", most / 4, most);
            let to = person.unwrap_or_else(|| self.pool.clone());
            self.scatter(dust, &to, count, now);
        }
        if choices.fault("chain/coinbase", &[((), coinbases)]).is_some() {
            self.also_paid.push(self.pool.clone());
            self.also_paid.extend(self.any_person("chain/coinbase", choices));
        }
    }

    fn any_person(&self, actor: &str, choices: &mut Choices) -> Option<ScriptBuf> {
        let place = choices.below(actor, u64::try_from(self.people.len()).unwrap_or(1));
        self.people.get(usize::try_from(place).ok()?).cloned()
    }

    /// Whether a block has a division of the pool, which returns everything to the pool in several outputs.
    fn divides_pool(&self, block: BlockHash) -> bool {
        let is_division = |transaction: &Transaction| {
            let outputs = transaction.output.iter();
            let mut paid = outputs.filter(|output| !output.script_pubkey.is_op_return());
            transaction.output.len() > 2 && paid.all(|output| output.script_pubkey == self.pool)
        };
        self.tree.block(&block).is_some_and(|block| block.txdata.iter().any(is_division))
    }

    /// The funder pays each of these scripts the same number of sats, in one transaction.
    pub fn give_all(&mut self, scripts: &[ScriptBuf], sats: u64, now: i64) -> Option<Txid> {
        let coin = self.funder.confirmed_coin(&self.miner)?;
        let rest = (self.funder.script().clone(), None);
        let payees = scripts.iter().map(|script| (script.clone(), Some(sats)));
        let payees: Vec<_> = payees.chain([rest]).collect();
        let rate = FeeRate::from_sat_per_kwu(self.level);
        let gift = self.funder.spend(&[coin], None, &payees, Fee::Rate(rate))?;
        self.relay(&gift, now);
        Some(gift.compute_txid())
    }

    /// The funder divides its coins into this many, in transactions of at most a thousand outputs.
    pub fn divide_coins(&mut self, count: usize, now: i64) {
        let script = self.funder.script().clone();
        for some in vec![script; count].chunks(1_000) {
            self.give_all(some, 20_000, now);
        }
    }

    /// The collector sends an inscription.
    pub fn give_inscription(&mut self, script: &ScriptBuf, now: i64) -> Option<Txid> {
        let inscribed = self.collector.confirmed_coin(&self.miner)?;
        let rate = FeeRate::from_sat_per_kwu(self.level / 2);
        let payees = [(script.clone(), None)];
        let gift = self.collector.spend(&[inscribed], None, &payees, Fee::Rate(rate))?;
        self.relay(&gift, now);
        let txid = gift.compute_txid();
        self.inscribed.insert(OutPoint { txid, vout: 0 });
        Some(txid)
    }

    fn frame(&mut self, now: i64) -> Frame {
        self.salt += 1_000;
        let chain = self.miner.chain();
        let time = seconds(now).max(chain.median_time(chain.height()) + 1);
        let mut payout = vec![self.funder.script().clone(); 3];
        payout.append(&mut self.also_paid);
        Frame { time, salt: self.salt, payout }
    }

    /// Mines a block, or replaces several.
    ///
    /// # Panics
    /// The model refuses its own block.
    pub fn mine(&mut self, now: i64, choices: &mut Choices) {
        let ChainMenu { reorganised, stays_behind, rates, empty, evicted, old_versions, .. } =
            self.menu;
        let event = choices.fault(
            "chain/block",
            &[
                (Event::Reorganised, reorganised),
                (Event::StaysBehind, stays_behind),
                (Event::Rates, rates),
                (Event::Empty, empty),
                (Event::Evicted, evicted),
                (Event::OldVersions, old_versions),
            ],
        );
        match event {
            Some(Event::StaysBehind) => self.keep_behind(choices),
            Some(Event::Rates) => {
                let times =
                    if self.level > LEVEL { 1 } else { choices.between("chain/rates", 2, 50) };
                self.level = LEVEL * times;
            }
            Some(Event::Evicted) => self.evict(choices),
            _ => {}
        }
        if let Some(left) = self.spike.checked_sub(1) {
            self.spike = left;
            if left == 0 {
                self.level = LEVEL;
            }
        }
        self.send_unasked(now, choices);
        let best = if matches!(event, Some(Event::Reorganised)) {
            self.reorganise(now, choices)
        } else {
            let most = if matches!(event, Some(Event::Empty)) { Weight::ZERO } else { MOST_WEIGHT };
            let extra = match event {
                Some(Event::OldVersions) => self.old_versions(choices),
                _ => Vec::new(),
            };
            self.next_block(now, most, &extra)
        };
        let behind = self.menu.behind_divisions;
        if self.divides_pool(best) && choices.fault("chain/division", &[((), behind)]).is_some() {
            self.ord.stays = self.ord.stays.max(1);
        }
        self.follow(best, now);
    }

    /// Mines a block without payments.
    ///
    /// # Panics
    /// The model refuses its own block.
    pub fn mine_empty(&mut self, now: i64) {
        let best = self.next_block(now, Weight::ZERO, &[]);
        self.follow(best, now);
    }

    /// Replaces the last blocks by one block more. Some of their transactions are missing from the new
    /// blocks, and the others are in another order.
    ///
    /// # Panics
    /// The model refuses its own blocks.
    pub fn replace_blocks(&mut self, depth: u32, dropped: BTreeSet<Txid>, now: i64) {
        let change = Rewrite { depth, more: 1, dropped, replaced: BTreeMap::new() };
        let (best, frame) = (self.tree.best(), self.frame(now));
        // Takes the last of the remaining transactions first.
        let mut shuffle = |bound: usize| bound.saturating_sub(1);
        let best = miner::rewrite(&mut self.tree, best, &change, &frame, &mut shuffle);
        self.follow(best.expect("a rewritten chain is valid"), now);
    }

    fn next_block(&mut self, now: i64, most: Weight, extra: &[Transaction]) -> BlockHash {
        let frame = self.frame(now);
        let lowest = FeeRate::from_sat_per_kwu(self.level / 8);
        let none = BTreeSet::new();
        let choice = miner::Choice { lowest, most, left_out: &none, extra };
        let block = miner::mine(&self.tree, &self.miner, &choice, &frame);
        self.tree.insert(block.expect("a block")).expect("a valid block")
    }

    fn follow(&mut self, best: BlockHash, now: i64) {
        self.tips.push(Tip { at: now, hash: best });
        let (tree, time) = (&self.tree, seconds(now));
        self.miner.follow(tree, best, time);
        let waiting = self.miner.mempool();
        self.unconfirmed_again.retain(|txid| waiting.contains_key(txid));
        self.truth.follow(tree, best);
        for server in &mut self.servers {
            match server.stays.checked_sub(1) {
                Some(left) => server.stays = left,
                None => {
                    server.node.follow(tree, best, time);
                }
            }
        }
        // ord's node never lags; only its index does.
        self.ord.node.follow(tree, best, time);
        match self.ord.stays.checked_sub(1) {
            Some(left) => self.ord.stays = left,
            None => {
                self.ord_index.follow(tree, best);
            }
        }
        self.gossip(now);
    }

    /// One of the servers, or ord, does not learn of the next blocks.
    fn keep_behind(&mut self, choices: &mut Choices) {
        let count = u64::try_from(self.servers.len()).unwrap_or(0);
        let which = choices.below("chain/behind", count + 1);
        let blocks = u32::try_from(choices.between("chain/behind", 1, 10)).unwrap_or(1);
        match self.servers.get_mut(usize::try_from(which).unwrap_or(0)) {
            Some(server) => server.stays = blocks,
            None => self.ord.stays = blocks.min(4),
        }
    }

    fn evict(&mut self, choices: &mut Choices) {
        let waiting: Vec<Txid> = self.miner.mempool().keys().copied().collect();
        let gone: Vec<Txid> =
            waiting.into_iter().filter(|_| choices.below("chain/evicted", 3) == 0).collect();
        for node in self.nodes() {
            node.forget(gone.clone());
        }
    }

    /// A random selection of the transactions that are in no block and in no mempool.
    fn old_versions(&self, choices: &mut Choices) -> Vec<Transaction> {
        let chain = self.miner.chain();
        let old = self.seen.iter().filter(|(txid, _)| chain.transaction(txid).is_none());
        let old = old.filter(|_| choices.below("chain/old", 2) == 0);
        old.map(|(_, transaction)| transaction.clone()).collect()
    }

    fn reorganise(&mut self, now: i64, choices: &mut Choices) -> BlockHash {
        let depth = u32::try_from(choices.between("chain/reorganised", 1, DEEPEST)).unwrap_or(1);
        let best = self.tree.best();
        let from = self.tree.below(best, depth).expect("the chain is longer");
        let up = self.tree.route(from, best).expect("both are known").up;
        let mut change =
            Rewrite { depth, more: 1, dropped: BTreeSet::new(), replaced: BTreeMap::new() };
        let blocks: Vec<_> = up.iter().filter_map(|hash| self.tree.block(hash)).cloned().collect();
        for transaction in blocks.iter().flat_map(|block| block.txdata.iter().skip(1)) {
            let txid = transaction.compute_txid();
            self.unconfirmed_again.insert(txid);
            let drawn = choices.below("chain/rewritten", 1_000);
            if self.gifts.contains(&txid) && drawn < self.menu.vanishing {
                // The funder takes a gift back.
                if let Some(other) = self.taken_back(transaction) {
                    change.replaced.insert(txid, other);
                }
            } else if drawn >= 900 {
                change.dropped.insert(txid);
            }
        }
        // Some servers notice it late.
        for server in 0..self.servers.len() {
            if choices.below("chain/notices", 3) == 0 {
                let blocks = choices.between("chain/notices", 1, 3);
                self.servers[server].stays = u32::try_from(blocks).unwrap_or(1);
            }
        }
        if choices.below("chain/notices", 3) == 0 {
            self.ord.stays = 2;
        }
        let frame = self.frame(now);
        let mut shuffle = |bound: usize| {
            let drawn = choices.below("chain/order", u64::try_from(bound).unwrap_or(1));
            usize::try_from(drawn).unwrap_or(0)
        };
        miner::rewrite(&mut self.tree, best, &change, &frame, &mut shuffle)
            .expect("a rewritten chain is valid")
    }

    fn taken_back(&self, gift: &Transaction) -> Option<Transaction> {
        let spent: OutPoint = gift.input.first()?.previous_output;
        let output = self.miner.chain().output(&spent)?.clone();
        let payees = [(self.funder.script().clone(), None)];
        let rate = FeeRate::from_sat_per_kwu(self.level);
        self.funder.spend(&[(spent, output)], None, &payees, Fee::Rate(rate))
    }

    /// From now on all servers agree, and fee rates are ordinary.
    pub fn heal(&mut self, now: i64) {
        (self.menu, self.level, self.spike) = (ChainMenu::default(), LEVEL, 0);
        for server in self.servers.iter_mut().chain([&mut self.ord]) {
            server.stays = 0;
        }
        let (tree, best, time) = (&self.tree, self.tree.best(), seconds(now));
        for server in &mut self.servers {
            server.node.follow(tree, best, time);
        }
        self.ord_index.follow(tree, best);
        self.gossip(now);
    }
}
