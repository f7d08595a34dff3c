//! Sparse indexes, each of the rows that have its attributes.

use futures_util::future::try_join_all;

use crate::{
    Key, Store, StoreError, Table,
    row::{Item, text},
};

/// A sparse index of a table, with the names of its two key attributes, both texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index {
    /// The table.
    pub table: Table,
    /// The name of the index.
    pub name: &'static str,
    /// The partition key.
    pub partition: &'static str,
    /// The sort key.
    pub sort: &'static str,
}

/// The rows that were read of one partition of an index.
struct IndexPart<'a> {
    key: &'a str,
    /// In the order of reading, each with its sort key.
    found: Vec<(String, Key)>,
    /// Where the next read begins.
    next: Option<Item>,
    is_read: bool,
}

impl<'a> IndexPart<'a> {
    fn new(key: &'a str) -> Self {
        Self { key, found: Vec::new(), next: None, is_read: false }
    }
}

impl Store {
    /// Keys of the rows in these partitions of an index, together in its order, or in the opposite one if not
    /// `forward`, beginning with the `skipped + 1`-th. The index may lag.
    pub async fn indexed(
        &self,
        (index, forward): (Index, bool),
        partitions: &[String],
        (skipped, most): (usize, usize),
    ) -> Result<Vec<Key>, StoreError> {
        let wanted = skipped.saturating_add(most);
        let mut parts: Vec<_> = partitions.iter().map(|key| IndexPart::new(key)).collect();
        let before = |one: &str, other: &str| if forward { one < other } else { one > other };
        loop {
            let mut places: Vec<_> = parts.iter().flat_map(|part| &part.found).collect();
            places.sort_by(
                |(one, _), (other, _)| {
                    if forward { one.cmp(other) } else { other.cmp(one) }
                },
            );
            let last = wanted.checked_sub(1).and_then(|last| places.get(last));
            let last = last.map(|(place, _)| place.clone());
            // Only a key whose rows end before the last place can have more of the wanted rows.
            let is_open = |part: &IndexPart<'_>| match (&last, part.found.last()) {
                _ if part.is_read => false,
                (Some(last), Some((place, _))) => before(place, last),
                _ => true,
            };
            if most == 0 || !parts.iter().any(is_open) {
                let keys = places.into_iter().skip(skipped).take(most);
                return Ok(keys.map(|(_, key)| key.clone()).collect());
            }
            let missing = wanted.saturating_sub(places.len());
            let each = missing.div_ceil(partitions.len()).max(most);
            let open = parts.iter_mut().filter(|part| is_open(part));
            try_join_all(open.map(|part| self.read_index_part(part, (index, forward), each)))
                .await?;
        }
    }

    /// Reads `most` more rows of a partition, or all that are left.
    async fn read_index_part(
        &self,
        part: &mut IndexPart<'_>,
        (index, forward): (Index, bool),
        most: usize,
    ) -> Result<(), StoreError> {
        let name = self.name(index.table);
        let output = self
            .client
            .query()
            .table_name(name)
            .index_name(index.name)
            .key_condition_expression(format!("{} = :key", index.partition))
            .expression_attribute_values(":key", text(part.key))
            .scan_index_forward(forward)
            .limit(i32::try_from(most).unwrap_or(i32::MAX))
            .set_exclusive_start_key(part.next.take())
            .send()
            .await?;
        for item in output.items.unwrap_or_default() {
            let place = item.get(index.sort).and_then(|place| place.as_s().ok()).cloned();
            part.found.extend(place.zip(self.key_of(name, &item)));
        }
        part.next = output.last_evaluated_key;
        part.is_read = part.next.is_none();
        Ok(())
    }
}
