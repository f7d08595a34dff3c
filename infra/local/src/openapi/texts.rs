//! Formats of the texts in requests, for texts whose type does not define one.
//!
//! A pattern matches at least everything that the service accepts (`tests/patterns.rs`), so that no valid
//! request contradicts the document. Most patterns match nothing else. Texts that no pattern describes, such as
//! signatures, only have a format.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use shared::models::email;

use super::walk::{change_operations, operations, references};

/// A kind of text.
#[derive(Debug)]
pub struct Text {
    /// Its name in the document.
    pub format: &'static str,
    /// What it matches.
    pub pattern: Option<&'static str>,
    /// The fields and parameters that contain it. If a field name has several meanings, the name of its schema
    /// precedes it.
    pub(super) fields: &'static [&'static str],
}

/// A kind of text with a pattern.
pub(super) const fn text(
    format: &'static str,
    pattern: &'static str,
    fields: &'static [&'static str],
) -> Text {
    Text { format, pattern: Some(pattern), fields }
}

/// A kind of text that no pattern describes.
pub(super) const fn free(format: &'static str, fields: &'static [&'static str]) -> Text {
    Text { format, pattern: None, fields }
}

/// What each name of [`EventType`](shared::models::event::EventType) matches.
macro_rules! event_type {
    () => {
        "(coins[.]renewal(Advised|Needed)|deposit[.](confirmed|seen)|export[.](completed|failed)|(mint|refund|transaction|vmTransaction)[.]stateChanged|session[.]ended|vmBlock[.]filled|xchain[.]statusChanged)"
    };
}

/// All kinds.
pub const ALL: &[Text] = &[
    text(
        "base64-of-32-bytes",
        "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$",
        &["newSrpSalt", "srpSalt"],
    ),
    text(
        "byte",
        "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$",
        &["encryptedBlob", "newEncryptedBlob"],
    ),
    // Base64 of bytes that are not all zero: zero is not an element of a group.
    text(
        "srp-number",
        "^(AAAA)*(([B-Za-z0-9+/][A-Za-z0-9+/]{3}|A[B-Za-z0-9+/][A-Za-z0-9+/]{2}|AA[B-Za-z0-9+/][A-Za-z0-9+/]|AAA[B-Za-z0-9+/])([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?|[B-Za-z0-9+/][AQgw]==|A[Qgw]==|[B-Za-z0-9+/][A-Za-z0-9+/][AEIMQUYcgkosw048]=|A[B-Za-z0-9+/][AEIMQUYcgkosw048]=|AA[EIMQUYcgkosw048]=)$",
        &["clientPublic", "newClientPublic", "newSrpVerifier", "srpVerifier"],
    ),
    // Base64 of 1 to 32 bytes: clients that compute with numbers drop leading zeros.
    text(
        "srp-proof",
        "^(([A-Za-z0-9+/]{4}){0,10}([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)|([A-Za-z0-9+/]{4}){1,10})$",
        &["clientProof", "newClientProof"],
    ),
    // Empty counts as missing. People copy recovery codes with other spaces and dashes than the printed ones.
    text("otp-code", "^(([\\s-]*[0-9]){6}[\\s-]*|([\\s-]*[0-9A-Za-z]){24}[\\s-]*)?$", &["otpCode"]),
    text("mailed-token", "^[A-Za-z0-9_-]{43}$", &["token"]),
    text("refresh-token", "^[A-Za-z0-9_-]+$", &["refreshToken"]),
    text("device-token", "^[A-Za-z0-9_-]{64}$", &["Device-Token"]),
    text(
        "address",
        "^[!-~]*$",
        &[
            "address",
            "address_eq",
            "relatedAddress_eq",
            "tradingAddress_eq",
            "userAddress",
            "userAddress_eq",
            "walletAddress",
        ],
    ),
    // Empty counts as missing where the field may be missing.
    text(
        "bitcoin-address",
        "^([0-9A-Za-z]{14,90})?$",
        &["SignedMessage.address", "proceedsAddress", "withdrawTo"],
    ),
    text(
        "bitcoin-key",
        "^(0[23])?[0-9A-Fa-f]{64}$",
        &["MakeTradingWallet.publicKey", "SignedMessage.publicKey", "tradingPublicKey"],
    ),
    text("psbt", "^[A-Za-z0-9+/\\s]+(=\\s*){0,2}$", &["base64Psbt", "signedBase64Tx"]),
    text(
        "outpoint",
        "^[0-9a-fA-F]{64}:(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[0-2][0-9]{8})$",
        &["txIdVouts"],
    ),
    text(
        "instant",
        "^(0*[1-9][0-9]{11,14}|[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2}))?)$",
        &["from", "to"],
    ),
    text(
        "media-filename",
        "[.]([pP][nN][gG]|[jJ][pP][eE]?[gG]|[gG][iI][fF]|[wW][eE][bB][pP]|[aA][vV][iI][fF])$",
        &["filename"],
    ),
    text(
        "label",
        "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
        &["PrizeName", "name", "newPasswordHint", "note", "passwordHint", "provider"],
    ),
    text("field-names", "^[A-Za-z0-9_+, -]*$", &["populate", "select", "sort"]),
    text(
        "event-types",
        concat!("^[, ]*(", event_type!(), "[, ]+)*", event_type!(), "?$"),
        &["types"],
    ),
    text(
        "rune-ids",
        "^\\s*([1-9][0-9]{0,18}|1[0-8][0-9]{18}):(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[0-2][0-9]{8})\\s*(,\\s*([1-9][0-9]{0,18}|1[0-8][0-9]{18}):(0|[1-9][0-9]{0,8}|[1-3][0-9]{9}|4[0-2][0-9]{8})\\s*)*$",
        &["runeIds"],
    ),
    text("flag", "^(0|1|true|false)?$", &["deep"]),
    text("email-or-account-id", email::PATTERN_OR_ID, &["email"]),
    free("referral-code", &["code", "referralCode"]),
    free("sign-in-message", &["message"]),
    free("public-key", &["publicKey"]),
    free("search-text", &["q"]),
    free("signature", &["signature"]),
    free("token-pair", &["intentTokenPair_eq"]),
    free("token-address", &["intentToken_eq"]),
    free("transport", &["transports"]),
    free("uri", &["url"]),
];

/// Formats of types that have a pattern.
const KNOWN: &[(&str, &str)] = &[
    ("address", "^[!\"$-~]{1,128}$"),
    ("evm-address", "^0x[0-9a-fA-F]{40}$"),
    // Not `email`, which allows no spaces around an address and no wide characters.
    ("email-address", email::PATTERN),
];

/// Adds the formats and patterns to the bodies and parameters of requests.
pub(super) fn with_texts(mut document: Value) -> Value {
    let inputs = inputs(&document);
    let schemas = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut);
    for (name, schema) in schemas.into_iter().flatten().filter(|(name, _)| inputs.contains(*name)) {
        describe("", name, schema, false);
        describe_fields(name, schema);
    }
    change_operations(&mut document, |_, _, operation| {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let is_required = parameter.get("required").is_some_and(|it| it == true);
            if let Some(schema) = parameter.get_mut("schema") {
                describe("", &name, schema, is_required);
            }
        }
        if let Some(body) = operation.get_mut("requestBody") {
            describe_fields("", body);
        }
    });
    document
}

/// The schemas that requests use.
fn inputs(document: &Value) -> BTreeSet<String> {
    let mut next = Vec::new();
    for (_, operation) in operations(document) {
        for part in ["requestBody", "parameters"] {
            operation.get(part).into_iter().for_each(|part| references(part, &mut next));
        }
    }
    let schemas = document.pointer("/components/schemas");
    let mut inputs = BTreeSet::new();
    while let Some(name) = next.pop() {
        if inputs.insert(name.to_owned()) {
            let schema = schemas.and_then(|schemas| schemas.get(name));
            schema.into_iter().for_each(|schema| references(schema, &mut next));
        }
    }
    inputs
}

fn describe_fields(owner: &str, schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let required = fields.get("required").and_then(Value::as_array).cloned();
            let required = required.unwrap_or_default();
            let properties = fields.get_mut("properties").and_then(Value::as_object_mut);
            for (name, property) in properties.into_iter().flatten() {
                describe(owner, name, property, required.iter().any(|it| it == name));
            }
            fields.values_mut().for_each(|field| describe_fields(owner, field));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| describe_fields(owner, item)),
        _ => {}
    }
}

/// Whether a schema is a text for which it states nothing but its length.
pub fn is_bare_text(schema: &Map<String, Value>) -> bool {
    let kind = schema.get("type");
    let is_text = kind.is_some_and(|kind| {
        kind == "string" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("string")))
    });
    is_text && !["enum", "pattern", "format"].iter().any(|said| schema.contains_key(*said))
}

/// Describes a field or a parameter. If it is required, an empty text counts as missing.
fn describe(owner: &str, name: &str, schema: &mut Value, is_required: bool) {
    let is_array = schema.get("items").is_some();
    let schema = if is_array { schema.get_mut("items") } else { Some(schema) };
    let Some(schema) = schema.and_then(Value::as_object_mut) else { return };
    let known = KNOWN.iter().find(|(_, known)| schema.get("pattern").is_some_and(|it| it == known));
    if let Some((format, _)) = known {
        schema.entry("format").or_insert((*format).into());
    }
    if !is_bare_text(schema) {
        return;
    }
    if is_required && !is_array {
        schema.entry("minLength").or_insert(1.into());
    }
    let own = format!("{owner}.{name}");
    let of = |wanted: &str| ALL.iter().find(|text| text.fields.contains(&wanted));
    let Some(text) = of(&own).or_else(|| of(name)) else { return };
    schema.insert("format".to_owned(), text.format.into());
    if let Some(pattern) = text.pattern {
        schema.insert("pattern".to_owned(), pattern.into());
    }
}
