//! What the document says about an operation: summary, tag, access, body, and whether it is the second path
//! of another.

use serde_json::{Map, Value, json};
use utoipa::openapi::tag::{Tag, TagBuilder};

use super::walk::change_operations;

/// The tags and what their operations are for, in the order of the reference.
const TAGS: &[(&str, &str)] = &[
    ("auth", "Registration, sign-in by wallet, password or passkey, and sessions."),
    (
        "account",
        "The caller's account, its e-mail address and its audit trail. Admins can list all accounts.",
    ),
    (
        "credentials",
        "The caller's credentials: sign-in wallet, linked addresses, password, passkeys, second factor, keystore.",
    ),
    ("tokens", "The catalogue of tokens."),
    ("trading-wallet", "The caller's trading wallet: keys, balance, coins, deposits."),
    ("transactions", "Transactions of the trading wallet: withdrawals, renewals, replacements."),
    ("wallets", "Trading wallets, looked up by any address."),
    ("bitcoin", "Fee rates and runes."),
    ("xchain", "Swaps between chains, and withdrawals through the hub."),
    ("vm-transactions", "Virtual mints and the batches of requests in them."),
    ("refund", "Refunds of requests that no virtual block includes."),
    ("perp-venue", "Funding of an account at the perpetuals venue."),
    ("prizes", "The prizes that the treasury holds."),
    ("medias", "Uploads of images and other media."),
    ("download-histories", "Exports of the caller's histories."),
    ("events", "Changes of the caller's account, transactions and other items."),
    ("webhooks", "Webhooks: URLs to which the service sends events."),
    (
        "support",
        "What admins read to answer questions about other accounts; each read is recorded.",
    ),
    ("service", "Settings of the deployment, its public keys and its health."),
    ("reference", "This reference, as a page and as OpenAPI documents."),
];

/// The prefix of the second paths, with the prefix of the first ones.
const ALIASES: (&str, &str) = ("/api/auth/", "/auth/");

/// End of the ids of the second paths.
pub(super) const UNDER_API: &str = "UnderApi";

/// The part of a summary that says who may call.
const ADMINS: &str = "Admins only.";

/// The tags of the document.
pub(super) fn tags() -> Vec<Tag> {
    let tag = |(name, text): &(&str, &str)| {
        TagBuilder::new().name(*name).description(Some(*text)).build()
    };
    TAGS.iter().map(tag).collect()
}

/// Makes the first sentence of a handler's text the summary; the other sentences begin the description. If there
/// are none, the description repeats the summary: tools show one or the other.
pub(super) fn with_summaries(mut document: Value) -> Value {
    change_operations(&mut document, |_, _, operation| {
        let text = |field: &str| operation.get(field).and_then(Value::as_str).unwrap_or_default();
        let whole = text("summary").split_whitespace().collect::<Vec<_>>().join(" ");
        let (first, rest) = whole.split_once(". ").unwrap_or((whole.trim_end_matches('.'), ""));
        let (first, rest) = match rest.strip_prefix(ADMINS) {
            Some(rest) => (format!("{first}. {ADMINS}"), rest.trim_start()),
            None => (format!("{first}."), rest),
        };
        let paragraphs = [rest, text("description")].into_iter().filter(|text| !text.is_empty());
        let description = paragraphs.collect::<Vec<_>>().join("\n\n");
        let description = if description.is_empty() { first.clone() } else { description };
        operation.insert("summary".to_owned(), first.into());
        operation.insert("description".to_owned(), description.into());
    });
    document
}

/// Writes the ids, which are the names of the handlers, in the same style as fields: `getMint`.
pub(super) fn with_ids(mut document: Value) -> Value {
    change_operations(&mut document, |_, _, operation| {
        if let Some(Value::String(id)) = operation.get_mut("operationId") {
            *id = camel_case(id);
        }
    });
    document
}

pub(super) fn camel_case(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
    };
    let (first, rest) = name.split_once('_').unwrap_or((name, ""));
    rest.split('_').filter_map(capital).fold(first.to_owned(), |id, word| id + &word)
}

/// States that public operations need no token, which would otherwise be left open.
pub(super) fn with_access(mut document: Value) -> Value {
    change_operations(&mut document, |_, _, operation| {
        operation.entry("security").or_insert(json!([]));
    });
    document
}

/// Marks the second path of a handler, and gives it an id of its own, because OpenAPI requires unique ones.
pub(super) fn with_aliases(mut document: Value) -> Value {
    change_operations(&mut document, |path, method, operation| {
        let Some(rest) = path.strip_prefix(ALIASES.0) else { return };
        let first = format!("{} {}{rest}", method.to_uppercase(), ALIASES.1);
        if let Some(Value::String(id)) = operation.get_mut("operationId") {
            id.push_str(UNDER_API);
        }
        operation.insert("description".to_owned(), format!("The same as `{first}`.").into());
        operation.insert("x-alias-of".to_owned(), first.into());
        operation.insert("deprecated".to_owned(), true.into());
    });
    document
}

/// A body without required fields may be omitted.
pub(super) fn with_optional_bodies(mut document: Value) -> Value {
    let schemas = document.pointer("/components/schemas").cloned().unwrap_or_default();
    let has_required = |schema: &Value| {
        let name = schema.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|name| name.rsplit('/').next());
        let schema = name.and_then(|name| schemas.get(name)).unwrap_or(schema);
        let is_plain_object = schema.get("properties").is_some();
        !is_plain_object || schema.get("required").is_some()
    };
    change_operations(&mut document, |_, _, operation: &mut Map<String, Value>| {
        let body = operation.get_mut("requestBody").and_then(Value::as_object_mut);
        let Some(body) = body else { return };
        let schema = body.get("content").and_then(|content| {
            content.get("application/json").and_then(|content| content.get("schema"))
        });
        if schema.is_some_and(|schema| !has_required(schema)) {
            body.insert("required".to_owned(), json!(false));
        }
    });
    document
}
