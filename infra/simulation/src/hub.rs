//! The hub: it learns of swaps late or never, and its answers may be wrong.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    choice::Choices,
    wire::{Arrived, Host, Reply},
};

const STEPS: [&str; 5] = ["pending", "relaying", "relayed", "solving", "filled"];

#[derive(Clone, Debug)]
struct Intent {
    swap: Value,
    known_at: i64,
    /// How long it stays at each step, in ms.
    pace: i64,
}

#[derive(Clone, Debug)]
struct Withdrawal {
    data: Value,
    /// When its intent is created.
    intent_at: i64,
}

/// The hub.
#[derive(Debug, Default)]
pub struct Hub {
    intents: BTreeMap<String, Intent>,
    withdrawals: BTreeMap<String, Withdrawal>,
    /// Per mille of its answers that contradict earlier ones or go back.
    pub fickle: u64,
}

impl Hub {
    /// A hub that knows no swap; `fickle` of 1,000 answers contradict others.
    pub fn new(fickle: u64) -> Self {
        Self { fickle, ..Self::default() }
    }

    /// A swap begins at the hub, which learns of it at `known_at`.
    pub fn begin(&mut self, swap: &Value, known_at: i64, pace: i64) {
        let hash = swap["intentTxHash"].as_str().unwrap_or_default().to_owned();
        self.intents.insert(hash, Intent { swap: swap.clone(), known_at, pace });
    }

    /// The service submits a withdrawal, perhaps repeatedly: it gets one intent.
    fn submit(&mut self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        let told: Value = serde_json::from_slice(&arrived.body).expect("a withdrawal is JSON");
        let txid = told["txId"].as_str().unwrap_or_default().to_owned();
        let known = self.withdrawals.entry(txid.clone()).or_insert_with(|| {
            let wait = i64::try_from(choices.below("hub/intent", 300_000)).unwrap_or(0);
            Withdrawal { data: told["xchainData"].clone(), intent_at: arrived.at + wait }
        });
        if known.data != told["xchainData"] {
            return Reply::json(StatusCode::CONFLICT, &json!({}));
        }
        let intent = format!("0x{}", hex::encode(Sha256::digest(&txid)));
        if arrived.at < known.intent_at {
            let body = json!({ "txId": txid, "intentTxHash": null });
            return Reply::json(StatusCode::OK, &body);
        }
        let pace = i64::try_from(choices.below("hub/pace", 120_000)).unwrap_or(0);
        let begun = Intent { swap: Value::Null, known_at: known.intent_at, pace };
        self.intents.entry(intent.clone()).or_insert(begun);
        Reply::json(StatusCode::OK, &json!({ "txId": txid, "intentTxHash": intent }))
    }

    /// The withdrawals that the hub received.
    pub fn withdrawals(&self) -> impl Iterator<Item = &str> {
        self.withdrawals.keys().map(String::as_str)
    }
}

impl Host for Hub {
    fn handle(&mut self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        let unknown = || Reply::json(StatusCode::NOT_FOUND, &json!({}));
        if arrived.path == "/withdrawals" {
            return self.submit(arrived, choices);
        }
        let mut parts = arrived.path.trim_matches('/').split('/');
        let (Some("intents"), Some(hash)) = (parts.next(), parts.next()) else {
            panic!("the model of the hub does not know {}", arrived.path);
        };
        let Some(intent) = self.intents.get(hash) else { return unknown() };
        if intent.known_at > arrived.at {
            return unknown();
        }
        match parts.next() {
            None => Reply::json(StatusCode::OK, &intent.swap),
            Some("status") => {
                let mut step = (arrived.at - intent.known_at) / intent.pace.max(1);
                if choices.happens("hub", self.fickle) {
                    step = i64::try_from(choices.below("hub", 5)).unwrap_or(0).min(step);
                }
                let step = usize::try_from(step).unwrap_or(0).min(STEPS.len() - 1);
                let mut body = json!({ "intentTxHash": hash, "status": STEPS[step] });
                if step == STEPS.len() - 1 {
                    body["fillTxHash"] = hash.into();
                }
                Reply::json(StatusCode::OK, &body)
            }
            Some(other) => panic!("the model of the hub does not know {other}"),
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
