//! Mistakes put in on purpose, to see that the simulation finds them. They are made on the wire, so that the
//! service itself stays as it is: its request becomes the one that a worse service would have sent.

use serde_json::{Value, json};

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A single-use row is deleted instead of marked as used: a late write of it brings it back.
    DeleteUsedRows,
    /// After a commit without an answer nobody looks whether it was made: it is made again.
    ForgetAuthors,
    /// Members of a list carry their writer's own clock, not the list's.
    OwnClock,
    /// A limit is checked before it is counted, not in the same write.
    CheckThenCount,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::DeleteUsedRows, Self::ForgetAuthors, Self::OwnClock, Self::CheckThenCount];

    /// The invariants that it breaks, of which one must be reported.
    pub fn breaks(self) -> &'static [&'static str] {
        match self {
            Self::DeleteUsedRows => &["S12"],
            Self::ForgetAuthors => &["S9", "S13"],
            Self::OwnClock => &["S9"],
            Self::CheckThenCount => &["S14"],
        }
    }

    /// Makes the mistake in a request of DynamoDB, if it is of that kind. `clock` is the instance's own.
    /// Returns the operation and the body.
    pub(crate) fn make(self, operation: &str, body: &Value, clock: i64) -> Option<(String, Value)> {
        let condition =
            |body: &Value| body["ConditionExpression"].as_str().unwrap_or_default().to_owned();
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
            (Self::ForgetAuthors, "GetItem")
                if is_member(&body["Key"]) && !is_binary_search(&body["Key"]) =>
            {
                let mut body = body.clone();
                body["Key"]["sk"]["S"] = "nobody".into();
                Some((operation.to_owned(), body))
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
            (Self::CheckThenCount, "UpdateItem") if condition(body).contains("hits < :most") => {
                let mut body = body.clone();
                let fields = body.as_object_mut()?;
                fields.remove("ConditionExpression");
                let values = fields.get_mut("ExpressionAttributeValues")?.as_object_mut()?;
                values.remove(":most");
                values.remove(":now");
                Some((operation.to_owned(), body))
            }
            _ => None,
        }
    }
}

/// The worker of exports reads members of this list to find a time.
fn is_binary_search(key: &Value) -> bool {
    key["pk"]["S"].as_str().is_some_and(|pk| pk.starts_with("list#xchain"))
}

fn is_member(item: &Value) -> bool {
    let part = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
    part("pk").starts_with("list#") && part("sk").parse::<u64>().is_ok()
}
