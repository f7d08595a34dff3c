//! The claims of docs/identity-checklist.md are those that the tests make: a test claims what a row says by beginning the
//! text of the assertion that proves it with `checklist <rows>: <claim>`, as in `"checklist 27: nbf"`. More may follow
//! after another `: `.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

use std::{collections::BTreeSet, fs, path::Path};

use local::workspace;

/// Number of rows of the checklist.
const ROWS: usize = 34;
/// How the text of an assertion begins that proves a claim.
const MARK: &str = "\"checklist ";

/// What a test proves of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    row: usize,
    what: String,
    test: String,
}

fn indent(line: &str) -> usize {
    line.len().saturating_sub(line.trim_start().len())
}

/// The claims of all tests in a folder: those of functions below a line `#[test]` or `#[tokio::test…]`.
fn read_tests(folder: &Path, claims: &mut BTreeSet<Claim>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_tests(&path, claims);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            read_file(&fs::read_to_string(&path).unwrap(), claims);
        }
    }
}

fn read_file(source: &str, claims: &mut BTreeSet<Claim>) {
    let (mut is_test, mut open): (bool, Option<(String, usize)>) = (false, None);
    for line in source.lines() {
        let code = line.trim();
        if let Some((test, depth)) = &open {
            if code == "}" && indent(line) == *depth {
                open = None;
            } else if !code.starts_with("//") {
                read_line(code, test, claims);
            }
            continue;
        }
        if let Some(rest) = code.strip_prefix("async fn ").or(code.strip_prefix("fn "))
            && is_test
        {
            open = Some((rest.split('(').next().unwrap().to_owned(), indent(line)));
        }
        is_test = code.starts_with("#[test]")
            || code.starts_with("#[tokio::test")
            || (is_test && code.starts_with("#["));
    }
}

fn read_line(code: &str, test: &str, claims: &mut BTreeSet<Claim>) {
    for text in code.split(MARK).skip(1) {
        let text = text.split('"').next().unwrap();
        let (rows, text) = text.split_once(": ").unwrap_or_else(|| panic!("{test}: {text}"));
        let what = text.split(": ").next().unwrap();
        for row in rows.split(", ") {
            let (what, test) = (what.to_owned(), test.to_owned());
            claims.insert(Claim { row: row.parse().unwrap(), what, test });
        }
    }
}

/// The claims of the checklist, whose last column has them as `claim, claim: test; claim: test`. Each row has one.
fn read_rows(page: &str) -> BTreeSet<Claim> {
    let mut claims = BTreeSet::new();
    let rows: Vec<_> = page.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert_eq!(rows.len(), ROWS);
    for (row, line) in (1..).zip(rows) {
        let cells: Vec<_> = line.trim_matches(['|', ' ']).split(" | ").collect();
        assert!(cells.len() == 3 && cells[0] == row.to_string(), "{line}");
        for group in cells[2].split("; ") {
            let (whats, test) = group.rsplit_once(": ").unwrap_or_else(|| panic!("{line}"));
            assert!(test.starts_with('`') && test.ends_with('`'), "{line}");
            for what in whats.split(", ") {
                let (what, test) = (what.to_owned(), test.trim_matches('`').to_owned());
                claims.insert(Claim { row, what, test });
            }
        }
    }
    claims
}

#[test]
fn the_claims_of_the_checklist_are_those_of_the_tests() {
    let root = workspace::root();
    let mut made = BTreeSet::new();
    for folder in ["shared", "functions", "infra"] {
        read_tests(&root.join(folder), &mut made);
    }
    let listed = read_rows(&fs::read_to_string(root.join("docs/identity-checklist.md")).unwrap());
    let unproved: Vec<_> = listed.difference(&made).collect();
    assert!(unproved.is_empty(), "no assertion of the test says so: {unproved:#?}");
    let unlisted: Vec<_> = made.difference(&listed).collect();
    assert!(unlisted.is_empty(), "docs/identity-checklist.md lacks {unlisted:#?}");
}

/// The names of the tests in a file.
fn tests_of(path: &str) -> BTreeSet<String> {
    let source = fs::read_to_string(workspace::root().join(path)).unwrap();
    let after = source.split("#[tokio::test]").skip(1);
    let name = |text: &str| {
        let signature = text.split("async fn ").nth(1).unwrap();
        signature.split('(').next().unwrap().to_owned()
    };
    after.map(name).collect()
}

/// In the guide's table of wallets, the last column of each row names the tests that sign in with this form.
#[test]
fn each_form_of_a_signature_in_the_guide_has_its_test() {
    let guide = fs::read_to_string(workspace::root().join("docs/guides/sign-in.md")).unwrap();
    let rows = guide.lines().skip_while(|line| !line.starts_with("| Wallet |")).skip(2);
    let mut listed = BTreeSet::new();
    for row in rows.take_while(|line| line.starts_with("| ")) {
        let tests = row.trim_end_matches([' ', '|']).rsplit(" | ").next().unwrap();
        for test in tests.split(", ") {
            let name = test.strip_prefix('`').and_then(|test| test.strip_suffix('`'));
            listed.insert(name.unwrap_or_else(|| panic!("{row}")).to_owned());
        }
    }
    let forms = tests_of("functions/auth/tests/http/wallet_forms.rs");
    let contracts = tests_of("infra/local/tests/journeys/contract_wallet.rs");
    let known: BTreeSet<_> = forms.union(&contracts).cloned().collect();
    let unknown: Vec<_> = listed.difference(&known).collect();
    assert!(unknown.is_empty(), "no test is called {unknown:?}");
    let signs_in = |name: &&String| name.contains("_signs_in_by_");
    let unlisted: Vec<_> = forms.difference(&listed).filter(signs_in).collect();
    assert!(unlisted.is_empty(), "docs/guides/sign-in.md lacks {unlisted:?}");
}

#[test]
fn a_claim_is_the_text_of_an_assertion_in_a_test() {
    // Otherwise the claims below would be made by this test.
    let source = "
        fn helper() {
            assert!(true, @1: of no test\");
        }

        #[tokio::test(flavor = \"multi_thread\")]
        #[ignore]
        async fn first() {
            // assert!(true, @2: in a comment\");
            let answers = [(@3, 4: one\", 1), (@5: two: more\", 2)];
            if true {
                call(@6: three\");
            }
        }

        fn other() {
            assert!(true, @7: after a test\");
        }
    ";
    let source = source.replace('@', MARK);
    let mut claims = BTreeSet::new();
    read_file(&source, &mut claims);
    let claims: Vec<_> =
        claims.iter().map(|claim| (claim.row, &*claim.what, &*claim.test)).collect();
    let of_first = [(3, "one"), (4, "one"), (5, "two"), (6, "three")];
    assert_eq!(claims, of_first.map(|(row, what)| (row, what, "first")));
}
