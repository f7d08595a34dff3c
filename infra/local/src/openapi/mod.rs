//! The OpenAPI document of the whole service, built from the handlers' own types.

mod answers;
pub mod changes;
mod conditions;
mod discriminators;
mod enums;
mod envelopes;
mod errors;
mod examples;
mod guide;
mod headers;
mod links;
mod operations;
mod responses;
pub mod texts;
mod walk;
mod webhooks;

use serde_json::{Map, Value};
use shared::{http::FieldError, problem::ErrorBody};
use utoipa::{
    PartialSchema,
    openapi::{
        Components, Contact, Info, License, OpenApi, OpenApiBuilder, Server,
        security::{HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{
    base::{
        answers as seen, examples as recorded,
        failure::{Context, Result},
        refusals,
    },
    functions,
};

/// The document.
///
/// # Errors
/// A schema is not valid JSON.
pub fn document() -> Result<Value> {
    let mut document = functions::openapi().into_iter().fold(frame(), OpenApi::merge_from);
    document.tags = Some(operations::tags());
    let document = serde_json::to_value(document).context("OpenAPI")?;
    let document = operations::with_ids(operations::with_summaries(document));
    let document = operations::with_access(document);
    let document = operations::with_aliases(operations::with_optional_bodies(document));
    let document =
        errors::with_errors(document, seen::listed()?, refusals::listed()?, &functions::table());
    let document = envelopes::without_foreign_sorts(envelopes::with_envelopes(document));
    let document = answers::with_texts(texts::with_texts(document));
    let document = links::with_links(headers::with_headers(document));
    let document = enums::with_meanings(envelopes::without_unused_schemas(document))?;
    let document = discriminators::with_discriminators(webhooks::with_events(document));
    let document = conditions::with_conditions(responses::with_shared_responses(document));
    Ok(sorted(examples::with_examples(document, recorded::listed()?)))
}

/// The document as committed.
///
/// # Errors
/// A schema is not valid JSON.
pub fn text() -> Result<String> {
    let document = document()?;
    serde_json::to_string_pretty(&document).map(|text| text + "\n").context("OpenAPI")
}

fn frame() -> OpenApi {
    let mut info = Info::new("Runeport", "1.0");
    info.description = Some(guide::description());
    let mut contact = Contact::new();
    contact.name = Some("Runeport".to_owned());
    info.contact = Some(contact);
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

/// The same value with its keys sorted at every depth.
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
