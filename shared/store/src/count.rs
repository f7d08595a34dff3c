//! Counter rows, updated in the same writes as the rows that they count.

use serde::{Deserialize, Serialize};

use super::{Entity, Key, Update, Writes, fields};

/// A counter row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Count {
    /// The current count.
    #[serde(default)]
    pub count: u64,
    /// What is counted: the sort key.
    #[serde(default)]
    pub of: String,
}

impl Entity for Count {
    const ENTITY: &'static str = "count";
}

fields!(Count { COUNT: u64 = count, OF: String = of });

impl Count {
    /// The condition that the count is still zero, given the row as read (`None`: no row).
    pub fn still_none(read: Option<&Self>) -> Update<Self> {
        match read {
            Some(_) => Update::new().if_equal(Count::COUNT, 0),
            None => Update::new().if_no_row(),
        }
    }
}

impl<E> Writes<E> {
    /// Adds `difference` to a counter. `otherwise` is never used: this write cannot fail on its own.
    #[must_use]
    pub fn count(self, key: &Key, difference: i64, otherwise: E) -> Self {
        let update = Update::new().add(Count::COUNT, difference).set(Count::OF, key.sk());
        self.update(key, update.create_or_change(), otherwise)
    }
}
