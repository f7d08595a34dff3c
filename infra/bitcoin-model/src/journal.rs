//! A map whose changes can be taken back.

use std::collections::{BTreeMap, btree_map};

/// A map that notes what each change replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal<K, V> {
    map: BTreeMap<K, V>,
    changes: Vec<(K, Option<V>)>,
    marks: Vec<usize>,
}

impl<K, V> Default for Journal<K, V> {
    fn default() -> Self {
        Self { map: BTreeMap::new(), changes: Vec::new(), marks: Vec::new() }
    }
}

impl<K: Ord + Clone, V: Clone> Journal<K, V> {
    /// Marks a state to return to.
    pub fn mark(&mut self) {
        self.marks.push(self.changes.len());
    }

    /// Returns to the last mark, and removes it.
    pub fn undo(&mut self) {
        let mark = self.marks.pop().unwrap_or_default();
        for (key, value) in self.changes.drain(mark..).rev() {
            match value {
                Some(value) => self.map.insert(key, value),
                None => self.map.remove(&key),
            };
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.map.get(key)
    }

    /// Sets the value of a key.
    pub fn insert(&mut self, key: K, value: V) {
        let old = self.map.insert(key.clone(), value);
        self.changes.push((key, old));
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let old = self.map.remove(key)?;
        self.changes.push((key.clone(), Some(old.clone())));
        Some(old)
    }

    /// Changes the value of a key, if there is one.
    pub fn change(&mut self, key: &K, change: impl FnOnce(&mut V)) {
        if let Some(value) = self.map.get_mut(key) {
            self.changes.push((key.clone(), Some(value.clone())));
            change(value);
        }
    }

    /// All keys and values in order.
    pub fn iter(&self) -> btree_map::Iter<'_, K, V> {
        self.map.iter()
    }

    /// The keys and values from a key on.
    pub fn from(&self, key: K) -> btree_map::Range<'_, K, V> {
        self.map.range(key..)
    }
}
