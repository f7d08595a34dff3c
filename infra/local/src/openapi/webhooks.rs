//! Events by their type, in lists and as sent to webhooks: a request for each type of an account's events,
//! one for a test, and one for the verification of a URL.

use outbox::events::EventData;
use serde_json::{Map, Value, json};
use shared::models::event::{EventType, StateChange};

use super::{operations, walk::insert};

/// The headers of Standard Webhooks with their meanings and patterns.
const HEADERS: [(&str, &str, &str); 3] = [
    ("webhook-id", "The id of the event, the same in each attempt.", "^[!-~]+$"),
    ("webhook-timestamp", "When this attempt was sent, in seconds since the epoch.", "^[0-9]+$"),
    (
        "webhook-signature",
        "The signatures of the request, one for each secret of the webhook, separated by spaces.",
        "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$",
    ),
];

/// Requests that no event causes: their types, their purposes, and the field that their `data` has next to
/// the webhook.
const OTHERS: [(&str, &str, Option<&str>); 2] = [
    ("webhook.test", "A test, requested with `POST /api/webhooks/{id}/test`.", None),
    (
        "webhook.verification",
        "Asks the receiver to confirm that it wants events.",
        Some("challenge"),
    ),
];

/// The schemas in the code that cover events of every type without describing any single type.
const OF_EVERY_TYPE: [&str; 3] = ["EventData", "EventState", "EventType"];

/// Adds a schema for each type of event, makes `EventItem` a choice between them, and adds the requests. Runs
/// after the schemas have their texts and meanings.
pub(super) fn with_events(mut document: Value) -> Value {
    let mut schemas = Map::new();
    let mut webhooks = Map::new();
    let mut listed = Vec::new();
    for kind in EventType::OF_ACCOUNTS.into_iter().chain(EventType::OF_MINTS) {
        let name = kind.name();
        let meaning = meaning(&document, name).unwrap_or_default();
        let schema = event(&document, kind, &meaning);
        listed.push(reference(name));
        schemas.insert(title(name), schema);
        if EventType::OF_ACCOUNTS.contains(&kind) {
            webhooks.insert(name.to_owned(), received(name, &meaning, false));
        }
    }
    for (name, meaning, field) in OTHERS {
        schemas.insert(title(name), of_no_event(name, meaning, field));
        webhooks.insert(name.to_owned(), received(name, meaning, field.is_some()));
    }
    let own = EventType::OF_ACCOUNTS.map(EventType::name);
    let meanings = own.map(|name| meaning(&document, name).unwrap_or_default());
    let types = json!({
        "type": "string", "enum": own, "x-enum-descriptions": meanings,
        "description": "The type of an event of an account.",
    });
    schemas.insert("AccountEventType".to_owned(), types);
    let what = "An event. `type` determines the fields of `data`.";
    schemas.insert("EventItem".to_owned(), json!({ "description": what, "oneOf": listed }));
    let known = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    if let Some(known) = known {
        known.retain(|name, _| !OF_EVERY_TYPE.contains(&name.as_str()));
        known.extend(schemas);
    }
    insert(&mut document, "webhooks", webhooks.into());
    document
}

/// `vmTransaction.stateChanged` is `VmTransactionStateChanged`.
fn event_name(name: &str) -> String {
    capitalised(&operations::camel_case(&snake_case(name)))
}

/// The name of the schema of a type.
fn title(name: &str) -> String {
    format!("{}Event", event_name(name))
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{}", title(name)) })
}

/// The meaning of a type of event.
fn meaning(document: &Value, name: &str) -> Option<String> {
    let schema = document.pointer("/components/schemas/EventType")?;
    let names = schema.get("enum")?.as_array()?.iter();
    let meanings = schema.get("x-enum-descriptions")?.as_array()?;
    let (_, meaning) = names.zip(meanings).find(|(own, _)| *own == name)?;
    meaning.as_str().map(str::to_owned)
}

/// An event of this type. Its data has the fields that identify an item of its kind.
fn event(document: &Value, kind: EventType, meaning: &str) -> Value {
    let property = |schema: &str, name: &str| {
        document.pointer(&format!("/components/schemas/{schema}/properties/{name}")).cloned()
    };
    let of = |schema: &str, names: &[&str]| -> Map<String, Value> {
        let each = names.iter().map(|name| {
            let property = property(schema, name).unwrap_or_default();
            ((*name).to_owned(), property)
        });
        each.collect()
    };
    // A subject that is valid for every kind.
    let change = StateChange::of_state(kind, "1", None, "a");
    let told = serde_json::to_value(EventData::from(change)).unwrap_or_default();
    let fields: Vec<_> =
        told.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
    let mut data = of("EventData", &fields);
    data.values_mut().for_each(never_null);
    for (name, what, is_null) in [
        ("before", "The state before the change; null if the item is new.", true),
        ("after", "The state after the change.", false),
    ] {
        let state = match (kind, is_null) {
            (EventType::VmBlock, _) => filled(name),
            (_, true) => {
                json!({ "type": ["string", "null"], "format": "state", "description": what })
            }
            (_, false) => json!({ "type": "string", "format": "state", "description": what }),
        };
        data.insert(name.to_owned(), state);
    }
    let is_certain = |name: &&str| kind != EventType::SessionEnded || *name != "sessionId";
    let required: Vec<_> = fields.iter().copied().filter(is_certain).collect();
    let mut properties = of("EventItem", &["id", "sequence", "timestamp"]);
    properties.insert("type".to_owned(), json!({ "type": "string", "enum": [kind.name()] }));
    let data = json!({ "type": "object", "required": required, "properties": data });
    properties.insert("data".to_owned(), data);
    if EventType::OF_ACCOUNTS.contains(&kind) {
        let account = "The account that the event is about. Only webhooks with the scope `deployment` receive it.";
        let account = json!({ "type": "string", "format": "uuid", "description": account });
        properties.insert("accountId".to_owned(), account);
    }
    json!({
        "type": "object", "description": meaning, "properties": properties,
        "required": ["id", "sequence", "type", "timestamp", "data"],
    })
}

/// Makes a field either have a value or be missing, but never null.
fn never_null(property: &mut Value) {
    if let Some(Value::Array(types)) = property.get("type")
        && let Some(kind) = types.iter().find(|kind| *kind != "null").cloned()
    {
        insert(property, "type", kind);
    }
}

/// Numbers of virtual blocks replace states.
fn filled(name: &str) -> Value {
    let what = match name {
        "before" => "The number of filled virtual blocks before the change.",
        _ => {
            "The number of filled virtual blocks after the change. It is lower if a reorganisation has emptied some."
        }
    };
    json!({ "type": "integer", "format": "int64", "minimum": 0, "description": what })
}

/// A request that no event causes.
fn of_no_event(name: &str, meaning: &str, field: Option<&str>) -> Value {
    let webhook =
        json!({ "type": "string", "format": "uuid", "description": "The id of the webhook." });
    let mut data = Map::from_iter([("webhookId".to_owned(), webhook)]);
    let mut required = vec!["webhookId"];
    if let Some(field) = field {
        let what = "The challenge that the receiver must return.";
        let text = json!({ "type": "string", "pattern": "^[!-~]+$", "description": what });
        data.insert(field.to_owned(), text);
        required.push(field);
    }
    let zero = "Always 0, because no list contains this request.";
    json!({
        "type": "object",
        "description": meaning,
        "required": ["id", "sequence", "type", "timestamp", "data"],
        "properties": {
            "id": { "type": "string", "pattern": "^[!-~]+$", "description": "The id of the request." },
            "sequence": { "type": "integer", "minimum": 0, "maximum": 0, "description": zero },
            "type": { "type": "string", "enum": [name] },
            "timestamp": { "$ref": "#/components/schemas/Timestamp" },
            "data": { "type": "object", "required": required, "properties": data },
        },
    })
}

/// A request, and the responses that count as received.
fn received(name: &str, meaning: &str, is_answered: bool) -> Value {
    let headers = HEADERS.map(|(name, what, pattern)| {
        let schema = json!({ "type": "string", "pattern": pattern });
        json!({ "name": name, "in": "header", "required": true, "description": what, "schema": schema })
    });
    let mut taken = json!({ "description": "The receiver has accepted the request." });
    if is_answered {
        let what = "The challenge from the request.";
        let challenge = json!({ "type": "string", "pattern": "^[!-~]+$", "description": what });
        let schema = json!({
            "type": "object", "required": ["challenge"], "properties": { "challenge": challenge },
        });
        insert(&mut taken, "content", json!({ "application/json": { "schema": schema } }));
    }
    json!({
        "post": {
            "operationId": format!("receive{}", event_name(name)),
            "summary": meaning,
            "tags": ["webhooks"],
            "security": [],
            "parameters": headers,
            "requestBody": {
                "required": true,
                "content": { "application/json": { "schema": reference(name) } },
            },
            "responses": {
                "2XX": taken,
                "410": { "description": "The receiver no longer exists. The service turns the webhook off." },
            },
        },
    })
}

/// `vmTransaction.stateChanged` is `vm_transaction_state_changed`.
fn snake_case(name: &str) -> String {
    let letter = |letter: char| match letter {
        '.' => "_".to_owned(),
        'A'..='Z' => format!("_{}", letter.to_ascii_lowercase()),
        _ => letter.to_string(),
    };
    name.chars().map(letter).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
