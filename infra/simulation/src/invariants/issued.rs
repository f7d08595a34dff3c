//! S1, S3, S5, S6, S7, S11 and S16: what the platform signs, sends and releases (custody rules 7, 8 and 10).

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine, prelude::BASE64_STANDARD};
use bitcoin::{
    EcdsaSighashType, OutPoint, Psbt, ScriptBuf, Txid, hashes::Hash, sighash::SighashCache,
};
use chain::{
    models::transaction::{TransactionState, Work},
    transactions::{FullTransaction as Whole, IssuedTransaction, TransactionBody},
};

use super::view::{View, entity};
use crate::aws::dynamodb::text;

/// The most that a transaction may cost: `FEE_CAP` of the settings.
pub(super) const FEE_CAP: u64 = 100_000;
/// Before a transaction is given up, one of its coins must have been gone for this many blocks, and this many
/// consecutive looks must have missed it.
const GONE: (u32, usize) = (144, 12);
/// Tolerance in blocks: ord's index, which decides when the time begins, lags by up to four, and an Esplora
/// server lags by up to ten.
const BEHIND: u32 = 14;

pub(super) fn check(view: &View) -> Vec<String> {
    let issued = FullTransaction::of(view);
    let mut broken = Vec::new();
    issued.confirmed_as_promised(view, &mut broken);
    issued.versions_conflict(&mut broken);
    issued.signed_with_held_coins(view, &mut broken);
    issued.sent_as_stored(view, &mut broken);
    issued.held_until_decided(view, &mut broken);
    issued.told_to_the_hub_once(view, &mut broken);
    broken
}

/// Every transaction that the service issued, as it was last stored.
pub(super) struct FullTransaction(pub(super) BTreeMap<Txid, Whole>);

/// The digests that signatures of a PSBT's inputs must cover.
fn digests(psbt: &str) -> Vec<[u8; 32]> {
    let bytes = BASE64_STANDARD.decode(psbt).expect("a stored PSBT is base64");
    let psbt = Psbt::deserialize(&bytes).expect("a stored PSBT is a PSBT");
    let mut cache = SighashCache::new(&psbt.unsigned_tx);
    let digest = |(index, input): (usize, &bitcoin::psbt::Input)| {
        let spent = input.witness_utxo.as_ref().expect("a stored PSBT has its spent outputs");
        let (value, all) = (spent.value, EcdsaSighashType::All);
        let digest = match &input.witness_script {
            Some(script) => cache.p2wsh_signature_hash(index, script, value, all).ok(),
            None => cache.p2wpkh_signature_hash(index, &spent.script_pubkey, value, all).ok(),
        };
        digest.expect("the input has a digest").to_byte_array()
    };
    psbt.inputs.iter().enumerate().map(digest).collect()
}

impl FullTransaction {
    pub(super) fn of(view: &View) -> Self {
        let (mut rows, mut bodies) = (BTreeMap::new(), BTreeMap::new());
        for change in &view.changes {
            let Some(after) = &change.after else { continue };
            match change.key.1.as_str() {
                "transaction" => {
                    rows.extend(entity(after).map(|row: IssuedTransaction| (row.txid, row)));
                }
                "body" => {
                    bodies.extend(entity(after).map(|body: TransactionBody| (body.txid, body)));
                }
                _ => {}
            }
        }
        let whole = rows.into_iter().map(|(txid, row)| {
            let body = bodies.remove(&txid).expect("an issued transaction has a body");
            (txid, Whole { row, body })
        });
        Self(whole.collect())
    }

    fn get(&self, txid: &str) -> Option<&Whole> {
        self.0.get(&txid.parse::<Txid>().ok()?)
    }

    /// S1 and S3: transactions in the chain do what was promised, and spend no inscription.
    fn confirmed_as_promised(&self, view: &View, broken: &mut Vec<String>) {
        let (chain, truth) = (view.chain.chain(), view.chain.truth());
        for (txid, Whole { row, body }) in &self.0 {
            let (Some(transaction), Some(_)) = (chain.transaction(txid), chain.block_of(txid))
            else {
                continue;
            };
            let spent = transaction.input.iter().map(|input| input.previous_output);
            if let Some(coin) = spent.clone().find(|coin| view.chain.was_inscribed(coin)) {
                broken.push(format!("S3: {txid} spends {coin}, which was inscribed"));
            }
            let value = |coin: OutPoint| chain.output(&coin).map_or(0, |it| it.value.to_sat());
            let held: u64 = spent.map(value).sum();
            let paid: u64 = transaction.output.iter().map(|output| output.value.to_sat()).sum();
            let fee = held.saturating_sub(paid);
            // In a payout, the fee may be a twelfth of the cap per recipient, and half of that per payment.
            let count = |of: usize| FEE_CAP.saturating_mul(u64::try_from(of).unwrap_or(u64::MAX));
            let cap = match row.work {
                Work::VmDistribution(_) => count(transaction.output.len()).div_euclid(12),
                Work::VmTransfer(_) => count(transaction.input.len()).div_euclid(24),
                Work::PoolSplit(_) => count(transaction.output.len().div_ceil(12)),
                _ => FEE_CAP,
            };
            if fee > cap || fee != body.promised.fee.to_sat() {
                broken.push(format!("S1: {txid} costs {fee} sats, promised {}", body.promised.fee));
            }
            for (vout, (output, promised)) in
                (0..).zip(transaction.output.iter().zip(&body.promised.flow(transaction).outputs))
            {
                let outpoint = OutPoint { txid: *txid, vout };
                let is_kept = output.script_pubkey == promised.script_pubkey
                    && output.value == promised.value;
                if !is_kept {
                    broken.push(format!("S1: {outpoint} is not what was promised"));
                }
                // The index keeps no runes of spent outputs.
                if chain.spender(&outpoint).is_some() {
                    continue;
                }
                let got: u128 =
                    truth.runes.balances(&outpoint).into_iter().flatten().map(|it| it.1).sum();
                let wanted: u128 = promised.runes.values().sum();
                if got != wanted {
                    broken.push(format!("S1: {outpoint} got {got} runes, promised {wanted}"));
                }
            }
        }
    }

    /// S5: two versions of one piece of work spend a coin in common.
    fn versions_conflict(&self, broken: &mut Vec<String>) {
        for (txid, Whole { row, body }) in &self.0 {
            for earlier in row.earlier.iter().filter_map(|txid| self.0.get(txid)) {
                let shares = earlier.body.inputs.iter().any(|coin| body.inputs.contains(coin));
                if !shares && earlier.row.state != TransactionState::Failed {
                    broken.push(format!(
                        "S5: {txid} and its earlier version {} can both confirm",
                        earlier.row.txid
                    ));
                }
            }
        }
    }

    /// S6: when KMS signs, the row is stored, and every input is held for that transaction.
    fn signed_with_held_coins(&self, view: &View, broken: &mut Vec<String>) {
        let mut wanted = BTreeMap::new();
        for whole in self.0.values() {
            wanted.extend(digests(&whole.body.psbt).into_iter().map(|digest| (digest, whole)));
        }
        let mut held: BTreeMap<&str, String> = BTreeMap::new();
        let mut changes = view.changes.iter().peekable();
        for signed in &view.signed {
            while let Some(change) = changes.next_if(|change| change.at <= signed.at) {
                if change.key.1 != "spend" {
                    continue;
                }
                match change.after.as_ref().and_then(|row| text(row, "txid")) {
                    Some(txid) => held.insert(&change.key.0, txid.to_owned()),
                    None => held.remove(change.key.0.as_str()),
                };
            }
            let Some(Whole { row, body }) = wanted.get(&signed.digest) else {
                let asked = signed.invocation;
                broken.push(format!("S6: #{asked} had KMS sign what no stored transaction wants"));
                continue;
            };
            let txid = row.txid.to_string();
            let is_held = |coin| held.get(format!("spend#{coin}").as_str()) == Some(&txid);
            // A version that was replaced leaves its coins to its successor.
            let heirs = |coin| {
                let holder = held.get(format!("spend#{coin}").as_str());
                let holder = holder.and_then(|txid| self.get(txid));
                holder.is_some_and(|holder| holder.row.earlier.contains(&row.txid))
            };
            if let Some(coin) = body.inputs.iter().find(|coin| !is_held(**coin) && !heirs(**coin)) {
                let asked = signed.invocation;
                broken.push(format!(
                    "S6: #{asked} had KMS sign {txid} while {coin} was not held for it"
                ));
            }
        }
    }

    /// S7: a transaction is stored before it is sent.
    fn sent_as_stored(&self, view: &View, broken: &mut Vec<String>) {
        let mut stored: BTreeSet<&str> = BTreeSet::new();
        let mut changes = view.changes.iter().peekable();
        for sent in view.chain.broadcasts() {
            while let Some(change) = changes.next_if(|change| change.at <= sent.at) {
                stored.extend(change.after.as_ref().and_then(|row| text(row, "raw")));
            }
            if !stored.contains(sent.raw.as_str()) {
                broken.push(format!(
                    "S7: #{} sent what was not stored: {}",
                    sent.invocation, sent.raw
                ));
            }
        }
    }

    /// S11: a coin is released only once its transaction can never confirm: another transaction that spends
    /// one of its coins is seven deep, or one of its coins has been gone for a day of blocks and no look has
    /// found it.
    fn held_until_decided(&self, view: &View, broken: &mut Vec<String>) {
        for change in view.changes.iter().filter(|change| change.key.1 == "spend") {
            let Some(before) = change.before.as_ref().and_then(|row| text(row, "txid")) else {
                continue;
            };
            let after = change.after.as_ref().and_then(|row| text(row, "txid"));
            let Some(Whole { row, body }) = self.get(before) else { continue };
            let next = after.and_then(|txid| self.get(txid));
            // It passes to the next version, which conflicts with it, or back to an earlier one.
            let is_version = next.is_some_and(|Whole { row: next, .. }| {
                next.txid == row.txid
                    || next.earlier.contains(&row.txid)
                    || row.earlier.contains(&next.txid)
            });
            if is_version {
                continue;
            }
            let is_lost = body.inputs.iter().any(|coin| {
                view.history.is_spent_deep(&view.chain, coin.0, row.txid, change.at)
                    || is_gone(view, before, coin.0.txid, change.at)
            });
            if !is_lost {
                broken.push(format!(
                    "S11: {} was let go of while {before} could confirm",
                    change.key.0
                ));
            }
        }
    }
}

impl FullTransaction {
    /// S16: the hub receives each withdrawal under one txid, whichever of its versions confirmed.
    fn told_to_the_hub_once(&self, view: &View, broken: &mut Vec<String>) {
        let mut withdrawals: BTreeMap<Txid, (u32, bool)> = BTreeMap::new();
        for (txid, Whole { row, .. }) in &self.0 {
            if !matches!(row.work, Work::XchainWithdraw(_)) {
                continue;
            }
            let first = row.earlier.first().copied().unwrap_or(*txid);
            let (told, is_paid) = withdrawals.entry(first).or_default();
            *told += u32::from(view.told_hub.contains(&txid.to_string()));
            *is_paid |= view.chain.chain().block_of(txid).is_some();
        }
        for (first, (told, is_paid)) in withdrawals {
            if told > 1 || (is_paid && view.has_healed && told == 0) {
                broken
                    .push(format!("S16: the hub was told {told} times of the withdrawal {first}"));
            }
        }
    }
}

/// Whether a transaction that created a coin of another one has been gone for long enough, and was missed by
/// enough looks.
fn is_gone(view: &View, spender: &str, parent: Txid, at: i64) -> bool {
    let (blocks, looks) = GONE;
    view.history.gone_for(&view.chain, parent, at) + BEHIND >= blocks
        && looks_that_missed(view, spender, parent, at) >= looks
}

/// The consecutive looks at a transaction that noted a lost coin. Before each of them, a server must have
/// answered that the transaction which created the coin is unknown.
fn looks_that_missed(view: &View, spender: &str, parent: Txid, at: i64) -> usize {
    let changes = view.changes.iter().take_while(|change| change.at <= at);
    let changes = changes.filter(|change| change.key.1 == "transaction");
    let (mut looks, mut last) = (0, i64::MIN);
    for change in changes {
        let Some(row) = change.after.as_ref().filter(|row| text(row, "txid") == Some(spender))
        else {
            continue;
        };
        if !row.contains_key("orphaned") {
            looks = 0;
            continue;
        }
        let mut missed = view.chain.missed(parent).iter();
        let is_told = missed.any(|missed| {
            Some(missed.invocation) == change.by && missed.at > last && missed.at <= change.at
        });
        if is_told {
            (looks, last) = (looks + 1, change.at);
        }
    }
    looks
}

/// The script of an address of the platform.
pub(super) fn script_of(address: &str) -> ScriptBuf {
    let address: bitcoin::Address<bitcoin::address::NetworkUnchecked> =
        address.parse().expect("a stored address is one");
    address.assume_checked().script_pubkey()
}
