//! The names that clients use for lists, and the event numbers that they send with them.

use std::collections::BTreeMap;

use chain::{keys::mint_events, models::mint::MintId};
use serde::Deserialize;
use shared::{keys::EventList, models::account::AccountId};

/// The last events that a client knows.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(crate) enum After {
    /// The client names no event, so it receives later events only.
    #[default]
    Now,
    /// The same number for each list.
    One(u64),
    /// A number for each list.
    Each(BTreeMap<Channel, u64>),
}

impl After {
    pub(crate) fn of(&self, channel: &Channel) -> Option<u64> {
        match self {
            Self::Now => None,
            Self::One(number) => Some(*number),
            Self::Each(numbers) => numbers.get(channel).copied(),
        }
    }
}

/// A list as clients name it: `account`, or `mint:<id>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum Channel {
    Account,
    Mint(MintId),
}

impl TryFrom<String> for Channel {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.strip_prefix("mint:") {
            Some(id) => id.parse().map(Self::Mint),
            None if text == "account" => Ok(Self::Account),
            None => Err("lists are account and mint:<id>"),
        }
    }
}

impl Channel {
    /// The list that the channel names; `account` is the list of the socket's owner. `None` without an owner.
    pub(crate) fn list(self, owner: Option<AccountId>) -> Option<EventList> {
        match self {
            Self::Account => owner.map(EventList::of_account),
            Self::Mint(id) => Some(mint_events(id)),
        }
    }
}
