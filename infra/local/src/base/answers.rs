//! The errors of each operation: recorded by the tests, and committed.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
    process,
    sync::{Mutex, OnceLock, PoisonError},
};

use http::Method;
use serde::{Serialize, de::DeserializeOwned};
use shared::http::routes::Route;

use super::{
    failure::{Context, Failure, Result},
    workspace,
};

/// The file, in the workspace.
pub const FILE: &str = "infra/local/tests/answers.json";

/// Variable with the folder in which tests record the errors that they see. Without it, tests compare the
/// errors with the file.
pub(super) const RECORDS: &str = "RUNEPORT_ANSWERS";

/// Problems for paths and methods that the service does not have.
const OTHERS: [&str; 2] = ["1003", "1004"];

/// Errors that every operation can return: the body is too large, the service failed, or it is unavailable.
const ALWAYS: [&str; 3] = ["1005", "1008", "1009"];

/// The error codes of each operation, such as `POST /api/prizes`. A second path of a handler has the errors
/// of the first one.
pub type Answers = BTreeMap<String, BTreeSet<String>>;

/// The committed file.
///
/// # Errors
/// The file cannot be read.
pub fn listed() -> Result<&'static Answers> {
    static LISTED: OnceLock<Result<Answers>> = OnceLock::new();
    LISTED.get_or_init(|| read(FILE)).as_ref().map_err(Clone::clone)
}

/// Reads a committed file.
pub(super) fn read<T: DeserializeOwned>(file: &str) -> Result<T> {
    let text = fs::read_to_string(workspace::root().join(file)).context(file)?;
    serde_json::from_str(&text).context(file)
}

/// Writes a file that is to be committed.
pub(super) fn write(file: &str, content: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(content).context(file)?;
    fs::write(workspace::root().join(file), text + "\n").context(file)
}

/// Adds a line to this process's record of this kind, in the folder of records.
pub(super) fn append(folder: &Path, kind: &str, line: &str) -> Result<()> {
    let file = folder.join(format!("{kind}{}", process::id()));
    let mut file = OpenOptions::new().create(true).append(true).open(&file).context(RECORDS)?;
    file.write_all(format!("{line}\n").as_bytes()).context(RECORDS)
}

/// The listed operation that a request calls; `None` if there is none.
pub fn operation<'a>(listed: &'a Answers, method: &Method, path: &str) -> Option<&'a str> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_prefix("/api").filter(|it| it.starts_with("/auth/")).unwrap_or(path);
    let fits = |pattern: &&str| {
        let Some((own, pattern)) = pattern.split_once(' ') else { return false };
        let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
        let fits = |(wanted, given): (&str, &str)| {
            if wanted.starts_with('{') { !given.is_empty() } else { wanted == given }
        };
        own == method.as_str()
            && wanted.by_ref().zip(given.by_ref()).all(fits)
            && pattern.split('/').count() == path.split('/').count()
    };
    // A path without variables comes before one with them.
    listed.keys().map(String::as_str).filter(fits).min_by_key(|it| it.matches('{').count())
}

/// Compares an error code with the committed file, or records it.
///
/// # Errors
/// The operation does not list the code.
pub(super) fn check(method: &Method, path: &str, code: &str) -> Result<()> {
    if OTHERS.contains(&code) || ALWAYS.contains(&code) {
        return Ok(());
    }
    let listed = listed()?;
    let Some(operation) = operation(listed, method, path) else { return Ok(()) };
    match env::var_os(RECORDS) {
        Some(folder) => append(Path::new(&folder), "", &format!("{operation} {code}")),
        None => compare(listed, operation, code),
    }
}

fn compare(listed: &Answers, operation: &str, code: &str) -> Result<()> {
    if listed.get(operation).is_some_and(|codes| codes.contains(code)) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{operation} answered {code}, which {FILE} does not list. If that is right, record it with `make answers \
         PACKAGE=<crate of the test>`, or add it by hand; then run `make openapi reference`"
    )))
}

/// Adds the recorded codes to the file, and operations that it lacks; returns how many codes are new.
///
/// # Errors
/// A file cannot be read or written.
pub fn add(folder: &Path, routes: impl IntoIterator<Item = Route>) -> Result<usize> {
    let mut answers = listed()?.clone();
    let is_first = |route: &Route| !route.path.starts_with("/api/auth/");
    let routes = routes.into_iter().filter(is_first);
    let wanted: BTreeSet<_> = routes.map(|it| format!("{} {}", it.method, it.path)).collect();
    answers.retain(|operation, _| wanted.contains(operation));
    for operation in wanted {
        answers.entry(operation).or_default();
    }
    for codes in answers.values_mut() {
        codes.retain(|code| !ALWAYS.contains(&code.as_str()));
    }
    let count = |answers: &Answers| answers.values().map(BTreeSet::len).sum::<usize>();
    let before = count(&answers);
    for (operation, seen) in recorded(folder)? {
        let seen = seen.into_iter().filter(|code| !ALWAYS.contains(&code.as_str()));
        answers.entry(operation).and_modify(|codes| codes.extend(seen));
    }
    write(FILE, &answers)?;
    Ok(count(&answers).saturating_sub(before))
}

/// The codes that tests recorded.
fn recorded(folder: &Path) -> Result<Answers> {
    let mut answers = Answers::new();
    for line in lines(folder, "")? {
        if let Some((operation, code)) = line.rsplit_once(' ') {
            answers.entry(operation.to_owned()).or_default().insert(code.to_owned());
        }
    }
    Ok(answers)
}

/// The lines of all processes' records of this kind, as [`append`] wrote them.
fn lines(folder: &Path, kind: &str) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).context(folder.display())?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(kind);
        if process.is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_digit())) {
            let text = fs::read_to_string(entry.path()).context(entry.path().display())?;
            lines.extend(text.lines().map(str::to_owned));
        }
    }
    Ok(lines)
}

/// The best example of each place: the one with the lowest rank.
pub(super) struct Best<P, R>(Mutex<BTreeMap<P, R>>);

impl<P: Ord, R: Ord> Best<P, R> {
    /// No examples.
    pub(super) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// Records an example if it is better than all earlier ones of its place; returns whether it is.
    pub(super) fn improves(&self, place: P, rank: R) -> bool {
        // A test that panicked has left no partial change here.
        let mut best = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_better = best.get(&place).is_none_or(|known| rank < *known);
        if is_better {
            best.insert(place, rank);
        }
        is_better
    }
}

/// The best of all recorded examples of this kind, by place; `of` returns the place and the rank of one.
pub(super) fn best<T: DeserializeOwned, P: Ord + Clone, R: Ord>(
    folder: &Path,
    kind: &str,
    of: impl Fn(&T) -> (P, R),
) -> Result<BTreeMap<P, T>> {
    let (ranks, mut best) = (Best::new(), BTreeMap::new());
    for line in lines(folder, kind)? {
        let record: T = serde_json::from_str(&line).context(kind)?;
        let (place, rank) = of(&record);
        if ranks.improves(place.clone(), rank) {
            best.insert(place, record);
        }
    }
    Ok(best)
}

/// The errors of the committed file that the recorded tests have not seen, such as `GET /api/prizes 4002`. If
/// all tests recorded, no operation returns them any more.
///
/// # Errors
/// A file cannot be read.
pub fn unseen(folder: &Path) -> Result<Vec<String>> {
    let recorded = recorded(folder)?;
    let mut unseen = Vec::new();
    for (operation, codes) in listed()? {
        let seen = recorded.get(operation);
        let missing = codes.iter().filter(|code| seen.is_none_or(|seen| !seen.contains(*code)));
        unseen.extend(missing.map(|code| format!("{operation} {code}")));
    }
    Ok(unseen)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn requests_belong_to_operations() {
        let paths = ["GET /api/a/{id}", "GET /api/a/b", "POST /auth/x", "GET /api/a/{id}/c"];
        let listed = paths.map(|path| (path.to_owned(), BTreeSet::new())).into();
        for (method, path, expected) in [
            (Method::GET, "/api/a/b?c=1", Some("GET /api/a/b")),
            (Method::HEAD, "/api/a/c", Some("GET /api/a/{id}")),
            (Method::GET, "/api/a/b/c", Some("GET /api/a/{id}/c")),
            (Method::POST, "/api/auth/x", Some("POST /auth/x")),
            (Method::POST, "/auth/x", Some("POST /auth/x")),
            (Method::POST, "/api/a/b", None),
            (Method::GET, "/api/a/", None),
            (Method::GET, "/api/a", None),
            (Method::GET, "/api/a/b/c/d", None),
        ] {
            assert_eq!(operation(&listed, &method, path), expected, "{method} {path}");
        }
    }

    #[test]
    fn records_tell_which_listed_errors_no_test_sees() {
        let folder = tempfile::tempdir().unwrap();
        let all = listed().unwrap();
        let lines: Vec<_> = all
            .iter()
            .flat_map(|(operation, codes)| {
                codes.iter().map(move |code| format!("{operation} {code}"))
            })
            .collect();
        fs::write(folder.path().join("1"), lines.get(1..).unwrap().join("\n")).unwrap();
        assert_eq!(unseen(folder.path()).unwrap(), lines.get(..1).unwrap());
        fs::write(folder.path().join("2"), lines.first().unwrap()).unwrap();
        assert_eq!(unseen(folder.path()).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn an_unlisted_code_is_refused() {
        let listed = [("GET /a".to_owned(), ["2001".to_owned()].into())].into();
        assert_eq!(compare(&listed, "GET /a", "2001"), Ok(()));
        let refused = compare(&listed, "GET /a", "2002").unwrap_err().to_string();
        assert!(refused.starts_with("GET /a answered 2002"), "{refused}");
        assert!(refused.contains("make answers"), "{refused}");
    }
}
