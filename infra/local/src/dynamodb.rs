//! DynamoDB: dynoxide, in this process, on SQLite in memory or in a file.

use std::path::Path;

use dynoxide::{
    Database, DynoxideError,
    actions::{
        create_table::CreateTableRequest, scan::ScanRequest,
        update_time_to_live::UpdateTimeToLiveRequest,
    },
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{
    failure::{Context, Result},
    server::{LOOPBACK, Server},
    template::Table,
};

/// A DynamoDB of its own.
pub struct DynamoDb {
    server: Server,
    database: Database,
}

impl DynamoDb {
    /// Starts a database with these tables on a free port; `file` keeps what is written.
    ///
    /// # Errors
    /// A port, a file, or a table that cannot be had.
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

    /// Where the SDK finds it.
    pub fn url(&self) -> &str {
        self.server.url()
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

fn create(database: &Database, table: &Table) -> Result<()> {
    let doing = || format!("table {}", table.name);
    match database.create_table(request::<CreateTableRequest>(&table.create, doing())?) {
        // Of an earlier start.
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
