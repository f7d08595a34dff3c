//! The tests named in docs/identity-checklist.md exist.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use std::{collections::BTreeSet, fs, path::Path};

use local::workspace;

/// Names of all functions below a line `#[test]` or `#[tokio::test…]`.
fn tests(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            tests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                if let Some(rest) = line.strip_prefix("async fn ").or(line.strip_prefix("fn "))
                    && is_test
                {
                    found.insert(rest.split('(').next().unwrap().to_owned());
                }
                is_test = line.starts_with("#[test]")
                    || line.starts_with("#[tokio::test")
                    || (is_test && line.starts_with("#["));
            }
        }
    }
}

#[test]
fn every_row_of_the_checklist_names_tests_that_exist() {
    let root = workspace::root();
    let mut found = BTreeSet::new();
    for folder in ["shared", "functions", "infra"] {
        tests(&root.join(folder), &mut found);
    }
    let checklist = fs::read_to_string(root.join("docs/identity-checklist.md")).unwrap();
    let mut rows = 0;
    for row in checklist.lines().filter(|line| line.starts_with("| ")).skip(1) {
        rows += 1;
        let named = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        assert!(named.contains('`'), "{row}");
        for name in named.split(", ") {
            assert!(found.contains(name.trim_matches('`')), "{name} of row {row}");
        }
    }
    assert_eq!(rows, 34);
}
