//! The field that shows which of several schemas a value has.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::walk::insert;

const SCHEMAS: &str = "#/components/schemas/";

/// Names the discriminator of each choice between schemas that differ in one constant, such as the code of
/// errors or the type of requests. The alternatives of a named schema get names too, because a discriminator
/// can only refer to names.
pub(super) fn with_discriminators(mut document: Value) -> Value {
    let mut schemas = match document.pointer_mut("/components/schemas") {
        Some(Value::Object(schemas)) => std::mem::take(schemas),
        _ => return document,
    };
    let mut named = Map::new();
    for (name, schema) in &mut schemas {
        name_alternatives(name, schema, &mut named);
    }
    schemas.extend(named);
    let known = schemas.clone();
    schemas.values_mut().for_each(|schema| discriminate(&known, schema));
    discriminate(&known, &mut document);
    if let Some(components) = document.get_mut("components") {
        insert(components, "schemas", Value::Object(schemas));
    }
    document
}

/// Moves the alternatives of a schema out of it, if each is an object with its own constant.
fn name_alternatives(name: &str, schema: &mut Value, named: &mut Map<String, Value>) {
    let Some(alternatives) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    let constants: Vec<_> = alternatives.iter().map(|it| constants(&Map::new(), it)).collect();
    let Some(field) = distinct(&constants) else { return };
    for (alternative, constants) in alternatives.iter_mut().zip(constants) {
        let own = constants.into_iter().find(|(name, _)| *name == field);
        let Some((_, value)) = own else { continue };
        let name = format!("{name}{}", pascal_case(&value));
        let reference = json!({ "$ref": format!("{SCHEMAS}{name}") });
        named.insert(name, std::mem::replace(alternative, reference));
    }
}

fn discriminate(schemas: &Map<String, Value>, value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let found = fields.get("oneOf").and_then(|it| discriminator(schemas, it.as_array()?));
            if let Some(found) = found {
                fields.insert("discriminator".to_owned(), found);
            }
            let parts = fields.iter_mut().filter(|(name, _)| !name.starts_with("example"));
            parts.for_each(|(_, part)| discriminate(schemas, part));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| discriminate(schemas, item)),
        _ => {}
    }
}

/// The discriminator of these references.
fn discriminator(schemas: &Map<String, Value>, alternatives: &[Value]) -> Option<Value> {
    let references: Option<Vec<_>> =
        alternatives.iter().map(|it| it.get("$ref").and_then(Value::as_str)).collect();
    let references = references.filter(|references| references.len() > 1)?;
    let constants: Vec<_> = alternatives.iter().map(|it| constants(schemas, it)).collect();
    let field = distinct(&constants)?;
    let values = constants.iter().filter_map(|it| it.iter().find(|(name, _)| *name == field));
    let mapping: Map<_, _> =
        values.zip(references).map(|((_, value), it)| (value.clone(), it.into())).collect();
    Some(json!({ "propertyName": field, "mapping": mapping }))
}

/// The fields of an object that have a single value each, with these values.
fn constants(schemas: &Map<String, Value>, schema: &Value) -> Vec<(String, String)> {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix(SCHEMAS));
    let schema = name.and_then(|name| schemas.get(name)).unwrap_or(schema);
    let properties = schema.get("properties").and_then(Value::as_object);
    let own = properties.into_iter().flatten().filter_map(|(name, property)| {
        let [only] = property.get("enum")?.as_array()?.as_slice() else { return None };
        Some((name.clone(), only.as_str()?.to_owned()))
    });
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    own.chain(parts.flat_map(|part| constants(schemas, part))).collect()
}

/// The first field whose value is different in each of these.
fn distinct(constants: &[Vec<(String, String)>]) -> Option<String> {
    let fields = constants.first()?.iter().map(|(name, _)| name);
    let mut found = fields.filter(|field| {
        let values = constants.iter().filter_map(|it| it.iter().find(|(name, _)| name == *field));
        let values: BTreeSet<_> = values.map(|(_, value)| value).collect();
        values.len() == constants.len()
    });
    found.next().cloned()
}

/// `renew-utxo` is `RenewUtxo`.
fn pascal_case(text: &str) -> String {
    let mut is_first = true;
    let mut letter = |letter: char| {
        let is_letter = letter.is_ascii_alphanumeric();
        let capital = std::mem::replace(&mut is_first, !is_letter) && is_letter;
        is_letter.then(|| if capital { letter.to_ascii_uppercase() } else { letter })
    };
    text.chars().filter_map(&mut letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_by_a_constant_have_a_discriminator() {
        let of = |field: &str, value: &str| json!({ "properties": { field: { "type": "string", "enum": [value] }, "x": { "type": "string" } } });
        let reference = |name: &str| json!({ "$ref": format!("{SCHEMAS}{name}") });
        let error = |code: &str| json!({ "allOf": [reference("Error"), of("code", code)] });
        let document = json!({
            "paths": { "a": { "schema": { "oneOf": [reference("One"), reference("Other")] } } },
            "components": { "schemas": {
                "Create": { "oneOf": [of("type", "a-b"), of("type", "vm.c")] },
                "Either": { "oneOf": [of("type", "a"), of("kind", "b")] },
                "Error": { "properties": { "code": { "type": "string" } } },
                "May": { "oneOf": [reference("One"), { "type": "null" }] },
                "One": error("1001"),
                "Other": error("1002"),
            } },
        });
        let either = document.pointer("/components/schemas/Either").cloned();
        let document = with_discriminators(document);
        let at = |pointer: &str| document.pointer(pointer);
        let expected = json!({
            "propertyName": "code",
            "mapping": { "1001": format!("{SCHEMAS}One"), "1002": format!("{SCHEMAS}Other") },
        });
        assert_eq!(at("/paths/a/schema/discriminator"), Some(&expected));
        let expected = json!({
            "oneOf": [reference("CreateAB"), reference("CreateVmC")],
            "discriminator": {
                "propertyName": "type",
                "mapping": { "a-b": format!("{SCHEMAS}CreateAB"), "vm.c": format!("{SCHEMAS}CreateVmC") },
            },
        });
        assert_eq!(at("/components/schemas/Create"), Some(&expected));
        assert_eq!(at("/components/schemas/CreateAB"), Some(&of("type", "a-b")));
        assert_eq!(at("/components/schemas/Either"), either.as_ref());
        assert_eq!(at("/components/schemas/May/discriminator"), None);
    }
}
