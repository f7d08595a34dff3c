//! Accounts as seen by their owners and by admins, the token catalogue, and health checks.

pub mod activity;
pub mod addresses;
mod app;
pub mod avatar;
mod change_account;
pub mod change_email;
pub mod change_password;
pub mod default_token;
mod error;
pub mod events;
pub mod health;
pub mod keystore;
pub mod list;
pub mod me;
#[cfg(feature = "openapi")]
mod openapi;
pub mod passkeys;
mod password;
pub mod referral_code;
pub mod rotate_wallet;
pub mod second_factor;
pub mod tokens;
pub mod trading_wallet;
pub mod verify_email;
pub mod webhooks;

use shared::http::{
    Access::{Admin, Bearer, Public},
    Routes,
};

pub use app::App;
pub use error::AccountError;

#[cfg(feature = "openapi")]
pub use openapi::openapi;

/// The endpoints of this function.
pub fn routes() -> Routes<App> {
    Routes::new()
        .get(Public, "/api/health", health::get_health)
        .get(Admin, "/api/account", list::list_accounts)
        .get(Bearer, "/api/account/me", me::get_me)
        .get(Admin, "/api/account/{id}", list::get_account)
        .get(
            Public,
            "/api/account/referral-code/{code}/verify",
            referral_code::verify_referral_code,
        )
        .post(
            Bearer,
            "/api/account/srp/change-password/init",
            change_password::init_change_password,
        )
        .post(
            Bearer,
            "/api/account/srp/change-password/verify",
            change_password::verify_change_password,
        )
        .post(Bearer, "/api/account/wallet/rotate", rotate_wallet::rotate_wallet)
        .post(Bearer, "/api/account/2fa/setup", second_factor::set_up_totp)
        .post(Bearer, "/api/account/2fa/toggle", second_factor::toggle_totp)
        .patch(Bearer, "/api/account/avatar", avatar::set_avatar)
        .delete(Bearer, "/api/account/default-token", default_token::remove_default_token)
        .patch(Bearer, "/api/account/default-token", default_token::set_default_token)
        .post(Bearer, "/api/account/change-email/init", change_email::init_change_email)
        .post(Bearer, "/api/account/change-email/verify", change_email::verify_change_email)
        .post(Bearer, "/api/account/verify-email", verify_email::verify_email)
        .post(Bearer, "/api/account/verify-email/resend", verify_email::resend_verification)
        .get(Bearer, "/api/account/keystore", keystore::get_keystore)
        .get(Bearer, "/api/account/addresses", addresses::list_addresses)
        .post(Bearer, "/api/account/addresses", addresses::link_address)
        .delete(Bearer, "/api/account/addresses/{address}", addresses::unlink_address)
        .get(Bearer, "/api/account/trading-wallet", trading_wallet::get_trading_wallet)
        .post(Bearer, "/api/account/trading-wallet", trading_wallet::create_trading_wallet)
        .get(Bearer, "/api/account/passkeys", passkeys::list_passkeys)
        .post(Bearer, "/api/account/passkeys/init", passkeys::init_passkey)
        .post(Bearer, "/api/account/passkeys/verify", passkeys::verify_passkey)
        .delete(Bearer, "/api/account/passkeys/{id}", passkeys::delete_passkey)
        .get(Bearer, "/api/account/activity", activity::list_activity)
        .get(Bearer, "/api/events", events::list_events)
        .post(Bearer, "/api/events/ticket", events::create_socket_ticket)
        .get(Bearer, "/api/webhooks", webhooks::list_webhooks)
        .post(Bearer, "/api/webhooks", webhooks::create_webhook)
        .get(Bearer, "/api/webhooks/{id}", webhooks::get_webhook)
        .patch(Bearer, "/api/webhooks/{id}", webhooks::update_webhook)
        .delete(Bearer, "/api/webhooks/{id}", webhooks::delete_webhook)
        .post(Bearer, "/api/webhooks/{id}/rotate-secret", webhooks::rotate_webhook_secret)
        .post(Bearer, "/api/webhooks/{id}/test", webhooks::test_webhook)
        .get(Bearer, "/api/webhooks/{id}/deliveries", webhooks::list_webhook_deliveries)
        .post(
            Bearer,
            "/api/webhooks/{id}/deliveries/{sequence}/redeliver",
            webhooks::redeliver_event,
        )
        .post(Bearer, "/api/webhooks/{id}/replay", webhooks::replay_webhook)
        .get(Public, "/api/tokens", tokens::list_tokens)
        .get(Public, "/api/tokens/{tokenId}", tokens::get_token)
}
