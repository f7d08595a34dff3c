//! Changes to an account that its owner is told of.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A change to how an account is reached or protected: a row of its audit trail, and what a notice
/// by mail tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Change {
    /// The account was made.
    AccountCreated,
    /// A session was opened on a device that the account knows.
    SignedIn,
    /// A session was opened on a device that the account did not know.
    NewDevice,
    /// The owner proved to read the mailbox.
    EmailVerified,
    /// Another account proved to read the mailbox of the address, which this one never had.
    EmailLost,
    /// A change of the e-mail address was asked for.
    EmailChangeRequested,
    /// The e-mail address was changed.
    EmailChanged,
    /// The password was changed.
    PasswordChanged,
    /// The sign-in wallet was changed.
    WalletRotated,
    /// The second factor was switched on, or its secret was replaced.
    TotpEnabled,
    /// The second factor was switched off.
    TotpDisabled,
    /// A recovery code stood in for a code of the second factor.
    RecoveryCodeUsed,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// An address was linked.
    AddressLinked,
    /// An address was unlinked.
    AddressUnlinked,
    /// The trading wallet was made.
    TradingWalletMade,
    /// A session was ended by its owner from another one.
    SessionRevoked,
    /// A refresh token was presented twice, and its session was ended.
    RefreshTokenReused,
    /// An operator gave the account another role.
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
