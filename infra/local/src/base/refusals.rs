//! Examples of errors: answers that tests have received, recorded and committed. One example of each code is
//! used for all operations. The code for wrong fields has an example for each operation.

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
pub const FILE: &str = "infra/local/tests/refusals.json";

/// Prefix of the records, in the folder of recorded errors.
const RECORDS: &str = "refusals-";

/// The code of wrong fields.
pub const FIELDS: &str = "1001";

/// The recorded bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusals {
    /// By code.
    pub codes: BTreeMap<String, Value>,
    /// The bodies that name wrong fields, by operation, such as `POST /api/prizes`.
    pub fields: BTreeMap<String, Value>,
}

/// How well a body shows its error; the lowest is the best.
type Rank = (Reverse<usize>, usize, String);

/// A line of a record.
#[derive(Serialize, Deserialize)]
struct Record {
    /// Empty if the request calls no operation.
    operation: String,
    code: String,
    body: Value,
}

impl Refusals {
    /// The body with this code that an operation returns.
    pub fn of(&self, operation: &str, code: &str) -> Option<&Value> {
        if code == FIELDS { self.fields.get(operation) } else { self.codes.get(code) }
    }
}

impl Record {
    /// Prefers a body that names many fields, and is short.
    fn rank(&self) -> Rank {
        let fields = self.body.get("errors").and_then(Value::as_array).map_or(0, Vec::len);
        // Ids differ in each run.
        let mut body = self.body.clone();
        if let Some(id) = body.get_mut("requestId") {
            *id = Value::Null;
        }
        let text = body.to_string();
        (Reverse(fields), text.len(), text)
    }

    /// The code or operation of which it is an example.
    fn place(&self) -> (String, String) {
        let operation = if self.code == FIELDS { self.operation.clone() } else { String::new() };
        (operation, self.code.clone())
    }
}

/// The committed file.
///
/// # Errors
/// The file cannot be read.
pub fn listed() -> Result<&'static Refusals> {
    static LISTED: OnceLock<Result<Refusals>> = OnceLock::new();
    LISTED.get_or_init(|| answers::read(FILE)).as_ref().map_err(Clone::clone)
}

/// Records an error, if tests record and this process has not seen a better one.
///
/// # Errors
/// The record cannot be written.
pub(super) fn record(method: &Method, path: &str, body: &Value) -> Result<()> {
    static BEST: Best<(String, String), Rank> = Best::new();
    let Some(folder) = env::var_os(answers::RECORDS) else { return Ok(()) };
    let operation = answers::operation(answers::listed()?, method, path).unwrap_or_default();
    let code = body.get("code").and_then(Value::as_str).unwrap_or_default();
    let body = masks::masked(body);
    let record = Record { operation: operation.to_owned(), code: code.to_owned(), body };
    if !BEST.improves(record.place(), record.rank()) {
        return Ok(());
    }
    answers::append(Path::new(&folder), RECORDS, &serde_json::to_string(&record).context(FILE)?)
}

/// Adds the best recorded example of each error that has none, so that recording again changes no existing
/// example; returns how many are new.
///
/// # Errors
/// A file cannot be read or written.
pub fn add(folder: &Path, routes: impl IntoIterator<Item = Route>) -> Result<usize> {
    let Refusals { mut codes, mut fields } = listed()?.clone();
    let operations: BTreeSet<_> =
        routes.into_iter().map(|route| format!("{} {}", route.method, route.path)).collect();
    fields.retain(|operation, _| operations.contains(operation));
    let best = answers::best(folder, RECORDS, |record: &Record| (record.place(), record.rank()))?;
    let before = codes.len().saturating_add(fields.len());
    for ((operation, code), Record { body, .. }) in best {
        if code != FIELDS {
            codes.entry(code).or_insert(body);
        } else if operations.contains(&operation) {
            fields.entry(operation).or_insert(body);
        }
    }
    let after = codes.len().saturating_add(fields.len());
    answers::write(FILE, &Refusals { codes, fields })?;
    Ok(after.saturating_sub(before))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_best_refusal_names_the_most_fields() {
        let rank = |code: &str, body: Value| {
            Record { operation: String::new(), code: code.to_owned(), body }.rank()
        };
        let one = rank("1001", json!({ "requestId": "b", "errors": [{ "field": "a" }] }));
        let same = rank("1001", json!({ "requestId": "a", "errors": [{ "field": "a" }] }));
        let two = rank("1001", json!({ "errors": [{ "field": "a" }, { "field": "b" }] }));
        assert!(two < one && one == same);
    }

    #[test]
    fn wrong_fields_belong_to_their_operation() {
        let refusals: Refusals = Refusals {
            codes: [("1003".to_owned(), json!(1))].into(),
            fields: [("GET /a".to_owned(), json!(2))].into(),
        };
        assert_eq!(refusals.of("GET /a", "1001"), Some(&json!(2)));
        assert_eq!(refusals.of("GET /b", "1001"), None);
        assert_eq!(refusals.of("GET /b", "1003"), Some(&json!(1)));
    }
}
