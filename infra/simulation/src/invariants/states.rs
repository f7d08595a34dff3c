//! S8 and S10: each change of a row is a transition of its state machine, and what is called final is seven
//! deep (custody rules 5 and 6).

use std::{collections::BTreeMap, str::FromStr};

use chain::{
    keys,
    mints::{Payout, VmTransaction},
    models::{
        mint::MintState,
        transaction::TransactionState,
        vm_transaction::{RefundState, VmState},
    },
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    history::DEEP,
    view::{View, entity},
};
use crate::aws::{
    dynamodb::{Change, text},
    expression::Row,
};

pub(super) fn check(view: &View) -> Vec<String> {
    let mut broken = Vec::new();
    for change in &view.changes {
        arrows(change, &mut broken);
        finality(view, change, &mut broken);
    }
    broken
}

/// How many rows of each kind reached each state, whether or not they stayed there.
pub(super) fn reached(view: &View) -> BTreeMap<String, u64> {
    let mut reached = BTreeMap::new();
    for change in &view.changes {
        let kind = match change.key.1.as_str() {
            "transaction" => {
                change.after.as_ref().and_then(|row| row["work"]["M"]["type"]["S"].as_str())
            }
            sk if sk.starts_with("vm#") => Some("vm"),
            "mint" => Some("mint"),
            _ => None,
        };
        let Some(kind) = kind else { continue };
        for name in ["state", "refundState"] {
            let of =
                |row: &Option<Row>| row.as_ref().and_then(|row| text(row, name)).map(str::to_owned);
            if let Some(after) =
                of(&change.after).filter(|after| of(&change.before).as_ref() != Some(after))
            {
                *reached.entry(format!("{kind} {after}")).or_default() += 1;
            }
        }
    }
    reached
}

fn state<S: DeserializeOwned>(row: Option<&Row>, name: &str) -> Option<S> {
    let text = text(row?, name)?;
    serde_json::from_value(Value::from(text)).ok()
}

fn moved<S: DeserializeOwned + PartialEq>(change: &Change, name: &str) -> Option<(S, S)> {
    let before = state(change.before.as_ref(), name)?;
    let after = state(change.after.as_ref(), name)?;
    (before != after).then_some((before, after))
}

/// S10.
fn arrows(change: &Change, broken: &mut Vec<String>) {
    let (pk, sk) = (change.key.0.as_str(), change.key.1.as_str());
    let mut refused = |what: String| broken.push(format!("S10: {pk}/{sk} went from {what}"));
    if sk == "transaction" {
        if let Some((before, after)) = moved::<TransactionState>(change, "state") {
            // The same transaction is issued again.
            let is_new = before == TransactionState::Expired && after == TransactionState::Unsigned;
            if !before.may_become(after) && !is_new {
                refused(format!("{before:?} to {after:?}"));
            }
        }
    } else if sk.starts_with("vm#") || sk == "vmDraft" {
        if let Some((before, after)) = moved::<VmState>(change, "state") {
            let is_new = before == VmState::Expired && after == VmState::Unsigned;
            if !before.may_become(after) && !is_new {
                refused(format!("{before:?} to {after:?}"));
            }
        }
        if let Some((before, after)) = moved::<RefundState>(change, "refundState")
            && !before.may_become(after)
        {
            refused(format!("refund {before:?} to {after:?}"));
        }
    } else if sk == "mint"
        && let Some((before, after)) = moved::<MintState>(change, "state")
        && !before.may_become(after)
    {
        refused(format!("{before:?} to {after:?}"));
    }
}

fn row_of<T: DeserializeOwned>(change: &Change) -> Option<(Option<T>, T)> {
    let after = change.after.as_ref().and_then(entity::<T>)?;
    Some((change.before.as_ref().and_then(entity::<T>), after))
}

/// S8.
fn finality(view: &View, change: &Change, broken: &mut Vec<String>) {
    let mut expect = |what: &str, txid: bitcoin::Txid| {
        let depth = view.history.depth(&view.chain, txid, change.at);
        if depth < DEEP {
            let key = &change.key;
            broken.push(format!("S8: {}/{}: {what}, but {txid} is {depth} deep", key.0, key.1));
        }
    };
    if change.key.1.starts_with("vm#")
        && let Some((before, after)) = row_of::<VmTransaction>(change)
    {
        let was = |holds: fn(&VmTransaction) -> bool| before.as_ref().is_some_and(holds);
        if after.is_final && !was(|row| row.is_final) {
            expect("final", after.txid);
        }
        if after.settlement.is_some() && !was(|row| row.settlement.is_some()) {
            expect("settled", after.txid);
        }
        let refunded = |row: &VmTransaction| row.refund_state == RefundState::Refunded;
        if let Some(refund) = after.refund_txid.filter(|_| refunded(&after) && !was(refunded)) {
            expect("refunded", refund);
        }
        let distributed = |row: &VmTransaction| row.state == VmState::Distributed;
        if distributed(&after) && !was(distributed) {
            // Its payout does not change any more.
            let payout = after.distribution_key().map(keys::payout);
            let row = payout.and_then(|key| {
                view.rows
                    .get(&(key.pk().to_owned(), key.sk().to_owned()))
                    .and_then(entity::<Payout>)
            });
            match row.and_then(|payout| payout.sent) {
                Some(sent) => expect("distributed", sent.txid),
                None => broken.push(format!("S8: {} is distributed by no payout", after.txid)),
            }
        }
    } else if change.key.1.starts_with("payout#")
        && let Some((before, after)) = row_of::<Payout>(change)
    {
        if after.is_final && !before.is_some_and(|before| before.is_final) {
            match after.sent {
                Some(sent) => expect("final", sent.txid),
                None => broken
                    .push(format!("S8: {}/{} is final, but not sent", change.key.0, change.key.1)),
            }
        }
    } else if change.key.1 == "transaction"
        && state::<TransactionState>(change.after.as_ref(), "state")
            == Some(TransactionState::Confirmed)
        && change.before.as_ref().is_some_and(|row| row.contains_key("watch"))
        && change.after.as_ref().is_some_and(|row| !row.contains_key("watch"))
        && let Some(txid) = change.key.0.strip_prefix("transaction#")
        && let Ok(txid) = bitcoin::Txid::from_str(txid)
    {
        expect("over", txid);
    }
}
