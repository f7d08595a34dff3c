//! Documents: links resolve, and the reference matches the code.

#![allow(clippy::unwrap_used, missing_docs)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Component, Path, PathBuf},
};

use local::{reference, workspace};

/// Folders without documents of this project.
const SKIPPED: [&str; 6] = [".git", ".local", "target", "node_modules", "dist", "__pycache__"];

fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !SKIPPED.contains(&name) {
            documents(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The lines of a page that are not inside a fenced block.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// The anchors that GitHub generates for a page's headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for heading in prose(page).filter(|line| line.starts_with('#')) {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let anchor: String = text
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        // A repeated heading gets a number.
        let repeated = (1..).map(|n| format!("{anchor}-{n}"));
        let mut names = std::iter::once(anchor.clone()).chain(repeated);
        anchors.insert(names.find(|name| !anchors.contains(name)).unwrap());
    }
    anchors
}

/// The targets of `[text](target)` in a page, outside of code.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    for line in prose(page) {
        // Text in backticks is not a link, but the text of a link may contain some.
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("](") {
            let Some((target, behind)) = after.split_once(')') else { break };
            links.push(target.to_owned());
            rest = behind;
        }
    }
    links
}

/// Resolves `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(plain.pop(), "{path:?}"),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[test]
fn links_between_files_and_their_anchors_resolve() {
    let root = workspace::root().canonicalize().unwrap();
    let mut pages = Vec::new();
    documents(&root, &mut pages);
    let (mut broken, mut checked) = (Vec::new(), 0_u32);
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for link in links(&text) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            checked = checked.saturating_add(1);
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = plain(&page.parent().unwrap().join(file));
            let target = if file.is_empty() { page.clone() } else { target };
            let has_anchor =
                || anchors(&fs::read_to_string(&target).unwrap_or_default()).contains(anchor);
            if !target.starts_with(&root)
                || !target.exists()
                || !(anchor.is_empty() || has_anchor())
            {
                broken.push(format!("{}: {link}", page.strip_prefix(&root).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    assert!(pages.len() > 25 && checked > 100, "{} pages, {checked} links", pages.len());
}

#[test]
fn the_committed_reference_matches_the_code() {
    let folder = workspace::root().join(reference::FOLDER);
    let mut expected = BTreeSet::new();
    for (name, text) in reference::pages().unwrap() {
        let committed = fs::read_to_string(folder.join(name)).unwrap_or_default();
        // Not `assert_eq!`, which would print both.
        assert!(
            committed == text,
            "checklist 1: limits are documented: {}/{name} is out of date: run `make reference`",
            reference::FOLDER
        );
        expected.insert(name.to_owned());
    }
    let present: BTreeSet<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(present, expected, "every page of the reference is generated");
}
