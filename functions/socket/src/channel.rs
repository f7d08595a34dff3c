//! How clients name lists, and the events that they know.

use std::collections::BTreeMap;

use chain::{keys::mint_events, models::mint::MintId};
use serde::Deserialize;
use shared::{models::account::AccountId, store::keys::EventList};

/// Of which events a client knows.
#[derive(Debug, Default, Deserialize)]
#[serde(untagged)]
pub(crate) enum After {
    /// Of none that it wants to go on from.
    #[default]
    Now,
    /// Of those up to this one, in each list.
    One(u64),
    /// Of those up to these, by list.
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
    /// The list; of an account's, the one of the socket's owner.
    pub(crate) fn list(self, owner: Option<AccountId>) -> Option<EventList> {
        match self {
            Self::Account => owner.map(EventList::of_account),
            Self::Mint(id) => Some(mint_events(id)),
        }
    }
}
