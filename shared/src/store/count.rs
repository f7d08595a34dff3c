//! Rows that count: moved in the transaction of what they count.

use serde::{Deserialize, Serialize};

use super::{Entity, Key, Update, Writes};

/// A row that counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Count {
    /// How many.
    #[serde(default)]
    pub count: u64,
    /// Of what: the sort key.
    #[serde(default)]
    pub of: String,
}

impl Entity for Count {
    const ENTITY: &'static str = "count";
}

impl Count {
    /// Demands that there is nothing to count, as it was read: `None` where there was no row.
    pub fn still_none(read: Option<&Self>) -> Update {
        match read {
            Some(_) => Update::new().if_equal("count", 0),
            None => Update::new().if_absent("pk"),
        }
    }
}

impl<E> Writes<E> {
    /// Moves a count. `otherwise` stands for nothing: it cannot fail alone.
    #[must_use]
    pub fn count(self, key: &Key, difference: i64, otherwise: E) -> Self {
        let update = Update::new().add("count", difference).set("of", key.sk());
        self.update(key, update.set("entity", Count::ENTITY), otherwise)
    }
}
