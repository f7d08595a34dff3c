//! Mistakes put in on purpose, to see that the simulation finds them. They are made on the wire, so that the
//! service itself stays as it is: its request becomes the one that a worse service would have sent.

use std::str::FromStr;

use serde_json::{Value, json};

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A single-use row is deleted instead of marked as used: a late write of it brings it back.
    DeleteUsedRows,
    /// Members of a list carry their writer's own clock, not the list's.
    OwnClock,
}

impl FromStr for Mistake {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|mistake| format!("{mistake:?}") == text);
        found.ok_or(format!("the mistakes are {:?}", Self::ALL))
    }
}

impl Mistake {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::DeleteUsedRows, Self::OwnClock];

    /// The invariants that it breaks, of which one must be reported.
    pub fn breaks(self) -> &'static [&'static str] {
        match self {
            Self::DeleteUsedRows => &["S12"],
            Self::OwnClock => &["S9"],
        }
    }

    /// Makes the mistake in a request of DynamoDB, if it is of that kind. `clock` is the instance's own.
    /// Returns the operation and the body.
    pub(crate) fn make(self, operation: &str, body: &Value, clock: i64) -> Option<(String, Value)> {
        match (self, operation) {
            (Self::DeleteUsedRows, "UpdateItem")
                if body["ExpressionAttributeNames"]["#usedAt"] == "usedAt" =>
            {
                let body = json!({
                    "TableName": body["TableName"],
                    "Key": body["Key"],
                    "ReturnValues": "ALL_OLD",
                });
                Some(("DeleteItem".to_owned(), body))
            }
            (Self::OwnClock, "TransactWriteItems") => {
                let mut body = body.clone();
                for action in body["TransactItems"].as_array_mut()?.iter_mut() {
                    let Some(item) = action.get_mut("Put").and_then(|put| put.get_mut("Item"))
                    else {
                        continue;
                    };
                    if is_member(item) {
                        item["createdAt"] = json!({ "N": clock.to_string() });
                    }
                }
                Some((operation.to_owned(), body))
            }
            _ => None,
        }
    }
}

fn is_member(item: &Value) -> bool {
    let part = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
    part("pk").starts_with("list#") && part("sk").parse::<u64>().is_ok()
}
