//! Several writes that are made together, all or nothing. Each write names the error of its condition.

use super::{
    Field, Key, Notice, Update,
    row::{Entity, Item, item_of},
    tally::{Sum, Tally},
};

/// Writes that [`Store::commit`](crate::Store::commit) makes together, all or nothing. `E` is the error of a failed condition; if
/// several fail, the first one counts.
#[derive(Clone, Debug)]
pub struct Writes<E> {
    pub(super) actions: Vec<(Action, E)>,
    pub(super) tally: Tally,
    pub(super) notices: Vec<Notice>,
    /// Why a row cannot be written.
    pub(super) error: Option<String>,
}

/// One write.
#[derive(Clone, Debug)]
pub(super) struct Action {
    pub(super) key: Key,
    pub(super) verb: Verb,
    pub(super) conditions: Update<()>,
}

#[derive(Clone, Debug)]
pub(super) enum Verb {
    /// Write a row if its place is free or the conditions hold.
    Insert(Item),
    /// Write a row if the conditions hold.
    Put(Item),
    /// Delete the row if the conditions hold.
    Delete,
    /// Change the row if the conditions hold.
    Update,
    /// Mark a single-use row as used if the conditions hold.
    UseUp,
    /// Only check the conditions.
    Check,
}

impl<E> Default for Writes<E> {
    fn default() -> Self {
        let (actions, notices) = (Vec::new(), Vec::new());
        Self { actions, tally: Tally::default(), notices, error: None }
    }
}

impl<E> Writes<E> {
    /// No writes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty() && self.tally.is_empty() && self.notices.is_empty()
    }

    /// Appends other writes.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.actions.extend(other.actions);
        self.tally.join(other.tally);
        self.notices.extend(other.notices);
        self.error = self.error.or(other.error);
        self
    }

    /// Adds a notice, which the store's announcer turns into further writes.
    #[must_use]
    pub fn with_notice(mut self, notice: Notice) -> Self {
        self.notices.push(notice);
        self
    }

    /// Adds to a sum. If many writers do so concurrently, [`lists`](crate::lists) gathers their additions, for sums in
    /// the table of the log.
    #[must_use]
    pub fn tally<R: Entity>(mut self, key: &Key, field: Field<R, i64>, by: i64) -> Self {
        self.tally.add(key.table(), Sum::of(key, field), by);
        self
    }

    /// Whether there are additions to sums.
    pub fn adds_to_sums(&self) -> bool {
        !self.tally.is_empty()
    }

    /// Adds the additions of a tally.
    pub(super) fn with_tally(mut self, tally: Tally) -> Self {
        self.tally.join(tally);
        self
    }

    /// Removes the additions to sums and returns them.
    pub(super) fn take_tally(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }

    /// Converts the errors of the conditions.
    pub fn map<F>(self, name: impl Fn(E) -> F) -> Writes<F> {
        let rename = |(action, otherwise)| (action, name(otherwise));
        let actions = self.actions.into_iter().map(rename).collect();
        Writes { actions, tally: self.tally, notices: self.notices, error: self.error }
    }

    fn push<R>(mut self, key: &Key, verb: Verb, conditions: Update<R>, otherwise: E) -> Self {
        let conditions = conditions.erase_type();
        self.actions.push((Action { key: key.clone(), verb, conditions }, otherwise));
        self
    }

    fn push_row<T: Entity>(
        mut self,
        key: &Key,
        (row, verb): (&T, fn(Item) -> Verb),
        conditions: Update<T>,
        otherwise: E,
    ) -> Self {
        match item_of(key, row) {
            Ok(item) => self.push(key, verb(item), conditions, otherwise),
            Err(error) => {
                self.error = self.error.or(Some(error.to_string()));
                self
            }
        }
    }

    /// Writes a row whose place must be free: no row, or one past its `expiresAt`.
    #[must_use]
    pub fn insert<T: Entity>(self, key: &Key, row: &T, otherwise: E) -> Self {
        self.insert_or(key, row, None, otherwise)
    }

    /// Writes a row whose place must be free, or hold a row that meets `free_when`.
    #[must_use]
    pub fn insert_or<T: Entity>(
        self,
        key: &Key,
        row: &T,
        free_when: Option<Update<T>>,
        otherwise: E,
    ) -> Self {
        self.push_row(key, (row, Verb::Insert), free_when.unwrap_or_default(), otherwise)
    }

    /// Writes a row, replacing any existing one. `otherwise` is never used: this write cannot fail on its
    /// own.
    #[must_use]
    pub fn put<T: Entity>(self, key: &Key, row: &T, otherwise: E) -> Self {
        self.push_row(key, (row, Verb::Put), Update::new(), otherwise)
    }

    /// Replaces a row that meets the conditions.
    #[must_use]
    pub fn replace<T: Entity>(
        self,
        key: &Key,
        row: &T,
        conditions: Update<T>,
        otherwise: E,
    ) -> Self {
        self.push_row(key, (row, Verb::Put), conditions, otherwise)
    }

    /// Deletes a row that meets the conditions.
    #[must_use]
    pub fn delete<R>(self, key: &Key, conditions: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::Delete, conditions, otherwise)
    }

    /// Changes attributes of a row.
    #[must_use]
    pub fn update<R>(self, key: &Key, update: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::Update, update, otherwise)
    }

    /// Marks a single-use row that meets the conditions as used (see [`Store::issue`](crate::Store::issue)).
    #[must_use]
    pub fn use_up<R>(self, key: &Key, conditions: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::UseUp, conditions, otherwise)
    }

    /// Checks conditions on a row without changing it.
    #[must_use]
    pub fn check<R>(self, key: &Key, conditions: Update<R>, otherwise: E) -> Self {
        self.push(key, Verb::Check, conditions, otherwise)
    }
}
