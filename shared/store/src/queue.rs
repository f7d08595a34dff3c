//! Queues of workers: rows that name their queue in `watch` and their time in `dueAt`, in a sparse index.

use aws_sdk_dynamodb::{operation::query::builders::QueryFluentBuilder, types::Select};
use base::clock::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Key, Store, StoreError, Table,
    row::{from_item, number, text},
};

/// The name of a queue, as its rows have it in `watch`.
pub trait Queue: Copy + Serialize {
    /// The table of its rows.
    const TABLE: Table;
}

/// A row in a worker's queue: when it is due, and its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueuePlace {
    due_at: Timestamp,
    pk: String,
    sk: String,
}

impl QueuePlace {
    /// The key of the row, which is in a queue of `Q`.
    pub fn key<Q: Queue>(&self) -> Key {
        Key::stored(Q::TABLE, self.pk.clone(), self.sk.clone())
    }
}

/// Rows of a worker's queue that are due.
#[derive(Clone, Debug, Default)]
pub struct DuePage {
    /// Longest overdue first.
    pub places: Vec<QueuePlace>,
    /// Rows whose due time cannot be read, so that they have no place.
    pub malformed: Vec<Key>,
    /// Whether there may be more.
    pub are_more: bool,
}

/// The sparse index of rows that a worker processes: by `watch`, sorted by `dueAt`.
const WATCH_INDEX: &str = "watch";

impl Store {
    /// Keys of the rows in a worker's queue that are due, earliest first. The index may lag: the worker reads
    /// each row and changes it only if it is unchanged.
    pub async fn due<Q: Queue>(&self, watch: Q, most: i32) -> Result<Vec<Key>, StoreError> {
        let found = self.due_query(watch, self.clock.now())?.limit(most).send().await?;
        let name = self.name(Q::TABLE);
        let items = found.items.unwrap_or_default();
        Ok(items.iter().filter_map(|item| self.key_of(name, item)).collect())
    }

    /// The rows in a queue that were due at `until`, beginning after the place `after`. The index may lag.
    pub async fn due_after<Q: Queue>(
        &self,
        watch: Q,
        after: Option<&QueuePlace>,
        until: Timestamp,
        most: i32,
    ) -> Result<DuePage, StoreError> {
        let mut query = self.due_query(watch, until)?.limit(most);
        if let Some(QueuePlace { due_at, pk, sk }) = after {
            query = query
                .exclusive_start_key("watch", serde_dynamo::to_attribute_value(watch)?)
                .exclusive_start_key("dueAt", number(due_at.0))
                .exclusive_start_key("pk", text(pk))
                .exclusive_start_key("sk", text(sk));
        }
        let found = query.send().await?;
        let name = self.name(Q::TABLE);
        let mut page =
            DuePage { are_more: found.last_evaluated_key.is_some(), ..DuePage::default() };
        for item in found.items.unwrap_or_default() {
            let key = self.key_of(name, &item);
            match (from_item(item), key) {
                (Ok(place), _) => page.places.push(place),
                (Err(_), Some(key)) => page.malformed.push(key),
                (Err(error), None) => return Err(error),
            }
        }
        Ok(page)
    }

    /// The due time of the row that has been overdue longest, as far as it can be read; `None` if no row is due.
    pub async fn oldest_due<Q: Queue>(&self, watch: Q) -> Result<Option<Timestamp>, StoreError> {
        const FEW: i32 = 10;
        let page = self.due_after(watch, None, self.clock.now(), FEW).await?;
        Ok(page.places.first().map(|place| place.due_at))
    }

    /// Keys of all rows in a queue, due or not, earliest first. The index may lag.
    pub async fn waiting<Q: Queue>(&self, watch: Q, most: i32) -> Result<Vec<Key>, StoreError> {
        let query = self.watch_query(watch)?.key_condition_expression("watch = :watch");
        let found = query.limit(most).send().await?;
        let name = self.name(Q::TABLE);
        let items = found.items.unwrap_or_default();
        Ok(items.iter().filter_map(|item| self.key_of(name, item)).collect())
    }

    /// The number of rows in a queue. If the index has more than one page (1 MB), only the first page counts.
    pub async fn watched<Q: Queue>(&self, watch: Q) -> Result<u64, StoreError> {
        let query = self.watch_query(watch)?.key_condition_expression("watch = :watch");
        let found = query.select(Select::Count).send().await?;
        Ok(u64::try_from(found.count).unwrap_or_default())
    }

    /// Queries the rows of a queue that were due at `until`, earliest first.
    fn due_query<Q: Queue>(
        &self,
        watch: Q,
        until: Timestamp,
    ) -> Result<QueryFluentBuilder, StoreError> {
        let query = self.watch_query(watch)?;
        Ok(query
            .key_condition_expression("watch = :watch AND dueAt <= :now")
            .expression_attribute_values(":now", number(until.0)))
    }

    /// Queries the rows of a queue, without a condition on the due time.
    fn watch_query<Q: Queue>(&self, watch: Q) -> Result<QueryFluentBuilder, StoreError> {
        let query = self.client.query().table_name(self.name(Q::TABLE));
        let watch = serde_dynamo::to_attribute_value(watch)?;
        Ok(query.index_name(WATCH_INDEX).expression_attribute_values(":watch", watch))
    }
}
