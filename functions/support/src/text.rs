//! Names of states, as answers write them.

use serde::Serialize;
use serde_json::Value;

/// The text that serde writes for a state.
pub(crate) fn name_of(state: impl Serialize) -> String {
    match serde_json::to_value(state) {
        Ok(Value::String(name)) => name,
        // States are enums without contents.
        Ok(_) | Err(_) => String::new(),
    }
}
