//! Deliberate mistakes, to check that the simulation finds them. They are made on the wire, so the service
//! itself stays unchanged: its request becomes the one that a faulty service would send, or it reads an
//! answer as a faulty service would understand it.

use std::str::FromStr;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A single-use row is deleted instead of marked as used, so a late write can bring it back.
    DeleteUsedRows,
    /// Members of a list carry the time of their writer's clock instead of the list's.
    OwnClock,
    /// A signature is requested before the coins are held.
    SignWithoutHolds,
    /// A signed transaction is sent before its row is stored.
    SendBeforeStoring,
    /// Three blocks count as seven.
    ShallowFinality,
    /// Holds of coins expire.
    HoldsExpire,
    /// Updates have no conditions.
    NoConditions,
    /// The runes of a coin are counted twice.
    RunesCountTwice,
    /// Inscriptions in coins are overlooked.
    BlindToInscriptions,
    /// A mail counts as sent although it was not.
    MailsForgotten,
    /// Transactions that only the platform signs are never checked again.
    PayoutsForgotten,
    /// The venue's fee for a transfer is overlooked.
    BlindToTransferFees,
    /// A coin counts as lost after a single look that missed it.
    OneMissIsEnough,
}

impl FromStr for Mistake {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|mistake| format!("{mistake:?}") == text);
        found.ok_or(format!("the mistakes are {:?}", Self::ALL))
    }
}

/// What a mistaken instance sends instead of a request.
pub(crate) enum Sent {
    /// Another operation with another body.
    Changed(String, Value),
    /// Nothing: the service continues as if this were the answer.
    Nothing(Value),
    /// The same request to another path.
    To(String),
}

/// Blocks that [`Mistake::ShallowFinality`] assumes without having seen them.
const BELIEVED: u64 = 4;

impl Mistake {
    /// All mistakes.
    pub const ALL: [Self; 13] = [
        Self::DeleteUsedRows,
        Self::OwnClock,
        Self::SignWithoutHolds,
        Self::SendBeforeStoring,
        Self::ShallowFinality,
        Self::HoldsExpire,
        Self::NoConditions,
        Self::RunesCountTwice,
        Self::BlindToInscriptions,
        Self::MailsForgotten,
        Self::PayoutsForgotten,
        Self::BlindToTransferFees,
        Self::OneMissIsEnough,
    ];

    /// The invariants that it breaks, at least one of which must be reported.
    pub fn breaks(self) -> &'static [&'static str] {
        match self {
            Self::DeleteUsedRows => &["S12"],
            Self::OwnClock => &["S9"],
            Self::SignWithoutHolds => &["S6"],
            Self::SendBeforeStoring => &["S7"],
            Self::ShallowFinality => &["S8"],
            Self::HoldsExpire | Self::OneMissIsEnough => &["S11"],
            Self::NoConditions => &["L1", "S9", "S10"],
            Self::RunesCountTwice => &["S1"],
            Self::BlindToInscriptions => &["S3"],
            Self::MailsForgotten => &["S15"],
            Self::PayoutsForgotten => &["L1", "L2"],
            Self::BlindToTransferFees => &["S17"],
        }
    }

    /// Makes the mistake in a request to DynamoDB, if it is of that kind. `clock` is the instance's own time.
    pub(crate) fn in_request(self, operation: &str, body: &Value, clock: i64) -> Option<Sent> {
        let changed = |body: Value| Some(Sent::Changed(operation.to_owned(), body));
        match (self, operation) {
            (Self::DeleteUsedRows, "UpdateItem")
                if body["ExpressionAttributeNames"]["#usedAt"] == "usedAt" =>
            {
                let body = json!({
                    "TableName": body["TableName"],
                    "Key": body["Key"],
                    "ReturnValues": "ALL_OLD",
                });
                Some(Sent::Changed("DeleteItem".to_owned(), body))
            }
            (Self::OwnClock, "TransactWriteItems") => changed(each_action(body, |action| {
                if let Some(item) = action.get_mut("Put").and_then(|put| put.get_mut("Item"))
                    && is_member(item)
                {
                    item["createdAt"] = json!({ "N": clock.to_string() });
                }
                true
            })),
            (Self::SignWithoutHolds, "TransactWriteItems") => {
                changed(each_action(body, |action| put(action)["sk"]["S"] != "spend"))
            }
            (Self::HoldsExpire, "TransactWriteItems") => changed(each_action(body, |action| {
                if put(action)["sk"]["S"] == "spend" {
                    let end = clock.div_euclid(1_000) + 60;
                    action["Put"]["Item"]["expiresAt"] = json!({ "N": end.to_string() });
                }
                true
            })),
            (Self::SendBeforeStoring, "TransactWriteItems") if stores_signed(body) => {
                Some(Sent::Nothing(json!({})))
            }
            (Self::NoConditions, "TransactWriteItems") => changed(each_action(body, |action| {
                let update = action.get_mut("Update").and_then(Value::as_object_mut);
                if let Some(update) = update {
                    unconditional(update);
                }
                true
            })),
            (Self::PayoutsForgotten, "Query") if is_queue_of_payouts(body) => {
                Some(Sent::Nothing(json!({ "Items": [], "Count": 0 })))
            }
            _ => None,
        }
    }

    /// Makes the mistake in a mail.
    pub(crate) fn in_mail(self) -> Option<Sent> {
        let answer = || Sent::Nothing(json!({ "MessageId": "none" }));
        (self == Self::MailsForgotten).then(answer)
    }

    /// Makes the mistake in a request to Esplora.
    pub(crate) fn in_question(self, path: &str) -> Option<Sent> {
        let top = (self == Self::ShallowFinality).then(|| asked_top(path)).flatten()?;
        Some(Sent::To(format!("/blocks/{}", top.checked_sub(BELIEVED)?)))
    }

    /// The answer as a faulty service would read it; `None` if it is unchanged.
    pub(crate) fn in_answer(self, path: &str, answer: &[u8]) -> Option<String> {
        let mut body = serde_json::from_slice::<Value>(answer).ok()?;
        match self {
            Self::RunesCountTwice => each_output(&mut body, |output| {
                for pile in output["runes"].as_object_mut()?.values_mut() {
                    pile["amount"] = (pile["amount"].as_u64()? * 2).into();
                }
                Some(())
            }),
            Self::BlindToInscriptions => each_output(&mut body, |output| {
                *output.get_mut("inscriptions")? = json!([]);
                Some(())
            }),
            Self::BlindToTransferFees => *body.get_mut("fee")? = "0.0".into(),
            Self::ShallowFinality => believe(body.as_array_mut()?, asked_top(path)?),
            Self::OneMissIsEnough => miss_all_but_one(&mut body),
            _ => return None,
        }
        Some(body.to_string())
    }
}

/// The height of the first block in a requested list.
fn asked_top(path: &str) -> Option<u64> {
    path.strip_prefix("/blocks/")?.parse().ok()
}

/// Adds invented blocks on top of a list.
fn believe(blocks: &mut Vec<Value>, top: u64) {
    while let Some(below) = blocks.first().cloned() {
        let height = below["height"].as_u64().unwrap_or(top);
        if height >= top {
            return;
        }
        let mut block = below.clone();
        block["previousblockhash"] = below["id"].clone();
        block["id"] = hex::encode(Sha256::digest(below["id"].to_string())).into();
        block["height"] = (height + 1).into();
        blocks.insert(0, block);
    }
}

/// Pretends that each transaction that waits for the chain has a coin that was missing since the first block,
/// in all but one of the required consecutive looks.
fn miss_all_but_one(answer: &mut Value) {
    if answer["entity"]["S"] == "issuedTransaction" && answer["watch"]["S"].is_string() {
        answer["orphaned"] = json!({ "M": { "since": { "N": "0" }, "looks": { "N": "11" } } });
    }
    match answer {
        Value::Object(members) => members.values_mut().for_each(miss_all_but_one),
        Value::Array(items) => items.iter_mut().for_each(miss_all_but_one),
        _ => {}
    }
}

/// Applies `change` to each output of a list.
fn each_output(body: &mut Value, change: impl Fn(&mut Value) -> Option<()>) {
    for output in body.as_array_mut().into_iter().flatten() {
        change(output);
    }
}

/// The actions of a transaction, each changed, without those for which `keep` returns false.
fn each_action(body: &Value, keep: impl FnMut(&mut Value) -> bool) -> Value {
    let mut body = body.clone();
    if let Some(actions) = body["TransactItems"].as_array_mut() {
        actions.retain_mut(keep);
    }
    body
}

/// The row that an action writes as a whole.
fn put(action: &Value) -> &Value {
    &action["Put"]["Item"]
}

/// Whether a query reads the queue of transactions of the platform.
fn is_queue_of_payouts(body: &Value) -> bool {
    let queue = body["ExpressionAttributeValues"][":watch"]["S"].as_str();
    queue.is_some_and(|queue| queue.to_lowercase().contains("payout"))
}

/// Whether a write batch stores a signed transaction.
fn stores_signed(body: &Value) -> bool {
    let actions = body["TransactItems"].as_array().into_iter().flatten();
    actions.map(put).any(|row| row["sk"]["S"] == "raw")
}

/// Removes the condition of an update, with the names and values that only the condition uses.
fn unconditional(update: &mut serde_json::Map<String, Value>) {
    update.remove("ConditionExpression");
    let expression = update["UpdateExpression"].as_str().unwrap_or_default().to_owned();
    let is_used = |name: &str| {
        expression
            .split(|letter: char| !letter.is_alphanumeric() && !"#:_".contains(letter))
            .any(|word| word == name)
    };
    for members in ["ExpressionAttributeNames", "ExpressionAttributeValues"] {
        if let Some(members) = update.get_mut(members).and_then(Value::as_object_mut) {
            members.retain(|name, _| is_used(name));
        }
    }
}

fn is_member(item: &Value) -> bool {
    let part = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
    part("pk").starts_with("list#") && part("sk").parse::<u64>().is_ok()
}
