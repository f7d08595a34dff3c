//! The client of a sign-in, as later shown to the account's owner.

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use http::{header, request::Parts};
use shared::{
    auth::device_token::DeviceToken,
    http::{Error, Problem, RequestContext},
    models::account::AccountId,
};

use crate::app::App;

/// The client of a sign-in and its request.
#[derive(Clone, Debug)]
pub struct Client {
    /// The client software, from the header `User-Agent`.
    pub(crate) user_agent: Option<String>,
    /// Id, source and device of the request.
    pub(crate) context: RequestContext,
}

impl Client {
    /// The device token that the client sent; not yet matched to an account.
    pub(crate) fn device(&self) -> Option<&DeviceToken> {
        self.context.device.as_ref()
    }

    /// The hash under which the account may know the device.
    pub(crate) fn device_hash(&self, account: AccountId) -> Option<String> {
        self.device().map(|device| device.hash(account))
    }

    /// The source address as seen by the gateway.
    pub(crate) fn source_ip(&self) -> Option<IpAddr> {
        self.context.source_ip
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, Error> {
        let user_agent = parts
            .headers
            .get(header::USER_AGENT)
            .and_then(|value| value.to_str().ok())
            .map(|value| value.chars().take(200).collect());
        let context = parts.extensions.get::<RequestContext>().cloned();
        let context = context.ok_or(Error::new(Problem::Internal))?;
        Ok(Self { user_agent, context })
    }
}
