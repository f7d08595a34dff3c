//! The OpenAPI document in version 3.0, for generators and gateways that do not read 3.1.

use serde_json::{Map, Value, json};

/// The version that the result states.
const VERSION: &str = "3.0.3";

/// Fields of schemas, parameters and bodies that hold data. The data may look like a part of the document.
const DATA: [&str; 6] = ["default", "enum", "example", "examples", "mapping", "value"];

/// Keywords by which some fields of a schema require others. Version 3.0 does not have them, so a converted
/// document only loses these requirements.
pub const CONDITIONS: [&str; 4] = ["dependentSchemas", "if", "then", "else"];

/// Fields whose members are named by the document and not by OpenAPI.
const NAMED: [&str; 2] = ["properties", "schemas"];

/// The URL that replaces the identifier of a licence, for which 3.0 has no field.
const LICENSES: &str = "https://spdx.org/licenses/";

/// The schemas of the document, by name.
type Schemas = Map<String, Value>;

/// Converts a document to version 3.0, with the same operations and schemas.
///
/// Version 3.0 has no type `null`. A schema that allows null is `nullable` instead, next to its type.
/// `nullable` affects only the type next to it, so a referenced schema that may be null becomes a choice
/// between that schema and one that allows only null. Version 3.0 ignores the fields next to a reference, so
/// such a reference becomes the only part of an `allOf`. Conditions between fields are left out. Webhooks
/// become an extension.
pub fn downgraded(mut document: Value) -> Value {
    if let Some(fields) = document.as_object_mut() {
        fields.insert("openapi".to_owned(), VERSION.into());
        if let Some(webhooks) = fields.remove("webhooks") {
            fields.insert("x-webhooks".to_owned(), webhooks);
        }
    }
    if let Some(license) = document.pointer_mut("/info/license").and_then(Value::as_object_mut)
        && license.remove("identifier").is_some()
    {
        license.insert("url".to_owned(), LICENSES.into());
    }
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object).cloned();
    part(document, &schemas.unwrap_or_default())
}

/// Converts a part of the document, and all parts in it.
fn part(value: Value, schemas: &Schemas) -> Value {
    match value {
        Value::Object(fields) => {
            let inner = fields.into_iter().map(|(name, value)| {
                let value = field(&name, value, schemas);
                (name, value)
            });
            Value::Object(written(inner.collect(), schemas))
        }
        Value::Array(parts) => parts.into_iter().map(|value| part(value, schemas)).collect(),
        scalar => scalar,
    }
}

/// Converts a field of a part.
fn field(name: &str, value: Value, schemas: &Schemas) -> Value {
    match value {
        data if DATA.contains(&name) => data,
        Value::Object(named) if NAMED.contains(&name) => {
            named.into_iter().map(|(name, value)| (name, part(value, schemas))).collect()
        }
        value => part(value, schemas),
    }
}

/// Converts the fields of an object whose parts are already converted.
fn written(mut fields: Map<String, Value>, schemas: &Schemas) -> Map<String, Value> {
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        if let Some(limit) = fields.remove(exclusive) {
            fields.insert(bound.to_owned(), limit);
            fields.insert(exclusive.to_owned(), true.into());
        }
    }
    fields.remove("propertyNames");
    fields.retain(|name, _| !CONDITIONS.contains(&name.as_str()));
    // Only schemas have a list of examples.
    if let Some(Value::Array(examples)) = fields.get_mut("examples") {
        let first = examples.first().cloned().unwrap_or_default();
        fields.remove("examples");
        fields.entry("example").or_insert(first);
    }
    if let Some(Value::Array(types)) = fields.get("type").cloned() {
        let others: Vec<_> = types.into_iter().filter(|kind| kind != "null").collect();
        if let [only] = others.as_slice() {
            fields.insert("type".to_owned(), only.clone());
            nullable(&mut fields);
        }
    }
    if let Some(Value::Array(alternatives)) = fields.get("oneOf").cloned() {
        let is_null = |it: &Value| it.get("type").is_some_and(|kind| kind == "null");
        let others: Vec<_> = alternatives.iter().filter(|it| !is_null(it)).cloned().collect();
        match others.as_slice() {
            same if same.len() == alternatives.len() => {}
            [only] => {
                fields.remove("oneOf");
                for (name, it) in or_null(only, schemas) {
                    fields.entry(name).or_insert(it);
                }
            }
            several => {
                let all = several.iter().cloned().chain([null_alone()]).collect();
                fields.insert("oneOf".to_owned(), Value::Array(all));
            }
        }
    }
    match fields.remove("$ref") {
        Some(reference) if !fields.is_empty() => {
            fields.insert("allOf".to_owned(), json!([{ "$ref": reference }]));
        }
        Some(reference) => drop(fields.insert("$ref".to_owned(), reference)),
        None => {}
    }
    fields
}

/// Makes a schema allow null too. A reference to an object stays a reference, as generators want it; a
/// reference to a scalar is replaced by the scalar's fields.
fn or_null(schema: &Value, schemas: &Schemas) -> Map<String, Value> {
    let mut fields = schema.as_object().cloned().unwrap_or_default();
    // A reference with other fields next to it has already become an `allOf`.
    let reference = match fields.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
        Some([only]) => only.get("$ref"),
        _ => fields.get("$ref"),
    };
    let either = |schema: Value| json!([schema, null_alone()]);
    if let Some(reference) = reference.cloned() {
        fields.remove("allOf");
        fields.remove("$ref");
        let name = reference.as_str().and_then(|it| it.rsplit('/').next());
        let named = name.and_then(|name| schemas.get(name));
        let is_scalar = |named: &&Value| named.get("type").is_some_and(|kind| kind != "object");
        let Some(named) = named.filter(is_scalar) else {
            fields.insert("oneOf".to_owned(), either(json!({ "$ref": reference })));
            return fields;
        };
        for (name, it) in part(named.clone(), schemas).as_object().cloned().unwrap_or_default() {
            fields.entry(name).or_insert(it);
        }
    } else if !fields.contains_key("type") {
        return Map::from_iter([("oneOf".to_owned(), either(schema.clone()))]);
    }
    nullable(&mut fields);
    fields
}

/// A schema that allows null and nothing else.
fn null_alone() -> Value {
    json!({ "type": "object", "nullable": true, "enum": [null] })
}

fn nullable(fields: &mut Map<String, Value>) {
    fields.insert("nullable".to_owned(), true.into());
    if let Some(Value::Array(values)) = fields.get_mut("enum") {
        values.push(Value::Null);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn schemas() -> Schemas {
        let all = json!({
            "Count": { "type": "integer", "minimum": 0, "description": "A number." },
            "State": { "type": "string", "enum": ["on", "off"] },
            "Row": { "type": "object", "properties": {} },
        });
        all.as_object().unwrap().clone()
    }

    #[test]
    fn what_may_be_null_is_nullable() {
        let to = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let or_null = |schema: Value| json!({ "oneOf": [schema, { "type": "null" }] });
        let alone = json!({ "type": "object", "nullable": true, "enum": [null] });
        let told = |mut schema: Value, text: &str| {
            schema.as_object_mut().unwrap().insert("description".to_owned(), text.into());
            schema
        };
        for (later, earlier) in [
            (
                json!({ "type": ["string", "null"], "pattern": "a" }),
                json!({ "type": "string", "pattern": "a", "nullable": true }),
            ),
            (
                json!({ "type": ["string", "null"], "enum": ["a"] }),
                json!({ "type": "string", "enum": ["a", null], "nullable": true }),
            ),
            (
                or_null(told(to("Row"), "b")),
                json!({ "oneOf": [to("Row"), alone], "description": "b" }),
            ),
            (or_null(to("Row")), json!({ "oneOf": [to("Row"), alone] })),
            (
                or_null(json!({ "allOf": [to("Row"), to("Other")] })),
                json!({ "oneOf": [{ "allOf": [to("Row"), to("Other")] }, alone] }),
            ),
            (
                json!({ "oneOf": [to("Row"), { "type": "null" }, to("Count")] }),
                json!({ "oneOf": [to("Row"), to("Count"), alone] }),
            ),
            (
                or_null(told(to("Count"), "b")),
                json!({ "type": "integer", "minimum": 0, "description": "b", "nullable": true }),
            ),
            (
                or_null(to("State")),
                json!({ "type": "string", "enum": ["on", "off", null], "nullable": true }),
            ),
            (
                json!({ "oneOf": [to("Row"), to("Count")] }),
                json!({ "oneOf": [to("Row"), to("Count")] }),
            ),
            (
                json!({ "$ref": "#/a", "default": 1 }),
                json!({ "allOf": [{ "$ref": "#/a" }], "default": 1 }),
            ),
            (to("Row"), to("Row")),
            (
                json!({ "type": "integer", "exclusiveMinimum": 0 }),
                json!({ "type": "integer", "minimum": 0, "exclusiveMinimum": true }),
            ),
            (
                json!({ "type": "string", "examples": ["a", "b"] }),
                json!({ "type": "string", "example": "a" }),
            ),
            (
                json!({
                    "properties": { "if": { "type": "string" } }, "dependentSchemas": { "if": to("Row") },
                    "if": { "required": ["if"] }, "then": to("Row"), "else": to("Count"),
                }),
                json!({ "properties": { "if": { "type": "string" } } }),
            ),
        ] {
            assert_eq!(part(later.clone(), &schemas()), earlier, "{later}");
            let property = |schema| json!({ "properties": { "example": schema } });
            assert_eq!(part(property(later), &schemas()), property(earlier));
        }
    }

    #[test]
    fn data_stays_as_it_is() {
        let data = json!({ "type": ["a", "null"], "$ref": "b", "exclusiveMinimum": 1 });
        for name in ["example", "default"] {
            let document = json!({ name: data });
            assert_eq!(part(document.clone(), &schemas()), document);
        }
        let named = json!({ "examples": { "a": { "value": data } } });
        assert_eq!(part(named.clone(), &schemas()), named);
    }

    #[test]
    fn the_document_states_its_version() {
        let document = json!({
            "openapi": "3.1.0", "info": { "license": { "name": "MIT", "identifier": "MIT" } },
            "webhooks": { "a": {} },
        });
        let expected = json!({
            "openapi": "3.0.3", "info": { "license": { "name": "MIT", "url": LICENSES } },
            "x-webhooks": { "a": {} },
        });
        assert_eq!(downgraded(document), expected);
    }
}
