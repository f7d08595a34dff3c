//! One component for each error answer, since many operations share one.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::walk::change_operations;

/// The place of an answer: the id of its operation (for a second path, that of the first one) and its status.
type Place = (String, String);

/// Moves the error answers to the components. An answer of a single handler is named after its operation and
/// its status; one of several handlers after its status and its codes.
pub(super) fn with_shared_responses(mut document: Value) -> Value {
    let mut places = BTreeMap::<String, (Value, Vec<Place>)>::new();
    each_error(&mut document, |place, response| {
        let known = places.entry(response.to_string()).or_insert((response.clone(), Vec::new()));
        known.1.push(place);
    });
    let mut names = BTreeMap::new();
    let mut components = Map::new();
    for (text, (response, places)) in places {
        let Some((id, status)) = places.first() else { continue };
        let is_of_one = places.iter().all(|(other, _)| other == id);
        let shared = format!("Error{status}_{}", codes(&response).join("_"));
        let name = match is_of_one || components.contains_key(&shared) {
            true => format!("{id}{status}"),
            false => shared,
        };
        names.insert(text, name.clone());
        components.insert(name, response);
    }
    each_error(&mut document, |_, response| {
        if let Some(name) = names.get(&response.to_string()) {
            *response = json!({ "$ref": format!("#/components/responses/{name}") });
        }
    });
    let known = document.pointer_mut("/components/responses").and_then(Value::as_object_mut);
    known.into_iter().for_each(|known| known.extend(components.clone()));
    document
}

/// Every error answer that is not yet a reference.
fn each_error(document: &mut Value, mut change: impl FnMut(Place, &mut Value)) {
    change_operations(document, |_, _, operation| {
        let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
        let id = id.trim_end_matches(super::operations::UNDER_API).to_owned();
        let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
        for (status, response) in responses.into_iter().flatten() {
            if status.as_str() >= "400" && response.get("$ref").is_none() {
                change((id.clone(), status.clone()), response);
            }
        }
    });
}

/// The codes that an answer can have, in the order of its description.
fn codes(response: &Value) -> Vec<&str> {
    let text = response.get("description").and_then(Value::as_str).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_prefix("- ")?.split(' ').next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_answers_are_one_component() {
        let error =
            |code: &str| json!({ "description": format!("- {code} `a.b`: It is refused.") });
        let operation = |id: &str, first: &str, second: &str| {
            json!({ "get": {
                "operationId": id, "responses": { "200": {}, "403": error(first), "409": error(second) },
            } })
        };
        let document = json!({
            "paths": {
                "/a": operation("a", "1007", "1010"), "/b": operation("b", "1007", "1011"),
                "/c": operation("bUnderApi", "1008", "1011"),
            },
            "components": { "responses": {} },
        });
        let document = with_shared_responses(document);
        let name =
            |at: &str| document.pointer(&format!("/paths/{at}/$ref")).and_then(Value::as_str);
        for (at, expected) in [
            ("~1a/get/responses/403", "Error403_1007"),
            ("~1b/get/responses/403", "Error403_1007"),
            ("~1c/get/responses/403", "b403"),
            ("~1a/get/responses/409", "a409"),
            ("~1b/get/responses/409", "b409"),
            ("~1c/get/responses/409", "b409"),
        ] {
            let expected = format!("#/components/responses/{expected}");
            assert_eq!(name(at), Some(expected.as_str()), "{at}");
        }
        assert_eq!(document.pointer("/components/responses/b403"), Some(&error("1008")));
    }
}
