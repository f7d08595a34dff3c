use utoipa::{
    OpenApi,
    openapi::{ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, schema::Type},
};

#[derive(OpenApi)]
#[openapi(
    components(schemas(crate::list::Referrer)),
    paths(
        crate::health::get_health,
        crate::list::list_accounts,
        crate::list::get_account,
        crate::me::get_me,
        crate::referral_code::verify_referral_code,
        crate::change_password::init_change_password,
        crate::change_password::verify_change_password,
        crate::rotate_wallet::rotate_wallet,
        crate::second_factor::set_up_totp,
        crate::second_factor::toggle_totp,
        crate::avatar::set_avatar,
        crate::default_token::remove_default_token,
        crate::default_token::set_default_token,
        crate::change_email::init_change_email,
        crate::change_email::verify_change_email,
        crate::verify_email::verify_email,
        crate::verify_email::resend_verification,
        crate::keystore::get_keystore,
        crate::addresses::list_addresses,
        crate::addresses::link_address,
        crate::addresses::unlink_address,
        crate::trading_wallet::get_trading_wallet,
        crate::trading_wallet::create_trading_wallet,
        crate::passkeys::list_passkeys,
        crate::passkeys::init_passkey,
        crate::passkeys::verify_passkey,
        crate::passkeys::delete_passkey,
        crate::activity::list_activity,
        crate::events::list_events,
        crate::events::create_socket_ticket,
        crate::webhooks::list_webhooks,
        crate::webhooks::create_webhook,
        crate::webhooks::get_webhook,
        crate::webhooks::update_webhook,
        crate::webhooks::delete_webhook,
        crate::webhooks::rotate_webhook_secret,
        crate::webhooks::test_webhook,
        crate::webhooks::list_webhook_deliveries,
        crate::webhooks::redeliver_event,
        crate::webhooks::replay_webhook,
        crate::tokens::list_tokens,
        crate::tokens::get_token,
    )
)]
struct Document;

/// This function's part of the OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    let schemas = document.components.as_mut().map(|components| &mut components.schemas);
    // Relations are not fields of the row; `populate` adds them.
    if let Some(RefOr::T(Schema::Object(row))) = schemas.and_then(|it| it.get_mut("AccountRow")) {
        let none = ObjectBuilder::new().schema_type(Type::Null);
        let referrer = OneOfBuilder::new().item(none).item(Ref::from_schema_name("Referrer"));
        row.properties.insert("referrer".to_owned(), referrer.into());
    }
    document
}
