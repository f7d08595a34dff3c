//! The errors of every operation.

use serde_json::{Value, json};

use super::walk::{change_operations, insert};

/// Every operation can be refused or fail, always in the same shape.
pub(super) fn with_errors(mut document: Value) -> Value {
    let error = |description: &str| {
        json!({
            "description": description,
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
        })
    };
    change_operations(&mut document, |_, _, operation| {
        if let Some(responses) = operation.get_mut("responses") {
            let refused = error("Refused. `code` gives the reason; see the table of errors.");
            insert(responses, "4XX", refused);
            let failed = error("The service failed; the request itself may be valid.");
            insert(responses, "5XX", failed);
        }
    });
    document
}
