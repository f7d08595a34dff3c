//! The floors of the code: a module imports from the floors below its own, and from no other. The
//! floors of `shared` are those of docs/architecture.md; of every other crate it is enough that its
//! modules form no circle.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, Item, UseTree,
    visit::{self, Visit},
};

/// The modules of `shared`, ground first.
const FLOORS: &[&[&str]] = &[
    &["clock", "outbound", "secret"],
    &["breaker", "evm_rpc", "models", "problem", "random"],
    &["hub", "input", "perp_venue"],
    &["config"],
    &["aws", "blob"],
    &["bitcoin", "queue", "store"],
    &["exports", "keys", "mail", "minting", "stuck"],
    &["app"],
    &["auth", "metrics", "xchain"],
    &["http", "transactions"],
    &["lambda"],
];

/// Modules that still form a circle, by crate. This list only gets shorter.
const KNOWN_CIRCLES: &[(&str, &[&str])] = &[(
    "infra/local",
    &[
        "bitcoin",
        "data_dir",
        "distribution",
        "dynamodb",
        "hub",
        "levers",
        "ministack",
        "provision",
        "pump",
        "signing_keys",
        "stack",
        "storage",
        "template",
        "venue",
        "wallets",
    ],
)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Which modules of its crate a file names, in imports and in paths; tests do not count.
#[derive(Default)]
struct Named {
    modules: BTreeSet<String>,
    /// Whether `super` is the crate's root.
    is_top: bool,
}

impl Named {
    fn add<'a>(&mut self, mut path: impl Iterator<Item = &'a syn::Ident>) {
        let Some(first) = path.next() else { return };
        if first == "crate" || self.is_top && first == "super" {
            self.modules.extend(path.next().map(ToString::to_string));
        }
    }

    fn add_tree(&mut self, tree: &UseTree) {
        let UseTree::Path(path) = tree else { return };
        if !(path.ident == "crate" || self.is_top && path.ident == "super") {
            return;
        }
        let mut trees = vec![&*path.tree];
        while let Some(tree) = trees.pop() {
            match tree {
                UseTree::Path(path) => drop(self.modules.insert(path.ident.to_string())),
                UseTree::Name(name) => drop(self.modules.insert(name.ident.to_string())),
                UseTree::Rename(name) => drop(self.modules.insert(name.ident.to_string())),
                UseTree::Group(group) => trees.extend(&group.items),
                UseTree::Glob(_) => {}
            }
        }
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

    fn visit_use_tree(&mut self, tree: &'ast UseTree) {
        self.add_tree(tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.add(path.segments.iter().map(|segment| &segment.ident));
        visit::visit_path(self, path);
    }
}

/// The files of a folder and of those in it, but for tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Which top-level modules of a crate each of them imports, with a file that does.
fn imports(source: &Path) -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut modules = BTreeMap::new();
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let module = name(&path);
        if !["lib", "main", "bin"].contains(&module.as_str()) {
            modules.insert(module, if path.is_dir() { files(&path) } else { vec![path] });
        }
    }
    // A module can be a file and a folder.
    for (module, files_of) in &mut modules {
        for also in [source.join(format!("{module}.rs")), source.join(module)] {
            let found = if also.is_dir() { files(&also) } else { vec![also] };
            files_of.extend(found.into_iter().filter(|path| path.is_file()));
        }
    }
    let names: BTreeSet<_> = modules.keys().cloned().collect();
    modules
        .into_iter()
        .map(|(module, files)| {
            let mut imported = BTreeMap::new();
            for file in files {
                let is_top = file.parent() == Some(source);
                let mut named = Named { is_top, ..Named::default() };
                named.visit_file(&syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap());
                for other in named.modules {
                    if other != module && names.contains(&other) {
                        imported.entry(other).or_insert_with(|| file.clone());
                    }
                }
            }
            (module, imported)
        })
        .collect()
}

/// The modules that are left when those are taken away that import none of the others, again and
/// again, and then those that none of the others imports: the circles, and what lies between them.
fn circles(imports: &BTreeMap<String, BTreeMap<String, PathBuf>>) -> BTreeSet<String> {
    let mut left: BTreeSet<_> = imports.keys().cloned().collect();
    loop {
        let imports_one =
            |module: &String| imports[module].keys().any(|other| left.contains(other));
        let is_imported =
            |module: &String| left.iter().any(|other| imports[other].contains_key(module));
        let next: BTreeSet<_> =
            left.iter().filter(|it| imports_one(it) && is_imported(it)).cloned().collect();
        if next.len() == left.len() {
            return left;
        }
        left = next;
    }
}

#[test]
fn modules_of_shared_import_from_lower_floors_alone() {
    let floor_of = |module: &str| FLOORS.iter().position(|floor| floor.contains(&module));
    let mut wrong = Vec::new();
    for (module, imported) in imports(&root().join("shared/src")) {
        let floor = floor_of(&module).unwrap_or_else(|| panic!("{module} is on no floor"));
        for (other, file) in imported {
            if floor_of(&other).is_none_or(|below| below >= floor) {
                wrong.push(format!("{module} imports {other} ({})", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "imports that do not lead down:\n{}", wrong.join("\n"));
}

#[test]
fn modules_of_a_crate_form_no_circle() {
    let mut crates = vec!["infra/bitcoin-model".to_owned(), "infra/local".to_owned()];
    for entry in fs::read_dir(root().join("functions")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        crates.push(format!("functions/{name}"));
    }
    for name in crates {
        let known = KNOWN_CIRCLES.iter().find(|(known, _)| *known == name);
        let known: BTreeSet<_> = known
            .into_iter()
            .flat_map(|(_, modules)| *modules)
            .map(|it| (*it).to_owned())
            .collect();
        let found = circles(&imports(&root().join(&name).join("src")));
        assert_eq!(found, known, "the circle of {name} is not the known one");
    }
}

#[test]
fn an_upward_import_and_a_circle_are_found() {
    let file = syn::parse_file(
        "use crate::{app::App, models};\nfn f() { crate::store::get() }\n\
         #[cfg(test)]\nmod tests { use crate::lambda; }",
    );
    let mut named = Named::default();
    named.visit_file(&file.unwrap());
    assert_eq!(named.modules, ["app", "models", "store"].map(str::to_owned).into());
    let of = |others: &[&str]| {
        others.iter().map(|other| ((*other).to_owned(), PathBuf::new())).collect::<BTreeMap<_, _>>()
    };
    let imports = [("a", of(&["b"])), ("b", of(&["c"])), ("c", of(&["b"])), ("d", of(&["a"]))];
    let imports = imports.map(|(module, of)| (module.to_owned(), of)).into();
    assert_eq!(circles(&imports), ["b", "c"].map(str::to_owned).into());
}
