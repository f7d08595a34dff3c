//! The floors of the code: a module imports from the floors below its own, and from no other. The floors are those of
//! docs/architecture/code-map.md. In the crates of `functions/`, `infra/` and `shared/`, the files of a folder form no
//! circle. Functions and the operators' commands depend on none of each other, only on the crates of `shared/`, as
//! deny.toml allows. The local server and the tests depend on the same compiled crates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use syn::{
    Attribute, Item, UseTree, Visibility,
    visit::{self, Visit},
};

/// The modules of `base`, ground first.
const BASE: &[&[&str]] = &[
    &["clock", "log", "secret", "settings"],
    &["metrics", "span"],
    &["outbound"],
    &["aws", "breaker", "random"],
    &["blob", "cached", "queue", "signer"],
    &["provider"],
    &["traces"],
];

/// The modules of `store`, ground first.
const STORE: &[&[&str]] = &[
    &["error", "fields", "key", "notice"],
    &["row", "tables"],
    &["spans", "update"],
    &["tally"],
    &["writes"],
    &["count", "store"],
    &["commit", "index", "queue", "table"],
    &["lists"],
];

/// The modules of `shared`, ground first.
const SHARED: &[&[&str]] = &[
    &["models", "network", "party", "problem", "venue"],
    &["deployment", "fees", "input", "source", "tables"],
    &["keys"],
    &["accounts", "events"],
    &["core", "crypto", "evm_rpc", "mail", "stuck"],
    &["auth", "ord"],
    &["http"],
    &["lambda"],
];

/// The modules of `identity`, ground first.
const IDENTITY: &[&[&str]] = &[
    &["failed_proofs", "guess", "srp", "wallet"],
    &["passkey", "trading_key"],
    &["context", "credentials"],
    &["activity", "challenge", "device", "handshake", "keystore", "second_factor"],
    &["email_proof", "trading_wallet", "views"],
];

/// The modules of `outbox`, ground first.
const OUTBOX: &[&[&str]] = &[&["events", "exports", "webhooks"], &["sockets", "views"]];

/// The modules of `chain`, ground first.
const CHAIN: &[&[&str]] = &[
    &["models", "settings"],
    &["bitcoin", "hub", "keys"],
    &["chain", "mints", "xchain"],
    &["transactions"],
    &["blocks", "cleanups", "trading"],
    &["deposits"],
    &["progress", "views"],
];

/// The modules of the local stack, ground first.
const LOCAL: &[&[&str]] = &[
    &["app", "base"],
    &["aws", "bitcoin", "functions", "users"],
    &["doubles"],
    &["stack"],
    &["levers", "openapi", "playground", "scenes", "seeds"],
    &["front_page", "reference"],
    &["cli", "dev"],
    &["suite"],
];

/// The crates that functions share.
const SHARED_CRATES: [&str; 6] =
    ["shared", "shared/base", "shared/chain", "shared/identity", "shared/outbox", "shared/store"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A path of modules, from the crate's root.
type Module = Vec<String>;

/// What a file names, in imports and in paths; tests do not count.
#[derive(Default)]
struct Named {
    paths: BTreeSet<Vec<String>>,
    /// What a face passes on: the path behind a name. To pass on is not to import.
    passed_on: BTreeMap<String, Vec<String>>,
}

impl Named {
    fn read(text: &str) -> Self {
        let mut named = Self::default();
        named.visit_file(&syn::parse_file(text).unwrap());
        named
    }
}

/// The paths of a `use`, each with the name that it gets.
fn leaves(tree: &UseTree, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident), found),
        UseTree::Name(name) if name.ident == "self" => {
            found.push((before.last().cloned().unwrap_or_default(), before.to_vec()));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), with(&name.ident))),
        UseTree::Rename(name) => found.push((name.rename.to_string(), with(&name.ident))),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, before, found)),
        UseTree::Glob(_) => found.push((String::new(), before.to_vec())),
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Named {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut found = Vec::new();
        leaves(&item.tree, &[], &mut found);
        if matches!(item.vis, Visibility::Inherited) {
            self.paths.extend(found.into_iter().map(|(_, path)| path));
        } else {
            self.passed_on.extend(found);
        }
    }

    /// `pub(crate)` is no import.
    fn visit_vis_restricted(&mut self, _visibility: &'ast syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }
}

/// The files of a crate by module, but for programs and tests.
fn modules(source: &Path) -> BTreeMap<Module, Named> {
    let mut modules = BTreeMap::new();
    let mut folders = vec![(source.to_owned(), Module::new())];
    while let Some((folder, module)) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            if ["main", "bin", "tests"].contains(&stem.as_str()) {
                continue;
            }
            let is_face = ["lib", "mod"].contains(&stem.as_str());
            let inner = if is_face { module.clone() } else { [&module[..], &[stem]].concat() };
            if path.is_dir() {
                folders.push((path, inner));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                modules.insert(inner, Named::read(&fs::read_to_string(&path).unwrap()));
            }
        }
    }
    modules
}

/// The module that defines what a path in `at` names; `None` if that is not of this crate.
fn defining(modules: &BTreeMap<Module, Named>, at: &[String], path: &[String]) -> Option<Module> {
    let child = |of: &[String], name: &String| [of, std::slice::from_ref(name)].concat();
    let (mut module, mut rest) = match path.first()?.as_str() {
        "crate" => (Module::new(), &path[1..]),
        "self" => (at.to_vec(), &path[1..]),
        "super" => (at.split_last()?.1.to_vec(), &path[1..]),
        _ if modules.contains_key(&child(at, &path[0])) => (at.to_vec(), path),
        // A face uses what it passes on by its name alone.
        name => {
            let behind = modules.get(at)?.passed_on.get(name)?;
            return if behind.first()? == name { None } else { defining(modules, at, behind) };
        }
    };
    while let Some((name, after)) = rest.split_first() {
        let inner = child(&module, name);
        if name == "super" {
            module.pop();
        } else if modules.contains_key(&inner) {
            module = inner;
        } else if let Some(behind) = modules.get(&module).and_then(|it| it.passed_on.get(name)) {
            // A crate that is passed on is none of these modules.
            module = defining(modules, &module, behind)?;
        } else {
            break;
        }
        rest = after;
    }
    Some(module)
}

/// Which modules import which.
fn imports(modules: &BTreeMap<Module, Named>) -> BTreeSet<(Module, Module)> {
    let mut imports = BTreeSet::new();
    for (module, named) in modules {
        let from = named.paths.iter().filter_map(|path| defining(modules, module, path));
        imports.extend(from.map(|from| (module.clone(), from)));
    }
    imports
}

/// The same among what is directly in a folder; the empty name is its face.
fn imports_in(
    folder: &[String],
    imports: &BTreeSet<(Module, Module)>,
) -> BTreeMap<String, BTreeSet<String>> {
    let part = |module: &Module| {
        let inner = module.strip_prefix(folder)?;
        Some(inner.first().cloned().unwrap_or_default())
    };
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    for (module, other) in imports {
        if let (Some(module), Some(other)) = (part(module), part(other)) {
            found.entry(other.clone()).or_default();
            let imported = found.entry(module.clone()).or_default();
            if module != other {
                imported.insert(other);
            }
        }
    }
    found
}

/// The modules that are left when those are taken away that import none of the others, again and
/// again, and then those that none of the others imports: the circles, and what lies between them.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let mut left: BTreeSet<_> = imports.keys().cloned().collect();
    loop {
        let imports_one = |module: &String| imports[module].iter().any(|it| left.contains(it));
        let is_imported =
            |module: &String| left.iter().any(|other| imports[other].contains(module));
        let next: BTreeSet<_> =
            left.iter().filter(|it| imports_one(it) && is_imported(it)).cloned().collect();
        if next.len() == left.len() {
            return left;
        }
        left = next;
    }
}

/// The crates in a folder.
fn crates_in(folder: &str) -> impl Iterator<Item = String> {
    let names = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(move |name| format!("{folder}/{}", name.to_string_lossy()));
    names.filter(|name| root().join(name).join("Cargo.toml").is_file())
}

fn check_floors(name: &str, floors: &[&[&str]]) {
    let floor_of = |module: &str| floors.iter().position(|floor| floor.contains(&module));
    let mut wrong = Vec::new();
    for (module, imported) in imports_in(&[], &imports(&modules(&root().join(name).join("src")))) {
        // The face itself is on no floor: it only passes names on.
        let Some(floor) = floor_of(&module) else {
            assert!(module.is_empty(), "{module} of {name} is on no floor");
            continue;
        };
        // A macro of the crate is named at its root.
        for other in imported.into_iter().filter(|it| !it.is_empty()) {
            if floor_of(&other).is_none_or(|below| below >= floor) {
                wrong.push(format!("{module} imports {other}"));
            }
        }
    }
    assert!(wrong.is_empty(), "imports of {name} that do not lead down:\n{}", wrong.join("\n"));
}

/// The floors in a section of the code map: the modules between backticks in the second column, by the number in the
/// first.
fn documented(page: &str, section: &str) -> Vec<BTreeSet<String>> {
    let heading = format!("Floors of `{section}`\n");
    let text = page.split("\n### ").find(|text| text.starts_with(&heading)).expect(section);
    let mut floors = BTreeMap::<usize, BTreeSet<String>>::new();
    for row in text.lines() {
        let mut cells = row.trim_start_matches('|').split('|').map(str::trim);
        if let (Some(Ok(floor)), Some(modules)) = (cells.next().map(str::parse), cells.next()) {
            let names = modules.split('`').skip(1).step_by(2).map(str::to_owned);
            floors.entry(floor).or_default().extend(names);
        }
    }
    floors.into_values().collect()
}

#[test]
fn the_code_map_lists_the_floors() {
    let page = fs::read_to_string(root().join("docs/architecture/code-map.md")).unwrap();
    for (section, floors) in [
        ("base", BASE),
        ("store", STORE),
        ("shared", SHARED),
        ("identity", IDENTITY),
        ("outbox", OUTBOX),
        ("chain", CHAIN),
        ("infra/local", LOCAL),
    ] {
        let names = |floor: &&[&str]| floor.iter().map(|name| (*name).to_owned()).collect();
        let floors: Vec<BTreeSet<String>> = floors.iter().map(names).collect();
        assert_eq!(documented(&page, section), floors, "{section}");
    }
}

/// Those of `crates` that a crate's `[dependencies]` name.
fn crates_under(name: &str, crates: &BTreeSet<String>) -> BTreeSet<String> {
    let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap();
    let dependencies = manifest.split("\n[").find(|part| part.starts_with("dependencies]"));
    let names = dependencies.unwrap().lines().filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| crates.contains(*name)).map(str::to_owned).collect()
}

#[test]
fn functions_and_operators_commands_stand_on_shared_crates_alone() {
    let package = |name: String| {
        let manifest = fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap();
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
        name.trim_matches('"').to_owned()
    };
    let crates: BTreeSet<_> =
        crates_in("functions").chain(crates_in("infra")).map(package).collect();
    assert!(crates_under("infra/local", &crates).contains("runeport-ops"));
    for name in crates_in("functions").chain(["infra/ops".to_owned()]) {
        let below = crates_under(&name, &crates);
        assert!(below.is_empty(), "{name} depends on {below:?}");
    }
}

#[test]
fn modules_of_base_import_from_lower_floors_alone() {
    check_floors("shared/base", BASE);
}

#[test]
fn modules_of_store_import_from_lower_floors_alone() {
    check_floors("shared/store", STORE);
}

#[test]
fn modules_of_shared_import_from_lower_floors_alone() {
    check_floors("shared", SHARED);
}

#[test]
fn modules_of_identity_import_from_lower_floors_alone() {
    check_floors("shared/identity", IDENTITY);
}

#[test]
fn modules_of_outbox_import_from_lower_floors_alone() {
    check_floors("shared/outbox", OUTBOX);
}

#[test]
fn modules_of_chain_import_from_lower_floors_alone() {
    check_floors("shared/chain", CHAIN);
}

/// Words that only this product's code has a use for.
const NOUNS: [&str; 12] = [
    "deposit",
    "hub",
    "mint",
    "payout",
    "prize",
    "refund",
    "rune",
    "swap",
    "treasury",
    "wallet",
    "webhook",
    "withdrawal",
];

/// The words of the code and texts of a file, but for its tests, in lower case: `ListOfMints` has three.
fn words(text: &str) -> BTreeSet<String> {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut words = BTreeSet::new();
    let mut word = String::new();
    for letter in text.chars().chain([' ']) {
        let ends = !letter.is_ascii_alphabetic() || letter.is_ascii_uppercase();
        if ends && !word.is_empty() {
            words.insert(std::mem::take(&mut word));
        }
        if letter.is_ascii_alphabetic() {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words
}

#[test]
fn the_crates_base_and_store_say_nothing_of_the_product() {
    let mut folders =
        ["base", "store"].map(|name| root().join("shared").join(name).join("src")).to_vec();
    let mut wrong = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let words = words(&fs::read_to_string(&path).unwrap());
            let nouns = NOUNS
                .iter()
                .filter(|noun| words.contains(**noun) || words.contains(&format!("{noun}s")));
            wrong.extend(nouns.map(|noun| format!("{}: {noun}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(words("fn list_of(RuneMints)").contains("mints"));
}

#[test]
fn modules_of_the_local_stack_import_from_lower_floors_alone() {
    check_floors("infra/local", LOCAL);
}

#[test]
fn files_of_a_crate_form_no_circle() {
    let mut wrong = Vec::new();
    let crates = SHARED_CRATES.map(str::to_owned).into_iter();
    for name in crates.chain(crates_in("functions")).chain(crates_in("infra")) {
        let modules = modules(&root().join(&name).join("src"));
        let imports = imports(&modules);
        let mut folders = BTreeSet::from([Module::new()]);
        folders.extend(modules.keys().filter_map(|it| Some(it.split_last()?.1.to_vec())));
        for folder in folders {
            let found = circles(&imports_in(&folder, &imports));
            if !found.is_empty() {
                wrong.push(format!("{name}, {}: {found:?}", folder.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "circles:\n{}", wrong.join("\n"));
}

#[test]
fn keys_of_rows_are_built_in_the_files_that_list_them_alone() {
    let makers = ["Key", "List"].map(|row| vec![row.to_owned(), "new".to_owned()]);
    let crates = SHARED_CRATES.map(str::to_owned).into_iter();
    let mut found = BTreeSet::new();
    for name in crates.chain(crates_in("functions")).chain(crates_in("infra")) {
        for (module, named) in modules(&root().join(&name).join("src")) {
            if makers.iter().any(|maker| named.paths.contains(maker)) {
                found.insert(format!("{name} {}", module.join("::")));
            }
        }
    }
    let listed = [
        "shared keys",
        "shared keys::lists",
        "shared/chain keys",
        "shared/chain keys::lists",
        "shared/store lists::names",
    ];
    assert_eq!(found, listed.map(str::to_owned).into());
}

/// The crates from elsewhere that cargo compiles, each with its features. `default` is left out,
/// because the features that it enables are listed.
fn compiled(of: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--locked", "--prefix=none", "--format={p} {f}"]).args(of);
    let output = cargo.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines.lines().map(|line| line.trim_end_matches(" (*)").replace("default,", ""));
    lines.filter(|line| !line.contains('/')).collect()
}

/// Otherwise `make test` after `make dev` compiles them, and all that stands on them, a second time.
#[test]
fn the_local_server_compiles_dependencies_as_the_tests_do() {
    let server = compiled(&["--package=runeport-local", "--edges=normal,build"]);
    let tests = compiled(&["--workspace", "--edges=normal,build,dev"]);
    assert!(server.len() > 100, "{server:?}");
    assert_eq!(server.difference(&tests).collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn an_upward_import_and_a_circle_are_found() {
    let sources = [
        ("", "pub use app::App;"),
        ("app", "use crate::models;\nfn f() { crate::store::get() }"),
        ("models", "#[cfg(test)]\nmod tests { use crate::lambda; }"),
        (
            "store",
            "mod keys; mod rows; pub use keys::Key;\nfn get(_: Key) -> Limit { rows::get() }",
        ),
        ("store::keys", "use super::{rows::Row, super::models};"),
        ("store::rows", "use std::fmt; use super::{Key, Limit}; use crate::App;"),
        ("lambda", "use crate::store::{self, Key};"),
    ];
    let modules: BTreeMap<_, _> = sources
        .iter()
        .map(|(module, text)| {
            let module = module.split("::").filter(|part| !part.is_empty());
            (module.map(str::to_owned).collect(), Named::read(text))
        })
        .collect();
    let imports = imports(&modules);
    let part = |folder: &[String]| {
        let found = imports_in(folder, &imports).into_iter().map(|(module, imported)| {
            format!("{module}: {}", imported.into_iter().collect::<Vec<_>>().join(" "))
        });
        found.collect::<Vec<_>>()
    };
    assert_eq!(part(&[]), ["app: models store", "lambda: store", "models: ", "store: app models"]);
    assert_eq!(circles(&imports_in(&[], &imports)), ["app", "store"].map(str::to_owned).into());
    let store = ["store".to_owned()];
    assert_eq!(part(&store), [": keys rows", "keys: rows", "rows:  keys"]);
    let circle = ["", "keys", "rows"].map(str::to_owned);
    assert_eq!(circles(&imports_in(&store, &imports)), circle.into());
}
