//! The OpenAPI document of the whole service, built from the handlers' own types.

mod envelopes;
mod errors;
mod headers;
mod links;
mod operations;
mod walk;

use std::fmt::Write;

use serde_json::{Map, Value};
use shared::{
    http::{FieldError, Problem},
    problem::ErrorBody,
};
use utoipa::{
    PartialSchema,
    openapi::{
        Components, Info, License, OpenApi, OpenApiBuilder, Server,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{
    base::failure::{Context, Result},
    functions,
};

/// Description of the whole service, above the table of errors.
const DESCRIPTION: &str = "\
Accounts, swaps, refunds and perpetuals funding of a Bitcoin-asset exchange. The service never asks for a
client's keys: wallets sign, and the service verifies.

Every success is `{code: \"1\", message: \"common.success\", data}`; lists and some others add `metaData`. Every error is \
`{code, message, details, requestId}`, plus `errors: [{field, message}]` if fields are missing or \
invalid. `code` and `message` are stable, `details` is for people. Times are milliseconds since the epoch.

| code | message | status | |
|---|---|---|---|
";

/// The document.
///
/// # Errors
/// A schema is not valid JSON.
pub fn document() -> Result<Value> {
    let mut document = functions::openapi().into_iter().fold(frame(), OpenApi::merge_from);
    document.tags = Some(operations::tags());
    let document = serde_json::to_value(document).context("OpenAPI")?;
    let document = operations::with_access(operations::with_summaries(document));
    let document = operations::with_aliases(operations::with_optional_bodies(document));
    let document = envelopes::with_envelopes(errors::with_errors(document));
    let document = links::with_links(headers::with_headers(document));
    Ok(sorted(envelopes::without_unused_schemas(document)))
}

/// The document as it is committed.
///
/// # Errors
/// A schema is not valid JSON.
pub fn text() -> Result<String> {
    let document = document()?;
    serde_json::to_string_pretty(&document).map(|text| text + "\n").context("OpenAPI")
}

fn frame() -> OpenApi {
    let mut info = Info::new("Runeport", "1.0");
    info.description = Some(description());
    let mut license = License::new("MIT OR Apache-2.0");
    license.identifier = Some("MIT OR Apache-2.0".to_owned());
    info.license = Some(license);
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("The access token of `POST /auth/authenticate`; valid for 10 minutes."))
        .build();
    let mut components = Components::new();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    components.schemas.insert("Error".to_owned(), ErrorBody::schema());
    components.schemas.insert("FieldError".to_owned(), FieldError::schema());
    let mut local = Server::new("http://127.0.0.1:9000");
    local.description = Some("The local world of `make dev`.".to_owned());
    let mut same = Server::new("/");
    same.description = Some("The deployment that serves this document.".to_owned());
    let builder = OpenApiBuilder::new().info(info).components(Some(components));
    builder.servers(Some([same, local])).build()
}

fn description() -> String {
    let mut text = DESCRIPTION.to_owned();
    for problem in Problem::ALL {
        let (code, key, status) = (problem.code(), problem.key(), problem.status().as_u16());
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "| {code} | `{key}` | {status} | {} |", problem.meaning());
    }
    text
}

/// The same value with the keys in alphabetical order at every depth.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<_> = object.into_iter().collect();
            entries.sort_by(|(one, _), (other, _)| one.cmp(other));
            entries
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => items.into_iter().map(sorted).collect(),
        scalar => scalar,
    }
}
