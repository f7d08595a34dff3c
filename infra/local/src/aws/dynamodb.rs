//! DynamoDB: dynoxide in this process, on SQLite in memory or in a file.

use std::path::Path;

use dynoxide::{
    Database, DynoxideError, ImportOptions,
    actions::{
        create_table::CreateTableRequest, scan::ScanRequest,
        update_time_to_live::UpdateTimeToLiveRequest,
    },
    types::Item,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use store::Key;
use tokio::net::TcpListener;

use crate::{
    aws::template::Table,
    base::{
        failure::{Context, Result},
        server::{LOOPBACK, Server},
    },
};

/// A private DynamoDB.
pub struct DynamoDb {
    server: Server,
    database: Database,
}

impl DynamoDb {
    /// Starts a database with these tables on a free port; `file` makes it persistent.
    ///
    /// # Errors
    /// No port is free, or the file or a table cannot be created.
    pub async fn start(file: Option<&Path>, tables: &[Table]) -> Result<Self> {
        let database = match file {
            None => Database::memory(),
            Some(file) => Database::new(&file.to_string_lossy()),
        }
        .context("DynamoDB")?;
        for table in tables {
            create(&database, table)?;
        }
        let listener = TcpListener::bind(LOOPBACK).await.context("DynamoDB")?;
        let address = listener.local_addr().context("DynamoDB")?;
        let task = tokio::spawn(dynoxide::server::serve_on(listener, database.clone()));
        Ok(Self { server: Server::new(address, task), database })
    }

    /// Endpoint for the SDK.
    pub fn url(&self) -> &str {
        self.server.url()
    }

    /// Writes rows of a table directly, without DynamoDB's operations. Each row is a key, a kind and its
    /// fields.
    ///
    /// # Errors
    /// The database refuses a row.
    pub fn import(&self, table: &str, rows: &[(Key, &str, Value)]) -> Result<()> {
        let items = rows.iter().map(|(key, entity, fields)| {
            serde_json::from_value::<Item>(row(key, entity, fields).into()).context("a row")
        });
        let items = items.collect::<Result<Vec<_>>>()?;
        self.database.import_items(table, items, ImportOptions::default()).context("DynamoDB")?;
        Ok(())
    }

    /// Every row of every table.
    ///
    /// # Errors
    /// The database cannot be read.
    pub fn contents(&self) -> Result<Vec<Value>> {
        let mut contents = Vec::new();
        for table in self.database.table_stats().context("DynamoDB")? {
            let scan = json!({ "TableName": table.table_name });
            let scan = request::<ScanRequest>(&scan, table.table_name.clone())?;
            let rows = self.database.scan(scan).context("DynamoDB")?;
            contents.push(serde_json::to_value(&rows).context("DynamoDB")?);
        }
        Ok(contents)
    }
}

/// A row as the store writes it, in DynamoDB's format: its key, its kind, its fields, and version 1.
pub fn row(key: &Key, entity: &str, fields: &Value) -> Map<String, Value> {
    let mut row = fields.as_object().map(attributes).unwrap_or_default();
    for (name, text) in [("pk", key.pk()), ("sk", key.sk()), ("entity", entity)] {
        row.insert(name.to_owned(), json!({ "S": text }));
    }
    row.insert("version".to_owned(), json!({ "N": "1" }));
    row
}

/// A JSON value in DynamoDB's format (Amazon DynamoDB API Reference, `AttributeValue`).
fn attribute(value: &Value) -> Value {
    match value {
        Value::Null => json!({ "NULL": true }),
        Value::Bool(value) => json!({ "BOOL": value }),
        Value::Number(number) => json!({ "N": number.to_string() }),
        Value::String(text) => json!({ "S": text }),
        Value::Array(items) => json!({ "L": items.iter().map(attribute).collect::<Vec<_>>() }),
        Value::Object(fields) => json!({ "M": attributes(fields) }),
    }
}

fn attributes(fields: &Map<String, Value>) -> Map<String, Value> {
    fields.iter().map(|(name, value)| (name.clone(), attribute(value))).collect()
}

fn create(database: &Database, table: &Table) -> Result<()> {
    let doing = || format!("table {}", table.name);
    match database.create_table(request::<CreateTableRequest>(&table.create, doing())?) {
        // The table may exist from an earlier start.
        Err(DynoxideError::ResourceInUseException(_)) => return Ok(()),
        created => created.context(doing())?,
    };
    if let Some(time_to_live) = &table.time_to_live {
        let update = request::<UpdateTimeToLiveRequest>(time_to_live, doing())?;
        database.update_time_to_live(update).context(doing())?;
    }
    Ok(())
}

fn request<T: DeserializeOwned>(value: &Value, doing: String) -> Result<T> {
    serde_json::from_value(value.clone()).context(doing)
}
