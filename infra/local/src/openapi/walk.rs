//! Helpers that visit parts of the document.

use serde_json::{Map, Value};

/// The fields of a path item that are operations.
pub(super) const METHODS: [&str; 5] = ["get", "post", "patch", "put", "delete"];

/// Every operation, with its path.
pub(super) fn operations(document: &Value) -> impl Iterator<Item = (&str, &Map<String, Value>)> {
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let fields = item.as_object().into_iter().flatten();
        let operations = fields.filter(|(name, _)| METHODS.contains(&name.as_str()));
        operations.filter_map(move |(_, operation)| Some((path.as_str(), operation.as_object()?)))
    })
}

/// Changes every operation, given its path and its method.
pub(super) fn change_operations(
    document: &mut Value,
    mut change: impl FnMut(&str, &str, &mut Map<String, Value>),
) {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        let fields = item.as_object_mut().into_iter().flatten();
        for (method, operation) in fields.filter(|(name, _)| METHODS.contains(&name.as_str())) {
            if let Some(operation) = operation.as_object_mut() {
                change(path, method, operation);
            }
        }
    }
}

/// The answer of an operation that does what it is for: 201 rather than the 200 of its dry run.
pub(super) fn success_of(operation: &mut Map<String, Value>) -> Option<&mut Value> {
    let answers = operation.get_mut("responses")?.as_object_mut()?;
    let status = answers.keys().filter(|status| status.starts_with("20")).max()?.clone();
    answers.get_mut(&status)
}

/// The answer of an operation's dry run, if it has one.
pub(super) fn dry_run_of(operation: &mut Map<String, Value>) -> Option<&mut Value> {
    let answers = operation.get_mut("responses")?.as_object_mut()?;
    answers.contains_key("201").then(|| answers.get_mut("200"))?
}

/// Sets a field of an object.
pub(super) fn insert(object: &mut Value, name: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(name.to_owned(), value);
    }
}

/// The names of the schemas that a value references.
pub(super) fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str);
            found.extend(name.and_then(|name| name.strip_prefix("#/components/schemas/")));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}
