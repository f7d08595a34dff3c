//! The model of DynamoDB answers as the local stack's emulator does.

#![allow(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    missing_docs
)]

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
use local::template::Table;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use simulation::{
    aws::dynamodb::DynamoDb,
    choice::{Allowed, Choices},
    faults::Difficulty,
    wire::{Arrived, Host, START_MS},
};

/// Requests that are compared.
const REQUESTS: u64 = 30_000;

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
        let (text, names, values) = match self.below(6) {
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
                if self.below(2) == 0 {
                    request["ReturnValues"] = "ALL_OLD".into();
                }
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

fn call<Q, R>(
    request: &Value,
    work: impl Fn(Q) -> Result<R, DynoxideError>,
) -> Result<Value, String>
where
    Q: DeserializeOwned,
    R: Serialize,
{
    let request = serde_json::from_value(request.clone()).unwrap();
    match work(request) {
        Ok(answer) => Ok(serde_json::to_value(answer).unwrap()),
        Err(error) => Err(error.to_json()),
    }
}

fn emulated(database: &Database, operation: &str, request: &Value) -> Result<Value, String> {
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

/// What of an answer must be alike: everything but the texts of errors.
fn compared(operation: &str, answer: Result<Value, String>) -> Value {
    match answer {
        Err(text) => {
            let error: Value = serde_json::from_str(&text).unwrap();
            let name = error["__type"].as_str().unwrap();
            let reasons = error["CancellationReasons"].as_array().into_iter().flatten();
            json!({
                "refused": name.rsplit('#').next().unwrap(),
                "item": error["Item"],
                "reasons": reasons.map(|reason| reason["Code"].clone()).collect::<Vec<_>>(),
            })
        }
        Ok(answer) => {
            let mut rows = answer["Responses"]["rows"].as_array().cloned().unwrap_or_default();
            rows.sort_by_key(Value::to_string);
            match operation {
                "BatchGetItem" => rows.into(),
                "Query" => json!([answer["Items"], answer["Count"], answer["LastEvaluatedKey"]]),
                "GetItem" => answer["Item"].clone(),
                // Of a row that an update creates, the emulator answers the key as the old attributes; DynamoDB
                // answers none.
                "UpdateItem"
                    if answer["Attributes"].as_object().is_some_and(|row| row.len() == 2) =>
                {
                    Value::Null
                }
                _ => answer["Attributes"].clone(),
            }
        }
    }
}

#[test]
fn the_model_answers_as_the_emulator() {
    let (table, database) = (table(), Database::memory().unwrap());
    let create: CreateTableRequest = serde_json::from_value(table.create.clone()).unwrap();
    database.create_table(create).unwrap();
    let mut model = DynamoDb::new(1, &[table], Difficulty::default(), false);
    let mut choices = Choices::new(1, Allowed::default());
    let mut draw = Draw(Choices::new(2, Allowed::default()));
    let (mut done, mut refused) = (0_u64, 0_u64);
    for n in 0..REQUESTS {
        let (operation, request) = draw.request();
        let mut headers = HeaderMap::new();
        let target = HeaderValue::from_str(&format!("DynamoDB_20120810.{operation}")).unwrap();
        headers.insert("x-amz-target", target);
        let arrived = Arrived {
            at: START_MS + i64::try_from(n).unwrap() * 1000,
            method: Method::POST,
            path: "/".to_owned(),
            query: String::new(),
            headers,
            body: Bytes::from(request.to_string()),
            invocation: n,
            is_late: false,
        };
        let reply = model.handle(&arrived, &mut choices);
        let text = String::from_utf8(reply.body.to_vec()).unwrap();
        let own = match reply.status.is_success() {
            true => Ok(serde_json::from_str(&text).unwrap()),
            false => Err(text),
        };
        if own.is_ok() {
            done += 1
        } else {
            refused += 1
        }
        let other = emulated(&database, operation, &request);
        let (shown, own) = (format!("{other:?}"), compared(operation, own));
        assert_eq!(own, compared(operation, other), "{n}: {operation} {request}: {shown}");
    }
    assert!(done > REQUESTS / 4 && refused > REQUESTS / 10, "{done} done, {refused} refused");
    let scan: ScanRequest = serde_json::from_value(json!({ "TableName": "rows" })).unwrap();
    let scanned = serde_json::to_value(database.scan(scan).unwrap()).unwrap();
    let mut scanned = scanned["Items"].as_array().cloned().unwrap_or_default();
    let mut rows: Vec<_> = model.rows().map(|(_, _, row)| Value::Object(row.clone())).collect();
    scanned.sort_by_key(Value::to_string);
    rows.sort_by_key(Value::to_string);
    assert_eq!(rows, scanned);
}
