//! The cost of calls of DynamoDB, and how much one partition serves in a second.
//!
//! Sizes and prices: Amazon DynamoDB Developer Guide, "DynamoDB item sizes and formats" and "DynamoDB read and write
//! operations". `tests/dynamodb.rs` compares them with the local stack's emulator.

use std::{
    collections::BTreeMap,
    ops::{Add, AddAssign, Mul, Sub},
};

use serde_json::Value;

use super::expression::Row;

/// Bytes of a write unit.
const WRITTEN: usize = 1024;
/// Bytes of a read unit.
const READ: usize = 4096;
/// Bytes of a list or a map in addition to its members.
const NESTED: usize = 3;

/// Capacity units. Reads are counted in halves: a read that may be stale costs half a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Write units.
    pub writes: u64,
    /// Halves of read units.
    pub half_reads: u64,
}

impl Units {
    /// Write units only.
    pub fn written(writes: u64) -> Self {
        Self { writes, half_reads: 0 }
    }

    /// The cost of reading this many bytes: at least one unit, even for none.
    pub fn read(bytes: usize, is_consistent: bool) -> Self {
        let half_reads = units(bytes, READ) * if is_consistent { 2 } else { 1 };
        Self { writes: 0, half_reads }
    }

    /// Read and write units together.
    #[allow(clippy::float_arithmetic, reason = "there are halves of read units")]
    pub fn total(&self) -> f64 {
        let halves = u32::try_from(self.writes * 2 + self.half_reads).unwrap_or(u32::MAX);
        f64::from(halves) / 2.0
    }
}

impl Add for Units {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let Self { writes, half_reads } = self;
        Self { writes: writes + other.writes, half_reads: half_reads + other.half_reads }
    }
}

impl AddAssign for Units {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Units {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let Self { writes, half_reads } = self;
        Self { writes: writes - other.writes, half_reads: half_reads - other.half_reads }
    }
}

impl Mul<u64> for Units {
    type Output = Self;

    fn mul(self, times: u64) -> Self {
        Self { writes: self.writes * times, half_reads: self.half_reads * times }
    }
}

impl std::iter::Sum for Units {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), Add::add)
    }
}

fn units(bytes: usize, of: usize) -> u64 {
    u64::try_from(bytes.div_ceil(of).max(1)).unwrap_or(u64::MAX)
}

/// The bytes of a row.
pub fn size(row: &Row) -> usize {
    row.iter().map(|(name, value)| name.len() + value_size(value)).sum()
}

fn value_size(value: &Value) -> usize {
    let (kind, held) =
        value.as_object().and_then(|value| value.iter().next()).expect("a value has a type");
    match (kind.as_str(), held) {
        ("S", Value::String(text)) => text.len(),
        ("N", Value::String(number)) => number_size(number),
        ("BOOL" | "NULL", _) => 1,
        ("L", Value::Array(members)) => {
            NESTED + members.iter().map(|member| 1 + value_size(member)).sum::<usize>()
        }
        ("M", Value::Object(members)) => {
            let sizes = members.iter().map(|(name, member)| name.len() + 1 + value_size(member));
            NESTED + sizes.sum::<usize>()
        }
        _ => panic!("the model of DynamoDB does not know the size of {value}"),
    }
}

/// The bytes of a whole number: one for every two digits, not counting leading and trailing zeros, plus one,
/// plus one for a sign.
fn number_size(number: &str) -> usize {
    let digits = number.trim_start_matches(['-', '0']).trim_end_matches('0');
    let is_negative = number.starts_with('-') && !digits.is_empty();
    digits.len().div_ceil(2) + 1 + usize::from(is_negative)
}

/// The cost of writing a row to its table: that of the larger of the two versions.
pub fn write(before: Option<&Row>, after: Option<&Row>) -> Units {
    let of = |row: Option<&Row>| units(row.map_or(0, size), WRITTEN);
    Units::written(of(before).max(of(after)))
}

/// The cost of a write at an index key, given the row as the index shows it before and after.
pub fn index_write(before: Option<&Row>, after: Option<&Row>) -> Units {
    match (before, after) {
        (None, None) => Units::default(),
        (Some(before), Some(after)) if before == after => Units::default(),
        (before, after) => write(before, after),
    }
}

/// A partition of a table or of an index: its name, and the key.
pub type Partition = (String, String);

/// What a call charges to one partition.
#[derive(Clone, Debug)]
pub struct Charge {
    /// Partition.
    pub partition: Partition,
    /// Units.
    pub units: Units,
}

/// What a partition serves in a second.
#[derive(Clone, Copy, Debug)]
pub struct PartitionLimits {
    /// Write units.
    pub writes: u64,
    /// Read units.
    pub reads: u64,
}

impl PartitionLimits {
    /// The limits of DynamoDB: "Partitions and data distribution".
    pub const PUBLISHED: Self = Self { writes: 1_000, reads: 3_000 };
}

/// What a whole table or index serves in a second.
#[derive(Clone, Copy, Debug)]
pub struct TableLimits {
    /// Write units.
    pub writes: u64,
    /// Read units.
    pub reads: u64,
}

impl TableLimits {
    /// A new table: "On-demand capacity mode", "Initial throughput". A table serves twice its peak of half an
    /// hour earlier, so its limits stay the same in a shorter run.
    pub const NEW: Self = Self { writes: 4_000, reads: 12_000 };
    /// The default quota of a table.
    pub const QUOTA: Self = Self { writes: 40_000, reads: 40_000 };
}

/// The kind of rows with a key: its words, without ids, hashes and numbers.
pub fn kind_of(key: &str) -> String {
    let is_word =
        |part: &&str| part.chars().all(|letter| letter.is_ascii_alphabetic()) && part.len() < 20;
    let words: Vec<_> =
        key.split('#').map(|part| if is_word(&part) { part } else { "*" }).collect();
    words.join("#")
}

/// The cost of a call.
#[derive(Clone, Debug)]
pub struct Bill {
    /// When it was made, in ms.
    pub at: i64,
    /// The invocation that sent it.
    pub invocation: u64,
    /// Operation.
    pub operation: String,
    /// The first partition that it named.
    pub partition: Option<Partition>,
    /// Its price.
    pub units: Units,
}

impl Bill {
    /// The bill of a call that has cost nothing yet.
    pub fn new(at: i64, invocation: u64, operation: &str) -> Self {
        let (operation, partition) = (operation.to_owned(), None);
        Self { at, invocation, operation, partition, units: Units::default() }
    }

    /// Adds charges to the bill.
    pub fn add(&mut self, charges: &[Charge]) {
        for Charge { partition, units } in charges {
            self.partition.get_or_insert_with(|| partition.clone());
            self.units += *units;
        }
    }
}

/// How much of a second's units is used, in thousandths, and when that was measured.
#[derive(Debug, Default)]
struct Used {
    at: i64,
    writes: u64,
    reads: u64,
}

/// Counts the cost of calls, and refuses those that exceed what a partition serves.
#[derive(Debug, Default)]
pub struct Meter {
    limits: Option<PartitionLimits>,
    tables: Option<TableLimits>,
    used: BTreeMap<Partition, Used>,
    /// How often each partition, table or index had no units left.
    refused: BTreeMap<String, u64>,
    bills: Vec<Bill>,
}

impl Meter {
    /// A meter whose partitions have these limits.
    pub fn limited(limits: PartitionLimits) -> Self {
        Self { limits: Some(limits), ..Self::default() }
    }

    /// From now on tables and indexes have these limits too.
    pub fn limit_tables(&mut self, limits: TableLimits) {
        self.tables = Some(limits);
    }

    /// From now on no partition refuses anything.
    pub fn open(&mut self) {
        (self.limits, self.tables) = (None, None);
    }

    /// How often each kind of partition, table or index had no units left.
    pub fn refused(&self) -> &BTreeMap<String, u64> {
        &self.refused
    }

    /// All bills, in order.
    pub fn bills(&self) -> &[Bill] {
        &self.bills
    }

    /// Enters a call that was executed or refused.
    pub fn enter(&mut self, bill: Bill) {
        self.bills.push(bill);
    }

    /// Whether every partition and its table can serve its charge; if so, the units are used.
    pub fn takes(&mut self, now: i64, charges: &[Charge]) -> bool {
        let Some(limits) = self.limits else { return true };
        let of_partitions = charges.iter().map(|charge| (charge.partition.clone(), charge.units));
        let mut wanted: Vec<_> =
            of_partitions.map(|(partition, units)| (partition, units, limits)).collect();
        if let Some(TableLimits { writes, reads }) = self.tables {
            let mut tables = BTreeMap::<String, Units>::new();
            for Charge { partition, units } in charges {
                *tables.entry(partition.0.clone()).or_default() += *units;
            }
            // No partition has an empty key.
            let tables = tables.into_iter().map(|(table, units)| ((table, String::new()), units));
            let limits = PartitionLimits { writes, reads };
            wanted.extend(tables.map(|(table, units)| (table, units, limits)));
        }
        for (partition, units, limits) in &wanted {
            let (writes, reads) = (limits.writes * 1_000, limits.reads * 1_000);
            let used = self.used.entry(partition.clone()).or_default();
            let passed = u64::try_from(now - used.at).unwrap_or(0);
            used.writes = used.writes.saturating_sub(passed.saturating_mul(limits.writes));
            used.reads = used.reads.saturating_sub(passed.saturating_mul(limits.reads));
            used.at = now;
            // An idle partition serves even a charge that is larger than its units for a second.
            let fits = |used: u64, more: u64, most: u64| used == 0 || used + more <= most;
            if !fits(used.writes, units.writes * 1_000, writes)
                || !fits(used.reads, units.half_reads * 500, reads)
            {
                let name = match partition {
                    (table, key) if key.is_empty() => format!("units of {table}"),
                    (table, key) => format!("units of a key {} of {table}", kind_of(key)),
                };
                *self.refused.entry(name).or_default() += 1;
                return false;
            }
        }
        for (partition, units, _) in wanted {
            let used = self.used.entry(partition).or_default();
            used.writes += units.writes * 1_000;
            used.reads += units.half_reads * 500;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(value: Value) -> Row {
        let Value::Object(row) = value else { panic!("a row is an object") };
        row
    }

    #[test]
    fn a_row_has_the_bytes_that_dynamodb_counts() {
        let cases = [
            (json!({ "pk": { "S": "ä" } }), 4),
            (json!({ "n": { "N": "0" } }), 2),
            (json!({ "n": { "N": "100" } }), 3),
            (json!({ "n": { "N": "-42" } }), 4),
            (json!({ "n": { "N": "1234567890123" } }), 9),
            (json!({ "b": { "BOOL": true }, "c": { "NULL": true } }), 4),
            (json!({ "l": { "L": [{ "S": "ab" }, { "N": "1" }] } }), 1 + 3 + 3 + 3),
            (json!({ "m": { "M": { "k": { "S": "ab" } } } }), 1 + 3 + 4),
        ];
        for (value, bytes) in cases {
            assert_eq!(size(&row(value.clone())), bytes, "{value}");
        }
    }

    #[test]
    fn a_partition_takes_a_second_of_units_and_then_what_time_gives_back() {
        let mut meter = Meter::limited(PartitionLimits { writes: 10, reads: 10 });
        let of = |key: &str, writes| {
            let partition = ("rows".to_owned(), key.to_owned());
            [Charge { partition, units: Units::written(writes) }]
        };
        assert!((0..10).all(|_| meter.takes(0, &of("a", 1))));
        assert!(!meter.takes(0, &of("a", 1)));
        assert!(meter.takes(0, &of("b", 10)), "another partition is another one");
        assert!(!meter.takes(99, &of("a", 1)));
        assert!(meter.takes(100, &of("a", 1)));
        assert!(!meter.takes(100, &of("a", 1)));
        assert!(meter.takes(5_000, &of("a", 50)), "a partition that rests takes one large write");
        assert!(!meter.takes(5_500, &of("a", 1)));
        meter.open();
        assert!(meter.takes(5_500, &of("a", 1_000)));
    }

    #[test]
    fn a_table_limits_its_partitions_together_and_refusals_are_named() {
        let mut meter = Meter::limited(PartitionLimits { writes: 10, reads: 10 });
        meter.limit_tables(TableLimits { writes: 15, reads: 100 });
        let of = |table: &str, key: &str| {
            let partition = (table.to_owned(), key.to_owned());
            [Charge { partition, units: Units::written(10) }]
        };
        assert!(meter.takes(0, &of("rows", "list#vm#1")));
        assert!(!meter.takes(0, &of("rows", "list#vm#1")));
        assert!(!meter.takes(0, &of("rows", "list#vm#2")), "the table has 5 units left");
        assert!(meter.takes(0, &of("rows/watch", "list#vm#2")), "an index is apart");
        assert!(meter.takes(1_000, &of("rows", "list#vm#2")));
        let refused: Vec<_> =
            meter.refused().iter().map(|(name, times)| (name.as_str(), *times)).collect();
        assert_eq!(refused, [("units of a key list#vm#* of rows", 1), ("units of rows", 1)]);
    }
}
