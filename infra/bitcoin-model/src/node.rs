//! A node: the chain that it follows, and its mempool.

use std::collections::{BTreeMap, BTreeSet};

use bitcoin::{
    Amount, Block, BlockHash, FeeRate, OutPoint, Transaction, Txid, Weight, Wtxid,
    consensus::encode::deserialize_hex,
};

use crate::{
    chain::Chain,
    consensus::{self, Invalid, Spendable, spendable},
    diagram::{self, Chunk, Item},
    policy::{self, InsufficientFee, Policy, Refusal, Relatives},
    tree::Tree,
};

/// How many transactions (Bitcoin Core 30) or clusters (31) one transaction may replace (BIP 125, rule 5).
const MOST_REPLACED: usize = 100;
/// Seconds in which the fee floor halves after the mempool was full.
const HALF_LIFE: u32 = 12 * 3_600;
/// A second child of at most this many virtual bytes may exceed the descendant limits (the CPFP carve-out).
const CARVE_OUT: u64 = 10_000;
/// Highest fee that the node's RPC accepts: 0.1 BTC for 1,000 virtual bytes.
const HIGHEST: FeeRate = FeeRate::from_sat_per_kwu(2_500_000);

/// A transaction in the mempool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its fee.
    pub fee: Amount,
    /// The weight that the fee is paid for.
    pub weight: Weight,
    /// When it arrived, in seconds since the epoch.
    pub since: u32,
}

/// What the mempool would do with a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The transaction's fee.
    pub fee: Amount,
    /// The weight that the fee is paid for.
    pub weight: Weight,
    /// The transactions that it replaces, with their descendants.
    pub replaced: BTreeSet<Txid>,
}

/// Where a transaction comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Sender,
    /// A disconnected block; the fee limits do not apply.
    Block,
}

/// Why the RPC method `sendrawtransaction` fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The text is not a transaction.
    #[error("TX decode failed. Make sure the tx has at least one input.")]
    Undecodable,
    /// An output with `OP_RETURN` has a value.
    #[error("Unspendable output exceeds maximum configured by user (maxburnamount)")]
    Burns,
    /// A block contains it.
    #[error("Transaction outputs already in utxo set")]
    InBlock,
    /// Its fee is so high that it is likely a mistake.
    #[error("Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)")]
    HighFee,
    /// The mempool refuses it.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl SendError {
    /// Error code of the node's RPC.
    pub fn code(&self) -> i32 {
        match self {
            Self::Undecodable => -22,
            Self::Burns | Self::HighFee => -25,
            Self::InBlock => -27,
            Self::Refused(refusal) => refusal.code(),
        }
    }
}

/// A node. It sees the blocks that it is made to follow, and the transactions that it is given.
#[derive(Clone, Debug)]
pub struct Node {
    policy: Policy,
    chain: Chain,
    entries: BTreeMap<Txid, Entry>,
    /// The lowest fee rate accepted after evictions, and the time from which it falls.
    floor: FeeRate,
    floor_since: u32,
    /// Transactions whose scripts are known to succeed.
    checked: BTreeSet<Wtxid>,
}

impl Node {
    /// A node that knows only the genesis block.
    pub fn new(tree: &Tree, policy: Policy) -> Self {
        let mut chain = Chain::default();
        if let Some(block) = tree.block(&tree.genesis()) {
            chain.push(block.clone());
        }
        Self {
            policy,
            chain,
            entries: BTreeMap::new(),
            floor: FeeRate::ZERO,
            floor_since: 0,
            checked: BTreeSet::new(),
        }
    }

    /// Its chain, with the mempool on top.
    pub fn chain(&self) -> &Chain {
        &self.chain
    }

    /// Its settings.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The newest block.
    pub fn tip(&self) -> Option<BlockHash> {
        self.chain.tip().map(|(_, link)| link.hash)
    }

    /// The transactions in its mempool.
    pub fn mempool(&self) -> &BTreeMap<Txid, Entry> {
        &self.entries
    }

    /// The lowest rate that enters the mempool.
    pub fn lowest_rate(&self) -> FeeRate {
        self.floor.max(self.policy.min_relay)
    }

    /// The mempool in the order in which a miner takes it.
    pub fn chunks(&self) -> Vec<Chunk> {
        diagram::chunks(&self.items(self.entries.keys().copied()))
    }

    fn items(&self, txids: impl IntoIterator<Item = Txid>) -> BTreeMap<Txid, Item> {
        txids.into_iter().filter_map(|txid| Some((txid, self.item(&txid)?))).collect()
    }

    fn item(&self, txid: &Txid) -> Option<Item> {
        let (entry, transaction) = (self.entries.get(txid)?, self.chain.transaction(txid)?);
        let (fee, weight) = (entry.fee.to_sat(), entry.weight.to_wu());
        Some(Item { fee, weight, parents: self.parents(transaction) })
    }

    /// The parents of a transaction that are in the mempool.
    pub fn parents(&self, transaction: &Transaction) -> BTreeSet<Txid> {
        let spent = transaction.input.iter().map(|input| input.previous_output.txid);
        spent.filter(|txid| self.entries.contains_key(txid)).collect()
    }

    fn children(&self, txid: Txid, outputs: usize) -> impl Iterator<Item = Txid> + '_ {
        let outpoints = (0..).take(outputs).map(move |vout| OutPoint { txid, vout });
        outpoints
            .filter_map(|outpoint| self.chain.spender(&outpoint))
            .map(|(by, _)| by)
            .filter(|by| self.entries.contains_key(by))
    }

    fn children_of(&self, txid: &Txid) -> Vec<Txid> {
        let outputs = self.chain.transaction(txid).map_or(0, |one| one.output.len());
        self.children(*txid, outputs).collect()
    }

    /// Transactions of the mempool, and all that can be reached from them through `next`.
    fn reach(
        &self,
        from: impl IntoIterator<Item = Txid>,
        next: impl Fn(&Txid) -> Vec<Txid>,
    ) -> BTreeSet<Txid> {
        let (mut open, mut found): (Vec<Txid>, _) = (from.into_iter().collect(), BTreeSet::new());
        while let Some(txid) = open.pop() {
            if self.entries.contains_key(&txid) && found.insert(txid) {
                open.extend(next(&txid));
            }
        }
        found
    }

    fn parents_of(&self, txid: &Txid) -> Vec<Txid> {
        let transaction = self.chain.transaction(txid);
        transaction.map(|one| self.parents(one)).into_iter().flatten().collect()
    }

    /// Transactions of the mempool, and their descendants.
    pub fn descendants(&self, from: impl IntoIterator<Item = Txid>) -> BTreeSet<Txid> {
        self.reach(from, |txid| self.children_of(txid))
    }

    /// Transactions of the mempool, and their ancestors.
    pub fn ancestors(&self, from: impl IntoIterator<Item = Txid>) -> BTreeSet<Txid> {
        self.reach(from, |txid| self.parents_of(txid))
    }

    fn cluster(&self, from: impl IntoIterator<Item = Txid>) -> BTreeSet<Txid> {
        self.reach(from, |txid| {
            let mut next = self.parents_of(txid);
            next.extend(self.children_of(txid));
            next
        })
    }

    /// Whether the mempool would accept a transaction.
    pub fn check(&self, transaction: &Transaction) -> Result<Verdict, Refusal> {
        self.check_from(Origin::Sender, transaction)
    }

    fn check_from(&self, origin: Origin, transaction: &Transaction) -> Result<Verdict, Refusal> {
        consensus::check_form(transaction)?;
        if transaction.is_coinbase() {
            return Err(Refusal::Coinbase);
        }
        policy::check_form(&self.policy, transaction)?;
        if !consensus::is_final(&self.chain, transaction) {
            return Err(Invalid::NotFinal.into());
        }
        let (txid, wtxid) = (transaction.compute_txid(), transaction.compute_wtxid());
        if self.entries.contains_key(&txid) {
            let known = self.chain.transaction(&txid).map(Transaction::compute_wtxid);
            let is_same = known == Some(wtxid);
            return Err(if is_same { Refusal::InMempool } else { Refusal::OtherWitness });
        }
        let spent = self.spent_by(transaction)?;
        if !consensus::is_unlocked(&self.chain, transaction, &spent) {
            return Err(Invalid::SequenceLocked.into());
        }
        let fee = consensus::check_inputs(&self.chain, transaction, &spent)?;
        policy::check_inputs(transaction, &spent)?;
        let weight = policy::weigh(transaction, &spent)?;
        if fee > Amount::ZERO && transaction.output.iter().any(policy::is_dust) {
            return Err(Refusal::Dust);
        }
        if origin == Origin::Sender {
            self.check_rate(fee, weight)?;
        }
        let conflicts = self.conflicts(transaction);
        let replaced = self.descendants(conflicts.iter().copied());
        let parents = self.parents(transaction);
        let item = Item { fee: fee.to_sat(), weight: weight.to_wu(), parents };
        match self.policy.relatives {
            Relatives::Families { count, vbytes } => {
                self.check_family(&item, &replaced, (count, vbytes))?;
                if !self.ancestors(item.parents.iter().copied()).is_disjoint(&conflicts) {
                    return Err(Refusal::SpendsConflict);
                }
                if !conflicts.is_empty() {
                    self.check_rates(&item, &conflicts)?;
                    if replaced.len() > MOST_REPLACED {
                        return Err(Refusal::TooManyReplaced);
                    }
                    self.check_unconfirmed(&item, &conflicts)?;
                    self.check_fees(&item, &replaced)?;
                }
            }
            Relatives::Clusters { count, vbytes } => {
                if !conflicts.is_empty() {
                    let clusters = self.items(self.cluster(conflicts.iter().copied()));
                    if diagram::clusters(&clusters).len() > MOST_REPLACED {
                        return Err(Refusal::TooManyReplaced);
                    }
                    self.check_fees(&item, &replaced)?;
                }
                self.check_cluster(txid, &item, &conflicts, &replaced, (count, vbytes))?;
                if !self.ancestors(item.parents.iter().copied()).is_disjoint(&conflicts) {
                    return Err(Refusal::SpendsConflict);
                }
            }
        }
        if origin == Origin::Sender && self.leaves_dust(transaction) {
            return Err(Refusal::LeavesDust);
        }
        policy::check_signatures(transaction, &spent)?;
        if !self.checked.contains(&wtxid) {
            consensus::run_scripts(transaction, &spent)?;
        }
        Ok(Verdict { fee, weight, replaced })
    }

    fn spent_by(&self, transaction: &Transaction) -> Result<Vec<Spendable>, Refusal> {
        let spent =
            transaction.input.iter().map(|input| spendable(&self.chain, &input.previous_output));
        spent.collect::<Option<_>>().ok_or_else(|| {
            let is_known = self.is_in_block(transaction);
            if is_known { Refusal::AlreadyKnown } else { Invalid::MissingInputs.into() }
        })
    }

    /// Whether a block contains the transaction and at least one of its outputs is unspent.
    fn is_in_block(&self, transaction: &Transaction) -> bool {
        let txid = transaction.compute_txid();
        let mut outpoints = (0..).zip(&transaction.output).map(|(vout, _)| OutPoint { txid, vout });
        self.chain.block_of(&txid).is_some()
            && outpoints.any(|outpoint| self.chain.unspent_output(&outpoint).is_some())
    }

    /// Whether an unconfirmed parent has an output of dust that the transaction does not spend.
    fn leaves_dust(&self, transaction: &Transaction) -> bool {
        let spends = |outpoint: &OutPoint| {
            transaction.input.iter().any(|input| input.previous_output == *outpoint)
        };
        self.parents(transaction).into_iter().any(|txid| {
            let outputs = self.chain.transaction(&txid).into_iter().flat_map(|one| &one.output);
            let mut outputs = (0..).zip(outputs);
            outputs
                .any(|(vout, output)| policy::is_dust(output) && !spends(&OutPoint { txid, vout }))
        })
    }

    fn check_rate(&self, fee: Amount, weight: Weight) -> Result<(), Refusal> {
        let (paid, vbytes) = (fee.to_sat(), weight.to_vbytes_ceil());
        let wanted = |rate: FeeRate| rate.fee_vb(vbytes).unwrap_or(Amount::MAX).to_sat();
        let (floor, minimum) = (wanted(self.floor), wanted(self.policy.min_relay));
        if paid < floor {
            return Err(Refusal::BelowFloor { paid, wanted: floor });
        }
        if paid < minimum {
            return Err(Refusal::BelowMinimum { paid, wanted: minimum });
        }
        Ok(())
    }

    /// The transactions of the mempool that spend the same outputs.
    fn conflicts(&self, transaction: &Transaction) -> BTreeSet<Txid> {
        let spenders = transaction
            .input
            .iter()
            .filter_map(|input| self.chain.spender(&input.previous_output).map(|(by, _)| by));
        spenders.filter(|by| self.entries.contains_key(by)).collect()
    }

    /// Rules 3 and 4: a replacement pays all that it replaces, and for its own size.
    fn check_fees(&self, item: &Item, replaced: &BTreeSet<Txid>) -> Result<(), Refusal> {
        let fees = replaced.iter().filter_map(|txid| self.entries.get(txid));
        let fees = fees.map(|entry| entry.fee.to_sat()).fold(0, u64::saturating_add);
        let (paid, replaced) = (Amount::from_sat(item.fee), Amount::from_sat(fees));
        let less = InsufficientFee::Less { paid, replaced };
        let more = paid.checked_sub(replaced).ok_or(Refusal::InsufficientFee(less))?;
        let vbytes = Weight::from_wu(item.weight).to_vbytes_ceil();
        let wanted = self.policy.incremental.fee_vb(vbytes).unwrap_or(Amount::MAX);
        let too_little = InsufficientFee::NotEnoughMore { more, wanted };
        if more < wanted { Err(Refusal::InsufficientFee(too_little)) } else { Ok(()) }
    }

    /// Rule 6, until Bitcoin Core 30: a higher rate than each direct conflict.
    fn check_rates(&self, item: &Item, conflicts: &BTreeSet<Txid>) -> Result<(), Refusal> {
        let chunk =
            |fee, weight: Weight| Chunk { fee, weight: weight.to_vbytes_ceil(), txids: Vec::new() };
        let new = chunk(item.fee, Weight::from_wu(item.weight));
        for txid in conflicts {
            let Some(entry) = self.entries.get(txid) else { continue };
            if !new.is_better_than(&chunk(entry.fee.to_sat(), entry.weight)) {
                return Err(Refusal::InsufficientFee(InsufficientFee::Rate(*txid)));
            }
        }
        Ok(())
    }

    /// Rule 2, until Bitcoin Core 30: every unconfirmed parent is also a parent of a direct conflict.
    fn check_unconfirmed(&self, item: &Item, conflicts: &BTreeSet<Txid>) -> Result<(), Refusal> {
        let mut known = BTreeSet::new();
        for txid in conflicts {
            known.extend(self.parents_of(txid));
        }
        if item.parents.is_subset(&known) { Ok(()) } else { Err(Refusal::AddsUnconfirmed) }
    }

    fn size(&self, txids: &BTreeSet<Txid>) -> u64 {
        let entries = txids.iter().filter_map(|txid| self.entries.get(txid));
        let sizes = entries.map(|entry| entry.weight.to_vbytes_ceil());
        sizes.fold(0, u64::saturating_add)
    }

    fn check_family(
        &self,
        item: &Item,
        replaced: &BTreeSet<Txid>,
        (count, vbytes): (usize, u64),
    ) -> Result<(), Refusal> {
        let own = Weight::from_wu(item.weight).to_vbytes_ceil();
        let fits = |relatives: &BTreeSet<Txid>, count: usize, vbytes: u64| {
            relatives.len() < count && self.size(relatives).saturating_add(own) <= vbytes
        };
        let ancestors = self.ancestors(item.parents.iter().copied());
        let is_second_child = ancestors.len() <= 1 && own <= CARVE_OUT;
        let (most, largest) = if is_second_child {
            (count.saturating_add(1), vbytes.saturating_add(CARVE_OUT))
        } else {
            (count, vbytes)
        };
        let is_roomy = |ancestor: &Txid| {
            let mut descendants = self.descendants([*ancestor]);
            descendants.retain(|txid| !replaced.contains(txid));
            fits(&descendants, most, largest)
        };
        let is_short = fits(&ancestors, count, vbytes) && ancestors.iter().all(is_roomy);
        if is_short { Ok(()) } else { Err(Refusal::LongChain) }
    }

    /// Checks the limits of the cluster and, for a replacement, that the fee-rate diagram of all changed clusters
    /// improves.
    fn check_cluster(
        &self,
        txid: Txid,
        item: &Item,
        conflicts: &BTreeSet<Txid>,
        replaced: &BTreeSet<Txid>,
        (count, vbytes): (usize, u64),
    ) -> Result<(), Refusal> {
        let from = conflicts.iter().chain(&item.parents).copied();
        let before = self.items(self.cluster(from));
        let mut after = before.clone();
        after.retain(|other, _| !replaced.contains(other));
        after.insert(txid, item.clone());
        let children = diagram::children_of(&after);
        let own = diagram::cluster_of(&after, &children, [txid]);
        let weights = own.iter().filter_map(|other| after.get(other)).map(|item| item.weight);
        let weight = weights.fold(0, u64::saturating_add);
        if own.len() > count || weight > vbytes.saturating_mul(Weight::WITNESS_SCALE_FACTOR) {
            return Err(Refusal::LargeCluster);
        }
        let is_better = conflicts.is_empty()
            || diagram::is_improved(&diagram::chunks(&before), &diagram::chunks(&after));
        if is_better { Ok(()) } else { Err(Refusal::NoBetterDiagram) }
    }

    /// Puts a transaction into the mempool. Returns the transactions that it replaces.
    ///
    /// # Errors
    /// [`Refusal::Full`] if the mempool drops it again to stay within its size; otherwise as [`Self::check`].
    pub fn accept(
        &mut self,
        transaction: Transaction,
        now: u32,
    ) -> Result<BTreeSet<Txid>, Refusal> {
        let txid = transaction.compute_txid();
        let replaced = self.accept_from(Origin::Sender, transaction, now)?;
        self.shrink(now);
        if self.entries.contains_key(&txid) { Ok(replaced) } else { Err(Refusal::Full) }
    }

    fn accept_from(
        &mut self,
        origin: Origin,
        transaction: Transaction,
        now: u32,
    ) -> Result<BTreeSet<Txid>, Refusal> {
        let Verdict { fee, weight, replaced } = self.check_from(origin, &transaction)?;
        self.remove(&replaced);
        let txid = transaction.compute_txid();
        self.checked.insert(transaction.compute_wtxid());
        self.entries.insert(txid, Entry { fee, weight, since: now });
        self.chain.add_waiting(transaction);
        Ok(replaced)
    }

    /// What the RPC method `sendrawtransaction` would do: the transaction, and whether it is new.
    pub fn decode_and_check(&self, text: &str) -> Result<(Transaction, bool), SendError> {
        let transaction: Transaction =
            deserialize_hex(text.trim()).map_err(|_| SendError::Undecodable)?;
        if transaction.input.is_empty() {
            return Err(SendError::Undecodable);
        }
        let burns = |output: &bitcoin::TxOut| {
            output.script_pubkey.is_op_return() && output.value > Amount::ZERO
        };
        if transaction.output.iter().any(burns) {
            return Err(SendError::Burns);
        }
        if self.is_in_block(&transaction) {
            return Err(SendError::InBlock);
        }
        if self.entries.contains_key(&transaction.compute_txid()) {
            return Ok((transaction, false));
        }
        let verdict = self.check(&transaction)?;
        let vbytes = u64::try_from(transaction.vsize()).unwrap_or(u64::MAX);
        if HIGHEST.fee_vb(vbytes).is_some_and(|most| verdict.fee > most) {
            return Err(SendError::HighFee);
        }
        Ok((transaction, true))
    }

    fn remove(&mut self, txids: &BTreeSet<Txid>) {
        for txid in txids {
            self.entries.remove(txid);
            self.chain.remove_waiting(txid);
        }
    }

    /// Removes transactions and their descendants from the mempool, as if they had never arrived.
    pub fn forget(&mut self, txids: impl IntoIterator<Item = Txid>) -> BTreeSet<Txid> {
        let gone = self.descendants(txids);
        self.remove(&gone);
        gone
    }

    /// Removes transactions that arrived before a time.
    pub fn expire(&mut self, before: u32) -> BTreeSet<Txid> {
        let old = self.entries.iter().filter(|(_, entry)| entry.since < before);
        let old: Vec<Txid> = old.map(|(txid, _)| *txid).collect();
        self.forget(old)
    }

    /// Acts as if the mempool were full: evicts transactions below a fee rate, and refuses new ones below it. The
    /// rate halves every 12 hours.
    pub fn raise_floor(&mut self, rate: FeeRate, now: u32) -> BTreeSet<Txid> {
        let mut gone = BTreeSet::new();
        for chunk in self.chunks() {
            let fee = rate.fee_wu(Weight::from_wu(chunk.weight)).unwrap_or(Amount::MAX);
            if chunk.fee < fee.to_sat() {
                gone.extend(chunk.txids);
            }
        }
        let gone = self.forget(gone);
        (self.floor, self.floor_since) = (self.floor.max(rate), now);
        gone
    }

    /// Evicts the worst chunks until the rest fits.
    fn shrink(&mut self, now: u32) {
        while self.size(&self.entries.keys().copied().collect()) > self.policy.capacity {
            let Some(worst) = self.chunks().pop() else { break };
            let rate = worst.fee.saturating_mul(1_000).checked_div(worst.weight).unwrap_or(0);
            let rate = rate.saturating_add(self.policy.incremental.to_sat_per_kwu());
            self.forget(worst.txids);
            self.floor = self.floor.max(FeeRate::from_sat_per_kwu(rate));
            self.floor_since = now;
        }
    }

    /// Lets the floor fall with time.
    fn lower_floor(&mut self, now: u32) {
        let passed = now.saturating_sub(self.floor_since);
        let halvings = passed / HALF_LIFE;
        let rest = u64::from(passed % HALF_LIFE);
        let rate = self.floor.to_sat_per_kwu().checked_shr(halvings).unwrap_or(0);
        let twice = u64::from(HALF_LIFE).saturating_mul(2);
        let part = rate.saturating_mul(rest).checked_div(twice).unwrap_or_default();
        let rate = rate.saturating_sub(part);
        let is_over = rate < self.policy.incremental.to_sat_per_kwu() / 2;
        self.floor = FeeRate::from_sat_per_kwu(if is_over { 0 } else { rate });
        self.floor_since = now.max(self.floor_since);
    }

    /// Switches to another tip. Transactions of the disconnected blocks return to the mempool if they are still
    /// valid. Returns whether the tree has both tips; otherwise nothing changes.
    pub fn follow(&mut self, tree: &Tree, tip: BlockHash, now: u32) -> bool {
        let Some(route) = self.tip().and_then(|from| tree.route(from, tip)) else { return false };
        let mut taken_back: Vec<Transaction> = Vec::new();
        for block in route.down.iter().rev().filter_map(|hash| tree.block(hash)) {
            taken_back.extend(block.txdata.iter().cloned());
        }
        for _block in &route.down {
            self.chain.pop();
        }
        for block in route.up.iter().filter_map(|hash| tree.block(hash)) {
            self.connect(block);
        }
        for transaction in taken_back {
            let txid = transaction.compute_txid();
            if self.chain.block_of(&txid).is_some() {
                continue;
            }
            let outputs = transaction.output.len();
            if self.accept_from(Origin::Block, transaction, now).is_err() {
                let children: Vec<Txid> = self.children(txid, outputs).collect();
                self.forget(children);
            }
        }
        if !route.down.is_empty() {
            self.sweep();
        }
        if !route.up.is_empty() {
            self.lower_floor(now);
        }
        self.expire(now.saturating_sub(self.policy.expiry));
        self.shrink(now);
        true
    }

    fn connect(&mut self, block: &Block) {
        for transaction in &block.txdata {
            let txid = transaction.compute_txid();
            self.entries.remove(&txid);
            let conflicts = self.conflicts(transaction);
            self.forget(conflicts);
        }
        self.chain.push(block.clone());
    }

    /// Removes transactions that the next block can no longer contain.
    fn sweep(&mut self) {
        let is_impossible = |txid: &Txid| {
            let Some(transaction) = self.chain.transaction(txid) else { return true };
            let spent = transaction.input.iter();
            let spent = spent.map(|input| spendable(&self.chain, &input.previous_output));
            let Some(spent) = spent.collect::<Option<Vec<_>>>() else { return true };
            !consensus::is_final(&self.chain, transaction)
                || !consensus::is_unlocked(&self.chain, transaction, &spent)
                || consensus::check_inputs(&self.chain, transaction, &spent).is_err()
        };
        let gone: Vec<Txid> =
            self.entries.keys().filter(|txid| is_impossible(txid)).copied().collect();
        self.forget(gone);
    }
}
