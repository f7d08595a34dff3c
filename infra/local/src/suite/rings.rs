//! Decides which programs run their long tests. Short tests always run. Long tests, and the many cases of
//! others, run if the files that a program covers differ from those with which it last passed them: those of
//! its crates, and the paths that a table adds.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::base::failure::{Context, Failure, Result};

/// For each program with long tests or many cases, the paths that it covers in addition to its crates.
const TABLE: &str = include_str!("rings.txt");
/// A name in [`TABLE`] for the functions that move Bitcoin, whose tests call each other's endpoints.
const MONEY: (&str, [&str; 7]) = (
    "<money>",
    [
        "functions/account/src",
        "functions/auth/src",
        "functions/chain-watcher/src",
        "functions/refund/src",
        "functions/transactions/src",
        "functions/vm-transactions/src",
        "functions/xchain/src",
    ],
);
/// What every program covers: versions, profiles, the vendored crate, and the tools that the local stack
/// starts.
const COMMON: [&str; 13] = [
    ".cargo",
    "Cargo.lock",
    "Cargo.toml",
    "infra/local/src/suite/long.txt",
    "infra/tools/bitcoin-core",
    "infra/tools/build-bitcoind",
    "infra/tools/build-ord",
    "infra/tools/ministack_patches.py",
    "infra/tools/package-lock.json",
    "infra/tools/ports.py",
    "infra/tools/requirements.txt",
    "infra/vendor",
    "template.yaml",
];
/// The package of the local stack. Its functions are left out if the tests of another crate only start it.
const STACK: &str = "runeport-local";
const PASSED: &str = "passed.json";

/// The answer of `cargo metadata`.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    path: Option<PathBuf>,
    kind: Option<String>,
}

/// The files that each program covers, and the state in which it last passed.
#[derive(Debug)]
pub(super) struct Rings {
    /// SHA-256 of the files that a program covers, in hex, by the program's name.
    states: BTreeMap<String, String>,
    passed: BTreeMap<String, String>,
    file: PathBuf,
}

impl Rings {
    /// Reads the workspace at `root`, and the record of passed programs from a folder. Without such a record,
    /// every program runs its long tests.
    pub(super) fn read(root: &Path, folder: &Path) -> Result<Self> {
        let packages = packages(root)?;
        let files = files(root)?;
        let compiler = output(Command::new("rustc").arg("-vV"))?;
        let mut states = BTreeMap::new();
        for (program, added) in table() {
            let mut covered = paths_of(program, &packages)?;
            covered.extend(COMMON.map(str::to_owned));
            covered.extend(added.map(str::to_owned));
            states.insert(program.to_owned(), state(&compiler, &covered, &files));
        }
        let file = folder.join(PASSED);
        let passed = fs::read(&file).ok();
        let passed = passed.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        Ok(Self { states, passed, file })
    }

    /// Whether a program has to run its long tests.
    pub(super) fn is_due(&self, program: &str) -> bool {
        match self.states.get(program) {
            Some(state) => self.passed.get(program) != Some(state),
            None => false,
        }
    }

    /// Records the programs that have passed all of their tests.
    pub(super) fn record<'a>(mut self, programs: impl Iterator<Item = &'a str>) -> Result<()> {
        for program in programs {
            if let Some(state) = self.states.get(program) {
                self.passed.insert(program.to_owned(), state.clone());
            }
        }
        let text = serde_json::to_vec_pretty(&self.passed).context(PASSED)?;
        let folder = self.file.parent().context(PASSED)?;
        fs::create_dir_all(folder).context(folder.display())?;
        fs::write(&self.file, text).context(self.file.display())
    }
}

/// The programs of [`TABLE`], each with the paths that it adds.
pub(super) fn table() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(':')).map(|(program, paths)| {
        let paths = paths.split_whitespace().flat_map(|path| match path == MONEY.0 {
            true => MONEY.1.to_vec(),
            false => vec![path],
        });
        (program, paths)
    })
}

fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().context(&name)?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::new(format!("{name} failed: {why}")));
    }
    String::from_utf8(output.stdout).context(name)
}

/// The workspace's packages, by their folder from the root.
fn packages(root: &Path) -> Result<BTreeMap<String, Package>> {
    let text = output(
        Command::new("cargo")
            .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
            .current_dir(root),
    )?;
    let metadata: Metadata = serde_json::from_str(&text).context("cargo metadata")?;
    let root = fs::canonicalize(root).context(root.display())?;
    let mut packages = BTreeMap::new();
    for mut package in metadata.packages {
        for path in package.dependencies.iter_mut().filter_map(|one| one.path.as_mut()) {
            *path = path.strip_prefix(&root).context(path.display())?.to_owned();
        }
        let folder = package.manifest_path.parent().context(&package.name)?;
        let folder = folder.strip_prefix(&root).context(folder.display())?;
        packages.insert(folder.display().to_string(), package);
    }
    Ok(packages)
}

/// The files of the workspace that Git does not ignore, each with its SHA-256.
fn files(root: &Path) -> Result<BTreeMap<String, [u8; 32]>> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let list = output(Command::new("git").args(list).current_dir(root))?;
    // A file that is listed but missing was deleted.
    let files = list.split_terminator('\0').filter_map(|name| {
        let content = fs::read(root.join(name)).ok()?;
        Some((name.to_owned(), Sha256::digest(content).into()))
    });
    Ok(files.collect())
}

/// The paths of a program's crates: its package with this one target, and the sources of everything that it
/// depends on.
fn paths_of(program: &str, packages: &BTreeMap<String, Package>) -> Result<BTreeSet<String>> {
    let (folder, target) = program.rsplit_once(' ').context(program)?;
    let is_it = |path: &&String| path.rsplit('/').next() == Some(folder);
    let own = packages.keys().find(is_it).context(program)?;
    let mut paths =
        BTreeSet::from([format!("{own}/tests/{target}"), format!("{own}/tests/{target}.rs")]);
    let (mut met, mut waiting) = (BTreeSet::new(), vec![own.clone()]);
    while let Some(folder) = waiting.pop() {
        if !met.insert(folder.clone()) {
            continue;
        }
        paths.extend(["src", "build", "Cargo.toml"].map(|part| format!("{folder}/{part}")));
        // A path outside the workspace has no package.
        let Some(package) = packages.get(&folder) else { continue };
        let only_started = package.name == STACK && folder != *own && !starts_all(own);
        for dependency in &package.dependencies {
            let Some(path) = &dependency.path else { continue };
            let path = path.display().to_string();
            let is_tested = dependency.kind.is_none() || folder == *own;
            if is_tested && !(only_started && path.starts_with("functions/")) {
                waiting.push(path);
            }
        }
    }
    Ok(paths)
}

/// Whether the tests of a package use all functions through the local stack.
fn starts_all(folder: &str) -> bool {
    folder == "infra/simulation"
}

/// SHA-256 of the compiler's version, and of the names and contents of the files at or below these paths. Of
/// text pages only the names count: no program is compiled from them.
fn state(compiler: &str, paths: &BTreeSet<String>, files: &BTreeMap<String, [u8; 32]>) -> String {
    let mut hash = Sha256::new_with_prefix(compiler);
    for (name, content) in files {
        let is_covered = paths.iter().any(|path| {
            let below = name.strip_prefix(path.as_str());
            below.is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('/') && !name.ends_with(".md")
            })
        });
        if is_covered {
            hash.update(name);
            hash.update([0]);
            hash.update(content);
        }
    }
    hex::encode(hash.finalize())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::base::workspace;

    fn paths(program: &str) -> BTreeSet<String> {
        paths_of(program, &packages(&workspace::root()).unwrap()).unwrap()
    }

    #[test]
    fn programs_cover_their_crates_and_own_target() {
        let refund = paths("refund http");
        for path in ["functions/refund/src", "shared/src", "shared/chain/src", "infra/local/src"] {
            assert!(refund.contains(path), "{path}");
        }
        assert!(refund.contains("functions/refund/tests/http"));
        assert!(
            !refund.contains("functions/medias/src") && !refund.contains("functions/refund/tests")
        );
        for all in [paths("local mints"), paths("simulation seeds")] {
            assert!(all.contains("functions/medias/src") && all.contains("shared/chain/src"));
        }
        let chain = paths("chain lib");
        assert!(chain.contains("shared/src") && !chain.contains("infra/local/src"));
    }

    #[test]
    fn the_table_names_programs_and_paths_that_exist() {
        let root = workspace::root();
        for (program, added) in table() {
            paths_of(program, &packages(&root).unwrap()).unwrap();
            for path in added {
                assert!(root.join(path).exists(), "{program}: there is no {path}");
            }
        }
        for path in COMMON {
            assert!(root.join(path).exists(), "there is no {path}");
        }
    }

    #[test]
    fn a_state_changes_with_each_covered_file_and_with_no_other() {
        let files = |content: &[(&str, u8)]| {
            content.iter().map(|(name, byte)| ((*name).to_owned(), [*byte; 32])).collect()
        };
        let covered = BTreeSet::from(["a/src".to_owned(), "b.yaml".to_owned()]);
        let state = |content: &[(&str, u8)]| state("1", &covered, &files(content));
        let before = state(&[("a/src/x.rs", 1), ("a/srcs", 1), ("b.yaml", 1), ("c", 1)]);
        assert_eq!(before, state(&[("a/src/x.rs", 1), ("a/srcs", 2), ("b.yaml", 1)]));
        assert_eq!(before, state(&[("a/src/x.rs", 1), ("a/src/y.md", 2), ("b.yaml", 1)]));
        for changed in [
            state(&[("a/src/x.rs", 2), ("b.yaml", 1)]),
            state(&[("a/src/x.rs", 1), ("b.yaml", 2)]),
            state(&[("a/src/z.rs", 1), ("b.yaml", 1)]),
            state(&[("a/src/x.rs", 1)]),
        ] {
            assert_ne!(before, changed);
        }
    }

    #[test]
    fn a_program_is_due_until_it_has_passed_with_these_files() {
        let folder = tempfile::tempdir().unwrap();
        let rings = |state: &str| Rings {
            states: BTreeMap::from([("a http".to_owned(), state.to_owned())]),
            passed: fs::read(folder.path().join(PASSED))
                .ok()
                .map(|text| serde_json::from_slice(&text).unwrap())
                .unwrap_or_default(),
            file: folder.path().join(PASSED),
        };
        assert!(rings("1").is_due("a http"));
        assert!(!rings("1").is_due("without long tests"));
        rings("1").record(["a http", "without long tests"].into_iter()).unwrap();
        assert!(!rings("1").is_due("a http"));
        assert!(rings("2").is_due("a http"));
    }
}
