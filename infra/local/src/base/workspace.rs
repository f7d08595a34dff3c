//! Paths of the workspace.

use std::{
    env,
    path::{Path, PathBuf},
};

/// File that marks the root of the workspace.
pub const TEMPLATE: &str = "template.yaml";

/// Variable that names the tools folder.
const TOOLS: &str = "RUNEPORT_LOCAL_DIR";

/// Variable that names the folder that all clones share.
const CACHE: &str = "RUNEPORT_CACHE_DIR";

/// Variable that makes heavy tests check all their cases, and long tests run, if it is `all`.
pub const CASES: &str = "RUNEPORT_CASES";

/// Which test programs check all their cases and run their long tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cases {
    /// None.
    Few,
    /// The programs whose sources have changed since they last passed.
    Changed,
    /// All programs.
    All,
}

/// The choice in the environment.
pub fn cases_wanted() -> Cases {
    match env::var(CASES).as_deref() {
        Ok("all") => Cases::All,
        Ok("changed") => Cases::Changed,
        _ => Cases::Few,
    }
}

/// The number of cases that a heavy test checks: `all` before a change is merged, otherwise `few`.
pub fn cases(few: usize, all: usize) -> usize {
    if all_cases() { all } else { few }
}

/// Whether heavy tests check all their cases, and long tests run.
pub fn all_cases() -> bool {
    cases_wanted() == Cases::All
}

/// The tools folder that `make setup` fills.
pub fn local_dir() -> PathBuf {
    env::var_os(TOOLS).map_or_else(|| root().join(".local"), PathBuf::from)
}

/// The folder that all clones share.
pub fn cache_dir() -> PathBuf {
    env::var_os(CACHE).map_or_else(|| local_dir().join("cache"), PathBuf::from)
}

/// The folder of Node packages that `make setup` installs.
pub fn node_modules() -> PathBuf {
    local_dir().join("node/node_modules")
}

/// Root of the workspace: the one that contains the current folder, otherwise the one in which this program
/// was compiled.
pub fn root() -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    let around = here.ancestors().find(|folder| folder.join(TEMPLATE).exists());
    around.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), Path::to_owned)
}
