use utoipa::{
    OpenApi,
    openapi::{ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, schema::Type},
};

#[derive(OpenApi)]
#[openapi(
    components(schemas(crate::list::Referrer)),
    paths(
        crate::health::health,
        crate::list::list_accounts,
        crate::me::me,
        crate::referral_code::verify_referral_code,
    )
)]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let schemas = document.components.as_mut().map(|components| &mut components.schemas);
    // A relation is no field of the row: `populate` adds it.
    if let Some(RefOr::T(Schema::Object(row))) = schemas.and_then(|it| it.get_mut("AccountRow")) {
        let none = ObjectBuilder::new().schema_type(Type::Null);
        let referrer = OneOfBuilder::new().item(none).item(Ref::from_schema_name("Referrer"));
        row.properties.insert("referrer".to_owned(), referrer.into());
    }
    document
}
