//! The hub: it learns of swaps late or never, and is right about them or not.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Value, json};

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

/// The hub.
#[derive(Debug, Default)]
pub struct Hub {
    intents: BTreeMap<String, Intent>,
    /// It contradicts itself and goes back: per mille of its answers.
    pub fickle: u64,
}

impl Hub {
    /// A hub that knows no swap; `fickle` of 1000 answers contradict others.
    pub fn new(fickle: u64) -> Self {
        Self { fickle, ..Self::default() }
    }

    /// A swap begins at the hub; `known_at` is when the hub hears of it.
    pub fn begin(&mut self, swap: &Value, known_at: i64, pace: i64) {
        let hash = swap["intentTxHash"].as_str().unwrap_or_default().to_owned();
        self.intents.insert(hash, Intent { swap: swap.clone(), known_at, pace });
    }
}

impl Host for Hub {
    fn handle(&mut self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        let unknown = || Reply::json(StatusCode::NOT_FOUND, &json!({}));
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

/// An Esplora without transactions: fee rates alone.
#[derive(Debug, Default)]
pub struct FeeRates;

impl Host for FeeRates {
    fn handle(&mut self, arrived: &Arrived, _choices: &mut Choices) -> Reply {
        match arrived.path.as_str() {
            "/fee-estimates" => {
                Reply::json(StatusCode::OK, &json!({ "1": 5.0, "2": 4.0, "3": 3.0, "6": 2.0 }))
            }
            path => panic!("no chain is simulated: {path}"),
        }
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
