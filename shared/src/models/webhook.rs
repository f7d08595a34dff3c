//! Webhooks: URLs that the service calls when something in an account has changed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

super::id!(
    /// The id of a webhook.
    WebhookId,
    "must be a webhook id, a UUID",
    "0197d3f0-0000-7000-8000-000000000000"
);

/// Whose events a webhook sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum WebhookScope {
    /// Those of the account that added it.
    #[default]
    Account,
    /// Those of all accounts.
    Deployment,
}

/// Why a webhook is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum WebhookOff {
    /// Its owner switched it off.
    Owner,
    /// The receiver answered 410.
    Gone,
    /// Nothing was delivered for five days.
    Failing,
    /// An operator disabled the account, or took the role admin from the account that runs a webhook of the
    /// deployment.
    Disabled,
}

/// Why a delivery was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryCause {
    /// The event was next in the list.
    Event,
    /// The owner requested this event again.
    Redelivery,
    /// The owner requested a test.
    Test,
    /// The receiver at the webhook's URL has to confirm that it wants events.
    Verification,
}
