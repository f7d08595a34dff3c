//! Where the sources are.

use std::{
    env,
    path::{Path, PathBuf},
};

/// The file that marks the root of the workspace.
pub const TEMPLATE: &str = "template.yaml";

/// The variable that names the folder of the tools.
const TOOLS: &str = "RUNEPORT_LOCAL_DIR";

/// The folder of the tools that `make setup` brings.
pub fn local_dir() -> PathBuf {
    env::var_os(TOOLS).map_or_else(|| root().join(".local"), PathBuf::from)
}

/// The folder of the Node packages that `make setup` brings.
pub fn node_modules() -> PathBuf {
    local_dir().join("node/node_modules")
}

/// The folder of the workspace: the one that the current folder is in, else the one that this was
/// compiled from.
pub fn root() -> PathBuf {
    let here = env::current_dir().unwrap_or_default();
    let around = here.ancestors().find(|folder| folder.join(TEMPLATE).exists());
    around.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."), Path::to_owned)
}
