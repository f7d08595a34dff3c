//! Examples of operations: requests and answers that tests have exchanged with the service, recorded and
//! committed.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    env,
    path::Path,
    sync::OnceLock,
};

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::http::routes::Route;

use super::{
    answers::{self, Best},
    failure::{Context, Result},
    masks,
};

/// The file, in the workspace.
pub const FILE: &str = "infra/local/tests/examples.json";

/// Operations without an example: they return the OpenAPI document and the page that shows it.
pub const WITHOUT: [&str; 3] =
    ["GET /api/docs", "GET /api/openapi.json", "GET /api/openapi-3.0.json"];

/// Ends the name of an operation whose example is a dry run: it has another one, of the real request.
pub const DRY_RUN: &str = "?dryRun=true";

/// Prefix of the records of examples, in the folder of recorded errors.
const RECORDS: &str = "examples-";

/// Answers longer than this, in bytes, are replaced by shorter ones.
const LONG: usize = 4_000;

/// An exchange that succeeded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Path and query of the request.
    pub path: String,
    /// Its body; null if it has none.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub body: Value,
    /// The body of the answer.
    pub answer: Value,
}

/// The example of each operation, such as `POST /api/prizes`, and of dry runs, such as
/// `POST /api/transactions?dryRun=true`.
pub type Examples = BTreeMap<String, Example>;

/// How well an example shows its operation; the lowest is the best.
type Rank = (bool, Reverse<usize>, usize, String);

/// A line of a record.
#[derive(Serialize, Deserialize)]
struct Record {
    operation: String,
    example: Example,
}

impl Example {
    /// A request and its answer, without secrets.
    pub(super) fn new(path: &str, body: &Value, answer: &Value) -> Self {
        Self {
            path: masks::masked_url(path),
            body: masks::masked(body),
            answer: masks::masked(answer),
        }
    }

    /// Prefers an answer that is not too long, has as many fields as possible, and is short.
    fn rank(&self) -> Rank {
        let mut fields = BTreeSet::new();
        name_fields(&self.answer, "", &mut fields);
        let text = format!("{}{}{}", self.answer, self.body, self.path);
        (text.len() > LONG, Reverse(fields.len()), text.len(), text)
    }
}

/// Collects the paths of all values that are not null; the items of a list have the same path.
fn name_fields(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                name_fields(value, &format!("{path}/{name}"), fields);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| name_fields(item, path, fields)),
        Value::Null => {}
        _ => {
            fields.insert(path.to_owned());
        }
    }
}

/// The committed file.
///
/// # Errors
/// The file cannot be read.
pub fn listed() -> Result<&'static Examples> {
    static LISTED: OnceLock<Result<Examples>> = OnceLock::new();
    LISTED.get_or_init(|| answers::read(FILE)).as_ref().map_err(Clone::clone)
}

/// Records an exchange that succeeded, if tests record and this process has not seen a better one of the
/// operation.
///
/// # Errors
/// The record cannot be written.
pub(super) fn record(method: &Method, example: Example) -> Result<()> {
    static BEST: Best<String, Rank> = Best::new();
    let Some(folder) = env::var_os(answers::RECORDS) else { return Ok(()) };
    let operation = answers::operation(answers::listed()?, method, &example.path);
    let Some(operation) = operation.filter(|operation| !WITHOUT.contains(operation)) else {
        return Ok(());
    };
    // Relations are not fields of a row.
    if example.path.contains("populate=") {
        return Ok(());
    }
    let dry_run = if example.path.ends_with(DRY_RUN) { DRY_RUN } else { "" };
    let operation = format!("{operation}{dry_run}");
    if !BEST.improves(operation.clone(), example.rank()) {
        return Ok(());
    }
    let record = Record { operation, example };
    answers::append(Path::new(&folder), RECORDS, &serde_json::to_string(&record).context(FILE)?)
}

/// Adds the best recorded example of each operation that has none, so that recording again changes no
/// existing example; returns how many are new.
///
/// # Errors
/// A file cannot be read or written.
pub fn add(folder: &Path, routes: impl IntoIterator<Item = Route>) -> Result<usize> {
    let mut examples = listed()?.clone();
    let operations: BTreeSet<_> =
        routes.into_iter().map(|route| format!("{} {}", route.method, route.path)).collect();
    let exists =
        |operation: &str| operations.contains(operation.strip_suffix(DRY_RUN).unwrap_or(operation));
    examples.retain(|operation, _| exists(operation));
    for example in examples.values_mut() {
        *example = Example::new(&example.path, &example.body, &example.answer);
    }
    let of = |record: &Record| (record.operation.clone(), record.example.rank());
    let best = answers::best(folder, RECORDS, of)?;
    let before = examples.len();
    for (operation, Record { example, .. }) in best {
        if exists(&operation) {
            examples.entry(operation).or_insert(example);
        }
    }
    answers::write(FILE, &examples)?;
    Ok(examples.len().saturating_sub(before))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_best_example_has_the_most_fields_and_is_short() {
        let example =
            |answer: Value| Example { path: "/a".to_owned(), body: Value::Null, answer }.rank();
        let empty = example(json!({ "data": [] }));
        let sparse = example(json!({ "data": [{ "a": 1, "b": null }] }));
        let whole = example(json!({ "data": [{ "a": 1, "b": 2 }] }));
        let twice = example(json!({ "data": [{ "a": 1, "b": 2 }, { "a": 3, "b": 4 }] }));
        let long = example(json!({ "data": [{ "a": "x".repeat(LONG), "b": 2, "c": 3 }] }));
        assert!(whole < twice && twice < sparse && sparse < empty && empty < long);
    }
}
