//! Events: changes of an account's items, or of a mint.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr,
        schema::{Schema, Type},
    },
};

/// The type of an event.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum EventType {
    /// The state of a withdrawal, a renewal or the commitment of a batch has changed.
    #[serde(rename = "transaction.stateChanged")]
    Transaction,
    /// The status of a swap or of a withdrawal through the hub has changed.
    #[serde(rename = "xchain.statusChanged")]
    Xchain,
    /// The state of a batch of requests has changed.
    #[serde(rename = "vmTransaction.stateChanged")]
    VmTransaction,
    /// The state of a refund's transaction has changed.
    #[serde(rename = "refund.stateChanged")]
    Refund,
    /// The file of an export is ready.
    #[serde(rename = "export.completed")]
    ExportCompleted,
    /// The file of an export will not be written.
    #[serde(rename = "export.failed")]
    ExportFailed,
    /// A session was ended before it expired, or a change of a credential ended all sessions.
    #[serde(rename = "session.ended")]
    SessionEnded,
    /// A deposit waits for a block, because it was announced or a reorganisation removed its block; or the
    /// deposit is gone.
    #[serde(rename = "deposit.seen")]
    DepositSeen,
    /// A deposit is in a block.
    #[serde(rename = "deposit.confirmed")]
    DepositConfirmed,
    /// Coins should be renewed: in fewer than 4,032 blocks, their user alone can spend them.
    #[serde(rename = "coins.renewalAdvised")]
    RenewalAdvised,
    /// Coins must be renewed: in fewer than 1,152 blocks, their user alone can spend them, and mints refuse
    /// them.
    #[serde(rename = "coins.renewalNeeded")]
    RenewalNeeded,
    /// Virtual blocks of a mint have been filled, or a reorganisation has emptied some.
    #[serde(rename = "vmBlock.filled")]
    VmBlock,
    /// The state of a mint has changed.
    #[serde(rename = "mint.stateChanged")]
    Mint,
}

impl EventType {
    /// The types of an account's events.
    pub const OF_ACCOUNTS: [Self; 11] = [
        Self::Transaction,
        Self::Xchain,
        Self::VmTransaction,
        Self::Refund,
        Self::ExportCompleted,
        Self::ExportFailed,
        Self::SessionEnded,
        Self::DepositSeen,
        Self::DepositConfirmed,
        Self::RenewalAdvised,
        Self::RenewalNeeded,
    ];

    /// The types of a mint's events, which anyone may read.
    pub const OF_MINTS: [Self; 2] = [Self::VmBlock, Self::Mint];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transaction => "transaction.stateChanged",
            Self::Xchain => "xchain.statusChanged",
            Self::VmTransaction => "vmTransaction.stateChanged",
            Self::Refund => "refund.stateChanged",
            Self::ExportCompleted => "export.completed",
            Self::ExportFailed => "export.failed",
            Self::SessionEnded => "session.ended",
            Self::DepositSeen => "deposit.seen",
            Self::DepositConfirmed => "deposit.confirmed",
            Self::RenewalAdvised => "coins.renewalAdvised",
            Self::RenewalNeeded => "coins.renewalNeeded",
            Self::VmBlock => "vmBlock.filled",
            Self::Mint => "mint.stateChanged",
        }
    }

    /// The name in rows, which DynamoDB charges by the byte.
    const fn short_name(self) -> &'static str {
        match self {
            Self::Transaction => "tx",
            Self::Xchain => "xchain",
            Self::VmTransaction => "vm",
            Self::Refund => "refund",
            Self::ExportCompleted => "exported",
            Self::ExportFailed => "notExported",
            Self::SessionEnded => "session",
            Self::DepositSeen => "deposit",
            Self::DepositConfirmed => "deposited",
            Self::RenewalAdvised => "advised",
            Self::RenewalNeeded => "needed",
            Self::VmBlock => "vmBlock",
            Self::Mint => "mint",
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        Self::OF_ACCOUNTS.into_iter().chain(Self::OF_MINTS)
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for EventType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names: Vec<_> = Self::all().map(Self::name).collect();
        let found = Self::all().find(|known| known.name() == text);
        found.ok_or_else(|| format!("must be one of {}", names.join(", ")))
    }
}

mod short {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::EventType;

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(kind: &EventType, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(kind.short_name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<EventType, D::Error> {
        let text = String::deserialize(from)?;
        let found = EventType::all().find(|kind| kind.short_name() == text);
        found.ok_or_else(|| D::Error::custom("no such type of events"))
    }
}

/// The type of an account's event, in schemas: one of [`EventType::OF_ACCOUNTS`].
#[derive(Debug)]
pub struct AccountEventType;

impl PartialSchema for AccountEventType {
    fn schema() -> RefOr<Schema> {
        let names = EventType::OF_ACCOUNTS.map(EventType::name);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).into()
    }
}

impl ToSchema for AccountEventType {}

/// What something was before an event, or is after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum EventState {
    /// The name of a state.
    Name(String),
    /// A number of virtual blocks.
    Count(u64),
}

impl EventState {
    /// A state from an enum that serde writes as its name.
    pub fn named(state: impl Serialize) -> Self {
        let name = serde_json::to_value(state).ok();
        let name = name.as_ref().and_then(|name| name.as_str());
        debug_assert!(name.is_some(), "the state has no name");
        Self::Name(name.unwrap_or_default().to_owned())
    }
}

/// A change that an event reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateChange {
    /// The type of the item, and with it the kind of change.
    #[serde(rename = "t", with = "short")]
    pub kind: EventType,
    /// The id of the item: the txid of a transaction, the hash of a swap, the outpoint of a deposit, the
    /// block height of coins, the UUID of anything else.
    #[serde(rename = "of")]
    pub subject: String,
    /// The earlier state; `None` if the item is new.
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub before: Option<EventState>,
    /// The new state.
    #[serde(rename = "a")]
    pub after: EventState,
}

impl StateChange {
    /// The change of an item from one state to another.
    pub fn of_state<S: Serialize>(
        kind: EventType,
        subject: impl fmt::Display,
        before: Option<S>,
        after: S,
    ) -> Self {
        Self {
            kind,
            subject: subject.to_string(),
            before: before.map(EventState::named),
            after: EventState::named(after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_the_wire() {
        for kind in EventType::all() {
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.name().into()));
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert!("transaction".parse::<EventType>().is_err());
    }

    #[test]
    fn a_stored_change_is_read_as_it_was_written() {
        for kind in EventType::all() {
            let states = [(None, "open"), (Some("open"), "mintedOut")];
            for (before, after) in states {
                let change = StateChange::of_state(kind, "11".repeat(32), before, after);
                let text = serde_json::to_string(&change).unwrap_or_default();
                assert_eq!(serde_json::from_str(&text).ok(), Some(change), "{text}");
            }
        }
        let filled = StateChange {
            kind: EventType::VmBlock,
            subject: String::new(),
            before: Some(EventState::Count(12)),
            after: EventState::Count(15),
        };
        let text = r#"{"t":"vmBlock","of":"","b":12,"a":15}"#;
        assert_eq!(serde_json::to_string(&filled).ok().as_deref(), Some(text));
    }
}
