//! Paths of the workspace.

use std::{
    env,
    path::{Path, PathBuf},
};

/// File that marks the root of the workspace.
pub const TEMPLATE: &str = "template.yaml";

/// Variable that names the tools folder.
const TOOLS: &str = "RUNEPORT_LOCAL_DIR";

/// Variable that makes heavy tests check all their cases, and long tests run, if it is `all`.
const CASES: &str = "RUNEPORT_CASES";

/// The number of cases that a heavy test checks: `all` before a change is merged, otherwise `few`.
pub fn cases(few: usize, all: usize) -> usize {
    if all_cases() { all } else { few }
}

/// Whether heavy tests check all their cases, and long tests run.
pub fn all_cases() -> bool {
    env::var_os(CASES).is_some_and(|wanted| wanted == "all")
}

/// The tools folder that `make setup` fills.
pub fn local_dir() -> PathBuf {
    env::var_os(TOOLS).map_or_else(|| root().join(".local"), PathBuf::from)
}

/// The folder of Node packages that `make setup` installs.
pub fn node_modules() -> PathBuf {
    local_dir().join("node/node_modules")
}

/// Root of the workspace: the one around the current folder, otherwise the one that this was compiled in.
pub fn root() -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    let around = here.ancestors().find(|folder| folder.join(TEMPLATE).exists());
    around.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), Path::to_owned)
}
