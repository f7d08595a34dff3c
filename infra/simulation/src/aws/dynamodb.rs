//! DynamoDB in memory: strictly serial, but with everything that makes the real one hard to use: conflicts,
//! late indexes, unprocessed keys, short pages, rows that expire at any time, client tokens.
//!
//! It knows only the requests that the store sends, and stops the run at any other. `tests/dynamodb.rs`
//! compares it with the local stack's emulator.

use std::collections::{BTreeMap, BTreeSet};

use http::StatusCode;
use local::template::Table as Declared;
use serde_json::{Value, json};

use super::{
    capacity::{self, Bill, Charge, Meter, PartitionLimits, TableLimits, Units},
    expression::{self, Names, Row, number, order},
};
use crate::{
    choice::{Choices, hash},
    faults::Difficulty,
    wire::{Arrived, Host, Reply},
};

/// How long a client token is remembered, in ms.
const TOKEN_KEPT: i64 = 10 * 60 * 1000;
/// The longest item, in bytes.
const LONGEST_ITEM: usize = 400 * 1024;
/// The most actions of a transaction.
const MOST_ACTIONS: usize = 100;
/// How many times as much a write to the table costs in a transaction.
const TRANSACTED: u64 = 2;
/// The longest page of a query, in bytes.
const LONGEST_PAGE: usize = 1024 * 1024;
/// The longest transaction, in bytes.
const LONGEST_TRANSACTION: usize = 4 * 1024 * 1024;

/// Partition key and sort key.
pub type RowKey = (String, String);

/// A change of one row.
#[derive(Clone, Debug)]
pub struct Change {
    /// When it was made, in ms.
    pub at: i64,
    /// The invocation that sent it; `None` if the row expired.
    pub by: Option<u64>,
    /// Whether its invocation had ended.
    pub is_late: bool,
    /// Table.
    pub table: String,
    /// Key.
    pub key: RowKey,
    /// The row before.
    pub before: Option<Row>,
    /// The row after.
    pub after: Option<Row>,
}

impl Change {
    /// A text attribute of the row after the change, or before it if the row is gone.
    pub fn text(&self, name: &str) -> Option<&str> {
        let row = self.after.as_ref().or(self.before.as_ref())?;
        text(row, name)
    }
}

/// A text attribute of a row.
pub fn text<'a>(row: &'a Row, name: &str) -> Option<&'a str> {
    row.get(name)?.get("S")?.as_str()
}

/// A number attribute of a row.
pub fn figure(row: &Row, name: &str) -> Option<i64> {
    number(row.get(name)?).and_then(|number| number.try_into().ok())
}

#[derive(Debug, Default)]
struct Index {
    hash: String,
    range: String,
    /// Whether it has all attributes of a row, or only the keys.
    has_all: bool,
    rows: BTreeMap<RowKey, Row>,
    /// Changes that the index will show: when, in which order, and of which row.
    pending: BTreeMap<(i64, u64), (RowKey, Option<Row>)>,
    /// When the index will show the last change of a row.
    last: BTreeMap<RowKey, i64>,
}

impl Index {
    /// What the index shows of a row; `None` if the row lacks one of the index's keys.
    fn shown(&self, row: &Row) -> Option<Row> {
        if !row.contains_key(&self.hash) || !row.contains_key(&self.range) {
            return None;
        }
        let keys = ["pk", "sk", &self.hash, &self.range];
        let shown = row.iter().filter(|(name, _)| self.has_all || keys.contains(&name.as_str()));
        Some(shown.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// The index keys of a shown row.
    fn place<'a>(&self, shown: &'a Row) -> [Option<&'a Value>; 2] {
        [shown.get(&self.hash), shown.get(&self.range)]
    }
}

#[derive(Debug, Default)]
struct Table {
    rows: BTreeMap<RowKey, Row>,
    indexes: BTreeMap<String, Index>,
}

/// A transaction that succeeded, by its client token.
#[derive(Debug)]
struct Committed {
    at: i64,
    until: i64,
    actions: Value,
    /// The cost of sending it again: its rows are read.
    repeated: Vec<Charge>,
}

/// A request, and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The operation.
    pub operation: String,
    /// The body of the request.
    pub request: Value,
    /// The body of the answer, or of the refusal.
    pub answer: Result<Value, Value>,
    /// What it cost.
    pub units: Units,
}

/// The database.
#[derive(Debug, Default)]
pub struct DynamoDb {
    seed: u64,
    tables: BTreeMap<String, Table>,
    tokens: BTreeMap<String, Committed>,
    holds: BTreeMap<(String, RowKey), i64>,
    /// How often rows of each kind were in use by a transaction.
    conflicts: BTreeMap<String, u64>,
    changes: Vec<Change>,
    forgets: bool,
    order: u64,
    difficulty: Difficulty,
    /// Whether expired rows disappear.
    expires: bool,
    /// All requests so far, if they are kept.
    exchanges: Option<Vec<Exchange>>,
    /// The cost of calls, if it is counted.
    meter: Option<Meter>,
    /// Whether the last call exceeded the units of a partition.
    has_throttled: bool,
}

enum Refused {
    Invalid(String),
    /// An operand of an update is missing from the row, or has another type there.
    Operand(String),
    Condition(Option<Row>),
    Conflict,
    Throttled,
    InProgress,
    Mismatch,
    Cancelled(Vec<Reason>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    None,
    Operand,
    Condition,
    Conflict,
    Throttled,
}

impl From<String> for Refused {
    fn from(reason: String) -> Self {
        Self::Invalid(reason)
    }
}

impl Refused {
    fn body(self) -> Value {
        let (name, mut body) = match self {
            Self::Invalid(message) | Self::Operand(message) => {
                ("ValidationException", json!({ "message": message }))
            }
            Self::Condition(item) => {
                let mut body = json!({ "message": "The conditional request failed" });
                if let Some(item) = item {
                    body["Item"] = item.into();
                }
                ("ConditionalCheckFailedException", body)
            }
            Self::Conflict => {
                let message = "Transaction is ongoing for the item";
                ("TransactionConflictException", json!({ "message": message }))
            }
            Self::Throttled => {
                let message = "Throughput exceeds the capacity of a partition";
                ("ThrottlingException", json!({ "message": message }))
            }
            Self::InProgress => {
                let message = "The transaction with the given request token is already in progress";
                ("TransactionInProgressException", json!({ "Message": message }))
            }
            Self::Mismatch => {
                let message = "Request rejected because a different request used the token";
                ("IdempotentParameterMismatchException", json!({ "Message": message }))
            }
            Self::Cancelled(reasons) => {
                let reasons: Vec<_> = reasons
                    .iter()
                    .map(|reason| match reason {
                        Reason::None => json!({ "Code": "None" }),
                        Reason::Operand => json!({ "Code": "ValidationError" }),
                        Reason::Condition => json!({
                            "Code": "ConditionalCheckFailed",
                            "Message": "The conditional request failed",
                        }),
                        Reason::Conflict => json!({
                            "Code": "TransactionConflict",
                            "Message": "Transaction is ongoing for the item",
                        }),
                        Reason::Throttled => json!({
                            "Code": "ThrottlingError",
                            "Message": "Throughput exceeds the capacity of a partition",
                        }),
                    })
                    .collect();
                let body = json!({
                    "Message": "Transaction cancelled, please refer cancellation reasons",
                    "CancellationReasons": reasons,
                });
                ("TransactionCanceledException", body)
            }
        };
        body["__type"] = format!("com.amazonaws.dynamodb.v20120810#{name}").into();
        body
    }
}

fn member<'a>(request: &'a Value, name: &str) -> Option<&'a str> {
    request.get(name).and_then(Value::as_str)
}

fn key_of(item: &Row) -> Result<RowKey, Refused> {
    let part = |name: &str| match text(item, name) {
        Some("") => Err(format!("the key {name} must not be empty")),
        Some(part) => Ok(part.to_owned()),
        None => Err(format!("the key {name} is missing")),
    };
    Ok((part("pk")?, part("sk")?))
}

fn object<'a>(request: &'a Value, name: &str) -> Result<&'a Row, Refused> {
    let object = request.get(name).and_then(Value::as_object);
    object.ok_or_else(|| Refused::Invalid(format!("{name} is missing")))
}

fn is_consistent(request: &Value) -> bool {
    request["ConsistentRead"].as_bool().unwrap_or(false)
}

/// Stops the run if a request has a member that the model does not know.
fn know(request: &Value, known: &[&str]) {
    let members = request.as_object().expect("a request is an object");
    if let Some(unknown) = members.keys().find(|name| !known.contains(&name.as_str())) {
        panic!("the model of DynamoDB does not know {unknown} in {request}");
    }
}

const CONDITION: [&str; 3] =
    ["ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"];

impl DynamoDb {
    /// An empty database with these tables.
    pub fn new(seed: u64, declared: &[Declared], difficulty: Difficulty, expires: bool) -> Self {
        let tables = declared.iter().map(|table| {
            let list = |name: &str| table.create.get(name).and_then(Value::as_array).cloned();
            let keys = |schema: &Value| {
                let named = |kind: &str| {
                    let keys = schema["KeySchema"].as_array().into_iter().flatten();
                    let mut named = keys.filter(|key| key["KeyType"] == kind);
                    named.next().and_then(|key| member(key, "AttributeName")).map(str::to_owned)
                };
                (named("HASH").expect("a hash key"), named("RANGE").expect("a range key"))
            };
            assert_eq!(keys(&table.create), ("pk".to_owned(), "sk".to_owned()));
            let indexes = list("GlobalSecondaryIndexes").unwrap_or_default();
            let indexes = indexes.iter().map(|index| {
                let (hash, range) = keys(index);
                let name = member(index, "IndexName").expect("an index has a name");
                let has_all = match member(&index["Projection"], "ProjectionType") {
                    Some("ALL") => true,
                    Some("KEYS_ONLY") => false,
                    other => panic!("the model of DynamoDB does not know the projection {other:?}"),
                };
                (name.to_owned(), Index { hash, range, has_all, ..Index::default() })
            });
            let table_state = Table { indexes: indexes.collect(), ..Table::default() };
            (table.name.clone(), table_state)
        });
        Self {
            seed,
            tables: tables.collect(),
            tokens: BTreeMap::new(),
            holds: BTreeMap::new(),
            conflicts: BTreeMap::new(),
            changes: Vec::new(),
            forgets: false,
            order: 0,
            difficulty,
            expires,
            exchanges: None,
            meter: match difficulty.partition {
                0 => None,
                writes => Some(Meter::limited(PartitionLimits { writes, reads: 3 * writes })),
            },
            has_throttled: false,
        }
    }

    /// An empty database that keeps its requests, and causes no difficulty beyond the necessary.
    pub fn compared(seed: u64, declared: &[Declared]) -> Self {
        let plain = Self::new(seed, declared, Difficulty::default(), false);
        Self { exchanges: Some(Vec::new()), meter: Some(Meter::default()), ..plain }
    }

    /// From now on the cost of calls is counted, and each partition has these limits.
    pub fn measure(&mut self, limits: Option<PartitionLimits>) {
        self.meter = Some(limits.map_or_else(Meter::default, Meter::limited));
    }

    /// From now on tables and indexes have these limits too.
    pub fn limit_tables(&mut self, limits: TableLimits) {
        if let Some(meter) = &mut self.meter {
            meter.limit_tables(limits);
        }
    }

    /// The cost of calls, if it is counted.
    pub fn bills(&self) -> &[Bill] {
        self.meter.as_ref().map(Meter::bills).unwrap_or_default()
    }

    /// Adds a row that can be found by its key only, as if it had always been there.
    pub fn import(&mut self, table: &str, row: Row) {
        let key = key_of(&row).unwrap_or_else(|_| panic!("a row without a key: {row:?}"));
        self.write(None, false, table, key, Some(row), (0, 0));
    }

    /// All requests so far, if they are kept.
    pub fn exchanges(&self) -> &[Exchange] {
        self.exchanges.as_deref().unwrap_or_default()
    }

    /// From now on changes are not kept.
    pub fn forget_changes(&mut self) {
        self.forgets = true;
    }

    /// Every change so far, in order.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Every row, by table and key.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &RowKey, &Row)> {
        let tables = self.tables.iter();
        tables.flat_map(|(name, table)| {
            table.rows.iter().map(move |(key, row)| (name.as_str(), key, row))
        })
    }

    /// Whether there is a matching row.
    pub fn any(&self, is_meant: impl Fn(&Row) -> bool) -> bool {
        self.rows().any(|(_, _, row)| is_meant(row))
    }

    /// The row with a key, in any table.
    pub fn row(&self, pk: &str, sk: &str) -> Option<&Row> {
        let key = (pk.to_owned(), sk.to_owned());
        self.tables.values().find_map(|table| table.rows.get(&key))
    }

    /// What refused calls, the most frequent first: partitions, tables and indexes without units left, and
    /// rows in use by a transaction, each with the number of refusals.
    pub fn obstacles(&self) -> Vec<(String, u64)> {
        let refused = self.meter.as_ref().map(|meter| meter.refused().clone()).unwrap_or_default();
        let conflicts = self.conflicts.iter();
        let conflicts =
            conflicts.map(|(kind, times)| (format!("conflicts at rows {kind}"), *times));
        let mut all: Vec<_> = refused.into_iter().chain(conflicts).collect();
        all.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        all
    }

    /// Notes that a row was in use, by its kind: the words of its key.
    fn note_conflict(&mut self, (pk, sk): &RowKey) {
        let kind = capacity::kind_of(pk);
        let kind = format!("{kind} {}", capacity::kind_of(sk));
        *self.conflicts.entry(kind).or_default() += 1;
    }

    /// From now on it causes no difficulty beyond the necessary.
    pub fn heal(&mut self) {
        self.difficulty = Difficulty::default();
        if let Some(meter) = &mut self.meter {
            meter.open();
        }
    }

    fn table(&mut self, request: &Value) -> Result<&mut Table, Refused> {
        let name = member(request, "TableName").unwrap_or_default();
        let table = self.tables.get_mut(name);
        table.ok_or_else(|| Refused::Invalid(format!("there is no table {name}")))
    }

    /// Deletes an expired row once DynamoDB would have deleted it.
    fn expire(&mut self, table: &str, key: &RowKey, now: i64) {
        if !self.expires {
            return;
        }
        let row = self.tables.get(table).and_then(|table| table.rows.get(key));
        let Some(expires_at) = row.and_then(|row| figure(row, "expiresAt")) else { return };
        // A third of the rows stay; others are deleted up to two days late, many of them together.
        let fate = hash(self.seed, &format!("expire {table} {} {}", key.0, key.1));
        let later = match fate % 3 {
            0 => return,
            1 => 0,
            _ => i64::try_from((fate >> 8) % 172_800).unwrap_or(0),
        };
        if now.div_euclid(1000) > expires_at.saturating_add(later) {
            self.write(None, false, table, key.clone(), None, (now, 0));
        }
    }

    fn write(
        &mut self,
        by: Option<u64>,
        is_late: bool,
        table_name: &str,
        key: RowKey,
        after: Option<Row>,
        (now, lag): (i64, i64),
    ) {
        let table = self.tables.get_mut(table_name).expect("the table was looked up");
        let before = match &after {
            Some(row) => table.rows.insert(key.clone(), row.clone()),
            None => table.rows.remove(&key),
        };
        self.order += 1;
        for index in table.indexes.values_mut() {
            let last = index.last.get(&key).copied().unwrap_or_default();
            let at = (now + lag).max(last);
            index.last.insert(key.clone(), at);
            let shown = after.as_ref().and_then(|row| index.shown(row));
            index.pending.insert((at, self.order), (key.clone(), shown));
        }
        if before != after && !self.forgets {
            let table = table_name.to_owned();
            self.changes.push(Change { at: now, by, is_late, table, key, before, after });
        }
    }

    fn is_held(&self, table: &str, key: &RowKey, now: i64) -> bool {
        let until = self.holds.get(&(table.to_owned(), key.clone()));
        until.is_some_and(|until| *until > now)
    }

    fn lag(&self, choices: &mut Choices) -> i64 {
        if choices.happens("dynamodb/index", self.difficulty.late_index) {
            i64::try_from(choices.below("dynamodb/index", 120_000)).unwrap_or(0)
        } else {
            0
        }
    }

    /// The cost of writing a row: at its table, `times` as much, and at each index that shows the change.
    fn price(
        &self,
        table_name: &str,
        key: &RowKey,
        after: Option<&Row>,
        times: u64,
    ) -> Vec<Charge> {
        if self.meter.is_none() {
            return Vec::new();
        }
        let table = self.tables.get(table_name).expect("the table was looked up");
        let before = table.rows.get(key);
        let partition = (table_name.to_owned(), key.0.clone());
        let mut charges = vec![Charge { partition, units: capacity::write(before, after) * times }];
        for (name, index) in &table.indexes {
            let shown = |row: Option<&Row>| row.and_then(|row| index.shown(row));
            let (before, after) = (shown(before), shown(after));
            let [old, new] = [&before, &after].map(|row| row.as_ref().map(|row| index.place(row)));
            // A row whose index keys change is deleted at one key and written at another.
            let moves = old.is_some() && new.is_some() && old != new;
            let parts = match moves {
                true => vec![(before, None), (None, after)],
                false => vec![(before, after)],
            };
            for (before, after) in parts {
                let units = capacity::index_write(before.as_ref(), after.as_ref());
                if units != Units::default() {
                    let shown = after.as_ref().or(before.as_ref());
                    let hash = shown.and_then(|row| text(row, &index.hash)).unwrap_or_default();
                    let partition = (format!("{table_name}/{name}"), hash.to_owned());
                    charges.push(Charge { partition, units });
                }
            }
        }
        charges
    }

    /// The cost of a refused write: as much as writing the row as it is.
    fn price_refused(&self, table_name: &str, key: &RowKey, times: u64) -> Vec<Charge> {
        let row = self.tables.get(table_name).and_then(|table| table.rows.get(key));
        self.price(table_name, key, row, times)
    }

    /// Charges a call, or refuses it because a partition has no units left.
    fn charge(&mut self, now: i64, charges: &[Charge], bill: &mut Bill) -> Result<(), Refused> {
        let Some(meter) = &mut self.meter else { return Ok(()) };
        if !meter.takes(now, charges) {
            self.has_throttled = true;
            return Err(Refused::Throttled);
        }
        bill.add(charges);
        Ok(())
    }

    /// Evaluates the condition of a single write or action, and computes the resulting row.
    fn outcome(&self, verb: &str, action: &Value) -> Result<(RowKey, Option<Row>), Refused> {
        let key = match verb {
            "Put" => key_of(object(action, "Item")?)?,
            _ => key_of(object(action, "Key")?)?,
        };
        let name = member(action, "TableName").unwrap_or_default();
        let table = self.tables.get(name);
        let table = table.ok_or_else(|| Refused::Invalid(format!("there is no table {name}")))?;
        let row = table.rows.get(&key);
        let mut names = Names::of(action);
        let held = match member(action, "ConditionExpression") {
            Some(condition) => expression::holds(condition, &mut names, row)?,
            None => true,
        };
        let mut wrong = None;
        let after = match verb {
            "Put" => Some(object(action, "Item")?.clone()),
            "Update" => {
                let mut after = match row {
                    Some(row) => row.clone(),
                    None => object(action, "Key")?.clone(),
                };
                let update = member(action, "UpdateExpression").unwrap_or_default();
                wrong = expression::change(update, &mut names, &mut after).err();
                Some(after)
            }
            "Delete" => None,
            "ConditionCheck" => row.cloned(),
            _ => panic!("the model of DynamoDB does not know {verb}"),
        };
        if wrong.is_none() {
            names.all_used()?;
        }
        if !held {
            let old = member(action, "ReturnValuesOnConditionCheckFailure") == Some("ALL_OLD");
            return Err(Refused::Condition(row.filter(|_| old).cloned()));
        }
        // A failed condition is reported before an update that cannot be applied.
        if let Some(wrong) = wrong {
            return Err(Refused::Operand(wrong));
        }
        if let Some(row) = &after
            && serde_json::to_string(row).is_ok_and(|text| text.len() > LONGEST_ITEM)
        {
            return Err(Refused::Invalid("Item size has exceeded the maximum".to_owned()));
        }
        Ok((key, after))
    }

    fn single(
        &mut self,
        verb: &str,
        request: &Value,
        arrived: &Arrived,
        choices: &mut Choices,
        bill: &mut Bill,
    ) -> Result<Value, Refused> {
        let now = arrived.at;
        let table = member(request, "TableName").unwrap_or_default().to_owned();
        let named = if verb == "Put" { "Item" } else { "Key" };
        let key = key_of(object(request, named)?)?;
        self.table(request)?;
        self.expire(&table, &key, now);
        if self.is_held(&table, &key, now) {
            self.note_conflict(&key);
            return Err(Refused::Conflict);
        }
        let outcome = self.outcome(verb, request);
        let charges = match &outcome {
            Ok((_, after)) => self.price(&table, &key, after.as_ref(), 1),
            Err(_) => self.price_refused(&table, &key, 1),
        };
        self.charge(now, &charges, bill)?;
        let (key, after) = outcome?;
        let returned = match member(request, "ReturnValues") {
            None | Some("NONE") => None,
            Some("ALL_OLD") => self.tables.get(&table).and_then(|it| it.rows.get(&key)).cloned(),
            Some("ALL_NEW") => after.clone(),
            Some(other) => panic!("the model of DynamoDB does not know ReturnValues {other}"),
        };
        let lag = self.lag(choices);
        self.write(Some(arrived.invocation), arrived.is_late, &table, key, after, (now, lag));
        Ok(returned.map_or_else(|| json!({}), |row| json!({ "Attributes": row })))
    }

    fn transact(
        &mut self,
        request: &Value,
        arrived: &Arrived,
        choices: &mut Choices,
        bill: &mut Bill,
    ) -> Result<Value, Refused> {
        know(request, &["TransactItems", "ClientRequestToken"]);
        let now = arrived.at;
        let items = request["TransactItems"].as_array().cloned().unwrap_or_default();
        if items.is_empty() || items.len() > MOST_ACTIONS {
            return Err(Refused::Invalid("a transaction has 1 to 100 actions".to_owned()));
        }
        if serde_json::to_string(&items).is_ok_and(|text| text.len() > LONGEST_TRANSACTION) {
            return Err(Refused::Invalid("a transaction has at most 4 MB".to_owned()));
        }
        self.tokens.retain(|_, committed| now - committed.at < TOKEN_KEPT);
        let token = member(request, "ClientRequestToken").unwrap_or_default().to_owned();
        if let Some(committed) = self.tokens.get(&token) {
            if committed.actions != request["TransactItems"] {
                return Err(Refused::Mismatch);
            }
            if committed.until > now {
                return Err(Refused::InProgress);
            }
            let repeated = committed.repeated.clone();
            self.charge(now, &repeated, bill)?;
            return Ok(json!({}));
        }
        let mut rows = BTreeSet::new();
        let mut actions = Vec::new();
        for item in &items {
            let item = item.as_object().expect("an action is an object");
            let (verb, action) = item.iter().next().expect("an action has a verb");
            assert_eq!(item.len(), 1, "an action has one verb");
            let named = if verb == "Put" { "Item" } else { "Key" };
            let mut known = vec!["TableName", named, "UpdateExpression"];
            known.extend(CONDITION);
            know(action, &known);
            let table = member(action, "TableName").unwrap_or_default().to_owned();
            self.table(action)?;
            let key = key_of(object(action, named)?)?;
            self.expire(&table, &key, now);
            if !rows.insert((table.clone(), key.clone())) {
                let message = "Transaction request cannot include multiple operations on one item";
                return Err(Refused::Invalid(message.to_owned()));
            }
            actions.push((verb, action, table, key));
        }
        let (mut reasons, mut outcomes, mut charges) = (Vec::new(), Vec::new(), Vec::new());
        for (verb, action, table, key) in &actions {
            let outcome = if self.is_held(table, key, now) {
                self.note_conflict(key);
                Err(Refused::Conflict)
            } else {
                self.outcome(verb, action)
            };
            reasons.push(match outcome {
                Ok((key, after)) => {
                    charges.push(self.price(table, &key, after.as_ref(), TRANSACTED));
                    outcomes.push((table.clone(), key, after));
                    Reason::None
                }
                Err(Refused::Condition(_)) => Reason::Condition,
                Err(Refused::Operand(_)) => Reason::Operand,
                Err(Refused::Conflict) => Reason::Conflict,
                Err(refused) => return Err(refused),
            });
        }
        if reasons.iter().any(|reason| *reason != Reason::None) {
            let refused =
                actions.iter().map(|(_, _, table, key)| self.price_refused(table, key, TRANSACTED));
            let charges: Vec<_> = refused.flatten().collect();
            self.charge(now, &charges, bill)?;
            return Err(Refused::Cancelled(reasons));
        }
        let throttled: Vec<_> = charges
            .iter()
            .map(|charges| match self.charge(now, charges, bill) {
                Ok(()) => Reason::None,
                Err(_) => Reason::Throttled,
            })
            .collect();
        if throttled.contains(&Reason::Throttled) {
            return Err(Refused::Cancelled(throttled));
        }
        let until = if arrived.takes_ms > 0 {
            now + arrived.takes_ms
        } else if choices.happens("dynamodb/hold", self.difficulty.held) {
            let (low, high) = self.difficulty.hold_ms;
            now + i64::try_from(choices.between("dynamodb/hold", low, high)).unwrap_or(1)
        } else {
            now
        };
        let mut repeated = Vec::new();
        for (table, key, after) in outcomes {
            if self.meter.is_some() {
                let before = self.tables.get(&table).and_then(|table| table.rows.get(&key));
                let bytes = [before, after.as_ref()].map(|row| row.map_or(0, capacity::size));
                let units = Units::read(bytes[0].max(bytes[1]), true) * TRANSACTED;
                repeated.push(Charge { partition: (table.clone(), key.0.clone()), units });
            }
            let lag = self.lag(choices);
            self.holds.insert((table.clone(), key.clone()), until);
            self.write(Some(arrived.invocation), arrived.is_late, &table, key, after, (now, lag));
        }
        self.holds.retain(|_, until| *until > now);
        if !token.is_empty() {
            let actions = request["TransactItems"].clone();
            self.tokens.insert(token, Committed { at: now, until, actions, repeated });
        }
        Ok(json!({}))
    }

    fn get(&mut self, request: &Value, now: i64, bill: &mut Bill) -> Result<Value, Refused> {
        know(request, &["TableName", "Key", "ConsistentRead"]);
        let key = key_of(object(request, "Key")?)?;
        let name = member(request, "TableName").unwrap_or_default().to_owned();
        self.expire(&name, &key, now);
        let row = self.table(request)?.rows.get(&key).cloned();
        let units = Units::read(row.as_ref().map_or(0, capacity::size), is_consistent(request));
        self.charge(now, &[Charge { partition: (name, key.0), units }], bill)?;
        Ok(row.map_or_else(|| json!({}), |row| json!({ "Item": row })))
    }

    fn batch_get(
        &mut self,
        request: &Value,
        now: i64,
        choices: &mut Choices,
        bill: &mut Bill,
    ) -> Result<Value, Refused> {
        know(request, &["RequestItems"]);
        let (mut responses, mut unprocessed) = (Row::new(), Row::new());
        let mut read = 0_usize;
        for (name, wanted) in object(request, "RequestItems")? {
            know(wanted, &["Keys", "ConsistentRead"]);
            let keys = wanted["Keys"].as_array().cloned().unwrap_or_default();
            let (mut found, mut left, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
            for key in keys {
                let row_key = key_of(key.as_object().expect("a key is an object"))?;
                if !seen.insert(row_key.clone()) {
                    let message = "Provided list of item keys contains duplicates";
                    return Err(Refused::Invalid(message.to_owned()));
                }
                read += 1;
                // At least one key of a batch is processed.
                if read > 1 && choices.happens("dynamodb/batch", self.difficulty.unprocessed) {
                    left.push(key);
                    continue;
                }
                self.expire(name, &row_key, now);
                let table = self.tables.get(name);
                let table = table.ok_or_else(|| format!("there is no table {name}"))?;
                let row = table.rows.get(&row_key).cloned();
                let bytes = row.as_ref().map_or(0, capacity::size);
                let units = Units::read(bytes, is_consistent(wanted));
                let charge = Charge { partition: (name.clone(), row_key.0), units };
                match self.charge(now, &[charge], bill) {
                    Ok(()) => found.extend(row.map(Value::Object)),
                    Err(refused) if read == 1 => return Err(refused),
                    Err(_) => left.push(key),
                }
            }
            responses.insert(name.clone(), found.into());
            if !left.is_empty() {
                let mut rest = wanted.clone();
                rest["Keys"] = left.into();
                unprocessed.insert(name.clone(), rest);
            }
        }
        if read == 0 || read > 100 {
            return Err(Refused::Invalid("a batch has 1 to 100 keys".to_owned()));
        }
        Ok(json!({ "Responses": responses, "UnprocessedKeys": unprocessed }))
    }

    fn query(
        &mut self,
        request: &Value,
        now: i64,
        choices: &mut Choices,
        bill: &mut Bill,
    ) -> Result<Value, Refused> {
        know(
            request,
            &[
                "TableName",
                "IndexName",
                "KeyConditionExpression",
                "ExpressionAttributeValues",
                "ScanIndexForward",
                "Limit",
                "ConsistentRead",
                "ExclusiveStartKey",
                "Select",
            ],
        );
        let condition = member(request, "KeyConditionExpression").unwrap_or_default();
        let index = member(request, "IndexName");
        let name = member(request, "TableName").unwrap_or_default().to_owned();
        let forward = request["ScanIndexForward"].as_bool().unwrap_or(true);
        let mut names = Names::of(request);
        // Values are checked even if there is no row.
        expression::holds(condition, &mut names, None)?;
        names.all_used()?;
        let (mut partition, short_page) = (None, self.difficulty.short_page);
        let range = match index {
            None => {
                let pk = request["ExpressionAttributeValues"][":pk"]["S"].as_str();
                let first = (pk.unwrap_or_default().to_owned(), String::new());
                let of_partition = self.table(request)?.rows.range(first.clone()..);
                let of_partition = of_partition.take_while(|(key, _)| key.0 == first.0);
                let keys: Vec<_> = of_partition.map(|(key, _)| key.clone()).collect();
                for key in &keys {
                    self.expire(&name, key, now);
                }
                partition = Some(first);
                "sk".to_owned()
            }
            Some(index_name) => {
                let index = self.table(request)?.indexes.get_mut(index_name);
                let index = index.ok_or_else(|| format!("there is no index {index_name}"))?;
                let later = index.pending.split_off(&(now + 1, 0));
                for (_, (key, row)) in std::mem::replace(&mut index.pending, later) {
                    match row {
                        Some(row) => drop(index.rows.insert(key, row)),
                        None => drop(index.rows.remove(&key)),
                    }
                }
                index.range.clone()
            }
        };
        let table = self.table(request)?;
        let rows = match index {
            None => &table.rows,
            Some(index) => &table.indexes.get(index).expect("it was looked up").rows,
        };
        let mut found = Vec::new();
        let (pk, first) = match partition {
            Some(first) => (Some(first.0.clone()), first),
            None => (None, RowKey::default()),
        };
        let in_partition = |key: &RowKey| pk.as_ref().is_none_or(|pk| key.0 == *pk);
        // The condition begins with the partition: `pk = :pk`, `watch = :watch`.
        let mut words = condition.split_whitespace();
        let (hash, wanted) = (words.next().unwrap_or_default(), words.nth(1).unwrap_or_default());
        let wanted = &request["ExpressionAttributeValues"][wanted];
        for (key, row) in rows.range(first..).take_while(|(key, _)| in_partition(key)) {
            if row.get(hash) == Some(wanted) && expression::holds(condition, &mut names, Some(row))?
            {
                found.push((key, row));
            }
        }
        let by_place = |(one_key, one): &(&RowKey, &Row), (other_key, other): &(&RowKey, &Row)| {
            let order = match (one.get(&range), other.get(&range)) {
                (Some(one), Some(other)) => order(one, other),
                _ => None,
            };
            let order =
                order.expect("rows of one range have an order").then(one_key.cmp(other_key));
            if forward { order } else { order.reverse() }
        };
        found.sort_by(by_place);
        if let Some(start) = request.get("ExclusiveStartKey").and_then(Value::as_object) {
            let key = key_of(start)?;
            let start = (&key, start);
            found.retain(|row| by_place(row, &start).is_gt());
        }
        let limit = request.get("Limit").and_then(Value::as_u64);
        let mut size = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let counts = member(request, "Select") == Some("COUNT");
        // Only a reader that asks for everything has to expect a short page.
        if limit.is_none() && !counts && choices.happens("dynamodb/page", short_page) {
            let short = choices.between("dynamodb/page", 1, 4);
            size = size.min(usize::try_from(short).unwrap_or(1));
        }
        let more = found.len() > size || (limit.is_some() && found.len() == size && size > 0);
        found.truncate(size);
        // A page ends with the row that brings it to a megabyte.
        let mut bytes = 0;
        let fitting = found.iter().take_while(|(_, row)| {
            let fits = bytes < LONGEST_PAGE;
            bytes += capacity::size(row);
            fits
        });
        let fitting = fitting.count();
        let more = more || fitting < found.len();
        found.truncate(fitting);
        let mut answer = json!({ "Count": found.len(), "ScannedCount": found.len() });
        if more && let Some((key, row)) = found.last() {
            let mut last = json!({ "pk": { "S": key.0 }, "sk": { "S": key.1 } });
            if let Some(index) = index.and_then(|index| table.indexes.get(index)) {
                for attribute in [&index.hash, &index.range] {
                    last[attribute.as_str()] = row[attribute.as_str()].clone();
                }
            }
            answer["LastEvaluatedKey"] = last;
        }
        let bytes = found.iter().map(|(_, row)| capacity::size(row)).sum();
        if !counts {
            answer["Items"] =
                found.into_iter().map(|(_, row)| Value::Object(row.clone())).collect();
        }
        let partition = wanted["S"].as_str();
        let place = index.map_or_else(|| name.clone(), |index| format!("{name}/{index}"));
        let partition = (place, partition.unwrap_or_default().to_owned());
        let units = Units::read(bytes, is_consistent(request));
        self.charge(now, &[Charge { partition, units }], bill)?;
        Ok(answer)
    }

    fn execute(
        &mut self,
        operation: &str,
        request: &Value,
        arrived: &Arrived,
        choices: &mut Choices,
        bill: &mut Bill,
    ) -> Result<Value, Refused> {
        let mut known = vec!["TableName", "ReturnValues", "ReturnValuesOnConditionCheckFailure"];
        known.extend(CONDITION);
        match operation {
            "GetItem" => self.get(request, arrived.at, bill),
            "BatchGetItem" => self.batch_get(request, arrived.at, choices, bill),
            "Query" => self.query(request, arrived.at, choices, bill),
            "TransactWriteItems" => self.transact(request, arrived, choices, bill),
            "PutItem" => {
                known.push("Item");
                know(request, &known);
                self.single("Put", request, arrived, choices, bill)
            }
            "UpdateItem" => {
                known.extend(["Key", "UpdateExpression"]);
                know(request, &known);
                self.single("Update", request, arrived, choices, bill)
            }
            "DeleteItem" => {
                known.push("Key");
                know(request, &known);
                self.single("Delete", request, arrived, choices, bill)
            }
            _ => panic!("the model of DynamoDB does not know {operation}"),
        }
    }
}

impl Host for DynamoDb {
    fn handle(&mut self, arrived: &Arrived, choices: &mut Choices) -> Reply {
        let request: Value = serde_json::from_slice(&arrived.body).expect("a request is JSON");
        let operation = arrived.operation();
        self.has_throttled = false;
        let mut bill = Bill::new(arrived.at, arrived.invocation, operation);
        let answer = self.execute(operation, &request, arrived, choices, &mut bill);
        let answer = answer.map_err(Refused::body);
        let units = bill.units;
        if let Some(meter) = &mut self.meter {
            meter.enter(bill);
        }
        let reply = match &answer {
            Ok(answer) => super::done(answer),
            Err(refused) => Reply::json(StatusCode::BAD_REQUEST, refused),
        };
        if let Some(exchanges) = &mut self.exchanges {
            exchanges.push(Exchange { operation: operation.to_owned(), request, answer, units });
        }
        reply
    }

    fn is_unreliable(&self) -> bool {
        self.has_throttled
    }

    fn as_any(&mut self) -> &mut dyn std::any::Any {
        self
    }
}
