//! The names of the tables in a deployment.

use std::collections::BTreeMap;

use super::Table;

/// The name of each table in a deployment.
#[derive(Clone, Debug, Default)]
pub struct Tables(BTreeMap<Table, String>);

impl Tables {
    /// The name of a table in this deployment.
    pub fn name(&self, table: Table) -> &str {
        self.0.get(&table).map_or(table.plain_name(), String::as_str)
    }

    /// The table with this name in this deployment.
    pub fn named(&self, name: &str) -> Option<Table> {
        self.0.iter().find(|(_, other)| *other == name).map(|(table, _)| *table)
    }
}

impl FromIterator<(Table, String)> for Tables {
    fn from_iter<I: IntoIterator<Item = (Table, String)>>(names: I) -> Self {
        Self(names.into_iter().collect())
    }
}
