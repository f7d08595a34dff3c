//! The model of DynamoDB gives the same answers as the local stack's emulator.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    missing_docs
)]

use std::time::Duration;

use bytes::Bytes;
use dynoxide::{
    Database, DynoxideError,
    actions::{
        batch_get_item::BatchGetItemRequest, create_table::CreateTableRequest,
        delete_item::DeleteItemRequest, get_item::GetItemRequest, put_item::PutItemRequest,
        query::QueryRequest, scan::ScanRequest, transact_write_items::TransactWriteItemsRequest,
        update_item::UpdateItemRequest,
    },
};
use http::{HeaderMap, HeaderValue, Method};
use local::{template::Table, workspace};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use simulation::{
    aws::{
        capacity::PartitionLimits,
        dynamodb::{DynamoDb, Exchange},
    },
    choice::{Allowed, Choices},
    plan::{Plan, Scenario},
    run::{Report, run_all},
    setup,
    wire::{Arrived, Host, START_MS},
};

fn table() -> Table {
    let create = json!({
        "TableName": "rows",
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            { "AttributeName": "pk", "AttributeType": "S" },
            { "AttributeName": "sk", "AttributeType": "S" },
            { "AttributeName": "watch", "AttributeType": "S" },
            { "AttributeName": "dueAt", "AttributeType": "N" },
        ],
        "KeySchema": [
            { "AttributeName": "pk", "KeyType": "HASH" },
            { "AttributeName": "sk", "KeyType": "RANGE" },
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "watch",
            "KeySchema": [
                { "AttributeName": "watch", "KeyType": "HASH" },
                { "AttributeName": "dueAt", "KeyType": "RANGE" },
            ],
            "Projection": { "ProjectionType": "ALL" },
        }],
    });
    Table { name: "rows".to_owned(), create, time_to_live: None }
}

/// Draws requests of the forms that the store sends.
struct Draw(Choices);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.below("draw", limit)
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        let place = self.below(u64::try_from(all.len()).unwrap());
        all[usize::try_from(place).unwrap()]
    }

    fn key(&mut self) -> Value {
        let (pk, sk) = (self.one_of(&["a", "b"]), self.one_of(&["1", "2", "3", "4"]));
        json!({ "pk": { "S": pk }, "sk": { "S": sk } })
    }

    fn value(&mut self) -> Value {
        match self.below(7) {
            0 => json!({ "S": self.one_of(&["x", "y", ""]) }),
            1 => json!({ "NULL": true }),
            2 => json!({ "BOOL": self.below(2) == 0 }),
            3 => json!({ "L": [{ "S": "x" }, { "N": "1" }] }),
            4 => json!({ "M": { "n": { "N": self.below(3).to_string() }, "s": { "S": "x" } } }),
            _ => json!({ "N": (i64::try_from(self.below(9)).unwrap() - 3).to_string() }),
        }
    }

    fn item(&mut self) -> Value {
        let mut item = self.key();
        for name in ["hits", "version", "m", "expiresAt"] {
            if self.below(3) > 0 {
                item[name] = self.value();
            }
        }
        if self.below(2) == 0 {
            item["watch"] = json!({ "S": self.one_of(&["mint", "swap"]) });
            item["dueAt"] = json!({ "N": self.below(50).to_string() });
        }
        item
    }

    /// A condition with its names and values, added to a request.
    fn condition(&mut self, request: &mut Value) {
        let form = self.below(9);
        let (value, more) = (self.value(), self.value());
        let name = self.one_of(&["hits", "version", "m", "m.n", "pk"]);
        let path = name.split('.').map(|part| format!("#{part}")).collect::<Vec<_>>().join(".");
        let (text, values, named) = match form {
            0 => return,
            1 => (
                "attribute_not_exists(pk) OR expiresAt <= :now".to_owned(),
                json!({ ":now": { "N": "2" } }),
                false,
            ),
            2 => (format!("attribute_not_exists({path})"), json!({}), true),
            3 => (format!("{path} = :v0"), json!({ ":v0": value }), true),
            4 => (format!("{path} > :v0"), json!({ ":v0": { "N": "1" } }), true),
            5 => (format!("{path} < :v0"), json!({ ":v0": { "N": "1" } }), true),
            6 => (format!("{path} IN (:v0, :v1)"), json!({ ":v0": value, ":v1": more }), true),
            7 => (
                format!(
                    "attribute_not_exists(pk) OR expiresAt <= :now OR ({path} = :v0 AND {path} < :v1)"
                ),
                json!({ ":now": { "N": "2" }, ":v0": value, ":v1": { "N": "4" } }),
                true,
            ),
            _ => (
                "hits < :most AND expiresAt > :now".to_owned(),
                json!({ ":most": { "N": "3" }, ":now": { "N": "0" } }),
                false,
            ),
        };
        request["ConditionExpression"] = text.into();
        if !values.as_object().unwrap().is_empty() {
            merge(request, "ExpressionAttributeValues", &values);
        }
        if named {
            for part in name.split('.') {
                merge(request, "ExpressionAttributeNames", &json!({ format!("#{part}"): part }));
            }
        }
    }

    fn update(&mut self, request: &mut Value) {
        let value = self.value();
        let (text, names, values) = match self.below(7) {
            0 => ("SET hits = hits + :one", json!({}), json!({ ":one": { "N": "1" } })),
            1 => ("SET #v = :s", json!({ "#v": "version" }), json!({ ":s": value })),
            2 => (
                "SET #v = if_not_exists(#v, :s)",
                json!({ "#v": "version" }),
                json!({ ":s": value }),
            ),
            3 => (
                "ADD #h :a SET #v = :s",
                json!({ "#h": "hits", "#v": "version" }),
                json!({ ":a": { "N": "-1" }, ":s": value }),
            ),
            4 => (
                "SET #mm.#nn = :s REMOVE #w",
                json!({ "#mm": "m", "#nn": "n", "#w": "watch" }),
                json!({ ":s": value }),
            ),
            5 => (
                "SET #l = list_append(if_not_exists(#l, :none), :new) ADD #h :a",
                json!({ "#l": "events", "#h": "hits" }),
                json!({ ":none": { "L": [] }, ":new": { "L": [value] }, ":a": { "N": "1" } }),
            ),
            _ => (
                "SET #v = :s, #w = :w, #d = :d",
                json!({ "#v": "version", "#w": "watch", "#d": "dueAt" }),
                json!({ ":s": value, ":w": { "S": "mint" }, ":d": { "N": "7" } }),
            ),
        };
        request["UpdateExpression"] = text.into();
        if !names.as_object().unwrap().is_empty() {
            merge(request, "ExpressionAttributeNames", &names);
        }
        merge(request, "ExpressionAttributeValues", &values);
    }

    fn request(&mut self) -> (&'static str, Value) {
        let mut request = json!({ "TableName": "rows" });
        match self.below(10) {
            0 => {
                request["Key"] = self.key();
                request["ConsistentRead"] = true.into();
                ("GetItem", request)
            }
            1 | 2 => {
                request["Item"] = self.item();
                self.condition(&mut request);
                if self.below(2) == 0 {
                    request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD".into();
                }
                ("PutItem", request)
            }
            3 | 4 => {
                request["Key"] = self.key();
                self.update(&mut request);
                self.condition(&mut request);
                request["ReturnValues"] = self.one_of(&["NONE", "ALL_OLD", "ALL_NEW"]).into();
                ("UpdateItem", request)
            }
            5 => {
                request["Key"] = self.key();
                request["ReturnValues"] = "ALL_OLD".into();
                ("DeleteItem", request)
            }
            6 => {
                let (low, high) = (self.one_of(&["1", "2"]), self.one_of(&["2", "3", "9"]));
                request["KeyConditionExpression"] = "pk = :pk AND sk BETWEEN :low AND :high".into();
                request["ExpressionAttributeValues"] = json!({
                    ":pk": { "S": self.one_of(&["a", "b"]) }, ":low": { "S": low }, ":high": { "S": high },
                });
                request["ScanIndexForward"] = (self.below(2) == 0).into();
                if self.below(2) == 0 {
                    request["Limit"] = (1 + self.below(3)).into();
                }
                ("Query", request)
            }
            7 => {
                request["IndexName"] = "watch".into();
                request["KeyConditionExpression"] = "watch = :watch AND dueAt <= :now".into();
                request["ExpressionAttributeValues"] = json!({
                    ":watch": { "S": "mint" }, ":now": { "N": self.below(50).to_string() },
                });
                request["Limit"] = 100.into();
                ("Query", request)
            }
            8 => {
                let keys: Vec<_> = (0..=self.below(4)).map(|_| self.key()).collect();
                let wanted = json!({ "rows": { "Keys": keys, "ConsistentRead": true } });
                ("BatchGetItem", json!({ "RequestItems": wanted }))
            }
            _ => {
                let actions: Vec<_> = (0..=self.below(3)).map(|_| self.action()).collect();
                ("TransactWriteItems", json!({ "TransactItems": actions }))
            }
        }
    }

    fn action(&mut self) -> Value {
        let mut action = json!({ "TableName": "rows" });
        let verb = self.one_of(&["Put", "Update", "Delete", "ConditionCheck"]);
        match verb {
            "Put" => action["Item"] = self.item(),
            _ => action["Key"] = self.key(),
        }
        if verb == "Update" {
            self.update(&mut action);
        }
        self.condition(&mut action);
        if verb == "ConditionCheck" && action["ConditionExpression"].is_null() {
            action["ConditionExpression"] = "attribute_not_exists(pk)".into();
        }
        json!({ verb: action })
    }
}

fn merge(request: &mut Value, name: &str, more: &Value) {
    if request[name].is_null() {
        request[name] = json!({});
    }
    let fields = request[name].as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
}

fn call<Q, R>(request: &Value, work: impl Fn(Q) -> Result<R, DynoxideError>) -> Result<Value, Value>
where
    Q: DeserializeOwned,
    R: Serialize,
{
    let request = serde_json::from_value(request.clone()).unwrap();
    match work(request) {
        Ok(answer) => Ok(serde_json::to_value(answer).unwrap()),
        Err(error) => Err(serde_json::from_str(&error.to_json()).unwrap()),
    }
}

/// The emulator with these tables.
fn emulator(tables: &[Table]) -> Database {
    let database = Database::memory().unwrap();
    for table in tables {
        let create: CreateTableRequest = serde_json::from_value(table.create.clone()).unwrap();
        database.create_table(create).unwrap();
    }
    database
}

/// All rows of a table, in an order of their own.
fn rows_of(database: &Database, table: &str) -> Vec<Value> {
    let (mut rows, mut start) = (Vec::new(), Value::Null);
    loop {
        let scan = json!({ "TableName": table, "ExclusiveStartKey": start });
        let scan: ScanRequest = serde_json::from_value(scan).unwrap();
        let scanned = serde_json::to_value(database.scan(scan).unwrap()).unwrap();
        rows.extend(scanned["Items"].as_array().cloned().unwrap_or_default());
        start = scanned["LastEvaluatedKey"].clone();
        if start.is_null() {
            break;
        }
    }
    rows.sort_by_key(Value::to_string);
    rows
}

/// The model's rows of a table, in the same order.
fn own_rows_of(model: &DynamoDb, table: &str) -> Vec<Value> {
    let rows = model.rows().filter(|(name, _, _)| *name == table);
    let mut rows: Vec<_> = rows.map(|(_, _, row)| Value::Object(row.clone())).collect();
    rows.sort_by_key(Value::to_string);
    rows
}

fn emulated(database: &Database, operation: &str, request: &Value) -> Result<Value, Value> {
    match operation {
        "GetItem" => call::<GetItemRequest, _>(request, |it| database.get_item(it)),
        "PutItem" => call::<PutItemRequest, _>(request, |it| database.put_item(it)),
        "UpdateItem" => call::<UpdateItemRequest, _>(request, |it| database.update_item(it)),
        "DeleteItem" => call::<DeleteItemRequest, _>(request, |it| database.delete_item(it)),
        "Query" => call::<QueryRequest, _>(request, |it| database.query(it)),
        "BatchGetItem" => call::<BatchGetItemRequest, _>(request, |it| database.batch_get_item(it)),
        _ => call::<TransactWriteItemsRequest, _>(request, |it| database.transact_write_items(it)),
    }
}

/// The part of an answer that is compared: everything except texts of errors.
fn compared(operation: &str, answer: Result<&Value, &Value>) -> Value {
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => {
            let name = error["__type"].as_str().unwrap();
            let reasons = error["CancellationReasons"].as_array().into_iter().flatten();
            return json!({
                "refused": name.rsplit('#').next().unwrap(),
                "item": error["Item"],
                "reasons": reasons.map(|reason| reason["Code"].clone()).collect::<Vec<_>>(),
            });
        }
    };
    match operation {
        "BatchGetItem" => {
            let tables = answer["Responses"].as_object().into_iter().flatten();
            let tables = tables.map(|(name, rows)| {
                let mut rows = rows.as_array().cloned().unwrap_or_default();
                rows.sort_by_key(Value::to_string);
                (name.clone(), Value::from(rows))
            });
            // A table without rows may be named or not.
            Value::Object(tables.filter(|(_, rows)| rows != &json!([])).collect())
        }
        "Query" => json!([answer["Items"], answer["Count"], answer["LastEvaluatedKey"]]),
        "GetItem" => answer["Item"].clone(),
        // If an update creates a row, the emulator answers the key as the old attributes; DynamoDB answers
        // none.
        "UpdateItem" if answer["Attributes"].as_object().is_some_and(|row| row.len() == 2) => {
            Value::Null
        }
        _ => answer["Attributes"].clone(),
    }
}

fn sent(operation: &str, request: &Value, n: u64) -> Arrived {
    let mut headers = HeaderMap::new();
    let target = HeaderValue::from_str(&format!("DynamoDB_20120810.{operation}")).unwrap();
    headers.insert("x-amz-target", target);
    Arrived {
        at: START_MS + i64::try_from(n).unwrap() * 1000,
        method: Method::POST,
        path: "/".to_owned(),
        query: String::new(),
        headers,
        body: Bytes::from(request.to_string()),
        invocation: n,
        is_late: false,
        takes_ms: 0,
    }
}

#[test]
fn the_model_answers_as_the_emulator() {
    let table = table();
    let database = emulator(std::slice::from_ref(&table));
    let mut model = DynamoDb::compared(1, &[table]);
    let mut choices = Choices::new(1, Allowed::default());
    let mut draw = Draw(Choices::new(2, Allowed::default()));
    let requests = u64::try_from(workspace::cases(10_000, 30_000)).unwrap();
    for n in 0..requests {
        let (operation, request) = draw.request();
        model.handle(&sent(operation, &request, n), &mut choices);
    }
    assert_eq!(u64::try_from(model.exchanges().len()).unwrap(), requests);
    let refused = answers_alike(&model, &database);
    assert!((requests / 10..requests * 3 / 4).contains(&refused), "{refused} are refused");
    assert_eq!(own_rows_of(&model, "rows"), rows_of(&database, "rows"));
}

/// The capacity units of an answer of the emulator.
fn consumed(answer: &Value) -> f64 {
    match &answer["ConsumedCapacity"] {
        Value::Array(tables) => {
            tables.iter().map(|one| one["CapacityUnits"].as_f64().unwrap()).sum()
        }
        one => one["CapacityUnits"].as_f64().unwrap(),
    }
}

/// Sends the model's requests to the emulator; returns how many were refused.
fn answers_alike(model: &DynamoDb, database: &Database) -> u64 {
    let mut refused = 0;
    for (n, exchange) in model.exchanges().iter().enumerate() {
        let Exchange { operation, request, answer, units } = exchange;
        let mut priced = request.clone();
        priced["ReturnConsumedCapacity"] = "TOTAL".into();
        let other = emulated(database, operation, &priced);
        let shown = format!("{n}: {operation} {request}: {other:?}");
        refused += u64::from(answer.is_err());
        // The emulator does not report the cost of a refusal.
        if let Ok(other) = &other {
            assert_eq!(units.total(), consumed(other), "{shown}");
        }
        let other = compared(operation, other.as_ref());
        assert_eq!(compared(operation, answer.as_ref()), other, "{shown}");
    }
    refused
}

/// A model whose partitions serve ten write units and ten read units a second, and its answers at `ms`.
fn limited() -> impl FnMut(u64, &str, Value) -> Value {
    let (mut model, mut choices) =
        (DynamoDb::compared(1, &[table()]), Choices::new(1, Allowed::default()));
    model.measure(Some(PartitionLimits { writes: 10, reads: 10 }));
    move |ms, operation, request| {
        let at = START_MS + i64::try_from(ms).unwrap();
        let reply = model.handle(&Arrived { at, ..sent(operation, &request, 0) }, &mut choices);
        serde_json::from_slice(&reply.body).unwrap()
    }
}

fn put(pk: &str, watch: &str) -> Value {
    let item = json!({
        "pk": { "S": pk }, "sk": { "S": "1" }, "watch": { "S": watch }, "dueAt": { "N": "1" },
    });
    json!({ "TableName": "rows", "Item": item })
}

#[test]
fn a_partition_without_units_throttles() {
    let mut ask = limited();
    let is_throttled = |answer: &Value| {
        answer["__type"].as_str().is_some_and(|name| name.ends_with("#ThrottlingException"))
    };
    // The first write of a row also costs a unit of its index; later writes change nothing there.
    assert!((0..10).all(|_| !is_throttled(&ask(0, "PutItem", put("a", "mint")))));
    assert!(is_throttled(&ask(0, "PutItem", put("a", "mint"))));
    assert!(!is_throttled(&ask(0, "PutItem", put("b", "swap"))));
    assert!(!is_throttled(&ask(100, "PutItem", put("a", "mint"))));
    // A transaction costs twice as much, and reports which of its actions was throttled.
    let both =
        json!({ "TransactItems": [{ "Put": put("c", "swap") }, { "Put": put("a", "swap") }] });
    let answer = ask(200, "TransactWriteItems", both.clone());
    assert_eq!(answer["CancellationReasons"][0]["Code"], "None");
    assert_eq!(answer["CancellationReasons"][1]["Code"], "ThrottlingError");
    assert_eq!(ask(1_200, "TransactWriteItems", both), json!({}));
    // A batch names the keys that it could not read.
    let keys = |n: usize| vec![json!({ "pk": { "S": "a" }, "sk": { "S": "1" } }); n];
    for _ in 0..10 {
        let read =
            json!({ "RequestItems": { "rows": { "Keys": keys(1), "ConsistentRead": true } } });
        assert_eq!(ask(2_000, "BatchGetItem", read)["UnprocessedKeys"], json!({}));
    }
    let other = json!([{ "pk": { "S": "b" }, "sk": { "S": "1" } }, keys(1)[0]]);
    let read = json!({ "RequestItems": { "rows": { "Keys": other, "ConsistentRead": true } } });
    let answer = ask(2_000, "BatchGetItem", read);
    assert_eq!(answer["Responses"]["rows"].as_array().map(Vec::len), Some(1), "{answer}");
    assert_eq!(answer["UnprocessedKeys"]["rows"]["Keys"], json!(keys(1)));
    let read = json!({ "TableName": "rows", "Key": keys(1)[0], "ConsistentRead": true });
    assert!(is_throttled(&ask(2_000, "GetItem", read)));
}

#[test]
fn a_hot_key_of_an_index_throttles_the_table() {
    let mut ask = limited();
    for n in 0..10 {
        assert_eq!(ask(0, "PutItem", put(&format!("row {n}"), "mint")), json!({}));
    }
    let answer = ask(0, "PutItem", put("another", "mint"));
    assert_eq!(answer["__type"], "com.amazonaws.dynamodb.v20120810#ThrottlingException");
    assert_eq!(ask(0, "PutItem", put("another", "swap")), json!({}));
}

/// One seed of each scenario: the emulator, given the model's requests, gives the same answers and ends with
/// the same rows.
#[test]
fn whole_seeds_leave_the_same_rows_in_the_emulator() {
    let tables = setup::resources().tables;
    let plan = |n: u64| {
        let scenario = *Scenario::ALL.get(usize::try_from(n).unwrap())?;
        let storm = Duration::from_secs(if scenario.has_mints() { 900 } else { 300 });
        Some(Plan { storm, keeps_exchanges: true, ..Plan::of(2, Some(scenario)) })
    };
    let mut seeds = 0;
    run_all(plan, |report| {
        let Report { plan, broken, database: model, .. } = report;
        assert!(broken.is_empty(), "{}: {broken:#?}", plan.scenario);
        assert!(model.exchanges().len() > 300, "{}: too few requests", plan.scenario);
        let database = emulator(&tables);
        answers_alike(&model, &database);
        for table in &tables {
            let own = own_rows_of(&model, &table.name);
            assert_eq!(own, rows_of(&database, &table.name), "{}", plan.scenario);
        }
        seeds += 1;
        true
    });
    assert_eq!(seeds, Scenario::ALL.len());
}
