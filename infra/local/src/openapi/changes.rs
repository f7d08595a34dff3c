//! What a document has lost compared with an earlier one: operations, fields, their types, and error codes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::walk::METHODS;

/// The types of each field of a body or an answer, by its path.
type Fields = BTreeMap<String, BTreeSet<String>>;

/// What clients of the earlier document can no longer rely on, in words.
pub fn broken(earlier: &Value, later: &Value) -> Vec<String> {
    let mut broken = Vec::new();
    let (old, new) = (operations(earlier), operations(later));
    for (name, operation) in old {
        match new.get(&name) {
            Some(same) => compare(&name, (earlier, operation), (later, same), &mut broken),
            None => broken.push(format!("{name} is gone")),
        }
    }
    let new_codes = codes(later);
    let gone = codes(earlier).into_iter().filter(|code| !new_codes.contains(code));
    broken.extend(gone.map(|code| format!("the code {code} is gone")));
    broken
}

fn operations(document: &Value) -> BTreeMap<String, &Value> {
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let each = paths.flat_map(|(path, item)| {
        let operations = item.as_object().into_iter().flatten();
        let operations = operations.filter(|(method, _)| METHODS.contains(&method.as_str()));
        operations.map(move |(method, it)| (format!("{} {path}", method.to_uppercase()), it))
    });
    each.collect()
}

/// The codes of all errors.
fn codes(document: &Value) -> BTreeSet<&str> {
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
    let codes = schemas.into_iter().flatten().filter_map(|(name, schema)| {
        name.ends_with("Problem").then(|| schema.pointer("/allOf/1/properties/code/enum/0"))?
    });
    codes.filter_map(Value::as_str).collect()
}

/// Compares an operation of two documents.
fn compare(
    name: &str,
    (earlier, old): (&Value, &Value),
    (later, new): (&Value, &Value),
    broken: &mut Vec<String>,
) {
    let body = "/requestBody/content/application~1json/schema";
    let (sent, taken) = (fields(earlier, old.pointer(body)), fields(later, new.pointer(body)));
    for (field, types) in &sent {
        match taken.get(field) {
            None => broken.push(format!("{name} no longer takes {field}")),
            Some(known) if !types.is_subset(known) => {
                broken.push(format!("{name} takes {field} as {known:?}, no longer as {types:?}"));
            }
            Some(_) => {}
        }
    }
    let (had, have) = (required(old, earlier), required(new, later));
    let wanted = have.difference(&had);
    broken.extend(wanted.map(|field| format!("{name} now requires {field}")));
    for parameter in parameters(old).filter(|it| !parameters(new).any(|own| own == *it)) {
        broken.push(format!("{name} no longer takes {parameter:?}"));
    }
    let answer = |operation: &Value| {
        let answers = operation.get("responses")?.as_object()?.iter();
        // Next to 201, 200 is the answer of a dry run.
        let successes = answers.filter(|(status, _)| status.starts_with('2'));
        let (_, success) = successes.max_by_key(|(status, _)| status.as_str())?;
        success.pointer("/content/application~1json/schema").cloned()
    };
    let (told, tell) = (answer(old), answer(new));
    let tell = fields(later, tell.as_ref());
    for (field, types) in fields(earlier, told.as_ref()) {
        match tell.get(&field) {
            None => broken.push(format!("{name} no longer answers {field}")),
            Some(known) if !known.is_subset(&types) => {
                broken.push(format!("{name} answers {field} as {known:?}, not only as {types:?}"));
            }
            Some(_) => {}
        }
    }
}

/// The names of the parameters of an operation, with their places.
fn parameters(operation: &Value) -> impl Iterator<Item = (&str, &str)> {
    let all = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    all.filter_map(|it| Some((it.get("in")?.as_str()?, it.get("name")?.as_str()?)))
}

/// The fields that a request must have.
fn required(operation: &Value, document: &Value) -> BTreeSet<String> {
    let all = operation.get("parameters").and_then(Value::as_array).into_iter().flatten();
    let parameters = all.filter(|it| it.get("required").is_some_and(|it| it == true));
    let names = parameters.filter_map(|it| it.get("name")?.as_str()).map(str::to_owned);
    let mut required: BTreeSet<_> = names.collect();
    if let Some(schema) = operation.pointer("/requestBody/content/application~1json/schema") {
        require(document, schema, &mut required);
    }
    required
}

/// Collects the fields that a body must have at its top level; those of one of several alternatives do not
/// count.
fn require(document: &Value, schema: &Value, required: &mut BTreeSet<String>) {
    let schema = resolved(document, schema);
    let own = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    required.extend(own.filter_map(Value::as_str).map(str::to_owned));
    let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
    parts.for_each(|part| require(document, part, required));
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(|it| document.pointer(it.strip_prefix('#')?));
    target.unwrap_or(schema)
}

fn fields(document: &Value, schema: Option<&Value>) -> Fields {
    let mut fields = Fields::new();
    if let Some(schema) = schema {
        collect(document, schema, "", &mut Vec::new(), &mut fields);
    }
    fields
}

/// Collects the types of a schema and of its fields, through references and compositions. A schema that
/// contains itself is followed once.
fn collect<'a>(
    document: &'a Value,
    schema: &'a Value,
    at: &str,
    open: &mut Vec<&'a str>,
    fields: &mut Fields,
) {
    let name = schema.get("$ref").and_then(Value::as_str);
    if let Some(name) = name {
        if open.contains(&name) {
            fields.entry(at.to_owned()).or_default();
            return;
        }
        open.push(name);
    }
    let schema = resolved(document, schema);
    let types = match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => {
            all.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    fields.entry(at.to_owned()).or_default().extend(types);
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        collect(document, property, &format!("{at}/{name}"), open, fields);
    }
    if let Some(items) = schema.get("items") {
        collect(document, items, &format!("{at}/*"), open, fields);
    }
    for composed in ["allOf", "oneOf", "anyOf"] {
        let parts = schema.get(composed).and_then(Value::as_array).into_iter().flatten();
        parts.for_each(|part| collect(document, part, at, open, fields));
    }
    if name.is_some() {
        open.pop();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(body: &Value, answer: &Value, code: &str) -> Value {
        let content = |schema: &Value| json!({ "application/json": { "schema": schema } });
        json!({
            "paths": { "/a": { "post": {
                "parameters": [{ "in": "query", "name": "q" }],
                "requestBody": { "content": content(body) },
                "responses": { "201": { "content": content(&json!({ "$ref": "#/components/schemas/A" })) } },
            } } },
            "components": { "schemas": {
                "A": answer,
                "XProblem": { "allOf": [{}, { "properties": { "code": { "enum": [code] } } }] },
            } },
        })
    }

    #[test]
    fn what_clients_rely_on_stays() {
        let body = json!({ "properties": { "a": { "type": "string" } }, "required": ["a"] });
        let answer = json!({ "properties": {
            "b": { "type": ["string", "null"] },
            "c": { "type": "array", "items": { "$ref": "#/components/schemas/A" } },
        } });
        let earlier = document(&body, &answer, "1001");
        assert_eq!(broken(&earlier, &earlier), Vec::<String>::new());
        let with = |pointer: &str, value: Value| {
            let mut later = earlier.clone();
            if let Some(place) = later.pointer_mut(pointer) {
                *place = value;
            }
            broken(&earlier, &later).join("; ")
        };
        let sent = "/paths/~1a/post/requestBody/content/application~1json/schema";
        let told = "/components/schemas/A/properties";
        // More to send and to receive, and an answer that is never null.
        let more = json!({ "a": { "type": ["string", "integer"] }, "d": { "type": "string" } });
        assert_eq!(with(&format!("{sent}/properties"), more), "");
        assert_eq!(with(&format!("{told}/b/type"), json!("string")), "");
        for (pointer, value, found) in [
            ("/paths", json!({}), "POST /a is gone"),
            ("/paths/~1a/post/parameters", json!([]), "POST /a no longer takes (\"query\", \"q\")"),
            (&*format!("{sent}/properties"), json!({}), "POST /a no longer takes /a"),
            (&*format!("{sent}/required"), json!(["a", "e"]), "POST /a now requires e"),
            (
                &*format!("{sent}/properties/a/type"),
                json!("integer"),
                "POST /a takes /a as {\"integer\"}, no longer as {\"string\"}",
            ),
            (
                &*format!("{told}/b/type"),
                json!("integer"),
                "POST /a answers /b as {\"integer\"}, not only as {\"null\", \"string\"}",
            ),
            (&*format!("{told}/c"), json!({ "type": "array" }), "POST /a no longer answers /c/*"),
            (
                "/components/schemas/XProblem/allOf/1/properties/code/enum/0",
                json!("1002"),
                "the code 1001 is gone",
            ),
        ] {
            assert_eq!(with(pointer, value), found, "{pointer}");
        }
    }
}
