//! Sums to which many writers add: with their own writes, or by tickets that they leave in the tail of a log.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Entity, Field, Key, Table, Update};

/// A sum: a field of a row, which is created if it is missing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sum {
    pk: String,
    sk: String,
    /// The type of the row.
    of: String,
    attribute: String,
}

impl Sum {
    /// The sum in a field of a row.
    pub(super) fn of<R: Entity>(key: &Key, field: Field<R, i64>) -> Self {
        Self {
            pk: key.pk().to_owned(),
            sk: key.sk().to_owned(),
            of: R::ENTITY.to_owned(),
            attribute: field.attributes().collect::<Vec<_>>().join("."),
        }
    }
}

/// The number to add to each sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally(BTreeMap<(Table, Sum), i64>);

impl Tally {
    /// Whether there is nothing to add.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds to a sum of a table.
    pub(super) fn add(&mut self, table: Table, sum: Sum, by: i64) {
        let total = self.0.entry((table, sum)).or_default();
        *total = total.saturating_add(by);
    }

    /// Adds to all sums of another tally.
    pub(super) fn join(&mut self, other: Self) {
        for ((table, sum), by) in other.0 {
            self.add(table, sum, by);
        }
    }

    /// The sums, each with the number to add.
    pub(super) fn into_sums(self) -> impl Iterator<Item = (Sum, i64)> {
        self.0.into_iter().filter(|(_, by)| *by != 0).map(|((_, sum), by)| (sum, by))
    }

    /// How many rows hold these sums.
    pub(super) fn rows(&self) -> usize {
        self.updates().len()
    }

    /// The updates of those rows.
    pub(super) fn updates(&self) -> Vec<(Key, Update<()>)> {
        let mut rows: BTreeMap<(Table, &str, &str), Update<()>> = BTreeMap::new();
        for ((table, sum), by) in self.0.iter().filter(|(_, by)| **by != 0) {
            let row = rows.entry((*table, &sum.pk, &sum.sk));
            let update = row.or_insert_with(|| Update::new().of_entity(&sum.of));
            *update = std::mem::take(update).add_to(&sum.attribute, *by);
        }
        let rows = rows.into_iter();
        let key = |table, pk: &str, sk: &str| Key::stored(table, pk.to_owned(), sk.to_owned());
        rows.map(|((table, pk, sk), update)| (key(table, pk, sk), update)).collect()
    }
}
