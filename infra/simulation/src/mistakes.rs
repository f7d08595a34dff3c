//! Mistakes put in on purpose, to see that the simulation finds them. They are made on the wire, so that the
//! service itself stays as it is: its request becomes the one that a worse service would have sent.

use serde_json::{Map, Value, json};

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
    /// A row is changed although it is not as it was read.
    LostUpdate,
}

impl Mistake {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::DeleteUsedRows,
        Self::ForgetAuthors,
        Self::OwnClock,
        Self::CheckThenCount,
        Self::LostUpdate,
    ];

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
            (Self::ForgetAuthors, "GetItem") if is_member(&body["Key"]) => {
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
            (Self::LostUpdate, "TransactWriteItems") => {
                let mut body = body.clone();
                let mut made = false;
                for action in body["TransactItems"].as_array_mut()?.iter_mut() {
                    made |= drop_version(action).is_some();
                }
                made.then(|| (operation.to_owned(), body))
            }
            _ => None,
        }
    }
}

fn is_member(item: &Value) -> bool {
    let part = |name: &str| item[name]["S"].as_str().unwrap_or_default().to_owned();
    part("pk").starts_with("list#") && part("sk").parse::<u64>().is_ok()
}

/// Removes the condition on the head of a list that it is unchanged.
fn drop_version(action: &mut Value) -> Option<()> {
    let update: &mut Map<String, Value> = action.get_mut("Update")?.as_object_mut()?;
    let key = update.get("Key")?;
    let is_head = key["sk"]["S"] == "head" && key["pk"]["S"].as_str()?.starts_with("list#");
    if !is_head {
        return None;
    }
    let condition = update.remove("ConditionExpression")?;
    let used = condition.as_str()?.rsplit(' ').next()?.to_owned();
    update.get_mut("ExpressionAttributeValues")?.as_object_mut()?.remove(&used);
    Some(())
}
