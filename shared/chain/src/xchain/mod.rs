//! Rows of cross-chain transactions: registered swaps, and withdrawals that this service co-signed.

mod progress;
mod refresh;

use serde::{Deserialize, Serialize};
use shared::{
    events::EventWrites,
    keys::EventList,
    models::event::{EventType, StateChange},
};
use store::{Entity, Writes, fields, lists::List};

pub use self::refresh::{AskError, ask_hub, confirmed, counted, write_record};
use crate::{
    keys,
    models::xchain::{TokenPair, XchainKey, XchainRecord, XchainStatus},
};

impl Entity for XchainRecord {
    const ENTITY: &'static str = "xchainRecord";
}

fields!(XchainRecord {
    pub VERSION: u64 = version,
});

impl XchainRecord {
    /// The write that reports a new status to the owner; nothing if it is still the status `before`.
    #[must_use]
    pub fn tell<E>(&self, before: Option<XchainStatus>) -> Writes<E> {
        if before == Some(self.status) {
            return Writes::new();
        }
        let change = StateChange::of_state(EventType::Xchain, &self.tx_id, before, self.status);
        Writes::new().tell(EventList::of_account(self.account_id), change)
    }
}

/// Pointer from a hash to a cross-chain transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct XchainPointer {
    /// Key of its record.
    pub key: XchainKey,
}

impl Entity for XchainPointer {
    const ENTITY: &'static str = "xchainPointer";
}

/// The lists that contain a record (the data model calls them `filters`): at most seventeen.
pub fn lists_of(record: &XchainRecord) -> Vec<List> {
    let mut addresses = vec![&record.trading_address, &record.withdraw_to, &record.user_address];
    addresses.sort();
    addresses.dedup();
    let (input, output) = (&record.intent.input_token, record.intent.output_token.as_ref());
    let output = output.filter(|output| *output != input);
    let pair = output.map(|output| TokenPair(input.clone(), output.clone()));
    let tokens = [Some(input), output].into_iter().flatten();

    let mut lists = vec![keys::lists::xchain(), keys::lists::xchain_by_account(record.account_id)];
    lists.extend(addresses.iter().map(|address| keys::lists::xchain_by_address(address)));
    for token in tokens {
        lists.push(keys::lists::xchain_by_token(token));
        let both = addresses
            .iter()
            .map(|address| keys::lists::xchain_by_address_and_token(address, token));
        lists.extend(both);
    }
    if let Some(pair) = &pair {
        lists.push(keys::lists::xchain_by_pair(pair));
        let both =
            addresses.iter().map(|address| keys::lists::xchain_by_address_and_pair(address, pair));
        lists.extend(both);
    }
    lists
}
