//! Changes to an account that its owner is notified of.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A change to how an account is accessed or protected. It is recorded in the audit trail and reported by
/// mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Change)]
pub enum AccountChange {
    /// The account was created.
    AccountCreated,
    /// A session was opened on a known device.
    SignedIn,
    /// A session was opened, or its owner authenticated again, on an unknown device.
    NewDevice,
    /// The owner authenticated again inside a session.
    Reauthenticated,
    /// The owner proved access to the mailbox.
    EmailVerified,
    /// Another account proved access to the mailbox, which this account had not proved. This account lost the
    /// address.
    EmailLost,
    /// A change of the e-mail address was requested.
    EmailChangeRequested,
    /// The e-mail address was changed.
    EmailChanged,
    /// The password was changed.
    PasswordChanged,
    /// The sign-in wallet was changed.
    WalletRotated,
    /// The second factor was enabled, or its secret was replaced.
    TotpEnabled,
    /// The second factor was disabled.
    TotpDisabled,
    /// A recovery code was used in place of a code of the second factor.
    RecoveryCodeUsed,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// An address was linked.
    AddressLinked,
    /// An address was unlinked.
    AddressUnlinked,
    /// The trading wallet was created.
    TradingWalletMade,
    /// A webhook was added.
    WebhookAdded,
    /// The URL, the types, the note or the secret of a webhook was changed, or it was switched on or off.
    WebhookChanged,
    /// A webhook was removed.
    WebhookRemoved,
    /// A webhook was switched off because nothing was delivered for five days, or its receiver answered 410.
    WebhookFailed,
    /// The owner ended a session from another one.
    SessionRevoked,
    /// A refresh token was presented after its successor had been used, and its session was ended.
    RefreshTokenReused,
    /// An operator deleted media that the account had uploaded.
    MediaDeleted,
    /// Another device presented a refresh token that was already exchanged, and got the same successor.
    RefreshTokenRepeated,
    /// An operator changed the account's role.
    RoleChanged,
    /// An operator disabled the account.
    AccountDisabled,
    /// An operator enabled the account again.
    AccountEnabled,
    /// An operator ended the account's sessions.
    SessionsEnded,
    /// An operator released the account's e-mail address.
    EmailReleased,
}
